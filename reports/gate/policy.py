"""What is allowed: limits with their reasons, promises, and what is accepted until when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from reports.gate.findings import Level

ANY = "*"
INSTRUMENTS = ("count", "duet")
FIGURES = ("ratio", "above", "instructions", "instructions ratio")
ACCEPTABLE = ("slower", "calls", "missing", "promise")
CALLS = ("added", "removed", "reordered")


@dataclass(frozen=True)
class Threshold:
    """A change counts when it is larger than both the absolute and the relative limit."""

    absolute: float
    relative: float

    def above(self, base: float) -> float:
        """The largest change of a base figure that is let pass."""
        return max(self.absolute, self.relative * base)


@dataclass(frozen=True)
class Limit:
    """What an instrument may find for an operation."""

    instrument: str
    operation: str
    warn: Threshold
    fail: Threshold
    reason: str


@dataclass(frozen=True)
class Promise:
    """A figure of head that must not exceed a limit, whatever base did."""

    operation: str
    figure: str
    against: str | None
    limit: float
    driver: str | None
    reason: str

    @property
    def name(self) -> str:
        """The promise in words."""
        if self.figure == "above":
            return f"{self.operation} <= {self.against} + {self.limit:g} ns"
        if self.figure == "instructions":
            return f"{self.operation} <= {self.limit:g} instructions"
        unit = " in instructions" if self.figure == "instructions ratio" else ""
        return f"{self.operation} <= {self.limit:g} x {self.against}{unit}"


@dataclass(frozen=True)
class Accepted:
    """A finding that is accepted, up to a size and until a day."""

    operation: str
    kind: str
    instrument: str | None
    against: str | None
    up_to: float | None
    until: date
    reason: str


@dataclass(frozen=True)
class Policy:
    """The whole file."""

    library: str
    limits: Sequence[Limit]
    calls: Mapping[str, Level]
    calls_reason: str
    promises: Sequence[Promise]
    accepted: Sequence[Accepted]

    def limit(self, instrument: str, operation: str) -> Limit:
        """The limit of an operation, or the one of all operations."""
        mine = [limit for limit in self.limits if limit.instrument == instrument]
        exact = [limit for limit in mine if limit.operation == operation]
        return (exact or [limit for limit in mine if limit.operation == ANY])[0]

    def operations(self) -> list[str]:
        """Every operation that is named."""
        named = {limit.operation for limit in self.limits}
        named |= {promise.operation for promise in self.promises}
        named |= {accepted.operation for accepted in self.accepted}
        return sorted(named - {ANY})
