/* Symmetries of a program: known groups, validity of each permutation, and a search with symmetry reduction against enumeration. */
#include "mip/search.h"

#include <vouch/mip.h>

#include "base/memory.h"
#include "base/rng.h"
#include "mip_aid.h"

/* Three machines with the same capacity, two jobs of one size and one of another: machines may change places, and so may the like
 * jobs. */
static const char *const machines = "min\n 2 y1 + 2 y2 + 2 y3 + 0 z\nst\n"
                                    " a: x11 + x12 + x13 = 1\n b: x21 + x22 + x23 = 1\n c: x31 + x32 + x33 = 1\n"
                                    " p: 3 x11 + 3 x21 + 4 x31 - 7 y1 <= 0\n q: 3 x12 + 3 x22 + 4 x32 - 7 y2 <= 0\n"
                                    " r: 3 x13 + 3 x23 + 4 x33 - 7 y3 <= 0\n s: y1 + y2 + y3 + z >= 1\nbounds\n z <= 4\n"
                                    "binary\n x11 x12 x13 x21 x22 x23 x31 x32 x33 y1 y2 y3\nend\n";

static int full_image(const symmetry *g, int permutation, int j)
{
    int at = g->index[j];
    return at < 0 ? j : g->column[g->image[permutation * g->columns + at]];
}

static void the_group_of_like_machines_and_jobs_is_found(void **state)
{
    (void)state;
    mip_model p = model_of(machines);
    symmetry *g = symmetry_find(&p);
    assert_non_null(g);
    assert_int_equal(g->count, 3 * 2 * 2 - 1);
    assert_int_equal(g->columns, 12);
    for (int a = 0; a < g->count; a++) {
        bool hit[16] = {false}, moved = false;
        for (int j = 0; j < p.n; j++) {
            int k = full_image(g, a, j);
            assert_false(hit[k]);
            hit[k] = true;
            moved = moved || k != j;
            assert_true(p.cost[j] == p.cost[k] && p.integer[j] == p.integer[k]);
        }
        assert_true(moved);
        for (int points = 0; points < 4096; points++) { /* feasible points have feasible images */
            double x[16] = {0}, y[16] = {0};
            for (int j = 0, bit = 0; j < p.n; j++) x[j] = p.integer[j] ? points >> bit++ & 1 : 1;
            for (int j = 0; j < p.n; j++) y[full_image(g, a, j)] = x[j];
            assert_true(mip_model_feasible(&p, x, 0) == mip_model_feasible(&p, y, 0));
        }
    }
    symmetry_free(g);
    mip_model_free(&p);
}

static void where_nothing_may_change_places_there_is_none(void **state)
{
    (void)state;
    static const char *const none[] = {
        "min\n x + 2 y\nst\n a: x + y >= 1\nbinary\n x y\nend\n", "min\n x + y\nst\n a: x + 2 y >= 1\nbinary\n x y\nend\n",
        "min\n x + y\nst\n a: x + y >= 1\nbounds\n x <= 2\n y <= 3\ngeneral\n x y\nend\n",
        "min\n x + y\nst\n a: x + y >= 1\n b: x - y <= 1\nbinary\n x y\nend\n",
        /* only columns that are not integer change places */
        "min\n x + y + z\nst\n a: x + y + z >= 1\n b: x + y <= 3\nbinary\n z\nend\n",
        /* each has a row of the same length, but the rows hang together in a ring of one direction */
        "min\n x + y + z\nst\n a: x + 2 y >= 1\n b: y + 3 z >= 1\n c: z + 4 x >= 1\nbinary\n x y z\nend\n"};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        mip_model p = model_of(none[k]);
        symmetry *g = symmetry_find(&p);
        if (g) fail_msg("program %zu has %d permutations", k, g->count);
        mip_model_free(&p);
    }
}

