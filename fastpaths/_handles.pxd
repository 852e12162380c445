"""Driver handles as Python objects."""


cdef object handle_object(str kind, size_t address)
