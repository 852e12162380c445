/* Contexts: a primary one per device, counted; others made and destroyed; a stack per thread. */
#include <string.h>

#include "null.h"

enum { KNOWN_FLAGS = 0xff, SCHEDULING = 0x07, DEEPEST = 128 };

struct null_table null_contexts = {.tag = 4, .size = sizeof(struct context)};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t last_id;

static struct {
    uintptr_t handle; /* 0 while there is none */
    int references;
    unsigned int flags;
} primary[MOST_DEVICES];

/* stack[depth - 1] is current. The generation tells a stack from before a reset. */
static __thread struct {
    uintptr_t stack[DEEPEST];
    int depth;
    int generation;
} here __attribute__((tls_model("initial-exec")));
static int generation;

static inline void stay_current(void)
{
    if (UNLIKELY(here.generation != generation)) {
        here.depth = 0;
        here.generation = generation;
    }
}

uintptr_t null_current(void)
{
    stay_current();
    return here.depth == 0 ? 0 : here.stack[here.depth - 1];
}

CUresult null_current_context(uintptr_t *handle, struct context **context)
{
    *handle = null_current();
    if (*handle == 0)
        return INVALID_CONTEXT;
    *context = null_table_find(&null_contexts, *handle);
    return *context == NULL ? CONTEXT_IS_DESTROYED : SUCCESS;
}

static uintptr_t make(CUdevice device, unsigned int flags, bool is_primary)
{
    uintptr_t handle = 0;
    struct context *context = null_table_take(&null_contexts, &handle);
    if (context == NULL)
        return 0;
    context->device = device;
    context->flags = flags;
    context->primary = is_primary;
    context->id = __atomic_add_fetch(&last_id, 1, __ATOMIC_RELAXED);
    return handle;
}

