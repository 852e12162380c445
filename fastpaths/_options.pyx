"""Options of streams and events, decoded straight into the driver's flags.

None, a dict and an options object are three ways to say the same; none of them makes another.
"""

from cpython.dict cimport PyDict_Next, PyDict_Size
from cpython.ref cimport PyObject

cdef str TIMING = "timing_enabled"
cdef str BLOCKING = "blocking_sync"
cdef str IPC = "ipc_enabled"
cdef str NONBLOCKING = "nonblocking"
cdef str PRIORITY = "priority"

# What releases before 1.0 of cuda.core called them.
cdef dict RENAMED = {
    "enable_timing": TIMING,
    "busy_waited_sync": BLOCKING,
    "support_ipc": IPC,
}


cdef object raise_both_given(str what, object old, str new):
    raise TypeError(f"{what}: {old!r} is the old name of {new!r}, and both are given")


cdef str current_name(object key, tuple known, str what):
    """Return the name of an option as it is now, warning about an old one."""
    if key in known:
        return known[known.index(key)]
    cdef str new = RENAMED.get(key) if isinstance(key, str) else None
    if new is None or new not in known:
        raise TypeError(f"{what} has no option {key!r}; the options are: {', '.join(known)}")
    from warnings import warn
    # Cython makes no frames: level 1 is the caller's line.
    warn(f"option {key!r} is now called {new!r}", DeprecationWarning, stacklevel=1)
    return new


cdef tuple EVENT_NAMES = (TIMING, BLOCKING, IPC)
cdef tuple STREAM_NAMES = (NONBLOCKING, PRIORITY)


cdef object lazy_fields(type cls, dict defaults, str annotation):
    """Return what dataclasses.fields() reads, made when it is first read."""
    from dataclasses import field, make_dataclass
    made = make_dataclass(
        cls.__name__,
        [(name, annotation, field(default=value)) for name, value in defaults.items()],
    )
    return made.__dataclass_fields__


cdef class DataclassFields:
    """Makes a class a dataclass to the dataclasses module, without importing it beforehand."""

    cdef dict _defaults
    cdef str _annotation
    cdef object _fields

    def __cinit__(self, dict defaults, str annotation):
        self._defaults = defaults
        self._annotation = annotation

    def __get__(self, instance, owner):
        if self._fields is None:
            self._fields = lazy_fields(owner, self._defaults, self._annotation)
        return self._fields


cdef class EventOptions:
    """Options of an event.

    Parameters
    ----------
    timing_enabled : bool, optional
        Record the time, so that events can be subtracted. Default False.
    blocking_sync : bool, optional
        Let :meth:`Event.sync` put the thread to sleep instead of busy-waiting. Default False.
    ipc_enabled : bool, optional
        Let other processes open the event; needs `timing_enabled` to be off. Default False.

    Notes
    -----
    A dataclass: :func:`dataclasses.fields`, :func:`dataclasses.replace` and
    :func:`dataclasses.asdict` take it. The names of cuda.core before 1.0 (``enable_timing``,
    ``busy_waited_sync``, ``support_ipc``) are accepted with a DeprecationWarning.
    """

    __dataclass_fields__ = DataclassFields(
        {TIMING: False, BLOCKING: False, IPC: False}, "bool | None"
    )
    __match_args__ = EVENT_NAMES

    def __init__(self, timing_enabled=False, blocking_sync=False, ipc_enabled=False, **renamed):
        self.timing_enabled = timing_enabled
        self.blocking_sync = blocking_sync
        self.ipc_enabled = ipc_enabled
        for key, value in renamed.items():
            name = current_name(key, EVENT_NAMES, "EventOptions")
            if getattr(self, name) is not False:
                raise_both_given("EventOptions", key, name)
            setattr(self, name, value)

    def __repr__(self):
        return (
            f"EventOptions(timing_enabled={self.timing_enabled!r},"
            f" blocking_sync={self.blocking_sync!r}, ipc_enabled={self.ipc_enabled!r})"
        )

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return fields_of(self, EVENT_NAMES) == fields_of(other, EVENT_NAMES)

    __hash__ = None

    def __reduce__(self):
        return type(self), fields_of(self, EVENT_NAMES)


