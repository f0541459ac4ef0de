/* plan/colgen/colgen.h - the bound of a search node by column generation over policies.
 *
 * Under the options allowed, the least regret of *mixtures of class policies* bounds the regret of deterministic L-updates
 * policies. The master program (program/program.h) mixes known policies; at its multipliers a backward induction over the classes
 * gives a new policy and a valid bound
 *
 *     sum_k (base + lambda_k + nu_k) U*(k) + sum_k mu_k p(k) - [cap sum_k lambda_k] [- sum_k nu_k room(k)] - V(root),
 *
 * the Lagrangian dual of the mixture problem (src/THEORY.md, 5.1). The bound covers all policies that count as keeping the
 * commitment, so its p(k) is space->accepted. The mixture aims at the same probabilities, or at higher ones if it is the answer;
 * then a distance remains, the value of the tolerance. The loop stops when the two meet, when the bound reaches the cutoff, or when
 * the remaining distance is small (`patience`). plan/colgen/colgen.h chooses the multipliers to price.
 *
 * With `pure` each policy of the mixture keeps the promise of one environment without randomisation: its largest value comes from
 * sets of pairs over the classes (know/pairs.h) instead of the induction. This bound dominates the mixture's and the bound by pairs
 * of that environment.
 *
 * Source: G. Dantzig, P. Wolfe, Operations Research 8 (1960); P. Gilmore, R. Gomory, Operations Research 9 (1961). Cost of a
 * column: an induction, O(arcs of the classes), and a master of 2K + 1 rows from the last basis. Invariants: multipliers are
 * nonnegative, lambda sums to at most the price of z; columns use allowed options only; `bound` comes from inductions.
 */
#ifndef PLAN_COLGEN_COLGEN_H
#define PLAN_COLGEN_COLGEN_H

#include "know/induction.h"
#include "know/pairs.h"
#include "policy/space.h"
#include "program/program.h"

/* The loop of column generation over policies, for all pricers.
 *
 *     solve the master program  ->  price its multipliers: a bound, and a policy  ->  add the policy  ->  solve it again
 *
 *     while (generation_next(x, &status)) { price; status = generation_add(x, regret, pr); }
 *
 * The pricers are likelihood classes (plan/colgen/colgen.c), expanded classes (plan/relax/belief_expansion.c), one-step look-ahead
 * (plan/relax/belief_expansion.c), and stagewise frames (plan/stage/stagewise_regret.c); each has its own stopping rule and its own
 * bounds. Boxes (plan/spatial/box_bound.c) have a loop of their own, since the rows of their master program grow, too.
 *
 * Phase one minimises the shortfall until a mixture keeps the promises; then phase two begins.
 *
 * Source: G. Dantzig, P. Wolfe, Operations Research 8 (1960). Cost of a round: a master of 2K + 1 rows from the last basis.
 */

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

/* The multipliers that a round of column generation prices.
 *
 * With few columns the multipliers of the master jump between corners, whose policies are of little use to a node whose optimal
 * multipliers are near its parent's. So a round steps from the multipliers of the best bound towards the master's,
 *
 *     lambda = centre + length * (aimed - centre),
 *
 * first with length 0, then twice as far if the bound of the last policy increases in that direction, and half as far if not.
 *
 * Source: P. Wentges, Int. Trans. Oper. Res. 4 (1997); A. Pessoa, R. Sadykov, E. Uchoa, F. Vanderbeck, INFORMS J. Comput. 30
 * (2018). O(K) a round.
 */

typedef struct smoothing {
    int count;
    double *centre, *aimed; /* [count] of the best bound; of the last master */
    double length;          /* of the next step: 0 .. 1 */
    bool better;            /* set by the caller: the last priced multipliers gave the best bound */
} smoothing;

/* Starts at lambda [count]. priced: they were priced. */
void smoothing_begin(smoothing *s, const double lambda[], bool priced);
/* Replaces the master's lambda by the multipliers to price. */
void smoothing_take(smoothing *s, double lambda[]);
/* After pricing lambda: the next step. slope [count]: of the bound of its optimal policy; repeated: that policy is not new. False:
 * no step finds another. */
bool smoothing_fit(smoothing *s, const double lambda[], const double slope[], bool repeated);

/* A policy of a mixture: figures, and its use of each option (uniform over environments). Search nodes share it. */
typedef struct column {
    atomic_int refs; /* nodes of several threads may hold it */
    int used;
    double *regret, *pr; /* [K] */
    int *option;         /* [used] ascending */
    double *mass;        /* [used] > 0 */
} column;

