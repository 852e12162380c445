"""Streams."""

from fastpaths._context cimport ContextRef
from fastpaths._driver cimport CUstream
from fastpaths._kept cimport kept_handles


cdef class Stream:
    cdef CUstream _stream
    # Where the stream was created; None for a default stream, which follows the current context.
    cdef ContextRef _context
    # Who destroys the stream, if not this object: kept alive until close.
    cdef object _owner
    cdef bint _borrowed
    cdef bint _closed
    # The handle was handed out or work was given to it: destroying it may take the driver a while.
    cdef bint _used
    # Where the handle goes back to, if a pool handed it out.
    cdef kept_handles *_kept
    cdef object __weakref__

    cdef int open_handle(self, CUstream *handle) except -1
    cdef ContextRef context_ref(self)


cdef Stream make_stream(ContextRef ref, object options)
cdef Stream make_stream_here(ContextRef ref, object options)
cdef int decode_stream_options(
    ContextRef ref, object options, unsigned int *flags, int *priority
) except -1
cdef Stream hand_out_stream(ContextRef ref, kept_handles *kept, void *handle)
cdef Stream foreign_stream(object obj)
