"""What the first run on a GPU had to show, and whether its duets show it."""

from __future__ import annotations

from collections.abc import Sequence

from reports import duet_table, figures
from reports.documents import Fields, UnreadableError
from reports.duets import Duet
from reports.pages import table

OURS = "fastpaths"
MET, MISSED, OPEN = "met", "**missed**", "undecided: the limit is within the interval"


def lines(seed: Fields, duets: Sequence[Duet]) -> list[str]:
    """The table of promises, one row each."""
    rows = [_row(promise, duets) for promise in seed.tables("promise")]
    return table(
        ["operation of fastpaths", "against", "limit", "figure", "verdict"],
        rows,
        ["against", "verdict"],
    )


def _row(promise: Fields, duets: Sequence[Duet]) -> list[str]:
    operation, against = promise.text("operation"), promise.text("against")
    ratio = promise.data.get("below") is not None
    limit = promise.number("below" if ratio else "above")
    written = f"< {figures.decimal(limit)} x" if ratio else f"<= +{limit:g} ns"
    found = _find(duets, operation, against)
    if found is None:
        return [f"`{operation}`", against, written, figures.NOTHING, "not measured"]
    interval = (found.net_interval or found.interval) if ratio else found.difference_interval
    figure = duet_table.ratio(found) if ratio else f"{duet_table.difference(found)} ns"
    return [f"`{operation}`", against, written, figure, _verdict(interval, limit)]


def _find(duets: Sequence[Duet], operation: str, against: str) -> Duet | None:
    for duet in duets:
        if duet.operation == operation and {duet.a.library, duet.b.library} == {OURS, against}:
            return duet if duet.a.library == OURS else duet.inverted()
    return None


def _verdict(interval: tuple[float, float], limit: float) -> str:
    low, high = interval
    if low > high:
        raise UnreadableError("a duet's interval is upside down")
    if high <= limit:
        return MET
    return MISSED if low > limit else OPEN
