/* A watched, logged, limited or shared search has the same nodes, inductions and figures as the plan alone, and reports every node
 * that it counts. */
#include "plan_aid.h"

static void count_node(void *context, const vouch_search_node *node)
{
    (void)node;
    ++*(long long *)context;
}

enum { PLAIN, TOLD, TRACED, NODES, ITERATIONS, THREADS, WAYS };

static vouch_policy *planned(const vouch_model *m, int L, int way, long long *told)
{
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
    *told = 0;
    if (way == TOLD) o.on_node = count_node, o.on_node_context = told;
    if (way == TRACED) assert_int_equal(vouch_trace_new(&o.trace, 1000), VOUCH_OK);
    if (way == NODES) o.limits.nodes = 1000000000;
    if (way == ITERATIONS) o.limits.iterations = 1000000000000;
    if (way == THREADS) o.threads = 2;
    vouch_policy *p = plan_by(m, &o);
    vouch_trace_free(o.trace);
    return p;
}

static void assert_same_search(vouch_model *m, int L)
{
    long long told;
    vouch_policy *plain = planned(m, L, PLAIN, &told);
    for (int way = TOLD; way < WAYS; way++) {
        vouch_policy *p = planned(m, L, way, &told);
        assert_int_equal(p->nodes, plain->nodes);
        assert_int_equal(p->total_nodes, plain->total_nodes);
        assert_int_equal(p->iterations, plain->iterations);
        assert_true(p->bound == plain->bound && p->max_regret == plain->max_regret && p->total_regret == plain->total_regret);
        if (way == TOLD) assert_int_equal(told, p->nodes - p->total_nodes); /* the second stage is not told */
        vouch_policy_free(p);
    }
    vouch_policy_free(plain);
    vouch_model_free(m);
}

/* Stage by stage, since no promise binds. */
static void stagewise(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_family_shape z = {.states = 5, .actions = 4, .environments = 3, .horizon = 4, .probability = 0, .seed = 91};
    assert_int_equal(vouch_generate_random_dense(&m, &z, NULL), VOUCH_OK);
    assert_same_search(m, 0);
}

/* A few of many environments. */
static void scenarios(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_family_shape z = {
        .states = 10, .actions = 4, .environments = 9, .horizon = 5, .probability = 0.5, .concentration = 9, .seed = 2};
    assert_int_equal(vouch_generate_machine_repair(&m, &z, NULL), VOUCH_OK);
    assert_same_search(m, 0);
}

/* A tree long enough to be shared. */
static void tree(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_maze_shape z = {.corridor = 5, .up = 2, .down = 2, .environments = 3, .horizon = 12, .probability = 0.2, .grip = 0.8};
    assert_int_equal(vouch_generate_t_maze(&m, &z, NULL), VOUCH_OK);
    assert_same_search(m, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stagewise), cmocka_unit_test(scenarios), cmocka_unit_test(tree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
