"""``fastpaths.md``: every bar of ``bars.toml``, its figure and verdict, between the markers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from reports import counts, duet_table, duets, figures
from reports.bars import Bar, Found, Results, find, read_bars, verdict
from reports.comparison import Comparison
from reports.documents import ReportError
from reports.duets import Duet
from reports.pages import deliver, escaped, replace_between, table
from reports.readme import newest_gpu_run
from reports.runs import ROOM
from reports.scoreboard import header

VERB = "bars"
MARKER = "bars"
UNITS = {"ratio": "", "above": " ns", "instructions": "", "instructions ratio": ""}
UNITS |= {"milliseconds": " ms"}
SECTIONS = (
    ("Time", ("ratio", "above")),
    ("Instructions", ("instructions", "instructions ratio")),
    ("Start", ("milliseconds",)),
)
HEAD = ["operation", "against", "limit", "figure", "verdict", "why"]


def _number(bar: Bar, value: float) -> str:
    if "ratio" in bar.kind:
        return figures.fine(value)
    if bar.kind == "above":
        return figures.signed(value)
    return figures.significant(value)


def _limit(bar: Bar) -> str:
    number = f"{bar.limit:g}{UNITS[bar.kind]}"
    if bar.kind == "above":
        return f"+{number}"
    return f"{number} x" if "ratio" in bar.kind else number


def _figure(bar: Bar, found: Found | str) -> str:
    if isinstance(found, str):
        return figures.NOTHING
    text = _number(bar, found.value)
    if found.interval:
        text += f" [{_number(bar, found.interval[0])}, {_number(bar, found.interval[1])}]"
    return text


def _row(bar: Bar, results: Results) -> list[str]:
    found = find(bar, results)
    against = bar.against or figures.NOTHING
    if bar.waiting:
        against += f", without `{bar.waiting}`"
    said = verdict(bar, found)
    return [
        f"`{bar.operation}`",
        against,
        _limit(bar),
        _figure(bar, found),
        escaped(f"**{said}**" if said.startswith("missed") else said),
        escaped(bar.why),
    ]


def content(bars: Sequence[Bar], results: Results) -> str:
    """What stands between the markers."""
    said = [verdict(bar, find(bar, results)).partition(",")[0].partition(":")[0] for bar in bars]
    tally = ", ".join(f"{said.count(word)} {word}" for word in ("met", "missed", "not measured"))
    lines = [f"{len(bars)} bars: {tally}. {duet_table.CAPTION}", ""]
    for title, kinds in SECTIONS:
        rows = [_row(bar, results) for bar in bars if bar.kind in kinds]
        if rows:
            lines += [f"**{title}**", ""]
            lines += [*table(HEAD, rows, ["against", "verdict", "why"]), ""]
    whys = {bar.why: bar.reason for bar in bars}
    lines += [f"- why *{escaped(why)}*: {escaped(reason)}" for why, reason in whys.items()]
    lines += [f"- {escaped(line)}" for line in _measured_on(results)]
    return "\n".join(lines)


def _measured_on(results: Results) -> list[str]:
    lines = header(results.run) if results.run else []
    if results.duets:
        lines.append(duet_table.summary(results.duets))
    if results.counts:
        last = results.counts[-1]
        files = sorted({count.source.path.name for count in results.counts})
        lines.append(
            f"counts: {', '.join(files)}; the last on {last.source.cpu}, Python {last.python},"
            f" valgrind {last.conditions.get('valgrind', 'unknown')}, {last.times} repetitions"
        )
    return lines


def gather(room: Path) -> tuple[list[Bar], Results, list[str]]:
    """The bars, what was measured on the newest GPU run's machine, and sentences on broken files.

    Raises
    ------
    ReportError
        Nothing at all was measured.
    """
    bars, versions = read_bars()
    problems: list[str] = []
    run: Comparison | None = None
    played: list[Duet] = []
    try:
        run, problems = newest_gpu_run(room)
    except ReportError as error:
        problems.append(str(error))
    else:
        played, broken = duets.read_folder(room / "duets" / run.run.machine)
        problems += broken
    counted, broken = counts.read_folders(room / "counts")
    problems += broken
    if run is None and not counted:
        raise ReportError("; ".join(problems))
    return bars, Results(played, counted, run, versions), problems


def main(argv: list[str]) -> int:
    """``python -m reports bars``: 0 written, 1 stale or a broken file named, 2 nothing."""
    parser = argparse.ArgumentParser(prog=f"python -m reports {VERB}", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say whether the page is stale")
    parser.add_argument("--room", type=Path, default=ROOM, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    page = options.room / "fastpaths.md"
    bars, results, problems = gather(options.room)
    text = replace_between(page, MARKER, content(bars, results))
    for problem in problems:
        print(f"{VERB}: {problem}", file=sys.stderr)
    status = deliver(page, text, check=options.check, verb=VERB)
    return status or (1 if problems else 0)
