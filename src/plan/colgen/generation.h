/* plan/colgen/generation.h - the loop of column generation over policies, whoever prices.
 *
 *     solve the master program  ->  price its multipliers: a bound, and a policy  ->  add the policy  ->  solve it again
 *
 *     while (generation_next(x, &status)) { price; status = generation_add(x, regret, pr); }
 *
 * Four price: likelihood classes (plan/colgen/colgen.c), expanded classes (plan/relax/belief_expansion.c), policies that look one
 * step ahead (plan/relax/guided.c), and what a stagewise frame leaves open (plan/stage/stagewise_frame.c). They say what is
 * enough. Boxes (plan/spatial/box_solve.c) have another master program, whose rows grow too, and a loop of their own.
 *
 * Until a mixture keeps the promises, phase one minimises by how much it misses them; then phase two begins.
 *
 * Source: G. Dantzig, P. Wolfe, Operations Research 8 (1960). Cost of a round: a master of 2K + 1 rows from the last basis.
 * Invariant: no bound comes from here; only those who price prove.
 */
#ifndef PLAN_COLGEN_GENERATION_H
#define PLAN_COLGEN_GENERATION_H

#include "base/trace.h"
#include "policy/space.h"
#include "program/master.h"

typedef struct generation {
    master *program;          /* NULL where none is needed: one policy is the best mixture */
    double rounding;          /* a mixture that misses a promise by no more misses none */
    double *lambda, *nu, *mu; /* [K] each in one block: multipliers of the last master, for whoever prices to change */
    double *alpha;            /* [columns] the mixture; 0 of columns that the last master did not have */
    size_t capacity;
    bool feasible;         /* phase two */
    double value;          /* of the last master: in phase one of what mixtures miss */
    const deadline *limit; /* NULL: none; the caller's */
    int rounds, most;      /* of one loop: masters solved, and how many may be; both the caller's */
    bool limited;          /* generation_next has said false since time is over */
    vouch_trace *trace;    /* NULL: none */
} generation;

/* With a master of the space if it is needed. *x is to be cleared even after an error. */
vouch_status generation_init(generation *x, const policy_space *space, bool needed);
void generation_clear(generation *x);
/* No columns, and phase one. The arguments are those of master_reset. */
vouch_status generation_begin(generation *x, master_goal goal, const double p[], double cap, const double room[]);
/* A policy more. regret, pr: [K] */
vouch_status generation_add(generation *x, const double regret[], const double pr[]);
/* Solves the master, in both phases if the first one ends now: true if there are multipliers to price. */
bool generation_next(generation *x, vouch_status *status);

#endif
