/* Promises on average, alone and beside one made in every environment: plans against all deterministic policies, with priors that
 * have zeros, several first states and unseen rewards; other methods and engines against these plans; files and copies.
 * VOUCH_AVERAGES: number of models. */
#include "plan_aid.h"

#include <vouch/model_io.h>

#include "base/rng.h"
#include "io/model_json.h"
#include "mdp/dp.h"
#include "oracle/brute.h"

enum { MODELS = 500, MOST_ENVIRONMENTS = 3 };
static const long long BRUTE_STEPS = 400000;

/* What a model is drawn with. */
typedef struct kind {
    bool mixed, spread, unseen, zeros; /* another promise, first states, rewards, a prior with zeros */
} kind;

static void draw_rows(vouch_model *m, rng *r)
{
    for (int k = 0; k < m->K; k++)
        for (int q = 0; q < 2 * m->S; q++) {
            int first = (int)rng_below(r, (uint64_t)m->S), second = (int)rng_below(r, (uint64_t)m->S);
            double p = rng_below(r, 2) ? 1 : 0.25 + 0.5 * rng_unit(r), reward = floor(4 * rng_unit(r));
            if (k && rng_below(r, 3)) reward = 1; /* so that knowledge is not had at once */
            assert_int_equal(vouch_model_add(m, k, q / 2, q % 2, first, p, reward), VOUCH_OK);
            if (p < 1) assert_int_equal(vouch_model_add(m, k, q / 2, q % 2, second, 1 - p, reward), VOUCH_OK);
        }
}

static void draw_prior(vouch_model *m, rng *r, bool zeros)
{
    double prior[MOST_ENVIRONMENTS], sum = 0;
    for (int k = 0; k < m->K; k++) sum += prior[k] = zeros && rng_below(r, 2) ? 0 : 0.1 + 3 * rng_unit(r);
    if (!(sum > 0)) prior[0] = 1;
    if (rng_below(r, 5)) assert_int_equal(vouch_model_set_prior(m, prior), VOUCH_OK); /* else uniform */
}

/* average NULL: the same model with the promise of every environment alone. */
static vouch_model *drawn_model(uint64_t seed, kind how, const double *average)
{
    vouch_model *m;
    rng r = rng_seed(seed);
    int S = 2 + (int)rng_below(&r, 2), K = 2 + (int)rng_below(&r, 2), T = 2 + (int)rng_below(&r, 2);
    assert_int_equal(vouch_model_new(&m, S, 2, K, T), VOUCH_OK);
    draw_rows(m, &r);
    draw_prior(m, &r, how.zeros);
    double each = 0.5 * rng_unit(&r);
    int j = 0, own = how.mixed ? (int)rng_below(&r, 2) : 0; /* which comes first */
    for (int i = 0; i < 1 + how.mixed; i++) {
        bool mean = i == own;
        if (mean && !average) continue;
        assert_int_equal(vouch_model_add_promise(m, mean ? "mean" : "each", VOUCH_PROMISE_AT, -1, -1), VOUCH_OK);
        assert_int_equal(vouch_model_set_promise_state(m, j, -1, mean ? 0 : S - 1, 1), VOUCH_OK);
        assert_int_equal(vouch_model_set_promise_probability(m, j, -1, mean ? *average : each), VOUCH_OK);
        if (mean) assert_int_equal(vouch_model_set_promise_average(m, j, 1), VOUCH_OK);
        j++;
    }
    if (how.spread)
        for (int s = 0; s < 2; s++) assert_int_equal(vouch_model_set_initial_probability(m, -1, s, s ? 0.75 : 0.25), VOUCH_OK);
    vouch_error error = {0};
    if (vouch_model_finish(m, NULL, &error)) fail_msg("%s", error.text);
    if (how.unseen) assert_int_equal(vouch_model_set_observed(m, VOUCH_OBSERVE_STATES), VOUCH_OK);
    return m;
}

static vouch_plan_result planned(const vouch_model *m, vouch_plan_options *o, vouch_policy **policy)
{
    vouch_plan_result r;
    *policy = plan_by(m, o);
    vouch_policy_get_result(*policy, &r);
    return r;
}

/* The mean that the promise is about, of a plan of m. */
static double mean_of(const vouch_model *m, const vouch_plan_result *r)
{
    int J = vouch_model_promises(m), j = vouch_model_find_promise(m, "mean");
    if (r->commitments) return vouch_model_mean(m, r->commitments + j, J);
    double mean = 0;
    for (int k = 0; k < r->environments; k++) mean += vouch_model_prior(m, k) * r->figures[k].commitment_probability;
    return mean;
}

