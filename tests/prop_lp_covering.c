/* Covering programs: min c'x, A x >= b, 0 <= x <= u with small integers. Ties everywhere, and boxed columns whose flips leave the
 * slope of the dual's long step at exactly 0: a method that takes such steps for progress goes in circles here.
 * VOUCH_LP_COVERING sets how many. */
#include "lp_aid.h"

/* Half of them set covering: unit entries, sides and boxes. */
static sample covering(rng *r)
{
    int least = pick(r, 2) ? 40 : 6, sets = pick(r, 2);
    sample p = sample_new(1 + pick(r, least), 1 + pick(r, 40));
    int largest = sets ? 1 : 1 + pick(r, 3), dearest = 1 + pick(r, 3), entries = 0, box = pick(r, 3);
    double density = 0.1 + 0.8 * rng_unit(r);
    for (int j = 0; j < p.n; j++) {
        p.start[j] = entries;
        for (int i = 0; i < p.m; i++) {
            if (rng_unit(r) > density) continue;
            p.index[entries] = i;
            p.value[entries++] = 1 + pick(r, largest);
        }
        p.cost[j] = sets ? 1 + pick(r, dearest) : 0.5 * pick(r, 2 * dearest + 1);
        p.cu[j] = 1 + (sets ? 0 : pick(r, 2));
        if (box == 0 || (box == 1 && pick(r, 2))) p.cu[j] = HUGE_VAL;
    }
    p.start[p.n] = entries;
    for (int i = 0; i < p.m; i++) {
        p.rl[i] = sets || pick(r, 4) ? 1 : 1 + pick(r, 3);
        p.ru[i] = p.rl[i] + pick(r, 2);
        if (sets || pick(r, 10)) p.ru[i] = HUGE_VAL;
    }
    return p;
}

static void covering_programs_are_solved_and_proved(void **state)
{
    (void)state;
    enum { ITERATIONS_FACTOR = 50 };
    int count = test_count("VOUCH_LP_COVERING", 1500);
    rng r = rng_seed(4711);
    for (int k = 0; k < count; k++) {
        sample p = covering(&r);
        vouch_lp_outcome outcome = VOUCH_LP_UNSOLVED;
        double optimum = 0;
        for (int way = 0; way < 5; way++) {
            vouch_lp_options options;
            vouch_lp_options_init(&options);
            options.method = way == 2 ? VOUCH_LP_PRIMAL : way == 3 ? VOUCH_LP_DUAL : VOUCH_LP_AUTO;
            options.presolve = way == 0;
            options.factor = way == 4 ? VOUCH_FACTOR_DENSE : VOUCH_FACTOR_AUTO;
            options.limits.iterations = 100000;
            vouch_lp *lp = sample_load(&p);
            vouch_lp_result result = solve_checked(lp, &options);
            if (result.iterations > ITERATIONS_FACTOR * (p.m + p.n))
                fail_msg("program %d, way %d: %lld iterations for %d rows, %d columns", k, way, result.iterations, p.m, p.n);
            if (way == 0) {
                outcome = result.outcome;
                optimum = result.objective;
                assert_true(outcome == VOUCH_LP_OPTIMAL || outcome == VOUCH_LP_INFEASIBLE);
            }
            assert_int_equal(result.outcome, outcome);
            if (outcome == VOUCH_LP_OPTIMAL) assert_near(result.objective, optimum, 1e-9 * (1 + fabs(optimum)));
            vouch_lp_free(lp);
        }
        sample_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(covering_programs_are_solved_and_proved)};
    return run_tests(tests);
}
