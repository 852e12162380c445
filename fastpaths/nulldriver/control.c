/* What tests and instruments ask of the null driver. None of it is driver API. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "null.h"

int null_hooks;

enum { LOGGING = 1, INJECTING = 2, MOST_INJECTIONS = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t counts[CALL_COUNT];
static uint16_t *entries;
static size_t entry_count, entry_room;

static struct {
    enum call call;
    CUresult code; /* SUCCESS for a delay alone */
    uint64_t seen, first, last;
    uint64_t nanoseconds;
} injections[MOST_INJECTIONS];
static int injection_count;

void null_control_lock(void)
{
    pthread_mutex_lock(&lock);
}

void null_control_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

static const char *const symbols[] = {
#define SYMBOL(name, symbol, version, per_thread) #symbol,
    NULL_CALLS(SYMBOL)
#undef SYMBOL
};

static void append(enum call call)
{
    if (entry_count == entry_room) {
        size_t room = entry_room ? entry_room * 2 : 4096;
        uint16_t *grown = realloc(entries, room * sizeof *entries);
        if (grown == NULL)
            return;
        entries = grown;
        entry_room = room;
    }
    entries[entry_count++] = (uint16_t)call;
}

/* Every call comes here while anything is switched on; returns the code to fail with. */
CUresult null_hook(enum call call)
{
    CUresult code = SUCCESS;
    uint64_t nanoseconds = 0;

    pthread_mutex_lock(&lock);
    if (null_hooks & LOGGING) {
        counts[call]++;
        append(call);
    }
    for (int i = 0; i < injection_count; i++) {
        if (injections[i].call != call)
            continue;
        injections[i].seen++;
        if (injections[i].seen < injections[i].first || injections[i].seen > injections[i].last)
            continue;
        nanoseconds += injections[i].nanoseconds;
        if (code == SUCCESS)
            code = injections[i].code;
    }
    pthread_mutex_unlock(&lock);
    if (nanoseconds != 0) {
        struct timespec left = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
        while (nanosleep(&left, &left) != 0)
            ;
    }
    return code;
}

static int find(const char *symbol)
{
    for (int i = 0; i < CALL_COUNT; i++)
        if (strcmp(symbols[i], symbol) == 0)
            return i;
    return -1;
}

CONTROL int nullcuda_call_count(void)
{
    return CALL_COUNT;
}

CONTROL const char *nullcuda_call_symbol(int call)
{
    return call < 0 || call >= CALL_COUNT ? NULL : symbols[call];
}

CONTROL void nullcuda_log_start(void)
{
    pthread_mutex_lock(&lock);
    entry_count = 0;
    __atomic_or_fetch(&null_hooks, LOGGING, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

/* Stops logging and returns how many calls were logged. */
CONTROL size_t nullcuda_log_stop(void)
{
    size_t count;
    pthread_mutex_lock(&lock);
    __atomic_and_fetch(&null_hooks, ~LOGGING, __ATOMIC_RELAXED);
    count = entry_count;
    pthread_mutex_unlock(&lock);
    return count;
}

/* Stops logging and forgets what was logged. */
CONTROL void nullcuda_clear_log(void)
{
    pthread_mutex_lock(&lock);
    __atomic_and_fetch(&null_hooks, ~LOGGING, __ATOMIC_RELAXED);
    entry_count = 0;
    pthread_mutex_unlock(&lock);
}

/* The call number of a log entry, or -1. */
CONTROL int nullcuda_log_entry(size_t index)
{
    int call;
    pthread_mutex_lock(&lock);
    call = index < entry_count ? entries[index] : -1;
    pthread_mutex_unlock(&lock);
    return call;
}

/* How often a call was logged since the counts were cleared. */
CONTROL uint64_t nullcuda_count(int call)
{
    uint64_t count;
    pthread_mutex_lock(&lock);
    count = call < 0 || call >= CALL_COUNT ? 0 : counts[call];
    pthread_mutex_unlock(&lock);
    return count;
}

CONTROL void nullcuda_clear_counts(void)
{
    pthread_mutex_lock(&lock);
    memset(counts, 0, sizeof counts);
    pthread_mutex_unlock(&lock);
}

/* Has calls `first` to `first + times - 1` of a function, counted from now, wait `nanoseconds`
 * and fail with `code`. Returns whether there is such a function and room. */
CONTROL int nullcuda_inject(const char *symbol, int code, uint64_t first, uint64_t times,
                            uint64_t nanoseconds)
{
    int call = find(symbol), placed = 0;
    pthread_mutex_lock(&lock);
    if (call >= 0 && injection_count < MOST_INJECTIONS) {
        uint64_t last = times > UINT64_MAX - first ? UINT64_MAX : first + times - 1;
        injections[injection_count].call = (enum call)call;
        injections[injection_count].code = code;
        injections[injection_count].seen = 0;
        injections[injection_count].first = first;
        injections[injection_count].last = last;
        injections[injection_count].nanoseconds = nanoseconds;
        injection_count++;
        placed = 1;
        __atomic_or_fetch(&null_hooks, INJECTING, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&lock);
    return placed;
}

CONTROL void nullcuda_clear_injections(void)
{
    pthread_mutex_lock(&lock);
    injection_count = 0;
    __atomic_and_fetch(&null_hooks, ~INJECTING, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

static void count_one(void *object, uintptr_t handle, uintptr_t data)
{
    (void)object;
    (void)handle;
    ++*(uint64_t *)data;
}

static void count_active(void *object, uintptr_t handle, uintptr_t data)
{
    (void)handle;
    *(uint64_t *)data += GET(((struct context *)object)->active);
}

static uint64_t live(struct null_table *table, void (*visit)(void *, uintptr_t, uintptr_t))
{
    uint64_t count = 0;
    null_table_each(table, visit, (uintptr_t)&count);
    return count;
}

/* The ledger: what is alive now. */
CONTROL uint64_t nullcuda_live_contexts(void)
{
    return live(&null_contexts, count_active);
}

CONTROL uint64_t nullcuda_live_streams(void)
{
    return live(&null_streams, count_one);
}

CONTROL uint64_t nullcuda_live_events(void)
{
    return live(&null_events, count_one);
}
