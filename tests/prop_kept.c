/* What evaluate accepts no method calls impossible, and none returns what evaluate rejects: promises at the edge of the tolerance.
 *
 * Going left from the start pays 1 and slips with a small probability into a state outside Phi that is never left; going right pays
 * nothing and keeps the promise for certain, or, where there is no way out, does not exist.
 */
#include <vouch/ccil.h>

#include "base/rng.h"
#include "mdp/commitment.h"
#include "oracle/policies.h"
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

/* ---- random models of rare failures ---- */

static const long double EDGE = 8e-15L; /* rounding of a probability propagated in doubles */
static const double FIGURE = 1e-12;     /* of a sum of a few rewards up to 4, in doubles */

/* What goes wrong does so with a probability of 1e-6 to 1e-14, or half of the times. */
static vouch_model *rare_model(rng *r)
{
    enum { STATES = 4, ACTIONS = 3, ENVIRONMENTS = 2 };
    static const double slips[] = {0, 0, 1e-6, 1e-8, 1e-10, 1e-11, 1e-12, 5e-13, 1e-13, 1e-14, 0.5};
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, STATES, ACTIONS, ENVIRONMENTS, 1 + (int)rng_below(r, 3)), VOUCH_OK);
    for (int s = 0; s < STATES; s++) {
        for (int a = 0; a < ACTIONS; a++) {
            int next = (int)rng_below(r, STATES), wrong = (next + 1 + (int)rng_below(r, STATES - 1)) % STATES;
            for (int k = 0; k < ENVIRONMENTS; k++) {
                double slip = slips[rng_below(r, sizeof slips / sizeof *slips)], reward = (double)rng_below(r, 5);
                assert_int_equal(vouch_model_add(m, k, s, a, next, 1 - slip, reward), VOUCH_OK);
                if (slip > 0) assert_int_equal(vouch_model_add(m, k, s, a, wrong, slip, reward), VOUCH_OK);
            }
        }
        assert_int_equal(vouch_model_set_commitment(m, s, s < 2), VOUCH_OK);
    }
    assert_int_equal(vouch_model_set_initial(m, 0), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    return m;
}

/* p: certain, nearly so, the largest that all can keep, a little less or more than that, or something. */
static double rare_probability(rng *r, const policies *all)
{
    static const double less[] = {0, 0, 1e-10, 5e-13, -5e-13, 1e-12, -2e-12};
    long double most = 0;
    for (size_t i = 0; i < all->count; i++) most = fmaxl(most, fminl(all->list[i].pr[0], all->list[i].pr[1]));
    switch (rng_below(r, 5)) {
    case 0:
        return 1;
    case 1:
        return 1 - 1e-12;
    case 2:
        return (double)most * rng_unit(r);
    default:
        return fmax(0, fmin(1, (double)most - less[rng_below(r, 7)]));
    }
}

/* Nothing that counts as kept regrets less than 0, and no two figures contradict each other. */
static void check_figures(const vouch_model *m, const vouch_environment_figures *f)
{
    for (int k = 0; k < m->K; k++) {
        long double threshold = (long double)m->p - KEEP_TOLERANCE;
        assert_true(f[k].commitment_probability >= m->p - KEEP_TOLERANCE);
        if (!(f[k].regret >= -FIGURE)) fail_msg("p = %.17g: regret(%d) = %.17g", m->p, k, f[k].regret);
        if (!(f[k].optimal_value >= policies_constrained(m, k, threshold + EDGE) - FIGURE &&
              f[k].optimal_value <= policies_constrained(m, k, threshold - EDGE) + FIGURE))
            fail_msg("p = %.17g: U*(%d) = %.17g", m->p, k, f[k].optimal_value);
    }
}

/* The least maximum regret of deterministic policies that keep p by `spare`; INFINITY: none does. */
static double least_regret(const vouch_model *m, const policies *all, const vouch_environment_figures *f, long double spare)
{
    double least = INFINITY;
    for (size_t i = 0; i < all->count; i++) {
        const attained *v = &all->list[i];
        if (!(fminl(v->pr[0], v->pr[1]) >= (long double)m->p - KEEP_TOLERANCE + spare)) continue;
        least = fmin(least, (double)fmaxl((long double)f[0].optimal_value - v->u[0], (long double)f[1].optimal_value - v->u[1]));
    }
    return least;
}

