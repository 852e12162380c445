"""Start one worker with the working tree's `benchmarks` and the side's own libraries.

Run as a file: ``python boot.py MODULE PYTHONPATH ARGUMENT...``. The harness is loaded by its
place, not by the search path, so that the ruler is always the working tree's and the source
folder ``fastpaths`` beside it never hides an installed build. Directories of PYTHONPATH come
before everything else, editable installs included.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType


class FirstIn:
    """A meta path finder that answers top-level imports from some directories first."""

    def __init__(self, directories: Sequence[str]) -> None:
        """Answer from `directories`, in this order."""
        self.directories = list(directories)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a top-level module; a namespace package is left to the ordinary search."""
        if path is not None:
            return None
        spec = PathFinder.find_spec(name, self.directories)
        return spec if spec is not None and spec.loader is not None else None


def _load_harness() -> None:
    folder = Path(__file__).resolve().parent.parent
    spec = importlib.util.spec_from_file_location(
        "benchmarks", folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder} is not a package")
    package = importlib.util.module_from_spec(spec)
    sys.modules["benchmarks"] = package
    spec.loader.exec_module(package)


def _main() -> int:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != here]
    module, pythonpath, *arguments = sys.argv[1:]
    if pythonpath:
        sys.meta_path.insert(0, FirstIn(pythonpath.split(os.pathsep)))
    _load_harness()
    status: int = importlib.import_module(module).main(arguments)
    return status


if __name__ == "__main__":
    sys.exit(_main())
