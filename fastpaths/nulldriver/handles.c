/* Tables of objects that are found by handle.
 *
 * handle = serial << 28 | index << 4 | tag. Serials of live objects are odd, and memory of a table
 * is never given back, so that any value whatever can be looked up safely. */
#include <stdlib.h>

#include "null.h"

enum { INDEX_BITS = 24, TAG_BITS = 4 };
#define MOST ((uint32_t)CHUNK * CHUNKS)

static struct null_slot *slot_at(struct null_table *table, uint32_t index)
{
    char *chunk = __atomic_load_n(&table->chunks[index / CHUNK], __ATOMIC_ACQUIRE);
    return chunk == NULL ? NULL : (struct null_slot *)(chunk + (index % CHUNK) * table->size);
}

static uintptr_t handle_of(const struct null_table *table, uint32_t index, uint32_t serial)
{
    return (uintptr_t)serial << (INDEX_BITS + TAG_BITS) | (uintptr_t)index << TAG_BITS
        | (uintptr_t)table->tag;
}

static struct null_slot *new_slot(struct null_table *table)
{
    uint32_t index = table->made;
    struct null_slot *slot;
    if (index == MOST)
        return NULL;
    if (index % CHUNK == 0) {
        char *chunk = calloc(CHUNK, table->size);
        if (chunk == NULL)
            return NULL;
        __atomic_store_n(&table->chunks[index / CHUNK], chunk, __ATOMIC_RELEASE);
    }
    slot = slot_at(table, index);
    slot->index = index;
    __atomic_store_n(&table->made, index + 1, __ATOMIC_RELEASE);
    return slot;
}

void *null_table_take(struct null_table *table)
{
    struct null_slot *slot;
    if (table->free == 0)
        return new_slot(table);
    slot = slot_at(table, table->free - 1);
    table->free = slot->next_free;
    return slot;
}

uintptr_t null_table_publish(struct null_table *table, void *object)
{
    struct null_slot *slot = object;
    uint32_t serial = GET(slot->serial) + 1;
    __atomic_store_n(&slot->serial, serial, __ATOMIC_RELEASE);
    return handle_of(table, slot->index, serial);
}

void *null_table_find(struct null_table *table, uintptr_t handle)
{
    uint32_t index = (handle >> TAG_BITS) & ((1u << INDEX_BITS) - 1);
    uintptr_t serial = handle >> (INDEX_BITS + TAG_BITS);
    struct null_slot *slot;

    if ((handle & ((1u << TAG_BITS) - 1)) != (uintptr_t)table->tag || index >= MOST)
        return NULL;
    slot = slot_at(table, index);
    if (slot == NULL || serial % 2 == 0
        || __atomic_load_n(&slot->serial, __ATOMIC_ACQUIRE) != serial)
        return NULL;
    return slot;
}

/* Ends an object; false if it was gone already, also when two threads end it at once. */
bool null_table_drop(struct null_table *table, uintptr_t handle)
{
    struct null_slot *slot = null_table_find(table, handle);
    uint32_t serial = (uint32_t)(handle >> (INDEX_BITS + TAG_BITS));
    bool live;

    if (slot == NULL)
        return false;
    null_table_lock(table);
    live = GET(slot->serial) == serial;
    if (live) {
        __atomic_store_n(&slot->serial, serial + 1, __ATOMIC_RELEASE);
        slot->next_free = table->free;
        table->free = slot->index + 1;
    }
    null_table_unlock(table);
    return live;
}

void null_table_each(struct null_table *table, void (*visit)(void *, uintptr_t, uintptr_t),
                     uintptr_t data)
{
    uint32_t made = __atomic_load_n(&table->made, __ATOMIC_ACQUIRE);
    for (uint32_t index = 0; index < made; index++) {
        struct null_slot *slot = slot_at(table, index);
        uint32_t serial = __atomic_load_n(&slot->serial, __ATOMIC_ACQUIRE);
        if (serial % 2 == 1)
            visit(slot, handle_of(table, index, serial), data);
    }
}
