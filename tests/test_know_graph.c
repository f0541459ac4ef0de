/* Policy nodes, likelihood classes and Pareto sets on models small enough to count by hand; induction and propagation against
 * each other. */
#include <float.h>

#include "plan_aid.h"

#include "base/rng.h"
#include "know/classes.h"
#include "know/graph.h"
#include "know/induction.h"
#include "oracle/wild.h"

static know_graph *graph_of(const vouch_model *m, int L)
{
    know_graph *g;
    assert_int_equal(know_graph_new(m, L, NULL, &g, NULL), VOUCH_OK);
    return g;
}

static know_classes *classes_of(const know_graph *g, const pareto_sets *f, long long limit)
{
    know_classes *c;
    assert_int_equal(know_classes_new(g, f, &(class_limits){.classes = limit}, &c, NULL), VOUCH_OK);
    return c;
}

/* Twin-States, T = 2: after a2 in A the reward tells which third of the environments is true. */
static void test_twin_states(void **state)
{
    (void)state;
    static const int nodes[] = {1 + 2 + 2, 1 + 5 + 10, 1 + 5 + 20}; /* L = 0, 1, 2, counted by hand */
    vouch_model *m;
    assert_int_equal(vouch_generate_twin_states(&m, 2, NULL), VOUCH_OK);
    for (int L = 0; L <= 1; L++) {
        know_graph *g = graph_of(m, L);
        assert_int_equal(g->nodes, nodes[L]);
        know_graph_free(g);
    }
    know_graph *g = graph_of(m, 1);
    /* time 1: B and A with all nine (a0, a1), A with three of them, thrice (a2) */
    static const int first[] = {0, 1, 2}, all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    int pure = know_find_state(g, 1, 0, first, 3), mixed = know_find_state(g, 1, 0, all, 9);
    assert_true(pure >= 0 && mixed >= 0 && pure != mixed);
    assert_int_equal(know_find_state(g, 1, 1, first, 3), -1);
    assert_int_equal(know_time(g, pure), 1);
    assert_int_equal(know_find_boundary(g, 1, 0, pure), pure);
    assert_true(know_find_boundary(g, 2, 1, pure) >= 0);
    assert_int_equal(know_find_boundary(g, 0, 0, pure), -1);
    know_graph_free(g);
    vouch_model_free(m);
}

static void test_limits(void **state)
{
    (void)state;
    vouch_model *m;
    know_graph *g;
    vouch_error error = {0};
    assert_int_equal(vouch_generate_twin_states(&m, 7, NULL), VOUCH_OK);
    assert_int_equal(know_graph_new(m, 7, &(know_limits){.nodes = 10, .edges = 1000000}, &g, &error), VOUCH_ERROR_SIZE);
    assert_null(g);
    assert_int_equal(know_graph_new(m, 7, &(know_limits){.nodes = 1000000, .edges = 10}, &g, &error), VOUCH_ERROR_SIZE);
    assert_int_equal(know_graph_new(m, 8, NULL, &g, &error), VOUCH_ERROR_ARGUMENT);
    vouch_model_free(m);
}

/* North and south in the corridor of the maze are one action. */
static void test_twins(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_maze_shape z = {.corridor = 3, .up = 2, .down = 2, .environments = 2, .horizon = 4, .probability = 0, .grip = 0.8};
    assert_int_equal(vouch_generate_t_maze(&m, &z, NULL), VOUCH_OK);
    know_graph *g = graph_of(m, 0);
    int twins = 0;
    for (int c = g->choice_start[0]; c < g->choice_start[1]; c++) twins += g->choice_twin[c] != c;
    assert_int_equal(twins, 2); /* north = south = west against the wall */
    know_graph_free(g);
    vouch_model_free(m);
}

/* V at the root where everything is allowed. */
static double best_value(const know_classes *c, const double lambda[], const double mu[], double value[], int best[])
{
    arena memory = {0};
    reachable_classes live;
    unsigned char *allowed = malloc((size_t)c->options);
    reachable_init(&live, c, &memory);
    memset(allowed, 1, (size_t)c->options);
    reachable_find(&live, allowed, c->g->T + 1);
    double top = induction_backward(&live, lambda, mu, c->g->T + 1, value, best);
    arena_free(&memory);
    free(allowed);
    return top;
}

