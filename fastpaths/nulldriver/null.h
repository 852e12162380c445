/* The null driver: what its parts share.
 *
 * Everything a caller may hold is a handle that is looked up, never a pointer that is followed, so
 * a destroyed or foreign handle is an error as in the real driver. */
#ifndef NULL_H
#define NULL_H

#include <pthread.h>
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

#pragma GCC visibility push(default)
#include "null_calls.h"
#pragma GCC visibility pop

#define CONTROL __attribute__((visibility("default")))

enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    NOT_INITIALIZED = 3,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_CONTEXT = 201,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600,
    PRIMARY_CONTEXT_ACTIVE = 708,
    CONTEXT_IS_DESTROYED = 709,
    NOT_PERMITTED = 800,
    NOT_SUPPORTED = 801,
};

enum { MOST_DEVICES = 64 };

/* --- Calls: one number per exported symbol --- */

#define NUMBER(name, symbol, version, per_thread) CALL_##symbol,
enum call { NULL_CALLS(NUMBER) CALL_COUNT };
#undef NUMBER

/* --- Hooks: log, injected errors and delays. One flag is all they cost when off. --- */

extern int null_hooks;
CUresult null_hook(enum call call);

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define HOOK(symbol)                                                                     \
    do {                                                                                 \
        if (UNLIKELY(__atomic_load_n(&null_hooks, __ATOMIC_RELAXED))) {                  \
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
        if (UNLIKELY(null_ready != 1))                                                   \
            return NOT_INITIALIZED;                                                      \
    } while (0)

static inline bool null_is_device(CUdevice device)
{
    return device >= 0 && device < null_device_count;
}

/* --- Handles --- */

/* A slot's serial is odd while the object lives; a handle carries the serial it was born with. */
struct null_slot {
    uint32_t serial;
    uint32_t next_free;
};

struct null_table {
    int tag;
    size_t size;                /* of one object, its slot first */
    size_t offset;              /* of the first object in a chunk's memory */
    pthread_spinlock_t lock;
    uint32_t free;              /* index + 1 of the first free slot */
    uint32_t made;              /* slots that were ever handed out */
    char *chunks[4096];
};

enum { CHUNK = 1024 };

void *null_table_take(struct null_table *table, uintptr_t *handle);
void *null_table_find(struct null_table *table, uintptr_t handle);
bool null_table_drop(struct null_table *table, uintptr_t handle);
void null_table_each(struct null_table *table, void (*visit)(void *object, uintptr_t handle, void *data),
                     void *data);
void null_table_start(struct null_table *table);

/* --- Contexts --- */

struct context {
    struct null_slot slot;
    CUdevice device;
    unsigned int flags;
    bool primary;
    uint64_t id;
};

extern struct null_table null_contexts, null_streams, null_events;

/* The calling thread's current context, or 0. */
uintptr_t null_current(void);
/* Finds the current context: INVALID_CONTEXT if none, CONTEXT_IS_DESTROYED if it is gone. */
CUresult null_current_context(uintptr_t *handle, struct context **context);
void null_contexts_reset(void);
int null_primary_references(CUdevice device);

/* --- Streams and events --- */

struct stream {
    struct null_slot slot;
    uintptr_t context;
    CUdevice device;
    unsigned int flags;
    int priority;
    uint64_t id;
    uint32_t busy; /* odd while work is pending */
};

struct event {
    struct null_slot slot;
    uintptr_t context;
    CUdevice device;
    unsigned int flags;
    bool recorded;
    bool held;          /* "not ready" until somebody waits */
    uintptr_t stream;   /* where it was recorded, if that was busy */
    uint32_t busy;      /* that stream's `busy` then */
    uint64_t time;
};

enum { LEGACY = 1, PER_THREAD = 2 };

/* Finds a stream, or, for a default stream, the current context: then `stream` is NULL. */
CUresult null_find_stream(CUstream handle, struct stream **stream, uintptr_t *context);
void null_work_done(struct stream *stream);
bool null_event_pending(const struct event *event);
void null_drop_with_context(uintptr_t context);
void null_after_fork(void);

#endif
