/* Random small integer programs against enumeration of all integer points, the continuous columns by LP; the optimum found by
 * enumeration is handed over as debug solution, so that a node which loses it is caught (in builds with asserts).
 * VOUCH_TEST_ROUNDS sets the number of problems. */
#include "test.h"

#include <stdbool.h>
#include <vouch/mip.h>

#include "base/rng.h"

enum { MOST_COLS = 12, MOST_ROWS = 8 };

typedef struct instance {
    vouch_lp *lp;
    int n, m;
    double lower[MOST_COLS], upper[MOST_COLS];
    bool integer[MOST_COLS];
} instance;

static instance make(uint64_t seed)
{
    instance p = {0};
    rng r = rng_seed(seed);
    p.n = 1 + (int)rng_below(&r, 9);
    p.m = (int)rng_below(&r, MOST_ROWS);
    int continuous = rng_below(&r, 3) == 0 ? 1 + (int)rng_below(&r, 3) : 0;
    int n = p.n + continuous;
    int64_t start[MOST_COLS + 1] = {0};
    int index[MOST_COLS * MOST_ROWS];
    double value[MOST_COLS * MOST_ROWS], cost[MOST_COLS], row_lower[MOST_ROWS], row_upper[MOST_ROWS], middle[MOST_ROWS] = {0};
    bool general = rng_below(&r, 3) == 0, whole_costs = rng_below(&r, 2), packing = rng_below(&r, 4) == 0;
    for (int j = 0; j < n; j++) {
        p.integer[j] = j < p.n;
        p.lower[j] = general && p.integer[j] && p.n <= 5 ? -(double)rng_below(&r, 3) : 0;
        p.upper[j] = general && p.n <= 5 ? p.lower[j] + (double)rng_below(&r, 4) : 1;
        if (!p.integer[j]) p.upper[j] = (double)rng_below(&r, 10);
        cost[j] = (double)rng_below(&r, 21) - 10;
        if (!whole_costs) cost[j] += rng_unit(&r);
        start[j + 1] = start[j];
        for (int i = 0; i < p.m; i++) {
            double a = packing && i < p.m / 2 ? 1 : (double)rng_below(&r, 19) - 9;
            if (rng_below(&r, 2) || a == 0) continue;
            index[start[j + 1]] = i;
            value[start[j + 1]++] = a;
            middle[i] += a * floor(p.lower[j] + (p.upper[j] - p.lower[j]) * rng_unit(&r));
        }
    }
    for (int i = 0; i < p.m; i++) {
        row_lower[i] = -INFINITY;
        row_upper[i] = INFINITY;
        double at = middle[i] + (double)rng_below(&r, 3) - 1;
        switch (rng_below(&r, 5)) {
        case 0: row_lower[i] = row_upper[i] = at; break;
        case 1: row_lower[i] = at; break;
        case 2: row_lower[i] = at - 3, row_upper[i] = at + 2; break;
        default: row_upper[i] = at; break;
        }
        if (packing && i < p.m / 2) row_lower[i] = -INFINITY, row_upper[i] = 1;
    }
    vouch_lp_data d = {.rows = p.m, .cols = n, .start = start, .index = index, .value = value, .cost = cost, .offset = (double)rng_below(&r, 5),
                       .maximize = (int)rng_below(&r, 2), .col_lower = p.lower, .col_upper = p.upper, .row_lower = row_lower, .row_upper = row_upper};
    assert_int_equal(vouch_lp_new(&p.lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(p.lp, &d, NULL), VOUCH_OK);
    for (int j = 0; j < p.n; j++) vouch_lp_set_integer(p.lp, j, 1);
    if (p.n >= 4 && rng_below(&r, 3) == 0) vouch_lp_add_sos1(p.lp, 3, (int[]){0, 1, 3}, NULL);
    p.n = n;
    return p;
}

static bool keeps_sets(const vouch_lp *lp, const double *x)
{
    for (int s = 0; s < vouch_lp_sos1_count(lp); s++) {
        int count, nonzero = 0;
        const int *cols;
        const double *weight;
        vouch_lp_sos1(lp, s, &count, &cols, &weight);
        for (int k = 0; k < count; k++) nonzero += fabs(x[cols[k]]) > 1e-9;
        if (nonzero > 1) return false;
    }
    return true;
}

/* Best objective of p with integer columns fixed to x; x gets the continuous ones. NAN: infeasible. */
static double complete(const instance *p, double *x)
{
    vouch_lp_data d;
    vouch_lp_view(p->lp, &d);
    bool continuous = false;
    for (int j = 0; j < p->n; j++) continuous = continuous || !p->integer[j];
    if (continuous) {
        vouch_lp *fixed;
        vouch_lp_result result;
        assert_int_equal(vouch_lp_clone(p->lp, &fixed), VOUCH_OK);
        for (int j = 0; j < p->n; j++)
            if (p->integer[j]) vouch_lp_set_col_bounds(fixed, j, x[j], x[j]);
        assert_int_equal(vouch_lp_solve(fixed, NULL), VOUCH_OK);
        vouch_lp_get_result(fixed, &result);
        bool found = result.outcome == VOUCH_LP_OPTIMAL;
        if (found) memcpy(x, result.x, sizeof *x * (size_t)p->n);
        else assert_int_equal(result.outcome, VOUCH_LP_INFEASIBLE);
        vouch_lp_free(fixed);
        if (!found) return NAN;
    } else {
        double sum[MOST_ROWS] = {0};
        for (int j = 0; j < p->n; j++)
            for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) sum[d.index[k]] += d.value[k] * x[j];
        for (int i = 0; i < p->m; i++)
            if (sum[i] < d.row_lower[i] - 1e-9 || sum[i] > d.row_upper[i] + 1e-9) return NAN;
    }
    double value = d.offset;
    for (int j = 0; j < p->n; j++) value += d.cost[j] * x[j];
    return value;
}

