"""The main job: what it refuses, where it files results, and that it is never silent for long."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks import machine, prepared, record, run
from benchmarks.heartbeat import heartbeat

ROOT = Path(__file__).resolve().parents[2]


def test_an_unknown_library_is_named() -> None:
    command = [sys.executable, "-m", "benchmarks", "run", "--library", "cuda-core"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "unknown library 'cuda-core'" in done.stderr


def test_a_folder_that_cannot_be_written_to_ends_the_run_before_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(run.RunError, match="not writable: make it writable"):
        run._check_writable(tmp_path)


def test_a_file_in_the_place_of_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "results").write_text("not a folder")
    with pytest.raises(run.RunError, match="results cannot be made"):
        run._check_writable(tmp_path)


def test_without_a_commit_there_is_nothing_to_file_under(monkeypatch: pytest.MonkeyPatch) -> None:
    origin = {"commit": None, "dirty": True}
    monkeypatch.setattr(run.provenance, "collect", lambda: origin)
    with pytest.raises(run.RunError, match="clone with git"):
        run.run()


def test_the_machine_name_tells_the_driver() -> None:
    assert machine.name().startswith("null-driver-" if not _on_gpu() else "nvidia-")
    assert set(machine.information()) >= {"machine", "os", "arch", "cpu", "num_cpu", "ram", "gpu"}


def _on_gpu() -> bool:
    return os.environ.get("FASTPATHS_TEST_DRIVER") == "nvidia"


def test_a_change_of_pins_begins_a_new_series() -> None:
    """Case 35: versions are in the environment's name and in its requirements."""
    old = {"cuda-core": {"version": "1.2.1"}, "numpy": {"version": "2.0"}}
    new = {"cuda-core": {"version": "1.2.2"}, "numpy": {"version": "2.1"}}
    assert prepared.requirements(old) == {"cuda-core": "1.2.1"}
    names = [prepared.environment_name(prepared.requirements(each)) for each in (old, new)]
    assert names[0] != names[1]
    assert "/" not in "".join(names)


def test_a_record_replaces_its_file_in_one_step(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "record.json"
    record.write_json(path, {"schema": 1})
    with pytest.raises(TypeError):
        record.write_json(path, {"schema": object()})
    assert json.loads(path.read_text()) == {"schema": 1}
    assert [each.name for each in path.parent.iterdir()] == ["record.json"]


def test_silence_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    with heartbeat("measuring", silence=0.1):
        time.sleep(0.5)
        print("done")
    out = capsys.readouterr().out
    assert out.count("measuring: still at it") >= 2
    assert "done" in out


@pytest.mark.timeout(300)
def test_case_25_a_run_leaves_a_results_file_and_a_record(tmp_path: Path) -> None:
    """In a clone of its own, with one library and the cheapest of settings."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    (clone / "build").symlink_to(ROOT / "build")
    command = [sys.executable, "-m", "benchmarks", "run", "--quick", "--library", "floor"]
    command += ["--bench", r"event\.Create\.time_create\('floor'\)"]
    environment = {**os.environ, "BENCH_DRIVER": "null"}
    done = subprocess.run(
        command, cwd=clone, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    room = clone / "reports" / "runs" / "scratch"
    (written,) = room.glob("runs/null-driver-*/*.json")
    document = json.loads(written.read_text())
    results = room / "results" / document["machine"] / document["results"]
    assert "event.Create.time_create" in json.loads(results.read_text())["results"]
    assert document["traces"]["event.create"]["floor"] == ["cuEventCreate", "cuEventDestroy"]
    statuses = {cell["operation"]: cell["status"] for cell in document["cells"]}
    assert statuses["event.create"] == "expected"
    assert all(cell["reason"] for cell in document["cells"] if cell["status"] != "expected")
