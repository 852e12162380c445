/* Holds: what keeps work pending. A name is a serial number and, in its low bits, a place; the hold
 * is active while its name is in that place, so that a name that is kept too long does no harm. */
#include "null.h"

enum { PLACES = 4096 };

static uint64_t places[PLACES];
static uint64_t serial;
static int active;

bool null_any_hold(void)
{
    return UNLIKELY(GET(active) != 0);
}

bool null_hold_active(uint64_t hold)
{
    return __atomic_load_n(&places[hold % PLACES], __ATOMIC_ACQUIRE) == hold;
}

uint64_t null_hold_begin(void)
{
    for (int tried = 0; tried < PLACES; tried++) {
        uint64_t number = __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED);
        uint64_t hold = number * PLACES + number % PLACES, nobody = 0;
        if (__atomic_compare_exchange_n(&places[hold % PLACES], &nobody, hold, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            __atomic_add_fetch(&active, 1, __ATOMIC_RELAXED);
            return hold;
        }
    }
    return 0;
}

void null_hold_end(uint64_t hold)
{
    uint64_t expected = hold;
    if (hold != 0
        && __atomic_compare_exchange_n(&places[hold % PLACES], &expected, 0, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        __atomic_sub_fetch(&active, 1, __ATOMIC_RELAXED);
}

static bool hold(uint64_t *field, bool wanted)
{
    uint64_t before = GET(*field), made;
    if (!wanted) {
        null_hold_end(before);
        return true;
    }
    if (before != 0 && null_hold_active(before))
        return true;
    made = null_hold_begin();
    if (!__atomic_compare_exchange_n(field, &before, made, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
        null_hold_end(made); /* another thread was quicker */
    return made != 0;
}

/* Keeps a stream busy, or finishes its work. Returns whether there is such a stream. */
CONTROL int nullcuda_set_stream_busy(uintptr_t handle, int busy)
{
    struct stream *stream = null_table_find(&null_streams, handle);
    return stream != NULL && hold(&stream->busy, busy != 0);
}

/* Holds an event back until somebody waits for it, or lets it go. */
CONTROL int nullcuda_set_not_ready(uintptr_t handle, int held)
{
    struct event *event = null_table_find(&null_events, handle);
    return event != NULL && hold(&event->late, held != 0);
}
