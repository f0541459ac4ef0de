/* Classes that grow: bounds from both sides against the induction over all classes, for any multipliers, until they meet in it. */
#include "plan_aid.h"

#include "base/memory.h"
#include "base/rng.h"
#include "know/classes.h"
#include "know/induction.h"
#include "know/graph.h"
#include "oracle/wild.h"

/* V of the root over all classes. */
static double value_of_all(const know_classes *c, const double lambda[], const double mu[])
{
    arena memory = {0};
    reachable_classes l;
    unsigned char *allowed = malloc((size_t)c->options);
    double *value = malloc((size_t)c->classes * sizeof *value);
    assert_true(allowed && value);
    memset(allowed, 1, (size_t)c->options);
    reachable_init(&l, c, &memory);
    reachable_find(&l, allowed, c->g->T + 1);
    double v = induction_backward(&l, lambda, mu, c->g->T + 1, value, NULL);
    free(allowed);
    free(value);
    arena_free(&memory);
    return v;
}

/* The classes to search on have the value of high, and count a policy's rewards and uses once. */
static void assert_searchable(const grown_classes *x, const double lambda[], const double mu[], double high)
{
    know_classes *c;
    arena memory = {0};
    reachable_classes l;
    double U[8], Pr[8], worth = 0, used = 0;
    assert_int_equal(know_classes_expanded(x, &c), VOUCH_OK);
    assert_near(value_of_all(c, lambda, mu), high, 1e-12 * (1 + fabs(high)));
    unsigned char *allowed = ARENA_NEW(&memory, unsigned char, c->options);
    double *value = ARENA_NEW(&memory, double, c->classes), *mass = ARENA_ZERO(&memory, double, c->options);
    int *best = ARENA_NEW(&memory, int, c->classes);
    reachable_init(&l, c, &memory);
    assert_false(memory.failed);
    memset(allowed, 1, (size_t)c->options);
    reachable_find(&l, allowed, c->g->T + 1);
    induction_backward(&l, lambda, mu, c->g->T + 1, value, best);
    induction_forward(c, best, value, U, Pr, mass, false);
    for (int k = 0; k < c->K; k++) worth += lambda[k] * U[k] + mu[k] * Pr[k];
    for (int o = 0; o < c->options; o++) used += mass[o];
    assert_near(worth, high, 1e-12 * (1 + fabs(high)));
    assert_near(used, c->g->T, 1e-9); /* one choice a step */
    arena_free(&memory);
    know_classes_free(c);
}

/* Some Markov policies without twins; stochastic, but for the first. */
static void make_plans(const know_graph *g, int count, rng *r, grown_plans *plans)
{
    size_t numbers = (size_t)g->nodes * (size_t)g->K;
    *plans = (grown_plans){.count = count};
    plans->prob = calloc((size_t)count * (size_t)g->choices, sizeof *plans->prob);
    plans->gain = malloc((size_t)count * numbers * sizeof *plans->gain);
    plans->keep = malloc((size_t)count * numbers * sizeof *plans->keep);
    assert_true(plans->prob && plans->gain && plans->keep);
    for (int j = 0; j < count; j++) {
        double *prob = plans->prob + (size_t)j * (size_t)g->choices;
        for (int n = 0; n < g->time_start[g->T]; n++) {
            int from = g->choice_start[n], to = g->choice_start[n + 1];
            double share = j == 0 ? 1 : rng_unit(r);
            prob[g->choice_twin[from + (int)rng_below(r, (uint64_t)(to - from))]] += share;
            prob[g->choice_twin[from]] += 1 - share;
        }
        propagate_backward(g, prob, plans->gain + (size_t)j * numbers, plans->keep + (size_t)j * numbers);
    }
}

/* The gap of the leaves that the policy of high reaches. */
static double open_at_leaves(const grown_classes *c)
{
    double sum = 0;
    for (int i = 0; i < c->count; i++)
        if (c->arc_start[i] < 0) sum += c->reach[i] * (c->high[i] - c->low[i]);
    return sum;
}

