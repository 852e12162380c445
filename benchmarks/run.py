"""The main job: survey the libraries, run the asv suites for this commit, record the run."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from . import adapters, driver, machine, prepared, provenance, record
from .heartbeat import heartbeat
from .search_path import ROOT
from .survey import FAILED, survey

REPORTS = ROOT / "reports"
SCRATCH = REPORTS / "runs" / "scratch"
_MACHINE_FILE = ROOT / "build" / "asv-machine.json"


class RunError(RuntimeError):
    """The run cannot begin, or measured nothing; the message says what to do."""


def main(argv: Sequence[str]) -> int:
    """Run the verb ``run``: 0 measured, 1 a benchmark or a cell failed, 2 nothing measured."""
    options = _parser().parse_args(argv)
    try:
        return run(options.library, options.bench, options.quick, options.core)
    except (RunError, driver.DriverError, adapters.UnknownLibraryError) as error:
        print(f"run: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks run", description=__doc__)
    parser.add_argument("--library", action="append", metavar="NAME", help="these libraries alone")
    parser.add_argument("--bench", action="append", metavar="REGEX", help="these suites alone")
    parser.add_argument("--quick", action="store_true", help="one sample each, to try the set-up")
    parser.add_argument("--core", type=int, metavar="N", help="pin to this core, not to the last")
    return parser


def run(
    libraries: Sequence[str] | None = None,
    bench: Sequence[str] | None = None,
    quick: bool = False,
    core: int | None = None,
) -> int:
    """Measure the working tree and write asv's results and the run record.

    Parameters
    ----------
    libraries : sequence of str, optional
        The libraries to measure; all unless given.
    bench : sequence of str, optional
        Regular expressions; only benchmarks that match one are run. Such a run is kept in the
        scratch folder, because its record would promise what is not there.
    quick : bool
        One sample each; such a run is kept in the scratch folder too.
    core : int, optional
        The core that the benchmarks are pinned to; the last one allowed unless given.

    Returns
    -------
    int
        0 if all was measured, 1 if something failed, and is named in the record.

    Raises
    ------
    RunError
        If the results cannot be written, or there is no commit to file them under.
    benchmarks.driver.DriverError
        If there is no driver to measure on.
    benchmarks.adapters.UnknownLibraryError
        If a library has no adapter.
    """
    chosen = adapters.LIBRARIES if libraries is None else tuple(libraries)
    for library in chosen:
        if library not in adapters.LIBRARIES:
            raise adapters.UnknownLibraryError(library)
    origin = provenance.collect()
    if origin["commit"] is None:
        raise RunError("results are filed by commit and this is no git checkout: clone with git")
    kept = not (origin["dirty"] or quick or bench)
    room = REPORTS if kept else SCRATCH
    _check_writable(room)
    _announce(origin, kept)
    surveys = {library: _survey(library) for library in chosen}
    traces = record.take_traces(surveys)
    versions = prepared.requirements(origin["libraries"])
    patterns = bench or [rf"\('({'|'.join(map(re.escape, chosen))})'\)$"]
    with heartbeat("run"):
        status = _run_asv(room, origin["commit"], versions, patterns, quick, core)
    path = record.write(room, origin, surveys, traces, prepared.environment_name(versions))
    print(f"run: recorded in {path.relative_to(ROOT)}")
    failed = [
        cell for found in surveys.values() for cell in found["cells"] if cell["status"] == FAILED
    ]
    for cell in failed:
        print(f"run: {cell['library']}, {cell['operation']}: {cell['reason']}", file=sys.stderr)
    return 1 if status or failed else 0


def _check_writable(room: Path) -> None:
    for folder in (room / "results", room / "runs"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(
                f"{folder} cannot be made ({error.strerror}): make it writable"
            ) from error
        if not os.access(folder, os.W_OK):
            raise RunError(f"{folder} is not writable: make it writable and run again")


def _announce(origin: dict[str, Any], kept: bool) -> None:
    current = origin["driver"]
    if current["kind"] == "null":
        asked = os.environ.get(driver.VARIABLE) or "auto"
        print(
            f"run: no NVIDIA GPU is used ({driver.VARIABLE}={asked}): measuring host overhead on"
            f" the null driver, CUDA {current['version']}"
        )
    else:
        print(f"run: measuring on {origin['gpu']}, driver {current['release']}")
    if not kept:
        why = "uncommitted changes" if origin["dirty"] else "a partial run"
        print(f"run: {why}: results go to the scratch folder, which git ignores", flush=True)


def _survey(library: str) -> dict[str, Any]:
    print(f"run: asking {library} what it can do", flush=True)
    return survey(library)


def _run_asv(
    room: Path,
    commit: str,
    versions: dict[str, str],
    patterns: Sequence[str],
    quick: bool,
    core: int | None,
) -> int:
    """Run asv in this process: it is given a machine, an environment and a commit, asks nothing."""
    try:
        from asv.commands.run import Run  # type: ignore[import-untyped]
        from asv.config import Config  # type: ignore[import-untyped]
        from asv.console import log  # type: ignore[import-untyped]
        from asv.machine import MachineCollection  # type: ignore[import-untyped]
        from asv.util import UserError  # type: ignore[import-untyped]
    except ImportError as error:
        raise RunError(f"asv cannot be imported ({error}): run `make bench`") from error
    environment = prepared.define(versions)  # asv finds it among the living subclasses
    information = machine.information()
    _MACHINE_FILE.parent.mkdir(parents=True, exist_ok=True)
    MachineCollection.save(information["machine"], information, _path=str(_MACHINE_FILE))
    here = os.getcwd()
    os.chdir(ROOT)
    log.enable(False)
    try:
        conf = Config.load("asv.conf.json")
        conf.results_dir = str(room / "results")
        conf.branches = ["HEAD"]
        status = Run.run(
            conf,
            bench=list(patterns),
            attribute={"cpu_affinity": [max(os.sched_getaffinity(0)) if core is None else core]},
            quick=quick,
            env_spec=[f"{environment.tool_name}:{sys.executable}"],
            set_commit_hash=commit,
            machine=information["machine"],
            _machine_file=str(_MACHINE_FILE),
            record_samples=True,
            pull=False,
            show_stderr=True,
        )
    except UserError as error:
        raise RunError(f"asv cannot run ({error})") from error
    finally:
        os.chdir(here)
    return int(status or 0)
