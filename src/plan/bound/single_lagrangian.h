/* plan/bound/single_lagrangian.h - what environment k loses at least where keeping its promise has a price:
 *
 *     loss(k) >= U*_c(k) - V_k(mu) + mu accepted(k)     for every mu >= 0,      V_k(mu) the most that u + mu q can be
 * (know/single_lagrangian.h).
 *
 * The Lagrangian bound of one environment: (5.1) of src/THEORY.md with lambda = e_k. Invariant: no policy of what is allowed that
 * keeps the promise loses less.
 */
#ifndef PLAN_BOUND_SINGLE_LAGRANGIAN_H
#define PLAN_BOUND_SINGLE_LAGRANGIAN_H

#include "know/single_lagrangian.h"
#include "policy/space.h"

/* Environment k of a space, and its pairs. */
typedef struct price_of {
    const policy_space *space;
    const know_pairs *pairs;
    int k;
} price_of;

/* The loss that a value of V_k(mu) shows; INFINITY where there is no policy. */
double lagrangian_loss_of(const price_of *e, double value, double mu);
/* Under allowed [options]; *q, unless NULL: the q of what loses so. x is as prices_solve leaves it. */
double lagrangian_loss_at(const price_of *e, know_lagrangian *x, const unsigned char allowed[], double mu, double *q);
/* By the best price, as far as the cutoff; *mu: that price. */
double lagrangian_loss(const price_of *e, know_lagrangian *x, const unsigned char allowed[], double cutoff, double *mu);

#endif
