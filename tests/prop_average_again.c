/* Planning again under a promise on average, and the most that can be promised so. Every plan of CCIL on tiny random models is
 * compared with all deterministic policies of a model that begins where it begins: with the environments still possible, their
 * posterior as the prior and the posterior mean as the promise. VOUCH_AVERAGES: number of models. */
#include "plan_aid.h"

#include "base/rng.h"
#include "mdp/dp.h"
#include "oracle/brute.h"

enum { MOST_ENVIRONMENTS = 3 };

/* Features of a drawn model. */
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

static kind kind_of(int i) { return (kind){.mixed = i % 3 == 1, .spread = i % 5 == 2, .unseen = i % 7 == 3, .zeros = i % 4 == 1}; }

#include <vouch/ccil.h>
#include <vouch/explain.h>
#include <vouch/generate.h>

#include "plan/ccil/ccil.h"

enum { MODELS = 300 };
static const long long BRUTE_STEPS = 400000;

static int models(void) { return test_count("VOUCH_AVERAGES", MODELS); }

/* The planning problem of segment seg of CCIL on m, as a model. */
static vouch_model *rest_of(const vouch_model *m, const segment *seg)
{
    vouch_model *rest;
    int J = vouch_model_promises(m), K = seg->count / J, own = vouch_model_find_promise(m, "mean");
    double prior[MOST_ENVIRONMENTS], sum = 0;
    assert_int_equal(vouch_model_new(&rest, m->S, 2, K, m->T - seg->time), VOUCH_OK);
    assert_int_equal(vouch_model_set_initial(rest, seg->state), VOUCH_OK);
    for (int k = 0; k < K; k++) {
        const mdp *env = &m->env[seg->env[k * J] / J];
        for (int q = 0; q < m->pairs; q++)
            for (int o = env->start[q]; o < env->start[q + 1]; o++)
                assert_int_equal(vouch_model_add(rest, k, q / 2, q % 2, env->next[o], env->prob[o], env->reward[o]), VOUCH_OK);
        sum += prior[k] = seg->averages.weight[k * J + own];
    }
    if (sum > 0) assert_int_equal(vouch_model_set_prior(rest, prior), VOUCH_OK);
    for (int j = 0; j < J; j++) {
        assert_int_equal(vouch_model_add_promise(rest, j == own ? "mean" : "each", VOUCH_PROMISE_AT, -1, -1), VOUCH_OK);
        assert_int_equal(vouch_model_set_promise_state(rest, j, -1, j == own ? 0 : m->S - 1, 1), VOUCH_OK);
        if (j == own) {
            assert_int_equal(vouch_model_set_promise_probability(rest, j, -1, sum > 0 ? seg->averages.p[0] : 0), VOUCH_OK);
            assert_int_equal(vouch_model_set_promise_average(rest, j, 1), VOUCH_OK);
        } else {
            for (int k = 0; k < K; k++)
                assert_int_equal(vouch_model_set_promise_probability(rest, j, k, seg->p[k * J + j]), VOUCH_OK);
        }
    }
    vouch_error error = {0};
    if (vouch_model_finish(rest, NULL, &error)) fail_msg("%s", error.text);
    assert_int_equal(vouch_model_set_observed(rest, vouch_model_observed(m)), VOUCH_OK);
    return rest;
}

/* Returns whether all policies were tried. */
static bool best_of_all(int seed, const vouch_ccil *c, const vouch_model *m, const segment *seg)
{
    vouch_model *rest = rest_of(m, seg);
    int J = vouch_model_promises(m), K = seg->count / J;
    double optimal[MOST_ENVIRONMENTS], most = -INFINITY, spread = c->m->scale.spread;
    for (int k = 0; k < K; k++) {
        double alone, p = 0;
        for (int j = 0; j < J; j++) /* U* ignores promises on average */
            if (!vouch_model_promise_is_average(m, j)) p = seg->p[k * J + j];
        optimal[k] = rest->T * c->m->scale.least + spread * seg->optimal[k * J];
        most = fmax(most, spread * (seg->optimal[k * J] - seg->U[k * J]));
        vouch_model one = *rest;
        if (J > 1) one.env[k].terminal = m->weight[seg->env[k * J] / J * J + vouch_model_find_promise(m, "each")];
        assert_int_equal(dp_constrained(&one, k, p, &alone, NULL), VOUCH_OK);
        if (!(fabs(alone - optimal[k]) <= 1e-6)) fail_msg("model %d: U* %.10g, not %.10g", seed, optimal[k], alone);
    }
    brute b;
    brute_solve(rest, seg->steps, optimal, BRUTE_STEPS, &b);
    bool complete = b.complete;
    if (complete) assert_true(b.found);
    if (complete && !(fabs(b.max_regret - most) <= 2e-6))
        fail_msg("model %d, from time %d: %.10g, all policies: %.10g", seed, seg->time, most, b.max_regret);
    brute_free(&b);
    vouch_model_free(rest);
    return complete;
}

