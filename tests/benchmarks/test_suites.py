"""asv finds every suite with nothing installed, and runs them as the catalogue says."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import adapters
from benchmarks.operations import LOOPED
from benchmarks.suite import LOOP

ROOT = Path(__file__).resolve().parents[2]

# What asv's runner does to discover, in a process where no library can be imported.
DISCOVER = """\
import json, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("cuda", "cupy", "torch", "fastpaths", "asv", "numpy"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
from asv_runner._aux import update_sys_path
from asv_runner.discovery import disc_benchmarks

update_sys_path(sys.argv[1])
found = [
    {"name": b.name, "params": b.params, "version": b.version, "type": b.type}
    for b in disc_benchmarks(sys.argv[1], ignore_import_errors=False)
]
from benchmarks import driver
try:
    count = driver.control().init_count()
except RuntimeError as error:
    count = str(error)
print(json.dumps({"benchmarks": found, "cuinit": count}))
"""


def discover(folder: Path) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-P", "-c", DISCOVER, str(folder)]
        if sys.version_info >= (3, 11)
        else [sys.executable, "-c", DISCOVER, str(folder)],
        cwd=folder.parent.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return answer


@pytest.fixture(scope="module")
def found() -> dict[str, object]:
    return discover(ROOT / "benchmarks")


def test_there_is_a_suite_for_every_operation(found: dict[str, object]) -> None:
    names = {benchmark["name"] for benchmark in found["benchmarks"]}
    expected = set()
    for operation in LOOPED:
        group, verb = operation.split(".")
        expected.add(f"{group}.{''.join(w.title() for w in verb.split('_'))}.time_{verb}")
    assert expected | {"imports.Import.timeraw_import"} <= names


def test_every_version_is_pinned_and_every_parameter_a_string(found: dict[str, object]) -> None:
    for benchmark in found["benchmarks"]:
        assert len(benchmark["version"]) < 10, benchmark
        assert all(
            isinstance(eval(value), str) for values in benchmark["params"] for value in values
        )


def test_timings_have_the_libraries_as_parameter(found: dict[str, object]) -> None:
    timings = [b for b in found["benchmarks"] if b["type"] == "time"]
    assert timings
    for benchmark in timings:
        assert benchmark["params"] == [[repr(name) for name in adapters.LIBRARIES]]


def test_discovery_calls_cuinit_zero_times(found: dict[str, object]) -> None:
    assert found["cuinit"] == 0


def test_discovery_works_without_any_driver(tmp_path: Path) -> None:
    """Nothing is built in this copy, so there is no null driver either."""
    folder = tmp_path / "copy" / "benchmarks"
    shutil.copytree(ROOT / "benchmarks", folder, ignore=shutil.ignore_patterns("__pycache__"))
    answer = discover(folder)
    assert len(answer["benchmarks"]) > len(LOOPED)
    assert "make build" in str(answer["cuinit"]) or answer["cuinit"] == 0


def test_case_24_a_timed_call_shows_a_thousand_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import event

    calls: list[int] = []
    body = type("Body", (), {"loop": lambda self: calls.append})()
    adapter = type("Toy", (), {"body": lambda self, operation: body})()
    monkeypatch.setattr(adapters, "load", lambda library: adapter)
    suite = event.Create()  # type: ignore[attr-defined]
    suite.setup("toy")
    suite.time_create("toy")
    assert calls == [LOOP]
    assert LOOP >= 1000


def test_a_library_that_is_missing_is_a_skip(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import event

    def missing(library: str) -> object:
        raise adapters.MissingLibraryError("not installed: install it")

    monkeypatch.setattr(adapters, "load", missing)
    with pytest.raises(NotImplementedError, match="install it"):
        event.Create().setup("cupy")  # type: ignore[attr-defined]
