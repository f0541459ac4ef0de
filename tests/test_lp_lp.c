/* The face of the solver: known answers, changes that keep the basis, limits, cutoff, errors. */
#include "lp_aid.h"

/* max 3x + 5y : x <= 4, 2y <= 12, 3x + 2y <= 18 has its optimum 36 at (2, 6). */
static vouch_lp *textbook(void)
{
    static const int64_t start[] = {0, 2, 4};
    static const int index[] = {0, 2, 1, 2};
    static const double value[] = {1, 3, 2, 2}, cost[] = {3, 5}, upper[] = {4, 12, 18};
    static const double lower[] = {-INFINITY, -INFINITY, -INFINITY};
    vouch_lp *lp;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    vouch_lp_data data = {.rows = 3,
                          .cols = 2,
                          .start = start,
                          .index = index,
                          .value = value,
                          .cost = cost,
                          .maximize = 1,
                          .row_lower = lower,
                          .row_upper = upper};
    assert_int_equal(vouch_lp_load(lp, &data, NULL), VOUCH_OK);
    return lp;
}

static void the_textbook_problem_has_its_optimum_and_duals(void **state)
{
    (void)state;
    vouch_lp *lp = textbook();
    vouch_lp_result r = solve_checked(lp, NULL);
    assert_int_equal(r.outcome, VOUCH_LP_OPTIMAL);
    assert_near(r.objective, 36, 1e-12);
    assert_near(r.x[0], 2, 1e-12);
    assert_near(r.x[1], 6, 1e-12);
    assert_near(r.row_dual[0], 0, 1e-12);
    assert_near(r.row_dual[1], 1.5, 1e-12);
    assert_near(r.row_dual[2], 1, 1e-12);
    unsigned char row[3], col[2];
    vouch_lp_get_basis(lp, row, col);
    assert_int_equal(row[0], VOUCH_BASIC);
    assert_int_equal(row[1], VOUCH_AT_UPPER);
    assert_int_equal(row[2], VOUCH_AT_UPPER);
    assert_int_equal(col[0], VOUCH_BASIC);
    assert_int_equal(col[1], VOUCH_BASIC);
    vouch_lp_free(lp);
}

/* 0.3 - 0.1 * 3 is not 0 in doubles; the reduced cost of a column that is as good as another is. */
static void a_reduced_cost_of_rounding_is_zero(void **state)
{
    (void)state;
    static const int64_t start[] = {0, 1, 2};
    static const int index[] = {0, 0};
    static const double value[] = {0.1, 1}, cost[] = {0.3, 3}, lower[] = {1}, upper[] = {INFINITY};
    vouch_lp *lp;
    vouch_lp_result r;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    vouch_lp_data data = {
        .rows = 1, .cols = 2, .start = start, .index = index, .value = value, .cost = cost, .row_lower = lower, .row_upper = upper};
    assert_int_equal(vouch_lp_load(lp, &data, NULL), VOUCH_OK);
    assert_int_equal(vouch_lp_solve(lp, NULL), VOUCH_OK);
    vouch_lp_get_result(lp, &r);
    assert_int_equal(r.outcome, VOUCH_LP_OPTIMAL);
    assert_true(r.reduced_cost[0] == 0 && r.reduced_cost[1] == 0);
    vouch_lp_free(lp);
}

static void changes_keep_the_basis(void **state)
{
    (void)state;
    vouch_lp *lp = textbook();
    solve_checked(lp, NULL);
    assert_int_equal(vouch_lp_set_row_bounds(lp, 2, -INFINITY, 15), VOUCH_OK);
    vouch_lp_result r = solve_checked(lp, NULL);
    assert_near(r.objective, 33, 1e-12);
    assert_int_equal(r.iterations, 0); /* the same basis is optimal */
    assert_int_equal(vouch_lp_set_cost(lp, 0, 8), VOUCH_OK);
    r = solve_checked(lp, NULL);
    assert_near(r.objective, 8 * 4 + 5 * 1.5, 1e-12);
    const int64_t start[] = {0, 2};
    const int pair[] = {0, 1};
    const double ones[] = {1, 1}, lower = -INFINITY, upper = 4;
    assert_int_equal(vouch_lp_add_rows(lp, 1, start, pair, ones, &lower, &upper), VOUCH_OK);
    r = solve_checked(lp, NULL);
    assert_near(r.objective, 32, 1e-12);
    const int rows[] = {0, 3};
    const double cost = 9, column[] = {1, 1}, zero = 0, one = 1;
    assert_int_equal(vouch_lp_add_cols(lp, 1, start, rows, column, &cost, &zero, &one), VOUCH_OK);
    r = solve_checked(lp, NULL);
    assert_near(r.objective, 33, 1e-12);
    const int gone[] = {0};
    assert_int_equal(vouch_lp_delete_rows(lp, 1, gone), VOUCH_OK);
    r = solve_checked(lp, NULL);
    assert_near(r.objective, 33, 1e-12); /* x <= 4 was implied by x + y + z <= 4 */
    assert_int_equal(vouch_lp_delete_cols(lp, 1, gone), VOUCH_OK);
    r = solve_checked(lp, NULL);
    assert_near(r.objective, 9 + 15, 1e-12);
    vouch_lp_free(lp);
}

