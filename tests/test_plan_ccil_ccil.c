/* CCIL by exact evaluation: the figures of the paper, budgets, the executor against the evaluation, and failing allocations. */
#include <vouch/ccil.h>

#include "base/rng.h"
#include <vouch/generate.h>
#include "mdp/model.h"
#include "policy/space.h"
#include "test.h"

static vouch_ccil *start(const vouch_model *m, int L, int guarded)
{
    vouch_ccil *c = NULL;
    vouch_ccil_options o;
    vouch_error error = {0};
    vouch_ccil_options_init(&o);
    o.plan.lookahead = L;
    o.guarded = guarded;
    if (vouch_ccil_new(&c, m, &o, &error)) fail_msg("%s", error.text);
    return c;
}

static double regret(const vouch_model *m, int L)
{
    vouch_ccil_result r;
    vouch_ccil *c = start(m, L, 0);
    assert_int_equal(vouch_ccil_evaluate(c, NULL), VOUCH_OK);
    vouch_ccil_get_result(c, &r);
    assert_int_equal(r.outcome, VOUCH_PLAN_OPTIMAL);
    for (int k = 0; k < r.environments; k++)
        assert_true(r.figures[k].commitment_probability >= vouch_model_probability(m) - KEEP_TOLERANCE);
    vouch_ccil_free(c);
    return r.max_regret;
}

static void twin_states(void **state)
{
    (void)state;
    static const double paper[] = {1, 3, 5, 5, 5, 5};
    for (int i = 0; i < 6; i++) {
        vouch_model *m;
        assert_int_equal(vouch_generate_twin_states(&m, 3 + 2 * i, NULL), VOUCH_OK);
        assert_near(regret(m, 1), paper[i], 1e-9);
        vouch_model_free(m);
    }
}

static vouch_model *maze(void)
{
    vouch_model *m;
    vouch_maze_shape shape = {3, 2, 2, 2, 10, 0.6, 0.8};
    assert_int_equal(vouch_generate_t_maze(&m, &shape, NULL), VOUCH_OK);
    return m;
}

static void t_maze(void **state)
{
    (void)state;
    vouch_model *m = maze(), *wide;
    for (int L = 1; L <= 3; L++) assert_near(regret(m, L), 0.609728, 1e-9);
    assert_near(regret(m, 6), 0.769728, 1e-9);
    vouch_maze_shape shape = {4, 2, 2, 3, 10, 0.6, 0.8};
    assert_int_equal(vouch_generate_t_maze(&wide, &shape, NULL), VOUCH_OK);
    assert_near(regret(wide, 1), 0.64864, 1e-9);
    vouch_model_free(m);
    vouch_model_free(wide);
}

/* A budget leaves knowledge states without plans of their own: they continue the last plan, and the promise holds. */
static void budget(void **state)
{
    (void)state;
    vouch_model *m = maze();
    for (int limit = 1; limit < 40; limit += 6) {
        vouch_ccil *c = NULL;
        vouch_ccil_options o;
        vouch_ccil_result r;
        vouch_ccil_options_init(&o);
        o.program_limit = limit;
        assert_int_equal(vouch_ccil_new(&c, m, &o, NULL), VOUCH_OK);
        assert_int_equal(vouch_ccil_evaluate(c, NULL), VOUCH_OK);
        vouch_ccil_get_result(c, &r);
        assert_int_equal(r.programs, limit);
        assert_true(r.missing > 0 && r.missing_probability > 0 && r.missing_probability <= 1 + 1e-9);
        assert_int_equal(r.outcome, VOUCH_PLAN_FEASIBLE);
        if (limit == 1) assert_near(r.max_regret, r.first_max_regret, 1e-9);
        for (int k = 0; k < r.environments; k++) assert_true(r.figures[k].commitment_probability >= 0.6 - KEEP_TOLERANCE);
        vouch_ccil_free(c);
    }
    vouch_model_free(m);
}

