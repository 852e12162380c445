"""The four rooms may import what DESIGN's table allows, and nothing else."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("fastpaths", "benchmarks", "reports", "tests")
MEASURED = ("fastpaths", "cuda", "cupy", "torch")
# tomli is the standard library's tomllib for Python 3.10.
STANDARD = {*sys.stdlib_module_names, "tomllib", "tomli"}
EXCEPTIONS = {
    # `.handle` is an object of cuda.bindings where that is installed; nothing else may know of it.
    ("fastpaths/_handles.pyx", "cuda.bindings"),
    ("fastpaths/_handles.pyx", "cuda.bindings.driver"),
    # A script of the build, beside the module that it imports.
    ("fastpaths/generate_driver_table.py", "driver_api_rows"),
}
CYTHON = ("cython", "cpython", "libc", "posix")


def imports(path: Path, root: Path) -> Iterator[str]:
    """Absolute dotted names that a Python or Cython file imports, by statement or by call."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py" and path.suffix != ".pyi":
        for source in re.findall(r"^\s*(?:from\s+(\S+)\s+c?import|c?import\s+(.+))", text, re.M):
            yield from (name.split()[0] for name in (source[0] or source[1]).split(",") if name)
        return
    package = path.relative_to(root).parent.parts
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parent = package[: len(package) - node.level + 1] if node.level else ()
            yield ".".join([*parent, *([node.module] if node.module else [])])
        elif isinstance(node, ast.Call) and node.args:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func
            called = called.id if isinstance(called, ast.Name) else called
            first = node.args[0]
            if called in ("import_module", "__import__") and isinstance(first, ast.Constant):
                yield str(first.value)


def allowed(room: str, path: Path, name: str) -> bool:
    """One row of the table per room."""
    top = name.split(".")[0]
    if (path.as_posix(), name) in EXCEPTIONS:
        return True
    if top == "tests":
        return room == "tests"
    if room == "fastpaths":
        return top in (*STANDARD, *CYTHON, "fastpaths")
    if room == "reports":
        return top in (*STANDARD, "reports")
    if room == "benchmarks":
        in_adapter = "adapters" in path.parts
        return top != "reports" and (in_adapter or top not in MEASURED or top == "fastpaths")
    return True


def violations(root: Path) -> list[str]:
    found = []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py*")):
            if path.suffix in (".py", ".pyi", ".pyx", ".pxd"):
                relative = path.relative_to(root)
                found += [
                    f"{relative} imports {name}"
                    for name in imports(path, root)
                    if not allowed(room, relative, name)
                ]
    return found


def test_every_room_keeps_to_its_row() -> None:
    assert violations(ROOT) == []


def test_every_room_is_walked() -> None:
    assert all(list((ROOT / room).rglob("*.py")) for room in ("benchmarks", "reports", "tests"))


@pytest.mark.parametrize(
    ("place", "line", "name"),
    [
        ("reports/table.py", "import cupy", "cupy"),
        (
            "reports/table.py",
            "from benchmarks.operations import OPERATIONS",
            "benchmarks.operations",
        ),
        ("reports/table.py", "import numpy", "numpy"),
        ("reports/table.py", "def f():\n    import fastpaths", "fastpaths"),
        ("reports/table.py", "import importlib\nimportlib.import_module('torch')", "torch"),
        ("reports/pages/index.py", "from ...tests import builder", "tests"),
        ("benchmarks/event.py", "import cuda.core", "cuda.core"),
        ("benchmarks/event.py", "from cuda.bindings import driver", "cuda.bindings"),
        ("benchmarks/instruments/duet.py", "from torch import cuda", "torch"),
        ("benchmarks/event.py", "from reports import stats", "reports"),
        ("fastpaths/device.py", "from cuda.bindings import driver", "cuda.bindings"),
        ("fastpaths/device.pyx", "cimport numpy as np", "numpy"),
        ("fastpaths/device.pyx", "from benchmarks.driver cimport current", "benchmarks.driver"),
        ("fastpaths/device.pyi", "from cupy import ndarray", "cupy"),
        ("benchmarks/adapters/cupy.py", "import tests.builder", "tests.builder"),
    ],
)
def test_a_planted_import_is_found(tmp_path: Path, place: str, line: str, name: str) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True)
    path.write_text(f"{line}\n")
    assert violations(tmp_path) == [f"{place} imports {name}"]


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("benchmarks/adapters/cuda_core.py", "import cuda.core"),
        ("benchmarks/event.py", "import fastpaths"),
        ("benchmarks/event.py", "from .statement import Statement"),
        (
            "fastpaths/device.pyx",
            "from fastpaths._driver cimport check\nfrom libc.stdint cimport int32_t",
        ),
        ("reports/table.py", "import json\nfrom reports import stats\nfrom . import stats"),
        ("tests/test_event.py", "import cupy, reports, benchmarks, fastpaths"),
    ],
)
def test_what_the_table_allows_is_let_pass(tmp_path: Path, place: str, line: str) -> None:
    path = tmp_path / place
    path.parent.mkdir(parents=True)
    path.write_text(f"{line}\n")
    assert violations(tmp_path) == []
