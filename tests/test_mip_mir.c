/* Mixed-integer rounding of given rows: the textbook cut, cuts that hold at every integer point, and sums whose
 * rounding hides the fraction. */
#include <vouch/mip.h>

#include "base/rng.h"
#include "base/text.h"
#include "mip/search.h"
#include "mip_aid.h"
#include "test.h"

static bool never(void *context, const double *x, double *value)
{
    (void)context;
    (void)x;
    (void)value;
    return false;
}

/* What separators see at the relaxation's optimum, and an empty aggregate. */
typedef struct stage {
    vouch_mip_options options;
    deadline clock;
    mip_owner owner;
    mip_search s;
    cut_scene c;
    aggregate sum;
} stage;

static void stage_init(stage *st, const char *text, mip_model *model)
{
    vouch_limits none = {0};
    *model = model_of(text);
    vouch_mip_options_init(&st->options);
    st->clock = deadline_start(&none);
    st->owner = (mip_owner){.accept = never};
    assert_int_equal(mip_search_init(&st->s, model, &st->options, &st->clock, &st->owner), VOUCH_OK);
    assert_int_equal(relax_solve(&st->s.lp.relax, INFINITY, 0), RELAX_OPTIMAL);
    mip_search_take_point(&st->s);
    assert_int_equal(
        cut_scene_init(&st->c, st->s.model, st->s.lp.relax.lp, (cut_request){st->s.dom.lower, st->s.dom.upper, st->s.lp.x, false}),
        VOUCH_OK);
    assert_int_equal(aggregate_init(&st->sum, &st->c), VOUCH_OK);
}

static void stage_free(stage *st)
{
    cut_scene_free(&st->c);
    mip_search_free(&st->s);
}

/* The cuts of row 0 of the program at the relaxation's optimum. found is for cut_list_free. */
static void separate(const char *text, mip_model *model, cut_list *found, double *x)
{
    stage st;
    stage_init(&st, text, model);
    aggregate_add(&st.sum, &st.c, 0, 1, 1);
    (void)mir_separate(&st.c, &st.sum, false);
    for (int j = 0; j < model->n; j++) {
        x[j] = st.s.lp.x[j];
        assert_true(st.c.coefficient[j] == 0 && !st.c.in_list[j]); /* scratch is left clean */
    }
    *found = st.c.found;
    st.c.found = (cut_list){0};
    stage_free(&st);
}

static double left_side(const mip_cut *c, const double *x)
{
    double sum = 0;
    for (int k = 0; k < c->count; k++) sum += c->value[k] * x[c->index[k]];
    return sum;
}

/* 2 x + 2 y <= 5 with whole x, y: x + y <= 2. */
static void a_row_of_integers_is_divided_and_rounded(void **state)
{
    (void)state;
    mip_model m;
    cut_list found;
    double x[2];
    separate("max\n obj: 2 x + y\nst\n a: 2 x + 2 y <= 5\nbounds\n x <= 4\n y <= 4\ngenerals\n x y\nend\n", &m, &found, x);
    assert_int_equal(found.count, 1);
    const mip_cut *c = &found.item[0];
    assert_int_equal(c->count, 2);
    assert_near(c->value[1] / c->value[0], 1, 1e-12);
    assert_near(c->upper / c->value[0], 2, 1e-8);
    assert_true(left_side(c, x) > c->upper);
    cut_list_free(&found);
    mip_model_free(&m);
}

/* s >= 0 continuous:  x - s <= 2.5  =>  x - 2 s <= 2  (f0 = 1/2). */
static void a_continuous_column_gets_its_slope(void **state)
{
    (void)state;
    mip_model m;
    cut_list found;
    double x[2];
    separate("max\n obj: x - 3 s\nst\n a: x - s <= 2.5\nbounds\n x <= 9\ngenerals\n x\nend\n", &m, &found, x);
    assert_int_equal(found.count, 1);
    const mip_cut *c = &found.item[0];
    assert_int_equal(c->count, 2);
    assert_near(c->value[1] / c->value[0], -2, 1e-9);
    assert_near(c->upper / c->value[0], 2, 1e-8);
    cut_list_free(&found);
    mip_model_free(&m);
}

/* A demand of 3 over a capacity of 10, switched by y, that another flow shares: x <= 10 y makes  y >= 1. */
static void flows_that_share_a_capacity_are_each_within_it(void **state)
{
    (void)state;
    mip_model m;
    cut_list found;
    double x[3];
    separate("min\n obj: y + 2 f\nst\n a: - x <= -3\n c: x + f - 10 y <= 0\nbounds\n y <= 1\ngenerals\n y\nend\n", &m, &found, x);
    assert_int_equal(found.count, 1);
    const mip_cut *c = &found.item[0];
    assert_int_equal(c->count, 1);
    assert_int_equal(c->index[0], 0);
    assert_near(c->upper / c->value[0], 1, 1e-8);
    cut_list_free(&found);
    mip_model_free(&m);
}

