/* Weighted and max-min objectives against all deterministic policies of small random models, with promises and without, by every
 * method and engine, as planned, written, read and planned again while acting. VOUCH_OBJECTIVES: number of models. */
#include "promise_aid.h"

enum { MODELS = 60 };

typedef struct goal {
    vouch_objective objective;
    double weight[MOST_K];
} goal;

static double worth_of(const drawn *d, const goal *g, const double U[])
{
    double sum = 0, least = INFINITY;
    for (int k = 0; k < d->K; k++) {
        sum += g->weight[k] * U[k];
        least = fmin(least, U[k]);
    }
    return g->objective == VOUCH_OBJECTIVE_WEIGHTED ? sum : least;
}

/* The best of the policies that keep every promise. */
static double best_of(drawn *d, const goal *g, unsigned policies)
{
    double best = -INFINITY;
    for (unsigned i = 0; i < policies; i++) {
        double U[MOST_K];
        bool kept = true;
        for (int k = 0; k < d->K; k++) {
            worth w = value(d, k, i);
            U[k] = w.U;
            for (int j = 0; j < d->J; j++) kept = kept && w.Pr[j] >= d->promise[j].p[k] - KEPT;
        }
        if (kept) best = fmax(best, worth_of(d, g, U));
    }
    return best;
}

/* Plans; status, figures, bound and file agree. The value. */
static double planned(const drawn *d, const vouch_model *m, const goal *g, vouch_plan_options o)
{
    vouch_plan_result r, again;
    o.objective = g->objective;
    o.weights = g->objective == VOUCH_OBJECTIVE_WEIGHTED ? g->weight : NULL;
    vouch_policy *policy = plan_by(m, &o);
    vouch_policy_get_result(policy, &r);
    assert_true(r.has_policy);
    double U[MOST_K], most = -INFINITY, total = 0;
    for (int k = 0; k < d->K; k++) {
        U[k] = r.figures[k].value;
        most = fmax(most, r.figures[k].regret);
        total += r.figures[k].regret;
    }
    assert_near(r.value, worth_of(d, g, U), 1e-9);
    assert_near(r.max_regret, most, 1e-9);
    assert_near(r.total_regret, total, 1e-9);
    assert_true(r.bound >= r.value);
    if (r.outcome == VOUCH_PLAN_OPTIMAL) assert_true(r.bound - r.value <= (isnan(o.gap) ? 1e-4 : o.gap) + 1e-9);
    if (!isnan(r.total_bound)) assert_true(r.total_bound <= r.total_regret + 1e-9);
    vouch_policy *back = read_back(policy, m);
    vouch_policy_get_result(back, &again);
    assert_int_equal(again.objective, g->objective);
    assert_near(again.value, r.value, 1e-12);
    vouch_policy_free(back);
    vouch_policy_free(policy);
    return r.value;
}

static void check(drawn *d, const vouch_model *m, const goal *g, unsigned policies)
{
    double best = best_of(d, g, policies), total = 0;
    for (int k = 0; k < d->K; k++) total += g->weight[k];
    double near = 2e-6 * fmax(1, total);
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 0);
    assert_near(planned(d, m, g, o), best, near);
    o.without = "pareto-vectors,levels";
    assert_near(planned(d, m, g, o), best, near);
    o.engine = VOUCH_ENGINE_LP;
    assert_near(planned(d, m, g, o), best, 5 * near);
    double L1 = planned(d, m, g, plan_options(VOUCH_METHOD_MILP_CCL, 1));
    assert_true(L1 >= best - near);
    o = plan_options(VOUCH_METHOD_HISTORY, 0);
    double all = planned(d, m, g, o);
    assert_true(all >= fmax(best, L1) - near);
    o.engine = VOUCH_ENGINE_LP;
    assert_near(planned(d, m, g, o), all, 5 * near);
    o = plan_options(VOUCH_METHOD_EXACT_CCL, 0);
    o.restarts = 4;
    double exact = planned(d, m, g, o);
    assert_true(exact >= best - 1e-4 * fmax(1, total) && exact <= all + 1e-4 * fmax(1, total));
    vouch_ccil_result r;
    o = plan_options(VOUCH_METHOD_MILP_CCL, 1);
    o.objective = g->objective;
    o.weights = g->objective == VOUCH_OBJECTIVE_WEIGHTED ? g->weight : NULL;
    vouch_ccil *again = plan_again(d, m, &o, &r);
    assert_true(r.value >= L1 - 1e-6); /* with the guard nothing is lost */
    vouch_ccil_free(again);
}

