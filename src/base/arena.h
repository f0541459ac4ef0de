/* base/arena.h - many arrays with one check and one free.
 *
 *     double *x = ARENA_NEW(&a, double, n);
 *     int *order = ARENA_ZERO(&a, int, m);
 *     if (a.failed) ..                        -- at least one allocation failed and returned NULL
 *     arena_free(&a);
 *
 * Blocks double in size up to a megabyte. Arrays are neither freed alone nor resized. The address sanitizer detects accesses
 * between two arrays.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct arena {         /* zeroed: empty */
    struct arena_block *block; /* the newest */
    bool failed;               /* out of memory or overflow of a size, at least once */
} arena;

/* n * size bytes, aligned for any type; NULL and a->failed on failure. n = 0 returns a pointer that must not be dereferenced. */
void *arena_new(arena *a, size_t n, size_t size);
void *arena_zero(arena *a, size_t n, size_t size); /* the same, filled with zero bytes */
char *arena_string(arena *a, const char *text);    /* a copy of text */
void arena_free(arena *a);                         /* the arena is empty again; it may lie in its own memory */

/* Frees an object and the arena `memory` that it has, or NULL. */
#define ARENA_FREE(object)     ((object) ? arena_free(&(object)->memory), mem_free(object) : (void)0)
#define ARENA_NEW(a, type, n)  ((type *)arena_new((a), (size_t)(n), sizeof(type)))
#define ARENA_ZERO(a, type, n) ((type *)arena_zero((a), (size_t)(n), sizeof(type)))

#endif
