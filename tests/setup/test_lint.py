"""The tree passes the checks that a reviewer should not have to make."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = Path(sys.executable).parent

CYTHON = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "fastpaths").glob("*.p[yx][xd]"))


@pytest.mark.parametrize(
    "command",
    [
        ["ruff", "check", "."],
        ["ruff", "format", "--check", "."],
        ["cython-lint", *CYTHON],
        ["mypy"],
    ],
    ids=["ruff check", "ruff format", "cython-lint", "mypy"],
)
@pytest.mark.timeout(300)
def test_the_tree_is_clean(command: list[str]) -> None:
    done = subprocess.run(
        [str(SCRIPTS / command[0]), *command[1:]],
        cwd=ROOT,
        # cython-lint looks for pycodestyle there.
        env={**os.environ, "PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_there_is_cython_to_check() -> None:
    assert any(name.endswith(".pyx") for name in CYTHON)
    assert any(name.endswith(".pxd") for name in CYTHON)
