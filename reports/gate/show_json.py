"""The verdict as JSON; ``verdict.schema.json`` describes it."""

from __future__ import annotations

import json
import math
from typing import Any

from reports.gate.findings import Finding, Revision, Row, Verdict

SCHEMA = 1


def _number(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _revision(revision: Revision) -> dict[str, Any]:
    return {"name": revision.name, "commit": revision.commit, "dirty": revision.dirty}


def _row(row: Row) -> dict[str, Any]:
    return {
        "operation": row.operation,
        "level": row.level.word if row.level is not None else None,
        "instructions": dict(zip(("base", "head"), row.counts, strict=True)),
        "ratio": row.ratio,
        "interval": row.interval,
        "difference_ns": row.difference,
        "skipped": row.skipped,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "level": finding.level.word,
        "kind": finding.kind,
        "instrument": finding.instrument,
        "operation": finding.operation,
        "against": finding.against,
        "message": finding.message,
        "change": _number(finding.change),
        "reason": finding.reason,
        "growth": [
            {"object": g.object, "function": g.function, "instructions": g.instructions}
            for g in finding.growth
        ],
    }


def as_json(verdict: Verdict) -> str:
    """The document, strict JSON."""
    document = {
        "schema": SCHEMA,
        "verdict": verdict.word,
        "exit_status": verdict.exit_status,
        "base": _revision(verdict.base),
        "head": _revision(verdict.head),
        "measured_on": list(verdict.measured_on),
        "promises": dict(verdict.promises),
        "operations": [_row(row) for row in verdict.rows],
        "findings": [_finding(finding) for finding in verdict.findings],
    }
    return json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False) + "\n"
