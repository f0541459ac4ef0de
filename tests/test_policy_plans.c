/* History policies that follow plans where their classes end: evaluated, written, read, drawn, acted by and played, each against
 * every history followed by hand. */
#include "plan_aid.h"

#include <vouch/ccil.h>

#include "base/text.h"
#include "oracle/policies.h"

enum { MODELS = 10, HORIZON = 6, EPISODES = 20000 };

static vouch_model *model_of(uint64_t seed)
{
    vouch_model *m;
    vouch_family_shape shape = {
        .actions = 2 + (int)(seed % 2), .environments = 4, .horizon = HORIZON, .probability = seed % 2 ? 0 : 0.2, .seed = seed};
    assert_int_equal(vouch_generate_adaptive(&m, &shape, NULL), VOUCH_OK);
    return m;
}

/* The planner's figures of the mixture. */
static void hear(void *context, vouch_log_level level, const char *line)
{
    int count;
    double value;
    (void)level;
    if (scan_text(line, "mixtures of %d policies of these classes: %lf", &count, &value) == 2) *(double *)context = value;
}

/* The class limit cuts off classes that the policy reaches. With plans it has the value of the mixture. */
static vouch_policy *plan_within(const vouch_model *m, int classes)
{
    double mixture = NAN;
    vouch_plan_options o = plan_options(VOUCH_METHOD_HISTORY, 0);
    o.class_limit = classes;
    o.log = (vouch_log){.level = VOUCH_LOG_INFO, .write = hear, .context = &mixture};
    vouch_policy *p = plan_by(m, &o);
    if (p->plans > 0) assert_near(p->max_regret, mixture, 1e-8);
    return p;
}

/* U, Pr [K] by the edges of the policy's graph. */
static void follow_graph(const vouch_policy *p, const vouch_model *m, double U[], double Pr[])
{
    vouch_policy_graph *graph;
    vouch_policy_graph_data d;
    assert_int_equal(vouch_policy_graph_new(&graph, p, m, NULL), VOUCH_OK);
    vouch_policy_graph_view(graph, &d);
    for (int k = 0; k < m->K; k++) U[k] = Pr[k] = 0;
    for (int i = 0; i < d.edges; i++) {
        const vouch_policy_edge *e = &d.edge[i];
        vouch_rule r;
        vouch_policy_get_rule(p, d.node[e->from].rule, &r);
        for (int k = 0; k < m->K; k++)
            U[k] += d.reach[e->from * m->K + k] * r.probability[e->choice] * d.probability[i * m->K + k] * e->reward;
    }
    for (int n = 0; n < d.nodes; n++)
        for (int k = 0; k < m->K && d.node[n].rule < 0; k++)
            Pr[k] += d.reach[n * m->K + k] * (vouch_model_is_commitment(m, d.node[n].state) ? 1 : 0);
    vouch_policy_graph_free(graph);
}

typedef struct step {
    int action, state;
    double reward;
} step;

typedef struct acting {
    vouch_episode *e;
    const vouch_model *m;
    step step[HORIZON];
    double U[POLICIES_ENVIRONMENTS], Pr[POLICIES_ENVIRONMENTS];
} acting;

/* Follows the episode after every history, of probability mass [K]; reward: collected before. */
static void act(acting *a, int t, const double mass[], const double reward[])
{
    const vouch_model *m = a->m;
    vouch_decision d;
    vouch_episode_restart(a->e, 1);
    for (int i = 0; i < t; i++)
        assert_int_equal(vouch_episode_observe(a->e, a->step[i].action, a->step[i].reward, a->step[i].state, NULL), VOUCH_OK);
    vouch_episode_decision(a->e, &d);
    if (t == m->T) {
        for (int k = 0; k < m->K; k++) {
            a->U[k] += mass[k] * reward[k];
            a->Pr[k] += vouch_model_is_commitment(m, d.state) ? mass[k] : 0;
        }
        return;
    }
    int actions = d.actions, action[8], state = d.state;
    double prob[8], sum = 0;
    assert_true(actions > 0 && actions <= 8);
    for (int i = 0; i < actions; i++) {
        action[i] = d.action[i];
        prob[i] = d.probability[i];
        sum += prob[i];
        assert_true(i == 0 || action[i - 1] < action[i]);
    }
    assert_near(sum, 1, 1e-12);
    for (int i = 0; i < actions; i++) {
        int q = model_pair(m, state, action[i]);
        for (int lead = 0; lead < m->K; lead++) /* each observation once */
            for (int o = m->env[lead].start[q]; o < m->env[lead].start[q + 1]; o++) {
                double next[POLICIES_ENVIRONMENTS] = {0}, earned[POLICIES_ENVIRONMENTS] = {0};
                bool first = mass[lead] > 0;
                for (int k = 0; k < m->K; k++)
                    for (int x = m->env[k].start[q]; x < m->env[k].start[q + 1]; x++) {
                        if (m->env[k].next[x] != m->env[lead].next[o] || m->env[k].seen[x] != m->env[lead].seen[o]) continue;
                        next[k] = mass[k] * prob[i] * m->env[k].prob[x];
                        earned[k] = reward[k] + m->env[k].reward[x];
                        first &= k >= lead || !(mass[k] > 0);
                    }
                a->step[t] = (step){action[i], m->env[lead].next[o], m->env[lead].reward[o]};
                if (first) act(a, t + 1, next, earned);
            }
    }
}

