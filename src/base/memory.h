/* base/memory.h - allocation with checked sizes, a memory limit, a count of live blocks, and injected failures for tests. The
 * library allocates only here. All functions are thread-safe. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <string.h>

#include <vouch/status.h>

/* n * size bytes, uninitialised; NULL: overflow or out of memory. n = 0 returns a block that may be freed. */
void *mem_alloc(size_t n, size_t size);
void *mem_zero(size_t n, size_t size); /* zeroed */
/* Resizes p (or NULL) to n * size bytes; on failure returns NULL and p stays valid. */
void *mem_resize(void *p, size_t n, size_t size);
/* Resizes *block; 0, or -1: out of memory, *block unchanged. */
int mem_resize_block(void **block, size_t n, size_t size);
void mem_free(void *p); /* NULL is fine */
void mem_free_blocks(void *const p[], size_t count);
void mem_free_strings(char **string, size_t count); /* strings and array; NULL is fine */
char *mem_string(const char *text);

/* Ensures *capacity > count in a growing array *block of items of `size`. 0, or -1: out of memory, *block unchanged. */
int mem_reserve(void **block, size_t *capacity, size_t count, size_t size);

#define MEM_NEW(type, n)      ((type *)mem_alloc((size_t)(n), sizeof(type)))
#define MEM_ZERO(type, n)     ((type *)mem_zero((size_t)(n), sizeof(type)))
#define MEM_COPY(to, from, n) memcpy((to), (from), (size_t)(n) * sizeof *(to))
/* Frees each argument: MEM_FREE_ALL(x->index, x->value, x). */
#define MEM_FREE_ALL(...) mem_free_blocks((void *const[]){__VA_ARGS__}, sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))
/* For qsort and bsearch, of int and of double. */
int ascending_ints(const void *x, const void *y);
int ascending_reals(const void *x, const void *y);
/* Typed versions; block: address of the pointer. */
#define MEM_RESIZE(block, n)                mem_resize_block((void **)(block), (size_t)(n), sizeof **(block))
#define MEM_RESERVE(block, capacity, count) mem_reserve((void **)(block), (capacity), (size_t)(count), sizeof **(block))

/* For programs, at their start: allocates the first 16 MB in large pages, if available, and never returns them, which saves page
 * faults in short runs. */
void mem_use_large_pages(void);

/* Limits the total bytes of the process; 0: no limit. Allocations beyond it fail, and while its last eighth is in use, deadlines
 * count as expired (base/clock.h). */
void mem_limit(size_t bytes);
/* Argument of mem_limit: 3/4 of mem_of_machine(), which is expensive and evaluated once 32 MB are in use. */
#define MEM_SHARE_OF_MACHINE VOUCH_MEMORY_SHARE
size_t mem_limited(void);
/* The remaining bytes of the limit divided by `processes`; 0: no limit. */
size_t mem_share(int processes);
/* Sets the limit to mem_used plus `bytes`, including a reserve of one eighth. */
void mem_limit_more(size_t bytes);
/* True if the last eighth is in use. */
bool mem_scarce(void);
/* Number of allocations refused, and deadlines expired, because of the limit. */
long mem_limit_met(void);
/* Adds the count of other processes of the run. */
void mem_limit_met_elsewhere(long times);
size_t mem_used(void); /* bytes of all blocks */
/* Memory of the machine, or the limit of its control group or process if less; 0: unknown. */
size_t mem_of_machine(void);
/* The same from system files below root, for tests. */
size_t mem_of_machine_at(const char *root);

/* Tests: all allocations after `count` more fail; negative: none. */
void mem_fail_after(long count);
/* Tests: one allocation fails after `count` more. */
void mem_fail_once(long count);
/* Number of failed allocations of the process, for callers that continue after one and must report incomplete results. */
long mem_failures(void);
/* Resets the number to `before`: the results are complete. */
void mem_failures_settled(long before);
long mem_live(void);       /* blocks not freed */
long mem_calls(void);      /* allocations since the start of the process */
long mem_calls_here(void); /* allocations of this thread */

#endif
