/* The nodes a policy reaches, followed rule by rule, against the evaluation over the graph of all nodes: the same commitment
 * probabilities and the same rewards, for every method and every L, on random models. */
#include "test.h"

#include <vouch/vouch.h>

#include <vouch/generate.h>
#include "policy/policy.h"

static void compare(const vouch_model *m, const vouch_policy *p)
{
    vouch_policy_graph *f = NULL;
    vouch_error error = {0};
    if (vouch_policy_graph_new(&f, p, m, &error)) fail_msg("%s", error.text);
    for (int k = 0; k < m->K; k++) {
        double kept = 0, U = 0;
        for (size_t n = 0; n < f->nodes; n++) {
            double reach = f->reach[n * (size_t)m->K + (size_t)k];
            const vouch_policy_node *node = &f->node[n];
            if (node->rule < 0) {
                assert_int_equal(node->time, m->T);
                kept += m->terminal[node->state] > 0 ? reach : 0;
                continue;
            }
            const policy_rule *r = &p->rules[node->rule];
            for (int i = 0; i < r->do_count; i++)
                U += reach * r->prob[i] * m->env[k].expected[model_pair(m, node->state, r->action[i])];
        }
        assert_near(kept, p->figures[k].commitment_probability, 1e-9);
        assert_near(U, p->figures[k].value, 1e-9);
    }
    vouch_policy_graph_free(f);
}

static void test_agrees_with_evaluation(void **state)
{
    (void)state;
    int compared = 0;
    for (uint64_t seed = 1; seed <= 25; seed++) {
        vouch_model *m;
        vouch_error error = {0};
        vouch_random_shape shape = {
            .states = 4, .actions = 2, .environments = 3, .horizon = 4, .probability = 0.2, .branching = 3, .seed = seed};
        assert_int_equal(vouch_generate_random(&m, &shape, &error), VOUCH_OK);
        for (int run = 0; run < 7; run++) {
            vouch_plan_options o;
            vouch_policy *p;
            vouch_plan_options_init(&o);
            o.method = run < 5 ? VOUCH_METHOD_MILP_CCL : run == 5 ? VOUCH_METHOD_HISTORY : VOUCH_METHOD_GREEDY;
            o.lookahead = run < 5 ? run : 0;
            if (vouch_plan(&p, m, &o, &error)) fail_msg("%s", error.text);
            vouch_plan_result r;
            vouch_policy_get_result(p, &r);
            if (r.has_policy) {
                compare(m, p);
                compared++;
            }
            vouch_policy_free(p);
        }
        vouch_model_free(m);
    }
    assert_true(compared > 100);
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_policy *p;
    vouch_error error = {0};
    assert_int_equal(vouch_generate_twin_states(&m, 3, &error), VOUCH_OK);
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.lookahead = 1;
    assert_int_equal(vouch_plan(&p, m, &o, &error), VOUCH_OK);
    long before = mem_live();
    int failures = 0;
    for (sweep w = {0};;) {
        vouch_policy_graph *f = NULL;
        sweep_refuse(&w);
        vouch_status status = vouch_policy_graph_new(&f, p, m, &error);
        bool last = sweep_ends(&w, status == VOUCH_OK);
        vouch_policy_graph_free(f);
        assert_int_equal(mem_live(), before);
        if (last) break;
        if (status == VOUCH_OK) continue;
        assert_int_equal(status, VOUCH_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures > 8);
    vouch_policy_free(p);
    vouch_model_free(m);
}

static void test_refuses_what_does_not_fit(void **state)
{
    (void)state;
    vouch_model *m, *longer;
    vouch_policy *p;
    vouch_error error = {0};
    assert_int_equal(vouch_generate_twin_states(&m, 3, &error), VOUCH_OK);
    assert_int_equal(vouch_generate_twin_states(&longer, 4, &error), VOUCH_OK);
    assert_int_equal(vouch_plan(&p, m, NULL, &error), VOUCH_OK);
    vouch_policy_graph *f = NULL;
    assert_int_equal(vouch_policy_graph_new(&f, p, longer, &error), VOUCH_ERROR_INPUT);
    vouch_policy_graph_free(f);
    p->rule_count--; /* the last rule is reached */
    size_t cut = p->rule_count;
    assert_int_equal(vouch_policy_graph_new(&f, p, m, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "which the policy reaches"));
    vouch_policy_graph_free(f);
    p->rule_count = cut + 1;
    vouch_policy_free(p);
    vouch_model_free(m);
    vouch_model_free(longer);
}

/* The evaluator names the rule that the model does not know; of every kind, each field in turn. */
static void a_rule_of_another_model_is_named(void **state)
{
    (void)state;
    for (int method = 0; method < 2; method++) {
        vouch_model *m;
        vouch_policy *p;
        vouch_error error = {0};
        vouch_environment_figures figures[9];
        int kept;
        vouch_plan_options o;
        vouch_plan_options_init(&o);
        o.method = method ? VOUCH_METHOD_HISTORY : VOUCH_METHOD_MILP_CCL;
        assert_int_equal(vouch_generate_twin_states(&m, 3, &error), VOUCH_OK);
        assert_int_equal(vouch_plan(&p, m, &o, &error), VOUCH_OK);
        assert_true(p->rule_count > 1 && m->K <= 9);
        for (size_t i = 0; i < p->rule_count; i++)
            for (int field = 0; field < 6; field++) {
                policy_rule *r = &p->rules[i], before = *r;
                char name[16];
                double likelihood[9], probability = r->prob[0];
                snprintf(name, sizeof name, "rules[%d]", (int)i);
                if (field == 0) r->time = m->T;
                if (field == 1) r->time = -1;
                if (field == 2) r->state = m->S;
                if (field == 3) r->prob[0] = 1.5;
                if (field == 4) r->prob[0] = 0.5;
                if (field == 5) {
                    if (!method) continue;
                    for (int k = 0; k < m->K; k++) likelihood[k] = 0.4321;
                    r->likelihood = likelihood;
                }
                assert_int_equal(vouch_policy_evaluate(p, m, figures, &kept, &error), VOUCH_ERROR_INPUT);
                const char *named = field == 5 ? "no rule for time" : name; /* a class without its rule is named, not the rule */
                if (!strstr(error.text, named)) fail_msg("field %d of %s: %s", field, name, error.text);
                assert_int_equal(kept, 0);
                *r = before;
                r->prob[0] = probability;
            }
        assert_int_equal(vouch_policy_evaluate(p, m, figures, &kept, &error), VOUCH_OK);
        assert_int_equal(kept, 1);
        vouch_policy_free(p);
        vouch_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agrees_with_evaluation),
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_refuses_what_does_not_fit),
        cmocka_unit_test(a_rule_of_another_model_is_named),
    };
    return run_tests(tests);
}
