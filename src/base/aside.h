/* base/aside.h - work on a thread of its own, begun before what comes of it is asked for.
 *
 * Results must not depend on whether there is such a thread: who asks checks that the work was given what it would be given now,
 * and else does it again.
 */
#ifndef BASE_ASIDE_H
#define BASE_ASIDE_H

#include <pthread.h>
#include <stdbool.h>

typedef struct aside aside;

/* Begins work(context). NULL: memory or threads are out, and nothing is begun. */
aside *aside_begin(void (*work)(void *context), void *context);
/* Waits for its end. NULL is fine. */
void aside_end(aside *a);

/* How far work has come, by a count that only grows: the worker tells it, another thread waits for it. */
typedef struct pace {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    long long work;
    bool ended;
} pace;

void pace_open(pace *p);
void pace_close(pace *p);
void pace_tell(pace *p, long long work); /* NULL is fine */
void pace_end(pace *p);
/* Waits until the work has ended or is more than this. Has it ended with no more? */
bool pace_reached(pace *p, long long work);

#endif
