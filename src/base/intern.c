/* base/intern.c - see intern.h. */
#include "base/intern.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"

static size_t hash_of(const uint64_t *key, int words)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
    for (int w = 0; w < words; w++) {
        h ^= key[w];
        h *= UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    return (size_t)h;
}

int intern_init(intern *table, int words)
{
    CHECK_COMPARE(words, >, 0);
    *table = (intern){.words = words, .slots = 64};
    table->slot = MEM_ZERO(int, table->slots);
    return table->slot ? 0 : -1;
}

void intern_free(intern *table)
{
    mem_free(table->keys);
    mem_free(table->slot);
    *table = (intern){0};
}

const uint64_t *intern_key(const intern *table, int id)
{
    CHECK(id >= 0 && id < table->count);
    return table->keys + (size_t)id * (size_t)table->words;
}

static size_t place_of(const intern *table, const uint64_t *key)
{
    CHECK((table->slots & (table->slots - 1)) == 0);
    CHECK_COMPARE(2 * (size_t)table->count, <=, table->slots);
    size_t mask = table->slots - 1, at = hash_of(key, table->words) & mask;
    while (table->slot[at] && memcmp(intern_key(table, table->slot[at] - 1), key, (size_t)table->words * 8) != 0)
        at = (at + 1) & mask;
    return at;
}

static int double_slots(intern *table)
{
    int *wider = MEM_ZERO(int, 2 * table->slots);
    if (!wider) return -1;
    mem_free(table->slot);
    table->slot = wider;
    table->slots *= 2;
    for (int id = 0; id < table->count; id++) table->slot[place_of(table, intern_key(table, id))] = id + 1;
    return 0;
}

int intern_find(const intern *table, const uint64_t *key) { return table->slot[place_of(table, key)] - 1; }

int intern_add(intern *table, const uint64_t *key, bool *fresh)
{
    size_t at = place_of(table, key);
    if (fresh) *fresh = table->slot[at] == 0;
    if (table->slot[at]) return table->slot[at] - 1;
    if (2 * ((size_t)table->count + 1) > table->slots) {
        if (double_slots(table)) return -1;
        at = place_of(table, key);
    }
    if (mem_reserve((void **)&table->keys, &table->key_capacity, (size_t)table->count, (size_t)table->words * 8)) return -1;
    memcpy(table->keys + (size_t)table->count * (size_t)table->words, key, (size_t)table->words * 8);
    table->slot[at] = ++table->count;
    return table->count - 1;
}

void intern_clear(intern *table)
{
    table->count = 0;
    memset(table->slot, 0, table->slots * sizeof *table->slot);
}

/* Fowler, Noll, Vo. */
uint64_t intern_text(const char *text)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (; *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return h;
}
