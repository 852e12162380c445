"""Streams."""

cimport cython
from cpython.object cimport PyTypeObject
from cpython.ref cimport Py_INCREF, PyObject
from fastpaths._context cimport (
    ContextRef,
    borrowed_context,
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
    CUDA_SUCCESS,
    CUcontext,
    CUdevice,
    CUevent,
    CUresult,
    CUstream,
    cuCtxGetDevice,
    cuCtxGetStreamPriorityRange,
    cuEventRecord,
    cuStreamCreateWithPriority,
    cuStreamDestroy,
    cuStreamGetCtx,
    cuStreamGetFlags,
    cuStreamGetPriority,
    cuStreamSynchronize,
    cuStreamWaitEvent,
    driver_table_address,
    use_driver_table,
)
from fastpaths._errors cimport check, raise_closed, raise_cuda_error
from fastpaths._event cimport PENDING_WORK, Event, event_work, make_event
from fastpaths._handles cimport handle_object
from fastpaths._kept cimport give_back, kept_handles
from fastpaths._options cimport (
    EVENT_DISABLE_TIMING,
    STREAM_NON_BLOCKING,
    event_flags,
    stream_options,
)
from fastpaths._quick_slots cimport (
    constructor,
    destructor,
    fast_method,
    put_before_dealloc,
    put_before_method,
    refuse_to_construct,
)

use_driver_table(driver_table_address())

cdef extern from *:
    """
    #define event_fields(self) ((struct __pyx_obj_9fastpaths_6_event_Event *)(self))
    #define stream_fields(self) ((struct __pyx_obj_9fastpaths_7_stream_Stream *)(self))
    """
    struct stream_struct "__pyx_obj_9fastpaths_7_stream_Stream":
        CUstream _stream
        bint _borrowed
        bint _closed
        bint _used
        kept_handles *_kept
    struct event_struct "__pyx_obj_9fastpaths_6_event_Event":
        CUevent _event
        event_work _work
    bint Py_IS_TYPE(PyObject *object, PyTypeObject *type) noexcept
    stream_struct *stream_fields(PyObject *self) noexcept
    event_struct *event_fields(PyObject *self) noexcept

cdef destructor free_stream
cdef constructor empty_stream


cdef void destroy_stream(PyObject *self) noexcept:
    """Destroy the driver's stream of an object that is going away.

    A stream that was never handed any work cannot keep the driver waiting, and keeps the GIL.
    """
    cdef CUstream handle = stream_fields(self)._stream
    cdef bint used = stream_fields(self)._used
    cdef kept_handles *kept = stream_fields(self)._kept
    if (
        handle is not NULL
        and not stream_fields(self)._borrowed
        and (kept is NULL or not give_back(kept, handle, used))
    ):
        if used:
            with nogil:
                cuStreamDestroy(handle)
        else:
            cuStreamDestroy(handle)
    free_stream(self)


cdef enum:
    LEGACY = 1
    PER_THREAD = 2


cdef int check_priority(object priority) except -1:
    """Refuse a priority that the driver would silently clamp."""
    cdef int least = 0
    cdef int greatest = 0
    check(cuCtxGetStreamPriorityRange(&least, &greatest), b"cuCtxGetStreamPriorityRange")
    if not greatest <= priority <= least:
        raise ValueError(
            f"priority={priority} is out of range [{greatest}, {least}]: the smaller number is the"
            " higher priority"
        )
    return 0


cdef int decode_here(object options, unsigned int *flags, int *priority) except -1:
    """Decode options and check them against the current context."""
    flags[0] = STREAM_NON_BLOCKING
    priority[0] = 0
    if options is not None:
        wanted = stream_options(options, flags)
        if wanted is not None and wanted != 0:
            check_priority(wanted)
            priority[0] = wanted
    return 0


cdef int decode_stream_options(
    ContextRef ref, object options, unsigned int *flags, int *priority
) except -1:
    """Decode options and check them against a context."""
    enter_context(ref)
    try:
        return decode_here(options, flags, priority)
    finally:
        leave_context()


cdef CUresult create_here(CUstream *handle, object options) except? -1:
    cdef unsigned int flags
    cdef int priority
    decode_here(options, &flags, &priority)
    return cuStreamCreateWithPriority(handle, flags, priority)


