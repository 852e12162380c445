"""The same verdict on a terminal, as Markdown, JUnit XML, annotations and JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

SCHEMA = Path(__file__).resolve().parents[3] / "reports" / "gate" / "verdict.schema.json"
TYPES: dict[str, Any] = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
    "number": (int, float), "integer": int,
}  # fmt: skip


def breaches(value: Any, schema: dict[str, Any], root: dict[str, Any], at: str = "$") -> list[str]:
    """Where a document breaks the part of JSON Schema that the verdict's schema uses."""
    if "$ref" in schema:
        return breaches(value, root["$defs"][schema["$ref"].rpartition("/")[2]], root, at)
    found = []
    if "anyOf" in schema and all(breaches(value, one, root, at) for one in schema["anyOf"]):
        found.append(f"{at}: fits none")
    if "const" in schema and value != schema["const"]:
        found.append(f"{at}: not {schema['const']}")
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at}: {value!r} is none of {schema['enum']}")
    if "type" in schema:
        names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        if not any(isinstance(value, TYPES[name]) for name in names) or (
            isinstance(value, bool) and "boolean" not in names
        ):
            return [*found, f"{at}: {value!r} is no {names}"]
    if isinstance(value, dict):
        properties, more = schema.get("properties", {}), schema.get("additionalProperties", True)
        found += [
            f"{at}: {key} is missing" for key in schema.get("required", ()) if key not in value
        ]
        for key, inner in value.items():
            if key in properties or isinstance(more, dict):
                found += breaches(inner, properties.get(key, more), root, f"{at}.{key}")
            elif more is False:
                found.append(f"{at}: {key} is unknown")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{at}: {len(value)} items")
        for index, inner in enumerate(value):
            found += breaches(inner, schema.get("items", {}), root, f"{at}[{index}]")
    return found


@pytest.fixture
def worse(gate: Any) -> Any:
    """A bit of everything."""
    gate.counts["head"]["event.create"] += 40
    gate.functions["event.create"] = {"create_event<a|b>::operator(), %s": 40.0}
    gate.ratios["device.current"] = gate.again["device.current"] = 1.2
    gate.calls["head"]["event.create"].append("cuEventQuery")
    gate.remove("head", "stream.create", "failed", "TypeError <object> | `x`\n\x1b[31mred")
    gate.manifest["operations"].append("helpers.handle_return")
    for side in ("base", "head"):
        gate.skipped[side]["helpers.handle_return"] = "unsupported: there is no such helper"
    return gate


def test_json_keeps_to_its_schema(worse: Any, gate: Any) -> None:
    schema = json.loads(SCHEMA.read_text())
    assert worse.run() == 1
    assert breaches(worse.verdict, schema, schema) == []
    broken = {**worse.verdict, "exit_status": 3, "more": 1}
    broken["findings"] = [{**broken["findings"][0], "level": "bad", "growth": [{}]}]
    assert len(breaches(broken, schema, schema)) == 6


def test_json_of_nothing_measured_keeps_to_its_schema(gate: Any) -> None:
    schema = json.loads(SCHEMA.read_text())
    gate.instruments = set()
    gate.manifest["base"]["failure"] = "no revision named 'mian'"
    assert gate.run() == 2
    assert gate.verdict["operations"] == []
    assert breaches(gate.verdict, schema, schema) == []


