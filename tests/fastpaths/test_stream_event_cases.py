"""Public cases 12 to 23: streams and events."""

from __future__ import annotations

import pickle
import threading
import time

import pytest

from fastpaths import (
    LEGACY_DEFAULT_STREAM,
    PER_THREAD_DEFAULT_STREAM,
    CUDAError,
    Device,
    EventOptions,
    Stream,
    StreamOptions,
)


def test_case_12_live_objects_at_exit_are_no_trouble(fresh) -> None:
    fresh(
        """
        device = Device(0); device.set_current()
        stream = device.create_stream(); event = stream.record()
        class Holder: pass
        holder = Holder(); holder.me = holder
        holder.stream = device.create_stream(); holder.event = holder.stream.record()
        keep = {}; keep["keep"] = keep; keep["event"] = device.create_event()
        """
    )


def test_case_13_an_event_outlives_its_stream_and_context_object(device: Device) -> None:
    stream = device.create_stream()
    event = stream.record()
    context = stream.context
    stream.close()
    del stream
    assert event.is_done
    assert event.context == context
    event.close()


@pytest.mark.parametrize(
    ("call", "make"),
    [
        ("cuStreamDestroy", lambda device: _used_stream(device)),
        ("cuEventDestroy", lambda device: device.create_stream().record()),
    ],
    ids=["stream", "event"],
)
def test_case_14_a_slow_destroy_lets_other_threads_run(null, device: Device, call, make) -> None:
    thing = make(device)
    null.inject_delay(call, 300_000_000, times=1)
    ticks: list[float] = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.01)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    del thing
    end = time.monotonic()
    stop.set()
    thread.join()
    assert end - begin > 0.25
    assert sum(begin < moment < end for moment in ticks) > 5


def _used_stream(device: Device) -> Stream:
    stream = device.create_stream()
    stream.sync()
    return stream


def test_case_15_a_closed_object_refuses_every_use(device: Device) -> None:
    stream, event, other = device.create_stream(), device.create_event(), device.create_event()
    stream.close()
    stream.close()
    event.close()
    event.close()
    uses = [
        lambda: stream.sync(), lambda: stream.record(), lambda: stream.record(other),
        lambda: stream.wait(other), lambda: stream.handle, lambda: stream.context,
        lambda: stream.device, lambda: stream.priority, lambda: stream.is_nonblocking,
        lambda: stream.__cuda_stream__(), lambda: hash(stream), lambda: event.sync(),
        lambda: event.is_done, lambda: event.handle, lambda: event.context, lambda: event.device,
        lambda: event - other, lambda: other - event, lambda: event.is_timing_enabled,
        lambda: event.is_blocking_sync, lambda: event.is_ipc_enabled, lambda: event.ipc_descriptor,
        lambda: hash(event), lambda: LEGACY_DEFAULT_STREAM.wait(event),
        lambda: LEGACY_DEFAULT_STREAM.record(event), lambda: device.create_stream(stream),
    ]  # fmt: skip
    for use in uses:
        with pytest.raises(RuntimeError, match="has been closed"):
            use()
    assert stream.is_closed
    assert event.is_closed
    assert stream == stream
    assert (repr(stream), repr(event)) == ("<Stream closed>", "<Event closed>")
    other.close()


def test_case_16_a_handle_is_borrowed_and_never_destroyed(null, stream: Stream) -> None:
    borrowed = Stream.from_handle(int(stream.handle))
    null.log_start()
    borrowed.sync()
    borrowed.close()
    assert "cuStreamDestroy_v2" not in null.log_stop()
    stream.sync()


def test_case_16_the_owner_of_a_foreign_stream_lives_until_close(stream, device: Device) -> None:
    import weakref

    class Foreign:
        def __cuda_stream__(self):
            return 0, int(stream.handle)

    owner = Foreign()
    gone = weakref.ref(owner)
    wrapped = device.create_stream(owner)
    del owner
    assert gone() is not None
    wrapped.sync()
    wrapped.close()
    assert gone() is None


