/* The executor: valid and invalid observations, its knowledge after them, and its promise, which replanning never lowers. */
#include "plan_aid.h"

#include "base/rng.h"
#include "oracle/wild.h"
#include "plan/ccil/ccil.h"

enum { STEPS = 5, ENVIRONMENTS = 4 };

typedef struct walk {
    const vouch_model *m;
    vouch_ccil_options o;
    int length, action[STEPS], state[STEPS];
    double reward[STEPS];
} walk;

/* An executor after the observations of the walk; NULL: the commitment is infeasible. */
static vouch_executor *follow(const walk *w)
{
    vouch_executor *e;
    vouch_error error = {0};
    if (vouch_executor_new(&e, w->m, &w->o, &error)) return NULL;
    for (int i = 0; i < w->length; i++)
        if (vouch_executor_observe(e, w->action[i], w->reward[i], w->state[i], &error)) fail_msg("%s", error.text);
    return e;
}

/* The environments of `env` in which action a of state s may pay this reward and lead to `next`. */
static int consistent(const vouch_model *m, const int env[], int count, int s, int a, double reward, int next, int left[])
{
    int q = model_pair(m, s, a), n = 0;
    for (int i = 0; i < count && q >= 0; i++) {
        const mdp *k = &m->env[env[i]];
        bool can = false;
        for (int x = k->start[q]; x < k->start[q + 1]; x++) can |= k->next[x] == next && k->reward[x] == reward;
        if (can) left[n++] = env[i];
    }
    return n;
}

/* Every action, reward of the model and state: accepted if the decision allows the action and a consistent environment leads there;
 * exactly these environments remain. A refusal changes nothing. */
static void check_observations(const walk *w)
{
    const vouch_model *m = w->m;
    vouch_executor *e = follow(w);
    vouch_decision d;
    vouch_executor_decision(e, &d);
    double odd[] = {NAN, INFINITY, -INFINITY, 1e6};
    for (int a = -1; a <= m->A; a++) {
        bool allowed = a < 0;
        for (int i = 0; i < d.actions; i++) allowed |= d.action[i] == a && d.probability[i] > 0;
        for (int next = -1; next <= m->S; next++) {
            for (int x = -4; x < m->env[0].start[m->pairs]; x++) {
                double reward = x < 0 ? odd[x + 4] : m->env[0].reward[x];
                int left[ENVIRONMENTS], inside = next >= 0 && next < m->S && allowed && isfinite(reward);
                int count =
                    inside ? consistent(m, d.environment, d.environments, d.state, a < 0 ? d.sampled : a, reward, next, left) : 0;
                vouch_error error = {0};
                if (!count) {
                    assert_int_equal(vouch_executor_observe(e, a, reward, next, &error), VOUCH_ERROR_INPUT);
                    assert_true(error.text[0]);
                    vouch_decision same;
                    vouch_executor_decision(e, &same);
                    assert_true(same.time == d.time && same.state == d.state && same.sampled == d.sampled &&
                                same.environments == d.environments && same.actions == d.actions);
                    continue;
                }
                vouch_executor *f = follow(w);
                vouch_decision after;
                assert_int_equal(vouch_executor_observe(f, a, reward, next, &error), VOUCH_OK);
                vouch_executor_decision(f, &after);
                assert_int_equal(after.time, d.time + 1);
                assert_int_equal(after.state, next);
                assert_int_equal(after.environments, count);
                for (int i = 0; i < count; i++) assert_int_equal(after.environment[i], left[i]);
                vouch_executor_free(f);
            }
        }
    }
    vouch_executor_free(e);
}

