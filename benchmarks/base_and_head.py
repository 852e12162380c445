"""What the gate judges: fastpaths at two revisions, measured by all instruments, as files.

Everything goes into ``build/gate``, file by file as it is measured, so that an interruption keeps
what there is. ``python -m reports gate`` reads it, and names the duets to be played again.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import driver, provenance, record
from .instruments.builds import LIBRARY, build_side
from .instruments.controlled import NoValgrindError
from .instruments.count import count
from .instruments.count_result import CountResult
from .instruments.duet import Duet, Limits
from .instruments.duet_result import DuetResult
from .instruments.results_file import write_results
from .instruments.side import InstrumentError, Side
from .instruments.trace import trace, write_traces
from .operations import LOOPED, OPERATIONS
from .search_path import ROOT

FOLDER = ROOT / "build" / "gate"
BASE, HEAD = "base", "head"
WORKTREE = "worktree"
OTHERS = ("cupy", "cuda.core", "floor")
PROMISED = ("device.current", "device.set_current", "event.create", "event.record", "stream.create")
_LIMITS = Limits(width=0.01, seconds=1.0)


class RevisionError(RuntimeError):
    """A revision cannot be measured; the message says what to do."""


def main(argv: Sequence[str]) -> int:
    """Run the verb ``compare``: 0 measured, 2 not, and what was measured so far is kept."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks compare", description=__doc__)
    parser.add_argument("base", help="the revision that head is held against")
    parser.add_argument("head", nargs="?", default=WORKTREE, help="default: the working tree")
    parser.add_argument("--again", type=Path, metavar="FILE", help="play these suspects again")
    options = parser.parse_args(argv)
    try:
        sides = {BASE: _side(options.base, BASE), HEAD: _side(options.head, HEAD)}
        if options.again:
            _play_again(sides, options.again)
        else:
            _measure(sides, {BASE: options.base, HEAD: options.head})
    except (RevisionError, InstrumentError, driver.DriverError, OSError) as error:
        print(f"compare: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("compare: interrupted; what was measured so far is kept", file=sys.stderr)
        return 2
    return 0


def _side(revision: str, label: str) -> Side:
    if revision != WORKTREE and commit_of(revision) is None:
        shallow = _git("rev-parse", "--is-shallow-repository") == "true"
        remedy = "fetch the whole history (git fetch --unshallow)" if shallow else "check its name"
        raise RevisionError(f"git knows no revision {revision!r}: {remedy}")
    print(f"compare: building {label}, {revision}, unless it was built before", flush=True)
    return replace(build_side(revision), label=label)


def commit_of(revision: str) -> str | None:
    """Return the commit of a revision, or None if git knows none of that name."""
    return _git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")


def _git(*arguments: str) -> str | None:
    command = ["git", "-C", str(ROOT), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise RevisionError(f"git cannot be run ({error}): install it") from error
    return done.stdout.strip() if done.returncode == 0 else None


def _measure(sides: dict[str, Side], names: dict[str, str]) -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    manifest = _manifest(names)
    record.write_json(FOLDER / "gate.json", {**manifest, "interrupted": True})
    for label, side in sides.items():
        others = OTHERS if label == HEAD else ()
        _count(label, [side, *map(Side, others)])
        print(f"compare: tracing {label}", flush=True)
        write_traces(FOLDER / f"traces-{label}.json", [trace(replace(side, label=LIBRARY), LOOPED)])
    everything = [name for name in LOOPED if OPERATIONS[name].group != "helpers"]
    _play(sides[HEAD], sides[BASE], everything, FOLDER / "duets.json")
    for other in OTHERS:
        _play(sides[HEAD], Side(other), PROMISED, FOLDER / f"duets-{other}.json")
    record.write_json(FOLDER / "gate.json", {**manifest, "interrupted": False})


def _manifest(names: dict[str, str]) -> dict[str, Any]:
    head, dirty = provenance.revision()
    described = {
        label: {
            "name": name,
            "commit": head if name == WORKTREE else commit_of(name),
            "dirty": dirty if name == WORKTREE else False,
            "failure": None,
        }
        for label, name in names.items()
    }
    return {"schema": 1, "operations": list(LOOPED), **described}


def _count(label: str, sides: Sequence[Side]) -> None:
    results: list[CountResult] = []
    skipped: list[dict[str, str]] = []
    for side in sides:
        print(f"compare: counting the instructions of {side.name}", flush=True)
        try:
            found = count(side, LOOPED)
        except NoValgrindError as error:
            print(f"compare: {error}", file=sys.stderr)
            return
        except InstrumentError as error:
            failures = dict.fromkeys(LOOPED, error.failure)
        else:
            results += found.results.values()
            failures = found.failures
        skipped += [
            {"operation": name, "library": side.library, **failure}
            for name, failure in failures.items()
        ]
    write_results(FOLDER / f"counts-{label}.json", "count", results, skipped)


def _play(a: Side, b: Side, operations: Sequence[str], path: Path) -> None:
    print(f"compare: {a.name} and {b.name} take turns", flush=True)
    results: list[DuetResult] = []
    skipped: list[dict[str, str]] = []
    with Duet(a, b) as both:
        for name in operations:
            try:
                results.append(both.measure(name, _LIMITS))
            except InstrumentError as error:
                skipped.append({"operation": name, **error.failure})
    write_results(path, "duet", results, skipped)


def _play_again(sides: dict[str, Side], suspects: Path) -> None:
    """Play suspects twice more, each time with fresh processes."""
    try:
        found = json.loads(suspects.read_text(encoding="utf-8"))
        pairs = [(one["operation"], one["b"]) for one in found]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RevisionError(
            f"{suspects} holds no suspects ({error}): run the gate first"
        ) from error
    for turn in (2, 3):
        for other in dict.fromkeys(b for _, b in pairs):
            side = sides[BASE] if other == BASE else Side(other)
            operations = [operation for operation, b in pairs if b == other]
            _play(sides[HEAD], side, operations, FOLDER / f"duets-{other}-{turn}.json")
