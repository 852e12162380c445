"""Pools of events and streams."""

from fastpaths._context cimport ContextRef
from fastpaths._driver cimport CUresult
from fastpaths._kept cimport kept_handles


cdef class HandlePool:
    cdef ContextRef _context
    cdef kept_handles *_kept
    # What the context's own count was when the kept handles were made.
    cdef int _revivals

    cdef int open_in(self, ContextRef ref, object size) except -1
    cdef void *finished_or_new(self) except NULL
    cdef void *new_handle(self) except NULL
    cdef int forget_after_reset(self) except -1
    cdef void destroy_kept(self) noexcept
    cdef CUresult create(self, void **handle) noexcept
    cdef CUresult query(self, void *handle) noexcept
    cdef void destroy(self, void *handle) noexcept nogil
    cdef const char *creator(self) noexcept


cdef class EventPool(HandlePool):
    cdef unsigned int _flags


cdef class StreamPool(HandlePool):
    cdef unsigned int _flags
    cdef int _priority


cdef EventPool event_pool(ContextRef ref, object options, object size)
cdef StreamPool stream_pool(ContextRef ref, object options, object size)
