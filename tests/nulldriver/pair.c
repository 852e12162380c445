/* Nanoseconds that a cuEventCreate and cuEventDestroy_v2 take together: the best of many rounds. */
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 300, PAIRS = 20000 };

int main(int count, char **arguments)
{
    void *driver = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL, *handle;
    double best = 1e9;
    int (*init)(unsigned), (*retain)(void **, int), (*set)(void *);
    int (*create)(void **, unsigned), (*destroy)(void *);
    if (driver == NULL)
        return 1;
    *(void **)&init = dlsym(driver, "cuInit");
    *(void **)&retain = dlsym(driver, "cuDevicePrimaryCtxRetain");
    *(void **)&set = dlsym(driver, "cuCtxSetCurrent");
    *(void **)&create = dlsym(driver, "cuEventCreate");
    *(void **)&destroy = dlsym(driver, "cuEventDestroy_v2");
    if (init(0) != 0 || retain(&handle, 0) != 0 || set(handle) != 0)
        return 2;
    for (int round = 0; round < ROUNDS; round++) {
        struct timespec begin, end;
        double spent;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        for (int pair = 0; pair < PAIRS; pair++)
            if (create(&handle, 2) != 0 || destroy(handle) != 0)
                return 3;
        clock_gettime(CLOCK_MONOTONIC, &end);
        spent = (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
        if (spent / PAIRS < best)
            best = spent / PAIRS;
    }
    printf("%.2f\n", best);
    return 0;
}
