/* Limits end every method: an expired clock stops each linear program inside, and the best result so far is returned with its
 * status. */
#include "test.h"

#include <signal.h>
#include <vouch/vouch.h>

#include "base/memory.h"
#include "know/induction.h"
#include <vouch/generate.h>
#include "nlp/minimax.h"
#include "policy/policy.h"
#include "policy/space.h"
#include "program/bilinear.h"
#include "program/program.h"

static volatile sig_atomic_t over = 1;
static const deadline expired = {.limits = {.interrupt = &over}};

static vouch_model *hard_model(void)
{
    vouch_model *m;
    vouch_error error = {0};
    vouch_random_shape shape = {
        .states = 5, .actions = 3, .environments = 3, .horizon = 5, .probability = 0.5, .branching = 3, .seed = 11};
    if (vouch_generate_random(&m, &shape, &error)) fail_msg("%s", error.text);
    return m;
}

static void the_master_stops_at_its_limit(void **state)
{
    (void)state;
    static const double p[2] = {0.5, 0.5}, regret[3][2] = {{0, 3}, {3, 0}, {5, 5}}, pr[3][2] = {{0.2, 0.9}, {0.9, 0.2}, {1, 1}};
    for (int late = 0; late < 2; late++) {
        master *m;
        bool ok;
        double lambda[2], nu[2], mu[2], alpha[3];
        master_optimum optimum = {0, lambda, nu, mu, alpha};
        assert_int_equal(master_new(2, NULL, NULL, &m), VOUCH_OK);
        assert_int_equal(master_reset(m, MASTER_MAX_REGRET, p, 0, 0, NULL), VOUCH_OK);
        for (int i = 0; i < 3; i++) assert_int_equal(master_add(m, regret[i], pr[i]), VOUCH_OK);
        assert_int_equal(master_solve(m, false, late ? &expired : NULL, &ok, &optimum), VOUCH_OK);
        assert_int_equal(ok, !late);
        master_free(m);
    }
}

static void test_box_master_stops(void **state)
{
    (void)state;
    vouch_model *m = hard_model();
    policy_space space;
    space_options so = space_options_for(0);
    assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
    size_t K = (size_t)space.K, choices = (size_t)space.g->choices, size = choices * K;
    double *zero = MEM_ZERO(double, 3 * size + 4 * K), *one = MEM_NEW(double, size), *y = zero + size, *pr = y + 2 * size;
    for (size_t i = 0; i < size; i++) one[i] = 1;
    for (size_t k = 0; k < K; k++) pr[k] = 1;
    for (int late = 0; late < 2; late++) {
        box_master *b;
        bool ok;
        assert_int_equal(box_master_new(space.g, &space.averages, &b), VOUCH_OK);
        assert_int_equal(box_master_start(b, space.p, 0, 10, (box_ranges){zero, one, zero, one}), VOUCH_OK);
        assert_int_equal(box_master_add(b, one, pr, zero), VOUCH_OK);
        box_master_optimum optimum = {0, pr + K, pr + 2 * K, y, y + size};
        assert_int_equal(box_master_solve(b, late ? &expired : NULL, &ok, &optimum), VOUCH_OK);
        assert_int_equal(ok, !late);
        box_master_free(b);
    }
    mem_free(zero);
    mem_free(one);
    space_free(&space);
    vouch_model_free(m);
}

