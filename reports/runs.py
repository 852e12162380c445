"""Run records: what `make bench` set out to measure, on what, and why a cell may be empty."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reports.documents import Fields, ReportError, UnreadableError, read_json, tidy

ROOM = Path(__file__).resolve().parent
SCHEMA = 1
SCRATCH = "scratch"
LIBRARIES = ("cuda.core", "cupy", "fastpaths", "torch", "floor")
STATUSES = ("expected", "unsupported", "missing", "failed")
UNITS = {"ns": 1e9, "ms": 1e3}

Calls = tuple[str, ...]
Cells = dict[tuple[str, str], tuple[str, str | None]]


@dataclass(frozen=True)
class Library:
    """A measured library and the packages its speed depends on."""

    version: str
    requires: Mapping[str, str]

    def __str__(self) -> str:
        """Version, with what it requires in brackets."""
        pins = ", ".join(f"{name} {version}" for name, version in sorted(self.requires.items()))
        return f"{self.version} ({pins})" if pins else self.version


@dataclass(frozen=True)
class Driver:
    """The driver of a run; `kind` is ``nvidia`` or ``null``, and results of the two never mix."""

    kind: str
    version: str
    release: str | None

    def __str__(self) -> str:
        """One phrase for a header."""
        if self.kind == "null":
            return f"null driver (CUDA {self.version})"
        return f"NVIDIA driver {self.release or 'of unknown release'} (CUDA {self.version})"


@dataclass(frozen=True)
class Run:
    """One run record."""

    path: Path
    machine: str
    commit: str
    dirty: bool
    date: str
    results: str
    driver: Driver
    gpu: str | None
    cpu: str
    python: str
    libc: str
    kernel: str
    loop: int
    libraries: Mapping[str, Library]
    units: Mapping[str, str]
    cells: Mapping[tuple[str, str], tuple[str, str | None]]
    traces: Mapping[tuple[str, str], Calls | None]
    trace_notes: Mapping[str, str]

    def factor(self, operation: str) -> float:
        """What asv's seconds are multiplied with to give the operation's unit."""
        unit = self.units[operation]
        return UNITS[unit] / (self.loop if unit == "ns" else 1)


def in_order(libraries: Sequence[str]) -> list[str]:
    """The usual order of columns; libraries this version does not know come last, by name."""
    known = [name for name in LIBRARIES if name in libraries]
    return known + sorted(set(libraries) - set(LIBRARIES))


def read_libraries(fields: Fields) -> dict[str, Library]:
    """The ``libraries`` table that run records and duet results share."""
    found = {}
    for name, entry in fields.entries("libraries"):
        requires = entry.table("requires") if entry.data.get("requires") is not None else None
        pins = {tidy(key): requires.text(key) for key in requires.data} if requires else {}
        found[name] = Library(entry.optional_text("version") or "unknown", pins)
    return found


def read_driver(fields: Fields) -> Driver:
    """The ``driver`` table that run records and duet results share."""
    driver = fields.table("driver")
    kind = driver.text("kind")
    if kind not in ("null", "nvidia"):
        raise UnreadableError(f"{driver.where}: kind {kind!r} is neither 'null' nor 'nvidia'")
    return Driver(kind, driver.text("version"), driver.optional_text("release"))


def _cells(fields: Fields, units: Mapping[str, str]) -> Cells:
    cells = {}
    for cell in fields.tables("cells"):
        key = cell.text("operation"), cell.text("library")
        status = cell.text("status")
        if status not in STATUSES:
            raise UnreadableError(
                f"{cell.where}: status {status!r} is none of {', '.join(STATUSES)}"
            )
        if key[0] not in units:
            raise UnreadableError(f"{cell.where}: operation {key[0]!r} is not in 'operations'")
        if key in cells:
            raise UnreadableError(f"{cell.where}: {key[0]}, {key[1]} is listed twice")
        cells[key] = status, cell.optional_text("reason")
    return cells


def _traces(fields: Fields) -> dict[tuple[str, str], Calls | None]:
    traces: dict[tuple[str, str], Calls | None] = {}
    for operation, sides in fields.entries("traces"):
        for library, calls in sides.data.items():
            if calls is not None and not (
                isinstance(calls, list) and all(isinstance(call, str) for call in calls)
            ):
                raise UnreadableError(
                    f"{sides.where}: {library!r} is neither a list of calls nor null"
                )
            traces[operation, library] = None if calls is None else tuple(map(tidy, calls))
    return traces


def read_run(path: Path) -> Run:
    """Read one run record; `UnreadableError` names the file and the first field that is wrong."""
    fields = read_json(path)
    if fields.data.get("schema") != SCHEMA:
        raise UnreadableError(f"{path}: is not a run record of schema {SCHEMA}")
    machine, commit, results = fields.text("machine"), fields.text("commit"), fields.text("results")
    if Path(results).name != results or machine in ("", ".", "..") or "/" in machine:
        raise UnreadableError(f"{path}: 'machine' and 'results' must be plain names")
    if not re.fullmatch(r"[0-9a-f]{40}", commit):
        raise UnreadableError(f"{path}: 'commit' is not a commit id of 40 hex digits")
    units = {name: entry.text("unit") for name, entry in fields.entries("operations")}
    for name, unit in units.items():
        if unit not in UNITS:
            raise UnreadableError(
                f"{path}: unit {unit!r} of operation {name} is none of {', '.join(UNITS)}"
            )
    notes = fields.table("trace_notes") if fields.data.get("trace_notes") is not None else None
    return Run(
        path=path,
        machine=machine,
        commit=commit,
        dirty=fields.flag("dirty"),
        date=fields.text("date"),
        results=results,
        driver=read_driver(fields),
        gpu=fields.optional_text("gpu"),
        cpu=fields.text("cpu"),
        python=fields.text("python"),
        libc=fields.text("libc"),
        kernel=fields.text("kernel"),
        loop=fields.count("loop"),
        libraries=read_libraries(fields),
        units=units,
        cells=_cells(fields, units),
        traces=_traces(fields),
        trace_notes={tidy(key): notes.text(key) for key in notes.data} if notes else {},
    )


def read_runs(room: Path, machine: str | None = None) -> tuple[list[Run], list[str]]:
    """Every readable run record below ``runs/``, oldest first, and a sentence for each other.

    Raises
    ------
    ReportError
        A machine was named that has no folder.
    """
    folder = room / "runs"
    if machine is not None and not (folder / machine).is_dir():
        known = sorted(p.name for p in folder.glob("*") if p.is_dir())
        names = ", ".join(known) or "none yet: run `make bench`"
        raise ReportError(f"no runs of machine {machine!r}; the machines are: {names}")
    runs, problems = [], []
    for path in sorted(folder.glob(f"{machine or '*'}/*.json")):
        if path.parent.name == SCRATCH:
            continue
        try:
            run = read_run(path)
            if run.machine != path.parent.name:
                raise UnreadableError(f"{path}: is a record of another machine, {run.machine!r}")
        except UnreadableError as error:
            problems.append(str(error))
        else:
            runs.append(run)
    return sorted(runs, key=lambda run: (run.date, run.path.name)), problems
