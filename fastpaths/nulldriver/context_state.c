/* What can be asked of a context, and waiting for all its work. */
#include "null.h"

enum { API_VERSION = 3020, LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5 };

/* Finds the context asked for, NULL meaning the current one; it may be an inactive primary one,
 * which still knows its device. */
static CUresult find_any(CUcontext asked, uintptr_t *handle, struct context **context)
{
    *handle = asked == NULL ? null_current() : (uintptr_t)asked;
    if (*handle == 0)
        return INVALID_CONTEXT;
    *context = null_table_find(&null_contexts, *handle);
    if (*context == NULL)
        return asked == NULL ? CONTEXT_IS_DESTROYED : INVALID_CONTEXT;
    return SUCCESS;
}

static CUresult find(CUcontext asked, uintptr_t *handle, struct context **context)
{
    CUresult result = find_any(asked, handle, context);
    return result == SUCCESS && !GET((*context)->active) ? CONTEXT_IS_DESTROYED : result;
}

static CUresult get_device(CUdevice *device, CUcontext asked)
{
    uintptr_t handle;
    struct context *context;
    CUresult result;
    if (device == NULL)
        return INVALID_VALUE;
    result = find_any(asked, &handle, &context);
    if (result == SUCCESS)
        *device = GET(context->device);
    return result;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    ENTER(cuCtxGetDevice);
    return get_device(device, NULL);
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext asked)
{
    ENTER(cuCtxGetDevice_v2);
    return get_device(device, asked);
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
    uintptr_t handle;
    struct context *context;
    CUresult result;
    ENTER(cuCtxGetFlags);
    if (flags == NULL)
        return INVALID_VALUE;
    result = find_any(NULL, &handle, &context);
    if (result == SUCCESS)
        *flags = GET(context->flags);
    return result;
}

CUresult cuCtxGetId(CUcontext asked, unsigned long long *id)
{
    uintptr_t handle;
    struct context *context;
    CUresult result;
    ENTER(cuCtxGetId);
    if (id == NULL)
        return INVALID_VALUE;
    result = find(asked, &handle, &context);
    if (result == SUCCESS)
        *id = GET(context->id);
    return result;
}

CUresult cuCtxGetApiVersion(CUcontext asked, unsigned int *version)
{
    uintptr_t handle;
    struct context *context;
    CUresult result;
    ENTER(cuCtxGetApiVersion);
    if (version == NULL)
        return INVALID_VALUE;
    result = find(asked, &handle, &context);
    if (result == SUCCESS)
        *version = API_VERSION;
    return asked != NULL && result == CONTEXT_IS_DESTROYED ? INVALID_CONTEXT : result;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    uintptr_t handle;
    struct context *context;
    CUresult result;
    ENTER(cuCtxGetStreamPriorityRange);
    result = find(NULL, &handle, &context);
    if (result != SUCCESS)
        return result;
    if (least != NULL)
        *least = LEAST_PRIORITY;
    if (greatest != NULL)
        *greatest = GREATEST_PRIORITY;
    return SUCCESS;
}

static void finish(void *object, uintptr_t handle, uintptr_t context)
{
    struct stream *stream = object;
    (void)handle;
    if (GET(stream->context) == context) {
        null_release(&stream->busy);
        null_release(&stream->waits);
    }
}

static CUresult synchronize(CUcontext asked)
{
    uintptr_t handle;
    struct context *context;
    CUresult result = find(asked, &handle, &context);
    if (result == SUCCESS && null_any_hold()) {
        null_table_each(&null_streams, finish, handle);
        null_release_events(handle, ANY_STREAM);
    }
    return result;
}

CUresult cuCtxSynchronize(void)
{
    ENTER(cuCtxSynchronize);
    return synchronize(NULL);
}

CUresult cuCtxSynchronize_v2(CUcontext asked)
{
    ENTER(cuCtxSynchronize_v2);
    return synchronize(asked);
}
