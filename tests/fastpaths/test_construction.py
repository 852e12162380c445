"""What can be constructed, and what comes from somewhere else; subclasses of Stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fastpaths import (
    LEGACY_DEFAULT_STREAM,
    PER_THREAD_DEFAULT_STREAM,
    Context,
    Device,
    Event,
    EventPool,
    IPCEventDescriptor,
    Stream,
    StreamPool,
)

BLOCKED = {
    Stream: "Device.create_stream or Stream.from_handle",
    Event: "Device.create_event or Stream.record",
    Context: "Device.context, Stream.context or Event.context",
    IPCEventDescriptor: "Event.ipc_descriptor",
    EventPool: "Device.event_pool or Device.stream_pool",
    StreamPool: "Device.event_pool or Device.stream_pool",
}


class Named(Stream):
    """A subclass whose constructor would be happy with anything."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.label = "constructed"


@pytest.mark.parametrize("cls", BLOCKED)
@pytest.mark.parametrize(
    "construct",
    [
        lambda cls: cls(),
        lambda cls: cls(1, "two", three=3),
        # Without a constructor's work there would be an object with a NULL handle.
        lambda cls: cls.__new__(cls),
        lambda cls: cls.__new__(cls, 1, two=2),
    ],
)
def test_blocked_constructors_say_what_to_use(
    cls: type, construct: Callable[[type], object]
) -> None:
    with pytest.raises(RuntimeError) as caught:
        construct(cls)
    said = f"{cls.__name__} objects cannot be instantiated directly: use {BLOCKED[cls]}"
    assert str(caught.value) == said


@pytest.mark.parametrize("construct", [Named, lambda: Named(1), lambda: Named.__new__(Named)])
def test_a_subclass_of_stream_cannot_be_constructed_either(construct: Callable[[], Any]) -> None:
    with pytest.raises(RuntimeError, match="Named objects cannot be instantiated directly"):
        construct()


def test_a_handle_can_be_wrapped_in_a_subclass(device: Device, stream: Stream) -> None:
    named = Named.from_handle(int(repr(stream).split("handle=")[1].split()[0], 16))
    assert type(named) is Named
    assert named == stream
    assert hash(named) == hash(stream)
    assert named.device is device
    named.label = "mine"
    named.record().sync()
    stream.wait(named)
    named.close()
    with pytest.raises(RuntimeError, match="has been closed"):
        named.sync()
    stream.sync()
    assert type(Stream.from_handle(stream.handle)) is Stream


def test_the_default_streams_can_be_of_a_subclass() -> None:
    legacy, per_thread = Named._legacy_default(), Named._per_thread_default()
    assert type(legacy) is type(per_thread) is Named
    assert legacy == LEGACY_DEFAULT_STREAM
    assert per_thread == PER_THREAD_DEFAULT_STREAM
    legacy.close()
    LEGACY_DEFAULT_STREAM.sync()


@pytest.mark.parametrize(
    "construct",
    [
        lambda: Device.__new__(Device),
        lambda: Device.__new__(Device, 0),
        lambda: Device.__new__(Device, device_id=0),
        lambda: Device.__new__(Device, Device(0)),
    ],
)
def test_a_device_comes_from_new_as_from_a_call(
    device: Device, construct: Callable[[], Device]
) -> None:
    assert construct() is device


def test_new_of_a_device_refuses_what_a_call_refuses() -> None:
    with pytest.raises(ValueError, match="device_id must be >= 0, got -1"):
        Device.__new__(Device, -1)
    for arguments, keywords in [((0, 0), {}), ((0,), {"device_id": 0}), ((), {"number": 0})]:
        with pytest.raises(TypeError, match="one argument, device_id"):
            Device.__new__(Device, *arguments, **keywords)


@pytest.mark.parametrize("cls", [Device, Event, Context, EventPool])
def test_other_classes_have_no_subclasses(cls: type) -> None:
    with pytest.raises(TypeError, match="not an acceptable base type"):
        type("Sub", (cls,), {})
