/* Initialisation, version, and what a fork leaves of them. */
#include <stdio.h>
#include <stdlib.h>

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
    if (*end == '\0' && value >= least && value <= most)
        return (int)value;
    fprintf(stderr, "null driver: %s=%s is no number from %d to %d: taking %d\n", name, text, least,
            most, otherwise);
    return otherwise;
}

static void before_fork(void)
{
    pthread_mutex_lock(&initialising);
    null_contexts_lock();
    null_table_lock(&null_contexts);
    null_table_lock(&null_streams);
    null_table_lock(&null_events);
    null_control_lock();
}

static void in_parent(void)
{
    null_control_unlock();
    null_table_unlock(&null_events);
    null_table_unlock(&null_streams);
    null_table_unlock(&null_contexts);
    null_contexts_unlock();
    pthread_mutex_unlock(&initialising);
}

/* As in the real driver, the state of the parent is of no use to a child. */
static void in_child(void)
{
    in_parent();
    if (null_ready)
        null_ready = -1;
}

__attribute__((constructor)) static void load(void)
{
    wanted_devices = environment("NULLCUDA_DEVICES", 1, 0, MOST_DEVICES);
    null_version = environment("NULLCUDA_DRIVER_VERSION", 13000, 1000, 99990);
    pthread_atfork(before_fork, in_parent, in_child);
}

CUresult cuInit(unsigned int flags)
{
    CUresult result = SUCCESS;
    __atomic_add_fetch(&init_calls, 1, __ATOMIC_RELAXED);
    HOOK(cuInit);
    if (flags != 0)
        return INVALID_VALUE;
    pthread_mutex_lock(&initialising);
    if (null_ready == -1) {
        result = NOT_INITIALIZED;
    } else if (wanted_devices == 0) {
        result = NO_DEVICE;
    } else {
        SET(null_device_count, wanted_devices);
        __atomic_store_n(&null_ready, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&initialising);
    return result;
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
    pthread_mutex_lock(&initialising);
    wanted_devices = count;
    if (null_ready == 1)
        SET(null_device_count, count);
    pthread_mutex_unlock(&initialising);
    return 1;
}

CONTROL void nullcuda_set_driver_version(int version)
{
    SET(null_version, version);
}

/* Back to the state before cuInit: contexts, streams and events are gone. */
CONTROL void nullcuda_reset(void)
{
    pthread_mutex_lock(&initialising);
    null_primaries_forget();
    __atomic_store_n(&null_ready, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&init_calls, 0, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&initialising);
}

CUresult cuDriverGetVersion(int *version)
{
    HOOK(cuDriverGetVersion);
    if (version == NULL)
        return INVALID_VALUE;
    *version = GET(null_version);
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