def test_case_17_default_streams_follow_the_current_context(fresh) -> None:
    fresh(
        """
        for stream in (LEGACY_DEFAULT_STREAM, PER_THREAD_DEFAULT_STREAM):
            Device(0).set_current(); assert stream.device is Device(0)
            Device(1).set_current(); assert stream.device is Device(1)
            assert stream.context == Device(1).context
        assert default_stream() is LEGACY_DEFAULT_STREAM
        """,
        devices=2,
    )


def test_case_17_default_streams_are_singletons_and_stay_open(device: Device) -> None:
    for stream in (LEGACY_DEFAULT_STREAM, PER_THREAD_DEFAULT_STREAM):
        stream.close()
        assert not stream.is_closed
        stream.sync()
    assert device.default_stream is LEGACY_DEFAULT_STREAM
    assert LEGACY_DEFAULT_STREAM != PER_THREAD_DEFAULT_STREAM


def test_case_18_three_ways_not_to_subtract_events(null, device: Device) -> None:
    timed = EventOptions(timing_enabled=True)
    untimed, unrecorded = device.create_event(), device.create_event(timed)
    start, stop = device.create_event(timed), device.create_event(timed)
    stream = device.create_stream()
    stream.record(start)
    with pytest.raises(RuntimeError, match="timing_enabled=True"):
        start - untimed
    with pytest.raises(RuntimeError, match=r"Stream\.record"):
        unrecorded - start
    null.set_stream_busy(int(stream.handle))
    stream.record(stop)
    with pytest.raises(RuntimeError, match=r"Event\.sync"):
        stop - start
    stop.sync()
    assert stop - start > 0
    assert start - stop < 0


def test_case_19_equal_handles_equal_hashes(stream: Stream, device: Device) -> None:
    again = Stream.from_handle(int(stream.handle))
    assert again == stream
    assert hash(again) == hash(stream)
    assert stream != device.create_stream()
    assert stream != int(stream.handle)
    event = device.create_event()
    before = hash(event)
    stream.record(event)
    event.sync()
    assert hash(event) == before
    assert event != stream
    assert event != 1


def test_case_20_none_is_nothing(device: Device, stream: Stream) -> None:
    descriptor = device.create_event({"ipc_enabled": True}).ipc_descriptor
    assert (descriptor == None) is False  # noqa: E711
    assert descriptor == pickle.loads(pickle.dumps(descriptor))
    with pytest.raises(TypeError):
        stream.wait(None)
    with pytest.raises(TypeError):
        Stream.from_handle(None)


@pytest.mark.parametrize("nothing", [None, {}, EventOptions()])
def test_case_21_ways_to_ask_for_the_default(device: Device, nothing) -> None:
    event = device.create_event(nothing)
    assert not event.is_timing_enabled
    assert not event.is_blocking_sync
    assert not event.is_ipc_enabled


@pytest.mark.parametrize("options", [{"timing": True}, ("timing_enabled",), "timing_enabled", 1])
def test_case_21_a_wrong_option_is_named(device: Device, options) -> None:
    culprit = "timing" if isinstance(options, dict) else str(options)
    with pytest.raises(TypeError) as caught:
        device.create_event(options)
    assert culprit.strip("(),'") in str(caught.value)
    with pytest.raises(TypeError):
        device.create_stream(options=options)


def test_case_22_a_priority_out_of_range_gives_the_range(device: Device) -> None:
    for priority in (1, -6, 10**6):
        with pytest.raises(ValueError, match=rf"{priority} is out of range \[-5, 0\]"):
            device.create_stream(options=StreamOptions(priority=priority))
    high = device.create_stream(options={"priority": -5})
    assert high.priority == -5


@pytest.mark.parametrize(
    ("call", "make"),
    [
        ("cuEventCreate", lambda device: device.create_event()),
        ("cuEventRecord", lambda device: device.create_stream().record()),
        ("cuStreamCreateWithPriority", lambda device: device.create_stream()),
        ("cuCtxGetStreamPriorityRange", lambda d: d.create_stream(options={"priority": -1})),
    ],
)
def test_case_23_a_creation_that_fails_leaves_nothing(null, device: Device, call, make) -> None:
    null.inject_error(call, 719)
    with pytest.raises(CUDAError, match=call) as caught:
        make(device)
    assert caught.value.code == 719
    # The ledger is compared after the test.
    make(device)