/* One deterministic policy: induction over classes = forward propagation = backward propagation, with and without Pareto sets. */
static void test_same_figures(void **state)
{
    (void)state;
    for (int number = 0; number < 150; number++) {
        vouch_model *m = wild_model((uint64_t)number);
        int L = number % (m->T + 1), K = m->K;
        know_graph *g = graph_of(m, L);
        pareto_sets *f;
        assert_int_equal(pareto_new(g, 50, NULL, false, NULL, &f), VOUCH_OK);
        know_classes *c = classes_of(g, NULL, 100000), *with = classes_of(g, f, 100000);
        rng r = rng_seed((uint64_t)number);
        int *pick = malloc((size_t)g->nodes * sizeof *pick), *best = malloc((size_t)c->classes * sizeof *best);
        for (int n = 0; n < g->nodes; n++) {
            int count = g->choice_start[n + 1] - g->choice_start[n];
            pick[n] = count ? g->choice_start[n] + (int)rng_below(&r, (uint64_t)count) : -1;
        }
        double *prob = calloc((size_t)g->choices, sizeof *prob), *reach = calloc((size_t)g->nodes * (size_t)K, sizeof *reach);
        double *gain = calloc((size_t)g->nodes * (size_t)K, sizeof *gain),
               *keep = calloc((size_t)g->nodes * (size_t)K, sizeof *keep);
        double *mass = calloc((size_t)c->classes, sizeof *mass), U[4], Pr[4], U2[4], Pr2[4];
        propagate_pick(g, pick, prob);
        assert_int_equal(propagate_forward(g, prob, reach, U, Pr), -1);
        propagate_backward(g, prob, gain, keep);
        for (int i = 0; i < c->classes; i++) {
            best[i] = -1;
            for (int s = c->slot_start[i]; s < c->slot_start[i + 1]; s++)
                if (c->slot_option[s] == g->choice_twin[pick[c->node[i]]]) best[i] = s;
        }
        induction_forward(c, best, mass, U2, Pr2, NULL, false);
        for (int k = 0; k < K; k++) {
            assert_near(U[k], gain[k], 1e-12);
            assert_near(Pr[k], keep[k], 1e-12);
            assert_near(U[k], U2[k], 1e-12);
            assert_near(Pr[k], Pr2[k], 1e-12);
        }
        /* The best value for random multipliers does not depend on Pareto sets, and no policy beats it. */
        double lambda[4], mu[4], worth = 0;
        double *value = calloc((size_t)c->classes + (size_t)with->classes, sizeof *value);
        for (int k = 0; k < K; k++) {
            lambda[k] = rng_unit(&r);
            mu[k] = rng_unit(&r);
            worth += lambda[k] * U[k] + mu[k] * Pr[k];
        }
        double top = best_value(c, lambda, mu, value, best);
        assert_true(worth <= top + 1e-9);
        assert_near(best_value(with, lambda, mu, value, NULL), top, 1e-9 * (1 + fabs(top)));
        induction_forward(c, best, mass, U2, Pr2, NULL, false);
        worth = 0;
        for (int k = 0; k < K; k++) worth += lambda[k] * U2[k] + mu[k] * Pr2[k];
        assert_near(worth, top, 1e-9 * (1 + fabs(top)));
        void *blocks[] = {pick, best, prob, reach, gain, keep, mass, value};
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) free(blocks[i]);
        know_classes_free(c);
        know_classes_free(with);
        pareto_free(f);
        know_graph_free(g);
        vouch_model_free(m);
    }
}

/* Every vector of a Pareto set is attained by its policy, and none dominates another. */
static void test_pareto(void **state)
{
    (void)state;
    vouch_model *m;
    assert_int_equal(vouch_generate_twin_states(&m, 5, NULL), VOUCH_OK);
    for (int L = 0; L <= 3; L++) {
        know_graph *g = graph_of(m, L);
        pareto_sets *f;
        assert_int_equal(pareto_new(g, 1000, (double[]){1, 1, 1, 1, 1, 1, 1, 1, 1}, false, NULL, &f), VOUCH_OK);
        assert_true(f->count[0] > 0);
        size_t K = 9;
        double *prob = calloc((size_t)g->choices, sizeof *prob), *reach = calloc((size_t)g->nodes * K, sizeof *reach), U[9], Pr[9];
        int *pick = malloc((size_t)g->nodes * sizeof *pick);
        for (int v = f->start[0]; v < f->start[0] + f->count[0]; v++) {
            for (int n = 0; n < g->nodes; n++) pick[n] = -1;
            pareto_apply(f, g, v, pick);
            propagate_pick(g, pick, prob);
            propagate_forward(g, prob, reach, U, Pr);
            for (size_t k = 0; k < K; k++) {
                assert_near(f->value[(size_t)v * 2 * K + k], U[k], 1e-9);
                assert_near(f->value[(size_t)v * 2 * K + K + k], Pr[k], 1e-12);
            }
            for (int w = f->start[0]; w < v; w++) {
                bool above = false, below = false;
                for (size_t i = 0; i < 2 * K; i++) {
                    above |= f->value[(size_t)v * 2 * K + i] > f->value[(size_t)w * 2 * K + i] + 1e-9;
                    below |= f->value[(size_t)v * 2 * K + i] < f->value[(size_t)w * 2 * K + i] - 1e-9;
                }
                assert_true(above && below);
            }
        }
        free(pick);
        free(prob);
        free(reach);
        pareto_free(f);
        know_graph_free(g);
    }
    vouch_model_free(m);
}

