"""Device properties: the names and values of cuda.core, and old drivers."""

from __future__ import annotations

from typing import Any

import pytest

from fastpaths import CUDAError, Device
from fastpaths._attributes import FLAGS, QUANTITIES

NAMES = sorted([*FLAGS, *QUANTITIES])


def test_numbers_are_those_of_the_cuda_headers() -> None:
    bindings = pytest.importorskip("cuda.bindings.driver", reason="cuda.bindings has the numbers")
    numbers = {
        name.removeprefix("CU_DEVICE_ATTRIBUTE_").lower(): member.value
        for name, member in bindings.CUdevice_attribute.__members__.items()
    }
    ours = FLAGS | QUANTITIES
    known = ours.keys() & numbers.keys()
    assert len(known) > 130
    assert {name: ours[name] for name in known} == {name: numbers[name] for name in known}


def test_names_and_values_are_those_of_cuda_core(device: Device) -> None:
    core = pytest.importorskip("cuda.core", reason="cuda.core has the names")
    if not hasattr(core, "Device"):
        pytest.skip("this cuda.core has no Device at its top")
    theirs = core.Device(0).properties
    names = [name for name in dir(type(theirs)) if not name.startswith("_")]
    for name in names:
        expected, found = getattr(theirs, name), getattr(device.properties, name)
        assert (type(found), found) == (type(expected), expected), name


def test_every_name_is_listed_and_answers(device: Device) -> None:
    assert dir(device.properties) == NAMES
    assert all(isinstance(getattr(device.properties, name), int) for name in NAMES)
    assert len(set((FLAGS | QUANTITIES).values())) == len(NAMES)


@pytest.mark.parametrize(
    ("name", "value"), [("warp_size", 0), ("integrated", False), ("host_numa_id", -1)]
)
def test_an_attribute_newer_than_the_driver_is_none(
    device: Device, null: Any, name: str, value: int
) -> None:
    null.inject_error("cuDeviceGetAttribute", 1)
    found = getattr(device.properties, name)
    assert (type(found), found) == (type(value), value)


def test_any_other_failure_is_an_error(device: Device, null: Any) -> None:
    null.inject_error("cuDeviceGetAttribute", 999)
    with pytest.raises(CUDAError, match=r"cuDeviceGetAttribute: CUDA_ERROR_UNKNOWN \(999\)"):
        _ = device.properties.warp_size


def test_properties_cannot_be_constructed(device: Device) -> None:
    with pytest.raises(RuntimeError, match=r"use Device\.properties"):
        type(device.properties)()
    assert repr(device.properties) == "<DeviceProperties of device 0>"
