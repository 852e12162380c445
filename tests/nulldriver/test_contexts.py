"""Primary contexts are counted, others made and destroyed; each thread has a stack of its own."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

import pytest

SUCCESS, INVALID_CONTEXT, CONTEXT_IS_DESTROYED = 0, 201, 709
handle = ctypes.c_void_p


def current(null: Any) -> int | None:
    return null.out("cuCtxGetCurrent", handle)


def in_thread(function: Callable[[], Any]) -> Any:
    found = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join(30)
    return found[0]


def test_a_primary_context_per_device_counts_its_references(null: Any) -> None:
    null.control.set_device_count(2)
    null.calls.cuInit(0)
    first = null.out("cuDevicePrimaryCtxRetain", handle, 0)
    other = null.out("cuDevicePrimaryCtxRetain", handle, 1)
    assert first != other
    assert null.out("cuDevicePrimaryCtxRetain", handle, 0) == first
    assert null.control.live()["primary_references"] == 3
    assert null.control.live()["contexts"] == 2
    for left in (2, 1):
        assert null.calls.cuDevicePrimaryCtxRelease_v2(0) == SUCCESS
        assert null.control.live()["primary_references"] == left
    assert null.control.live()["contexts"] == 1
    assert null.calls.cuDevicePrimaryCtxRelease_v2(0) == INVALID_CONTEXT
    assert null.control.live()["primary_references"] == 1


def test_contexts_know_their_device(null: Any) -> None:
    null.control.set_device_count(3)
    null.calls.cuInit(0)
    for device in (2, 0, 1):
        null.start(device)
        assert null.out("cuCtxGetDevice", ctypes.c_int) == device
        stream = null.stream()
        place = ctypes.c_int(-1)
        assert null.calls.cuStreamGetDevice(stream, ctypes.byref(place)) == SUCCESS
        assert place.value == device


def test_the_last_release_ends_streams_and_events(null: Any) -> None:
    null.start()
    event, stream = null.event(), null.stream()
    null.calls.cuDevicePrimaryCtxRelease_v2(0)
    assert null.control.live() == {
        "contexts": 0,
        "streams": 0,
        "events": 0,
        "primary_references": 0,
    }
    assert null.calls.cuEventQuery(event) != SUCCESS
    assert null.calls.cuStreamQuery(stream) != SUCCESS


def test_ending_one_context_leaves_the_others_objects(null: Any) -> None:
    null.control.set_device_count(2)
    null.start(0)
    event = null.event()
    null.start(1)
    null.event()
    null.calls.cuDevicePrimaryCtxReset_v2(1)
    assert null.control.live()["events"] == 1
    assert null.calls.cuEventQuery(event) == SUCCESS


def test_a_thread_begins_without_a_context(null: Any) -> None:
    mine = null.start()
    assert in_thread(lambda: current(null)) is None
    assert in_thread(lambda: null.calls.cuEventCreate(ctypes.byref(handle()), 0)) == INVALID_CONTEXT
    assert current(null) == mine


def test_stacks_are_independent(null: Any) -> None:
    mine = null.start()

    def other_thread() -> list[int | None]:
        made = null.out("cuCtxCreate_v2", handle, 0, 0)
        null.calls.cuCtxPushCurrent_v2(mine)
        seen = [current(null) == mine]
        null.calls.cuCtxPopCurrent_v2(None)
        seen.append(current(null) == made)
        null.calls.cuCtxDestroy_v2(made)
        seen.append(current(null) is None)
        return seen

    assert in_thread(other_thread) == [True, True, True]
    assert current(null) == mine
    assert null.control.live()["contexts"] == 1


@pytest.mark.parametrize("depth", [1, 17, 1000])
def test_a_deep_stack_unwinds_in_order(null: Any, depth: int) -> None:
    null.calls.cuInit(0)
    made = [null.out("cuCtxCreate_v2", handle, 0, 0) for _ in range(depth)]
    assert len(set(made)) == depth
    assert [null.out("cuCtxPopCurrent_v2", handle) for _ in range(depth)] == made[::-1]
    assert null.calls.cuCtxPopCurrent_v2(ctypes.byref(handle())) == INVALID_CONTEXT


def test_destroying_another_threads_current_context(null: Any) -> None:
    null.start()
    made, ready, destroyed = [], threading.Event(), threading.Event()

    def other_thread() -> list[Any]:
        made.append(null.out("cuCtxCreate_v2", handle, 0, 0))
        ready.set()
        assert destroyed.wait(30)
        place = ctypes.byref(handle())
        codes = [null.calls.cuEventCreate(place, 0), null.calls.cuStreamCreate(place, 0)]
        return [current(null) == made[0], *codes, null.calls.cuCtxSynchronize()]

    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.extend(other_thread()))
    thread.start()
    assert ready.wait(30)
    assert null.calls.cuCtxDestroy_v2(made[0]) == SUCCESS
    destroyed.set()
    thread.join(30)
    assert found == [True] + [CONTEXT_IS_DESTROYED] * 3
    assert null.calls.cuCtxDestroy_v2(made[0]) == INVALID_CONTEXT


def test_a_reset_driver_forgets_other_threads_stacks(null: Any) -> None:
    null.start()
    started, go_on = threading.Event(), threading.Event()
    found: list[Any] = []

    def other_thread() -> None:
        null.start()
        started.set()
        assert go_on.wait(30)
        null.calls.cuInit(0)
        found.append(current(null))

    thread = threading.Thread(target=other_thread)
    thread.start()
    assert started.wait(30)
    null.control.reset()
    go_on.set()
    thread.join(30)
    assert found == [None]
    assert current(null) is None
