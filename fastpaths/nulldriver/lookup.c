/* The way from names to functions. */
#include <string.h>

#include "null.h"

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
enum { LEGACY_STREAM = 1, PER_THREAD_DEFAULT_STREAM = 2 };

static int look_up(const char *name, void **function, int version, cuuint64_t flags)
{
    bool per_thread = (flags & PER_THREAD_DEFAULT_STREAM) != 0;
    int known = 0, best = -1;
    *function = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(rows[i].name, name) != 0 || (rows[i].per_thread && !per_thread))
            continue;
        known = 1;
        if (rows[i].version > version)
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

static bool is_valid(const char *symbol, void **function, int version, cuuint64_t flags)
{
    return symbol != NULL && function != NULL && version <= GET(null_version)
        && (flags & ~(cuuint64_t)(LEGACY_STREAM | PER_THREAD_DEFAULT_STREAM)) == 0;
}

/* What is not found is no error here: `function` is NULL, and `status` says why. */
CUresult cuGetProcAddress_v2(const char *symbol, void **function, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *status)
{
    int found;
    HOOK(cuGetProcAddress_v2);
    if (!is_valid(symbol, function, version, flags))
        return INVALID_VALUE;
    found = look_up(symbol, function, version, flags);
    if (status != NULL)
        *status = found;
    return SUCCESS;
}

CUresult cuGetProcAddress(const char *symbol, void **function, int version, cuuint64_t flags)
{
    HOOK(cuGetProcAddress);
    if (!is_valid(symbol, function, version, flags))
        return INVALID_VALUE;
    return look_up(symbol, function, version, flags) == FOUND ? SUCCESS : NOT_FOUND;
}
