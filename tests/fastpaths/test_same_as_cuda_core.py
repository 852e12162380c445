"""The same call on fastpaths and on cuda.core: the same kind of answer, or the same exception.

Each line of a table is an expression; ``lib`` is the library, ``device``, ``stream`` and ``event``
are objects of it.
"""

from __future__ import annotations

import copy  # noqa: F401 (the expressions use it)
import pickle  # noqa: F401
from typing import Any

import pytest

import fastpaths


class Says:
    """An object whose ``__cuda_stream__`` gives what it is told to."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def __cuda_stream__(self) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Attribute:
    __cuda_stream__ = (0, 1)


def closed(thing: Any) -> Any:
    thing.close()
    return thing


SAME = """
lib.Device("0")
lib.Device(b"0")
lib.Device([])
lib.Device(-1)
lib.Device(64)
lib.Device(True)
lib.Device(0, 0)
lib.Device(number=0)
lib.Device(device_id=0) is lib.Device.__new__(lib.Device, 0)
pickle.loads(pickle.dumps(device)) is copy.copy(device) is copy.deepcopy(device) is device
setattr(device, "colour", 1)
setattr(device, "device_id", 1)
device < device
device == 0
device.set_current()
device.set_current(1)
device.set_current(device)
device.set_current(device.context)
device.context.close()
device.create_event(1)
device.create_event(("timing_enabled",))
device.create_event("timing_enabled")
device.create_event({"colour": 1})
device.create_event({1: 1})
device.create_event({"timing_enabled": None}).is_timing_enabled
device.create_event({"timing_enabled": True, "ipc_enabled": True})
device.create_event(lib.StreamOptions())
device.create_stream(1)
device.create_stream("stream")
device.create_stream(None, 1)
device.create_stream(None, {"colour": 1})
device.create_stream(None, {"priority": "high"})
device.create_stream(None, {"priority": 100})
device.create_stream(None, {"priority": -100})
device.create_stream(None, {"nonblocking": None}).is_nonblocking
device.create_stream(lib.StreamOptions())
device.create_stream(Says((0, 1)), {"priority": 0})
device.create_stream(Says((0, 1)))
device.create_stream(Says([0, 1]))
device.create_stream(Attribute())
device.create_stream(Says((1, 1)))
device.create_stream(Says(("0", 1)))
device.create_stream(Says((0,)))
device.create_stream(Says((0, 1, 2)))
device.create_stream(Says(None))
device.create_stream(Says(5))
device.create_stream(Says((0, "1")))
device.create_stream(Says((0, None)))
device.create_stream(Says(KeyError("mine")))
device.create_stream(Says)
device.can_access_peer(device)
device.can_access_peer("0")
device.can_access_peer(64)
device.can_access_peer(-1)
device.properties.colour
type(device.properties)()
device.compute_capability == tuple(device.compute_capability)
device.arch
device.name
device.uuid
stream.wait(event)
stream.wait(stream)
stream.wait(Says((0, 1)))
stream.wait(1)
stream.wait("event")
stream.wait(device)
stream.wait(Says((1, 1)))
stream.wait(Says((0,)))
stream.wait(Says(None))
stream.wait(Says((0, "1")))
stream.wait(Says(KeyError("mine")))
stream.wait(Says)
stream.wait(closed(device.create_event()))
stream.wait(closed(device.create_stream()))
stream.record(1)
stream.record(stream)
stream.record(None, 1)
stream.record(options={"colour": 1})
stream.record(event) is stream.record(event, 5) is event
stream.record(closed(device.create_event()))
stream.sync()
stream.is_nonblocking
stream == 1
stream < stream
stream.priority
int(stream)
setattr(stream, "colour", 1)
setattr(stream, "handle", 1)
pickle.dumps(stream)
copy.copy(stream)
closed(device.create_stream()).sync()
closed(device.create_stream()).record()
closed(device.create_stream()).wait(event)
closed(device.create_stream()).priority
closed(device.create_stream()).is_nonblocking
closed(device.create_stream()).device
closed(device.create_stream()).context
closed(device.create_stream()).__cuda_stream__()
closed(device.create_stream()).is_closed
closed(device.create_stream()) == stream
closed(closed(device.create_stream())).is_closed
lib.Stream()
lib.Stream.from_handle(stream.handle) == stream
lib.Stream.from_handle(0)
lib.Stream.from_handle("1")
lib.Stream.from_handle(None)
lib.Stream.from_handle(device)
type("Sub", (lib.Stream,), {})()
isinstance(type("Sub", (lib.Stream,), {})._legacy_default(), lib.Stream)
lib.LEGACY_DEFAULT_STREAM.device == device
lib.LEGACY_DEFAULT_STREAM.context == device.context
lib.LEGACY_DEFAULT_STREAM.record()
lib.LEGACY_DEFAULT_STREAM == lib.PER_THREAD_DEFAULT_STREAM
event.is_done
event.sync()
event.is_timing_enabled, event.is_blocking_sync, event.is_ipc_enabled
event.ipc_descriptor
event - event
event - 1
1 - event
event - None
event == None
setattr(event, "colour", 1)
pickle.dumps(event)
copy.copy(event)
closed(device.create_event()).sync()
closed(device.create_event()).is_done
closed(device.create_event()).context
closed(device.create_event()).device
closed(device.create_event()).is_timing_enabled
closed(device.create_event()).is_closed
closed(device.create_event()) == event
event - closed(device.create_event())
lib.Event()
lib.Event.__new__(type("Sub", (), {}))
lib.Event.from_ipc_descriptor(None)
lib.Event.from_ipc_descriptor(1)
stream.record(options={"ipc_enabled": True}).ipc_descriptor == None
hash(stream.record(options={"ipc_enabled": True}).ipc_descriptor)
device.context == device.context
device.context == None
device.context.is_closed
device.context.is_green
pickle.dumps(device.context)
lib.EventOptions(1, 2, 3, 4)
lib.EventOptions(colour=1)
lib.StreamOptions(colour=1)
hash(lib.EventOptions())
lib.EventOptions(timing_enabled=True) == lib.EventOptions(True)
repr(lib.StreamOptions())
""".strip().splitlines()

# What differs, and what fastpaths does: see the notes of each class.
DIFFERENT = {
    "lib.Device(1.0)": TypeError,
    "lib.Device(10**30)": ValueError,
    "lib.Stream.from_handle(1.5)": TypeError,
    "lib.Stream.from_handle(-1)": ValueError,
    "lib.Stream.from_handle(2**64)": ValueError,
    "device.create_stream(None, {'priority': 1.5})": TypeError,
    "stream.wait(None)": TypeError,
    "closed(device.create_stream()).handle": RuntimeError,
    "closed(device.create_event()).handle": RuntimeError,
    "hash(closed(device.create_stream()))": RuntimeError,
    "hash(closed(device.create_event()))": RuntimeError,
}


def answer(lib: Any, expression: str) -> Any:
    """Return the class of the exception, the plain value, or the name of the result's class."""
    device = lib.Device(0)
    device.set_current()
    scope = {"lib": lib, "device": device, "stream": device.create_stream()}
    scope["event"] = scope["stream"].record()
    try:
        found = eval(expression, globals() | scope)
    except Exception as error:
        return type(error)
    plain = (bool, int, str, float, tuple, type(None))
    return found if isinstance(found, plain) else type(found).__name__


@pytest.mark.parametrize("expression", SAME)
def test_the_answer_is_that_of_cuda_core(core: Any, expression: str) -> None:
    assert answer(fastpaths, expression) == answer(core, expression)


@pytest.mark.parametrize("expression", DIFFERENT)
def test_what_differs_is_known(core: Any, expression: str) -> None:
    ours = answer(fastpaths, expression)
    assert ours is DIFFERENT[expression]
    assert answer(core, expression) != ours


def test_the_tables_name_things_once() -> None:
    assert len({*SAME, *DIFFERENT}) == len(SAME) + len(DIFFERENT)
