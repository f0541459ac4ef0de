/* The memory limit: plans of random models under limits from almost nothing up end regularly, with correct figures. */
#include "test.h"

#include <vouch/generate.h>
#include <vouch/vouch.h>

#include "base/memory.h"

static const size_t LEAST_ROOM = 8 << 10;
enum { MODELS = 3, STEPS = 24 };

static vouch_model *model_of(uint64_t seed)
{
    vouch_model *m;
    vouch_random_shape shape = {
        .states = 6, .actions = 3, .environments = 4, .horizon = 5, .probability = 0.4, .branching = 3, .seed = seed};
    assert_int_equal(vouch_generate_random(&m, &shape, NULL), VOUCH_OK);
    return m;
}

/* Plans within `room`; a policy keeps the promise and has its figures. Returns whether it is optimal. */
static bool plan_in(const vouch_model *m, const vouch_plan_options *o, size_t room, double least, int *found)
{
    vouch_policy *policy;
    vouch_plan_result r;
    long failures = mem_failures();
    mem_limit(mem_used() + room);
    vouch_status status = vouch_plan(&policy, m, o, NULL);
    mem_limit(0);
    if (status == VOUCH_ERROR_MEMORY) return false; /* not even room to begin */
    assert_int_equal(status, VOUCH_OK);
    assert_int_equal(mem_failures(), failures);
    vouch_policy_get_result(policy, &r);
    assert_true(r.outcome == VOUCH_PLAN_OPTIMAL || r.outcome == VOUCH_PLAN_FEASIBLE || r.outcome == VOUCH_PLAN_LIMIT);
    assert_int_equal(r.has_policy, r.outcome != VOUCH_PLAN_LIMIT);
    assert_true(r.bound <= least + 1e-6);
    if (r.has_policy) {
        vouch_environment_figures figures[4];
        int kept;
        ++*found;
        assert_int_equal(vouch_policy_evaluate(policy, m, figures, &kept, NULL), VOUCH_OK);
        assert_true(kept);
        assert_true(r.max_regret >= least - 1e-6);
        for (int k = 0; k < vouch_model_environments(m); k++) assert_near(figures[k].value, r.figures[k].value, 1e-9);
    }
    if (r.outcome == VOUCH_PLAN_OPTIMAL) assert_near(r.max_regret, least, 1e-6);
    vouch_policy_free(policy);
    return r.outcome == VOUCH_PLAN_OPTIMAL;
}

static void test_any_room(void **state)
{
    (void)state;
    int open = 0, optimal = 0, found = 0;
    for (uint64_t seed = 1; seed <= MODELS; seed++)
        for (int L = 0; L < 2; L++) {
            vouch_model *m = model_of(seed);
            vouch_plan_options o;
            vouch_policy *policy;
            vouch_plan_result r;
            vouch_plan_options_init(&o);
            o.lookahead = L;
            o.limits.nodes = 400;
            assert_int_equal(vouch_plan(&policy, m, &o, NULL), VOUCH_OK);
            vouch_policy_get_result(policy, &r);
            bool proved = r.outcome == VOUCH_PLAN_OPTIMAL;
            size_t room = LEAST_ROOM;
            for (int i = 0; i < STEPS && proved; i++, room += room / 2) {
                bool whole = plan_in(m, &o, room, r.max_regret, &found);
                open += !whole;
                optimal += whole;
            }
            vouch_policy_free(policy);
            vouch_model_free(m);
        }
    assert_true(open > 10 && optimal > 10 && found > optimal);
}

/* 0: no room to begin; 1: no policy; 2: a policy that keeps the promise, of a regret not below the bound. */
static int ends_in(const vouch_model *m, const vouch_plan_options *o, size_t room)
{
    vouch_policy *policy;
    vouch_plan_result r;
    vouch_environment_figures figures[4];
    int kept = 1;
    long failures = mem_failures();
    mem_limit(mem_used() + room);
    vouch_status status = vouch_plan(&policy, m, o, NULL);
    mem_limit(0);
    if (status == VOUCH_ERROR_MEMORY) return 0;
    assert_int_equal(status, VOUCH_OK);
    assert_int_equal(mem_failures(), failures);
    vouch_policy_get_result(policy, &r);
    if (r.has_policy) {
        assert_int_equal(vouch_policy_evaluate(policy, m, figures, &kept, NULL), VOUCH_OK);
        assert_true(r.bound <= r.max_regret + 1e-6);
    }
    assert_true(kept);
    vouch_policy_free(policy);
    return r.has_policy ? 2 : 1;
}

/* Other methods and deeper plans fall back to a policy that milp-ccl finds in two thirds of the room. */
static void test_methods_fall_back(void **state)
{
    (void)state;
    static const vouch_method method[] = {VOUCH_METHOD_EXACT_CCL, VOUCH_METHOD_HISTORY, VOUCH_METHOD_MILP_CCL};
    int policies = 0;
    for (uint64_t seed = 1; seed < MODELS; seed++)
        for (int i = 0; i < 6; i++) {
            vouch_model *m = model_of(seed);
            vouch_plan_options o, markov;
            vouch_plan_options_init(&o);
            o.method = method[i / 2];
            o.lookahead = i % 2 + (i >= 4);
            o.limits.nodes = 50;
            markov = o;
            markov.method = VOUCH_METHOD_MILP_CCL;
            markov.lookahead = 0;
            int before = 0;
            for (size_t step = 0, room = 4 * LEAST_ROOM; step < STEPS / 2; step++, room += room / 2) {
                int ended = ends_in(m, &o, room);
                assert_true(ended == 2 || before < 2);
                policies += ended == 2;
                before = ends_in(m, &markov, room);
            }
            vouch_model_free(m);
        }
    assert_true(policies > 4 * MODELS);
}

/* Threads or processes share the limit: the same result, and a worker's limit is reported. */
static void test_workers(void **state)
{
    (void)state;
    static const vouch_maze_shape shape = {
        .corridor = 4, .up = 2, .down = 2, .environments = 3, .horizon = 12, .probability = 0.08, .grip = 0.8};
    int open = 0, found = 0;
    vouch_model *m;
    assert_int_equal(vouch_generate_t_maze(&m, &shape, NULL), VOUCH_OK);
    for (int i = 0; i < 2; i++) {
        vouch_plan_options o;
        vouch_policy *policy;
        vouch_plan_result r;
        vouch_plan_options_init(&o);
        o.lookahead = 1;
        o.least_total_regret = 0;
        o.threads = i ? 2 : 1;
        o.workers = i ? 0 : 2;
        assert_int_equal(vouch_plan(&policy, m, &o, NULL), VOUCH_OK);
        vouch_policy_get_result(policy, &r);
        assert_int_equal(r.outcome, VOUCH_PLAN_OPTIMAL);
        vouch_policy_free(policy);
        for (size_t room = 2 << 20; room <= 128 << 20; room *= 2) {
            long met = mem_limit_met();
            bool whole = plan_in(m, &o, room, r.max_regret, &found);
            assert_true(whole || mem_limit_met() > met);
            open += !whole;
        }
    }
    vouch_model_free(m);
    assert_true(open > 2 && found > 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_room), cmocka_unit_test(test_methods_fall_back),
                                       cmocka_unit_test(test_workers)};
    return run_tests(tests);
}
