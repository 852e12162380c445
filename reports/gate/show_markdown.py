"""The verdict for a pull request's comment or a job's summary: short, and never too long."""

from __future__ import annotations

from reports.gate.findings import PASS, UNDECIDED, WORSE, Finding, Level, Verdict
from reports.gate.show_terminal import grown, instructions, summary, time, word
from reports.pages import escaped, table

TITLES = {PASS: "✅ no worse", WORSE: "❌ worse", UNDECIDED: "❔ undecided"}
HEAD = ["operation", "base", "head", "instructions", "time head / base", "verdict"]
LIMIT = 60_000  # a comment on GitHub holds 65 536 characters


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"


def _finding(finding: Finding) -> list[str]:
    what = f"{_code(finding.operation)}, " if finding.operation else ""
    text = f"- **{finding.level.word}** {what}{finding.instrument}: {escaped(finding.message)}"
    if finding.reason and finding.level > Level.NOTE:
        text += f" (limit: {escaped(finding.reason)})"
    return [text, *(f"  - {_code(grown(change))}" for change in finding.growth)]


def _folded(title: str, lines: list[str]) -> list[str]:
    if not lines:
        return []
    return ["", f"<details><summary>{title}</summary>", "", *lines, "", "</details>"]


def markdown(verdict: Verdict) -> str:
    """Verdict and findings in the open, table and notes folded; cut with a word if too long."""
    open_, notes = (
        [line for finding in verdict.of(*levels) for line in _finding(finding)]
        for levels in ((Level.FAIL, Level.UNDECIDED, Level.WARN), (Level.NOTE,))
    )
    notes += [
        f"- skipped: {_code(row.operation)}: {escaped(row.skipped or '')}"
        for row in verdict.rows
        if word(row) == "skipped"
    ]
    rows = [
        [_code(row.operation), *instructions(row), time(row), word(row)] for row in verdict.rows
    ]
    lines = [
        f"### Performance: {TITLES[verdict.word]}",
        "",
        f"{escaped(summary(verdict))}. Head is {escaped(str(verdict.head))}, base is"
        f" {escaped(str(verdict.base))}.",
        "",
        *open_,
        *_folded("All operations", table(HEAD, rows, ["verdict"]) if rows else []),
        *_folded("Notes", notes),
        *_folded("Measured on", [f"- {escaped(line)}" for line in verdict.measured_on]),
    ]
    return _cut(lines)


def _cut(lines: list[str]) -> str:
    text = "\n".join(lines) + "\n"
    if len(text) <= LIMIT:
        return text
    kept = text[: text.rindex("\n", 0, LIMIT)]
    folds = kept.count("<details>") - kept.count("</details>")
    return f"{kept}\n{'</details>' * folds}\n\nCut here: the whole verdict is in the job's log.\n"
