/* The exact simplex method alone, and the cases in which only it, or a certificate that spends no tolerance, gives the right
 * answer. */
#include "exact_aid.h"

static const long long WORK = 1000000000;

static sample dense(int m, int n, const double *a)
{
    sample p = sample_new(m, n);
    int entries = 0;
    for (int j = 0; j < n; j++) {
        p.start[j] = entries;
        for (int i = 0; i < m; i++) {
            if (a[i * n + j] == 0) continue;
            p.index[entries] = i;
            p.value[entries++] = a[i * n + j];
        }
        p.cu[j] = HUGE_VAL;
    }
    p.start[n] = entries;
    for (int i = 0; i < m; i++) p.rl[i] = -HUGE_VAL, p.ru[i] = HUGE_VAL;
    return p;
}

static vouch_lp_result solve_floating(const sample *p, vouch_lp **lp, int presolve)
{
    vouch_lp_options options;
    vouch_lp_options_init(&options);
    options.presolve = presolve;
    *lp = sample_load(p);
    return solve_checked(*lp, &options);
}

/* 10 x = 1: the double nearest to 1/10, which is above it; cut off, it would be below. */
static void values_are_the_nearest_doubles(void **state)
{
    (void)state;
    sample p = dense(1, 1, (double[]){10});
    solved s;
    p.rl[0] = p.ru[0] = 1;
    p.cost[0] = 1;
    slack_basis(&p, &s);
    solve_exactly(&p, WORK, &s);
    assert_int_equal(s.end, EXACT_OPTIMAL);
    assert_true(s.x[0] == 0.1 && s.a.objective == 0.1);
    sample_free(&p);
}

/* max x + y, x + 2y <= 3, 3x + y <= 4: (1, 1); its basis needs no pivots when given again. */
static void a_vertex_is_exact_and_needs_no_pivots_again(void **state)
{
    (void)state;
    const double a[] = {1, 2, 3, 1};
    sample p = dense(2, 2, a);
    solved s;
    p.ru[0] = 3, p.ru[1] = 4, p.cost[0] = p.cost[1] = 1, p.maximize = 1;
    slack_basis(&p, &s);
    for (int again = 0; again < 2; again++) {
        solve_exactly(&p, WORK, &s);
        assert_int_equal(s.end, EXACT_OPTIMAL);
        assert_true(s.a.objective == 2 && s.a.bound == 2 && s.x[0] == 1 && s.x[1] == 1);
        assert_near(s.y[0], 0.4, 1e-16);
        assert_near(s.y[1], 0.2, 1e-16);
        assert_true(again ? s.a.pivots == 0 : s.a.pivots > 0);
    }
    p.cost[0] = 1.0 / 3; /* a bound of a maximum is never below it */
    solve_exactly(&p, WORK, &s);
    assert_int_equal(s.end, EXACT_OPTIMAL);
    assert_true(s.a.bound >= s.a.objective);
    p.rl[0] = 4, p.ru[0] = HUGE_VAL, p.ru[1] = 1; /* y >= 2 - x/2 against 3x + y <= 1 */
    solve_exactly(&p, WORK, &s);
    assert_int_equal(s.end, EXACT_INFEASIBLE);
    assert_true(s.a.margin > 0.1);
    sample_free(&p);
}

/* x - y = 0, x - (1 + tiny) y = 1 in free columns: y = -1 / tiny is far away, but there. For the decimals it is a whole number,
 * though the double nearest to 1 + tiny puts it elsewhere by as much as 1e-3 of itself. */
static void rows_that_are_nearly_parallel_are_told_apart(void **state)
{
    (void)state;
    double far = 1e4;
    for (int digits = 4; digits < 14; digits++, far *= 10) {
        const double a[] = {1, -1, 1, -(far + 1) / far};
        sample p = dense(2, 2, a);
        p.ru[0] = p.rl[0] = 0, p.ru[1] = p.rl[1] = 1;
        p.cl[0] = p.cl[1] = -HUGE_VAL;
        for (int presolve = 0; presolve < 2; presolve++) {
            vouch_lp_options options;
            vouch_lp_options_init(&options);
            options.presolve = 2 * presolve;
            vouch_lp *lp = sample_load(&p);
            vouch_lp_result r;
            assert_int_equal(vouch_lp_solve(lp, &options), VOUCH_OK);
            vouch_lp_get_result(lp, &r);
            assert_int_equal(r.outcome, VOUCH_LP_OPTIMAL);
            assert_near(r.x[1], -far, 1e-9 * far);
            vouch_lp_free(lp);
        }
        sample_free(&p);
    }
}

