/* mip/trials.h - trials of strong branching: children of a node whose relaxations are solved for a few iterations each.
 *
 * All trials of a list begin where the node's relaxation stands, each in a room: a relaxation of its own that takes over bounds,
 * basis and factors. So none depends on another, nor on the thread that makes it.
 */
#ifndef MIP_TRIALS_H
#define MIP_TRIALS_H

#include "base/pool.h"
#include "mip/search.h"

typedef struct child_trial {
    int col; /* its bounds in the child: */
    double lower, upper;
    relax_end end;
    double gain; /* proved rise of the objective, 0 where nothing is known */
    long long iterations, solves, exact_work;
} child_trial;

typedef struct trial_rooms trial_rooms;
/* Rooms for so many threads, those of the pool; NULL: this one alone. They are furnished when first used. NULL: memory */
trial_rooms *trial_rooms_new(pool *threads, int count);
void trial_rooms_free(trial_rooms *rooms); /* NULL is fine */

/* Makes the trials [count], of at most `each` iterations: in the room of s, or in all rooms at once where s has none of its own.
 * What they took is counted in s. s->end.memory: memory is out. */
void trials_make(mip_search *s, child_trial *list, int count, long long each);

static inline bool trial_closed(const child_trial *t) { return t->end == RELAX_INFEASIBLE || t->end == RELAX_CUTOFF; }

#endif
