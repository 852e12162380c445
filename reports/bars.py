"""The bars of fastpaths, read from ``bars.toml``, and what the results say about each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reports import counts, duets, stats
from reports.comparison import FLOOR, Comparison
from reports.counts import Count
from reports.documents import Fields, UnreadableError, read_toml
from reports.duets import Duet, Interval
from reports.runs import ROOM
from reports.then_and_now import OURS

KINDS = ("ratio", "above", "instructions", "instructions ratio", "milliseconds")
KEYS = {"operation", "figure", "against", "waiting", "records", "limit", "reason"}


@dataclass(frozen=True)
class Bar:
    """A limit that a figure of one operation must not exceed."""

    operation: str
    kind: str
    against: str | None
    waiting: str | None
    records: float
    limit: float
    why: str
    reason: str


@dataclass(frozen=True)
class Found:
    """The figure that a bar is held against."""

    value: float
    interval: Interval | None = None


@dataclass(frozen=True)
class Results:
    """Everything measured that a bar may ask for."""

    duets: Sequence[Duet]
    counts: Sequence[Count]
    run: Comparison | None
    versions: Mapping[str, str]


def _bar(fields: Fields, reasons: Fields) -> Bar:
    if unknown := set(fields.data) - KEYS:
        raise UnreadableError(f"{fields.where}: {sorted(unknown)[0]!r} is no key of a bar")
    kind = fields.text("figure")
    if kind not in KINDS:
        raise UnreadableError(f"{fields.where}: figure {kind!r} is none of {', '.join(KINDS)}")
    against, limit = fields.optional_text("against"), fields.number("limit")
    if (against is None) != (kind in ("instructions", "milliseconds")):
        raise UnreadableError(f"{fields.where}: 'against' does not fit the figure {kind!r}")
    if limit <= 0:
        raise UnreadableError(f"{fields.where}: no figure can meet the limit {limit:g}")
    waiting = fields.optional_text("waiting")
    if waiting is not None and kind != "ratio":
        raise UnreadableError(f"{fields.where}: 'waiting' is taken off a ratio alone")
    records = fields.number("records") if "records" in fields.data else 0.0
    if records < 0 or (records and waiting is None):
        raise UnreadableError(f"{fields.where}: 'records' is how many 'waiting' makes")
    return Bar(
        operation=fields.text("operation"),
        kind=kind,
        against=against,
        waiting=waiting,
        records=records,
        limit=limit,
        why=fields.text("reason"),
        reason=reasons.text(fields.text("reason")),
    )


def read_bars(path: Path = ROOM / "bars.toml") -> tuple[list[Bar], dict[str, str]]:
    """The bars, and the versions of the libraries they are set against."""
    fields = read_toml(path)
    versions = fields.table("versions")
    reasons = fields.table("reasons")
    bars = [_bar(entry, reasons) for entry in fields.tables("bar")]
    return bars, {name: versions.text(name) for name in versions.data}


def _floor_ns(results: Results, operation: str) -> float | None:
    """What an operation costs the floor, by the last duet it took part in."""
    found = None
    for duet in results.duets:
        for side in (duet.a, duet.b):
            if duet.operation == operation and side.library == FLOOR:
                found = side.net_ns
    return found


def _waiting_ns(results: Results, bar: Bar) -> float | str:
    """What is to be taken off both sides, or the reason why that is unknown."""
    waiting = _floor_ns(results, bar.waiting or "")
    if waiting is None:
        return f"no duet of the floor's {bar.waiting}, which is to be taken off"
    if not bar.records:
        return waiting
    record = _floor_ns(results, "event.record")
    if record is None:
        return f"no duet of the floor's event.record, which is a part of {bar.waiting}"
    return max(0.0, waiting - bar.records * record)


def _ratio(bar: Bar, results: Results) -> Found | str:
    duet = duets.against(results.duets, bar.operation, OURS, bar.against or "", results.versions)
    if duet is None:
        return f"no duet of {OURS} and {bar.against}"
    if duet.net_ratio is None:
        return f"{bar.against} takes no longer than the empty loop"
    value, interval = duet.net_ratio, duet.net_interval
    if bar.waiting is None:
        return Found(value, interval)
    waiting = _waiting_ns(results, bar)
    if isinstance(waiting, str):
        return waiting
    share = waiting / duet.b.net_ns
    if share >= 1:
        return f"{bar.waiting} takes as long as {bar.against}'s whole {bar.operation}"

    def without(ratio: float) -> float:
        """(a - w) / (b - w), from a / b and w / b."""
        return (ratio - share) / (1 - share)

    return Found(without(value), (without(interval[0]), without(interval[1])) if interval else None)


def _above(bar: Bar, results: Results) -> Found | str:
    against = bar.against or ""
    if "." not in against or against in results.versions:
        duet = duets.against(results.duets, bar.operation, OURS, against, results.versions)
        if duet is None:
            return f"no duet of {OURS} and {against}"
        return Found(duet.difference, duet.difference_interval)
    return _above_itself(bar.operation, against, results)


def _above_itself(operation: str, plain: str, results: Results) -> Found | str:
    """Two operations of fastpaths, from duets against one library that one process measured."""
    for duet in reversed(results.duets):
        if duet.operation != operation or OURS not in (duet.a.library, duet.b.library):
            continue
        for other in results.duets:
            if (other.operation, other.source.path) == (plain, duet.source.path):
                mine, reference = (
                    next(side for side in (d.a, d.b) if side.library == OURS) for d in (duet, other)
                )
                ends = (
                    stats.median_interval(side.slices, duet.confidence, resamples=500)
                    for side in (mine, reference)
                )
                (low, high), (low_plain, high_plain) = ends
                empty = mine.empty_ns - reference.empty_ns
                return Found(
                    mine.net_ns - reference.net_ns,
                    (low - high_plain - empty, high - low_plain - empty),
                )
    return f"no duet file that holds both {operation} and {plain}"


def _instructions(bar: Bar, results: Results) -> Found | str:
    count = counts.last(results.counts, bar.operation, OURS)
    return Found(count.without_driver) if count else f"no count of {OURS}"


def _instructions_ratio(bar: Bar, results: Results) -> Found | str:
    against = bar.against or ""
    count = counts.last(results.counts, bar.operation, OURS)
    other = counts.last(results.counts, bar.operation, against, results.versions.get(against))
    if count is None or other is None or other.without_driver <= 0:
        return f"no counts of both {OURS} and {against}"
    return Found(count.without_driver / other.without_driver)


def _milliseconds(bar: Bar, results: Results) -> Found | str:
    cell = results.run.cells.get((bar.operation, OURS)) if results.run else None
    if cell is None or cell.value is None:
        return f"no run that timed {bar.operation}"
    return Found(cell.value, cell.interval)


_FIND: Mapping[str, Callable[[Bar, Results], Found | str]] = {
    "ratio": _ratio,
    "above": _above,
    "instructions": _instructions,
    "instructions ratio": _instructions_ratio,
    "milliseconds": _milliseconds,
}


def find(bar: Bar, results: Results) -> Found | str:
    """The bar's figure, or the reason why there is none."""
    return _FIND[bar.kind](bar, results)


def verdict(bar: Bar, found: Found | str) -> str:
    """``met``, ``missed`` or ``not measured``; an interval that reaches over the limit is told."""
    if isinstance(found, str):
        return f"not measured: {found}"
    word = "met" if found.value <= bar.limit else "missed"
    low, high = found.interval or (found.value, found.value)
    return f"{word}, within its interval" if low <= bar.limit < high else word
