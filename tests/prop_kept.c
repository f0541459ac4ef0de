/* Promises at the edge of the tolerance: no method calls infeasible what evaluate accepts, and none returns what evaluate rejects.
 * Random models whose failures are rare are in campaign/rare.c.
 *
 * Going left from the start pays 1 and slips with a small probability into a state outside Phi that is never left; going right pays
 * nothing and keeps the promise for certain, or, where there is no way out, does not exist.
 */
#include <vouch/ccil.h>

#include "mdp/model.h"
#include "plan_aid.h"

enum { START, GOAL, LOST, LEFT = 0, RIGHT = 1 };

static vouch_model *edge(double slip, double p, bool way_out)
{
    vouch_model *m;
    vouch_error error = {0};
    assert_int_equal(vouch_model_new(&m, 3, 2, 2, 3), VOUCH_OK);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(vouch_model_add(m, k, START, LEFT, GOAL, 1 - slip, 1), VOUCH_OK);
        assert_int_equal(vouch_model_add(m, k, START, LEFT, LOST, slip, 1), VOUCH_OK);
        if (way_out) assert_int_equal(vouch_model_add(m, k, START, RIGHT, GOAL, 1, 0), VOUCH_OK);
        assert_int_equal(vouch_model_add(m, k, GOAL, LEFT, GOAL, 1, k), VOUCH_OK);
        assert_int_equal(vouch_model_add(m, k, GOAL, RIGHT, GOAL, 1, 1 - k), VOUCH_OK);
        assert_int_equal(vouch_model_add(m, k, LOST, LEFT, LOST, 1, 0), VOUCH_OK);
    }
    assert_int_equal(vouch_model_set_initial(m, START), VOUCH_OK);
    assert_int_equal(vouch_model_set_commitment(m, GOAL, 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_probability(m, p), VOUCH_OK);
    if (vouch_model_finish(m, NULL, &error)) fail_msg("%s", error.text);
    return m;
}

/* CCIL's first plan is the plan of the same L; figures of both, of CCIL as evaluated. */
static vouch_ccil *ccil_and_first_plan(const vouch_model *m, vouch_ccil_result *r, vouch_policy **first)
{
    vouch_ccil *c;
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 1);
    *first = plan_by(m, &o);
    assert_int_equal(vouch_ccil_new(&c, m, NULL, NULL), VOUCH_OK);
    assert_int_equal(vouch_ccil_evaluate(c, NULL), VOUCH_OK);
    vouch_ccil_get_result(c, r);
    return c;
}

/* CCIL is no further from the promise than its first plan, and measured against the same U*. */
static void check_ccil(const vouch_model *m, bool possible)
{
    vouch_ccil_result r;
    vouch_policy *policy;
    vouch_ccil *c = ccil_and_first_plan(m, &r, &policy);
    assert_int_equal(r.has_policy, possible);
    if (possible) assert_near(r.first_max_regret, policy->max_regret, GAP);
    for (int k = 0; k < 2 && possible; k++) {
        assert_true(r.figures[k].commitment_probability >= m->p - KEEP_TOLERANCE - commitment_rounding(m->T));
        assert_near(r.figures[k].optimal_value, policy->figures[k].optimal_value, GAP);
    }
    vouch_ccil_free(c);
    vouch_policy_free(policy);
}

