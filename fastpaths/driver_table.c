/* How the table is filled: lazily, as a dynamic linker binds functions.
 *
 * Each field starts as a trampoline, which loads the driver, replaces all fields and calls again.
 * A function that the driver lacks becomes a stub that fails by its name; so callers never test
 * for NULL, and importing fastpaths loads nothing. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "driver_table.h"

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static int is_loading;
static int loaded;
static void *library;
static char loader_message[512];
static __thread struct driver_absence absence;

struct driver_absence fastpaths_take_driver_absence(void)
{
    struct driver_absence taken = absence;
    absence = (struct driver_absence){0};
    return taken;
}

static CUresult unreached(CUresult result, const char *call, int version)
{
    absence = (struct driver_absence){result, call, version, loader_message};
    return result;
}

/* --- Stubs: what a field calls when there is no driver function to call. --- */

#define MISSING(name, symbol, version, parameters, arguments)                          \
    static CUresult missing_##name parameters                                  \
    {                                                                          \
        return unreached(FASTPATHS_NO_SYMBOL, #name, version);                 \
    }
#define FORKED(name, symbol, version, parameters, arguments)                           \
    static CUresult forked_##name parameters                                   \
    {                                                                          \
        return unreached(FASTPATHS_FORKED, #name, version);                    \
    }
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
FASTPATHS_DRIVER_CALLS(MISSING)
FASTPATHS_DRIVER_CALLS(FORKED)

/* --- Loading --- */

typedef CUresult (*get_proc_address_v2)(const char *, void **, int, unsigned long long, void *);
typedef CUresult (*get_proc_address_v1)(const char *, void **, int, unsigned long long);

static void *look_up(const char *name, const char *symbol, int version)
{
    void *function = NULL;
    get_proc_address_v2 ask = (get_proc_address_v2)dlsym(library, "cuGetProcAddress_v2");
    get_proc_address_v1 ask_old = (get_proc_address_v1)dlsym(library, "cuGetProcAddress");
    if (ask != NULL && ask(name, &function, version, 0, NULL) == CUDA_SUCCESS && function != NULL)
        return function;
    if (ask == NULL && ask_old != NULL
        && ask_old(name, &function, version, 0) == CUDA_SUCCESS && function != NULL)
        return function;
    return dlsym(library, symbol);
}

#define SET(name, symbol, version, parameters, arguments)                      \
    {                                                                          \
        void *function = look_up(#name, #symbol, version);                     \
        CUresult(*pointer) parameters = missing_##name;                        \
        if (function != NULL)                                                  \
            memcpy(&pointer, &function, sizeof pointer);                       \
        __atomic_store_n(&fastpaths_driver_table.name, pointer, __ATOMIC_RELEASE); \
    }

static CUresult load_locked(void)
{
    CUresult result;

    if (library == NULL) {
        library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        if (library == NULL) {
            const char *message = dlerror();
            strncpy(loader_message, message ? message : "", sizeof loader_message - 1);
            return FASTPATHS_NO_LIBRARY;
        }
    }
    /* What describes a failure must work before cuInit does. */
    FASTPATHS_ALWAYS_CALLABLE(SET)
    result = fastpaths_driver_table.cuInit(0);
    if (result != CUDA_SUCCESS)
        return result;
    FASTPATHS_DRIVER_CALLS(SET)
    return CUDA_SUCCESS;
}

/* Load, resolve and initialise, once. The GIL is released meanwhile: initialising a real driver
 * takes long, and other threads that come here wait for the lock. */
static CUresult load(void)
{
    PyThreadState *state = PyGILState_Check() ? PyEval_SaveThread() : NULL;
    CUresult result;
    pthread_mutex_lock(&loading);
    __atomic_store_n(&is_loading, !loaded, __ATOMIC_RELEASE);
    result = loaded ? CUDA_SUCCESS : load_locked();
    if (result == CUDA_SUCCESS)
        __atomic_store_n(&loaded, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&is_loading, 0, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&loading);
    if (state != NULL)
        PyEval_RestoreThread(state);
    return result == CUDA_SUCCESS ? result : unreached(result, "cuInit", 2000);
}

/* --- Forks --- */

static int unusable_after_fork;

/* Takes no lock: the driver's own handlers run as well, and would wait for each other's. */
static void before_fork(void)
{
    CUcontext context;
    unusable_after_fork =
        __atomic_load_n(&is_loading, __ATOMIC_ACQUIRE)
        || (__atomic_load_n(&loaded, __ATOMIC_ACQUIRE)
            && fastpaths_driver_table.cuCtxGetCurrent(&context) != CUDA_ERROR_NOT_INITIALIZED);
}

static void after_fork_in_child(void)
{
    /* A thread that was loading does not exist here, and will never give the lock back. */
    loading = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    if (!unusable_after_fork)
        return;
#define SET_FORKED(name, symbol, version, parameters, arguments)                       \
    fastpaths_driver_table.name = forked_##name;
    FASTPATHS_DRIVER_CALLS(SET_FORKED)
#undef SET_FORKED
    fastpaths_driver_table.forked = 1;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(before_fork, NULL, after_fork_in_child);
}

#define TRAMPOLINE(name, symbol, version, parameters, arguments)                       \
    static CUresult first_##name parameters                                    \
    {                                                                          \
        CUresult result = load();                                              \
        return result == CUDA_SUCCESS ? fastpaths_driver_table.name arguments : result; \
    }
FASTPATHS_DRIVER_CALLS(TRAMPOLINE)

#define START(name, symbol, version, parameters, arguments) .name = first_##name,
struct driver_table fastpaths_driver_table = {FASTPATHS_DRIVER_CALLS(START)};
