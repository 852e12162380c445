/* Streams: their work is done at once unless a control call keeps them busy. */
#include "null.h"

enum { NON_BLOCKING = 1, GREATEST_PRIORITY = -5 };

struct null_table null_streams = {.tag = 8, .size = sizeof(struct stream)};
static uint64_t last_id = 2;

static bool is_default(CUstream handle)
{
    return (uintptr_t)handle <= PER_THREAD;
}

CUresult null_find_stream(CUstream handle, struct stream **stream, uintptr_t *context)
{
    struct context *current;
    if (is_default(handle)) {
        *stream = NULL;
        return null_current_context(context, &current);
    }
    *stream = null_table_find(&null_streams, (uintptr_t)handle);
    if (*stream == NULL)
        return INVALID_HANDLE;
    *context = (*stream)->context;
    return SUCCESS;
}

void null_work_done(struct stream *stream)
{
    uint32_t busy = __atomic_load_n(&stream->busy, __ATOMIC_ACQUIRE);
    if (busy % 2 == 1)
        __atomic_compare_exchange_n(&stream->busy, &busy, busy + 1, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED);
}

static CUresult create(CUstream *created, unsigned int flags, int priority)
{
    uintptr_t handle, context;
    struct context *current;
    struct stream *stream;
    CUresult result;
    if (created == NULL || (flags & ~(unsigned)NON_BLOCKING) != 0)
        return INVALID_VALUE;
    result = null_current_context(&context, &current);
    if (result != SUCCESS)
        return result;
    stream = null_table_take(&null_streams, &handle);
    if (stream == NULL)
        return 2;
    stream->context = context;
    stream->device = current->device;
    stream->flags = flags;
    stream->priority = priority > 0 ? 0 : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY : priority;
    stream->id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED);
    stream->busy = 0;
    *created = (CUstream)handle;
    return SUCCESS;
}

CUresult cuStreamCreate(CUstream *created, unsigned int flags)
{
    ENTER(cuStreamCreate);
    return create(created, flags, 0);
}

CUresult cuStreamCreateWithPriority(CUstream *created, unsigned int flags, int priority)
{
    ENTER(cuStreamCreateWithPriority);
    return create(created, flags, priority);
}

CUresult cuStreamDestroy_v2(CUstream handle)
{
    ENTER(cuStreamDestroy_v2);
    if (is_default(handle))
        return INVALID_HANDLE;
    return null_table_drop(&null_streams, (uintptr_t)handle) ? SUCCESS : INVALID_HANDLE;
}

static CUresult query(CUstream handle)
{
    struct stream *stream;
    uintptr_t context;
    CUresult result = null_find_stream(handle, &stream, &context);
    if (result == SUCCESS && stream != NULL
        && __atomic_load_n(&stream->busy, __ATOMIC_ACQUIRE) % 2 == 1)
        result = NOT_READY;
    return result;
}

static CUresult synchronize(CUstream handle)
{
    struct stream *stream;
    uintptr_t context;
    CUresult result = null_find_stream(handle, &stream, &context);
    if (result == SUCCESS && stream != NULL)
        null_work_done(stream);
    return result;
}

static CUresult wait_event(CUstream handle, CUevent event, unsigned int flags)
{
    struct stream *stream;
    uintptr_t context;
    CUresult result;
    if (flags > 1)
        return INVALID_VALUE;
    result = null_find_stream(handle, &stream, &context);
    if (result == SUCCESS && null_table_find(&null_events, (uintptr_t)event) == NULL)
        result = INVALID_HANDLE;
    return result;
}

static CUresult get_flags(CUstream handle, unsigned int *flags)
{
    struct stream *stream;
    uintptr_t context;
    CUresult result;
    if (flags == NULL)
        return INVALID_VALUE;
    result = null_find_stream(handle, &stream, &context);
    if (result == SUCCESS)
        *flags = stream != NULL ? stream->flags : (uintptr_t)handle == PER_THREAD ? NON_BLOCKING : 0;
    return result;
}

