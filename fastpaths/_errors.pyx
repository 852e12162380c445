"""Driver results as exceptions. All of it is the cold path."""

from fastpaths._driver cimport (
    FASTPATHS_FORKED,
    FASTPATHS_NO_LIBRARY,
    cuDriverGetVersion,
    cuGetErrorName,
    cuGetErrorString,
    driver_absence,
    driver_table_address,
    unreached_call,
    use_driver_table,
)

use_driver_table(driver_table_address())


class CUDAError(Exception):
    """A CUDA driver call failed.

    Attributes
    ----------
    code : int or None
        The ``CUresult``, None if the failure is not the driver's.
    name : str or None
        Its name, such as ``"CUDA_ERROR_OUT_OF_MEMORY"``.
    call : str or None
        The driver call that failed.
    """

    code = None
    name = None
    call = None

    def __reduce__(self):
        return _rebuild, (type(self), str(self), self.code, self.name, self.call)


class DriverUnavailableError(CUDAError, RuntimeError):
    """A driver call could not be made: no driver, too old a driver, or a forked process."""


def _rebuild(kind, message, code, name, call):
    error = kind(message)
    error.code, error.name, error.call = code, name, call
    return error


cdef str text_of(CUresult result, bint long_form):
    """Return what the driver calls a result, or None if it does not know it."""
    cdef const char *text = NULL
    if (cuGetErrorString if long_form else cuGetErrorName)(result, &text) or text is NULL:
        return None
    return text.decode("utf-8", "replace")


cdef str unreached_message(CUresult result, str call, driver_absence absence):
    cdef int installed = 0
    if result == FASTPATHS_NO_LIBRARY:
        return (
            f"{call}: the NVIDIA driver library libcuda.so.1 could not be loaded"
            f" ({absence.message.decode('utf-8', 'replace')}): install an NVIDIA driver, or check"
            " that this process may see it"
        )
    if result == FASTPATHS_FORKED:
        return (
            f"{call}: this process was forked after CUDA was initialised, and CUDA does not work"
            " in it: start processes with the 'spawn' or 'forkserver' method"
        )
    cuDriverGetVersion(&installed)
    return (
        f"{call}: the installed driver has no such function: it needs a driver for CUDA"
        f" {version_text(absence.version)} or newer, this one is for {version_text(installed)}"
    )


cdef str version_text(int version):
    return f"{version // 1000}.{version % 1000 // 10}"


cdef int raise_cuda_error(CUresult result, const char *call) except -1:
    """Raise the exception of a driver result other than success."""
    cdef driver_absence absence = unreached_call()
    cdef str called = call.decode()
    if absence.call is not NULL and absence.result == result:
        called = absence.call.decode()
    if FASTPATHS_FORKED <= result <= FASTPATHS_NO_LIBRARY:
        error = DriverUnavailableError(unreached_message(result, called, absence))
    else:
        name = text_of(result, False) or "unknown error"
        meaning = text_of(result, True)
        error = CUDAError(f"{called}: {name} ({result})" + (f": {meaning}" if meaning else ""))
        error.code = result
        error.name = name
    error.call = called
    raise error


cdef int raise_closed(str what) except -1:
    raise RuntimeError(f"{what} has been closed")
