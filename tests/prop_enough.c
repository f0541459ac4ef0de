/* Plans that may end early, against plans to the end: with `enough` at a policy of no more regret, with `cutoff` at a bound of no
 * less, at regrets drawn around the least one. Neither may make a claim that the whole plan refutes, and without limits one of the
 * two, or the optimum, has to be reached.
 */
#include "plan_aid.h"

#include <vouch/generate.h>

#include "base/rng.h"

enum { MODELS = 150, AIMS = 6 };
static const double NEAR = 4e-6;

static int ended_enough, ended_cutoff, infeasible;

/* A regret near the least one, or 0: no aim. */
static double draw_aim(rng *r, double least)
{
    static const double times[] = {0, .5, .99, 1, 1.01, 1.5};
    return times[rng_below(r, 6)] * least + (rng_below(r, 2) ? .1 * rng_unit(r) : 0);
}

static void check_aim(const vouch_model *m, int L, const vouch_policy *whole, double enough, double cutoff)
{
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
    o.enough = enough;
    o.cutoff = cutoff;
    vouch_policy *p = plan_by(m, &o);
    bool possible = whole->outcome == VOUCH_PLAN_OPTIMAL;
    if (!possible) {
        assert_true(p->outcome == VOUCH_PLAN_INFEASIBLE || (cutoff > 0 && p->outcome == VOUCH_PLAN_LIMIT));
        assert_false(p->has_policy);
        infeasible += p->outcome == VOUCH_PLAN_INFEASIBLE;
    } else {
        bool found = p->has_policy && enough > 0 && p->max_regret <= enough + NEAR;
        bool shown = cutoff > 0 && p->bound >= cutoff - NEAR;
        assert_int_not_equal(p->outcome, VOUCH_PLAN_INFEASIBLE);
        assert_true(p->bound <= whole->max_regret + NEAR);
        assert_true(p->outcome == VOUCH_PLAN_OPTIMAL || found || shown);
        if (p->has_policy) assert_true(p->max_regret >= whole->bound - NEAR);
        if (p->outcome == VOUCH_PLAN_OPTIMAL) assert_true(p->max_regret - p->bound <= GAP + 1e-9);
        ended_enough += p->outcome != VOUCH_PLAN_OPTIMAL && found;
        ended_cutoff += p->outcome != VOUCH_PLAN_OPTIMAL && shown;
    }
    vouch_policy_free(p);
}

static void test_aims(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        vouch_model *m;
        rng r = rng_seed(seed);
        vouch_random_shape shape = {.states = 3 + (int)(seed % 3),
                                    .actions = 2 + (int)(seed / 3 % 3),
                                    .environments = 2 + (int)(seed / 9 % 3),
                                    .horizon = 3 + (int)(seed % 2),
                                    .probability = seed % 4 ? .3 : .8,
                                    .branching = 2 + (int)(seed / 5 % 2),
                                    .seed = seed};
        if (vouch_generate_random(&m, &shape, NULL)) continue;
        int L = (int)rng_below(&r, 3);
        vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
        vouch_policy *whole = plan_by(m, &o);
        double least = whole->has_policy ? whole->max_regret : 1;
        for (int i = 0; i < AIMS; i++)
            check_aim(m, L, whole, i % 3 ? draw_aim(&r, least) : 0, i % 3 != 1 ? draw_aim(&r, least) : 0);
        vouch_policy_free(whole);
        vouch_model_free(m);
    }
    print_message("%d plans ended at enough, %d at their cutoff; %d proved infeasible\n", ended_enough, ended_cutoff, infeasible);
    assert_true(ended_enough > 0 && ended_cutoff > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_aims)};
    return run_tests(tests);
}
