"""What was done already, and what it was done from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path


class Stamps:
    """A file of names, each with a hash of what the thing was made from.

    Parameters
    ----------
    path : pathlib.Path
        The file; one that is missing or damaged means that nothing was done.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._done: dict[str, str] = {}
        try:
            stored = json.loads(path.read_text())
        except (OSError, ValueError):
            return
        if isinstance(stored, dict):
            self._done = stored

    def get(self, name: str) -> str | None:
        """Return what a thing was made from, or None if it is still to be made."""
        return self._done.get(name)

    def set(self, name: str, value: str) -> None:
        """Write down that a thing is made."""
        self._done[name] = value
        new = self._path.with_suffix(".new")
        new.write_text(json.dumps(self._done, indent=1))
        new.replace(self._path)


def digest(root: Path, names: Sequence[str]) -> str:
    """Return a hash of files, and of all files in folders, by their place under a root."""
    total = hashlib.sha256()
    for name in names:
        path = root / name
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                total.update(f"{file.relative_to(root)}\0".encode())
                total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()
