/* base/intern.h - numbers distinct keys 0, 1, 2, .. in the order of first appearance. Keys are `words` 64-bit words. Open
 * addressing with linear probing; deterministic. */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct intern_slot {
    uint32_t number; /* of the key, + 1; 0: free */
    uint32_t tag;    /* upper half of the hash */
} intern_slot;

typedef struct intern {
    int words;
    int count;
    uint64_t *keys; /* [count * words] */
    size_t key_capacity;
    intern_slot *slot; /* [slots], a power of two, at most half full */
    size_t slots;
} intern;

/* -1: out of memory. */
int intern_init(intern *table, int words);
void intern_free(intern *table); /* a zeroed table is fine */
/* The number of the key, added if new (*fresh, may be NULL). -1: out of memory. */
int intern_add(intern *table, const uint64_t *key, bool *fresh);
/* The number of the key, or -1. */
int intern_find(const intern *table, const uint64_t *key);
const uint64_t *intern_key(const intern *table, int id);
/* A hash of a text. */
uint64_t intern_text(const char *text);
/* Frees the table; intern_add and intern_find are no longer allowed. */
void intern_seal(intern *table);
/* Removes all keys, keeps the memory. */
void intern_clear(intern *table);

#endif
