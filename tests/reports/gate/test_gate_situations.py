"""What can happen to a change, and the exit status each time."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

FAILED = "cannot be built: build/sides/failed.log has the output"


def fine(gate: Any) -> None:
    """Nothing."""


def slower_by_count(gate: Any) -> None:
    gate.counts["head"]["event.create"] += 40
    gate.functions["event.create"] = {"create_event": 40.0}


def slower_by_duet(gate: Any) -> None:
    gate.ratios["event.create"] = gate.again["event.create"] = 1.10


def faster(gate: Any) -> None:
    gate.counts["head"]["event.create"] -= 40
    gate.ratios["event.create"] = 0.9


def noisy(gate: Any) -> None:
    gate.spread = 0.2


def noisy_without_counts(gate: Any) -> None:
    gate.spread = 0.2
    gate.instruments = {"duet"}


def missing_in_head(gate: Any) -> None:
    gate.remove("head", "stream.create", "unsupported", "no such method")


def broken_in_head(gate: Any) -> None:
    gate.remove("head", "stream.create", "failed", "TypeError")


def new_in_head(gate: Any) -> None:
    gate.remove("base", "stream.create", "unsupported", "no such method")


def skipped_in_both(gate: Any) -> None:
    gate.manifest["operations"].append("helpers.handle_return")
    for side in ("base", "head"):
        gate.skipped[side]["helpers.handle_return"] = "unsupported: there is no such helper"


def head_cannot_be_built(gate: Any) -> None:
    gate.instruments = set()
    gate.manifest["head"]["failure"] = FAILED


def unknown_base(gate: Any) -> None:
    gate.instruments = set()
    gate.manifest["base"]["failure"] = "no revision named 'mian'"


def other_python_in_head(gate: Any) -> None:
    gate.provenance["head"]["libc"] = "glibc 2.39"


def a_driver_call_more(gate: Any) -> None:
    gate.calls["head"]["event.create"].insert(0, "cuCtxGetCurrent")


def a_driver_call_less(gate: Any) -> None:
    gate.calls["head"]["event.create"].pop()


def interrupted(gate: Any) -> None:
    gate.manifest["interrupted"] = True


def slower_once(gate: Any) -> None:
    gate.ratios["event.create"] = 1.10


def slower_once_and_not_again(gate: Any) -> None:
    gate.ratios["event.create"], gate.again["event.create"] = 1.10, 1.0


def slower_and_not_compared(gate: Any) -> None:
    slower_by_duet(gate)
    other_python_in_head(gate)


@pytest.mark.parametrize(
    ("situation", "status", "kind", "level"),
    [
        (fine, 0, None, None),
        (slower_by_count, 1, "slower", "fail"),
        (slower_by_duet, 1, "slower", "fail"),
        (faster, 0, "faster", "note"),
        (noisy, 0, "noisy", "warn"),
        (noisy_without_counts, 2, "noisy", "undecided"),
        (missing_in_head, 1, "missing", "fail"),
        (broken_in_head, 1, "missing", "fail"),
        (new_in_head, 0, "new", "note"),
        (skipped_in_both, 0, None, None),
        (head_cannot_be_built, 2, "not compared", "undecided"),
        (unknown_base, 2, "not compared", "undecided"),
        (other_python_in_head, 2, "not compared", "undecided"),
        (a_driver_call_more, 1, "calls", "fail"),
        (a_driver_call_less, 0, "calls", "warn"),
        (interrupted, 2, "not compared", "undecided"),
        (slower_once, 2, "unconfirmed", "undecided"),
        (slower_once_and_not_again, 0, "unconfirmed", "note"),
        (slower_and_not_compared, 1, "slower", "fail"),
    ],
)
def test_situation(
    gate: Any, situation: Callable[[Any], None], status: int, kind: str | None, level: str | None
) -> None:
    situation(gate)
    assert gate.run() == status
    assert gate.verdict["exit_status"] == status
    found = gate.findings()
    if kind is None:
        assert found == []
    else:
        assert (level, kind) in {(one[0], one[1]) for one in found}


def test_names_the_function_that_grew(gate: Any, capsys: pytest.CaptureFixture[str]) -> None:
    slower_by_count(gate)
    assert gate.run() == 1
    (finding,) = gate.verdict["findings"]
    assert finding["growth"] == [
        {
            "object": "_event.cpython-311-x86_64-linux-gnu.so",
            "function": "create_event",
            "instructions": 40.0,
        }
    ]
    assert finding["change"] == pytest.approx(40 / 380)
    out = capsys.readouterr().out
    assert "FAIL  event.create, count: 40.0 instructions more: from 380.0 to 420.0" in out
    assert "+40.0 create_event [_event.cpython-311-x86_64-linux-gnu.so]" in out
    assert "limit: counts are exact" in out
    assert out.rstrip().splitlines()[-1].startswith("worse: 3 operations compared; 1 worse")


def test_names_the_fields_that_differ(gate: Any) -> None:
    other_python_in_head(gate)
    assert gate.run() == 2
    messages = " ".join(f["message"] for f in gate.verdict["findings"])
    assert "libc is glibc 2.36 in base and glibc 2.39 in head" in messages


@pytest.mark.parametrize("field", ["python", "times", "conditions", "versions"])
def test_counts_under_other_conditions_are_not_compared(gate: Any, field: str) -> None:
    changes = {
        "python": "3.12.3", "times": 10,
        "conditions": {"valgrind": "3.22.0"}, "versions": {"fastpaths": "0.2.0"},
    }  # fmt: skip
    gate.write()
    path = gate.folder / "counts-head.json"
    text = path.read_text()
    document = json.loads(text)
    for result in document["results"]:
        result[field] = changes[field]
    path.write_text(json.dumps(document))
    assert gate.judge() == (0 if field == "versions" else 2)


def test_a_slow_down_that_no_second_duet_confirms_is_a_suspect(gate: Any) -> None:
    slower_once(gate)
    path = gate.path / "suspects.json"
    assert gate.run("--suspects", str(path)) == 2
    assert json.loads(path.read_text()) == [{"operation": "event.create", "a": "head", "b": "base"}]
    gate.again["event.create"] = 1.09
    assert gate.run("--suspects", str(path)) == 1
    assert json.loads(path.read_text()) == []


def test_sides_in_the_other_order_say_the_same(gate: Any) -> None:
    slower_by_duet(gate)
    gate.write()
    for path in gate.folder.glob("duets*.json"):
        document = json.loads(path.read_text())
        for result in document["results"]:
            a, b = result["a"]["net_ns"], result["b"]["net_ns"]
            turned = gate.room.duet_result(
                result["operation"], "fastpaths 0.1.0", "fastpaths 0.1.0", b, a
            )
            turned["a"]["label"], turned["b"]["label"] = "base", "head"
            result.clear()
            result.update(turned)
        path.write_text(json.dumps(document))
    assert gate.judge() == 1
    assert gate.findings("fail") == [("fail", "slower", "event.create")]


def test_a_small_absolute_change_is_let_pass_however_large_its_ratio(gate: Any) -> None:
    gate.policy = gate.policy.replace("absolute = 1, ", "absolute = 5, ")
    gate.ratios["device.current"] = gate.again["device.current"] = 1.2
    assert gate.run() == 0
    gate.ratios["device.current"] = gate.again["device.current"] = 1.3
    assert gate.run() == 1


def test_two_folders_and_two_files_are_accepted_too(gate: Any) -> None:
    slower_by_count(gate)
    gate.manifest = {}
    gate.write()
    for side in ("base", "head"):
        folder = gate.path / side
        folder.mkdir()
        for name in ("counts", "traces"):
            (gate.folder / f"{name}-{side}.json").rename(folder / f"{name}.json")
    (gate.folder / "duets.json").rename(gate.path / "head" / "duets.json")
    gate.folder.rmdir()
    arguments = ("--head", str(gate.path / "head"))
    gate.folder = gate.path / "base"
    assert gate.judge(*arguments) == 1
    assert len([row for row in gate.verdict["operations"] if row["ratio"]]) == 3
    gate.folder = gate.path / "base" / "counts.json"
    assert gate.judge("--head", str(gate.path / "head" / "counts.json")) == 1
    assert [row["ratio"] for row in gate.verdict["operations"]] == [None] * 3
