"""Streams and handles go both ways between fastpaths and other libraries."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from fastpaths import LEGACY_DEFAULT_STREAM, PER_THREAD_DEFAULT_STREAM, Device, Stream


def test_cuda_core_takes_our_streams(core: Any, device: Device, stream: Stream) -> None:
    theirs = core.Device(0).create_stream(stream)
    assert int(theirs.handle) == int(stream.handle)
    theirs.wait(stream)
    assert core.Device(0).create_stream(LEGACY_DEFAULT_STREAM).handle is not None


def test_we_take_streams_of_cuda_core(core: Any, device: Device, stream: Stream) -> None:
    theirs = core.Device(0).create_stream()
    ours = device.create_stream(theirs)
    address = int(theirs.handle)
    assert int(ours.handle) == address
    assert ours.device is device
    assert int(ours.context.handle) == int(device.context.handle)
    stream.wait(theirs)
    # The owner is kept alive.
    del theirs
    gc.collect()
    ours.sync()
    assert int(ours.handle) == address
    ours.close()


def test_a_pooled_stream_goes_to_cuda_core_too(core: Any, device: Device) -> None:
    stream = device.stream_pool().stream()
    assert int(core.Device(0).create_stream(stream).handle) == int(stream.handle)


def test_handles_are_those_of_cuda_bindings(core: Any, device: Device, stream: Stream) -> None:
    driver = pytest.importorskip("cuda.bindings.driver")
    event = stream.record()
    assert type(stream.handle) is driver.CUstream
    assert type(event.handle) is driver.CUevent
    assert type(device.context.handle) is driver.CUcontext
    result, done = driver.cuStreamQuery(stream.handle)[0], driver.cuEventQuery(event.handle)[0]
    assert (int(result), int(done)) in {(0, 0), (600, 600), (0, 600), (600, 0)}
    event.sync()


def test_both_libraries_see_one_current_device(core: Any, device: Device) -> None:
    device.set_current()
    assert core.Device().device_id == Device().device_id
    assert int(core.Device(0).context.handle) == int(device.context.handle)


def test_cupy_takes_our_streams_and_we_its_own(device: Device, stream: Stream) -> None:
    cuda = pytest.importorskip("cupy.cuda", reason="CuPy is the other side")
    if not hasattr(cuda.Stream, "from_external"):
        pytest.skip("this CuPy does not know the protocol")
    assert cuda.Stream.from_external(stream).ptr == int(stream.handle)
    theirs = cuda.Stream(non_blocking=True)
    assert int(device.create_stream(theirs).handle) == theirs.ptr


def test_torch_takes_our_streams(device: Device, stream: Stream) -> None:
    cuda = pytest.importorskip("torch.cuda", reason="PyTorch is the other side")
    if not cuda.is_available():
        pytest.skip("PyTorch cannot use this driver")
    theirs = cuda.ExternalStream(int(stream.handle))
    assert theirs.cuda_stream == int(stream.handle)
    if hasattr(theirs, "__cuda_stream__"):
        assert int(device.create_stream(theirs).handle) == int(stream.handle)


def test_default_streams_follow_the_protocol() -> None:
    assert LEGACY_DEFAULT_STREAM.__cuda_stream__() == (0, 1)
    assert PER_THREAD_DEFAULT_STREAM.__cuda_stream__() == (0, 2)
