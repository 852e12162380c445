"""From measurements and policy to a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from reports.counts import Count
from reports.documents import ReportError
from reports.figures import span
from reports.gate import by_count, by_duet, by_promise, by_trace, comparable, exceptions, presence
from reports.gate.findings import Finding, Level, Row, Verdict
from reports.gate.measured import BASE, HEAD, Measured, Side
from reports.gate.policy import Policy
from reports.runs import Calls


def _counts(side: Side, library: str) -> dict[str, Count]:
    return {count.operation: count for count in side.counts if count.library == library}


def _calls(side: Side, library: str) -> dict[str, Calls]:
    return {trace.operation: trace.calls for trace in side.traces if trace.is_of(library)}


def known_operations(measured: Measured) -> set[str]:
    """The catalogue as the manifest gives it; without one, everything that is mentioned."""
    if measured.operations is not None:
        return set(measured.operations)
    known = {duet.operation for duet in measured.duets} | set(measured.skipped_duets)
    for side in (measured.base, measured.head):
        known |= {count.operation for count in side.counts}
        known |= {trace.operation for trace in side.traces}
        for document in (side.counted, side.traced):
            known |= set(document.skipped) if document else set()
    return known


def unknown_operations(policy: Policy, measured: Measured) -> Iterator[Finding]:
    """Operations that the policy names and nobody knows.

    Raises
    ------
    ReportError
        The catalogue is known and does not have the operation.
    """
    known = known_operations(measured)
    unknown = [name for name in policy.operations() if name not in known]
    if unknown and measured.operations is not None:
        raise ReportError(
            f"the policy names an unknown operation, {unknown[0]!r}; there are"
            f" {', '.join(sorted(known))}"
        )
    for name in unknown:
        message = "the policy names this operation, and it was not measured on either side"
        yield Finding(Level.NOTE, "not compared", "gate", name, message)


def _failures(measured: Measured) -> Iterator[Finding]:
    for name, side in ((BASE, measured.base), (HEAD, measured.head)):
        if side.failure:
            message = f"{name}, {side.revision}, was not measured: {side.failure}"
            yield Finding(Level.UNDECIDED, "not compared", "gate", None, message)
    if measured.interrupted:
        message = "measuring was interrupted: this is a verdict on what was measured until then"
        yield Finding(Level.UNDECIDED, "not compared", "gate", None, message)


def _by_count(measured: Measured, policy: Policy, rows: Mapping[str, Row]) -> Iterator[Finding]:
    refusal = comparable.refuse_counts(measured, policy.library)
    if refusal:
        yield refusal
        return
    base, head = (_counts(side, policy.library) for side in (measured.base, measured.head))
    yield from by_count.compare(base, head, policy, rows)
    documents = measured.base.counted, measured.head.counted
    yield from presence.compare("count", base, head, documents)


def _by_trace(measured: Measured, policy: Policy) -> Iterator[Finding]:
    refusal = comparable.refuse_traces(measured)
    if refusal:
        yield refusal
        return
    base, head = (_calls(side, policy.library) for side in (measured.base, measured.head))
    yield from by_trace.compare(base, head, policy)
    documents = measured.base.traced, measured.head.traced
    yield from presence.compare("trace", base, head, documents)


def _by_duet(measured: Measured, policy: Policy, rows: Mapping[str, Row]) -> Iterator[Finding]:
    played = by_duet.head_over_base(measured.duets, policy.library)
    for operation, refusal in list(comparable.refuse_duets(played)):
        yield refusal
        del played[operation]
    yield from by_duet.compare(played, policy, rows)
    yield from presence.failed_duets(measured)


def _rows(measured: Measured, library: str) -> dict[str, Row]:
    names: dict[str, None] = dict.fromkeys(measured.operations or ())
    for side in (measured.base, measured.head):
        names.update(dict.fromkeys([*_counts(side, library), *_calls(side, library)]))
    names.update(dict.fromkeys(by_duet.head_over_base(measured.duets, library)))
    return {name: Row(name) for name in names}


def _finish(rows: Mapping[str, Row], findings: Sequence[Finding], measured: Measured) -> list[Row]:
    """Give each row its level, and rows without a figure the reason; drop those without either."""
    for name, row in rows.items():
        levels = [finding.level for finding in findings if finding.operation == name]
        if levels or row.compared:
            row.level = max(levels, default=Level.NOTE)
        for document in (measured.head.counted, measured.head.traced):
            if document and not row.compared:
                row.skipped = row.skipped or document.skipped.get(name)
    return [row for row in rows.values() if row.level is not None or row.skipped]


def _measured_on(measured: Measured, library: str) -> list[str]:
    lines: dict[str, None] = {}
    for origin in measured.origins:
        where = f"{origin.gpu or 'no GPU'}; {origin.driver}; {origin.cpu}"
        lines[f"{where}; Python {origin.python}; {origin.libc}"] = None
    duets = by_duet.head_over_base(measured.duets, library).values()
    rounds = [duet.rounds for played in duets for duet in played]
    if rounds:
        lines[f"{len(rounds)} duets of head and base, {span(rounds)} rounds each"] = None
    repetitions = {count.times for count in measured.head.counts}
    if repetitions:
        lines[f"counts are means of {' or '.join(map(str, sorted(repetitions)))} repetitions"] = (
            None
        )
    return list(lines)


def decide(measured: Measured, policy: Policy, today: date) -> Verdict:
    """Judge what was measured.

    Raises
    ------
    ReportError
        The policy names an operation that does not exist.
    """
    rows = _rows(measured, policy.library)
    tally: dict[str, int] = {}
    found = [
        *unknown_operations(policy, measured),
        *_failures(measured),
        *_by_count(measured, policy, rows),
        *_by_duet(measured, policy, rows),
        *_by_trace(measured, policy),
        *by_promise.check(policy, measured.duets, measured.head.counts, tally),
    ]
    findings = exceptions.apply(found, policy.accepted, today)
    return Verdict(
        base=measured.base.revision,
        head=measured.head.revision,
        rows=_finish(rows, findings, measured),
        findings=sorted(findings, key=lambda f: (-f.level, f.operation or "", f.instrument)),
        measured_on=_measured_on(measured, policy.library),
        promises=tally,
    )