static void the_step_stops_at_its_limit(void **state)
{
    (void)state;
    vouch_model *m = hard_model();
    policy_space space;
    bilinear *b;
    space_options so = space_options_for(0);
    assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
    assert_int_equal(bilinear_new(space.g, &(bilinear_aim){space.optimal, space.p, &space.averages, NULL}, &b), VOUCH_OK);
    const minimax *p = &b->problem;
    size_t K = (size_t)p->K, n = (size_t)p->n;
    double *x = MEM_NEW(double, 2 * n), *f = MEM_NEW(double, 2 * K), *df = MEM_NEW(double, 2 * n * K);
    for (int i = 0; i < p->blocks; i++)
        for (int j = p->block_start[i]; j < p->block_start[i + 1]; j++) x[j] = 1.0 / (p->block_start[i + 1] - p->block_start[i]);
    p->evaluate(p->context, x, f, f + K);
    p->gradient(p->context, df, df + n * K);
    for (int late = 0; late < 2; late++) {
        minimax_step *step;
        bool ok;
        const minimax_point at = {x, f, f + K, df, df + n * K};
        const minimax_move move = {0, p->blocks, 0.5, 20};
        minimax_trial trial = {.y = x + n};
        assert_int_equal(minimax_step_new(p, &step), VOUCH_OK);
        assert_int_equal(minimax_step_solve(step, &at, &move, late ? &expired : NULL, &ok, &trial), VOUCH_OK);
        assert_int_equal(ok, !late);
        if (late) assert_int_equal(minimax_step_work(step), 0);
        minimax_step_free(step);
    }
    mem_free(x);
    mem_free(f);
    mem_free(df);
    bilinear_free(b);
    space_free(&space);
    vouch_model_free(m);
}

/* Frontiers and classes that there is no time for are left out or coarse; nodes fail. */
static void test_details_are_left_out(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_error error = {0};
    assert_int_equal(vouch_generate_twin_states(&m, 7, &error), VOUCH_OK);
    policy_space space;
    space_options so = space_options_for(2);
    so.pareto_cap = PARETO_CAP;
    assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
    assert_true(space.f->vectors > 0);
    assert_int_equal(space.c->cut, m->T + 1);
    space_free(&space);
    so.detail = &expired;
    assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
    assert_int_equal(space.f->vectors, 0);
    assert_true(space.c->cut <= m->T);
    space_free(&space);
    so.limit = &expired;
    assert_int_equal(space_make(m, &so, &space, &error), VOUCH_ERROR_SIZE);
    vouch_model_free(m);
}

/* Every method and engine ends with an answer and a valid bound when the time is over before it begins. */
static void test_no_time_at_all(void **state)
{
    (void)state;
    vouch_model *m = hard_model();
    for (int method = VOUCH_METHOD_MILP_CCL; method <= VOUCH_METHOD_MDPS_BEST; method++)
        for (int engine = VOUCH_ENGINE_AUTO; engine <= VOUCH_ENGINE_LP; engine++)
            for (int L = 0; L <= 2; L += 2) {
                vouch_plan_options o;
                vouch_policy *p;
                vouch_plan_result r, full;
                vouch_error error = {0};
                vouch_plan_options_init(&o);
                o.method = (vouch_method)method;
                o.engine = (vouch_engine)engine;
                o.lookahead = L;
                o.limits.interrupt = &over;
                if (vouch_plan(&p, m, &o, &error)) fail_msg("%s", error.text);
                vouch_policy_get_result(p, &r);
                assert_true(r.outcome == VOUCH_PLAN_LIMIT || r.outcome == VOUCH_PLAN_FEASIBLE);
                if (method <= VOUCH_METHOD_HISTORY) assert_int_equal(r.has_policy, r.outcome == VOUCH_PLAN_FEASIBLE);
                if (method == VOUCH_METHOD_HISTORY) assert_true(p->too_large); /* what explaining calls too many histories */
                assert_true(r.iterations <= 10);
                double bound = r.bound;
                vouch_policy_free(p);
                o.limits.interrupt = NULL;
                o.engine = VOUCH_ENGINE_AUTO;
                if (vouch_plan(&p, m, &o, &error)) fail_msg("%s", error.text);
                vouch_policy_get_result(p, &full);
                if (full.has_policy) assert_true(bound <= full.max_regret + 1e-6);
                vouch_policy_free(p);
            }
    vouch_model_free(m);
}

/* Without any time there is a policy that keeps the promises nonetheless; of a model whose optima take long they, and so regrets,
 * are upper bounds then, and said to be. */
