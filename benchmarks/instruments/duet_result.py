"""What a duet found: the rounds' figures, and the result made of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any

from .resampling import median_interval, relative_spread
from .side import Side

_NOTHING_NS = 1.0

Interval = tuple[float, float]


@dataclass(frozen=True)
class SideResult:
    """What was measured on one side: ns per operation, medians over the rounds."""

    library: str
    label: str
    origin: str
    versions: dict[str, str]
    python: str
    operations_per_slice: int
    ns: float
    empty_ns: float
    net_ns: float
    slices: list[float] = field(repr=False)


@dataclass(frozen=True)
class DuetResult:
    """The outcome of one duet; ratios are A over B, differences A minus B in ns per operation.

    The intervals are those of these two processes. Two other processes of the same code differ
    from them by some tenths of a per cent, on a crowded machine by up to two per cent
    (``benchmarks.instruments.trials`` shows it), so a verdict needs a margin of that size and a
    second duet.

    "Net" is without the empty loop. `net_ratio` is None when side B costs no more than the empty
    loop. `rounds` are those that nothing interrupted, and only they count; `interrupted` is the
    share of the others, `noise` the robust relative spread of the rounds' ratios. `stopped` is
    "narrow" or "time limit".
    """

    operation: str
    a: SideResult
    b: SideResult
    ratio: float
    interval: Interval
    confidence: float
    net_ratio: float | None
    net_ratio_interval: Interval | None
    difference_ns: float
    difference_ns_interval: Interval
    noise: float
    interrupted: float
    rounds: int
    stopped: str
    seconds: float
    core: int
    driver: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        return asdict(self)


class Rounds:
    """The figures of all rounds so far, per operation and side."""

    def __init__(self, operations: Sequence[int]) -> None:
        """Start without rounds; `operations` is each side's number of operations per slice."""
        self.operations = operations
        self.slices: tuple[list[float], list[float]] = ([], [])
        self.empties: tuple[list[float], list[float]] = ([], [])
        self.gross: tuple[list[float], list[float]] = ([], [])
        self.net: tuple[list[float], list[float]] = ([], [])
        self.ratios: list[float] = []
        self.played = 0

    def add(self, *replies: dict[str, Any]) -> None:
        """Add a batch: each round's two slices of a side become one figure.

        A round of which any slice was interrupted is left out, on both sides.
        """
        marks = [reply["interrupted"] for reply in replies]
        rounds = range(len(marks[0]) // 2)
        whole = [n for n in rounds if not any(m[2 * n] or m[2 * n + 1] for m in marks)]
        self.played += len(rounds)
        for side, reply in enumerate(replies):
            count = self.operations[side]
            kept = [place for n in whole for place in (2 * n, 2 * n + 1)]
            slices = [reply["slices"][place] / count for place in kept]
            empties = [reply["empties"][place] / count for place in kept]
            self.slices[side].extend(slices)
            self.empties[side].extend(empties)
            gross = [sum(two) / 2 for two in zip(slices[::2], slices[1::2], strict=True)]
            idle = [sum(two) / 2 for two in zip(empties[::2], empties[1::2], strict=True)]
            self.gross[side].extend(gross)
            self.net[side].extend(g - e for g, e in zip(gross, idle, strict=True))
        done = len(self.ratios)
        both = zip(self.gross[0][done:], self.gross[1][done:], strict=True)
        self.ratios.extend(a / b for a, b in both)

    def net_ratios(self) -> list[float]:
        """Return A over B without the empty loop; a round in which B had none is infinite."""
        both = zip(*self.net, strict=True)
        return [a / b if b > 0 else float("inf") for a, b in both]

    def differences(self) -> list[float]:
        """Return A minus B in ns, both without the empty loop."""
        return [a - b for a, b in zip(*self.net, strict=True)]

    def interrupted(self) -> float:
        """Return the share of rounds that were left out."""
        return 1 - len(self.ratios) / self.played


def conclude(
    rounds: Rounds,
    *,
    operation: str,
    sides: Sequence[Side],
    identities: Sequence[dict[str, Any]],
    confidence: float,
    stopped: str,
    seconds: float,
    core: int,
) -> DuetResult:
    """Turn the rounds into a result."""

    def estimate(values: Sequence[float]) -> tuple[float, Interval]:
        return median(values), median_interval(values, confidence=confidence)

    net_ratio: float | None = None
    net_interval: Interval | None = None
    if median(rounds.net[1]) > _NOTHING_NS:
        net_ratio, net_interval = estimate(rounds.net_ratios())
        if not all(map(math.isfinite, net_interval)):
            net_ratio = net_interval = None
    ratio, interval = estimate(rounds.ratios)
    difference, difference_interval = estimate(rounds.differences())
    return DuetResult(
        operation=operation,
        a=_side_result(sides[0], identities[0], rounds, 0),
        b=_side_result(sides[1], identities[1], rounds, 1),
        ratio=ratio,
        interval=interval,
        confidence=confidence,
        net_ratio=net_ratio,
        net_ratio_interval=net_interval,
        difference_ns=difference,
        difference_ns_interval=difference_interval,
        noise=relative_spread(rounds.ratios),
        interrupted=rounds.interrupted(),
        rounds=len(rounds.ratios),
        stopped=stopped,
        seconds=seconds,
        core=core,
        driver=identities[0]["driver"],
    )


def _side_result(side: Side, identity: dict[str, Any], rounds: Rounds, index: int) -> SideResult:
    return SideResult(
        library=side.library,
        label=side.name,
        origin=side.origin,
        versions=identity["versions"],
        python=identity["python"],
        operations_per_slice=rounds.operations[index],
        ns=median(rounds.gross[index]),
        empty_ns=median(rounds.empties[index]),
        net_ns=median(rounds.net[index]),
        slices=[round(value, 2) for value in rounds.slices[index]],
    )
