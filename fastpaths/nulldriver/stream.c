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
    *context = GET((*stream)->context);
    return SUCCESS;
}

uint64_t null_stream_hold(const struct stream *stream)
{
    return null_held(&stream->busy) ? GET(stream->busy) : null_held(&stream->waits) ? GET(stream->waits) : 0;
}

static CUresult create(CUstream *created, unsigned int flags, int priority)
{
    uintptr_t context;
    struct context *current;
    struct stream *stream;
    CUresult result;
    if (created == NULL || (flags & ~(unsigned)NON_BLOCKING) != 0)
        return INVALID_VALUE;
    if (priority > 0)
        priority = 0;
    if (priority < GREATEST_PRIORITY)
        priority = GREATEST_PRIORITY;
    null_table_lock(&null_streams);
    result = null_current_context(&context, &current);
    if (result == SUCCESS && (stream = null_table_take(&null_streams)) == NULL)
        result = OUT_OF_MEMORY;
    if (result == SUCCESS) {
        SET(stream->context, context);
        SET(stream->flags, flags);
        SET(stream->priority, priority);
        SET(stream->id, ++last_id);
        SET(stream->busy, 0);
        SET(stream->waits, 0);
        *created = (CUstream)null_table_publish(&null_streams, stream);
    }
    null_table_unlock(&null_streams);
    return result;
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
    struct stream *stream;
    ENTER(cuStreamDestroy_v2);
    stream = null_table_find(&null_streams, (uintptr_t)handle);
    if (stream == NULL)
        return INVALID_HANDLE;
    null_release(&stream->busy);
    return null_table_drop(&null_streams, (uintptr_t)handle) ? SUCCESS : INVALID_HANDLE;
}

static CUresult query(CUstream handle)
{
    struct stream *stream;
    uintptr_t context;
    CUresult result = null_find_stream(handle, &stream, &context);
    if (result == SUCCESS && stream != NULL && null_stream_hold(stream) != 0)
        result = NOT_READY;
    return result;
}

static CUresult synchronize(CUstream handle)
{
    struct stream *stream;
    uintptr_t context;
    CUresult result = null_find_stream(handle, &stream, &context);
    if (result != SUCCESS || !null_any_hold())
        return result;
    if (stream != NULL) {
        null_release(&stream->busy);
        null_release(&stream->waits);
    }
    null_release_events(context, (uintptr_t)handle);
    return SUCCESS;
}

/* A stream remembers the last pending event only. */
static CUresult wait_event(CUstream handle, CUevent asked, unsigned int flags)
{
    struct stream *stream;
    struct event *event;
    uintptr_t context;
    uint64_t hold;
    CUresult result;
    if (flags > EXTERNAL)
        return INVALID_VALUE;
    result = null_find_stream(handle, &stream, &context);
    if (result != SUCCESS)
        return result;
    event = null_table_find(&null_events, (uintptr_t)asked);
    if (event == NULL)
        return INVALID_HANDLE;
    if (flags == EXTERNAL)
        return ILLEGAL_STATE;
    hold = null_event_hold(event);
    if (stream != NULL && hold != 0)
        SET(stream->waits, hold);
    return SUCCESS;
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
        *flags = stream != NULL ? GET(stream->flags) : 0;
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
        *priority = stream != NULL ? GET(stream->priority) : 0;
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
        *id = stream != NULL ? GET(stream->id) : (uintptr_t)handle == PER_THREAD ? 2 : 1;
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
    *device = GET(context->device);
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

TWINS(cuStreamQuery, (CUstream stream), query(stream), query(null_per_thread(stream)))
TWINS(cuStreamSynchronize, (CUstream stream), synchronize(stream), synchronize(null_per_thread(stream)))
TWINS(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned int flags),
      wait_event(stream, event, flags), wait_event(null_per_thread(stream), event, flags))
TWINS(cuStreamGetFlags, (CUstream stream, unsigned int *flags), get_flags(stream, flags),
      get_flags(null_per_thread(stream), flags))
TWINS(cuStreamGetPriority, (CUstream stream, int *priority), get_priority(stream, priority),
      get_priority(null_per_thread(stream), priority))
TWINS(cuStreamGetCtx, (CUstream stream, CUcontext *context), get_context(stream, context),
      get_context(null_per_thread(stream), context))
TWINS(cuStreamGetId, (CUstream stream, unsigned long long *id), get_id(stream, id),
      get_id(null_per_thread(stream), id))
TWINS(cuStreamGetDevice, (CUstream stream, CUdevice *device), get_device(stream, device),
      get_device(null_per_thread(stream), device))
TWINS(cuStreamIsCapturing, (CUstream stream, int *status), is_capturing(stream, status),
      is_capturing(null_per_thread(stream), status))