static void a_first_policy_takes_no_time(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        vouch_model *m;
        vouch_error error = {0};
        vouch_family_shape shape = {
            .states = 30, .actions = 2, .environments = 3, .horizon = i ? 200 : 20, .probability = 0.3, .seed = 1};
        vouch_plan_options o;
        vouch_policy *p;
        vouch_plan_result r;
        vouch_environment_figures exact[3];
        int kept;
        double most = 0;
        if (i == 2 ? vouch_generate_corridor(&m, 2500, 0.5, &error) : vouch_generate_random_dense(&m, &shape, &error))
            fail_msg("%s", error.text);
        vouch_plan_options_init(&o);
        o.limits.interrupt = &over;
        o.lookahead = i;
        if (vouch_plan(&p, m, &o, &error)) fail_msg("%s", error.text);
        vouch_policy_get_result(p, &r);
        assert_int_equal(r.outcome, VOUCH_PLAN_FEASIBLE);
        assert_int_equal(r.optima_bounded, i > 0);
        if (vouch_policy_evaluate(p, m, exact, &kept, &error)) fail_msg("%s", error.text);
        assert_int_equal(kept, 1);
        for (int k = 0; k < r.environments; k++) {
            if (i == 0) assert_true(r.figures[k].optimal_value == exact[k].optimal_value);
            if (i > 0) assert_true(r.figures[k].optimal_value > exact[k].optimal_value);
            most = fmax(most, exact[k].regret);
        }
        assert_true(r.max_regret >= most && r.bound <= most);
        vouch_policy_free(p);
        vouch_model_free(m);
    }
}

/* The limit of iterations ends the search at the same point for any number of threads. */
static void test_iterations_are_obeyed(void **state)
{
    (void)state;
    static const long long allowed[] = {20, 1, 200};
    vouch_model *m = hard_model();
    int ended = 0;
    for (int method = VOUCH_METHOD_MILP_CCL; method <= VOUCH_METHOD_HISTORY; method++)
        for (int engine = VOUCH_ENGINE_POLICY; engine <= VOUCH_ENGINE_LP; engine++)
            for (int L = 0; L <= 1; L++) {
                long long slack = method == VOUCH_METHOD_EXACT_CCL ? 3000 : 300; /* one descent or one node may be under way */
                vouch_plan_options o;
                vouch_policy *p;
                vouch_plan_result full, r, other;
                vouch_error error = {0};
                vouch_plan_options_init(&o);
                o.method = (vouch_method)method;
                o.engine = (vouch_engine)engine;
                o.lookahead = L;
                o.limits.iterations = 4000;
                if (vouch_plan(&p, m, &o, &error)) fail_msg("%s", error.text);
                vouch_policy_get_result(p, &full);
                vouch_policy_free(p);
                for (int i = 0; i < test_part(1, 3); i++) {
                    o.limits.iterations = allowed[i];
                    o.threads = 1;
                    if (vouch_plan(&p, m, &o, &error)) fail_msg("%s", error.text);
                    vouch_policy_get_result(p, &r);
                    if (r.iterations > 2 * allowed[i] + slack)
                        fail_msg("method %d, engine %d, L %d: %lld iterations of %lld", method, engine, L, r.iterations,
                                 allowed[i]);
                    assert_true(r.has_policy || r.outcome == VOUCH_PLAN_LIMIT);
                    if (full.has_policy) assert_true(r.bound <= full.max_regret + 1e-6);
                    if (full.iterations > 2 * allowed[i] + slack) ended += r.outcome != VOUCH_PLAN_OPTIMAL;
                    vouch_policy_free(p);
                    o.threads = 3;
                    if (vouch_plan(&p, m, &o, &error)) fail_msg("%s", error.text);
                    vouch_policy_get_result(p, &other);
                    assert_int_equal(r.outcome, other.outcome);
                    assert_int_equal(r.iterations, other.iterations);
                    assert_true(r.bound == other.bound);
                    vouch_policy_free(p);
                }
            }
    assert_true(ended > 0);
    vouch_model_free(m);
}

/* History with more likelihood classes than there may be: a bound below the optimum, and a policy no worse than a Markov one if any
 * keeps the promise; an early end of it proves infeasibility only where there is no plan, and where the bound meets the policy it
 * is optimal. */
