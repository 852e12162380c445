"""Initialisation, and the way from names to functions."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Iterator
from typing import Any

from driver import OUT, Driver, short, story


@story
def init_flags(d: Driver) -> Iterator[Any]:
    yield d("cuInit", 1)
    yield d("cuDeviceGetCount", OUT)
    yield d("cuInit", 0)
    yield d("cuInit", 1)


@story
def before_init(d: Driver) -> Iterator[Any]:
    for symbol in (
        "cuDriverGetVersion",
        "cuDeviceGetCount",
        "cuCtxGetCurrent",
        "cuCtxPopCurrent_v2",
        "cuCtxGetDevice",
    ):
        yield d(symbol, OUT)
    yield d("cuDeviceGet", OUT, 0)
    yield d("cuDeviceGetAttribute", OUT, 1, 0)
    yield d("cuDevicePrimaryCtxRetain", OUT, 0)
    yield d("cuDevicePrimaryCtxGetState", 0, OUT, OUT)
    yield d("cuDevicePrimaryCtxSetFlags_v2", 0, 0)
    yield d("cuCtxSetCurrent", None)
    yield d("cuCtxSynchronize")
    yield d("cuCtxGetStreamPriorityRange", OUT, OUT)
    yield d("cuStreamCreate", OUT, 0)
    yield d("cuStreamQuery", None)
    yield d("cuStreamGetPriority", None, OUT)
    yield d("cuEventCreate", OUT, 0)
    yield d("cuGetErrorName", 1, OUT)
    yield d("cuGetErrorName", 12345, OUT)
    yield d("cuGetErrorString", 12345, OUT)


short("cuDriverGetVersion", None, start=False)
short("cuDeviceGetCount", None, start=False)


@story
def after_fork(d: Driver) -> Iterator[Any]:
    d.start()
    reader, writer = os.pipe()
    if os.fork() == 0:
        codes = [d("cuInit", 0), d("cuDeviceGetCount", OUT), d("cuCtxGetCurrent", OUT)]
        codes += [d("cuEventCreate", OUT, 0), d("cuDriverGetVersion", OUT)]
        os.write(writer, json.dumps(codes).encode())
        os._exit(0)
    os.close(writer)
    yield json.loads(os.read(reader, 4096) or b"null")


def look_up(d: Driver, name: bytes, version: int, flags: int) -> list[Any]:
    """Return code and whether something was found: without a status, with one, by version 1."""
    asked = version, ctypes.c_uint64(flags)
    found, status = ctypes.c_void_p(77), ctypes.c_int(77)
    place = ctypes.byref(found)
    answers: list[Any] = [name.decode(), version, flags]
    answers += [d("cuGetProcAddress_v2", name, place, *asked, None), found.value in (None, 77)]
    found.value = 77
    answers += [d("cuGetProcAddress_v2", name, place, *asked, ctypes.byref(status))]
    answers += [found.value in (None, 77), status.value]
    found.value = 77
    answers += [d("cuGetProcAddress", name, place, *asked), found.value in (None, 77)]
    return answers


@story
def look_ups(d: Driver) -> Iterator[Any]:
    for version in (12000, 1000, 0):
        yield look_up(d, b"cuEventCreate", version, 0)
    for name in (b"cuEventDestroy_v2", b"cuStreamQuery_ptsz", b"cuNothing", b""):
        yield look_up(d, name, 12000, 0)
    for flags in (1, 2, 3, 4):
        yield look_up(d, b"cuEventCreate", 12000, flags)
    yield look_up(d, b"cuGetProcAddress", 12000, 0)


@story
def look_up_of_a_later_version(d: Driver) -> Iterator[Any]:
    yield look_up(d, b"cuEventCreate", 99990, 0)


@story
def addresses_are_symbols(d: Driver) -> Iterator[Any]:
    names = ("cuCtxGetDevice", "cuCtxSynchronize", "cuEventElapsedTime", "cuDeviceGetUuid")
    for name in (*names, "cuCtxCreate", "cuStreamQuery"):
        for version in (11040, 12000, 12050, 12080, 13000):
            for flags in (1, 2):
                found = ctypes.c_void_p()
                asked = ctypes.byref(found), version, ctypes.c_uint64(flags), None
                d("cuGetProcAddress_v2", name.encode(), *asked)
                yield [version, flags, symbol_at(d, name, found.value)]


def symbol_at(d: Driver, name: str, address: int | None) -> str | None:
    for suffix in ("_v4", "_v3", "_v2", "_ptsz", ""):
        symbol = getattr(d.library, name + suffix, None)
        if symbol and ctypes.cast(symbol, ctypes.c_void_p).value == address:
            return name + suffix
    return None
