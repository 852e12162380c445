"""cuda.core's Device, Stream and Event work on the null driver, with any number of devices."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

INSTALLED = importlib.util.find_spec("cuda") and importlib.util.find_spec("cuda.core")
pytestmark = pytest.mark.skipif(not INSTALLED, reason="cuda-core is not installed")

BEGIN = """
import gc
from cuda.core import Device, EventOptions, StreamOptions
"""


def test_importing_does_not_initialise(python: Any) -> None:
    assert python(BEGIN + "print(null.init_count())") == 0


def test_objects_and_their_states(python: Any) -> None:
    code = """
device = Device()
device.set_current()
stream = device.create_stream(options=StreamOptions(nonblocking=True, priority=-2))
other = device.create_stream()
timed = EventOptions(timing_enabled=True)
first, last = stream.record(options=timed), stream.record(options=timed)
stream.wait(other)
stream.sync()
answers = [device.device_id, device.name, stream.priority, stream.is_nonblocking]
answers += [round((last - first) * 1000), last.is_done]
null.set_stream_busy(int(stream.handle), True)
late = stream.record()
answers.append(late.is_done)
late.sync()
answers += [late.is_done, Device().device_id]
print(json.dumps(answers))
"""
    answers = [0, "Null Device", -2, True, 1, True, False, True, 0]
    assert python(BEGIN + code) == answers


def test_several_devices(python: Any) -> None:
    code = """
devices = Device.get_all_devices()
found = []
for device in devices[::-1]:
    device.set_current()
    found.append([device.device_id, Device().device_id, device.create_stream().device.device_id])
print(json.dumps([found, len({device.uuid for device in devices})]))
"""
    found = [[2, 2, 2], [1, 1, 1], [0, 0, 0]]
    assert python(BEGIN + code, NULLCUDA_DEVICES="3") == [found, 3]


def test_what_it_creates_it_destroys(python: Any) -> None:
    code = """
device = Device()
device.set_current()
null.log_start()
for _ in range(3):
    event, stream = device.create_event(), device.create_stream()
    stream.record(event)
    stream.close()
    event.close()
calls = null.log_stop()
del event, stream
gc.collect()
names = "cuEventCreate", "cuEventDestroy_v2", "cuStreamCreateWithPriority", "cuStreamDestroy_v2"
live = null.live()
print(json.dumps([[calls.count(name) for name in names], live["events"], live["streams"]]))
"""
    assert python(BEGIN + code) == [[3, 3, 3, 3], 0, 0]


def test_an_error_reaches_the_caller(python: Any) -> None:
    code = """
device = Device()
null.inject_error("cuDevicePrimaryCtxRetain", 46)
try:
    device.set_current()
except Exception as error:
    print(json.dumps("CUDA_ERROR_DEVICE_UNAVAILABLE" in str(error)))
"""
    assert python(BEGIN + code) is True
