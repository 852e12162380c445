"""Devices."""

cimport cython
from cpython.mem cimport PyMem_Calloc
from cpython.ref cimport Py_INCREF, PyObject
from fastpaths._context cimport (
    Context,
    ContextRef,
    borrowed_context,
    context_object,
    enter_context,
    is_current,
    leave_context,
    primary_context,
    revive_primary,
    usable_context,
)
from fastpaths._driver cimport (
    CUDA_ERROR_CONTEXT_IS_DESTROYED,
    CUDA_ERROR_INVALID_CONTEXT,
    CUDA_ERROR_NOT_INITIALIZED,
    CUDA_SUCCESS,
    CUcontext,
    CUdevice,
    CUresult,
    CUuuid,
    cuCtxGetCurrent,
    cuCtxGetDevice,
    cuCtxPopCurrent,
    cuCtxPushCurrent,
    cuCtxSetCurrent,
    cuCtxSynchronize,
    cuDeviceCanAccessPeer,
    cuDeviceGetAttribute,
    cuDeviceGetCount,
    cuDeviceGetName,
    cuDeviceGetPCIBusId,
    cuDeviceGetUuid,
    cuInit,
    driver_table_address,
    use_driver_table,
)
from fastpaths._errors cimport check
from fastpaths._event cimport Event, make_event, make_event_here
from fastpaths._options cimport EVENT_DISABLE_TIMING, event_flags
from fastpaths._pools cimport event_pool, stream_pool
from fastpaths._quick_slots cimport fast_method, put_before_method
from fastpaths._stream cimport Stream, foreign_stream, make_stream, make_stream_here

use_driver_table(driver_table_address())

cdef extern from "Python.h":
    ctypedef struct PyTypeObject:
        void *tp_vectorcall
        void *tp_new
    Py_ssize_t PyVectorcall_NARGS(size_t nargsf) noexcept
    bint PyLong_CheckExact(object number) noexcept

cdef extern from *:
    """
    /* Whether a context was current when this thread last asked: then the device can be asked for
     * at once. Where there is none that call would fail. */
    static __thread int thread_has_context __attribute__((tls_model("initial-exec")));
    """
    bint thread_has_context

cdef enum:
    # CUdevice_attribute
    COMPUTE_CAPABILITY_MAJOR = 75
    COMPUTE_CAPABILITY_MINOR = 76

# One object per device, for ever: interned[i] is Device(i), and counted is their number.
cdef PyObject **interned = NULL
cdef int counted = 0


cdef int intern_devices() except -1:
    """Initialize the driver and make one object per device, once."""
    global interned, counted
    cdef int count = 0
    cdef Device device
    cdef PyObject **made
    cdef CUresult result = cuDeviceGetCount(&count)
    if result == CUDA_ERROR_NOT_INITIALIZED:
        check(cuInit(0), b"cuInit")
        result = cuDeviceGetCount(&count)
    check(result, b"cuDeviceGetCount")
    if count <= counted:
        return 0
    made = <PyObject **>PyMem_Calloc(count, sizeof(PyObject *))
    if made is NULL:
        raise MemoryError
    for i in range(count):
        if i < counted:
            made[i] = interned[i]
            continue
        device = Device.__new__(Device)
        device._id = i
        Py_INCREF(device)
        made[i] = <PyObject *>device
    # The old, shorter table is left to those who may be reading it.
    interned = made
    counted = count
    return 0


cdef object current_device():
    """Return the calling thread's current device, or device 0, without creating a context.

    No call fails where there is no context: tools that report failing driver calls stay silent.
    """
    global thread_has_context
    cdef CUcontext context = NULL
    cdef CUdevice device = 0
    cdef CUresult result = cuCtxGetCurrent(&context)
    if result == CUDA_ERROR_NOT_INITIALIZED:
        check(cuInit(0), b"cuInit")
        result = cuCtxGetCurrent(&context)
    check(result, b"cuCtxGetCurrent")
    thread_has_context = context is not NULL
    if thread_has_context:
        check(cuCtxGetDevice(&device), b"cuCtxGetDevice")
    return device_at(device)


cdef object device_at(long device_id):
    if 0 <= device_id < counted:
        return <object>interned[device_id]
    intern_devices()
    if not 0 <= device_id < counted:
        return out_of_range(device_id)
    return <object>interned[device_id]


