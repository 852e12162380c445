"""The public contract of the classes, as cuda.core documents it."""

from __future__ import annotations

import dataclasses
import pickle
import re
import threading
import weakref

import pytest

from fastpaths import (
    LEGACY_DEFAULT_STREAM,
    CUDAError,
    Device,
    EventOptions,
    Stream,
    StreamOptions,
    default_stream,
)


def test_reprs(device: Device, stream: Stream) -> None:
    assert re.fullmatch(r"<Device 0 \(.+\)>", repr(device))
    assert re.fullmatch(r"<Stream handle=0x[0-9a-f]+ context=0x[0-9a-f]+>", repr(stream))
    assert re.fullmatch(r"<Event handle=0x[0-9a-f]+>", repr(device.create_event()))
    assert re.fullmatch(r"<Context handle=0x[0-9a-f]+ device=0>", repr(device.context))


def test_devices_are_the_same_object_however_they_are_named(device: Device) -> None:
    assert Device() is Device(0) is Device(device) is Device(None) is Device(device_id=0) is device
    assert int(device) == device.device_id == 0
    assert device == Device(0)
    assert device != 0
    assert {device: 1}[Device(0)] == 1
    assert pickle.loads(pickle.dumps(device)) is device


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (-1, ValueError), (64, ValueError), (10**30, ValueError), (-(10**30), ValueError),
        ("0", TypeError), (1.0, TypeError), (b"0", TypeError), ([], TypeError),
    ],
)  # fmt: skip
def test_wrong_device_ids(wrong: object, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"device_id must be .*(got|not)"):
        Device(wrong)  # type: ignore[arg-type]


def test_a_device_takes_one_argument() -> None:
    for call in (lambda: Device(0, 0), lambda: Device(0, device_id=0), lambda: Device(number=0)):
        with pytest.raises(TypeError, match="one argument, device_id"):
            call()


def test_an_index_is_taken_for_a_device_id(device: Device) -> None:
    class Index:
        def __index__(self) -> int:
            return 0

    assert Device(Index()) is device


def test_set_current_returns_the_context_it_replaced(device: Device) -> None:
    context = device.context
    assert device.set_current() is None
    assert device.set_current(context) == context
    with pytest.raises(TypeError, match="Context or None"):
        device.set_current("context")  # type: ignore[arg-type]


def test_properties_of_a_device(device: Device) -> None:
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", device.uuid)
    assert re.fullmatch(r"[0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d", device.pci_bus_id)
    capability = device.compute_capability
    assert device.arch == f"{capability.major}{capability.minor}"
    assert device.properties.warp_size == 32
    assert device.can_access_peer(device)
    with pytest.raises(AttributeError, match="no attribute 'warp'"):
        device.properties.warp  # noqa: B018


@pytest.mark.parametrize("make", ["create_stream", "create_event", "context"])
def test_weak_references(device: Device, make: str) -> None:
    thing = getattr(device, make)
    thing = thing() if callable(thing) else thing
    gone: list[int] = []
    weak = weakref.ref(thing, lambda _: gone.append(1))
    assert weak() is thing
    del thing
    assert weak() is None
    assert gone == [1]


def test_options_are_dataclasses() -> None:
    options = EventOptions(timing_enabled=True)
    assert dataclasses.is_dataclass(options)
    assert [field.name for field in dataclasses.fields(options)] == [
        "timing_enabled",
        "blocking_sync",
        "ipc_enabled",
    ]
    assert dataclasses.replace(options, blocking_sync=True).blocking_sync
    assert dataclasses.asdict(StreamOptions(priority=-1)) == {"nonblocking": True, "priority": -1}
    assert options == EventOptions(True)
    assert options != EventOptions()
    assert pickle.loads(pickle.dumps(options)) == options


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("enable_timing", "is_timing_enabled"),
        ("busy_waited_sync", "is_blocking_sync"),
        ("support_ipc", "is_ipc_enabled"),
    ],
)
def test_old_names_of_options_are_taken_with_a_warning(device: Device, old, new) -> None:
    with pytest.warns(DeprecationWarning, match=old) as caught:
        event = device.create_event({old: True})
    assert caught[0].filename == __file__
    assert getattr(event, new)
    with pytest.warns(DeprecationWarning, match=old):
        assert getattr(device.create_event(EventOptions(**{old: True})), new)


