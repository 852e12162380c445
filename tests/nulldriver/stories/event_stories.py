"""Streams and events."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

from driver import OUT, Driver, short, story


@story
def priorities(d: Driver) -> Iterator[Any]:
    d.start()
    least, greatest = ctypes.c_int(77), ctypes.c_int(77)
    places = ctypes.byref(least), ctypes.byref(greatest)
    yield [d("cuCtxGetStreamPriorityRange", *places), least.value, greatest.value]
    yield d("cuCtxGetStreamPriorityRange", None, OUT)
    yield d("cuCtxGetStreamPriorityRange", None, None)
    for asked in (100, 1, 0, -1, -5, -6, -100):
        yield [asked, *d.number("cuStreamGetPriority", d.stream(1, asked))]


@story
def stream_flags(d: Driver) -> Iterator[Any]:
    d.start()
    for flags in (0, 1, 2, 3, 4):
        yield [flags, d("cuStreamCreateWithPriority", OUT, flags, 0)]
        yield d("cuStreamCreate", OUT, flags)
    for flags in (0, 1):
        yield d.number("cuStreamGetFlags", d.stream(flags))


@story
def default_streams(d: Driver) -> Iterator[Any]:
    context = d.start()
    found = ctypes.c_void_p()
    for stream in (0, 1, 2):
        for detail in ("GetPriority", "GetFlags", "IsCapturing"):
            yield d.number(f"cuStream{detail}", stream)
        yield d("cuStreamGetCtx", stream, ctypes.byref(found)), found.value == context.value
        yield d("cuStreamGetId", stream, OUT)
        yield d.number("cuStreamGetDevice", stream)
        yield d("cuStreamQuery", stream)
        yield d("cuStreamSynchronize", stream)
        yield d("cuEventRecord", d.event(), stream)


for detail in ("Priority", "Flags", "Ctx", "Id"):
    short(f"cuStreamGet{detail}", None, None)
short("cuStreamCreateWithPriority", None, 0, 0)
for stream in (None, 1, 2):
    short("cuStreamDestroy_v2", stream)


@story
def null_event(d: Driver) -> Iterator[Any]:
    d.start()
    yield d("cuEventQuery", None)
    yield d("cuEventSynchronize", None)
    yield d("cuEventRecord", None, None)
    yield d("cuEventDestroy_v2", None)
    yield d("cuStreamWaitEvent", None, None, 0)
    yield d("cuEventElapsedTime", OUT, None, None)


@story
def event_flags(d: Driver) -> Iterator[Any]:
    d.start()
    for flags in range(9):
        yield [flags, d("cuEventCreate", OUT, flags)]
    yield d("cuEventCreate", None, 0)


@story
def elapsed(d: Driver) -> Iterator[Any]:
    d.start()
    first, other, untimed, stream = d.event(), d.event(), d.event(2), d.stream()
    yield d("cuEventElapsedTime", OUT, first, other)
    yield d("cuEventQuery", first)
    yield d("cuEventSynchronize", first)
    yield d("cuEventRecord", first, stream)
    yield d("cuEventElapsedTime", OUT, first, other)
    yield d("cuEventRecord", other, None)
    yield d("cuEventRecord", untimed, stream)
    yield d("cuCtxSynchronize")
    yield d("cuEventElapsedTime", OUT, first, other)
    yield d("cuEventElapsedTime", OUT, other, first)
    yield d("cuEventElapsedTime", OUT, first, first)
    yield d("cuEventElapsedTime", None, first, other)
    yield d("cuEventElapsedTime", OUT, first, untimed)
    yield d("cuEventElapsedTime", OUT, untimed, d.event(2))
    yield d("cuEventElapsedTime_v2", OUT, first, other)


@story
def record_and_wait_flags(d: Driver) -> Iterator[Any]:
    d.start()
    event, stream = d.event(), d.stream()
    for flags in (0, 1, 2):
        yield [flags, d("cuEventRecordWithFlags", event, stream, flags)]
        yield d("cuStreamWaitEvent", stream, event, flags)


@story
def without_a_current_context(d: Driver) -> Iterator[Any]:
    d.start()
    event, other, stream = d.event(), d.event(), d.stream()
    d("cuCtxSetCurrent", None)
    yield d("cuEventQuery", event)
    yield d("cuEventRecord", event, stream)
    yield d("cuEventRecord", other, stream)
    yield d("cuEventRecord", event, None)
    yield d("cuStreamWaitEvent", stream, event, 0)
    yield d("cuStreamWaitEvent", None, event, 0)
    yield d("cuEventSynchronize", event)
    yield d("cuStreamQuery", stream)
    yield d("cuStreamSynchronize", stream)
    yield d("cuEventElapsedTime", OUT, event, other)
    for detail in ("Priority", "Flags", "Ctx", "Id", "Device"):
        yield d(f"cuStreamGet{detail}", stream, OUT)
    yield d("cuEventDestroy_v2", event)
    yield d("cuStreamDestroy_v2", stream)


@story
def two_contexts(d: Driver) -> Iterator[Any]:
    primary = d.start()
    event, stream = d.event(), d.stream()
    d.context()
    other, elsewhere = d.event(), d.stream()
    yield d("cuEventRecord", event, elsewhere)
    yield d("cuEventRecord", event, None)
    yield d("cuEventRecord", other, None)
    yield d("cuEventRecord", event, stream)
    yield d("cuStreamWaitEvent", elsewhere, event, 0)
    yield d("cuStreamWaitEvent", None, event, 0)
    yield d("cuStreamSynchronize", stream)
    yield d("cuStreamSynchronize", elsewhere)
    yield d("cuCtxSynchronize")
    yield d("cuEventElapsedTime", OUT, event, other)
    found = ctypes.c_void_p()
    yield [d("cuStreamGetCtx", stream, ctypes.byref(found)), found.value == primary.value]
    yield d("cuEventQuery", event)
    yield d("cuEventDestroy_v2", event)
    yield d("cuStreamDestroy_v2", stream)


class Ipc(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_char * 64)]


@story
def ipc(d: Driver) -> Iterator[Any]:
    d.start()
    handle = Ipc()
    yield d("cuIpcGetEventHandle", None, d.event(6))
    yield d("cuIpcGetEventHandle", ctypes.byref(handle), d.event(2))
    yield d("cuIpcGetEventHandle", ctypes.byref(handle), d.event(6))
    yield d("cuIpcOpenEventHandle", OUT, handle)
    yield d("cuIpcOpenEventHandle", None, handle)
    yield d("cuIpcOpenEventHandle", OUT, Ipc())
    d("cuCtxSetCurrent", None)
    yield d("cuIpcOpenEventHandle", OUT, handle)
    yield d("cuIpcOpenEventHandle", OUT, Ipc())
