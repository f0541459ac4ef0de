/* base/intern.c - see intern.h. */
#include "base/intern.h"

#include "base/check.h"
#include "base/memory.h"

static uint64_t hash_of(const uint64_t *key, int words)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
    for (int w = 0; w < words; w++) {
        h ^= key[w];
        h *= UINT64_C(0xff51afd7ed558ccd);
        h ^= h >> 32;
    }
    return h;
}

int intern_init(intern *table, int words)
{
    CHECK_COMPARE(words, >, 0);
    *table = (intern){.words = words, .slots = 64};
    table->slot = MEM_ZERO(intern_slot, table->slots);
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

static bool is_key(const intern *table, int id, const uint64_t *key)
{
    const uint64_t *known = intern_key(table, id);
    for (int w = 0; w < table->words; w++)
        if (known[w] != key[w]) return false;
    return true;
}

static uint32_t tag_of(uint64_t h) { return (uint32_t)(h >> 32); }

void intern_seal(intern *table)
{
    mem_free(table->slot);
    table->slot = NULL;
    table->slots = 0;
}

/* Tags are compared first, since in a large table each comparison of keys is a cache miss. */
static intern_slot *slot_of(const intern *table, uint64_t h, const uint64_t *key)
{
    CHECK((table->slots & (table->slots - 1)) == 0);
    CHECK_COMPARE(2 * (size_t)table->count, <=, table->slots);
    size_t mask = table->slots - 1, at = (size_t)h & mask;
    for (; table->slot[at].number; at = (at + 1) & mask)
        if (table->slot[at].tag == tag_of(h) && is_key(table, (int)table->slot[at].number - 1, key)) break;
    return &table->slot[at];
}

static int double_slots(intern *table)
{
    intern_slot *wider = MEM_ZERO(intern_slot, 2 * table->slots);
    if (!wider) return -1;
    mem_free(table->slot);
    table->slot = wider;
    table->slots *= 2;
    for (int id = 0; id < table->count; id++) {
        uint64_t h = hash_of(intern_key(table, id), table->words);
        size_t at = (size_t)h & (table->slots - 1);
        while (wider[at].number) at = (at + 1) & (table->slots - 1);
        wider[at] = (intern_slot){(uint32_t)id + 1, tag_of(h)};
    }
    return 0;
}

int intern_find(const intern *table, const uint64_t *key)
{
    return (int)slot_of(table, hash_of(key, table->words), key)->number - 1;
}

int intern_add(intern *table, const uint64_t *key, bool *fresh)
{
    uint64_t h = hash_of(key, table->words);
    intern_slot *slot = slot_of(table, h, key);
    if (fresh) *fresh = slot->number == 0;
    if (slot->number) return (int)slot->number - 1;
    if (2 * ((size_t)table->count + 1) > table->slots) {
        if (double_slots(table)) return -1;
        slot = slot_of(table, h, key);
    }
    if (mem_reserve((void **)&table->keys, &table->key_capacity, (size_t)table->count, (size_t)table->words * 8)) return -1;
    memcpy(table->keys + (size_t)table->count * (size_t)table->words, key, (size_t)table->words * 8);
    *slot = (intern_slot){(uint32_t)++table->count, tag_of(h)};
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
