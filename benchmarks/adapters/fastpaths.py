"""fastpaths, the package of this repository."""

from __future__ import annotations

from ..statement import Statement
from .base import import_library
from .cuda_core_api import CudaCoreApi


class Fastpaths(CudaCoreApi):
    """fastpaths has the names of cuda.core 1.x, so the statements are the same."""

    library = "fastpaths"
    distributions = ("fastpaths",)

    def __init__(self) -> None:
        super().__init__(import_library("fastpaths", "run `make build`"))

    def event_pooled(self) -> Statement:
        """``EventPool.event()``."""
        return Statement("pool.event()", {"pool": self._device.event_pool()})

    def stream_pooled(self) -> Statement:
        """``StreamPool.stream()``."""
        return Statement("pool.stream()", {"pool": self._device.stream_pool()})


adapter = Fastpaths
