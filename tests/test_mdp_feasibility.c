/* mdp/feasibility: figures of its choices equal those of the written rules, `kept` is right, and if environments conflict,
 * weights, exchanges and starting with few environments find a policy that keeps both. */
#include "test.h"

#include <math.h>
#include <vouch/vouch.h>

#include <vouch/generate.h>
#include "base/memory.h"
#include "mdp/dp.h"
#include "mdp/model.h"

typedef struct found {
    feasibility f;
    double *p;
} found;

static found find(const vouch_model *m, int rounds, int passes, bool few)
{
    found x = {.p = MEM_NEW(double, m->K)};
    for (int k = 0; k < m->K; k++) x.p[k] = m->env[k].p;
    x.f = (feasibility){.p = x.p, .tolerance = KEEP_TOLERANCE, .rounds = rounds, .passes = passes, .few = few};
    x.f.choice = MEM_NEW(int, (size_t)m->T *(size_t)m->S);
    x.f.U = MEM_NEW(double, m->K);
    x.f.Pr = MEM_NEW(double, m->K);
    assert_int_equal(feasible_markov(m, &x.f), VOUCH_OK);
    return x;
}

static void forget(found *x)
{
    mem_free(x->p);
    mem_free(x->f.choice);
    mem_free(x->f.U);
    mem_free(x->f.Pr);
}

static void assert_close(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12)) fail_msg("%.17g, not %.17g", a, b);
}

/* Backwards, by the definition. */
static void value(const vouch_model *m, int k, const int choice[], double *U, double *Pr)
{
    const mdp *e = &m->env[k];
    double *u = MEM_ZERO(double, 2 * m->S), *pr = u + m->S, *now = MEM_ZERO(double, 2 * m->S);
    for (int s = 0; s < m->S; s++) pr[s] = e->terminal[s];
    for (int t = m->T - 1; t >= 0; t--) {
        for (int s = 0; s < m->S; s++) {
            int q = choice[(size_t)t * (size_t)m->S + (size_t)s];
            assert_true(q >= m->pair_start[s] && q < m->pair_start[s + 1]);
            now[s] = e->expected[q];
            now[m->S + s] = 0;
            for (int o = e->start[q]; o < e->start[q + 1]; o++) {
                now[s] += e->prob[o] * u[e->next[o]];
                now[m->S + s] += e->prob[o] * pr[e->next[o]];
            }
        }
        MEM_COPY(u, now, 2 * m->S);
    }
    *U = u[m->s0];
    *Pr = pr[m->s0];
    mem_free(u);
    mem_free(now);
}

static void figures_are_those_of_the_policy(void **state)
{
    (void)state;
    int by_few = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        vouch_model *m;
        vouch_error error = {0};
        vouch_random_shape shape = {.states = 6,
                                    .actions = 3,
                                    .environments = seed % 3 ? 4 : 12,
                                    .horizon = 7,
                                    .probability = 0.4,
                                    .branching = 3,
                                    .seed = seed};
        if (vouch_generate_random(&m, &shape, &error)) fail_msg("%s", error.text);
        found x = find(m, 4, (int)seed % 4 * 5, seed % 3 != 1);
        bool kept = true;
        for (int k = 0; k < m->K; k++) {
            double U, Pr;
            value(m, k, x.f.choice, &U, &Pr);
            assert_close(x.f.U[k], U);
            assert_close(x.f.Pr[k], Pr);
            assert_true(Pr <= dp_best_probability(m, k) + 1e-12);
            kept = kept && commitment_kept(x.f.Pr[k], x.p[k]);
        }
        assert_int_equal(x.f.kept, kept);
        by_few += kept && seed % 3 == 0;
        forget(&x);
        vouch_model_free(m);
    }
    assert_true(by_few >= 5);
}

/* What rounds cannot keep exchanges mostly do, and promises that they broke at one set of environments they keep at a larger one.
 */