/* max z, a - 8 z = 3, 2 a - (16 + 2^-27) z = 6, z <= 6: z = 0, but 6 is within all tolerances. */
static void a_point_that_leans_on_the_tolerance_is_confirmed(void **state)
{
    (void)state;
    const double a[] = {1, -8, 2, -(16 + 0x1p-27)};
    sample p = dense(2, 2, a);
    p.rl[0] = p.ru[0] = 3, p.rl[1] = p.ru[1] = 6, p.cu[1] = 6, p.cost[1] = -1;
    for (int presolve = 0; presolve < 2; presolve++) {
        vouch_lp *lp;
        vouch_lp_result r = solve_floating(&p, &lp, presolve);
        assert_int_equal(r.outcome, VOUCH_LP_OPTIMAL);
        assert_near(r.objective, 0, 1e-12);
        vouch_lp_free(lp);
    }
    /* A column fixed where the second row is missed by less: what rounded data may do is no news. */
    p.value[3] = -(16 + 0x1p-34);
    p.cl[1] = 6;
    vouch_lp *lp;
    vouch_lp_result r = solve_floating(&p, &lp, 0);
    assert_int_equal(r.outcome, VOUCH_LP_OPTIMAL);
    assert_true(r.certificate.primal_residual > 1e-12);
    vouch_lp_free(lp);
    sample_free(&p);
}

/* min -tiny x, x - big z <= 0, z <= 1: a reduced cost below every tolerance, and an optimum of -tiny big. */
static void a_small_cost_over_a_long_way_counts(void **state)
{
    (void)state;
    const double a[] = {1, -1e9};
    sample p = dense(1, 2, a);
    p.ru[0] = 0, p.cost[0] = -1e-11, p.cu[1] = 1;
    for (int presolve = 0; presolve < 2; presolve++) {
        vouch_lp *lp;
        vouch_lp_result r = solve_floating(&p, &lp, presolve);
        assert_int_equal(r.outcome, VOUCH_LP_OPTIMAL);
        assert_near(r.objective, -0.01, 1e-9);
        assert_true(r.bound <= -0.01 + 1e-9);
        vouch_lp_free(lp);
    }
    p.cu[1] = HUGE_VAL;
    vouch_lp *lp = sample_load(&p);
    vouch_lp_result r;
    assert_int_equal(vouch_lp_solve(lp, NULL), VOUCH_OK);
    vouch_lp_get_result(lp, &r);
    assert_int_equal(r.outcome, VOUCH_LP_UNBOUNDED);
    vouch_lp_free(lp);
    sample_free(&p);
}

/* Both ways on random programs: the same outcome, and objectives that agree. */
static void exact_and_floating_solutions_agree(void **state)
{
    (void)state;
    rng r = rng_seed(5);
    int count = test_count("VOUCH_LP_EXACT", 400);
    for (int k = 0; k < count; k++) {
        sample p = sample_random(&r, MOST, MOST);
        static const vouch_lp_outcome same[] = {VOUCH_LP_OPTIMAL, VOUCH_LP_INFEASIBLE, VOUCH_LP_UNBOUNDED};
        solved s;
        vouch_lp *lp;
        slack_basis(&p, &s);
        solve_exactly(&p, WORK, &s);
        vouch_lp_result f = solve_floating(&p, &lp, pick(&r, 2));
        assert_true(s.end <= EXACT_UNBOUNDED);
        assert_int_equal(f.outcome, same[s.end]);
        if (s.end == EXACT_OPTIMAL) {
            assert_near(f.objective, s.a.objective, 1e-9 * (1 + fabs(s.a.objective)));
            assert_near(s.a.bound, s.a.objective, 1e-15 * (1 + fabs(s.a.objective)));
        }
        vouch_lp_free(lp);
        sample_free(&p);
    }
}

