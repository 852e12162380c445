"""Contexts.

A primary context is retained once a process, when a device is first made current, and stays
retained: devices are singletons. Any other context is borrowed: whoever made it destroys it.
"""

cimport cython
from fastpaths._driver cimport (
    CUcontext,
    CUdevice,
    CUresult,
    cuCtxGetCurrent,
    cuCtxPopCurrent,
    cuCtxPushCurrent,
    cuCtxSetCurrent,
    cuCtxGetDevice,
    cuDevicePrimaryCtxRelease,
    cuDevicePrimaryCtxRetain,
    driver_table_address,
    use_driver_table,
)
from fastpaths._errors cimport check, raise_closed
from fastpaths._errors import CUDAError
from fastpaths._handles cimport handle_object
from fastpaths._quick_slots cimport refuse_to_construct

use_driver_table(driver_table_address())

cdef dict primaries = {}


@cython.final
@cython.no_gc
cdef class ContextRef:
    def __dealloc__(self):
        if self.is_primary:
            cuDevicePrimaryCtxRelease(self.device_id)


cdef ContextRef borrowed_context(CUcontext handle, int device_id):
    cdef ContextRef ref = primaries.get(device_id)
    if ref is not None and ref.handle == handle:
        return ref
    ref = ContextRef.__new__(ContextRef)
    ref.handle = handle
    ref.device_id = device_id
    return ref


cdef ContextRef primary_context(int device_id):
    """Return the retained primary context of a device, creating it if need be.

    The GIL is released for the driver call: it creates the context if nobody has yet.
    """
    cdef CUcontext handle = NULL
    cdef CUresult result
    cdef ContextRef ref = primaries.get(device_id)
    if ref is not None:
        return ref
    with nogil:
        result = cuDevicePrimaryCtxRetain(&handle, device_id)
    check(result, b"cuDevicePrimaryCtxRetain")
    ref = ContextRef.__new__(ContextRef)
    ref.handle = handle
    ref.device_id = device_id
    ref.is_primary = True
    # Another thread may have been faster; then this retain is given back.
    return primaries.setdefault(device_id, ref)


cdef bint revive_primary(ContextRef ref) except -1:
    """Retain a primary context anew after a reset of its device destroyed it.

    The driver keeps its handle current, so only the first creation in it finds out. Returns False
    for any other context, which is gone for good.
    """
    cdef CUcontext handle = NULL
    if not ref.is_primary:
        return False
    # The reset left our reference to be given back.
    cuDevicePrimaryCtxRelease(ref.device_id)
    check(cuDevicePrimaryCtxRetain(&handle, ref.device_id), b"cuDevicePrimaryCtxRetain")
    ref.handle = handle
    ref.revivals += 1
    check(cuCtxSetCurrent(handle), b"cuCtxSetCurrent")
    return True


cdef ContextRef current_context():
    """Return the calling thread's current context, or None."""
    cdef CUcontext handle = NULL
    cdef CUdevice device = 0
    check(cuCtxGetCurrent(&handle), b"cuCtxGetCurrent")
    if handle is NULL:
        return None
    check(cuCtxGetDevice(&device), b"cuCtxGetDevice")
    return borrowed_context(handle, device)


cdef ContextRef usable_context(int device_id, ContextRef retained):
    """Return the context in which a device's objects are made on this thread.

    That is the current one if it belongs to the device, whoever made it, or else the primary
    context that this device retains.
    """
    cdef CUcontext handle = NULL
    cdef CUdevice device = -1
    check(cuCtxGetCurrent(&handle), b"cuCtxGetCurrent")
    if handle is not NULL:
        check(cuCtxGetDevice(&device), b"cuCtxGetDevice")
        if device == device_id:
            return borrowed_context(handle, device)
    if retained is None:
        raise CUDAError(
            f"Device {device_id} is not initialized on this thread: call"
            f" Device({device_id}).set_current() first"
        )
    return retained


cdef int enter_context(ContextRef ref) except -1:
    """Make a context current for a moment; leave_context() restores the caller's."""
    check(cuCtxPushCurrent(ref.handle), b"cuCtxPushCurrent")
    return 0


cdef int leave_context() except -1:
    cdef CUcontext handle = NULL
    check(cuCtxPopCurrent(&handle), b"cuCtxPopCurrent")
    return 0


cdef object raise_no_context(str what):
    raise CUDAError(
        f"{what} needs a context and this thread has none: call Device.set_current() first"
    )


cdef Context context_object(ContextRef ref):
    cdef Context context
    if ref is None:
        return None
    context = Context.__new__(Context)
    context._ref = ref
    return context


cdef object device_object(int device_id):
    from fastpaths._device import Device
    return Device(device_id)


@cython.final
@cython.no_gc
@cython.freelist(16)
cdef class Context:
    """A CUDA context.

    Contexts come from :attr:`Device.context`, :attr:`Stream.context` and :attr:`Event.context`,
    and from :meth:`Device.set_current` when it replaces one. The object keeps a primary context
    retained; any other context is borrowed and stays its maker's.

    Raises
    ------
    RuntimeError
        When called: contexts cannot be constructed directly.
    """

    @property
    def handle(self):
        """The ``CUcontext``: an object of ``cuda.bindings`` if installed, else one for ``int``.

        None after :meth:`close`.
        """
        return None if self._ref is None else handle_object("CUcontext", <size_t>self._ref.handle)

    @property
    def _handle(self):
        return self.handle

    @property
    def is_closed(self):
        """Whether :meth:`close` was called on this object."""
        return self._ref is None

    @property
    def is_green(self):
        """False: fastpaths makes no green contexts."""
        if self._ref is None:
            raise_closed("Context")
        return False

    @property
    def device(self):
        """The :class:`Device` that the context belongs to."""
        if self._ref is None:
            raise_closed("Context")
        return device_object(self._ref.device_id)

    def close(self):
        """Let go of the context. It lives on while streams, events or devices use it.

        A second call does nothing.

        Raises
        ------
        RuntimeError
            If the context is current on the calling thread.
        """
        if self._ref is not None and is_current(self._ref):
            raise RuntimeError(
                "Context.close: the context is current on this thread: make another one current"
                " first"
            )
        self._ref = None

    def __eq__(self, other):
        if not isinstance(other, Context):
            return NotImplemented
        cdef ContextRef theirs = (<Context>other)._ref
        if self._ref is None or theirs is None:
            return self is other
        return self._ref.handle == theirs.handle

    def __hash__(self):
        if self._ref is None:
            raise_closed("Context")
        return <Py_hash_t>(<size_t>self._ref.handle >> 4)

    def __repr__(self):
        if self._ref is None:
            return "<Context closed>"
        return f"<Context handle={<size_t>self._ref.handle:#x} device={self._ref.device_id}>"


refuse_to_construct(Context, b"Device.context, Stream.context or Event.context")
