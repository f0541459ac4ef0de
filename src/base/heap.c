/* base/heap.c - see heap.h. Invariant: no item comes before its parent, item[(i - 1) / 2]. */
#include "base/heap.h"

#include "base/check.h"
#include "base/memory.h"

/* Large heaps are checked only if the size is a power of two: O(1) per push on average. */
static void heap_check(const heap *h)
{
    if (!CHECKING) return;
    CHECK_COMPARE(h->count, <=, h->capacity);
    if (h->count > 64 && (h->count & (h->count - 1)) != 0) return;
    for (size_t i = 1; i < h->count; i++) CHECK(!h->before(h->context, h->item[i], h->item[(i - 1) / 2]));
}

void heap_init(heap *h, heap_order *before, const void *context) { *h = (heap){.before = before, .context = context}; }

void heap_free(heap *h)
{
    mem_free(h->item);
    h->item = NULL;
    h->count = h->capacity = 0;
}

/* Inserts `moving` at the free place `at` or below. */
static void sift_down(heap *h, size_t at, void *moving)
{
    for (size_t child; (child = 2 * at + 1) < h->count; at = child) {
        if (child + 1 < h->count && h->before(h->context, h->item[child + 1], h->item[child])) child++;
        if (!h->before(h->context, h->item[child], moving)) break;
        h->item[at] = h->item[child];
    }
    h->item[at] = moving;
}

int heap_push(heap *h, void *item)
{
    CHECK(item);
    if (MEM_RESERVE(&h->item, &h->capacity, h->count)) return -1;
    size_t at = h->count++;
    for (; at > 0 && h->before(h->context, item, h->item[(at - 1) / 2]); at = (at - 1) / 2) h->item[at] = h->item[(at - 1) / 2];
    h->item[at] = item;
    heap_check(h);
    return 0;
}

void *heap_top(const heap *h) { return h->count ? h->item[0] : NULL; }

void *heap_pop(heap *h)
{
    if (h->count == 0) return NULL;
    void *top = h->item[0];
    h->count--;
    if (h->count) sift_down(h, 0, h->item[h->count]);
    heap_check(h);
    return top;
}

void heap_restore(heap *h)
{
    for (size_t at = h->count / 2; at-- > 0;) sift_down(h, at, h->item[at]);
    heap_check(h);
}
