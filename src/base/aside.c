/* base/aside.c - see aside.h. */
#include "base/aside.h"

#include "base/check.h"
#include "base/memory.h"

struct aside {
    void (*work)(void *context);
    void *context;
    pthread_t handle;
};

static void *run(void *argument)
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
    if (pthread_create(&a->handle, NULL, run, a) == 0) return a;
    mem_free(a);
    return NULL;
}

void aside_end(aside *a)
{
    if (!a) return;
    pthread_join(a->handle, NULL);
    mem_free(a);
}

void pace_open(pace *p)
{
    *p = (pace){.work = 0};
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->moved, NULL);
}

void pace_close(pace *p)
{
    pthread_cond_destroy(&p->moved);
    pthread_mutex_destroy(&p->lock);
}

static void move(pace *p, long long work, bool ended)
{
    pthread_mutex_lock(&p->lock);
    if (work > p->work) p->work = work;
    p->ended |= ended;
    pthread_cond_signal(&p->moved);
    pthread_mutex_unlock(&p->lock);
}

void pace_tell(pace *p, long long work)
{
    if (p) move(p, work, false);
}

void pace_end(pace *p) { move(p, 0, true); }

bool pace_reached(pace *p, long long work)
{
    pthread_mutex_lock(&p->lock);
    while (!p->ended && p->work <= work) pthread_cond_wait(&p->moved, &p->lock);
    bool reached = p->work <= work;
    pthread_mutex_unlock(&p->lock);
    return reached;
}
