"""Driver calls, head against base: one more or one less is a finding of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from reports.gate.findings import Finding
from reports.gate.policy import Policy
from reports.likeness import difference
from reports.runs import Calls

INSTRUMENT = "trace"


def change_of(base: Calls, head: Calls) -> str | None:
    """``added``, ``removed`` or ``reordered``; an exchange of one call for another is ``added``."""
    if base == head:
        return None
    if Counter(head) - Counter(base):
        return "added"
    return "removed" if Counter(base) - Counter(head) else "reordered"


def compare(
    base: Mapping[str, Calls], head: Mapping[str, Calls], policy: Policy
) -> Iterator[Finding]:
    """Say which operations make other driver calls than before."""
    for operation in base.keys() & head.keys():
        change = change_of(base[operation], head[operation])
        if change is not None:
            told = difference(head[operation], base[operation])
            yield Finding(
                level=policy.calls[change],
                kind="calls",
                instrument=INSTRUMENT,
                operation=operation,
                message=f"head makes other driver calls: {told}",
                reason=policy.calls_reason,
            )