def test_an_event_cannot_be_timed_and_shared(device: Device) -> None:
    with pytest.raises(TypeError, match="timing_enabled"):
        device.create_event({"timing_enabled": True, "ipc_enabled": True})


def test_a_foreign_stream_is_taken_by_its_protocol(device: Device, stream: Stream) -> None:
    class Method:
        def __cuda_stream__(self):
            return 0, int(stream.handle)

    class Attribute:
        __cuda_stream__ = (0, int(stream.handle))

    for foreign in (Method(), stream):
        wrapped = device.create_stream(foreign)
        assert wrapped == stream
        assert wrapped.device is device
        stream.wait(foreign)
    assert stream.__cuda_stream__() == (0, int(stream.handle))
    with pytest.warns(DeprecationWarning, match="'Attribute' is an attribute") as caught:
        assert device.create_stream(Attribute()) == stream
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ((1, 8), RuntimeError), ((0,), RuntimeError), (None, RuntimeError), (7, RuntimeError),
        ((0, -1), ValueError), ((0, 2**64), ValueError), ((0, "8"), TypeError),
        ((0, None), TypeError),
    ],
)  # fmt: skip
def test_a_stream_object_that_lies_is_refused(device: Device, answer, error) -> None:
    liar = type("Liar", (), {"__cuda_stream__": lambda self: answer})()
    with pytest.raises(error):
        device.create_stream(liar)


def test_an_error_in_the_protocol_is_passed_on(device: Device) -> None:
    class Broken:
        def __cuda_stream__(self):
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        device.create_stream(Broken())
    with pytest.raises(TypeError, match="__cuda_stream__"):
        device.create_stream(object())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="pass one of them"):
        device.create_stream(LEGACY_DEFAULT_STREAM, {"priority": 0})


def test_the_default_stream_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "CUDA_PYTHON_CUDA_PER_THREAD_DEFAULT_STREAM"
    monkeypatch.setenv(name, "1")
    assert int(default_stream().handle) == 2
    monkeypatch.setenv(name, "0")
    assert default_stream() is LEGACY_DEFAULT_STREAM


def test_an_uninitialised_device_says_what_to_call(fresh) -> None:
    fresh(
        """
        for use in ("create_event()", "create_stream()", "context", "sync()"):
            try:
                eval(f"Device(0).{use}")
            except CUDAError as error:
                assert "Device(0).set_current()" in str(error)
            else:
                raise AssertionError(use)
        """
    )


def test_an_event_goes_to_another_process(fresh) -> None:
    fresh(
        """
        import os, pickle, subprocess
        Device(0).set_current()
        event = Device(0).create_event({"ipc_enabled": True, "blocking_sync": True})
        data = pickle.dumps(event.ipc_descriptor)
        child = (
            f"import sys; sys.path[:] = {sys.path!r}; import pickle;"
            "from benchmarks import driver; driver.choose(); from fastpaths import *;"
            "Device(0).set_current();"
            f"event = Event.from_ipc_descriptor(pickle.loads({data!r}));"
            "print(event.is_ipc_enabled, event.is_blocking_sync, event.is_done)"
        )
        out = subprocess.run([sys.executable, "-c", child], capture_output=True, text=True)
        assert out.stdout.strip() == "True True True", out
        """
    )


def test_many_threads_make_and_drop(device: Device) -> None:
    errors: list[BaseException] = []

    def work() -> None:
        try:
            mine = Device(0)
            mine.set_current()
            for _ in range(200):
                stream = mine.create_stream()
                event = stream.record()
                event.sync()
                stream.wait(event)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_errors_survive_pickling() -> None:
    error = CUDAError("cuInit: CUDA_ERROR_NO_DEVICE (100)")
    error.code, error.name, error.call = 100, "CUDA_ERROR_NO_DEVICE", "cuInit"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.name, again.call) == (
        "cuInit: CUDA_ERROR_NO_DEVICE (100)",
        100,
        "CUDA_ERROR_NO_DEVICE",
        "cuInit",
    )
