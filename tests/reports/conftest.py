"""A small builder of rooms: run records and asv files as the real tools write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.reports.instrument_files import COMMIT, NULL, count_result, duet_result, provenance

LIBRARIES = ("cuda.core", "cupy", "fastpaths", "torch", "floor")
EVENT = ["cuEventCreate", "cuEventDestroy_v2"]
COLUMNS = [
    "result", "params", "version", "started_at", "duration", "stats_ci_99_a", "stats_ci_99_b",
    "stats_q_25", "stats_q_75", "stats_number", "stats_repeat", "samples", "profile",
]  # fmt: skip


def benchmark_name(operation: str) -> str:
    if operation == "import":
        return "imports.ImportTime.time_import"
    group, verb = operation.split(".")
    return f"{group}.{group.title()}Time.time_{verb}"


class Builder:
    """Times are ns per operation (ms for `import`); None is asv's failure, "skip" its skip."""

    def __init__(self, room: Path) -> None:
        self.room = room

    def record(self, times: dict[str, dict[str, Any]], **changes: Any) -> dict[str, Any]:
        machine = changes.get("machine", "nvidia-h200")
        record = {
            "schema": 1,
            "commit": COMMIT,
            "dirty": False,
            "date": "2026-12-01T08:00:00+00:00",
            "machine": machine,
            "results": f"{COMMIT[:8]}-env.json",
            "driver": {"kind": "nvidia", "version": "13.0", "release": "580.159.04"},
            "gpu": "NVIDIA H200",
            "cpu": "Some CPU @ 2.00GHz",
            "python": "3.11.7",
            "libc": "glibc 2.36",
            "kernel": "Linux 6.1",
            "loop": 1000,
            "libraries": {
                "cuda.core": {
                    "version": "1.2.2", "origin": "wheel", "requires": {"cuda-bindings": "12.9.10"},
                },
                "cupy": {"version": "14.2.0", "origin": "wheel"},
                "fastpaths": {"version": "0.1.0", "origin": "build"},
                "floor": {"version": "0.1.0", "origin": "build"},
            },
            "operations": {
                name: {"summary": name, "unit": "ms" if name == "import" else "ns"}
                for name in times
            },
            "cells": [
                {"operation": operation, "library": library, "status": "expected", "reason": None}
                if time != "skip"
                else {
                    "operation": operation, "library": library, "status": "unsupported",
                    "reason": "there is no such call",
                }
                for operation, cells in times.items()
                for library, time in cells.items()
            ],
            "traces": {
                operation: {lib: None if lib == "cupy" else EVENT for lib in cells}
                for operation, cells in times.items()
            },
            "trace_notes": {"cupy": "its runtime is a stub"},
        }  # fmt: skip
        return {**record, **changes}

    def asv(self, times: dict[str, dict[str, Any]], **changes: Any) -> dict[str, Any]:
        results = {}
        for operation, cells in times.items():
            scale = 1e-3 if operation == "import" else 1e-6
            values = [
                None if time is None else float("nan") if time == "skip" else time * scale
                for time in cells.values()
            ]
            samples = [[v * 0.98, v, v * 1.05] if v and v == v else None for v in values]
            params = [[repr(name) for name in cells]]
            stats = [[None if s is None else s[i] for s in samples] for i in (0, 2, 0, 2)]
            ones = [None if s is None else 1 for s in samples]
            repeats = [None if s is None else 3 for s in samples]
            results[benchmark_name(operation)] = [
                values, params, "1", 1796109837372, 0.6, *stats, ones, repeats, samples,
            ]  # fmt: skip
        document = {
            "commit_hash": COMMIT,
            "env_name": "env",
            "date": 1796109836000,
            "params": {"machine": "nvidia-h200", "python": "3.11"},
            "python": "3.11",
            "requirements": {},
            "env_vars": {},
            "result_columns": COLUMNS,
            "results": results,
            "durations": {},
            "version": 2,
        }
        return {**document, **changes}

    def write(self, relative: str, document: object) -> Path:
        path = self.room / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return path

    def run(self, times: dict[str, dict[str, Any]], name: str = "run", **changes: Any) -> Path:
        """A run record and its asv file; the path of the record."""
        changes.setdefault("results", f"{COMMIT[:8]}-{name}.json")
        record = self.record(times, **changes)
        machine = record["machine"]
        params = {"machine": machine}
        self.write(f"results/{machine}/{record['results']}", self.asv(times, params=params))
        return self.write(f"runs/{machine}/{name}.json", record)

    def duet(
        self, times: dict[str, tuple[float, float]], a: str, b: str, name: str, **changes: Any
    ) -> Path:
        """A duet file of two sides, named ``library version``: net ns per operation of each."""
        machine = changes.pop("machine", "nvidia-h200")
        results = [duet_result(operation, a, b, *net) for operation, net in times.items()]
        document = self.instrument("duet", results)
        return self.write(f"duets/{machine}/{name}.json", {**document, **changes})

    @staticmethod
    def instrument(
        instrument: str, results: list[dict[str, Any]], skipped: Any = (), **changes: Any
    ) -> dict[str, Any]:
        """A file of one instrument; `changes` are to its provenance."""
        return {
            "schema": 1,
            "instrument": instrument,
            "provenance": provenance(**changes),
            "results": results,
            "skipped": list(skipped),
        }

    @staticmethod
    def count_result(*arguments: Any, **functions: float) -> dict[str, Any]:
        return count_result(*arguments, **functions)

    @staticmethod
    def duet_result(*arguments: Any, **more: Any) -> dict[str, Any]:
        return duet_result(*arguments, **more)

    def count(self, instructions: dict[str, dict[str, float]], name: str = "counts") -> Path:
        """A count file: operation to library (``name version``) to net instructions."""
        results = [
            count_result(operation, library, net)
            for operation, sides in instructions.items()
            for library, net in sides.items()
        ]
        return self.write(f"counts/any/{name}.json", self.instrument("count", results, **NULL))


TIMES: dict[str, dict[str, Any]] = {
    "device.current": {
        "cuda.core": 186.0, "cupy": 107.0, "fastpaths": 30.1, "torch": "skip", "floor": 12.9,
    },
    "event.create": {
        "cuda.core": 791.0, "cupy": 790.0, "fastpaths": 179.0, "torch": "skip", "floor": 158.0,
    },
    "stream.create": {
        "cuda.core": 5426.0, "cupy": 7937.0, "fastpaths": 4069.0, "torch": "skip", "floor": 3954.0,
    },
    "import": {
        "cuda.core": 361.0, "cupy": 355.0, "fastpaths": 1.63, "torch": "skip", "floor": "skip",
    },
}  # fmt: skip


@pytest.fixture
def room(tmp_path: Path) -> Builder:
    return Builder(tmp_path)


@pytest.fixture
def times() -> dict[str, dict[str, Any]]:
    return {operation: dict(cells) for operation, cells in TIMES.items()}