static void agree(const vouch_model *m, const attained *v, const double U[], const double Pr[])
{
    for (int k = 0; k < m->K; k++) {
        assert_near(U[k], (double)v->u[k], 1e-9);
        assert_near(Pr[k], (double)v->pr[k], 1e-9);
    }
}

/* The file has the same bytes and figures after reading. */
static void check_file(const vouch_policy *p, const vouch_model *m)
{
    vouch_policy *q;
    vouch_error error = {0};
    int kept;
    text once = policy_bytes(p, m);
    char *copy = mem_string(once.data);
    assert_non_null(strstr(once.data, "\"plans\""));
    if (policy_json_parse(&q, m, "p.json", copy, once.length, &error)) fail_msg("%s", error.text);
    text twice = policy_bytes(q, m);
    assert_string_equal(once.data, twice.data);
    assert_int_equal(evaluate_again(q, m, &kept, &error), VOUCH_OK);
    assert_true(kept);
    assert_near(q->max_regret, p->max_regret, 1e-12);
    q->rule_count--; /* the last rule of the last plan, which is reached */
    assert_int_equal(evaluate_again(q, m, &kept, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "no rule for time"));
    q->rule_count++;
    text_free(&once);
    text_free(&twice);
    vouch_policy_free(q);
}

static void check_simulation(const vouch_policy *p, const vouch_model *m)
{
    vouch_simulation_options o;
    vouch_sample sample[2][POLICIES_ENVIRONMENTS];
    vouch_simulation_options_init(&o);
    o.episodes = EPISODES;
    for (int i = 0; i < 2; i++) {
        o.threads = 1 + i;
        assert_int_equal(vouch_simulate(p, m, &o, sample[i], NULL), VOUCH_OK);
    }
    for (int k = 0; k < m->K; k++) {
        assert_true(fabs(sample[0][k].mean - p->figures[k].value) <= 2.5 * sample[0][k].half_width + 1e-9);
        assert_true(sample[0][k].mean == sample[1][k].mean);
    }
}

static void check_with_plans(const vouch_policy *p, const vouch_model *m)
{
    double U[POLICIES_ENVIRONMENTS], Pr[POLICIES_ENVIRONMENTS], most = -INFINITY;
    const double none[POLICIES_ENVIRONMENTS] = {0}, one[POLICIES_ENVIRONMENTS] = {1, 1, 1, 1};
    attained v;
    assert_true(policies_follow(m, p, &v));
    for (int k = 0; k < m->K; k++) {
        U[k] = p->figures[k].value;
        Pr[k] = p->figures[k].commitment_probability;
        most = fmax(most, p->figures[k].optimal_value - (double)v.u[k]);
    }
    agree(m, &v, U, Pr);
    assert_near(p->max_regret, most, 1e-9);
    follow_graph(p, m, U, Pr);
    agree(m, &v, U, Pr);
    acting a = {.m = m};
    assert_int_equal(vouch_episode_new(&a.e, p, m, 1, NULL), VOUCH_OK);
    act(&a, 0, one, none);
    vouch_episode_free(a.e);
    agree(m, &v, a.U, a.Pr);
    check_file(p, m);
    check_simulation(p, m);
}

static void every_way_to_follow_plans_agrees(void **state)
{
    (void)state;
    int planned = 0, mixed = 0, between = 0;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        vouch_model *m = model_of(seed);
        for (int classes = 30; classes <= 240; classes *= 2) {
            vouch_policy *p = plan_within(m, classes);
            assert_true(p->bound <= p->max_regret + 1e-9);
            for (size_t i = 0; i < p->rule_count && p->plans > 0; i++) {
                mixed += p->rules[i].follow_count > 1;
                for (int e = 0; e < p->rules[i].follow_count; e++)
                    between += p->rules[i].share[e] > 0.01 && p->rules[i].share[e] < 0.99;
            }
            planned += p->plans > 0;
            if (p->plans > 0) check_with_plans(p, m);
            vouch_policy_free(p);
        }
        vouch_model_free(m);
    }
    if (planned < 15 || mixed < 3 || between < 3) fail_msg("%d %d %d", planned, mixed, between);
}

/* The same for long horizons: rounding of likelihoods grows no class twice. */
static void long_policies_are_worth_their_mixture(void **state)
{
    (void)state;
    int planned = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        vouch_model *m;
        vouch_family_shape shape = {.actions = 2, .environments = 20, .horizon = 50, .seed = seed};
        assert_int_equal(vouch_generate_adaptive(&m, &shape, NULL), VOUCH_OK);
        vouch_policy *p = plan_within(m, 20000);
        planned += p->plans > 0;
        vouch_policy_free(p);
        vouch_model_free(m);
    }
    if (planned < 4) fail_msg("%d", planned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_to_follow_plans_agrees),
        cmocka_unit_test(long_policies_are_worth_their_mixture),
    };
    return run_tests(tests);
}
