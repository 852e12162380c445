"""`python -m reports table`: what it shows and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reports.__main__ import VERBS, main
from reports.comparison import compare_run
from reports.figures import decimal, fine, signed, significant, span
from reports.likeness import difference
from reports.runs import read_run

ROOT = Path(__file__).resolve().parents[2]
EVENT = ["cuEventCreate", "cuEventDestroy_v2"]


def table(room: Any, *arguments: str) -> int:
    return main(["table", *arguments, "--room", str(room.room)])


def test_shows_times_ratios_and_provenance(
    room: Any, times: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    room.run(times)
    assert table(room) == 0
    out = capsys.readouterr().out
    lines = out.splitlines()
    row = next(i for i, line in enumerate(lines) if line.startswith("device.current"))
    assert lines[row].split() == ["device.current", "186", "107?", "30.1", "[1]", "12.9"]
    ratios = lines[row + 1].replace(" / ", "/").split()
    assert ratios == ["1.74/14.42", "–/8.29", "0.28/2.33", "0.12/–"]  # noqa: RUF001
    for told in (
        "NVIDIA H200", "580.159.04", "CUDA 13.0", "Some CPU", "Python 3.11.7", "glibc 2.36",
        "cuda.core 1.2.2 (cuda-bindings 12.9.10)", "cupy 14.2.0", "fastpaths 0.1.0",
        "commit 01234567", "3 samples per cell", "process of its own", "reliable ratios",
        "[1] unsupported: there is no such call", "5 of 20 (5 unsupported)",
        "? driver calls not observable, cupy: its runtime is a stub",
    ):  # fmt: skip
        assert told in out
    assert "uncommitted" not in out
    assert next(line for line in lines if line.startswith("import")).split()[1:3] == ["361", "ms"]


def test_fits_a_terminal_of_100_columns_with_all_libraries(
    room: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    libraries = ("cuda.core", "cupy", "fastpaths", "torch", "floor")
    names = ("driver.ctx_get_current", "helpers.handle_return", "import")
    times = {name: dict.fromkeys(libraries, 12345.6) for name in names}
    times["helpers.handle_return"]["floor"] = 13.1
    record = room.record(times)
    record["traces"]["helpers.handle_return"]["torch"] = ["cuCtxGetCurrent"] * 30
    room.run(times, traces=record["traces"], cpu="A very long name of a processor " * 6)
    assert table(room) == 0
    out = capsys.readouterr().out
    assert "942.41≠" in out
    assert max(map(len, out.splitlines())) <= 100


def test_different_driver_calls_are_marked_from_the_traces(
    room: Any, times: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    traces = room.record(times)["traces"]
    traces["event.create"]["cuda.core"] = ["cuCtxGetCurrent", *EVENT]
    room.run(times, traces=traces)
    assert table(room) == 0
    out = capsys.readouterr().out
    assert out.count("≠") == 2  # the ratio and the legend
    assert "5.01≠" in out
    assert "event.create: floor makes cuEventCreate, cuEventDestroy_v2. cuda.core: also" in out
    room.run(times)
    assert table(room) == 0
    assert "≠" not in capsys.readouterr().out


def test_a_missing_trace_is_not_taken_for_alike(room: Any, times: Any) -> None:
    path = room.run(times, traces={}, trace_notes={})
    comparison = compare_run(room.room, read_run(path))
    likeness = {cell.to_floor.likeness.name for cell in comparison.measured if cell.to_floor}
    assert likeness == {"UNKNOWN"}
    assert set(comparison.unobservable) == {"cuda.core", "cupy", "fastpaths", "floor"}


def test_differences_are_told_in_words() -> None:
    assert difference(("a", "b", "b"), ("a",)) == "also 2 x b"
    assert difference(("a",), ("a", "c")) == "without c"
    assert difference(("b", "a"), ("a", "b")) == "the same calls in another order"


@pytest.mark.parametrize("kind", ["asv failed", "asv skipped", "failed", "not in the record"])
def test_an_unexpected_skip_is_named_and_ends_with_1(
    room: Any, times: Any, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    cells = room.record(times)["cells"]
    target = next(
        c for c in cells if (c["operation"], c["library"]) == ("event.create", "fastpaths")
    )
    if kind == "failed":
        target |= {"status": "failed", "reason": "it broke"}
    elif kind == "not in the record":
        cells.remove(target)
    else:
        times["event.create"]["fastpaths"] = None if kind == "asv failed" else "skip"
    room.run(times, cells=cells)
    assert table(room) == 1
    out, err = capsys.readouterr()
    assert "unexpected skip: event.create, fastpaths" in err
    assert "]!" in out


def test_a_number_left_from_another_run_does_not_hide_a_stated_reason(
    room: Any, times: Any
) -> None:
    cells = room.record(times)["cells"]
    for cell in cells:
        if cell["library"] == "cupy":
            cell |= {"status": "missing", "reason": "not installed"}
    comparison = compare_run(room.room, read_run(room.run(times, cells=cells)))
    assert comparison.exit_status == 0
    assert comparison.cells["event.create", "cupy"].value is None
    assert comparison.cells["event.create", "floor"].to_cupy is None


def test_nothing_measured_ends_with_2(
    room: Any, times: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    room.run({name: dict.fromkeys(cells) for name, cells in times.items()})
    assert table(room) == 2
    assert "nothing was measured" in capsys.readouterr().err


@pytest.mark.parametrize("damage", ["missing", "truncated", "other commit", "other machine"])
def test_a_broken_asv_file_is_named_and_ends_with_2(
    room: Any, times: Any, capsys: pytest.CaptureFixture[str], damage: str
) -> None:
    room.run(times)
    (path,) = (room.room / "results").glob("*/*.json")
    if damage == "missing":
        path.unlink()
    elif damage == "truncated":
        path.write_text(path.read_text()[:500])
    else:
        changes = {
            "other commit": {"commit_hash": "f" * 40, "params": {"machine": "nvidia-h200"}},
            "other machine": {"params": {"machine": "laptop"}},
        }
        path.write_text(json.dumps(room.asv(times, **changes[damage])))
    assert table(room) == 2
    assert str(path) in capsys.readouterr().err


def test_a_broken_neighbour_is_named_and_the_good_run_is_shown(
    room: Any, times: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    room.run(times)
    cut = room.write("runs/nvidia-h200/cut.json", '{"schema": 1')
    assert table(room) == 1
    out, err = capsys.readouterr()
    assert "device.current" in out
    assert str(cut) in err
    assert cut.read_text() == '{"schema": 1'


def test_chooses_the_newest_run_of_a_machine_or_the_one_that_is_named(
    room: Any, times: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    old = room.run(times, "old", date="2026-11-01T00:00:00+00:00")
    room.run(times, "new", date="2026-12-02T00:00:00+00:00", dirty=True)
    null = {"kind": "null", "version": "13.0", "release": None}
    room.run(times, "null", machine="null-driver", driver=null, gpu=None, date="2026-11-15")
    assert table(room) == 0
    assert "2026-12-02T00:00:00+00:00; 3" in capsys.readouterr().out
    assert table(room, "--machine", "null-driver") == 0
    assert "no GPU; null driver (CUDA 13.0)" in capsys.readouterr().out
    assert table(room, "--run", str(old)) == 0
    assert "2026-11-01" in capsys.readouterr().out


def test_json_holds_every_cell_and_is_strict_json(
    room: Any, times: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    room.run(times)
    assert table(room, "--format", "json") == 0

    def refuse(constant: str) -> None:
        pytest.fail(f"{constant} is not JSON")

    document = json.loads(capsys.readouterr().out, parse_constant=refuse)
    assert len(document["cells"]) == 20
    cell = next(c for c in document["cells"] if c["operation"] == "device.current")
    assert cell["value"] == pytest.approx(186.0)
    assert cell["to_floor"] == {"value": pytest.approx(186 / 12.9), "calls": "alike"}
    assert cell["interval"][0] < 186 < cell["interval"][1]


def test_markdown_cells_cannot_break_the_table(
    room: Any, times: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    cells = room.record(times)["cells"]
    for cell in cells:
        if cell["library"] == "torch":
            cell |= {"status": "missing", "reason": "a | b\nsecond line \x1b[31m<img>"}
    room.run(times, cells=cells)
    assert table(room, "--format", "markdown") == 0
    out = capsys.readouterr().out
    rows = [line for line in out.splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows} == {7}
    assert r"missing: a \| b second line [31m&lt;img>" in out


def test_figures() -> None:
    values = (12.94, 186.2, 10365, 0.9996, 9.996, 0.0123)
    assert [significant(v) for v in values] == ["12.9", "186", "10400", "1.00", "10.0", "0.0123"]
    assert [decimal(v) for v in (None, 0.001, 1.005, 33.333)] == ["–", "<0.01", "1.00", "33.33"]  # noqa: RUF001
    assert [fine(v) for v in (1.005, 0.25, 0.0149)] == ["1.00", "0.25", "0.015"]
    differences = [signed(v) for v in (0.04, -0.06, 12.34, -611.2, 10365)]
    assert differences == ["0", "-0.1", "+12.3", "-611", "+10400"]
    assert [span([]), span([3, 3]), span([9, 3])] == ["no", "3", "3 to 9"]


def test_no_runs_yet_says_what_to_do(room: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert table(room) == 2
    assert "run `make bench` first" in capsys.readouterr().err


def test_verbs_are_listed_and_an_unknown_one_is_refused() -> None:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "reports", *arguments]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)

    listing = call("--help")
    assert listing.returncode == 0
    assert all(verb in listing.stdout for verb in VERBS)
    refused = call("tabel")
    assert refused.returncode == 2
    assert "unknown verb 'tabel'" in refused.stderr
    assert "Traceback" not in refused.stderr
