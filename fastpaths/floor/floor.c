/* The floor: what the driver itself costs, from C loops without Python.
 *
 * Each `floor_GROUP_VERB(n)` performs the driver calls of one catalogue operation n times and
 * returns the first CUresult that is not CUDA_SUCCESS, or 0. `floor_open(device)` must come first:
 * it initialises the driver and makes the context, stream and event that the loops work on. */
#include <dlfcn.h>
#include <stddef.h>

#define EXPORT __attribute__((visibility("default")))

typedef int result;
typedef int device_ordinal;
typedef void *context;
typedef void *stream;
typedef void *event;

enum { DEFAULT_EVENT = 0, EVENT_DISABLE_TIMING = 2, STREAM_NON_BLOCKING = 1 };
enum { NO_DRIVER = -1, NO_SYMBOL = -2 };

/* One row a driver call: its exported symbol and its parameters. */
#define DRIVER_CALLS(ROW)                                                    \
    ROW(cuInit, (unsigned int))                                              \
    ROW(cuDeviceGet, (device_ordinal *, int))                                \
    ROW(cuDevicePrimaryCtxRetain, (context *, device_ordinal))               \
    ROW(cuDevicePrimaryCtxRelease_v2, (device_ordinal))                      \
    ROW(cuCtxGetCurrent, (context *))                                        \
    ROW(cuCtxSetCurrent, (context))                                          \
    ROW(cuCtxGetDevice, (device_ordinal *))                                  \
    ROW(cuStreamCreateWithPriority, (stream *, unsigned int, int))           \
    ROW(cuStreamDestroy_v2, (stream))                                        \
    ROW(cuStreamSynchronize, (stream))                                       \
    ROW(cuEventCreate, (event *, unsigned int))                              \
    ROW(cuEventDestroy_v2, (event))                                          \
    ROW(cuEventRecord, (event, stream))                                      \
    ROW(cuEventQuery, (event))                                               \
    ROW(cuEventSynchronize, (event))                                         \
    ROW(cuEventElapsedTime, (float *, event, event))

#define DECLARE(symbol, parameters) static result(*symbol) parameters;
DRIVER_CALLS(DECLARE)
#undef DECLARE

static device_ordinal fixture_device;
static context fixture_context;
static stream fixture_stream;
static event fixture_event;

static result resolve(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == NULL)
        return NO_DRIVER;
#define LOOK_UP(symbol, parameters)                   \
    *(void **)&symbol = dlsym(driver, #symbol);       \
    if (symbol == NULL)                               \
        return NO_SYMBOL;
    DRIVER_CALLS(LOOK_UP)
#undef LOOK_UP
    return 0;
}

#define TRY(call)                \
    do {                         \
        result code_ = (call);   \
        if (code_ != 0)          \
            return code_;        \
    } while (0)

EXPORT result floor_open(int ordinal)
{
    TRY(resolve());
    TRY(cuInit(0));
    TRY(cuDeviceGet(&fixture_device, ordinal));
    TRY(cuDevicePrimaryCtxRetain(&fixture_context, fixture_device));
    TRY(cuCtxSetCurrent(fixture_context));
    TRY(cuStreamCreateWithPriority(&fixture_stream, STREAM_NON_BLOCKING, 0));
    TRY(cuEventCreate(&fixture_event, EVENT_DISABLE_TIMING));
    TRY(cuEventRecord(fixture_event, fixture_stream));
    return cuStreamSynchronize(fixture_stream);
}

EXPORT result floor_close(void)
{
    TRY(cuEventDestroy_v2(fixture_event));
    TRY(cuStreamDestroy_v2(fixture_stream));
    TRY(cuCtxSetCurrent(NULL));
    return cuDevicePrimaryCtxRelease_v2(fixture_device);
}

/* The barrier keeps the compiler from dropping the loop, as the calls do in every other one. */
EXPORT result floor_empty(unsigned long n)
{
    while (n--)
        __asm__ volatile("" ::: "memory");
    return 0;
}

/* FLOOR(name) { body }: the body is one operation. */
#define FLOOR(name)                                  \
    static result once_##name(void);                 \
    EXPORT result floor_##name(unsigned long n)      \
    {                                                \
        while (n--)                                  \
            TRY(once_##name());                      \
        return 0;                                    \
    }                                                \
    static inline __attribute__((always_inline)) result once_##name(void)

FLOOR(device_current)
{
    device_ordinal device;
    return cuCtxGetDevice(&device);
}

FLOOR(device_get)
{
    device_ordinal device;
    return cuDeviceGet(&device, 0);
}

FLOOR(device_set_current)
{
    return cuCtxSetCurrent(fixture_context);
}

FLOOR(device_context)
{
    context current;
    return cuCtxGetCurrent(&current);
}

FLOOR(stream_create)
{
    stream created;
    TRY(cuStreamCreateWithPriority(&created, STREAM_NON_BLOCKING, 0));
    return cuStreamDestroy_v2(created);
}

FLOOR(stream_sync)
{
    return cuStreamSynchronize(fixture_stream);
}

FLOOR(event_create)
{
    event created;
    TRY(cuEventCreate(&created, EVENT_DISABLE_TIMING));
    return cuEventDestroy_v2(created);
}

/* C has no pool either: what a pooled object is held against is a new one. */
FLOOR(event_pooled)
{
    return once_event_create();
}

FLOOR(stream_pooled)
{
    return once_stream_create();
}

FLOOR(event_create_timed)
{
    event created;
    TRY(cuEventCreate(&created, DEFAULT_EVENT));
    return cuEventDestroy_v2(created);
}

FLOOR(event_record)
{
    return cuEventRecord(fixture_event, fixture_stream);
}

FLOOR(event_record_new)
{
    event created;
    TRY(cuEventCreate(&created, EVENT_DISABLE_TIMING));
    TRY(cuEventRecord(created, fixture_stream));
    return cuEventDestroy_v2(created);
}

FLOOR(event_query)
{
    return cuEventQuery(fixture_event);
}

FLOOR(event_sync)
{
    return cuEventSynchronize(fixture_event);
}

FLOOR(call_wait)
{
    TRY(cuEventRecord(fixture_event, fixture_stream));
    TRY(cuEventRecord(fixture_event, fixture_stream));
    return cuEventSynchronize(fixture_event);
}

FLOOR(call_scope)
{
    device_ordinal device;
    event start, stop;
    float milliseconds;
    TRY(cuCtxGetDevice(&device));
    TRY(cuEventCreate(&start, DEFAULT_EVENT));
    TRY(cuEventCreate(&stop, DEFAULT_EVENT));
    TRY(cuEventRecord(start, fixture_stream));
    TRY(cuEventRecord(stop, fixture_stream));
    TRY(cuEventSynchronize(stop));
    TRY(cuEventElapsedTime(&milliseconds, start, stop));
    TRY(cuEventDestroy_v2(start));
    return cuEventDestroy_v2(stop);
}
