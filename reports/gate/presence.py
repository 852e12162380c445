"""Measured in base and not in head is a failure; new in head is worth a word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from reports.gate.findings import Finding, Level
from reports.gate.measured import HEAD, Document, Measured

_WORKER = re.compile(r"worker [AB] \((\w+)\)")
_FAILED = "failed"
_UNOBSERVED = "unobserved"


def compare(
    instrument: str,
    base: Mapping[str, object],
    head: Mapping[str, object],
    documents: tuple[Document | None, Document | None],
) -> Iterator[Finding]:
    """Findings on operations that one side has and the other has not, by one instrument."""
    if None in documents:
        return
    skipped = [document.skipped if document else {} for document in documents]
    for operation in base.keys() - head.keys():
        reason = skipped[1].get(operation, "head's file does not mention it")
        if reason.startswith(_UNOBSERVED):
            continue
        message = f"measured in base and missing in head ({instrument}): {reason}"
        yield Finding(Level.FAIL, "missing", instrument, operation, message)
    for operation in head.keys() - base.keys():
        reason = skipped[0].get(operation, "base's file does not mention it")
        message = f"new in head ({instrument}), so there is nothing to compare it with: {reason}"
        yield Finding(Level.NOTE, "new", instrument, operation, message)
    for operation in skipped[0].keys() & skipped[1].keys():
        if skipped[0][operation].startswith(_FAILED) and skipped[1][operation].startswith(_FAILED):
            message = f"fails in base and in head: {skipped[1][operation]}"
            yield Finding(Level.WARN, "missing", instrument, operation, message)


def failed_duets(measured: Measured) -> Iterator[Finding]:
    """Operations whose duet head's worker did not survive."""
    for operation, reason in measured.skipped_duets.items():
        worker = _WORKER.search(reason)
        if reason.startswith(_FAILED) and worker and worker.group(1) == HEAD:
            yield Finding(Level.FAIL, "missing", "duet", operation, f"head fails in it: {reason}")
