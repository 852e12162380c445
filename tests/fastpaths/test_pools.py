"""Pools: what they hand out, what comes back, and what they never do."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import pytest

import fastpaths
from fastpaths import Device, Event, EventPool, StreamPool

Take = Callable[[], Any]


@pytest.fixture(params=["event", "stream"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def make(device: Device, kind: str, **options: Any) -> tuple[Any, Take]:
    pool = getattr(device, f"{kind}_pool")(**options)
    return pool, getattr(pool, kind)


def address(thing: Any) -> int:
    return int(thing.handle)


def quiet_address(thing: Any) -> int:
    """The address as repr gives it: reading `handle` counts as use."""
    return int(repr(thing).partition("handle=")[2].split()[0].rstrip(">"), 16)


def test_what_is_dropped_is_handed_out_again(device: Device, kind: str) -> None:
    pool, take = make(device, kind)
    first = quiet_address(take())
    assert len(pool) == 1
    assert quiet_address(take()) == first


def test_what_is_closed_is_handed_out_again_once(device: Device, kind: str) -> None:
    pool, take = make(device, kind)
    thing = take()
    first = quiet_address(thing)
    thing.close()
    thing.close()
    assert thing.is_closed
    assert len(pool) == 1
    again, other = take(), take()
    assert quiet_address(again) == first
    assert quiet_address(other) != first
    with pytest.raises(RuntimeError, match="closed"):
        _ = thing.handle


def test_two_that_are_out_differ(device: Device, kind: str) -> None:
    _, take = make(device, kind)
    out = [take() for _ in range(100)]
    assert len({quiet_address(thing) for thing in out}) == 100


def test_it_behaves_like_an_ordinary_one(device: Device, kind: str) -> None:
    pool, take = make(device, kind)
    thing = take()
    assert type(thing) is getattr(fastpaths, kind.capitalize())
    assert thing.device is device
    assert thing.context == device.context == pool.context
    assert pool.device is device
    assert len({thing, thing}) == 1


def test_a_pool_keeps_no_more_than_its_size(device: Device, kind: str) -> None:
    pool, take = make(device, kind, size=3)
    out = [take() for _ in range(5)]
    assert pool.size == 3
    del out
    assert len(pool) == 3


def test_a_pool_can_be_emptied_and_used_on(device: Device, kind: str, null: Any) -> None:
    live = null.live()
    pool, take = make(device, kind)
    out = [take() for _ in range(3)]
    del out
    assert null.live()[f"{kind}s"] == live[f"{kind}s"] + 3
    thing = take()
    pool.clear()
    assert len(pool) == 0
    assert null.live()[f"{kind}s"] == live[f"{kind}s"] + 1
    del thing
    assert len(pool) == 1


def test_what_outlives_its_pool_is_ordinary(device: Device, kind: str, null: Any) -> None:
    live = null.live()
    pool, take = make(device, kind)
    thing = take()
    kept = take()
    del kept, pool, take
    gc.collect()
    assert null.live()[f"{kind}s"] == live[f"{kind}s"] + 1
    del thing
    assert null.live() == live


def test_no_driver_call_is_made_for_one_that_is_idle(device: Device, kind: str, null: Any) -> None:
    _, take = make(device, kind)
    take()
    null.log_start()
    take()
    assert null.log_stop() == []


def test_a_pending_event_is_not_handed_out(device: Device, null: Any) -> None:
    pool = device.event_pool()
    stream = device.create_stream()
    event = pool.event()
    busy = quiet_address(event)
    stream.record(event)
    null.set_not_ready(busy, True)
    del event
    assert len(pool) == 1
    other = pool.event()
    assert quiet_address(other) != busy
    null.set_not_ready(busy, False)
    assert quiet_address(pool.event()) == busy


def test_an_event_that_others_can_record_is_asked_for(device: Device, null: Any) -> None:
    """Seen finished once is not enough when somebody else holds the handle."""
    pool = device.event_pool()
    stream = device.create_stream()
    event = stream.record(pool.event())
    handle = address(event)
    event.sync()
    null.set_not_ready(handle, True)
    del event
    other = pool.event()
    assert quiet_address(other) != handle
    null.set_not_ready(handle, False)
    assert quiet_address(pool.event()) == handle


def test_a_busy_stream_is_not_handed_out(device: Device, null: Any) -> None:
    pool = device.stream_pool()
    stream = pool.stream()
    busy = address(stream)
    null.set_stream_busy(busy, True)
    del stream
    other = pool.stream()
    assert address(other) != busy
    null.set_stream_busy(busy, False)
    assert address(pool.stream()) == busy


def test_one_whose_work_failed_is_destroyed(device: Device, kind: str, null: Any) -> None:
    pool, take = make(device, kind)
    thing = take()
    failed = address(thing)
    del thing
    null.inject_error(f"cu{kind.capitalize()}Query", 700)
    assert address(take()) != failed or len(pool) == 0
    null.clear_injections()


def test_events_seen_finished_come_back_without_a_query(device: Device, null: Any) -> None:
    pool = device.event_pool()
    stream = device.create_stream()
    event = stream.record(pool.event())
    event.sync()
    del event
    null.log_start()
    pool.event()
    assert null.log_stop() == []


def test_a_fresh_event_counts_as_never_recorded(device: Device) -> None:
    pool = device.event_pool({"timing_enabled": True})
    stream = device.create_stream()
    for _ in range(2):
        start, end = pool.event(), pool.event()
        assert start.is_done
        with pytest.raises(RuntimeError, match="must be recorded"):
            end - start
        stream.record(start)
        with pytest.raises(RuntimeError, match="must be recorded"):
            end - start
        stream.record(end)
        end.sync()
        assert end - start >= 0
        del start, end


def test_an_event_recorded_elsewhere_can_be_timed(device: Device, stream: Any) -> None:
    """Another library records it through its handle, which fastpaths cannot see."""
    pool = device.event_pool({"timing_enabled": True})
    event = stream.record(pool.event())
    event.sync()
    del event
    event = pool.event()
    address(event)
    start = stream.record(device.create_event({"timing_enabled": True}))
    stream.sync()
    assert isinstance(start - event, float)


def test_options_are_those_of_the_pool(device: Device) -> None:
    event = device.event_pool({"timing_enabled": True, "blocking_sync": True}).event()
    assert event.is_timing_enabled
    assert event.is_blocking_sync
    assert not device.event_pool().event().is_timing_enabled
    stream = device.stream_pool({"nonblocking": False, "priority": -1}).stream()
    assert not stream.is_nonblocking
    assert stream.priority == -1


def test_options_are_read_once(device: Device) -> None:
    options = {"timing_enabled": True}
    pool = device.event_pool(options)
    options["timing_enabled"] = False
    assert pool.event().is_timing_enabled


@pytest.mark.parametrize(
    ("size", "error", "match"),
    [
        (0, ValueError, "between 1 and 65536, got 0"),
        (-1, ValueError, "got -1"),
        (65537, ValueError, "got 65537"),
        (2**70, ValueError, "between 1 and 65536"),
        (1.5, TypeError, "size must be an int, not float: 1.5"),
        (None, TypeError, "not NoneType"),
    ],
)
def test_a_wrong_size_is_named(
    device: Device, kind: str, size: Any, error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        make(device, kind, size=size)


def test_wrong_options_are_named(device: Device) -> None:
    with pytest.raises(ValueError, match="ipc_enabled"):
        device.event_pool({"ipc_enabled": True})
    with pytest.raises(TypeError, match="colour"):
        device.event_pool({"colour": 1})
    with pytest.raises(TypeError, match="colour"):
        device.stream_pool({"colour": 1})
    with pytest.raises(ValueError, match="priority=1 is out of range"):
        device.stream_pool({"priority": 1})


@pytest.mark.parametrize("pool", [EventPool, StreamPool])
def test_pools_cannot_be_constructed(pool: type) -> None:
    with pytest.raises(RuntimeError, match=r"Device\.event_pool or Device\.stream_pool"):
        pool()


def test_a_failing_creation_leaves_the_pool_usable(device: Device, kind: str, null: Any) -> None:
    call = {"event": "cuEventCreate", "stream": "cuStreamCreateWithPriority"}[kind]
    pool, take = make(device, kind)
    null.inject_error(call, 2)
    with pytest.raises(fastpaths.CUDAError, match=f"{call}: CUDA_ERROR_OUT_OF_MEMORY"):
        take()
    assert not take().is_closed
    assert len(pool) == 1


def test_a_pool_serves_its_device_whatever_is_current(fresh: Any, kind: str) -> None:
    fresh(
        f"""
        zero, one = Device(0), Device(1)
        one.set_current()
        pool = one.{kind}_pool()
        zero.set_current()
        thing = pool.{kind}()
        assert thing.device is one and pool.device is one
        assert Device() is zero
        """,
        devices=2,
    )


def test_a_pool_begins_anew_after_a_reset(fresh: Any, kind: str) -> None:
    fresh(
        f"""
        import ctypes
        device = Device(0)
        device.set_current()
        pool = device.{kind}_pool()
        out = pool.{kind}()
        pool.{kind}()
        driver = ctypes.CDLL("libcuda.so.1")
        assert driver.cuDevicePrimaryCtxReset_v2(0) == 0
        device.set_current()
        device.create_event()
        kept = pool.{kind}()
        assert len(pool) == 0
        del out
        assert len(pool) == 0
        del kept
        assert len(pool) == 1
        """
    )


def test_threads_share_a_pool(device: Device, kind: str) -> None:
    """No handle is ever out twice, also when it is dropped by another thread."""
    pool, take = make(device, kind, size=8)
    out: set[int] = set()
    twice: list[int] = []
    guard = threading.Lock()

    def work() -> None:
        device.set_current()
        for _ in range(300):
            things = [take() for _ in range(3)]
            names = [quiet_address(thing) for thing in things]
            with guard:
                twice.extend(name for name in names if name in out)
                out.update(names)
            with guard:
                out.difference_update(names)
                del things
        return

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert twice == []
    assert len(pool) <= 8


def test_a_pool_and_what_is_out_survive_interpreter_exit(fresh: Any, kind: str) -> None:
    fresh(
        f"""
        device = Device(0)
        device.set_current()
        pool = device.{kind}_pool()
        kept = [pool.{kind}() for _ in range(3)]
        del kept[0]
        cycle = [pool, pool.{kind}()]
        cycle.append(cycle)
        """
    )


def test_a_forked_child_gets_an_error_and_never_a_handle(fresh: Any, kind: str) -> None:
    fresh(
        f"""
        import os
        device = Device(0)
        device.set_current()
        pool = device.{kind}_pool()
        out = pool.{kind}()
        pool.{kind}()
        child = os.fork()
        if child == 0:
            try:
                pool.{kind}()
            except DriverUnavailableError as error:
                del out
                pool.clear()
                os._exit(0 if "forked" in str(error) else 2)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert len(pool) == 1
        """
    )


def test_recording_without_an_event_still_makes_an_ordinary_one(device: Device) -> None:
    pool = device.event_pool()
    stream = device.stream_pool().stream()
    event = stream.record()
    assert isinstance(event, Event)
    del event
    assert len(pool) == 0
