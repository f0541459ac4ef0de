/* check/average.c - promises on average: sum_k w(k) Pr_j(k) >= p_j over the prior w of the model (FORMAT.md, "Promises on
 * average"). What kept means of a mean, what follows of each environment, and what multipliers of rows show of means.
 */
#include "check/check.h"

/* What a mean of doubles may be off by beyond its parts, for each environment and a few more: of weights, products and sums. */
enum { MEAN_SUMS = 4, MEAN_PLACES = 52 };

static mpq_ptr weight_of(const proof *x, int k) { return x->m.prior[k]; }

/* The most Pr of each row of promise j in its environment alone, to most [K], and no more than 1. */
static void find_most(proof *x, node_graph *fewest, int j, mpq_t most[])
{
    static bound alone[2]; /* room, under --interval and not */
    bound *b = &alone[(in_rationals & VALUES) != 0];
    numbers none = numbers_of(NULL, (size_t)x->m.K), price = numbers_of(NULL, (size_t)x->m.P);
    for (int k = 0; k < x->m.K; k++) {
        size_t row = (size_t)(k * x->m.J + j);
        put(price, row, x->m.one.q[0]);
        bound_over(b, fewest, rung_known(fewest, k));
        (void)bound_most(b, VALUES, none, price, most[k]);
        if (mpq_cmp(most[k], x->m.one.q[0]) > 0) mpq_set(most[k], x->m.one.q[0]);
        mpq_set_ui(price.q[row], 0, 1);
        put(price, row, price.q[row]);
    }
    numbers_free(&none);
    numbers_free(&price);
}

void averages_owed(proof *x, node_graph *fewest)
{
    mpq_t *most = rationals_new(x->m.K), rest, level;
    mpq_inits(rest, level, NULL);
    for (int j = 0; j < x->m.J; j++) {
        if (!x->m.average[j]) continue;
        mpq_set_ui(level, (unsigned long)(x->m.K + MEAN_SUMS), 1);
        mpq_div_2exp(level, level, MEAN_PLACES);
        mpq_sub(x->mean[j], x->m.p[j], x->keep);
        mpq_sub(x->mean[j], x->mean[j], level);
        find_most(x, fewest, j, most);
        mpq_set(rest, x->mean[j]);
        for (int k = 0; k < x->m.K; k++) {
            mpq_mul(level, weight_of(x, k), most[k]);
            mpq_sub(rest, rest, level);
        }
        for (int k = 0; k < x->m.K; k++) { /* what the others cannot reach */
            int row = k * x->m.J + j;
            if (mpq_sgn(weight_of(x, k)) == 0) continue;
            mpq_div(level, rest, weight_of(x, k));
            mpq_add(level, level, most[k]);
            if (mpq_cmp(level, x->enough[row]) <= 0) continue;
            mpq_set(x->enough[row], level);
            x->most_enough[row] = outward(level, DOWN);
        }
    }
    rationals_free(most, x->m.K);
    mpq_clears(rest, level, NULL);
}

void averages_show(const proof *x, mpq_t shown)
{
    mpq_t price, gain;
    mpq_inits(price, gain, NULL);
    for (int j = 0; j < x->m.J; j++) {
        bool some = false;
        if (!x->m.average[j]) continue;
        mpq_set(gain, x->mean[j]);
        for (int k = 0; k < x->m.K; k++) {
            int row = k * x->m.J + j;
            if (mpq_sgn(weight_of(x, k)) == 0) continue;
            mpq_t part;
            mpq_init(part);
            mpq_mul(part, weight_of(x, k), x->enough[row]);
            mpq_sub(gain, gain, part);
            mpq_div(part, x->price.q[row], weight_of(x, k));
            if (!some || mpq_cmp(part, price) < 0) mpq_set(price, part);
            some = true;
            mpq_clear(part);
        }
        if (mpq_sgn(gain) > 0) plus(shown, price, gain);
    }
    mpq_clears(price, gain, NULL);
}

int averages_missed(const proof *x, mpq_t least[], const mpq_t slack, bool *exactly)
{
    int found = -1;
    mpq_t mean;
    mpq_init(mean);
    for (int j = x->m.J - 1; j >= 0; j--) {
        if (!x->m.average[j]) continue;
        mpq_set(mean, slack);
        for (int k = 0; k < x->m.K; k++) plus(mean, weight_of(x, k), least[k * x->m.J + j]);
        if (mpq_cmp(mean, x->mean[j]) < 0) found = j;
        if (exactly) *exactly = *exactly && mpq_cmp(mean, x->m.p[j]) >= 0;
    }
    mpq_clear(mean);
    return found;
}
