/* tests/average_aid.h - random models with a promise on average, alone or beside one made in every environment. */
#ifndef AVERAGE_AID_H
#define AVERAGE_AID_H

#include "plan_aid.h"

#include "base/rng.h"
#include "mdp/dp.h"
#include "oracle/brute.h"

enum { MOST_ENVIRONMENTS = 3 };

/* What a model is drawn with. */
typedef struct kind {
    bool mixed, spread, unseen, zeros; /* another promise, first states, rewards, a prior with zeros */
} kind;

static inline void draw_rows(vouch_model *m, rng *r)
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

static inline void draw_prior(vouch_model *m, rng *r, bool zeros)
{
    double prior[MOST_ENVIRONMENTS], sum = 0;
    for (int k = 0; k < m->K; k++) sum += prior[k] = zeros && rng_below(r, 2) ? 0 : 0.1 + 3 * rng_unit(r);
    if (!(sum > 0)) prior[0] = 1;
    if (rng_below(r, 5)) assert_int_equal(vouch_model_set_prior(m, prior), VOUCH_OK); /* else uniform */
}

/* average NULL: the same model with the promise of every environment alone. */
static inline vouch_model *drawn_model(uint64_t seed, kind how, const double *average)
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

/* The mean that the promise is about, of a plan of m. */
static inline double mean_of(const vouch_model *m, const vouch_plan_result *r)
{
    int J = vouch_model_promises(m), j = vouch_model_find_promise(m, "mean");
    if (r->commitments) return vouch_model_mean(m, r->commitments + j, J);
    double mean = 0;
    for (int k = 0; k < r->environments; k++) mean += vouch_model_prior(m, k) * r->figures[k].commitment_probability;
    return mean;
}

/* The largest mean that any policy reaches, nearly, by bisection over plans is slow: of all Markov policies of each environment
 * alone the mean of the best is an upper bound, and a share of it is drawn. */
static inline double drawn_level(uint64_t seed, kind how)
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

static inline kind kind_of(int i)
{
    return (kind){.mixed = i % 3 == 1, .spread = i % 5 == 2, .unseen = i % 7 == 3, .zeros = i % 4 == 1};
}

#endif
