/* What evaluate accepts no method calls impossible, and none returns what evaluate rejects: promises at the edge of the tolerance.
 *
 * Going left from the start pays 1 and slips with a small probability into a state outside Phi that is never left; going right pays
 * nothing and keeps the promise for certain, or, where there is no way out, does not exist.
 */
#include <vouch/ccil.h>

#include "mdp/commitment.h"
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

/* Every way to plan. possible: can the promise be kept at all, as evaluate judges it? */
static void check(const vouch_model *m, bool possible)
{
    double history = INFINITY;
    for (int L = 0; L <= 3; L++)
        for (int way = 0; way < 6; way++) {
            if (way == 2 || (way == 4 && L > 0)) continue; /* their proofs take long */
            static const vouch_method methods[] = {VOUCH_METHOD_HISTORY,  VOUCH_METHOD_HISTORY,  VOUCH_METHOD_EXACT_CCL,
                                                   VOUCH_METHOD_MILP_CCL, VOUCH_METHOD_MILP_CCL, VOUCH_METHOD_MILP_CCL};
            vouch_plan_options o = plan_options(methods[way], L);
            if (way == 1 || way == 4) o.engine = VOUCH_ENGINE_LP;
            if (way == 5) o.without = VOUCH_WITHOUT_FRONTIERS;
            vouch_policy *policy = plan_by(m, &o);
            if (!possible) assert_int_equal(policy->has_policy, 0);
            if (possible) {
                assert_true(policy->outcome == VOUCH_PLAN_OPTIMAL || policy->outcome == VOUCH_PLAN_FEASIBLE);
                assert_sound(m, policy);
                if (way == 0) history = policy->max_regret;
                if (way == 1) assert_near(policy->max_regret, history, 2 * GAP);
                if (way >= 3) assert_true(policy->max_regret >= history - 2 * GAP);
            } else if (way != 1 && way != 4) {
                assert_int_equal(policy->outcome, VOUCH_PLAN_INFEASIBLE);
            }
            vouch_policy_free(policy);
        }
    vouch_ccil *c;
    vouch_ccil_result r;
    assert_int_equal(vouch_ccil_new(&c, m, NULL, NULL), VOUCH_OK);
    assert_int_equal(vouch_ccil_evaluate(c, NULL), VOUCH_OK);
    vouch_ccil_get_result(c, &r);
    assert_int_equal(r.has_policy, possible);
    for (int k = 0; k < 2 && possible; k++)
        assert_true(r.figures[k].commitment_probability >= m->p - KEEP_TOLERANCE - commitment_rounding(m->T));
    vouch_ccil_free(c);
}

static void test_edges(void **state)
{
    (void)state;
    static const double slips[] = {1e-12, 3e-10, 6e-10, 1.5e-9, 1e-5}, moves[] = {-6e-10, -3e-10, 0, 3e-10, 6e-10, 1.5e-9};
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
        vouch_model *small = edge(5e-10, 1, true), *large = edge(2e-9, 1, true);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges), cmocka_unit_test(test_certain)};
    return run_tests(tests);
}
