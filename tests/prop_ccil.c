/* CCIL on random models: the promise is kept in every environment, guarded planning never falls behind the first plan, exact
 * evaluation agrees with simulation, and threads change nothing. VOUCH_PROP_MODELS sets the number of models (default 60). */
#include <vouch/ccil.h>

#include <vouch/generate.h>
#include "policy/space.h"
#include "test.h"

static uint64_t models(void) { return (uint64_t)test_count("VOUCH_PROP_MODELS", 60); }

static vouch_model *draw(uint64_t seed)
{
    vouch_model *m = NULL;
    vouch_random_shape shape = {
        3 + (int)(seed % 3), 2,   2 + (int)(seed / 3 % 2), 4 + (int)(seed % 2), 0.2 + 0.1 * (double)(seed % 5), 2,
        seed % 4 == 0,       seed};
    return vouch_generate_random(&m, &shape, NULL) ? NULL : m;
}

static vouch_ccil *evaluate(const vouch_model *m, int L, int guarded, int threads, vouch_ccil_result *r)
{
    vouch_ccil *c = NULL;
    vouch_ccil_options o;
    vouch_error error = {0};
    vouch_ccil_options_init(&o);
    o.plan.lookahead = L;
    o.plan.threads = threads;
    o.guarded = guarded;
    if (vouch_ccil_new(&c, m, &o, &error) || vouch_ccil_evaluate(c, &error)) fail_msg("%s", error.text);
    vouch_ccil_get_result(c, r);
    return c;
}

static void promises(void **state)
{
    (void)state;
    int drawn = 0, planned = 0, better = 0, worse = 0;
    for (uint64_t seed = 1; seed <= models(); seed++) {
        vouch_model *m = draw(seed);
        if (!m) continue;
        drawn++;
        vouch_plan_options po;
        vouch_policy *policy;
        vouch_plan_result plan;
        vouch_ccil_result r;
        int L = 1 + (int)(seed % 2);
        vouch_plan_options_init(&po);
        po.lookahead = L;
        assert_int_equal(vouch_plan(&policy, m, &po, NULL), VOUCH_OK);
        vouch_policy_get_result(policy, &plan);
        for (int guarded = 0; guarded < 2; guarded++) {
            vouch_ccil *c = evaluate(m, L, guarded, 1, &r);
            assert_int_equal(r.has_policy, plan.has_policy);
            if (!r.has_policy) {
                assert_int_equal(r.outcome, plan.outcome);
                vouch_ccil_free(c);
                continue;
            }
            planned++;
            assert_int_equal(r.missing, 0);
            assert_near(r.first_max_regret, plan.max_regret, 1e-7);
            for (int k = 0; k < r.environments; k++) {
                const vouch_environment_figures *f = &r.figures[k];
                if (!(f->commitment_probability >= vouch_model_probability(m) - KEEP_TOLERANCE))
                    fail_msg("seed %d, L %d, guarded %d, environment %d: %.17g", (int)seed, L, guarded, k,
                             f->commitment_probability);
                if (guarded && !(f->value >= plan.figures[k].value - 1e-7))
                    fail_msg("seed %d, L %d, environment %d: guarded %.17g, first plan %.17g", (int)seed, L, k, f->value,
                             plan.figures[k].value);
            }
            if (guarded) assert_true(r.max_regret <= plan.max_regret + 1e-7);
            better += r.max_regret < plan.max_regret - 1e-7;
            worse += r.max_regret > plan.max_regret + 1e-7;
            vouch_ccil_free(c);
        }
        vouch_policy_free(policy);
        vouch_model_free(m);
    }
    printf("%d models, %d evaluations, %d better than the first plan, %d worse\n", drawn, planned, better, worse);
    assert_true(planned > 0 && better > 0);
}

