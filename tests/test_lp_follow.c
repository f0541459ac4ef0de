/* Copies of a program that continue from the original's state: the same result to the last bit after any other use of a copy; with
 * dense and sparse factors, new and updated ones, and failing allocations. */
#include "test.h"

#include "base/memory.h"
#include "base/rng.h"
#include "lp/follow.h"

/* Rows of few entries with room on both sides, boxed columns: feasible at 1, bounded. Owned by the caller. */
static vouch_lp *boxes(rng *r, int m, int n)
{
    vouch_lp *lp;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    int64_t start[2] = {0, 0};
    for (int j = 0; j < n; j++) {
        double cost = rng_unit(r) - 0.7, upper = 3;
        assert_int_equal(vouch_lp_add_cols(lp, 1, start, NULL, NULL, &cost, NULL, &upper), VOUCH_OK);
    }
    for (int i = 0; i < m; i++) {
        int index[8], count = 0;
        double value[8], upper = 0;
        for (int j = (int)rng_below(r, 5); j < n && count < 8; j += 1 + (int)rng_below(r, (uint64_t)n / 4)) {
            index[count] = j;
            upper += value[count++] = 0.5 + rng_unit(r);
        }
        start[1] = count;
        assert_int_equal(vouch_lp_add_rows(lp, 1, start, index, value, NULL, &upper), VOUCH_OK);
    }
    return lp;
}

static vouch_lp_options options_of(vouch_lp_factor factor)
{
    vouch_lp_options o;
    vouch_lp_options_init(&o);
    o.presolve = 1;
    o.factor = factor;
    return o;
}

/* Column j at most 0 or at least 2. */
static vouch_lp_result child(vouch_lp *copy, const vouch_lp *lp, int j, bool up, const vouch_lp_options *o)
{
    vouch_lp_result r;
    assert_int_equal(lp_follow(copy, lp), VOUCH_OK);
    assert_int_equal(vouch_lp_set_col_bounds(copy, j, up ? 2 : 0, up ? 3 : 0), VOUCH_OK);
    assert_int_equal(vouch_lp_solve(copy, o), VOUCH_OK);
    vouch_lp_get_result(copy, &r);
    return r;
}

static void a_copy_forgets_what_it_did_before(void **state)
{
    (void)state;
    enum { ROWS = 90, COLS = 120 };
    for (int dense = 0; dense < 2; dense++) {
        rng r = rng_seed(7 + (uint64_t)dense);
        vouch_lp *lp = boxes(&r, ROWS, COLS), *one, *other, *fresh;
        vouch_lp_options o = options_of(dense ? VOUCH_FACTOR_DENSE : VOUCH_FACTOR_SPARSE);
        assert_int_equal(vouch_lp_solve(lp, &o), VOUCH_OK);
        assert_int_equal(vouch_lp_clone(&one, lp), VOUCH_OK);
        for (int round = 0; round < 3; round++) {
            assert_int_equal(lp_make_ready(lp), VOUCH_OK);
            assert_int_equal(vouch_lp_clone(&other, lp), VOUCH_OK);
            for (int k = 0; k < 20; k++) {
                int j = (int)rng_below(&r, COLS);
                vouch_lp_result a = child(one, lp, j, k % 2, &o), b = child(other, lp, j, k % 2, &o), c;
                assert_int_equal(a.outcome, VOUCH_LP_OPTIMAL);
                assert_int_equal(b.outcome, a.outcome);
                assert_int_equal(b.iterations, a.iterations);
                assert_memory_equal(&b.objective, &a.objective, sizeof a.objective);
                assert_memory_equal(b.x, a.x, COLS * sizeof *a.x);
                assert_memory_equal(b.row_dual, a.row_dual, ROWS * sizeof *a.row_dual);
                if (k % 3 == 0) child(other, lp, (j + 7) % COLS, true, &o); /* a history of its own */
                assert_int_equal(vouch_lp_clone(&fresh, one), VOUCH_OK);
                vouch_lp_forget_basis(fresh);
                assert_int_equal(vouch_lp_solve(fresh, &o), VOUCH_OK);
                vouch_lp_get_result(fresh, &c);
                assert_near(a.objective, c.objective, 1e-9 * (1 + fabs(c.objective)));
                vouch_lp_free(fresh);
            }
            vouch_lp_free(other);
            assert_int_equal(vouch_lp_set_col_bounds(lp, round, 0, 0), VOUCH_OK); /* the original goes on */
            assert_int_equal(vouch_lp_solve(lp, &o), VOUCH_OK);
        }
        vouch_lp_free(one);
        vouch_lp_free(lp);
    }
}

static void a_set_basis_is_where_copies_begin(void **state)
{
    (void)state;
    enum { ROWS = 60, COLS = 80 };
    rng r = rng_seed(3);
    vouch_lp *lp = boxes(&r, ROWS, COLS), *copy;
    vouch_lp_options o = options_of(VOUCH_FACTOR_AUTO);
    unsigned char rows[ROWS], cols[COLS];
    vouch_lp_result before;
    assert_int_equal(vouch_lp_solve(lp, &o), VOUCH_OK);
    vouch_lp_get_result(lp, &before);
    double objective = before.objective;
    vouch_lp_get_basis(lp, rows, cols);
    assert_int_equal(vouch_lp_set_col_bounds(lp, 0, 1, 1), VOUCH_OK);
    assert_int_equal(vouch_lp_solve(lp, &o), VOUCH_OK);
    assert_int_equal(vouch_lp_set_col_bounds(lp, 0, 0, 3), VOUCH_OK);
    assert_int_equal(vouch_lp_set_basis(lp, rows, cols), VOUCH_OK);
    assert_int_equal(lp_make_ready(lp), VOUCH_OK);
    assert_int_equal(vouch_lp_clone(&copy, lp), VOUCH_OK);
    assert_int_equal(lp_follow(copy, lp), VOUCH_OK);
    assert_int_equal(vouch_lp_solve(copy, &o), VOUCH_OK);
    vouch_lp_result after;
    vouch_lp_get_result(copy, &after);
    assert_int_equal(after.iterations, 0);
    assert_near(after.objective, objective, 1e-9);
    lp_count_exact_work(lp, 5);
    assert_int_equal(lp_exact_work(lp), lp_exact_work(copy) + 5);
    vouch_lp_free(copy);
    vouch_lp_free(lp);
}

static void memory_that_runs_out_is_told(void **state)
{
    (void)state;
    enum { ROWS = 60, COLS = 80 };
    rng r = rng_seed(5);
    vouch_lp *lp = boxes(&r, ROWS, COLS), *copy;
    vouch_lp_options o = options_of(VOUCH_FACTOR_SPARSE);
    assert_int_equal(vouch_lp_solve(lp, &o), VOUCH_OK);
    assert_int_equal(lp_make_ready(lp), VOUCH_OK);
    assert_int_equal(vouch_lp_clone(&copy, lp), VOUCH_OK);
    vouch_status status = VOUCH_ERROR_MEMORY;
    int failures = 0;
    for (long k = 0; status; k++, failures++) {
        mem_fail_after(k);
        status = lp_follow(copy, lp);
        mem_fail_after(-1);
        assert_true(!status || status == VOUCH_ERROR_MEMORY);
    }
    assert_true(failures > 10);
    assert_int_equal(vouch_lp_solve(copy, &o), VOUCH_OK);
    vouch_lp_free(copy);
    vouch_lp_free(lp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_copy_forgets_what_it_did_before),
                                       cmocka_unit_test(a_set_basis_is_where_copies_begin),
                                       cmocka_unit_test(memory_that_runs_out_is_told)};
    return run_tests(tests);
}
