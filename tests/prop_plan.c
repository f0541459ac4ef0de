/* Random models: every way to plan gives the same optimum, and the brute force agrees where it can.
 *
 * VOUCH_MODELS sets how many models of each family are tried; a failure names the model, so that it can be looked at alone
 * (VOUCH_FIRST = its number, VOUCH_MODELS = 1). The programs take most of the time: they are
 * solved for one L a model unless VOUCH_EVERY_L is set.
 */
#include "plan_aid.h"

#include "know/classes.h"
#include "know/propagate.h"
#include "mdp/dp.h"
#include "oracle/brute.h"
#include "oracle/constrained.h"
#include "oracle/wild.h"
#include "policy/space.h"
#include "plan/search/search.h"
#include "plan/node/debug_policy.h"
#include "program/solve.h"

static const long long BRUTE_STEPS = 60000; /* about a millisecond */
static const int DEBUGGED_NODES = 60;       /* of a search with a debug policy */
static const int POLICY_NODES =
    250; /* of the policy search; VOUCH_NODES: more. A few models need more: then their bounds must be right */
static const int PROGRAM_ITERATIONS = 400; /* simplex steps of a program; VOUCH_ITERATIONS: more */

static struct tally {
    int plans, closed, brute, infeasible, joint, programs, programs_closed, revealed, revealed_closed, lp, lp_closed, debugged,
        trouble;
} tally;

static char family_name[64]; /* what is being tried, printed when something fails */
static int model_number;

static void announce(const char *family, int number)
{
    snprintf(family_name, sizeof family_name, "%s", family);
    model_number = number;
}

/* cmocka leaves a test by a long jump: the place is printed by the next teardown. */
static int say_where(void **state)
{
    (void)state;
    if (model_number >= 0) print_message("last model: %s %d\n", family_name, model_number);
    return 0;
}

/* The random family of the generator: S 3-6, A 2-3, K 2-4, T 3-6, shared and differing transitions, one or several successors. */
static vouch_model *family_model(int number)
{
    vouch_model *m;
    vouch_error error = {0};
    vouch_random_shape z = {.states = 3 + number % 4,
                            .actions = 2 + number / 4 % 2,
                            .environments = 2 + number / 8 % 3,
                            .horizon = 3 + number / 24 % 4,
                            .probability = 0,
                            .branching = number % 3 == 0 ? 1 : number % 3 + 1,
                            .shared_transitions = number / 5 % 2,
                            .seed = (uint64_t)number};
    if (vouch_generate_random(&m, &z, &error)) fail_msg("%s", error.text);
    wild_probability(m, number % 5);
    return m;
}

static vouch_model *wild_number(int number) { return wild_model((uint64_t)number); }

/* ---- one policy space by every road ---------------------------------------------------------------------------- */

/* Optimum of a program by the MILP solver; NAN: not closed. *infeasible is set when that is proved. */
static double milp_value(program *p, bool *infeasible)
{
    vouch_limits limits = {.iterations = test_count("VOUCH_ITERATIONS", PROGRAM_ITERATIONS)};
    deadline limit = deadline_start(&limits);
    program_options options = {.gap = 1e-7, .limit = &limit, .seed = 1, .threads = 1};
    program_solution solution;
    *infeasible = false;
    assert_int_equal(program_solve_mip(p, &options, &solution), VOUCH_OK);
    tally.programs++;
    mem_free(solution.x);
    *infeasible = solution.end == PROGRAM_INFEASIBLE;
    if (solution.end != PROGRAM_SOLVED) return NAN;
    tally.programs_closed++;
    return solution.value;
}

static bool closed(const vouch_policy *p) { return p->outcome == VOUCH_PLAN_OPTIMAL || p->outcome == VOUCH_PLAN_INFEASIBLE; }

/* Two answers about the same policies, either of which may have met a limit. */
static void assert_answers_agree(const vouch_policy *a, const vouch_policy *b)
{
    double x = a->has_policy ? a->max_regret : INFINITY, y = b->has_policy ? b->max_regret : INFINITY;
    assert_true(a->bound <= y + GAP);
    assert_true(b->bound <= x + GAP);
    if (!closed(a) || !closed(b)) return;
    assert_int_equal(a->outcome, b->outcome);
    if (a->has_policy) assert_near(x, y, 2 * GAP);
}