/* Stochastic plans keep the promise too, and guarded ones never fall behind. */
static void stochastic_inner(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= models() / 4; seed++) {
        vouch_model *m = draw(seed);
        if (!m) continue;
        for (int guarded = 0; guarded < 2; guarded++) {
            vouch_ccil *c = NULL;
            vouch_ccil_options o;
            vouch_ccil_result r;
            vouch_environment_figures first[3];
            vouch_ccil_options_init(&o);
            o.plan.method = VOUCH_METHOD_EXACT_CCL;
            o.plan.restarts = 2;
            o.guarded = guarded;
            assert_int_equal(vouch_ccil_new(&c, m, &o, NULL), VOUCH_OK);
            vouch_ccil_get_result(c, &r);
            memcpy(first, r.figures, (size_t)r.environments * sizeof *first);
            assert_int_equal(vouch_ccil_evaluate(c, NULL), VOUCH_OK);
            vouch_ccil_get_result(c, &r);
            for (int k = 0; k < r.environments && r.has_policy; k++) {
                if (!(r.figures[k].commitment_probability >= vouch_model_probability(m) - KEEP_TOLERANCE))
                    fail_msg("seed %d, guarded %d, environment %d: %.17g", (int)seed, guarded, k,
                             r.figures[k].commitment_probability);
                if (guarded) assert_true(r.figures[k].value >= first[k].value - 1e-7);
            }
            vouch_ccil_free(c);
        }
        vouch_model_free(m);
    }
}

static void threads_agree(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        vouch_model *m = draw(seed);
        if (!m) continue;
        vouch_ccil_result a, b;
        vouch_ccil *x = evaluate(m, 1, 0, 1, &a), *y = evaluate(m, 1, 0, 3, &b);
        vouch_simulation_options o;
        vouch_sample one[3], three[3];
        vouch_simulation_options_init(&o);
        o.episodes = 700;
        if (a.has_policy) {
            for (int k = 0; k < a.environments; k++) {
                assert_true(a.figures[k].value == b.figures[k].value);
                assert_true(a.figures[k].commitment_probability == b.figures[k].commitment_probability);
            }
            assert_int_equal(vouch_simulate_ccil(x, &o, one, NULL), VOUCH_OK);
            o.threads = 3;
            assert_int_equal(vouch_simulate_ccil(y, &o, three, NULL), VOUCH_OK);
            for (int k = 0; k < a.environments; k++) assert_true(one[k].mean == three[k].mean && one[k].kept == three[k].kept);
        }
        vouch_ccil_free(x);
        vouch_ccil_free(y);
        vouch_model_free(m);
    }
}

/* Of all 95 % intervals between 90 and 99 percent should hold the exact figure. Samples without variance have no interval. */
static void intervals(void **state)
{
    (void)state;
    int all = 0, inside = 0;
    for (uint64_t seed = 1; seed <= models(); seed++) {
        vouch_model *m = draw(seed);
        if (!m) continue;
        vouch_ccil_result r;
        vouch_ccil *c = evaluate(m, 1, 0, 1, &r);
        vouch_simulation_options o;
        vouch_sample s[3];
        vouch_simulation_options_init(&o);
        o.episodes = 2000;
        o.seed = seed;
        if (r.has_policy) {
            assert_int_equal(vouch_simulate_ccil(c, &o, s, NULL), VOUCH_OK);
            vouch_ccil_get_result(c, &r);
            for (int k = 0; k < r.environments; k++) {
                double p = r.figures[k].commitment_probability;
                assert_int_equal(s[k].episodes, 2000);
                if (s[k].half_width > 0) {
                    all++;
                    inside += fabs(s[k].mean - r.figures[k].value) <= s[k].half_width;
                }
                if (p < 1e-9 || p > 1 - 1e-9) continue;
                all++;
                inside += s[k].kept_low <= p && p <= s[k].kept_high;
            }
        }
        vouch_ccil_free(c);
        vouch_model_free(m);
    }
    printf("%d of %d intervals hold the exact figure\n", inside, all);
    assert_true(inside >= 0.90 * all && inside <= 0.99 * all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(promises), cmocka_unit_test(stochastic_inner),
                                       cmocka_unit_test(threads_agree), cmocka_unit_test(intervals)};
    return run_tests(tests);
}
