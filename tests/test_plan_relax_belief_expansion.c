/* History policies where all likelihood classes are too many: bound and policy around the optimum over all of them, which is
 * found where the limit allows it. */
#include "plan_aid.h"

#include <math.h>
#include <string.h>

#include "know/classes.h"
#include "plan/relax/belief_expansion.h"

typedef struct both {
    vouch_policy *whole, *grown;
    int classes; /* all of them */
} both;

/* With all classes, and with a limit of one class less. */
static both plan_both(const vouch_model *m, vouch_objective objective, long long limit)
{
    both x;
    know_graph *g;
    know_classes *c;
    vouch_plan_options o = plan_options(VOUCH_METHOD_HISTORY, 0);
    o.objective = objective;
    assert_int_equal(know_graph_new(m, m->T, NULL, &g, NULL), VOUCH_OK);
    assert_int_equal(know_classes_new(g, NULL, &(class_limits){.classes = 1000000}, &c, NULL), VOUCH_OK);
    x.classes = c->classes;
    know_classes_free(c);
    know_graph_free(g);
    x.whole = plan_by(m, &o);
    o.class_limit = limit > 0 ? limit : x.classes - 1;
    x.grown = plan_by(m, &o);
    return x;
}

static void free_both(both *x)
{
    vouch_policy_free(x->whole);
    vouch_policy_free(x->grown);
}

/* Bound <= optimum <= value in any case. The largest distance left. */
static double check_both(const both *x)
{
    const vouch_policy *whole = x->whole, *grown = x->grown;
    if (grown->outcome == VOUCH_PLAN_INFEASIBLE) assert_int_equal(whole->outcome, VOUCH_PLAN_INFEASIBLE);
    if (grown->has_policy) assert_true(whole->has_policy);
    if (!whole->has_policy) return 0;
    double sign = whole->objective == VOUCH_OBJECTIVE_REGRET ? 1 : -1, best = sign * policy_value(whole),
           bound = sign * grown->bound;
    assert_true(bound <= best + 1e-7);
    if (!grown->has_policy) return INFINITY;
    double value = sign * policy_value(grown);
    assert_true(value >= best - 1e-7);
    if (grown->outcome == VOUCH_PLAN_OPTIMAL) assert_near(value, best, 2 * GAP);
    return value - bound;
}

/* One class less than all is enough for what matters. */
static void what_matters_is_less_than_all(void **state)
{
    (void)state;
    int closed = 0, near = 0, promised = 0;
    static const vouch_objective aim[] = {VOUCH_OBJECTIVE_REGRET, VOUCH_OBJECTIVE_REGRET, VOUCH_OBJECTIVE_WEIGHTED,
                                          VOUCH_OBJECTIVE_MAX_MIN};
    for (uint64_t seed = 1; seed <= 24; seed++) {
        vouch_family_shape shape = {.actions = 2 + (int)(seed % 2),
                                    .environments = 4,
                                    .horizon = 6,
                                    .probability = seed % 3 ? 0.1 * (double)(seed % 5) : 0,
                                    .seed = seed};
        vouch_model *m;
        assert_int_equal(vouch_generate_adaptive(&m, &shape, NULL), VOUCH_OK);
        both x = plan_both(m, aim[seed % 4], 0);
        double left = check_both(&x);
        closed += x.grown->outcome == VOUCH_PLAN_OPTIMAL && x.whole->has_policy;
        near += left < 1e-4;
        promised += x.whole->has_policy && shape.probability > 0;
        free_both(&x);
        vouch_model_free(m);
    }
    if (closed < 20 || near < 22 || promised < 8) fail_msg("%d %d %d", closed, near, promised);
}

/* With one class of a hundred there is a bound still, and with one of eight the optimum. */
static void few_classes_bound_from_both_sides(void **state)
{
    (void)state;
    int better = 0, closed = 0;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        vouch_family_shape shape = {
            .actions = 2, .environments = 4, .horizon = 10, .probability = seed % 2 ? 0 : 0.3, .seed = seed};
        vouch_model *m;
        assert_int_equal(vouch_generate_adaptive(&m, &shape, NULL), VOUCH_OK);
        double left[2];
        for (int i = 0; i < 2; i++) {
            both x = plan_both(m, VOUCH_OBJECTIVE_REGRET, i ? 1500 : 100);
            left[i] = check_both(&x);
            better += i && x.grown->has_policy && x.grown->rules[0].kind == VOUCH_RULE_LIKELIHOOD;
            free_both(&x);
        }
        assert_true(left[1] <= left[0] + 1e-7);
        closed += left[1] < 1e-6;
        vouch_model_free(m);
    }
    if (better < 6 || closed < 14) fail_msg("%d %d", better, closed);
}

/* With many classes the important ones are made first; with a limit as large as the default, all are. */
static void many_classes_are_not_made_where_few_settle_it(void **state)
{
    (void)state;
    int with = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        vouch_family_shape shape = {.actions = 3, .environments = 3, .horizon = 9, .probability = seed % 2 ? 0 : 0.4, .seed = seed};
        vouch_model *m;
        assert_int_equal(vouch_generate_adaptive(&m, &shape, NULL), VOUCH_OK);
        both x = plan_both(m, VOUCH_OBJECTIVE_REGRET, 1000000); /* `whole` has no limit here, and `grown` all classes */
        assert_true(x.classes > 20000);
        assert_int_equal(x.whole->outcome, x.grown->outcome);
        assert_int_equal(x.whole->has_policy, x.grown->has_policy);
        if (x.whole->has_policy) assert_near(x.whole->max_regret, x.grown->max_regret, GAP);
        if (x.whole->has_policy) assert_true(x.whole->bound <= x.grown->max_regret + 1e-7);
        with += x.whole->has_policy;
        free_both(&x);
        vouch_model_free(m);
    }
    if (with < 3) fail_msg("%d", with);
}

