/* io/names.c - see names.h. Linear probing at a load of at most one half; FNV-1a (Fowler, Noll, Vo) as hash. */
#include "io/names.h"

#include <limits.h>
#include <string.h>

#include "base/memory.h"

static size_t hash(const char *name)
{
    uint64_t h = 14695981039346656037u;
    for (; *name; name++) h = (h ^ (unsigned char)*name) * 1099511628211u;
    return (size_t)(h ^ h >> 32);
}

static size_t slot_of(const names *n, const char *name)
{
    size_t at = hash(name) & (n->slots - 1);
    while (n->slot[at] && strcmp(n->name[n->slot[at] - 1], name) != 0) at = (at + 1) & (n->slots - 1);
    return at;
}

static int grow(names *n)
{
    size_t slots = n->slots ? 2 * n->slots : 16;
    uint32_t *slot = MEM_ZERO(uint32_t, slots);
    if (!slot) return -1;
    mem_free(n->slot);
    n->slot = slot;
    n->slots = slots;
    for (size_t i = 0; i < n->count; i++) n->slot[slot_of(n, n->name[i])] = (uint32_t)i + 1;
    return 0;
}

int names_add(names *n, const char *name)
{
    if (n->count >= INT_MAX) return -2;
    if (2 * (n->count + 1) > n->slots && grow(n)) return -2;
    size_t at = slot_of(n, name);
    if (n->slot[at]) return -1;
    if (mem_reserve((void **)&n->name, &n->capacity, n->count, sizeof *n->name)) return -2;
    n->name[n->count++] = name;
    n->slot[at] = (uint32_t)n->count;
    return (int)n->count - 1;
}

int names_find(const names *n, const char *name)
{
    if (!n->slots) return -1;
    size_t at = slot_of(n, name);
    return n->slot[at] ? (int)n->slot[at] - 1 : -1;
}

void names_free(names *n)
{
    mem_free(n->name);
    mem_free(n->slot);
    *n = (names){0};
}
