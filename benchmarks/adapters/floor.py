"""The floor: the same driver calls from a C loop."""

from __future__ import annotations

import ctypes

from .. import ruler
from ..operations import OPERATIONS, find
from ..statement import Body, DriverCallError, NativeLoop
from .base import Adapter


class Floor(Adapter):
    """The C loops of ``fastpaths/floor/floor.c``, built from the working tree."""

    library = "floor"
    distributions = ()
    unsupported_operations = {
        **dict.fromkeys(
            ("event.create_dict", "event.create_options"),
            "C passes flags: the floor is that of event.create",
        ),
    } | {
        name: "cuda.bindings and cuda.core alone have these helpers"
        for name in OPERATIONS
        if name.startswith("helpers.")
    }

    def __init__(self) -> None:
        # PyDLL keeps the GIL, as the Python libraries do around these calls.
        self._library = ctypes.PyDLL(str(ruler.floor()))
        if code := self._library.floor_open(0):
            raise DriverCallError(f"the floor cannot be set up: code {code} (-1: no driver)")

    def unsupported(self, operation: str) -> str | None:
        """Return why C has no such operation, or None."""
        method = find(operation).method
        if operation in self.unsupported_operations:
            return self.unsupported_operations[operation]
        if not hasattr(self._library, f"floor_{method}"):
            return "there is nothing to import" if operation == "import" else "no C loop"
        return None

    def body(self, operation: str) -> Body:
        """Return the C loop of an operation."""
        if self.unsupported(operation):
            return super().body(operation)
        name = f"floor_{find(operation).method}"
        return NativeLoop(getattr(self._library, name), name)

    def empty(self) -> Body:
        """Return the empty C loop."""
        return NativeLoop(self._library.floor_empty, "floor_empty")


adapter = Floor
