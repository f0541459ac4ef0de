/* plan/spatial/box_pricer.h - the most that one policy of a box makes of given prices, by whichever search is quick.
 *
 *     most = max over pi in the box of  sum over (n,a,k) of y(n,a;k) reward(n,a;k)  +  sum over k of mu_k Pr(k),   y the occupancy
 * of pi
 *
 * V of (6.1) lets each class of a policy node choose for itself; this is what it stands for, so it is never more, and mixtures are
 * then of policies proper. It is attained at corners of the nodes' boxes, and two searches find it: by likelihood classes
 * (plan/spatial/corner_search.h), quick where histories are many and classes few, and stage by stage over the box's own graph
 * (plan/spatial/box_graph.h, plan/stage/stagewise.h), quick where what comes together at a node matters. They take turns with
 * budgets that grow, each begins with the best policy of the other, and the one that ended last time comes first the next time.
 *
 * Source: src/THEORY.md, 6. Invariant: `upper` is never less than what a policy of the box makes, unless that is no more than
 * task->least; work is counted, so that answers repeat, but for the limit.
 */
#ifndef PLAN_SPATIAL_BOX_PRICER_H
#define PLAN_SPATIAL_BOX_PRICER_H

#include "plan/heuristic/incumbent.h"
#include "plan/spatial/box_graph.h"
#include "plan/spatial/corner_search.h"
#include "policy/space.h"

typedef struct box_pricer {
    const policy_space *space;
    arena memory; /* of the arrays below */
    box_corners at;
    corner_search *tree;
    box_graph *graph;
    policy_space view;    /* policies over graph */
    incumbent *inc;       /* likewise */
    bool entered;         /* graph is of the box */
    bool stages_first;    /* the search by stages ended last time */
    double first;         /* what the one that ended took then: visits */
    double visit;         /* inductions that a visit of a search by stages takes */
    double *zero, *share; /* [K] */
    int *pick;            /* [nodes] */
    /* after box_pricer_most */
    double upper; /* of all policies of the box, or no more than task->least */
    bool known;   /* prob holds a policy */
    double found; /* what it makes */
    double *prob; /* [choices] */
    double work;  /* in all, in inductions */
} box_pricer;

typedef struct price_task {
    const double *reward, *mu; /* [choices * K], [K] */
    double least;              /* it does not matter what is made if it is no more than this */
    double near;               /* upper may be so much more than what is found */
    double work;               /* inductions, at most, about */
    const deadline *limit;
} price_task;

/* *out is NULL, and the status OK, where a node has too many choices for corners. Needs classes without Pareto sets. */
vouch_status box_pricer_new(const policy_space *space, box_pricer **out);
void box_pricer_free(box_pricer *x); /* NULL is fine */

/* Another box, which must not be empty. */
void box_pricer_enter(box_pricer *x, policy_box in);

vouch_status box_pricer_most(box_pricer *x, const price_task *task);

#endif
