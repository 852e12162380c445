"""The driver calls that one operation makes, in order, and whether two sides make the same."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .builds import named_side
from .once import ask_once
from .results_file import write_results
from .side import Failure, InstrumentError, Side

WORKER = "benchmarks.instruments.trace_worker"
_TIMEOUT = 180.0

Calls = list[str]


@dataclass(frozen=True)
class Traces:
    """The driver calls of a library's operations.

    Attributes
    ----------
    library : str
        The side's name.
    calls : dict of str to list of str or None
        Operation to its driver calls, by plain name (no ``_v2``, no ``_ptsz``); None where they
        were not observed.
    failures : dict of str to Failure
        Operation to what stands in place of its calls.
    note : str or None
        Why nothing of this library was observed.
    identity : dict
        Versions, interpreter and driver of the side.
    """

    library: str
    calls: dict[str, Calls | None]
    failures: dict[str, Failure]
    note: str | None
    identity: dict[str, Any]


def trace(side: Side | str, operations: Sequence[str]) -> Traces:
    """Trace operations of one library in a fresh process.

    Parameters
    ----------
    side : Side or str
        A side, or the name of a library of this interpreter.
    operations : sequence of str
        Catalogued operations that are looped.

    Returns
    -------
    Traces
        Nothing is raised for a library that is missing or a worker that dies: the note says so.
    """
    side = Side(side) if isinstance(side, str) else side
    try:
        reply = ask_once(side, WORKER, {"operations": list(operations)}, timeout=_TIMEOUT)
    except InstrumentError as error:
        failures = dict.fromkeys(operations, error.failure)
        return Traces(side.name, dict.fromkeys(operations), failures, str(error), {})
    calls = {name: reply["calls"].get(name) for name in operations}
    failures = reply["failures"]
    if note := reply.get("note"):
        failures = {name: {"status": "unobserved", "reason": note} for name in operations}
    return Traces(side.name, calls, failures, note, reply["identity"])


def like_for_like(one: Sequence[str] | None, other: Sequence[str] | None) -> bool | None:
    """Return whether two sides make the same driver calls in the same order; None if unknown."""
    if one is None or other is None:
        return None
    return list(one) == list(other)


def in_words(calls: Sequence[str]) -> str:
    """Return calls as one phrase, repeated ones counted: ``cuEventRecord (2)``.

    >>> in_words(["cuEventRecord", "cuEventRecord", "cuEventQuery"])
    'cuEventRecord (2), cuEventQuery'
    """
    parts: list[tuple[str, int]] = []
    for call in calls:
        if parts and parts[-1][0] == call:
            parts[-1] = (call, parts[-1][1] + 1)
        else:
            parts.append((call, 1))
    words = [call if count == 1 else f"{call} ({count})" for call, count in parts]
    return ", ".join(words) or "no driver call"


@dataclass(frozen=True)
class _Row:
    traces: Traces
    operation: str
    made: Calls

    def as_json(self) -> dict[str, Any]:
        return {
            "operation": self.operation,
            "library": self.traces.library,
            "calls": self.made,
            "counts": dict(Counter(self.made)),
            **self.traces.identity,
        }


def main(argv: list[str]) -> int:
    """Run the verb ``trace``: 0 traced, 2 something failed or nothing was traced."""
    from ..adapters import LIBRARIES
    from ..operations import LOOPED

    arguments = _parser().parse_args(argv)
    names = arguments.operation or list(LOOPED)
    libraries = arguments.library or list(LIBRARIES)
    if unknown := [name for name in names if name not in LOOPED]:
        print(f"trace: no operation {unknown[0]!r}; there are {', '.join(LOOPED)}", file=sys.stderr)
        return 2
    found = []
    for library in libraries:
        try:
            found.append(trace(named_side(library), names))
        except InstrumentError as error:
            print(f"trace: {error}", file=sys.stderr)
            return 2
        if note := found[-1].note:
            print(f"trace: {note if library in note else f'{library}: {note}'}", file=sys.stderr)
    width = max(len(traces.library) for traces in found)
    for name in names:
        print(name)
        for traces in found:
            made = traces.calls[name]
            if made is not None:
                print(f"  {traces.library:<{width}} {in_words(made)}")
            elif not traces.note:  # which is shown already
                print(f"  {traces.library:<{width}} - ({traces.failures[name]['reason']})")
    if arguments.json:
        write_traces(arguments.json, found)
    rows, skipped = _rows(found)
    failed = any(one["status"] in ("failed", "unknown") for one in skipped)
    return 2 if failed or not rows else 0


def _rows(found: Sequence[Traces]) -> tuple[list[_Row], list[dict[str, str]]]:
    """Return what was traced, and the reason for each operation that was not."""
    rows, skipped = [], []
    for traces in found:
        for name, made in traces.calls.items():
            if made is not None:
                rows.append(_Row(traces, name, made))
            else:
                failure = {**traces.failures[name]}
                skipped.append({"operation": name, "library": traces.library, **failure})
    return rows, skipped


def write_traces(path: Path, found: Sequence[Traces]) -> None:
    """Write the traces of some libraries as the verb does."""
    write_results(path, "trace", *_rows(found))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks trace", description=__doc__)
    parser.add_argument("operation", nargs="*", help="operations; all of them unless given")
    parser.add_argument(
        "--library",
        action="append",
        metavar="L",
        help="these sides alone: a library, fastpaths@REVISION, or fastpaths@WHEEL",
    )
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser
