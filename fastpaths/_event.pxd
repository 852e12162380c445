"""Events."""

from fastpaths._context cimport ContextRef
from fastpaths._driver cimport CUevent


cdef class Event:
    cdef CUevent _event
    cdef ContextRef _context
    cdef unsigned int _flags
    # Recorded and not seen finished since: destroying it may take the driver a while.
    cdef bint _pending
    cdef object __weakref__

    cdef int open_handle(self, CUevent *handle) except -1
    cdef bint has_ended(self) except -1
    cdef unsigned int open_flags(self) except? 0xFFFFFFFF


cdef Event make_event(ContextRef ref, unsigned int flags)
cdef Event make_event_here(ContextRef ref, unsigned int flags)
