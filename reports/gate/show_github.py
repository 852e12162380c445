"""The findings as GitHub's workflow commands, which become annotations on the pull request."""

from __future__ import annotations

from reports.gate.findings import Finding, Level, Verdict
from reports.gate.show_terminal import grown, summary

COMMANDS = {Level.FAIL: "error", Level.UNDECIDED: "error", Level.WARN: "warning"}
MOST = 10  # GitHub shows ten annotations of a kind per step


def _value(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _value(text).replace(":", "%3A").replace(",", "%2C")


def _annotation(finding: Finding) -> str:
    title = f"{finding.operation or 'gate'}: {finding.kind}"
    lines = [finding.message, *map(grown, finding.growth)]
    command = COMMANDS[finding.level]
    return f"::{command} title={_property(title)}::{_value(chr(10).join(lines))}"


def github(verdict: Verdict) -> str:
    """One command a line, the worst first; the last one is the verdict."""
    weighty = verdict.of(Level.FAIL, Level.UNDECIDED, Level.WARN)
    lines = [_annotation(finding) for finding in weighty[: MOST - 1]]
    command = "notice" if verdict.exit_status == 0 else "error"
    return "\n".join([*lines, f"::{command} title=gate::{_value(summary(verdict))}"])
