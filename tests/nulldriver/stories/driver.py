"""A driver as the stories call it, and the list of stories."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any

Story = Callable[["Driver"], Iterator[Any]]
STORIES: dict[str, Story] = {}


def story(function: Story) -> Story:
    """Add a function that yields return codes, and what else two drivers should agree on."""
    STORIES[function.__name__] = function
    return function


def short(symbol: str, *arguments: Any, start: bool = True) -> None:
    """Add a story of one call, for calls that may end the process."""

    def call(d: Driver) -> Iterator[Any]:
        if start:
            d.start()
        yield d(symbol, *arguments)

    shown = (a.decode() if isinstance(a, bytes) else a for a in arguments)
    call.__name__ = f"{symbol}({', '.join('NULL' if a is None else str(a) for a in shown)})"
    story(call)


class Out:
    """A place for whatever a call returns; what it is does not matter."""

    def __str__(self) -> str:
        return "out"


OUT = Out()


class Driver:
    """A driver's calls by symbol. Handles are c_void_p; other integers are passed as C ints."""

    def __init__(self, path: str) -> None:
        self.library = ctypes.CDLL(path)

    def __call__(self, symbol: str, *arguments: Any) -> int:
        places = [
            ctypes.byref(ctypes.create_string_buffer(64)) if argument is OUT else argument
            for argument in arguments
        ]
        return int(getattr(self.library, symbol)(*places))

    def new(self, symbol: str, *arguments: Any) -> ctypes.c_void_p:
        """Call a function that makes something, and return that."""
        made = ctypes.c_void_p()
        code = self(symbol, ctypes.byref(made), *arguments)
        assert code == 0, f"{symbol}: {code}"
        return made

    def number(self, symbol: str, *arguments: Any) -> list[int]:
        """Call a function that returns a C int in its last argument: its code and the number."""
        value = ctypes.c_int(-77)
        return [self(symbol, *arguments, ctypes.byref(value)), value.value]

    def start(self) -> ctypes.c_void_p:
        assert self("cuInit", 0) == 0
        context = self.new("cuDevicePrimaryCtxRetain", 0)
        assert self("cuCtxSetCurrent", context) == 0
        return context

    def event(self, flags: int = 0) -> ctypes.c_void_p:
        return self.new("cuEventCreate", flags)

    def stream(self, flags: int = 1, priority: int = 0) -> ctypes.c_void_p:
        return self.new("cuStreamCreateWithPriority", flags, priority)

    def context(self) -> ctypes.c_void_p:
        return self.new("cuCtxCreate_v2", 0, 0)

    def current(self) -> int | None:
        return self.new("cuCtxGetCurrent").value

    def primary(self) -> list[int]:
        """Return code, flags and activity of the primary context."""
        flags, active = ctypes.c_uint(77), ctypes.c_int(77)
        places = ctypes.byref(flags), ctypes.byref(active)
        return [self("cuDevicePrimaryCtxGetState", 0, *places), flags.value, active.value]
