/* The driver's functions as a table of pointers, one field a row of driver_api.txt.
 *
 * Every extension module keeps a pointer to the one table (in _driver) and calls through it:
 * two loads and an indirect call. A call reads like the driver API: cuEventCreate(&event, flags). */
#ifndef FASTPATHS_DRIVER_TABLE_H
#define FASTPATHS_DRIVER_TABLE_H

typedef int CUresult;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct { char bytes[16]; } CUuuid;
typedef struct { char reserved[64]; } CUipcEventHandle;

enum fastpaths_results {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
    /* Results that no driver gives: the call did not reach one. */
    FASTPATHS_NO_LIBRARY = -1,
    FASTPATHS_NO_SYMBOL = -2,
    FASTPATHS_FORKED = -3,
};

#include "driver_calls.h"

struct driver_table {
#define FIELD(name, symbol, version, parameters, arguments) CUresult(*name) parameters;
    FASTPATHS_DRIVER_CALLS(FIELD)
#undef FIELD
    /* Not zero in a process forked after the driver was initialised: no handle is usable there. */
    int forked;
};

/* The table itself; modules other than _driver get its address through fastpaths._driver. */
extern struct driver_table fastpaths_driver_table;

static const struct driver_table *driver;

__attribute__((unused)) static inline void use_driver_table(const struct driver_table *table)
{
    driver = table;
}

__attribute__((unused)) static inline int in_forked_child(void)
{
    return driver->forked;
}

#define CALL(name, symbol, version, parameters, arguments)                            \
    __attribute__((unused)) static inline CUresult name parameters            \
    {                                                                         \
        return driver->name arguments;                                        \
    }
FASTPATHS_DRIVER_CALLS(CALL)
#undef CALL

/* Of the last call on this thread that never reached its driver function: the result given
 * instead, the call's name, the CUDA version that it needs, and the loader's message. */
struct driver_absence {
    CUresult result;
    const char *call;
    int version;
    const char *message;
};
extern struct driver_absence fastpaths_take_driver_absence(void);

#endif
