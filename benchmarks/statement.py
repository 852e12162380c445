"""What every instrument runs: a body whose loop performs an operation n times."""

from __future__ import annotations

import ctypes
import linecache
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, Protocol

Loop = Callable[[int], object]


class Body(Protocol):
    """Something that an instrument can loop over."""

    def loop(self) -> Loop:
        """Return a callable; called with n it performs n operations."""


@dataclass(frozen=True)
class Statement:
    """Python source that performs one operation, timed the way :mod:`timeit` does it.

    Attributes
    ----------
    source : str
        What a user would type; one statement a line.
    names : mapping of str to object
        The names the source uses. They are fast locals of the loop.
    """

    source: str
    names: Mapping[str, object] = field(default_factory=dict)

    def loop(self) -> Loop:
        """Compile ``for _ in repeat(None, n): source``.

        Raises
        ------
        SyntaxError
            If the source is not Python.
        """
        parameters = "".join(f", {name}={name}" for name in self.names)
        body = "\n".join(f"        {line}" for line in self.source.splitlines())
        text = (
            f"def loop(n{parameters}, _repeat=_repeat):\n    for _ in _repeat(None, n):\n{body}\n"
        )
        filename = f"<operation {self.source.splitlines()[0]}>"
        # Tracebacks and line profilers find the generated source here.
        linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
        namespace: dict[str, Any] = {**self.names, "_repeat": repeat}
        exec(compile(text, filename, "exec"), namespace)
        loop: Loop = namespace["loop"]
        return loop


EMPTY = Statement("pass")
"""The loop around a statement, without the statement."""


class DriverCallError(RuntimeError):
    """A driver call inside a C loop failed."""


@dataclass(frozen=True)
class NativeLoop:
    """A C function that performs an operation n times and returns a ``CUresult``."""

    function: Any
    name: str

    def loop(self) -> Loop:
        """Return a callable that raises :class:`DriverCallError` on any code but zero."""
        function, name = self.function, self.name
        function.argtypes = [ctypes.c_ulong]
        function.restype = ctypes.c_int

        def run(n: int) -> None:
            if code := function(n):
                raise DriverCallError(f"{name}: a driver call returned CUresult {code}")

        return run
