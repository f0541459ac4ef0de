/* base/aside.h - work on a thread of its own, begun before what comes of it is asked for.
 *
 * Results must not depend on whether there is such a thread: who asks checks that the work was given what it would be given now,
 * and else does it again.
 */
#ifndef BASE_ASIDE_H
#define BASE_ASIDE_H

typedef struct aside aside;

/* Begins work(context). NULL: memory or threads are out, and nothing is begun. */
aside *aside_begin(void (*work)(void *context), void *context);
/* Waits for its end. NULL is fine. */
void aside_end(aside *a);

#endif
