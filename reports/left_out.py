"""Which of asv's results ``asv publish`` passes over, and why: it says little or nothing itself."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from reports.documents import Fields, ReportError, UnreadableError, read_json, tidy
from reports.results import result_files

LISTED = 3


@dataclass(frozen=True)
class LeftOut:
    """One sentence; `broken` when the cause is a damaged file and not the history."""

    sentence: str
    broken: bool = False


def git(root: Path, *arguments: str) -> str | None:
    """What git prints, or None when it fails.

    Raises
    ------
    ReportError
        There is no git.
    """
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise ReportError(
            f"git cannot be started ({error.strerror}); install it, asv files results by commit"
        ) from error
    return done.stdout.strip() if done.returncode == 0 else None


def existing_branches(root: Path, configured: Sequence[str]) -> list[str]:
    """Those of the configured branches that this clone has."""
    return [
        name
        for name in configured
        if git(root, "rev-parse", "--verify", "-q", f"{name}^{{commit}}")
    ]


def published_commits(root: Path, branches: Sequence[str]) -> set[str]:
    """The commits that asv draws: each branch's first parents, and the tagged ones."""
    found: set[str] = set()
    for name in branches:
        found.update((git(root, "rev-list", "--first-parent", name, "--") or "").split())
    for tag in (git(root, "tag", "-l") or "").split():
        found.update((git(root, "rev-list", "-n", "1", tag) or "").split())
    return found


def _some(names: Iterable[str]) -> str:
    names = sorted(names)
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more" if more > 0 else "")


def _not_current(found: Fields, benchmarks: Fields) -> tuple[list[str], list[str]]:
    """Benchmarks of a file that are no longer known, and those whose version has changed."""
    columns = found.items("result_columns")
    place = columns.index("version") if "version" in columns else None
    unknown, outdated = [], []
    for name, row in found.table("results").data.items():
        if name not in benchmarks.data:
            unknown.append(tidy(name))
            continue
        current = benchmarks.table(name).data.get("version")
        version = row[place] if isinstance(row, list) and place and len(row) > place else None
        if version is not None and version != current:
            outdated.append(tidy(name))
    return unknown, outdated


def _of_file(
    path: Path, root: Path, branches: Sequence[str], commits: set[str], benchmarks: Fields
) -> Iterable[LeftOut]:
    machine = read_json(path.parent / "machine.json").text("machine")
    found = read_json(path)
    commit = found.text("commit_hash")
    if commit not in commits:
        if git(root, "cat-file", "-e", f"{commit}^{{commit}}") is None:
            reason = "is not in this clone: fetch it (a shallow clone: `git fetch --unshallow`)"
        else:
            reason = f"is on no branch that asv.conf.json lists ({', '.join(branches)})"
        yield LeftOut(f"{path.name} of {machine} is left out: its commit {commit[:8]} {reason}")
        return
    unknown, outdated = _not_current(found, benchmarks)
    if unknown:
        yield LeftOut(
            f"{path.name} of {machine}: {len(unknown)} benchmarks are left out, they no longer"
            f" exist: {_some(unknown)}"
        )
    if outdated:
        yield LeftOut(
            f"{path.name} of {machine}: {len(outdated)} benchmarks are left out, their version"
            f" has changed since: {_some(outdated)}"
        )


def left_out(root: Path, results: Path, branches: Sequence[str]) -> list[LeftOut]:
    """One sentence for everything below `results` that asv will not publish.

    Raises
    ------
    UnreadableError
        ``benchmarks.json``, without which asv publishes nothing, cannot be read.
    """
    benchmarks = read_json(results / "benchmarks.json")
    commits = published_commits(root, branches)
    found: list[LeftOut] = []
    for path in result_files(results):
        try:
            found += _of_file(path, root, branches, commits, benchmarks)
        except UnreadableError as error:
            found.append(LeftOut(f"{path.name} is left out: {error}", broken=True))
    return found