cdef object chosen_device(object device_id):
    """Return the device that an argument asks for."""
    if PyLong_CheckExact(device_id):
        try:
            return device_at(device_id)
        except OverflowError:
            return out_of_range(device_id)
    if device_id is None:
        return current_device()
    if type(device_id) is Device:
        return device_id
    if not hasattr(type(device_id), "__index__"):
        raise TypeError(
            f"device_id must be an int, a Device or None, not {type(device_id).__name__}:"
            f" {device_id!r}"
        )
    return chosen_device(int(device_id))


cdef object out_of_range(object device_id):
    intern_devices()
    if device_id < 0:
        raise ValueError(f"device_id must be >= 0, got {device_id}") from None
    raise ValueError(f"device_id must be within [0, {counted}), got {device_id}") from None


cdef object chosen_by_name(Py_ssize_t count, dict named):
    """Return the device of ``Device(device_id=...)``, and refuse any other number of arguments."""
    if count == 0 and named.keys() == {"device_id"}:
        return chosen_device(named["device_id"])
    raise TypeError(f"Device takes one argument, device_id; {count + len(named)} were given")


cdef object call_with_keywords(PyObject **arguments, Py_ssize_t count, object names):
    cdef Py_ssize_t i
    cdef dict named = {}
    if names is not None:
        for i in range(len(names)):
            named[names[i]] = <object>arguments[count + i]
    return chosen_by_name(count, named)


cdef PyObject *call_device(
    PyObject *cls, PyObject **arguments, size_t nargsf, PyObject *names
) except NULL:
    """Answer ``Device(...)``: the type's vectorcall slot."""
    cdef Py_ssize_t count = PyVectorcall_NARGS(nargsf)
    cdef CUdevice current = 0
    cdef object device
    if count == 0 and names is NULL and thread_has_context:
        if cuCtxGetDevice(&current) == CUDA_SUCCESS and current < counted:
            Py_INCREF(<object>interned[current])
            return interned[current]
    if names is not NULL:
        device = call_with_keywords(arguments, count, <object>names)
    elif count == 0:
        device = current_device()
    elif count == 1:
        device = chosen_device(<object>arguments[0])
    else:
        device = call_with_keywords(arguments, count, None)
    Py_INCREF(device)
    return <PyObject *>device


cdef PyObject *construct_device(
    PyObject *cls, PyObject *arguments, PyObject *keywords
) except NULL:
    """Answer ``Device.__new__(Device, ...)`` as ``Device(...)``."""
    cdef tuple given = <tuple>arguments
    cdef object device
    if keywords is not NULL and <dict>keywords:
        device = chosen_by_name(len(given), <dict>keywords)
    elif not given:
        device = current_device()
    elif len(given) == 1:
        device = chosen_device(given[0])
    else:
        device = chosen_by_name(len(given), {})
    Py_INCREF(device)
    return <PyObject *>device


