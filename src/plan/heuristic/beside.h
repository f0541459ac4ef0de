/* plan/heuristic/beside.h - work that improves a policy beside a search, on a thread of its own where there is one.
 *
 * It begins from the best policy known when it begins, and what has come of it is asked for later, at a moment that is counted, not
 * timed. Without a thread it is done when it is asked for, from where it would have begun. So the answer is the same.
 * Cost: that of the work, and a second incumbent.
 */
#ifndef PLAN_HEURISTIC_BESIDE_H
#define PLAN_HEURISTIC_BESIDE_H

#include "base/pool.h"
#include "plan/heuristic/incumbent.h"

typedef void (*beside_work)(void *context, incumbent *inc);

/* Empty: nothing is begun. */
typedef struct beside {
    incumbent *inc; /* what has come of it; NULL: nothing is begun */
    aside *run;     /* NULL: it is done when it is asked for */
    atomic_bool given_up;
    deadline limit;
    beside_work work;
    void *context;
} beside;

static inline bool beside_begun(const beside *b) { return b->inc != NULL; }
/* Requires that nothing is begun. thread: it may have one, and the context is its own until the end. ERROR_MEMORY. */
vouch_status beside_begin(beside *b, const incumbent *inc, bool thread, beside_work work, void *context);
/* Waits for what was begun, or does it. The incumbent is valid until the next call. */
const incumbent *beside_end(beside *b);
/* Ends and frees what was begun, whether or not it has been asked for. */
void beside_give_up(beside *b);

#endif
