"""Play two workers against each other: calibrate the slices, add rounds, stop in time."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from types import TracebackType

from .duet_result import DuetResult, Rounds, conclude
from .pair import Pair
from .resampling import median_interval
from .side import InstrumentError, NotOfferedError, Side

SLICE_NS = 150_000
_BATCH_ROUNDS = 8
_BATCH_NS = 50_000_000
_FEWEST_ROUNDS = 128
_TRUSTED_ROUNDS = 32
_PATIENCE = 5
_RESAMPLES_ON_THE_WAY = 400
_LIKE_SIZED = 4.0
_MOST_OPERATIONS = 20_000
_PREPARE_TIMEOUT = 60.0
_BATCH_GRACE = 20.0


@dataclass(frozen=True)
class Limits:
    """When a duet stops, and how it slices.

    Parameters
    ----------
    width : float
        Stop when the interval of the ratio is narrower than this share of the ratio.
    seconds : float
        Stop after this time at the latest.
    confidence : float
        What the intervals are meant to cover.
    operations : int, optional
        Operations per slice; calibrated to `SLICE_NS` unless given.
    core : int, optional
        The core both workers are pinned to; the last one allowed unless given.
    """

    width: float = 0.01
    seconds: float = 3.0
    confidence: float = 0.99
    operations: int | None = None
    core: int | None = None


class Duet:
    """Two sides, started once, that play any number of operations.

    A worker that fails is replaced by the next operation's; use it as a context manager or call
    `close`.
    """

    def __init__(self, a: Side, b: Side) -> None:
        """Remember the sides; the workers start with the first operation."""
        self.a = a
        self.b = b
        self._pair: Pair | None = None

    def start(self) -> Pair:
        """Start the workers unless they run, and return them.

        Raises
        ------
        NotOfferedError
            A side's library is not installed.
        InstrumentError
            A worker failed or died; the message says which and why.
        """
        if self._pair is None:
            self._pair = Pair(self.a, self.b)
        return self._pair

    def measure(self, operation: str, limits: Limits | None = None) -> DuetResult:
        """Play one operation.

        Raises
        ------
        NotOfferedError
            A side does not offer the operation, or its library is not installed.
        InstrumentError
            A worker failed, died or hung; the message says which and why.
        """
        pair = self.start()
        try:
            return _play(pair, operation, limits or Limits())
        except NotOfferedError:
            raise
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the workers."""
        if self._pair is not None:
            self._pair.close()
            self._pair = None

    def __enter__(self) -> Duet:
        """Return the duet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the workers."""
        self.close()


def duet(a: Side, b: Side, operation: str, limits: Limits | None = None) -> DuetResult:
    """Play one operation with two fresh workers; see `Duet.measure`."""
    with Duet(a, b) as both:
        return both.measure(operation, limits)


def _play(pair: Pair, operation: str, limits: Limits) -> DuetResult:
    core = max(os.sched_getaffinity(0)) if limits.core is None else limits.core
    prepare = {"do": "prepare", "operation": operation, "core": core}
    costs = [pair.ask({side: prepare}, _PREPARE_TIMEOUT)[0]["ns"] for side in (0, 1)]
    counts = _slice_operations(costs, limits)
    round_ns = 2 * sum(cost * count for cost, count in zip(costs, counts, strict=True))
    batch = max(1, min(_BATCH_ROUNDS, int(_BATCH_NS / round_ns)))
    commands = {
        side: {"do": "batch", "rounds": batch, "operations": counts[side]} for side in (0, 1)
    }
    timeout = _BATCH_GRACE + 10 * batch * round_ns * 1e-9
    rounds = Rounds(counts)
    check_at, stopped = _FEWEST_ROUNDS, "time limit"
    begin = time.monotonic()
    while stopped != "narrow":
        seconds = time.monotonic() - begin
        if seconds > limits.seconds and len(rounds.ratios) >= _TRUSTED_ROUNDS:
            break
        if seconds > _PATIENCE * limits.seconds:
            raise InstrumentError(
                f"{operation}: {len(rounds.ratios)} of {rounds.played} rounds went without"
                f" interruption in {seconds:.1f} s and {_TRUSTED_ROUNDS} are needed:"
                " end what else runs on this machine, or give it more time"
            )
        rounds.add(*pair.ask(commands, timeout))
        if len(rounds.ratios) >= check_at:
            check_at = len(rounds.ratios) * 5 // 4
            if _width(rounds.ratios, limits.confidence) <= limits.width:
                stopped = "narrow"
    return conclude(
        rounds,
        operation=operation,
        sides=pair.sides,
        identities=pair.identities,
        confidence=limits.confidence,
        stopped=stopped,
        seconds=time.monotonic() - begin,
        core=core,
    )


def _width(ratios: Sequence[float], confidence: float) -> float:
    low, high = median_interval(ratios, confidence=confidence, resamples=_RESAMPLES_ON_THE_WAY)
    return (high - low) / median(ratios)


def _slice_operations(costs: Sequence[float], limits: Limits) -> list[int]:
    """Return each side's operations per slice: the same where the sides cost alike."""
    if limits.operations is not None:
        return [limits.operations] * 2
    counts = [max(1, min(_MOST_OPERATIONS, int(SLICE_NS / cost))) for cost in costs]
    return [min(counts)] * 2 if max(counts) <= _LIKE_SIZED * min(counts) else counts