static void a_history_of_too_many_classes_is_no_worse_than_a_markov_plan(void **state)
{
    (void)state;
    int with = 0, infeasible = 0, optimal = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        vouch_model *m;
        vouch_error error = {0};
        vouch_random_shape shape = {
            .states = 4, .actions = 2, .environments = 3, .horizon = 4, .probability = 0.2, .branching = 3, .seed = seed};
        if (seed % 4 == 1) shape.environments = 1;
        vouch_plan_options o;
        vouch_policy *whole, *markov, *cut;
        vouch_plan_result best, least, r;
        if (vouch_generate_random(&m, &shape, &error)) fail_msg("%s", error.text);
        if (seed % 4 == 0) assert_int_equal(vouch_model_set_probability(m, 1), VOUCH_OK);
        vouch_plan_options_init(&o);
        o.lookahead = 0;
        if (vouch_plan(&markov, m, &o, &error)) fail_msg("%s", error.text);
        o.method = VOUCH_METHOD_HISTORY;
        if (vouch_plan(&whole, m, &o, &error)) fail_msg("%s", error.text);
        o.class_limit = 3;
        if (vouch_plan(&cut, m, &o, &error)) fail_msg("%s", error.text);
        vouch_policy_get_result(whole, &best);
        vouch_policy_get_result(markov, &least);
        vouch_policy_get_result(cut, &r);
        assert_int_equal(r.has_policy, least.has_policy);
        with += r.has_policy;
        infeasible += r.outcome == VOUCH_PLAN_INFEASIBLE;
        if (r.outcome == VOUCH_PLAN_INFEASIBLE) assert_false(best.has_policy);
        if (best.has_policy) assert_true(r.bound <= best.max_regret + 1e-6);
        if (r.has_policy) assert_true(r.max_regret <= least.max_regret + 1e-6);
        if (r.has_policy) assert_int_equal(r.outcome == VOUCH_PLAN_OPTIMAL, r.max_regret - r.bound <= 1e-6);
        optimal += r.outcome == VOUCH_PLAN_OPTIMAL;
        if (r.outcome == VOUCH_PLAN_OPTIMAL) assert_near(r.max_regret, best.max_regret, 1e-6);
        vouch_policy_free(whole);
        vouch_policy_free(markov);
        vouch_policy_free(cut);
        vouch_model_free(m);
    }
    if (with < 4 || infeasible < 1 || optimal < 1 || optimal == with) fail_msg("%d %d %d", with, infeasible, optimal);
}

/* Too many classes for all history policies need not be too many for one: its figures are exact and lie between the optima of all
 * and of Markov policies; they are computed again from its rules alone, and a missing rule is reported. */