/* Where one environment must be kept with certainty, and no other at all, every vector of the root keeps it. */
static void pareto_vectors_keep_what_must_be_kept(void **state)
{
    (void)state;
    enum { K = 3 };
    int kept = 0;
    for (uint64_t seed = 1; seed <= 20; seed++)
        for (int must = 0; must < K; must++) {
            vouch_model *m;
            vouch_random_shape shape = {
                .states = 4, .actions = 3, .environments = K, .horizon = 3, .probability = 0.1, .branching = 1, .seed = seed};
            double accepted[K] = {0};
            pareto_sets *f;
            accepted[must] = 1;
            assert_int_equal(vouch_generate_random(&m, &shape, NULL), VOUCH_OK);
            know_graph *g = graph_of(m, 0);
            assert_int_equal(pareto_new(g, 1000, accepted, false, NULL, &f), VOUCH_OK);
            for (int v = f->start[0]; v < f->start[0] + f->count[0]; v++, kept++)
                assert_true(f->value[(size_t)v * 2 * K + K + (size_t)must] == 1);
            pareto_free(f);
            know_graph_free(g);
            vouch_model_free(m);
        }
    assert_true(kept > 20);
}

/* Likelihoods that differ by 1e-12 are two classes, or figures would be off by as much; what differs by the
 * rounding of a product only is one. apart: of the probabilities of the two ways through the middle in the second
 * environment. Returns the classes of the last state but one. */
static int merged(double way, double apart)
{
    enum { START, UPPER, LOWER, MEET, STATES };
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, STATES, 1, 2, 3), VOUCH_OK);
    for (int k = 0; k < 2; k++) {
        double upper = way + (k == 1 ? apart : 0);
        assert_int_equal(vouch_model_add(m, k, START, 0, UPPER, upper, 0), VOUCH_OK);
        assert_int_equal(vouch_model_add(m, k, START, 0, LOWER, 1 - upper, 0), VOUCH_OK);
        assert_int_equal(vouch_model_add(m, k, UPPER, 0, MEET, 1, 0), VOUCH_OK);
        assert_int_equal(vouch_model_add(m, k, LOWER, 0, MEET, 1, 0), VOUCH_OK);
        assert_int_equal(vouch_model_add(m, k, MEET, 0, MEET, 1, 1), VOUCH_OK);
    }
    assert_int_equal(vouch_model_set_commitment(m, MEET, 1), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    know_graph *g = graph_of(m, 0);
    know_classes *c = classes_of(g, NULL, 1000);
    int count = c->time_start[3] - c->time_start[2];
    double mass[16], U[2], Pr[2];
    int only[16];
    assert_true(c->classes <= 16);
    for (int i = 0; i < c->classes; i++) only[i] = i < c->time_start[3] ? c->slot_start[i] : -1;
    induction_forward(c, only, mass, U, Pr, NULL, false);
    for (int k = 0; k < 2; k++) {
        assert_near(U[k], 1, 4 * DBL_EPSILON);
        assert_near(Pr[k], 1, 4 * DBL_EPSILON);
    }
    know_classes_free(c);
    know_graph_free(g);
    vouch_model_free(m);
    return count;
}

static void test_likelihoods(void **state)
{
    (void)state;
    assert_int_equal(merged(0.5, 0), 1);
    assert_int_equal(merged(0.5, 0x1p-52), 1);
    assert_int_equal(merged(0.5, 1e-12), 2);
    assert_int_equal(merged(0.5, 1e-14), 2);
    assert_int_equal(merged(0.5, 1e-6), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twin_states),  cmocka_unit_test(test_limits), cmocka_unit_test(test_twins),
        cmocka_unit_test(test_same_figures), cmocka_unit_test(test_pareto), cmocka_unit_test(pareto_vectors_keep_what_must_be_kept),
        cmocka_unit_test(test_likelihoods),
    };
    return run_tests(tests);
}
