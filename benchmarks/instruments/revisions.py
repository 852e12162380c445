"""The sources of fastpaths at a git revision, or as the working tree has them."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from .side import InstrumentError

WORKTREE = "worktree"
SOURCES = ("fastpaths", "meson.build", "pyproject.toml")
"""What a wheel's code depends on; its other files change nothing that can be measured."""


def source_ids(root: Path, revision: str) -> dict[str, str]:
    """Return git's object id of each of the `SOURCES` at a revision.

    Raises
    ------
    InstrumentError
        The revision is unknown, or has no fastpaths.
    """
    tree = tree_of(root, revision)
    ids = {}
    for path in SOURCES:
        done = _git(root, "rev-parse", "--verify", "-q", f"{tree}:{path}")
        if done.returncode:
            raise InstrumentError(f"revision {revision} has no {path}: it is from before fastpaths")
        ids[path] = done.stdout.decode().strip()
    return ids


def export(root: Path, revision: str, folder: Path) -> None:
    """Write all files of a revision to a folder."""
    done = _git(root, "archive", "--format=tar", tree_of(root, revision))
    if done.returncode:
        raise InstrumentError(f"git archive {revision}: {done.stderr.decode().strip()}")
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        if sys.version_info >= (3, 12):
            archive.extractall(folder, filter="data")
        else:
            archive.extractall(folder)


def tree_of(root: Path, revision: str) -> str:
    """Return the id of a revision's tree; of the working tree's, files not yet added included."""
    if revision == WORKTREE:
        return _working_tree(root)
    done = _git(root, "rev-parse", "--verify", "-q", "--end-of-options", f"{revision}^{{tree}}")
    if done.returncode:
        shallow = _git(root, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true"
        remedy = (
            "this clone is shallow, so `git fetch --unshallow` may bring it"
            if shallow
            else "`git fetch` it, or give another"
        )
        raise InstrumentError(f"unknown revision {revision!r}: {remedy}")
    return done.stdout.decode().strip()


def _working_tree(root: Path) -> str:
    """Write the working tree into git's object store through an index of its own."""
    with tempfile.TemporaryDirectory(prefix="index-") as scratch:
        index = Path(scratch, "index")
        real = root / _git(root, "rev-parse", "--git-path", "index").stdout.decode().strip()
        if real.exists():
            shutil.copy2(real, index)  # its time tells git which files may have changed since
        for arguments in (["add", "--all"], ["write-tree"]):
            done = _git(root, *arguments, index=index)
            if done.returncode:
                raise InstrumentError(f"git {arguments[0]}: {done.stderr.decode().strip()}")
    return done.stdout.decode().strip()


def _git(
    root: Path, *arguments: str, index: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, **({"GIT_INDEX_FILE": str(index)} if index else {})}
    try:
        return subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, env=environment, check=False
        )
    except OSError as error:
        raise InstrumentError(f"git cannot be run ({error}): install git") from error
