/* base/aside.c - see aside.h. */
#include "base/aside.h"

#include <pthread.h>

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
