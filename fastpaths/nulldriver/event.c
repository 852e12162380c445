/* Events: recorded at once, pending while their stream is kept busy or they are held. */
#include "null.h"

enum { KNOWN_FLAGS = 7 };

struct null_table null_events = {.tag = 12, .size = sizeof(struct event)};
static uint64_t clock_ticks;

static bool are_valid(unsigned int flags)
{
    return (flags & ~(unsigned)KNOWN_FLAGS) == 0
        && (!(flags & INTERPROCESS) || (flags & DISABLE_TIMING));
}

CUresult null_event_create(CUevent *created, unsigned int flags)
{
    uintptr_t context;
    struct context *current;
    struct event *event;
    CUresult result;
    null_table_lock(&null_events);
    result = null_current_context(&context, &current);
    if (result == SUCCESS && (created == NULL || !are_valid(flags)))
        result = INVALID_VALUE;
    if (result == SUCCESS && (event = null_table_take(&null_events)) == NULL)
        result = OUT_OF_MEMORY;
    if (result == SUCCESS) {
        SET(event->context, context);
        SET(event->flags, flags);
        SET(event->recorded, false);
        SET(event->stream, 0);
        SET(event->work, 0);
        SET(event->late, 0);
        *created = (CUevent)null_table_publish(&null_events, event);
    }
    null_table_unlock(&null_events);
    return result;
}

CUresult cuEventCreate(CUevent *created, unsigned int flags)
{
    ENTER(cuEventCreate);
    return null_event_create(created, flags);
}

CUresult cuEventDestroy_v2(CUevent handle)
{
    struct event *event;
    ENTER(cuEventDestroy_v2);
    event = null_table_find(&null_events, (uintptr_t)handle);
    if (event == NULL)
        return INVALID_HANDLE;
    null_release(&event->late);
    return null_table_drop(&null_events, (uintptr_t)handle) ? SUCCESS : INVALID_HANDLE;
}

uint64_t null_event_hold(const struct event *event)
{
    return null_held(&event->late) ? GET(event->late) : null_held(&event->work) ? GET(event->work) : 0;
}

static bool is_pending(const struct event *event)
{
    return null_event_hold(event) != 0;
}

static CUresult record(CUevent handle, CUstream where, unsigned int flags)
{
    struct event *event = null_table_find(&null_events, (uintptr_t)handle);
    struct stream *stream;
    uintptr_t context;
    CUresult result;
    if (flags > EXTERNAL)
        return INVALID_VALUE;
    if (event == NULL)
        return INVALID_HANDLE;
    result = null_find_stream(where, &stream, &context);
    if (result != SUCCESS)
        return result;
    if (context != GET(event->context))
        return INVALID_HANDLE;
    if (flags == EXTERNAL)
        return ILLEGAL_STATE;
    SET(event->stream, (uintptr_t)where);
    SET(event->work, stream == NULL ? 0 : null_stream_hold(stream));
    SET(event->time, __atomic_add_fetch(&clock_ticks, 1, __ATOMIC_RELAXED));
    SET(event->recorded, true);
    return SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    ENTER(cuEventRecord);
    return record(event, stream, 0);
}

CUresult cuEventRecord_ptsz(CUevent event, CUstream stream)
{
    ENTER(cuEventRecord_ptsz);
    return record(event, null_per_thread(stream), 0);
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{
    ENTER(cuEventRecordWithFlags);
    return record(event, stream, flags);
}

CUresult cuEventRecordWithFlags_ptsz(CUevent event, CUstream stream, unsigned int flags)
{
    ENTER(cuEventRecordWithFlags_ptsz);
    return record(event, null_per_thread(stream), flags);
}

CUresult cuEventQuery(CUevent handle)
{
    struct event *event;
    ENTER(cuEventQuery);
    event = null_table_find(&null_events, (uintptr_t)handle);
    if (event == NULL)
        return INVALID_HANDLE;
    return is_pending(event) ? NOT_READY : SUCCESS;
}

CUresult cuEventSynchronize(CUevent handle)
{
    struct event *event;
    ENTER(cuEventSynchronize);
    event = null_table_find(&null_events, (uintptr_t)handle);
    if (event == NULL)
        return INVALID_HANDLE;
    null_release(&event->late);
    null_release(&event->work);
    return SUCCESS;
}

/* One tick of the clock, which every record advances, is a microsecond. */
static CUresult elapsed(float *milliseconds, CUevent start, CUevent end)
{
    struct event *first = null_table_find(&null_events, (uintptr_t)start);
    struct event *last = null_table_find(&null_events, (uintptr_t)end);
    if (milliseconds == NULL || first == NULL || last == NULL || !GET(first->recorded) || !GET(last->recorded)
        || ((GET(first->flags) | GET(last->flags)) & DISABLE_TIMING)
        || GET(first->context) != GET(last->context))
        return INVALID_HANDLE;
    if (is_pending(first) || is_pending(last))
        return NOT_READY;
    *milliseconds = (float)((double)(int64_t)(GET(last->time) - GET(first->time)) * 1e-3);
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

struct place {
    uintptr_t context, stream;
};

static void release_here(void *object, uintptr_t handle, uintptr_t data)
{
    struct event *event = object;
    const struct place *place = (const struct place *)data;
    (void)handle;
    if (GET(event->context) == place->context
        && (place->stream == ANY_STREAM || GET(event->stream) == place->stream))
        null_release(&event->late);
}

void null_release_events(uintptr_t context, uintptr_t stream)
{
    struct place place = {context, stream};
    null_table_each(&null_events, release_here, (uintptr_t)&place);
}