static void test_brute_force(void **state)
{
    (void)state;
    int wanted = test_count("VOUCH_OBJECTIVES", MODELS), done = 0;
    random_now = rng_seed(31);
    while (done < wanted) {
        drawn d;
        unsigned policies = draw_small(&d, 1 + done % MOST_J);
        for (int k = 0; k < d.K && done % 4 == 0; k++) /* no promise binds */
            for (int j = 0; j < d.J; j++) d.promise[j].p[k] = 0;
        vouch_model *m = make(&d);
        goal g = {VOUCH_OBJECTIVE_WEIGHTED, {0}};
        for (int k = 0; k < d.K; k++) g.weight[k] = below(4) == 0 ? 0 : unit() * 5;
        g.weight[below(d.K)] += 0.1;
        check(&d, m, &g, policies);
        g.objective = VOUCH_OBJECTIVE_MAX_MIN;
        check(&d, m, &g, policies);
        vouch_model_free(m);
        done++;
    }
}

/* Where no promise binds weighted values are searched stage by stage; without, and by programs: the same value, all proved. */
static void test_forward(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        vouch_family_shape z = {
            .states = 2 + i % 4, .actions = 2 + i % 2, .environments = 2 + i % 3, .horizon = 3, .seed = (uint64_t)i};
        double weight[4] = {1, 2, 0.5, 0}, value[3];
        vouch_model *m;
        assert_int_equal(i % 6 == 5 ? vouch_generate_machine_repair(
                                          &m, &(vouch_family_shape){.environments = 3, .horizon = 4, .concentration = 1}, NULL)
                                    : vouch_generate_random_dense(&m, &z, NULL),
                         VOUCH_OK);
        for (int way = 0; way < 3; way++) {
            vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, i % 3 == 2);
            o.objective = VOUCH_OBJECTIVE_WEIGHTED;
            o.weights = weight;
            if (way == 1) o.without = "stagewise";
            if (way == 2) o.engine = VOUCH_ENGINE_LP;
            vouch_policy *policy = plan_by(m, &o);
            vouch_plan_result r;
            vouch_policy_get_result(policy, &r);
            assert_int_equal(r.outcome, VOUCH_PLAN_OPTIMAL);
            assert_true(r.bound >= r.value && r.bound <= r.value + 1e-6 + 1e-12);
            value[way] = r.value;
            vouch_policy_free(policy);
        }
        assert_near(value[0], value[1], 5e-6);
        assert_near(value[0], value[2], 5e-5);
        vouch_model_free(m);
    }
}

/* A table of what is refused, and in what words. */
static void test_refused(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_policy *policy;
    static const struct {
        int objective;
        double weight[2];
        const char *says;
    } wrong[] = {{7, {1, 1}, "there is no objective 7"},
                 {-1, {1, 1}, "there is no objective -1"},
                 {VOUCH_OBJECTIVE_WEIGHTED, {1, -1}, "the weight -1 of environment k2"},
                 {VOUCH_OBJECTIVE_WEIGHTED, {NAN, 1}, "of environment k1"},
                 {VOUCH_OBJECTIVE_WEIGHTED, {0, 0}, "all weights are 0"}};
    assert_int_equal(vouch_generate_lookahead(&m, NULL), VOUCH_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 0);
        vouch_error error = {0};
        o.objective = (vouch_objective)wrong[i].objective;
        o.weights = wrong[i].weight;
        assert_int_equal(vouch_plan(&policy, m, &o, &error), VOUCH_ERROR_ARGUMENT);
        if (!strstr(error.text, wrong[i].says)) fail_msg("\"%s\" does not say \"%s\"", error.text, wrong[i].says);
    }
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_brute_force), cmocka_unit_test(test_forward),
                                       cmocka_unit_test(test_refused)};
    return run_tests(tests);
}