static void assert_program_agrees(program *p, const vouch_policy *policy)
{
    bool infeasible;
    double value = milp_value(p, &infeasible);
    if (infeasible) assert_false(policy->has_policy);
    if (!isnan(value)) {
        assert_true(policy->bound <= value + 2 * GAP);
        if (closed(policy)) assert_near(value, policy->max_regret, 2 * GAP);
    }
    program_free(p);
}

/* Paper and compact form. Their commitment rows hold to the solver's tolerance, not to a hair: half of the evaluation's is given
 * away so that p = the largest probability there is does not become infeasible by rounding. */
static void check_programs(const vouch_model *m, int L, const vouch_policy *policy)
{
    policy_space space;
    program *p;
    double probability[16];
    for (int k = 0; k < m->K; k++) probability[k] = m->p - 0.5e-9;
    space_options so = space_options_for(L);
    assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
    assert_int_equal(
        program_paper(space.g, &(program_aim){space.optimal, probability, &space.averages, PROGRAM_MAX_REGRET, 0, NULL}, &p),
        VOUCH_OK);
    assert_program_agrees(p, policy);
    assert_int_equal(program_compact(space.c,
                                     &(program_aim){space.optimal, probability, &space.averages, PROGRAM_MAX_REGRET, 0, NULL}, true,
                                     &p),
                     VOUCH_OK);
    assert_program_agrees(p, policy);
    space_free(&space);
}

/* Searches again with the brute force's policy, which no node may lose. */
static void check_no_node_loses(const vouch_model *m, int L, const brute *b)
{
    policy_space space;
    search_options options;
    search_result result;
    colgen *r;
    incumbent *inc;
    debug_policy *w;
    space_options so = space_options_for(L);
    so.pareto_cap = PARETO_CAP;
    assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
    const know_graph *g = space.g;
    int *pick = malloc((size_t)g->nodes * sizeof *pick);
    for (int n = 0; n < g->nodes; n++) {
        pick[n] = -1;
        int owner = g->boundary[n] < 0 ? n : g->boundary[n];
        unsigned known = 0;
        for (int i = g->member_start[g->set[owner]]; i < g->member_start[g->set[owner] + 1]; i++) known |= 1u << g->member[i];
        int a = n < g->time_start[g->T] ? brute_action(b, know_time(g, n), g->state[n], g->state[owner], known) : -1;
        for (int c = g->choice_start[n]; a >= 0 && c < g->choice_start[n + 1]; c++)
            if (m->pair_action[g->choice_pair[c]] == a) pick[n] = c;
    }
    assert_int_equal(debug_policy_new(&space, pick, &w), VOUCH_OK);
    assert_near(w->max_regret, b->max_regret, 2e-9 * (1 + fabs(b->max_regret)));
    assert_near(w->total_regret, b->total_regret, 1e-9 * (1 + fabs(b->total_regret)));
    assert_int_equal(incumbent_new(&space, &inc), VOUCH_OK);
    assert_int_equal(colgen_new(&space, &r), VOUCH_OK);
    search_options_init(&options);
    options.debug = w;
    options.most_open = model_number % 2;
    if (model_number % 4 < 3) options.alone = model_number % 4; /* what only long searches do */
    options.limit = deadline_start(&(vouch_limits){.nodes = DEBUGGED_NODES});
    assert_int_equal(search_run(r, inc, MASTER_MAX_REGRET, &options, &result), VOUCH_OK);
    if (result.proved) assert_near(inc->value.max_regret, b->max_regret, GAP);
    if (result.proved) {
        incumbent_seek_total(inc, 0);
        assert_int_equal(search_run(r, inc, MASTER_TOTAL_REGRET, &options, &result), VOUCH_OK);
    }
    tally.debugged++;
    colgen_free(r);
    incumbent_free(inc);
    debug_policy_free(w);
    free(pick);
    space_free(&space);
}

