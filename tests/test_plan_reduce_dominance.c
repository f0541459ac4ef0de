/* Without dominated choices there is, for every policy, one that is no worse in any environment. */
#include "policies_aid.h"

#include "base/rng.h"
#include "plan/reduce/dominance.h"

static const double ROUNDING = 1e-12;

static bool no_worse(const double *a, const double *b, int width)
{
    for (int i = 0; i < width; i++)
        if (a[i] < b[i] - ROUNDING) return false;
    return true;
}

/* The same is forbidden as by one that was not asked before: here [options] as it left it, of allowed. */
static void assert_fresh(const policy_space *space, const unsigned char allowed[], const unsigned char here[], int forbidden)
{
    dominance *d;
    size_t options = (size_t)space->c->options;
    unsigned char *left = malloc(options);
    assert_int_equal(dominance_new(space, false, NULL, &d), VOUCH_OK);
    memcpy(left, allowed, options);
    assert_int_equal(dominance_forbid(d, left), forbidden);
    assert_memory_equal(left, here, options);
    dominance_free(d);
    free(left);
}

/* Returns how many choices are forbidden. */
static int check(const policy_space *space, rng *random)
{
    dominance *d;
    int options = space->c->options, width = 2 * space->K, forbidden = 0;
    unsigned char *allowed = calloc((size_t)options, 1), *left = calloc((size_t)options, 1);
    unsigned char *again = calloc((size_t)options, 1), *changed = calloc((size_t)options, 1);
    atomic_bool ended = true;
    assert_true(allowed && left && again && changed);
    assert_int_equal(dominance_new(space, false, &(deadline){.given_up = &ended}, &d), VOUCH_OK);
    assert_null(d); /* a limit that has passed: nothing is looked for */
    assert_int_equal(dominance_new(space, false, NULL, &d), VOUCH_OK);
    for (int trial = 0; d && trial < 4; trial++) {
        for (int o = 0; o < options; o++) allowed[o] = left[o] = trial == 0 || rng_below(random, 6) > 0;
        int here = dominance_forbid(d, left);
        assert_fresh(space, allowed, left, here);
        for (int o = 0; o < options; o++) again[o] = allowed[o] ^ (o % 7 == trial && o % 2 == 0);
        memcpy(changed, again, (size_t)options);
        assert_fresh(space, again, changed, dominance_forbid(d, changed));
        policies all = policies_of(space, allowed), some = policies_of(space, left);
        for (int i = 0; i < all.count && all.count < MOST_POLICIES; i++) {
            bool found = false;
            for (int j = 0; j < some.count && !found; j++) found = no_worse(some.value + j * width, all.value + i * width, width);
            assert_true(found);
        }
        if (all.count > some.count && all.count < MOST_POLICIES) forbidden += here;
        free_policies(&all);
        free_policies(&some);
    }
    dominance_free(d);
    free(allowed);
    free(left);
    free(again);
    free(changed);
    return forbidden;
}

static void every_policy_has_one_that_is_no_worse(void **state)
{
    (void)state;
    rng random = rng_seed(1);
    int forbidden = 0;
    for (int number = 0; number < 120; number++) {
        vouch_model *m;
        policy_space space;
        vouch_random_shape z = {.states = 3,
                                .actions = 2 + number % 2,
                                .environments = 1 + number % 3,
                                .horizon = 3,
                                .probability = 0.2,
                                .branching = 1 + number % 2,
                                .seed = (uint64_t)number};
        assert_int_equal(vouch_generate_random(&m, &z, NULL), VOUCH_OK);
        space_options so = space_options_for(number % 4);
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        forbidden += check(&space, &random);
        space_free(&space);
        vouch_model_free(m);
    }
    assert_true(forbidden > 500);
}

/* The search has the same result with and without Pareto sets. */
static void the_answer_is_the_same(void **state)
{
    (void)state;
    for (int number = 0; number < 12; number++) {
        vouch_model *m;
        vouch_maze_shape z = {.corridor = 3 + number % 2,
                              .up = 2,
                              .down = 1,
                              .environments = 2 + number % 2,
                              .horizon = 8 + number % 4,
                              .grip = number % 2 ? 0.8 : 0.5,
                              .probability = 0.1 * (1 + number % 5)};
        assert_int_equal(vouch_generate_t_maze(&m, &z, NULL), VOUCH_OK);
        vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, number % 4);
        double value[2];
        long long nodes[2];
        for (int with = 0; with < 2; with++) {
            o.without = with ? NULL : "dominance";
            vouch_policy *p = plan_by(m, &o);
            assert_int_equal(p->outcome, VOUCH_PLAN_OPTIMAL);
            assert_sound(m, p);
            value[with] = p->max_regret;
            nodes[with] = p->nodes;
            vouch_policy_free(p);
        }
        assert_near(value[0], value[1], 2 * GAP);
        assert_true(nodes[1] <= 2 * nodes[0] + 10);
        vouch_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_policy_has_one_that_is_no_worse),
                                       cmocka_unit_test(the_answer_is_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
