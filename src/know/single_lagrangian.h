/* know/single_lagrangian.h - what is gained at most where keeping the promise has a price: pairs (know/pairs.h) without their sets.
 *
 *     V(i) = max over allowed slots of  pay_u + mu pay_q + sum over arcs  factor * V(child),      V(i) = end_u + mu end_q at the
 * horizon
 *
 * is no less than u + mu q of any pair of item i, so that for every mu >= 0
 *
 *     max { u : (u, q) in F(root), q >= least }  <=  V(root) - mu least.
 *
 * That is weaker than the sets are while these are exact, since it allows coins, and may be stronger once they are merged. Cost:
 * the arcs once, where sets take up to most^2 sums for each.
 */
#ifndef KNOW_SINGLE_LAGRANGIAN_H
#define KNOW_SINGLE_LAGRANGIAN_H

#include "know/pairs.h"

/* Of the pairs last priced. */
typedef struct know_lagrangian {
    double *value;  /* [items] V; -INFINITY: no option is left */
    double *keep;   /* [items] the q of what is behind it */
    double *reach;  /* [items] how likely the policy behind V(root) comes there */
    double *trial;  /* [items] scratch */
    int *best;      /* [items] slot behind V; -1: none */
    long long work; /* slots priced so far */
} know_lagrangian;

/* For pairs of so many items at most; the arrays are the arena's, which has failed where there is no memory. */
void prices_make(know_lagrangian *x, int items, arena *a);

/* V(root) under allowed [options] by the price mu, and V and the slots behind it. */
double prices_solve(know_lagrangian *x, const know_pairs *p, const unsigned char allowed[], double mu);
/* Pr of the policy behind V(root); fills x->keep. */
double prices_keep(know_lagrangian *x, const know_pairs *p);
/* Fills x->reach. */
void prices_trace(know_lagrangian *x, const know_pairs *p);
/* What item i gains by this slot, as V prices what follows. */
double prices_slot(const know_lagrangian *x, const know_pairs *p, int slot, double mu);
/* V(root) if item i gains `gain` and no more, as after prices_solve by the same mu otherwise. */
double prices_with(know_lagrangian *x, const know_pairs *p, const unsigned char allowed[], double mu, int item, double gain);

#endif
