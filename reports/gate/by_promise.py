"""The project's promises: figures of head that hold whatever base did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reports.counts import Count, last
from reports.duets import Duet, against
from reports.figures import fine, signed, significant
from reports.gate.findings import Finding, Level
from reports.gate.measured import BASE
from reports.gate.policy import Policy, Promise

KIND = "promise"


@dataclass(frozen=True)
class Figure:
    """What a promise is held against: the figure, and the end of its interval that is nearest."""

    value: float
    near: float
    told: str


def _of_duet(promise: Promise, duet: Duet) -> Figure | None:
    if promise.figure == "above":
        value, near = duet.difference, duet.difference_interval[0]
        return Figure(value, near, f"{signed(value)} ns [{signed(near)} at least]")
    if duet.net_ratio is None or duet.net_interval is None:
        return None
    value, near = duet.net_ratio, duet.net_interval[0]
    return Figure(value, near, f"{fine(value)} x [{fine(near)} at least]")


def _of_counts(promise: Promise, library: str, counts: Sequence[Count]) -> Figure | None:
    mine = last(counts, promise.operation, library)
    if mine is None:
        return None
    if promise.against is None:
        value = mine.without_driver
        return Figure(value, value, f"{significant(value)} instructions")
    other = last(counts, promise.operation, promise.against)
    if other is None or other.without_driver <= 0:
        return None
    value = mine.without_driver / other.without_driver
    return Figure(value, value, f"{fine(value)} x in instructions")


def find(
    promise: Promise, library: str, duets: Sequence[Duet], counts: Sequence[Count]
) -> list[Figure]:
    """The figures of head, the first measurement first; none if it was not measured."""
    if promise.figure.startswith("instructions"):
        found = [_of_counts(promise, library, counts)]
    else:
        turned = (
            against([duet], promise.operation, library, promise.against or "", {})
            for duet in duets
            if BASE not in (duet.a.label, duet.b.label)
            and promise.driver in (None, duet.source.driver.kind)
        )
        found = [_of_duet(promise, duet) for duet in turned if duet]
    return [figure for figure in found if figure]


def check(
    policy: Policy, duets: Sequence[Duet], counts: Sequence[Count], tally: dict[str, int]
) -> Iterator[Finding]:
    """Say which promises are broken, and count the kept, broken and unchecked ones."""
    for promise in policy.promises:
        figures = find(promise, policy.library, duets, counts)
        if not figures:
            tally["not checked"] = tally.get("not checked", 0) + 1
            continue
        finding = _judge(promise, figures)
        word = "kept" if finding is None or finding.level is Level.NOTE else "broken"
        tally[word] = tally.get(word, 0) + 1
        if finding is not None:
            yield finding


def _judge(promise: Promise, figures: Sequence[Figure]) -> Finding | None:
    first, again = figures[0], figures[1:]
    if first.value <= promise.limit:
        return None
    exact = promise.figure.startswith("instructions")
    if all(figure.near > promise.limit for figure in figures):
        level = Level.FAIL if exact or again else Level.UNDECIDED
    else:
        level = Level.WARN if all(f.value > promise.limit for f in figures) else Level.NOTE
    told = "; again: ".join(figure.told for figure in figures)
    unconfirmed = ", and not measured again" if level is Level.UNDECIDED else ""
    return Finding(
        level=level,
        kind=KIND if level is not Level.UNDECIDED else "unconfirmed",
        instrument="count" if exact else "duet",
        operation=promise.operation,
        message=f"the promise {promise.name} is not kept: {told}{unconfirmed}",
        change=min(figure.value for figure in figures),
        against=promise.against,
        reason=promise.reason,
    )
