"""Options of streams and events, and the driver's flags that they stand for."""

cdef enum:
    # Flags of cuEventCreate and cuStreamCreateWithPriority (CUDA Driver API, "Data types used by
    # CUDA driver").
    EVENT_BLOCKING_SYNC = 1
    EVENT_DISABLE_TIMING = 2
    EVENT_INTERPROCESS = 4
    STREAM_NON_BLOCKING = 1


cdef class EventOptions:
    cdef public object timing_enabled
    cdef public object blocking_sync
    cdef public object ipc_enabled


cdef class StreamOptions:
    cdef public object nonblocking
    cdef public object priority


cdef unsigned int event_flags(object options) except? 0xFFFFFFFF
cdef object stream_options(object options, unsigned int *flags)
