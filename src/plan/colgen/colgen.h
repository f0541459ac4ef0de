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
 * the remaining distance is small (`patience`). plan/colgen/smoothing.h chooses the multipliers to price.
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

#include <stdatomic.h>

#include "base/arena.h"
#include "know/induction.h"
#include "know/pairs.h"
#include "plan/colgen/generation.h"
#include "plan/colgen/smoothing.h"
#include "policy/space.h"

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
