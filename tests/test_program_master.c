/* program/master: mixture and multipliers prove its optimum for any conditions, with few and with many environments. */
#include "test.h"

#include <math.h>

#include "base/memory.h"
#include "base/rng.h"
#include "program/program.h"

enum { COLUMNS = 40, MOST = 300 };
static const double NEAR = 1e-7;

typedef struct drawn {
    int K;
    double regret[COLUMNS][MOST], pr[COLUMNS][MOST], p[MOST];
    double lambda[MOST], nu[MOST], mu[MOST], alpha[COLUMNS];
} drawn;

static void draw(drawn *d, int K, uint64_t seed)
{
    rng r = rng_seed(seed);
    d->K = K;
    for (int k = 0; k < K; k++) d->p[k] = 0.35 + 0.1 * rng_unit(&r);
    for (int i = 0; i < COLUMNS; i++)
        for (int k = 0; k < K; k++) {
            d->regret[i][k] = rng_unit(&r);
            d->pr[i][k] = rng_unit(&r);
        }
    for (int k = 0; k < K; k++) d->pr[0][k] = 1; /* what keeps every promise, at a price */
    for (int k = 0; k < K; k++) d->regret[0][k] = 2;
}

/* The mixture satisfies all conditions; no column exceeds the bound by the multipliers, which is the value. */
static void judge(const drawn *d, int columns, double value)
{
    double sum = 0, lambda = 0, least = INFINITY;
    for (int i = 0; i < columns; i++) sum += d->alpha[i];
    assert_true(fabs(sum - 1) < NEAR);
    for (int k = 0; k < d->K; k++) {
        double regret = 0, pr = 0;
        for (int i = 0; i < columns; i++) {
            regret += d->alpha[i] * d->regret[i][k];
            pr += d->alpha[i] * d->pr[i][k];
        }
        assert_true(regret <= value + NEAR);
        assert_true(pr >= d->p[k] - NEAR);
        lambda += d->lambda[k];
        assert_true(d->lambda[k] >= 0 && d->mu[k] >= 0);
    }
    assert_true(fabs(lambda - 1) < NEAR);
    for (int i = 0; i < columns; i++) {
        double worth = 0;
        for (int k = 0; k < d->K; k++) worth += d->lambda[k] * d->regret[i][k] + d->mu[k] * (d->p[k] - d->pr[i][k]);
        least = fmin(least, worth);
    }
    assert_true(fabs(least - value) < NEAR);
}

static void mixture_and_multipliers_prove_each_other(void **state)
{
    (void)state;
    static const int sizes[] = {3, 127, 128, 300};
    drawn *d = MEM_NEW(drawn, 1);
    for (int i = 0; i < 4; i++) {
        master *m;
        bool ok;
        master_optimum optimum = {0, d->lambda, d->nu, d->mu, d->alpha};
        draw(d, sizes[i], (uint64_t)i + 1);
        assert_int_equal(master_new(d->K, NULL, NULL, &m), VOUCH_OK);
        assert_int_equal(master_reset(m, MASTER_MAX_REGRET, d->p, 0, 0, NULL), VOUCH_OK);
        for (int columns = 1; columns <= COLUMNS; columns++) {
            assert_int_equal(master_add(m, d->regret[columns - 1], d->pr[columns - 1]), VOUCH_OK);
            if (columns == 1) {
                assert_int_equal(master_solve(m, false, NULL, &ok, &optimum), VOUCH_OK);
                assert_true(ok && optimum.value < NEAR); /* nothing is short of a promise */
            }
            assert_int_equal(master_solve(m, true, NULL, &ok, &optimum), VOUCH_OK);
            assert_true(ok);
            judge(d, columns, optimum.value);
        }
        for (int k = 0; k < d->K; k++) d->p[k] -= 0.05;
        assert_int_equal(master_aim(m, d->p), VOUCH_OK);
        assert_int_equal(master_solve(m, true, NULL, &ok, &optimum), VOUCH_OK);
        assert_true(ok);
        judge(d, COLUMNS, optimum.value);
        master_free(m);
    }
    mem_free(d);
}

/* Phase one: the least that some promise is missed by. */
static void shortfall_of_many(void **state)
{
    (void)state;
    drawn *d = MEM_NEW(drawn, 1);
    draw(d, MOST, 7);
    for (int k = 0; k < MOST; k++) d->p[k] += 0.3;
    master *m;
    bool ok;
    master_optimum optimum = {0, d->lambda, d->nu, d->mu, d->alpha};
    assert_int_equal(master_new(d->K, NULL, NULL, &m), VOUCH_OK);
    assert_int_equal(master_reset(m, MASTER_MAX_REGRET, d->p, 0, 0, NULL), VOUCH_OK);
    for (int i = 1; i < COLUMNS; i++) assert_int_equal(master_add(m, d->regret[i], d->pr[i]), VOUCH_OK);
    assert_int_equal(master_solve(m, false, NULL, &ok, &optimum), VOUCH_OK);
    assert_true(ok && optimum.value > 0);
    double most = 0, least = INFINITY, prices = 0;
    for (int k = 0; k < d->K; k++) {
        double pr = 0;
        for (int i = 1; i < COLUMNS; i++) pr += d->alpha[i - 1] * d->pr[i][k];
        most = fmax(most, d->p[k] - pr);
        prices += d->mu[k];
    }
    assert_true(fabs(most - optimum.value) < NEAR);
    assert_true(fabs(prices - 1) < NEAR);
    for (int i = 1; i < COLUMNS; i++) {
        double worth = 0;
        for (int k = 0; k < d->K; k++) worth += d->mu[k] * (d->p[k] - d->pr[i][k]);
        least = fmin(least, worth);
    }
    assert_true(fabs(least - optimum.value) < NEAR);
    master_free(m);
    mem_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixture_and_multipliers_prove_each_other),
        cmocka_unit_test(shortfall_of_many),
    };
    return run_tests(tests);
}
