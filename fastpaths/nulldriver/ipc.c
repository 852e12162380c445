/* Events of another process: a ticket names the process and the event. */
#include <string.h>
#include <unistd.h>

#include "null.h"

static const char MAGIC[8] = "nullipc";

struct ticket {
    char magic[8];
    int64_t process;
    uint64_t handle;
};

CUresult cuIpcGetEventHandle(CUipcEventHandle *ipc, CUevent handle)
{
    struct ticket ticket = {.process = getpid(), .handle = (uintptr_t)handle};
    struct event *event;
    ENTER(cuIpcGetEventHandle);
    if (ipc == NULL)
        return INVALID_VALUE;
    event = null_table_find(&null_events, (uintptr_t)handle);
    if (event == NULL || !(GET(event->flags) & INTERPROCESS))
        return INVALID_HANDLE;
    memcpy(ticket.magic, MAGIC, sizeof MAGIC);
    memset(ipc, 0, sizeof *ipc);
    memcpy(ipc, &ticket, sizeof ticket);
    return SUCCESS;
}

/* The two processes' events do not wait for each other: this one's is complete until recorded. */
CUresult cuIpcOpenEventHandle(CUevent *opened, CUipcEventHandle ipc)
{
    struct ticket ticket;
    ENTER(cuIpcOpenEventHandle);
    memcpy(&ticket, &ipc, sizeof ticket);
    if (opened == NULL)
        return INVALID_VALUE;
    if (null_current() == 0 || ticket.process == getpid())
        return INVALID_CONTEXT;
    if (memcmp(ticket.magic, MAGIC, sizeof MAGIC) != 0)
        return MAP_FAILED;
    return null_event_create(opened, DISABLE_TIMING | INTERPROCESS);
}
