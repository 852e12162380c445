"""The API of cuda.core's Device, Stream and Event, whoever provides it."""

from __future__ import annotations

from typing import Any

from ..statement import Statement
from .base import Adapter


class CudaCoreApi(Adapter):
    """Statements that hold for every module with the names of cuda.core.

    Parameters
    ----------
    module : module
        Where ``Device`` and ``EventOptions`` are found.
    """

    def __init__(self, module: Any) -> None:
        self._module = module
        self._device = module.Device()
        self._device.set_current()
        # Renamed in cuda.core 1.0.
        fields = module.EventOptions.__dataclass_fields__
        self._timing = "timing_enabled" if "timing_enabled" in fields else "enable_timing"

    def _on_device(self, source: str, **names: object) -> Statement:
        return Statement(source, {"device": self._device, **names})

    def _on_stream(self, source: str) -> Statement:
        stream = self._device.create_stream()
        event = stream.record()
        event.sync()
        return Statement(source, {"stream": stream, "event": event})

    def device_current(self) -> Statement:
        """``Device()``."""
        return Statement("Device()", {"Device": self._module.Device})

    def device_get(self) -> Statement:
        """``Device(0)``."""
        return Statement("Device(0)", {"Device": self._module.Device})

    def device_set_current(self) -> Statement:
        """``Device.set_current()``."""
        return self._on_device("device.set_current()")

    def device_context(self) -> Statement:
        """``Device.context``."""
        return self._on_device("device.context")

    def stream_create(self) -> Statement:
        """``Device.create_stream()``."""
        return self._on_device("device.create_stream()")

    def stream_pooled(self) -> Statement:
        """Create a stream: cuda.core has no pool."""
        return self.stream_create()

    def stream_sync(self) -> Statement:
        """``Stream.sync()``."""
        return self._on_stream("stream.sync()")

    def event_create(self) -> Statement:
        """``Device.create_event()``: timing is off by default."""
        return self._on_device("device.create_event()")

    def event_create_timed(self) -> Statement:
        """``Device.create_event`` with options made beforehand."""
        options = self._module.EventOptions(**{self._timing: True})
        return self._on_device("device.create_event(options)", options=options)

    def event_create_dict(self) -> Statement:
        """``Device.create_event`` with a dict that asks for what is the default."""
        return self._on_device(f"device.create_event({{{self._timing!r}: False}})")

    def event_create_options(self) -> Statement:
        """``Device.create_event`` with options that ask for what is the default."""
        options = self._module.EventOptions(**{self._timing: False})
        return self._on_device("device.create_event(options)", options=options)

    def event_pooled(self) -> Statement:
        """Create an event: cuda.core has no pool."""
        return self.event_create()

    def event_record(self) -> Statement:
        """``Stream.record(event)``."""
        return self._on_stream("stream.record(event)")

    def event_record_new(self) -> Statement:
        """``Stream.record()``."""
        return self._on_stream("stream.record()")

    def event_query(self) -> Statement:
        """``Event.is_done``."""
        return self._on_stream("event.is_done")

    def event_sync(self) -> Statement:
        """``Event.sync()``."""
        return self._on_stream("event.sync()")

    def call_scope(self) -> Statement:
        """Do what nvmath-python's ``execute`` does, with the same calls of cuda.core."""
        source = (
            "device = Device()\n"
            f"start = device.create_event({{{self._timing!r}: True}})\n"
            f"stop = device.create_event({{{self._timing!r}: True}})\n"
            "stream.record(start)\n"
            "stream.record(stop)\n"
            "stop.sync()\n"
            "stop - start"
        )
        names = {"Device": self._module.Device, "stream": self._device.create_stream()}
        return Statement(source, names)

    def call_wait(self) -> Statement:
        """``Stream.record(event)`` twice, ``Event.sync()``."""
        return self._on_stream("stream.record(event)\nstream.record(event)\nevent.sync()")