/* Bins of 100: rounding by 36 makes  a + b + 3/8 c <= 2 z, and c, three of which fit, can have 1/2. The coefficients are made
 * whole. */
static void coefficients_of_a_knapsack_are_lifted(void **state)
{
    (void)state;
    static const double wanted[] = {1, -4, 2, 2}; /* of the columns in the order of the objective: c z a b */
    mip_model m;
    cut_list found;
    double x[4], sum[4] = {0};
    separate(
        "min\n obj: c + z\nst\n a: 45 a + 36 b + 31 c - 100 z <= 0\n e: b = 1.3\n f: c = 0.8\nbounds\n a <= 2\n b <= 2\n c <= 3\n"
        " z <= 1\ngenerals\n a b c z\nend\n",
        &m, &found, x);
    assert_int_equal(found.count, 1);
    for (int k = 0; k < found.item[0].count; k++) sum[found.item[0].index[k]] = found.item[0].value[k];
    for (int j = 0; j < 4; j++) assert_true(sum[j] == wanted[j]);
    assert_true(found.item[0].upper == 0);
    cut_list_free(&found);
    mip_model_free(&m);
}

/* The fraction of 1e15 + 0.5 is exact, but not after subtracting multiples of 0.1. */
static void no_cut_where_rounding_hides_the_fraction(void **state)
{
    (void)state;
    mip_model m;
    cut_list found;
    double x[3];
    separate("max\n obj: x + y\nst\n a: 2 x + 2 y + 0.1 z <= 100000000000005\nbounds\n x <= 4\n y <= 4\n"
             " z = 1000000000000000\ngenerals\n x y z\nend\n",
             &m, &found, x);
    assert_int_equal(found.count, 0);
    cut_list_free(&found);
    mip_model_free(&m);
}

/* Whatever is found holds at every integer point, the continuous column at its best. */
static void cuts_hold_at_every_integer_point(void **state)
{
    (void)state;
    rng r = rng_seed(11);
    int cuts = 0;
    for (int trial = 0; trial < 400; trial++) {
        char text[300];
        int a[3];
        for (int k = 0; k < 3; k++) a[k] = (int)rng_below(&r, 19) - 6;
        double right = (double)rng_below(&r, 400) / 10;
        format_text(text, sizeof text,
                    "max\n obj: %d x + %d y + %d z - s\nst\n a: %d x + %d y + %d z - s <= %g\nbounds\n x <= 3\n -2 <= y <= 2\n"
                    " z <= 4\n s <= 50\ngenerals\n x y z\nend\n",
                    a[0] + 2, a[1] + 1, a[2] + 1, a[0], a[1], a[2], right);
        mip_model m;
        cut_list found;
        double x[4], p[4];
        separate(text, &m, &found, x);
        for (size_t k = 0; k < found.count; k++, cuts++) {
            assert_true(left_side(&found.item[k], x) > found.item[k].upper);
            for (p[0] = 0; p[0] <= 3; p[0]++)
                for (p[1] = -2; p[1] <= 2; p[1]++)
                    for (p[2] = 0; p[2] <= 4; p[2]++) {
                        double need = a[0] * p[0] + a[1] * p[1] + a[2] * p[2] - right;
                        for (int high = 0; high < 2; high++) {
                            p[3] = high ? 50 : fmax(need, 0);
                            if (need > 50) continue;
                            if (!(left_side(&found.item[k], p) <= found.item[k].upper + 1e-9))
                                fail_msg("%s cuts off %g %g %g %g by %g", text, p[0], p[1], p[2], p[3],
                                         left_side(&found.item[k], p) - found.item[k].upper);
                        }
                    }
        }
        cut_list_free(&found);
        mip_model_free(&m);
    }
    assert_true(cuts > 20);
}

/* Flows of at most 5 through switches: y3 = z3 = 0 is at its constant bound and at its variable one, and each choice has its cut.
 */
