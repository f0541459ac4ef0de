/* Policies by look-ahead over knowledge states: guessing games with sure promises in graphs too large to search, proofs of
 * infeasibility, and policies lifted to a larger graph or L, which behave the same. */
#include "plan_aid.h"

#include "know/graph.h"
#include "oracle/wild.h"
#include "plan/heuristic/initial.h"
#include "plan/heuristic/local_search.h"

/* Guess a code of 4 digits of `colours` in T guesses; the number of right digits is observed. State: 1 + right digits of the last
 * guess; 0: the start. */
static vouch_model *guessing(int colours, int T)
{
    enum { DIGITS = 3 };
    int codes = colours * colours * colours;
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, DIGITS + 2, codes, codes, T), VOUCH_OK);
    assert_int_equal(vouch_model_set_initial(m, 0), VOUCH_OK);
    assert_int_equal(vouch_model_set_commitment(m, DIGITS + 1, 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_probability(m, 1), VOUCH_OK);
    for (int guess = 0; guess < codes; guess++)
        for (int code = 0; code < codes; code++)
            for (int s = 0; s < DIGITS + 2; s++) {
                int right = 0;
                for (int d = 0, a = guess, b = code; d < DIGITS; d++, a /= colours, b /= colours)
                    right += a % colours == b % colours;
                int next = s == DIGITS + 1 ? s : right + 1;
                assert_int_equal(vouch_model_add(m, code, s, guess, next, 1, 0), VOUCH_OK);
            }
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    return m;
}

static void games_are_won(void **state)
{
    (void)state;
    static const struct {
        int colours, T, L;
        vouch_plan_outcome outcome;
    } games[] = {{2, 4, 4, VOUCH_PLAN_OPTIMAL},    {3, 6, 6, VOUCH_PLAN_OPTIMAL},    {3, 6, 5, VOUCH_PLAN_OPTIMAL},
                 {3, 2, 2, VOUCH_PLAN_INFEASIBLE}, {4, 2, 2, VOUCH_PLAN_INFEASIBLE}, {3, 2, 0, VOUCH_PLAN_INFEASIBLE}};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        vouch_model *m = guessing(games[i].colours, games[i].T);
        vouch_policy *policy = plan_ccl_by(m, games[i].L, VOUCH_ENGINE_AUTO);
        assert_int_equal(policy->outcome, games[i].outcome);
        if (policy->has_policy) {
            assert_int_equal(policy->L, games[i].L);
            int kept = 0;
            assert_int_equal(evaluate_again(policy, m, &kept, NULL), VOUCH_OK);
            assert_true(kept);
        }
        vouch_policy_free(policy);
        vouch_model_free(m);
    }
}

/* Something is in one of n cells of a line, one step a move, and noticed by who is there. State 2 c: at c, 2 c + 1: and it is
 * there. */
static vouch_model *hiding(int n, int T)
{
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, 2 * n, 2, n, T), VOUCH_OK);
    assert_int_equal(vouch_model_set_initial(m, n / 2 * 2), VOUCH_OK);
    for (int c = 0; c < n; c++) assert_int_equal(vouch_model_set_commitment(m, 2 * c + 1, 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_probability(m, 1), VOUCH_OK);
    for (int k = 0; k < n; k++)
        for (int c = 0; c < n; c++)
            for (int a = 0; a < 2; a++) {
                int to = a == 0 ? c > 0 ? c - 1 : c : c < n - 1 ? c + 1 : c;
                assert_int_equal(vouch_model_add(m, k, 2 * c, a, 2 * to + (to == k), 1, 0), VOUCH_OK);
                assert_int_equal(vouch_model_add(m, k, 2 * c + 1, a, c == k ? 2 * c + 1 : 2 * to, 1, 0), VOUCH_OK);
            }
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    return m;
}

/* 2^bits settings of hidden switches. An action reads one switch (next state 1 or 2) or enters a code: state 3 if it is the setting
 * modulo the number of codes, else 4. */
static vouch_model *switches(int bits, int codes, int T, double p)
{
    enum { ENTERED = 3, WRONG = 4 };
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, 5, bits + codes, 1 << bits, T), VOUCH_OK);
    assert_int_equal(vouch_model_set_initial(m, 0), VOUCH_OK);
    assert_int_equal(vouch_model_set_commitment(m, ENTERED, 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_probability(m, p), VOUCH_OK);
    for (int k = 0; k < 1 << bits; k++)
        for (int s = 0; s < 5; s++)
            for (int a = 0; a < bits + codes; a++) {
                int to = s >= ENTERED ? s : a < bits ? 1 + (k >> a & 1) : k % codes == a - bits ? ENTERED : WRONG;
                assert_int_equal(vouch_model_add(m, k, s, a, to, 1, 0), VOUCH_OK);
            }
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    return m;
}

static int first_pair(void *context, int time, int state, const uint64_t set[], int pair[])
{
    (void)time, (void)set;
    pair[0] = ((const vouch_model *)context)->pair_start[state];
    return 1;
}

