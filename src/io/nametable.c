/* io/nametable.c - see nametable.h. FNV-1a hash, linear probing, at most half full. */
#include "io/nametable.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"

void nametable_free(nametable *t)
{
    mem_free(t->text);
    mem_free(t->offset);
    mem_free(t->slot);
    *t = (nametable){0};
}

static uint32_t hash_of(const char *bytes, size_t length)
{
    uint32_t h = UINT32_C(2166136261);
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)bytes[i]) * UINT32_C(16777619);
    return h ^ (h >> 15);
}

const char *nametable_get(const nametable *t, int index) { return t->text + t->offset[index]; }

static int slot_of(const nametable *t, const char *bytes, size_t length)
{
    int mask = t->slots - 1;
    int at = (int)(hash_of(bytes, length) & (uint32_t)mask);
    while (t->slot[at] >= 0) {
        const char *name = nametable_get(t, t->slot[at]);
        if (strncmp(name, bytes, length) == 0 && name[length] == '\0') return at;
        at = (at + 1) & mask;
    }
    return at;
}

int nametable_find(const nametable *t, const char *bytes, size_t length)
{
    return t->slots == 0 ? -1 : t->slot[slot_of(t, bytes, length)];
}

static int grow(nametable *t)
{
    int slots = t->slots ? 2 * t->slots : 64;
    int *slot = MEM_NEW(int, slots);
    if (!slot) return -1;
    for (int i = 0; i < slots; i++) slot[i] = -1;
    mem_free(t->slot);
    t->slot = slot;
    t->slots = slots;
    for (int i = 0; i < t->count; i++) {
        const char *name = nametable_get(t, i);
        slot[slot_of(t, name, strlen(name))] = i;
    }
    return 0;
}

int nametable_add(nametable *t, const char *bytes, size_t length)
{
    if (2 * (t->count + 1) > t->slots && (t->slots > INT32_MAX / 4 || grow(t) != 0)) return -1;
    if (mem_reserve((void **)&t->offset, &t->offset_capacity, (size_t)t->count, sizeof *t->offset) != 0) return -1;
    if (mem_reserve((void **)&t->text, &t->text_capacity, t->text_length + length + 1, 1) != 0) return -1;
    memcpy(t->text + t->text_length, bytes, length);
    t->text[t->text_length + length] = '\0';
    t->slot[slot_of(t, bytes, length)] = t->count;
    t->offset[t->count] = t->text_length;
    t->text_length += length + 1;
    return t->count++;
}
