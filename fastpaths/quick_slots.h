/* Functions put in front of those that Cython writes, for the cases that must be fast.
 *
 * A `__dealloc__` costs the saving and restoring of the current exception around it, about 70
 * instructions; the parsing of a method's arguments costs about 40. What is put in front handles
 * the common case, and calls what Cython wrote for all others. */
#ifndef FASTPATHS_QUICK_SLOTS_H
#define FASTPATHS_QUICK_SLOTS_H

#include <Python.h>

#include <string.h>

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

typedef PyObject *(*constructor)(PyTypeObject *type, PyObject *arguments, PyObject *keywords);

enum { MOST_REFUSED = 4 };
static struct refused_type {
    PyTypeObject *type;
    const char *instead;
} refused_types[MOST_REFUSED];

/* Raises for a type, or a subclass of it, that users cannot construct. */
__attribute__((unused)) static PyObject *refuse_construction(
    PyTypeObject *type, PyObject *arguments, PyObject *keywords)
{
    const char *instead = "an object that has one";
    const char *name = strrchr(type->tp_name, '.');
    int i;
    for (i = 0; i < MOST_REFUSED && refused_types[i].type != NULL; i++)
        if (PyType_IsSubtype(type, refused_types[i].type))
            instead = refused_types[i].instead;
    PyErr_Format(
        PyExc_RuntimeError, "%s objects cannot be instantiated directly: use %s",
        name == NULL ? type->tp_name : name + 1, instead);
    return NULL;
}

/* Has a type refuse to be constructed, by `__new__` too: an object that nobody filled would be
 * taken for the NULL stream. Says what to use instead; returns what makes an empty object. */
__attribute__((unused)) static inline constructor refuse_to_construct(
    PyObject *type, const char *instead)
{
    constructor empty = ((PyTypeObject *)type)->tp_new;
    int i = 0;
    while (refused_types[i].type != NULL)
        i++;
    refused_types[i] = (struct refused_type){(PyTypeObject *)type, instead};
    ((PyTypeObject *)type)->tp_new = refuse_construction;
    /* Where Cython fills this, a call of the type would not reach `tp_new`. */
    ((PyTypeObject *)type)->tp_vectorcall = NULL;
    return empty;
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
