"""Instructions, head against base: exact, so the limit is tight and the grown function is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reports.counts import Count, growth
from reports.figures import significant
from reports.gate.findings import Finding, Growth, Level, Row
from reports.gate.policy import Limit, Policy

INSTRUMENT = "count"
NAMED = 5
_LEAST = 0.5


def grown(base: Count, head: Count) -> list[Growth]:
    """The functions that grew, then those that shrank, each with the largest change first."""
    changes = [
        Growth(*change)
        for change in growth(base.functions, head.functions)
        if abs(change[2]) >= _LEAST
    ]
    more = [change for change in changes if change.instructions > 0]
    return [*more, *(change for change in changes if change.instructions < 0)][:NAMED]


def level_of(change: float, base: float, limit: Limit) -> Level:
    """How much a change of instructions weighs; not at all is NOTE."""
    if change > limit.fail.above(base):
        return Level.FAIL
    return Level.WARN if change > limit.warn.above(base) else Level.NOTE


def compare(
    base: Mapping[str, Count], head: Mapping[str, Count], policy: Policy, rows: Mapping[str, Row]
) -> Iterator[Finding]:
    """Fill in the rows and say what became slower or faster."""
    for operation in base.keys() & head.keys():
        before, after = base[operation].without_driver, head[operation].without_driver
        rows[operation].counts = before, after
        limit = policy.limit(INSTRUMENT, operation)
        change = after - before
        level = level_of(change, before, limit)
        faster = -change > limit.warn.above(before)
        if level is Level.NOTE and not faster:
            continue
        relative = change / before if before > 0 else float("inf")
        told = f" ({relative:+.1%})" if before > 0 else ""
        yield Finding(
            level=level,
            kind="faster" if faster else "slower",
            instrument=INSTRUMENT,
            operation=operation,
            message=(
                f"{significant(abs(change))} instructions {'less' if faster else 'more'}: from"
                f" {before:.1f} to {after:.1f}{told}"
            ),
            change=relative,
            reason=None if faster else limit.reason,
            growth=grown(base[operation], head[operation]),
        )