static void exchanges_keep_more(void **state)
{
    (void)state;
    int rounds = 0, exchanged = 0, asked = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        vouch_model *m;
        vouch_random_shape shape = {
            .states = 6, .actions = 3, .environments = 10, .horizon = 7, .probability = 0.5, .branching = 3, .seed = seed};
        if (vouch_generate_random(&m, &shape, NULL)) continue;
        double least = 1;
        for (int k = 0; k < m->K; k++) least = fmin(least, dp_best_probability(m, k));
        assert_int_equal(vouch_model_set_probability(m, 0.995 * least), VOUCH_OK);
        found a = find(m, 4, 0, false), b = find(m, 4, 10, false), c = find(m, 4, 10, true);
        rounds += a.f.kept;
        exchanged += b.f.kept;
        asked += c.f.kept;
        assert_true(b.f.kept || !a.f.kept);
        forget(&a);
        forget(&b);
        forget(&c);
        vouch_model_free(m);
    }
    print_message("kept of 40: rounds %d, exchanges %d, few first %d\n", rounds, exchanged, asked);
    assert_true(exchanged > rounds);
    assert_true(asked > rounds);
}

/* One environment alone: nothing is safer. */
static void alone_nothing_is_safer(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        vouch_model *m, *one;
        vouch_error error = {0};
        vouch_random_shape shape = {
            .states = 6, .actions = 3, .environments = 2, .horizon = 7, .probability = 0.4, .branching = 3, .seed = seed};
        if (vouch_generate_random(&m, &shape, &error)) fail_msg("%s", error.text);
        int pick = 1;
        assert_int_equal(vouch_model_restrict(&one, m, &pick, 1, &error), VOUCH_OK);
        found x = find(one, 1, 0, false);
        assert_true(x.f.kept);
        assert_true(fabs(x.f.Pr[0] - dp_best_probability(one, 0)) < 1e-8);
        forget(&x);
        vouch_model_free(one);
        vouch_model_free(m);
    }
}

/* a keeps .9 in three environments and .1 in the fourth, b .5 in all, which is what is promised: the sum takes a until the fourth
 * counts four times. */
static void weights_find_what_keeps_all(void **state)
{
    (void)state;
    enum { START, WON, LOST, K = 4 };
    vouch_model *m;
    vouch_error error = {0};
    assert_int_equal(vouch_model_new(&m, 3, 2, K, 1), VOUCH_OK);
    for (int k = 0; k < K; k++)
        for (int s = 0; s < 3; s++)
            for (int a = 0; a < 2; a++) {
                double win = s == WON ? 1 : s == LOST ? 0 : a == 1 ? 0.5 : k < K - 1 ? 0.9 : 0.1;
                assert_int_equal(vouch_model_add(m, k, s, a, WON, win, 0), VOUCH_OK);
                assert_int_equal(vouch_model_add(m, k, s, a, LOST, 1 - win, 0), VOUCH_OK);
            }
    vouch_model_set_initial(m, START);
    vouch_model_set_commitment(m, WON, 1);
    vouch_model_set_probability(m, 0.5);
    if (vouch_model_finish(m, NULL, &error)) fail_msg("%s", error.text);
    found few = find(m, 2, 0, false), more = find(m, 3, 0, false), exchanged = find(m, 1, 1, false), asked = find(m, 2, 0, true);
    assert_false(few.f.kept);
    assert_true(more.f.kept);
    assert_true(exchanged.f.kept);
    assert_true(asked.f.kept); /* the first and the fourth count alike: b earns no less */
    for (int k = 0; k < K; k++) assert_close(more.f.Pr[k], 0.5);
    forget(&few);
    forget(&more);
    forget(&exchanged);
    forget(&asked);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_the_policy),
        cmocka_unit_test(exchanges_keep_more),
        cmocka_unit_test(alone_nothing_is_safer),
        cmocka_unit_test(weights_find_what_keeps_all),
    };
    return run_tests(tests);
}
