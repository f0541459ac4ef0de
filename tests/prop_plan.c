/* No node of a search loses the brute force's policy, on random models, in each order of the tree. The plans themselves are judged
 * by campaign/plans.c, the paper and compact programs by tests/judge.py.
 *
 * VOUCH_MODELS sets how many models of each family are tried, VOUCH_FIRST the first; a failure names the model.
 */
#include "plan_aid.h"

#include "mdp/dp.h"
#include "oracle/brute.h"
#include "oracle/wild.h"
#include "plan/node/node_solver.h"
#include "plan/search/search.h"
#include "policy/space.h"

static const long long BRUTE_STEPS = 60000; /* about a millisecond */
static const int DEBUGGED_NODES = 60;

static struct tally {
    int spaces, searched, proved;
} tally;

static char family_name[64]; /* printed after a failure */
static int model_number;

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
    if (model_number % 4 < 3) options.alone = model_number % 4; /* parts of long searches only */
    options.limit = deadline_start(&(vouch_limits){.nodes = DEBUGGED_NODES});
    assert_int_equal(search_run(r, inc, MASTER_MAX_REGRET, &options, &result), VOUCH_OK);
    if (result.proved) {
        tally.proved++;
        assert_near(inc->value.max_regret, b->max_regret, GAP);
        incumbent_seek_total(inc, 0);
        assert_int_equal(search_run(r, inc, MASTER_TOTAL_REGRET, &options, &result), VOUCH_OK);
    }
    tally.searched++;
    colgen_free(r);
    incumbent_free(inc);
    debug_policy_free(w);
    free(pick);
    space_free(&space);
}

static void check_every_space(const vouch_model *m)
{
    double optimal[16];
    brute b;
    for (int k = 0; k < m->K; k++) {
        assert_int_equal(dp_constrained(m, k, threshold_of(m), &optimal[k], NULL), VOUCH_OK);
        if (!isfinite(optimal[k])) return; /* infeasible in one environment alone */
    }
    for (int L = 0; L <= m->T; L++) {
        brute_solve(m, L, optimal, BRUTE_STEPS, &b);
        tally.spaces++;
        if (b.complete && b.found) check_no_node_loses(m, L, &b);
        brute_free(&b);
    }
}

static void run(const char *family, vouch_model *(*make)(int), int normal)
{
    int first = test_count("VOUCH_FIRST", 0), count = test_share("VOUCH_MODELS", normal);
    snprintf(family_name, sizeof family_name, "%s", family);
    for (model_number = first; model_number < first + count; model_number++) {
        vouch_model *m = make(model_number);
        check_every_space(m);
        vouch_model_free(m);
    }
    model_number = -1;
    print_message("%d spaces, %d searched, %d proved\n", tally.spaces, tally.searched, tally.proved);
    if (count >= normal) assert_true(tally.searched > tally.spaces / 6 && tally.proved > tally.searched / 2); /* a family of use */
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
