"""Pools: events and streams that are handed out again instead of being destroyed.

A pool belongs to one context and one set of flags. What it hands out is an ordinary Event or
Stream, whose driver handle goes back when the object is dropped or closed.
"""

cimport cython
from fastpaths._context cimport (
    ContextRef,
    context_object,
    device_object,
    enter_context,
    is_current,
    leave_context,
    revive_primary,
)
from fastpaths._driver cimport (
    CUDA_ERROR_CONTEXT_IS_DESTROYED,
    CUDA_ERROR_NOT_READY,
    CUDA_SUCCESS,
    CUevent,
    CUresult,
    CUstream,
    cuEventCreate,
    cuEventDestroy,
    cuEventQuery,
    cuStreamCreateWithPriority,
    cuStreamDestroy,
    cuStreamQuery,
    driver_table_address,
    in_forked_child,
    use_driver_table,
)
from fastpaths._errors cimport check
from fastpaths._event cimport hand_out_event
from fastpaths._kept cimport (
    kept_handles,
    let_go_of_kept,
    new_kept_handles,
    oldest_busy,
    take_busy,
    take_idle,
)
from fastpaths._options cimport EVENT_INTERPROCESS, event_flags
from fastpaths._quick_slots cimport refuse_to_construct
from fastpaths._stream cimport decode_stream_options, hand_out_stream

use_driver_table(driver_table_address())

cdef enum:
    LARGEST_SIZE = 65536


@cython.no_gc
cdef class HandlePool:
    """What both kinds of pool do."""

    def __dealloc__(self):
        if self._kept is not NULL:
            self._kept.is_closed = True
            self.destroy_kept()
            let_go_of_kept(self._kept)

    cdef int open_in(self, ContextRef ref, object size) except -1:
        if not hasattr(type(size), "__index__"):
            raise TypeError(f"size must be an int, not {type(size).__name__}: {size!r}")
        if not 1 <= size <= LARGEST_SIZE:
            raise ValueError(f"size must be between 1 and {LARGEST_SIZE}, got {size}")
        self._context = ref
        self._revivals = ref.revivals
        self._kept = new_kept_handles(size)
        if self._kept is NULL:
            raise MemoryError
        return 0

    cdef void *finished_or_new(self) except NULL:
        """Return the handle that was busy longest if it has finished, or else a new one."""
        cdef void *handle
        cdef CUresult result
        if in_forked_child():
            return self.new_handle()
        if self._revivals != self._context.revivals:
            self.forget_after_reset()
        while True:
            handle = oldest_busy(self._kept)
            if handle is NULL:
                return self.new_handle()
            result = self.query(handle)
            if result == CUDA_ERROR_NOT_READY:
                return self.new_handle()
            handle = take_busy(self._kept)
            if result == CUDA_SUCCESS:
                return handle
            # Its work failed, or is being captured into a graph: of no use to anybody else.
            self.destroy(handle)

    cdef void *new_handle(self) except NULL:
        """Create a handle in the pool's context, whatever is current."""
        cdef void *handle = NULL
        cdef CUresult result
        if is_current(self._context):
            result = self.create(&handle)
            if result == CUDA_ERROR_CONTEXT_IS_DESTROYED and revive_primary(self._context):
                self.forget_after_reset()
                result = self.create(&handle)
        else:
            enter_context(self._context)
            result = self.create(&handle)
            leave_context()
        check(result, self.creator())
        return handle

    cdef int forget_after_reset(self) except -1:
        """Begin anew: a reset of the device destroyed all handles, those handed out too."""
        cdef kept_handles *kept = new_kept_handles(self._kept.capacity)
        if kept is NULL:
            raise MemoryError
        self._kept.is_closed = True
        let_go_of_kept(self._kept)
        self._kept = kept
        self._revivals = self._context.revivals
        return 0

    cdef void destroy_kept(self) noexcept:
        """Destroy as many handles as are kept now. Other threads run meanwhile."""
        cdef kept_handles *kept = self._kept
        cdef int count = kept.idle_count + kept.busy_count
        cdef void *handle
        while count > 0:
            count -= 1
            handle = take_idle(kept)
            if handle is NULL:
                handle = take_busy(kept)
            if handle is NULL:
                return
            with nogil:
                self.destroy(handle)

    cdef CUresult create(self, void **handle) noexcept:
        return 0

    cdef CUresult query(self, void *handle) noexcept:
        return 0

    cdef void destroy(self, void *handle) noexcept nogil:
        pass

    cdef const char *creator(self) noexcept:
        return b""

    def clear(self):
        """Destroy the handles that the pool keeps. Those handed out still come back to it."""
        self.destroy_kept()

    def __len__(self):
        """Return how many handles the pool keeps at the moment."""
        return self._kept.idle_count + self._kept.busy_count

    @property
    def size(self):
        """How many handles the pool keeps at most; any more that come back are destroyed."""
        return self._kept.capacity

    @property
    def context(self):
        """The :class:`Context` that the pool creates in."""
        return context_object(self._context)

    @property
    def device(self):
        """The :class:`Device` that the pool creates on."""
        return device_object(self._context.device_id)

    def __repr__(self):
        return f"<{type(self).__name__} device={self._context.device_id} kept={len(self)}>"


