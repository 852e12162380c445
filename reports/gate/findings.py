"""What the gate says: findings, one row per operation, and the verdict made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from reports.duets import Interval

PASS, WORSE, UNDECIDED = "pass", "worse", "undecided"
EXIT_STATUS = {PASS: 0, WORSE: 1, UNDECIDED: 2}


class Level(IntEnum):
    """How much a finding weighs; the larger decides."""

    NOTE = 0
    WARN = 1
    UNDECIDED = 2
    FAIL = 3

    @property
    def word(self) -> str:
        """The name in lower case, as every output writes it."""
        return self.name.lower()


@dataclass(frozen=True)
class Growth:
    """A function that takes more instructions in head, or fewer."""

    object: str
    function: str
    instructions: float


@dataclass(frozen=True)
class Finding:
    """One sentence about one operation, or about the whole measurement if `operation` is None.

    Attributes
    ----------
    level : Level
        How much it weighs.
    kind : str
        ``slower``, ``faster``, ``calls``, ``missing``, ``new``, ``promise``, ``not compared``,
        ``noisy``, ``unconfirmed`` or ``exception``.
    instrument : str
        ``count``, ``duet``, ``trace`` or ``gate``.
    message : str
        What was found, in words.
    change : float or None
        The relative growth (``slower``, ``faster``) or the figure (``promise``) that an exception
        of the policy may cover.
    against : str or None
        The library that a promise names.
    reason : str or None
        Why the limit is what it is, from the policy.
    growth : sequence of Growth
        The functions whose instruction count changed most, the library's own first.
    """

    level: Level
    kind: str
    instrument: str
    operation: str | None
    message: str
    change: float | None = None
    against: str | None = None
    reason: str | None = None
    growth: Sequence[Growth] = ()


@dataclass
class Row:
    """One operation: the figures of both sides, and the worst level among its findings."""

    operation: str
    counts: tuple[float | None, float | None] = (None, None)
    ratio: float | None = None
    interval: Interval | None = None
    difference: float | None = None
    skipped: str | None = None
    level: Level | None = None

    @property
    def compared(self) -> bool:
        """Is there a figure of both sides?"""
        return self.ratio is not None or None not in self.counts


@dataclass(frozen=True)
class Revision:
    """One side of the comparison, as whoever measured it names it."""

    name: str
    commit: str | None = None
    dirty: bool = False

    def __str__(self) -> str:
        """Name and commit, and whether the tree differed from it."""
        commit = f" ({self.commit[:8]})" if self.commit and self.commit[:8] != self.name else ""
        return f"{self.name}{commit}{' with uncommitted changes' if self.dirty else ''}"


@dataclass(frozen=True)
class Verdict:
    """Everything the outputs show."""

    base: Revision
    head: Revision
    rows: Sequence[Row]
    findings: Sequence[Finding]
    measured_on: Sequence[str]
    promises: dict[str, int] = field(default_factory=dict)

    @property
    def word(self) -> str:
        """``pass``, ``worse``, or ``undecided`` when nothing trustworthy speaks for a pass."""
        worst = max((finding.level for finding in self.findings), default=Level.NOTE)
        if worst is Level.FAIL:
            return WORSE
        if worst is Level.UNDECIDED or not any(row.compared for row in self.rows):
            return UNDECIDED
        return PASS

    @property
    def exit_status(self) -> int:
        """0 pass, 1 worse, 2 undecided."""
        return EXIT_STATUS[self.word]

    def of(self, *levels: Level) -> list[Finding]:
        """The findings of some levels, worst first."""
        found = [finding for finding in self.findings if finding.level in levels]
        return sorted(found, key=lambda finding: -finding.level)
