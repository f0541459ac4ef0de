/* Presolve: removals, tightenings, and points that map to points of the original. */
#include "mip/presolve.h"

#include <vouch/mip.h>

#include "base/rng.h"
#include "base/text.h"
#include "mip_aid.h"
#include "test.h"

static mip_presolved presolved(const char *text)
{
    mip_model model = model_of(text);
    mip_presolved p;
    vouch_limits none = {0};
    deadline clock = deadline_start(&none);
    assert_int_equal(mip_presolve(&p, &model, true, &clock), VOUCH_OK);
    mip_model_free(&model);
    return p;
}

/* A column without lower bound is not fixed, used or unused. */
static void free_columns_stay(void **state)
{
    (void)state;
    mip_presolved p = presolved("min\n obj: 2 x + y\nst\n a: x + y >= 2\n b: x - 3 y <= 7\nbounds\n x free\n"
                                " -inf <= y <= 4\n -inf <= u <= 3\n v free\ngenerals\n x u\nend\n");
    assert_false(p.infeasible);
    for (int j = 0; j < p.original_cols; j++) assert_true(isfinite(p.fixed[j]));
    double reduced[4] = {0}, x[4] = {1, 2, 3, 4};
    assert_true(p.model.n >= 2);
    mip_presolved_restrict(&p, x, reduced);
    mip_presolved_expand(&p, reduced, x);
    assert_true(x[0] == 1 && x[1] == 2);
    mip_presolved_free(&p);
}

static void bounds_that_cross_are_infeasible(void **state)
{
    (void)state;
    mip_presolved p = presolved("min\n obj: x\nst\n a: x + y <= 9\nbounds\n 0.25 <= x <= 0.75\ngenerals\n x\nend\n");
    assert_true(p.infeasible);
    mip_presolved_free(&p);
}

/* x + y + 8 z <= 10, all at most 4: with z = 0 the row is slack by 2, so z takes 6 of its coefficient. */
static void coefficients_are_tightened(void **state)
{
    (void)state;
    mip_presolved p = presolved("min\n obj: - x - y - z\nst\n a: x + y + 8 z <= 10\nbounds\n x <= 4\n y <= 4\nbinaries\n"
                                " z\nend\n");
    assert_false(p.infeasible);
    assert_int_equal(p.rows_tightened, 1);
    assert_int_equal(p.model.m, 1);
    double coefficient = 0;
    for (int64_t k = p.model.row_start[0]; k < p.model.row_start[1]; k++)
        if (p.col_of[p.model.row_col[k]] == 2) coefficient = p.model.row_value[k];
    assert_near(coefficient, 6, 1e-12);
    assert_near(p.model.row_upper[0], 8, 1e-12);
    mip_presolved_free(&p);
    /* the same row from below */
    p = presolved("min\n obj: - x - y - z\nst\n a: - x - y - 8 z >= -10\nbounds\n x <= 4\n y <= 4\nbinaries\n z\nend\n");
    assert_int_equal(p.rows_tightened, 1);
    coefficient = 0;
    for (int64_t k = p.model.row_start[0]; k < p.model.row_start[1]; k++)
        if (p.col_of[p.model.row_col[k]] == 2) coefficient = p.model.row_value[k];
    assert_near(coefficient, -6, 1e-12);
    assert_near(p.model.row_lower[0], -8, 1e-12);
    mip_presolved_free(&p);
}

