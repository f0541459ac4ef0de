/* io/names.c - see names.h. Linear probing; FNV-1a (Fowler, Noll, Vo) as hash. */
#include "io/names.h"

#include <limits.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"

static size_t hash(const char *bytes, size_t length)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return (size_t)(h ^ h >> 32);
}

const char *names_text(const names *n, int number)
{
    CHECK(number >= 0 && number < n->count);
    return n->text + n->offset[number];
}

static size_t slot_of(const names *n, const char *bytes, size_t length)
{
    CHECK_COMPARE(2 * (size_t)n->count, <=, n->slots);
    size_t at = hash(bytes, length) & (n->slots - 1);
    for (; n->slot[at]; at = (at + 1) & (n->slots - 1)) {
        const char *name = n->text + n->offset[n->slot[at] - 1];
        if (strncmp(name, bytes, length) == 0 && name[length] == '\0') break;
    }
    return at;
}

static int double_slots(names *n)
{
    size_t slots = n->slots ? 2 * n->slots : 64;
    uint32_t *slot = MEM_ZERO(uint32_t, slots);
    if (!slot) return -1;
    mem_free(n->slot);
    n->slot = slot;
    n->slots = slots;
    for (int i = 0; i < n->count; i++) {
        const char *name = n->text + n->offset[i];
        slot[slot_of(n, name, strlen(name))] = (uint32_t)i + 1;
    }
    return 0;
}

int names_add_bytes(names *n, const char *bytes, size_t length)
{
    CHECK(!memchr(bytes, '\0', length));
    int known = names_find_bytes(n, bytes, length);
    if (known >= 0) return known;
    if (n->count == INT_MAX || (2 * ((size_t)n->count + 1) > n->slots && double_slots(n))) return -1;
    if (mem_reserve((void **)&n->offset, &n->offset_capacity, (size_t)n->count, sizeof *n->offset)) return -1;
    if (mem_reserve((void **)&n->text, &n->text_capacity, n->text_length + length, 1)) return -1;
    memcpy(n->text + n->text_length, bytes, length);
    n->text[n->text_length + length] = '\0';
    n->slot[slot_of(n, bytes, length)] = (uint32_t)n->count + 1;
    n->offset[n->count] = n->text_length;
    n->text_length += length + 1;
    return n->count++;
}

int names_find_bytes(const names *n, const char *bytes, size_t length)
{
    return n->slots ? (int)n->slot[slot_of(n, bytes, length)] - 1 : -1;
}

int names_add(names *n, const char *name) { return names_add_bytes(n, name, strlen(name)); }
int names_find(const names *n, const char *name) { return names_find_bytes(n, name, strlen(name)); }

void names_free(names *n)
{
    mem_free(n->text);
    mem_free(n->offset);
    mem_free(n->slot);
    *n = (names){0};
}
