"""Paired time, head against base: believed when the interval is narrow and a repetition agrees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reports.duets import Duet
from reports.figures import signed
from reports.gate.findings import Finding, Level, Row
from reports.gate.measured import BASE, HEAD
from reports.gate.policy import Limit, Policy

INSTRUMENT = "duet"


def head_over_base(duets: Iterable[Duet], library: str) -> dict[str, list[Duet]]:
    """Per operation, the duets of head over base: the measurement and its repetitions."""
    found: dict[str, list[Duet]] = {}
    for duet in duets:
        if {duet.a.library, duet.b.library} != {library}:
            continue
        if (duet.a.label, duet.b.label) == (HEAD, BASE):
            found.setdefault(duet.operation, []).append(duet)
        elif (duet.a.label, duet.b.label) == (BASE, HEAD):
            found.setdefault(duet.operation, []).append(duet.inverted())
    return found


def level_of(duet: Duet, limit: Limit) -> Level:
    """Slower when the near end of the interval clears the ratio and the change clears the ns."""
    for level, threshold in ((Level.FAIL, limit.fail), (Level.WARN, limit.warn)):
        near, change = duet.interval[0] - 1, duet.difference
        if near > threshold.relative and change > threshold.absolute:
            return level
    return Level.NOTE


def is_noisy(duet: Duet, limit: Limit) -> bool:
    """Is the interval so wide that the growth which fails could hide in it?"""
    return (duet.interval[1] - duet.interval[0]) / 2 / duet.ratio > limit.fail.relative


def _told(duet: Duet) -> str:
    low, high = duet.interval
    return f"{duet.ratio:.3f} [{low:.3f}, {high:.3f}], {signed(duet.difference)} ns"


def _judge(operation: str, played: Sequence[Duet], limit: Limit) -> Finding | None:
    first, again = played[0], played[1:]
    level = level_of(first, limit)
    sides = f"head takes {_told(first)} against base"
    if level is Level.NOTE:
        if is_noisy(first, limit):
            message = f"{sides}: too noisy to see {limit.fail.relative:.0%}"
            return Finding(Level.WARN, "noisy", INSTRUMENT, operation, message)
        if level_of(first.inverted(), limit) is Level.NOTE:
            return None
        message = f"faster: {sides}"
        return Finding(Level.NOTE, "faster", INSTRUMENT, operation, message, change=first.ratio - 1)
    if not again:
        message = f"slower in one duet ({sides}), and not measured again"
        return Finding(Level.UNDECIDED, "unconfirmed", INSTRUMENT, operation, message)
    confirmed = min(level, *(level_of(duet, limit) for duet in again))
    repeated = "; again: ".join(map(_told, again))
    if confirmed is Level.NOTE:
        message = f"slower in one duet ({sides}) and not when measured again: {repeated}"
        return Finding(Level.NOTE, "unconfirmed", INSTRUMENT, operation, message)
    return Finding(
        level=confirmed,
        kind="slower",
        instrument=INSTRUMENT,
        operation=operation,
        message=f"{sides}; again: {repeated}",
        change=min(duet.ratio for duet in played) - 1,
        reason=limit.reason,
    )


def compare(
    played: Mapping[str, Sequence[Duet]], policy: Policy, rows: Mapping[str, Row]
) -> Iterator[Finding]:
    """Fill in the rows and say what became slower, faster, or cannot be told."""
    for operation, found in played.items():
        first, row = found[0], rows[operation]
        row.ratio, row.interval, row.difference = first.ratio, first.interval, first.difference
        finding = _judge(operation, found, policy.limit(INSTRUMENT, operation))
        if finding is None:
            continue
        if finding.kind == "noisy" and None in row.counts:
            message = f"{finding.message}, and no count decides instead"
            finding = Finding(Level.UNDECIDED, "noisy", INSTRUMENT, operation, message)
        yield finding
