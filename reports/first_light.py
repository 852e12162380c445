"""``first-light.md``: the request's figures, then and now, from committed results alone."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from reports import duet_table, figures, first_promises, then_and_now
from reports.comparison import CUPY, FLOOR, Cell, Comparison
from reports.documents import read_toml
from reports.duets import Duet, newest, read_folder
from reports.pages import deliver, escaped, table
from reports.runs import ROOM
from reports.scoreboard import header
from reports.seed import SEED, Figure, Seed, read_seed
from reports.stats import ratio
from reports.then_and_now import CORE, OURS, ThenAndNow

PAGE = "first-light.md"
VERB = "first-light"
NOTE = (
    f"<!-- `python -m reports {VERB}` writes this page from reports/seed.toml, reports/runs,"
    " reports/results and reports/duets; change those. -->"
)
HOW = (
    "Ours are medians of asv samples of 1000 operations each, the loop included, in ns per"
    " operation; in brackets the 99 % interval of the median within that process. Every cell was"
    " timed in a process of its own, so compare orders of magnitude here and take ratios from the"
    " duets below. Where the older run has no CuPy, its ratio is to the CuPy of the newer one."
)


def _cell(comparison: Comparison, operation: str, library: str) -> Cell | None:
    cell = comparison.cells.get((operation, library))
    return cell if cell and cell.value is not None else None


def _time(cell: Cell | None) -> str:
    if cell is None or cell.value is None:
        return figures.NOTHING
    text = figures.significant(cell.value)
    if cell.interval is None:
        return text
    low, high = (figures.significant(end) for end in cell.interval)
    return f"{text} [{low}, {high}]"


def _timing_rows(seed: Seed, runs: ThenAndNow) -> list[list[str]]:
    """Per object: the request's two timings, their ratio, then ours that it did not have."""
    rows: list[list[str]] = []
    for name in dict.fromkeys(figure.object for figure in seed.timings):
        found = {f.library: f for f in seed.timings if f.object == name}
        operation = found[CORE].operation or ""
        for figure in found.values():
            rows.append(_figure_row(figure, runs))
        ratios = [
            ratio(found[CORE].ns, found[CUPY].ns),
            ratio(_value(runs.then, operation, CORE), _cupy(runs, operation)),
            ratio(_value(runs.now, operation, CORE), _value(runs.now, operation, CUPY)),
        ]
        rows.append([f"{name}: cuda.core / CuPy", *map(figures.decimal, ratios)])
        for library in (OURS, FLOOR):
            cells = [_time(_cell(run, operation, library)) for run in (runs.then, runs.now)]
            rows.append([f"{name}: {library}", figures.NOTHING, *cells])
    return rows


def _value(comparison: Comparison, operation: str, library: str) -> float | None:
    cell = _cell(comparison, operation, library)
    return cell.value if cell else None


def _cupy(runs: ThenAndNow, operation: str) -> float | None:
    """CuPy beside the request's cuda.core; the newer run's where the older has none."""
    return _value(runs.then, operation, CUPY) or _value(runs.now, operation, CUPY)


def _figure_row(figure: Figure, runs: ThenAndNow) -> list[str]:
    ours = [figures.NOTHING] * 2
    if figure.operation and figure.library:
        ours = [
            _time(_cell(run, figure.operation, figure.library)) for run in (runs.then, runs.now)
        ]
    return [f"`{figure.statement}`", figures.significant(figure.ns), *ours]


def _columns(seed: Seed, runs: ThenAndNow) -> list[str]:
    versions = " and ".join(f"{name} {version}" for name, version in seed.versions.items())
    return [
        "ns per operation",
        f"the request, {seed.date}",
        f"here, {versions}",
        f"here, cuda-core {runs.now.run.libraries[CORE]}",
    ]


def _breakdown(seed: Seed, runs: ThenAndNow) -> list[str]:
    rows = [
        [*_figure_row(figure, runs), escaped(figure.note or figure.reason or "")]
        for figure in seed.breakdown
    ]
    shares = [[f"`{line}`", f"{percent:.1f} %"] for line, percent in seed.shares]
    return [
        *table([*_columns(seed, runs), "remark"], rows, ["remark"]),
        "",
        "What only a profiler gives, and no timing here can: the request's shares of `Event._init`"
        " by line.",
        "",
        *table(["line", "share"], shares),
    ]


def _duets(duets: Sequence[Duet], runs: ThenAndNow) -> list[str]:
    if not duets:
        return [f"There is no duet of machine {runs.now.run.machine} yet."]
    lines = [duet_table.CAPTION, "", *duet_table.tables(duets, runs.now.run.traces)]
    if runs.now.differences:
        lines += ["≠ marks sides that make different driver calls:", ""]
        lines += [f"- {escaped(line)}" for line in runs.now.differences]
    return lines


def page(seed: Seed, runs: ThenAndNow, duets: Sequence[Duet]) -> str:
    """The whole page."""
    subject = f"[{seed.title}]({seed.url})"
    lines = [
        "# First light: the request's figures, then and now",
        "",
        NOTE,
        "",
        f"The request is {subject}. Its figures come from {seed.machines}.",
        "",
        "## Its six timings",
        "",
        HOW,
        "",
        *table(_columns(seed, runs), _timing_rows(seed, runs)),
        "",
        "## Its breakdown of an event",
        "",
        *_breakdown(seed, runs),
        "",
        "## The reliable ratios: duets",
        "",
        *_duets(duets, runs),
        "",
        "## What this run had to show",
        "",
        *first_promises.lines(read_toml(SEED), duets),
        "",
        "## What was measured on what",
        "",
        "Then:",
        "",
        *[f"- {escaped(line)}" for line in header(runs.then)],
        "",
        "Now:",
        "",
        *[f"- {escaped(line)}" for line in header(runs.now)],
        "",
    ]
    if duets:
        lines += ["Duets:", "", *[f"- {escaped(line)}" for line in duet_table.sources(duets)], ""]
    return "\n".join(lines)


def main(argv: list[str]) -> int:
    """``python -m reports first-light``: 0 written, 1 stale or a broken file named, 2 nothing."""
    parser = argparse.ArgumentParser(prog=f"python -m reports {VERB}", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the page is stale")
    parser.add_argument("--machine", help="runs of this machine (default: of any with a GPU)")
    parser.add_argument("--room", type=Path, default=ROOM, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    seed = read_seed()
    runs = then_and_now.find(options.room, seed, options.machine)
    duets, broken = read_folder(options.room / "duets" / runs.now.run.machine)
    text = page(seed, runs, newest(duets))
    for problem in (problems := [*runs.problems, *broken]):
        print(f"{VERB}: {problem}", file=sys.stderr)
    status = deliver(options.room / PAGE, text, check=options.check, verb=VERB)
    return status or (1 if problems else 0)
