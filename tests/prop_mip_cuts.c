/* Every separator on random programs: no cut may lose a feasible integer point, whatever the continuous
 * columns do. For each setting of the integer columns the left side of the cut is maximised over the others
 * by LP. VOUCH_TEST_ROUNDS sets the number of programs. */
#include "test.h"

#include <vouch/mip.h>

#include "mip/scene.h"
#include "mip/search.h"
#include "oracle/mips.h"

static bool accept_nothing(void *context, const double *x, double *value)
{
    (void)context;
    (void)x;
    (void)value;
    return false;
}

/* Largest value of the cut's left side with the integer columns as in x; -INFINITY when there is no such
 * point. */
static double largest(const mips *p, const mip_cut *c, const double *x)
{
    vouch_lp *lp;
    vouch_lp_result r;
    assert_int_equal(vouch_lp_clone(&lp, p->lp), VOUCH_OK);
    for (int j = 0; j < p->n; j++) {
        vouch_lp_set_cost(lp, j, 0);
        if (p->integer[j]) vouch_lp_set_col_bounds(lp, j, x[j], x[j]);
    }
    for (int k = 0; k < c->count; k++) vouch_lp_set_cost(lp, c->index[k], c->value[k]);
    vouch_lp_set_maximize(lp, 1);
    vouch_lp_set_offset(lp, 0);
    assert_int_equal(vouch_lp_solve(lp, NULL), VOUCH_OK);
    vouch_lp_get_result(lp, &r);
    double value = r.outcome == VOUCH_LP_INFEASIBLE ? -INFINITY : r.outcome == VOUCH_LP_OPTIMAL ? r.objective : INFINITY;
    vouch_lp_free(lp);
    return value;
}

enum { SEPARATORS = 4 };

static void separate(int which, cut_scene *c)
{
    switch (which) {
    case 0:
        separate_gomory(c);
        break;
    case 1:
        separate_mir(c);
        break;
    case 2:
        separate_cover(c);
        break;
    default:
        separate_clique(c);
        break;
    }
}

static void cuts_keep_every_integer_point(void **state)
{
    (void)state;
    const char *more = getenv("VOUCH_TEST_ROUNDS");
    int rounds = more ? atoi(more) : 250, found[SEPARATORS] = {0};
    for (int seed = 1; seed <= rounds; seed++) {
        mips p = mips_make((uint64_t)seed);
        mip_model model;
        mip_search s;
        vouch_mip_options o;
        vouch_limits none = {0};
        deadline clock = deadline_start(&none);
        mip_owner owner = {.accept = accept_nothing};
        vouch_mip_options_init(&o);
        assert_int_equal(mip_model_build(&model, p.lp), VOUCH_OK);
        assert_int_equal(mip_search_init(&s, &model, &o, &clock, &owner), VOUCH_OK);
        if (relax_solve(&s.lp.relax, INFINITY, 0) == RELAX_OPTIMAL) {
            mip_search_take_point(&s);
            for (int which = 0; which < SEPARATORS; which++) {
                cut_scene c;
                assert_int_equal(cut_scene_init(&c, s.model, s.lp.relax.lp, s.dom.lower, s.dom.upper, s.lp.x), VOUCH_OK);
                separate(which, &c);
                for (size_t k = 0; k < c.found.count; k++) {
                    const mip_cut *q = &c.found.item[k];
                    double x[MIPS_COLS], activity = 0;
                    for (int e = 0; e < q->count; e++) activity += q->value[e] * s.lp.x[q->index[e]];
                    assert_true(activity > q->upper); /* it cuts the point off */
                    found[which]++;
                    for (bool go = mips_first(&p, x); go; go = mips_next(&p, x)) {
                        double most = largest(&p, q, x);
                        if (!(most <= q->upper + 1e-6 * (1 + fabs(q->upper))))
                            fail_msg("seed %d separator %d: %.12g > %.12g", seed, which, most, q->upper);
                    }
                }
                cut_scene_free(&c);
            }
        }
        mip_search_free(&s);
        mip_model_free(&model);
        vouch_lp_free(p.lp);
    }
    for (int which = 0; which < SEPARATORS && rounds >= 250; which++) assert_true(found[which] > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cuts_keep_every_integer_point)};
    return run_tests(tests);
}
