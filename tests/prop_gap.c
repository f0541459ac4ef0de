/* Optimal means value - bound <= gap as given, bounds are bounds, and U* is as exact as doubles allow: against all deterministic
 * policies.
 *
 * VOUCH_MODELS sets how many models are tried, VOUCH_FIRST the first.
 */
#include "plan_aid.h"

#include "base/rng.h"
#include "mdp/dp.h"
#include "mdp/rescale.h"
#include "oracle/brute.h"
#include "oracle/wild.h"

static const double FACTORS[] = {1, 1e4 / 3, 1e7, 1e-5};
static const double GAPS[] = {0, 1e-6, 0.1};
static const long long BRUTE_STEPS = 300000;
static const double ULPS = 0x1p-49; /* of a sum over one step */

static int number;
static struct {
    int plans, optimal, exact;
} tally;

static int say_where(void **state)
{
    (void)state;
    if (number >= 0) print_message("last model: %d\n", number);
    return 0;
}

/* The model with rewards factor * (reward + drawn) + shift; drawn in hundredths or from the unit interval. */
static vouch_model *drawn(const vouch_model *m, double factor, double shift, bool hundredths, rng *r)
{
    vouch_model *out;
    assert_int_equal(vouch_model_new(&out, m->S, m->A, m->K, m->T), VOUCH_OK);
    vouch_model_set_initial(out, m->s0);
    vouch_model_set_probability(out, m->p);
    for (int s = 0; s < m->S; s++) vouch_model_set_commitment(out, s, m->terminal[s] > 0);
    for (int k = 0; k < m->K; k++)
        for (int s = 0; s < m->S; s++)
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++)
                for (int o = m->env[k].start[q]; o < m->env[k].start[q + 1]; o++) {
                    double more = hundredths ? (double)rng_below(r, 100) / 100 : rng_unit(r);
                    vouch_model_add(out, k, s, m->pair_action[q], m->env[k].next[o], m->env[k].prob[o],
                                    factor * (m->env[k].reward[o] + more) + shift);
                }
    assert_int_equal(vouch_model_finish(out, NULL, NULL), VOUCH_OK);
    return out;
}

static double spread_of(const vouch_model *m)
{
    vouch_model r;
    assert_int_equal(model_rescaled(m, &(rescale_options){0}, &r), VOUCH_OK);
    double spread = r.scale.spread;
    model_rescaled_free(&r);
    return spread;
}

/* ---- gap ------------------------------------------------------------------------------------------------------- */

/* engine_rounding: what the bound of an engine may be above the optimum. */
static void check_plan(const vouch_model *m, const brute *b, vouch_engine engine, double gap, double rounding)
{
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, b->L);
    o.engine = engine;
    o.gap = gap;
    if (engine == VOUCH_ENGINE_LP) o.limits.nodes = 2000;
    vouch_policy *p = plan_by(m, &o);
    tally.plans++;
    if (!b->found)
        assert_false(p->has_policy);
    else {
        assert_true(p->bound <= b->max_regret + rounding);
        if (p->has_policy) assert_true(p->max_regret >= b->max_regret - rounding);
        if (p->outcome == VOUCH_PLAN_OPTIMAL) {
            tally.optimal++;
            assert_true(p->max_regret - p->bound <= gap);
            assert_true(p->max_regret <= b->max_regret + gap + rounding);
            if (!isnan(p->total_bound)) assert_true(p->total_bound <= p->total_regret);
        }
    }
    vouch_policy_free(p);
}

static void test_gap(void **state)
{
    (void)state;
    int first = test_count("VOUCH_FIRST", 0), count = test_count("VOUCH_MODELS", 40);
    for (number = first; number < first + count; number++) {
        rng r = rng_seed((uint64_t)number + 1);
        vouch_model *wild = wild_model((uint64_t)number), *m = drawn(wild, FACTORS[number % 4], 0, number / 4 % 2, &r);
        double *optimal = MEM_NEW(double, m->K), rounding = ULPS * m->T * spread_of(m);
        bool alone = true;
        for (int k = 0; k < m->K; k++) {
            assert_int_equal(dp_constrained(m, k, threshold_of(m), &optimal[k], NULL), VOUCH_OK);
            alone = alone && isfinite(optimal[k]);
        }
        for (int L = 0; L <= m->T && L <= 2 && alone; L++) {
            brute b;
            brute_solve(m, L, optimal, BRUTE_STEPS, &b);
            for (int i = 0; i < 3 && b.complete; i++) {
                check_plan(m, &b, VOUCH_ENGINE_POLICY, GAPS[i], rounding);
                check_plan(m, &b, VOUCH_ENGINE_LP, GAPS[i], rounding);
            }
            brute_free(&b);
        }
        mem_free(optimal);
        vouch_model_free(m);
        vouch_model_free(wild);
    }
    number = -1;
    print_message("%d plans, %d optimal\n", tally.plans, tally.optimal);
}

/* ---- U* -------------------------------------------------------------------------------------------------------- */

