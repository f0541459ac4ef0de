/* know/pairs.h - upper bounds on deterministic policies: Pareto sets of (reward, probability of keeping one promise).
 *
 * For each *item* i (a policy node in one environment, or a likelihood class) F(i) holds the pairs (u, q), reward to go and
 * probability of keeping the promise, of deterministic policies from i on that may choose anew at every arrival:
 *
 *     F(i) = Pareto of the union over allowed slots of  (pay of the slot) + sum over arcs  factor * F(child)      (sums of sets),
 *     F(i) = { (end_u, end_q) }  at the horizon,
 *
 * each set merged outwards to at most `most` pairs (know/pairs.h). So  max { u : (u, q) in F(root), q >= least }  is an upper bound
 * on the reward of deterministic policies that use allowed options and keep the promise with probability `least`. Near a binding
 * promise it is far below the bound of know/induction.h, which includes randomised policies.
 *
 * Cost: a sum of two sets is up to most^2 sums of pairs. Sets are stored between calls and recomputed only above a change; they
 * depend on the allowed options, not on earlier calls. A *trial* evaluates fewer options without changing the sets of its base:
 * trials may run in any order and concurrently. */
#ifndef KNOW_PAIRS_H
#define KNOW_PAIRS_H

#include "base/arena.h"
#include "know/classes.h"

/* ---- nondominated sets of points (u, q) of bounded size -------------------------------------------------------------------------
 *
 * A set is an array sorted by q descending and u ascending, both strictly: a front. It covers the points dominated by one of its
 * own. Every operation is *outward*: covered points stay covered. To limit the size, neighbours are replaced by their componentwise
 * maximum. */

enum { STAIRS_MOST = 128 }; /* points of a set that is summed */

typedef struct nondominated {
    double u, q;
    int from, to; /* origin, defined by the caller; a merged point has that of its part of largest q */
} nondominated;

typedef struct pareto_front {
    int most;              /* points of a set, at most STAIRS_MOST */
    double same_u, same_q; /* points closer than this in one coordinate are rounding duplicates, and merged */
    nondominated *rows[2]; /* [2 * most * most] scratch */
    long long work;        /* sums of two points so far */
} pareto_front;

/* The sums of a point of a [na] and factor times one of b [nb] into out [most]; out.from, out.to: their indices. na, nb in 1 ..
 * most, factor > 0. Returns their number. */
int front_sum(pareto_front *s, const nondominated a[], int na, const nondominated b[], int nb, double factor, nondominated out[]);

/* The union of a [na] and b [nb] into out [na + nb], which must not overlap them. Returns the number of points. */
int front_unite(const nondominated a[], int na, const nondominated b[], int nb, nondominated out[]);

/* Merges neighbours of x [n] in place until at most s->most remain, first those with the least area between the merged point and
 * its parts. Returns the number left. */
int front_thin(const pareto_front *s, nondominated x[], int n);

/* ---- upper bounds on deterministic policies --------------------------------------------------------------------------------- */

typedef struct know_pairs {
    int items, slots, arcs, widest; /* widest: largest number of arcs of a slot */
    int end;                        /* first item at the horizon */
    int *slot_start, *slot_option;  /* as in know_classes */
    int *arc_start, *arc_child;
    double *arc_factor;
    double *pay_u, *pay_q;     /* [slots] */
    double *end_u, *end_q;     /* [items] from `end` on */
    pareto_front pareto_front; /* most: maximum of pairs of an item */
    long long most_work;       /* limit of sums of pairs in a call; 0: none */
    double slack;              /* rounding error of q at the root: a sum of `widest` products in each step */

    nondominated *set;                   /* [items * most] from: slot, to: the pair of that slot's own set (pairs.c) */
    int *count;                          /* [items] */
    bool made;                           /* false: no set is valid */
    int options;                         /* above the option of any slot */
    int64_t *option_start, *above_start; /* [options + 1] the slots of an option, [items + 1] slots with an arc to an item */
    int *option_slot, *above;
    int *item;              /* [slots] owner */
    unsigned char *was;     /* [options] allowed when the sets were made */
    unsigned char *stale;   /* [items] the set is out of date */
    unsigned char *reached; /* [items] in the last call */

    nondominated *sum[2];  /* [most] scratch */
    nondominated *both[2]; /* [2 * most] */
    int *link; /* [widest * most * 2] each pair of the last slot is a sum of two pairs: their indices, in the order of the sums */
    double *want; /* [items * most] zero between calls */
    arena memory; /* of all arrays */

    const struct know_pairs *base; /* of a trial: holds all sets that are not its own; else NULL */
    unsigned char *own;            /* a trial's [items]: is the set its own? zero between calls */
} know_pairs;

