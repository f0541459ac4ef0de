/* check/average.c - promises on average: sum_k w(k) Pr_j(k) >= p_j over the prior w of the model (FORMAT.md). */
#include "check/check.h"

/* The error of a mean of doubles beyond the errors of its parts: of weights, products and sums. */
enum { MEAN_SUMS = 4, MEAN_PLACES = 52 };

void averages_owed(proof *x, node_graph *fewest)
{
    int K = x->m.K, J = x->m.J;
    mpq_t *most = rationals_new(x->ctx, (size_t)K);
    numbers weight = numbers_of(x->ctx, NULL, (size_t)K), price = numbers_of(x->ctx, NULL, (size_t)x->m.P);
    mpq_ptr rest = temp(x->ctx), level = temp(x->ctx), none = temp(x->ctx);
    for (int j = 0; j < J; j++) {
        if (!x->m.average[j]) continue;
        mpq_set_d(level, ldexp(K + MEAN_SUMS, -MEAN_PLACES));
        mpq_sub(x->mean[j], x->m.p[j], x->keep);
        mpq_sub(x->mean[j], x->mean[j], level);
        mpq_set(rest, x->mean[j]);
        for (int k = 0; k < K; k++) { /* the most Pr in environment k alone, and no more than 1 */
            put(price, (size_t)(k * J + j), x->m.one.q[0]);
            (void)bound_most(bound_alone(fewest, k), VALUES, weight, price, most[k]);
            put(price, (size_t)(k * J + j), none);
            if (mpq_cmp(most[k], x->m.one.q[0]) > 0) mpq_set(most[k], x->m.one.q[0]);
            mpq_mul(level, x->m.prior[k], most[k]);
            mpq_sub(rest, rest, level);
        }
        for (int k = 0; k < K; k++) { /* the share that the others cannot reach */
            int row = k * J + j;
            if (mpq_sgn(x->m.prior[k]) == 0) continue;
            mpq_div(level, rest, x->m.prior[k]);
            mpq_add(level, level, most[k]);
            if (mpq_cmp(level, x->enough[row]) <= 0) continue;
            mpq_set(x->enough[row], level);
            x->most_enough[row] = outward(x->ctx, level, DOWN);
        }
    }
}

void averages_show(const proof *x, mpq_ptr shown)
{
    mpq_ptr price = temp(x->ctx), gain = temp(x->ctx), part = temp(x->ctx);
    for (int j = 0; j < x->m.J; j++) {
        bool some = false;
        if (!x->m.average[j]) continue;
        mpq_set(gain, x->mean[j]);
        for (int k = 0; k < x->m.K; k++) {
            int row = k * x->m.J + j;
            if (mpq_sgn(x->m.prior[k]) == 0) continue;
            mpq_mul(part, x->m.prior[k], x->enough[row]);
            mpq_sub(gain, gain, part);
            mpq_div(part, x->price.q[row], x->m.prior[k]);
            if (!some || mpq_cmp(part, price) < 0) mpq_set(price, part);
            some = true;
        }
        if (mpq_sgn(gain) > 0) plus(x->ctx, shown, price, gain);
    }
}

int averages_missed(const proof *x, mpq_t least[], mpq_srcptr slack, bool *exactly)
{
    int found = -1;
    size_t temps = x->ctx->temps;
    mpq_ptr mean = temp(x->ctx);
    for (int j = x->m.J - 1; j >= 0; j--) {
        if (!x->m.average[j]) continue;
        mpq_set(mean, slack);
        for (int k = 0; k < x->m.K; k++) plus(x->ctx, mean, x->m.prior[k], least[k * x->m.J + j]);
        if (mpq_cmp(mean, x->mean[j]) < 0) found = j;
        if (exactly) *exactly = *exactly && mpq_cmp(mean, x->m.p[j]) >= 0;
    }
    x->ctx->temps = temps;
    return found;
}
