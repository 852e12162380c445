"""Devices and their attributes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from driver import OUT, Driver, short, story


@story
def devices(d: Driver) -> Iterator[Any]:
    d.start()
    for ordinal in (-1, 0, 1000):
        yield d("cuDeviceGet", OUT, ordinal)
        yield d("cuDeviceGetName", OUT, 32, ordinal)
        yield d("cuDevicePrimaryCtxRetain", OUT, ordinal)
        yield d("cuDevicePrimaryCtxRelease_v2", ordinal)
        yield d("cuDeviceGetUuid_v2", OUT, ordinal)
        yield d("cuDeviceGetPCIBusId", OUT, 32, ordinal)
        yield d("cuDeviceTotalMem_v2", OUT, ordinal)
        yield d("cuDeviceComputeCapability", OUT, OUT, ordinal)
        yield d("cuDeviceCanAccessPeer", OUT, 0, ordinal)


@story
def attributes(d: Driver) -> Iterator[Any]:
    """Which numbers name an attribute is a matter of the driver's version."""
    d.start()
    for attribute in (-1, 0, 1, 147, 148, 500, 1000000):
        yield [attribute, d("cuDeviceGetAttribute", OUT, attribute, 0)]
    yield d("cuDeviceGetAttribute", OUT, 1, 1000)
    yield d("cuDeviceGetAttribute", OUT, 500, 1000)


short("cuDeviceGet", None, 0)
short("cuDeviceGetAttribute", None, 1, 0)
short("cuDeviceGetName", None, 32, 0)
for length in (1, 4):
    short("cuDeviceGetName", OUT, length, 0)
for length in (0, 4, 12, 13):
    short("cuDeviceGetPCIBusId", OUT, length, 0)
for text in (b"", b"nonsense", b"9999:99:99.0", None):
    short("cuDeviceGetByPCIBusId", OUT, text)
