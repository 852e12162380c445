"""The verdict as JUnit XML: a test case for each operation, and one for the measurement itself."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from reports.gate.findings import UNDECIDED, Finding, Level, Row, Verdict
from reports.gate.show_terminal import grown, instructions, summary, time, word

SUITE = "performance gate"


def _lines(finding: Finding) -> list[str]:
    return [
        f"{finding.level.word}: {finding.instrument}: {finding.message}",
        *(f"  {grown(change)}" for change in finding.growth),
        *([f"  limit: {finding.reason}"] if finding.reason else []),
    ]


def _case(parent: ElementTree.Element, name: str, found: Sequence[Finding]) -> ElementTree.Element:
    case = ElementTree.SubElement(parent, "testcase", classname="gate", name=name)
    for level, tag in ((Level.FAIL, "failure"), (Level.UNDECIDED, "error")):
        weighty = [finding for finding in found if finding.level is level]
        if weighty:
            node = ElementTree.SubElement(case, tag, message=weighty[0].message)
            node.text = "\n".join(line for finding in weighty for line in _lines(finding))
    rest = [line for f in found if f.level < Level.UNDECIDED for line in _lines(f)]
    if rest:
        ElementTree.SubElement(case, "system-out").text = "\n".join(rest)
    return case


def _row(parent: ElementTree.Element, row: Row, found: Sequence[Finding]) -> None:
    case = _case(parent, row.operation, found)
    if word(row) == "skipped":
        ElementTree.SubElement(case, "skipped", message=row.skipped or "")
    elif case.find("system-out") is None:
        figures = f"instructions {' '.join(instructions(row))}; time {time(row)}"
        ElementTree.SubElement(case, "system-out").text = figures


def junit(verdict: Verdict) -> str:
    """The document; what concerns no single row is the case ``measurement``."""
    suite = ElementTree.Element("testsuite", name=SUITE)
    shown = {row.operation for row in verdict.rows}
    for row in verdict.rows:
        _row(suite, row, [f for f in verdict.findings if f.operation == row.operation])
    others = [f for f in verdict.findings if f.operation not in shown]
    whole = _case(suite, "measurement", others)
    if verdict.word == UNDECIDED and not suite.findall(".//error"):
        ElementTree.SubElement(whole, "error", message=summary(verdict))
    cases = suite.findall("testcase")
    for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(key, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("tests", str(len(cases)))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