/* The look-ahead finds a policy of m that keeps the promises. Frees m. */
static void is_found(vouch_model *m, int L)
{
    deadline limit = deadline_start(&(vouch_limits){0});
    know_offer one = {first_pair, m};
    know_limits graph = {.nodes = 100000, .edges = 100000, .offer = &one};
    space_options so = space_options_for(L);
    policy_space space;
    knowledge_policy by;
    so.classes = 0;
    so.graph = &graph;
    assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
    assert_int_equal(knowledge_find(&space, L, &limit, &by), VOUCH_OK);
    assert_true(by.inc && by.inc->found && !by.impossible);
    for (int k = 0; k < m->K; k++) assert_true(by.inc->value.Pr[k] >= space.accepted[k]);
    knowledge_free(&by);
    space_free(&space);
    vouch_model_free(m);
}

/* Values of all times, states and environments are more than tables may have; looking ahead needs none. */
static void sure_actions_need_no_values(void **state)
{
    enum { CELLS = 150, T = CELLS / 2 + CELLS };
    (void)state;
    is_found(hiding(CELLS, T), T);
}

/* Without chance a promise of any p is kept surely or not at all, and looked ahead for; the last answer, which comes after L, is
 * seen in the state. */
static void sure_actions_go_on_after_L(void **state)
{
    (void)state;
    is_found(switches(6, 16, 8, 0.5), 3);
    is_found(switches(8, 16, 10, 0.1), 3);
}

/* knowledge_find on small models: its policies keep the promises, and its verdict `impossible` is right. */
static void finds_are_kept(void **state)
{
    (void)state;
    int found = 0, impossible = 0;
    for (int i = 0; i < 300; i++) {
        vouch_model *m = wild_model((uint64_t)i);
        deadline limit = deadline_start(&(vouch_limits){0});
        knowledge_policy by;
        policy_space space;
        if (i % 2) assert_int_equal(vouch_model_set_probability(m, 1), VOUCH_OK);
        for (int s = 0; s < m->S && i % 2; s++) m->terminal[s] = (i / 2 + s) % 3 > 0;
        space_options so = space_options_for(0);
        so.classes = 0;
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        assert_int_equal(knowledge_find(&space, 1 + i % m->T, &limit, &by), VOUCH_OK);
        if (by.inc && by.inc->found) {
            for (int k = 0; k < m->K; k++) assert_true(commitment_kept_within(by.inc->value.Pr[k], space.p[k], space.tolerance));
            found++;
        }
        if (by.impossible) {
            vouch_plan_options o = plan_options(VOUCH_METHOD_HISTORY, 0);
            vouch_policy *best = plan_by(m, &o);
            assert_int_equal(best->outcome, VOUCH_PLAN_INFEASIBLE);
            vouch_policy_free(best);
            impossible++;
        }
        knowledge_free(&by);
        space_free(&space);
        vouch_model_free(m);
    }
    assert_true(found > 50 && impossible > 20);
}

static void random_pick(const know_graph *g, rng *r, int pick[])
{
    for (int n = 0; n < g->nodes; n++) pick[n] = -1;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int count = g->choice_start[n + 1] - g->choice_start[n];
        pick[n] = g->choice_start[n] + (int)rng_below(r, (uint64_t)count);
    }
}

/* U and Pr [4] of a policy that may decide nothing where it does not come. */
static void measure(const know_graph *g, const int pick[], double U[], double Pr[])
{
    double *prob = MEM_NEW(double, g->choices), *reach = MEM_NEW(double, (size_t)g->nodes *(size_t)g->K);
    assert_true(prob && reach);
    propagate_pick(g, pick, prob);
    propagate_forward(g, prob, reach, U, Pr);
    mem_free(prob);
    mem_free(reach);
}

/* Compares a policy and the lifted one along every history of one environment. */
typedef struct paths {
    const know_graph *from, *to;
    const int *policy, *pick;
    int *met; /* [nodes of to] the first node of `from` that a path came from, -1: none yet */
    int k;
    bool differ, meet; /* on some path they do not do the same; two nodes of `from` meet at one node of `to` */
} paths;

/* The node of state s that environment k reaches by choice c; -1: none. */
static int node_after(const know_graph *g, int c, int s, int k)
{
    for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++)
        if (g->state[g->edge_child[e]] == s && g->successor_prob[g->edge_row[e] * g->K + k] > 0 &&
            know_in_set(g, g->set[g->edge_child[e]], k))
            return g->edge_child[e];
    return -1;
}

static void walk_paths(paths *p, int n, int m, int t)
{
    p->meet |= p->met[m] >= 0 && p->met[m] != n;
    if (p->met[m] < 0) p->met[m] = n;
    if (t == p->to->T) return;
    int c = p->policy[n], d = p->pick[m], mine = -1;
    for (int i = p->to->choice_start[m]; i < p->to->choice_start[m + 1]; i++)
        if (p->to->choice_pair[i] == p->from->choice_pair[c]) mine = i;
    assert_true(mine >= 0);
    p->differ |= d < 0 || p->to->choice_twin[mine] != p->to->choice_twin[d];
    for (int s = 0; s < p->to->m->S; s++) {
        int after = node_after(p->from, c, s, p->k);
        if (after >= 0) walk_paths(p, after, node_after(p->to, mine, s, p->k), t + 1);
    }
}