/* Memory that runs out at each place: told, and nothing left. */
static void memory_runs_out(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read(
        "min\n obj: - 5 x - 4 y - 3 z - w\nst\n a: 2 x + 3 y + z <= 5.5\n b: 4 x + y + 2 z <= 11\n c: 3 x + 4 y + 2 z - w <= 8\n"
        "bounds\n x <= 3\n y <= 3\n z <= 3\n w <= 2\ngenerals\n x y z\nsos\n s: S1:: y:1 w:2\nend\n",
        "f.lp");
    long before = mem_live(), failures = 0;
    for (long k = 0;; k++) {
        vouch_mip *mip = NULL;
        mem_fail_after(k);
        vouch_status status = vouch_mip_new(&mip, lp);
        if (!status) status = vouch_mip_solve(mip, NULL);
        mem_fail_after(-1);
        vouch_mip_free(mip);
        assert_int_equal(mem_live(), before);
        if (status == VOUCH_OK) break;
        assert_int_equal(status, VOUCH_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures > 30);
    vouch_lp_free(lp);
}

/* x <= 1e9 y with x <= 12.3 is x <= 12.3 y, exactly; and where the sum hides the digits nothing is touched. */
static void big_coefficients_shrink_to_what_is_needed(void **state)
{
    (void)state;
    mip_presolved p = presolved("min\n obj: x + 9 y + 8 w\nst\n a: x - 1e9 y <= 0\n b: x + w >= 3\nbounds\n x <= 12.3\n"
                                " w <= 2.5\nbinaries\n y\nend\n");
    assert_false(p.infeasible);
    for (int64_t k = 0; k < p.model.row_start[p.model.m]; k++) assert_true(fabs(p.model.row_value[k]) <= 12.3 + 1e-6);
    mip_presolved_free(&p);
    p = presolved("min\n obj: - x + y\nst\n a: x + 123456789012.3 y <= 123456789017.6\nbounds\n x <= 12.3\nbinaries\n y\n"
                  "end\n");
    assert_int_equal(p.rows_tightened, 0);
    mip_presolved_free(&p);
}

static void rows_of_integers_take_multiples_only(void **state)
{
    (void)state;
    static const struct {
        const char *row;
        bool infeasible;
    } cases[] = {{"6 x - 9 y = 4", true},           {"6 x - 9 y = 3", false},         {"4.74 x - 76.1 y = 0.4783", true},
                 {"0.06 x - 0.09 y = 0.03", false}, {"0.06 x - 0.09 y = 0.04", true}, {"6 x - 9 y >= 4", false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200];
        snprintf(text, sizeof text, "min\n obj: x + 2 y\nst\n a: %s\nbounds\n x free\ngenerals\n x y\nend\n", cases[k].row);
        mip_presolved p = presolved(text);
        if (p.infeasible != cases[k].infeasible) fail_msg("%s: %d", cases[k].row, p.infeasible);
        mip_presolved_free(&p);
    }
}

/* A row is redundant within its rounding, not within a tolerance of a thousand: y is held by it. */
static void a_row_almost_implied_stays(void **state)
{
    (void)state;
    mip_presolved p = presolved("min\n obj: - y\nst\n a: 1000 x + 0.0003 y <= 3000.0000001\n b: y + z <= 1\nbounds\n x = 3\n"
                                " y <= 0.001\nend\n");
    assert_false(p.infeasible);
    double most = INFINITY;
    for (int j = 0; j < p.model.n; j++)
        if (p.col_of[j] == 0) most = p.model.upper[j];
    if (most == INFINITY) most = p.fixed[0];
    assert_near(most, 1e-7 / 3e-4, 1e-5);
    mip_presolved_free(&p);
}

static void sets_lose_their_fixed_members(void **state)
{
    (void)state;
    mip_presolved p = presolved("max\n obj: x + 2 y + 3 z + w\nst\n a: x + y + z + w <= 5\n b: x - y + z >= -3\n"
                                " c: x + y - z >= -3\nbounds\n x <= 3\n y <= 3\n z <= 3\n w = 0\nsos\n"
                                " s: S1:: x:1 y:2 z:3 w:4\n t: S1:: x:1 w:2\nend\n");
    assert_false(p.infeasible);
    assert_int_equal(p.model.sets, 1); /* the second has one member left */
    assert_int_equal(p.model.set_start[1], 3);
    mip_presolved_free(&p);
}

/* Cells are covered by tiles, the objective counts them: what is left are the tiles, two cells each, at most one a cell. */
static void columns_that_rows_define_are_solved_for(void **state)
{
    (void)state;
    mip_presolved p =
        presolved("min\n obj: - covered\nst\n one: a + d - c1 = 0\n two: 2 a + 2 b - 2 c2 = 0\n three: b + d - c3 = 0\n"
                  " count: c1 + c2 + c3 - covered = -1\nbounds\n covered free\nbinaries\n a b d c1 c2 c3\nend\n");
    assert_false(p.infeasible);
    assert_int_equal(p.model.n, 3);
    assert_int_equal(p.model.m, 1); /* a + b + d <= 1: of the three pairs */
    assert_int_equal(p.solved.count, 4);
    for (int j = 0; j < 3; j++) assert_near(p.model.cost[j], -2, 0);
    assert_true(p.model.row_upper[0] == 1);
    assert_near(mip_model_granularity(&p.model), 2, 0);
    double reduced[3], x[7],
        given[7] = {1, 2, 1, 0, 0, 0, 0}; /* columns in the order in which the rows name them, after the objective */
    mip_presolved_restrict(&p, given, reduced);
    for (int j = 0; j < 3; j++) reduced[j] = j == 0;
    mip_presolved_expand(&p, reduced, x);
    assert_near(x[0], 3, 0); /* covered: two cells, and one more */
    assert_near(mip_model_objective(&p.model, reduced), -3, 0);
    mip_presolved_free(&p);
}

/* A slack that is not whole where the others are, one in two rows, one of a set, and one whose row would go with its bounds: stay.
 */
static void columns_that_rows_do_not_define_stay(void **state)
{
    (void)state;
    static const char *const rows[] = {"a + 3 b + 2 s = 5", "a + 0.5 b - s = 0", "a + b - s = 0.5 \n c: a + s <= 2"};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "min\n obj: a + 2 b + s\nst\n r: %s\n o: a - b >= -3\nbounds\n a <= 4\n b <= 4\n s <= 3\ngenerals\n a b s\nend\n",
                 rows[k]);
        mip_presolved p = presolved(text);
        assert_int_equal(p.solved.count, 0);
        mip_presolved_free(&p);
    }
    mip_presolved p = presolved("max\n obj: 2 z - a - b\nst\n r: a + b - z = 0\n o: a - b >= -3\nbounds\n a <= 4\n b <= 4\n z <= "
                                "7\ngenerals\n a b\nend\n");
    assert_int_equal(p.solved.count, 0); /* the sum may be 8 */
    mip_presolved_free(&p);
}

