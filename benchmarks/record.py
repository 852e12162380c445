"""The run record: what a run set out to measure, on what, and why a cell may be empty.

asv's result files hold times. They hold no GPU, no driver, no reason for a skip and no driver
calls; the record beside them does, and ``reports`` reads both.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from . import machine
from .adapters import LIBRARIES
from .operations import OPERATIONS
from .suite import LOOP
from .survey import EXPECTED

SCHEMA = 1
_FROM_PROVENANCE = ("commit", "dirty", "date", "driver", "gpu", "cpu", "python", "libc", "kernel")


def take_traces(surveys: Mapping[str, Any]) -> dict[str, Any]:
    """Return the driver calls of every operation that can be measured, and notes on those of none.

    Returns
    -------
    dict
        ``traces``: operation to library to list of calls, or None if not observable;
        ``trace_notes``: library to the reason why.
    """
    from .instruments.trace import trace

    traces: dict[str, dict[str, list[str] | None]] = {}
    notes: dict[str, str] = {}
    for library, found in surveys.items():
        wanted = [c["operation"] for c in found["cells"] if c["status"] == EXPECTED]
        wanted = [operation for operation in wanted if OPERATIONS[operation].unit == "ns"]
        if not wanted:
            continue
        print(f"run: tracing the driver calls of {library}", flush=True)
        outcome = trace(library, wanted)
        for operation, calls in outcome.calls.items():
            traces.setdefault(operation, {})[library] = calls
        if outcome.note:
            notes[library] = outcome.note
    return {"traces": traces, "trace_notes": notes}


def libraries(surveys: Mapping[str, Any], origins: Mapping[str, Any]) -> dict[str, Any]:
    """Return version, origin and requirements of each library that was measured."""
    found: dict[str, Any] = {}
    for library in LIBRARIES:
        versions = dict(surveys.get(library, {}).get("versions", {}))
        if not versions:
            continue
        package = next(iter(versions))
        version = versions.pop(package)
        origin = origins.get(package, {}).get("origin", "unknown")
        found[library] = {"version": version, "origin": origin, "requires": versions}
    found["floor"] = {"version": "C loop", "origin": "working tree", "requires": {}}
    return found


def write(
    room: Path,
    origin: Mapping[str, Any],
    surveys: Mapping[str, Any],
    traces: Mapping[str, Any],
    environment: str,
) -> Path:
    """Write the record of a run below a room's ``runs`` and return its path."""
    name = f"{origin['commit'][:8]}-{environment}.json"
    document = {
        "schema": SCHEMA,
        **{key: origin[key] for key in _FROM_PROVENANCE},
        "machine": machine.name(),
        "results": name,
        "libraries": libraries(surveys, origin["libraries"]),
        "packages": origin["libraries"],
        "cores": origin["cores"],
        "governor": origin["governor"],
        "loop": LOOP,
        "operations": {
            entry.name: {key: value for key, value in asdict(entry).items() if key != "name"}
            for entry in OPERATIONS.values()
        },
        "cells": [cell for found in surveys.values() for cell in found["cells"]],
        **traces,
    }
    path = room / "runs" / machine.name() / name
    write_json(path, document)
    return path


def write_json(path: Path, document: object) -> None:
    """Replace a file in one step: an interrupted write leaves the old one as it was.

    Raises
    ------
    OSError
        If the folder cannot be written to.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:60]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(json.dumps(document, indent=1, sort_keys=False) + "\n")
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
