"""Owner of the driver function table (driver_table.c is linked into this module alone)."""

cdef extern from "driver_table.h":
    driver_table fastpaths_driver_table


cdef const driver_table *driver_table_address() noexcept:
    return &fastpaths_driver_table


cdef driver_absence unreached_call() noexcept:
    """Return why this thread's last failing call never reached the driver, and forget it."""
    return take_driver_absence()


use_driver_table(&fastpaths_driver_table)


def driver_version():
    """Return the CUDA version that the installed driver supports.

    Calls ``cuDriverGetVersion``.

    Returns
    -------
    int
        1000 x major + 10 x minor: 12080 for CUDA 12.8.

    Raises
    ------
    RuntimeError
        If no driver is installed.
    """
    cdef int version = 0
    if cuDriverGetVersion(&version) != CUDA_SUCCESS:
        raise RuntimeError("cuDriverGetVersion failed: no usable NVIDIA driver")
    return version