/* Every way to plan. possible: can the promise be kept at all, as evaluate judges it? */
static void check(const vouch_model *m, bool possible)
{
    double history = INFINITY, most = INFINITY; /* what history shows: no policy regrets less, and it itself */
    for (int L = 0; L <= 3; L++)
        for (int way = 0; way < 6; way++) {
            if (way == 2 || (way == 4 && L > 0)) continue; /* their proofs take long */
            static const vouch_method methods[] = {VOUCH_METHOD_HISTORY,  VOUCH_METHOD_HISTORY,  VOUCH_METHOD_EXACT_CCL,
                                                   VOUCH_METHOD_MILP_CCL, VOUCH_METHOD_MILP_CCL, VOUCH_METHOD_MILP_CCL};
            vouch_plan_options o = plan_options(methods[way], L);
            if (way == 1 || way == 4) o.engine = VOUCH_ENGINE_LP;
            if (way == 5) o.without = "pareto-vectors";
            vouch_policy *policy = plan_by(m, &o);
            if (!possible) assert_int_equal(policy->has_policy, 0);
            if (possible) {
                if (policy->outcome != VOUCH_PLAN_OPTIMAL && policy->outcome != VOUCH_PLAN_FEASIBLE)
                    fail_msg("p = %.17g, L = %d, way %d: %s", m->p, L, way, vouch_plan_outcome_text(policy->outcome));
                assert_sound(m, policy);
                if (way == 0) history = policy->outcome == VOUCH_PLAN_OPTIMAL ? policy->max_regret : policy->bound;
                if (way == 1 && policy->outcome == VOUCH_PLAN_OPTIMAL) assert_true(policy->max_regret <= most + 2 * GAP);
                if (way == 0) most = policy->max_regret;
                assert_true(policy->max_regret >= history - 2 * GAP);
            } else if (way != 1 && way != 4) {
                assert_int_equal(policy->outcome, VOUCH_PLAN_INFEASIBLE);
            }
            vouch_policy_free(policy);
        }
    check_ccil(m, possible);
}

static void test_edges(void **state)
{
    (void)state;
    static const double slips[] = {7.5e-14, 3e-13, 6e-13, 1.5e-12, 3e-10, 1e-5},
                        moves[] = {-1e-10, -6e-13, -3e-13, 0, 3e-13, 6e-13, 1.5e-12};
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
        for (int way_out = 0; way_out < 2; way_out++)
            for (size_t j = 0; j < sizeof moves / sizeof *moves; j++) {
                double p = fmin(1, 1 - slips[i] + moves[j]);
                vouch_model *m = edge(slips[i], p, way_out);
                check(m, way_out || commitment_kept(1 - slips[i], p));
                vouch_model_free(m);
            }
}

/* At p = 1 a slip that evaluate does not mind is taken, and one that it does mind is not. */
static void test_certain(void **state)
{
    (void)state;
    for (int L = 0; L <= 3; L++) {
        vouch_model *small = edge(5e-13, 1, true), *large = edge(2e-12, 1, true);
        assert_true(max_regret_of(small, VOUCH_METHOD_MILP_CCL, L) < max_regret_of(large, VOUCH_METHOD_MILP_CCL, L) + GAP);
        vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
        vouch_policy *policy = plan_by(small, &o);
        assert_true(policy->figures[0].commitment_probability < 1);
        vouch_policy_free(policy);
        policy = plan_by(large, &o);
        assert_true(policy->figures[0].commitment_probability == 1);
        vouch_policy_free(policy);
        vouch_model_free(small);
        vouch_model_free(large);
    }
}

/* The linear program's rows are kept within 1e-9 each, and the probabilities of a policy taken from it may miss
 * the promise by more: then another policy is found, or none is shown. */
