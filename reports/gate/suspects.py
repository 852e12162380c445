"""Duets that speak against head once: they are played again before anyone is accused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reports.gate import by_duet, by_promise
from reports.gate.findings import Level
from reports.gate.measured import BASE, HEAD, Measured
from reports.gate.policy import Policy


@dataclass(frozen=True)
class Suspect:
    """An operation of two sides, ``base`` or a library, that needs another duet."""

    operation: str
    a: str
    b: str


def _against_base(measured: Measured, policy: Policy) -> Iterable[Suspect]:
    played = by_duet.head_over_base(measured.duets, policy.library)
    for operation, duets in played.items():
        limit = policy.limit(by_duet.INSTRUMENT, operation)
        if len(duets) == 1 and by_duet.level_of(duets[0], limit) > Level.NOTE:
            yield Suspect(operation, HEAD, BASE)


def _against_promises(measured: Measured, policy: Policy) -> Iterable[Suspect]:
    for promise in policy.promises:
        if promise.figure.startswith("instructions") or promise.against is None:
            continue
        figures = by_promise.find(promise, policy.library, measured.duets, ())
        if len(figures) == 1 and figures[0].near > promise.limit:
            yield Suspect(promise.operation, HEAD, promise.against)


def suspects(measured: Measured, policy: Policy) -> list[Suspect]:
    """Everything to be played again, each once."""
    found = (*_against_base(measured, policy), *_against_promises(measured, policy))
    return list(dict.fromkeys(found))
