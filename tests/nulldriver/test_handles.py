"""Any value can be passed as a handle; only those of live objects of the right kind are taken."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SUCCESS, INVALID_CONTEXT, INVALID_HANDLE = 0, 201, 400
DEFAULT_STREAMS = (0, 1, 2)


def out() -> Any:
    return ctypes.byref(ctypes.create_string_buffer(64))


EVENT_CALLS = {
    "cuEventQuery": lambda c, h: c.cuEventQuery(h),
    "cuEventSynchronize": lambda c, h: c.cuEventSynchronize(h),
    "cuEventDestroy_v2": lambda c, h: c.cuEventDestroy_v2(h),
    "cuEventRecord": lambda c, h: c.cuEventRecord(h, None),
    "cuEventRecord_ptsz": lambda c, h: c.cuEventRecord_ptsz(h, None),
    "cuEventRecordWithFlags": lambda c, h: c.cuEventRecordWithFlags(h, None, 0),
    "cuStreamWaitEvent": lambda c, h: c.cuStreamWaitEvent(None, h, 0),
    "cuEventElapsedTime": lambda c, h: c.cuEventElapsedTime(out(), h, h),
    "cuEventElapsedTime_v2": lambda c, h: c.cuEventElapsedTime_v2(out(), h, h),
    "cuIpcGetEventHandle": lambda c, h: c.cuIpcGetEventHandle(out(), h),
}
STREAM_CALLS = {
    "cuStreamQuery": lambda c, h: c.cuStreamQuery(h),
    "cuStreamSynchronize": lambda c, h: c.cuStreamSynchronize(h),
    "cuStreamDestroy_v2": lambda c, h: c.cuStreamDestroy_v2(h),
    "cuStreamGetFlags": lambda c, h: c.cuStreamGetFlags(h, out()),
    "cuStreamGetPriority": lambda c, h: c.cuStreamGetPriority(h, out()),
    "cuStreamGetCtx": lambda c, h: c.cuStreamGetCtx(h, out()),
    "cuStreamGetId": lambda c, h: c.cuStreamGetId(h, out()),
    "cuStreamGetDevice": lambda c, h: c.cuStreamGetDevice(h, out()),
    "cuStreamIsCapturing": lambda c, h: c.cuStreamIsCapturing(h, out()),
}
CONTEXT_CALLS = {
    "cuCtxSetCurrent": lambda c, h: c.cuCtxSetCurrent(h),
    "cuCtxPushCurrent_v2": lambda c, h: c.cuCtxPushCurrent_v2(h),
    "cuCtxDestroy_v2": lambda c, h: c.cuCtxDestroy_v2(h),
    "cuCtxGetId": lambda c, h: c.cuCtxGetId(h, out()),
    "cuCtxGetApiVersion": lambda c, h: c.cuCtxGetApiVersion(h, out()),
    "cuCtxSynchronize_v2": lambda c, h: c.cuCtxSynchronize_v2(h),
    "cuCtxGetDevice_v2": lambda c, h: c.cuCtxGetDevice_v2(out(), h),
}
ALL_CALLS = {
    **{name: (call, INVALID_HANDLE) for name, call in {**EVENT_CALLS, **STREAM_CALLS}.items()},
    **{name: (call, INVALID_CONTEXT) for name, call in CONTEXT_CALLS.items()},
}


def destroyed(null: Any) -> list[int]:
    event, stream = null.event(6), null.stream()
    context = null.out("cuCtxCreate_v2", ctypes.c_void_p, 0, 0)
    null.calls.cuEventDestroy_v2(event)
    null.calls.cuStreamDestroy_v2(stream)
    null.calls.cuCtxDestroy_v2(context)
    return [event, stream, context]


@pytest.mark.parametrize("name", ALL_CALLS)
def test_destroyed_handles(null: Any, name: str) -> None:
    null.start()
    call, code = ALL_CALLS[name]
    for old in destroyed(null):
        assert call(null.calls, old) == code
    old = destroyed(null)
    null.event(6), null.stream()  # take their places
    for handle in old:
        assert call(null.calls, handle) == code


@pytest.mark.parametrize("name", ALL_CALLS)
def test_handles_of_another_kind(null: Any, name: str) -> None:
    context = null.start()
    event, stream = null.event(6), null.stream()
    call, code = ALL_CALLS[name]
    kinds = (EVENT_CALLS, {event}), (STREAM_CALLS, {stream}), (CONTEXT_CALLS, {context})
    (right,) = [handles for calls, handles in kinds if name in calls]
    for handle in {context, event, stream} - right:
        assert call(null.calls, handle) == code
    assert null.control.live()["events"] == null.control.live()["streams"] == 1


@pytest.mark.parametrize("name", ["cuEventDestroy_v2", "cuStreamDestroy_v2"])
def test_a_second_destroy(null: Any, name: str) -> None:
    null.start()
    handle = null.event() if "Event" in name else null.stream()
    destroy = getattr(null.calls, name)
    assert [destroy(handle), destroy(handle)] == [SUCCESS, INVALID_HANDLE]


def test_the_default_streams_cannot_be_destroyed(null: Any) -> None:
    null.start()
    for stream in DEFAULT_STREAMS:
        assert null.calls.cuStreamDestroy_v2(stream) == INVALID_HANDLE


near_handles = st.builds(
    lambda serial, index, tag: serial << 28 | index << 4 | tag,
    st.integers(0, 2**36 - 1) | st.integers(0, 9),
    st.integers(0, 2**24 - 1) | st.integers(0, 2000),
    st.integers(0, 15),
)


@pytest.mark.parametrize("name", ALL_CALLS)
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(handle=st.integers(0, 2**64 - 1) | st.integers(3, 4096) | near_handles)
def test_numbers_that_are_no_handles(null: Any, name: str, handle: int) -> None:
    if not null.control.live()["contexts"]:
        null.start()
        live = [null.event(), null.stream(), null.out("cuCtxGetCurrent", ctypes.c_void_p)]
        null.live = set(live)
    if handle in null.live or handle in DEFAULT_STREAMS:
        return
    call, code = ALL_CALLS[name]
    assert call(null.calls, handle) == code
    assert null.control.live()["events"] == null.control.live()["streams"] == 1


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(st.sampled_from("cd"), st.sampled_from("es"), st.integers(0, 20))))
def test_any_order_of_creating_and_destroying(null: Any, steps: list[Any]) -> None:
    null.control.reset()
    null.start()
    live: dict[str, list[int]] = {"e": [], "s": []}
    ever = set()
    for step, kind, place in steps:
        if step == "c":
            made = null.event() if kind == "e" else null.stream()
            assert made not in ever
            ever.add(made)
            live[kind].append(made)
        elif live[kind]:
            gone = live[kind].pop(place % len(live[kind]))
            destroy = null.calls.cuEventDestroy_v2 if kind == "e" else null.calls.cuStreamDestroy_v2
            assert destroy(gone) == SUCCESS
        assert null.control.live()["events"] == len(live["e"])
        assert null.control.live()["streams"] == len(live["s"])
    assert all(null.calls.cuEventQuery(event) == SUCCESS for event in live["e"])
    assert all(null.calls.cuStreamQuery(stream) == SUCCESS for stream in live["s"])


def test_more_objects_than_one_chunk(null: Any) -> None:
    null.start()
    events = [null.event() for _ in range(5000)]
    assert len(set(events)) == 5000
    assert {null.calls.cuEventDestroy_v2(event) for event in events} == {SUCCESS}
    assert null.control.live()["events"] == 0
