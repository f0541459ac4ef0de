/* base/pool.h - threads that run numbered tasks.
 *
 * Results must not depend on which thread runs a task, nor on how many there are: a task writes only to its own place, and
 * what is shared is merged afterwards by the caller, in the order of the numbers.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

typedef struct pool pool;

/* A pool of `threads` >= 1 including the caller's own; 1 makes no thread. NULL when memory or threads are out. */
pool *pool_new(int threads);
void pool_free(pool *p); /* NULL is fine */
/* Threads that may run tasks; 1 of NULL. */
int pool_threads(const pool *p);

/* Runs task(context, i, thread) for i = 0 .. count-1 and returns when all are done. thread: 0 .. threads-1, the runner. NULL runs
 * them here. */
void pool_run(pool *p, int count, void (*task)(void *context, int i, int thread), void *context);

#endif
