/* A policy followed step by step through public calls: all possible histories of each environment, weighted by their probabilities,
 * give the figures of the plan; an impossible observation is refused and changes nothing. */
#include "test.h"

#include <stdbool.h>

#include <vouch/vouch.h>

enum { STEPS = 8 };

typedef struct step {
    int action, state;
    double reward;
} step;

typedef struct play {
    const vouch_model *m;
    const vouch_policy *p;
    int k;            /* the true environment */
    step path[STEPS]; /* so far */
    double value, kept;
} play;

static vouch_episode *replay(const play *x, int length)
{
    vouch_episode *e;
    vouch_error error = {0};
    if (vouch_episode_new(&e, x->p, x->m, 1, &error)) fail_msg("%s", error.text);
    for (int i = 0; i < length; i++)
        if (vouch_episode_observe(e, x->path[i].action, x->path[i].reward, x->path[i].state, &error)) fail_msg("%s", error.text);
    return e;
}

/* All that can come after `length` steps, which have the given probability and reward. */
static void add_histories(play *x, int length, double probability, double reward)
{
    vouch_episode *e = replay(x, length);
    vouch_decision d;
    vouch_episode_decision(e, &d);
    assert_int_equal(d.time, length);
    bool possible = false;
    for (int i = 0; i < d.environments; i++) possible = possible || d.environment[i] == x->k;
    assert_true(possible);
    if (vouch_episode_done(e)) {
        x->value += probability * reward;
        x->kept += vouch_episode_kept(e) ? probability : 0;
        assert_true(d.actions == 0 && d.sampled == -1);
    }
    double sum = 0;
    bool sampled = false;
    for (int i = 0; i < d.actions; i++) {
        vouch_transitions t;
        vouch_model_get_transitions(x->m, x->k, d.state, d.action[i], &t);
        sum += d.probability[i];
        sampled = sampled || d.action[i] == d.sampled;
        for (int o = 0; o < t.count; o++) {
            x->path[length] = (step){d.action[i], t.next[o], t.reward[o]};
            add_histories(x, length + 1, probability * d.probability[i] * t.probability[o], reward + t.reward[o]);
        }
    }
    if (d.actions) assert_near(sum, 1, 1e-9);
    assert_true(sampled == (d.actions > 0));
    vouch_episode_free(e);
}

static void histories_add_up_to_the_figures(void **state)
{
    (void)state;
    int compared = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        vouch_model *m;
        vouch_error error = {0};
        vouch_random_shape shape = {
            .states = 3, .actions = 2, .environments = 3, .horizon = 4, .probability = 0.2, .branching = 2, .seed = seed};
        assert_int_equal(vouch_generate_random(&m, &shape, &error), VOUCH_OK);
        for (int run = 0; run < 7; run++) {
            vouch_plan_options o;
            vouch_policy *p;
            vouch_plan_result r;
            vouch_plan_options_init(&o);
            o.method = run < 5 ? VOUCH_METHOD_MILP_CCL : run == 5 ? VOUCH_METHOD_HISTORY : VOUCH_METHOD_EXACT_CCL;
            o.lookahead = run < 5 ? run : 1;
            if (vouch_plan(&p, m, &o, &error)) fail_msg("%s", error.text);
            vouch_policy_get_result(p, &r);
            for (int k = 0; r.has_policy && k < r.environments; k++) {
                play x = {.m = m, .p = p, .k = k};
                add_histories(&x, 0, 1, 0);
                assert_near(x.value, r.figures[k].value, 1e-9);
                assert_near(x.kept, r.figures[k].commitment_probability, 1e-9);
                compared++;
            }
            vouch_policy_free(p);
        }
        vouch_model_free(m);
    }
    assert_true(compared > 100);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_policy *p;
    vouch_episode *e;
    vouch_decision before, after;
    vouch_error error = {0};
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.lookahead = 2;
    assert_int_equal(vouch_generate_twin_states(&m, 4, &error), VOUCH_OK);
    assert_int_equal(vouch_plan(&p, m, &o, &error), VOUCH_OK);
    assert_int_equal(vouch_episode_new(&e, p, m, 7, &error), VOUCH_OK);
    vouch_episode_decision(e, &before);
    assert_int_equal(before.environments, 9);
    assert_int_equal(vouch_episode_observe(e, -1, 0.125, 0, &error), VOUCH_ERROR_INPUT);
    assert_non_null(strstr(error.text, "no environment still possible"));
    assert_int_equal(vouch_episode_observe(e, -1, NAN, 0, &error), VOUCH_ERROR_INPUT);
    assert_int_equal(vouch_episode_observe(e, 99, 1, 0, &error), VOUCH_ERROR_INPUT);
    assert_int_equal(vouch_episode_observe(e, -1, 1, 2, &error), VOUCH_ERROR_INPUT);
    vouch_episode_decision(e, &after);
    assert_memory_equal(&before, &after, sizeof before);
    vouch_transitions t;
    vouch_model_get_transitions(m, 3, before.state, before.sampled, &t);
    assert_int_equal(vouch_episode_observe(e, -1, t.reward[0], t.next[0], &error), VOUCH_OK);
    vouch_episode_decision(e, &after);
    assert_true(after.time == 1 && after.environments < 9);
    vouch_episode_restart(e, 7);
    vouch_episode_decision(e, &after);
    assert_memory_equal(&before, &after, sizeof before);
    vouch_episode_free(e);
    vouch_policy_free(p);
    vouch_model_free(m);
}

static void rules_are_walked(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_policy *p;
    vouch_error error = {0};
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.lookahead = 1;
    assert_int_equal(vouch_generate_twin_states(&m, 4, &error), VOUCH_OK);
    assert_int_equal(vouch_plan(&p, m, &o, &error), VOUCH_OK);
    int kinds[3] = {0}, rules = vouch_policy_rules(p);
    for (int i = 0; i < rules; i++) {
        vouch_rule r;
        vouch_policy_get_rule(p, i, &r);
        kinds[r.kind]++;
        assert_true((r.kind == VOUCH_RULE_KNOWLEDGE) == (r.time < 1));
        assert_true(r.actions == 1 && r.probability[0] == 1);
        assert_true(vouch_model_pair(m, r.state, r.action[0]) >= 0);
    }
    assert_true(kinds[VOUCH_RULE_KNOWLEDGE] == 1 && kinds[VOUCH_RULE_BOUNDARY] > 0 && kinds[VOUCH_RULE_LIKELIHOOD] == 0);
    vouch_rule none;
    vouch_policy_get_rule(p, rules, &none);
    assert_int_equal(none.actions, 0);
    vouch_policy_free(p);
    vouch_model_free(m);
}

static void memory_runs_out(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_policy *p;
    vouch_error error = {0};
    assert_int_equal(vouch_generate_lookahead(&m, &error), VOUCH_OK);
    assert_int_equal(vouch_plan(&p, m, NULL, &error), VOUCH_OK);
    long before = mem_live();
    for (sweep w = {0};;) {
        vouch_episode *e;
        sweep_refuse(&w);
        vouch_status status = vouch_episode_new(&e, p, m, 1, &error);
        bool last = sweep_ends(&w, status == VOUCH_OK);
        vouch_episode_free(e);
        assert_int_equal(mem_live(), before);
        if (last) break;
        if (status == VOUCH_OK) continue;
        assert_int_equal(status, VOUCH_ERROR_MEMORY);
    }
    vouch_policy_free(p);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histories_add_up_to_the_figures),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(rules_are_walked),
        cmocka_unit_test(memory_runs_out),
    };
    return run_tests(tests);
}
