/* base/pool.h - threads that run numbered tasks. For results independent of threads, each task writes only to its own place, and
 * the caller merges in the order of numbers. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

typedef struct pool pool;

/* A pool of `threads` >= 1 including the caller. NULL: out of memory or threads. */
pool *pool_new(int threads);
void pool_free(pool *p); /* NULL is fine */
/* Number of threads; 1 for NULL. */
int pool_threads(const pool *p);

/* Runs task(context, i, thread) for i = 0 .. count-1 and waits for all; thread: 0 .. threads-1. p NULL: in the caller. */
void pool_run(pool *p, int count, void (*task)(void *context, int i, int thread), void *context);

/* Work on a thread of its own. Its result must be usable whether or not the thread could be started. */
typedef struct aside aside;

/* Starts work(context); NULL: out of memory or threads. */
aside *aside_begin(void (*work)(void *context), void *context);
void aside_end(aside *a); /* waits; NULL is fine */

#endif
