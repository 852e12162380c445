"""One adapter per library under measurement: from operation names to things to loop over."""

from __future__ import annotations

from importlib import import_module

from .. import driver
from .base import Adapter, MissingLibraryError, UnsupportedError

__all__ = [
    "LIBRARIES",
    "OPTIONAL",
    "Adapter",
    "MissingLibraryError",
    "UnknownLibraryError",
    "UnsupportedError",
    "load",
]

_MODULES = {
    "cuda.core": "cuda_core",
    "cupy": "cupy",
    "fastpaths": "fastpaths",
    "torch": "torch",
    "floor": "floor",
}

LIBRARIES: tuple[str, ...] = tuple(_MODULES)
"""Library names as they stand in parameters, tables and results."""

OPTIONAL = frozenset({"torch"})
"""Libraries whose absence is no fault of the set-up."""


class UnknownLibraryError(ValueError):
    """A library name that has no adapter."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"unknown library {name!r}; there are adapters for: {', '.join(LIBRARIES)}"
        )


def load(library: str) -> Adapter:
    """Import a library and make what its operations work on: a context, a stream, an event.

    Parameters
    ----------
    library : str
        One of :data:`LIBRARIES`.

    Raises
    ------
    UnknownLibraryError
        If there is no adapter of that name.
    MissingLibraryError
        If the library cannot be imported here; the message says what to install.
    benchmarks.driver.DriverError
        If there is no driver to measure on.
    """
    if library not in _MODULES:
        raise UnknownLibraryError(library)
    driver.current()
    module = import_module(f".{_MODULES[library]}", __name__)
    adapter: Adapter = module.adapter()
    return adapter
