"""PyTorch, where it is installed: an optional guest in the tables."""

from __future__ import annotations

from typing import Any

from ..statement import Statement
from .base import Adapter, MissingLibraryError, import_library

_CALL_SCOPE = """\
current_device()
start = Event(enable_timing=True)
stop = Event(enable_timing=True)
start.record(stream)
stop.record(stream)
stop.synchronize()
start.elapsed_time(stop)"""


class Torch(Adapter):
    """``torch.cuda``."""

    library = "torch"
    distributions = ("torch",)
    unsupported_operations = {
        "event.create_dict": "options are keywords here, there is no options object",
        "event.create_options": "options are keywords here, there is no options object",
        "device.context": "PyTorch has no context object",
        "device.get": "torch.device(0) is a label that asks no driver",
    }

    def __init__(self) -> None:
        self._cuda: Any = import_library("torch.cuda", "pip install torch, a CUDA build")
        if not self._cuda.is_available():
            raise MissingLibraryError("this PyTorch cannot use a GPU here: install its CUDA build")
        self._cuda.set_device(0)
        self._cuda.init()

    def _on_cuda(self, source: str, *names: str) -> Statement:
        return Statement(source, {name: getattr(self._cuda, name) for name in names})

    def _on_stream(self, source: str) -> Statement:
        stream = self._cuda.Stream()
        event = stream.record_event()
        event.synchronize()
        return Statement(source, {"stream": stream, "event": event})

    def device_current(self) -> Statement:
        """``current_device()``, an int."""
        return self._on_cuda("current_device()", "current_device")

    def device_set_current(self) -> Statement:
        """``set_device(0)``."""
        return self._on_cuda("set_device(0)", "set_device")

    def stream_create(self) -> Statement:
        """``Stream()``: one of a pool of 32."""
        return self._on_cuda("Stream()", "Stream")

    def stream_pooled(self) -> Statement:
        """``Stream()``, which is one of PyTorch's pool."""
        return self.stream_create()

    def stream_sync(self) -> Statement:
        """``Stream.synchronize()``."""
        return self._on_stream("stream.synchronize()")

    def event_create(self) -> Statement:
        """``Event()``: the driver's event is made when it is first recorded."""
        return self._on_cuda("Event()", "Event")

    def event_create_timed(self) -> Statement:
        """``Event(enable_timing=True)``, lazy as well."""
        return self._on_cuda("Event(enable_timing=True)", "Event")

    def event_pooled(self) -> Statement:
        """Create an event: PyTorch has no pool of events."""
        return self.event_create()

    def event_record(self) -> Statement:
        """``Event.record(stream)``."""
        return self._on_stream("event.record(stream)")

    def event_record_new(self) -> Statement:
        """``Stream.record_event()``."""
        return self._on_stream("stream.record_event()")

    def event_query(self) -> Statement:
        """``Event.query()``."""
        return self._on_stream("event.query()")

    def event_sync(self) -> Statement:
        """``Event.synchronize()``."""
        return self._on_stream("event.synchronize()")

    def call_scope(self) -> Statement:
        """Do the same as the cuda.core adapter in PyTorch's words."""
        names = {name: getattr(self._cuda, name) for name in ("current_device", "Event")}
        return Statement(_CALL_SCOPE, {**names, "stream": self._cuda.Stream()})

    def call_wait(self) -> Statement:
        """``Event.record(stream)`` twice, ``Event.synchronize()``."""
        source = "event.record(stream)\nevent.record(stream)\nevent.synchronize()"
        return self._on_stream(source)


adapter = Torch