/* Reward above `least` and probability of the deterministic policy whose choices are the digits of `code`. */
static void follow(const vouch_model *m, int k, const int code[], double least, long double *u, long double *pr)
{
    long double now[8] = {0}, next[8];
    *u = *pr = 0;
    now[m->s0] = 1;
    for (int t = 0; t < m->T; t++) {
        memset(next, 0, sizeof next);
        for (int s = 0; s < m->S; s++) {
            int q = m->pair_start[s] + code[t * m->S + s];
            for (int o = m->env[k].start[q]; o < m->env[k].start[q + 1]; o++) {
                *u += now[s] * m->env[k].prob[o] * ((long double)m->env[k].reward[o] - least);
                next[m->env[k].next[o]] += now[s] * m->env[k].prob[o];
            }
        }
        memcpy(now, next, sizeof now);
    }
    for (int s = 0; s < m->S; s++)
        if (m->terminal[s] > 0) *pr += now[s];
}

/* Largest height at p of the hull of all deterministic policies; -INFINITY: none reaches p. */
static long double best_mixture(const vouch_model *m, int k, double least)
{
    static long double u[1 << 16], pr[1 << 16];
    int places = m->T * m->S, code[16] = {0}, count = 0, i;
    do {
        follow(m, k, code, least, &u[count], &pr[count]);
        count++;
        for (i = 0; i < places; i++) {
            int s = i % m->S;
            if (++code[i] < m->pair_start[s + 1] - m->pair_start[s]) break;
            code[i] = 0;
        }
    } while (i < places);
    long double best = -INFINITY;
    for (int a = 0; a < count; a++) {
        if (pr[a] >= m->p) best = fmaxl(best, u[a]);
        for (int b = 0; b < count && pr[a] < m->p; b++)
            if (pr[b] > m->p) best = fmaxl(best, u[a] + (u[b] - u[a]) * (m->p - pr[a]) / (pr[b] - pr[a]));
    }
    return best;
}

static void test_constrained_optimum(void **state)
{
    (void)state;
    static const double shifts[] = {0, 1e8, -1e8};
    int first = test_count("VOUCH_FIRST", 0), count = test_count("VOUCH_MODELS", 40);
    for (number = first; number < first + count; number++) {
        rng r = rng_seed((uint64_t)number + 1);
        vouch_random_shape z = {
            .states = 2 + number % 2, .actions = 2, .environments = 1, .horizon = 3, .branching = 2, .seed = (uint64_t)number};
        vouch_model *base;
        assert_int_equal(vouch_generate_random(&base, &z, NULL), VOUCH_OK);
        wild_probability(base, 1 + number % 3);
        for (int i = 0; i < 3; i++) {
            vouch_model *m = drawn(base, FACTORS[number % 4], shifts[i], number / 4 % 2, &r), inner;
            assert_int_equal(model_rescaled(m, &(rescale_options){0}, &inner), VOUCH_OK);
            double least = inner.scale.least, spread = inner.scale.spread, value;
            long double truth = best_mixture(m, 0, least);
            for (int q = 0; q < m->pairs; q++) inner.env[0].expected[q] = inner.env[0].given[q];
            assert_int_equal(dp_constrained(&inner, 0, m->p, &value, NULL), VOUCH_OK);
            assert_near(value, (double)truth, ULPS * m->T * spread);
            assert_int_equal(dp_constrained(m, 0, m->p, &value, NULL),
                             VOUCH_OK); /* rewards as they are: their own rounding shows */
            assert_near(value - m->T * least, (double)truth, ULPS * m->T * (spread + m->T * fabs(least)));
            tally.exact++;
            model_rescaled_free(&inner);
            vouch_model_free(m);
        }
        vouch_model_free(base);
    }
    number = -1;
}

/* Rewards that are all the same, tiny or huge. */
static void test_extremes(void **state)
{
    (void)state;
    static const double rewards[] = {0, 7, -0.01 * MODEL_REWARD_MOST, 0.01 * MODEL_REWARD_MOST, 1e-300};
    for (number = 0; number < 12; number++)
        for (int i = 0; i < 5; i++)
            for (int spread = 0; spread < 2; spread++) {
                vouch_model *wild = wild_model((uint64_t)number);
                rng r = rng_seed((uint64_t)number);
                vouch_model *m = spread ? drawn(wild, rewards[i], 0, true, &r) : drawn(wild, 0, rewards[i], true, &r);
                vouch_policy *p = plan_ccl_by(m, m->T < 2 ? m->T : 2, VOUCH_ENGINE_POLICY);
                if (fabs(rewards[i]) < 10) assert_sound(m, p);
                assert_true(!p->has_policy || isfinite(p->max_regret));
                if (!spread && p->has_policy) {
                    assert_int_equal(p->outcome, VOUCH_PLAN_OPTIMAL);
                    assert_true(p->max_regret == 0);
                }
                vouch_policy_free(p);
                vouch_model_free(m);
                vouch_model_free(wild);
            }
    number = -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_gap, say_where),
        cmocka_unit_test_teardown(test_constrained_optimum, say_where),
        cmocka_unit_test_teardown(test_extremes, say_where),
    };
    return run_tests(tests);
}
