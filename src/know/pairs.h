/* know/pairs.h - the bound of pure policies: what reward goes with what probability of keeping one promise.
 *
 * For each *item* i (a policy node as one environment sees it, or a likelihood class) F(i) holds the pairs (u, q), reward to go and
 * probability of keeping the promise, that deterministic policies attain from i on when every arrival may choose anew:
 *
 *     F(i) = Pareto of the union over allowed slots of  (pay of the slot) + sum over arcs  factor * F(child)      (sums of sets),
 *     F(i) = { (end_u, end_q) }  at the horizon,
 *
 * each set merged outwards to at most `most` pairs (know/front.h). So  max { u : (u, q) in F(root), q >= least }  is at least what
 * any deterministic policy attains that uses allowed options only and keeps the promise with probability `least`. A mixture has
 * coins that these policies do not have: near a promise that binds, this is far below what know/induction.h allows.
 *
 * Cost: a sum of two sets is up to most^2 sums of pairs. Sets are kept from call to call, and made anew only above what has
 * changed; they depend on what is allowed and not on the calls before. A *trial* asks what they say if less is allowed, beside sets
 * that stay as they are: what it makes anew depends on these alone, so that trials may be made in any order, and at once.
 */
#ifndef KNOW_PAIRS_H
#define KNOW_PAIRS_H

#include "base/arena.h"
#include "know/classes.h"
#include "know/front.h"

typedef struct know_pairs {
    int items, slots, arcs, widest; /* widest: most arcs of a slot */
    int end;                        /* items from here on are at the horizon */
    int *slot_start, *slot_option;  /* as in know_classes */
    int *arc_start, *arc_child;
    double *arc_factor;
    double *pay_u, *pay_q;     /* [slots] */
    double *end_u, *end_q;     /* [items] read from `end` on */
    pareto_front pareto_front; /* most: pairs of an item */
    long long most_work;       /* sums of pairs after which a call gives up; 0: any number */
    double slack;              /* what rounding may take from q at the root: a sum of `widest` products in each step */

    nondominated *set;                   /* [items * most] from: slot, to: which pair of that slot's own set (pairs.c) */
    int *count;                          /* [items] */
    bool made;                           /* false: no set is, whatever the flags say */
    int options;                         /* above any of a slot */
    int64_t *option_start, *above_start; /* [options + 1] the slots of an option, [items + 1] those of which an item is a child */
    int *option_slot, *above;
    int *item;              /* [slots] that they are of */
    unsigned char *was;     /* [options] what was allowed when the sets were made */
    unsigned char *stale;   /* [items] something changed there or below since its set was made */
    unsigned char *reached; /* [items] in the last call */

    nondominated *sum[2];  /* [most] scratch */
    nondominated *both[2]; /* [2 * most] */
    int *link;             /* [widest * most * 2] what each pair of the last slot was made of, sum after sum */
    double *want;          /* [items * most] zero between calls */
    arena memory;          /* of all arrays */

    const struct know_pairs *base; /* a trial's: it has what is above, but for what it makes anew; else NULL */
    unsigned char *own;            /* a trial's [items]: is the set its own? zero between calls */
} know_pairs;

/* Of environment k alone, over the policy nodes that it comes to: u is U(k) and q is Pr(k). Nodes with a Pareto set (f may be NULL)
 * end in its vectors. most <= STAIRS_MOST. On failure *p is NULL. */
vouch_status pairs_new_environment(const know_graph *g, const pareto_sets *f, int k, int most, know_pairs **p);

/* Over likelihood classes, to be weighed before use. */
vouch_status pairs_new_classes(const know_classes *c, int most, know_pairs **p);
/* u is from now on  sum_j weight_j U(j) + sum_{j /= k} mu_j Pr(j),  and q is Pr(k). weight, mu >= 0 [K]. c: of pairs_new_classes.
 */
void pairs_weigh(know_pairs *p, const know_classes *c, const double weight[], const double mu[], int k);

/* The same sets, to be made anew apart: of a net that it borrows. On failure *p is NULL. */
vouch_status pairs_new_copy(const know_pairs *from, know_pairs **p);
/* Room for trials beside the sets of base, which it borrows. On failure *p is NULL. */
vouch_status pairs_new_trial(const know_pairs *base, know_pairs **p);
void pairs_free(know_pairs *p); /* NULL is fine */

/* Makes the sets for allowed [options] and returns the largest u among the pairs of the root with q >= least: above what any policy
 * attains, but for the rounding of a sum. -INFINITY: no policy gets there; INFINITY: given up. */
double pairs_solve(know_pairs *p, const unsigned char allowed[], double least);

/* What pairs_solve of the base would answer for allowed [options], none of which the base's last call did not allow. The base is
 * only read. */
double pairs_try(know_pairs *trial, const unsigned char allowed[], double least);

/* After pairs_solve with the same `least`: adds to mass [options], or by_slot [slots], how likely the policy behind its answer uses
 * each of them (factors multiplied along the way). A merged pair is traced to the one of its parts that keeps the promise best. */
void pairs_trace(know_pairs *p, double least, double mass[], bool by_slot);

/* How a policy uses each item [items]: how likely it comes there, and that times the u and q that it gains from there on. */
typedef struct pairs_use {
    double *reach, *u, *q;
} pairs_use;

/* After pairs_solve with the same `least`: of the policy behind its answer. */
void pairs_trace_items(know_pairs *p, double least, const pairs_use *use);

/* The largest u among a slot's own pairs with q >= least, as its children's sets are; -INFINITY: there is none. */
double pairs_slot_most(know_pairs *p, int slot, double least);

#endif
