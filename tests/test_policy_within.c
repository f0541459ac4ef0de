/* The worst reply of nature: rows of nature against the value that they give by forward propagation and against other rows within
 * the limits; the best policy of one environment against all its policies, and against PRISM's and Storm's values of an interval
 * MDP. */
#include "plan_aid.h"

#include "base/memory.h"
#include "base/rng.h"
#include "policy/within.h"

static vouch_model *random_model(uint64_t seed, int environments, double within)
{
    vouch_model *m;
    vouch_random_shape shape = {
        .states = 4, .actions = 2, .environments = environments, .horizon = 3, .branching = 3, .probability = .3, .seed = seed};
    assert_int_equal(vouch_generate_random(&m, &shape, NULL), VOUCH_OK);
    assert_int_equal(vouch_model_set_within(m, within), VOUCH_OK);
    return m;
}

/* Pr(k) of prob [choices] under rows nature [edges]. */
static double forward(const know_graph *g, const double prob[], const double nature[], int k)
{
    double *reach = calloc((size_t)g->nodes, sizeof *reach), sum = 0;
    reach[0] = 1;
    for (int n = 0; n < g->nodes; n++) {
        if (g->choice_start[n] == g->choice_start[n + 1]) sum += reach[n] * g->m->env[k].terminal[g->state[n]];
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            for (int u = g->edge_start[c]; u < g->edge_start[c + 1]; u++) reach[g->edge_child[u]] += reach[n] * prob[c] * nature[u];
    }
    free(reach);
    return sum;
}

/* Rows of nature within the limits, moved towards other rows; r NULL: only checked. */
static void move(const reply_graph *g, int k, rng *r, double nature[])
{
    for (int n = 0; n < g->nodes; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1] && know_in_set(g->sets, g->sets->set[n], k); c++) {
            double sum = 0, part = r ? rng_unit(r) : 0;
            for (int u = g->edge_start[c]; u < g->edge_start[c + 1]; u++) {
                if (!know_in_set(g->sets, g->sets->set[g->edge_child[u]], k)) continue;
                const mdp *e = &g->m->env[k];
                int q = g->choice_pair[c], o = mdp_outcome(e, q, g->state[g->edge_child[u]]);
                if (o < 0) continue;
                prob_limits limits = limits_within(g->m, e, g->state[n], q, o);
                assert_true(nature[u] >= limits.low - 1e-15 && nature[u] <= limits.high + 1e-15);
                nature[u] += part * (e->prob[o] - nature[u]);
                sum += nature[u];
            }
            assert_true(fabs(sum - 1) < 1e-14);
        }
}

static void test_rows_of_nature(void **state)
{
    (void)state;
    rng r = rng_seed(3);
    for (int i = 0; i < 60; i++) {
        vouch_model *m = random_model((uint64_t)i + 1, 2, i % 3 * .1);
        know_graph *g;
        assert_int_equal(know_graph_new(m, i % 4, NULL, &g, NULL), VOUCH_OK);
        double *prob = calloc((size_t)g->choices, sizeof *prob), *value = calloc((size_t)g->nodes, sizeof *value);
        double *nature = calloc((size_t)g->edges, sizeof *nature);
        for (int n = 0; n < g->nodes; n++)
            for (int c = g->choice_start[n], end = g->choice_start[n + 1]; c < end; c++)
                prob[c] = i % 2 ? 1.0 / (end - c) * (c + 1 == end) : 0;
        for (int n = 0; n < g->nodes && i % 2 == 0; n++) /* coins */
            for (int c = g->choice_start[n], end = g->choice_start[n + 1]; c < end; c++) prob[c] = 1.0 / (end - g->choice_start[n]);
        reply_graph reply = reply_of_graph(g, prob);
        for (int k = 0; k < 2; k++) {
            memset(nature, 0, (size_t)g->edges * sizeof *nature);
            assert_int_equal(reply_worst(&reply, k, value, nature), VOUCH_OK);
            double worst = value[0];
            assert_true(fabs(forward(g, prob, nature, k) - worst) < 1e-14);
            for (int tries = 0; tries < 20; tries++) {
                move(&reply, k, tries ? &r : NULL, nature);
                assert_true(forward(g, prob, nature, k) >= worst - 1e-14);
            }
        }
        free(prob);
        free(value);
        free(nature);
        know_graph_free(g);
        vouch_model_free(m);
    }
}

