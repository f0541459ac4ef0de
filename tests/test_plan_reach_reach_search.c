/* Intervals of reach hold the probabilities of every policy that is allowed, no such policy that keeps its promises is below a
 * bound at any multipliers, and the search ends with the optimum of the other searches. */
#include <math.h>
#include <string.h>
#include <vouch/generate.h>

#include "base/rng.h"
#include "plan/heuristic/local_search.h"
#include "plan/reach/reach.h"
#include "plan/reach/reach_search.h"
#include "plan_aid.h"

enum { MODELS = 90, POINTS = 6, POLICIES = 20 };

static int models(void) { return test_part(MODELS / 3, MODELS); }

static vouch_model *draw_model(int i)
{
    vouch_model *m;
    vouch_family_shape dense = {.states = 3 + i % 3,
                                .actions = 2 + i % 2,
                                .environments = 1 + i % 3,
                                .horizon = 2 + i % 2,
                                .seed = 1 + (uint64_t)i,
                                .probability = i % 4 == 0 ? 0 : 0.25 + 0.05 * (i % 5)};
    vouch_random_shape sparse = {
        .states = 4, .actions = 2, .environments = 2, .branching = 2, .horizon = 3, .seed = 1 + (uint64_t)i, .probability = 0.3};
    vouch_maze_shape maze = {
        .corridor = 3, .up = 1, .down = 1 + i % 2, .environments = 2, .horizon = 6, .probability = 0.1 * (i % 7), .grip = .8};
    vouch_status status = i % 5 == 3   ? vouch_generate_t_maze(&m, &maze, NULL)
                          : i % 5 == 4 ? vouch_generate_random(&m, &sparse, NULL)
                                       : vouch_generate_random_dense(&m, &dense, NULL);
    assert_int_equal(status, VOUCH_OK);
    return m;
}

static void draw_policy(const know_graph *g, const unsigned char allowed[], rng *r, int pick[])
{
    for (int n = 0; n < g->nodes; n++) {
        int open = 0;
        pick[n] = -1;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            if (allowed[c] && rng_below(r, (uint64_t)++open) == 0) pick[n] = c;
    }
}

/* Some choices, at least one a node. */
static void draw_choices(const know_graph *g, rng *r, unsigned char allowed[])
{
    int *pick = malloc((size_t)g->nodes * sizeof *pick);
    unsigned char *was = malloc((size_t)g->choices);
    memcpy(was, allowed, (size_t)g->choices);
    draw_policy(g, was, r, pick);
    for (int c = 0; c < g->choices; c++) allowed[c] = allowed[c] && rng_below(r, 3) > 0;
    for (int n = 0; n < g->time_start[g->T]; n++) allowed[pick[n]] = 1;
    free(pick);
    free(was);
}

static void draw_point(const reach_model *r, const reach_set *x, rng *random)
{
    double sum = 0;
    for (int e = 0; e < r->E; e++) sum += x->at.lambda[e] = rng_unit(random);
    for (int e = 0; e < r->E; e++) x->at.lambda[e] /= sum;
    for (int k = 0; k < r->P; k++) x->at.mu[k] = r->promised[k] ? 2 * rng_unit(random) : 0;
    for (int n = 0; n < r->space->g->time_start[r->space->g->T]; n++)
        for (int e = 0; e < r->E; e++) x->at.W[(size_t)e * (size_t)r->nodes + (size_t)n] = rng_unit(random) - 0.5;
}

static void assert_bounds(const policy_space *space, const reach_model *r, const reach_set *x, double bound, rng *random)
{
    const know_graph *g = space->g;
    int *pick = malloc((size_t)g->nodes * sizeof *pick);
    double *prob = malloc((size_t)g->choices * sizeof *prob), *reach = malloc((size_t)(g->nodes * g->K) * sizeof *reach), U[8],
           Pr[8];
    for (int i = 0; i < POLICIES; i++) {
        double regret = -INFINITY;
        draw_policy(g, x->allowed, random, pick);
        propagate_pick(g, pick, prob);
        propagate_forward(g, prob, reach, U, Pr);
        for (int n = 0; n < g->time_start[g->T]; n++)
            for (int e = 0; e < r->E; e++) {
                double mass = reach[n * g->K + e * r->J];
                assert_true(mass >= x->lo[e * r->nodes + n] - 1e-12 && mass <= x->hi[e * r->nodes + n] + 1e-12);
            }
        for (int k = 0; k < g->K; k++) regret = fmax(regret, space->optimal[k] - U[k]);
        if (space_kept(space, Pr, NULL)) assert_true(regret >= bound - 1e-9);
    }
    free(pick);
    free(prob);
    free(reach);
}

