"""Instructions per operation on the null driver, counted by callgrind; the empty loop is off."""

from __future__ import annotations

from . import driver
from .adapters import LIBRARIES, OPTIONAL
from .instruments.count import count
from .instruments.side import InstrumentError
from .operations import LOOPED
from .tracked import Figures, Tracked, tracked

_COUNTED = [library for library in LIBRARIES if library not in OPTIONAL]


class _Instructions(Tracked):
    params = [_COUNTED]
    unit = "instructions"

    def setup_cache(self) -> Figures:
        """Count every operation of every library, one valgrind process a library."""
        return {library: _count(library) for library in _COUNTED}

    setup_cache.timeout = 900.0  # type: ignore[attr-defined]


def _count(library: str) -> dict[str, float | str]:
    if driver.current().kind != "null":
        reason = "instructions are counted on the null driver: set BENCH_DRIVER=null"
        return dict.fromkeys(LOOPED, reason)
    try:
        counts = count(library, LOOPED)
    except InstrumentError as error:
        return dict.fromkeys(LOOPED, str(error))
    figures: dict[str, float | str] = {
        name: failure["reason"] for name, failure in counts.failures.items()
    }
    return figures | {name: round(result.net, 3) for name, result in counts.results.items()}


globals().update(
    tracked(_Instructions, "track_instructions", "instructions of one operation", __name__)
)