static void infeasible_and_unbounded_problems_are_proved_so(void **state)
{
    (void)state;
    vouch_lp *lp = textbook();
    assert_int_equal(vouch_lp_set_row_bounds(lp, 2, 40, INFINITY), VOUCH_OK);
    assert_int_equal(solve_checked(lp, NULL).outcome, VOUCH_LP_INFEASIBLE);
    for (int i = 0; i < 3; i++) assert_int_equal(vouch_lp_set_row_bounds(lp, i, -INFINITY, INFINITY), VOUCH_OK);
    assert_int_equal(solve_checked(lp, NULL).outcome, VOUCH_LP_UNBOUNDED);
    assert_int_equal(vouch_lp_set_col_bounds(lp, 0, 2, 1), VOUCH_OK);
    assert_int_equal(solve_checked(lp, NULL).outcome, VOUCH_LP_INFEASIBLE);
    vouch_lp_free(lp);
}

static void problems_without_rows_or_columns_are_solved(void **state)
{
    (void)state;
    vouch_lp *lp;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    assert_int_equal(solve_checked(lp, NULL).outcome, VOUCH_LP_OPTIMAL);
    const double cost[] = {1, -1}, upper[] = {5, 7};
    const int64_t start[] = {0, 0, 0};
    vouch_lp_data data = {.cols = 2, .start = start, .cost = cost, .col_upper = upper, .offset = 2};
    assert_int_equal(vouch_lp_load(lp, &data, NULL), VOUCH_OK);
    vouch_lp_result r = solve_checked(lp, NULL);
    assert_near(r.objective, -5, 1e-12);
    const double one = 1, two = 2;
    data = (vouch_lp_data){.rows = 1, .row_lower = &one, .row_upper = &two};
    assert_int_equal(vouch_lp_load(lp, &data, NULL), VOUCH_OK);
    assert_int_equal(solve_checked(lp, NULL).outcome, VOUCH_LP_INFEASIBLE);
    vouch_lp_free(lp);
}

static void bad_input_is_named(void **state)
{
    (void)state;
    vouch_lp *lp = textbook();
    const int64_t start[] = {0, 2};
    const int twice[] = {1, 1}, outside[] = {0, 3};
    const double value[] = {1, 2}, nan[] = {NAN, 1};
    vouch_error error = {0};
    vouch_lp_data data = {.rows = 3, .cols = 1, .start = start, .index = twice, .value = value};
    assert_int_equal(vouch_lp_load(lp, &data, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "twice"));
    data.index = outside;
    assert_int_equal(vouch_lp_load(lp, &data, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "outside"));
    const int fine[] = {0, 1};
    data.index = fine;
    data.value = nan;
    assert_int_equal(vouch_lp_load(lp, &data, &error), VOUCH_ERROR_INPUT);
    data.value = value;
    const double minus = -INFINITY;
    data.col_upper = &minus;
    assert_int_equal(vouch_lp_load(lp, &data, &error), VOUCH_ERROR_INPUT);
    assert_int_equal(vouch_lp_set_col_bounds(lp, 2, 0, 1), VOUCH_ERROR_ARGUMENT);
    assert_int_equal(vouch_lp_set_cost(lp, 0, NAN), VOUCH_ERROR_ARGUMENT);
    assert_near(solve_checked(lp, NULL).objective, 36, 1e-12); /* untouched by what failed */
    vouch_lp_free(lp);
}

