/* plan/spatial/record.h - what branch and bound over boxes tells its trace (base/trace.h), as plan/search/record.h does of its
 * search:
 *
 *     node     a box has ended: the half of a probability's range that made it, its bound, why it ended
 *     mixture  multipliers at a box, and what its mixture does
 */
#ifndef PLAN_SPATIAL_RECORD_H
#define PLAN_SPATIAL_RECORD_H

#include <vouch/plan.h>

#include "base/trace.h"
#include "plan/spatial/box_bound.h"

/* How a box was cut out of the one above. */
typedef struct box_origin {
    long long up;
    int choice; /* -1: it holds every policy */
    bool upper; /* the probability of the choice is at least `at`, or at most */
    double at;
} box_origin;

typedef struct box_record {
    long long id;
    double bound, best;
    vouch_node_end end;
    bool pruned;        /* by its parent's bound, unseen */
    long long given_up; /* halves of ranges that were cut off in it */
} box_record;

void record_box(vouch_trace *trace, const policy_space *space, const box_origin *origin, const box_record *box);
/* After box_bound_solve of box id, of which the mixture holds. mass: [choices], scratch. */
void record_box_mixture(vouch_trace *trace, const box_bound *b, long long id, double mass[]);
void record_box_moment(vouch_trace *trace, long long boxes, long long inductions, double bound, double best);

#endif
