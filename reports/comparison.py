"""A comparison is an object: one run's cells, their ratios, and everything that is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from reports import stats
from reports.documents import UnreadableError
from reports.likeness import Likeness, explain, likeness
from reports.results import AsvResults, Measurement, read_results
from reports.runs import Run, in_order

CUPY = "cupy"
FLOOR = "floor"


@dataclass(frozen=True)
class Ratio:
    """A quotient of two medians, and whether both sides make the same driver calls."""

    value: float
    likeness: Likeness


@dataclass(frozen=True)
class Cell:
    """One operation with one library: a value in the operation's unit, or the reason for none."""

    operation: str
    library: str
    status: str
    value: float | None = None
    unit: str = "ns"
    interval: tuple[float, float] | None = None
    samples: int = 0
    reason: str | None = None
    traced: bool = True
    to_cupy: Ratio | None = None
    to_floor: Ratio | None = None

    @property
    def unexpected(self) -> bool:
        """No number, and the run record gives no good reason for that."""
        return self.status in ("failed", "unexpected")


@dataclass(frozen=True)
class Comparison:
    """Operations x libraries of one run."""

    run: Run
    operations: Sequence[str]
    libraries: Sequence[str]
    cells: Mapping[tuple[str, str], Cell]
    differences: Sequence[str]
    unobservable: Mapping[str, str]
    problems: Sequence[str]

    @property
    def measured(self) -> list[Cell]:
        """The cells that hold a number."""
        return [cell for cell in self.cells.values() if cell.value is not None]

    @property
    def unexpected(self) -> list[Cell]:
        """The cells that should hold a number and do not."""
        return [cell for cell in self.cells.values() if cell.unexpected]

    @property
    def exit_status(self) -> int:
        """0 complete, 1 something is missing or unreadable, 2 there is no number at all."""
        if not self.measured:
            return 2
        return 1 if self.unexpected or self.problems else 0


def _cell(run: Run, operation: str, library: str, found: Measurement | None) -> Cell:
    status, reason = run.cells.get(
        (operation, library), ("unexpected", "the run record does not mention this cell")
    )
    unit = run.units[operation]
    if status != "expected":
        return Cell(operation, library, status, unit=unit, reason=reason or status)
    if found is None:
        reason = "expected, but asv has no number: see its output for the cause"
        return Cell(operation, library, "unexpected", unit=unit, reason=reason)
    factor = run.factor(operation)
    interval = stats.median_interval(found.values) if found.values else found.interval
    return Cell(
        operation,
        library,
        "measured",
        value=found.seconds * factor,
        unit=unit,
        interval=None if interval is None else (interval[0] * factor, interval[1] * factor),
        samples=found.samples,
        traced=run.traces.get((operation, library)) is not None,
    )


def _with_ratios(run: Run, cell: Cell, cells: Mapping[tuple[str, str], Cell]) -> Cell:
    def ratio(reference: str) -> Ratio | None:
        other = cells.get((cell.operation, reference))
        value = stats.ratio(cell.value, other.value if other else None)
        if value is None or reference == cell.library:
            return None
        return Ratio(value, likeness(run.traces, cell.operation, cell.library, reference))

    return replace(cell, to_cupy=ratio(CUPY), to_floor=ratio(FLOOR))


def _unobservable(run: Run, cells: Mapping[tuple[str, str], Cell]) -> dict[str, str]:
    """Per library with untraced cells, why, and for which operations if not for all."""
    found: dict[str, str] = {}
    for library in in_order([library for _, library in cells]):
        mine = [c for c in cells.values() if c.library == library and c.value is not None]
        blind = [c.operation for c in mine if not c.traced]
        if blind:
            where = "" if len(blind) == len(mine) else f" ({', '.join(blind)})"
            note = run.trace_notes.get(library, "the run record holds no trace")
            found[library] = f"{library}{where}: {note}"
    return found


def compare(run: Run, asv: AsvResults | None, problems: Sequence[str] = ()) -> Comparison:
    """Join a run record with asv's numbers."""
    libraries = in_order(list({library: None for _, library in run.cells}))
    measurements = asv.measurements if asv else {}
    bare = {
        (operation, library): _cell(run, operation, library, measurements.get((operation, library)))
        for operation in run.units
        for library in libraries
    }
    cells = {key: _with_ratios(run, cell, bare) for key, cell in bare.items()}
    explained = [explain(run.traces, operation, libraries, FLOOR) for operation in run.units]
    return Comparison(
        run=run,
        operations=list(run.units),
        libraries=libraries,
        cells=cells,
        differences=[line for line in explained if line],
        unobservable=_unobservable(run, cells),
        problems=[*problems, *(asv.problems if asv else ())],
    )


def compare_run(room: Path, run: Run, problems: Sequence[str] = ()) -> Comparison:
    """Join a run record with the asv file that it names, below ``results/`` of the room."""
    path = room / "results" / run.machine / run.results
    try:
        asv = read_results(path)
        if asv.machine != run.machine:
            raise UnreadableError(
                f"{path}: holds results of machine {asv.machine!r}, not of its folder"
            )
        if asv.commit != run.commit:
            raise UnreadableError(
                f"{path}: holds results of commit {asv.commit[:8]}, its run record {run.path.name}"
                f" is of {run.commit[:8]}"
            )
    except UnreadableError as error:
        return compare(run, None, [*problems, str(error)])
    return compare(run, asv, problems)
