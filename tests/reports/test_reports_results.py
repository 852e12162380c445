"""Reading asv's files and run records, whole and broken."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from reports.documents import ReportError, UnreadableError, write_atomically
from reports.results import operation_name, read_results, result_files
from reports.runs import read_run, read_runs

SUITE = """
class EventTime:
    params = (["cupy", "torch", "floor"],)
    param_names = ["library"]
    version = "1"
    rounds, repeat, number, warmup_time = 1, 3, 1, 0

    def setup(self, library):
        if library == "torch":
            raise NotImplementedError("no such library here")

    def time_create(self, library):
        if library == "floor":
            raise RuntimeError("planted")
        for _ in range(1000):
            pass
"""


@pytest.fixture(scope="module")
def asv_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A result file that asv itself wrote: a number, a skip and a failure."""
    pytest.importorskip("asv", reason="asv is not installed")
    home = tmp_path_factory.mktemp("asv")
    (home / "suites").mkdir()
    (home / "suites" / "__init__.py").touch()
    (home / "suites" / "event.py").write_text(SUITE)
    config = {"version": 1, "project": "toy", "repo": ".", "branches": ["HEAD"]}
    config |= {"benchmark_dir": "suites", "results_dir": "results"}
    config |= {"environment_type": "virtualenv"}
    (home / "asv.conf.json").write_text(json.dumps(config))
    names = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org"}
    names |= {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}
    environment = {**os.environ, "HOME": str(home), **names}

    def call(*command: str, status: int = 0) -> str:
        done = subprocess.run(
            command, cwd=home, env=environment, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout.strip()

    call("git", "init", "-q", ".")
    call("git", "add", "-A")
    call("git", "commit", "-q", "-m", "toy")
    asv = (sys.executable, "-m", "asv")
    call(*asv, "machine", "--yes", "--machine", "toy")
    commit = call("git", "rev-parse", "HEAD")
    flags = ("--machine", "toy", "--set-commit-hash", commit, "--record-samples")
    call(*asv, "run", "-E", "existing", *flags, status=2)
    (path,) = result_files(home / "results")
    return path


def test_reads_what_asv_writes(asv_file: Path) -> None:
    asv = read_results(asv_file)
    assert set(asv.measurements) == {("event.create", "cupy")}
    found = asv.measurements["event.create", "cupy"]
    assert 0 < found.seconds < 1
    assert found.samples == len(found.values) == 3
    assert asv.machine == "toy"
    assert asv.problems == ()


def test_a_builder_file_has_the_columns_of_a_real_one(asv_file: Path, room: Any) -> None:
    real = json.loads(asv_file.read_text())
    built = room.asv({"event.create": {"cupy": 1.0, "torch": "skip", "floor": None}})
    assert built["result_columns"] == real["result_columns"]
    assert set(built) == set(real)
    (one,), (other,) = real["results"].values(), built["results"].values()
    assert [type(value) for value in one] == [type(value) for value in other]


@pytest.mark.parametrize(
    ("benchmark", "operation"),
    [
        ("event.EventTime.time_create", "event.create"),
        ("device.DeviceTime.time_set_current", "device.set_current"),
        ("imports.ImportTime.time_import", "import"),
        ("instructions.Instructions.track_create", None),
        ("time_something", None),
    ],
)
def test_operation_names(benchmark: str, operation: str | None) -> None:
    assert operation_name(benchmark) == operation


def test_every_truncation_of_a_result_file_is_one_clear_sentence(room: Any, times: Any) -> None:
    whole = json.dumps(room.asv(times))
    for size in range(0, len(whole), 97):
        path = room.write("results/m/cut.json", whole[:size])
        with pytest.raises(UnreadableError, match=r"^\S*cut\.json: is (empty|truncated)") as caught:
            read_results(path)
        assert "\n" not in str(caught.value)
        assert path.read_text() == whole[:size]


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        '"text"',
        "{}",
        '{"version": 1}',
        '{"version": 2}',
        '{"version": 2, "result_columns": ["result"], "results": [], "params": {}}',
        '{"version": 2, "result_columns": ["result"], "results": {}, "params": {"machine": 3}}',
        '{"version": ' + "9" * 5000 + "}",
        "[" * 100000,
        "\ufeff{}",
    ],
)
def test_a_foreign_file_is_one_clear_sentence(room: Any, text: str) -> None:
    path = room.write("results/m/foreign.json", text)
    with pytest.raises(UnreadableError) as caught:
        read_results(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(UnreadableError, match="foreign"):
        read_run(path)


def test_bytes_that_are_no_text_and_a_folder_are_named(room: Any) -> None:
    path = room.write("results/m/binary.json", "")
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UnreadableError, match="not UTF-8"):
        read_results(path)
    with pytest.raises(UnreadableError, match="cannot be read"):
        read_results(path.parent)


