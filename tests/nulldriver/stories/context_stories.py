"""Contexts: primary ones, others, and which one is current."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

from driver import OUT, Driver, short, story


@story
def no_context(d: Driver) -> Iterator[Any]:
    d("cuInit", 0)
    yield d.current()
    yield d("cuCtxGetDevice", OUT)
    yield d("cuCtxGetDevice", None)
    yield d("cuCtxGetCurrent", None)
    yield d("cuCtxPopCurrent_v2", OUT)
    yield d("cuCtxSetCurrent", None)
    yield d("cuCtxSynchronize")
    yield d("cuCtxGetFlags", OUT)
    yield d("cuCtxGetId", None, OUT)
    yield d("cuCtxGetApiVersion", None, OUT)
    yield d("cuCtxGetStreamPriorityRange", OUT, OUT)
    yield d("cuStreamCreate", OUT, 0)
    yield d("cuStreamCreate", OUT, 77)
    yield d("cuStreamCreate", None, 0)
    yield d("cuEventCreate", OUT, 0)
    yield d("cuEventCreate", OUT, 77)
    yield d("cuEventCreate", None, 0)
    for stream in (0, 1, 2):
        yield d("cuStreamQuery", stream)
        yield d("cuStreamSynchronize", stream)
        for detail in ("GetFlags", "GetPriority", "GetCtx", "GetId", "IsCapturing"):
            yield d(f"cuStream{detail}", stream, OUT)


@story
def primary_counts(d: Driver) -> Iterator[Any]:
    d("cuInit", 0)
    yield d("cuDevicePrimaryCtxRelease_v2", 0)
    yield d("cuDevicePrimaryCtxReset_v2", 0)
    yield d.primary()
    first = d.new("cuDevicePrimaryCtxRetain", 0)
    yield d.new("cuDevicePrimaryCtxRetain", 0).value == first.value
    for _ in range(3):
        yield d.primary()
        yield d("cuDevicePrimaryCtxRelease_v2", 0)
    yield d.new("cuDevicePrimaryCtxRetain", 0).value == first.value


def _uses_of_an_inactive_primary(d: Driver, context: ctypes.c_void_p) -> Iterator[Any]:
    yield d.current() == context.value
    yield d.number("cuCtxGetDevice")
    yield d.number("cuCtxGetFlags")
    yield d("cuCtxGetStreamPriorityRange", OUT, OUT)
    yield d("cuEventCreate", OUT, 0)
    yield d("cuStreamCreate", OUT, 0)
    yield d("cuCtxSynchronize")
    yield d("cuStreamQuery", None)
    for asked in (None, context):
        yield d("cuCtxGetId", asked, OUT)
        yield d("cuCtxGetApiVersion", asked, OUT)
        yield d("cuCtxGetDevice_v2", OUT, asked)
        yield d("cuCtxSynchronize_v2", asked)
    yield d("cuCtxPushCurrent_v2", context)
    yield d("cuCtxPopCurrent_v2", OUT)
    yield d("cuCtxSetCurrent", context)
    yield d.primary()


@story
def primary_released_while_current(d: Driver) -> Iterator[Any]:
    context = d.start()
    first, later = ctypes.c_uint64(), ctypes.c_uint64()
    yield d("cuCtxGetId", context, ctypes.byref(first))
    yield d("cuDevicePrimaryCtxRelease_v2", 0)
    yield from _uses_of_an_inactive_primary(d, context)
    yield d.new("cuDevicePrimaryCtxRetain", 0).value == context.value
    yield d("cuEventCreate", OUT, 0)
    yield d("cuCtxGetId", context, ctypes.byref(later))
    yield first.value == later.value


@story
def primary_reset_while_current(d: Driver) -> Iterator[Any]:
    context = d.start()
    d("cuDevicePrimaryCtxSetFlags_v2", 0, 4)
    yield d("cuDevicePrimaryCtxReset_v2", 0)
    yield d.primary()
    yield from _uses_of_an_inactive_primary(d, context)
    yield d.new("cuDevicePrimaryCtxRetain", 0).value == context.value
    yield d("cuEventCreate", OUT, 0)
    for _ in range(3):
        yield d("cuDevicePrimaryCtxRelease_v2", 0)
        yield d.primary()


@story
def primary_flags(d: Driver) -> Iterator[Any]:
    d("cuInit", 0)
    for flags in (0, 1, 2, 3, 4, 5, 6, 7, 8, 0x10, 0x20, 0x80, 0x100, 0xFFFF):
        yield [flags, d("cuDevicePrimaryCtxSetFlags_v2", 0, flags), *d.primary()]
    yield d("cuDevicePrimaryCtxSetFlags_v2", 0, 4)
    d.start()
    yield d.number("cuCtxGetFlags")
    yield d("cuDevicePrimaryCtxSetFlags_v2", 0, 1)
    yield d.primary()
    yield d.number("cuCtxGetFlags")
    d("cuDevicePrimaryCtxRelease_v2", 0)
    yield d.primary()


short("cuDevicePrimaryCtxGetState", 0, None, OUT)
short("cuDevicePrimaryCtxGetState", 0, OUT, None)
short("cuDevicePrimaryCtxRetain", None, 0)


@story
def contexts(d: Driver) -> Iterator[Any]:
    primary = d.start()
    made = d.context()
    yield d.current() == made.value
    yield d.number("cuCtxGetFlags")
    for context in (made, primary, None):
        yield d.number("cuCtxGetApiVersion", context)
        yield d("cuCtxGetId", context, OUT)
    yield d("cuCtxPushCurrent_v2", primary)
    yield d.current() == primary.value
    yield d("cuCtxPushCurrent_v2", made)
    yield d("cuCtxPopCurrent_v2", OUT)
    yield d.current() == primary.value
    yield d("cuCtxSetCurrent", None)
    yield d.current() == made.value
    yield d("cuCtxDestroy_v2", made)
    yield d.current() == primary.value
    yield d("cuCtxPopCurrent_v2", OUT)
    yield d.current()
    yield d("cuCtxPopCurrent_v2", OUT)
    for flags in (1, 2, 3, 4, 8, 0x10, 0x80, 0x100):
        yield [flags, d("cuCtxCreate_v2", OUT, flags, 0)]
    yield d("cuCtxCreate_v2", OUT, 0, 1000)


short("cuCtxCreate_v2", None, 0, 0)
short("cuCtxPopCurrent_v2", None)
short("cuCtxDestroy_v2", None)
short("cuCtxPushCurrent_v2", None)
short("cuCtxGetFlags", None)
short("cuCtxGetId", None, None)
short("cuCtxGetApiVersion", None, None)


@story
def destroying_the_primary_context(d: Driver) -> Iterator[Any]:
    context = d.start()
    yield d("cuCtxDestroy_v2", context)
    yield d.current() == context.value


@story
def destroyed_context_below_the_current_one(d: Driver) -> Iterator[Any]:
    primary = d.start()
    made = d.context()
    d("cuCtxPushCurrent_v2", primary)
    yield d("cuCtxDestroy_v2", made)
    yield d.current() == primary.value
    yield d("cuCtxPopCurrent_v2", OUT)
    yield d.current() == made.value
    yield d("cuEventCreate", OUT, 0)
    yield d("cuStreamCreate", OUT, 0)
    yield d("cuCtxGetStreamPriorityRange", OUT, OUT)
    yield d("cuCtxSynchronize")
    yield d("cuStreamQuery", None)
    yield d("cuCtxPopCurrent_v2", OUT)
    yield d.current() == primary.value
