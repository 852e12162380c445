/* Threads that use, destroy and create objects that all of them share, in no order.
 *
 * Built together with the null driver's sources, so that a sanitizer sees both. Whatever the order,
 * an object that only its maker knows must work, and nothing may be left over at the end. */
#include <stdio.h>
#include <stdlib.h>

#include "null.h"

enum { THREADS = 6, SHARED = 16, STEPS = 100000, ROUNDS = 300, DEVICES = 2 };

int nullcuda_set_device_count(int count);
int nullcuda_set_stream_busy(uintptr_t handle, int busy);
int nullcuda_set_not_ready(uintptr_t handle, int held);
int nullcuda_inject(const char *symbol, int code, uint64_t first, uint64_t times, uint64_t ns);
void nullcuda_clear_injections(void);
void nullcuda_log_start(void);
size_t nullcuda_log_stop(void);
int nullcuda_log_entry(size_t index);
uint64_t nullcuda_count(int call);
uint64_t nullcuda_live_contexts(void);
uint64_t nullcuda_live_streams(void);
uint64_t nullcuda_live_events(void);

static uintptr_t events[SHARED], streams[SHARED], contexts[SHARED];
static int failures;
static uint64_t recorded; /* to see that the threads do more than fail */
static pthread_barrier_t together;

#define EXPECT(condition)                                                                \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                      \
            __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);                          \
        }                                                                                \
    } while (0)

static uintptr_t shared(uintptr_t *handles, int place)
{
    return __atomic_load_n(&handles[place], __ATOMIC_RELAXED);
}

static uintptr_t replace(uintptr_t *handles, int place, void *with)
{
    return __atomic_exchange_n(&handles[place], (uintptr_t)with, __ATOMIC_RELAXED);
}

/* What no other thread knows of works as if there were no other thread. */
static void private_objects(void)
{
    CUevent first, last;
    CUstream stream;
    CUcontext context;
    float milliseconds;
    EXPECT(cuCtxCreate_v2(&context, 0, 1) == SUCCESS);
    EXPECT(cuStreamCreate(&stream, 1) == SUCCESS);
    EXPECT(cuEventCreate(&first, 0) == SUCCESS && cuEventCreate(&last, 0) == SUCCESS);
    EXPECT(cuEventElapsedTime(&milliseconds, first, last) == INVALID_HANDLE);
    EXPECT(cuEventRecord(first, stream) == SUCCESS);
    EXPECT(nullcuda_set_stream_busy((uintptr_t)stream, 1) == 1);
    EXPECT(cuEventRecord(last, stream) == SUCCESS);
    EXPECT(cuEventQuery(first) == SUCCESS && cuEventQuery(last) == NOT_READY);
    EXPECT(cuEventSynchronize(last) == SUCCESS);
    EXPECT(cuEventElapsedTime(&milliseconds, first, last) == SUCCESS && milliseconds > 0);
    EXPECT(cuEventDestroy_v2(first) == SUCCESS && cuEventDestroy_v2(first) == INVALID_HANDLE);
    EXPECT(cuCtxDestroy_v2(context) == SUCCESS);
    EXPECT(cuEventQuery(last) == INVALID_HANDLE && cuStreamQuery(stream) == INVALID_HANDLE);
}

