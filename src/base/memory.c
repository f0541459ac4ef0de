/* base/memory.c - see memory.h. The counters are C11 atomics, relaxed: they order nothing. */
#include "base/memory.h"

#include "base/check.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static atomic_long live_blocks;
static atomic_long calls;
static _Thread_local long calls_here;    /* of this thread */
static atomic_long fail_at = -1;         /* value of `calls` from which on allocations fail; negative: never */
static atomic_long fail_most = LONG_MAX; /* how many of them fail */

static int refused(void)
{
    calls_here++;
    long now = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
    long at = atomic_load_explicit(&fail_at, memory_order_relaxed);
    return at >= 0 && now >= at && now - at < atomic_load_explicit(&fail_most, memory_order_relaxed);
}

static void *counted(void *p)
{
    if (p) atomic_fetch_add_explicit(&live_blocks, 1, memory_order_relaxed);
    return p;
}

void *mem_alloc(size_t n, size_t size)
{
    if (size != 0 && n > SIZE_MAX / 2 / size) return NULL;
    if (refused()) return NULL;
    size_t bytes = n * size;
    return counted(malloc(bytes ? bytes : 1));
}

void *mem_zero(size_t n, size_t size)
{
    if (size != 0 && n > SIZE_MAX / 2 / size) return NULL;
    if (refused()) return NULL;
    return counted(calloc(n ? n : 1, size ? size : 1));
}

void *mem_resize(void *p, size_t n, size_t size)
{
    if (!p) return mem_alloc(n, size);
    if (size != 0 && n > SIZE_MAX / 2 / size) return NULL;
    if (refused()) return NULL;
    size_t bytes = n * size;
    return realloc(p, bytes ? bytes : 1);
}

void mem_free(void *p)
{
    if (!p) return;
    CHECK_COMPARE(mem_live(), >, 0);
    atomic_fetch_sub_explicit(&live_blocks, 1, memory_order_relaxed);
    free(p);
}

char *mem_string(const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = mem_alloc(n, 1);
    if (copy) memcpy(copy, text, n);
    return copy;
}

int mem_resize_block(void **block, size_t n, size_t size)
{
    void *p = mem_resize(*block, n, size);
    if (!p) return -1;
    *block = p;
    return 0;
}

int mem_reserve(void **block, size_t *capacity, size_t count, size_t size)
{
    CHECK(size > 0);
    CHECK(*block || *capacity == 0);
    if (count < *capacity) return 0;
    size_t more = count + count / 2 + 8;
    if (mem_resize_block(block, more, size)) return -1;
    *capacity = more;
    return 0;
}

static void fail(long after, long most)
{
    atomic_store(&fail_most, most);
    atomic_store(&fail_at, after < 0 ? -1 : atomic_load(&calls) + after);
}

void mem_fail_after(long count) { fail(count, LONG_MAX); }

void mem_fail_once(long count) { fail(count, 1); }

long mem_live(void) { return atomic_load(&live_blocks); }

long mem_calls(void) { return atomic_load(&calls); }

long mem_calls_here(void) { return calls_here; }
