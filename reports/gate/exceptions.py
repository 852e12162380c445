"""Accepted findings: known, limited in size and in time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from reports.gate.findings import Finding, Level
from reports.gate.policy import Accepted


def covers(accepted: Accepted, finding: Finding) -> bool:
    """Does an exception speak about a finding, whatever its size and the day?"""
    return (
        accepted.operation == finding.operation
        and accepted.kind == finding.kind
        and accepted.instrument in (None, finding.instrument)
        and accepted.against in (None, finding.against)
    )


def _with(finding: Finding, accepted: Accepted, today: date) -> Finding:
    if today > accepted.until:
        told = f"its exception ended on {accepted.until}: renew it with a reason, or repair this"
        return replace(finding, message=f"{finding.message}; {told}")
    if accepted.up_to is not None and (finding.change is None or finding.change > accepted.up_to):
        told = f"more than the {accepted.up_to:g} that is accepted until {accepted.until}"
        return replace(finding, message=f"{finding.message}; {told}")
    told = f"accepted until {accepted.until}: {accepted.reason}"
    return replace(finding, level=Level.NOTE, message=f"{finding.message}; {told}")


def apply(findings: Iterable[Finding], accepted: Sequence[Accepted], today: date) -> list[Finding]:
    """Lower what is accepted to a note, and say which exceptions are of no use any more."""
    kept: list[Finding] = []
    used: set[int] = set()
    for finding in findings:
        mine = [
            (number, one)
            for number, one in enumerate(accepted)
            if finding.level > Level.NOTE and covers(one, finding)
        ]
        used.update(number for number, _ in mine)
        answers = [_with(finding, one, today) for _, one in mine]
        kept.append(min(answers, key=lambda answer: answer.level) if answers else finding)
    for number, one in enumerate(accepted):
        if number not in used and today > one.until:
            message = (
                f"the exception for {one.kind} ended on {one.until}; remove it from the policy"
            )
            kept.append(Finding(Level.WARN, "exception", "gate", one.operation, message))
    return kept
