/* io/names.h - from names to their numbers 0, 1, 2, .. in the order they were added: an open hash table. */
#ifndef IO_NAMES_H
#define IO_NAMES_H

#include <stddef.h>
#include <stdint.h>

typedef struct names {
    const char **name; /* [count]; borrowed: they must outlive the table */
    size_t count, capacity;
    uint32_t *slot; /* [slots] number + 1, or 0; slots is a power of two */
    size_t slots;
} names;

/* Adds a name and returns its number; -1 if it is there already, -2 when memory is out. Start from {0}. */
int names_add(names *n, const char *name);
/* The number of a name, or -1. */
int names_find(const names *n, const char *name);
void names_free(names *n);

#endif
