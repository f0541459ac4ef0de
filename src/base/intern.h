/* base/intern.h - gives equal keys equal, dense numbers: 0, 1, 2, .. in the order of first appearance.
 *
 * Keys are `words` 64-bit words. Open addressing with linear probing; deterministic.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct intern_slot {
    uint32_t number; /* of the key, + 1; 0: free */
    uint32_t tag;    /* of its hash, what the place in the table does not use */
} intern_slot;

typedef struct intern {
    int words;
    int count;
    uint64_t *keys; /* [count * words] */
    size_t key_capacity;
    intern_slot *slot; /* [slots]; slots is a power of two, at most half of them taken */
    size_t slots;
} intern;

/* -1 when memory is out. */
int intern_init(intern *table, int words);
void intern_free(intern *table); /* a zeroed table is fine */
/* The number of the key, added if new (*fresh, may be NULL). -1 when memory is out. */
int intern_add(intern *table, const uint64_t *key, bool *fresh);
/* The number of the key, or -1 if it was never added. */
int intern_find(const intern *table, const uint64_t *key);
const uint64_t *intern_key(const intern *table, int id);
/* A key of one word for a text; two texts may have the same one. */
uint64_t intern_text(const char *text);
/* No key is sought or added any more: what that needed is given back; keys stay. */
void intern_seal(intern *table);
/* Forgets all keys, keeps the memory. */
void intern_clear(intern *table);

#endif
