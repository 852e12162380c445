"""Functions in front of those that Cython writes: what quick_slots.h declares."""

from cpython.ref cimport PyObject

cdef extern from "quick_slots.h":
    ctypedef void (*destructor)(PyObject *) noexcept
    ctypedef PyObject *(*fast_method)(
        PyObject *self, PyObject **arguments, Py_ssize_t count, PyObject *names
    ) except NULL

    ctypedef object (*constructor)(type kind, object arguments, PyObject *keywords)

    destructor put_before_dealloc(object type, destructor first) noexcept
    fast_method put_before_method(object type, const char *name, fast_method first) except NULL
    constructor refuse_to_construct(object type, const char *instead) noexcept
