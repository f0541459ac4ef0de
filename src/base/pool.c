/* base/pool.c - see pool.h. Workers draw task numbers from a shared counter. Between runs they look for the next one a while before
 * they sleep on a condition, and so does who waits for them: runs may be a tenth of a millisecond long, and waking takes as much.
 */
#include "base/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/check.h"
#include "base/memory.h"

/* Looks before a thread sleeps: some tenths of a millisecond. */
enum { LOOKS = 4000 };

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

/* Lets the other thread of a core go on. */
static inline void pause_a_moment(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static void look_for_a_run(pool *p, long seen)
{
    for (int i = 0; i < LOOKS && atomic_load(&p->generation) == seen; i++) pause_a_moment();
}

static void look_for_the_end(pool *p)
{
    for (int i = 0; i < LOOKS && atomic_load(&p->busy) > 0; i++) pause_a_moment();
}

static void *work(void *argument)
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
        look_for_a_run(p, seen);
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
        failed = pthread_create(&p->workers[i].handle, NULL, work, &p->workers[i]) != 0;
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
    look_for_the_end(p);
    pthread_mutex_lock(&p->lock);
    while (p->busy > 0) pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}