/* The posterior means behind the exits of a plan add up to its own. */
static void adds_up(int seed, const vouch_ccil *c, const segment *seg)
{
    double all = 0, mean = 0;
    bool last = false;
    for (int i = 0; i < seg->exits; i++) {
        const segment_exit *x = &seg->exit[i];
        double coming = 0;
        for (int k = 0; k < seg->count; k++) coming += seg->averages.weight[k] * x->reach[k];
        last |= x->child < 0;
        all += coming;
        if (x->child >= 0) mean += coming * c->segment[x->child]->averages.p[0];
    }
    if (!last && all > 0 && !(fabs(mean - average_mean(&seg->averages, 0, seg->count, seg->Pr)) <= 1e-8))
        fail_msg("model %d: the means owed add up to %.12g, not %.12g", seed, mean,
                 average_mean(&seg->averages, 0, seg->count, seg->Pr));
}

typedef struct again {
    int evaluated, replanned, tried, changed;
} again;

static double mean_kept(const vouch_model *m, const vouch_ccil_result *r)
{
    int J = vouch_model_promises(m);
    return vouch_model_mean(m, r->commitments + vouch_model_find_promise(m, "mean"), J);
}

static void plan_again(int seed, again *count)
{
    kind how = kind_of(seed);
    how.spread = false;
    double level = drawn_level((uint64_t)seed, how), first[MOST_ENVIRONMENTS];
    vouch_model *m = drawn_model((uint64_t)seed, how, &level);
    vouch_ccil_options o;
    vouch_ccil_result r;
    vouch_ccil *c;
    vouch_error error = {0};
    vouch_ccil_options_init(&o);
    o.plan.lookahead = 1 + seed % 2;
    o.plan.threads = 1 + seed % 3;
    o.guarded = seed % 3 == 2;
    if (vouch_ccil_new(&c, m, &o, &error)) fail_msg("%s", error.text);
    vouch_ccil_get_result(c, &r);
    for (int k = 0; k < m->K; k++) first[k] = r.figures[k].value;
    if (vouch_ccil_evaluate(c, &error)) fail_msg("%s", error.text);
    vouch_ccil_get_result(c, &r);
    count->evaluated += r.has_policy;
    if (r.has_policy && !vouch_model_mean_kept(m, vouch_model_find_promise(m, "mean"), mean_kept(m, &r)))
        fail_msg("model %d: mean %.12g of %.12g", seed, mean_kept(m, &r), level);
    for (int k = 0; k < m->K && r.has_policy; k++) {
        count->changed += fabs(r.figures[k].value - first[k]) > 1e-6;
        if (o.guarded) assert_true(r.figures[k].value >= first[k] - 1e-7);
    }
    for (int i = 0; i < c->segments && r.has_policy; i++) {
        const segment *seg = c->segment[i];
        assert_true(seg->g != NULL);
        adds_up(seed, c, seg);
        if (o.guarded || seg->kept_on) continue;
        count->replanned += i > 0;
        count->tried += best_of_all(seed, c, m, seg);
    }
    vouch_ccil_free(c);
    vouch_model_free(m);
}

static void test_planning_again(void **state)
{
    (void)state;
    again count = {0};
    for (int seed = 0; seed < models(); seed++) plan_again(seed, &count);
    print_message("%d evaluations, %d plans made again, all policies tried of %d plans, %d values changed\n", count.evaluated,
                  count.replanned, count.tried, count.changed);
    if (models() >= MODELS) assert_true(count.replanned > MODELS && count.tried > MODELS && count.changed > 0);
}