@cython.final
@cython.no_gc
cdef class EventPool(HandlePool):
    """Events of one device and one set of options, handed out again instead of destroyed.

    Pools come from :meth:`Device.event_pool`. Dropping a pool destroys what it keeps; events that
    are still out become ordinary ones.

    Raises
    ------
    RuntimeError
        When called: pools cannot be constructed directly.
    """

    cdef CUresult create(self, void **handle) noexcept:
        return cuEventCreate(<CUevent *>handle, self._flags)

    cdef CUresult query(self, void *handle) noexcept:
        return cuEventQuery(handle)

    cdef void destroy(self, void *handle) noexcept nogil:
        cuEventDestroy(handle)

    cdef const char *creator(self) noexcept:
        return b"cuEventCreate"

    def event(self):
        """Hand out a fresh event.

        Fresh means: no work that it recorded is pending, and it counts as never recorded. So
        ``is_done`` is True, and subtracting it raises until it is recorded. An event that came
        back while its work was pending, or whose ``handle`` was read, is handed out only after
        ``cuEventQuery`` says that it has finished.

        Returns
        -------
        Event
            An ordinary event; dropping or closing it gives it back.

        Raises
        ------
        CUDAError
            If the pool keeps no finished event and ``cuEventCreate`` fails.
        """
        cdef void *handle = NULL
        if self._revivals == self._context.revivals and not in_forked_child():
            handle = take_idle(self._kept)
        if handle is NULL:
            handle = self.finished_or_new()
        return hand_out_event(self._context, self._flags, self._kept, handle)


@cython.final
@cython.no_gc
cdef class StreamPool(HandlePool):
    """Streams of one device and one set of options, handed out again instead of destroyed.

    Pools come from :meth:`Device.stream_pool`. Dropping a pool destroys what it keeps; streams
    that are still out become ordinary ones.

    Raises
    ------
    RuntimeError
        When called: pools cannot be constructed directly.
    """

    cdef CUresult create(self, void **handle) noexcept:
        return cuStreamCreateWithPriority(<CUstream *>handle, self._flags, self._priority)

    cdef CUresult query(self, void *handle) noexcept:
        return cuStreamQuery(handle)

    cdef void destroy(self, void *handle) noexcept nogil:
        cuStreamDestroy(handle)

    cdef const char *creator(self) noexcept:
        return b"cuStreamCreateWithPriority"

    def stream(self):
        """Hand out a fresh stream.

        Fresh means: all work that was given to it before has finished. A stream that came back
        after it was used, or whose handle was read, is handed out only after ``cuStreamQuery``
        says so.

        Returns
        -------
        Stream
            An ordinary stream that nobody else holds; dropping or closing it gives it back.

        Raises
        ------
        CUDAError
            If the pool keeps no finished stream and ``cuStreamCreateWithPriority`` fails.
        """
        cdef void *handle = NULL
        if self._revivals == self._context.revivals and not in_forked_child():
            handle = take_idle(self._kept)
        if handle is NULL:
            handle = self.finished_or_new()
        return hand_out_stream(self._context, self._kept, handle)


cdef EventPool event_pool(ContextRef ref, object options, object size):
    """Make an empty pool."""
    cdef EventPool pool = EventPool.__new__(EventPool)
    pool._flags = event_flags(options)
    if pool._flags & EVENT_INTERPROCESS:
        raise ValueError(
            "events of a pool cannot have ipc_enabled: other processes would go on using them"
        )
    pool.open_in(ref, size)
    return pool


cdef StreamPool stream_pool(ContextRef ref, object options, object size):
    """Make an empty pool."""
    cdef StreamPool pool = StreamPool.__new__(StreamPool)
    decode_stream_options(ref, options, &pool._flags, &pool._priority)
    pool.open_in(ref, size)
    return pool


refuse_to_construct(HandlePool, b"Device.event_pool or Device.stream_pool")
refuse_to_construct(EventPool, b"Device.event_pool or Device.stream_pool")
refuse_to_construct(StreamPool, b"Device.event_pool or Device.stream_pool")
