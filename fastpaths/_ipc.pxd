"""What one process sends another so that it can open an event."""


cdef class IPCEventDescriptor:
    cdef bytes _reserved
    cdef bint _blocking_sync