/* Room for `used` options, not set; NULL: memory. */
column *column_new(int K, int used);
void column_release(column *c); /* NULL is fine */

typedef enum colgen_end {
    COLGEN_SOLVED,     /* bound and mixture meet */
    COLGEN_CUT,        /* bound >= cutoff */
    COLGEN_INFEASIBLE, /* proved: no policy left keeps the commitment */
    COLGEN_STALLED,    /* bound is valid but may be weak: numerics, early stop, or no mixture reaches the aim */
    COLGEN_LIMIT
} colgen_end;

typedef struct colgen {
    const policy_space *space;
    generation mix; /* master, multipliers and mixture */
    arena memory;   /* of the fixed arrays below */
    /* the problem */
    master_goal goal;
    double cap;
    double gap;             /* set by the caller: bound and mixture meet within a part of it; INFINITY: within rounding */
    unsigned char *allowed; /* [options], set by the caller */
    double *aim;            /* [promises] lower limit on Pr(k) of the mixture; initially space->accepted */
    double *room;           /* [K] largest regret under the floors; NULL: no floors */
    know_pairs *pure;       /* over the classes, the caller's, for deterministic mixtures; else NULL */
    int pure_of;            /* the environment of their promise */
    bool direct;            /* no master: shares are given, and no promise or floor binds */
    bool by_slot;           /* masses per slot of each class instead of per option of each policy node (history policies) */
    /* the mixture */
    column **columns; /* [count] in the master, same order as mix.alpha */
    int count;
    size_t capacity;
    double *mass; /* [options, or slots] of the mixture, after colgen_mass */
    /* the last induction */
    bool smooth; /* use smoothing */
    smoothing step;
    double *slope;          /* [3K] of the last policy's bound in the multipliers */
    double *weight;         /* [K] of U(k) */
    double constant;        /* bound = constant - value of the root */
    double ahead;           /* increase of the bound if policies had to reach the aim; nonnegative */
    reachable_classes live; /* under the options allowed at it, or at a later probe */
    double *value;          /* [classes] where live */
    int *best;              /* [classes] slots, where live */
    bool priced;            /* it was of this solve, and of the regret */
    double *U, *Pr, *reach; /* [K], [K], [classes] of its policy */
    /* after colgen_solve */
    double bound;
    double *peak;         /* [3K] the multipliers of this bound, unless it is -INFINITY */
    double mixture;       /* value of the master, INFINITY if no mixture keeps the commitment */
    long long inductions; /* in all */
    long long most;       /* limit on the inductions of one solve; 0: none */
    bool passing;         /* the last induction of a solve need not belong to its bound */
    long long watched;    /* the node whose columns are recorded; 0: none */
    bool alone;           /* outside a tree: the record thins out columns by number */
    /* scratch */
    double *used;                       /* [slots] of a pure policy */
    double *trial;                      /* [classes] of colgen_probe */
    double *loss, *least, *option_loss; /* [classes], [classes], [options] of colgen_fix */
} colgen;

vouch_status colgen_new(const policy_space *space, colgen **out);
void colgen_free(colgen *cg); /* NULL is fine */

/* Sets the goal and removes all columns. */
void colgen_set_goal(colgen *cg, master_goal goal, double cap);

/* Changes the aim of mixtures; columns stay, and without any a node is started. */
vouch_status colgen_aim(colgen *cg, const double aim[]);

/* Starts a node with the columns [count] whose options are all allowed. */
vouch_status colgen_start(colgen *cg, column *const columns[], int count);

/* Runs column generation. cutoff: ends with a bound of at least this. patience: ends when the distance of mixture and bound is
 * below this fraction of (cutoff - bound); 0: runs to the end. */
vouch_status colgen_solve(colgen *cg, double cutoff, double patience, const deadline *limit, colgen_end *end);

/* Adds up mass [options] over the mixture. */
void colgen_mass(colgen *cg);

/* One backward induction at the current weight and mu. Returns V of the root. */
double colgen_induction(colgen *cg);

/* The Lagrangian bound at the last multipliers under `allowed`, which may differ from the last solve at policy nodes of `time`
 * only: one induction over the classes up to that time. -INFINITY after an induction of the shortfall. */
double colgen_probe(colgen *cg, int time);

/* Forbids options whose policies are no better than the cutoff by the reduced costs of the last induction, under its `allowed`.
 * Lists them in option [options] and returns their number. */
int colgen_fix(colgen *cg, double cutoff, int option[]);

#endif
