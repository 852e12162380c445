"""Instructions, head against base: exact, so the limit is tight and the grown function is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reports.counts import Count, growth
from reports.gate.findings import Finding, Growth, Level, Row
from reports.gate.policy import Limit, Policy
from reports.symbols import is_extension, readable

INSTRUMENT = "count"
NAMED = 5
_LEAST = 0.5


def grown(base: Count, head: Count) -> list[Growth]:
    """What changed most: first the library's own functions that grew, then others, then less.

    An author starts at a function of the library; what it calls in the interpreter comes after it.
    """
    changes = [
        Growth(place, readable(function), more)
        for place, function, more in growth(base.functions, head.functions)
        if abs(more) >= _LEAST
    ]
    own = [change for change in changes if is_extension(change.object)]
    others = [change for change in changes if not is_extension(change.object)]
    more, less = (
        [change for change in (*own, *others) if (change.instructions > 0) is sign]
        for sign in (True, False)
    )
    return [*more, *less][:NAMED]


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
                f"{abs(change):.1f} instructions {'less' if faster else 'more'}: from"
                f" {before:.1f} to {after:.1f}{told}"
            ),
            change=relative,
            reason=None if faster else limit.reason,
            growth=grown(base[operation], head[operation]),
        )
