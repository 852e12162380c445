import random

import pytest

from benchmarks.instruments.resampling import median_interval, relative_spread


def test_the_interval_covers_the_true_median_as_often_as_promised():
    draw = random.Random(7)
    inside = 0
    for _ in range(200):
        low, high = median_interval(
            [draw.gauss(1, 0.05) for _ in range(160)], confidence=0.95, resamples=300
        )
        inside += low <= 1 <= high
    assert 180 <= inside <= 200


def test_neighbours_that_move_together_widen_the_interval():
    draw = random.Random(3)
    alone = [draw.gauss(1, 0.05) for _ in range(320)]
    together = [value for value in alone[:40] for _ in range(8)]
    narrow, wide = median_interval(alone), median_interval(together)
    assert wide[1] - wide[0] > 1.5 * (narrow[1] - narrow[0])


def test_equal_samples_give_equal_intervals():
    values = [1.0, 1.1, 0.9, 1.05, 0.95] * 20
    assert median_interval(values) == median_interval(values)
    assert median_interval([2.0] * 9) == (2.0, 2.0)
    with pytest.raises(ValueError, match="at least one"):
        median_interval([])


def test_one_wild_sample_does_not_move_the_spread():
    values = [1.0, 1.01, 0.99, 1.02, 0.98] * 10
    assert relative_spread([*values, 50.0]) == pytest.approx(relative_spread(values), rel=0.2)
