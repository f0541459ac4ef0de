/* Threshold accepting from the best policy: its results keep the promises, are no better than the optimum, and are optimal twice as
 * often as the start; neither dividing the work into parts nor threads change them, and it can be aborted at any time. */
#include "plan_aid.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "plan/heuristic/initial.h"
#include "plan/heuristic/local_search.h"

enum { MODELS = 40 };

/* Dense; promises that bind in two of three. */
static vouch_model *model_of(int i)
{
    vouch_model *m;
    vouch_family_shape shape = {.states = 4, .actions = 3, .environments = 3 + i % 3, .horizon = 4, .seed = 1 + (uint64_t)i};
    shape.probability = i % 3 ? 0.15 + 0.05 * (i % 4) : 0;
    assert_int_equal(vouch_generate_random_dense(&m, &shape, NULL), VOUCH_OK);
    return m;
}

/* The result of a run whose work is divided into `parts`. INFINITY: no policy to start from. */
static double walked(const policy_space *space, double work, int parts, int pick[])
{
    incumbent *inc;
    threshold_accepting w = {.random = rng_seed(1)};
    assert_int_equal(incumbent_new(space, &inc), VOUCH_OK);
    initial_feasible(inc);
    double begun = incumbent_value(inc), value;
    for (int i = 0; i < parts && inc->found; i++) threshold_accepting_run(&w, inc, work / parts);
    value = incumbent_value(inc);
    assert_true(value <= begun);
    if (inc->found) assert_true(space_kept(space, inc->value.Pr, NULL));
    memcpy(pick, inc->best, (size_t)space->g->nodes * sizeof *pick);
    incumbent_free(inc);
    return value;
}

static void walks_come_to_the_optimum(void **state)
{
    (void)state;
    int known = 0, begun = 0, found = 0, models = test_part(MODELS / 2, MODELS);
    for (int i = 0; i < models; i++) {
        vouch_model *m = model_of(i);
        policy_space space;
        space_options so = space_options_for(i % 2);
        so.classes = 0;
        vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, i % 2);
        o.least_total_regret = 0;
        o.limits.nodes = 20000;
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        vouch_policy *best = plan_by(m, &o);
        int *pick = MEM_NEW(int, 2 * (size_t)space.g->nodes);
        size_t bytes = (size_t)space.g->nodes * sizeof *pick;
        double start = walked(&space, 0, 1, pick), value = walked(&space, 2e7, 1, pick);
        if (start < INFINITY) {
            assert_near(walked(&space, 2e7, 7, pick + space.g->nodes), value, 0);
            assert_memory_equal(pick, pick + space.g->nodes, bytes);
        }
        if (best->outcome == VOUCH_PLAN_OPTIMAL && start < INFINITY) {
            assert_true(value >= best->max_regret - 1e-6);
            known++;
            begun += start <= best->max_regret + 1e-6;
            found += value <= best->max_regret + 1e-6;
        }
        mem_free(pick);
        vouch_policy_free(best);
        space_free(&space);
        vouch_model_free(m);
    }
    print_message("of %d optima %d are known before walks, %d after\n", known, begun, found);
    assert_true(known > models / 2 && begun < known / 2 && found > 2 * known / 3);
}

/* Chains of walks start from the best policy at that moment, with the same result for any number of threads. */
static void chains_of_walks_need_no_threads(void **state)
{
    (void)state;
    vouch_model *m;
    policy_space space;
    incumbent *start;
    vouch_family_shape shape = {.states = 4, .actions = 3, .environments = 4, .horizon = 4, .seed = 2, .probability = 0.2};
    assert_int_equal(vouch_generate_random_dense(&m, &shape, NULL), VOUCH_OK);
    space_options so = space_options_for(0);
    so.classes = 0;
    assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
    assert_int_equal(incumbent_new(&space, &start), VOUCH_OK);
    initial_feasible(start);
    assert_true(start->found);
    size_t bytes = (size_t)space.g->nodes * sizeof(int);
    int *first = malloc(bytes), *pick = malloc(bytes), count = 0;
    memcpy(first, start->best, bytes);
    for (int threads = 0; threads < 2; threads++) {
        incumbent *inc;
        walks chains;
        assert_int_equal(incumbent_new(&space, &inc), VOUCH_OK);
        incumbent_copy(inc, start);
        walks_init(&chains, 1);
        for (int round = 0; round < 2; round++) {
            assert_false(walks_begun(&chains));
            assert_int_equal(walks_begin(&chains, inc, threads, 1e6), VOUCH_OK);
            assert_true(walks_begun(&chains));
            double before = incumbent_value(inc);
            bool better = walks_end(&chains, inc);
            assert_true(better == (incumbent_value(inc) < before) && chains.walked == incumbent_value(inc));
        }
        assert_memory_equal(start->best, first, bytes);
        assert_true(space_kept(&space, inc->value.Pr, NULL) && incumbent_value(inc) < incumbent_value(start));
        assert_true(walks_count(&chains) >= 2 * CHAINS);
        if (threads) assert_memory_equal(inc->best, pick, bytes);
        if (threads) assert_int_equal(walks_count(&chains), count);
        count = walks_count(&chains);
        memcpy(pick, inc->best, bytes);
        assert_int_equal(walks_begin(&chains, inc, threads, 1e30), VOUCH_OK); /* longer than any test waits */
        walks_abort(&chains);
        assert_false(walks_begun(&chains));
        walks_abort(&chains);
        incumbent_free(inc);
    }
    free(first);
    free(pick);
    incumbent_free(start);
    space_free(&space);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walks_come_to_the_optimum),
                                       cmocka_unit_test(chains_of_walks_need_no_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