static void destroy(uintptr_t handle)
{
    null_drop_with_context(handle);
    null_table_drop(&null_contexts, handle);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    CUresult result = SUCCESS;
    ENTER(cuDevicePrimaryCtxRetain);
    if (context == NULL)
        return INVALID_VALUE;
    if (!null_is_device(device))
        return INVALID_DEVICE;
    pthread_mutex_lock(&lock);
    if (primary[device].handle == 0)
        primary[device].handle = make(device, primary[device].flags, true);
    if (primary[device].handle == 0) {
        result = 2;
    } else {
        primary[device].references++;
        *context = (CUcontext)primary[device].handle;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static void end_primary(CUdevice device)
{
    if (primary[device].handle != 0)
        destroy(primary[device].handle);
    primary[device].handle = 0;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    CUresult result = SUCCESS;
    ENTER(cuDevicePrimaryCtxRelease_v2);
    if (!null_is_device(device))
        return INVALID_DEVICE;
    pthread_mutex_lock(&lock);
    if (primary[device].references == 0)
        result = INVALID_CONTEXT;
    else if (--primary[device].references == 0)
        end_primary(device);
    pthread_mutex_unlock(&lock);
    return result;
}

/* Destroys the context whoever retains it; the references stay to be given back. */
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    ENTER(cuDevicePrimaryCtxReset_v2);
    if (!null_is_device(device))
        return INVALID_DEVICE;
    pthread_mutex_lock(&lock);
    end_primary(device);
    pthread_mutex_unlock(&lock);
    return SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int flags)
{
    ENTER(cuDevicePrimaryCtxSetFlags_v2);
    if (!null_is_device(device))
        return INVALID_DEVICE;
    if ((flags & ~(unsigned)KNOWN_FLAGS) != 0)
        return INVALID_VALUE;
    primary[device].flags = flags;
    return SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
    ENTER(cuDevicePrimaryCtxGetState);
    if (!null_is_device(device))
        return INVALID_DEVICE;
    if (flags == NULL || active == NULL)
        return INVALID_VALUE;
    *flags = primary[device].flags;
    *active = primary[device].handle != 0;
    return SUCCESS;
}

int null_primary_references(CUdevice device)
{
    return primary[device].references;
}

static CUresult push(uintptr_t handle)
{
    stay_current();
    if (here.depth == DEEPEST)
        return 2;
    here.stack[here.depth++] = handle;
    return SUCCESS;
}

static CUresult create(CUcontext *context, unsigned int flags, CUdevice device)
{
    uintptr_t handle;
    if (context == NULL || (flags & ~(unsigned)KNOWN_FLAGS) != 0)
        return INVALID_VALUE;
    if (!null_is_device(device))
        return INVALID_DEVICE;
    handle = make(device, flags, false);
    if (handle == 0)
        return 2;
    *context = (CUcontext)handle;
    return push(handle);
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device)
{
    ENTER(cuCtxCreate_v2);
    return create(context, flags, device);
}

CUresult cuCtxCreate_v4(CUcontext *context, void *parameters, unsigned int flags, CUdevice device)
{
    ENTER(cuCtxCreate_v4);
    return parameters != NULL ? NOT_SUPPORTED : create(context, flags, device);
}

CUresult cuCtxDestroy_v2(CUcontext handle)
{
    struct context *context;
    ENTER(cuCtxDestroy_v2);
    context = null_table_find(&null_contexts, (uintptr_t)handle);
    if (context == NULL || context->primary)
        return INVALID_CONTEXT;
    if (null_current() == (uintptr_t)handle)
        here.depth--;
    destroy((uintptr_t)handle);
    return SUCCESS;
}

CUresult cuCtxPushCurrent_v2(CUcontext handle)
{
    ENTER(cuCtxPushCurrent_v2);
    if (null_table_find(&null_contexts, (uintptr_t)handle) == NULL)
        return INVALID_CONTEXT;
    return push((uintptr_t)handle);
}

CUresult cuCtxPopCurrent_v2(CUcontext *handle)
{
    uintptr_t current;
    ENTER(cuCtxPopCurrent_v2);
    current = null_current();
    if (current == 0)
        return INVALID_CONTEXT;
    here.depth--;
    if (handle != NULL)
        *handle = (CUcontext)current;
    return SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext handle)
{
    ENTER(cuCtxSetCurrent);
    stay_current();
    if (handle == NULL) {
        here.depth -= here.depth > 0;
        return SUCCESS;
    }
    if (null_table_find(&null_contexts, (uintptr_t)handle) == NULL)
        return INVALID_CONTEXT;
    if (here.depth == 0)
        return push((uintptr_t)handle);
    here.stack[here.depth - 1] = (uintptr_t)handle;
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

CUresult cuCtxGetDevice(CUdevice *device)
{
    uintptr_t handle;
    struct context *context;
    CUresult result;
    ENTER(cuCtxGetDevice);
    if (device == NULL)
        return INVALID_VALUE;
    result = null_current_context(&handle, &context);
    if (result == SUCCESS)
        *device = context->device;
    return result;
}

/* Finds the context asked for, NULL meaning the current one. */
static CUresult find(CUcontext asked, struct context **context)
{
    uintptr_t handle;
    if (asked == NULL)
        return null_current_context(&handle, context);
    *context = null_table_find(&null_contexts, (uintptr_t)asked);
    return *context == NULL ? INVALID_CONTEXT : SUCCESS;
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext handle)
{
    struct context *context;
    CUresult result;
    ENTER(cuCtxGetDevice_v2);
    if (device == NULL)
        return INVALID_VALUE;
    result = find(handle, &context);
    if (result == SUCCESS)
        *device = context->device;
    return result;
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
    struct context *context;
    CUresult result;
    ENTER(cuCtxGetFlags);
    if (flags == NULL)
        return INVALID_VALUE;
    result = find(NULL, &context);
    if (result == SUCCESS)
        *flags = context->flags;
    return result;
}

CUresult cuCtxGetId(CUcontext handle, unsigned long long *id)
{
    struct context *context;
    CUresult result;
    ENTER(cuCtxGetId);
    if (id == NULL)
        return INVALID_VALUE;
    result = find(handle, &context);
    if (result == SUCCESS)
        *id = context->id;
    return result;
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned int *version)
{
    struct context *context;
    CUresult result;
    ENTER(cuCtxGetApiVersion);
    if (version == NULL)
        return INVALID_VALUE;
    result = find(handle, &context);
    if (result == SUCCESS)
        *version = 3020;
    return result;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    struct context *context;
    CUresult result;
    ENTER(cuCtxGetStreamPriorityRange);
    result = find(NULL, &context);
    if (result != SUCCESS)
        return result;
    if (least != NULL)
        *least = 0;
    if (greatest != NULL)
        *greatest = -5;
    return SUCCESS;
}

static void finish(void *stream, uintptr_t handle, void *context)
{
    (void)handle;
    if (((struct stream *)stream)->context == *(uintptr_t *)context)
        null_work_done(stream);
}

static CUresult synchronize(CUcontext asked)
{
    struct context *context;
    CUresult result = find(asked, &context);
    uintptr_t handle = asked == NULL ? null_current() : (uintptr_t)asked;
    if (result == SUCCESS)
        null_table_each(&null_streams, finish, &handle);
    return result;
}

CUresult cuCtxSynchronize(void)
{
    ENTER(cuCtxSynchronize);
    return synchronize(NULL);
}

CUresult cuCtxSynchronize_v2(CUcontext handle)
{
    ENTER(cuCtxSynchronize_v2);
    return synchronize(handle);
}

static void end_context(void *object, uintptr_t handle, void *unused)
{
    (void)object;
    (void)unused;
    destroy(handle);
}

void null_contexts_reset(void)
{
    pthread_mutex_lock(&lock);
    null_table_each(&null_contexts, end_context, NULL);
    memset(primary, 0, sizeof primary);
    generation++;
    pthread_mutex_unlock(&lock);
}
