/* A linear program whose allocations fail, one after the other. */
#include "lp_aid.h"

/* Every allocation fails once: the call reports it, the problem stays usable, nothing leaks. */
static void a_failing_allocation_is_reported_and_leaves_nothing(void **state)
{
    (void)state;
    rng r = rng_seed(80);
    sample p = sample_random(&r, 30, 40);
    vouch_lp *whole = sample_load(&p);
    vouch_lp_result best = solve_checked(whole, NULL);
    const vouch_lp_factor factors[] = {VOUCH_FACTOR_DENSE, VOUCH_FACTOR_SPARSE};
    for (int f = 0; f < 2; f++) {
        for (int presolve = 0; presolve < 2; presolve++) {
            vouch_lp_options options;
            vouch_lp_options_init(&options);
            options.factor = factors[f];
            options.presolve = presolve;
            for (long k = 0;; k += 1 + k / 100) {
                vouch_lp *lp = NULL;
                mem_fail_after(k);
                vouch_lp_data data = sample_data(&p);
                vouch_status status = vouch_lp_new(&lp);
                if (!status) status = vouch_lp_load(lp, &data, NULL);
                if (!status) status = vouch_lp_solve(lp, &options);
                mem_fail_after(-1);
                if (status) assert_int_equal(status, VOUCH_ERROR_MEMORY);
                if (lp && vouch_lp_cols(lp) == p.n) {
                    vouch_lp_result again = solve_checked(lp, &options);
                    assert_same_result(&best, &again);
                }
                vouch_lp_free(lp);
                if (!status) break;
                assert_true(k < 20000);
            }
        }
    }
    vouch_lp_free(whole);
    sample_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_failing_allocation_is_reported_and_leaves_nothing)};
    return run_tests(tests);
}