/* y = 7 - 2 x and z = y - 1: one column is left of the three, with their bounds, costs and rows. */
static void pairs_become_one_column(void **state)
{
    (void)state;
    mip_presolved p = presolved("min\n obj: x + 3 y - z + w\nst\n a: 4 x + 2 y = 14\n b: y - z = 1\n c: x - 2 y + z + 0.3 w <= 3\n"
                                " d: z - 2 w <= 1\nbounds\n x <= 5\n 1 <= y <= 6\n z <= 4\n w <= 9\ngenerals\n x y z\nend\n");
    double reduced[4] = {0}, x[4], point[4] = {2, 3, 2, 0.75};
    assert_false(p.infeasible);
    assert_int_equal(p.solved.count, 2);
    assert_int_equal(p.model.n, 2);
    mip_presolved_restrict(&p, point, reduced);
    mip_presolved_expand(&p, reduced, x);
    for (int j = 0; j < 4; j++) assert_near(x[j], point[j], 1e-12);
    assert_near(mip_model_objective(&p.model, reduced), 9.75, 1e-12);
    mip_presolved_free(&p);
}

/* The whole solver on programs whose optimum is known; with presolve and without. */
static void outcomes_with_and_without_presolve(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double optimum; /* NAN: infeasible */
    } cases[] = {
        {"min\n obj: x + 2 y\nst\n a: x + y >= 2.5\n b: x - y <= 1\nbounds\n x free\n -inf <= u <= 3\ngenerals\n y u\nend\n", 3.5},
        /* switching rows of 1e9 whose relaxation is integral within the tolerance */
        {"min\n obj: x + 10 y + z + 8 w\nst\n a: x - 1e9 y <= 0\n b: z - 1e9 w <= 0\n c: x + z >= 7\nbinaries\n y w\nend\n", 15},
        {"min\n obj: x + 10 y + 2 z + 8 w\nst\n a: x - 1e6 y <= 0\n b: z - 1e6 w <= 0\n c: x >= 3\n d: z >= 2\n"
         "binaries\n y w\nend\n",
         25},
        {"min\n obj: y\nst\n a: x - 1e9 y <= 0\n c: x >= 3\n d: y + v <= 0.5\nbinaries\n y\nend\n", NAN},
        {"min\n obj: x\nst\n a: 12345678 x - 23456789 y = 4\nbounds\n x <= 100\n y <= 100\ngenerals\n x y\nend\n", NAN},
    };
    for (size_t k = 0; k < 2 * (sizeof cases / sizeof *cases); k++) {
        vouch_lp *lp = lptext_read(cases[k / 2].text, "f.lp");
        vouch_mip *mip;
        vouch_mip_options o;
        vouch_mip_result r;
        vouch_mip_options_init(&o);
        o.presolve = k % 2;
        assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
        assert_int_equal(vouch_mip_solve(mip, &o), VOUCH_OK);
        vouch_mip_get_result(mip, &r);
        double optimum = cases[k / 2].optimum;
        if (r.outcome != (isnan(optimum) ? VOUCH_MIP_INFEASIBLE : VOUCH_MIP_OPTIMAL) ||
            (!isnan(optimum) && !(fabs(r.objective - optimum) <= 1e-6)))
            fail_msg("%s: %s, %g", cases[k / 2].text, vouch_mip_outcome_text(r.outcome), r.objective);
        vouch_mip_free(mip);
        vouch_lp_free(lp);
    }
}

