"""The two runs that the request is compared with: its versions and today's, on one machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reports.comparison import Comparison, compare_run
from reports.documents import ReportError
from reports.runs import Run, read_runs
from reports.seed import Seed

CORE = "cuda.core"
OURS = "fastpaths"


@dataclass(frozen=True)
class ThenAndNow:
    """One run with the request's cuda.core, one with the newest, and sentences on other files."""

    then: Comparison
    now: Comparison
    problems: Sequence[str]


def is_of(run: Run, seed: Seed) -> bool:
    """Was this run made with the versions of the request?"""
    core = run.libraries.get(CORE)
    return (
        core is not None
        and core.version == seed.versions["cuda-core"]
        and core.requires.get("cuda-bindings") == seed.versions["cuda-bindings"]
    )


def _expects(run: Run, library: str) -> bool:
    return any(
        name == library and status == "expected" for (_, name), (status, _) in run.cells.items()
    )


def _joined(room: Path, run: Run) -> Comparison:
    comparison = compare_run(room, run)
    if comparison.problems:
        raise ReportError(comparison.problems[0])
    return comparison


def find(room: Path, seed: Seed, machine: str | None = None) -> ThenAndNow:
    """The newest pair of runs of one machine; of any machine with a GPU unless one is named.

    Raises
    ------
    ReportError
        One of the two runs is missing, or its asv file cannot be read.
    """
    runs, problems = read_runs(room, machine)
    if machine is None:
        runs = [run for run in runs if run.driver.kind == "nvidia"]
    where = f"of machine {machine}" if machine else "on a GPU"
    old = [run for run in runs if is_of(run, seed)]
    if not old:
        pins = " and ".join(f"{name}=={version}" for name, version in seed.versions.items())
        raise ReportError(
            f"there is no run {where} with {pins}: install these into an environment of their own"
            " and run `python -m benchmarks run --library cuda.core` there"
        )
    then = old[-1]
    new = [
        run
        for run in runs
        if run.machine == then.machine
        and not is_of(run, seed)
        and all(_expects(run, name) for name in (CORE, OURS))
    ]
    if not new:
        raise ReportError(
            f"there is no run of machine {then.machine} with today's {CORE} and {OURS}: run"
            " `make bench` there"
        )
    return ThenAndNow(_joined(room, then), _joined(room, new[-1]), problems)
