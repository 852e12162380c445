"""The null driver: a ``libcuda.so.1`` for measuring and testing without a GPU.

It implements the documented driver calls that Device, Stream and Event of ``cuda.core``, CuPy's
stub and ``fastpaths`` need, with their handle, context and error semantics, and does no work
behind them. Load it before anything else loads a driver; whatever asks for ``libcuda.so.1`` later
in the process then gets it::

    from fastpaths import nulldriver

    null = nulldriver.load(devices=2)

Two environment variables are read when it is loaded: ``NULLCUDA_DEVICES`` (1) and
``NULLCUDA_DRIVER_VERSION`` (13000). The functions of this module are not driver API: they are
exported under the prefix ``nullcuda_``, which no driver has. The module stands alone, so that it
can be imported by its path.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from pathlib import Path

MOST_DEVICES = 64
_LIBRARY = "libcuda.so.1"
_FOREVER = 2**63


def library_path() -> Path:
    """Return the path of ``libcuda.so.1``.

    Of an installation, beside this module; else of an editable install's build; else the newest
    in ``build/ruler`` of a source tree.

    Raises
    ------
    FileNotFoundError
        If there is none.
    """
    found = next(filter(Path.exists, _places()), None)
    if found:
        return found
    raise FileNotFoundError(
        f"{_LIBRARY} is not built: run `make build` in the source tree, or install fastpaths"
    )


def _places() -> Iterator[Path]:
    yield Path(__file__).resolve().with_name(_LIBRARY)
    if __name__ in sys.modules:  # not when imported by its path
        import importlib.resources  # late: what it imports too is measured in the libraries

        yield Path(str(importlib.resources.files(__name__) / _LIBRARY))
    built = (Path(__file__).resolve().parents[2] / "build" / "ruler").rglob(_LIBRARY)
    yield from sorted(built, key=lambda path: path.stat().st_mtime, reverse=True)


def load(path: str | Path | None = None, *, devices: int | None = None) -> NullDriver:
    """Load the null driver for this process, or find it loaded.

    Parameters
    ----------
    path : str or pathlib.Path, optional
        The library; :func:`library_path` unless given.
    devices : int, optional
        How many devices there are, 0 to 64.

    Raises
    ------
    OSError
        If the library cannot be loaded.
    """
    library = ctypes.CDLL(str(path or library_path()), mode=ctypes.RTLD_GLOBAL)
    null = NullDriver(library)
    if devices is not None:
        null.set_device_count(devices)
    return null


class NullDriver:
    """Controls of a loaded null driver.

    Parameters
    ----------
    library : ctypes.CDLL
        The library.
    """

    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library
        library.nullcuda_call_symbol.restype = ctypes.c_char_p
        for name in ("log_stop", "count", "live_contexts", "live_streams", "live_events"):
            getattr(library, f"nullcuda_{name}").restype = ctypes.c_uint64
        library.nullcuda_log_entry.argtypes = [ctypes.c_size_t]
        number = ctypes.c_uint64
        library.nullcuda_inject.argtypes = [ctypes.c_char_p, ctypes.c_int, number, number, number]
        library.nullcuda_set_stream_busy.argtypes = [ctypes.c_size_t, ctypes.c_int]
        library.nullcuda_set_not_ready.argtypes = [ctypes.c_size_t, ctypes.c_int]
        self._symbols = [
            library.nullcuda_call_symbol(call).decode()
            for call in range(library.nullcuda_call_count())
        ]

    # --- The machine ---

    def set_device_count(self, count: int) -> None:
        """Have `count` devices, from now on.

        Raises
        ------
        ValueError
            If it is not between 0 and 64.
        """
        if not self._library.nullcuda_set_device_count(count):
            raise ValueError(f"there can be 0 to {MOST_DEVICES} devices, not {count}")

    def set_driver_version(self, version: int) -> None:
        """Claim a CUDA version, 1000 x major + 10 x minor.

        ``cuGetProcAddress`` then refuses later versions, as an old driver does; the symbols of
        later calls stay in the library.
        """
        self._library.nullcuda_set_driver_version(version)

    def init_count(self) -> int:
        """Return how often ``cuInit`` was called, whether or not the log was on."""
        return int(self._library.nullcuda_init_count())

    def reset(self) -> None:
        """Go back to before ``cuInit``, with no object, injection or log."""
        self._library.nullcuda_reset()
        self._library.nullcuda_clear_log()
        self.clear_injections()
        self.clear_counts()

    # --- Log ---

    def log_start(self) -> None:
        """Begin an empty log of all driver calls."""
        self._library.nullcuda_log_start()

    def log_stop(self) -> list[str]:
        """End the log and return the symbols called, in order."""
        count = self._library.nullcuda_log_stop()
        return [self._symbols[self._library.nullcuda_log_entry(index)] for index in range(count)]

    def counts(self) -> dict[str, int]:
        """Return how often each symbol was called while a log was on, zeros left out."""
        counts = map(self._library.nullcuda_count, range(len(self._symbols)))
        return {symbol: n for symbol, n in zip(self._symbols, counts, strict=True) if n}

    def clear_counts(self) -> None:
        """Set all counts to zero."""
        self._library.nullcuda_clear_counts()

    # --- Ledger ---

    def live(self) -> dict[str, int]:
        """Return how many ``contexts``, ``streams`` and ``events`` are alive, by these names.

        ``primary_references`` are how often primary contexts are retained, over all devices.
        """
        references = (self._library.nullcuda_primary_references(i) for i in range(MOST_DEVICES))
        return {
            "contexts": int(self._library.nullcuda_live_contexts()),
            "streams": int(self._library.nullcuda_live_streams()),
            "events": int(self._library.nullcuda_live_events()),
            "primary_references": sum(count for count in references if count > 0),
        }

    # --- Faults ---

    def inject_error(self, function: str, code: int, at: int = 1, times: int = 1) -> None:
        """Fail with a ``CUresult`` from the `at`-th call of a function on, `times` times.

        Parameters
        ----------
        function : str
            An exported symbol, such as ``cuEventDestroy_v2``, or the name without its suffix,
            which stands for every symbol of that name.
        code : int
            The ``CUresult`` to return.
        at : int
            The first call that fails, counted from 1 and from now.
        times : int
            How many calls fail.

        Raises
        ------
        ValueError
            If there is no such function, a number makes no sense, or too many injections are
            active.
        """
        self._inject(function, code, at, times, 0)

    def inject_delay(self, function: str, ns: int, at: int = 1, times: int = _FOREVER) -> None:
        """Have calls of a function take `ns` nanoseconds longer; see :meth:`inject_error`."""
        self._inject(function, 0, at, times, ns)

    def _inject(self, function: str, code: int, at: int, times: int, ns: int) -> None:
        if at < 1:
            raise ValueError(f"calls are counted from 1, not {at}")
        if times < 1:
            raise ValueError(f"an injection concerns at least one call, not {times}")
        if ns < 0:
            raise ValueError(f"a delay is a number of nanoseconds, not {ns}")
        symbols = [
            symbol
            for symbol in self._symbols
            if symbol == function or (symbol.startswith(f"{function}_") and _is_variant(symbol))
        ]
        if not symbols:
            raise ValueError(f"the null driver has no function {function!r}")
        for symbol in symbols:
            if not self._library.nullcuda_inject(symbol.encode(), code, at, times, ns):
                raise ValueError("too many injections are active: call clear_injections() first")

    def clear_injections(self) -> None:
        """Fail and delay nothing any more."""
        self._library.nullcuda_clear_injections()

    def set_stream_busy(self, stream: int, busy: bool = True) -> None:
        """Keep a stream busy until somebody waits for it, or finish its work.

        Raises
        ------
        ValueError
            If there is no such stream.
        """
        if not self._library.nullcuda_set_stream_busy(int(stream), busy):
            raise ValueError(f"{int(stream):#x} is no live stream of the null driver")

    def set_not_ready(self, event: int, not_ready: bool = True) -> None:
        """Have an event be not ready until somebody waits for it, or let it go.

        Raises
        ------
        ValueError
            If there is no such event.
        """
        if not self._library.nullcuda_set_not_ready(int(event), not_ready):
            raise ValueError(f"{int(event):#x} is no live event of the null driver")


def _is_variant(symbol: str) -> bool:
    suffix = symbol.partition("_")[2]
    return all(part == "ptsz" or part[1:].isdigit() for part in suffix.split("_"))