/* x1 + x2 + x3 - 2 u = 1 and x2 + x3 - 2 v = 0: x1 is odd. With x1 + x2, x2 + x3 and x1 + x3 all odd there is no point. */
static void parities_of_equalities_are_used(void **state)
{
    (void)state;
    mip_presolved p = presolved(
        "min\n obj: x1 - x2 + x3 + 3 y\nst\n a: x1 + x2 + x3 - 2 u = 1\n b: 0.5 x2 + 0.5 x3 - v = 0\n c: x1 + x2 + y >= 6\nbounds\n"
        " x1 <= 8\n x2 <= 9\n x3 <= 9\n u <= 20\n v <= 20\ngenerals\n x1 x2 x3 u v\nend\n");
    assert_false(p.infeasible);
    assert_int_equal(p.col_of[0], 0);
    assert_true(p.model.lower[0] == 1 && p.model.upper[0] == 7);
    mip_presolved_free(&p);
    p = presolved("min\n obj: x1 + x2 + x3\nst\n a: x1 + x2 - 2 u = 1\n b: x2 + x3 - 2 v = 1\n c: 3 x1 + x3 - 2 w = 5\nbounds\n"
                  " x1 <= 9\n x2 <= 9\n x3 <= 9\n u <= 20\n v <= 20\n w <= 20\ngenerals\n x1 x2 x3 u v w\nend\n");
    assert_true(p.infeasible);
    mip_presolved_free(&p);
}

enum { PARITIES = 3, TERMS = 4 };

/* Least c'x of x in 0 .. 3 with a_i x + d_i y_i = b_i for whole y_i in -9 .. 9; INFINITY: none. */
static double least_by_enumeration(int a[PARITIES][TERMS], const int d[], const int b[], const int c[])
{
    double least = INFINITY;
    for (int at = 0; at < 256; at++) {
        double value = 0;
        bool fits = true;
        for (int i = 0; i < PARITIES; i++) {
            int left = b[i];
            for (int k = 0; k < TERMS; k++) left -= a[i][k] * (at >> (2 * k) & 3);
            fits = fits && left % d[i] == 0 && abs(left / d[i]) <= 9;
        }
        for (int k = 0; k < TERMS; k++) value += c[k] * (at >> (2 * k) & 3);
        if (fits) least = fmin(least, value);
    }
    return least;
}

