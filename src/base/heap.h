/* base/heap.h - a binary heap of pointers, first by an order that its user gives (J. W. J. Williams, CACM 7 (1964)).
 *
 * The order must be total (ties decided, by a number of creation for instance): then what comes out does not depend on how the heap
 * is kept, and runs repeat. The items belong to the user; their keys must not change while they are in the heap. push and pop:
 * O(log n) comparisons.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a comes out before b. context: what the order depends on beside the items. */
typedef bool heap_order(const void *context, const void *a, const void *b);

typedef struct heap {
    void **item; /* owned: [count]; item[0] comes out next. May be read and, before heap_restore, changed. */
    size_t count, capacity;
    heap_order *before;
    const void *context;
} heap;

/* No memory yet: {.before = ..} does the same. */
void heap_init(heap *h, heap_order *before, const void *context);
void heap_free(heap *h); /* the items are not touched */
/* 0, or -1 when memory is out (the heap is as before). */
int heap_push(heap *h, void *item);
void *heap_pop(heap *h);       /* NULL when empty */
void *heap_top(const heap *h); /* the same, left where it is */
/* Order again, in O(n), after item[] and count were changed from outside (count may only fall). */
void heap_restore(heap *h);

#endif