static void bounds_hold(void **state)
{
    rng random = rng_seed(3);
    (void)state;
    for (int i = 0; i < models(); i++) {
        vouch_model *m = draw_model(i);
        policy_space space;
        space_options so = space_options_for(i % 3);
        so.classes = 0;
        reach_model r;
        arena memory = {0};
        reach_set x;
        reach_bound b;
        reach_intervals v;
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        int *pick = malloc((size_t)space.g->nodes * sizeof *pick);
        for (int n = 0; n < space.g->nodes; n++) pick[n] = -1;
        assert_int_equal(reach_model_make(&space, pick, &r), VOUCH_OK);
        reach_set_make(&r, &x, &memory);
        reach_bound_make(&r, &b);
        reach_intervals_make(&r, &v);
        assert_false(memory.failed || b.memory.failed || v.memory.failed);
        reach_set_all(&r, &x, true);
        for (int j = 0; j < POINTS; j++) {
            if (j > 0) draw_choices(space.g, &random, x.allowed);
            reach_intervals_find(&r, &v, NULL, &x);
            draw_point(&r, &x, &random);
            assert_bounds(&space, &r, &x, reach_value(&r, &b, &x), &random);
            deadline none = {0};
            reach_ascent how = {.passes = 60, .patience = 10, .rise = 0.5, .enough = INFINITY, .regrets = true, .limit = &none};
            reach_raise(&r, &b, &how, &x);
            assert_bounds(&space, &r, &x, x.bound, &random);
            x.bound = -INFINITY;
        }
        free(pick);
        arena_free(&memory);
        arena_free(&b.memory);
        arena_free(&v.memory);
        arena_free(&r.memory);
        space_free(&space);
        vouch_model_free(m);
    }
}

static void finds_the_optimum(void **state)
{
    int ended = 0, impossible = 0;
    (void)state;
    for (int i = 0; i < models(); i++) {
        vouch_model *m = draw_model(i);
        vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, i % 3);
        o.least_total_regret = false;
        o.without = "reach";
        vouch_policy *best = plan_by(m, &o);
        policy_space space;
        space_options so = space_options_for(i % 3);
        so.classes = 0;
        incumbent *inc;
        reach_result result;
        deadline none = {0};
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        assert_int_equal(incumbent_new(&space, &inc), VOUCH_OK);
        reach_options how = {.gap = GAP, .most_spread = INFINITY, .most_work = 300000000, .limit = &none};
        assert_int_equal(reach_search(&space, inc, &how, &result), VOUCH_OK);
        if (best->outcome == VOUCH_PLAN_INFEASIBLE) {
            assert_false(inc->found);
            assert_true(result.infeasible || !result.finished || space.optimal[0] == -INFINITY);
            impossible++;
        } else {
            assert_int_equal(best->outcome, VOUCH_PLAN_OPTIMAL);
            assert_false(result.infeasible);
            assert_true(result.bound <= best->max_regret + 2 * GAP);
            if (result.finished) {
                assert_near(inc->value.max_regret, best->max_regret, 2 * GAP);
                assert_true(result.bound >= best->max_regret - 2 * GAP);
                ended++;
            }
        }
        incumbent_free(inc);
        space_free(&space);
        vouch_policy_free(best);
        vouch_model_free(m);
    }
    print_message("%d of %d searches ended, %d models have no policy\n", ended, models(), impossible);
    assert_true(ended >= models() / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_hold), cmocka_unit_test(finds_the_optimum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
