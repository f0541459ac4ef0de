/* base/pool.c - see pool.h. Workers draw task numbers from a shared counter. Workers and caller spin for a while before they sleep,
 * since runs may be as short as a wake-up (a tenth of a millisecond).
 */
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/check.h"
#include "base/memory.h"

enum { SPINS = 4000 }; /* some tenths of a millisecond */

typedef struct worker {
    pool *p;
    int thread;
    pthread_t handle;
} worker;

struct pool {
    int threads, started;
    worker *workers; /* [threads - 1] */
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    atomic_long generation; /* of the present run */
    atomic_int busy;        /* workers that have not finished it */
    bool quit;
    atomic_int next;
    int count;
    void (*task)(void *context, int i, int thread);
    void *context;
};

static void draw_tasks(pool *p, int thread)
{
    for (;;) {
        int i = atomic_fetch_add(&p->next, 1);
        if (i >= p->count) return;
        p->task(p->context, i, thread);
    }
}

static inline void pause_a_moment(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static void *run_worker(void *argument)
{
    worker *w = argument;
    pool *p = w->p;
    long seen = 0;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->quit && p->generation == seen) pthread_cond_wait(&p->wake, &p->lock);
        if (p->quit) break;
        seen = p->generation;
        pthread_mutex_unlock(&p->lock);
        draw_tasks(p, w->thread);
        pthread_mutex_lock(&p->lock);
        CHECK_COMPARE(p->busy, >, 0);
        if (--p->busy == 0) pthread_cond_signal(&p->done);
        pthread_mutex_unlock(&p->lock);
        for (int i = 0; i < SPINS && atomic_load(&p->generation) == seen; i++) pause_a_moment();
        pthread_mutex_lock(&p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

pool *pool_new(int threads)
{
    CHECK_COMPARE(threads, >=, 1);
    pool *p = MEM_ZERO(pool, 1);
    if (!p) return NULL;
    p->threads = threads;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
    pthread_cond_init(&p->done, NULL);
    p->workers = MEM_ZERO(worker, threads - 1);
    bool failed = !p->workers;
    for (int i = 0; i < threads - 1 && !failed; i++) {
        p->workers[i] = (worker){.p = p, .thread = i + 1};
        failed = pthread_create(&p->workers[i].handle, NULL, run_worker, &p->workers[i]) != 0;
        p->started += !failed;
    }
    if (failed) {
        pool_free(p);
        return NULL;
    }
    return p;
}

void pool_free(pool *p)
{
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    p->quit = true;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->started; i++) pthread_join(p->workers[i].handle, NULL);
    pthread_cond_destroy(&p->wake);
    pthread_cond_destroy(&p->done);
    pthread_mutex_destroy(&p->lock);
    mem_free(p->workers);
    mem_free(p);
}

int pool_threads(const pool *p) { return p ? p->started + 1 : 1; }

void pool_run(pool *p, int count, void (*task)(void *context, int i, int thread), void *context)
{
    CHECK_COMPARE(count, >=, 0);
    CHECK(task);
    if (count <= 1 || pool_threads(p) == 1) {
        for (int i = 0; i < count; i++) task(context, i, 0);
        return;
    }
    pthread_mutex_lock(&p->lock);
    p->count = count;
    p->task = task;
    p->context = context;
    atomic_store(&p->next, 0);
    p->busy = p->started;
    p->generation++;
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->lock);
    draw_tasks(p, 0);
    for (int i = 0; i < SPINS && atomic_load(&p->busy) > 0; i++) pause_a_moment();
    pthread_mutex_lock(&p->lock);
    while (p->busy > 0) pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

struct aside {
    void (*work)(void *context);
    void *context;
    pthread_t handle;
};

static void *run_aside(void *argument)
{
    aside *a = argument;
    a->work(a->context);
    return NULL;
}

aside *aside_begin(void (*work)(void *context), void *context)
{
    aside *a = MEM_NEW(aside, 1);
    CHECK(work);
    if (!a) return NULL;
    *a = (aside){.work = work, .context = context};
    if (pthread_create(&a->handle, NULL, run_aside, a) == 0) return a;
    mem_free(a);
    return NULL;
}

void aside_end(aside *a)
{
    if (!a) return;
    pthread_join(a->handle, NULL);
    mem_free(a);
}
