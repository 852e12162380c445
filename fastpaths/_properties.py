"""What a device says of itself, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fastpaths._device import Device


class ComputeCapability(NamedTuple):
    """The version of a device's instruction set."""

    major: int
    minor: int


# CUdevice_attribute of the CUDA Driver API: name in lower case to number.
ATTRIBUTES = {
    "max_threads_per_block": 1,
    "max_block_dim_x": 2,
    "max_block_dim_y": 3,
    "max_block_dim_z": 4,
    "max_grid_dim_x": 5,
    "max_grid_dim_y": 6,
    "max_grid_dim_z": 7,
    "max_shared_memory_per_block": 8,
    "total_constant_memory": 9,
    "warp_size": 10,
    "max_registers_per_block": 12,
    "clock_rate": 13,
    "multiprocessor_count": 16,
    "concurrent_kernels": 31,
    "pci_bus_id": 33,
    "pci_device_id": 34,
    "unified_addressing": 41,
    "compute_capability_major": 75,
    "compute_capability_minor": 76,
    "stream_priorities_supported": 78,
}


class DeviceProperties:
    """The attributes of a device.

    Parameters
    ----------
    device : Device
        The device. Each attribute asks the driver (``cuDeviceGetAttribute``).
    """

    __slots__ = ("_device",)

    def __init__(self, device: Device) -> None:
        self._device = device

    def __getattr__(self, name: str) -> int:
        try:
            number = ATTRIBUTES[name]
        except KeyError:
            raise AttributeError(f"a device has no attribute {name!r}") from None
        return self._device._attribute(number)

    def __dir__(self) -> list[str]:
        return sorted(ATTRIBUTES)
