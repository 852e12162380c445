"""The table: operation x library, on a terminal, as Markdown or as JSON."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reports import figures
from reports.comparison import Cell, Comparison, Ratio, compare_run
from reports.documents import ReportError
from reports.likeness import Likeness
from reports.runs import ROOM, read_run, read_runs

WIDTH = 100
SIGNS = tuple(sign.value for sign in Likeness if sign.value)
SEPARATE = (
    "Each cell was timed in a process of its own: ratios show the order of magnitude only."
    " Duet results (two processes taking turns on one core) are the reliable ratios."
)


def header(comparison: Comparison) -> list[str]:
    """What was measured, on what: one line per subject."""
    run = comparison.run
    libraries = [
        f"{name} {run.libraries.get(name, 'not installed')}" for name in comparison.libraries
    ]
    samples = figures.span([cell.samples for cell in comparison.measured])
    return [
        f"{run.gpu or 'no GPU'}; {run.driver}; machine {run.machine}",
        f"{run.cpu}; Python {run.python}; {run.libc}; {run.kernel}",
        "; ".join(libraries),
        f"commit {run.commit[:8]}{' with uncommitted changes' if run.dirty else ''}; {run.date};"
        f" {samples} samples per cell, {run.loop} operations per sample",
    ]


class Footnotes:
    """Reasons, each numbered once however many cells it explains."""

    def __init__(self) -> None:
        """Begin with no note."""
        self.numbers: dict[str, int] = {}

    def mark(self, cell: Cell) -> str:
        """``[1]`` for a cell without a number."""
        alarm = "!" if cell.unexpected else ""
        reason = f"{cell.status}: {cell.reason}"
        return f"[{self.numbers.setdefault(reason, len(self.numbers) + 1)}]{alarm}"

    def lines(self) -> list[str]:
        """The notes in order."""
        return [f"[{number}] {reason}" for reason, number in self.numbers.items()]


def _time(cell: Cell, notes: Footnotes) -> str:
    if cell.value is None:
        return notes.mark(cell)
    sign = "" if cell.traced else Likeness.UNKNOWN.value
    return figures.time(cell.value, cell.unit) + sign


def _ratio(ratio: Ratio | None) -> str:
    if ratio is None:
        return figures.NOTHING
    sign = ratio.likeness.value if ratio.likeness is Likeness.DIFFERENT else ""
    return figures.decimal(ratio.value) + sign


def _ratios(cell: Cell) -> str:
    if cell.to_cupy is None and cell.to_floor is None:
        return ""
    return f"{_ratio(cell.to_cupy)} / {_ratio(cell.to_floor)}"


def legend(comparison: Comparison, notes: Footnotes) -> list[str]:
    """Everything the signs in the cells stand for."""
    lines = notes.lines()
    skipped = [cell for cell in comparison.cells.values() if cell.value is None]
    if skipped:
        counts = dict.fromkeys(sorted({cell.status for cell in skipped}), 0)
        for cell in skipped:
            counts[cell.status] += 1
        told = ", ".join(f"{count} {status}" for status, count in counts.items())
        lines.append(f"Cells without a number: {len(skipped)} of {len(comparison.cells)} ({told}).")
    if comparison.unexpected:
        lines.append(f"! {len(comparison.unexpected)} of them unexpected: the run is incomplete.")
    if comparison.differences:
        lines.append(
            f"{Likeness.DIFFERENT.value} not like for like: the null driver's trace shows"
            " different driver calls:"
        )
        lines += [f"  {line}" for line in comparison.differences]
    lines += [
        f"{Likeness.UNKNOWN.value} driver calls not observable, {why}"
        for why in comparison.unobservable.values()
    ]
    return lines


def terminal(comparison: Comparison) -> str:
    """The table for a terminal of 100 columns: two lines per operation."""
    notes = Footnotes()
    first = max([len(name) for name in comparison.operations] + [len("operation")])
    width = min(15, (WIDTH - first) // max(len(comparison.libraries), 1))
    rule = "-" * (first + width * len(comparison.libraries))

    def aligned(text: str) -> str:
        """The last column of a cell is kept for the sign, so that digits stand below digits."""
        return text if text.endswith(SIGNS) else f"{text} "

    def row(name: str, cells: list[str]) -> str:
        return (
            f"{name:<{first}}" + "".join(f"{aligned(cell):>{width}}" for cell in cells)
        ).rstrip()

    lines = [row("operation", list(comparison.libraries)), rule]
    for operation in comparison.operations:
        cells = [comparison.cells[operation, library] for library in comparison.libraries]
        lines.append(row(operation, [_time(cell, notes) for cell in cells]))
        ratios = [_ratios(cell) for cell in cells]
        if any(ratios):
            lines.append(row("", ratios))
    caption = "ns per operation (median), and below it: ratio to CuPy / ratio to the floor."
    prose = [caption, SEPARATE, *legend(comparison, notes)]
    return "\n".join([*_wrap(header(comparison)), "", *lines, rule, *_wrap(prose)])


def _wrap(lines: list[str]) -> list[str]:
    wrapped: list[str] = []
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        wrapped += textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_on_hyphens=False)
    return wrapped


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def markdown(comparison: Comparison) -> str:
    """The same as a Markdown table, ratios in brackets."""
    notes = Footnotes()

    def entry(cell: Cell) -> str:
        ratios = _ratios(cell)
        return _escaped(_time(cell, notes) + (f" ({ratios})" if ratios else ""))

    rows = [["operation", *comparison.libraries], ["---", *["---:"] * len(comparison.libraries)]]
    for operation in comparison.operations:
        cells = [comparison.cells[operation, library] for library in comparison.libraries]
        rows.append([f"`{operation}`", *map(entry, cells)])
    caption = "ns per operation (median); in brackets: ratio to CuPy / ratio to the floor."
    prose = [*header(comparison), *legend(comparison, notes)]
    return "\n".join(
        [
            f"{caption} {SEPARATE}",
            "",
            *[f"| {' | '.join(row)} |" for row in rows],
            "",
            *[f"- {_escaped(line.strip())}" for line in prose],
        ]
    )


def as_json(comparison: Comparison) -> str:
    """Everything the table shows, for other programs."""
    run = comparison.run

    def ratio(found: Ratio | None) -> dict[str, Any] | None:
        if found is None:
            return None
        return {"value": found.value, "calls": found.likeness.name.lower()}

    def cell(found: Cell) -> dict[str, Any]:
        return {
            **{key: getattr(found, key) for key in ("operation", "library", "status", "value")},
            **{key: getattr(found, key) for key in ("unit", "interval", "samples", "reason")},
            "to_cupy": ratio(found.to_cupy),
            "to_floor": ratio(found.to_floor),
        }

    document = {
        "schema": 1,
        "machine": run.machine,
        "commit": run.commit,
        "dirty": run.dirty,
        "date": run.date,
        "driver": vars(run.driver),
        "gpu": run.gpu,
        "cpu": run.cpu,
        "python": run.python,
        "loop": run.loop,
        "libraries": {name: vars(library) for name, library in run.libraries.items()},
        "cells": [cell(found) for found in comparison.cells.values()],
        "differences": list(comparison.differences),
        "problems": list(comparison.problems),
        "exit_status": comparison.exit_status,
    }
    return json.dumps(document, indent=2, allow_nan=False)


FORMATS: dict[str, Callable[[Comparison], str]] = {
    "terminal": terminal,
    "markdown": markdown,
    "json": as_json,
}


def latest(room: Path, machine: str | None) -> Comparison:
    """The newest run that can be read, of one machine or of all; problems of the others with it."""
    runs, problems = read_runs(room, machine)
    if not runs:
        told = "; ".join(problems) or f"there is no run record below {room / 'runs'}"
        raise ReportError(f"{told}; run `make bench` first")
    return compare_run(room, runs[-1], problems)


def main(argv: list[str]) -> int:
    """``python -m reports table``."""
    parser = argparse.ArgumentParser(prog="python -m reports table", description=__doc__)
    parser.add_argument("--machine", help="newest run of this machine (default: of any)")
    parser.add_argument("--run", type=Path, help="this run record and no other")
    parser.add_argument("--format", choices=FORMATS, default="terminal")
    parser.add_argument("--room", type=Path, default=ROOM, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.run is not None:
        comparison = compare_run(options.room, read_run(options.run))
    else:
        comparison = latest(options.room, options.machine)
    print(FORMATS[options.format](comparison))
    for problem in comparison.problems:
        print(f"reports: {problem}", file=sys.stderr)
    if not comparison.measured:
        print("reports: nothing was measured; see the reasons above", file=sys.stderr)
        return comparison.exit_status
    for cell in comparison.unexpected:
        print(
            f"reports: unexpected skip: {cell.operation}, {cell.library}: {cell.reason}",
            file=sys.stderr,
        )
    return comparison.exit_status