@cython.final
@cython.no_gc
cdef class Device:
    """A CUDA device.

    There is one object per device in a process, so devices can be compared with ``is``.

    Parameters
    ----------
    device_id : int or Device, optional
        Which device; the calling thread's current one unless given, or device 0 where no context
        is current. No context is created.

    Raises
    ------
    ValueError
        If there is no such device.
    TypeError
        If `device_id` is no int.
    CUDAError
        If the driver cannot be initialized.

    Notes
    -----
    Where it differs from cuda.core 1.2.2: streams and events are created on this device, whatever
    device is current, and the caller's context is left as it was; there, they land on the current
    device and claim to be of this one. A float is no device id, and an id too large for C is a
    ValueError like any other that is out of range. Memory, graphs, programs, textures and green
    contexts are left out; pools are added.
    """

    cdef ContextRef context_ref(self):
        return usable_context(self._id, self._context)

    @classmethod
    def get_all_devices(cls):
        """Return a tuple of all devices, in order of their ids."""
        intern_devices()
        return tuple([<object>interned[i] for i in range(counted)])

    @property
    def device_id(self):
        """The id: ``range`` of the number of devices."""
        return self._id

    def __int__(self):
        return self._id

    def set_current(self, ctx=None):
        """Make the device current on the calling thread.

        Parameters
        ----------
        ctx : Context, optional
            A context of this device; its primary context unless given.

        Returns
        -------
        Context or None
            With `ctx`, the context that was current before, if any; else None.

        Raises
        ------
        RuntimeError
            If `ctx` belongs to another device, or is closed.
        CUDAError
            If the context cannot be created or made current.
        """
        cdef CUresult result
        if ctx is not None:
            return self.switch_to(ctx)
        if self._context is None:
            self._context = primary_context(self._id)
        result = cuCtxSetCurrent(self._context.handle)
        if result == CUDA_ERROR_INVALID_CONTEXT or result == CUDA_ERROR_CONTEXT_IS_DESTROYED:
            # A reset of the device destroyed it.
            revive_primary(self._context)
            return
        check(result, b"cuCtxSetCurrent")

    cdef object switch_to(self, object ctx):
        cdef CUcontext previous = NULL
        cdef CUdevice device = 0
        cdef ContextRef ref
        if not isinstance(ctx, Context):
            raise TypeError(f"ctx must be a Context or None, not {type(ctx).__name__}")
        ref = (<Context>ctx)._ref
        if ref is None:
            raise RuntimeError("Context has been closed")
        if ref.device_id != self._id:
            raise RuntimeError(
                f"the context belongs to device {ref.device_id}, not to device {self._id}"
            )
        if cuCtxGetDevice(&device) == CUDA_SUCCESS:
            check(cuCtxPopCurrent(&previous), b"cuCtxPopCurrent")
        check(cuCtxPushCurrent(ref.handle), b"cuCtxPushCurrent")
        if previous is NULL:
            return None
        return context_object(borrowed_context(previous, device))

    @property
    def context(self):
        """The device's :class:`Context` on the calling thread.

        Raises
        ------
        CUDAError
            If the device is not initialized: see :meth:`set_current`.
        """
        if self._context is not None and is_current(self._context):
            return context_object(self._context)
        return context_object(self.context_ref())

    def create_stream(self, obj=None, options=None):
        """Create a stream on the device, whatever is current, or wrap a foreign one.

        Parameters
        ----------
        obj : object with ``__cuda_stream__``, optional
            A stream of another library. It is borrowed: kept alive, and never destroyed.
        options : StreamOptions or dict, optional
            Options of a new stream: by default non-blocking, of the lowest priority.

        Returns
        -------
        Stream

        Raises
        ------
        TypeError, ValueError
            If `obj` or the options are wrong.
        CUDAError
            If the device is not initialized, or a driver call fails.
        """
        if obj is not None:
            if options is not None:
                raise ValueError("options are for a new stream, and obj is one: pass one of them")
            return foreign_stream(obj)
        if self._context is not None and is_current(self._context):
            return make_stream_here(self._context, options)
        return make_stream(self.context_ref(), options)

    def create_event(self, options=None):
        """Create an event on the device, whatever is current.

        Parameters
        ----------
        options : EventOptions or dict, optional
            By default without timing, busy-waiting, and of this process alone.

        Returns
        -------
        Event

        Raises
        ------
        TypeError
            If the options are wrong.
        CUDAError
            If the device is not initialized, or ``cuEventCreate`` fails.
        """
        cdef unsigned int flags = EVENT_DISABLE_TIMING
        if options is not None:
            flags = event_flags(options)
        if self._context is not None and is_current(self._context):
            return make_event_here(self._context, flags)
        return make_event(self.context_ref(), flags)

    def event_pool(self, options=None, *, size=64):
        """Make a pool that hands out events again instead of destroying them.

        Parameters
        ----------
        options : EventOptions or dict, optional
            Options of all its events; not ``ipc_enabled``.
        size : int, optional
            How many events that came back are kept at most.

        Returns
        -------
        EventPool
            An empty pool, in the context in which :meth:`create_event` would create.

        Raises
        ------
        TypeError, ValueError
            If the options or the size are wrong.
        CUDAError
            If the device is not initialized.
        """
        return event_pool(self.context_ref(), options, size)

    def stream_pool(self, options=None, *, size=16):
        """Make a pool that hands out streams again instead of destroying them.

        Parameters
        ----------
        options : StreamOptions or dict, optional
            Options of all its streams.
        size : int, optional
            How many streams that came back are kept at most.

        Returns
        -------
        StreamPool
            An empty pool, in the context in which :meth:`create_stream` would create.

        Raises
        ------
        TypeError, ValueError
            If the options or the size are wrong.
        CUDAError
            If the device is not initialized.
        """
        return stream_pool(self.context_ref(), options, size)

    @property
    def default_stream(self):
        """The default stream of the process; see :func:`default_stream`."""
        from fastpaths._stream import default_stream
        return default_stream()

    def sync(self):
        """Wait until all work on the device's context is done. The GIL is released.

        Raises
        ------
        CUDAError
            If the device is not initialized, or ``cuCtxSynchronize`` fails.
        """
        cdef CUresult result
        cdef ContextRef ref = self.context_ref()
        enter_context(ref)
        try:
            with nogil:
                result = cuCtxSynchronize()
        finally:
            leave_context()
        check(result, b"cuCtxSynchronize")

    @property
    def name(self):
        """The name of the device."""
        cdef char text[256]
        check(cuDeviceGetName(text, 256, self._id), b"cuDeviceGetName")
        return text.decode("utf-8", "replace")

    @property
    def uuid(self):
        """The UUID, as 8-4-4-4-12 hexadecimal digits."""
        cdef CUuuid uuid
        check(cuDeviceGetUuid(&uuid, self._id), b"cuDeviceGetUuid")
        digits = (<char *>uuid.bytes)[:16].hex()
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    @property
    def pci_bus_id(self):
        """The PCI bus id, such as ``0000:01:00.0``."""
        cdef char text[32]
        check(cuDeviceGetPCIBusId(text, 32, self._id), b"cuDeviceGetPCIBusId")
        return text.decode()

    @property
    def compute_capability(self):
        """The compute capability: a named tuple ``(major, minor)``."""
        from fastpaths._properties import ComputeCapability
        return ComputeCapability(
            self.attribute(COMPUTE_CAPABILITY_MAJOR), self.attribute(COMPUTE_CAPABILITY_MINOR)
        )

    @property
    def arch(self):
        """The compute capability as two digits run together, such as ``"90"``."""
        return "".join(map(str, self.compute_capability))

    @property
    def properties(self):
        """The attributes of the device, by their names in lower case."""
        from fastpaths._properties import DeviceProperties
        return DeviceProperties._of(self)

    cdef int attribute(self, int number) except? -1:
        cdef int value = 0
        check(cuDeviceGetAttribute(&value, number, self._id), b"cuDeviceGetAttribute")
        return value

    def _attribute(self, int number):
        return self.attribute(number)

    def can_access_peer(self, peer):
        """Return whether the device can access memory of another one directly.

        Parameters
        ----------
        peer : Device or int
            The other device. A device can access its own memory.
        """
        cdef int can = 0
        cdef Device other = chosen_device(peer)
        if other._id == self._id:
            return True
        check(cuDeviceCanAccessPeer(&can, self._id, other._id), b"cuDeviceCanAccessPeer")
        return bool(can)

    def __eq__(self, other):
        if not isinstance(other, Device):
            return NotImplemented
        return self is other

    def __hash__(self):
        return hash((Device, self._id))

    def __reduce__(self):
        return Device, (self._id,)

    def __repr__(self):
        return f"<Device {self._id} ({self.name})>"


