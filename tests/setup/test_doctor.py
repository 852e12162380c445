"""The doctor says what can be measured, and what to do about the rest."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import doctor, probes

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments: str, cwd: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", "doctor", *arguments],
        cwd=cwd,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_json_has_a_finding_for_everything_that_was_promised() -> None:
    done = run("--json", BENCH_DRIVER="null")
    document = json.loads(done.stdout)
    subjects = {finding["subject"] for finding in document["findings"]}
    assert done.returncode == 0
    assert document["able"]
    assert subjects >= {
        "driver", "GPU", "cuda.core", "CuPy", "fastpaths", "C compiler", "valgrind", "ptrace",
        "CPU governor",
    }  # fmt: skip


def test_every_cannot_says_what_to_do() -> None:
    findings = doctor.examine()
    assert all(one.ok or one.remedy for one in findings)
    assert all(not one.remedy for one in findings if one.ok)
    assert all(one.found and one.matters for one in findings)


def test_it_initialises_nothing() -> None:
    code = (
        "from benchmarks import doctor, driver;"
        "doctor.examine(); print(driver.control().init_count())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "BENCH_DRIVER": "null"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "0"


def test_another_python_than_the_prepared_one_is_told_where_that_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probes, "ROOT", tmp_path)
    assert probes.look_at_python()[1]
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").touch()
    _, ok, _, _, remedy = probes.look_at_python()
    assert not ok
    assert ".venv/bin/python -m benchmarks doctor" in remedy
    monkeypatch.setattr("sys.prefix", str(tmp_path / ".venv"))
    assert probes.look_at_python()[1]


def test_without_a_compiler_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.delenv("CC", raising=False)
    _, ok, _, _, remedy = probes.look_at_compiler()
    assert not ok
    assert "install gcc" in remedy


def test_without_valgrind_it_names_what_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert probes.look_at_valgrind()[1:4] == (False, "not installed", "count")


def test_in_a_bare_clone_nothing_can_be_measured_yet(tmp_path: Path) -> None:
    """No library, no ruler: the doctor still answers, and its status says so."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "benchmarks", tmp_path / "benchmarks", ignore=ignored)
    bare = {"BENCH_DRIVER": "null"}
    done = subprocess.run(
        [sys.executable, "-S", "-m", "benchmarks", "doctor"],
        cwd=tmp_path,
        env={**os.environ, **bare},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "make build" in done.stdout
    assert "make bench" in done.stderr


def test_a_too_old_driver_is_a_cannot() -> None:
    done = run(BENCH_DRIVER="null", NULLCUDA_DRIVER_VERSION="11080")
    assert done.returncode == 2
    assert "update the driver" in done.stdout


def test_verbs_are_listed_and_an_unknown_one_refused() -> None:
    listed = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--help"], cwd=ROOT, capture_output=True, text=True
    )
    assert "doctor" in listed.stdout
    unknown = subprocess.run(
        [sys.executable, "-m", "benchmarks", "docter"], cwd=ROOT, capture_output=True, text=True
    )
    assert unknown.returncode == 2
    assert "choose one of run, doctor" in unknown.stderr
