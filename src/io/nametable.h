/* io/nametable.h - distinct names owned by the table, in the order they were added, found by hash.
 *
 * For readers whose names are pieces of a larger text; io/names.h is the table for names that someone else
 * keeps.
 */
#ifndef IO_NAMETABLE_H
#define IO_NAMETABLE_H

#include <stddef.h>

typedef struct nametable {
    char *text;     /* owned: the names, each ended by a zero byte */
    size_t *offset; /* owned: [count] */
    int *slot;      /* owned: [slots], open addressing; -1 empty, else an index */
    size_t text_length, text_capacity, offset_capacity;
    int count, slots;
} nametable;

void nametable_free(nametable *t);
/* Index of the name bytes[0 .. length), or -1. */
int nametable_find(const nametable *t, const char *bytes, size_t length);
/* Adds a name that is not there yet; its index, or -1 when memory is out. The name must hold no zero byte. */
int nametable_add(nametable *t, const char *bytes, size_t length);
const char *nametable_get(const nametable *t, int index);

#endif
