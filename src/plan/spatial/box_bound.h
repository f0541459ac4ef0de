/* plan/spatial/box_bound.h - a lower bound on the maximum regret of the policies in a box.
 *
 * For multipliers lambda, mu >= 0 [K] with sum of lambda <= 1 and any prices beta(n,a;k), every policy pi in the box that keeps
 * the commitment has
 *
 *     max regret >= sum_k lambda_k U*(k) + sum_k p(k) mu_k - V - sum_n M(n)
 *     V    = the most a class policy in the box can make of  sum_k lambda_k U(k) + mu_k Pr(k) - sum beta(n,a;k) y(n,a;k)
 *     M(n) = the most of  sum_{a,k} beta(n,a;k) pi(a) y_k  over pi in the box of n and y_k between the least and the most Pr(n|k)
 *
 * because the two terms with beta cancel for a policy that does not depend on the class. V is one backward induction (know/box.h);
 * M(n) is convex in pi, so largest at a vertex (src/THEORY.md, 6.1; the rows behind beta: G. McCormick, Mathematical Programming
 * 10, 1976). Good multipliers come from program/box_master.h by column generation; with beta = 0 this is the bound of
 * plan/colgen/colgen.h with boxes for fixed choices, whose error shrinks like the width of the box, with beta like its square.
 * Where it is found soon, V is the most of policies whose classes agree (plan/spatial/box_agree.h), which is less.
 *
 * Cost of a bound: an induction, O(arcs of the classes), and at each node with beta a reach per environment, O(edges), and
 * 2^choices corners. Invariants: lambda, mu >= 0, lambda sums to at most 1; low <= high, and a node's sums of them lie on both
 * sides of 1.
 */
#ifndef PLAN_SPATIAL_BOX_BOUND_H
#define PLAN_SPATIAL_BOX_BOUND_H

#include "base/arena.h"
#include "base/clock.h"
#include "plan/spatial/box_agree.h"
#include "policy/space.h"
#include "program/box_master.h"

/* lambda [K], mu [K], beta [choices * K] in one block. */
typedef struct multipliers {
    double bound; /* found with them */
    double *value;
} multipliers;

enum { BOX_MEMORY = 6 }; /* multipliers a box hands to its parts */

typedef struct box_bound {
    const policy_space *space;
    box_master *program;
    arena memory;                 /* of all arrays */
    size_t dim;                   /* of multipliers */
    double *low, *high;           /* [choices] each in one block, set by the caller */
    double *least, *most;         /* [nodes * K] of the box: 0 and 1 until they are needed */
    unsigned char *ranged;        /* [nodes] they are there */
    multipliers kept[BOX_MEMORY]; /* after a solve: the last ones, best bound first */
    int kept_count;
    double *now;              /* [dim] */
    double *reward, *y, *mix; /* [choices * K]; mix: of the mixture after a solve */
    double *value, *reach;    /* [classes] */
    double *prob;             /* [slots] */
    double *regret, *pr;      /* [K] */
    double *scratch;
    box_agree *agree;      /* NULL: classes choose for themselves */
    double *single;        /* [choices] the policy it has found */
    double rest;           /* if it is given up next, for so many times what that took it is not asked */
    long long resting;     /* it is asked again after so many inductions */
    double walked;         /* what it has taken, in inductions */
    int *choice;           /* [actions] */
    double bound;          /* after a solve */
    double mixture;        /* value of the master */
    bool mixed;            /* the master was solved: mix and mixture hold */
    const deadline *limit; /* of the task at hand */
    long long inductions;
} box_bound;

typedef enum box_end { BOX_BOUNDED, BOX_CUT, BOX_LIMIT } box_end;

typedef struct box_options {
    int rounds;      /* most rounds of added rows */
    double patience; /* the bound is good enough within this part of what is missing to the cutoff */
    double worth;    /* part of the distance to the cutoff that a round of rows must gain for another one */
} box_options;

/* What bounding a box starts from and stops at. */
typedef struct box_task {
    const multipliers *from; /* [count] of a larger box, tried first; outside the box_bound */
    int count;
    double cutoff; /* a bound at least this ends it */
    const box_options *options;
    const deadline *limit;
} box_task;

/* agree: V is that of policies whose classes agree (plan/spatial/box_agree.h) where it is found soon enough. */
vouch_status box_bound_new(const policy_space *space, bool agree, box_bound **out);
void box_bound_free(box_bound *b); /* NULL is fine */

/* Bounds the box in low, high, which must not be empty. */
vouch_status box_bound_solve(box_bound *b, const box_task *task, box_end *end);

/* Forgets the ranges of the last box; to be called when low or high change outside box_bound_solve. */
void box_bound_enter(box_bound *b);

/* The bound of given multipliers for the box in low, high. Leaves the policy that attains V in prob. */
double box_bound_price(box_bound *b, const double value[]);

/* For every choice o: an upper limit on the bound that the last multipliers priced would give if o alone had the range low2[o] ..
 * high2[o] (inside low .. high): limit [choices]. Requires the last call to have been box_bound_price(b, value), which returned
 * `bound`. */
void box_bound_outlook(box_bound *b, const double value[], double bound, const double low2[], const double high2[], double limit[]);

#endif
