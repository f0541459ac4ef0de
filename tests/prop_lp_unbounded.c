/* Unbounded programs whose costs lead to very distant points, which violate rows by rounding: a ray and any feasible point prove
 * them. */
#include "lp_aid.h"

enum { ROWS = 400, COLS = 4 * ROWS, PROGRAMS = 40, DEFAULT_SEED = 9 };

/* Three entries a column, of magnitudes from .01 to 100, a tenth of the columns free, rows of all kinds around a point. */
static sample far(rng *r)
{
    sample p = sample_new(ROWS, COLS);
    for (int j = 0; j < COLS; j++) {
        double x = pick(r, 3) ? 0 : 5 * rng_unit(r);
        int first = pick(r, ROWS), gap = 1 + pick(r, ROWS / 3);
        for (int k = 0; k < 3; k++) {
            int i = (first + k * gap) % ROWS;
            double v = (pick(r, 10) < 7 ? 1 : -1) * (0.1 + 9.9 * rng_unit(r)) * pow(10, pick(r, 3) - 1);
            entry(&p, i, v);
            p.rl[i] += v * x;
        }
        close_column(&p, j);
        p.cost[j] = pick(r, 2) ? pick(r, 26) - 5 : 0;
        p.cl[j] = pick(r, 10) ? 0 : -INFINITY;
        p.cu[j] = INFINITY;
    }
    for (int i = 0; i < ROWS; i++) {
        int kind = pick(r, 3);
        p.ru[i] = kind == 0 ? INFINITY : p.rl[i];
        if (kind == 1) p.rl[i] = -INFINITY;
    }
    return p;
}

/* Do rows allow x, or moves along it, but for rounding of the terms? */
static void check_rows(const sample *p, const double x[], bool ray)
{
    double sum[ROWS] = {0}, size[ROWS] = {0};
    for (int j = 0; j < p->n; j++) {
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            sum[p->index[e]] += p->value[e] * x[j];
            size[p->index[e]] += fabs(p->value[e] * x[j]);
        }
    }
    for (int i = 0; i < ROWS; i++) {
        double tol = 1e-9 * (ray ? size[i] : 1 + size[i]);
        if (!isinf(p->rl[i])) assert_true(sum[i] >= (ray ? 0 : p->rl[i]) - tol);
        if (!isinf(p->ru[i])) assert_true(sum[i] <= (ray ? 0 : p->ru[i]) + tol);
    }
}

static void check_unbounded(const sample *p, const vouch_lp_result *result)
{
    double gain = 0;
    for (int j = 0; j < p->n; j++) {
        gain -= p->cost[j] * result->ray[j];
        assert_true(isinf(p->cl[j]) || (result->ray[j] >= 0 && result->x[j] >= -1e-9));
    }
    assert_true(gain > 0);
    check_rows(p, result->ray, true);
    check_rows(p, result->x, false);
}

static void each_is_settled(void **state)
{
    (void)state;
    rng r = rng_seed(DEFAULT_SEED);
    int unbounded = 0;
    for (int number = 0; number < PROGRAMS; number++) {
        sample p = far(&r);
        vouch_lp *lp = sample_load(&p);
        vouch_lp_options options;
        vouch_lp_options_init(&options);
        options.presolve = pick(&r, 2) ? 2 : 0;
        assert_int_equal(vouch_lp_solve(lp, &options), VOUCH_OK);
        vouch_lp_result result;
        vouch_lp_get_result(lp, &result);
        if (result.outcome == VOUCH_LP_UNBOUNDED) check_unbounded(&p, &result);
        if (result.outcome != VOUCH_LP_UNBOUNDED && result.outcome != VOUCH_LP_OPTIMAL)
            fail_msg("program %d: %s", number, vouch_lp_outcome_text(result.outcome));
        unbounded += result.outcome == VOUCH_LP_UNBOUNDED;
        vouch_lp_free(lp);
        sample_free(&p);
    }
    if (unbounded < PROGRAMS / 2) fail_msg("%d of %d are unbounded", unbounded, (int)PROGRAMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_settled)};
    return run_tests(tests);
}
