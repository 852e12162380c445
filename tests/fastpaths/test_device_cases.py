"""Public cases 1 to 7, 10 and 11: device, context, thread."""

from __future__ import annotations

import pytest

from fastpaths import CUDAError, Device


def test_case_01_no_context_is_created_on_a_thread_without_one(fresh) -> None:
    """The one call made succeeds without a context; cuCtxGetDevice would fail."""
    fresh(
        """
        import threading
        seen = []
        def look():
            Device()
            null.log_start()
            seen.append([Device().device_id, Device(None).device_id, Device(0).device_id])
            seen.append(null.log_stop())
            seen.append(null.live()["contexts"])
        thread = threading.Thread(target=look); thread.start(); thread.join()
        assert seen == [[0, 0, 0], ["cuCtxGetCurrent"] * 2, 0], seen
        """
    )


def test_case_01_a_thread_may_lose_its_context(fresh) -> None:
    fresh(
        """
        import ctypes
        cuda = ctypes.CDLL("libcuda.so.1")
        Device(1).set_current()
        assert [Device().device_id for _ in range(3)] == [1] * 3
        assert cuda.cuCtxSetCurrent(None) == 0
        assert [Device().device_id for _ in range(3)] == [0] * 3
        null.log_start(); Device(); assert null.log_stop() == ["cuCtxGetCurrent"]
        Device(1).set_current()
        assert [Device().device_id for _ in range(3)] == [1] * 3
        null.log_start(); Device(); assert null.log_stop() == ["cuCtxGetDevice"]
        """,
        devices=2,
    )


def test_case_02_the_current_device_is_the_one_made_current(fresh) -> None:
    fresh(
        """
        Device(1).set_current()
        assert Device().device_id == 1
        assert Device() is Device(1)
        """,
        devices=2,
    )


@pytest.mark.parametrize("make", ["create_event()", "create_stream()", "create_stream().record()"])
def test_case_03_an_object_lands_on_its_device_whatever_is_current(fresh, make: str) -> None:
    fresh(
        f"""
        Device(0).set_current(); first = Device(0).context
        Device(1).set_current(); second = Device(1).context
        made = Device(0).{make}
        assert made.device is Device(0)
        assert made.context == first
        assert Device() is Device(1) and Device(1).context == second
        made.close()
        """,
        devices=2,
    )


def test_case_04_a_failing_retain_keeps_the_drivers_code(fresh) -> None:
    fresh(
        """
        null.inject_error("cuDevicePrimaryCtxRetain", 46)
        try:
            Device(0).set_current()
        except CUDAError as error:
            assert error.code == 46, error.code
            assert error.name == "CUDA_ERROR_DEVICE_UNAVAILABLE"
            assert error.call == "cuDevicePrimaryCtxRetain"
        else:
            raise AssertionError("no error")
        Device(0).set_current()
        Device(0).create_event()
        """
    )


def test_case_04_a_failing_event_creation_keeps_the_drivers_code(null, device: Device) -> None:
    null.inject_error("cuEventCreate", 2)
    with pytest.raises(CUDAError, match="cuEventCreate: CUDA_ERROR_OUT_OF_MEMORY") as caught:
        device.create_event()
    assert (caught.value.code, caught.value.call) == (2, "cuEventCreate")
    device.create_event().close()


def test_case_05_a_device_saves_nothing_for_a_with_statement(device: Device) -> None:
    """There is no ``with Device``: what it would save could not be kept per thread."""
    assert not hasattr(device, "__enter__")


def test_case_06_one_object_per_device_for_all_threads(fresh) -> None:
    fresh(
        """
        import threading
        barrier = threading.Barrier(8); found = []
        def look():
            barrier.wait()
            found.append((Device(0), Device(1), hash(Device(0))))
        threads = [threading.Thread(target=look) for _ in range(8)]
        [t.start() for t in threads]; [t.join() for t in threads]
        assert len(found) == 8
        assert len({(id(a), id(b), h) for a, b, h in found}) == 1
        """,
        devices=2,
    )


def test_case_07_a_slow_initialisation_is_waited_for_by_all_threads(fresh) -> None:
    fresh(
        """
        import threading
        null.inject_delay("cuInit", 200_000_000)
        barrier = threading.Barrier(8); found, errors = [], []
        def look():
            barrier.wait()
            try:
                found.append(Device().device_id)
            except BaseException as error:
                errors.append(error)
        threads = [threading.Thread(target=look) for _ in range(8)]
        [t.start() for t in threads]; [t.join() for t in threads]
        assert (found, errors) == ([0] * 8, []), (found, errors)
        """
    )


def test_case_10_ids_are_the_range_of_the_count(fresh) -> None:
    fresh(
        """
        assert [d.device_id for d in Device.get_all_devices()] == [0, 1, 2]
        null.inject_error("cuDeviceGetPCIBusId", 801)
        Device(0).name, repr(Device(0)), Device(0).uuid
        """,
        devices=3,
    )


def test_case_11_a_reset_device_can_be_used_again(fresh) -> None:
    fresh(
        """
        import ctypes
        device = Device(0); device.set_current()
        cuda = ctypes.CDLL("libcuda.so.1")
        assert cuda.cuDevicePrimaryCtxReset_v2(0) == 0
        device.set_current()
        event = device.create_event()
        device.create_stream().record(event)
        assert event.context == device.context
        """
    )
