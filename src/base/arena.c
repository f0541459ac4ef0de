/* base/arena.c - see arena.h. */
#include "base/arena.h"

#include "base/check.h"
#include "base/memory.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(from, bytes)   ((void)(from), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(from, bytes) ((void)(from), (void)(bytes))
#endif

enum { FIRST_BLOCK = 2000, DOUBLED_MOST = 1 << 20, ALIGNMENT = _Alignof(max_align_t) };

typedef struct arena_block {
    struct arena_block *older;
    size_t used, capacity; /* bytes of data */
    max_align_t data[];
} arena_block;

/* Adds a block for an array of `bytes`, at least twice as large as the newest one while that is small. */
static int add_block(arena *a, size_t bytes, bool zero)
{
    size_t capacity = !a->block ? FIRST_BLOCK : a->block->capacity < DOUBLED_MOST / 2 ? 2 * a->block->capacity : DOUBLED_MOST;
    if (capacity < bytes) capacity = bytes;
    size_t all = sizeof(arena_block) + capacity;
    arena_block *b = zero ? mem_zero(1, all) : mem_alloc(1, all);
    if (!b) return -1;
    *b = (arena_block){.older = a->block, .capacity = capacity};
    ASAN_POISON_MEMORY_REGION(b->data, capacity);
    a->block = b;
    return 0;
}

static void *take(arena *a, size_t n, size_t size, bool zero)
{
    CHECK(size > 0);
    if (n > SIZE_MAX / 8 / size) {
        a->failed = true;
        return NULL;
    }
    /* one unit more keeps arrays apart for the sanitizer */
    size_t bytes = (n * size / ALIGNMENT + 2) * ALIGNMENT;
    bool own = zero && bytes > DOUBLED_MOST; /* zero pages of the kernel stay untouched */
    if ((own || !a->block || a->block->capacity - a->block->used < bytes) && add_block(a, bytes, own)) {
        a->failed = true;
        return NULL;
    }
    char *p = (char *)a->block->data + a->block->used;
    a->block->used += bytes;
    CHECK_COMPARE(a->block->used, <=, a->block->capacity);
    CHECK_COMPARE((uintptr_t)p % ALIGNMENT, ==, 0);
    ASAN_UNPOISON_MEMORY_REGION(p, n * size);
    return zero && !own ? memset(p, 0, n * size) : p;
}

void *arena_new(arena *a, size_t n, size_t size) { return take(a, n, size, false); }
void *arena_zero(arena *a, size_t n, size_t size) { return take(a, n, size, true); }

char *arena_string(arena *a, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = ARENA_NEW(a, char, size);
    return copy ? memcpy(copy, text, size) : NULL;
}

void arena_free(arena *a)
{
    arena_block *b = a->block;
    *a = (arena){0};
    while (b) {
        arena_block *older = b->older;
        ASAN_UNPOISON_MEMORY_REGION(b->data, b->capacity);
        mem_free(b);
        b = older;
    }
}
