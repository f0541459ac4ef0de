/* Boxes of a dual start: their implied bounds, and that the optimum within them is the optimum without. */
#include "test.h"

#include <vouch/lp.h>

#include "lp/simplex.h"

enum { ROWS = 3, COLS = 4 };

/* max x0 + x1 + x2 + x3:  x0 + 2 x1 <= 4,  x2 - x1 <= 3,  x2 - x3 <= 1.  Rows imply x0 <= 4, x1 <= 2, hence x2 <= 5, but nothing
 * for x3. */
static const int64_t start[COLS + 1] = {0, 1, 3, 5, 6};
static const int row[] = {0, 0, 1, 1, 2, 2};
static const double entry[] = {1, 2, -1, 1, 1, -1}, cost[COLS] = {-1, -1, -1, -1}, zero[COLS], side[ROWS] = {4, 3, 1};
static const double none[ROWS] = {-INFINITY, -INFINITY, -INFINITY};

static vouch_lp_data chain(const double upper[COLS])
{
    return (vouch_lp_data){ROWS, COLS, start, row, entry, cost, 0, 0, zero, upper, none, side};
}

static simplex *unscaled(const vouch_lp_data *data, bool solved_once)
{
    const deadline limit = {0};
    simplex *s = simplex_new(data, false, &limit);
    assert_non_null(s);
    s->optimality_tol = 1e-9;
    s->solved_once = solved_once;
    simplex_reset_work(s);
    simplex_slack_basis(s);
    return s;
}

static void a_box_ends_little_beyond_what_rows_imply(void **state)
{
    (void)state;
    const double upper[COLS] = {INFINITY, INFINITY, INFINITY, INFINITY};
    vouch_lp_data data = chain(upper);
    for (int once = 0; once < 2; once++) {
        simplex *s = unscaled(&data, once);
        double margin = once ? 0.01 : 0.1;
        assert_int_equal(simplex_box(s), 1);
        assert_near(s->work.upper[ROWS], 4 + margin * 5, 1e-12);
        assert_near(s->work.upper[ROWS + 1], 2 + margin * 3, 1e-12);
        assert_near(s->work.upper[ROWS + 2], 5 + margin * 6, 1e-12);
        assert_near(s->work.upper[ROWS + 3], once ? 1e7 : 1e5, 1e-12);
        for (int j = 0; j < COLS; j++) assert_true(s->work.lower[ROWS + j] == 0 && isinf(s->upper[ROWS + j]));
        simplex_reset_work(s);
        for (int j = 0; j < COLS; j++) assert_true(isinf(s->work.upper[ROWS + j]));
        simplex_free(s);
    }
}

/* Of columns without cost, only those bounded by rows have boxes, and only in programs solved once. */
static void what_rows_hold_is_boxed_where_it_is_solved_once(void **state)
{
    (void)state;
    const double upper[COLS] = {INFINITY, INFINITY, INFINITY, INFINITY}, one_cost[COLS] = {-1, 0, 0, 0};
    vouch_lp_data data = chain(upper);
    data.cost = one_cost;
    for (int once = 0; once < 2; once++) {
        simplex *s = unscaled(&data, once);
        assert_int_equal(simplex_box(s), 0);
        assert_true(isfinite(s->work.upper[ROWS]));
        assert_int_equal(isfinite(s->work.upper[ROWS + 1]), once);
        assert_int_equal(isfinite(s->work.upper[ROWS + 2]), once);
        assert_true(isinf(s->work.upper[ROWS + 3]));
        simplex_free(s);
    }
}

static void a_failing_allocation_is_told(void **state)
{
    (void)state;
    const double upper[COLS] = {INFINITY, INFINITY, INFINITY, INFINITY};
    vouch_lp_data data = chain(upper);
    simplex *s = unscaled(&data, true);
    mem_fail_after(0);
    int failed = simplex_box(s);
    mem_fail_after(-1);
    assert_int_equal(failed, -1);
    simplex_free(s);
}

/* x3 is unbounded, or ends beyond its box of 1e5. */
static void what_is_found_in_boxes_does_not_lean_on_them(void **state)
{
    (void)state;
    const double ends[] = {INFINITY, 1e7};
    for (int k = 0; k < 2; k++) {
        const double upper[COLS] = {INFINITY, INFINITY, INFINITY, ends[k]};
        vouch_lp_data data = chain(upper);
        vouch_lp_options options;
        vouch_lp_options_init(&options);
        options.presolve = 0;
        vouch_lp *lp;
        assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
        assert_int_equal(vouch_lp_load(lp, &data, NULL), VOUCH_OK);
        assert_int_equal(vouch_lp_solve(lp, &options), VOUCH_OK);
        vouch_lp_result result;
        vouch_lp_get_result(lp, &result);
        assert_int_equal(result.outcome, k ? VOUCH_LP_OPTIMAL : VOUCH_LP_UNBOUNDED);
        if (k) assert_near(result.objective, -(4 + 3 + 1e7), 1e-6); /* 4 - 2 x1, x1 and 3 + x1 */
        vouch_lp_free(lp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_ends_little_beyond_what_rows_imply),
        cmocka_unit_test(what_rows_hold_is_boxed_where_it_is_solved_once),
        cmocka_unit_test(a_failing_allocation_is_told),
        cmocka_unit_test(what_is_found_in_boxes_does_not_lean_on_them),
    };
    return run_tests(tests);
}