/* Of environment k alone, over the policy nodes it reaches: u is U(k) and q is Pr(k). Nodes with a Pareto set (f may be NULL)
 * end in its vectors. most <= STAIRS_MOST. On failure *p is NULL. */
vouch_status pairs_new_environment(const know_graph *g, const pareto_sets *f, int k, int most, know_pairs **p);

/* Over likelihood classes, to be weighed before use. */
vouch_status pairs_new_classes(const know_classes *c, int most, know_pairs **p);
/* Sets u = sum_j weight_j U(j) + sum_{j /= k} mu_j Pr(j) and q = Pr(k). weight, mu >= 0 [K]. c: of pairs_new_classes. */
void pairs_weigh(know_pairs *p, const know_classes *c, const double weight[], const double mu[], int k);

/* An independent computation over the same items, slots and arcs, which it borrows. On failure *p is NULL. */
vouch_status pairs_new_copy(const know_pairs *from, know_pairs **p);
/* Room for trials beside the sets of base, which it borrows. On failure *p is NULL. */
vouch_status pairs_new_trial(const know_pairs *base, know_pairs **p);
void pairs_free(know_pairs *p); /* NULL is fine */

/* Computes the sets for allowed [options] and returns the largest u among the pairs of the root with q >= least: an upper bound, up
 * to the rounding of a sum. -INFINITY: no policy has such a q; INFINITY: work limit reached. */
double pairs_solve(know_pairs *p, const unsigned char allowed[], double least);

/* The result of pairs_solve of the base for allowed [options], a subset of the base's last ones. Only reads the base. */
double pairs_try(know_pairs *trial, const unsigned char allowed[], double least);

/* After pairs_solve with the same `least`: adds to mass [options], or by_slot [slots], the probability (product of factors) with
 * which the maximising policy uses each. A merged pair is traced to its part of largest q. */
void pairs_trace(know_pairs *p, double least, double mass[], bool by_slot);

/* At each item [items]: the probability of reaching it, and its product with u and q to go. */
typedef struct pairs_use {
    double *reach, *u, *q;
} pairs_use;

/* The same at the items. */
void pairs_trace_items(know_pairs *p, double least, const pairs_use *use);

/* The largest u among a slot's own pairs with q >= least, given the sets of its children; -INFINITY: none. */
double pairs_slot_most(know_pairs *p, int slot, double least);

/* Construction over the policy nodes of environment k (know/outcomes.c, too). A layout appends slots and arcs, or counts them. */
typedef struct pairs_layout {
    know_pairs *p; /* zeroed except items and end, set by the caller */
    const know_graph *g;
    size_t k;
    bool write; /* false: count */
} pairs_layout;

/* Probability of an edge in environment k. */
double layout_probability(const pairs_layout *l, int edge);
void layout_item(pairs_layout *l, int item); /* its slots follow */
void layout_slot(pairs_layout *l, int option, double u, double q);
void layout_arc(pairs_layout *l, int item, double factor);
/* Calls lay twice, to count and to write, and makes the sets of at most `most` pairs. Moves l->p to *out, or frees it. */
vouch_status pairs_lay_out(pairs_layout *l, int most, void (*lay)(void *context), void *context, know_pairs **out);

/* ---- the Lagrangian bound of one environment: pairs (know/pairs.h) without their sets -------------------------------------------
 *
 *     V(i) = max over allowed slots of  pay_u + mu pay_q + sum over arcs  factor * V(child),   at the horizon  end_u + mu end_q,
 *
 * is at least u + mu q for every pair of item i. So for every mu >= 0
 *
 *     max { u : (u, q) in F(root), q >= least }  <=  V(root) - mu least.
 *
 * It allows randomisation, so it is weaker than exact sets, but may be stronger than merged ones. Cost: one pass over the arcs. */