cdef Stream make_stream(ContextRef ref, object options):
    """Create a stream in a context."""
    cdef Stream stream = Stream.__new__(Stream)
    cdef CUresult result
    stream._context = ref
    if is_current(ref):
        result = create_here(&stream._stream, options)
    else:
        enter_context(ref)
        try:
            result = create_here(&stream._stream, options)
        finally:
            leave_context()
    check(result, b"cuStreamCreateWithPriority")
    return stream


cdef Stream make_stream_here(ContextRef ref, object options):
    """Create a stream in a context that is known to be current."""
    cdef Stream stream = Stream.__new__(Stream)
    cdef CUresult result
    stream._context = ref
    if options is None:
        result = cuStreamCreateWithPriority(&stream._stream, STREAM_NON_BLOCKING, 0)
    else:
        result = create_here(&stream._stream, options)
    if result != CUDA_SUCCESS:
        if result == CUDA_ERROR_CONTEXT_IS_DESTROYED and revive_primary(ref):
            result = create_here(&stream._stream, options)
        check(result, b"cuStreamCreateWithPriority")
    return stream


cdef Stream hand_out_stream(ContextRef ref, kept_handles *kept, void *handle):
    """Make an object of a stream that a pool kept, or made for itself."""
    cdef Stream stream = Stream.__new__(Stream)
    stream._context = ref
    stream._stream = handle
    stream._kept = kept
    kept.references += 1
    return stream


cdef Stream borrow_stream(size_t address, object owner, object cls=Stream):
    """Wrap a stream that somebody else destroys, as a Stream or a subclass of it."""
    cdef Stream stream = empty_stream(<type>cls, (), NULL)
    stream._stream = <CUstream>address
    stream._owner = owner
    stream._borrowed = True
    return stream


cdef Stream foreign_stream(object obj):
    """Wrap an object that follows the CUDA stream protocol, and keep it alive.

    Version 0 of the protocol: ``__cuda_stream__()`` returns ``(0, address)``; the older form,
    an attribute that holds the pair, is accepted too.
    """
    cdef object answer
    try:
        answer = obj.__cuda_stream__
    except AttributeError:
        raise TypeError(
            f"{type(obj).__name__!r} object does not have a '__cuda_stream__' attribute: pass a"
            " stream, or use Stream.from_handle for an address"
        ) from None
    if callable(answer):
        answer = answer()
    else:
        # Cython makes no frames: level 1 is the caller's line.
        from warnings import warn
        warn(
            f"__cuda_stream__ of {type(obj).__name__!r} is an attribute: make it a method",
            DeprecationWarning,
            stacklevel=1,
        )
    try:
        version, address = answer
    except (TypeError, ValueError):
        raise RuntimeError(
            f"__cuda_stream__ of {type(obj).__name__!r} must give (0, address), not {answer!r}"
        ) from None
    if version != 0:
        raise RuntimeError(
            f"version {version!r} of the CUDA stream protocol is not supported: only 0 is"
        )
    return borrow_stream(address_of(address), obj)


cdef Stream stream_to_wait_for(object obj):
    try:
        return foreign_stream(obj)
    except Exception as error:
        raise ValueError(
            f"Stream.wait cannot wait for this {type(obj).__name__!r} object: {error}"
        ) from error


cdef size_t address_of(object handle) except? 0:
    """Return a handle as an address: an int, or an object with ``__int__``."""
    if isinstance(handle, (str, bytes, float)) or handle is None:
        raise TypeError(f"a stream handle must be an int, not {type(handle).__name__}: {handle!r}")
    value = int(handle)
    if not 0 <= value < 2**64:
        raise ValueError(f"a stream handle must be between 0 and 2**64 - 1, got {value}")
    return value


