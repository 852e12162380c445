"""The log, the counts, the ledger, and errors and delays on demand."""

from __future__ import annotations

import ctypes
import runpy
import shutil
import threading
import time
from typing import Any

import pytest

SUCCESS, OUT_OF_MEMORY, NOT_INITIALIZED, NOT_READY, DEVICE_UNAVAILABLE = 0, 2, 3, 600, 46


def create(null: Any) -> int:
    return int(null.calls.cuEventCreate(ctypes.byref(ctypes.c_void_p()), 0))


def test_the_log_has_every_call_in_order(null: Any) -> None:
    null.control.log_start()
    null.start()
    event = null.event()
    null.calls.cuEventRecord(event, None)
    null.calls.cuEventQuery(0)  # an error is a call too
    null.calls.cuEventDestroy_v2(event)
    calls = [
        "cuInit",
        "cuDevicePrimaryCtxRetain",
        "cuCtxSetCurrent",
        "cuEventCreate",
        "cuEventRecord",
        "cuEventQuery",
        "cuEventDestroy_v2",
    ]
    assert null.control.log_stop() == calls
    assert null.control.counts() == dict.fromkeys(calls, 1)


def test_nothing_is_logged_outside(null: Any) -> None:
    null.start()
    assert null.control.log_stop() == []
    null.control.log_start()
    create(null)
    assert null.control.log_stop() == ["cuEventCreate"]
    create(null)
    assert null.control.log_stop() == ["cuEventCreate"]
    assert null.control.counts() == {"cuEventCreate": 1}


def test_counts_add_up_over_logs_until_cleared(null: Any) -> None:
    null.start()
    for _ in range(2):
        null.control.log_start()
        create(null)
        assert null.control.log_stop() == ["cuEventCreate"]
    assert null.control.counts() == {"cuEventCreate": 2}
    null.control.clear_counts()
    assert null.control.counts() == {}


def test_a_long_log_is_complete(null: Any) -> None:
    null.start()
    null.control.log_start()
    for _ in range(10_000):
        null.calls.cuCtxSynchronize()
    assert null.control.log_stop() == ["cuCtxSynchronize"] * 10_000


