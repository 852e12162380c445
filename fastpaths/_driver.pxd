"""The driver's functions and types, called through the one function table."""

cdef extern from "driver_table.h" nogil:
    ctypedef int CUresult
    ctypedef int CUdevice
    ctypedef void *CUcontext
    ctypedef void *CUstream
    ctypedef void *CUevent
    ctypedef struct CUuuid:
        char bytes[16]
    ctypedef struct CUipcEventHandle:
        char reserved[64]

    enum:
        CUDA_SUCCESS
        CUDA_ERROR_INVALID_VALUE
        CUDA_ERROR_NOT_INITIALIZED
        CUDA_ERROR_INVALID_CONTEXT
        CUDA_ERROR_INVALID_HANDLE
        CUDA_ERROR_NOT_READY
        CUDA_ERROR_CONTEXT_IS_DESTROYED
        FASTPATHS_NO_LIBRARY
        FASTPATHS_NO_SYMBOL
        FASTPATHS_FORKED

    struct driver_table:
        int forked
    struct driver_absence:
        CUresult result
        const char *call
        int version
        const char *message

    driver_absence take_driver_absence "fastpaths_take_driver_absence"()
    void use_driver_table(const driver_table *table)
    bint in_forked_child()

include "driver_calls.pxi"

# What every other module passes to use_driver_table when it is imported.
cdef const driver_table *driver_table_address() noexcept
cdef driver_absence unreached_call() noexcept