static void a_ring_turns_and_a_square_is_mirrored(void **state)
{
    (void)state;
    mip_model ring = model_of("min\n x + y + z\nst\n a: x + 2 y >= 1\n b: y + 2 z >= 1\n c: z + 2 x >= 1\nbinary\n x y z\nend\n");
    mip_model square = model_of("max\n a + b + c + d\nst\n p: a + b <= 1\n q: b + c <= 1\n r: c + d <= 1\n s: d + a <= 1\n"
                                "binary\n a b c d\nend\n");
    symmetry *g = symmetry_find(&ring), *h = symmetry_find(&square);
    assert_non_null(g);
    assert_non_null(h);
    assert_int_equal(g->count, 2);
    assert_int_equal(h->count, 7);
    symmetry_free(g);
    symmetry_free(h);
    mip_model_free(&ring);
    mip_model_free(&square);
}

/* x1 was branched on: x1 >= x2 and x1 >= x3; with x1 = 0 all are 0, with x1 = 1 nothing follows until x2 is branched on, too. */
static void bounds_follow_from_the_columns_branched_on(void **state)
{
    (void)state;
    mip_model p = model_of(
        "min\n - x1 - x2 - x3\nst\n a: 2 x1 + 2 x2 + 2 x3 <= 7\nbounds\n x1 <= 3\n x2 <= 3\n x3 <= 3\ngeneral\n x1 x2 x3\nend\n");
    symmetry *g = symmetry_find(&p);
    domain d;
    assert_int_equal(domain_init(&d, &p), VOUCH_OK);
    assert_int_equal(g->count, 5);
    int order[] = {0, 1};
    assert_true(domain_set_upper(&d, 0, 1));
    assert_true(symmetry_reduce(g, &d, order, 1));
    assert_true(d.upper[1] == 1 && d.upper[2] == 1 && d.lower[0] == 0);
    assert_true(domain_set_lower(&d, 1, 1));
    assert_true(symmetry_reduce(g, &d, order, 2));
    assert_true(d.lower[0] == 1 && d.lower[2] == 0 && d.upper[2] == 1);
    domain_undo(&d, 0);
    assert_true(domain_set_upper(&d, 0, 0));
    assert_true(domain_set_lower(&d, 2, 1));
    assert_false(symmetry_reduce(g, &d, order, 1));
    domain_free(&d);
    symmetry_free(g);
    mip_model_free(&p);
}

/* ---- against enumeration ------------------------------------------------------------------------------------------------- */

enum { BLOCKS_MOST = 4, WIDTH = 3, ROWS_MOST = 2 * BLOCKS_MOST + 2 };

/* Blocks of binaries with rows of their own, the same in each, and two rows over all of them. */
static vouch_lp *blocks(uint64_t seed, int *columns)
{
    rng r = rng_seed(seed);
    int count = 2 + (int)rng_below(&r, BLOCKS_MOST - 1), n = *columns = count * WIDTH, m = 2 * count + 2;
    double a[ROWS_MOST][BLOCKS_MOST * WIDTH] = {{0}}, cost[BLOCKS_MOST * WIDTH], ones[BLOCKS_MOST * WIDTH], upper[ROWS_MOST];
    for (int i = 0; i < m; i++) {
        bool first = i < 2, all = i >= 2 * count;
        upper[i] = first || all ? (double)rng_below(&r, 7) - 2 : upper[i % 2];
        for (int b = 0; b < count; b++)
            for (int k = 0; k < WIDTH; k++)
                if (all ? b == 0 : b == i / 2) {
                    double v = first || all ? (double)rng_below(&r, 9) - 4 : a[i % 2][k];
                    for (int c = 0; c < (all ? count : 1); c++) a[i][(b + c) * WIDTH + k] = v;
                }
    }
    for (int k = 0; k < WIDTH; k++) {
        double v = (double)rng_below(&r, 9) - 4;
        for (int b = 0; b < count; b++) cost[b * WIDTH + k] = v, ones[b * WIDTH + k] = 1;
    }
    int64_t start[BLOCKS_MOST * WIDTH + 1] = {0};
    int index[ROWS_MOST * BLOCKS_MOST * WIDTH];
    double value[ROWS_MOST * BLOCKS_MOST * WIDTH];
    for (int j = 0; j < n; j++) {
        start[j + 1] = start[j];
        for (int i = 0; i < m; i++)
            if (a[i][j] != 0) index[start[j + 1]] = i, value[start[j + 1]++] = a[i][j];
    }
    vouch_lp_data d = {
        .rows = m, .cols = n, .start = start, .index = index, .value = value, .cost = cost, .col_upper = ones, .row_upper = upper};
    vouch_lp *lp;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(lp, &d, NULL), VOUCH_OK);
    for (int j = 0; j < n; j++) vouch_lp_set_integer(lp, j, 1);
    return lp;
}