static double regret_by(const vouch_model *m, vouch_method method, vouch_engine engine, int L, double least)
{
    vouch_plan_options o = plan_options(method, L);
    vouch_policy *policy;
    o.engine = engine;
    vouch_plan_result r = planned(m, &o, &policy);
    double value = r.has_policy ? r.max_regret : INFINITY;
    if (r.has_policy) {
        vouch_environment_figures figures[MOST_ENVIRONMENTS];
        vouch_error error = {0};
        int kept = 0;
        assert_true(vouch_model_mean_kept(m, vouch_model_find_promise(m, "mean"), mean_of(m, &r)));
        assert_true(r.bound <= value + 1e-9);
        if (vouch_policy_evaluate(policy, m, figures, &kept, &error)) fail_msg("%s", error.text);
        assert_true(kept);
        for (int k = 0; k < r.environments; k++) assert_true(figures[k].regret >= -1e-9);
    }
    if (r.bound > least + 1e-6) fail_msg("bound %.10g of method %d above %.10g", r.bound, (int)method, least);
    vouch_policy_free(policy);
    return value;
}

/* The largest mean that any policy reaches, nearly, by bisection over plans is slow: of all Markov policies of each environment
 * alone the mean of the best is an upper bound, and a share of it is drawn. */
static double drawn_level(uint64_t seed, kind how)
{
    double any = 0, most = 0;
    rng r = rng_seed(~seed);
    vouch_model *m = drawn_model(seed, how, &any);
    int J = vouch_model_promises(m), j = vouch_model_find_promise(m, "mean");
    for (int k = 0; k < m->K; k++) {
        vouch_model one = *m;
        mdp env = m->env[k];
        env.terminal = m->weight[k * J + j];
        one.env = &env;
        one.K = 1;
        most += vouch_model_prior(m, k) * dp_best_probability(&one, 0);
    }
    vouch_model_free(m);
    return fmin(1, rng_below(&r, 4) ? most * rng_unit(&r) : most);
}

/* Returns whether all policies were tried. */
static bool against_all(uint64_t seed, kind how, int *found)
{
    double level = drawn_level(seed, how), optimal[MOST_ENVIRONMENTS];
    vouch_model *m = drawn_model(seed, how, &level), *alone = drawn_model(seed, how, NULL);
    int L = (int)(seed % (uint64_t)(m->T + 1));
    brute b;
    for (int k = 0; k < m->K; k++)
        assert_int_equal(dp_constrained(alone, k, how.mixed ? vouch_model_promise_probability(alone, 0, k) : 0, &optimal[k], NULL),
                         VOUCH_OK);
    brute_solve(m, L, optimal, BRUTE_STEPS, &b);
    bool complete = b.complete;
    if (complete) {
        double least = b.found ? b.max_regret : INFINITY;
        double policy = regret_by(m, VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_AUTO, L, least);
        double program = regret_by(m, VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_LP, L, least);
        if (b.found && !(fabs(policy - least) <= 2e-6))
            fail_msg("model %d, L = %d: %.10g, all policies: %.10g", (int)seed, L, policy, least);
        if (!b.found) assert_true(isinf(policy));
        if (b.found && !(fabs(program - least) <= 2e-6))
            fail_msg("model %d, L = %d: LP %.10g, all policies: %.10g", (int)seed, L, program, least);
        if (!b.found) assert_true(isinf(program));
        *found += b.found;
        double history = regret_by(m, VOUCH_METHOD_HISTORY, VOUCH_ENGINE_AUTO, 0, least);
        assert_true(history <= least + 2e-6);
        double lp = regret_by(m, VOUCH_METHOD_HISTORY, VOUCH_ENGINE_LP, 0, least);
        if (!(history == lp) && !(fabs(history - lp) <= 2e-6))
            fail_msg("model %d: history %.10g, by its program %.10g", (int)seed, history, lp);
        double exact = regret_by(m, VOUCH_METHOD_EXACT_CCL, VOUCH_ENGINE_AUTO, L, least);
        assert_true(exact >= history - 2e-6);
        assert_true(exact <= least + 1e-4 || !b.found);
    }
    brute_free(&b);
    vouch_model_free(m);
    vouch_model_free(alone);
    return complete;
}

static kind kind_of(int i) { return (kind){.mixed = i % 3 == 1, .spread = i % 5 == 2, .unseen = i % 7 == 3, .zeros = i % 4 == 1}; }

static void test_all_policies(void **state)
{
    (void)state;
    const char *asked = getenv("VOUCH_AVERAGES");
    int models = asked ? atoi(asked) : MODELS, complete = 0, found = 0;
    for (int i = 0; i < models; i++) complete += against_all((uint64_t)i, kind_of(i), &found);
    print_message("%d models, all policies tried on %d, %d of which keep their promises\n", models, complete, found);
    if (models >= MODELS) assert_true(complete > models * 9 / 10 && found > complete / 2 && found < complete);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_policies)};
    return run_tests(tests);
}
