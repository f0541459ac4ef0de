/* exact/memory.c - see exact/memory.h. */
#include "exact/memory.h"

#include <gmp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"

typedef struct exact_block {
    struct exact_block *next, *back;
    max_align_t data[];
} exact_block;

static _Thread_local exact_memory *here; /* NULL: this thread is outside of exact work */
static void *(*allocate_elsewhere)(size_t);
static void *(*resize_elsewhere)(void *, size_t, size_t);
static void (*release_elsewhere)(void *, size_t);

static exact_block *block_of(void *p) { return (exact_block *)(void *)((char *)p - offsetof(exact_block, data)); }

/* Points the neighbours of a new or moved b to it. */
static void link_block(exact_block *b)
{
    if (b->back)
        b->back->next = b;
    else
        here->first = b;
    if (b->next) b->next->back = b;
}

static void *allocate(size_t bytes)
{
    if (!here) return allocate_elsewhere(bytes);
    exact_block *b = mem_alloc(1, sizeof *b + bytes);
    if (!b) longjmp(here->escape, ESCAPE_MEMORY);
    *b = (exact_block){.next = here->first};
    link_block(b);
    return b->data;
}

void *exact_memory_new(size_t count, size_t size)
{
    CHECK(here && size > 0);
    if (count > PTRDIFF_MAX / size) longjmp(here->escape, ESCAPE_MEMORY);
    return memset(allocate(count * size), 0, count * size);
}

static void *resize(void *p, size_t before, size_t bytes)
{
    if (!here) return resize_elsewhere(p, before, bytes);
    exact_block *b = mem_resize(block_of(p), 1, sizeof *b + bytes);
    if (!b) longjmp(here->escape, ESCAPE_MEMORY);
    link_block(b);
    return b->data;
}

static void release(void *p, size_t bytes)
{
    if (!here) {
        release_elsewhere(p, bytes);
        return;
    }
    exact_block *b = block_of(p);
    if (b->back)
        b->back->next = b->next;
    else
        here->first = b->next;
    if (b->next) b->next->back = b->back;
    mem_free(b);
}

static void take_over(void)
{
    mp_get_memory_functions(&allocate_elsewhere, &resize_elsewhere, &release_elsewhere);
    mp_set_memory_functions(allocate, resize, release);
}

void exact_memory_enter(exact_memory *memory)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, take_over);
    CHECK(!here);
    memory->first = NULL;
    here = memory;
}

void exact_memory_leave(exact_memory *memory)
{
    CHECK(here == memory);
    here = NULL;
    for (exact_block *b = memory->first; b;) {
        exact_block *next = b->next;
        mem_free(b);
        b = next;
    }
}

void exact_memory_pause(exact_memory *memory)
{
    CHECK(here == memory);
    (void)memory;
    here = NULL;
}

void exact_memory_resume(exact_memory *memory)
{
    CHECK(!here);
    here = memory;
}
