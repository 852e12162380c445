"""The few statistics the reports need, from the standard library and with a fixed seed."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Sequence

SEED = 20261201
RESAMPLES = 2000


def median(values: Sequence[float]) -> float:
    """The middle value; ValueError when there is none."""
    if not values:
        raise ValueError("the median of nothing is not a number")
    return statistics.median(values)


def quantile(values: Sequence[float], fraction: float) -> float:
    """The value below which `fraction` of the sorted values lie, by linear interpolation."""
    if not values:
        raise ValueError("a quantile of nothing is not a number")
    if not 0 <= fraction <= 1:
        raise ValueError(f"fraction is {fraction}, and must be between 0 and 1")
    ordered = sorted(values)
    position = fraction * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (position - low) * (ordered[high] - ordered[low])


def ratio(value: float | None, reference: float | None) -> float | None:
    """``value / reference``, or None when either is missing or the reference is not positive."""
    if value is None or reference is None or reference <= 0:
        return None
    return value / reference


def _interval(
    estimate: Callable[[random.Random], float], confidence: float, seed: int, resamples: int
) -> tuple[float, float]:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}, and must be between 0 and 1")
    generator = random.Random(seed)
    estimates = [estimate(generator) for _ in range(resamples)]
    tail = (1 - confidence) / 2
    return quantile(estimates, tail), quantile(estimates, 1 - tail)


def median_interval(
    values: Sequence[float],
    confidence: float = 0.99,
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> tuple[float, float]:
    """Percentile bootstrap interval of the median (Efron 1979); same seed, same interval."""
    if not values:
        raise ValueError("nothing to resample")
    size = len(values)
    return _interval(
        lambda generator: statistics.median(generator.choices(values, k=size)),
        confidence,
        seed,
        resamples,
    )


def ratio_interval(
    values: Sequence[float],
    references: Sequence[float],
    confidence: float = 0.99,
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> tuple[float, float]:
    """Percentile bootstrap interval of ``median(values) / median(references)``, unpaired."""
    if not values or not references:
        raise ValueError("nothing to resample")
    if min(references) <= 0:
        raise ValueError("a reference is not positive, so there is no ratio to it")

    def estimate(generator: random.Random) -> float:
        above = statistics.median(generator.choices(values, k=len(values)))
        return above / statistics.median(generator.choices(references, k=len(references)))

    return _interval(estimate, confidence, seed, resamples)