static void infeasible(void **state)
{
    (void)state;
    vouch_model *m = maze();
    vouch_ccil_result r;
    vouch_executor *e = NULL;
    vouch_error error = {0};
    vouch_model_set_probability(m, 0.99999);
    vouch_ccil *c = start(m, 1, 0);
    assert_int_equal(vouch_ccil_evaluate(c, NULL), VOUCH_OK);
    vouch_ccil_get_result(c, &r);
    assert_int_equal(r.outcome, VOUCH_PLAN_INFEASIBLE);
    assert_false(r.has_policy);
    vouch_ccil_free(c);
    assert_int_equal(vouch_executor_new(&e, m, NULL, &error), VOUCH_ERROR_INPUT);
    assert_null(e);
    vouch_model_free(m);
    assert_int_equal(vouch_model_new(&m, 2, 1, 2, 3), VOUCH_OK); /* neither environment can */
    for (int k = 0; k < 2; k++)
        for (int s = 0; s < 2; s++) assert_int_equal(vouch_model_add(m, k, s, 0, s, 1, k), VOUCH_OK);
    assert_int_equal(vouch_model_set_commitment(m, 1, 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_probability(m, 0.5), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    c = start(m, 1, 0);
    vouch_ccil_get_result(c, &r);
    assert_int_equal(r.outcome, VOUCH_PLAN_INFEASIBLE);
    vouch_ccil_free(c);
    vouch_model_free(m);
}

/* The executor's expected reward over all histories equals the exact evaluation. hurried: no time for a second plan. */
static void weigh(const vouch_model *m, int L, int guarded, int hurried, const int path[], const double rewards[],
                  const int states[], int length, int k, double probability, double earned, double *U, double *Pr)
{
    vouch_executor *e;
    vouch_ccil_options o;
    vouch_decision d;
    vouch_error error = {0};
    volatile sig_atomic_t stop = 0;
    vouch_ccil_options_init(&o);
    o.plan.lookahead = L;
    o.plan.limits.interrupt = &stop;
    o.guarded = guarded;
    if (vouch_executor_new(&e, m, &o, &error)) fail_msg("%s", error.text);
    stop = hurried;
    for (int i = 0; i < length; i++)
        if (vouch_executor_observe(e, path[i], rewards[i], states[i], &error)) fail_msg("%s", error.text);
    vouch_executor_decision(e, &d);
    if (vouch_executor_done(e)) {
        *U += probability * earned;
        *Pr += probability * vouch_executor_kept(e);
        vouch_executor_free(e);
        return;
    }
    int actions[32], next[32];
    double rs[32];
    for (int i = 0; i < length; i++) actions[i] = path[i], rs[i] = rewards[i], next[i] = states[i];
    for (int a = 0; a < d.actions; a++) {
        int q = model_pair(m, d.state, d.action[a]);
        const mdp *env = &m->env[k];
        for (int x = env->start[q]; x < env->start[q + 1]; x++) {
            actions[length] = d.action[a];
            rs[length] = env->reward[x];
            next[length] = env->next[x];
            weigh(m, L, guarded, hurried, actions, rs, next, length + 1, k, probability * d.probability[a] * env->prob[x],
                  earned + env->reward[x], U, Pr);
        }
    }
    vouch_executor_free(e);
}

static void executor_agrees(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        vouch_model *m;
        vouch_random_shape shape = {4, 2, 2, 4, 0.3, 2, 0, seed};
        if (vouch_generate_random(&m, &shape, NULL)) continue;
        for (int L = 1; L <= 2; L++) {
            vouch_ccil_result r;
            vouch_ccil *c = start(m, L, seed % 2);
            vouch_environment_figures first[2]; /* of the first plan */
            vouch_ccil_get_result(c, &r);
            memcpy(first, r.figures, sizeof first);
            assert_int_equal(vouch_ccil_evaluate(c, NULL), VOUCH_OK);
            vouch_ccil_get_result(c, &r);
            for (int k = 0; k < 2 && r.has_policy; k++) {
                double U = 0, Pr = 0;
                weigh(m, L, seed % 2, 0, NULL, NULL, NULL, 0, k, 1, 0, &U, &Pr);
                assert_near(U, r.figures[k].value, 1e-9);
                assert_near(Pr, r.figures[k].commitment_probability, 1e-9);
                U = Pr = 0;
                weigh(m, L, seed % 2, 1, NULL, NULL, NULL, 0, k, 1, 0, &U, &Pr);
                assert_near(U, first[k].value, 1e-9);
                assert_near(Pr, first[k].commitment_probability, 1e-9);
            }
            vouch_ccil_free(c);
        }
        vouch_model_free(m);
    }
}

/* A ring of cells with too many knowledge states for L = 1: the first plan is a Markov policy that keeps the promise, and later,
 * smaller plans continue it. */
static void too_many_states(void **state)
{
    (void)state;
    enum { CELLS = 30, T = 2600, STEPS = 3 };
    vouch_model *m;
    vouch_executor *e;
    vouch_ccil_options o;
    vouch_decision d;
    vouch_error error = {0};
    double promise[2];
    assert_int_equal(vouch_model_new(&m, CELLS + 1, 2, 2, T), VOUCH_OK);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < CELLS; i++) {
            assert_int_equal(vouch_model_add(m, k, 0, 0, 1 + i, 1.0 / CELLS, 0), VOUCH_OK);
            assert_int_equal(vouch_model_add(m, k, 1 + i, 0, 1 + i, k ? 0.4 : 0.5, i % 2), VOUCH_OK);
            assert_int_equal(vouch_model_add(m, k, 1 + i, 0, 1 + (i + 1) % CELLS, k ? 0.6 : 0.5, i % 2), VOUCH_OK);
        }
        assert_int_equal(vouch_model_add(m, k, 0, 1, 1, 1, k), VOUCH_OK);
    }
    for (int i = 0; i < CELLS; i += 3) vouch_model_set_commitment(m, 1 + i, 1);
    vouch_model_set_probability(m, 0.3);
    assert_int_equal(vouch_model_finish(m, NULL, &error), VOUCH_OK);
    vouch_ccil_options_init(&o);
    vouch_ccil *c;
    vouch_ccil_result r;
    assert_int_equal(vouch_ccil_new(&c, m, &o, &error), VOUCH_OK);
    vouch_ccil_get_result(c, &r);
    assert_true(r.has_policy && r.kept_on == 1); /* the plan of L = 1 did not come off */
    for (int k = 0; k < 2; k++) assert_true(r.figures[k].commitment_probability >= 0.3 - KEEP_TOLERANCE);
    vouch_ccil_free(c);
    if (vouch_executor_new(&e, m, &o, &error)) fail_msg("%s", error.text);
    vouch_executor_promise(e, promise);
    for (int k = 0; k < 2; k++) assert_true(promise[k] >= 0.3 - KEEP_TOLERANCE);
    for (int step = 0; step < STEPS; step++) {
        vouch_executor_decision(e, &d);
        const mdp *env = &m->env[0];
        int first = env->start[model_pair(m, d.state, d.sampled)];
        assert_int_equal(vouch_executor_observe(e, -1, env->reward[first], env->next[first], &error), VOUCH_OK);
        vouch_executor_decision(e, &d);
        vouch_executor_promise(e, promise);
        for (int i = 0; i < d.environments; i++) assert_true(promise[d.environment[i]] > 0);
    }
    vouch_executor_free(e);
    vouch_model_free(m);
}