static void check_brute(const vouch_model *m, int L, const vouch_policy *policy)
{
    double optimal[16];
    brute b;
    for (int k = 0; k < m->K; k++) optimal[k] = policy->figures[k].optimal_value;
    if (!policy->has_policy) /* then they are not promised */
        for (int k = 0; k < m->K; k++) assert_int_equal(dp_constrained(m, k, threshold_of(m), &optimal[k], NULL), VOUCH_OK);
    brute_solve(m, L, optimal, BRUTE_STEPS, &b);
    if (b.complete) {
        tally.brute++;
        assert_true(b.found || !policy->has_policy);
        assert_true(policy->bound <= b.max_regret + GAP);
        if (closed(policy)) assert_int_equal(b.found, policy->has_policy);
        if (closed(policy) && b.found) {
            assert_near(policy->max_regret, b.max_regret, GAP);
            if (fabs(policy->max_regret - b.max_regret) <= 1e-9) assert_near(policy->total_regret, b.total_regret, 2 * GAP);
        }
        if (b.found) check_no_node_loses(m, L, &b);
    }
    brute_free(&b);
}

/* With the environment revealed early the bounds are weaker and the optimum is the same. */
static void check_revealed(const vouch_model *m, int L, const vouch_policy *policy)
{
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
    o.class_limit = 1 + model_number % 12;
    o.least_total_regret = 0;
    o.limits.nodes = test_count("VOUCH_NODES", POLICY_NODES);
    vouch_policy *other = plan_by(m, &o);
    assert_sound(m, other);
    assert_answers_agree(other, policy);
    tally.revealed++;
    tally.revealed_closed += closed(other);
    vouch_policy_free(other);
}

static void check_lp_engine(const vouch_model *m, int L, const vouch_policy *policy)
{
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
    vouch_policy *other;
    o.engine = VOUCH_ENGINE_LP;
    o.limits.iterations = test_count("VOUCH_ITERATIONS", PROGRAM_ITERATIONS);
    other = plan_by(m, &o);
    assert_sound(m, other);
    assert_answers_agree(other, policy);
    tally.lp++;
    tally.lp_closed += closed(other);
    vouch_policy_free(other);
}

/* ---- one model ------------------------------------------------------------------------------------------------- */

/* NAN: numerical trouble, which coefficients of 1e-9 can bring about. */
static double constrained_by_program(const vouch_model *m, int k, double probability)
{
    vouch_lp *lp = constrained_program(m, k, probability);
    vouch_lp_options options;
    vouch_lp_result result;
    vouch_lp_options_init(&options);
    options.feasibility_tol = options.optimality_tol = 1e-10;
    assert_int_equal(vouch_lp_solve(lp, &options), VOUCH_OK);
    vouch_lp_get_result(lp, &result);
    assert_true(result.outcome == VOUCH_LP_OPTIMAL || result.outcome == VOUCH_LP_NUMERICAL);
    tally.trouble += result.outcome == VOUCH_LP_NUMERICAL;
    double value = result.outcome == VOUCH_LP_OPTIMAL ? result.objective : NAN;
    vouch_lp_free(lp);
    return value;
}

/* U*_c by the hull walk and by the linear program. They may differ where a policy misses p by less than what counts as
 * kept, and gains by it: then the value lies between the programs for p and for the threshold. */
static void check_constrained(const vouch_model *m)
{
    for (int k = 0; k < m->K; k++) {
        double value, exact = constrained_by_program(m, k, m->p);
        assert_int_equal(dp_constrained(m, k, m->p, &value, NULL), VOUCH_OK);
        assert_false(value < exact - 1e-6);
        if (value > exact + 1e-6) assert_false(value > constrained_by_program(m, k, threshold_of(m)) + 1e-6);
    }
}

