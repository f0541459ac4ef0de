/* Pricing rules change the way, never the answer: every rule of both methods on random programs against the defaults. */
#include "lp_aid.h"

#define COUNT(word) +1
enum { DUAL_RULES = 0 VOUCH_LP_DUAL_PRICING(COUNT), PRIMAL_RULES = 0 VOUCH_LP_PRIMAL_PRICING(COUNT) };
#undef COUNT
enum { PROGRAMS = 60 };

/* A x <= b with a feasible start or without, boxed columns or not; now and then infeasible or unbounded. */
static sample drawn(rng *r)
{
    sample p = sample_new(3 + pick(r, 25), 3 + pick(r, 40));
    for (int i = 0; i < p.m; i++) {
        p.ru[i] = pick(r, 30) - 2;
        p.rl[i] = pick(r, 3) ? -(double)INFINITY : p.ru[i] - pick(r, 4);
    }
    for (int j = 0; j < p.n; j++) {
        for (int i = 0; i < p.m; i++) {
            if (pick(r, 3) == 0) entry(&p, i, (pick(r, 5) < 2 ? -1 : 1) * (1 + pick(r, 9)));
        }
        close_column(&p, j);
        p.cost[j] = pick(r, 20) - 8;
        p.cu[j] = pick(r, 3) ? 1.0 + pick(r, 5) : (double)INFINITY;
    }
    return p;
}

static vouch_lp_result solved_by(vouch_lp *lp, vouch_lp_method method, int dual, int primal)
{
    vouch_lp_options options;
    vouch_lp_options_init(&options);
    options.presolve = 0;
    options.method = method;
    options.dual_pricing = dual;
    options.primal_pricing = primal;
    vouch_lp_forget_basis(lp);
    return solve_checked(lp, &options);
}

static void every_rule_has_the_same_answer(void **state)
{
    (void)state;
    rng r = rng_seed(4310);
    long long pivots[DUAL_RULES] = {0};
    for (int number = 0; number < PROGRAMS; number++) {
        sample p = drawn(&r);
        vouch_lp *lp = sample_load(&p);
        vouch_lp_result first = solved_by(lp, VOUCH_LP_AUTO, 0, 0);
        double optimum = first.objective;
        for (int rule = 0; rule < DUAL_RULES; rule++) {
            vouch_lp_result other = solved_by(lp, VOUCH_LP_DUAL, rule, 0);
            pivots[rule] += other.iterations;
            assert_int_equal(other.outcome, first.outcome);
            if (first.outcome == VOUCH_LP_OPTIMAL) assert_near(other.objective, optimum, 1e-9 * (1 + fabs(optimum)));
        }
        for (int rule = 0; rule < PRIMAL_RULES; rule++) {
            vouch_lp_result other = solved_by(lp, VOUCH_LP_PRIMAL, 0, rule);
            assert_int_equal(other.outcome, first.outcome);
            if (first.outcome == VOUCH_LP_OPTIMAL) assert_near(other.objective, optimum, 1e-9 * (1 + fabs(optimum)));
        }
        vouch_lp_free(lp);
        sample_free(&p);
    }
    for (int rule = 1; rule < DUAL_RULES; rule++) assert_int_not_equal(pivots[rule], pivots[0]); /* the option reaches the method */
}

static void a_rule_that_is_not_there_is_refused(void **state)
{
    (void)state;
    rng r = rng_seed(1);
    sample p = drawn(&r);
    vouch_lp *lp = sample_load(&p);
    vouch_lp_options options;
    vouch_lp_options_init(&options);
    options.dual_pricing = DUAL_RULES;
    assert_int_equal(vouch_lp_solve(lp, &options), VOUCH_ERROR_ARGUMENT);
    options.dual_pricing = 0;
    options.primal_pricing = -1;
    assert_int_equal(vouch_lp_solve(lp, &options), VOUCH_ERROR_ARGUMENT);
    vouch_lp_free(lp);
    sample_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_rule_has_the_same_answer),
                                       cmocka_unit_test(a_rule_that_is_not_there_is_refused)};
    return run_tests(tests);
}