/* A limit leaves a bound that holds; going on afterwards reaches the optimum. */
static void a_limit_leaves_a_bound_that_holds(void **state)
{
    (void)state;
    rng r = rng_seed(77);
    for (int k = 0; k < 40; k++) {
        sample p = sample_random(&r, 25, 25);
        vouch_lp *lp = sample_load(&p);
        vouch_lp_result best = solve_checked(lp, NULL);
        vouch_lp_forget_basis(lp);
        vouch_lp_options options;
        vouch_lp_options_init(&options);
        options.presolve = 0;
        for (options.limits.iterations = 1; options.limits.iterations < 60; options.limits.iterations += 3) {
            vouch_lp_result now;
            vouch_lp_forget_basis(lp);
            assert_int_equal(vouch_lp_solve(lp, &options), VOUCH_OK);
            vouch_lp_get_result(lp, &now);
            if (now.outcome != VOUCH_LP_LIMIT) break;
            assert_true(now.iterations <= options.limits.iterations);
            double sense = p.maximize ? -1 : 1;
            if (best.outcome == VOUCH_LP_OPTIMAL) {
                assert_true(sense * now.bound <= sense * best.objective + 1e-6 * (1 + fabs(best.objective)));
            }
        }
        vouch_lp_result again = solve_checked(lp, NULL);
        assert_same_result(&best, &again);
        vouch_lp_free(lp);
        sample_free(&p);
    }
}

static void a_cutoff_is_proved(void **state)
{
    (void)state;
    rng r = rng_seed(78);
    int cut = 0;
    for (int k = 0; k < 300; k++) {
        sample p = sample_random(&r, 20, 20);
        vouch_lp *lp = sample_load(&p);
        vouch_lp_result best = solve_checked(lp, NULL);
        if (best.outcome == VOUCH_LP_OPTIMAL) {
            double sense = p.maximize ? -1 : 1;
            vouch_lp_options options;
            vouch_lp_options_init(&options);
            options.presolve = 0;
            options.method = VOUCH_LP_DUAL;
            for (double off = -2; off <= 2; off += 4) { /* a cutoff better, then worse, than the optimum */
                options.cutoff = best.objective + sense * off;
                vouch_lp_forget_basis(lp);
                vouch_lp_result now;
                assert_int_equal(vouch_lp_solve(lp, &options), VOUCH_OK);
                vouch_lp_get_result(lp, &now);
                if (now.outcome == VOUCH_LP_CUTOFF) {
                    assert_true(off < 0);
                    assert_true(sense * now.bound >= sense * options.cutoff);
                    assert_true(sense * now.bound <= sense * best.objective + 1e-6 * (1 + fabs(best.objective)));
                    cut++;
                } else {
                    assert_same_result(&best, &now);
                }
            }
        }
        vouch_lp_free(lp);
        sample_free(&p);
    }
    assert_true(cut > 10);
}

static void an_interrupt_stops_the_solver(void **state)
{
    (void)state;
    volatile sig_atomic_t flag = 1;
    vouch_lp_options options;
    vouch_lp_options_init(&options);
    options.presolve = 0;
    options.limits.interrupt = &flag;
    vouch_lp *lp = textbook();
    assert_int_equal(vouch_lp_solve(lp, &options), VOUCH_OK);
    vouch_lp_result r;
    vouch_lp_get_result(lp, &r);
    assert_int_equal(r.outcome, VOUCH_LP_INTERRUPTED);
    vouch_lp_free(lp);
}

static void any_basis_is_repaired(void **state)
{
    (void)state;
    rng r = rng_seed(79);
    for (int k = 0; k < 200; k++) {
        sample p = sample_random(&r, 15, 15);
        vouch_lp *lp = sample_load(&p);
        vouch_lp_result best = solve_checked(lp, NULL);
        unsigned char row[16], col[16];
        for (int i = 0; i < p.m; i++) row[i] = (unsigned char)pick(&r, 5);
        for (int j = 0; j < p.n; j++) col[j] = (unsigned char)pick(&r, 5);
        assert_int_equal(vouch_lp_set_basis(lp, row, col), VOUCH_OK);
        vouch_lp_result again = solve_checked(lp, NULL);
        assert_same_result(&best, &again);
        int basic = 0;
        vouch_lp_get_basis(lp, row, col);
        for (int i = 0; i < p.m; i++) basic += row[i] == VOUCH_BASIC;
        for (int j = 0; j < p.n; j++) basic += col[j] == VOUCH_BASIC;
        if (best.outcome == VOUCH_LP_OPTIMAL) assert_int_equal(basic, p.m);
        /* A clone starts from the same basis: nothing is left to do. */
        vouch_lp *copy;
        assert_int_equal(vouch_lp_clone(&copy, lp), VOUCH_OK);
        vouch_lp_result same = solve_checked(copy, NULL);
        assert_same_result(&best, &same);
        if (best.outcome == VOUCH_LP_OPTIMAL) assert_int_equal(same.iterations, 0);
        vouch_lp_free(copy);
        vouch_lp_free(lp);
        sample_free(&p);
    }
}