/* Rows and columns scaled apart, bounds from 1e-6 to 1e6, a row nearly parallel to another. */
static sample badly_scaled(rng *r)
{
    sample p = sample_random(r, MOST, MOST);
    int decades = 1 + pick(r, 6);
    double row[MOST + 1], factor;
    for (int i = 0; i < p.m; i++) {
        row[i] = pow(10, pick(r, 2 * decades + 1) - decades);
        p.rl[i] *= row[i], p.ru[i] *= row[i];
    }
    for (int j = 0; j < p.n; j++) {
        factor = pow(10, pick(r, 2 * decades + 1) - decades);
        for (int64_t e = p.start[j]; e < p.start[j + 1]; e++) {
            p.value[e] *= row[p.index[e]] * factor;
            if (pick(r, 200) == 0) p.value[e] *= 1 + pow(10, -3 - pick(r, 9));
        }
        p.cost[j] *= factor;
        p.cl[j] /= factor, p.cu[j] /= factor;
        if (pick(r, 20) == 0 && p.cu[j] > 0) p.cu[j] *= 1e6;
    }
    return p;
}

/* A true claim or none, for any options. A proof with a small margin in exact arithmetic may be missed within tolerances. */
static void no_wrong_claim_is_made(void **state)
{
    (void)state;
    enum { WAYS = 5 };
    rng r = rng_seed(17);
    int count = test_count("VOUCH_LP_CLAIMS", 300), unsure = 0, thin = 0, wrong = 0;
    for (int k = 0; k < count; k++) {
        sample p = badly_scaled(&r);
        solved s;
        slack_basis(&p, &s);
        solve_exactly(&p, WORK, &s);
        for (int way = 0; way < WAYS; way++) {
            vouch_lp_options options;
            vouch_lp_options_init(&options);
            options.method = way == 2 ? VOUCH_LP_PRIMAL : way == 3 ? VOUCH_LP_DUAL : VOUCH_LP_AUTO;
            options.presolve = way != 1;
            options.factor = way == 4 ? VOUCH_FACTOR_DENSE : VOUCH_FACTOR_AUTO;
            vouch_lp *lp = sample_load(&p);
            vouch_lp_result f;
            assert_int_equal(vouch_lp_solve(lp, &options), VOUCH_OK);
            vouch_lp_get_result(lp, &f);
            static const vouch_lp_outcome same[] = {VOUCH_LP_OPTIMAL, VOUCH_LP_INFEASIBLE, VOUCH_LP_UNBOUNDED};
            bool agree = f.outcome == same[s.end];
            if (f.outcome == VOUCH_LP_NUMERICAL)
                unsure++;
            else if (!agree && s.end != EXACT_OPTIMAL && s.a.margin < 1e-9 && f.outcome == VOUCH_LP_OPTIMAL)
                thin++;
            else if (!agree) {
                wrong++;
                print_error("program %d, way %d: %s, exactly %s (margin %g)\n", k, way, vouch_lp_outcome_text(f.outcome),
                            vouch_lp_outcome_text(same[s.end]), s.a.margin);
            } else if (agree && s.end == EXACT_OPTIMAL &&
                       !(fabs(f.objective - s.a.objective) <= 1e-6 * (1 + fabs(s.a.objective)))) {
                wrong++;
                print_error("program %d, way %d: %.17g, exactly %.17g\n", k, way, f.objective, s.a.objective);
            }
            vouch_lp_free(lp);
        }
        sample_free(&p);
    }
    print_message("%d programs in %d ways: %d wrong, %d unsure, %d optimal against a thin proof\n", count, WAYS, wrong, unsure,
                  thin);
    assert_int_equal(wrong, 0);
    assert_true(20 * (unsure + thin) <= count * WAYS);
}

