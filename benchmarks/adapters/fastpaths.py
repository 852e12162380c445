"""fastpaths, the package of this repository."""

from __future__ import annotations

from .base import import_library
from .cuda_core_api import CudaCoreApi


class Fastpaths(CudaCoreApi):
    """fastpaths has the names of cuda.core 1.x, so the statements are the same."""

    library = "fastpaths"
    distributions = ("fastpaths",)

    def __init__(self) -> None:
        super().__init__(import_library("fastpaths", "run `make build`"))


adapter = Fastpaths
