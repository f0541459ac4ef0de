/* plan/reach/reach.h - bounds by potentials over intervals of reach (THEORY.md, (5.6)).
 *
 * Let lo_e(n) and hi_e(n) be the least and the largest probability with which an allowed policy reaches policy node n
 * in environment e. For lambda >= 0 of sum 1, mu >= 0 and any numbers V_e(n), with V_e(n) the mu of the promises that n keeps at T,
 *
 *     A_e(n,a) = lambda_e R_e(n,a) + sum over n' of P_e(n'|n,a) V_e(n') - V_e(n),
 *     B = sum of lambda_e U*_e + mu p - V_e(root)  -  sum over n of max over a of sum_e max(lo_e(n) A_e(n,a), hi_e(n) A_e(n,a))
 *
 * is no more than the maximum regret of any policy, deterministic or with coins, that uses these options and keeps the promises.
 * With lambda = 0 and B > 0 there is none. V is the value of a reference policy under lambda and mu, plus W.
 */
#ifndef PLAN_REACH_REACH_H
#define PLAN_REACH_REACH_H

#include "policy/space.h"

/* A model as the bound reads it. Environments e are those of the user: rows of one environment differ in their promises alone. */
typedef struct reach_model {
    const policy_space *space;
    arena memory;
    int E, J, P, nodes, edges;
    double *prob;               /* [E * edges] */
    double *gain, *keep;        /* advantages of a choice over the reference: [E * choices] in reward, [K * choices] in promises */
    double *to_go, *kept;       /* of the reference from a node on: [E * nodes] reward, [K * nodes] promises kept */
    double *regret, *lack;      /* [E] U* less U, [P] required less Pr, of the reference */
    double *share;              /* [E] fixed lambda; NULL: it is chosen */
    unsigned char *straight;    /* [choices] are the children of the choice neighbours? */
    int *parent_start, *parent; /* [nodes + 1], [edges] the node before each edge that leads to a node, ascending */
    int *parent_edge;           /* [edges] that edge */
    unsigned char *promised;    /* [P] may its mu be positive? */
    unsigned char *regretful;   /* [E] may its lambda be? Not where all policies have the same regret, unless it is so everywhere */
    int regretfuls;
} reach_model;

/* Multipliers, one array from W on. */
typedef struct reach_point {
    double *W, *lambda, *mu; /* [E * nodes], [E], [P] */
} reach_point;

/* A set of policies, and the best multipliers found for it. */
typedef struct reach_set {
    unsigned char *allowed; /* [choices] */
    double *lo, *hi;        /* [E * nodes] */
    reach_point at;
    double *often; /* [choices] how often the choice is the maximiser, recently */
    double bound;
} reach_set;

/* reference: pick [nodes]; NULL: for reach_spread alone. ERROR_MEMORY. */
vouch_status reach_model_make(const policy_space *space, const int reference[], reach_model *r);

void reach_set_make(const reach_model *r, reach_set *x, arena *a);    /* check a->failed */
void reach_set_all(const reach_model *r, reach_set *x, bool regrets); /* all policies; every lo 0, every hi 1 */
void reach_set_copy(const reach_model *r, reach_set *to, const reach_set *from);

/* ---- intervals ---- */

typedef struct reach_intervals {
    arena memory;
    double *up, *down; /* [slots * E * REACH_BLOCK] largest and least probability of reaching a node of the block from here */
    int *slot, *seen;  /* [nodes] */
    int *before;       /* [nodes] nodes from which the block is reached */
    int stamp;
    long long work, most; /* products, and their limit: beyond it intervals stay as they were, which are wider */
} reach_intervals;

enum { REACH_BLOCK = 32 };

void reach_intervals_make(const reach_model *r, reach_intervals *v); /* check v->memory.failed */
/* Sets lo and hi of x, exact for each node by itself, of the nodes below `changed` [nodes]; NULL: of all. */
void reach_intervals_find(const reach_model *r, reach_intervals *v, const unsigned char changed[], reach_set *x);
/* Mean over times and environments of the sum over n of hi: 1 where nature decides where one is, the number of nodes where the
 * policy does. By a weaker, faster pass: too large rather than too small. Ends above `enough`. Negative: memory is out. */
double reach_spread(const reach_model *r, double enough);

/* ---- the bound ---- */

typedef struct reach_bound {
    arena memory;
    double *A;                                  /* [E * choices] of the last evaluation */
    double *price;                              /* [K] mu of rows, averages spread over them */
    reach_point at, gradient, direction, scale; /* of an ascent; scale: squared lengths of steps */
    double *scratch;                            /* [E + P] */
    double *top;                                /* [nodes] term of the node */
    int *best;                                  /* [nodes] its maximiser; -1: nothing is allowed */
    long long work;                             /* products */
} reach_bound;

void reach_bound_make(const reach_model *r, reach_bound *b); /* check b->memory.failed */

/* B at the multipliers of x; sets A, top and best. */
double reach_value(const reach_model *r, reach_bound *b, const reach_set *x);
/* Allowance for rounding of a bound at the multipliers of x. */
double reach_doubt(const reach_model *r, const reach_set *x);

typedef struct reach_ascent {
    int passes, patience;
    double rise;   /* sought at first */
    double enough; /* ends the ascent */
    bool regrets;  /* false: lambda is 0, mu has sum 1 */
    const deadline *limit;
} reach_ascent;

/* Raises x->bound and improves its multipliers by supergradients with Polyak's step, deflected (Camerini, Fratta, Maffioli 1975).
 */
void reach_raise(const reach_model *r, reach_bound *b, const reach_ascent *how, reach_set *x);

#endif