/* max over policies of the worst, K = 1, L = 0: an upper bound for each policy and attained. */
static void test_best_alone(void **state)
{
    (void)state;
    rng r = rng_seed(5);
    for (int i = 0; i < 20; i++) {
        vouch_model *m = random_model((uint64_t)i + 100, 1, .1);
        know_graph *g;
        double alone, most = 0;
        assert_int_equal(reply_alone(m, &alone, NULL), VOUCH_OK);
        assert_int_equal(know_graph_new(m, 0, NULL, &g, NULL), VOUCH_OK);
        double *prob = calloc((size_t)g->choices, sizeof *prob), *value = calloc((size_t)g->nodes, sizeof *value);
        for (int tries = 0; tries < 20000 && most < alone - 1e-12; tries++) {
            memset(prob, 0, (size_t)g->choices * sizeof *prob);
            for (int n = 0; n < g->time_start[g->T]; n++)
                prob[g->choice_start[n] + (int)(rng_unit(&r) * (g->choice_start[n + 1] - g->choice_start[n]))] = 1;
            reply_graph reply = reply_of_graph(g, prob);
            assert_int_equal(reply_worst(&reply, 0, value, NULL), VOUCH_OK);
            assert_true(value[0] <= alone + 1e-12);
            most = fmax(most, value[0]);
        }
        assert_true(fabs(most - alone) < 1e-12);
        free(prob);
        free(value);
        know_graph_free(g);
        vouch_model_free(m);
    }
}

/* Storm's resources/examples/testfiles/imdp/tiny-03.drn: the largest worst probability of F<=3 "target" is 0.4, the least of the
 * other action 0.3. */
static void test_value_of_storm(void **state)
{
    (void)state;
    static const struct {
        vouch_row row;
        double low;
    } rows[] = {{{0, 0, 0, 1, .9, 0}, .4}, {{0, 0, 0, 2, .8, 0}, .5}, {{0, 0, 1, 1, .7, 0}, .3},
                {{0, 0, 1, 2, .8, 0}, .4}, {{0, 1, 0, 1, 1, 0}, 1},   {{0, 2, 0, 2, 1, 0}, 1}};
    for (int without = 0; without <= 1; without++) { /* the better action */
        vouch_model *m;
        double alone;
        assert_int_equal(vouch_model_new(&m, 3, 2, 1, 3), VOUCH_OK);
        for (size_t i = without ? 2 : 0; i < sizeof rows / sizeof *rows; i++)
            assert_int_equal(vouch_model_add_interval(m, &rows[i].row, rows[i].low), VOUCH_OK);
        vouch_model_set_commitment(m, 1, 1);
        assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
        assert_true(vouch_model_has_error(m));
        assert_int_equal(reply_alone(m, &alone, NULL), VOUCH_OK);
        assert_true(fabs(alone - (without ? .3 : .4)) < 1e-15);
        vouch_model *copy;
        assert_int_equal(vouch_model_restrict(&copy, m, NULL, 0, NULL), VOUCH_OK);
        assert_int_equal(reply_alone(copy, &alone, NULL), VOUCH_OK);
        assert_true(fabs(alone - (without ? .3 : .4)) < 1e-15);
        assert_true(copy->env->prob[0] == m->env->prob[0]);
        vouch_model_free(copy);
        vouch_model_free(m);
    }
}

/* Actions of equal nominal rows whose limits differ are no twins, nor are those of a joined model. */
static void test_twins(void **state)
{
    (void)state;
    for (int joined = 0; joined <= 1; joined++) {
        vouch_model *m;
        know_graph *g;
        assert_int_equal(vouch_model_new(&m, 2, 3, 1, 2), VOUCH_OK);
        for (int a = 0; a < 3; a++)
            for (int s = 0; s < 4; s++) {
                double width = s < 2 && a == 1 ? .2 : 0;
                assert_int_equal(vouch_model_add_interval(m, &(vouch_row){0, s / 2, a, s % 2, .5 + width, 0}, .5 - width),
                                 VOUCH_OK);
            }
        if (joined) {
            assert_int_equal(vouch_model_add_promise(m, "by", VOUCH_PROMISE_BY, -1, 1), VOUCH_OK);
            assert_int_equal(vouch_model_set_promise_state(m, 0, -1, 1, 1), VOUCH_OK);
        }
        assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
        assert_true(!m->join == !joined);
        assert_int_equal(know_graph_new(m, 0, NULL, &g, NULL), VOUCH_OK);
        assert_true(g->choice_twin[0] == 0 && g->choice_twin[1] == 1 && g->choice_twin[2] == 0);
        know_graph_free(g);
        vouch_model_free(m);
    }
}

