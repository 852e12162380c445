"""Names of functions as an author knows them."""

from __future__ import annotations

import re

_CYTHON = re.compile(r"__pyx_(?P<kind>tp_[a-z_]+|[a-z]+)_(?=\d)(?P<rest>.+)")
_LENGTH = re.compile(r"\d+")
_EXTENSION = (".cpython-", ".abi3.")


def is_extension(shared_object: str) -> bool:
    """Is a shared object an extension module, and not the interpreter or a C library?"""
    return any(mark in shared_object for mark in _EXTENSION)


def readable(symbol: str) -> str:
    """The dotted name behind a C name of Cython's; any other name as it is.

    Cython writes the length before each part of the path, and a running number before the name
    of a method.

    >>> readable("__pyx_pw_9fastpaths_7_device_6Device_9create_event")
    'fastpaths._device.Device.create_event'
    >>> readable("__pyx_tp_dealloc_9fastpaths_6_event_Event")
    'fastpaths._event.Event (dealloc)'
    >>> readable("PyObject_Malloc")
    'PyObject_Malloc'
    """
    found = _CYTHON.fullmatch(symbol)
    if found is None:
        return symbol
    rest, parts = found["rest"], []
    while length := _LENGTH.match(rest):
        end = length.end() + int(length[0])
        if rest[end : end + 1] != "_":
            break
        parts.append(rest[length.end() : end])
        rest = rest[end + 1 :]
    if not parts:
        return symbol
    name = ".".join([*parts, rest.lstrip("0123456789")])
    kind = found["kind"]
    return f"{name} ({kind.removeprefix('tp_')})" if kind.startswith("tp_") else name
