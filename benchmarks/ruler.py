"""Where the ruler lies: the null driver and the floor, always those of the working tree.

asv measures old commits with the ruler of today; otherwise the ruler would change with the thing
it measures.
"""

from __future__ import annotations

from pathlib import Path

from .search_path import ROOT

FOLDER = ROOT / "build" / "ruler"


class RulerMissingError(RuntimeError):
    """The ruler is not built; the message says how to build it."""


def _built(name: str) -> Path:
    found = next(iter(sorted(FOLDER.rglob(name))), None)
    if found is None:
        raise RulerMissingError(f"{name} is not built in build/ruler: run `make build`")
    return found


def null_driver() -> Path:
    """Return the path of the null driver, ``libcuda.so.1``.

    Raises
    ------
    RulerMissingError
        If it is not built.
    """
    return _built("libcuda.so.1")


def floor() -> Path:
    """Return the path of the floor's C loops.

    Raises
    ------
    RulerMissingError
        If they are not built.
    """
    return _built("libfloor.so")


def control() -> Path:
    """Return the path of the module that controls the null driver."""
    return ROOT / "fastpaths" / "nulldriver" / "__init__.py"
