"""Where the control module finds the library."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

NAME = "libcuda.so.1"
FIND_BY_PATH = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("control", sys.argv[1] + "/__init__.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
"""
FIND_BY_NAME = """
import sys
sys.path.insert(0, sys.argv[2])
import fastpaths.nulldriver as module
"""
# What an editable install's loader does: the module from the sources, its files from the build.
FIND_EDITABLE = """
import importlib.machinery, importlib.util, pathlib, sys
try:
    from importlib.resources.abc import TraversableResources
except ImportError:  # before Python 3.11
    from importlib.abc import TraversableResources

class Files(TraversableResources):
    def files(self):
        return pathlib.Path(sys.argv[3])

class Loader(importlib.machinery.SourceFileLoader):
    def get_resource_reader(self, name):
        return Files()

spec = importlib.util.spec_from_loader("editable", Loader("editable", sys.argv[1] + "/__init__.py"))
module = importlib.util.module_from_spec(spec)
sys.modules["editable"] = module
spec.loader.exec_module(module)
"""
ANSWER = """
import json
try:
    print(json.dumps(str(module.library_path())))
except FileNotFoundError as error:
    print(json.dumps([str(error)]))
"""


class Tree:
    """A source tree that has only the control module."""

    def __init__(self, root: Path, control: Any) -> None:
        self.root = root.resolve()
        self.module = self.root / "fastpaths" / "nulldriver"
        self.elsewhere = self.root / "elsewhere"
        for folder in (self.module, self.elsewhere):
            folder.mkdir(parents=True)
        (self.module.parent / "__init__.py").touch()
        shutil.copyfile(control.__file__, self.module / "__init__.py")

    def library(self, folder: Path, modified: int = 1_000_000) -> str:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / NAME
        path.touch()
        os.utime(path, (modified, modified))
        return str(path)

    def found(self, code: str) -> Any:
        places = self.module, self.root, self.elsewhere
        done = subprocess.run(
            [sys.executable, "-I", "-c", code + ANSWER, *places],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture
def tree(tmp_path: Path, control: Any) -> Tree:
    return Tree(tmp_path / "tree", control)


ways = pytest.mark.parametrize("code", [FIND_BY_PATH, FIND_BY_NAME], ids=["by path", "by name"])


@ways
def test_a_source_tree_without_a_build_says_what_to_do(tree: Tree, code: str) -> None:
    (message,) = tree.found(code)
    assert "run `make build`" in message
    assert "install fastpaths" in message


@ways
def test_the_newest_build_of_a_source_tree(tree: Tree, code: str) -> None:
    ruler = tree.root / "build" / "ruler"
    tree.library(ruler / "a", modified=1_000_000)
    newest = tree.library(ruler / "b", modified=3_000_000)
    tree.library(ruler / "c", modified=2_000_000)
    assert tree.found(code) == newest


@ways
def test_the_installed_library_comes_first(tree: Tree, code: str) -> None:
    tree.library(tree.root / "build" / "ruler", modified=2_000_000)
    installed = tree.library(tree.module)
    assert tree.found(code) == installed


def test_an_editable_installs_build(tree: Tree) -> None:
    tree.library(tree.root / "build" / "ruler")
    built = tree.library(tree.elsewhere)
    assert tree.found(FIND_EDITABLE) == built


def test_an_editable_install_whose_build_was_removed(tree: Tree) -> None:
    ruler = tree.library(tree.root / "build" / "ruler")
    assert tree.found(FIND_EDITABLE) == ruler
