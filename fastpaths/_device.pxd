"""Devices."""

from fastpaths._context cimport ContextRef


cdef class Device:
    cdef int _id
    # The retained primary context, once a thread has made the device current.
    cdef ContextRef _context
    cdef object __weakref__

    cdef ContextRef context_ref(self)
    cdef object switch_to(self, object ctx)
    cdef int attribute(self, int number) except? -1
