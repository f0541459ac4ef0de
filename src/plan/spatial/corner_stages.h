/* plan/spatial/corner_stages.h - a proof that no policy of a box makes more of given prices than so much, node after node in the
 * order of time.
 *
 * The tree is that of the search by stages (plan/stage/stagewise.h) over the corners of a box (plan/spatial/box_graph.h): a case
 * ends where
 *
 *     what is decided has made  +  sum of V_n(w(n)) over nodes that are not decided
 *
 * is no more than that, w(n) the probabilities of reaching n and V what can be earned from there on if each history decides for
 * itself. It is for whoever writes the tree down, and knows already what is to be shown.
 */
#ifndef PLAN_SPATIAL_CORNER_STAGES_H
#define PLAN_SPATIAL_CORNER_STAGES_H

#include "plan/spatial/box_graph.h"
#include "plan/spatial/corner_search.h"

typedef struct corner_stages {
    bool done;    /* false: the work was used up, or the nodes are too many */
    double upper; /* no policy of the box makes more, or more than task->least */
    int ahead;    /* steps that V looks ahead, the environment being revealed there */
} corner_stages;

/* graph: entered and priced. task: of corner_search.h; `near` is 0. work: visits of nodes that following every V of each case anew
 * takes, at most. */
vouch_status corner_stages_run(const box_graph *graph, const corner_task *task, double work, corner_stages *result);

#endif
