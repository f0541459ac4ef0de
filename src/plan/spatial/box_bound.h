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
 * Where no node has too many choices, V is the most that one policy makes (plan/spatial/box_pricer.h), which is never more.
 *
 * Cost of a bound: an induction, O(arcs of the classes), and at each node with beta a reach per environment, O(edges), and
 * 2^choices corners. Invariants: lambda, mu >= 0, lambda sums to at most 1; low <= high, and a node's sums of them lie on both
 * sides of 1.
 */
#ifndef PLAN_SPATIAL_BOX_BOUND_H
#define PLAN_SPATIAL_BOX_BOUND_H

#include "base/arena.h"
#include "base/clock.h"
#include "plan/spatial/box_column.h"
#include "plan/spatial/box_pricer.h"
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
    double *occupied, *worth; /* [nodes * K], [2K] scratch of columns */
    box_pricer *pricer;       /* NULL: classes choose for themselves */
    box_column **columns;     /* [column_count] policies of the mixture; none where classes choose for themselves */
    int column_count;
    size_t column_capacity;
    double *centre, *aimed; /* [dim] multipliers of the best bound; of the last master */
    int *choice;            /* [actions] */
    double bound;           /* after a solve: no less than task->known */
    double mixture;         /* value of the master */
    bool mixed;             /* the master was solved: mix and mixture hold */
    const deadline *limit;  /* of the task at hand */
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
    box_column *const *columns; /* [column_count] of a larger box, likewise: they are mixed, moved into this one */
    int column_count;
    const double *mean; /* [choices] their mixture as one policy; NULL without columns */
    double known;       /* no policy of the box has a smaller maximum regret */
    double cutoff;      /* a bound at least this ends it */
    double work;        /* inductions, at most, about; INFINITY: any number */
    const box_options *options;
    const deadline *limit;
    void (*progress)(void *context, double bound); /* called after each pricing with the bound so far; NULL: nobody asks */
    void *progress_context;
} box_task;

/* agree: V is that of policies whose classes agree (plan/spatial/box_pricer.h), unless a node has too many choices. */
vouch_status box_bound_new(const policy_space *space, bool agree, box_bound **out);
void box_bound_free(box_bound *b); /* NULL is fine */

/* Bounds the box in low, high, which must not be empty. */
vouch_status box_bound_solve(box_bound *b, const box_task *task, box_end *end);

/* *value: the least maximum regret of mixtures of the task's policies, moved into the box in low, high. Column generation without
 * rows ends at this value or below. Columns and multipliers of the last box are released. */
vouch_status box_bound_estimate(box_bound *b, const box_task *task, double *value);

/* Releases the columns and multipliers of the last box. */
void box_bound_forget(box_bound *b);
/* The ranges of node n are made, if they are not there. */
void box_bound_range(box_bound *b, int n);
/* The induction at the prices in b->reward and mu [K]. */
box_induction box_bound_induction(const box_bound *b, const double mu[]);
/* What a bound is of multipliers `value` before V is taken off; b->reward is then what V is of. */
double box_bound_base(box_bound *b, const double value[]);
/* Inductions so far, with the work of searches for policies whose classes agree. */
double box_bound_worked(const box_bound *b);

/* Forgets the ranges of the last box; to be called when low or high change outside box_bound_solve. */
void box_bound_enter(box_bound *b);

/* The bound of given multipliers for the box in low, high. Leaves the policy that attains V in prob. */
double box_bound_price(box_bound *b, const double value[]);

/* For every choice o: an upper limit on the bound that the last multipliers priced would give if o alone had the range low2[o] ..
 * high2[o] (inside low .. high): limit [choices]. Requires the last call to have been box_bound_price(b, value), which returned
 * `bound`. */
void box_bound_outlook(box_bound *b, const double value[], double bound, const double low2[], const double high2[], double limit[]);

#endif