cdef class StreamOptions:
    """Options of a stream.

    Parameters
    ----------
    nonblocking : bool, optional
        Do not synchronize with the legacy default stream. Default True.
    priority : int, optional
        A lower number is a higher priority. Default None: the lowest.
    """

    __dataclass_fields__ = DataclassFields({NONBLOCKING: True, PRIORITY: None}, "int | None")
    __match_args__ = STREAM_NAMES

    def __init__(self, nonblocking=True, priority=None):
        self.nonblocking = nonblocking
        self.priority = priority

    def __repr__(self):
        return f"StreamOptions(nonblocking={self.nonblocking!r}, priority={self.priority!r})"

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return fields_of(self, STREAM_NAMES) == fields_of(other, STREAM_NAMES)

    __hash__ = None

    def __reduce__(self):
        return type(self), fields_of(self, STREAM_NAMES)


cdef tuple fields_of(object options, tuple names):
    return tuple(getattr(options, name) for name in names)


cdef int refuse(object value, str name) except -1:
    raise TypeError(f"{name} must be a bool or None, not {type(value).__name__}: {value!r}")


cdef inline bint is_on(object value, str name) except -1:
    """Return whether an option is on; None is off."""
    if value is not True and value is not False and value is not None:
        refuse(value, name)
    return value is True


cdef inline unsigned int flags_of(EventOptions given) except? 0xFFFFFFFF:
    cdef unsigned int flags = 0 if is_on(given.timing_enabled, TIMING) else EVENT_DISABLE_TIMING
    if is_on(given.blocking_sync, BLOCKING):
        flags |= EVENT_BLOCKING_SYNC
    if is_on(given.ipc_enabled, IPC):
        flags |= EVENT_INTERPROCESS
    return flags


cdef unsigned int event_flags(object options) except? 0xFFFFFFFF:
    """Return the flags of cuEventCreate that options ask for."""
    cdef unsigned int flags = EVENT_DISABLE_TIMING
    cdef Py_ssize_t left
    cdef Py_ssize_t position = 0
    cdef PyObject *key
    cdef PyObject *value
    cdef str name
    if isinstance(options, dict):
        # Without the last look-up, which would only say that there is no more.
        left = PyDict_Size(options)
        while left and PyDict_Next(options, &position, &key, &value):
            left -= 1
            if key == <PyObject *>TIMING:
                name = TIMING
            elif key == <PyObject *>BLOCKING:
                name = BLOCKING
            else:
                name = current_name(<object>key, EVENT_NAMES, "EventOptions")
                if name != <object>key and name in <dict>options:
                    raise_both_given("EventOptions", <object>key, name)
            if not is_on(<object>value, name):
                continue
            if name is TIMING:
                flags &= ~EVENT_DISABLE_TIMING
            elif name is BLOCKING:
                flags |= EVENT_BLOCKING_SYNC
            else:
                flags |= EVENT_INTERPROCESS
    elif isinstance(options, EventOptions):
        flags = flags_of(<EventOptions>options)
    elif options is not None:
        raise TypeError(
            f"event options must be an EventOptions, a dict or None, not {type(options).__name__}:"
            f" {options!r}"
        )
    if flags & EVENT_INTERPROCESS and not flags & EVENT_DISABLE_TIMING:
        raise TypeError("an event with ipc_enabled cannot have timing_enabled")
    return flags


cdef object stream_options(object options, unsigned int *flags):
    """Decode stream options into the flags of cuStreamCreateWithPriority; return the priority."""
    cdef object nonblocking = True
    cdef object wanted = None
    if isinstance(options, dict):
        for key, value in (<dict>options).items():
            if key == NONBLOCKING:
                nonblocking = value
            elif key == PRIORITY:
                wanted = value
            else:
                current_name(key, STREAM_NAMES, "StreamOptions")
    elif isinstance(options, StreamOptions):
        nonblocking = (<StreamOptions>options).nonblocking
        wanted = (<StreamOptions>options).priority
    elif options is not None:
        raise TypeError(
            f"stream options must be a StreamOptions, a dict or None, not"
            f" {type(options).__name__}: {options!r}"
        )
    flags[0] = STREAM_NON_BLOCKING if nonblocking else 0
    if wanted is not None and not hasattr(type(wanted), "__index__"):
        raise TypeError(f"priority must be an int or None, not {type(wanted).__name__}: {wanted!r}")
    return wanted