static void parities_keep_the_optimum(void **state)
{
    (void)state;
    rng r = rng_seed(5);
    int infeasible = 0;
    for (int trial = 0; trial < 400; trial++) {
        int a[PARITIES][TERMS], d[PARITIES], b[PARITIES], c[TERMS], used = 0;
        char text[600];
        for (int k = 0; k < TERMS; k++) c[k] = (int)rng_below(&r, 9) - 4;
        used = format_text(text, sizeof text, "min\n obj: %d x0 + %d x1 + %d x2 + %d x3\nst\n", c[0], c[1], c[2], c[3]);
        for (int i = 0; i < PARITIES; i++) {
            for (int k = 0; k < TERMS; k++) a[i][k] = (int)rng_below(&r, 6) - 2;
            d[i] = 2 * (1 + (int)rng_below(&r, 2));
            b[i] = (int)rng_below(&r, 9);
            used += format_text(text + used, sizeof text - (size_t)used, " r%d: %d x0 + %d x1 + %d x2 + %d x3 + %d y%d = %d\n", i,
                                a[i][0], a[i][1], a[i][2], a[i][3], d[i], i, b[i]);
        }
        (void)format_text(text + used, sizeof text - (size_t)used,
                          "bounds\n x0 <= 3\n x1 <= 3\n x2 <= 3\n x3 <= 3\n -9 <= y0 <= 9\n -9 <= y1 <= 9\n -9 <= y2 <= 9\n"
                          "generals\n x0 x1 x2 x3 y0 y1 y2\nend\n");
        double least = least_by_enumeration(a, d, b, c);
        vouch_lp *lp = lptext_read(text, "f.lp");
        vouch_mip *mip;
        vouch_mip_result result;
        assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
        assert_int_equal(vouch_mip_solve(mip, NULL), VOUCH_OK);
        vouch_mip_get_result(mip, &result);
        if (result.outcome != (isinf(least) ? VOUCH_MIP_INFEASIBLE : VOUCH_MIP_OPTIMAL) ||
            (isfinite(least) && fabs(result.objective - least) > 1e-6))
            fail_msg("%s: %s, %g; %g by enumeration", text, vouch_mip_outcome_text(result.outcome), result.objective, least);
        infeasible += isinf(least);
        vouch_mip_free(mip);
        vouch_lp_free(lp);
    }
    assert_true(infeasible > 20 && infeasible < 380);
}

/* With b = 1, c = 2, the only whole solution of e, the others are multiples of one another whose right sides are 0 but for
 * rounding; f is unbounded. */
static void multiples_with_fixed_columns_stay_consistent(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read("min\n obj: f\nst\n e: 1.36 b + 2.5 c = 6.36\n r: 0.01 a - 1.21 b - 1.81 c - 0.53 d = -4.83\n"
                               " s: - 0.02 a + 2.42 b + 3.62 c + 1.06 d = 9.66\n t: 0.03 a - 3.63 b - 5.43 c - 1.59 d = -14.49\n"
                               "bounds\n -2 <= a <= 2\n -2 <= b <= 2\n -2 <= c <= 2\n d free\n f free\ngenerals\n a b c\nend\n",
                               "f.lp");
    vouch_mip *mip;
    vouch_mip_result r;
    assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, NULL), VOUCH_OK);
    vouch_mip_get_result(mip, &r);
    assert_int_equal(r.outcome, VOUCH_MIP_UNBOUNDED);
    vouch_mip_free(mip);
    vouch_lp_free(lp);
}

