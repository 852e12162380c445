"""The only reader of asv's result files (format 2, as asv 0.6 writes it).

asv keeps one list per benchmark, its entries named by ``result_columns``; trailing empty
entries are cut off. For each combination of parameters the result is a number, NaN (the
benchmark raised NotImplementedError: a skip) or null (it failed).
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reports.documents import UnreadableError, finite, read_json, tidy

FORMAT = 2
NOT_RESULTS = ("machine.json", "benchmarks.json")


@dataclass(frozen=True)
class Measurement:
    """What asv knows of one benchmark with one library, in seconds per timed call."""

    seconds: float
    samples: int
    values: tuple[float, ...] = ()
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class AsvResults:
    """One result file: what could be read, and a sentence for each thing that could not."""

    path: Path
    machine: str
    commit: str
    measurements: Mapping[tuple[str, str], Measurement]
    problems: tuple[str, ...]


def operation_name(benchmark: str) -> str | None:
    """``event.EventTime.time_create`` is ``event.create``; a name that is no timing is None."""
    *_, group, _, function = ["", "", *benchmark.split(".")]
    kind, _, verb = function.partition("_")
    if not group or kind not in ("time", "timeraw"):
        return None
    return verb if group == f"{verb}s" else f"{group}.{verb}"


def _libraries(params: object) -> list[str] | None:
    """The values of the one parameter, which asv stores as Python source."""
    if not isinstance(params, list) or len(params) != 1 or not isinstance(params[0], list):
        return None
    names: list[str] = []
    for source in params[0]:
        try:
            name = ast.literal_eval(source)
        except (ValueError, SyntaxError, TypeError):
            return None
        if not isinstance(name, str):
            return None
        names.append(tidy(name))
    return names


def _column(row: Mapping[str, Any], name: str, size: int) -> Sequence[Any]:
    value = row.get(name)
    if value is None:
        return [None] * size
    if not isinstance(value, list) or len(value) != size:
        raise ValueError(f"{name} does not hold one value per library")
    return value


def _measurement(row: Mapping[str, Any], index: int, size: int) -> Measurement | None:
    """One cell; None for a skip or a failure, ValueError when it is neither that nor a time."""
    value = _column(row, "result", size)[index]
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None
    seconds = finite(value)
    if seconds is None or seconds <= 0:
        raise ValueError("the result is not a finite, positive time")
    raw = _column(row, "samples", size)[index]
    values = [finite(v) for v in raw] if isinstance(raw, list) else []
    good = tuple(v for v in values if v is not None and v > 0)
    if len(good) != len(values):
        raise ValueError("a sample is not a finite, positive time")
    repeat = finite(_column(row, "stats_repeat", size)[index])
    low = finite(_column(row, "stats_ci_99_a", size)[index])
    high = finite(_column(row, "stats_ci_99_b", size)[index])
    interval = None if low is None or high is None else (low, high)
    return Measurement(seconds, len(good) or int(repeat or 0), good, interval)


def read_results(path: Path) -> AsvResults:
    """Read one asv result file.

    Raises
    ------
    UnreadableError
        The file as a whole is truncated, corrupt, or not of asv's format 2. A single benchmark
        that cannot be read is a sentence in `AsvResults.problems`, and the others are kept.
    """
    fields = read_json(path)
    if fields.data.get("version") != FORMAT:
        raise UnreadableError(f"{path}: is not an asv result file of format {FORMAT}")
    columns = fields.items("result_columns")
    measurements: dict[tuple[str, str], Measurement] = {}
    problems: list[str] = []
    for benchmark, entries in fields.table("results").data.items():
        operation = operation_name(benchmark)
        if operation is None:
            continue
        if not isinstance(entries, list) or len(entries) > len(columns):
            problems.append(f"{path}: {tidy(benchmark)}: its entries do not fit the columns")
            continue
        row = dict(zip(columns, entries, strict=False))
        libraries = _libraries(row.get("params"))
        if libraries is None:
            problems.append(f"{path}: {tidy(benchmark)}: its one parameter is not the library")
            continue
        for index, library in enumerate(libraries):
            try:
                found = _measurement(row, index, len(libraries))
            except ValueError as error:
                problems.append(f"{path}: {tidy(benchmark)}, {library}: {error}")
                continue
            if found is not None:
                measurements[operation, library] = found
    machine = fields.table("params").text("machine")
    return AsvResults(path, machine, fields.text("commit_hash"), measurements, tuple(problems))


def result_files(results: Path) -> list[Path]:
    """The result files below asv's results folder, in order of name."""
    return sorted(p for p in results.glob("*/*.json") if p.name not in NOT_RESULTS)
