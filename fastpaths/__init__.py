"""CUDA Device, Stream and Event at the cost of the driver calls.

The names and semantics are those of ``cuda.core`` 1.2. Importing this loads no driver and calls
no ``cuInit``; the first use of a device does.
"""

from fastpaths._context import Context
from fastpaths._device import Device
from fastpaths._errors import CUDAError, DriverUnavailableError
from fastpaths._event import Event
from fastpaths._ipc import IPCEventDescriptor
from fastpaths._options import EventOptions, StreamOptions
from fastpaths._pools import EventPool, StreamPool
from fastpaths._stream import (
    LEGACY_DEFAULT_STREAM,
    PER_THREAD_DEFAULT_STREAM,
    Stream,
    default_stream,
)

__all__ = [
    "LEGACY_DEFAULT_STREAM",
    "PER_THREAD_DEFAULT_STREAM",
    "CUDAError",
    "Context",
    "Device",
    "DriverUnavailableError",
    "Event",
    "EventOptions",
    "EventPool",
    "IPCEventDescriptor",
    "Stream",
    "StreamOptions",
    "StreamPool",
    "default_stream",
]
