/* link/threads.c - workers that are threads of this process; parcels are passed in memory.
 *
 * Tasks wait in one queue for any free thread, answers in another. The receiving thread, which would take a processor from a
 * worker, is not woken while more tasks wait than there are workers. */
#include <pthread.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "link/transport.h"

typedef struct queued {
    struct queued *next;
    int worker;
    parcel p;
} queued;

typedef struct queue {
    queued *first, **end;
    int count;
} queue;

typedef struct threads threads;
typedef struct runner_thread {
    threads *all;
    bool started;
    pthread_t handle;
} runner_thread;

struct threads {
    transport face;
    const task_work *work;
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    bool quit;
    queue tasks, answers;
    runner_thread *runners; /* [face.workers] */
};

static void queue_push(queue *q, queued *item)
{
    item->next = NULL;
    *q->end = item;
    q->end = &item->next;
    q->count++;
}

static queued *queue_pop(queue *q)
{
    queued *item = q->first;
    if (!item) return NULL;
    q->first = item->next;
    if (!q->first) q->end = &q->first;
    q->count--;
    return item;
}

static void queue_free(queue *q)
{
    for (queued *item = queue_pop(q); item; item = queue_pop(q)) {
        message_free(&item->p.content);
        mem_free(item);
    }
}

static void *run_tasks(void *argument)
{
    runner_thread *r = argument;
    threads *all = r->all;
    void *own = NULL;
    vouch_status opened = all->work->open(all->work->shared, &own);
    worker_clock clock = {.ready = clock_seconds()};
    pthread_mutex_lock(&all->lock);
    for (;;) {
        double since = all->tasks.first ? 0 : clock_seconds();
        while (!all->quit && !all->tasks.first) pthread_cond_wait(&all->wake, &all->lock);
        if (since > 0) clock.waited += clock_seconds() - since;
        if (all->quit) break;
        queued *item = queue_pop(&all->tasks);
        pthread_mutex_unlock(&all->lock);
        transport_work_out(all->work, own, opened, &item->p, &clock);
        item->p.spent.peak = item->p.spent.met = 0;
        item->p.by = (int)(r - all->runners);
        pthread_mutex_lock(&all->lock);
        queue_push(&all->answers, item);
        if (all->tasks.count <= all->face.workers) pthread_cond_signal(&all->done);
    }
    pthread_mutex_unlock(&all->lock);
    all->work->close(own);
    return NULL;
}

static bool thread_ready(const transport *t, int worker) { return ((const threads *)t)->runners[worker].started; }

static bool thread_send(transport *t, int worker, parcel *task)
{
    threads *all = (threads *)t;
    queued *item = thread_ready(t, worker) ? MEM_ZERO(queued, 1) : NULL;
    if (!item) return false;
    item->worker = worker;
    item->p = *task;
    task->content = (message){0};
    pthread_mutex_lock(&all->lock);
    queue_push(&all->tasks, item);
    pthread_cond_signal(&all->wake);
    pthread_mutex_unlock(&all->lock);
    return true;
}

static transport_event thread_receive(transport *t, double seconds, int *worker, parcel *answer)
{
    threads *all = (threads *)t;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    double moment = (double)until.tv_nsec * 1e-9 + seconds;
    until.tv_sec += (time_t)moment;
    until.tv_nsec = (long)((moment - (double)(time_t)moment) * 1e9);
    pthread_mutex_lock(&all->lock);
    if (!all->answers.first) pthread_cond_timedwait(&all->done, &all->lock, &until);
    queued *item = queue_pop(&all->answers);
    pthread_mutex_unlock(&all->lock);
    if (!item) return TRANSPORT_NOTHING;
    *worker = item->worker;
    message_free(&answer->content);
    *answer = item->p;
    mem_free(item);
    return TRANSPORT_ANSWER;
}

static void thread_close(transport *t)
{
    threads *all = (threads *)t;
    pthread_mutex_lock(&all->lock);
    all->quit = true;
    pthread_cond_broadcast(&all->wake);
    pthread_mutex_unlock(&all->lock);
    for (int i = 0; i < t->workers && all->runners; i++)
        if (all->runners[i].started) pthread_join(all->runners[i].handle, NULL);
    queue_free(&all->tasks);
    queue_free(&all->answers);
    pthread_mutex_destroy(&all->lock);
    pthread_cond_destroy(&all->wake);
    pthread_cond_destroy(&all->done);
    mem_free(all->runners);
    mem_free(all);
}

transport *transport_threads(int workers, const task_work *work)
{
    threads *all = MEM_ZERO(threads, 1);
    if (!all) return NULL;
    all->face = (transport){workers, true, thread_ready, thread_send, thread_receive, thread_close};
    all->work = work;
    all->tasks.end = &all->tasks.first;
    all->answers.end = &all->answers.first;
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->wake, NULL);
    pthread_cond_init(&all->done, NULL);
    all->runners = MEM_ZERO(runner_thread, workers);
    bool failed = !all->runners;
    for (int i = 0; i < workers && !failed; i++) {
        runner_thread *r = &all->runners[i];
        r->all = all;
        failed = pthread_create(&r->handle, NULL, run_tasks, r) != 0;
        r->started = !failed;
    }
    if (!failed) return &all->face;
    thread_close(&all->face);
    return NULL;
}
