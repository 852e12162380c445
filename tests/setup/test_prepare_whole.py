"""The set-up as users run it: the script by its path, in a checkout of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLACE = Path("benchmarks", "environment")
UNREACHABLE = {
    "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
    "PIP_EXTRA_INDEX_URL": "",
    "PIP_FIND_LINKS": "",
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_RETRIES": "0",
    "PIP_NO_CACHE_DIR": "1",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What the set-up needs before it compiles anything, in a folder with a space."""
    root = tmp_path / "a checkout"
    shutil.copytree(ROOT / PLACE, root / PLACE, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, root)
    return root


def start(checkout: Path, purpose: str, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(checkout / PLACE / "prepare.py"), purpose],
        env={**os.environ, **variables},
        preexec_fn=heed_signals,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def heed_signals() -> None:
    """Undo what a shell does to the jobs in its background."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def alive(process: str) -> bool:
    try:
        return Path("/proc", process, "cmdline").read_bytes() != b""
    except OSError:
        return False


def pretend_environment(checkout: Path, pip: str) -> None:
    """Make a .venv whose Python runs a shell line instead of pip, and answers to --version."""
    folder = checkout / ".venv"
    (folder / "bin").mkdir(parents=True)
    python = folder / "bin" / "python"
    python.write_text(f'#!/bin/sh\n[ "$3" = --version ] && exit 0\n{pip}\n')
    python.chmod(0o755)
    (folder / "python-version").write_text(".".join(map(str, sys.version_info[:3])))


def test_without_network_the_first_set_up_says_so_and_the_next_goes_on(checkout: Path) -> None:
    for attempt in ("first", "second"):
        with start(checkout, "test", **UNREACHABLE) as process:
            out, errors = process.communicate(timeout=100)
        assert process.returncode == 1
        assert "check the network" in errors.splitlines()[-1]
        assert ("making .venv" in out) is (attempt == "first")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_step_is_stopped_with_all_its_children(
    checkout: Path, number: signal.Signals
) -> None:
    child = checkout / "child"
    pretend_environment(
        checkout, f'sleep 60 & echo $! > "{child}.new"; mv "{child}.new" "{child}"; wait'
    )
    with start(checkout, "build") as process:
        deadline = time.monotonic() + 20
        while not child.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(number)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "prepare: interrupted; run make again to go on"
    assert not alive(child.read_text().strip())


def test_a_step_that_was_done_is_not_done_again_after_a_failure(checkout: Path) -> None:
    calls = checkout / "calls"
    pretend_environment(checkout, f'echo "$*" >> "{calls}"; case "$*" in *:run) exit 1;; esac')
    for _ in range(2):
        with start(checkout, "build") as process:
            _, errors = process.communicate(timeout=20)
        assert process.returncode == 1
        assert "installing run failed" in errors
    groups = [line.rsplit(":", 1)[-1] for line in calls.read_text().splitlines()]
    assert groups[1:] == ["build", "run", "run"]


def test_two_at_once_take_turns(checkout: Path) -> None:
    calls = checkout / "calls"
    slow = f'echo begin >> "{calls}"; sleep 0.5; echo end >> "{calls}"; exit 1'
    pretend_environment(checkout, slow)
    with start(checkout, "build") as one, start(checkout, "build") as other:
        one.communicate(timeout=20)
        other.communicate(timeout=20)
    assert calls.read_text().split() == ["begin", "end"] * 2


@pytest.mark.parametrize("version", ["(2, 7, 18)", "(3, 6, 15)", "(3, 9, 18)"])
def test_an_old_python_is_told_to_be_too_old(version: str) -> None:
    code = (
        f"import runpy, sys; sys.version_info = {version}; sys.version = 'X.Y.Z (old)';"
        f"runpy.run_path({str(ROOT / PLACE / 'prepare.py')!r}, run_name='__main__')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("prepare: Python X.Y.Z is too old: install 3.10 or newer")
    assert len(done.stderr.splitlines()) == 1


def test_any_python_can_read_what_tells_it_to_be_too_old() -> None:
    """Annotations and newer words would be a syntax error before the sentence is said."""
    text = (ROOT / PLACE / "prepare.py").read_text()
    assert text.isascii()
    assert "__future__" not in text
    assert "->" not in text
    assert 'f"' not in text


def test_headers_that_are_missing_end_the_set_up_at_once(checkout: Path) -> None:
    code = (
        "import sys, sysconfig; paths = sysconfig.get_paths();"
        "sysconfig.get_paths = lambda *a, **k: {**paths, 'include': '/nonexistent'};"
        f"sys.path.insert(0, {str(checkout / 'benchmarks')!r});"
        "from environment import command; sys.exit(command.main(['build']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "prepare: Python.h is not in /nonexistent: install the headers of this Python (Debian and"
        " Ubuntu: apt install python3-dev)"
    ]
    assert not (checkout / ".venv").exists()


def test_a_build_folder_that_is_not_writable_is_named(checkout: Path) -> None:
    (checkout / "build").write_text("a file where a folder should be")
    with start(checkout, "build") as process:
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "build" in errors
    assert errors.endswith("correct this and run make again\n")
    assert "Traceback" not in errors
