"""What a device says of itself, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fastpaths._attributes import FLAGS, IF_UNKNOWN, QUANTITIES
from fastpaths._errors import CUDAError

if TYPE_CHECKING:
    from fastpaths._device import Device

_INVALID_VALUE = 1


class ComputeCapability(NamedTuple):
    """The version of a device's instruction set."""

    major: int
    minor: int


class DeviceProperties:
    """The attributes of a device, such as ``multiprocessor_count``.

    Each asks the driver (``cuDeviceGetAttribute``); ``dir`` lists their names. Those that are true
    or false are bools. One that the installed driver is too old to know is 0, False, or what
    stands for "none" (-1 for ``host_numa_id``).

    Raises
    ------
    RuntimeError
        When called: properties come from :attr:`Device.properties`.
    AttributeError
        If there is no attribute of a name.
    """

    __slots__ = ("_device",)
    _device: Device

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise RuntimeError(
            "DeviceProperties objects cannot be instantiated directly: use Device.properties"
        )

    @classmethod
    def _of(cls, device: Device) -> DeviceProperties:
        properties = object.__new__(cls)
        properties._device = device
        return properties

    def __getattr__(self, name: str) -> int:
        number = FLAGS.get(name) or QUANTITIES.get(name)
        if number is None:
            raise AttributeError(f"a device has no attribute {name!r}")
        try:
            value = self._device._attribute(number)
        except CUDAError as error:
            if error.code != _INVALID_VALUE:
                raise
            value = IF_UNKNOWN.get(name, 0)
        return bool(value) if name in FLAGS else value

    def __dir__(self) -> list[str]:
        return sorted([*FLAGS, *QUANTITIES])

    def __repr__(self) -> str:
        return f"<DeviceProperties of device {self._device.device_id}>"
