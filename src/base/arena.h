/* base/arena.h - memory of objects that live and die together: many arrays, one check, one free.
 *
 *     double *x = ARENA_NEW(&a, double, n);
 *     int *order = ARENA_ZERO(&a, int, m);
 *     if (a.failed) ..                        -- any of them: some pointers are NULL
 *     arena_free(&a);
 *
 * Blocks come from base/memory and double in size up to a megabyte, so there are few of them. Nothing is given back alone and
 * nothing is resized: arrays that grow have blocks of their own. Under the address sanitizer the space between two arrays may not
 * be touched.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/* A zeroed arena is an empty one. */
typedef struct arena {
    struct arena_block *block; /* the newest, from which the next array is taken */
    bool failed;               /* memory was out, or a size overflowed, at least once */
} arena;

/* n * size bytes, aligned for any type; NULL (and a->failed) when memory is out. n = 0 gives a pointer that must not be read. */
void *arena_new(arena *a, size_t n, size_t size);
void *arena_zero(arena *a, size_t n, size_t size); /* the same, filled with zero bytes */
char *arena_string(arena *a, const char *text);    /* a copy of text */
void arena_free(arena *a);                         /* all at once; the arena is empty again. It may lie in its own memory. */

#define ARENA_NEW(a, type, n)  ((type *)arena_new((a), (size_t)(n), sizeof(type)))
#define ARENA_ZERO(a, type, n) ((type *)arena_zero((a), (size_t)(n), sizeof(type)))

#endif
