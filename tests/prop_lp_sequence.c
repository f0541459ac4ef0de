/* Random sequences of calls on one problem against a fresh solve of its present state. A failing sequence prints its seed and
 * number; VOUCH_LP_SEQUENCES sets how many. */
#include "lp_aid.h"

static vouch_lp *fresh_copy(const vouch_lp *lp)
{
    vouch_lp_data data;
    vouch_lp *copy;
    vouch_lp_view(lp, &data);
    assert_int_equal(vouch_lp_new(&copy), VOUCH_OK);
    assert_int_equal(vouch_lp_load(copy, &data, NULL), VOUCH_OK);
    return copy;
}

static double some_bound(rng *r, int lower)
{
    if (pick(r, 4) == 0) return lower ? -INFINITY : INFINITY;
    return pick(r, 11) - (lower ? 7 : 3);
}

/* Up to 3 new rows or columns, entries small integers. */
static void add_some(vouch_lp *lp, rng *r, int by_rows)
{
    int limit = by_rows ? vouch_lp_cols(lp) : vouch_lp_rows(lp), count = 1 + pick(r, 3), entries = 0;
    int64_t start[4] = {0};
    int *index = malloc((size_t)(3 * limit + 1) * sizeof *index);
    double *value = malloc((size_t)(3 * limit + 1) * sizeof *value), cost[3], lower[3], upper[3];
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < limit; i++) {
            int v = pick(r, 3) ? 0 : pick(r, 9) - 4;
            if (v == 0) continue;
            index[entries] = i;
            value[entries++] = v;
        }
        start[k + 1] = entries;
        cost[k] = pick(r, 11) - 5;
        lower[k] = some_bound(r, 1);
        upper[k] = fmax(lower[k], some_bound(r, 0));
    }
    if (by_rows)
        assert_int_equal(vouch_lp_add_rows(lp, count, start, index, value, lower, upper), VOUCH_OK);
    else
        assert_int_equal(vouch_lp_add_cols(lp, count, start, index, value, cost, lower, upper), VOUCH_OK);
    free(index);
    free(value);
}

static void change(vouch_lp *lp, rng *r, unsigned char *row, unsigned char *col, int *kept_m, int *kept_n)
{
    int m = vouch_lp_rows(lp), n = vouch_lp_cols(lp), at;
    double l = some_bound(r, 1), u = some_bound(r, 0);
    if (pick(r, 20)) u = fmax(l, u); /* now and then crossing */
    switch (pick(r, 11)) {
    case 0:
    case 1:
    case 2:
        if (n) assert_int_equal(vouch_lp_set_col_bounds(lp, pick(r, n), l, u), VOUCH_OK);
        break;
    case 3:
        if (m) assert_int_equal(vouch_lp_set_row_bounds(lp, pick(r, m), l, u), VOUCH_OK);
        break;
    case 4:
        if (n) assert_int_equal(vouch_lp_set_cost(lp, pick(r, n), pick(r, 21) - 10), VOUCH_OK);
        break;
    case 5:
        if (m < 12) add_some(lp, r, 1);
        break;
    case 6:
        if (n < 14) add_some(lp, r, 0);
        break;
    case 7:
        at = m ? pick(r, m) : 0;
        if (m > 2) assert_int_equal(vouch_lp_delete_rows(lp, 1, &at), VOUCH_OK);
        break;
    case 8:
        at = n ? pick(r, n) : 0;
        if (n > 2) assert_int_equal(vouch_lp_delete_cols(lp, 1, &at), VOUCH_OK);
        break;
    case 9:
        if (pick(r, 2))
            assert_int_equal(vouch_lp_set_maximize(lp, pick(r, 2)), VOUCH_OK);
        else
            vouch_lp_forget_basis(lp);
        break;
    case 10: /* jump back to a basis stored earlier, as a tree search does */
        if (*kept_m == m && *kept_n == n) {
            assert_int_equal(vouch_lp_set_basis(lp, row, col), VOUCH_OK);
        } else {
            vouch_lp_get_basis(lp, row, col);
            *kept_m = m, *kept_n = n;
        }
        break;
    }
}

static void after_any_calls_a_fresh_solve_agrees(void **state)
{
    (void)state;
    int count = test_count("VOUCH_LP_SEQUENCES", 400);
    uint64_t seed = 4242;
    for (int k = 0; k < count; k++) {
        rng r = rng_seed(seed + (uint64_t)k);
        sample p = sample_random(&r, 8, 10);
        vouch_lp *lp = sample_load(&p);
        unsigned char row[16], col[20];
        int kept_m = -1, kept_n = -1;
        vouch_lp_options options;
        vouch_lp_options_init(&options);
        options.factor = (vouch_lp_factor)pick(&r, 3);
        for (int step = 0; step < 25; step++) {
            change(lp, &r, row, col, &kept_m, &kept_n);
            if (pick(&r, 3) == 0) continue;
            options.method = (vouch_lp_method)pick(&r, 3);
            vouch_lp *copy = fresh_copy(lp);
            vouch_lp_result warm = solve_checked(lp, &options), cold = solve_checked(copy, NULL);
            if (warm.outcome != cold.outcome) printf("sequence %d of seed %d, step %d\n", k, (int)seed, step);
            assert_same_result(&warm, &cold);
            vouch_lp_free(copy);
        }
        vouch_lp_free(lp);
        sample_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_any_calls_a_fresh_solve_agrees),
    };
    return run_tests(tests);
}
