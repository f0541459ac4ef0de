/* io/names.h - from names to their numbers 0, 1, 2, .. in the order they were added. The table owns its copies. */
#ifndef IO_NAMES_H
#define IO_NAMES_H

#include <stddef.h>
#include <stdint.h>

typedef struct names_slot {
    uint64_t key;    /* the bytes of a name of at most eight, else its hash */
    uint32_t number; /* of the name, + 1; 0: free */
    uint32_t length; /* of the name, modulo 2^32 */
} names_slot;

typedef struct names {
    char *text;       /* owned: the names, each ended by a zero byte */
    size_t *offset;   /* owned: [count], where each begins */
    names_slot *slot; /* owned: [slots]; slots is a power of two, at most half of them taken */
    size_t text_length, text_capacity, offset_capacity, slots;
    int count;
    int numbered, first; /* names 0 .. numbered - 1 are in no slot: they are one prefix and the numbers first, first + 1, .. */
    size_t prefix;       /* its length */
} names;

/* The number of a name, which is added if it is new; -1 when memory is out. Start from {0}. */
int names_add(names *n, const char *name);
/* The number of a name, or -1. */
int names_find(const names *n, const char *name);
/* The same with bytes[0 .. length), none of them zero. */
int names_add_bytes(names *n, const char *bytes, size_t length);
int names_find_bytes(const names *n, const char *bytes, size_t length);
/* The name of that number; valid until the next addition. */
const char *names_text(const names *n, int number);
void names_free(names *n);

#endif