static void names_and_sets_survive(void **state)
{
    (void)state;
    vouch_lp *lp = textbook(), *copy;
    assert_string_equal(vouch_lp_col_name(lp, 1), "");
    assert_int_equal(vouch_lp_set_name(lp, "book"), VOUCH_OK);
    assert_int_equal(vouch_lp_set_col_name(lp, 1, "y"), VOUCH_OK);
    assert_int_equal(vouch_lp_set_row_name(lp, 2, "third"), VOUCH_OK);
    assert_int_equal(vouch_lp_set_integer(lp, 1, 1), VOUCH_OK);
    const int both[] = {0, 1};
    assert_int_equal(vouch_lp_add_sos1(lp, 2, both, NULL), VOUCH_OK);
    assert_int_equal(vouch_lp_clone(&copy, lp), VOUCH_OK);
    const int first[] = {0};
    assert_int_equal(vouch_lp_delete_cols(copy, 1, first), VOUCH_OK);
    assert_int_equal(vouch_lp_delete_rows(copy, 1, first), VOUCH_OK);
    assert_string_equal(vouch_lp_name(copy), "book");
    assert_string_equal(vouch_lp_col_name(copy, 0), "y");
    assert_string_equal(vouch_lp_row_name(copy, 1), "third");
    assert_true(vouch_lp_is_integer(copy, 0));
    int count;
    const int *cols;
    const double *weight;
    vouch_lp_sos1(copy, 0, &count, &cols, &weight);
    assert_int_equal(count, 1);
    assert_int_equal(cols[0], 0);
    vouch_lp_free(copy);
    vouch_lp_free(lp);
}

/* A row or column added where a named one was has no name. */
static void what_is_added_has_no_name(void **state)
{
    (void)state;
    enum { MORE = 20 };
    vouch_lp *lp = textbook();
    const int last_col[] = {1}, last_row[] = {2};
    const int64_t start[MORE + 1] = {0};
    for (int round = 0; round < 2; round++) {
        assert_int_equal(vouch_lp_set_col_name(lp, 1, "y"), VOUCH_OK);
        assert_int_equal(vouch_lp_set_row_name(lp, 2, "third"), VOUCH_OK);
        assert_int_equal(vouch_lp_delete_cols(lp, 1, last_col), VOUCH_OK);
        assert_int_equal(vouch_lp_delete_rows(lp, 1, last_row), VOUCH_OK);
        assert_int_equal(vouch_lp_add_cols(lp, MORE, start, NULL, NULL, NULL, NULL, NULL), VOUCH_OK);
        assert_int_equal(vouch_lp_add_rows(lp, MORE, start, NULL, NULL, NULL, NULL), VOUCH_OK);
    }
    for (int j = 0; j < vouch_lp_cols(lp); j++) assert_string_equal(vouch_lp_col_name(lp, j), "");
    for (int i = 0; i < vouch_lp_rows(lp); i++) assert_string_equal(vouch_lp_row_name(lp, i), "");
    vouch_lp_free(lp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_textbook_problem_has_its_optimum_and_duals),
        cmocka_unit_test(a_reduced_cost_of_rounding_is_zero),
        cmocka_unit_test(changes_keep_the_basis),
        cmocka_unit_test(infeasible_and_unbounded_problems_are_proved_so),
        cmocka_unit_test(problems_without_rows_or_columns_are_solved),
        cmocka_unit_test(bad_input_is_named),
        cmocka_unit_test(a_limit_leaves_a_bound_that_holds),
        cmocka_unit_test(a_cutoff_is_proved),
        cmocka_unit_test(an_interrupt_stops_the_solver),
        cmocka_unit_test(any_basis_is_repaired),
        cmocka_unit_test(names_and_sets_survive),
        cmocka_unit_test(what_is_added_has_no_name),
    };
    return run_tests(tests);
}
