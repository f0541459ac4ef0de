/* base/heap.h - a binary heap of pointers with a user-defined order (J. W. J. Williams, CACM 7 (1964)).
 *
 * The order must be total, so that results are reproducible. The items belong to the user; their keys must not change while they
 * are in the heap. push and pop: O(log n) comparisons.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* True if a comes before b. */
typedef bool heap_order(const void *context, const void *a, const void *b);

typedef struct heap {
    void **item; /* owned: [count]; item[0] is the first. Readable; may be changed before heap_restore. */
    size_t count, capacity;
    heap_order *before;
    const void *context;
} heap;

/* Allocates nothing: {.before = ..} is equivalent. */
void heap_init(heap *h, heap_order *before, const void *context);
void heap_free(heap *h); /* the items are not touched */
/* 0, or -1: out of memory, the heap is unchanged. */
int heap_push(heap *h, void *item);
void *heap_pop(heap *h);       /* NULL if empty */
void *heap_top(const heap *h); /* the same without removal */
/* Restores the order in O(n) after changes of item[] and count (count may only fall). */
void heap_restore(heap *h);

#endif
