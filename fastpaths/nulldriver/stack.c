/* The contexts of a thread: a stack whose top is current. */
#include <stdlib.h>

#include "null.h"

/* Thread-local memory is scarce in a library that is loaded late: what lies below the top is on the
 * heap. The generation tells a stack from before a reset. */
static __thread struct {
    uintptr_t top; /* 0 if the stack is empty */
    uintptr_t *below;
    int depth, room; /* of `below` */
    int generation;
} here __attribute__((tls_model("initial-exec")));

static int generation;
static pthread_key_t at_thread_exit;

__attribute__((constructor)) static void load(void)
{
    pthread_key_create(&at_thread_exit, free);
}

__attribute__((destructor)) static void unload(void)
{
    pthread_key_delete(at_thread_exit);
}

static inline void stay_current(void)
{
    int now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
    if (UNLIKELY(here.generation != now)) {
        here.top = 0;
        here.depth = 0;
        here.generation = now;
    }
}

uintptr_t null_current(void)
{
    stay_current();
    return here.top;
}

CUresult null_push(uintptr_t context)
{
    stay_current();
    if (here.top != 0) {
        if (here.depth == here.room) {
            int room = here.room == 0 ? 16 : 2 * here.room;
            uintptr_t *grown = realloc(here.below, (size_t)room * sizeof *grown);
            if (grown == NULL)
                return OUT_OF_MEMORY;
            here.below = grown;
            here.room = room;
            pthread_setspecific(at_thread_exit, grown);
        }
        here.below[here.depth++] = here.top;
    }
    here.top = context;
    return SUCCESS;
}

uintptr_t null_pop(void)
{
    uintptr_t popped = null_current();
    here.top = here.depth == 0 ? 0 : here.below[--here.depth];
    return popped;
}

/* Makes another context the top; the stack is not empty afterwards. */
void null_replace(uintptr_t context)
{
    stay_current();
    here.top = context;
}

/* Empties the stacks of all threads. */
void null_forget_stacks(void)
{
    __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
}
