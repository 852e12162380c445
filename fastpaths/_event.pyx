"""Events."""

cimport cython
from cpython.ref cimport PyObject
from libc.string cimport memcpy
from fastpaths._context cimport (
    ContextRef,
    context_object,
    current_context,
    device_object,
    enter_context,
    is_current,
    leave_context,
    raise_no_context,
    revive_primary,
)
from fastpaths._driver cimport (
    CUDA_ERROR_CONTEXT_IS_DESTROYED,
    CUDA_ERROR_INVALID_HANDLE,
    CUDA_ERROR_NOT_READY,
    CUDA_SUCCESS,
    CUevent,
    CUipcEventHandle,
    CUresult,
    cuEventCreate,
    cuEventDestroy,
    cuEventElapsedTime,
    cuEventQuery,
    cuEventSynchronize,
    cuIpcGetEventHandle,
    cuIpcOpenEventHandle,
    driver_table_address,
    use_driver_table,
)
from fastpaths._errors cimport check, raise_closed
from fastpaths._handles cimport handle_object
from fastpaths._ipc cimport IPCEventDescriptor
from fastpaths._kept cimport give_back, kept_handles
from fastpaths._options cimport EVENT_BLOCKING_SYNC, EVENT_DISABLE_TIMING, EVENT_INTERPROCESS
from fastpaths._quick_slots cimport destructor, put_before_dealloc, refuse_to_construct

use_driver_table(driver_table_address())

cdef extern from *:
    """
    #define event_fields(self) ((struct __pyx_obj_9fastpaths_6_event_Event *)(self))
    """
    struct event_struct "__pyx_obj_9fastpaths_6_event_Event":
        CUevent _event
        event_work _work
        bint _shared
        kept_handles *_kept
    event_struct *event_fields(PyObject *self) noexcept

cdef destructor free_event


cdef void destroy_event(PyObject *self) noexcept:
    """Destroy the driver's event of an object that is going away.

    Where work may be pending the driver may take a while, and other threads run meanwhile.
    """
    cdef CUevent handle = event_fields(self)._event
    cdef bint pending = event_fields(self)._work == PENDING_WORK or event_fields(self)._shared
    cdef kept_handles *kept = event_fields(self)._kept
    if handle is not NULL and (kept is NULL or not give_back(kept, handle, pending)):
        if pending:
            with nogil:
                cuEventDestroy(handle)
        else:
            cuEventDestroy(handle)
    free_event(self)


cdef CUresult create_in(ContextRef ref, unsigned int flags, CUevent *handle) except? -1:
    """Create an event in a context that is not current, and leave the caller's context alone."""
    cdef CUresult result
    enter_context(ref)
    result = cuEventCreate(handle, flags)
    leave_context()
    return result


cdef Event make_event(ContextRef ref, unsigned int flags):
    """Create an event in a context."""
    cdef Event event = Event.__new__(Event)
    cdef CUresult result
    event._context = ref
    event._flags = flags
    if is_current(ref):
        result = cuEventCreate(&event._event, flags)
    else:
        result = create_in(ref, flags, &event._event)
    check(result, b"cuEventCreate")
    return event


cdef Event make_event_here(ContextRef ref, unsigned int flags):
    """Create an event in a context that is known to be current."""
    cdef Event event = Event.__new__(Event)
    cdef CUresult result
    event._context = ref
    event._flags = flags
    result = cuEventCreate(&event._event, flags)
    if result != CUDA_SUCCESS:
        if result == CUDA_ERROR_CONTEXT_IS_DESTROYED and revive_primary(ref):
            result = cuEventCreate(&event._event, flags)
        check(result, b"cuEventCreate")
    return event


cdef Event hand_out_event(ContextRef ref, unsigned int flags, kept_handles *kept, void *handle):
    """Make an object of an event that a pool kept, or made for itself."""
    cdef Event event = Event.__new__(Event)
    event._context = ref
    event._flags = flags
    event._work = FRESH
    event._event = handle
    event._kept = kept
    kept.references += 1
    return event


