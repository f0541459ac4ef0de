/* io/names.c - see names.h. Linear probing; FNV-1a (Fowler, Noll, Vo) as hash. */
#include "io/names.h"

#include <limits.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"

static uint64_t hash(const char *bytes, size_t length)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)bytes[i]) * UINT64_C(1099511628211);
    return h ^ h >> 32;
}

const char *names_text(const names *n, int number)
{
    CHECK(number >= 0 && number < n->count);
    return n->text + n->offset[number];
}

static uint32_t tag_of(uint64_t h) { return (uint32_t)(h >> 32); }

/* Texts are compared where the tags are the same only: in a large table each comparison waits for memory. */
static names_slot *slot_of(const names *n, uint64_t h, const char *bytes, size_t length)
{
    CHECK_COMPARE(2 * (size_t)n->count, <=, n->slots);
    size_t at = (size_t)h & (n->slots - 1);
    for (; n->slot[at].number; at = (at + 1) & (n->slots - 1)) {
        if (n->slot[at].tag != tag_of(h)) continue;
        const char *name = n->text + n->offset[n->slot[at].number - 1];
        if (strncmp(name, bytes, length) == 0 && name[length] == '\0') break;
    }
    return &n->slot[at];
}

static void enter(names *n, int number, const char *bytes, size_t length)
{
    uint64_t h = hash(bytes, length);
    *slot_of(n, h, bytes, length) = (names_slot){(uint32_t)number + 1, tag_of(h)};
}

static int double_slots(names *n)
{
    size_t slots = n->slots ? 2 * n->slots : 64;
    names_slot *slot = MEM_ZERO(names_slot, slots);
    if (!slot) return -1;
    mem_free(n->slot);
    n->slot = slot;
    n->slots = slots;
    for (int i = 0; i < n->count; i++) {
        const char *name = n->text + n->offset[i];
        enter(n, i, name, strlen(name));
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
    enter(n, n->count, bytes, length);
    n->offset[n->count] = n->text_length;
    n->text_length += length + 1;
    return n->count++;
}

int names_find_bytes(const names *n, const char *bytes, size_t length)
{
    return n->slots ? (int)slot_of(n, hash(bytes, length), bytes, length)->number - 1 : -1;
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