@cython.no_gc_clear
@cython.freelist(16)
cdef class Stream:
    """A CUDA stream.

    Streams come from :meth:`Device.create_stream`, :meth:`Stream.from_handle` and
    :meth:`StreamPool.stream`. Dropping the object destroys the stream, unless it was made by
    somebody else.

    Raises
    ------
    RuntimeError
        When called: streams cannot be constructed directly.

    Notes
    -----
    Where it differs from cuda.core 1.2.2: waiting for None is a TypeError, there it waits for the
    default stream; an address that is no int, or out of range, is a TypeError or a ValueError; the
    two default streams cannot be closed.
    """

    cdef int open_handle(self, CUstream *handle) except -1:
        if self._closed:
            raise_closed("Stream")
        handle[0] = self._stream
        self._used = True
        return 0

    cdef ContextRef context_ref(self):
        """Return the stream's context; that of a default stream is the current one."""
        cdef CUstream stream
        cdef CUcontext handle = NULL
        cdef CUdevice device = 0
        cdef ContextRef ref
        self.open_handle(&stream)
        if self._context is not None:
            return self._context
        if <size_t>stream <= PER_THREAD:
            ref = current_context()
            if ref is None:
                raise_no_context("A default stream")
            return ref
        check(cuStreamGetCtx(stream, &handle), b"cuStreamGetCtx")
        ref = borrowed_context(handle, -1)
        enter_context(ref)
        try:
            check(cuCtxGetDevice(&device), b"cuCtxGetDevice")
        finally:
            leave_context()
        self._context = borrowed_context(handle, device)
        return self._context

    @classmethod
    def from_handle(cls, handle):
        """Wrap a ``CUstream`` that somebody else created and will destroy.

        Called on a subclass, it makes an object of that.

        Parameters
        ----------
        handle : int
            Its address.

        Raises
        ------
        TypeError, ValueError
            If it is not an address.
        """
        return borrow_stream(address_of(handle), None, cls)

    @classmethod
    def _legacy_default(cls):
        return borrow_stream(LEGACY, None, cls)

    @classmethod
    def _per_thread_default(cls):
        return borrow_stream(PER_THREAD, None, cls)

    def close(self):
        """Destroy the stream, let go of it, or give it back to its pool.

        A second call does nothing. The two default streams stay open.

        Raises
        ------
        CUDAError
            If ``cuStreamDestroy`` fails. The object is closed all the same.
        """
        cdef CUstream handle = self._stream
        cdef CUresult result
        if self._closed or self is LEGACY_DEFAULT_STREAM or self is PER_THREAD_DEFAULT_STREAM:
            return
        self._closed = True
        self._stream = NULL
        self._owner = None
        if self._kept is not NULL and give_back(self._kept, handle, self._used):
            self._context = None
        elif not self._borrowed:
            with nogil:
                result = cuStreamDestroy(handle)
            self._context = None
            check(result, b"cuStreamDestroy")

    def __cuda_stream__(self):
        """Return ``(0, address)``: version 0 of the CUDA stream protocol."""
        cdef CUstream handle
        self.open_handle(&handle)
        return 0, <size_t>handle

    def sync(self):
        """Wait until all work on the stream is done. The GIL is released.

        Raises
        ------
        CUDAError
            If ``cuStreamSynchronize`` fails.
        RuntimeError
            If the stream has been closed.
        """
        cdef CUstream handle
        cdef CUresult result
        self.open_handle(&handle)
        with nogil:
            result = cuStreamSynchronize(handle)
        check(result, b"cuStreamSynchronize")

    def record(self, event=None, options=None):
        """Record an event on the stream, a new one unless one is given.

        Parameters
        ----------
        event : Event, optional
            The event to record.
        options : EventOptions or dict, optional
            Options of the new event.

        Returns
        -------
        Event
            The event that was recorded.

        Raises
        ------
        TypeError
            If `event` is not an Event.
        CUDAError
            If a driver call fails, as when the event belongs to another context.
        """
        cdef Event recorded
        cdef CUresult result
        if type(event) is Event:
            recorded = <Event>event
        elif event is None:
            recorded = make_event(
                self.context_ref(),
                EVENT_DISABLE_TIMING if options is None else event_flags(options),
            )
        else:
            raise TypeError(f"Stream.record takes an Event or None, not {type(event).__name__}")
        if self._closed:
            raise_closed("Stream")
        if recorded._event is NULL:
            raise_closed("Event")
        result = cuEventRecord(recorded._event, self._stream)
        if result != CUDA_SUCCESS:
            raise_cuda_error(result, b"cuEventRecord")
        self._used = True
        recorded._work = PENDING_WORK
        return recorded

    def wait(self, event_or_stream):
        """Have all later work on the stream wait for an event, or for what a stream has now.

        Parameters
        ----------
        event_or_stream : Event, Stream or object with ``__cuda_stream__``
            What to wait for, of any device.

        Raises
        ------
        TypeError, ValueError
            If it is None, or none of these.
        CUDAError
            If a driver call fails.
        """
        cdef CUstream stream
        cdef CUevent handle
        cdef Event event
        self.open_handle(&stream)
        if isinstance(event_or_stream, Event):
            event = event_or_stream
        elif isinstance(event_or_stream, Stream):
            event = event_or_stream.record()
        elif hasattr(event_or_stream, "__cuda_stream__"):
            event = stream_to_wait_for(event_or_stream).record()
        else:
            kind = TypeError if event_or_stream is None else ValueError
            raise kind(
                "Stream.wait takes an Event, a Stream or an object with __cuda_stream__, not"
                f" {type(event_or_stream).__name__}"
            )
        event.open_handle(&handle)
        check(cuStreamWaitEvent(stream, handle, 0), b"cuStreamWaitEvent")

    @property
    def handle(self):
        """The ``CUstream``: an object of ``cuda.bindings`` if installed, else one for ``int``."""
        cdef CUstream handle
        self.open_handle(&handle)
        return handle_object("CUstream", <size_t>handle)

    @property
    def context(self):
        """The :class:`Context` of the stream; that of a default stream is the current one."""
        return context_object(self.context_ref())

    @property
    def device(self):
        """The :class:`Device` of the stream; that of a default stream is the current one."""
        return device_object(self.context_ref().device_id)

    @property
    def is_closed(self):
        """Whether :meth:`close` was called."""
        return self._closed

    @property
    def is_nonblocking(self):
        """Whether the stream does not synchronize with the legacy default stream."""
        cdef CUstream handle
        cdef unsigned int flags = 0
        self.open_handle(&handle)
        check(cuStreamGetFlags(handle, &flags), b"cuStreamGetFlags")
        return bool(flags & STREAM_NON_BLOCKING)

    @property
    def priority(self):
        """The priority: the smaller number is the higher one."""
        cdef CUstream handle
        cdef int priority = 0
        self.open_handle(&handle)
        check(cuStreamGetPriority(handle, &priority), b"cuStreamGetPriority")
        return priority

    def __eq__(self, other):
        if not isinstance(other, Stream):
            return NotImplemented
        if self._closed or (<Stream>other)._closed:
            return self is other
        return self._stream is (<Stream>other)._stream

    def __hash__(self):
        cdef CUstream handle
        self.open_handle(&handle)
        return <Py_hash_t>(<size_t>handle >> 4) if <size_t>handle > PER_THREAD else <size_t>handle

    def __repr__(self):
        if self._closed:
            return "<Stream closed>"
        ref = self._context
        if ref is None and <size_t>self._stream <= PER_THREAD:
            ref = current_context()
        elif ref is None:
            ref = self.context_ref()
        context = "none" if ref is None else f"{<size_t>(<ContextRef>ref).handle:#x}"
        return f"<Stream handle={<size_t>self._stream:#x} context={context}>"