/* Memory that runs out at any allocation, those inside GMP among them, is an error of the call, and nothing is left. */
static void a_failing_allocation_is_reported_and_leaves_nothing(void **state)
{
    (void)state;
    rng r = rng_seed(3);
    int inside = 0;
    for (int k = 0; k < 30; k++) {
        sample p = sample_random(&r, 6, 8);
        vouch_lp_data data = sample_data(&p);
        double numbers[22];
        unsigned char status[14];
        bool once = k % 3 == 2;
        for (long allowed = 0;; allowed += once ? 1 : 1 + allowed / 20) {
            exact_answer out = {.x = numbers, .y = numbers + 8, .ray = numbers + 14};
            for (int v = 0; v < p.m + p.n; v++) status[v] = v < p.m ? VOUCH_BASIC : VOUCH_AT_LOWER;
            long calls = mem_calls();
            if (once)
                mem_fail_once(allowed);
            else
                mem_fail_after(allowed);
            exact_end end = exact_solve(&data, status, EXACT_MEANT, WORK, &(deadline){.start = 0}, &out);
            mem_fail_after(-1);
            if (mem_calls() - calls <= allowed) break;
            assert_int_equal(end, EXACT_MEMORY);
            inside += allowed > 6; /* arrays of its own come first */
        }
        sample_free(&p);
    }
    assert_true(inside > 100);
}

enum { PAD = 450 };

/* The program beside PAD rows of one column each, which make it too large to be settled exactly. */
static sample padded(const sample *p)
{
    sample big = sample_new(p->m + PAD, p->n + PAD);
    int entries = (int)p->start[p->n];
    memcpy(big.start, p->start, (size_t)p->n * sizeof *p->start);
    memcpy(big.index, p->index, (size_t)entries * sizeof *p->index);
    memcpy(big.value, p->value, (size_t)entries * sizeof *p->value);
    for (int j = 0; j < big.n; j++) {
        bool given = j < p->n;
        big.cost[j] = given ? p->cost[j] : 0;
        big.cl[j] = given ? p->cl[j] : 0;
        big.cu[j] = given ? p->cu[j] : HUGE_VAL;
        if (given) continue;
        big.start[j] = entries;
        big.index[entries] = p->m + j - p->n;
        big.value[entries++] = 1;
    }
    big.start[big.n] = entries;
    for (int i = 0; i < big.m; i++) {
        big.rl[i] = i < p->m ? p->rl[i] : 1;
        big.ru[i] = i < p->m ? p->ru[i] : HUGE_VAL;
    }
    big.offset = p->offset, big.maximize = p->maximize;
    return big;
}

/* Two nearly parallel rows, multipliers of 1e7 on columns without bound, in a program too large to be settled exactly: the bound is
 * none beyond the optimum -76/3, or there is none. */
static void the_bound_of_a_large_program_is_exact(void **state)
{
    (void)state;
    static const double thin[] = {
        5, -4, 5, -1, -9, -3, 1, 2.500000037252903, -2, 2.500000037252903, -0.5, -4.500000067055225, -1.5000000223517418, 0.5};
    static const double side[2] = {-11, -5.499999992549419}, cost[7] = {-9, 1, -3, 1, -2, 5, -1};
    static const double low[7] = {0, 3, -1, 0, -HUGE_VAL, -2, 0}, high[7] = {1, 5, 1, HUGE_VAL, 2, HUGE_VAL, HUGE_VAL};
    sample p = dense(2, 7, thin);
    for (int j = 0; j < 7; j++) p.cost[j] = cost[j], p.cl[j] = low[j], p.cu[j] = high[j];
    for (int i = 0; i < 2; i++) p.rl[i] = p.ru[i] = side[i];
    p.offset = 3;
    sample big = padded(&p);
    vouch_lp *lp;
    vouch_lp_result r = solve_floating(&big, &lp, 1);
    assert_int_equal(r.outcome, VOUCH_LP_OPTIMAL);
    assert_true(fabs(r.objective + 76.0 / 3) < 1e-9 * 26);
    assert_true(r.bound <= -76.0 / 3 + 1e-12);
    vouch_lp_free(lp);
    sample_free(&p);
    sample_free(&big);
}

/* Rows that are parallel but for 2^-28 hold the optimum at -6.5e9: multipliers and values are both so large that a point and
 * duals whose residuals are rounding alone are off by 35, and agree with one another. */
