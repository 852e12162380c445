"""What must be on the machine before anything can be set up."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path

from .steps import SetUpError

OLDEST_PYTHON = (3, 10)


def check_python(version: tuple[int, int] = sys.version_info[:2]) -> None:
    """Refuse a Python that is too old.

    Raises
    ------
    SetUpError
        If it is older than 3.10.
    """
    if version < OLDEST_PYTHON:
        raise SetUpError(
            f"Python {version[0]}.{version[1]} is too old: install 3.10 or newer and run"
            " `make PYTHON=python3.12 ...` with its name"
        )


def check_venv() -> None:
    """Refuse a Python that cannot make environments.

    Raises
    ------
    SetUpError
        If the modules venv or ensurepip are missing, as on a bare Debian.
    """
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        raise SetUpError(
            "this Python lacks the modules venv and ensurepip: install them (Debian and Ubuntu:"
            " apt install python3-venv)"
        )


def check_headers(include: str | None = None) -> None:
    """Refuse a Python without its C headers.

    Raises
    ------
    SetUpError
        If Python.h is not there.
    """
    folder = include or sysconfig.get_paths()["include"]
    if not Path(folder, "Python.h").exists():
        raise SetUpError(
            f"Python.h is not in {folder}: install the headers of this Python (Debian and Ubuntu:"
            " apt install python3-dev)"
        )


def check_compiler() -> None:
    """Refuse a machine without a C compiler.

    Raises
    ------
    SetUpError
        If neither ``$CC`` nor cc, gcc or clang can be found.
    """
    named = os.environ.get("CC")
    if named:
        if shutil.which(shlex.split(named)[0]) is None:
            raise SetUpError(f"CC is {named!r}, which cannot be found: unset it or correct it")
        return
    if not any(map(shutil.which, ("cc", "gcc", "clang"))):
        raise SetUpError(
            "there is no C compiler: install one (Debian and Ubuntu: apt install gcc) or name it"
            " in CC"
        )


def check_git() -> None:
    """Refuse a machine without git.

    Raises
    ------
    SetUpError
        If git cannot be found.
    """
    if shutil.which("git") is None:
        raise SetUpError("git is not installed: install it, results are filed by commit")


def check_all() -> None:
    """Make every check, the cheapest first."""
    check_python()
    check_compiler()
    check_headers()
    check_venv()
    check_git()