/* L = 0 .. 2, in slices of work: the bound grows, never exceeds the least regret, and ends at the optimum of history policies; a
 * search reports it. */
static void policies_that_forget_are_bounded_too(void **state)
{
    (void)state;
    const vouch_limits none = {0};
    int tight = 0, planned = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        vouch_family_shape shape = {.states = 3, .actions = 2, .environments = 3, .horizon = 4, .concentration = 5, .seed = seed};
        shape.probability = seed % 2 ? 0 : 0.2;
        vouch_model *m;
        assert_int_equal(vouch_generate_random_dense(&m, &shape, NULL), VOUCH_OK);
        int L = (int)(seed % 3);
        vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L), all = plan_options(VOUCH_METHOD_HISTORY, L);
        vouch_policy *best = plan_by(m, &o), *history = plan_by(m, &all), shown = {0};
        plan_call call = {.m = m, .options = &o, .limit = deadline_start(&none), .policy = &shown};
        policy_space space;
        space_options so = space_options_for(L);
        so.classes = 0;
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        belief_expansion *x = NULL;
        bool alone = true; /* each environment keeps its promise by itself, or nothing is searched */
        for (int k = 0; k < space.K; k++) alone &= isfinite(space.optimal[k]);
        o.gap = seed % 4 ? GAP : 10; /* their mixtures are not what a search for forgetful policies compares with */
        if (alone) assert_int_equal(expansion_begin(&call, &space, &x), VOUCH_OK);
        double before = -INFINITY;
        for (int slice = 0; slice < 40 && x && !expansion_over(x); slice++) {
            assert_int_equal(expansion_continue(x, 1e5, 0, &call.limit), VOUCH_OK);
            assert_true(expansion_bound(x) >= before);
            before = expansion_bound(x);
            if (best->has_policy) assert_true(before <= best->max_regret + 1e-7);
        }
        if (best->has_policy && history->has_policy) assert_true(before >= history->bound - 1e-3 * (1 + history->bound));
        planned += best->has_policy;
        tight += best->has_policy && expansion_over(x);
        expansion_end(x);
        vouch_policy_free(best);
        vouch_policy_free(history);
        space_free(&space);
        vouch_model_free(m);
    }
    if (planned < 8 || tight < 6) fail_msg("%d %d", planned, tight);
}

/* Lines of the log that hold these words. */
typedef struct sought {
    const char *words;
    int lines;
} sought;

static void look(void *context, vouch_log_level level, const char *message)
{
    (void)level;
    sought *s = context;
    s->lines += strstr(message, s->words) != NULL;
}

static vouch_log log_into(sought *s) { return (vouch_log){.level = VOUCH_LOG_DETAIL, .write = look, .context = s}; }

/* Their bound ends a search whose own bound is lower, with the same bytes for any number of threads, and is logged. */
static void a_search_ends_by_their_bound(void **state)
{
    (void)state;
    vouch_family_shape shape = {.environments = 5, .horizon = 14, .concentration = 5, .seed = 1};
    vouch_model *m;
    sought asked = {.words = "expanded classes"}, without = asked;
    assert_int_equal(vouch_generate_machine_repair(&m, &shape, NULL), VOUCH_OK);
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 0);
    o.gap = 0.71;
    o.without = "stagewise";
    o.least_total_regret = 0;
    o.log = log_into(&asked);
    vouch_policy *p = plan_by(m, &o);
    assert_true(asked.lines > 0);
    assert_int_equal(p->outcome, VOUCH_PLAN_OPTIMAL);
    assert_true(p->max_regret - p->bound <= o.gap);
    assert_true(p->bound > 1);
    o.log = (vouch_log){0};
    assert_same_bytes(m, o);
    o.limits.iterations = 2000;
    o.log = log_into(&without);
    vouch_policy *counted = plan_by(m, &o);
    assert_int_equal(without.lines, 0);
    vouch_policy_free(counted);
    vouch_policy_free(p);
    vouch_model_free(m);
}

/* A search goes on upon the first of them, to the optimum and to the same bytes with any number of threads. */
static void a_search_goes_on_upon_them(void **state)
{
    (void)state;
    vouch_family_shape shape = {.environments = 6, .horizon = 10, .concentration = 5, .seed = 1};
    vouch_model *m;
    sought level = {.words = "expanded classes are a level"};
    assert_int_equal(vouch_generate_machine_repair(&m, &shape, NULL), VOUCH_OK);
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 0);
    o.least_total_regret = 0;
    o.log = log_into(&level);
    vouch_policy *p = plan_by(m, &o);
    assert_int_equal(level.lines, 1);
    assert_int_equal(p->outcome, VOUCH_PLAN_OPTIMAL);
    o.log = (vouch_log){0};
    assert_same_bytes(m, o);
    o.without = "levels";
    vouch_policy *finest = plan_by(m, &o);
    assert_int_equal(finest->outcome, VOUCH_PLAN_OPTIMAL);
    assert_near(p->max_regret, finest->max_regret, 2e-6);
    vouch_policy_free(finest);
    vouch_policy_free(p);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_matters_is_less_than_all),     cmocka_unit_test(many_classes_are_not_made_where_few_settle_it),
        cmocka_unit_test(few_classes_bound_from_both_sides), cmocka_unit_test(policies_that_forget_are_bounded_too),
        cmocka_unit_test(a_search_ends_by_their_bound),      cmocka_unit_test(a_search_goes_on_upon_them),
    };
    return run_tests(tests);
}
