"""The verdict on a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from reports import figures
from reports.gate.findings import Finding, Growth, Level, Row, Verdict

WIDTH = 100
HEAD = ["operation", "base", "head", "instructions", "time head / base", "verdict"]
WORDS = {Level.FAIL: "FAIL", Level.UNDECIDED: "????", Level.WARN: "warn", Level.NOTE: "note"}
LONGEST_NAME = 70


def instructions(row: Row) -> list[str]:
    """Base, head and change of the count of one row."""
    base, head = row.counts
    if base is None or head is None:
        return [figures.NOTHING if value is None else f"{value:.1f}" for value in (base, head)] + [
            figures.NOTHING
        ]
    change = head - base
    told = "0" if abs(change) < 0.05 else f"{change:+.1f}"
    return [f"{base:.1f}", f"{head:.1f}", told]


def time(row: Row) -> str:
    """Ratio and interval of the duet of one row."""
    if row.ratio is None or row.interval is None:
        return figures.NOTHING
    return f"{row.ratio:.3f} [{row.interval[0]:.3f}, {row.interval[1]:.3f}]"


def word(row: Row) -> str:
    """What became of a row."""
    if row.level is None:
        return "skipped"
    return "ok" if row.level is Level.NOTE else row.level.word


def shortened(name: str) -> str:
    """A function's name; C++ ones can be longer than a screen is wide."""
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 3]}..."


def grown(change: Growth) -> str:
    """One function, and by how much it grew."""
    return f"{change.instructions:+.1f} {shortened(change.function)} [{change.object}]"


def summary(verdict: Verdict) -> str:
    """The last line: the verdict, and how many findings of which weight."""
    counted = [
        f"{len(found)} {name}"
        for level, name in (
            (Level.FAIL, "worse"),
            (Level.UNDECIDED, "undecided"),
            (Level.WARN, "warnings"),
        )
        if (found := verdict.of(level))
    ]
    compared = sum(row.compared for row in verdict.rows)
    parts = [f"{compared} operations compared", *counted]
    if verdict.promises:
        told = ", ".join(f"{count} {name}" for name, count in verdict.promises.items())
        parts.append(f"promises: {told}")
    return f"{verdict.word}: {'; '.join(parts)}"


def _table(rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [HEAD, *rows]
    widths = [max(len(row[column]) for row in lines) for column in range(len(HEAD))]
    return [
        "  ".join(
            text.ljust(width) if column in (0, len(HEAD) - 1) else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in lines
    ]


def _finding(finding: Finding) -> list[str]:
    what = f"{finding.operation}, " if finding.operation else ""
    lines = [f"{WORDS[finding.level]}  {what}{finding.instrument}: {finding.message}"]
    lines += [f"      {grown(change)}" for change in finding.growth]
    if finding.reason and finding.level > Level.NOTE:
        lines.append(f"      limit: {finding.reason}")
    return [
        wrapped
        for line in lines
        for wrapped in textwrap.wrap(line, WIDTH, subsequent_indent=" " * 6, break_on_hyphens=False)
    ]


def terminal(verdict: Verdict) -> str:
    """Table, findings with the worst first, and the verdict as the last line."""
    rows = [[row.operation, *instructions(row), time(row), word(row)] for row in verdict.rows]
    skipped = [f"{row.operation}: {row.skipped}" for row in verdict.rows if word(row) == "skipped"]
    lines = [f"head {verdict.head} against base {verdict.base}", *verdict.measured_on, ""]
    if rows:
        lines += [*_table(rows), ""]
    for finding in verdict.findings:
        lines += _finding(finding)
    for line in skipped:
        lines += textwrap.wrap(f"skip  {line}", WIDTH, subsequent_indent=" " * 6)
    return "\n".join([*lines, *([""] if verdict.findings or skipped else []), summary(verdict)])
