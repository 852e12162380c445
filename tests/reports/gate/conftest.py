"""A folder as the gate's measuring leaves it, changed by each test where it matters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reports.__main__ import main

BASE_COUNTS = {"device.current": 220.0, "event.create": 480.0, "stream.create": 490.0}
BASE_NS = {"device.current": 22.0, "event.create": 171.0, "stream.create": 4060.0}
CALLS = {
    "device.current": ["cuCtxGetDevice"],
    "event.create": ["cuEventCreate", "cuEventDestroy"],
    "stream.create": ["cuStreamCreateWithPriority", "cuStreamDestroy"],
}
NULL = {"driver": {"kind": "null", "version": "13.0", "release": None}, "gpu": None}
POLICY = """
library = "fastpaths"
[[limit]]
instrument = "count"
operation = "*"
warn = { absolute = 2, relative = 0.002 }
fail = { absolute = 12, relative = 0.01 }
reason = "counts are exact"
[[limit]]
instrument = "duet"
operation = "*"
warn = { absolute = 1, relative = 0.02 }
fail = { absolute = 1, relative = 0.03 }
reason = "duets are not"
[calls]
added = "fail"
removed = "warn"
reordered = "warn"
reason = "calls cost"
"""


class Gate:
    """Same code on both sides, until a test changes something; then `run` it."""

    def __init__(self, room: Any) -> None:
        self.room, self.folder = room, room.room / "gate"
        self.policy = POLICY
        self.counts = {side: dict(BASE_COUNTS) for side in ("base", "head")}
        self.functions: dict[str, dict[str, float]] = {}
        self.calls = {side: {k: list(v) for k, v in CALLS.items()} for side in ("base", "head")}
        self.skipped: dict[str, dict[str, str]] = {"base": {}, "head": {}}
        self.ratios = dict.fromkeys(BASE_NS, 1.0)
        self.again: dict[str, float] = {}
        self.spread = 0.005
        self.others: list[dict[str, Any]] = []
        self.instruments = {"count", "trace", "duet"}
        self.provenance: dict[str, dict[str, Any]] = {"base": {}, "head": {}}
        self.manifest: dict[str, Any] = {
            "schema": 1,
            "operations": list(BASE_COUNTS),
            "base": {"name": "main", "commit": "a" * 40, "dirty": False, "failure": None},
            "head": {"name": "work", "commit": "b" * 40, "dirty": False, "failure": None},
            "interrupted": False,
        }

    def remove(self, side: str, operation: str, status: str, reason: str) -> None:
        """An operation that one side has no figure for."""
        del self.counts[side][operation], self.calls[side][operation]
        self.ratios.pop(operation, None)
        self.skipped[side][operation] = f"{status}: {reason}"

    def duet(self, operation: str, ratio: float, spread: float | None = None) -> dict[str, Any]:
        base = BASE_NS.get(operation, 100.0)
        found: dict[str, Any] = self.room.duet_result(
            operation, "fastpaths 0.1.0", "fastpaths 0.1.0", base * ratio, base,
            spread=self.spread if spread is None else spread,
        )  # fmt: skip
        found["a"]["label"], found["b"]["label"] = "head", "base"
        return found

    def against(self, operation: str, head: float, library: str, other: float) -> dict[str, Any]:
        """A duet of head and a library of the promises."""
        found: dict[str, Any] = self.room.duet_result(
            operation, "fastpaths 0.1.0", library, head, other
        )
        found["a"]["label"] = "head"
        return found

    def count(self, operation: str, net: float, side: str) -> dict[str, Any]:
        grown = self.functions.get(operation, {}) if side == "head" else {}
        found: dict[str, Any] = self.room.count_result(operation, "fastpaths 0.1.0", net, **grown)
        return found

    def write(self) -> None:
        for side in ("base", "head"):
            skipped = [
                {"operation": name, "library": f"fastpaths@{side}", "status": told.split(": ")[0],
                 "reason": told.split(": ")[1]}
                for name, told in self.skipped[side].items()
            ]  # fmt: skip
            counts = [self.count(name, net, side) for name, net in self.counts[side].items()]
            traces = [
                {"operation": name, "library": f"fastpaths-{side}.whl", "calls": calls,
                 "versions": {"fastpaths": "0.1.0"}}
                for name, calls in self.calls[side].items()
            ]  # fmt: skip
            where = {**NULL, **self.provenance[side]}
            if "count" in self.instruments:
                document = self.room.instrument("count", counts, skipped, **where)
                self.room.write(f"gate/counts-{side}.json", document)
            if "trace" in self.instruments:
                document = self.room.instrument("trace", traces, skipped, **where)
                self.room.write(f"gate/traces-{side}.json", document)
        if "duet" in self.instruments:
            first = [self.duet(name, ratio) for name, ratio in self.ratios.items()] + self.others
            self.room.write("gate/duets.json", self.room.instrument("duet", first))
            if self.again:
                again = [self.duet(name, ratio, 0.005) for name, ratio in self.again.items()]
                self.room.write("gate/duets-again.json", self.room.instrument("duet", again))
        if self.manifest:
            self.room.write("gate/gate.json", self.manifest)
        self.room.write("policy.toml", self.policy)

    def run(self, *arguments: str, today: str = "2026-12-01") -> int:
        """Write everything and run the verb; the exit status."""
        self.write()
        return self.judge(*arguments, today=today)

    def judge(self, *arguments: str, today: str = "2026-12-01") -> int:
        policy, verdict = self.room.room / "policy.toml", self.room.room / "verdict.json"
        verdict.unlink(missing_ok=True)
        paths = ("--base", str(self.folder), "--policy", str(policy), "--json", str(verdict))
        return main(["gate", *paths, "--today", today, *arguments])

    @property
    def path(self) -> Path:
        path: Path = self.room.room
        return path

    @property
    def verdict(self) -> Any:
        return json.loads((self.path / "verdict.json").read_text())

    def findings(self, *levels: str) -> list[tuple[str, str, str | None]]:
        """Level, kind and operation of the findings, those of some levels if any are given."""
        return [
            (f["level"], f["kind"], f["operation"])
            for f in self.verdict["findings"]
            if not levels or f["level"] in levels
        ]


@pytest.fixture
def gate(room: Any) -> Gate:
    return Gate(room)
