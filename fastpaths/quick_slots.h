/* Functions put in front of those that Cython writes, for the cases that must be fast.
 *
 * A `__dealloc__` costs the saving and restoring of the current exception around it, about 70
 * instructions; the parsing of a method's arguments costs about 40. What is put in front handles
 * the common case, and calls what Cython wrote for all others. */
#ifndef FASTPATHS_QUICK_SLOTS_H
#define FASTPATHS_QUICK_SLOTS_H

#include <Python.h>

/* A METH_FASTCALL | METH_KEYWORDS function: `names` is NULL where no keyword is given. */
typedef PyObject *(*fast_method)(
    PyObject *self, PyObject **arguments, Py_ssize_t count, PyObject *names);

/* Puts `first` before a type's destructor and returns that one, which `first` must call. */
__attribute__((unused)) static inline destructor put_before_dealloc(
    PyObject *type, destructor first)
{
    destructor then = ((PyTypeObject *)type)->tp_dealloc;
    ((PyTypeObject *)type)->tp_dealloc = first;
    return then;
}

/* Puts `first` before a method and returns that one, or NULL with an exception. */
__attribute__((unused)) static fast_method put_before_method(
    PyObject *type, const char *name, fast_method first)
{
    PyObject *method = PyObject_GetAttrString(type, name);
    PyMethodDef *definition;
    fast_method then;
    if (method == NULL)
        return NULL;
    definition = ((PyMethodDescrObject *)method)->d_method;
    if (!Py_IS_TYPE(method, &PyMethodDescr_Type)
        || definition->ml_flags != (METH_FASTCALL | METH_KEYWORDS)) {
        PyErr_Format(PyExc_SystemError, "%s is not called with an array of arguments", name);
        return NULL;
    }
    then = (fast_method)(void (*)(void))definition->ml_meth;
    definition->ml_meth = (PyCFunction)(void (*)(void))first;
    /* The type keeps the method. */
    Py_DECREF(method);
    return then;
}

#endif
