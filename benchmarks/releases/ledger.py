"""The ledger: a git repository with one commit per upstream release, for asv to walk.

Everything that goes into a commit hash is fixed by the data file, so the same hashes come out on
every machine and results measured on different machines merge.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from .data import Release

_WHO = "release ledger <ledger@localhost>"
REQUIREMENTS = "requirements.txt"


class LedgerError(RuntimeError):
    """The ledger cannot be made; the message says what to do."""


def build(axis: str, releases: Sequence[Release], folder: Path) -> dict[str, str]:
    """Make the ledger of an axis anew.

    Parameters
    ----------
    axis : str
        The package whose releases are the commits.
    releases : sequence of Release
        The releases, oldest first.
    folder : pathlib.Path
        Where the repository is put; an older ledger there is replaced in one step.

    Returns
    -------
    dict
        Version to commit hash.

    Raises
    ------
    LedgerError
        If git is missing or fails.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        _git(new, "init", "--quiet", "--object-format=sha1", "--initial-branch=main")
        _git(new, "fast-import", "--quiet", stream=_stream(axis, releases))
        hashes = {release.version: _hash(new, release.version) for release in releases}
        _git(new, "reset", "--quiet", "--hard", "main")
        if folder.exists():
            shutil.rmtree(folder)
        new.rename(folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return hashes


def _hash(folder: Path, version: str) -> str:
    return _git(folder, "rev-parse", f"refs/tags/{version}^{{commit}}").strip()


def _stream(axis: str, releases: Sequence[Release]) -> str:
    parts = []
    for mark, release in enumerate(releases, 1):
        moment = datetime.strptime(release.date, "%Y-%m-%dT%H:%M:%SZ")
        when = f"{int(moment.replace(tzinfo=timezone.utc).timestamp())} +0000"
        message = f"{axis} {release.version}\n"
        parts += [
            f"commit refs/heads/main\nmark :{mark}\n",
            f"author {_WHO} {when}\ncommitter {_WHO} {when}\n",
            _data(message),
            f"from :{mark - 1}\n" if mark > 1 else "",
            f"M 100644 inline {REQUIREMENTS}\n",
            _data(release.requirements()),
            f"reset refs/tags/{release.version}\nfrom :{mark}\n\n",
        ]
    return "".join(parts)


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}\n"


def _git(folder: Path, *arguments: str, stream: str | None = None) -> str:
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(command, input=stream, capture_output=True, text=True, check=True)
    except FileNotFoundError as error:
        raise LedgerError("git is not installed: install it, the ledger is a repository") from error
    except subprocess.CalledProcessError as error:
        raise LedgerError(f"git {arguments[0]} failed: {error.stderr.strip()}") from error
    return done.stdout
