"""CuPy, the stock wheel on a GPU or its official stub build without one."""

from __future__ import annotations

from typing import Any

from ..statement import Statement
from .base import Adapter, import_library

_CALL_SCOPE = """\
Device()
start = Event()
stop = Event()
stream.record(start)
stream.record(stop)
stop.synchronize()
get_elapsed_time(start, stop)"""


class Cupy(Adapter):
    """``cupy.cuda``."""

    library = "cupy"
    distributions = ("cupy", "cupy-cuda12x", "cupy-cuda13x", "numpy")
    unsupported_operations = {
        "event.create_dict": "options are keywords here, there is no options object",
        "event.create_options": "options are keywords here, there is no options object",
        "device.context": "CuPy has no context object",
    }

    def __init__(self) -> None:
        self._cuda: Any = import_library("cupy.cuda", "run `make bench`, which installs it")
        self._cuda.Device(0).use()

    def _on_cuda(self, source: str, *names: str) -> Statement:
        return Statement(source, {name: getattr(self._cuda, name) for name in names})

    def _on_stream(self, source: str) -> Statement:
        stream = self._cuda.Stream()
        event = stream.record()
        event.synchronize()
        return Statement(source, {"stream": stream, "event": event})

    def device_current(self) -> Statement:
        """``Device()``."""
        return self._on_cuda("Device()", "Device")

    def device_get(self) -> Statement:
        """``Device(0)``."""
        return self._on_cuda("Device(0)", "Device")

    def device_set_current(self) -> Statement:
        """``Device.use()``."""
        return Statement("device.use()", {"device": self._cuda.Device(0)})

    def stream_create(self) -> Statement:
        """``Stream()``, as the request timed it."""
        return self._on_cuda("Stream()", "Stream")

    def stream_pooled(self) -> Statement:
        """Create a stream: CuPy has no pool."""
        return self.stream_create()

    def stream_sync(self) -> Statement:
        """``Stream.synchronize()``."""
        return self._on_stream("stream.synchronize()")

    def event_create(self) -> Statement:
        """``Event()``, as the request timed it: timing is on by default."""
        return self._on_cuda("Event()", "Event")

    def event_create_timed(self) -> Statement:
        """``Event(disable_timing=False)``."""
        return self._on_cuda("Event(disable_timing=False)", "Event")

    def event_pooled(self) -> Statement:
        """Create an event: CuPy has no pool."""
        return self.event_create()

    def event_record(self) -> Statement:
        """``Stream.record(event)``."""
        return self._on_stream("stream.record(event)")

    def event_record_new(self) -> Statement:
        """``Stream.record()``."""
        return self._on_stream("stream.record()")

    def event_query(self) -> Statement:
        """``Event.done``."""
        return self._on_stream("event.done")

    def event_sync(self) -> Statement:
        """``Event.synchronize()``."""
        return self._on_stream("event.synchronize()")

    def call_scope(self) -> Statement:
        """Do the same as the cuda.core adapter in CuPy's words."""
        names = {
            name: getattr(self._cuda, name) for name in ("Device", "Event", "get_elapsed_time")
        }
        return Statement(_CALL_SCOPE, {**names, "stream": self._cuda.Stream()})

    def call_wait(self) -> Statement:
        """``Stream.record(event)`` twice, ``Event.synchronize()``."""
        source = "stream.record(event)\nstream.record(event)\nevent.synchronize()"
        return self._on_stream(source)


adapter = Cupy
