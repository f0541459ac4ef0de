/* plan/bound/single_lagrangian.h - the Lagrangian bound of one environment, (5.1) of src/THEORY.md with lambda = e_k:
 *
 *     loss(k) >= U*_c(k) - V_k(mu) + mu accepted(k)     for every mu >= 0,      V_k(mu) = max u + mu q
 * (know/pairs.h) over the allowed policies that keep the promise.
 */
#ifndef PLAN_BOUND_SINGLE_LAGRANGIAN_H
#define PLAN_BOUND_SINGLE_LAGRANGIAN_H

#include "know/pairs.h"
#include "policy/space.h"

/* Environment k of a space, and its pairs. */
typedef struct price_of {
    const policy_space *space;
    const know_pairs *pairs;
    int k;
} price_of;

/* The loss bound from V_k(mu) = value; INFINITY: no policy. */
double lagrangian_loss_of(const price_of *e, double value, double mu);
/* The loss bound at mu under allowed [options]; *q, unless NULL: q of the maximising policy. x is left as by prices_solve. */
double lagrangian_loss_at(const price_of *e, know_lagrangian *x, const unsigned char allowed[], double mu, double *q);
/* The loss bound at the best price, or at the first one that reaches the cutoff; *mu: that price. */
double lagrangian_loss(const price_of *e, know_lagrangian *x, const unsigned char allowed[], double cutoff, double *mu);

#endif
