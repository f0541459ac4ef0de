/* base/memory.h - allocation with checked sizes, a count of live blocks, and injected failures.
 *
 * Every block of the library comes from here, so that tests can fail the k-th allocation for k = 1, 2, ..
 * and assert in teardown that nothing is left. All functions are safe to call from several threads.
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <vouch/status.h>

/* n * size bytes, uninitialised; NULL when the product overflows or memory is out. n = 0 gives a block of
 * its own that may be freed. */
void *mem_alloc(size_t n, size_t size);
void *mem_zero(size_t n, size_t size); /* the same, filled with zero bytes */
/* Resizes p (or NULL) to n * size bytes; on failure returns NULL and p stays valid. */
void *mem_resize(void *p, size_t n, size_t size);
/* The same of *block, where it is. 0 on success, -1 when memory is out (block unchanged). */
int mem_resize_block(void **block, size_t n, size_t size);
void mem_free(void *p);                             /* NULL is fine */
void mem_free_strings(char **string, size_t count); /* each, and the array; NULL is fine */
char *mem_string(const char *text);

/* Room for one more in a growing array: *block holds *capacity items of `size`, of which `count` are used.
 * Ensures *capacity > count (grows by half). 0 on success, -1 when memory is out (block unchanged). */
int mem_reserve(void **block, size_t *capacity, size_t count, size_t size);

#define MEM_NEW(type, n)      ((type *)mem_alloc((size_t)(n), sizeof(type)))
#define MEM_ZERO(type, n)     ((type *)mem_zero((size_t)(n), sizeof(type)))
#define MEM_COPY(to, from, n) memcpy((to), (from), (size_t)(n) * sizeof *(to))
/* Of arrays, by the address of the pointer: 0 on success. */
#define MEM_RESIZE(block, n)                mem_resize_block((void **)(block), (size_t)(n), sizeof **(block))
#define MEM_RESERVE(block, capacity, count) mem_reserve((void **)(block), (capacity), (size_t)(count), sizeof **(block))

/* For programs, at their start: the first 16 MB that are used come in large pages where the system has them, filled whole, and are
 * kept to the end; beyond them large blocks take memory only where they are touched. For short runs that fill megabytes. */
void mem_use_large_pages(void);

/* The most bytes that all blocks of the process may take together; 0: no limit. What would pass it is refused as where memory is
 * out, and the last eighth is kept for ending: while that is touched, deadlines count as passed (base/clock.h). */
void mem_limit(size_t bytes);
/* As mem_limit's argument: 3/4 of mem_of_machine(). To ask the system takes as long as a small plan, so that it is asked once
 * blocks take 32 MB; before that there is no limit. */
#define MEM_SHARE_OF_MACHINE VOUCH_MEMORY_SHARE
size_t mem_limited(void);
/* Bytes that each of so many processes may take beyond mem_used, together what the limit leaves; 0: there is no limit. */
size_t mem_share(int processes);
/* The limit becomes mem_used and so many bytes more, of which the last eighth is kept for ending. */
void mem_limit_more(size_t bytes);
/* Is the last eighth touched? */
bool mem_scarce(void);
/* How often since the start of the process a block was refused by the limit or a deadline ended because of it. */
long mem_limit_met(void);
/* Counts among them what other processes of the run have met. */
void mem_limit_met_elsewhere(long times);
/* Bytes of all blocks. */
size_t mem_used(void);
/* The bytes that a process of this machine may take: what it has, or its control group or resource limits allow; 0: not known. */
size_t mem_of_machine(void);
/* The same of files below root in the place of /; "" is the machine itself. Tests lay down other machines. */
size_t mem_of_machine_at(const char *root);

/* Tests: let `count` further allocations succeed, then fail every one; negative: never fail. */
void mem_fail_after(long count);
/* Tests: let `count` further allocations succeed, fail one, and let those after it succeed: a missing check is not hidden
 * by the next one. */
void mem_fail_once(long count);
/* How many allocations the system (or a test) has refused to the process: who goes on after one and is not sure what is missing
 * says so at the end. */
long mem_failures(void);
/* Who is sure after all: failures count again as when mem_failures returned `before`. */
void mem_failures_settled(long before);
/* Tests: blocks allocated and not freed. */
long mem_live(void);
/* Tests: allocations asked for since the start of the process. */
long mem_calls(void);
/* Contracts and tests: those of this thread. */
long mem_calls_here(void);

#endif
