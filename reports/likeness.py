"""Do two sides make the same driver calls? Only the traces say; there is no list kept by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import Enum

from reports.runs import Calls

Traces = Mapping[tuple[str, str], Calls | None]


class Likeness(Enum):
    """What the traces of two sides say; the value is the sign shown beside a ratio."""

    ALIKE = ""
    DIFFERENT = "≠"
    UNKNOWN = "?"


def likeness(traces: Traces, operation: str, one: str, other: str) -> Likeness:
    """Compare two libraries' driver calls, order included; a missing trace is UNKNOWN."""
    sides = traces.get((operation, one)), traces.get((operation, other))
    if None in sides:
        return Likeness.UNKNOWN
    return Likeness.ALIKE if sides[0] == sides[1] else Likeness.DIFFERENT


def _listed(calls: Counter[str]) -> str:
    return ", ".join(f"{n} x {name}" if n > 1 else name for name, n in calls.items())


def difference(calls: Calls, reference: Calls) -> str:
    """In words, what one side calls more and less than the other."""
    more, less = Counter(calls) - Counter(reference), Counter(reference) - Counter(calls)
    parts = []
    if more:
        parts.append(f"also {_listed(more)}")
    if less:
        parts.append(f"without {_listed(less)}")
    return "; ".join(parts) if parts else "the same calls in another order"


def explain(traces: Traces, operation: str, libraries: list[str], reference: str) -> str | None:
    """One line for the legend: how each side's calls differ from the reference's, if any do."""
    base = traces.get((operation, reference))
    if base is None:
        return None
    groups: dict[str, list[str]] = {}
    for library in libraries:
        calls = traces.get((operation, library))
        if calls is not None and calls != base:
            groups.setdefault(difference(calls, base), []).append(library)
    if not groups:
        return None
    sides = [f"{', '.join(names)}: {text}" for text, names in groups.items()]
    made = _listed(Counter(base)) or "no driver call"
    return f"{operation}: {reference} makes {made}. " + ". ".join(sides)
