/* Decision trees of policies: exact at every place, the figures of smaller policies, and running out of memory. */
#include "plan_aid.h"

#include <vouch/decision_tree.h>

#include "base/memory.h"
#include "rules/rules.h"

enum { MODELS = 60 };

static vouch_model *model_of(int seed)
{
    vouch_model *m;
    vouch_random_shape shape = {.states = 3 + seed % 4,
                                .actions = 2 + seed % 2,
                                .environments = 1 + seed % 4,
                                .horizon = 3 + seed % 3,
                                .probability = seed % 5 ? 0.2 : 0,
                                .branching = 2,
                                .seed = (uint64_t)seed + 1};
    assert_int_equal(vouch_generate_random(&m, &shape, NULL), VOUCH_OK);
    return m;
}

static vouch_policy *policy_of(const vouch_model *m, int seed)
{
    static const vouch_method method[] = {VOUCH_METHOD_MILP_CCL, VOUCH_METHOD_HISTORY, VOUCH_METHOD_EXACT_CCL, VOUCH_METHOD_GREEDY};
    vouch_plan_options o = plan_options(method[seed % 4], seed / 4 % 3);
    o.limits.nodes = 300;
    return plan_by(m, &o);
}

/* Every place has the decision of its rule, found without the sample that the tree was made from. */
static void check_exact(const vouch_decision_tree *t, const vouch_policy *p, const vouch_model *m)
{
    vouch_policy_graph *graph;
    vouch_policy_graph_data g;
    vouch_decision_tree *x = (vouch_decision_tree *)t; /* sets are numbered on demand */
    int places = 0;
    assert_int_equal(vouch_policy_graph_new(&graph, p, m, NULL), VOUCH_OK);
    vouch_policy_graph_view(graph, &g);
    for (int i = 0; i < g.nodes; i++) {
        vouch_rule r;
        if (g.node[i].rule < 0) continue;
        places++;
        vouch_policy_get_rule(p, g.node[i].rule, &r);
        int all[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        tree_place at = {r.time, r.state, x->f.L > 0 ? r.boundary_state : -1, 0, r.plan, r.likelihood};
        at.set = r.likelihood ? features_likely_set(&x->f, r.likelihood)
                              : features_set(&x->f, r.environments ? r.environment : all, r.environments ? r.environments : m->K);
        const rule_node *leaf = &x->t.node[tree_leaf(&x->f, &x->t, &at)];
        double left = 0;
        for (int a = 0; a < r.actions; a++) left += r.probability[a];
        const leaf_decision *d = NULL;
        for (int c = 0; c < leaf->choices && !d; c++) /* the first available one */
            if (vouch_model_pair(m, r.state, x->decision[leaf->choice[c]].action[0]) >= 0) d = &x->decision[leaf->choice[c]];
        assert_non_null(d);
        for (int j = 0; j < d->actions; j++) {
            double is = 0;
            for (int a = 0; a < r.actions; a++) is += r.action[a] == d->action[j] ? r.probability[a] : 0;
            assert_true(fabs(is - d->probability[j]) <= 1e-9);
            left -= is;
        }
        assert_true(fabs(left) <= 1e-8);
    }
    vouch_decision_tree_size size;
    vouch_decision_tree_get_size(t, &size);
    assert_int_equal(size.places, places);
    vouch_policy_graph_free(graph);
}

static void exact(void **state)
{
    (void)state;
    for (int seed = 0; seed < MODELS; seed++) {
        vouch_model *m = model_of(seed);
        vouch_policy *p = policy_of(m, seed);
        vouch_decision_tree *t;
        vouch_decision_tree_size size;
        if (vouch_policy_rules(p) > 0) {
            assert_int_equal(vouch_decision_tree_new(&t, p, m, 0, NULL), VOUCH_OK);
            vouch_decision_tree_get_size(t, &size);
            assert_true(size.leaves >= 1 && size.leaves <= size.places && !size.smaller);
            assert_ptr_equal(vouch_decision_tree_policy(t), p);
            check_exact(t, p, m);
            vouch_decision_tree_free(t);
        }
        vouch_policy_free(p);
        vouch_model_free(m);
    }
}

/* The policy of a smaller tree has its rules and its figures. More leaves never cost regret where none were cut. */
static void smaller(void **state)
{
    (void)state;
    for (int seed = 0; seed < MODELS; seed++) {
        vouch_model *m = model_of(seed);
        vouch_policy *p = policy_of(m, seed);
        for (int leaves = 1; leaves <= 5 && vouch_policy_rules(p) > 0 && p->plans == 0; leaves += 2) {
            vouch_decision_tree *t;
            vouch_decision_tree_size size;
            vouch_environment_figures found[8];
            int kept;
            vouch_error error = {0};
            if (vouch_decision_tree_new(&t, p, m, leaves, &error)) fail_msg("model %d, %d leaves: %s", seed, leaves, error.text);
            vouch_decision_tree_get_size(t, &size);
            assert_true(size.leaves <= leaves);
            const vouch_policy *q = vouch_decision_tree_policy(t);
            check_exact(t, q, m);
            if (size.smaller) {
                double most = -INFINITY;
                assert_int_equal(vouch_policy_evaluate(q, m, found, &kept, NULL), VOUCH_OK);
                for (int k = 0; k < m->K; k++) most = fmax(most, found[k].regret);
                assert_near(size.max_regret, most, 1e-9);
                assert_int_equal(size.kept, kept);
            }
            vouch_decision_tree_free(t);
        }
        vouch_policy_free(p);
        vouch_model_free(m);
    }
}

static void memory(void **state)
{
    (void)state;
    for (int seed = 1; seed < 4; seed++) {
        vouch_model *m = model_of(seed);
        vouch_policy *p = policy_of(m, seed);
        long live = mem_live();
        vouch_status status = VOUCH_ERROR_MEMORY;
        for (long after = 0; status; after += 1 + after / 40) {
            vouch_decision_tree *t;
            char *words = NULL;
            mem_fail_after(after);
            status = vouch_decision_tree_new(&t, p, m, 2, NULL);
            for (int form = 0; form <= VOUCH_TREE_SVG && !status; form++) {
                status = vouch_decision_tree_write(t, (vouch_tree_form)form, 400, 400, &words, NULL);
                vouch_text_free(words);
            }
            mem_fail_after(-1);
            assert_true(status == VOUCH_OK || status == VOUCH_ERROR_MEMORY);
            vouch_decision_tree_free(t);
            if (mem_live() != live) fail_msg("model %d, after %ld: %ld blocks", seed, after, mem_live() - live);
        }
        vouch_policy_free(p);
        vouch_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact), cmocka_unit_test(smaller), cmocka_unit_test(memory)};
    return run_tests(tests);
}
