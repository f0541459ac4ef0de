/* plan/bound/single_lagrangian.c - see single_lagrangian.h. The loss is concave in the price; its maximum is approached by the
 * intersections of tangents on both sides. */
#include "plan/bound/single_lagrangian.h"

#include "policy/parameters.h"

/* At the largest price the probability of the promise is maximal up to less than this: the spread of rewards over that price. */
static const double OUT_OF_REACH = 2 / 1000.0;
/* Allowance for the rounding of sums, relative to 1 + their size. */
static const double SUMS = 1e-11;

double lagrangian_loss_of(const price_of *e, double value, double mu)
{
    if (value == -INFINITY) return INFINITY;
    double accepted = e->space->accepted[e->k];
    return e->space->optimal[e->k] - (value - mu * accepted) - e->space->rounding - SUMS * (1 + fabs(value));
}

double lagrangian_loss_at(const price_of *e, know_lagrangian *x, const unsigned char allowed[], double mu, double *q)
{
    double value = prices_solve(x, e->pairs, allowed, mu);
    if (q) *q = prices_keep(x, e->pairs);
    return lagrangian_loss_of(e, value, mu);
}

/* A price, its loss bound, and q of its maximising policy. */
typedef struct price {
    double mu, loss, q;
} price;

/* loss(mu') <= loss(mu) + (accepted - q(mu)) (mu' - mu): the intersection of two such lines. False: none. */
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
