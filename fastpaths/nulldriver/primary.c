/* The primary context of each device: made when first retained, gone when last released. Its handle
 * stays the same for good, so that a thread whose current context it is can use it again. */
#include "null.h"

/* A primary context always maps host memory, so that flag is not asked for but always given. */
enum { KNOWN_FLAGS = 0xf7, MAP_HOST = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct {
    uintptr_t handle; /* 0 until it is first retained */
    int references;
    unsigned int flags;
} primary[MOST_DEVICES];

void null_contexts_lock(void)
{
    pthread_mutex_lock(&lock);
}

void null_contexts_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

static struct context *context_of(CUdevice device)
{
    return null_table_find(&null_contexts, primary[device].handle);
}

static bool is_active(CUdevice device)
{
    struct context *context = context_of(device);
    return context != NULL && GET(context->active);
}

static CUresult begin(CUdevice device)
{
    struct context *context = context_of(device);
    unsigned int flags = primary[device].flags | MAP_HOST;
    if (context == NULL)
        return null_context_make(device, flags, true, &primary[device].handle) == NULL
            ? OUT_OF_MEMORY : SUCCESS;
    SET(context->flags, flags);
    SET(context->id, null_new_context_id());
    SET(context->active, true);
    return SUCCESS;
}

static void end(CUdevice device)
{
    if (is_active(device)) {
        SET(context_of(device)->active, false);
        SET(context_of(device)->flags, 0);
        null_context_empty(primary[device].handle);
    }
    primary[device].flags = 0;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    CUresult result;
    ENTER(cuDevicePrimaryCtxRetain);
    if (context == NULL)
        return INVALID_VALUE;
    if (!null_is_device(device))
        return INVALID_DEVICE;
    null_contexts_lock();
    result = is_active(device) ? SUCCESS : begin(device);
    if (result == SUCCESS) {
        primary[device].references++;
        *context = (CUcontext)primary[device].handle;
    }
    null_contexts_unlock();
    return result;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    CUresult result = SUCCESS;
    ENTER(cuDevicePrimaryCtxRelease_v2);
    if (!null_is_device(device))
        return INVALID_DEVICE;
    null_contexts_lock();
    if (primary[device].references == 0)
        result = INVALID_CONTEXT;
    else if (--primary[device].references == 0)
        end(device);
    null_contexts_unlock();
    return result;
}

/* Ends the context whoever retains it; the references stay to be given back. */
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    ENTER(cuDevicePrimaryCtxReset_v2);
    if (!null_is_device(device))
        return INVALID_DEVICE;
    null_contexts_lock();
    end(device);
    null_contexts_unlock();
    return SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int flags)
{
    ENTER(cuDevicePrimaryCtxSetFlags_v2);
    if (!null_is_device(device))
        return INVALID_DEVICE;
    if ((flags & ~(unsigned)KNOWN_FLAGS) != 0 || !null_scheduling_is_valid(flags))
        return INVALID_VALUE;
    null_contexts_lock();
    primary[device].flags = flags;
    if (is_active(device))
        SET(context_of(device)->flags, flags | MAP_HOST);
    null_contexts_unlock();
    return SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
    ENTER(cuDevicePrimaryCtxGetState);
    if (!null_is_device(device))
        return INVALID_DEVICE;
    if (flags == NULL || active == NULL)
        return INVALID_VALUE;
    null_contexts_lock();
    *flags = primary[device].flags;
    *active = is_active(device);
    null_contexts_unlock();
    return SUCCESS;
}

CONTROL int nullcuda_primary_references(int device)
{
    int references;
    if (device < 0 || device >= MOST_DEVICES)
        return -1;
    null_contexts_lock();
    references = primary[device].references;
    null_contexts_unlock();
    return references;
}

static void drop(void *object, uintptr_t handle, uintptr_t unused)
{
    (void)object;
    (void)unused;
    if (null_table_drop(&null_contexts, handle))
        null_context_empty(handle);
}

/* Ends every context there is, and empties the stacks. */
void null_primaries_forget(void)
{
    null_contexts_lock();
    null_table_each(&null_contexts, drop, 0);
    for (CUdevice device = 0; device < MOST_DEVICES; device++) {
        primary[device].handle = 0;
        primary[device].references = 0;
        primary[device].flags = 0;
    }
    null_forget_stacks();
    null_contexts_unlock();
}
