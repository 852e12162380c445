"""The set-up under bad conditions: one clear sentence, a non-zero status, nothing half done."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.environment import checks, lock, stamps, steps

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "benchmarks" / "environment" / "prepare.py"


def script(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_missing_compiler_ends_in_one_sentence() -> None:
    done = script("build", PATH="/nonexistent", CC="")
    assert done.returncode == 1
    assert done.stderr.strip() == (
        "prepare: there is no C compiler: install one (Debian and Ubuntu: apt install gcc) or name"
        " it in CC"
    )


def test_a_wrong_compiler_is_named() -> None:
    done = script("build", CC="no-such-compiler")
    assert done.returncode == 1
    assert "CC is 'no-such-compiler'" in done.stderr


def test_a_missing_cxx_compiler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(steps.SetUpError, match=r"no C\+\+ compiler: .*apt install g\+\+"):
        checks.check_cxx_compiler()


def test_missing_headers_are_named(tmp_path: Path) -> None:
    with pytest.raises(steps.SetUpError, match=r"Python\.h is not in .*python3-dev"):
        checks.check_headers(str(tmp_path))


def test_missing_git_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(steps.SetUpError, match="git is not installed"):
        checks.check_git()


def test_an_unknown_purpose_is_refused() -> None:
    done = script("everything")
    assert done.returncode == 2
    assert "usage" in done.stderr


def test_no_network_is_said_as_such(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--no-cache-dir", "--retries=0", "-d"]
    unreachable = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "PIP_EXTRA_INDEX_URL": "",
        "PIP_FIND_LINKS": "",
        "PIP_CONFIG_FILE": os.devnull,
    }
    with pytest.raises(steps.SetUpError, match="check the network"):
        steps.run(
            "fetching", [*command, str(tmp_path), "no-such-thing"], tmp_path / "log", unreachable
        )


def test_a_failing_step_shows_its_end_and_where_the_rest_is(tmp_path: Path, capfd) -> None:
    code = "print('it broke because of this'); raise SystemExit(3)"
    with pytest.raises(steps.SetUpError, match=r"see .*log, then run make again"):
        steps.run("a step", [sys.executable, "-c", code], tmp_path / "log")
    assert "it broke because of this" in capfd.readouterr().err


def test_a_slow_step_gives_signs_of_life(tmp_path: Path, capfd) -> None:
    code = "import time; time.sleep(1.2)"
    steps.run("waiting", [sys.executable, "-c", code], tmp_path / "log", heartbeat=0.3)
    assert capfd.readouterr().out.count("still at it") >= 2
    assert steps.HEARTBEAT < 10


def test_a_second_set_up_waits_for_the_first(tmp_path: Path, capfd) -> None:
    code = (
        "import fcntl, sys, time; lock = open(sys.argv[1], 'w'); fcntl.flock(lock, fcntl.LOCK_EX);"
        "print('locked', flush=True); time.sleep(1)"
    )
    path = tmp_path / "prepare.lock"
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline().strip() == "locked"
        begin = time.monotonic()
        with lock.alone(path, "another make prepares this checkout"):
            waited = time.monotonic() - begin
            with path.open() as again, pytest.raises(BlockingIOError):
                fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert waited > 0.5
    assert "waiting for it" in capfd.readouterr().out


def test_a_damaged_list_of_what_was_done_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "prepared.json"
    path.write_text('{"group run": "abc')
    done = stamps.Stamps(path)
    assert done.get("group run") is None
    done.set("group run", "new")
    assert stamps.Stamps(path).get("group run") == "new"


def test_make_help_lists_every_target() -> None:
    command = ["make", "--no-print-directory", "help"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    targets = {line.split()[0] for line in listed.stdout.splitlines()}
    phony = next(
        line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith(".PHONY:")
    )
    assert targets == set(phony.split()[1:])