/* The last induction. */
typedef struct know_lagrangian {
    double *value;  /* [items] V; -INFINITY: no option is left */
    double *keep;   /* [items] q of the maximising policy */
    double *reach;  /* [items] its probability of reaching the item */
    double *trial;  /* [items] scratch */
    int *best;      /* [items] its slot; -1: none */
    long long work; /* slots evaluated so far */
} know_lagrangian;

/* For pairs of at most `items` items; the caller checks the arena for failure. */
void prices_make(know_lagrangian *x, int items, arena *a);

/* V(root) for allowed [options] and multiplier mu; fills value and best. */
double prices_solve(know_lagrangian *x, const know_pairs *p, const unsigned char allowed[], double mu);
/* q of the maximising policy at the root; fills keep. */
double prices_keep(know_lagrangian *x, const know_pairs *p);
/* Fills reach. */
void prices_trace(know_lagrangian *x, const know_pairs *p);
/* Value of a slot, given V of its children. */
double prices_slot(const know_lagrangian *x, const know_pairs *p, int slot, double mu);
/* V(root) with V of `item` replaced by `gain`, after prices_solve with the same mu. */
double prices_with(know_lagrangian *x, const know_pairs *p, const unsigned char allowed[], double mu, int item, double gain);

/* ---- the outcome of a policy from a node on while nothing distinguishes environments --------------------------------------------
 *
 * A choice *runs* if it leads to one policy node with certainty and the same reward in every environment of its node's set. From a
 * node on a deterministic policy follows its choices while they run: to the horizon, where it *ends* with the same (u, q), reward
 * and promise, in every environment, or to a choice that does not run, where it *leaves*. So each node has one outcome of a finite
 * set, independent of other nodes, which may be branched on like a choice:
 *
 *     outcome(n) = leaves                           where the choice at n does not run,
 *     outcome(n) = reward + outcome(next node)       where it does.                                                       (1)
 *
 * Many ways of waiting have one outcome. Each environment's pairs (know/pairs.h) are then over outcomes and leaving choices, so an
 * excluded outcome is missing from the sets of all arrivals in all environments. Sums that differ by rounding are one outcome, of
 * the larger reward, so sets stay outward. Source: src/THEORY.md, 5. */

/* Maximum of outcomes of a node; nodes with more have none, and choices that lead to them do not run. */
enum { OUTCOMES_MOST = 64 };

typedef struct know_outcomes {
    const know_graph *g;
    int options;              /* choices, then outcomes */
    int *first;               /* [nodes] option of the node's first outcome: it leaves */
    int *count;               /* [nodes] of outcomes; 0: too many */
    double *u, *q;            /* [options] of an outcome */
    int *next;                /* [choices] node that a choice runs to; -1: it does not run */
    int *link;                /* [choices * OUTCOMES_MOST] outcome of its node by outcome of the next one, as options */
    int *above_start, *above; /* [nodes + 1] nodes that run to a node */
    int *queue;               /* [nodes] circular, to be propagated */
    unsigned char *queued;    /* [nodes] zero between calls */
    arena memory;
} know_outcomes;

/* On failure *e is NULL. */
vouch_status outcomes_new(const know_graph *g, know_outcomes **e);
void outcomes_free(know_outcomes *e); /* NULL is fine */

/* allowed [options]: every choice except twins, and every outcome. */
void outcomes_allow_all(const know_outcomes *e, unsigned char allowed[]);

/* Removes from allowed [options] those excluded by (1), to the fixed point. at: the only node changed since the last fixed point;
 * -1: any. False: no policy remains. Cost: choices and outcomes of the nodes that change and of those that run there. */
bool outcomes_propagate(know_outcomes *e, int at, unsigned char allowed[]);

/* The pairs of environment k over choices and outcomes. On failure *p is NULL. */
vouch_status outcomes_pairs(const know_outcomes *e, int k, int most, know_pairs **p);

#endif
