"""An event's IPC handle opens in another process, and only there."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path
from typing import Any

SUCCESS, INVALID_CONTEXT, MAP_FAILED, INVALID_HANDLE = 0, 201, 205, 400
INTERPROCESS = 4 | 2

OPEN = """
import ctypes, sys
cuda = ctypes.CDLL(sys.argv[1])
class Ipc(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_ubyte * 64)]
cuda.cuIpcOpenEventHandle.argtypes = [ctypes.c_void_p, Ipc]
context, event = ctypes.c_void_p(), ctypes.c_void_p()
handle = Ipc.from_buffer_copy(bytes.fromhex(sys.argv[2]))
codes = [cuda.cuInit(0), cuda.cuIpcOpenEventHandle(ctypes.byref(event), handle)]
cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
codes += [cuda.cuCtxSetCurrent(context), cuda.cuIpcOpenEventHandle(ctypes.byref(event), handle)]
codes += [cuda.cuEventRecord(event, None), cuda.cuEventSynchronize(event)]
codes += [cuda.cuStreamWaitEvent(None, event, 0), cuda.cuEventQuery(event)]
codes += [cuda.cuEventElapsedTime(ctypes.byref(ctypes.c_float()), event, event)]
codes += [cuda.cuEventDestroy_v2(event), cuda.cuEventDestroy_v2(event)]
print(*codes)
"""


def exported(null: Any) -> bytes:
    handle = ctypes.create_string_buffer(64)
    assert null.calls.cuIpcGetEventHandle(handle, null.event(INTERPROCESS)) == SUCCESS
    return handle.raw


def opened_here(null: Any, handle: bytes) -> int:
    kind = null.calls.cuIpcOpenEventHandle.argtypes[1]
    place = ctypes.byref(ctypes.c_void_p())
    return int(null.calls.cuIpcOpenEventHandle(place, kind.from_buffer_copy(handle)))


def test_another_process_opens_it(null: Any, library: Path) -> None:
    null.start()
    done = subprocess.run(
        [sys.executable, "-c", OPEN, library, exported(null).hex()],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    without_context, opened, used, untimed, destroyed = (
        [0, INVALID_CONTEXT],
        [0, 0],
        [0] * 4,
        [INVALID_HANDLE],
        [0, INVALID_HANDLE],
    )
    expected = without_context + opened + used + untimed + destroyed
    assert [int(code) for code in done.stdout.split()] == expected


def test_the_same_process_does_not(null: Any) -> None:
    null.start()
    assert opened_here(null, exported(null)) == INVALID_CONTEXT
    assert null.control.live()["events"] == 1


def test_what_is_no_handle(null: Any) -> None:
    null.start()
    assert opened_here(null, bytes(64)) == MAP_FAILED
    assert opened_here(null, b"x" * 64) == MAP_FAILED


def test_only_interprocess_events_have_one(null: Any) -> None:
    null.start()
    for flags in (0, 2):
        place = ctypes.create_string_buffer(64)
        assert null.calls.cuIpcGetEventHandle(place, null.event(flags)) == INVALID_HANDLE


def test_opening_is_one_call_in_the_log(null: Any) -> None:
    null.start()
    null.control.log_start()
    opened_here(null, exported(null))
    assert null.control.log_stop() == [
        "cuEventCreate",
        "cuIpcGetEventHandle",
        "cuIpcOpenEventHandle",
    ]