static double enumerate(const instance *p, double *best_x)
{
    vouch_lp_data d;
    vouch_lp_view(p->lp, &d);
    double x[MOST_COLS], best = NAN;
    for (int j = 0; j < p->n; j++) x[j] = p->lower[j];
    for (;;) {
        double y[MOST_COLS];
        memcpy(y, x, sizeof y);
        if (keeps_sets(p->lp, x)) {
            double value = complete(p, y);
            if (!isnan(value) && (isnan(best) || (d.maximize ? value > best : value < best))) {
                best = value;
                memcpy(best_x, y, sizeof y);
            }
        }
        int j = 0;
        for (; j < p->n; j++) {
            if (!p->integer[j]) continue;
            if (x[j] < p->upper[j]) {
                x[j]++;
                break;
            }
            x[j] = p->lower[j];
        }
        if (j == p->n) return best;
    }
}

static void solve_and_compare(const instance *p, const vouch_mip_options *options, double best, uint64_t seed)
{
    vouch_mip *mip;
    vouch_mip_result result;
    assert_int_equal(vouch_mip_new(&mip, p->lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, options), VOUCH_OK);
    vouch_mip_get_result(mip, &result);
    if (result.outcome != (isnan(best) ? VOUCH_MIP_INFEASIBLE : VOUCH_MIP_OPTIMAL))
        fail_msg("seed %llu: %s, objective %.12g, expected %.12g", (unsigned long long)seed, vouch_mip_outcome_text(result.outcome), result.objective, best);
    if (!isnan(best)) {
        if (!(fabs(result.objective - best) <= 2e-6 * (1 + fabs(best)))) fail_msg("seed %llu: %.12g, expected %.12g", (unsigned long long)seed, result.objective, best);
        double x[MOST_COLS];
        memcpy(x, result.x, sizeof *x * (size_t)p->n);
        assert_true(keeps_sets(p->lp, x));
        assert_true(!isnan(complete(p, x)));
    } else {
        assert_false(result.has_incumbent);
        assert_null(result.x);
    }
    vouch_mip_free(mip);
}

static uint64_t rounds(uint64_t fallback)
{
    const char *more = getenv("VOUCH_TEST_ROUNDS");
    return more ? strtoull(more, NULL, 10) : fallback;
}

static void equals_enumeration(void **state)
{
    (void)state;
    int feasible = 0, count = (int)rounds(600);
    for (int seed = 1; seed <= count; seed++) {
        instance p = make((uint64_t)seed);
        double x[MOST_COLS], best = enumerate(&p, x);
        feasible += !isnan(best);
        vouch_mip_options options;
        vouch_mip_options_init(&options);
        options.debug_solution = isnan(best) ? NULL : x;
        solve_and_compare(&p, &options, best, (uint64_t)seed);
        options.presolve = seed & 1;
        options.cuts = seed >> 1 & 1;
        options.heuristics = seed >> 2 & 1;
        solve_and_compare(&p, &options, best, (uint64_t)seed);
        vouch_lp_free(p.lp);
    }
    assert_true(feasible > count / 4 && feasible < count - count / 20);
}

/* Failing allocations: a status, no crash, and the next call works. */
static void survives_failing_allocations(void **state)
{
    (void)state;
    for (int seed = 3; seed <= 9; seed += 3) {
        instance p = make((uint64_t)seed);
        double x[MOST_COLS], best = enumerate(&p, x);
        for (long k = 0;; k++) {
            vouch_mip *mip = NULL;
            mem_fail_after(k);
            vouch_status status = vouch_mip_new(&mip, p.lp);
            if (status == VOUCH_OK) status = vouch_mip_solve(mip, NULL);
            mem_fail_after(-1);
            vouch_mip_free(mip);
            assert_true(status == VOUCH_OK || status == VOUCH_ERROR_MEMORY);
            if (status == VOUCH_OK && k > 2000) break;
        }
        solve_and_compare(&p, NULL, best, (uint64_t)seed);
        vouch_lp_free(p.lp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_enumeration), cmocka_unit_test(survives_failing_allocations)};
    return run_tests(tests);
}
