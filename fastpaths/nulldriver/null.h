/* The null driver: what its parts share.
 *
 * Everything a caller may hold is a handle that is looked up, never a pointer that is followed, so
 * a destroyed or foreign handle is an error as in the real driver. */
#ifndef NULL_H
#define NULL_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef int CUdevice;
typedef struct null_context *CUcontext;
typedef struct null_stream *CUstream;
typedef struct null_event *CUevent;
typedef uint64_t cuuint64_t;
typedef int CUdriverProcAddressQueryResult;
typedef struct { unsigned char bytes[16]; } CUuuid;
typedef struct { char reserved[64]; } CUipcEventHandle;

/* Protected: another driver in the process must not answer for this one. */
#pragma GCC visibility push(protected)
#include "null_calls.h"
#pragma GCC visibility pop

#define CONTROL __attribute__((visibility("default")))

enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_CONTEXT = 201,
    MAP_FAILED = 205,
    INVALID_HANDLE = 400,
    ILLEGAL_STATE = 401,
    NOT_FOUND = 500,
    NOT_READY = 600,
    CONTEXT_IS_DESTROYED = 709,
    NOT_SUPPORTED = 801,
};

enum { MOST_DEVICES = 64 };

/* --- Calls: one number per exported symbol --- */

#define NUMBER(name, symbol, version, per_thread) CALL_##symbol,
enum call { NULL_CALLS(NUMBER) CALL_COUNT };
#undef NUMBER

/* --- Fields that several threads may use at once --- */

#define GET(field) __atomic_load_n(&(field), __ATOMIC_RELAXED)
#define SET(field, value) __atomic_store_n(&(field), (value), __ATOMIC_RELAXED)

/* --- Hooks: log, injected errors and delays. One flag is all they cost when off. --- */

