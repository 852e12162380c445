"""The catalogue: every operation under measurement, by the name it has everywhere.

An operation is named ``group.verb``. The name picks the adapter method (``group_verb``), the asv
suite, the row of the table and the gate, and the C loop of the floor, so adding an operation is
one entry here and one method in each adapter that can do it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Operation:
    """One thing a user does with a device, a stream or an event.

    Attributes
    ----------
    name : str
        ``group.verb``.
    summary : str
        What one operation does, in the words of the report.
    nvidia_id : str or None
        The id of the same thing in NVIDIA's own ``benchmarks/cuda_core`` suite (cuda-python
        repository), so that figures can be laid side by side.
    unit : str
        ``"ns"`` for operations that are looped, ``"ms"`` for those that run once a process.
    """

    name: str
    summary: str
    nvidia_id: str | None = None
    unit: str = "ns"

    @property
    def group(self) -> str:
        """The part of the name before the dot: the module of the asv suite."""
        return self.name.partition(".")[0]

    @property
    def method(self) -> str:
        """The adapter method and the floor function that perform it."""
        return self.name.replace(".", "_")


IMPORT = "import"

_ENTRIES = (
    Operation("device.current", "the current device, as an object", "ctx_device.ctx_get_current"),
    Operation("device.get", "device 0, as an object", "ctx_device.device_get"),
    Operation(
        "device.set_current", "make a device that is current, current", "ctx_device.ctx_set_current"
    ),
    Operation("device.context", "the current context of a device, as an object"),
    Operation(
        "stream.create",
        "create and drop the library's default kind of stream",
        "stream.stream_create_destroy",
    ),
    Operation("stream.pooled", "obtain and drop a stream, from a pool where the library has one"),
    Operation("stream.sync", "synchronize with an idle stream", "stream.stream_synchronize"),
    Operation(
        "event.create",
        "create and drop the library's default kind of event",
        "event.event_create_destroy",
    ),
    Operation("event.create_timed", "create and drop an event with timing asked for"),
    Operation("event.create_dict", "create and drop an event, its default options given as a dict"),
    Operation(
        "event.create_options", "create and drop an event, its default options given as an object"
    ),
    Operation("event.pooled", "obtain and drop an event, from a pool where the library has one"),
    Operation("event.record", "record an event that exists on a stream", "event.event_record"),
    Operation("event.record_new", "record on a stream, which makes the event; drop the event"),
    Operation("event.query", "ask a finished event whether it is done", "event.event_query"),
    Operation("event.sync", "synchronize with a finished event", "event.event_synchronize"),
    Operation(
        "call.scope",
        "what a library call does around its kernel: current device, two timed events from dict"
        " options, two records, a synchronization, the elapsed time",
    ),
    Operation("call.wait", "two records of an event that exists, and a synchronization with it"),
    Operation("helpers.handle_return", "cuda.core's check of one successful driver call"),
    Operation("helpers.ctx_get_current", "cuCtxGetCurrent through cuda.bindings"),
    Operation("helpers.event_create", "cuEventCreate and cuEventDestroy through cuda.bindings"),
    Operation(IMPORT, "import the library in a fresh process", unit="ms"),
)

OPERATIONS: dict[str, Operation] = {entry.name: entry for entry in _ENTRIES}
LOOPED: tuple[str, ...] = tuple(name for name in OPERATIONS if name != IMPORT)


class UnknownOperationError(ValueError):
    """An operation name that the catalogue does not have."""

    def __init__(self, name: str) -> None:
        super().__init__(f"unknown operation {name!r}; the catalogue has: {', '.join(OPERATIONS)}")


def find(name: str) -> Operation:
    """Return the catalogue entry of a name.

    Raises
    ------
    UnknownOperationError
        If the catalogue does not have it.
    """
    try:
        return OPERATIONS[name]
    except KeyError:
        raise UnknownOperationError(name) from None