/* A first plan cut short is a plan that keeps the promise, or none. */
static void first_plan_cut_short(void **state)
{
    (void)state;
    int planned = 0, unproved = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        vouch_model *m;
        vouch_random_shape shape = {5, 2, 3, 5, 0.4, 3, 0, seed};
        if (vouch_generate_random(&m, &shape, NULL)) continue;
        vouch_ccil *c;
        vouch_ccil_options o;
        vouch_ccil_result r;
        vouch_executor *e;
        vouch_error error = {0};
        double promise[3];
        vouch_ccil_options_init(&o);
        o.plan.lookahead = 1 + (int)(seed % 3);
        o.plan.limits.nodes = 1;
        assert_int_equal(vouch_ccil_new(&c, m, &o, NULL), VOUCH_OK);
        vouch_ccil_get_result(c, &r);
        unproved += r.has_policy && r.unproved == 1;
        vouch_ccil_free(c);
        vouch_status status = vouch_executor_new(&e, m, &o, &error);
        assert_int_equal(status == VOUCH_OK, r.has_policy);
        if (!status) {
            planned++;
            vouch_executor_promise(e, promise);
            for (int k = 0; k < 3; k++) assert_true(promise[k] >= 0.4 - KEEP_TOLERANCE);
        }
        vouch_executor_free(e);
        vouch_model_free(m);
    }
    assert_true(planned > 10 && unproved > 5);
}

static void impossible_observations(void **state)
{
    (void)state;
    vouch_model *m = maze();
    vouch_executor *e;
    vouch_error error = {0};
    vouch_decision d;
    double promise[2];
    assert_int_equal(vouch_executor_new(&e, m, NULL, &error), VOUCH_OK);
    vouch_executor_decision(e, &d);
    assert_int_equal(d.time, 0);
    assert_int_equal(d.environments, 2);
    vouch_executor_promise(e, promise);
    assert_true(promise[0] >= 0.6 - 1e-9 && promise[1] >= 0.6 - 1e-9);
    assert_int_equal(vouch_executor_observe(e, -1, 17, d.state, &error), VOUCH_ERROR_INPUT);
    assert_int_equal(vouch_executor_observe(e, -1, 0, 7, &error), VOUCH_ERROR_INPUT);
    assert_int_equal(vouch_executor_observe(e, -1, 0, -1, &error), VOUCH_ERROR_INPUT);
    assert_int_equal(vouch_executor_observe(e, -1, 0, 1000, &error), VOUCH_ERROR_INPUT);
    assert_int_equal(vouch_executor_observe(e, -1, NAN, d.state, &error), VOUCH_ERROR_INPUT);
    assert_int_equal(vouch_executor_observe(e, 1000, 0, d.state, &error), VOUCH_ERROR_INPUT);
    vouch_executor_decision(e, &d);
    assert_int_equal(d.time, 0);
    vouch_executor_free(e);
    vouch_model_free(m);
}

