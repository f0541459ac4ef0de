/* Contradictions that presolve meets are proved: its steps undone on the multipliers of the rows at fault give a ray that the
 * certificate accepts on the full problem. VOUCH_LP_PRESOLVE sets how many random problems. */
#include "lp_aid.h"

#include "lp/certificate.h"
#include "lp/presolve.h"
#include "lp/presolve_private.h"

/* Sparse, with doubletons, multiples, slacks and chains of implied bounds, so that every kind of step is taken. */
static sample chained(rng *r)
{
    sample p = sample_random(r, 10, 10);
    int m = p.m, n = p.n;
    if (m < 2 || n < 2) return p;
    sample_free(&p);
    p = sample_new(m, n);
    int entries = 0;
    for (int j = 0; j < n; j++) {
        p.start[j] = entries;
        int before = j > 0 ? (int)(p.start[j] - p.start[j - 1]) : 0;
        if (before && pick(r, 4) == 0) { /* a multiple of the column before */
            double factor = pick(r, 2) ? 2 : -1;
            for (int e = 0; e < before; e++) {
                p.index[entries] = p.index[p.start[j - 1] + e];
                p.value[entries++] = factor * p.value[p.start[j - 1] + e];
            }
            p.cost[j] = factor * p.cost[j - 1];
        } else {
            int length = 1 + pick(r, 3), from = pick(r, m);
            for (int e = 0; e < length && e < m; e++) {
                p.index[entries] = (from + e) % m;
                p.value[entries++] = pick(r, 2) ? 1 + pick(r, 3) : -1 - pick(r, 3);
            }
            p.cost[j] = pick(r, 3) ? pick(r, 9) - 4 : 0;
        }
        switch (pick(r, 5)) {
        case 0: p.cl[j] = -INFINITY, p.cu[j] = INFINITY; break;
        case 1: p.cl[j] = -INFINITY, p.cu[j] = pick(r, 9) - 4; break;
        case 2: p.cl[j] = pick(r, 7) - 3, p.cu[j] = p.cl[j] + pick(r, 9); break;
        default: p.cl[j] = pick(r, 3), p.cu[j] = INFINITY;
        }
    }
    p.start[n] = entries;
    for (int i = 0; i < m; i++) {
        double b = pick(r, 41) - 20;
        p.rl[i] = pick(r, 4) ? b : -INFINITY;
        p.ru[i] = pick(r, 2) ? b : pick(r, 2) ? fmax(b, 0) + 3 : INFINITY;
    }
    return p;
}

static void test_contradictions_are_proved(void **state)
{
    (void)state;
    int count = test_count("VOUCH_LP_PRESOLVE", 50000), hopeless = 0, proved = 0, through[STEP_SAME_COL + 1] = {0};
    rng r = rng_seed(7);
    for (int k = 0; k < count; k++) {
        sample s = pick(&r, 2) ? sample_random(&r, 12, 12) : chained(&r);
        vouch_lp_data data = sample_data(&s);
        presolve *p;
        presolve_end end = presolve_run(&data, &p);
        double *y = calloc((size_t)s.m + 1, sizeof *y);
        if (end == PRESOLVE_HOPELESS) {
            hopeless++;
            int none = presolve_ray(p, y);
            assert_true(none >= 0);
            if (!none) {
                if (!(certify_farkas(&data, y) > 0)) fail_msg("problem %d: the ray proves nothing", k);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contradictions_are_proved),
        cmocka_unit_test(test_no_iteration_needed),
    };
    return run_tests(tests);
}