static void step(unsigned int *seed)
{
    int place = rand_r(seed) % SHARED, other = rand_r(seed) % SHARED;
    CUevent event = (CUevent)shared(events, place), another = (CUevent)shared(events, other);
    CUstream stream = (CUstream)shared(streams, other);
    CUcontext context;
    void *made;
    float milliseconds;
    int device = rand_r(seed) % DEVICES, number;
    unsigned int flags;

    switch (rand_r(seed) % 24) {
    case 0: case 1: case 2:
        if (cuEventCreate((CUevent *)&made, place % 2 ? 0 : 6) == SUCCESS)
            cuEventDestroy_v2((CUevent)replace(events, place, made));
        break;
    case 3: case 4:
        if (cuStreamCreateWithPriority((CUstream *)&made, 1, -1) == SUCCESS)
            cuStreamDestroy_v2((CUstream)replace(streams, place, made));
        break;
    case 5:
        if (cuCtxCreate_v2(&context, 0, device) == SUCCESS)
            cuCtxDestroy_v2((CUcontext)replace(contexts, place, context));
        break;
    case 6:
        cuCtxSetCurrent((CUcontext)shared(contexts, place));
        break;
    case 7:
        EXPECT(cuDevicePrimaryCtxRetain(&context, device) == SUCCESS);
        EXPECT(cuCtxSetCurrent(context) == SUCCESS);
        if (place != other)
            EXPECT(cuDevicePrimaryCtxRelease_v2(device) == SUCCESS);
        break;
    case 8:
        if (place == other)
            EXPECT(cuDevicePrimaryCtxReset_v2(device) == SUCCESS);
        break;
    case 9: case 10: case 11:
        if (cuEventRecord(event, stream) == SUCCESS)
            __atomic_add_fetch(&recorded, 1, __ATOMIC_RELAXED);
        break;
    case 12: cuEventQuery(event); cuStreamQuery(stream); break;
    case 13: cuEventSynchronize(event); cuStreamSynchronize(stream); break;
    case 14: cuEventElapsedTime(&milliseconds, event, another); break;
    case 15: cuStreamWaitEvent(stream, event, 0); break;
    case 16: nullcuda_set_stream_busy((uintptr_t)stream, place % 2); break;
    case 17: nullcuda_set_not_ready((uintptr_t)event, place % 2); break;
    case 18: cuCtxSynchronize(); break;
    case 19:
        EXPECT(cuDevicePrimaryCtxGetState(device, &flags, &number) == SUCCESS);
        EXPECT(cuDevicePrimaryCtxSetFlags_v2(device, 4) == SUCCESS);
        cuCtxGetFlags(&flags);
        break;
    case 20:
        nullcuda_log_start();
        cuCtxGetDevice(&number);
        nullcuda_log_entry(nullcuda_log_stop() - 1);
        nullcuda_count(place);
        break;
    case 21:
        nullcuda_inject("cuEventQuery", NOT_READY, 1, 1, 0);
        nullcuda_clear_injections();
        break;
    case 22:
        nullcuda_live_contexts();
        nullcuda_live_streams();
        nullcuda_live_events();
        break;
    default:
        cuStreamGetPriority(stream, &number);
        cuStreamGetDevice(stream, &number);
        break;
    }
}

static void *run(void *argument)
{
    unsigned int seed = (unsigned int)(uintptr_t)argument;
    int number;
    pthread_barrier_wait(&together);
    EXPECT(cuInit(0) == SUCCESS);
    EXPECT(cuDeviceGetCount(&number) == SUCCESS && number == DEVICES);
    for (int i = 0; i < STEPS; i++)
        step(&seed);
    return NULL;
}

static void *run_alone(void *argument)
{
    pthread_barrier_wait(&together);
    for (int i = 0; i < STEPS / 100; i++)
        private_objects();
    return argument;
}

/* One thread destroys the context in which the others create: nothing may be left in it. */
static void *run_rounds(void *argument)
{
    static CUcontext context;
    for (int i = 0; i < ROUNDS; i++) {
        CUresult result = SUCCESS;
        if (argument == (void *)1)
            EXPECT(cuCtxCreate_v2(&context, 0, 0) == SUCCESS);
        pthread_barrier_wait(&together);
        EXPECT(cuCtxSetCurrent(context) == SUCCESS);
        pthread_barrier_wait(&together);
        if (argument == (void *)1) {
            sched_yield();
            EXPECT(cuCtxDestroy_v2(context) == SUCCESS);
        }
        while (argument != (void *)1 && result == SUCCESS) {
            void *made;
            result = i % 2 ? cuEventCreate((CUevent *)&made, 0) : cuStreamCreate((CUstream *)&made, 0);
        }
        pthread_barrier_wait(&together);
        EXPECT(nullcuda_live_contexts() == 0);
        EXPECT(nullcuda_live_streams() == 0);
        EXPECT(nullcuda_live_events() == 0);
        pthread_barrier_wait(&together);
    }
    return NULL;
}

static void in_threads(void *(*function)(void *))
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, function, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    pthread_barrier_init(&together, NULL, THREADS);
    nullcuda_set_device_count(DEVICES);
    in_threads(run);
    nullcuda_clear_injections();
    for (int place = 0; place < SHARED; place++)
        cuCtxDestroy_v2((CUcontext)contexts[place]);
    for (int device = 0; device < DEVICES; device++)
        EXPECT(cuDevicePrimaryCtxReset_v2(device) == SUCCESS);
    EXPECT(nullcuda_live_contexts() == 0);
    EXPECT(nullcuda_live_streams() == 0);
    EXPECT(nullcuda_live_events() == 0);
    EXPECT(recorded > 1000);
    in_threads(run_alone);
    EXPECT(nullcuda_live_contexts() == 0);
    EXPECT(nullcuda_live_streams() == 0);
    EXPECT(nullcuda_live_events() == 0);
    in_threads(run_rounds);
    printf("%d failures, %llu records\n", failures, (unsigned long long)recorded);
    return failures != 0;
}