static void a_history_policy_may_be_followed_along_its_own_classes(void **state)
{
    (void)state;
    int better = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        vouch_model *m;
        vouch_error error = {0};
        vouch_family_shape shape = {.actions = 2, .environments = 4, .horizon = 9, .probability = seed % 2 ? 0 : 0.3, .seed = seed};
        if (vouch_generate_adaptive(&m, &shape, &error)) fail_msg("%s", error.text);
        vouch_plan_options o;
        vouch_policy *whole, *markov, *cut;
        vouch_plan_options_init(&o);
        if (vouch_plan(&markov, m, &o, &error)) fail_msg("%s", error.text);
        o.method = VOUCH_METHOD_HISTORY;
        if (vouch_plan(&whole, m, &o, &error)) fail_msg("%s", error.text);
        o.class_limit = 1000;
        if (vouch_plan(&cut, m, &o, &error)) fail_msg("%s", error.text);
        if (cut->has_policy && cut->rules[0].kind == VOUCH_RULE_LIKELIHOOD) {
            better += cut->max_regret < markov->max_regret - 1e-6;
            assert_true(cut->max_regret >= whole->max_regret - 1e-7 && cut->max_regret <= markov->max_regret + 1e-7);
            assert_true(cut->bound <= whole->max_regret + 1e-7);
            know_limits most = {.nodes = 100000, .edges = 1000000};
            know_graph *g;
            know_classes *c;
            class_plans *plans;
            int bare;
            size_t first = 3;
            double *prob, *reach, U[4], Pr[4];
            assert_int_equal(know_graph_new(m, m->T, &most, &g, &error), VOUCH_OK);
            assert_int_equal(rules_to_reached(cut, g, 50, &c, &prob, &plans, &error), VOUCH_ERROR_SIZE);
            assert_int_equal(rules_to_reached(cut, g, 5000, &c, &prob, &plans, &error), VOUCH_OK);
            reach = plans_propagate(c, prob, plans, U, Pr, &bare);
            assert_true(reach && bare < 0);
            mem_free(reach);
            for (int k = 0; k < 4; k++) {
                assert_near(U[k], cut->figures[k].value, 1e-12);
                assert_near(Pr[k], cut->figures[k].commitment_probability, 1e-12);
            }
            know_classes_free(c);
            mem_free(prob);
            class_plans_free(plans);
            cut->rule_count--;
            assert_int_equal(rules_to_reached(cut, g, 5000, &c, &prob, &plans, &error), VOUCH_OK);
            reach = plans_propagate(c, prob, plans, U, Pr, &bare);
            assert_true(reach && bare >= 0);
            mem_free(reach);
            know_classes_free(c);
            mem_free(prob);
            class_plans_free(plans);
            while (cut->rules[first].next) first++;
            cut->rules[first].prob[0] = 0.5;
            assert_int_equal(rules_to_reached(cut, g, 5000, &c, &prob, &plans, &error), VOUCH_ERROR_INPUT);
            char place[32];
            snprintf(place, sizeof place, "rules[%zu]", first);
            assert_true(strstr(error.text, place) != NULL);
            know_graph_free(g);
        }
        vouch_policy_free(whole);
        vouch_policy_free(markov);
        vouch_policy_free(cut);
        vouch_model_free(m);
    }
    if (better < 1) fail_msg("%d", better);
}

/* Progress of a plan, interrupted once it reports a first policy. */
typedef struct telling {
    volatile sig_atomic_t stop;
    int calls;
    double first;
} telling;

static void tell(void *context, const vouch_plan_progress *p)
{
    telling *t = context;
    if (t->calls++ > 0) return;
    assert_true(isinf(p->bound) && p->bound < 0);
    t->first = p->incumbent;
    t->stop = 1;
}

/* More states than a cache holds, one action; the successors form a binary tree. */
static vouch_model *wide_model(void)
{
    enum { STATES = 33000, HORIZON = 35 };
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, STATES, 1, 3, HORIZON), VOUCH_OK);
    for (int k = 0; k < 3; k++)
        for (int s = 0; s < STATES; s++)
            for (int i = 1; i <= 2; i++)
                assert_int_equal(vouch_model_add(m, k, s, 0, (2 * s + i) % STATES, 0.5, s % (k + 2)), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    return m;
}

/* For a large model a feasible policy is reported before the optima are computed; interrupted then, the plan returns it. */
static void a_large_model_has_a_first_policy(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) { /* the graphs of the last three are not made in no time either */
        int L = i < 3 ? i : 0;
        vouch_model *m;
        vouch_error error = {0};
        vouch_family_shape shape = {.states = 40, .actions = 2, .environments = 3, .horizon = 500, .probability = 0.3, .seed = 2};
        vouch_plan_options o;
        vouch_policy *p;
        vouch_plan_result r;
        vouch_environment_figures exact[3];
        int kept;
        telling t = {0};
        if (i >= 2)
            m = wide_model();
        else if (vouch_generate_random_dense(&m, &shape, &error))
            fail_msg("%s", error.text);
        vouch_plan_options_init(&o);
        o.limits.interrupt = &t.stop;
        o.progress = tell;
        o.progress_context = &t;
        o.lookahead = L;
        o.method = i == 3 ? VOUCH_METHOD_EXACT_CCL : i == 4 ? VOUCH_METHOD_HISTORY : VOUCH_METHOD_MILP_CCL;
        if (vouch_plan(&p, m, &o, &error)) fail_msg("%s", error.text);
        vouch_policy_get_result(p, &r);
        assert_int_equal(r.outcome, VOUCH_PLAN_FEASIBLE);
        assert_true(r.optima_bounded);
        assert_int_equal(r.bound <= 0, 1);
        if (i >= 2) {
            assert_int_equal(vouch_policy_lookahead(p), 0);
            assert_true(vouch_policy_rules(p) > 10000);
        } else {
            if (vouch_policy_evaluate(p, m, exact, &kept, &error)) fail_msg("%s", error.text);
            assert_int_equal(kept, 1);
            for (int k = 0; k < 3; k++) assert_true(exact[k].regret <= t.first + 1e-9);
        }
        vouch_policy_free(p);
        vouch_model_free(m);
    }
}