/* of: all deterministic policies of this L; NULL: the method has others. */
static void check_rare(const vouch_model *m, const vouch_plan_options *o, const policies *of)
{
    vouch_policy *policy = plan_by(m, o);
    bool shown_only = o->method >= VOUCH_METHOD_GREEDY && policy->outcome == VOUCH_PLAN_LIMIT;
    vouch_plan_result a;
    vouch_policy_get_result(policy, &a);
    if (policy->outcome == VOUCH_PLAN_INFEASIBLE && of)
        for (size_t i = 0; i < of->count; i++)
            assert_false(fminl(of->list[i].pr[0], of->list[i].pr[1]) >= (long double)m->p - KEEP_TOLERANCE + EDGE);
    if (policy->has_policy && !shown_only) {
        check_figures(m, policy->figures);
        bool regrets = o->objective == VOUCH_OBJECTIVE_REGRET;
        if (regrets) assert_true(a.bound <= a.max_regret && a.max_regret >= -FIGURE);
        if (!regrets) assert_true(a.bound >= a.value);
        if (regrets && !isnan(a.total_bound)) assert_true(a.total_bound <= a.total_regret);
        if (regrets && of) {
            assert_true(a.max_regret >= least_regret(m, of, policy->figures, -EDGE) - FIGURE);
            assert_true(a.bound <= least_regret(m, of, policy->figures, EDGE) + 1e-8); /* of linear programs, where they bound */
        }
    }
    vouch_policy_free(policy);
}

static void check_rare_ccil(const vouch_model *m, int guarded)
{
    vouch_ccil_options o;
    vouch_ccil *c;
    vouch_ccil_result r;
    vouch_ccil_options_init(&o);
    o.guarded = guarded;
    assert_int_equal(vouch_ccil_new(&c, m, &o, NULL), VOUCH_OK);
    assert_int_equal(vouch_ccil_evaluate(c, NULL), VOUCH_OK);
    vouch_ccil_get_result(c, &r);
    if (r.has_policy) check_figures(m, r.figures);
    vouch_ccil_free(c);
}

static void test_rare_failures(void **state)
{
    (void)state;
    static const struct {
        vouch_method method;
        vouch_engine engine;
        vouch_objective objective;
        int L;
    } ways[] = {{VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_POLICY, VOUCH_OBJECTIVE_REGRET, 0},
                {VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_POLICY, VOUCH_OBJECTIVE_REGRET, 1},
                {VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_LP, VOUCH_OBJECTIVE_REGRET, 0},
                {VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_POLICY, VOUCH_OBJECTIVE_WEIGHTED, 0},
                {VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_POLICY, VOUCH_OBJECTIVE_MAX_MIN, 0},
                {VOUCH_METHOD_EXACT_CCL, VOUCH_ENGINE_POLICY, VOUCH_OBJECTIVE_REGRET, 0},
                {VOUCH_METHOD_HISTORY, VOUCH_ENGINE_POLICY, VOUCH_OBJECTIVE_REGRET, 0},
                {VOUCH_METHOD_HISTORY, VOUCH_ENGINE_LP, VOUCH_OBJECTIVE_REGRET, 0},
                {VOUCH_METHOD_GREEDY, VOUCH_ENGINE_POLICY, VOUCH_OBJECTIVE_REGRET, 0},
                {VOUCH_METHOD_MDPS_BEST, VOUCH_ENGINE_POLICY, VOUCH_OBJECTIVE_REGRET, 0}};
    enum { POLICIES = 20000 };
    int first = test_count("VOUCH_FIRST", 0), count = test_count("VOUCH_MODELS", test_part(60, 200));
    for (int number = first; number < first + count; number++) {
        rng r = rng_seed((uint64_t)number + 1);
        vouch_model *m = rare_model(&r);
        policies all[2] = {{0}, {0}};
        bool known[2] = {policies_all(m, 0, POLICIES, &all[0]), policies_all(m, 1, POLICIES, &all[1])};
        assert_int_equal(vouch_model_set_probability(m, rare_probability(&r, &all[0])), VOUCH_OK);
        print_message("model %d, p = %.17g\n", number, m->p);
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            if (ways[i].method == VOUCH_METHOD_EXACT_CCL && number % 4) continue; /* takes long */
            vouch_plan_options o = plan_options(ways[i].method, ways[i].L);
            o.engine = ways[i].engine;
            o.objective = ways[i].objective;
            o.limits = (vouch_limits){.nodes = 200, .iterations = 2000};
            bool of = o.method == VOUCH_METHOD_MILP_CCL && known[ways[i].L];
            check_rare(m, &o, of ? &all[ways[i].L] : NULL);
        }
        for (int guarded = 0; guarded < 2; guarded++) check_rare_ccil(m, guarded);
        for (int L = 0; L < 2; L++) policies_free(&all[L]);
        vouch_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_edges),         cmocka_unit_test(test_certain),
                                       cmocka_unit_test(test_history_shown), cmocka_unit_test(test_history_aim),
                                       cmocka_unit_test(test_ccil_owes_p),   cmocka_unit_test(test_rare_failures)};
    return run_tests(tests);
}
