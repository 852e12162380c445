/* Driver handles that a pool keeps, to hand them out again.
 *
 * Shared by the pool and by every object it handed out, and freed with the last of them: objects
 * may outlive their pool. All of it runs under the GIL and raises nothing. */
#ifndef FASTPATHS_KEPT_HANDLES_H
#define FASTPATHS_KEPT_HANDLES_H

#include <Python.h>

struct kept_handles {
    Py_ssize_t references;
    int capacity;
    /* Once the pool is gone nothing is kept any more. */
    int is_closed;
    /* A stack of handles without work: the one used last is the likeliest in the caches. */
    int idle_count;
    void **idle;
    /* A queue of handles whose last work may be pending: the oldest finishes first. */
    int busy_count;
    int busy_first;
    void **busy;
};

__attribute__((unused)) static struct kept_handles *new_kept_handles(int capacity)
{
    struct kept_handles *kept = PyMem_Calloc(1, sizeof *kept);
    if (kept == NULL)
        return NULL;
    kept->idle = PyMem_Calloc(2 * (size_t)capacity, sizeof *kept->idle);
    if (kept->idle == NULL) {
        PyMem_Free(kept);
        return NULL;
    }
    kept->busy = kept->idle + capacity;
    kept->capacity = capacity;
    kept->references = 1;
    return kept;
}

static inline void let_go_of_kept(struct kept_handles *kept)
{
    if (--kept->references == 0) {
        PyMem_Free(kept->idle);
        PyMem_Free(kept);
    }
}

/* Takes a handle that has no work, or NULL. */
__attribute__((unused)) static inline void *take_idle(struct kept_handles *kept)
{
    return kept->idle_count ? kept->idle[--kept->idle_count] : NULL;
}

/* Says which handle has been busy longest, or NULL. */
__attribute__((unused)) static inline void *oldest_busy(struct kept_handles *kept)
{
    return kept->busy_count ? kept->busy[kept->busy_first] : NULL;
}

/* Takes the handle that has been busy longest, or NULL. */
__attribute__((unused)) static inline void *take_busy(struct kept_handles *kept)
{
    void *handle = oldest_busy(kept);
    if (handle != NULL) {
        kept->busy_first = kept->busy_first + 1 == kept->capacity ? 0 : kept->busy_first + 1;
        kept->busy_count--;
    }
    return handle;
}

/* Puts a handle back; returns 0 if there is no room, and the caller has to destroy it. */
static inline int keep(struct kept_handles *kept, void *handle, int busy)
{
    int last;
    if (kept->is_closed || kept->idle_count + kept->busy_count == kept->capacity)
        return 0;
    if (!busy) {
        kept->idle[kept->idle_count++] = handle;
        return 1;
    }
    last = kept->busy_first + kept->busy_count++;
    kept->busy[last >= kept->capacity ? last - kept->capacity : last] = handle;
    return 1;
}

/* What an object does that was handed out and goes away: keep() and an end to its reference. */
__attribute__((unused)) static inline int give_back(
    struct kept_handles *kept, void *handle, int busy)
{
    int is_kept = keep(kept, handle, busy);
    let_go_of_kept(kept);
    return is_kept;
}

#endif
