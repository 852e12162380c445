"""Nothing works before cuInit, or in a child of a process that called it; numbers of devices."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SUCCESS, INVALID_VALUE, NOT_INITIALIZED, NO_DEVICE, INVALID_DEVICE = 0, 1, 3, 100, 101
# What the real driver answers at any time.
ALWAYS = {
    "cuInit",
    "cuDriverGetVersion",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuGetProcAddress",
    "cuGetProcAddress_v2",
    "cuGetExportTable",
}


def zeros(call: Any) -> list[Any]:
    return [
        kind() if issubclass(kind, ctypes.Structure) else kind(0).value for kind in call.argtypes
    ]


def test_every_call_needs_initialisation(null: Any, rows: list[Any]) -> None:
    symbols = {row.symbol for row in rows} - ALWAYS
    assert len(symbols) > 50
    for symbol in sorted(symbols):
        call = getattr(null.calls, symbol)
        assert call(*zeros(call)) == NOT_INITIALIZED, symbol


def test_initialising_with_flags_or_often(null: Any) -> None:
    assert null.calls.cuInit(1) == INVALID_VALUE
    assert null.calls.cuCtxSynchronize() == NOT_INITIALIZED
    assert null.calls.cuInit(0) == null.calls.cuInit(0) == SUCCESS
    assert null.control.init_count() == 3


@pytest.mark.parametrize(
    ("text", "count"), [("0", None), ("3", 3), ("", 1), ("many", 1), ("65", 1)]
)
def test_devices_by_environment(python: Any, text: str, count: int | None) -> None:
    code = (
        "count = ctypes.c_int(-1); code = cuda.cuInit(0)\n"
        "cuda.cuDeviceGetCount(ctypes.byref(count)); print(json.dumps([code, count.value]))"
    )
    expected = [NO_DEVICE, -1] if count is None else [SUCCESS, count]
    assert python(code, NULLCUDA_DEVICES=text) == expected


@pytest.mark.parametrize("text", ["many", "65", "-1", "1.5"])
def test_a_bad_number_of_devices_is_named(library: Path, text: str) -> None:
    code = f"import ctypes; ctypes.CDLL({str(library)!r})"
    environment = {**os.environ, "NULLCUDA_DEVICES": text}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == (
        f"null driver: NULLCUDA_DEVICES={text} is no number from 0 to 64: taking 1\n"
    )


def test_devices_by_control(null: Any) -> None:
    null.control.set_device_count(0)
    assert null.calls.cuInit(0) == NO_DEVICE
    assert null.calls.cuDeviceGetCount(ctypes.byref(ctypes.c_int())) == NOT_INITIALIZED
    null.control.set_device_count(2)
    assert null.calls.cuInit(0) == SUCCESS
    assert null.out("cuDeviceGetCount", ctypes.c_int) == 2
    null.control.set_device_count(64)
    assert null.out("cuDeviceGet", ctypes.c_int, 63) == 63
    assert null.calls.cuDeviceGet(ctypes.byref(ctypes.c_int()), 64) == INVALID_DEVICE
    for count in (-1, 65):
        with pytest.raises(ValueError, match="0 to 64"):
            null.control.set_device_count(count)


def test_devices_differ(null: Any) -> None:
    null.control.set_device_count(3)
    null.calls.cuInit(0)

    def text(symbol: str, device: int) -> bytes:
        value = ctypes.create_string_buffer(64)
        assert getattr(null.calls, symbol)(value, 64, device) == SUCCESS
        return value.value

    def uuid(device: int) -> bytes:
        value = ctypes.create_string_buffer(16)
        assert null.calls.cuDeviceGetUuid_v2(value, device) == SUCCESS
        return value.raw

    assert len({text("cuDeviceGetPCIBusId", device) for device in range(3)}) == 3
    assert len({uuid(device) for device in range(3)}) == 3
    for device in range(3):
        bus = text("cuDeviceGetPCIBusId", device)
        assert null.out("cuDeviceGetByPCIBusId", ctypes.c_int, bus) == device


def test_a_name_that_is_too_long_is_cut(null: Any) -> None:
    null.calls.cuInit(0)
    value = ctypes.create_string_buffer(b"x" * 8, 8)
    assert null.calls.cuDeviceGetName(value, 5, 0) == SUCCESS
    assert value.raw[:5] == b"Null\0"
    assert value.raw[5:] == b"xxx"


FORKED = """
import signal
cuda.cuEventCreate.argtypes = [ctypes.c_void_p, ctypes.c_uint]
{before}
reader, writer = os.pipe()
if os.fork() == 0:
    signal.alarm(10)
    place = ctypes.byref(ctypes.create_string_buffer(64))
    codes = [cuda.cuInit(0), cuda.cuDeviceGetCount(place), cuda.cuCtxGetCurrent(place)]
    codes += [cuda.cuEventCreate(place, 0), cuda.cuDriverGetVersion(place)]
    os.write(writer, json.dumps(codes).encode())
    os._exit(0)
os.close(writer)
print(os.read(reader, 100).decode() or "null")
"""


def test_a_child_of_an_initialised_process(python: Any) -> None:
    codes = python(FORKED.format(before="cuda.cuInit(0)"))
    assert codes == [NOT_INITIALIZED] * 4 + [SUCCESS]


def test_a_child_of_a_process_that_only_loaded_the_driver(python: Any) -> None:
    assert python(FORKED.format(before="")) == [SUCCESS, SUCCESS, SUCCESS, 201, SUCCESS]


def test_a_child_forked_while_other_threads_call(python: Any) -> None:
    before = """
import threading
cuda.cuInit(0)
null.log_start()
def call():
    while True:
        cuda.cuCtxSynchronize()
for _ in range(4):
    threading.Thread(target=call, daemon=True).start()
"""
    code = FORKED.format(before=before)
    for _ in range(5):
        assert python(code + "sys.stdout.flush(); os._exit(0)") == [NOT_INITIALIZED] * 4 + [SUCCESS]


def test_a_child_can_start_over_by_control(python: Any) -> None:
    before = "cuda.cuInit(0)\nos.register_at_fork(after_in_child=null.reset)"
    assert python(FORKED.format(before=before))[0] == SUCCESS
