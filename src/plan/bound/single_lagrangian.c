/* plan/bound/single_lagrangian.c - the best price is sought where the lines of two prices meet, until they are met. See
 * lagrangian_loss.h. */
#include "plan/bound/single_lagrangian.h"

#include <math.h>

#include "policy/parameters.h"

/* What is best by the largest price keeps the promise as well as any policy does but for less than this: all rewards over what it
 * is. */
static const double OUT_OF_REACH = 2 / 1000.0;
/* A loss is less than what sums of prices say by this, relative to 1 + their size: their rounding. */
static const double PASSES = 1e-11;

double lagrangian_loss_of(const price_of *e, double value, double mu)
{
    if (value == -INFINITY) return INFINITY;
    double accepted = e->space->accepted[e->k];
    return e->space->optimal[e->k] - (value - mu * accepted) - e->space->rounding - PASSES * (1 + fabs(value));
}

double lagrangian_loss_at(const price_of *e, know_lagrangian *x, const unsigned char allowed[], double mu, double *q)
{
    double value = prices_solve(x, e->pairs, allowed, mu);
    if (q) *q = prices_keep(x, e->pairs);
    return lagrangian_loss_of(e, value, mu);
}

/* A price, what it shows is lost, and the q of what loses so. */
typedef struct price {
    double mu, loss, q;
} price;

/* loss(mu') <= loss(mu) + (accepted - q(mu)) (mu' - mu): the price where two such lines meet, and what they say there. false: they
 * do not. */
static bool meet(const price *low, const price *high, double accepted, price *at)
{
    double rise = accepted - low->q, fall = high->q - accepted;
    at->mu = (high->loss + fall * high->mu - low->loss + rise * low->mu) / (rise + fall);
    at->loss = low->loss + rise * (at->mu - low->mu);
    return rise + fall > 0 && at->mu > low->mu && at->mu < high->mu;
}

double lagrangian_loss(const price_of *e, know_lagrangian *x, const unsigned char allowed[], double cutoff, double *mu)
{
    const know_graph *g = e->space->g;
    double accepted = e->space->accepted[e->k], best;
    price low = {.mu = 0}, high = {.mu = SEARCH.largest_price * g->T * (1 + know_reward_spread(g))}, at;
    best = low.loss = lagrangian_loss_at(e, x, allowed, low.mu, &low.q);
    *mu = 0;
    if (best == INFINITY || best >= cutoff || low.q >= accepted) return best;
    high.loss = lagrangian_loss_at(e, x, allowed, high.mu, &high.q);
    if (accepted - high.q > OUT_OF_REACH) return INFINITY;
    if (high.loss > best) {
        best = high.loss;
        *mu = high.mu;
    }
    for (int i = 0; i < SEARCH.prices && best < cutoff && high.q >= accepted && meet(&low, &high, accepted, &at); i++) {
        double most = at.loss;
        at.loss = lagrangian_loss_at(e, x, allowed, at.mu, &at.q);
        if (at.loss > best) {
            best = at.loss;
            *mu = at.mu;
        }
        if (at.loss >= most - e->space->rounding) break;
        *(at.q < accepted ? &low : &high) = at;
    }
    return best;
}
