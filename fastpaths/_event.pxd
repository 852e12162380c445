"""Events."""

from fastpaths._context cimport ContextRef
from fastpaths._driver cimport CUevent
from fastpaths._kept cimport kept_handles

cdef enum event_work:
    # Never recorded, or seen finished since.
    NO_WORK = 0
    # Recorded and not seen finished: destroying it may take the driver a while.
    PENDING_WORK = 1
    # Handed out by a pool and not recorded since: what it recorded before is nobody's business.
    FRESH = 2


cdef class Event:
    cdef CUevent _event
    cdef ContextRef _context
    cdef unsigned int _flags
    cdef event_work _work
    # The handle was handed out, so that others may record it at any time.
    cdef bint _shared
    # Where the handle goes back to, if a pool handed it out.
    cdef kept_handles *_kept
    cdef object __weakref__

    cdef int open_handle(self, CUevent *handle) except -1
    cdef bint has_ended(self) except -1
    cdef void work_is_done(self) noexcept
    cdef unsigned int open_flags(self) except? 0xFFFFFFFF


cdef Event make_event(ContextRef ref, unsigned int flags)
cdef Event make_event_here(ContextRef ref, unsigned int flags)
cdef Event hand_out_event(ContextRef ref, unsigned int flags, kept_handles *kept, void *handle)