/* Mean of the promise for environment k one step later. */
static double promise_later(const walk *w, const vouch_decision *d, int k)
{
    walk v = *w;
    double sum = 0, promise[ENVIRONMENTS];
    const mdp *env = &w->m->env[k];
    v.length++;
    for (int i = 0; i < d->actions; i++) {
        int q = model_pair(w->m, d->state, d->action[i]);
        for (int x = env->start[q]; x < env->start[q + 1]; x++) {
            v.action[w->length] = d->action[i];
            v.reward[w->length] = env->reward[x];
            v.state[w->length] = env->next[x];
            vouch_executor *e = follow(&v);
            vouch_executor_promise(e, promise);
            if (vouch_executor_done(e)) assert_near(promise[k], vouch_executor_kept(e), 0);
            sum += d->probability[i] * env->prob[x] * promise[k];
            vouch_executor_free(e);
        }
    }
    return sum;
}

static bool possible(const vouch_decision *d, int k)
{
    for (int i = 0; i < d->environments; i++)
        if (d->environment[i] == k) return true;
    return false;
}

/* One walk in environment k. */
static int check_walk(walk *w, int k, rng *r)
{
    int replanned = 0;
    double promise[ENVIRONMENTS];
    for (w->length = 0; w->length < w->m->T; w->length++) {
        vouch_executor *e = follow(w);
        vouch_decision d;
        if (!e) return 0;
        vouch_executor_decision(e, &d);
        vouch_executor_promise(e, promise);
        double sum = 0;
        bool sampled = false;
        for (int i = 0; i < d.actions; i++) {
            assert_true(d.probability[i] > 0 && model_pair(w->m, d.state, d.action[i]) >= 0);
            sum += d.probability[i];
            sampled |= d.action[i] == d.sampled;
        }
        assert_near(sum, 1, 1e-9);
        assert_true(sampled);
        assert_int_equal(d.planned, w->length % w->o.plan.lookahead == 0);
        assert_false(vouch_executor_done(e));
        assert_int_equal(vouch_executor_kept(e), 1);
        assert_int_equal(d.time, w->length);
        assert_true(possible(&d, k));
        for (int j = 0; j < w->m->K; j++) {
            if (w->length == 0) assert_true(promise[j] >= w->m->p - 1e-9);
            if (!possible(&d, j))
                assert_true(isnan(promise[j]));
            else
                assert_true(promise_later(w, &d, j) >= promise[j] - 1e-9);
        }
        check_observations(w);
        replanned += w->length > 0 && d.planned;
        const mdp *env = &w->m->env[k];
        int q = model_pair(w->m, d.state, d.sampled),
            x = env->start[q] + (int)rng_below(r, (uint64_t)(env->start[q + 1] - env->start[q]));
        w->action[w->length] = d.sampled;
        w->reward[w->length] = env->reward[x];
        w->state[w->length] = env->next[x];
        vouch_executor_free(e);
    }
    vouch_executor *e = follow(w);
    vouch_error error = {0};
    assert_true(vouch_executor_done(e));
    assert_int_equal(vouch_executor_kept(e), w->m->terminal[w->state[w->length - 1]]);
    assert_int_equal(vouch_executor_observe(e, -1, w->reward[0], w->state[0], &error), VOUCH_ERROR_INPUT);
    vouch_executor_free(e);
    return replanned;
}

/* The best plan is randomised: actions have its probabilities, in an order that depends on the seed; a reward within the tolerance
 * is observed as the nearest reward of the model. */
static void a_coin_is_drawn_as_likely_as_the_policy_says(void **state)
{
    (void)state;
    enum { DRAWS = 400 };
    vouch_model *m;
    vouch_error error = {0};
    int drawn[2] = {0}, changes = 0, last = -1;
    double share = 0;
    assert_int_equal(vouch_model_new(&m, 2, 2, 2, 2), VOUCH_OK);
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < 2; a++) assert_int_equal(vouch_model_add(m, k, 0, a, 1, 1, a == k ? 3 : 0), VOUCH_OK);
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < 2; a++) assert_int_equal(vouch_model_add(m, k, 1, a, 1, 1, 0), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, &error), VOUCH_OK);
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        vouch_executor *e;
        vouch_ccil_options o;
        vouch_decision d;
        vouch_ccil_options_init(&o);
        o.plan.method = VOUCH_METHOD_EXACT_CCL;
        o.plan.seed = seed;
        if (vouch_executor_new(&e, m, &o, &error)) fail_msg("%s", error.text);
        vouch_executor_decision(e, &d);
        assert_int_equal(d.actions, 2);
        share = d.action[0] == 0 ? d.probability[0] : d.probability[1];
        drawn[d.sampled]++;
        changes += seed > 0 && d.sampled != last;
        last = d.sampled;
        assert_int_equal(vouch_executor_observe(e, 1, 3 * (1 + (seed % 2 ? 1e-12 : -1e-12)), 1, &error), VOUCH_OK);
        vouch_executor_decision(e, &d);
        assert_int_equal(d.environments, 1);
        assert_int_equal(d.environment[0], 1);
        vouch_executor_free(e);
    }
    assert_true(share > 0.1 && share < 0.9);
    assert_near(drawn[0], share * DRAWS, 3 * sqrt(DRAWS * 0.25));
    assert_true(changes > DRAWS / 5);
    vouch_model_free(m);
}