static void a_tie_between_bounds_makes_both_cuts(void **state)
{
    (void)state;
    mip_model m;
    cut_list found;
    double x[6], p[6];
    separate("max\n obj: y1 + y2 - 0.1 z1 - 0.1 z2 - y3 - z3\nst\n a: y1 + y2 + y3 <= 6\n b1: y1 - 5 z1 <= 0\n b2: y2 - 5 z2 <= 0\n"
             " b3: y3 - 5 z3 <= 0\nbounds\n z1 <= 1\n z2 <= 1\n z3 <= 1\ngenerals\n z1 z2 z3\nend\n",
             &m, &found, x);
    assert_int_equal(found.count, 2);
    for (int k = 0; k < 2; k++) {
        assert_true(left_side(&found.item[k], x) > found.item[k].upper);
        for (int on = 0; on < 512; on++) { /* y1, y2, y3 of 0, 1, 5; columns in the order of the objective: y1 y2 z1 z2 y3 z3 */
            static const double flow[] = {0, 1, 5, 5};
            static const int y[] = {0, 1, 4}, z[] = {2, 3, 5};
            double sum = 0;
            for (int q = 0; q < 3; q++) {
                p[z[q]] = on >> q & 1;
                p[y[q]] = p[z[q]] * flow[on >> (3 + 2 * q) & 3];
                sum += p[y[q]];
            }
            if (sum <= 6) assert_true(left_side(&found.item[k], p) <= found.item[k].upper + 1e-9);
        }
    }
    cut_list_free(&found);
    mip_model_free(&m);
}

/* y1 + y2 + y3 <= 1, t <= 10 + 6 y1 - 6 y2 and t <= 10 - 4 y3, t <= 10: what y2 and y3 take from t adds up, and where y2 holds y1
 * does not. Without the third choice the best single bound is the cut. */
static void bounds_moved_by_exclusive_choices_add_up(void **state)
{
    (void)state;
    for (int both = 0; both < 2; both++) {
        mip_model model;
        stage st;
        char text[300];
        format_text(
            text, sizeof text,
            "max\n obj: t - 0.1 y1 + 5 y2 + 5 y3\nst\n a: t - 6 y1 + 6 y2 <= 10\n b: t + 4 y3 <= 10\n c: y1 + y2 + y3 <= 1\n"
            " d: y2 <= 0.5\nbounds\n 0 <= t <= 10\n y1 <= 1\n y2 <= 1\n y3 <= %d\ngenerals\n y1 y2 y3\nend\n",
            both);
        stage_init(&st, text, &model);
        separate_implied(&st.c);
        const cut_list *found = &st.c.found;
        assert_int_equal(found->count, 1);
        const mip_cut *cut = &found->item[0]; /* t + 6 y2 + 4 y3 <= 10 */
        assert_int_equal(cut->count, 2 + both);
        assert_near(cut->value[1 + (cut->index[1] == 1)] / cut->value[0], 6, 1e-9);
        if (both) assert_near(cut->value[2] / cut->value[0], 4, 1e-9);
        assert_near(cut->upper / cut->value[0], 10, 1e-7);
        stage_free(&st);
        mip_model_free(&model);
    }
}

/* A row that is added twice has one slack, and the aggregate is empty again once cleared. */
static void a_row_added_twice_has_one_slack(void **state)
{
    (void)state;
    mip_model model;
    stage st;
    aggregate *sum = &st.sum;
    stage_init(&st,
               "maximize\n obj: x + y\nst\n c1: 2 x + 2 y <= 5\n c2: x - y <= 1\nbounds\n x <= 4\n y <= 4\ngenerals\n x y\nend\n",
               &model);
    aggregate_add(sum, &st.c, 0, 1, 1);
    aggregate_add(sum, &st.c, 1, 3, 1);
    aggregate_add(sum, &st.c, 0, 0.5, 1);
    assert_int_equal(sum->slack_count, 2);
    assert_true(sum->slack[0] == 1.5);
    assert_true(sum->slack[1] == 3);
    assert_true(sum->right == 1.5 * 5 + 3);
    aggregate_clear(sum);
    assert_int_equal(sum->slack_count + sum->col_count, 0);
    for (int i = 0; i < 2; i++) assert_true(sum->slack[i] == 0 && !sum->slack_in[i]);
    stage_free(&st);
    mip_model_free(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_of_integers_is_divided_and_rounded),       cmocka_unit_test(a_continuous_column_gets_its_slope),
        cmocka_unit_test(no_cut_where_rounding_hides_the_fraction),       cmocka_unit_test(cuts_hold_at_every_integer_point),
        cmocka_unit_test(flows_that_share_a_capacity_are_each_within_it), cmocka_unit_test(coefficients_of_a_knapsack_are_lifted),
        cmocka_unit_test(a_tie_between_bounds_makes_both_cuts),           cmocka_unit_test(a_row_added_twice_has_one_slack),
        cmocka_unit_test(bounds_moved_by_exclusive_choices_add_up),
    };
    return run_tests(tests);
}
