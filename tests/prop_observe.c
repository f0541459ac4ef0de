/* Unobserved rewards: plans against all deterministic policies that observe states only, knowledge against the same transitions
 * with equal rewards, files, and restrictions. VOUCH_OBSERVED: number of models. */
#include "plan_aid.h"

#include <vouch/model_io.h>

#include "base/rng.h"
#include "io/json.h"
#include "know/graph.h"
#include "mdp/dp.h"
#include "mdp/model.h"
#include "oracle/brute.h"

enum { MODELS = 300, MOST_ENVIRONMENTS = 4 };
static const long long BRUTE_STEPS = 300000;
static const know_limits ROOM = {.nodes = 1000000, .edges = 10000000};

/* paid: 0 in all environments nothing, 1 the same, 2 each its own. */
static vouch_model *drawn_model(uint64_t seed, int paid)
{
    vouch_model *m;
    rng r = rng_seed(seed);
    int S = 2 + (int)(rng_next(&r) % 2), K = 2 + (int)(rng_next(&r) % 2), T = 2 + (int)(rng_next(&r) % 2);
    assert_int_equal(vouch_model_new(&m, S, 2, K, T), VOUCH_OK);
    for (int k = 0; k < K; k++)
        for (int q = 0; q < 2 * S; q++) {
            int first = (int)(rng_next(&r) % (uint64_t)S), second = (int)(rng_next(&r) % (uint64_t)S);
            double p = rng_next(&r) % 2 ? 1 : 0.25 + 0.5 * rng_unit(&r), own = floor(4 * rng_unit(&r));
            double shared = q % 3, reward = paid == 0 ? 0 : paid == 1 ? shared : own;
            assert_int_equal(vouch_model_add(m, k, q / 2, q % 2, first, p, reward), VOUCH_OK);
            if (p < 1) assert_int_equal(vouch_model_add(m, k, q / 2, q % 2, second, 1 - p, reward), VOUCH_OK);
        }
    assert_int_equal(vouch_model_set_commitment(m, 0, 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_probability(m, rng_next(&r) % 2 ? 0.2 : 0), VOUCH_OK);
    vouch_error error = {0};
    if (vouch_model_finish(m, NULL, &error)) fail_msg("%s", error.text);
    return m;
}

/* Nodes and sets of the knowledge graph are the same. */
static void same_knowledge(const vouch_model *a, const vouch_model *b, int L)
{
    know_graph *g, *h;
    vouch_error error = {0};
    assert_int_equal(know_graph_new(a, L, &ROOM, &g, &error), VOUCH_OK);
    assert_int_equal(know_graph_new(b, L, &ROOM, &h, &error), VOUCH_OK);
    assert_int_equal(g->nodes, h->nodes);
    for (int n = 0; n < g->nodes; n++) {
        assert_int_equal(g->state[n], h->state[n]);
        const int *x = g->member_start + g->set[n], *y = h->member_start + h->set[n];
        assert_int_equal(x[1] - x[0], y[1] - y[0]);
        for (int i = 0; i < x[1] - x[0]; i++) assert_int_equal(g->member[x[0] + i], h->member[y[0] + i]);
    }
    know_graph_free(g);
    know_graph_free(h);
}

/* A file, and a copy with all environments, have the same observations. */
static void files_say_it(const vouch_model *m, int L)
{
    vouch_model *back = NULL, *copy = NULL;
    vouch_error error = {0};
    text t = {0};
    model_json_write(m, &t);
    assert_non_null(strstr(t.data, "\"observe\": \"states\""));
    assert_int_equal(model_json_parse(&back, "written", t.data, t.length, &error), VOUCH_OK);
    assert_int_equal(vouch_model_observed(back), VOUCH_OBSERVE_STATES);
    same_knowledge(m, back, L);
    assert_int_equal(vouch_model_restrict(&copy, m, NULL, 0, &error), VOUCH_OK);
    assert_int_equal(vouch_model_observed(copy), VOUCH_OBSERVE_STATES);
    same_knowledge(m, copy, L);
    vouch_model_free(back);
    vouch_model_free(copy);
}

static double regret_of(const vouch_model *m, vouch_method method, int L)
{
    vouch_plan_options o = plan_options(method, L);
    vouch_plan_result r;
    vouch_policy *policy = plan_by(m, &o);
    vouch_policy_get_result(policy, &r);
    double value = r.has_policy ? r.max_regret : INFINITY;
    vouch_policy_free(policy);
    return value;
}

static bool tried_all(const vouch_model *m, int L)
{
    double optimal[MOST_ENVIRONMENTS];
    brute b;
    for (int k = 0; k < m->K; k++) assert_int_equal(dp_constrained(m, k, m->p, &optimal[k], NULL), VOUCH_OK);
    brute_solve(m, L, optimal, BRUTE_STEPS, &b);
    bool complete = b.complete;
    if (complete && b.found) assert_near(regret_of(m, VOUCH_METHOD_MILP_CCL, L), b.max_regret, 2e-6);
    if (complete && !b.found) assert_true(isinf(regret_of(m, VOUCH_METHOD_MILP_CCL, L)));
    brute_free(&b);
    return complete;
}

static void test_unseen(void **state)
{
    (void)state;
    int models = test_count("VOUCH_OBSERVED", MODELS), complete = 0, differ = 0;
    for (int i = 0; i < models; i++) {
        vouch_model *m = drawn_model((uint64_t)i, 2), *blind = drawn_model((uint64_t)i, 0);
        int L = i % (m->T + 1);
        double seen = regret_of(m, VOUCH_METHOD_MILP_CCL, L);
        assert_int_equal(vouch_model_set_observed(m, VOUCH_OBSERVE_STATES), VOUCH_OK);
        same_knowledge(m, blind, L);
        files_say_it(m, L);
        complete += tried_all(m, L);
        double unseen = regret_of(m, VOUCH_METHOD_MILP_CCL, L);
        differ += isfinite(seen) && fabs(seen - unseen) > 1e-4;
        assert_true(regret_of(m, VOUCH_METHOD_HISTORY, 0) <= unseen + 2e-6);
        vouch_model_free(m);
        vouch_model_free(blind);
        m = drawn_model((uint64_t)i, 1); /* rewards without information: nothing is lost without them */
        seen = regret_of(m, VOUCH_METHOD_MILP_CCL, L);
        assert_int_equal(vouch_model_set_observed(m, VOUCH_OBSERVE_STATES), VOUCH_OK);
        unseen = regret_of(m, VOUCH_METHOD_MILP_CCL, L);
        assert_true(seen == unseen);
        vouch_model_free(m);
    }
    print_message("%d models, all policies tried on %d, another optimum than with rewards seen on %d\n", models, complete, differ);
    if (models >= MODELS) assert_true(complete > models * 9 / 10 && differ > models / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unseen)};
    return run_tests(tests);
}