/* The first log lines, until policies are reported. */
typedef struct order {
    volatile sig_atomic_t policies;
    int classes; /* told before */
} order;

static void note_policies(void *context, const vouch_plan_progress *p)
{
    if (strcmp(p->stage, "the first policy improved") == 0) ((order *)context)->policies = 1;
}

static void note_classes(void *context, vouch_log_level level, const char *text)
{
    (void)level;
    if (strstr(text, "likelihood classes")) ((order *)context)->classes++;
}

/* Where there is a time limit policies of a large model are improved before classes are made, which may take all of it. */
static void policies_come_before_classes(void **state)
{
    (void)state;
    for (int limited = 0; limited < 2; limited++) {
        vouch_model *m;
        vouch_error error = {0};
        vouch_family_shape shape = {.states = 60, .actions = 2, .environments = 3, .horizon = 50, .probability = 0.3, .seed = 2};
        vouch_plan_options o;
        vouch_policy *p;
        order seen = {0};
        if (vouch_generate_random_dense(&m, &shape, &error)) fail_msg("%s", error.text);
        vouch_plan_options_init(&o);
        o.limits = (vouch_limits){.seconds = limited ? 1e6 : 0, .interrupt = &seen.policies};
        o.progress = note_policies;
        o.log = (vouch_log){note_classes, &seen, VOUCH_LOG_DETAIL};
        o.progress_context = &seen;
        o.lookahead = 1;
        if (vouch_plan(&p, m, &o, &error)) fail_msg("%s", error.text);
        assert_true(seen.policies);
        assert_int_equal(seen.classes > 0, !limited);
        vouch_policy_free(p);
        vouch_model_free(m);
    }
}

/* A budget gives parts of what is left, each at least 1, and is used up by its nodes or its iterations. */
static void a_budget_gives_parts_of_what_is_left(void **state)
{
    (void)state;
    deadline whole = deadline_start(&(vouch_limits){.nodes = 10, .iterations = 100}),
             unlimited = deadline_start(&(vouch_limits){0});
    deadline_use(&whole, 4, 30);
    deadline part = deadline_part(&whole, 0, 50);
    assert_int_equal(part.limits.nodes, 6);
    assert_int_equal(part.limits.iterations, 50);
    assert_int_equal(deadline_iterations_left(&part, 50), -1);
    assert_false(deadline_used_up(&part));
    deadline_use(&whole, 6, 0);
    assert_true(deadline_used_up(&whole));
    assert_int_equal(deadline_part(&whole, 3, 0).limits.nodes, 1);
    assert_int_equal(deadline_part(&unlimited, 3, 0).limits.nodes, 3);
    deadline_use(&unlimited, 1000, 1000);
    assert_false(deadline_used_up(&unlimited));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_budget_gives_parts_of_what_is_left),
        cmocka_unit_test(the_master_stops_at_its_limit),
        cmocka_unit_test(test_box_master_stops),
        cmocka_unit_test(the_step_stops_at_its_limit),
        cmocka_unit_test(test_details_are_left_out),
        cmocka_unit_test(test_no_time_at_all),
        cmocka_unit_test(a_first_policy_takes_no_time),
        cmocka_unit_test(a_large_model_has_a_first_policy),
        cmocka_unit_test(policies_come_before_classes),
        cmocka_unit_test(test_iterations_are_obeyed),
        cmocka_unit_test(a_history_of_too_many_classes_is_no_worse_than_a_markov_plan),
        cmocka_unit_test(a_history_policy_may_be_followed_along_its_own_classes),
    };
    return run_tests(tests);
}