/* What the only promise of one environment loses at the nodes of a policy sums to what it loses. */
static void test_lost(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        vouch_model *m = random_model((uint64_t)i + 40, 1, .15);
        vouch_policy *p;
        vouch_policy_graph *graph;
        vouch_policy_graph_data f;
        vouch_plan_result r;
        double lost[64], worst, sum = 0;
        int kept;
        assert_int_equal(vouch_plan(&p, m, NULL, NULL), VOUCH_OK);
        vouch_policy_get_result(p, &r);
        if (r.has_policy) {
            assert_true(vouch_model_kept(m, r.worst[0]));
            assert_int_equal(vouch_policy_graph_new(&graph, p, m, NULL), VOUCH_OK);
            vouch_policy_graph_view(graph, &f);
            assert_true(f.nodes <= 64);
            assert_int_equal(vouch_policy_worst(p, m, &worst, lost, &kept, NULL), VOUCH_OK);
            for (int n = 0; n < f.nodes; n++) sum += lost[n];
            assert_true(fabs(sum - (r.figures->commitment_probability - r.worst[0])) < 1e-12);
            vouch_policy_graph_free(graph);
        }
        vouch_policy_free(p);
        vouch_model_free(m);
    }
}

static void ignore(void *context, const char *line) { (void)context, (void)line; }

/* Plans in which each allocation fails once, and no other. */
static void try_memory(uint64_t seed)
{
    vouch_model *m = random_model(seed, 2, .12);
    long failed = 0, before = mem_live();
    for (long after = 0;; after += 1 + after / 40) {
        vouch_policy *p = NULL;
        vouch_error error = {0};
        vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 1);
        vouch_plan_result r = {0};
        if (after % 2) o.proof = ignore;
        mem_fail_once(after);
        long count = mem_failures();
        vouch_status status = vouch_plan(&p, m, &o, &error);
        bool met = mem_failures() > count;
        mem_fail_after(-1);
        if (!status) vouch_policy_get_result(p, &r);
        assert_true(status == VOUCH_OK || (status == VOUCH_ERROR_MEMORY && !p));
        if (r.has_policy) assert_true(vouch_model_kept(m, r.worst[0]) && vouch_model_kept(m, r.worst[1]));
        vouch_policy_free(p);
        failed += status != VOUCH_OK;
        if (!met) break;
    }
    assert_true(failed > 20);
    assert_int_equal(mem_live(), before);
    vouch_model_free(m);
}

static void test_memory(void **state)
{
    (void)state;
    for (uint64_t seed = 44; seed < 50; seed++) try_memory(seed);
}

/* Nominal rows; limits of equal successors are added; wrong limits are refused. */
static void test_rows(void **state)
{
    (void)state;
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, 2, 1, 1, 1), VOUCH_OK);
    assert_int_equal(vouch_model_add_interval(m, &(vouch_row){0, 0, 0, 0, .3, 0}, .1), VOUCH_OK);
    assert_int_equal(vouch_model_add(m, 0, 0, 0, 0, .1, 0), VOUCH_OK);
    assert_int_equal(vouch_model_add_interval(m, &(vouch_row){0, 0, 0, 1, .8, 0}, .4), VOUCH_OK);
    assert_int_equal(vouch_model_add_interval(m, &(vouch_row){0, 0, 0, 1, .3, 0}, .4), VOUCH_ERROR_INPUT);
    assert_int_equal(vouch_model_add_interval(m, &(vouch_row){0, 0, 0, 1, .3, 0}, -.1), VOUCH_ERROR_INPUT);
    assert_int_equal(vouch_model_add_interval(m, NULL, 0), VOUCH_ERROR_ARGUMENT);
    assert_int_equal(vouch_model_set_within(m, 1.5), VOUCH_ERROR_ARGUMENT);
    assert_int_equal(vouch_model_set_within(m, NAN), VOUCH_ERROR_ARGUMENT);
    assert_int_equal(vouch_model_add(m, 0, 1, 0, 1, 1, 0), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    assert_true(fabs(m->env->prob[0] - (.2 + 2. / 3 * .2)) < 1e-15 && fabs(m->env->prob[1] - (.4 + 2. / 3 * .4)) < 1e-15);
    vouch_model_set_within(m, .25);
    prob_limits wide = limits_within(m, m->env, 0, 0, 0), alone = limits_within(m, m->env, 1, 1, 2);
    assert_true(wide.low == 0 && fabs(wide.high - .65) < 1e-15 && alone.low == 1 && alone.high == 1);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_of_nature),
                                       cmocka_unit_test(test_best_alone),
                                       cmocka_unit_test(test_value_of_storm),
                                       cmocka_unit_test(test_twins),
                                       cmocka_unit_test(test_lost),
                                       cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_rows)};
    return run_tests(tests);
}
