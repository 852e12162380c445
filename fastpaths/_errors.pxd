"""The check of every driver call: one compare when it succeeds."""

from fastpaths._driver cimport CUDA_SUCCESS, CUresult


cdef inline int check(CUresult result, const char *call) except -1:
    """Raise CUDAError unless the driver call succeeded."""
    if result != CUDA_SUCCESS:
        return raise_cuda_error(result, call)
    return 0


cdef int raise_cuda_error(CUresult result, const char *call) except -1
cdef int raise_closed(str what) except -1
