"""Driver handles as Python objects: those of cuda.bindings if it is installed, else our own."""

cdef object bindings = None
cdef bint looked_for_bindings = False


cdef class DriverHandle:
    """A driver handle: ``int()`` gives its address.

    Stands in for the handle classes of ``cuda.bindings.driver`` where that is not installed.
    """

    cdef str _kind
    cdef size_t _address

    def __int__(self):
        return self._address

    def __index__(self):
        return self._address

    def __bool__(self):
        return self._address != 0

    def __eq__(self, other):
        if not isinstance(other, DriverHandle):
            return NotImplemented
        return (
            self._address == (<DriverHandle>other)._address
            and self._kind == (<DriverHandle>other)._kind
        )

    def __hash__(self):
        return hash(self._address)

    def __repr__(self):
        return f"<{self._kind} {self._address:#x}>"


cdef object handle_object(str kind, size_t address):
    """Return an address as the handle class that cuda.core gives."""
    global bindings, looked_for_bindings
    cdef DriverHandle handle
    if not looked_for_bindings:
        try:
            from cuda.bindings import driver as bindings
        except ImportError:
            bindings = None
        looked_for_bindings = True
    if bindings is not None:
        return getattr(bindings, kind)(address)
    handle = DriverHandle.__new__(DriverHandle)
    handle._kind = kind
    handle._address = address
    return handle