@pytest.mark.parametrize("bad", ["1e999", "-1.0", "0", "10" * 300, "true", '"fast"', "[1]"])
def test_a_time_that_is_no_time_is_named_and_the_others_are_kept(
    room: Any, times: Any, bad: str
) -> None:
    document = room.asv(times)
    document["results"]["event.EventTime.time_create"] = [["BAD", 1e-3], [["'cupy'", "'floor'"]]]
    path = room.write("results/m/x.json", json.dumps(document).replace('"BAD"', bad))
    asv = read_results(path)
    assert ("event.create", "cupy") not in asv.measurements
    assert asv.measurements["event.create", "floor"].seconds == 1e-3
    assert asv.measurements["device.current", "cupy"].seconds == pytest.approx(107e-6)
    (problem,) = asv.problems
    assert "event.EventTime.time_create, cupy" in problem


@pytest.mark.parametrize(
    "entries",
    [
        "text",
        [[1.0], [["'cupy'", "'floor'"]]],
        [[1.0], []],
        [[1.0], [[3]]],
        [1.0, [["'cupy'"]]],
        [0] * 99,
    ],
)
def test_a_benchmark_of_the_wrong_shape_is_named_and_the_others_are_kept(
    room: Any, times: Any, entries: Any
) -> None:
    document = room.asv(times)
    document["results"]["event.EventTime.time_create"] = entries
    asv = read_results(room.write("results/m/x.json", document))
    assert asv.problems
    assert all("event.EventTime.time_create" in problem for problem in asv.problems)
    assert ("device.current", "floor") in asv.measurements


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("schema", 2),
        ("machine", None),
        ("machine", "../elsewhere"),
        ("results", "../../secret.json"),
        ("commit", "HEAD"),
        ("dirty", "no"),
        ("loop", 0),
        ("loop", True),
        ("loop", float("nan")),
        ("driver", {"kind": "amd", "version": "1"}),
        ("libraries", []),
        ("operations", {"event.create": {"unit": "parsec"}}),
        ("cells", [{"operation": "event.create", "library": "cupy", "status": "fine"}]),
        ("cells", [{"operation": "nothing", "library": "cupy", "status": "expected"}]),
        ("traces", {"event.create": {"cupy": "cuEventCreate"}}),
    ],
)
def test_a_run_record_that_breaks_the_schema_names_the_field(
    room: Any, times: Any, key: str, value: object
) -> None:
    path = room.write("runs/nvidia-h200/x.json", {**room.record(times), key: value})
    with pytest.raises(UnreadableError, match=key.rstrip("s")):
        read_run(path)


def test_broken_run_records_are_named_and_the_others_are_read(room: Any, times: Any) -> None:
    room.run(times)
    cut = room.write("runs/nvidia-h200/cut.json", "{")
    alien = room.write("runs/elsewhere/alien.json", room.record(times))
    room.write("runs/scratch/ignored.json", "{")
    runs, problems = read_runs(room.room)
    assert [run.path.name for run in runs] == ["run.json"]
    assert len(problems) == 2
    assert all(any(str(path) in problem for problem in problems) for path in (cut, alien))


def test_an_unknown_machine_is_answered_with_the_known_ones(room: Any, times: Any) -> None:
    room.run(times)
    with pytest.raises(ReportError, match="nvidia-h200"):
        read_runs(room.room, "nvidia-a100")


def test_a_failed_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "page.md"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ReportError, match=r"page\.md: cannot be written \(No space left"):
        write_atomically(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_writable_is_one_clear_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    with pytest.raises(ReportError, match=r"make .* writable"):
        write_atomically(blocked / "page.md", "new")