def test_junit_has_a_case_for_every_operation(worse: Any) -> None:
    path = worse.path / "junit.xml"
    assert worse.run("--junit", str(path)) == 1
    suite = ElementTree.parse(path).getroot()
    cases = {case.get("name"): case for case in suite}
    assert set(cases) == {
        "device.current", "event.create", "stream.create", "helpers.handle_return", "measurement",
    }  # fmt: skip
    counted = {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")}
    assert counted == {"tests": "5", "failures": "3", "errors": "0", "skipped": "1"}
    failure = cases["event.create"].find("failure")
    assert failure is not None
    assert "create_event<a|b>" in str(failure.text)
    skipped = cases["helpers.handle_return"].find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "unsupported: there is no such helper"


def test_junit_of_an_undecided_verdict_has_an_error(gate: Any) -> None:
    path = gate.path / "junit.xml"
    gate.instruments = set()
    gate.manifest["head"]["failure"] = "cannot be built"
    assert gate.run("--junit", str(path)) == 2
    suite = ElementTree.parse(path).getroot()
    assert suite.get("errors") == "1"
    (error,) = suite.iter("error")
    assert "cannot be built" in str(error.get("message"))


def test_annotations_are_one_line_each_and_escaped(
    worse: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert worse.run("--github") == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("::")]
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in lines)
    first = next(line for line in lines if "instructions more" in line)
    assert first.startswith("::error title=event.create%3A slower::40.0 instructions more")
    assert (
        "%0A+40.0 create_event<a|b>::operator(), %25s [_event.cpython-311-x86_64-linux-gnu.so]"
        in first
    )
    assert lines[-1].startswith("::error title=gate::worse: ")


def test_a_pass_is_a_notice_and_the_summary_file_grows(
    gate: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = gate.path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    assert gate.run("--github") == 0
    out = capsys.readouterr().out
    assert out.rstrip().splitlines()[-1].startswith("::notice title=gate::pass: 3 operations")
    text = summary.read_text()
    assert text.startswith("before\n### Performance: ✅ no worse")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(gate.path))
    assert gate.run("--github") == 2


def test_markdown_shows_findings_and_cannot_be_broken_by_a_reason(worse: Any) -> None:
    path = worse.path / "comment.md"
    assert worse.run("--markdown", str(path)) == 1
    text = path.read_text()
    assert text.startswith("### Performance: ❌ worse\n")
    shown, _, folded = text.partition("<details>")
    assert "- **fail** `event.create`, count: 40.0 instructions more" in shown
    assert (
        "  - `+40.0 create_event<a|b>::operator(), %s [_event.cpython-311-x86_64-linux-gnu.so]`"
        in shown
    )
    assert "also cuEventQuery" in shown
    assert "TypeError &lt;object> \\| `x` [31mred" in shown
    assert "| `device.current` | 120.0 | 120.0 | 0 | 1.1" in folded
    rows = [line for line in folded.splitlines() if line.startswith("| ")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {7}
    assert text.count("<details>") == text.count("</details>") == 3


def test_markdown_of_a_thousand_findings_fits_a_comment(gate: Any) -> None:
    path = gate.path / "comment.md"
    for number in range(1000):
        for side, count in (("base", 300.0), ("head", 400.0)):
            gate.counts[side][f"op.number_{number}"] = count
    gate.manifest["operations"] = list(gate.counts["base"])
    assert gate.run("--markdown", str(path)) == 1
    text = path.read_text()
    assert len(text) < 65_536
    assert text.startswith("### Performance: ❌ worse")
    assert text.rstrip().endswith("the whole verdict is in the job's log.")
    assert len(gate.verdict["findings"]) == 1000


def test_the_terminal_keeps_to_100_columns(worse: Any, capsys: pytest.CaptureFixture[str]) -> None:
    worse.functions["event.create"] = {"std::_Hashtable<" + "CUevent_st*, " * 40 + ">": 40.0}
    assert worse.run() == 1
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 100


def test_an_output_that_cannot_be_written_ends_with_2(
    gate: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    gate.write()
    blocked = gate.path / "policy.toml" / "x.md"
    assert gate.judge("--markdown", str(blocked)) == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("damage", ["no folder", "empty folder", "truncated", "other schema"])
def test_input_that_cannot_be_read_ends_with_2_and_one_sentence(
    gate: Any, capsys: pytest.CaptureFixture[str], damage: str
) -> None:
    gate.write()
    path = gate.folder / "counts-head.json"
    if damage == "no folder":
        gate.folder = gate.path / "nowhere"
    elif damage == "empty folder":
        gate.folder = gate.path / "empty"
        gate.folder.mkdir()
    elif damage == "truncated":
        path.write_text(path.read_text()[:400])
    else:
        path.write_text(path.read_text().replace('"schema": 1', '"schema": 2', 1))
    assert gate.judge() == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "counts-head.json" in err or "measure first" in err
