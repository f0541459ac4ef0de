/* Work beside a search starts from the best policy at that moment. Its result does not depend on having a thread of its own. It may
 * be aborted at any time. */
#include "plan_aid.h"

#include <string.h>

#include "base/memory.h"
#include "plan/heuristic/beside.h"
#include "plan/heuristic/initial.h"
#include "plan/heuristic/local_search.h"
#include "plan/heuristic/threshold_accepting.h"
#include "plan/relax/walks.h"

typedef struct walkers {
    vouch_model *m;
    policy_space space;
    incumbent *inc;
} walkers;

static void begin(walkers *w)
{
    vouch_family_shape shape = {.states = 4, .actions = 3, .environments = 4, .horizon = 4, .seed = 2, .probability = 0.2};
    assert_int_equal(vouch_generate_random_dense(&w->m, &shape, NULL), VOUCH_OK);
    space_options so = space_options_for(0);
    so.classes = 0;
    assert_int_equal(space_make(w->m, &so, &w->space, NULL), VOUCH_OK);
    assert_int_equal(incumbent_new(&w->space, &w->inc), VOUCH_OK);
    initial_feasible(w->inc);
    assert_true(w->inc->found);
}

static void end(walkers *w)
{
    incumbent_free(w->inc);
    space_free(&w->space);
    vouch_model_free(w->m);
}

static void walk(void *context, incumbent *inc)
{
    threshold_accepting *w = context;
    threshold_accepting_run(w, inc, 1e6);
}

/* As long as it is let. */
static void walk_on(void *context, incumbent *inc)
{
    threshold_accepting *w = context;
    threshold_accepting_run(w, inc, 1e30);
}

static void a_thread_changes_nothing(void **state)
{
    (void)state;
    walkers w;
    begin(&w);
    size_t bytes = (size_t)w.space.g->nodes * sizeof(int);
    int *first = malloc(bytes), *pick = malloc(bytes);
    memcpy(first, w.inc->best, bytes);
    double value = 0;
    for (int thread = 0; thread < 2; thread++) {
        beside b = {.inc = NULL};
        threshold_accepting walking = {.random = rng_seed(1)};
        assert_false(beside_begun(&b));
        assert_int_equal(beside_begin(&b, w.inc, thread, walk, &walking), VOUCH_OK);
        assert_true(beside_begun(&b));
        const incumbent *out = beside_end(&b);
        assert_memory_equal(w.inc->best, first, bytes);
        assert_true(walking.walks > 0 && space_kept(&w.space, out->value.Pr, NULL));
        assert_true(incumbent_value(out) <= incumbent_value(w.inc));
        if (thread > 0) {
            assert_memory_equal(out->best, pick, bytes);
            assert_true(incumbent_value(out) == value);
        }
        memcpy(pick, out->best, bytes);
        value = incumbent_value(out);
        beside_give_up(&b);
        assert_false(beside_begun(&b));
    }
    free(first);
    free(pick);
    end(&w);
}

/* Chains of walks start from the best policy at that moment, with the same result for any number of threads. */
static void chains_of_walks_need_no_threads(void **state)
{
    (void)state;
    walkers w;
    begin(&w);
    size_t bytes = (size_t)w.space.g->nodes * sizeof(int);
    int *first = malloc(bytes), *pick = malloc(bytes), count = 0;
    memcpy(first, w.inc->best, bytes);
    for (int threads = 0; threads < 2; threads++) {
        incumbent *inc;
        walks chains;
        assert_int_equal(incumbent_new(&w.space, &inc), VOUCH_OK);
        incumbent_copy(inc, w.inc);
        walks_init(&chains, 1);
        for (int round = 0; round < 2; round++) {
            assert_false(walks_begun(&chains));
            assert_int_equal(walks_begin(&chains, inc, threads, 1e6), VOUCH_OK);
            assert_true(walks_begun(&chains));
            double before = incumbent_value(inc);
            bool better = walks_end(&chains, inc);
            assert_true(better == (incumbent_value(inc) < before) && chains.walked == incumbent_value(inc));
        }
        assert_memory_equal(w.inc->best, first, bytes);
        assert_true(incumbent_value(inc) < incumbent_value(w.inc) && walks_count(&chains) >= 2 * CHAINS);
        if (threads) assert_memory_equal(inc->best, pick, bytes);
        if (threads) assert_int_equal(walks_count(&chains), count);
        count = walks_count(&chains);
        memcpy(pick, inc->best, bytes);
        assert_int_equal(walks_begin(&chains, inc, threads, 1e30), VOUCH_OK);
        walks_give_up(&chains);
        incumbent_free(inc);
    }
    free(first);
    free(pick);
    end(&w);
}

static void what_is_given_up_ends(void **state)
{
    (void)state;
    walkers w;
    begin(&w);
    beside b = {.inc = NULL};
    threshold_accepting walking = {.random = rng_seed(1)};
    for (int thread = 0; thread < 2; thread++) {
        assert_int_equal(beside_begin(&b, w.inc, thread, walk_on, &walking), VOUCH_OK);
        beside_give_up(&b);
    }
    beside_give_up(&b);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_thread_changes_nothing),
                                       cmocka_unit_test(chains_of_walks_need_no_threads), cmocka_unit_test(what_is_given_up_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
