/* Tables of objects that are found by handle.
 *
 * handle = serial << 28 | index << 4 | tag. Serials of live objects are odd, and memory of a table
 * is never given back, so that any value whatever can be looked up safely. */
#include <stdlib.h>
#include <string.h>

#include "null.h"

enum { INDEX_BITS = 24, TAG_BITS = 4 };
#define MOST ((uint32_t)CHUNK * 4096)

void null_table_start(struct null_table *table)
{
    pthread_spin_init(&table->lock, PTHREAD_PROCESS_PRIVATE);
}

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

/* Returns a live object whose fields the caller fills, or NULL if memory or indices are used up.
 * Nobody else can hold its handle yet. */
void *null_table_take(struct null_table *table, uintptr_t *handle)
{
    struct null_slot *slot = NULL;
    uint32_t index = 0;

    pthread_spin_lock(&table->lock);
    if (table->free != 0) {
        index = table->free - 1;
        slot = slot_at(table, index);
        table->free = slot->next_free;
    } else if (table->made < MOST) {
        index = table->made;
        if (index % CHUNK == 0) {
            char *chunk = calloc(CHUNK, table->size);
            if (chunk != NULL)
                __atomic_store_n(&table->chunks[index / CHUNK], chunk, __ATOMIC_RELEASE);
        }
        slot = slot_at(table, index);
        table->made += slot != NULL;
    }
    pthread_spin_unlock(&table->lock);
    if (slot == NULL)
        return NULL;
    __atomic_store_n(&slot->serial, slot->serial + 1, __ATOMIC_RELEASE);
    *handle = handle_of(table, index, slot->serial);
    return slot;
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

    if (slot == NULL)
        return false;
    pthread_spin_lock(&table->lock);
    if (slot->serial != serial) {
        pthread_spin_unlock(&table->lock);
        return false;
    }
    __atomic_store_n(&slot->serial, serial + 1, __ATOMIC_RELEASE);
    slot->next_free = table->free;
    table->free = ((handle >> TAG_BITS) & ((1u << INDEX_BITS) - 1)) + 1;
    pthread_spin_unlock(&table->lock);
    return true;
}

void null_table_each(struct null_table *table, void (*visit)(void *, uintptr_t, void *), void *data)
{
    uint32_t made = __atomic_load_n(&table->made, __ATOMIC_ACQUIRE);
    for (uint32_t index = 0; index < made; index++) {
        struct null_slot *slot = slot_at(table, index);
        uint32_t serial = __atomic_load_n(&slot->serial, __ATOMIC_ACQUIRE);
        if (serial % 2 == 1)
            visit(slot, handle_of(table, index, serial), data);
    }
}
