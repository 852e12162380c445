"""A confidence interval for a median of samples that follow one another in time."""

from __future__ import annotations

import random
import statistics
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

_FEWEST_BLOCKS = 8


def median_interval(
    values: Sequence[float],
    *,
    confidence: float = 0.99,
    block: int = 8,
    resamples: int = 1000,
) -> tuple[float, float]:
    """Return a percentile bootstrap interval of the median.

    Whole blocks of neighbouring samples are drawn, because a disturbance of the machine outlasts
    one sample: drawn one by one the samples would look more independent than they are.

    Parameters
    ----------
    values : sequence of float
        The samples, in the order in which they were taken.
    confidence : float
        The probability that the interval is meant to cover.
    block : int
        Samples per block; fewer where there are not samples enough for a few blocks.
    resamples : int
        How many times the median is drawn; the draws are seeded, so equal input gives equal
        output.

    Returns
    -------
    tuple of float
        The interval's low and high end.
    """
    if not values:
        raise ValueError("an interval needs at least one sample")
    block = max(1, min(block, len(values) // _FEWEST_BLOCKS))
    blocks = -(-len(values) // block)
    order = sorted(range(len(values)), key=values.__getitem__)
    block_of = [index // block for index in order]
    draw = random.Random(len(values))
    medians = []
    for _ in range(resamples):
        weights = [0] * blocks
        for chosen in draw.choices(range(blocks), k=blocks):
            weights[chosen] += 1
        running = list(accumulate(map(weights.__getitem__, block_of)))
        medians.append(values[order[bisect_left(running, running[-1] / 2)]])
    medians.sort()
    tail = (1 - confidence) / 2
    last = resamples - 1
    return medians[int(tail * last)], medians[last - int(tail * last)]


def relative_spread(values: Sequence[float]) -> float:
    """Return the samples' robust standard deviation (from the MAD) over their median."""
    middle = statistics.median(values)
    deviation = statistics.median(abs(value - middle) for value in values)
    return 1.4826 * deviation / abs(middle) if middle else 0.0
