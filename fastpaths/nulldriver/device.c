/* Devices: what they say of themselves. Figures that differ by device tell devices apart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "null.h"

/* CUdevice_attribute numbers whose value matters to a caller; every other attribute is 0. */
static int attribute_value(int attribute, CUdevice device)
{
    switch (attribute) {
    case 1: return 1024;            /* MAX_THREADS_PER_BLOCK */
    case 2: case 3: return 1024;    /* MAX_BLOCK_DIM_X, _Y */
    case 4: return 64;              /* MAX_BLOCK_DIM_Z */
    case 5: return 2147483647;      /* MAX_GRID_DIM_X */
    case 6: case 7: return 65535;   /* MAX_GRID_DIM_Y, _Z */
    case 8: return 49152;           /* MAX_SHARED_MEMORY_PER_BLOCK */
    case 9: return 65536;           /* TOTAL_CONSTANT_MEMORY */
    case 10: return 32;             /* WARP_SIZE */
    case 12: return 65536;          /* MAX_REGISTERS_PER_BLOCK */
    case 13: return 1980000;        /* CLOCK_RATE, kHz */
    case 16: return 132;            /* MULTIPROCESSOR_COUNT */
    case 31: return 1;              /* CONCURRENT_KERNELS */
    case 33: return device + 1;     /* PCI_BUS_ID */
    case 34: return 0;              /* PCI_DEVICE_ID */
    case 41: return 1;              /* UNIFIED_ADDRESSING */
    case 75: return 9;              /* COMPUTE_CAPABILITY_MAJOR */
    case 76: return 0;              /* COMPUTE_CAPABILITY_MINOR */
    case 78: return 1;              /* STREAM_PRIORITIES_SUPPORTED */
    default: return 0;              /* memory pools (115) among them: none are imitated */
    }
}

enum { LAST_ATTRIBUTE = 147 }; /* in CUDA 13.0 */

CUresult cuDeviceGetCount(int *count)
{
    ENTER(cuDeviceGetCount);
    if (count == NULL)
        return INVALID_VALUE;
    *count = GET(null_device_count);
    return SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    ENTER(cuDeviceGet);
    if (device == NULL)
        return INVALID_VALUE;
    if (!null_is_device(ordinal))
        return INVALID_DEVICE;
    *device = ordinal;
    return SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    ENTER(cuDeviceGetName);
    if (name == NULL || length <= 0)
        return INVALID_VALUE;
    if (!null_is_device(device))
        return INVALID_DEVICE;
    snprintf(name, (size_t)length, "Null Device");
    return SUCCESS;
}

static CUresult uuid_of(CUuuid *uuid, CUdevice device)
{
    if (uuid == NULL)
        return INVALID_VALUE;
    if (!null_is_device(device))
        return INVALID_DEVICE;
    for (int i = 0; i < 16; i++)
        uuid->bytes[i] = (unsigned char)(i * 16 + device);
    return SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    ENTER(cuDeviceGetUuid);
    return uuid_of(uuid, device);
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    ENTER(cuDeviceGetUuid_v2);
    return uuid_of(uuid, device);
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device)
{
    ENTER(cuDeviceGetAttribute);
    if (value == NULL)
        return INVALID_VALUE;
    if (!null_is_device(device))
        return INVALID_DEVICE;
    if (attribute < 1 || attribute > LAST_ATTRIBUTE)
        return INVALID_VALUE;
    *value = attribute_value(attribute, device);
    return SUCCESS;
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    ENTER(cuDeviceTotalMem_v2);
    if (bytes == NULL)
        return INVALID_VALUE;
    if (!null_is_device(device))
        return INVALID_DEVICE;
    *bytes = (size_t)1 << 34;
    return SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    ENTER(cuDeviceComputeCapability);
    if (major == NULL || minor == NULL)
        return INVALID_VALUE;
    if (!null_is_device(device))
        return INVALID_DEVICE;
    *major = attribute_value(75, device);
    *minor = attribute_value(76, device);
    return SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *text, int length, CUdevice device)
{
    ENTER(cuDeviceGetPCIBusId);
    if (text == NULL || length < 13)
        return INVALID_VALUE;
    if (!null_is_device(device))
        return INVALID_DEVICE;
    snprintf(text, (size_t)length, "0000:%02X:00.0", (unsigned)attribute_value(33, device));
    return SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text)
{
    unsigned domain, bus, unit, function = 0;
    ENTER(cuDeviceGetByPCIBusId);
    if (device == NULL || text == NULL)
        return INVALID_VALUE;
    if (sscanf(text, "%x:%x:%x.%x", &domain, &bus, &unit, &function) < 3)
        return INVALID_VALUE;
    if (domain != 0 || unit != 0 || function != 0 || !null_is_device((int)bus - 1))
        return INVALID_DEVICE;
    *device = (int)bus - 1;
    return SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    ENTER(cuDeviceCanAccessPeer);
    if (can == NULL)
        return INVALID_VALUE;
    if (!null_is_device(device) || !null_is_device(peer))
        return INVALID_DEVICE;
    *can = device != peer;
    return SUCCESS;
}
