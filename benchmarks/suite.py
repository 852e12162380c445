"""From the catalogue to asv: one class per operation, the libraries as parameter.

What asv and asv_runner do with a class decides its shape. A class with ``setup`` is timed one
call a sample, so a call performs an operation :data:`LOOP` times. A benchmark whose ``version``
is not pinned is identified by its source, which would end all history at every edit here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from . import adapters
from .operations import LOOPED, OPERATIONS, Operation
from .statement import Loop

LOOP = 1000
"""Operations per sample: microseconds per sample are nanoseconds per operation."""

VERSION = "1"
"""Raise it when what is measured changes, and all earlier history becomes incomparable."""


class Suite:
    """One operation on every library.

    A library that lacks the operation, or is not installed, raises ``NotImplementedError`` in
    ``setup``, which asv shows as skipped; the run record keeps the reason.
    """

    params: ClassVar[list[list[str]]] = [list(adapters.LIBRARIES)]
    param_names: ClassVar[list[str]] = ["library"]
    version = VERSION
    timeout = 120.0
    rounds = 1
    repeat = (20, 60, 1.0)
    warmup_time = 0.05

    operation: ClassVar[Operation]
    loop: Loop

    def setup(self, library: str) -> None:
        """Make what the operation works on; nothing of this is timed."""
        self.loop = adapters.load(library).body(self.operation.name).loop()


def _timing(operation: Operation) -> Callable[[Suite, str], None]:
    def time(self: Suite, library: str) -> None:
        self.loop(LOOP)

    time.__doc__ = f"{operation.summary} ({LOOP} times)"
    return time


def suites(group: str, module: str) -> dict[str, type[Suite]]:
    """Return the suites of a group of operations, by class name.

    Parameters
    ----------
    group : str
        The part of the operation's name before the dot.
    module : str
        The module that asv is to find them in.
    """
    found = {}
    for operation in map(OPERATIONS.__getitem__, LOOPED):
        if operation.group != group:
            continue
        verb = operation.name.partition(".")[2]
        name = "".join(part.title() for part in verb.split("_"))
        members: dict[str, Any] = {
            "__doc__": operation.summary,
            "__module__": module,
            "operation": operation,
            f"time_{verb}": _timing(operation),
        }
        found[name] = type(name, (Suite,), members)
    return found