def test_the_log_loses_no_call_of_any_thread(null: Any) -> None:
    null.start()
    null.control.log_start()

    def call() -> None:
        for _ in range(500):
            null.calls.cuStreamQuery(0)

    threads = [threading.Thread(target=call) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert null.control.counts() == {"cuStreamQuery": 4000}
    assert null.control.log_stop() == ["cuStreamQuery"] * 4000


@pytest.mark.parametrize(("at", "times"), [(1, 1), (3, 1), (2, 3)])
def test_an_error_at_the_kth_call(null: Any, at: int, times: int) -> None:
    null.start()
    null.control.inject_error("cuEventCreate", OUT_OF_MEMORY, at=at, times=times)
    codes = [create(null) for _ in range(7)]
    failing = range(at - 1, at - 1 + times)
    assert codes == [OUT_OF_MEMORY if call in failing else SUCCESS for call in range(7)]
    assert null.control.live()["events"] == codes.count(SUCCESS)


def test_calls_are_counted_from_the_injection(null: Any) -> None:
    null.start()
    null.control.inject_error("cuEventCreate", OUT_OF_MEMORY, at=2)
    assert create(null) == SUCCESS
    null.control.inject_error("cuEventCreate", DEVICE_UNAVAILABLE, at=2)
    assert [create(null) for _ in range(3)] == [OUT_OF_MEMORY, DEVICE_UNAVAILABLE, SUCCESS]


def test_only_that_function_fails(null: Any) -> None:
    null.control.inject_error("cuDevicePrimaryCtxRetain", DEVICE_UNAVAILABLE)
    null.calls.cuInit(0)
    place = ctypes.byref(ctypes.c_void_p())
    assert null.calls.cuDevicePrimaryCtxRetain(place, 0) == DEVICE_UNAVAILABLE
    assert null.control.live()["primary_references"] == 0
    assert null.calls.cuDevicePrimaryCtxRetain(place, 0) == SUCCESS


def test_an_error_comes_before_any_other(null: Any) -> None:
    null.control.inject_error("cuInit", DEVICE_UNAVAILABLE)
    assert [null.calls.cuInit(0), null.calls.cuCtxSynchronize()] == [46, NOT_INITIALIZED]
    assert null.calls.cuInit(0) == SUCCESS
    assert null.control.init_count() == 2


def test_a_name_stands_for_its_symbols(null: Any) -> None:
    null.start()
    event = null.event()
    null.control.inject_error("cuEventDestroy", OUT_OF_MEMORY)
    assert null.calls.cuEventDestroy_v2(event) == OUT_OF_MEMORY
    null.control.inject_error("cuStreamQuery", NOT_READY)
    assert null.calls.cuStreamQuery_ptsz(0) == null.calls.cuStreamQuery(0) == NOT_READY
    assert null.calls.cuEventDestroy_v2(event) == SUCCESS


def test_clearing_injections(null: Any) -> None:
    null.start()
    null.control.inject_error("cuEventCreate", OUT_OF_MEMORY, times=100)
    assert create(null) == OUT_OF_MEMORY
    null.control.clear_injections()
    assert create(null) == SUCCESS


def test_bad_injections(null: Any) -> None:
    with pytest.raises(ValueError, match="no function 'cuNothing'"):
        null.control.inject_error("cuNothing", 1)
    with pytest.raises(ValueError, match="counted from 1"):
        null.control.inject_error("cuInit", 1, at=0)
    with pytest.raises(ValueError, match="at least one call"):
        null.control.inject_error("cuInit", 1, times=0)
    with pytest.raises(ValueError, match="nanoseconds"):
        null.control.inject_delay("cuInit", -1)
    for _ in range(64):
        null.control.inject_error("cuInit", 1)
    with pytest.raises(ValueError, match="clear_injections"):
        null.control.inject_error("cuInit", 1)


def test_a_delay(null: Any) -> None:
    null.start()
    null.control.inject_delay("cuEventCreate", 20_000_000, at=2, times=1)
    spent = []
    for _ in range(3):
        before = time.perf_counter_ns()
        assert create(null) == SUCCESS
        spent.append(time.perf_counter_ns() - before)
    assert spent[1] >= 20_000_000
    assert min(spent[0], spent[2]) < 20_000_000


def test_a_delay_does_not_stop_other_threads(null: Any) -> None:
    null.start()
    null.control.inject_delay("cuEventCreate", 500_000_000)
    thread = threading.Thread(target=lambda: create(null))
    thread.start()
    before = time.perf_counter_ns()
    for _ in range(100):
        null.calls.cuStreamQuery(None)
    spent = time.perf_counter_ns() - before
    assert thread.is_alive()
    assert spent < 500_000_000
    thread.join(30)


def test_the_ledger(null: Any) -> None:
    assert null.control.live() == dict.fromkeys(
        ["contexts", "streams", "events", "primary_references"], 0
    )
    null.start()
    stream, event = null.stream(), null.event()
    null.event()
    assert null.control.live() == {
        "contexts": 1,
        "streams": 1,
        "events": 2,
        "primary_references": 1,
    }
    null.calls.cuStreamDestroy_v2(stream)
    null.calls.cuEventDestroy_v2(event)
    assert null.control.live()["streams"] == 0
    assert null.control.live()["events"] == 1


def test_reset_goes_back_to_the_beginning(null: Any) -> None:
    null.start()
    event = null.event()
    null.control.log_start()
    create(null)
    null.control.inject_error("cuInit", 1)
    null.control.reset()
    assert null.control.init_count() == 0
    assert set(null.control.live().values()) == {0}
    assert null.control.counts() == {}
    assert null.calls.cuEventQuery(event) == NOT_INITIALIZED
    null.start()
    assert null.calls.cuEventQuery(event) != SUCCESS


def test_a_missing_library_says_what_to_do(control: Any, tmp_path: Any) -> None:
    copy = tmp_path / "__init__.py"
    shutil.copyfile(control.__file__, copy)
    with pytest.raises(FileNotFoundError, match="install fastpaths"):
        runpy.run_path(str(copy))["library_path"]()


def test_loading_answers_later_requests(python: Any) -> None:
    code = (
        "null = control.load(null._library._name, devices=3); cuda.cuInit(0)\n"
        "count = ctypes.c_int(); cuda.cuDeviceGetCount(ctypes.byref(count))\n"
        "print(json.dumps([count.value, null.init_count()]))"
    )
    assert python(code) == [3, 1]