static void bounds_close_around_the_value_of_all_classes(void **state)
{
    (void)state;
    int rounds = 0, wide = 0;
    for (int number = 0; number < 150; number++) {
        vouch_model *m = wild_model((uint64_t)number);
        know_graph *g;
        know_classes *all;
        grown_plans plans;
        grown_classes *c;
        rng r = rng_seed((uint64_t)number);
        double lambda[8], mu[8], U[8], Pr[8];
        assert_true(m->K <= 8);
        assert_int_equal(know_graph_new(m, m->T, NULL, &g, NULL), VOUCH_OK);
        assert_int_equal(know_classes_new(g, NULL, &(class_limits){.classes = 100000}, &all, NULL), VOUCH_OK);
        make_plans(g, 1 + number % 3, &r, &plans);
        assert_int_equal(grown_new(g, &plans, &c), VOUCH_OK);
        for (int k = 0; k < m->K; k++) lambda[k] = rng_unit(&r);
        for (int k = 0; k < m->K; k++) mu[k] = number % 2 ? rng_unit(&r) : 0;
        double exact = value_of_all(all, lambda, mu), high, low, last_high = INFINITY, last_low = -INFINITY,
               unit = 1e-12 * (1 + fabs(exact));
        for (int done = 1; done > 0; rounds++) {
            grown_value(c, lambda, mu, &high, &low);
            assert_true(high >= exact - unit && low <= exact + unit);
            assert_true(high <= last_high + unit && low >= last_low - unit);
            grown_forward(c, U, Pr);
            double worth = 0;
            for (int k = 0; k < m->K; k++) worth += lambda[k] * U[k] + mu[k] * Pr[k];
            assert_near(worth, low, unit); /* low is a policy's */
            assert_true(high - low <= open_at_leaves(c) + unit);
            assert_searchable(c, lambda, mu, high);
            wide += high - low > 1e-3;
            last_high = high;
            last_low = low;
            assert_int_equal(grown_grow(c, 0.5, 3, 1000000, &done), VOUCH_OK);
            assert_true(done <= 3);
        }
        assert_near(high, exact, unit);
        assert_near(low, exact, unit);
        assert_true(c->count <= all->classes);
        grown_free(c);
        free(plans.prob);
        free(plans.gain);
        free(plans.keep);
        know_classes_free(all);
        know_graph_free(g);
        vouch_model_free(m);
    }
    if (rounds < 500 || wide < 100) fail_msg("%d %d", rounds, wide);
}

/* At most the limit of classes, plus the successors of the last leaf; other multipliers find the same classes. */
static void expansion_ends_at_its_limit(void **state)
{
    (void)state;
    vouch_family_shape shape = {.actions = 2, .environments = 4, .horizon = 9, .seed = 3};
    vouch_model *m;
    know_graph *g;
    grown_plans plans;
    grown_classes *c;
    rng r = rng_seed(1);
    double lambda[4] = {1, 0, 0, 0}, mu[4] = {0}, high, low, U[4], Pr[4];
    assert_int_equal(vouch_generate_adaptive(&m, &shape, NULL), VOUCH_OK);
    assert_int_equal(know_graph_new(m, m->T, NULL, &g, NULL), VOUCH_OK);
    make_plans(g, 1, &r, &plans);
    assert_int_equal(grown_new(g, &plans, &c), VOUCH_OK);
    for (int round = 0, done = 1; round < 200; round++) {
        for (int k = 0; k < 4; k++) lambda[k] = k == round % 4 ? 0.7 : 0.1;
        grown_value(c, lambda, mu, &high, &low);
        grown_forward(c, U, Pr);
        assert_int_equal(grown_grow(c, 1, 1000, 100, &done), VOUCH_OK);
        if (c->count >= 100) assert_true(c->count < 104 && high > low);
    }
    assert_true(c->count >= 100);
    grown_free(c);
    free(plans.prob);
    free(plans.gain);
    free(plans.keep);
    know_graph_free(g);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_close_around_the_value_of_all_classes),
        cmocka_unit_test(expansion_ends_at_its_limit),
    };
    return run_tests(tests);
}
