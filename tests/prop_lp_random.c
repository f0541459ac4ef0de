/* Random small problems: every method, factorisation and option must find and prove the same. VOUCH_LP_RANDOM sets how many. */
#include "lp_aid.h"

static const struct {
    const char *name;
    vouch_lp_method method;
    vouch_lp_factor factor;
    int presolve, scale, perturb;
} ways[] = {
    {"dual dense", VOUCH_LP_DUAL, VOUCH_FACTOR_DENSE, 0, 1, 1},
    {"dual sparse", VOUCH_LP_DUAL, VOUCH_FACTOR_SPARSE, 0, 1, 1},
    {"primal dense", VOUCH_LP_PRIMAL, VOUCH_FACTOR_DENSE, 0, 0, 0},
    {"primal sparse", VOUCH_LP_PRIMAL, VOUCH_FACTOR_SPARSE, 0, 1, 1},
    {"presolve", VOUCH_LP_AUTO, VOUCH_FACTOR_AUTO, 1, 1, 1},
    {"presolve primal", VOUCH_LP_PRIMAL, VOUCH_FACTOR_SPARSE, 1, 0, 1},
    {"presolve further", VOUCH_LP_AUTO, VOUCH_FACTOR_AUTO, 2, 1, 1},
};
#define WAYS (sizeof ways / sizeof *ways)

static void agree(const sample *p)
{
    vouch_lp_result first = {0};
    for (size_t k = 0; k < WAYS; k++) {
        vouch_lp_options options;
        vouch_lp_options_init(&options);
        options.method = ways[k].method;
        options.factor = ways[k].factor;
        options.presolve = ways[k].presolve;
        options.scale = ways[k].scale;
        options.perturb = ways[k].perturb;
        vouch_lp *lp = sample_load(p);
        vouch_lp_result r = solve_checked(lp, &options);
        if (k == 0)
            first = r;
        else
            assert_same_result(&first, &r);
        /* Solving again from the optimal basis changes nothing and takes no step. */
        vouch_lp_result again = solve_checked(lp, &options);
        assert_same_result(&first, &again);
        if (r.outcome == VOUCH_LP_OPTIMAL) assert_int_equal(again.iterations, 0);
        vouch_lp_free(lp);
    }
}

static void every_method_and_option_proves_the_same(void **state)
{
    (void)state;
    int count = test_share("VOUCH_LP_RANDOM", 3000), seen[VOUCH_LP_NUMERICAL + 1] = {0};
    rng r = rng_seed(20260101);
    for (int k = 0; k < count; k++) {
        sample p = k % 10 ? sample_random(&r, 8, 8) : sample_random(&r, 30, 40);
        agree(&p);
        vouch_lp *lp = sample_load(&p);
        vouch_lp_result result = solve_checked(lp, NULL);
        seen[result.outcome]++;
        vouch_lp_free(lp);
        sample_free(&p);
    }
    /* The generator must not degenerate into one kind. */
    assert_true(seen[VOUCH_LP_OPTIMAL] > count / 10);
    assert_true(seen[VOUCH_LP_INFEASIBLE] > count / 20);
    assert_true(seen[VOUCH_LP_UNBOUNDED] > count / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_and_option_proves_the_same),
    };
    return run_tests(tests);
}
