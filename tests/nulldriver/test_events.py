"""States of events and streams: done at once, or pending for as long as a control call wants."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest

SUCCESS, INVALID_HANDLE, NOT_READY = 0, 400, 600
TIMED, UNTIMED = 0, 2
handle = ctypes.c_void_p


def elapsed(null: Any, first: int, last: int) -> tuple[int, float]:
    value = ctypes.c_float(-1)
    code = null.calls.cuEventElapsedTime(ctypes.byref(value), first, last)
    return code, value.value


def test_work_is_done_at_once(null: Any) -> None:
    null.start()
    event, stream = null.event(), null.stream()
    assert null.calls.cuEventQuery(event) == SUCCESS
    assert null.calls.cuEventRecord(event, stream) == SUCCESS
    assert null.calls.cuEventQuery(event) == null.calls.cuStreamQuery(stream) == SUCCESS


@pytest.mark.parametrize("wait", ["cuStreamSynchronize", "cuEventSynchronize", "cuCtxSynchronize"])
def test_a_busy_stream_holds_what_is_recorded_in_it(null: Any, wait: str) -> None:
    null.start()
    before, during, stream = null.event(), null.event(), null.stream()
    null.calls.cuEventRecord(before, stream)
    null.control.set_stream_busy(stream, True)
    null.calls.cuEventRecord(during, stream)
    assert null.calls.cuStreamQuery(stream) == NOT_READY
    assert null.calls.cuEventQuery(before) == SUCCESS
    assert null.calls.cuEventQuery(during) == NOT_READY
    arguments = {"cuStreamSynchronize": [stream], "cuEventSynchronize": [during]}.get(wait, [])
    assert getattr(null.calls, wait)(*arguments) == SUCCESS
    assert null.calls.cuEventQuery(during) == null.calls.cuStreamQuery(stream) == SUCCESS


def test_one_busy_time_does_not_hold_the_events_of_the_next(null: Any) -> None:
    null.start()
    first, second, stream = null.event(), null.event(), null.stream()
    null.control.set_stream_busy(stream, True)
    null.calls.cuEventRecord(first, stream)
    null.control.set_stream_busy(stream, False)
    null.control.set_stream_busy(stream, True)
    null.calls.cuEventRecord(second, stream)
    assert null.calls.cuEventQuery(first) == SUCCESS
    assert null.calls.cuEventQuery(second) == NOT_READY
    null.control.set_stream_busy(stream, False)
    assert null.calls.cuEventQuery(second) == SUCCESS


def test_a_stream_that_waits_for_a_pending_event(null: Any) -> None:
    null.start()
    event, later = null.event(), null.event()
    busy, waiting = null.stream(), null.stream()
    null.control.set_stream_busy(busy, True)
    null.calls.cuEventRecord(event, busy)
    assert null.calls.cuStreamWaitEvent(waiting, event, 0) == SUCCESS
    null.calls.cuEventRecord(later, waiting)
    assert null.calls.cuStreamQuery(waiting) == null.calls.cuEventQuery(later) == NOT_READY
    null.control.set_stream_busy(busy, False)
    assert null.calls.cuStreamQuery(waiting) == null.calls.cuEventQuery(later) == SUCCESS


@pytest.mark.parametrize("where", ["stream", "default"])
@pytest.mark.parametrize("wait", ["event", "stream", "context"])
def test_an_event_that_is_not_ready_until_waited_for(null: Any, where: str, wait: str) -> None:
    null.start()
    event, stream = null.event(), null.stream() if where == "stream" else None
    null.calls.cuEventRecord(event, stream)
    null.control.set_not_ready(event)
    assert null.calls.cuEventQuery(event) == NOT_READY
    assert elapsed(null, event, event)[0] == NOT_READY
    elsewhere = null.stream()
    null.calls.cuStreamSynchronize(elsewhere)
    assert null.calls.cuEventQuery(event) == NOT_READY
    if wait == "event":
        null.calls.cuEventSynchronize(event)
    elif wait == "stream":
        null.calls.cuStreamSynchronize(stream)
    else:
        null.calls.cuCtxSynchronize()
    assert null.calls.cuEventQuery(event) == SUCCESS


def test_destroying_a_busy_stream_does_not_wait(null: Any) -> None:
    null.start()
    event, stream = null.event(), null.stream()
    null.control.set_stream_busy(stream, True)
    null.calls.cuEventRecord(event, stream)
    assert null.calls.cuStreamDestroy_v2(stream) == SUCCESS
    assert null.calls.cuEventQuery(event) == SUCCESS
    assert null.calls.cuEventDestroy_v2(event) == SUCCESS


def test_a_new_event_inherits_nothing(null: Any) -> None:
    null.start()
    event = null.event()
    null.calls.cuEventRecord(event, None)
    null.control.set_not_ready(event)
    null.calls.cuEventDestroy_v2(event)
    again = null.event()
    assert null.calls.cuEventQuery(again) == SUCCESS
    assert elapsed(null, again, again)[0] == INVALID_HANDLE


def test_elapsed_time_counts_records(null: Any) -> None:
    null.start()
    first, between, last = null.event(), null.event(UNTIMED), null.event()
    for event in (first, between, between, last):
        null.calls.cuEventRecord(event, None)
    assert elapsed(null, first, last) == (SUCCESS, pytest.approx(3e-3))
    assert elapsed(null, last, first) == (SUCCESS, pytest.approx(-3e-3))
    assert elapsed(null, first, first) == (SUCCESS, 0.0)


def test_elapsed_time_of_a_busy_stream(null: Any) -> None:
    null.start()
    first, last, stream = null.event(), null.event(), null.stream()
    null.calls.cuEventRecord(first, stream)
    null.control.set_stream_busy(stream, True)
    null.calls.cuEventRecord(last, stream)
    assert elapsed(null, first, last) == (NOT_READY, -1.0)
    null.calls.cuStreamSynchronize(stream)
    assert elapsed(null, first, last)[0] == SUCCESS


def test_controls_name_what_is_no_object(null: Any) -> None:
    null.start()
    event, stream = null.event(), null.stream()
    with pytest.raises(ValueError, match="no live stream"):
        null.control.set_stream_busy(event)
    with pytest.raises(ValueError, match="no live event"):
        null.control.set_not_ready(stream)


def test_many_things_can_be_held(null: Any) -> None:
    null.start()
    events = [null.event() for _ in range(3000)]
    for event in events:
        null.control.set_not_ready(event)
    assert {null.calls.cuEventQuery(event) for event in events} == {NOT_READY}
    null.control.set_not_ready(events[7], False)
    codes = [null.calls.cuEventQuery(event) for event in events]
    assert codes.count(SUCCESS) == 1
    assert codes[7] == SUCCESS