cdef fast_method record_any


cdef PyObject *record_given(
    PyObject *self, PyObject **arguments, Py_ssize_t count, PyObject *names
) except NULL:
    """Answer ``stream.record(event)``; whatever else is called goes to the method itself."""
    cdef PyObject *event
    cdef CUresult result
    if count != 1 or names is not NULL or stream_fields(self)._closed:
        return record_any(self, arguments, count, names)
    event = arguments[0]
    if not Py_IS_TYPE(event, <PyTypeObject *>Event) or event_fields(event)._event is NULL:
        return record_any(self, arguments, count, names)
    result = cuEventRecord(event_fields(event)._event, stream_fields(self)._stream)
    if result != CUDA_SUCCESS:
        raise_cuda_error(result, b"cuEventRecord")
    stream_fields(self)._used = True
    event_fields(event)._work = PENDING_WORK
    Py_INCREF(<object>event)
    return event


record_any = put_before_method(Stream, b"record", record_given)
free_stream = put_before_dealloc(Stream, destroy_stream)
empty_stream = refuse_to_construct(Stream, b"Device.create_stream or Stream.from_handle")

LEGACY_DEFAULT_STREAM = borrow_stream(LEGACY, None)
PER_THREAD_DEFAULT_STREAM = borrow_stream(PER_THREAD, None)


def default_stream():
    """Return the default stream of the process.

    That is the per-thread one if ``CUDA_PYTHON_CUDA_PER_THREAD_DEFAULT_STREAM`` is set to a number
    other than 0 in the environment, else the legacy one; the variable is read at every call.
    """
    import os
    if os.environ.get("CUDA_PYTHON_CUDA_PER_THREAD_DEFAULT_STREAM", "0") not in ("", "0"):
        return PER_THREAD_DEFAULT_STREAM
    return LEGACY_DEFAULT_STREAM
