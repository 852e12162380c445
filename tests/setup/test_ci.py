"""What CI runs installs what is missing, and says so when it may not."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BASH = shutil.which("bash") or "/bin/bash"


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A checkout with nothing but the script, and a PATH with next to nothing."""
    commands = tmp_path / "commands"
    commands.mkdir()
    for name in ("dirname", "id", "env", "true"):
        (commands / name).symlink_to(shutil.which(name) or f"/bin/{name}")
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    return tmp_path


def pretend(bare: Path, name: str, then: str = "") -> None:
    """Add a command that writes down how it was called."""
    script = bare / "commands" / name
    script.write_text(f'#!{BASH}\necho "{name} $*" >> {bare}/calls\n{then}\n')
    script.chmod(0o755)


def run(bare: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BASH, str(bare / ".ci" / "run")],
        env={"PATH": str(bare / "commands")},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_it_may_be_executed() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)


def test_what_is_missing_is_installed_and_then_the_tests_run(bare: Path) -> None:
    pretend(bare, "sudo", 'shift; "$@"')
    pretend(bare, "apt-get")
    pretend(bare, "make")
    done = run(bare)
    assert done.returncode == 0, done.stderr
    calls = [call for call in (bare / "calls").read_text().splitlines() if "sudo" not in call]
    assert calls[0].startswith("apt-get update")
    packages = set(calls[1].split("--no-install-recommends ")[1].split())
    assert packages >= {"git", "gcc", "valgrind", "python3", "python3-dev", "python3-venv"}
    assert "make" not in packages
    assert calls[2:] == ["make test"]


def test_nothing_is_installed_where_nothing_is_missing(bare: Path) -> None:
    for name in ("make", "git", "cc", "valgrind", "setarch", "nm", "python3", "apt-get"):
        pretend(bare, name)
    done = run(bare)
    assert done.returncode == 0, done.stderr
    assert "apt-get" not in (bare / "calls").read_text()


def test_a_system_that_cannot_install_says_what_is_missing(bare: Path) -> None:
    pretend(bare, "make")
    done = run(bare)
    assert done.returncode == 1
    assert "ci: install git gcc" in done.stderr
    assert not (bare / "calls").exists()


def test_the_hooks_run_every_check_that_the_tests_run() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    for command in ("ruff check", "ruff format --check", "cython-lint", ".venv/bin/mypy"):
        assert f"{command}\n" in hooks