/* NAN: none. */
static double best_of_all(const vouch_lp *lp, int n)
{
    mip_model p;
    double best = NAN;
    assert_int_equal(mip_model_build(&p, lp), VOUCH_OK);
    for (int set = 0; set < 1 << n; set++) {
        double x[BLOCKS_MOST * WIDTH];
        for (int j = 0; j < n; j++) x[j] = set >> j & 1;
        if (!mip_model_feasible(&p, x, 0)) continue;
        double value = mip_model_objective(&p, x);
        if (!(value >= best)) best = value;
    }
    mip_model_free(&p);
    return best;
}

static vouch_mip_result solved(const vouch_lp *lp, int with_symmetry, bool bare)
{
    vouch_mip *mip;
    vouch_mip_options o;
    vouch_mip_result r;
    vouch_mip_options_init(&o);
    o.symmetry = with_symmetry;
    if (bare) o.presolve = o.cuts = o.heuristics = 0;
    assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, &o), VOUCH_OK);
    vouch_mip_get_result(mip, &r);
    r.x = NULL;
    vouch_mip_free(mip);
    return r;
}

static void a_search_that_spares_images_finds_the_optimum(void **state)
{
    (void)state;
    long long with = 0, without = 0;
    int feasible = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        int n;
        vouch_lp *lp = blocks(seed, &n);
        double best = best_of_all(lp, n);
        for (int bare = 0; bare < 2; bare++) {
            vouch_mip_result r = solved(lp, 1, bare == 1);
            if (r.outcome != (isnan(best) ? VOUCH_MIP_INFEASIBLE : VOUCH_MIP_OPTIMAL) ||
                (!isnan(best) && fabs(r.objective - best) > 1e-6))
                fail_msg("seed %d: outcome %d, %.9g, expected %.9g", (int)seed, (int)r.outcome, r.objective, best);
            with += r.nodes;
            without += solved(lp, 0, bare == 1).nodes;
        }
        feasible += !isnan(best);
        vouch_lp_free(lp);
    }
    assert_true(feasible > 100 && feasible < 390);
    if (!(with < without)) fail_msg("%lld nodes, without %lld", with, without);
}

static void a_failing_allocation_leaves_no_group(void **state)
{
    (void)state;
    mip_model p = model_of(machines);
    for (long k = 0;; k++) {
        long live = mem_live();
        mem_fail_after(k);
        symmetry *g = symmetry_find(&p);
        mem_fail_after(-1);
        bool found = g != NULL;
        symmetry_free(g);
        assert_int_equal(mem_live(), live);
        if (found) break;
        assert_true(k < 1000);
    }
    mip_model_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_group_of_like_machines_and_jobs_is_found),
                                       cmocka_unit_test(where_nothing_may_change_places_there_is_none),
                                       cmocka_unit_test(a_ring_turns_and_a_square_is_mirrored),
                                       cmocka_unit_test(bounds_follow_from_the_columns_branched_on),
                                       cmocka_unit_test(a_search_that_spares_images_finds_the_optimum),
                                       cmocka_unit_test(a_failing_allocation_leaves_no_group)};
    return run_tests(tests);
}