/* Larger models, where more plans change: the mean is kept after any observations. */
static void test_larger(void **state)
{
    (void)state;
    int evaluated = 0, changed = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        vouch_random_shape shape = {4, 2, 3, 4 + (int)(seed % 2), 0.3, 2, 0, seed};
        vouch_model *m;
        vouch_ccil *c;
        vouch_ccil_options o;
        vouch_ccil_result r;
        vouch_error error = {0};
        if (vouch_generate_random(&m, &shape, NULL)) continue;
        const double prior[] = {(double)(seed % 3), 1, 2};
        assert_int_equal(vouch_model_set_prior(m, prior), VOUCH_OK);
        assert_int_equal(vouch_model_set_promise_average(m, 0, 1), VOUCH_OK);
        assert_int_equal(vouch_model_set_promise_probability(m, 0, -1, 0.3 + 0.05 * (double)(seed % 8)), VOUCH_OK);
        vouch_ccil_options_init(&o);
        o.guarded = seed % 2 == 0;
        if (vouch_ccil_new(&c, m, &o, &error) || vouch_ccil_evaluate(c, &error)) fail_msg("%s", error.text);
        vouch_ccil_get_result(c, &r);
        evaluated += r.has_policy;
        changed += r.has_policy && fabs(r.max_regret - r.first_max_regret) > 1e-6;
        double mean = 0;
        for (int k = 0; k < r.environments; k++) mean += vouch_model_prior(m, k) * r.figures[k].commitment_probability;
        if (r.has_policy && !vouch_model_mean_kept(m, 0, mean)) fail_msg("model %d: mean %.12g", (int)seed, mean);
        if (o.guarded && r.has_policy) assert_true(r.max_regret <= r.first_max_regret + 1e-7);
        vouch_ccil_free(c);
        vouch_model_free(m);
    }
    print_message("%d evaluations, %d maximum regrets changed\n", evaluated, changed);
    assert_true(evaluated > 20 && changed > 5);
}

/* The reported maximum is attained by a deterministic policy, and none exceeds it. */
static void test_most(void **state)
{
    (void)state;
    int answered = 0, all = models() / 2;
    for (int seed = 0; seed < all; seed++) {
        kind how = kind_of(seed);
        double level = 0.1, none[MOST_ENVIRONMENTS] = {0}, alone[2 * MOST_ENVIRONMENTS];
        vouch_model *m = drawn_model((uint64_t)seed, how, &level);
        int own = vouch_model_find_promise(m, "mean"), L = seed % (m->T + 1);
        vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
        vouch_range range;
        vouch_error error = {0};
        if (vouch_explain_alone(m, alone, &error)) fail_msg("%s", error.text);
        if (vouch_explain_level(m, own, &o, vouch_explain_upper(m, own, alone), &range, &error)) fail_msg("%s", error.text);
        for (int above = range.reached < 0; above < 2; above++) {
            brute b;
            if (above && range.bound >= 1) continue;
            double p = range.reached < 0 ? 0 : above ? range.bound + 1e-6 : range.reached;
            assert_int_equal(vouch_model_set_promise_probability(m, own, -1, fmin(1, p)), VOUCH_OK);
            brute_solve(m, L, none, BRUTE_STEPS, &b);
            answered += b.complete;
            if (b.complete && b.found == (above == 1))
                fail_msg("model %d, L = %d: %.12g of %.12g, %.12g", seed, L, p, range.reached, range.bound);
            brute_free(&b);
        }
        assert_true(range.proved);
        vouch_model_free(m);
    }
    print_message("%d questions, %d answers compared with all policies\n", all, answered);
    if (models() >= MODELS) assert_true(answered > all);
}

/* A plan that must break some promise: the set told conflicts, and no part of it. */
static void test_conflicts(void **state)
{
    (void)state;
    int found = 0;
    for (int seed = 1; seed < models(); seed += 3) {
        kind how = kind_of(seed);
        how.mixed = true;
        double level = drawn_level((uint64_t)seed, how);
        vouch_model *m = drawn_model((uint64_t)seed, how, &level);
        int set[2 * MOST_ENVIRONMENTS], J = vouch_model_promises(m), own = vouch_model_find_promise(m, "mean");
        double alone[2 * MOST_ENVIRONMENTS];
        vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 0);
        vouch_policy *policy = plan_by(m, &o);
        vouch_plan_result r;
        vouch_policy_get_result(policy, &r);
        assert_int_equal(vouch_explain_alone(m, alone, NULL), VOUCH_OK);
        bool each = vouch_model_mean_kept(m, own, vouch_explain_upper(m, own, alone));
        for (int k = 0; k < m->K; k++) each = each && vouch_model_promise_kept(m, 1 - own, k, alone[k * J + 1 - own]);
        vouch_conflict c = {.environment = set};
        if (r.outcome == VOUCH_PLAN_INFEASIBLE && each) {
            assert_int_equal(vouch_explain_conflict(m, &o, &c, NULL), VOUCH_OK);
            found++;
            for (int i = 0; i < c.count; i++) assert_true(set[i] % J != own || set[i] < J);
            for (int i = 1; i < c.count; i++) assert_true(set[i - 1] < set[i]);
        }
        vouch_policy_free(policy);
        vouch_model_free(m);
    }
    print_message("%d conflicts\n", found);
    if (models() >= MODELS) assert_true(found > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_planning_again), cmocka_unit_test(test_larger),
                                       cmocka_unit_test(test_most), cmocka_unit_test(test_conflicts)};
    return run_tests(tests);
}
