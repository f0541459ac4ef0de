/* Contradictions that presolve meets are proved: its steps undone on the multipliers of the rows at fault give a ray that the
 * certificate accepts on the full problem. VOUCH_LP_PRESOLVE sets how many random problems. */
#include "lp_aid.h"

#include "lp/problem.h"
#include "lp/presolve.h"
#include "lp/simplex.h"

static void test_contradictions_are_proved(void **state)
{
    (void)state;
    int count = test_count("VOUCH_LP_PRESOLVE", 50000), hopeless = 0, proved = 0, through[STEP_SAME_COL + 1] = {0};
    rng r = rng_seed(7);
    for (int k = 0; k < count; k++) {
        sample s = pick(&r, 2) ? sample_random(&r, 12, 12) : sample_chained(&r);
        vouch_lp_data data = sample_data(&s);
        presolve *p;
        presolve_end end = presolve_run(&data, k % 2, &(deadline){0}, &p);
        double *y = calloc((size_t)s.m + 1, sizeof *y);
        if (end == PRESOLVE_HOPELESS) {
            hopeless++;
            int none = presolve_ray(p, y);
            assert_true(none >= 0);
            if (!none) {
                certainty sure;
                if (!(certify_farkas(&data, y, &sure) > 0)) fail_msg("problem %d: the ray proves nothing", k);
                proved++;
                bool used[STEP_SAME_COL + 1] = {false};
                for (size_t t = 0; t < p->step_count; t++) used[p->steps[t].kind] = true;
                for (int kind = 0; kind <= STEP_SAME_COL; kind++) through[kind] += used[kind];
            }
        }
        free(y);
        presolve_free(p);
        sample_free(&s);
    }
    assert_true(proved > count / 10);
    assert_true(hopeless > proved); /* unbounded ones are left to the simplex method */
    for (int kind = 0; kind <= STEP_SAME_COL; kind++) {
        if (through[kind] <= count / 5000) fail_msg("only %d proofs through steps of kind %d", through[kind], kind);
    }
}

/* x = 2 u, u <= 1 by a row of its own, x + v >= 5 with v <= 2 doubled by another row. */
static void test_no_iteration_needed(void **state)
{
    (void)state;
    sample s = sample_new(4, 3);
    const int index[] = {0, 2, 0, 1, 2, 3};
    const double value[] = {1, 1, -2, 1, 1, 2};
    const int64_t start[] = {0, 2, 4, 6};
    memcpy(s.index, index, sizeof index);
    memcpy(s.value, value, sizeof value);
    memcpy(s.start, start, sizeof start);
    for (int j = 0; j < 3; j++) s.cost[j] = 1, s.cu[j] = INFINITY;
    s.rl[1] = -INFINITY, s.ru[1] = 1;
    s.rl[2] = 5, s.ru[2] = INFINITY;
    s.rl[3] = -INFINITY, s.ru[3] = 4;
    vouch_lp *lp = sample_load(&s);
    vouch_lp_result r = solve_checked(lp, NULL);
    assert_int_equal(r.outcome, VOUCH_LP_INFEASIBLE);
    assert_int_equal(r.iterations, 0);
    vouch_lp_free(lp);
    sample_free(&s);
}

static const deadline over = {.limits = {.seconds = 1e-9}}; /* since the clock began */

/* A limit that is past ends presolve and scaling before they have looked at everything; without iterations a limit is the outcome.
 */
static void test_limits_are_kept(void **state)
{
    (void)state;
    rng r = rng_seed(4);
    for (int k = 0; k < 50; k++) {
        sample s = sample_chained_of(&r, 60, 60);
        vouch_lp_data data = sample_data(&s);
        presolve *p;
        presolve_end end = presolve_run(&data, false, &over, &p);
        assert_true(end == PRESOLVE_LIMIT || end == PRESOLVE_HOPELESS);
        assert_true(p->step_count < (size_t)(s.m + s.n));
        presolve_free(p);
        vouch_lp *lp = sample_load(&s);
        vouch_lp_options o;
        vouch_lp_options_init(&o);
        o.limits.seconds = 1e-9;
        assert_int_equal(vouch_lp_solve(lp, &o), VOUCH_OK);
        vouch_lp_result result;
        vouch_lp_get_result(lp, &result);
        assert_true(result.iterations == 0);
        assert_true(result.outcome == VOUCH_LP_LIMIT || result.outcome == VOUCH_LP_INFEASIBLE);
        vouch_lp_free(lp);
        sample_free(&s);
    }
}

static void test_scaling_keeps_a_limit(void **state)
{
    (void)state;
    sparse a;
    double row[1], col[1], scratch[2];
    assert_int_equal(sparse_init(&a, 1), 0);
    assert_int_equal(sparse_append(&a, 1, (int[]){0}, (double[]){1000}), 0);
    assert_false(scale_geometric(&a, row, col, scratch, &over));
    assert_true(scale_geometric(&a, row, col, scratch, &(deadline){.start = 0}));
    assert_true(1000 * row[0] * col[0] <= 2 && 1000 * row[0] * col[0] >= 0.5);
    sparse_free(&a);
}

/* Row 2 is three times row 1; sides of either sign that differ by rounding are no contradiction, a larger difference is. */
static void test_rounding_is_no_contradiction(void **state)
{
    (void)state;
    static const struct {
        double side, apart;
        presolve_end end;
    } cases[] = {{1e6, 1e-4, PRESOLVE_REDUCED}, {-1e6, 1e-4, PRESOLVE_REDUCED}, {1e6, 1, PRESOLVE_HOPELESS},
                 {-1e6, 1, PRESOLVE_HOPELESS},  {0, 1e-4, PRESOLVE_HOPELESS},   {-1, 1e-4, PRESOLVE_HOPELESS}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        double side = cases[i / 2].side, apart = cases[i / 2].apart;
        sample s = sample_new(3, 3);
        for (int j = 0; j < 3; j++) {
            for (int row = 0; row < 3; row++) entry(&s, row, row == 1 ? 3 : row == 0 ? 1 : 1 + j * j);
            close_column(&s, j);
            s.cl[j] = -INFINITY, s.cu[j] = INFINITY;
        }
        bool lower = i % 2;
        s.rl[0] = lower ? side : -INFINITY, s.ru[0] = lower ? INFINITY : side;
        s.rl[1] = lower ? -INFINITY : 3 * (side + apart), s.ru[1] = lower ? 3 * (side - apart) : INFINITY;
        s.rl[2] = -1, s.ru[2] = 1;
        vouch_lp_data data = sample_data(&s);
        presolve *p;
        presolve_end end = presolve_run(&data, false, &(deadline){0}, &p);
        if ((end == PRESOLVE_HOPELESS) != (cases[i / 2].end == PRESOLVE_HOPELESS)) fail_msg("case %d: %d", (int)i, (int)end);
        presolve_free(p);
        sample_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits_are_kept),
        cmocka_unit_test(test_scaling_keeps_a_limit),
        cmocka_unit_test(test_contradictions_are_proved),
        cmocka_unit_test(test_no_iteration_needed),
        cmocka_unit_test(test_rounding_is_no_contradiction),
    };
    return run_tests(tests);
}
