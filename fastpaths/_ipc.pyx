"""What one process sends another so that it can open an event."""

cimport cython
from fastpaths._quick_slots cimport refuse_to_construct

cdef enum:
    RESERVED_BYTES = 64


@cython.final
@cython.no_gc
cdef class IPCEventDescriptor:
    """Describes an event to other processes; it can be pickled.

    Descriptors come from :attr:`Event.ipc_descriptor` and go to
    :meth:`Event.from_ipc_descriptor`.

    Raises
    ------
    RuntimeError
        When called: descriptors cannot be constructed directly.
    """

    @staticmethod
    def _init(bytes reserved not None, bint is_blocking_sync):
        cdef IPCEventDescriptor descriptor
        if len(reserved) != RESERVED_BYTES:
            raise ValueError(
                f"an event's IPC handle has {RESERVED_BYTES} bytes, not {len(reserved)}"
            )
        descriptor = IPCEventDescriptor.__new__(IPCEventDescriptor)
        descriptor._reserved = reserved
        descriptor._blocking_sync = is_blocking_sync
        return descriptor

    def __eq__(self, other):
        if not isinstance(other, IPCEventDescriptor):
            return NotImplemented
        return self._reserved == (<IPCEventDescriptor>other)._reserved

    __hash__ = None

    def __reduce__(self):
        return rebuild_descriptor, (self._reserved, self._blocking_sync)

    def __repr__(self):
        return f"<IPCEventDescriptor {self._reserved.hex()[:16]}>"


def rebuild_descriptor(reserved, is_blocking_sync):
    """Return the descriptor that was pickled."""
    return IPCEventDescriptor._init(reserved, is_blocking_sync)


refuse_to_construct(IPCEventDescriptor, b"Event.ipc_descriptor")
