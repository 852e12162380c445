"""How many times the floor an operation costs: paired time, both without their empty loops."""

from __future__ import annotations

from .adapters import LIBRARIES, OPTIONAL
from .instruments.duet import Duet, Limits
from .instruments.side import InstrumentError, Side
from .operations import LOOPED
from .tracked import Figures, Tracked, tracked

FLOOR = "floor"
_ABOVE = [library for library in LIBRARIES if library not in {FLOOR, *OPTIONAL}]
_LIMITS = Limits(width=0.02, seconds=0.5)


class _FloorRatio(Tracked):
    params = [_ABOVE]
    unit = "x floor"

    def setup_cache(self) -> Figures:
        """Play every library against the floor, operation by operation."""
        return {library: _play(library) for library in _ABOVE}

    setup_cache.timeout = 900.0  # type: ignore[attr-defined]


def _play(library: str) -> dict[str, float | str]:
    figures: dict[str, float | str] = {}
    with Duet(Side(library), Side(FLOOR)) as both:
        try:
            both.start()
        except InstrumentError as error:
            return dict.fromkeys(LOOPED, str(error))
        for operation in LOOPED:
            try:
                ratio = both.measure(operation, _LIMITS).net_ratio
            except InstrumentError as error:
                figures[operation] = str(error)
            else:
                reason = "the floor costs no more than the empty loop here"
                figures[operation] = reason if ratio is None else round(ratio, 4)
    return figures


globals().update(tracked(_FloorRatio, "track_ratio", "ratio to the C loop", __name__))