extern int null_hooks;
CUresult null_hook(enum call call);

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define HOOK(symbol)                                                                     \
    do {                                                                                 \
        if (UNLIKELY(GET(null_hooks))) {                                                 \
            CUresult injected = null_hook(CALL_##symbol);                                \
            if (injected != SUCCESS)                                                     \
                return injected;                                                         \
        }                                                                                \
    } while (0)

/* --- Initialisation --- */

extern int null_ready;        /* 1 between cuInit and a fork */
extern int null_device_count; /* as cuInit found it */
extern int null_version;

#define ENTER(symbol)                                                                    \
    do {                                                                                 \
        HOOK(symbol);                                                                    \
        if (UNLIKELY(__atomic_load_n(&null_ready, __ATOMIC_ACQUIRE) != 1))               \
            return NOT_INITIALIZED;                                                      \
    } while (0)

static inline bool null_is_device(CUdevice device)
{
    return device >= 0 && device < GET(null_device_count);
}

/* Around a fork, so that a child finds no lock taken by a thread that it does not have. */
void null_control_lock(void);
void null_control_unlock(void);
void null_contexts_lock(void);
void null_contexts_unlock(void);

/* --- Handles --- */

/* A slot's serial is odd while the object lives; a handle carries the serial it was born with. */
struct null_slot {
    uint32_t serial;
    uint32_t index;
    uint32_t next_free;
};

enum { CHUNK = 1024, CHUNKS = 4096 };

struct null_table {
    int tag;
    size_t size; /* of one object, its slot first */
    int locked;
    uint32_t free; /* index + 1 of the first free slot */
    uint32_t made; /* slots that were ever handed out */
    char *chunks[CHUNKS];
};

/* The lock is held for some nanoseconds; it is spelled out because a library call costs as much. */
static inline void null_table_lock(struct null_table *table)
{
    while (UNLIKELY(__atomic_exchange_n(&table->locked, 1, __ATOMIC_ACQUIRE)))
        sched_yield();
}

static inline void null_table_unlock(struct null_table *table)
{
    __atomic_store_n(&table->locked, 0, __ATOMIC_RELEASE);
}

/* With the table locked: takes an object, whose fields the caller fills, then makes it findable. */
void *null_table_take(struct null_table *table);
uintptr_t null_table_publish(struct null_table *table, void *object);
void *null_table_find(struct null_table *table, uintptr_t handle);
bool null_table_drop(struct null_table *table, uintptr_t handle);
/* Visits what is findable; what is published meanwhile may be missed. */
void null_table_each(struct null_table *table, void (*visit)(void *object, uintptr_t handle, uintptr_t data),
                     uintptr_t data);

extern struct null_table null_contexts, null_streams, null_events;

/* --- Contexts --- */

struct context {
    struct null_slot slot;
    CUdevice device;
    unsigned int flags;
    bool primary;
    bool active; /* a primary context keeps its handle while it is not */
    uint64_t id;
};

/* The calling thread's stack of contexts; the current one, or 0, is its top. */
uintptr_t null_current(void);
CUresult null_push(uintptr_t context);
uintptr_t null_pop(void);
void null_replace(uintptr_t context);
void null_forget_stacks(void);

/* Finds the current context: INVALID_CONTEXT if none, CONTEXT_IS_DESTROYED if it is gone. */
CUresult null_current_context(uintptr_t *handle, struct context **context);
/* Of the flags of a context, at most one that says how to wait. */
static inline bool null_scheduling_is_valid(unsigned int flags)
{
    unsigned int scheduling = flags & 7;
    return (scheduling & (scheduling - 1)) == 0;
}

uint64_t null_new_context_id(void);
struct context *null_context_make(CUdevice device, unsigned int flags, bool primary, uintptr_t *handle);
/* Ends what a context owns; first the context must be findable or active no longer. */
void null_context_empty(uintptr_t context);
void null_primaries_forget(void);

/* --- Holds: work that is pending because a control call wants it so --- */

/* Returns the name of a new hold, or 0 if there are too many. */
uint64_t null_hold_begin(void);
bool null_hold_active(uint64_t hold);
void null_hold_end(uint64_t hold);
bool null_any_hold(void);

static inline bool null_held(const uint64_t *hold)
{
    uint64_t name = GET(*hold);
    return UNLIKELY(name != 0) && null_hold_active(name);
}

static inline void null_release(const uint64_t *hold)
{
    uint64_t name = GET(*hold);
    if (UNLIKELY(name != 0))
        null_hold_end(name);
}

/* --- Streams and events --- */

struct stream {
    struct null_slot slot;
    uintptr_t context;
    unsigned int flags;
    int priority;
    uint64_t id;
    uint64_t busy;  /* the hold that keeps its work pending */
    uint64_t waits; /* the hold of the last pending event it waits for */
};

struct event {
    struct null_slot slot;
    uintptr_t context;
    unsigned int flags;
    bool recorded;
    uintptr_t stream; /* where it was recorded last */
    uint64_t work;    /* the hold on what was recorded */
    uint64_t late;    /* the hold on the event alone */
    uint64_t time;
};

enum { LEGACY = 1, PER_THREAD = 2, ANY_STREAM = 3 };
enum { DISABLE_TIMING = 2, INTERPROCESS = 4 };
enum { EXTERNAL = 1 }; /* of a record or a wait: only while a stream is captured, which none is */

/* Finds a stream, or, for a default stream, the current context: then `stream` is NULL. */
CUresult null_find_stream(CUstream handle, struct stream **stream, uintptr_t *context);
/* The hold on what a stream has been given so far, or 0. */
uint64_t null_stream_hold(const struct stream *stream);
/* The hold on an event, or 0. */
uint64_t null_event_hold(const struct event *event);
CUresult null_event_create(CUevent *created, unsigned int flags);
/* Ends the holds of a context's events, of those recorded in one stream or in all. */
void null_release_events(uintptr_t context, uintptr_t stream);

static inline CUstream null_per_thread(CUstream stream)
{
    return stream == NULL ? (CUstream)(uintptr_t)PER_THREAD : stream;
}

#endif
