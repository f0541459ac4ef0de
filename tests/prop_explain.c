/* The largest commitment and the environments in conflict, against all deterministic Markov policies of small random models. */
#include "test.h"

#include <vouch/vouch.h>

#include <vouch/generate.h>
#include <vouch/explain.h>

#include "mdp/model.h"

enum { S = 3, A = 2, T = 3, K = 3, MODELS = 500 };

/* Pr(S_T in Phi | k) of the policy whose action at (t, s) is bit t * S + s of `bits`. */
static double kept(const vouch_model *m, int k, unsigned bits)
{
    double now[S] = {0}, next[S];
    now[m->s0] = 1;
    for (int t = 0; t < T; t++) {
        memset(next, 0, sizeof next);
        for (int s = 0; s < S; s++) {
            int q = model_pair(m, s, (int)(bits >> (t * S + s) & 1U));
            for (int o = m->env[k].start[q]; o < m->env[k].start[q + 1]; o++) next[m->env[k].next[o]] += now[s] * m->env[k].prob[o];
        }
        memcpy(now, next, sizeof now);
    }
    double sum = 0;
    for (int s = 0; s < S; s++) sum += m->terminal[s] > 0 ? now[s] : 0;
    return sum;
}

/* Largest p that one policy keeps in all environments of the set (bits). */
static double largest(const vouch_model *m, unsigned set)
{
    double best = 0;
    for (unsigned bits = 0; bits < 1U << (S * T); bits++) {
        double least = 1;
        for (int k = 0; k < K; k++)
            if (set >> k & 1U) least = fmin(least, kept(m, k, bits));
        best = fmax(best, least);
    }
    return best;
}

static void test_against_enumeration(void **state)
{
    (void)state;
    int conflicts = 0, pairs = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)test_part(MODELS / 4, MODELS); seed++) {
        vouch_model *m;
        vouch_error error = {0};
        vouch_random_shape shape = {
            .states = S, .actions = A, .environments = K, .horizon = T, .probability = 0.5, .branching = 3, .seed = seed};
        assert_int_equal(vouch_generate_random(&m, &shape, &error), VOUCH_OK);
        vouch_plan_options o;
        vouch_plan_options_init(&o);
        vouch_range range;
        double truth = largest(m, (1U << K) - 1), alone = 1;
        if (vouch_explain_largest(m, &o, 1, &range, &error)) fail_msg("%s", error.text);
        assert_true(range.proved);
        assert_near(range.reached, truth, 1e-6);
        o.method = VOUCH_METHOD_HISTORY; /* the bracket closes although the planner is undecided next to the truth */
        if (vouch_explain_largest(m, &o, 1, &range, &error)) fail_msg("%s", error.text);
        if (!range.proved) fail_msg("seed %d, history: %.12g .. %.12g", (int)seed, range.reached, range.bound);
        assert_true(range.bound > truth - 1e-6);
        o.method = VOUCH_METHOD_MILP_CCL;
        for (int k = 0; k < K; k++) alone = fmin(alone, largest(m, 1U << k));
        double p = (truth + alone) / 2;
        if (alone - truth > 0.02) { /* each alone can keep p, not all together */
            int env[K];
            vouch_conflict c = {.environment = env};
            vouch_model_set_probability(m, p);
            if (vouch_explain_conflict(m, &o, &c, &error)) fail_msg("%s", error.text);
            unsigned set = 0;
            for (int i = 0; i < c.count; i++) set |= 1U << env[i];
            assert_true(c.smallest && c.count >= 2);
            assert_true(largest(m, set) < p);
            for (unsigned pair = 1; pair < 1U << K && c.count > 2; pair++)
                if (pair == 3 || pair == 5 || pair == 6) assert_true(largest(m, pair) >= p);
            conflicts++;
            pairs += c.count == 2;
        }
        vouch_model_free(m);
    }
    if (conflicts < test_part(20, 100) || pairs < test_part(15, 20)) fail_msg("%d conflicts, %d pairs", conflicts, pairs);
}

/* `count` environments with a different right action each: a policy keeps 1/n for n of them. */
static vouch_model *guess(int count, double p)
{
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, 3, count, count, 1), VOUCH_OK);
    vouch_model_set_commitment(m, 1, 1);
    vouch_model_set_probability(m, p);
    for (int k = 0; k < count; k++)
        for (int a = 0; a < count; a++) vouch_model_add(m, k, 0, a, a == k ? 1 : 2, 1, 0);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    return m;
}

/* A smallest set is called so where all smaller ones were looked at; 400 calls are spent on that, then environments are left out
 * one by one. */