cdef fast_method create_event_any
cdef fast_method create_stream_any


cdef PyObject *create_event_here(
    PyObject *self, PyObject **arguments, Py_ssize_t count, PyObject *names
) except NULL:
    """Answer ``create_event()`` and ``create_event(options)`` on the current device."""
    cdef Event event
    cdef unsigned int flags = EVENT_DISABLE_TIMING
    if names is NULL and count <= 1 and (<Device>self)._context is not None:
        if is_current((<Device>self)._context):
            if count:
                flags = event_flags(<object>arguments[0])
            event = make_event_here((<Device>self)._context, flags)
            Py_INCREF(event)
            return <PyObject *>event
    return create_event_any(self, arguments, count, names)


cdef PyObject *create_stream_here(
    PyObject *self, PyObject **arguments, Py_ssize_t count, PyObject *names
) except NULL:
    """Answer ``create_stream()`` on the current device."""
    cdef Stream stream
    if count == 0 and names is NULL and (<Device>self)._context is not None:
        if is_current((<Device>self)._context):
            stream = make_stream_here((<Device>self)._context, None)
            Py_INCREF(stream)
            return <PyObject *>stream
    return create_stream_any(self, arguments, count, names)


(<PyTypeObject *>Device).tp_vectorcall = <void *>call_device
(<PyTypeObject *>Device).tp_new = <void *>construct_device
create_event_any = put_before_method(Device, b"create_event", create_event_here)
create_stream_any = put_before_method(Device, b"create_stream", create_stream_here)