/* One episode in environment 0 by first successors; the number of steps at which a plan was made. */
static int play(vouch_executor *e, const vouch_model *m, int action[])
{
    vouch_decision d;
    int plans = 0;
    for (int t = 0; !vouch_executor_done(e); t++) {
        vouch_transitions next;
        vouch_executor_decision(e, &d);
        assert_true(d.time == t && d.environments <= m->K);
        if (t == 0) assert_int_equal(d.environments, m->K);
        plans += d.planned;
        action[t] = d.sampled;
        vouch_model_get_transitions(m, 0, d.state, d.sampled, &next);
        assert_int_equal(vouch_executor_observe(e, -1, next.reward[0], next.next[0], NULL), VOUCH_OK);
    }
    return plans;
}

static void the_next_episode_begins_anew_with_the_plans_made(void **state)
{
    (void)state;
    enum { T = 5 };
    vouch_model *m;
    vouch_executor *e;
    vouch_error error = {0};
    int first[T], second[T];
    assert_int_equal(vouch_generate_twin_states(&m, T, &error), VOUCH_OK);
    assert_int_equal(vouch_executor_new(&e, m, NULL, &error), VOUCH_OK);
    assert_int_equal(play(e, m, first), T);
    vouch_executor_restart(e, 1);
    assert_int_equal(play(e, m, second), 0);
    assert_memory_equal(first, second, sizeof first);
    vouch_executor_free(e);
    vouch_model_free(m);
}

static void a_failing_allocation_is_reported_and_leaves_nothing(void **state)
{
    (void)state;
    vouch_model *m = wild_model(7);
    long before = mem_live();
    vouch_executor_free(NULL);
    for (long k = 0;; k++) {
        vouch_executor *e;
        mem_fail_after(k);
        vouch_status status = vouch_executor_new(&e, m, NULL, NULL);
        mem_fail_after(-1);
        vouch_executor_free(e);
        assert_int_equal(mem_live(), before);
        if (!status) break;
        assert_int_equal(status, VOUCH_ERROR_MEMORY);
    }
    vouch_model_free(m);
}

static void what_is_observed_decides_what_is_known_and_done(void **state)
{
    (void)state;
    int replanned = 0;
    rng r = rng_seed(5);
    for (int number = 0; number < 60; number++) {
        walk w = {.m = wild_model((uint64_t)number)};
        vouch_ccil_options_init(&w.o);
        w.o.plan.lookahead = 1 + number % 3;
        w.o.guarded = number % 2;
        if (w.o.plan.lookahead <= w.m->T) replanned += check_walk(&w, (int)rng_below(&r, (uint64_t)w.m->K), &r);
        vouch_model_free((vouch_model *)w.m);
    }
    assert_true(replanned > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_observed_decides_what_is_known_and_done),
                                       cmocka_unit_test(a_coin_is_drawn_as_likely_as_the_policy_says),
                                       cmocka_unit_test(the_next_episode_begins_anew_with_the_plans_made),
                                       cmocka_unit_test(a_failing_allocation_is_reported_and_leaves_nothing)};
    return run_tests(tests);
}
