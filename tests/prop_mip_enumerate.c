/* Random small integer programs against enumeration of all integer points, the continuous columns by LP; the
 * optimum found by enumeration is handed over as debug solution, so that a node which loses it is caught (in
 * builds with asserts). VOUCH_TEST_ROUNDS sets the number of problems. */
#include "test.h"

#include <vouch/mip.h>

#include "oracle/mips.h"

static double enumerate(const mips *p, double *best_x)
{
    vouch_lp_data d;
    vouch_lp_view(p->lp, &d);
    double x[MIPS_COLS], best = NAN;
    for (bool more = mips_first(p, x); more; more = mips_next(p, x)) {
        double y[MIPS_COLS];
        memcpy(y, x, sizeof y);
        if (!mips_keeps_sets(p->lp, x)) continue;
        double value = mips_complete(p, y);
        if (!isnan(value) && (isnan(best) || (d.maximize ? value > best : value < best))) {
            best = value;
            memcpy(best_x, y, sizeof y);
        }
    }
    return best;
}

static void solve_and_compare(const mips *p, const vouch_mip_options *options, double best, uint64_t seed)
{
    vouch_mip *mip;
    vouch_mip_result result;
    assert_int_equal(vouch_mip_new(&mip, p->lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, options), VOUCH_OK);
    vouch_mip_get_result(mip, &result);
    if (result.outcome != (isnan(best) ? VOUCH_MIP_INFEASIBLE : VOUCH_MIP_OPTIMAL))
        fail_msg("seed %llu: %s, objective %.12g, expected %.12g", (unsigned long long)seed, vouch_mip_outcome_text(result.outcome),
                 result.objective, best);
    if (!isnan(best)) {
        if (!(fabs(result.objective - best) <= 2e-6 * (1 + fabs(best))))
            fail_msg("seed %llu: %.12g, expected %.12g", (unsigned long long)seed, result.objective, best);
        double x[MIPS_COLS];
        memcpy(x, result.x, sizeof *x * (size_t)p->n);
        assert_true(mips_keeps_sets(p->lp, x));
        assert_true(!isnan(mips_complete(p, x)));
    } else {
        assert_false(result.has_incumbent);
        assert_null(result.x);
    }
    vouch_mip_free(mip);
}

static uint64_t rounds(int fallback) { return (uint64_t)test_count("VOUCH_TEST_ROUNDS", fallback); }

static void the_optimum_is_that_of_enumeration(void **state)
{
    (void)state;
    int feasible = 0, count = (int)rounds(600);
    for (int seed = 1; seed <= count; seed++) {
        mips p = mips_make((uint64_t)seed);
        double x[MIPS_COLS], best = enumerate(&p, x);
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

/* Failing allocations: a status, no crash, nothing wrong that is claimed in spite of them, and the next call works. */
static void a_failing_allocation_is_reported_and_leaves_nothing(void **state)
{
    (void)state;
    for (int seed = 3; seed <= 9; seed += 3) {
        mips p = mips_make((uint64_t)seed);
        double x[MIPS_COLS], best = enumerate(&p, x);
        for (long k = 0;; k++) {
            vouch_mip *mip = NULL;
            if (seed == 6)
                mem_fail_once(k);
            else
                mem_fail_after(k);
            vouch_status status = vouch_mip_new(&mip, p.lp);
            if (status == VOUCH_OK) status = vouch_mip_solve(mip, NULL);
            mem_fail_after(-1);
            if (status == VOUCH_OK) {
                vouch_mip_result r;
                vouch_mip_get_result(mip, &r);
                if (r.outcome == VOUCH_MIP_OPTIMAL) assert_near(r.objective, best, 1e-6 * (1 + fabs(best)));
                if (r.outcome == VOUCH_MIP_INFEASIBLE) assert_true(isnan(best));
            }
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_optimum_is_that_of_enumeration),
                                       cmocka_unit_test(a_failing_allocation_is_reported_and_leaves_nothing)};
    return run_tests(tests);
}