static void test_smallest_is_known(void **state)
{
    (void)state;
    static const struct {
        int environments;
        double p, seconds;
        int count;
        bool smallest;
    } cases[] = {{3, 0.6, 0, 2, true},   {6, 0.4, 0, 3, true},  {6, 0.22, 0, 5, true},    {6, 0.18, 0, 6, true},
                 {14, 0.4, 0, 3, false}, {14, 0.6, 0, 2, true}, {8, 0.3, 1e-9, 8, false}, {2, 0.6, 0, 2, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vouch_model *m = guess(cases[i].environments, cases[i].p);
        vouch_plan_options o;
        vouch_plan_options_init(&o);
        o.method = VOUCH_METHOD_HISTORY;
        o.limits.seconds = cases[i].seconds;
        int env[14];
        vouch_conflict c = {.environment = env};
        assert_int_equal(vouch_explain_conflict(m, &o, &c, NULL), VOUCH_OK);
        if (c.count != cases[i].count || (bool)c.smallest != cases[i].smallest)
            fail_msg("case %d: %d environments, %d", (int)i, c.count, c.smallest);
        for (int k = 1; k < c.count; k++) assert_true(env[k] > env[k - 1]);
        assert_true(env[0] >= 0 && env[c.count - 1] < cases[i].environments);
        vouch_model_free(m);
    }
}

/* Only the last three of many environments, with one of the others, need four actions: found although not all sets of four are
 * tried. */
static void test_the_set_is_at_the_end(void **state)
{
    (void)state;
    enum { MANY = 14, ACTIONS = 4 };
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, 3, ACTIONS, MANY, 1), VOUCH_OK);
    vouch_model_set_commitment(m, 1, 1);
    vouch_model_set_probability(m, 0.3);
    for (int k = 0; k < MANY; k++)
        for (int a = 0; a < ACTIONS; a++)
            vouch_model_add(m, k, 0, a, a == (k > MANY - ACTIONS ? k - (MANY - ACTIONS) : 0) ? 1 : 2, 1, 0);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.method = VOUCH_METHOD_HISTORY;
    int env[MANY];
    vouch_conflict c = {.environment = env};
    assert_int_equal(vouch_explain_conflict(m, &o, &c, NULL), VOUCH_OK);
    assert_int_equal(c.count, ACTIONS);
    assert_true(env[0] <= MANY - ACTIONS);
    for (int i = 1; i < ACTIONS; i++) assert_int_equal(env[i], MANY - ACTIONS + i);
    vouch_model_free(m);
}

/* With several promises the rows of a conflict are pairs of promise and environment: k * promises + j. The first promise is always
 * kept; the second needs another action in the last two environments. There are enough rows that they are dropped one by one. */
static void test_rows_of_several_promises(void **state)
{
    (void)state;
    enum { MANY = 14, ACTIONS = 3, PROMISES = 2, ROWS = MANY * PROMISES };
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, 3, ACTIONS, MANY, 1), VOUCH_OK);
    assert_int_equal(vouch_model_add_promise(m, "anywhere", VOUCH_PROMISE_AT, -1, -1), VOUCH_OK);
    assert_int_equal(vouch_model_add_promise(m, "home", VOUCH_PROMISE_AT, -1, -1), VOUCH_OK);
    for (int k = 0; k < MANY; k++) {
        for (int s = 1; s < 3; s++) assert_int_equal(vouch_model_set_promise_state(m, 0, k, s, 1), VOUCH_OK);
        assert_int_equal(vouch_model_set_promise_state(m, 1, k, 1, 1), VOUCH_OK);
        for (int a = 0; a < ACTIONS; a++)
            vouch_model_add(m, k, 0, a, a == (k > MANY - ACTIONS ? k - (MANY - ACTIONS) : 0) ? 1 : 2, 1, 0);
    }
    assert_int_equal(vouch_model_set_promise_probability(m, 0, -1, 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_promise_probability(m, 1, -1, 0.4), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.method = VOUCH_METHOD_HISTORY;
    int row[ROWS];
    vouch_conflict c = {.environment = row};
    vouch_error error = {0};
    if (vouch_explain_conflict(m, &o, &c, &error)) fail_msg("%s", error.text);
    assert_int_equal(c.count, ACTIONS);
    assert_int_equal(row[0], 1);
    for (int i = 1; i < ACTIONS; i++) assert_int_equal(row[i], (MANY - ACTIONS + i) * PROMISES + 1);
    vouch_model_free(m);
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_error error = {0};
    vouch_random_shape shape = {
        .states = S, .actions = A, .environments = K, .horizon = 2, .probability = 0.3, .branching = 2, .seed = 4};
    assert_int_equal(vouch_generate_random(&m, &shape, &error), VOUCH_OK);
    long before = mem_live();
    for (long k = 0;; k += 1 + k / 8) {
        vouch_plan_options o;
        vouch_plan_options_init(&o);
        vouch_range range;
        mem_fail_after(k);
        vouch_status status = vouch_explain_largest(m, &o, 1, &range, &error);
        mem_fail_after(-1);
        assert_int_equal(mem_live(), before);
        if (status == VOUCH_OK) break;
        assert_int_equal(status, VOUCH_ERROR_MEMORY);
    }
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_enumeration),   cmocka_unit_test(test_smallest_is_known),
        cmocka_unit_test(test_the_set_is_at_the_end), cmocka_unit_test(test_rows_of_several_promises),
        cmocka_unit_test(test_memory_runs_out),
    };
    return run_tests(tests);
}