static CUresult get_priority(CUstream handle, int *priority)
{
    struct stream *stream;
    uintptr_t context;
    CUresult result;
    if (priority == NULL)
        return INVALID_VALUE;
    result = null_find_stream(handle, &stream, &context);
    if (result == SUCCESS)
        *priority = stream != NULL ? stream->priority : 0;
    return result;
}

static CUresult get_context(CUstream handle, CUcontext *found)
{
    struct stream *stream;
    uintptr_t context;
    CUresult result;
    if (found == NULL)
        return INVALID_VALUE;
    result = null_find_stream(handle, &stream, &context);
    if (result == SUCCESS)
        *found = (CUcontext)context;
    return result;
}

static CUresult get_id(CUstream handle, unsigned long long *id)
{
    struct stream *stream;
    uintptr_t context;
    CUresult result;
    if (id == NULL)
        return INVALID_VALUE;
    result = null_find_stream(handle, &stream, &context);
    if (result == SUCCESS)
        *id = stream != NULL ? stream->id : (uintptr_t)handle == PER_THREAD ? 2 : 1;
    return result;
}

static CUresult get_device(CUstream handle, CUdevice *device)
{
    struct stream *stream;
    struct context *context;
    uintptr_t found;
    CUresult result;
    if (device == NULL)
        return INVALID_VALUE;
    result = null_find_stream(handle, &stream, &found);
    if (result != SUCCESS)
        return result;
    context = null_table_find(&null_contexts, found);
    if (context == NULL)
        return CONTEXT_IS_DESTROYED;
    *device = context->device;
    return SUCCESS;
}

static CUresult is_capturing(CUstream handle, int *status)
{
    struct stream *stream;
    uintptr_t context;
    CUresult result;
    if (status == NULL)
        return INVALID_VALUE;
    result = null_find_stream(handle, &stream, &context);
    if (result == SUCCESS)
        *status = 0;
    return result;
}

/* The `_ptsz` twin of a call takes the NULL stream for the calling thread's. */
static inline CUstream per_thread(CUstream handle)
{
    return handle == NULL ? (CUstream)(uintptr_t)PER_THREAD : handle;
}

#define TWINS(name, parameters, call, call_per_thread)                                   \
    CUresult name parameters                                                             \
    {                                                                                    \
        ENTER(name);                                                                     \
        return call;                                                                     \
    }                                                                                    \
    CUresult name##_ptsz parameters                                                      \
    {                                                                                    \
        ENTER(name##_ptsz);                                                              \
        return call_per_thread;                                                          \
    }

TWINS(cuStreamQuery, (CUstream stream), query(stream), query(per_thread(stream)))
TWINS(cuStreamSynchronize, (CUstream stream), synchronize(stream), synchronize(per_thread(stream)))
TWINS(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned int flags),
      wait_event(stream, event, flags), wait_event(per_thread(stream), event, flags))
TWINS(cuStreamGetFlags, (CUstream stream, unsigned int *flags), get_flags(stream, flags),
      get_flags(per_thread(stream), flags))
TWINS(cuStreamGetPriority, (CUstream stream, int *priority), get_priority(stream, priority),
      get_priority(per_thread(stream), priority))
TWINS(cuStreamGetCtx, (CUstream stream, CUcontext *context), get_context(stream, context),
      get_context(per_thread(stream), context))
TWINS(cuStreamGetId, (CUstream stream, unsigned long long *id), get_id(stream, id),
      get_id(per_thread(stream), id))
TWINS(cuStreamGetDevice, (CUstream stream, CUdevice *device), get_device(stream, device),
      get_device(per_thread(stream), device))
TWINS(cuStreamIsCapturing, (CUstream stream, int *status), is_capturing(stream, status),
      is_capturing(per_thread(stream), status))
