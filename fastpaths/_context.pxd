"""Contexts: what streams and events keep alive, and the object that users see."""

from fastpaths._driver cimport CUDA_SUCCESS, CUcontext, cuCtxGetCurrent


cdef class ContextRef:
    """A context handle with its device. Owns one retain of a primary context, or nothing."""

    cdef CUcontext handle
    cdef int device_id
    cdef bint is_primary
    # How often it was retained anew because a reset had destroyed it, and all that was in it.
    cdef int revivals


cdef class Context:
    cdef ContextRef _ref
    cdef object __weakref__


cdef ContextRef primary_context(int device_id)
cdef bint revive_primary(ContextRef ref) except -1
cdef ContextRef borrowed_context(CUcontext handle, int device_id)
cdef ContextRef current_context()
cdef ContextRef usable_context(int device_id, ContextRef retained)
cdef int enter_context(ContextRef ref) except -1
cdef int leave_context() except -1
cdef Context context_object(ContextRef ref)
cdef object device_object(int device_id)
cdef object raise_no_context(str what)


cdef inline bint is_current(ContextRef ref):
    """Return whether a context is the calling thread's current one."""
    cdef CUcontext handle = NULL
    return cuCtxGetCurrent(&handle) == CUDA_SUCCESS and handle is ref.handle