/* The edges of a square with both diagonals, one of a complement, are one row of four literals. */
static void edges_become_a_clique(void **state)
{
    (void)state;
    mip_model m =
        model_of("max\n obj: a + b + c - d\nst\n e: a + b <= 1\n f: 2 a + 2 c <= 2\n g: - b - c >= -1\n h: a <= d\n i: b - d <= 0\n"
                 " j: d >= c\n k: a + b + c + d <= 3\nbinaries\n a b c d\nend\n");
    assert_int_equal(mip_merge_cliques(&m), VOUCH_OK);
    assert_int_equal(m.m, 2);
    double sum = 0;
    assert_int_equal(m.row_start[1], 4);
    for (int k = 0; k < 4; k++) sum += m.row_value[k];
    assert_true(sum == 2 && m.row_upper[0] == 0 && isinf(m.row_lower[0]) && m.row_upper[1] == 3);
    mip_model_free(&m);
}

enum { BINARIES = 7, CLIQUE_ROWS = 9 };

/* Rows of two or three literals, of either sense and any scale, some of them equalities, and one of another kind: the same points
 * before and after. */
static void merged_cliques_keep_every_point(void **state)
{
    (void)state;
    rng r = rng_seed(3);
    int fewer = 0, points = 0;
    for (int trial = 0; trial < 500; trial++) {
        char text[2000];
        int used = format_text(text, sizeof text, "max\n obj: x0\nst\n other: 3 x0 - 2 x1 + x2 <= 3\n");
        for (int i = 0; i < CLIQUE_ROWS; i++) {
            static const double scales[] = {1, -1, 2, -0.5, 3};
            double scale = scales[rng_below(&r, 5)], right = scale;
            int first = (int)rng_below(&r, 3), step = 1 + (int)rng_below(&r, 2), count = 2 + (int)rng_below(&r, 2);
            used += format_text(text + used, sizeof text - (size_t)used, " r%d:", i);
            for (int k = 0; k < count; k++) {
                double v = rng_below(&r, 5) ? scale : -scale;
                if (v != scale) right -= scale;
                used += format_text(text + used, sizeof text - (size_t)used, " %+g x%d", v, first + k * step);
            }
            const char *sense = rng_below(&r, 12) == 0 ? "=" : scale > 0 ? "<=" : ">=";
            used += format_text(text + used, sizeof text - (size_t)used, " %s %g\n", sense, right);
        }
        (void)format_text(text + used, sizeof text - (size_t)used, "binaries\n x0 x1 x2 x3 x4 x5 x6\nend\n");
        mip_model before = model_of(text), after = model_of(text);
        assert_int_equal(mip_merge_cliques(&after), VOUCH_OK);
        fewer += after.m < before.m;
        for (int at = 0; at < 1 << BINARIES; at++) {
            double x[BINARIES];
            for (int j = 0; j < BINARIES; j++) x[j] = at >> j & 1;
            bool held = mip_model_feasible(&before, x, 1e-9);
            if (mip_model_feasible(&after, x, 1e-9) != held) fail_msg("point %d of %s", at, text);
            points += held;
        }
        mip_model_free(&before);
        mip_model_free(&after);
    }
    assert_true(fewer > 100 && points > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_columns_stay),
        cmocka_unit_test(bounds_that_cross_are_infeasible),
        cmocka_unit_test(coefficients_are_tightened),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(big_coefficients_shrink_to_what_is_needed),
        cmocka_unit_test(rows_of_integers_take_multiples_only),
        cmocka_unit_test(a_row_almost_implied_stays),
        cmocka_unit_test(sets_lose_their_fixed_members),
        cmocka_unit_test(columns_that_rows_define_are_solved_for),
        cmocka_unit_test(columns_that_rows_do_not_define_stay),
        cmocka_unit_test(pairs_become_one_column),
        cmocka_unit_test(outcomes_with_and_without_presolve),
        cmocka_unit_test(parities_of_equalities_are_used),
        cmocka_unit_test(parities_keep_the_optimum),
        cmocka_unit_test(multiples_with_fixed_columns_stay_consistent),
        cmocka_unit_test(edges_become_a_clique),
        cmocka_unit_test(merged_cliques_keep_every_point),
    };
    return run_tests(tests);
}
