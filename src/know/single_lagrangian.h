/* know/single_lagrangian.h - the Lagrangian bound of one environment: pairs (know/pairs.h) without their sets.
 *
 *     V(i) = max over allowed slots of  pay_u + mu pay_q + sum over arcs  factor * V(child),   at the horizon  end_u + mu end_q,
 *
 * is at least u + mu q for every pair of item i. So for every mu >= 0
 *
 *     max { u : (u, q) in F(root), q >= least }  <=  V(root) - mu least.
 *
 * It allows randomisation, so it is weaker than exact sets, but may be stronger than merged ones. Cost: one pass over the arcs.
 */
#ifndef KNOW_SINGLE_LAGRANGIAN_H
#define KNOW_SINGLE_LAGRANGIAN_H

#include "know/pairs.h"

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

#endif
