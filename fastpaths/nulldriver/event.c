/* Events: recorded at once, pending while their stream is kept busy or they are held. */
#include <string.h>
#include <unistd.h>

#include "null.h"

enum { DISABLE_TIMING = 2, INTERPROCESS = 4, KNOWN_FLAGS = 7 };

struct null_table null_events = {.tag = 12, .size = sizeof(struct event)};
static uint64_t clock_ticks;

CUresult cuEventCreate(CUevent *created, unsigned int flags)
{
    uintptr_t handle, context;
    struct context *current;
    struct event *event;
    CUresult result;
    ENTER(cuEventCreate);
    if (created == NULL || (flags & ~(unsigned)KNOWN_FLAGS) != 0
        || ((flags & INTERPROCESS) && !(flags & DISABLE_TIMING)))
        return INVALID_VALUE;
    result = null_current_context(&context, &current);
    if (result != SUCCESS)
        return result;
    event = null_table_take(&null_events, &handle);
    if (event == NULL)
        return 2;
    event->context = context;
    event->device = current->device;
    event->flags = flags;
    event->recorded = event->held = false;
    event->stream = 0;
    *created = (CUevent)handle;
    return SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent handle)
{
    ENTER(cuEventDestroy_v2);
    return null_table_drop(&null_events, (uintptr_t)handle) ? SUCCESS : INVALID_HANDLE;
}

bool null_event_pending(const struct event *event)
{
    struct stream *stream;
    if (event->held)
        return true;
    if (event->stream == 0)
        return false;
    stream = null_table_find(&null_streams, event->stream);
    return stream != NULL && __atomic_load_n(&stream->busy, __ATOMIC_ACQUIRE) == event->busy;
}

static CUresult record(CUevent handle, CUstream where, unsigned int flags)
{
    struct event *event = null_table_find(&null_events, (uintptr_t)handle);
    struct stream *stream;
    uintptr_t context;
    CUresult result;
    if (flags > 1)
        return INVALID_VALUE;
    if (event == NULL)
        return INVALID_HANDLE;
    result = null_find_stream(where, &stream, &context);
    if (result != SUCCESS)
        return result;
    if (context != event->context)
        return INVALID_HANDLE;
    event->busy = stream == NULL ? 0 : __atomic_load_n(&stream->busy, __ATOMIC_ACQUIRE);
    event->stream = event->busy % 2 == 1 ? (uintptr_t)where : 0;
    event->time = __atomic_add_fetch(&clock_ticks, 1, __ATOMIC_RELAXED);
    event->recorded = true;
    return SUCCESS;
}

static CUstream per_thread(CUstream stream)
{
    return stream == NULL ? (CUstream)(uintptr_t)PER_THREAD : stream;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    ENTER(cuEventRecord);
    return record(event, stream, 0);
}

CUresult cuEventRecord_ptsz(CUevent event, CUstream stream)
{
    ENTER(cuEventRecord_ptsz);
    return record(event, per_thread(stream), 0);
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{
    ENTER(cuEventRecordWithFlags);
    return record(event, stream, flags);
}

CUresult cuEventRecordWithFlags_ptsz(CUevent event, CUstream stream, unsigned int flags)
{
    ENTER(cuEventRecordWithFlags_ptsz);
    return record(event, per_thread(stream), flags);
}

CUresult cuEventQuery(CUevent handle)
{
    struct event *event;
    ENTER(cuEventQuery);
    event = null_table_find(&null_events, (uintptr_t)handle);
    if (event == NULL)
        return INVALID_HANDLE;
    return null_event_pending(event) ? NOT_READY : SUCCESS;
}

CUresult cuEventSynchronize(CUevent handle)
{
    struct event *event;
    struct stream *stream;
    ENTER(cuEventSynchronize);
    event = null_table_find(&null_events, (uintptr_t)handle);
    if (event == NULL)
        return INVALID_HANDLE;
    if (event->stream != 0 && null_event_pending(event)) {
        stream = null_table_find(&null_streams, event->stream);
        if (stream != NULL)
            null_work_done(stream);
    }
    event->held = false;
    return SUCCESS;
}

/* One tick of the clock, which every record advances, is a microsecond. */
static CUresult elapsed(float *milliseconds, CUevent start, CUevent end)
{
    struct event *first = null_table_find(&null_events, (uintptr_t)start);
    struct event *last = null_table_find(&null_events, (uintptr_t)end);
    if (milliseconds == NULL)
        return INVALID_VALUE;
    if (first == NULL || last == NULL || !first->recorded || !last->recorded
        || ((first->flags | last->flags) & DISABLE_TIMING) || first->context != last->context)
        return INVALID_HANDLE;
    if (null_event_pending(first) || null_event_pending(last))
        return NOT_READY;
    *milliseconds = (float)((double)(int64_t)(last->time - first->time) * 1e-3);
    return SUCCESS;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    ENTER(cuEventElapsedTime);
    return elapsed(milliseconds, start, end);
}

CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end)
{
    ENTER(cuEventElapsedTime_v2);
    return elapsed(milliseconds, start, end);
}

struct ticket {
    char magic[8];
    int64_t process;
    uint64_t handle;
};

CUresult cuIpcGetEventHandle(CUipcEventHandle *ipc, CUevent handle)
{
    struct ticket ticket = {"nullipc", getpid(), (uintptr_t)handle};
    struct event *event;
    ENTER(cuIpcGetEventHandle);
    if (ipc == NULL)
        return INVALID_VALUE;
    event = null_table_find(&null_events, (uintptr_t)handle);
    if (event == NULL || !(event->flags & INTERPROCESS))
        return INVALID_HANDLE;
    memset(ipc, 0, sizeof *ipc);
    memcpy(ipc, &ticket, sizeof ticket);
    return SUCCESS;
}

CUresult cuIpcOpenEventHandle(CUevent *opened, CUipcEventHandle ipc)
{
    struct ticket ticket;
    ENTER(cuIpcOpenEventHandle);
    memcpy(&ticket, &ipc, sizeof ticket);
    if (opened == NULL)
        return INVALID_VALUE;
    if (memcmp(ticket.magic, "nullipc", sizeof ticket.magic) != 0)
        return INVALID_HANDLE;
    if (ticket.process == getpid())
        return INVALID_CONTEXT;
    return cuEventCreate(opened, DISABLE_TIMING | INTERPROCESS);
}

static void drop_stream(void *object, uintptr_t handle, void *context)
{
    if (((struct stream *)object)->context == *(uintptr_t *)context)
        null_table_drop(&null_streams, handle);
}

static void drop_event(void *object, uintptr_t handle, void *context)
{
    if (((struct event *)object)->context == *(uintptr_t *)context)
        null_table_drop(&null_events, handle);
}

void null_drop_with_context(uintptr_t context)
{
    null_table_each(&null_streams, drop_stream, &context);
    null_table_each(&null_events, drop_event, &context);
}