static void test_history_shown(void **state)
{
    (void)state;
    static const struct {
        int k, s, a, next; /* k: -1: in both environments */
        double probability;
    } rows[] = {{-1, 0, 0, 2, 0.999999998},
                {-1, 0, 0, 3, 2e-09},
                {-1, 0, 2, 0, 0.9999999},
                {-1, 0, 2, 1, 1e-07},
                {-1, 1, 1, 1, 1},
                {-1, 1, 2, 2, 1},
                {-1, 2, 0, 1, 1},
                {-1, 2, 1, 2, 1},
                {-1, 4, 0, 0, 0.9999999999},
                {-1, 4, 0, 1, 1e-10},
                {-1, 4, 2, 2, 0.125},
                {-1, 4, 2, 3, 0.875},
                {0, 1, 0, 2, 0.9999999997},
                {0, 1, 0, 3, 3e-10},
                {0, 3, 0, 1, 0.75},
                {0, 3, 0, 2, 0.125},
                {0, 3, 0, 3, 0.125},
                {0, 3, 1, 0, 1 - 1e-8},
                {0, 3, 1, 1, 1e-8},
                {0, 4, 1, 0, 0.75},
                {0, 4, 1, 1, 0.125},
                {0, 4, 1, 2, 0.125},
                {1, 1, 0, 0, 0.125},
                {1, 1, 0, 2, 0.75},
                {1, 1, 0, 3, 0.125},
                {1, 3, 0, 0, 0.9999999997},
                {1, 3, 0, 1, 3e-10},
                {1, 3, 1, 1, 1},
                {1, 4, 1, 0, 0.125},
                {1, 4, 1, 1, 0.25},
                {1, 4, 1, 3, 0.625}};
    vouch_model *m;
    vouch_error error = {0};
    assert_int_equal(vouch_model_new(&m, 5, 3, 2, 4), VOUCH_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 2; k++)
            if (rows[i].k < 0 || rows[i].k == k)
                assert_int_equal(vouch_model_add(m, k, rows[i].s, rows[i].a, rows[i].next, rows[i].probability, 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_initial(m, 4), VOUCH_OK);
    for (int s = 0; s < 5; s++) assert_int_equal(vouch_model_set_commitment(m, s, s != 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_probability(m, 0.9999999994), VOUCH_OK);
    if (vouch_model_finish(m, NULL, &error)) fail_msg("%s", error.text);
    for (int engine = 0; engine < 2; engine++) {
        vouch_plan_options o = plan_options(VOUCH_METHOD_HISTORY, 0);
        o.engine = engine ? VOUCH_ENGINE_LP : VOUCH_ENGINE_POLICY;
        vouch_policy *policy = plan_by(m, &o);
        assert_int_equal(policy->outcome, VOUCH_PLAN_OPTIMAL);
        assert_sound(m, policy);
        vouch_policy_free(policy);
    }
    vouch_model_free(m);
}

/* Where the tolerance gains less than the gap, history's policy has p itself. */
static void test_history_aim(void **state)
{
    (void)state;
    for (int engine = 0; engine < 2; engine++) {
        vouch_model *m = edge(0.25, 0.875, true);
        vouch_plan_options o = plan_options(VOUCH_METHOD_HISTORY, 0);
        o.engine = engine ? VOUCH_ENGINE_LP : VOUCH_ENGINE_POLICY;
        vouch_policy *policy = plan_by(m, &o);
        assert_int_equal(policy->outcome, VOUCH_PLAN_OPTIMAL);
        assert_sound(m, policy);
        for (int k = 0; k < 2; k++) assert_true(policy->figures[k].commitment_probability >= 0.875 - 1e-12);
        vouch_policy_free(policy);
        vouch_model_free(m);
    }
}

/* The first plan of CCIL owes p itself, and where U* is steep the last bit of p is seen. */
static void test_ccil_owes_p(void **state)
{
    (void)state;
    vouch_model *m = edge(1e-7, nextafter(1, 0), true);
    vouch_ccil_result r;
    vouch_policy *policy;
    vouch_ccil *c = ccil_and_first_plan(m, &r, &policy);
    for (int k = 0; k < 2; k++) {
        assert_near(r.figures[k].optimal_value, policy->figures[k].optimal_value, 1e-12);
        assert_true(r.figures[k].optimal_value > 2);
    }
    vouch_ccil_free(c);
    vouch_policy_free(policy);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges), cmocka_unit_test(test_certain),
                                       cmocka_unit_test(test_history_shown), cmocka_unit_test(test_history_aim),
                                       cmocka_unit_test(test_ccil_owes_p)};
    return run_tests(tests);
}
