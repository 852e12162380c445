/* A destructor in front of the one that Cython writes.
 *
 * A `__dealloc__` costs the saving and restoring of the current exception around it, about 70
 * instructions. The functions here are C that raises nothing and needs none of that. */
#ifndef FASTPATHS_QUICK_DEALLOC_H
#define FASTPATHS_QUICK_DEALLOC_H

#include <Python.h>

/* Puts `first` before a type's destructor and returns that one, which `first` must call. */
static inline destructor put_before_dealloc(PyObject *type, destructor first)
{
    destructor then = ((PyTypeObject *)type)->tp_dealloc;
    ((PyTypeObject *)type)->tp_dealloc = first;
    return then;
}

#endif
