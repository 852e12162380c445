/* Initialisation, version, and the way from names to functions. */
#include <stdlib.h>
#include <string.h>

#include "null.h"

int null_ready;
int null_device_count;
int null_version;

static int wanted_devices = 1;
static int init_calls;
static pthread_mutex_t initialising = PTHREAD_MUTEX_INITIALIZER;

static int environment(const char *name, int otherwise, int least, int most)
{
    const char *text = getenv(name);
    char *end;
    long value;
    if (text == NULL || *text == '\0')
        return otherwise;
    value = strtol(text, &end, 10);
    return *end != '\0' || value < least || value > most ? otherwise : (int)value;
}

/* As in the real driver, the state of the parent is of no use to a child. */
void null_after_fork(void)
{
    if (null_ready)
        null_ready = -1;
}

__attribute__((constructor)) static void load(void)
{
    wanted_devices = environment("NULLCUDA_DEVICES", 1, 0, MOST_DEVICES);
    null_version = environment("NULLCUDA_DRIVER_VERSION", 13000, 1000, 99990);
    null_table_start(&null_contexts);
    null_table_start(&null_streams);
    null_table_start(&null_events);
    pthread_atfork(NULL, NULL, null_after_fork);
}

CUresult cuInit(unsigned int flags)
{
    __atomic_add_fetch(&init_calls, 1, __ATOMIC_RELAXED);
    HOOK(cuInit);
    if (flags != 0)
        return INVALID_VALUE;
    if (null_ready == -1)
        return NOT_INITIALIZED;
    pthread_mutex_lock(&initialising);
    if (wanted_devices > 0) {
        null_device_count = wanted_devices;
        null_ready = 1;
    }
    pthread_mutex_unlock(&initialising);
    return wanted_devices > 0 ? SUCCESS : NO_DEVICE;
}

CONTROL int nullcuda_init_count(void)
{
    return __atomic_load_n(&init_calls, __ATOMIC_RELAXED);
}

/* Sets the number of devices, 1 to 64, or 0 for a machine without any. Returns whether it could. */
CONTROL int nullcuda_set_device_count(int count)
{
    if (count < 0 || count > MOST_DEVICES)
        return 0;
    wanted_devices = count;
    if (null_ready == 1)
        null_device_count = count;
    return 1;
}

CONTROL void nullcuda_set_driver_version(int version)
{
    null_version = version;
}

/* Back to the state before cuInit: contexts, streams and events are gone. */
CONTROL void nullcuda_reset(void)
{
    null_contexts_reset();
    null_ready = 0;
    init_calls = 0;
}

CUresult cuDriverGetVersion(int *version)
{
    HOOK(cuDriverGetVersion);
    if (version == NULL)
        return INVALID_VALUE;
    *version = null_version;
    return SUCCESS;
}

/* The CUDA runtime's private tables are documented nowhere, and are not imitated. */
CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
    HOOK(cuGetExportTable);
    (void)id;
    if (table != NULL)
        *table = NULL;
    return NOT_FOUND;
}

static const struct {
    const char *name;
    void (*function)(void);
    int version;
    int per_thread;
} rows[] = {
#define ROW(name, symbol, version, per_thread) {name, (void (*)(void))symbol, version, per_thread},
    NULL_CALLS(ROW)
#undef ROW
};

enum { FOUND = 0, SYMBOL_NOT_FOUND = 1, VERSION_NOT_SUFFICIENT = 2 };
enum { PER_THREAD_DEFAULT_STREAM = 2 };

static int look_up(const char *name, void **function, int version, cuuint64_t flags)
{
    bool per_thread = (flags & PER_THREAD_DEFAULT_STREAM) != 0;
    int known = 0, best = -1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) != 0 || (rows[i].per_thread && !per_thread))
            continue;
        known = 1;
        if (rows[i].version > version || rows[i].version > null_version)
            continue;
        if (best < 0 || rows[i].per_thread > rows[best].per_thread
            || (rows[i].per_thread == rows[best].per_thread
                && rows[i].version > rows[best].version))
            best = (int)i;
    }
    if (best >= 0)
        memcpy(function, &rows[best].function, sizeof *function);
    return best >= 0 ? FOUND : known ? VERSION_NOT_SUFFICIENT : SYMBOL_NOT_FOUND;
}

CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status)
{
    int found;
    HOOK(cuGetProcAddress_v2);
    if (symbol == NULL || function == NULL || (flags & ~(cuuint64_t)3) != 0)
        return INVALID_VALUE;
    *function = NULL;
    found = look_up(symbol, function, version, flags);
    if (status != NULL) {
        *status = found;
        return SUCCESS;
    }
    return found == FOUND ? SUCCESS : NOT_FOUND;
}

CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags)
{
    HOOK(cuGetProcAddress);
    if (symbol == NULL || function == NULL || (flags & ~(cuuint64_t)3) != 0)
        return INVALID_VALUE;
    *function = NULL;
    return look_up(symbol, function, version, flags) == FOUND ? SUCCESS : NOT_FOUND;
}