@cython.final
@cython.no_gc
@cython.freelist(64)
cdef class Event:
    """A CUDA event.

    Events come from :meth:`Device.create_event`, :meth:`Stream.record` and
    :meth:`EventPool.event`. Dropping the object destroys the event.

    Raises
    ------
    RuntimeError
        When called: events cannot be constructed directly.

    Notes
    -----
    Where it differs from cuda.core 1.2.2: a creation that fails raises a CUDAError with the
    driver's code, there a RuntimeError without it. The class has no subclasses.
    """

    cdef int open_handle(self, CUevent *handle) except -1:
        if self._event is NULL:
            raise_closed("Event")
        handle[0] = self._event
        return 0

    cdef unsigned int open_flags(self) except? 0xFFFFFFFF:
        cdef CUevent handle
        self.open_handle(&handle)
        return self._flags

    cdef bint has_ended(self) except -1:
        """Ask the driver, and remember a yes."""
        cdef CUevent handle
        cdef CUresult result
        self.open_handle(&handle)
        result = cuEventQuery(handle)
        if result == CUDA_ERROR_NOT_READY:
            return False
        check(result, b"cuEventQuery")
        self.work_is_done()
        return True

    cdef void work_is_done(self) noexcept:
        if self._work == PENDING_WORK:
            self._work = NO_WORK

    def close(self):
        """Destroy the event, or give it back to its pool; a second call does nothing.

        Raises
        ------
        CUDAError
            If ``cuEventDestroy`` fails. The object is closed all the same.
        """
        cdef CUevent handle = self._event
        cdef bint pending = self._work == PENDING_WORK or self._shared
        cdef CUresult result
        if handle is NULL:
            return
        self._event = NULL
        if self._kept is not NULL and give_back(self._kept, handle, pending):
            self._context = None
            return
        with nogil:
            result = cuEventDestroy(handle)
        self._context = None
        check(result, b"cuEventDestroy")

    def sync(self):
        """Wait until all work that the event recorded is done. The GIL is released.

        Raises
        ------
        CUDAError
            If ``cuEventSynchronize`` fails.
        RuntimeError
            If the event has been closed.
        """
        cdef CUevent handle
        cdef CUresult result
        self.open_handle(&handle)
        with nogil:
            result = cuEventSynchronize(handle)
        check(result, b"cuEventSynchronize")
        self.work_is_done()

    def __sub__(self, other):
        """Return the time from `other` to this event, in milliseconds."""
        if not isinstance(self, Event) or not isinstance(other, Event):
            return NotImplemented
        return elapsed_ms(<Event>self, <Event>other)

    @property
    def is_done(self):
        """Whether all work that the event recorded is done; True if nothing was recorded."""
        return self.has_ended()

    @property
    def handle(self):
        """The ``CUevent``: an object of ``cuda.bindings`` if installed, else one for ``int``."""
        cdef CUevent handle
        self.open_handle(&handle)
        self._work = PENDING_WORK
        self._shared = True
        return handle_object("CUevent", <size_t>handle)

    @property
    def context(self):
        """The :class:`Context` in which the event was created."""
        cdef CUevent handle
        self.open_handle(&handle)
        return context_object(self._context)

    @property
    def device(self):
        """The :class:`Device` on which the event was created."""
        cdef CUevent handle
        self.open_handle(&handle)
        return device_object(self._context.device_id)

    @property
    def is_closed(self):
        """Whether :meth:`close` was called."""
        return self._event is NULL

    @property
    def is_timing_enabled(self):
        """Whether the event records the time."""
        return not self.open_flags() & EVENT_DISABLE_TIMING

    @property
    def is_blocking_sync(self):
        """Whether :meth:`sync` puts the thread to sleep instead of busy-waiting."""
        return bool(self.open_flags() & EVENT_BLOCKING_SYNC)

    @property
    def is_ipc_enabled(self):
        """Whether other processes can open the event."""
        return bool(self.open_flags() & EVENT_INTERPROCESS)

    @property
    def ipc_descriptor(self):
        """An :class:`IPCEventDescriptor`, to be sent to another process.

        Raises
        ------
        RuntimeError
            If the event was not created with ``ipc_enabled``.
        CUDAError
            If ``cuIpcGetEventHandle`` fails.
        """
        cdef CUevent handle
        cdef CUipcEventHandle reserved
        self.open_handle(&handle)
        if not self._flags & EVENT_INTERPROCESS:
            raise RuntimeError(
                "Event is not IPC-enabled: create it with EventOptions(ipc_enabled=True)"
            )
        check(cuIpcGetEventHandle(&reserved, handle), b"cuIpcGetEventHandle")
        return IPCEventDescriptor._init(
            (<char *>reserved.reserved)[:64], bool(self._flags & EVENT_BLOCKING_SYNC)
        )

    @classmethod
    def from_ipc_descriptor(cls, IPCEventDescriptor ipc_descriptor not None):
        """Open an event of another process in the current context.

        Parameters
        ----------
        ipc_descriptor : IPCEventDescriptor
            What :attr:`ipc_descriptor` gave in the process that owns the event.

        Raises
        ------
        CUDAError
            If there is no current context, or ``cuIpcOpenEventHandle`` fails.
        """
        cdef ContextRef ref = current_context()
        cdef CUipcEventHandle reserved
        cdef Event event
        if ref is None:
            raise_no_context("Event.from_ipc_descriptor")
        memcpy(reserved.reserved, <char *>ipc_descriptor._reserved, sizeof(reserved.reserved))
        event = Event.__new__(Event)
        event._context = ref
        event._flags = EVENT_DISABLE_TIMING | EVENT_INTERPROCESS
        if ipc_descriptor._blocking_sync:
            event._flags |= EVENT_BLOCKING_SYNC
        check(cuIpcOpenEventHandle(&event._event, reserved), b"cuIpcOpenEventHandle")
        return event

    def __eq__(self, other):
        if not isinstance(other, Event):
            return NotImplemented
        if self._event is NULL or (<Event>other)._event is NULL:
            return self is other
        return self._event is (<Event>other)._event

    def __hash__(self):
        cdef CUevent handle
        self.open_handle(&handle)
        return <Py_hash_t>(<size_t>handle >> 4)

    def __repr__(self):
        if self._event is NULL:
            return "<Event closed>"
        return f"<Event handle={<size_t>self._event:#x}>"