/* Whatever allocation fails: a status, no leak, and the next call works. */
static void allocations(void **state)
{
    (void)state;
    vouch_model *m;
    assert_int_equal(vouch_generate_twin_states(&m, 3, NULL), VOUCH_OK);
    long before = mem_live();
    for (long k = 0;; k = k < 40 ? k + 1 : k + k / 7) {
        vouch_ccil *c = NULL;
        vouch_ccil_options o;
        vouch_ccil_options_init(&o);
        mem_fail_after(k);
        vouch_status status = vouch_ccil_new(&c, m, &o, NULL);
        if (!status) status = vouch_ccil_evaluate(c, NULL);
        mem_fail_after(-1);
        vouch_ccil_result r = {0};
        if (!status) vouch_ccil_get_result(c, &r);
        assert_int_equal(r.has_policy, !status); /* no plan for want of memory is not an answer */
        vouch_ccil_free(c);
        assert_int_equal(mem_live(), before);
        if (!status) break;
        assert_int_equal(status, VOUCH_ERROR_MEMORY);
    }
    vouch_model_free(m);
}

static void count_node(void *context, const vouch_search_node *node)
{
    (void)node;
    ++*(int *)context;
}

static void count_progress(void *context, const vouch_plan_progress *progress)
{
    (void)progress;
    ++*(int *)context;
}

static void count_restart(void *context, const vouch_restart *restart)
{
    (void)restart;
    ++*(int *)context;
}

/* Plans made while acting do not call the caller's callbacks, as they are about other models. */
static void callbacks_are_silent(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_ccil *c;
    vouch_ccil_options o;
    int calls = 0;
    vouch_ccil_options_init(&o);
    o.plan.on_node = count_node;
    o.plan.progress = count_progress;
    o.plan.restart = count_restart;
    o.plan.on_node_context = o.plan.progress_context = o.plan.restart_context = &calls;
    for (int exact = 0; exact < 2; exact++) {
        vouch_random_shape shape = {
            .states = 4, .actions = 2, .environments = 3, .horizon = 3, .probability = 0.4, .branching = 2, .seed = 2};
        assert_int_equal(vouch_generate_random(&m, &shape, NULL), VOUCH_OK);
        o.plan.method = exact ? VOUCH_METHOD_EXACT_CCL : VOUCH_METHOD_MILP_CCL;
        o.plan.lookahead = 1;
        o.plan.restarts = 1;
        assert_int_equal(vouch_ccil_new(&c, m, &o, NULL), VOUCH_OK);
        assert_int_equal(vouch_ccil_evaluate(c, NULL), VOUCH_OK);
        assert_int_equal(calls, 0);
        vouch_ccil_free(c);
        vouch_model_free(m);
    }
}

/* A plan made on the way is no worse than the one it replaces, not even by 3e-12: floors have no tolerance but rounding. */
static void guarded_to_rounding(void **state)
{
    (void)state;
    enum { S, G, A = 0, B };
    const vouch_row row[] = {{0, S, A, S, 1, 0},
                             {0, S, B, G, 1, 2.000000000004},
                             {0, G, A, G, 1, 3.000000000006},
                             {0, G, B, G, 1, 3},
                             {1, S, A, S, 1, 3},
                             {1, S, B, G, 1, 2},
                             {1, G, A, G, 1, 3},
                             {1, G, B, G, 1, 3.000000000003}};
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, 2, 2, 2, 2), VOUCH_OK);
    assert_int_equal(vouch_model_set_commitment(m, G, 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_probability(m, 0), VOUCH_OK);
    assert_int_equal(vouch_model_add_rows(m, row, sizeof row / sizeof *row, NULL), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    vouch_ccil_result r;
    vouch_ccil *c = start(m, 1, 1);
    assert_int_equal(vouch_ccil_evaluate(c, NULL), VOUCH_OK);
    vouch_ccil_get_result(c, &r);
    assert_true(r.max_regret <= r.first_max_regret + 1e-14);
    vouch_ccil_free(c);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(twin_states),          cmocka_unit_test(t_maze),
                                       cmocka_unit_test(guarded_to_rounding),  cmocka_unit_test(budget),
                                       cmocka_unit_test(infeasible),           cmocka_unit_test(callbacks_are_silent),
                                       cmocka_unit_test(executor_agrees),      cmocka_unit_test(too_many_states),
                                       cmocka_unit_test(first_plan_cut_short), cmocka_unit_test(impossible_observations),
                                       cmocka_unit_test(allocations)};
    return run_tests(tests);
}
