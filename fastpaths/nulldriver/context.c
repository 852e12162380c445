/* Contexts: how they begin and end, and which one is current. */
#include "null.h"

enum { KNOWN_FLAGS = 0xff };

struct null_table null_contexts = {.tag = 4, .size = sizeof(struct context)};

static uint64_t last_id;

uint64_t null_new_context_id(void)
{
    return __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED);
}

struct context *null_context_make(CUdevice device, unsigned int flags, bool primary, uintptr_t *handle)
{
    struct context *context;
    null_table_lock(&null_contexts);
    context = null_table_take(&null_contexts);
    if (context != NULL) {
        SET(context->device, device);
        SET(context->flags, flags);
        SET(context->primary, primary);
        SET(context->active, true);
        SET(context->id, null_new_context_id());
        *handle = null_table_publish(&null_contexts, context);
    }
    null_table_unlock(&null_contexts);
    return context;
}

static void drop_stream(void *object, uintptr_t handle, uintptr_t context)
{
    struct stream *stream = object;
    if (GET(stream->context) == context) {
        null_release(&stream->busy);
        null_table_drop(&null_streams, handle);
    }
}

static void drop_event(void *object, uintptr_t handle, uintptr_t context)
{
    struct event *event = object;
    if (GET(event->context) == context) {
        null_release(&event->late);
        null_table_drop(&null_events, handle);
    }
}

/* A create that found the context alive holds the table's lock until its object can be found. */
void null_context_empty(uintptr_t context)
{
    null_table_lock(&null_streams);
    null_table_unlock(&null_streams);
    null_table_each(&null_streams, drop_stream, context);
    null_table_lock(&null_events);
    null_table_unlock(&null_events);
    null_table_each(&null_events, drop_event, context);
}

CUresult null_current_context(uintptr_t *handle, struct context **context)
{
    *handle = null_current();
    if (*handle == 0)
        return INVALID_CONTEXT;
    *context = null_table_find(&null_contexts, *handle);
    return *context == NULL || !GET((*context)->active) ? CONTEXT_IS_DESTROYED : SUCCESS;
}

static CUresult create(CUcontext *created, unsigned int flags, CUdevice device)
{
    uintptr_t handle;
    if (created == NULL || (flags & ~(unsigned)KNOWN_FLAGS) != 0 || !null_scheduling_is_valid(flags))
        return INVALID_VALUE;
    if (!null_is_device(device))
        return INVALID_DEVICE;
    if (null_context_make(device, flags, false, &handle) == NULL)
        return OUT_OF_MEMORY;
    *created = (CUcontext)handle;
    return null_push(handle);
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device)
{
    ENTER(cuCtxCreate_v2);
    return create(context, flags, device);
}

CUresult cuCtxCreate_v3(CUcontext *context, void *affinity, int count, unsigned int flags,
                        CUdevice device)
{
    ENTER(cuCtxCreate_v3);
    return affinity != NULL || count != 0 ? NOT_SUPPORTED : create(context, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext *context, void *parameters, unsigned int flags, CUdevice device)
{
    ENTER(cuCtxCreate_v4);
    return parameters != NULL ? NOT_SUPPORTED : create(context, flags, device);
}

/* Other threads keep a destroyed context as their current one, and are told so at every use. */
CUresult cuCtxDestroy_v2(CUcontext handle)
{
    struct context *context;
    ENTER(cuCtxDestroy_v2);
    if (handle == NULL)
        return INVALID_VALUE;
    context = null_table_find(&null_contexts, (uintptr_t)handle);
    if (context == NULL || GET(context->primary)
        || !null_table_drop(&null_contexts, (uintptr_t)handle))
        return INVALID_CONTEXT;
    if (null_current() == (uintptr_t)handle)
        null_pop();
    null_context_empty((uintptr_t)handle);
    return SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext handle)
{
    ENTER(cuCtxPushCurrent_v2);
    if (handle == NULL)
        return INVALID_VALUE;
    if (null_table_find(&null_contexts, (uintptr_t)handle) == NULL)
        return INVALID_CONTEXT;
    return null_push((uintptr_t)handle);
}

CUresult cuCtxPopCurrent_v2(CUcontext *handle)
{
    uintptr_t popped;
    ENTER(cuCtxPopCurrent_v2);
    popped = null_pop();
    if (popped == 0)
        return INVALID_CONTEXT;
    if (handle != NULL)
        *handle = (CUcontext)popped;
    return SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext handle)
{
    ENTER(cuCtxSetCurrent);
    if (handle == NULL) {
        null_pop();
        return SUCCESS;
    }
    if (null_table_find(&null_contexts, (uintptr_t)handle) == NULL)
        return INVALID_CONTEXT;
    null_replace((uintptr_t)handle);
    return SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *handle)
{
    ENTER(cuCtxGetCurrent);
    if (handle == NULL)
        return INVALID_VALUE;
    *handle = (CUcontext)null_current();
    return SUCCESS;
}
