/* The solvers' work on fixed lists of problems: simplex iterations, nodes, backward inductions. A pivot rule, bound, cut, order of branching or
 * heuristic that is broken still ends with the truth, later; only here does it show. Each ceiling is a tenth above the work when it was written down:
 * a change that does less work lowers it, one that does more says why. */
#include "lp_aid.h"

#include <vouch/mip.h>
#include <vouch/plan.h>

#include "mdp/generate.h"

static void at_most(const char *what, long long work, long long ceiling)
{
    if (getenv("VOUCH_WORK")) printf("%-28s %lld\n", what, work);
    if (work > ceiling) fail_msg("%s: %lld, more than %lld", what, work, ceiling);
    if (2 * work < ceiling) print_message("%s: %lld, less than half of %lld: write that down\n", what, work, ceiling);
}

static void test_linear_programs(void **state)
{
    (void)state;
    long long work[3] = {0};
    rng r = rng_seed(3);
    for (int number = 0; number < 120; number++) {
        sample s = number % 2 ? sample_chained_of(&r, 30, 40) : sample_random(&r, 40, 40);
        for (int kind = 0; kind < 3; kind++) {
            vouch_lp *lp = sample_load(&s);
            vouch_lp_options o;
            vouch_lp_options_init(&o);
            o.presolve = kind == 2;
            o.method = kind == 1 ? VOUCH_LP_PRIMAL : VOUCH_LP_DUAL;
            vouch_lp_result result = solve_checked(lp, &o);
            work[kind] += result.iterations;
            vouch_lp_free(lp);
        }
        sample_free(&s);
    }
    at_most("dual iterations", work[0], 1090);
    at_most("primal iterations", work[1], 1010);
    at_most("iterations after presolve", work[2], 515);
}

/* max value'x, weight'x <= half of all the weights in each of `rows` rows, x up to 1 or 3; some columns continuous. */
static vouch_lp *knapsacks(rng *r, int rows, int cols)
{
    sample s = sample_new(rows, cols);
    int e = 0;
    s.maximize = 1;
    for (int i = 0; i < rows; i++) s.rl[i] = -INFINITY;
    for (int j = 0; j < cols; j++) {
        double sum = 0;
        s.cu[j] = j % 3 ? 1 : 3;
        for (int i = 0; i < rows; i++) {
            if (pick(r, 4) == 0) continue;
            double w = 10 + pick(r, 90);
            s.index[e] = i;
            s.value[e++] = w;
            s.ru[i] += floor(w * s.cu[j] / 2);
            sum += w;
        }
        s.start[j + 1] = e;
        s.cost[j] = ceil(sum / rows) + pick(r, 10);
    }
    vouch_lp *lp = sample_load(&s);
    for (int j = 0; j < cols; j++) vouch_lp_set_integer(lp, j, j % 7 != 0);
    sample_free(&s);
    return lp;
}

static void test_integer_programs(void **state)
{
    (void)state;
    long long nodes = 0, iterations = 0;
    rng r = rng_seed(4);
    for (int number = 0; number < 12; number++) {
        vouch_lp *lp = knapsacks(&r, 3 + number % 4, 20 + number);
        vouch_mip *mip;
        vouch_mip_result result;
        assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
        assert_int_equal(vouch_mip_solve(mip, NULL), VOUCH_OK);
        vouch_mip_get_result(mip, &result);
        assert_int_equal(result.outcome, VOUCH_MIP_OPTIMAL);
        nodes += result.nodes;
        iterations += result.iterations;
        vouch_mip_free(mip);
        vouch_lp_free(lp);
    }
    at_most("integer programs: nodes", nodes, 1790);
    at_most("integer programs: iterations", iterations, 19300);
}

static void plan_all(vouch_method method, vouch_engine engine, int count, const random_shape *like, long long most_nodes, long long most_iterations)
{
    long long nodes = 0, iterations = 0;
    char what[80];
    for (int number = 0; number < count; number++) {
        random_shape shape = *like;
        vouch_model *m;
        vouch_plan_options o;
        vouch_policy *policy;
        vouch_plan_result r;
        shape.seed = (uint64_t)number;
        assert_int_equal(generate_random(&m, &shape, NULL), VOUCH_OK);
        vouch_plan_options_init(&o);
        o.method = method;
        o.engine = engine;
        o.lookahead = number % 3;
        assert_int_equal(vouch_plan(m, &o, &policy, NULL), VOUCH_OK);
        vouch_policy_get_result(policy, &r);
        nodes += r.nodes;
        iterations += r.iterations;
        vouch_policy_free(policy);
        vouch_model_free(m);
    }
    snprintf(what, sizeof what, "method %d, engine %d: nodes", (int)method, (int)engine);
    at_most(what, nodes, most_nodes);
    snprintf(what, sizeof what, "method %d, engine %d: iterations", (int)method, (int)engine);
    at_most(what, iterations, most_iterations);
}

static void test_plans(void **state)
{
    (void)state;
    const random_shape wide = {.states = 5, .actions = 3, .environments = 3, .horizon = 5, .probability = 0.4, .branching = 2};
    const random_shape slim = {.states = 4, .actions = 2, .environments = 3, .horizon = 4, .probability = 0.4, .branching = 2};
    plan_all(VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_POLICY, 24, &wide, 3570, 36100);
    plan_all(VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_LP, 9, &slim, 51, 17800);
    plan_all(VOUCH_METHOD_EXACT_CCL, VOUCH_ENGINE_AUTO, 9, &slim, 99, 5460);
    plan_all(VOUCH_METHOD_HISTORY, VOUCH_ENGINE_AUTO, 9, &slim, 10, 92);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_linear_programs), cmocka_unit_test(test_integer_programs), cmocka_unit_test(test_plans)};
    return run_tests(tests);
}
