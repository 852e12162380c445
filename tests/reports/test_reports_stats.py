from __future__ import annotations

import random

import pytest

from reports import stats


def test_quantiles_interpolate() -> None:
    assert stats.quantile([4, 1, 3, 2], 0.25) == 1.75
    assert stats.quantile([7], 0.9) == 7
    assert stats.median([3, 1, 2]) == 2


def test_same_seed_same_interval_other_seed_other_interval() -> None:
    generator = random.Random(1)
    values = [generator.gauss(100, 10) for _ in range(200)]
    assert stats.median_interval(values) == stats.median_interval(values)
    assert stats.median_interval(values) != stats.median_interval(values, seed=1)


def test_interval_covers_the_true_median_about_as_often_as_it_says() -> None:
    generator = random.Random(2)
    hits = 0
    for _ in range(100):
        values = [generator.gauss(100, 10) for _ in range(25)]
        low, high = stats.median_interval(values, 0.95, resamples=300)
        hits += low <= 100 <= high
    assert 88 <= hits <= 100


def test_ratio_interval_separates_sides_that_differ_and_not_those_that_do_not() -> None:
    generator = random.Random(3)
    one, other = ([generator.gauss(100, 5) for _ in range(40)] for _ in range(2))
    low, high = stats.ratio_interval(one, other)
    assert low < 1 < high
    low, high = stats.ratio_interval([2 * value for value in one], other)
    assert 1.8 < low < 2 < high < 2.2


def test_ratio_of_something_missing_is_missing() -> None:
    assert stats.ratio(3, 2) == 1.5
    assert stats.ratio(None, 2) is None
    assert stats.ratio(3, None) is None
    assert stats.ratio(3, 0) is None


def test_nothing_has_no_statistics() -> None:
    for call in (stats.median, stats.median_interval):
        with pytest.raises(ValueError, match="nothing"):
            call([])
    with pytest.raises(ValueError, match="not positive"):
        stats.ratio_interval([1.0], [0.0])
    with pytest.raises(ValueError, match="between 0 and 1"):
        stats.median_interval([1.0], 1.0)
    with pytest.raises(ValueError, match="between 0 and 1"):
        stats.quantile([1.0], 1.5)
