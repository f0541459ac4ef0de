/* plan/colgen/generation.h - the loop of column generation over policies, for all pricers.
 *
 *     solve the master program  ->  price its multipliers: a bound, and a policy  ->  add the policy  ->  solve it again
 *
 *     while (generation_next(x, &status)) { price; status = generation_add(x, regret, pr); }
 *
 * The pricers are likelihood classes (plan/colgen/colgen.c), expanded classes (plan/relax/belief_expansion.c), one-step look-ahead
 * (plan/relax/guided.c), and stagewise frames (plan/stage/stagewise_regret.c); each has its own stopping rule and its own bounds.
 * Boxes (plan/spatial/box_bound.c) have a loop of their own, since the rows of their master program grow, too.
 *
 * Phase one minimises the shortfall until a mixture keeps the promises; then phase two begins.
 *
 * Source: G. Dantzig, P. Wolfe, Operations Research 8 (1960). Cost of a round: a master of 2K + 1 rows from the last basis.
 */
#ifndef PLAN_COLGEN_GENERATION_H
#define PLAN_COLGEN_GENERATION_H

#include "base/trace.h"
#include "policy/space.h"
#include "program/program.h"

typedef struct generation {
    master *program;          /* NULL: not needed, a single policy is the best mixture */
    double rounding;          /* tolerance of a kept promise */
    double *lambda, *nu, *mu; /* [K] each in one block: multipliers of the last master; the pricer may change them */
    double *alpha;            /* [columns] the mixture; 0 for columns added since the last master */
    size_t capacity;
    bool feasible;         /* phase two */
    double value;          /* of the last master: in phase one the shortfall */
    const deadline *limit; /* set by the caller; NULL: none */
    int rounds, most;      /* set by the caller: masters solved in one loop, and their limit */
    bool limited;          /* generation_next returned false because time is over */
    vouch_trace *trace;    /* NULL: none */
} generation;

/* needed: with a master program. *x must be cleared even after an error. */
vouch_status generation_init(generation *x, const policy_space *space, bool needed);
void generation_clear(generation *x);
/* Begins phase one without columns; arguments as in master_reset. */
vouch_status generation_begin(generation *x, master_goal goal, const double p[], double cap, const double room[]);
/* Adds a policy. regret, pr: [K] */
vouch_status generation_add(generation *x, const double regret[], const double pr[]);
/* Solves the master, twice if phase one ends. True: there are multipliers to price. */
bool generation_next(generation *x, vouch_status *status);

#endif