cdef double elapsed_ms(Event end, Event start) except? -1.0:
    cdef CUevent first
    cdef CUevent last
    cdef float milliseconds = 0
    cdef CUresult result
    start.open_handle(&first)
    end.open_handle(&last)
    if start._work == FRESH or end._work == FRESH:
        result = CUDA_ERROR_INVALID_HANDLE
    else:
        result = cuEventElapsedTime(&milliseconds, first, last)
    if result == CUDA_SUCCESS:
        start.work_is_done()
        end.work_is_done()
        return milliseconds
    if (start._flags | end._flags) & EVENT_DISABLE_TIMING:
        raise RuntimeError(
            "both events must be created with EventOptions(timing_enabled=True) to be subtracted"
        )
    if result == CUDA_ERROR_INVALID_HANDLE:
        raise RuntimeError(
            "both events must be recorded, on streams of one context, to be subtracted: call"
            " Stream.record() first"
        )
    if result == CUDA_ERROR_NOT_READY:
        raise RuntimeError(
            "the work before one of the events is not finished: call Event.sync() before they are"
            " subtracted"
        )
    check(result, b"cuEventElapsedTime")
    return milliseconds


free_event = put_before_dealloc(Event, destroy_event)
refuse_to_construct(Event, b"Device.create_event or Stream.record")