static void residuals_of_rounding_are_weighed_by_what_they_are_worth(void **state)
{
    (void)state;
    static const double a[] = {-8,
                               7,
                               7,
                               1,
                               0,
                               1,
                               0,
                               1,
                               -5,
                               -3,
                               -9,
                               0,
                               -2,
                               9,
                               0,
                               4,
                               2,
                               0,
                               -2,
                               7,
                               9,
                               -3,
                               -8,
                               -1,
                               0,
                               5,
                               0,
                               -5,
                               2,
                               -10,
                               -6.000000022351742,
                               -18.000000067055225,
                               0,
                               -4,
                               18};
    static const double cost[7] = {-3, -8, -6, -2, 4, 4, -1}, low[5] = {-HUGE_VAL, 6, -HUGE_VAL, -HUGE_VAL, 12},
                        high[5] = {16, 11, 5, 5, 22};
    const double optimum = -6455233656.1904764;
    sample p = dense(5, 7, a);
    for (int i = 0; i < 5; i++) p.rl[i] = low[i], p.ru[i] = high[i];
    for (int j = 0; j < 7; j++) p.cost[j] = cost[j];
    p.cu[1] = 3, p.cl[5] = -HUGE_VAL, p.cu[5] = -4, p.cl[6] = 1, p.cu[6] = 2;
    sample big = padded(&p);
    for (int presolve = 0; presolve < 2; presolve++) {
        vouch_lp *lp;
        vouch_lp_result r = solve_floating(&p, &lp, presolve);
        assert_int_equal(r.outcome, VOUCH_LP_OPTIMAL);
        assert_near(r.objective, optimum, 1e-9 * fabs(optimum));
        assert_true(r.bound <= optimum);
        vouch_lp_free(lp);
        lp = sample_load(&big);
        vouch_lp_options options;
        vouch_lp_options_init(&options);
        options.presolve = presolve;
        assert_int_equal(vouch_lp_solve(lp, &options), VOUCH_OK);
        vouch_lp_get_result(lp, &r);
        if (r.outcome == VOUCH_LP_OPTIMAL) assert_near(r.objective, optimum, 1e-7 * fabs(optimum));
        assert_true(r.bound <= optimum);
        vouch_lp_free(lp);
    }
    sample_free(&p);
    sample_free(&big);
}

/* Three rows that contradict one another by 2e-8 beside a column that may grow for ever: a tolerance that makes a point of nothing
 * must not make it the start of a ray. */
static void a_ray_starts_from_a_point_that_exists(void **state)
{
    (void)state;
    static const double a[] = {1, 1, 0, 0, 1, 0, 1, 0, -2, -1, -1, 0, 1, 0, 0, -1};
    sample p = dense(4, 4, a);
    p.rl[0] = 3, p.rl[1] = 5, p.rl[2] = -8 + 2e-8, p.ru[3] = 2;
    p.cost[3] = -1;
    sample big = padded(&p);
    for (int k = 0; k < 4; k++) {
        vouch_lp_options options;
        vouch_lp_options_init(&options);
        options.presolve = k % 2;
        vouch_lp *lp = sample_load(k < 2 ? &p : &big);
        vouch_lp_result r;
        assert_int_equal(vouch_lp_solve(lp, &options), VOUCH_OK);
        vouch_lp_get_result(lp, &r);
        assert_int_equal(r.outcome, VOUCH_LP_INFEASIBLE);
        vouch_lp_free(lp);
    }
    sample_free(&p);
    sample_free(&big);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_vertex_is_exact_and_needs_no_pivots_again),
                                       cmocka_unit_test(values_are_the_nearest_doubles),
                                       cmocka_unit_test(rows_that_are_nearly_parallel_are_told_apart),
                                       cmocka_unit_test(a_point_that_leans_on_the_tolerance_is_confirmed),
                                       cmocka_unit_test(a_small_cost_over_a_long_way_counts),
                                       cmocka_unit_test(exact_and_floating_solutions_agree),
                                       cmocka_unit_test(no_wrong_claim_is_made),
                                       cmocka_unit_test(a_failing_allocation_is_reported_and_leaves_nothing),
                                       cmocka_unit_test(the_bound_of_a_large_program_is_exact),
                                       cmocka_unit_test(a_ray_starts_from_a_point_that_exists),
                                       cmocka_unit_test(residuals_of_rounding_are_weighed_by_what_they_are_worth)};
    return run_tests(tests);
}