/* A policy is whole if it does the same on every history of every environment, and else two histories that it tells apart meet. */
static void compare_on_paths(const know_graph *from, const int policy[], const know_graph *to, const int pick[], bool whole)
{
    paths p = {.from = from, .to = to, .policy = policy, .pick = pick, .met = MEM_NEW(int, to->nodes)};
    assert_non_null(p.met);
    for (int n = 0; n < to->nodes; n++) p.met[n] = -1;
    for (p.k = 0; p.k < to->K; p.k++) walk_paths(&p, 0, 0, 0);
    assert_int_equal(whole, !p.meet);
    if (whole) assert_false(p.differ);
    mem_free(p.met);
}

static void lifted_policies_do_the_same(void **state)
{
    (void)state;
    int whole_ones = 0, others = 0;
    rng r = rng_seed(7);
    for (int i = 0; i < 300; i++) {
        vouch_model *m = wild_model((uint64_t)i);
        int L = (int)rng_below(&r, (uint64_t)m->T + 1), less = (int)rng_below(&r, (uint64_t)L + 1);
        know_graph *from, *to;
        double U[2][4], Pr[2][4];
        bool whole;
        assert_int_equal(know_graph_new(m, less, NULL, &from, NULL), VOUCH_OK);
        assert_int_equal(know_graph_new(m, L, NULL, &to, NULL), VOUCH_OK);
        int *policy = MEM_NEW(int, from->nodes), *pick = MEM_NEW(int, to->nodes);
        random_pick(from, &r, policy);
        assert_int_equal(lift_policy(from, policy, to, pick, &whole), VOUCH_OK);
        if (less == 0 || less == L) assert_true(whole); /* Markov policies are policies of every L */
        if (whole) {
            measure(from, policy, U[0], Pr[0]);
            measure(to, pick, U[1], Pr[1]);
            for (int k = 0; k < m->K; k++) {
                assert_true(fabs(U[0][k] - U[1][k]) <= 1e-12 * (1 + fabs(U[0][k])));
                assert_true(fabs(Pr[0][k] - Pr[1][k]) <= 1e-12);
            }
        }
        compare_on_paths(from, policy, to, pick, whole);
        *(whole ? &whole_ones : &others) += less > 0 && less < L;
        mem_free(policy);
        mem_free(pick);
        know_graph_free(from);
        know_graph_free(to);
        vouch_model_free(m);
    }
    assert_true(whole_ones > 5 && others > 5);
}

static vouch_policy *plan_of(const vouch_model *m, int L, long long nodes, const vouch_policy *start)
{
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
    o.limits.nodes = nodes;
    o.start = start;
    o.least_total_regret = 0;
    return plan_by(m, &o);
}

/* A plan of L > 0 starts from the policy that a third of the nodes finds for L = 0. */
static void deeper_is_no_worse(void **state)
{
    (void)state;
    int better = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        vouch_model *m;
        vouch_random_shape shape = {
            .states = 40, .actions = 4, .environments = 5, .horizon = 8, .branching = 3, .probability = 0.3};
        shape.seed = seed;
        if (vouch_generate_random(&m, &shape, NULL)) continue;
        vouch_policy *markov = plan_of(m, 0, 4, NULL), *deeper = plan_of(m, 1, 12, NULL);
        assert_true(markov->has_policy && deeper->has_policy);
        assert_true(deeper->max_regret <= markov->max_regret + 1e-9);
        better += deeper->max_regret < markov->max_regret;
        vouch_policy_free(markov);
        vouch_policy_free(deeper);
        vouch_model_free(m);
    }
    assert_true(better > 0);
}

/* A plan of L starts from a policy of L' < L: the result is no worse if that is a policy of L. */
static void policies_of_fewer_updates_begin(void **state)
{
    (void)state;
    int begun = 0;
    for (int i = 0; i < 120; i++) {
        vouch_model *m = wild_model((uint64_t)i);
        vouch_policy *less = m->T >= 3 ? plan_of(m, m->T - 2, 0, NULL) : NULL;
        if (less && less->has_policy) {
            vouch_policy *more = plan_of(m, m->T, 1, less);
            assert_true(more->has_policy); /* L = T knows all that can be known */
            assert_true(more->max_regret <= less->max_regret + 1e-9);
            vouch_policy_free(more);
            begun++;
        }
        if (less) vouch_policy_free(less);
        vouch_model_free(m);
    }
    assert_true(begun > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(games_are_won),
                                       cmocka_unit_test(finds_are_kept),
                                       cmocka_unit_test(sure_actions_need_no_values),
                                       cmocka_unit_test(sure_actions_go_on_after_L),
                                       cmocka_unit_test(lifted_policies_do_the_same),
                                       cmocka_unit_test(deeper_is_no_worse),
                                       cmocka_unit_test(policies_of_fewer_updates_begin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