/* The history-optimal regret by both engines; returns the lower bound it is for every deterministic policy. */
static double check_history(const vouch_model *m)
{
    vouch_plan_options o = plan_options(VOUCH_METHOD_HISTORY, 0);
    vouch_policy *columns = plan_by(m, &o);
    o.engine = VOUCH_ENGINE_LP;
    vouch_policy *whole = plan_by(m, &o);
    assert_sound(m, columns);
    assert_sound(m, whole);
    assert_int_equal(columns->outcome, whole->outcome);
    double value = INFINITY;
    if (columns->has_policy) {
        assert_int_equal(columns->outcome, VOUCH_PLAN_OPTIMAL);
        assert_int_equal(whole->outcome, VOUCH_PLAN_OPTIMAL);
        assert_near(columns->max_regret, whole->max_regret, GAP);
        value = columns->max_regret;
    }
    vouch_policy_free(columns);
    vouch_policy_free(whole);
    return value;
}

static void check_baselines(const vouch_model *m)
{
    for (vouch_method method = VOUCH_METHOD_GREEDY; method <= VOUCH_METHOD_MDPS_BEST; method++) {
        vouch_plan_options o = plan_options(method, 0);
        vouch_policy *policy = plan_by(m, &o);
        if (policy->outcome == VOUCH_PLAN_FEASIBLE) assert_sound(m, policy);
        vouch_policy_free(policy);
    }
}

static void check_model(const vouch_model *m)
{
    check_constrained(m);
    check_baselines(m);
    double history = check_history(m), markov = INFINITY;
    bool every = getenv("VOUCH_EVERY_L");
    for (int L = 0; L <= m->T; L++) {
        vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
        o.engine = VOUCH_ENGINE_POLICY;
        o.limits.nodes = test_count("VOUCH_NODES", POLICY_NODES);
        vouch_policy *policy = plan_by(m, &o);
        assert_sound(m, policy);
        tally.plans++;
        tally.closed += closed(policy);
        if (policy->outcome == VOUCH_PLAN_INFEASIBLE) {
            tally.infeasible++;
            tally.joint += isfinite(history);
        } else if (policy->has_policy) {
            assert_true(history <= policy->max_regret + GAP);
            if (L == 0) markov = policy->max_regret;
            assert_true(policy->bound <= markov + GAP);
            if (closed(policy)) assert_true(policy->max_regret <= markov + GAP);
        }
        check_brute(m, L, policy);
        if (every || L == model_number % (m->T + 1)) {
            check_revealed(m, L, policy);
            check_lp_engine(m, L, policy);
            check_programs(m, L, policy);
        }
        vouch_policy_free(policy);
    }
}

static void run(const char *family, vouch_model *(*make)(int), int normal)
{
    int first = test_count("VOUCH_FIRST", 0), count = test_share("VOUCH_MODELS", normal);
    for (int i = first; i < first + count; i++) {
        announce(family, i);
        vouch_model *m = make(i);
        check_model(m);
        vouch_model_free(m);
    }
    announce("", -1);
    print_message("%d plans, %d closed, %d infeasible (%d for deterministic policies only); %d by brute force; environment "
                  "revealed: %d, %d closed; "
                  "LP engine: %d, %d closed; paper and compact programs: %d, %d closed\n",
                  tally.plans, tally.closed, tally.infeasible, tally.joint, tally.brute, tally.revealed, tally.revealed_closed,
                  tally.lp, tally.lp_closed, tally.programs, tally.programs_closed);
    if (count >= normal) { /* the family must not degenerate, and few searches may be left open */
        assert_true(tally.closed >= tally.plans * 90 / 100);
        assert_true(tally.trouble <= count / 100);
        assert_true(tally.brute > tally.plans / 6);
        if (make == wild_number) assert_true(tally.joint > 0);
        assert_true(tally.infeasible < tally.plans / 2);
    }
    tally = (struct tally){0};
}

static void test_generated(void **state)
{
    (void)state;
    run("generated", family_model, test_part(32, 96));
}

static void test_wild(void **state)
{
    (void)state;
    run("wild", wild_number, test_part(40, 120));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_generated, say_where),
        cmocka_unit_test_teardown(test_wild, say_where),
    };
    return run_tests(tests);
}
