"""What must be on the machine before anything can be set up."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sysconfig
from pathlib import Path

from .steps import SetUpError


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
    _check_compiler("C", "CC", ("cc", "gcc", "clang"), "gcc")


def check_cxx_compiler() -> None:
    """Refuse a machine without a C++ compiler, which only CuPy's build needs.

    Raises
    ------
    SetUpError
        If neither ``$CXX`` nor the one that this Python was built with can be found.
    """
    usual = shlex.split(sysconfig.get_config_var("CXX") or "c++")[0]
    _check_compiler("C++", "CXX", (usual,), "g++")


def _check_compiler(language: str, variable: str, usual: tuple[str, ...], package: str) -> None:
    named = os.environ.get(variable)
    if named:
        if shutil.which(shlex.split(named)[0]) is None:
            raise SetUpError(
                f"{variable} is {named!r}, which cannot be found: unset it or correct it"
            )
        return
    if not any(map(shutil.which, usual)):
        raise SetUpError(
            f"there is no {language} compiler: install one (Debian and Ubuntu: apt install"
            f" {package}) or name it in {variable}"
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
    check_compiler()
    check_headers()
    check_venv()
    check_git()
