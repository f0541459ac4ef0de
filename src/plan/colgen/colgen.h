/* plan/colgen/colgen.h - the bound of a search node by column generation over policies.
 *
 * With some options forbidden, the least regret of *mixtures of class policies* bounds that of every deterministic L-updates
 * policy left. The master program (program/master.h) mixes known policies; its multipliers price one backward induction over the
 * classes, which gives both a new policy and a valid bound
 *
 *     sum_k (base + lambda_k + nu_k) U*(k) + sum_k mu_k p(k) - [cap sum_k lambda_k] [- sum_k nu_k room(k)] - V(root),
 *
 * the Lagrangian dual of the mixture problem (src/THEORY.md, 5.1). The bound is that of all policies which count as keeping the
 * commitment: there p(k) is space->accepted. The mixture aims at the same, or, where it is to be played, at more; then the two end
 * apart by what the tolerance is worth. The loop stops when the two meet, when the bound reaches the cutoff, or when it is no
 * longer worth it.
 *
 * With `pure` the policies that are mixed each keep the promise of one environment by themselves, so that no coin keeps it for
 * them: the largest worth of such a policy comes from sets of pairs over the classes (know/pairs.h) in the place of the induction.
 * That bound contains both the mixture's and that of the pairs of this environment alone.
 *
 * Which multipliers are priced: plan/colgen/smoothing.h.
 *
 * Source: G. Dantzig, P. Wolfe, Operations Research 8 (1960); P. Gilmore, R. Gomory, Operations Research 9 (1961). Cost of a
 * column: an induction, O(arcs of the classes), and a master of 2K + 1 rows from the last basis. Invariants: multipliers are not
 * negative, lambda sums to no more than the price of z; every column uses allowed options only; `bound` rests on inductions, never
 * on the master.
 */
#ifndef PLAN_COLGEN_COLGEN_H
#define PLAN_COLGEN_COLGEN_H

#include "base/arena.h"
#include "know/induction.h"
#include "know/pairs.h"
#include "plan/colgen/column.h"
#include "plan/colgen/generation.h"
#include "plan/colgen/smoothing.h"
#include "policy/space.h"

typedef enum colgen_end {
    COLGEN_SOLVED,     /* bound is that of the mixture problem (within tolerance) */
    COLGEN_CUT,        /* bound >= cutoff */
    COLGEN_INFEASIBLE, /* proved: no policy left keeps the commitment */
    COLGEN_STALLED,    /* bound is valid but may be weak: numerics, early stop, or no mixture reaches the aim */
    COLGEN_LIMIT
} colgen_end;

typedef struct colgen {
    const policy_space *space;
    generation mix; /* master, multipliers and mixture; by it no bound is proved */
    arena memory;   /* of the arrays below but those that grow */
    /* the problem */
    master_goal goal;
    double cap;
    double gap; /* set by the caller: bound and mixture need not be closer than a part of it; INFINITY: as close as to matter */
    unsigned char *allowed; /* [options], set by the caller */
    double *aim;            /* [promises] Pr(k) of the mixture is at least this; at first space->accepted */
    double *room;           /* [K] most regret under the floors, or NULL: there are none */
    know_pairs *pure; /* over the classes, the caller's: each policy keeps one promise by itself; NULL: only the mixture does */
    int pure_of;      /* the environment of that promise */
    bool direct;      /* multipliers are known without a master: shares are given, and no promise or floor binds */
    bool by_slot;     /* masses per slot of each class instead of per option of each policy node (history policies) */
    /* the mixture */
    column **columns; /* [count] in the master, same order as mix.alpha */
    int count;
    size_t capacity;
    double *mass; /* [options, or slots] of the mixture, after colgen_mass */
    /* the last induction */
    bool smooth; /* multipliers are found in steps; else they are the master's own */
    smoothing step;
    double *slope;          /* [3K] of the last policy's bound, by multipliers */
    double *weight;         /* [K] of U(k) */
    double constant;        /* bound = constant - value of the root */
    double ahead;           /* what the bound would be higher by, were aim needed to be kept; not negative */
    reachable_classes live; /* of the options allowed then, or at a probe after it */
    double *value;          /* [classes] where live */
    int *best;              /* [classes] slots, likewise */
    bool priced;            /* it was one of this solve, and of the regret */
    double *U, *Pr, *reach; /* [K], [K], [classes] of its policy */
    /* after colgen_solve */
    double bound;
    double mixture;       /* value of the master, INFINITY if no mixture keeps the commitment */
    long long inductions; /* in all */
    long long most;       /* of them in one solve, which then ends at a limit; 0: any number */
    bool passing;         /* the last induction of a solve need not be that of its bound */
    long long watched;    /* the node whose columns are recorded; 0: none */
    bool alone;           /* it is none of a search: columns are thinned out by their number */
    /* scratch */
    double *used;                       /* [slots] of a pure policy */
    double *trial;                      /* [classes] of colgen_probe */
    double *loss, *least, *option_loss; /* [classes], [classes], [options] of colgen_fix */
} colgen;

vouch_status colgen_new(const policy_space *space, colgen **out);
void colgen_free(colgen *cg); /* NULL is fine */

/* Sets what is minimised; removes all columns. */
void colgen_set_goal(colgen *cg, master_goal goal, double cap);

/* Another aim of the mixtures: the columns there are stay, and without any a node is started. */
vouch_status colgen_aim(colgen *cg, const double aim[]);

/* Starts a node: takes those of columns [count] whose options are all allowed now. */
vouch_status colgen_start(colgen *cg, column *const columns[], int count);

/* Runs column generation. cutoff: a bound at least this ends the node. patience: fraction of (cutoff - bound) below which the
 * distance of mixture and bound is good enough (0: to the end). */
vouch_status colgen_solve(colgen *cg, double cutoff, double patience, const deadline *limit, colgen_end *end);

/* Adds up mass [options] over the mixture. */
void colgen_mass(colgen *cg);

/* One backward induction at the multipliers at hand: weight and mu. V at the root. */
double colgen_induction(colgen *cg);

/* The Lagrangian bound at the last multipliers under the present `allowed`, which may differ from that of the last
 * solve at policy nodes of `time` only: one induction over the classes up to that time. -INFINITY after an induction of the
 * shortfall, which says nothing about regret. */
double colgen_probe(colgen *cg, int time);

/* Forbids the options that no policy below the cutoff uses anywhere it comes to, as far as the multipliers of the last induction
 * tell, under the `allowed` of that induction. option: [options], those newly forbidden; their number is returned. */
int colgen_fix(colgen *cg, double cutoff, int option[]);

#endif
