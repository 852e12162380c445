"""README.md's table: the newest run on a GPU, and the ratios of the duets beside it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from reports import duet_table, figures
from reports.comparison import CUPY, FLOOR, Comparison, compare_run
from reports.documents import ReportError
from reports.duets import Duet, against, newest, read_folder
from reports.likeness import Likeness, likeness
from reports.pages import deliver, escaped, replace_between, table
from reports.runs import ROOM, read_runs
from reports.scoreboard import Footnotes, header
from reports.then_and_now import CORE, OURS

VERB = "readme"
MARKER = "table"
LEFT_OUT = "helpers."
CAPTION = (
    "ns per operation, medians of one run. The three columns on the right are duets: two processes"
    " taking turns on one core, the empty loop off on both sides; in brackets, the interval."
)
RATIOS = ((CUPY, "fastpaths / CuPy"), (CORE, "fastpaths / cuda.core"))


def newest_gpu_run(room: Path) -> tuple[Comparison, list[str]]:
    """The newest run on a GPU that measured fastpaths, joined, and sentences on broken files.

    Raises
    ------
    ReportError
        There is none.
    """
    runs, problems = read_runs(room)
    measured = [
        run
        for run in runs
        if run.driver.kind == "nvidia"
        and any(
            name == OURS and status == "expected" for (_, name), (status, _) in run.cells.items()
        )
    ]
    if not measured:
        raise ReportError(
            f"there is no run of {OURS} on a GPU below {room / 'runs'}: run `make bench` on a"
            " machine with an NVIDIA driver and commit its results"
        )
    comparison = compare_run(room, measured[-1])
    if comparison.problems:
        raise ReportError(comparison.problems[0])
    return comparison, problems


def _duets_of(comparison: Comparison, duets: Sequence[Duet], operation: str) -> list[str]:
    """The cells of the three columns on the right."""
    run = comparison.run
    versions = {
        name: library.version for name, library in run.libraries.items() if name in (CORE, CUPY)
    }
    cells = []
    for library, _ in RATIOS:
        duet = against(duets, operation, OURS, library, versions)
        sign = likeness(run.traces, operation, OURS, library)
        mark = sign.value if sign is Likeness.DIFFERENT else ""
        cells.append(duet_table.ratio(duet) + mark if duet else figures.NOTHING)
    floor = against(duets, operation, OURS, FLOOR, versions)
    cells.append(duet_table.difference(floor) if floor else figures.NOTHING)
    return cells


def content(comparison: Comparison, duets: Sequence[Duet]) -> str:
    """What stands between the markers."""
    libraries = [
        name
        for name in comparison.libraries
        if any(cell.library == name for cell in comparison.measured)
    ]
    notes = Footnotes()
    rows, shown = [], []
    for operation in comparison.operations:
        if operation.startswith(LEFT_OUT):
            continue
        times = []
        for name in libraries:
            cell = comparison.cells[operation, name]
            times.append(
                notes.mark(cell) if cell.value is None else figures.time(cell.value, cell.unit)
            )
        rows.append([f"`{operation}`", *times, *_duets_of(comparison, duets, operation)])
        shown.append(operation)
    head = [
        "operation",
        *libraries,
        *[title for _, title in RATIOS],
        "fastpaths above the floor, ns",
    ]
    lines = [CAPTION, "", *table(head, rows), ""]
    lines += [f"- {escaped(line)}" for line in [*header(comparison), *notes.lines()]]
    unlike = [line for line in comparison.differences if line.partition(":")[0] in shown]
    if unlike:
        lines.append("- ≠ different driver calls, as the null driver's trace shows:")
        lines += [f"  - {escaped(line)}" for line in unlike]
    if played := _played(duets):
        lines.append(f"- {escaped(duet_table.summary(played))}")
    return "\n".join(lines)


def _played(duets: Sequence[Duet]) -> list[Duet]:
    """The newest duets between fastpaths and the libraries that have a column for it."""
    others = {FLOOR, *(library for library, _ in RATIOS)}
    return [
        duet
        for duet in newest(duets)
        if OURS in (sides := {duet.a.library, duet.b.library}) and sides & others
    ]


def main(argv: list[str]) -> int:
    """``python -m reports readme``: 0 written, 1 stale or a broken file named, 2 nothing."""
    parser = argparse.ArgumentParser(prog=f"python -m reports {VERB}", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the table is stale")
    parser.add_argument("--room", type=Path, default=ROOM, help=argparse.SUPPRESS)
    parser.add_argument(
        "--page", type=Path, default=ROOM.parent / "README.md", help=argparse.SUPPRESS
    )
    options = parser.parse_args(argv)
    comparison, problems = newest_gpu_run(options.room)
    duets, broken = read_folder(options.room / "duets" / comparison.run.machine)
    text = replace_between(options.page, MARKER, content(comparison, duets))
    for problem in (problems := [*problems, *broken]):
        print(f"{VERB}: {problem}", file=sys.stderr)
    status = deliver(options.page, text, check=options.check, verb=VERB)
    return status or (1 if problems else 0)
