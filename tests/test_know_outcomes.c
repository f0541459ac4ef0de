/* Outcomes: no policy is lost by what is followed through, and no environment's pairs are below what a policy attains, whatever
 * else is allowed. */
#include <vouch/generate.h>

#include "base/rng.h"
#include "know/pairs.h"
#include "know/graph.h"
#include "oracle/wild.h"
#include "plan_aid.h"
#include "policy/space.h"

enum { MODELS = 60, POLICIES = 20 };

/* Mazes, where much runs, and models of other tests, where little does. */
static vouch_model *model_of(int i)
{
    vouch_model *m;
    vouch_maze_shape z = {.corridor = 3 + i % 2,
                          .up = 1 + i % 2,
                          .down = 1 + i / 2 % 2,
                          .environments = 1 + i % 3,
                          .horizon = 4 + i % 5,
                          .probability = 0.1 * (i % 8),
                          .grip = 0.8};
    if (i % 3 == 2) return wild_model((uint64_t)i);
    assert_int_equal(vouch_generate_t_maze(&m, &z, NULL), VOUCH_OK);
    return m;
}

/* The outcome of each node under pick [nodes], as an option; -1: none are told apart. */
static void outcomes_of(const know_outcomes *e, const int pick[], int outcome[])
{
    const know_graph *g = e->g;
    for (int n = g->nodes - 1; n >= 0; n--) {
        outcome[n] = e->count[n] > 0 ? e->first[n] : -1;
        if (e->count[n] == 0) continue;
        if (n >= g->time_start[g->T]) {
            outcome[n]++;
            continue;
        }
        int m = e->next[pick[n]];
        if (m >= 0) outcome[n] = e->link[(size_t)pick[n] * OUTCOMES_MOST + (size_t)(outcome[m] - e->first[m])];
    }
}

static void assert_policy(know_outcomes *e, know_pairs *const of[], rng *r)
{
    const know_graph *g = e->g;
    int *pick = malloc((size_t)g->nodes * sizeof *pick), *outcome = malloc((size_t)g->nodes * sizeof *outcome);
    unsigned char *allowed = malloc((size_t)e->options), *all = malloc((size_t)e->options);
    double *prob = malloc((size_t)(g->choices + 1) * sizeof *prob),
           *reach = malloc((size_t)g->nodes * (size_t)g->K * sizeof *reach), U[16], Pr[16];
    for (int n = 0; n < g->nodes; n++) pick[n] = -1;
    for (int n = 0; n < g->time_start[g->T]; n++)
        pick[n] = g->choice_twin[g->choice_start[n] + (int)rng_below(r, (uint64_t)(g->choice_start[n + 1] - g->choice_start[n]))];
    outcomes_of(e, pick, outcome);
    outcomes_allow_all(e, all);
    uint64_t rare = 1 + rng_below(r, 4);
    for (int o = 0; o < e->options; o++) allowed[o] = all[o] && rng_below(r, rare) == 0;
    for (int n = 0; n < g->nodes; n++) {
        if (pick[n] >= 0) allowed[pick[n]] = 1;
        if (outcome[n] >= 0) allowed[outcome[n]] = 1;
    }
    assert_true(outcomes_propagate(e, -1, allowed));
    propagate_pick(g, pick, prob);
    assert_int_equal(propagate_forward(g, prob, reach, U, Pr), -1);
    for (int n = 0; n < g->nodes; n++) {
        if (pick[n] >= 0) assert_true(allowed[pick[n]]);
        if (outcome[n] >= 0) assert_true(allowed[outcome[n]]);
    }
    for (int k = 0; k < g->K; k++) assert_true(pairs_solve(of[k], allowed, Pr[k]) >= U[k] - 1e-11);
    free(pick);
    free(outcome);
    free(allowed);
    free(all);
    free(prob);
    free(reach);
}

/* Forbids one option of a node after the other, and asks what follows from that alone and
 * from all anew: the same. How often something followed. */
static int check_steps(know_outcomes *e, rng *r)
{
    const know_graph *g = e->g;
    size_t options = (size_t)e->options;
    unsigned char *one = malloc(options), *all = malloc(options), *before = malloc(options);
    int followed = 0;
    bool left = true;
    outcomes_allow_all(e, one);
    assert_true(outcomes_propagate(e, -1, one));
    for (int step = 0; step < 100 && left; step++) {
        int n = (int)rng_below(r, (uint64_t)g->time_start[g->T]);
        bool choice = e->count[n] == 0 || rng_below(r, 2) == 0;
        int first = choice ? g->choice_start[n] : e->first[n];
        int count = choice ? g->choice_start[n + 1] - first : e->count[n];
        one[first + (int)rng_below(r, (uint64_t)count)] = 0;
        memcpy(all, one, options);
        memcpy(before, one, options);
        left = outcomes_propagate(e, n, one);
        assert_int_equal(outcomes_propagate(e, -1, all), left);
        if (!left) continue;
        assert_memory_equal(one, all, options);
        followed += memcmp(one, before, options) != 0;
    }
    free(one);
    free(all);
    free(before);
    return followed;
}

static void one_step_says_as_much_as_all(void **state)
{
    rng r = rng_seed(5);
    int followed = 0;
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        vouch_model *m = model_of(i);
        policy_space space;
        know_outcomes *e;
        space_options so = space_options_for(m->T < 2 ? m->T : 2);
        so.classes = 0;
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        assert_int_equal(outcomes_new(space.g, &e), VOUCH_OK);
        for (int j = 0; j < POLICIES; j++) followed += check_steps(e, &r);
        outcomes_free(e);
        space_free(&space);
        vouch_model_free(m);
    }
    assert_true(followed >= 100);
}

static void no_policy_is_lost(void **state)
{
    rng r = rng_seed(3);
    int told_apart = 0;
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        vouch_model *m = model_of(i);
        for (int L = 0; L <= 2 && L <= m->T; L++) {
            policy_space space;
            know_outcomes *e;
            know_pairs *of[16];
            space_options so = space_options_for(L);
            so.classes = 0;
            assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
            assert_true(space.K <= 16);
            assert_int_equal(outcomes_new(space.g, &e), VOUCH_OK);
            told_apart += e->options > space.g->choices + 100;
            for (int k = 0; k < space.K; k++) assert_int_equal(outcomes_pairs(e, k, i % 2 ? 4 : 64, &of[k]), VOUCH_OK);
            for (int j = 0; j < POLICIES; j++) assert_policy(e, of, &r);
            for (int k = 0; k < space.K; k++) pairs_free(of[k]);
            outcomes_free(e);
            space_free(&space);
        }
        vouch_model_free(m);
    }
    assert_true(told_apart >= MODELS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_policy_is_lost), cmocka_unit_test(one_step_says_as_much_as_all)};
    return run_tests(tests);
}
