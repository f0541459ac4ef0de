/* The bounds of the search by outcomes are above no policy that is allowed, and it ends with the optimum that the policy search
 * proves, from any policy that it begins with. */
#include <vouch/generate.h>

#include "base/rng.h"
#include "know/graph.h"
#include "plan/outcomes/outcomes_search.h"
#include "plan/heuristic/local_search.h"
#include "plan_aid.h"

enum { MODELS = 36, STARTS = 3, POLICIES = 30 };

static int models(void) { return test_part(MODELS / 3, MODELS); }

static vouch_model *maze(int i)
{
    vouch_model *m;
    vouch_maze_shape z = {.corridor = 3 + i % 2,
                          .up = 1 + i / 3 % 2,
                          .down = 1 + i % 2,
                          .environments = 1 + i % 3,
                          .horizon = 6 + i % 5,
                          .probability = 0.1 + 0.1 * (i % 7),
                          .grip = i % 4 == 0 ? 0.5 : 0.8};
    assert_int_equal(vouch_generate_t_maze(&m, &z, NULL), VOUCH_OK);
    return m;
}

/* Any policy that keeps the promises. false: none was come upon. */
static bool begin_somewhere(incumbent *inc, rng *r)
{
    const know_graph *g = inc->space->g;
    int *pick = malloc((size_t)g->nodes * sizeof *pick);
    for (int i = 0; i < 200 && !inc->found; i++) {
        for (int n = 0; n < g->nodes; n++) pick[n] = -1;
        for (int n = 0; n < g->time_start[g->T]; n++)
            pick[n] = g->choice_start[n] + (int)rng_below(r, (uint64_t)(g->choice_start[n + 1] - g->choice_start[n]));
        local_search_offer(inc, pick, i / 20);
    }
    free(pick);
    return inc->found;
}

/* Outcomes and their pairs, where everything is allowed: that is returned, for free. */
static unsigned char *begin_with_all(outcomes_state *s)
{
    assert_int_equal(outcomes_begin(s), VOUCH_OK);
    unsigned char *all = malloc((size_t)s->e->options);
    outcomes_allow_all(s->e, all);
    assert_int_equal(outcomes_make_pairs(s, all), VOUCH_OK);
    return all;
}

/* A maze, L = 0 .. 3, and the optimum by the policy search. */
typedef struct planned_maze {
    vouch_model *m;
    vouch_policy *best;
    policy_space space;
} planned_maze;

static planned_maze plan_maze(int i)
{
    int L = i % 4;
    planned_maze z = {.m = maze(i)};
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
    space_options so = space_options_for(L);
    o.least_total_regret = false;
    so.classes = 0;
    z.best = plan_by(z.m, &o);
    assert_int_equal(space_make(z.m, &so, &z.space, NULL), VOUCH_OK);
    return z;
}

static void free_maze(planned_maze *z)
{
    space_free(&z->space);
    vouch_policy_free(z->best);
    vouch_model_free(z->m);
}

static void finds_the_optimum(void **state)
{
    rng r = rng_seed(5);
    int shown = 0;
    (void)state;
    for (int i = 0; i < models(); i++) {
        planned_maze z = plan_maze(i);
        for (int j = 0; j < STARTS && z.best->outcome == VOUCH_PLAN_OPTIMAL; j++) {
            incumbent *inc;
            outcomes_result result;
            deadline none = {0};
            assert_int_equal(incumbent_new(&z.space, &inc), VOUCH_OK);
            if (begin_somewhere(inc, &r)) {
                const outcomes_limits limits = {
                    .work = j == 0 ? 2000000 : 20000000, .time = &none, .known = j == 2 ? -INFINITY : 0};
                double before = incumbent_value(inc);
                assert_int_equal(outcomes_search(&z.space, inc, GAP, &limits, &result), VOUCH_OK);
                assert_int_equal(result.better, incumbent_value(inc) < before);
                double value = inc->value.max_regret;
                assert_true(value >= z.best->max_regret - 2 * GAP);
                assert_true(result.bound <= z.best->max_regret + 2 * GAP);
                if (result.bound >= value - GAP) {
                    assert_near(value, z.best->max_regret, 2 * GAP);
                    shown++;
                }
            }
            incumbent_free(inc);
        }
        free_maze(&z);
    }
    print_message("%d of %d searches ended with the optimum\n", shown, models() * STARTS);
    assert_true(shown >= models() * STARTS * 5 / 6);
}

/* However often explorers tell each other, what they look for is found, and nothing is left. */
static void explorers_share_the_tree(void **state)
{
    const long long apart[STARTS] = {1, 3000, 1000000000};
    rng r = rng_seed(11);
    int ended[STARTS] = {0}, begun = 0;
    (void)state;
    for (int i = 0; i < models(); i++) {
        planned_maze z = plan_maze(i);
        for (int j = 0; j < STARTS && z.best->outcome == VOUCH_PLAN_OPTIMAL; j++) {
            deadline none = {0};
            outcomes_state s = {.space = &z.space, .gap = GAP, .target = INFINITY, .most_work = 20000000, .limit = &none};
            assert_int_equal(incumbent_new(&z.space, &s.inc), VOUCH_OK);
            if (begin_somewhere(s.inc, &r)) {
                unsigned char *all = begin_with_all(&s);
                s.lane[0].apart = s.lane[1].apart = apart[j];
                s.cut = INFINITY;
                outcomes_set_cutoff(&s);
                assert_int_equal(outcomes_explore(&s, all), VOUCH_OK);
                double value = s.inc->value.max_regret;
                assert_true(value >= z.best->max_regret - 2 * GAP);
                if (!s.given_up) {
                    assert_near(value, z.best->max_regret, 2 * GAP);
                    assert_true(s.cut >= z.best->max_regret - 2 * GAP);
                    ended[j]++;
                }
                free(all);
                begun++;
                outcomes_end(&s);
            }
            incumbent_free(s.inc);
        }
        free_maze(&z);
    }
    print_message("%d, %d and %d of %d ended\n", ended[0], ended[1], ended[2], begun / STARTS);
    for (int j = 0; j < STARTS; j++) assert_true(ended[j] >= begun / STARTS * 2 / 3);
}

/* From any policy that keeps the promises. */
static void exchanges_and_walks_come_to_the_optimum(void **state)
{
    rng r = rng_seed(6);
    int begun = 0, optimal = 0;
    (void)state;
    for (int i = 0; i < models(); i++) {
        planned_maze z = plan_maze(i);
        for (int j = 0; j < STARTS && z.best->outcome == VOUCH_PLAN_OPTIMAL; j++) {
            deadline none = {0};
            outcomes_state s = {.space = &z.space, .gap = GAP, .most_work = 10000000, .limit = &none};
            assert_int_equal(incumbent_new(&z.space, &s.inc), VOUCH_OK);
            if (begin_somewhere(s.inc, &r)) {
                unsigned char *all = begin_with_all(&s);
                outcomes_exchange(&s);
                free(all);
                begun++;
                optimal += s.inc->value.max_regret <= z.best->max_regret + 2 * GAP;
                outcomes_end(&s);
            }
            incumbent_free(s.inc);
        }
        free_maze(&z);
    }
    print_message("%d of %d exchanges came to the optimum\n", optimal, begun);
    assert_true(optimal >= begun * 3 / 5);
}

/* A policy, and choices besides its own. */
static void draw(const know_graph *g, rng *r, int pick[], unsigned char allowed[])
{
    uint64_t rare = 1 + rng_below(r, 4);
    for (int n = 0; n < g->nodes; n++) pick[n] = -1;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int first = g->choice_start[n], count = g->choice_start[n + 1] - first;
        pick[n] = g->choice_twin[first + (int)rng_below(r, (uint64_t)count)];
        for (int c = first; c < first + count; c++)
            allowed[c] = g->choice_twin[c] == c && (c == pick[n] || rng_below(r, rare) == 0);
    }
}

static void bounds_are_above_no_policy(void **state)
{
    rng r = rng_seed(9);
    int kept = 0, near = 0;
    (void)state;
    for (int i = 0; i < models(); i++) {
        vouch_model *m = maze(i);
        policy_space space;
        space_options so = space_options_for(i % 4);
        so.classes = 0;
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        const know_graph *g = space.g;
        outcomes_state s = {.space = &space, .cutoff = INFINITY, .most_work = 1000000000};
        assert_int_equal(outcomes_begin(&s), VOUCH_OK);
        unsigned char *all = malloc((size_t)s.e->options), *allowed = malloc((size_t)s.e->options);
        int *pick = malloc((size_t)g->nodes * sizeof *pick);
        double *prob = malloc((size_t)(g->choices + 1) * sizeof *prob),
               *reach = malloc((size_t)g->nodes * (size_t)g->K * sizeof *reach), U[8], Pr[8];
        outcomes_allow_all(s.e, all);
        assert_int_equal(outcomes_make_pairs(&s, all), VOUCH_OK);
        for (int j = 0; j < POLICIES; j++) {
            double regret = -INFINITY;
            memcpy(allowed, all, (size_t)s.e->options);
            draw(g, &r, pick, allowed);
            propagate_pick(g, pick, prob);
            assert_int_equal(propagate_forward(g, prob, reach, U, Pr), -1);
            for (int k = 0; k < g->K; k++) {
                space.accepted[k] = Pr[k]; /* it keeps its promise just so */
                regret = fmax(regret, space.optimal[k] - U[k]);
            }
            assert_true(outcomes_propagate(s.e, -1, allowed));
            double bound = outcomes_bound(&s, allowed);
            memcpy(s.room->allowed, allowed, (size_t)s.e->options);
            double again = outcomes_bound_of_trial(&s, s.room);
            assert_true(bound <= regret && again <= regret && again >= bound - 1e-6);
            kept++;
            near += bound >= regret - 1e-6;
        }
        free(all);
        free(allowed);
        free(pick);
        free(prob);
        free(reach);
        outcomes_end(&s);
        space_free(&space);
        vouch_model_free(m);
    }
    assert_true(near >= kept / 10);
}

/* Two environments often prove the optimum of three; where they are too few, what they leave open is no bound. From any policy,
 * which is not improved before. */
static void two_environments_show_no_more_than_holds(void **state)
{
    rng r = rng_seed(7);
    int shown = 0, open = 0;
    (void)state;
    for (int i = 2; i < models(); i += 3) {
        planned_maze z = plan_maze(i);
        for (int j = 0; j < STARTS && z.best->outcome == VOUCH_PLAN_OPTIMAL; j++) {
            deadline none = {0};
            outcomes_state s = {.space = &z.space, .gap = GAP, .most_work = 1000000000, .limit = &none};
            double bound = -INFINITY;
            long long more;
            assert_int_equal(incumbent_new(&z.space, &s.inc), VOUCH_OK);
            if (begin_somewhere(s.inc, &r)) {
                unsigned char *all = begin_with_all(&s);
                assert_int_equal(outcomes_explore_two(&s, all, &bound, &more), VOUCH_OK);
                free(all);
                assert_true(s.rows == s.K && !s.given_up);
                assert_true(bound <= z.best->max_regret + 2 * GAP);
                shown += bound >= z.best->max_regret - 2 * GAP;
                assert_true(!s.at_ease || bound == -INFINITY);
                open += s.at_ease;
                outcomes_end(&s);
            }
            incumbent_free(s.inc);
        }
        free_maze(&z);
    }
    print_message("two environments show %d optima and leave %d open\n", shown, open);
    assert_true(shown > 0 && open > 0);
}

/* Options tried and policies improved by any number of threads: the same in every figure. */
static void threads_share_what_is_tried(void **state)
{
    enum { WAYS = 3 };
    static const int threads[WAYS] = {1, 2, 5};
    pool *shared[WAYS];
    int searched = 0;
    (void)state;
    for (int way = 0; way < WAYS; way++) assert_non_null(shared[way] = pool_new(threads[way]));
    for (int i = 1; i < models(); i += 2) {
        planned_maze z = plan_maze(i);
        incumbent *inc[WAYS];
        outcomes_result result[WAYS];
        deadline none = {0};
        size_t nodes = (size_t)z.space.g->nodes;
        for (int way = 0; way < WAYS; way++) {
            rng r = rng_seed(8);
            outcomes_limits limits = {.work = 2000000, .time = &none, .threads = way > 0 ? shared[way] : NULL};
            assert_int_equal(incumbent_new(&z.space, &inc[way]), VOUCH_OK);
            if (!begin_somewhere(inc[way], &r)) continue;
            assert_int_equal(outcomes_search(&z.space, inc[way], GAP, &limits, &result[way]), VOUCH_OK);
            assert_true(result[way].bound == result[0].bound && result[way].better == result[0].better);
            assert_true(result[way].nodes == result[0].nodes && result[way].work == result[0].work);
            assert_memory_equal(inc[way]->best, inc[0]->best, nodes * sizeof *inc[0]->best);
            searched += way > 0 && result[way].nodes > 0;
        }
        for (int way = 0; way < WAYS; way++) incumbent_free(inc[way]);
        free_maze(&z);
    }
    for (int way = 0; way < WAYS; way++) pool_free(shared[way]);
    assert_true(searched > 0);
}

static void asks_soon_again_where_a_better_policy_was_found(void **state)
{
    (void)state;
    outcomes_schedule when = {0};
    const outcomes_result better = {.bound = -INFINITY, .nodes = 7, .better = true}, vain = {.bound = 1, .nodes = 7}, begun = {0};
    know_graph few = {.K = 2, .edges = 100, .choices = 100}, many = {.K = 20, .edges = 100, .choices = 100},
               dense = {.K = 20, .edges = 1000, .choices = 100};
    long long first = outcomes_allowed(&when, 1000, &few);
    assert_true(first >= 1000);
    assert_true(outcomes_allowed(&when, 1000, &many) > first);
    assert_true(outcomes_allowed(&when, 1000, &dense) == 0); /* its sets are large */
    outcomes_note(&when, &better, first);
    assert_true(outcomes_allowed(&when, 1000, &few) == 2 * first);
    outcomes_note(&when, &better, first);
    assert_true(outcomes_allowed(&when, 1000, &few) == 4 * first);
    outcomes_note(&when, &begun, first); /* too little to begin is not in vain */
    assert_true(outcomes_allowed(&when, 1000, &few) == first);
    outcomes_note(&when, &vain, first);
    assert_true(outcomes_allowed(&when, 2000, &few) == 0);
    assert_true(outcomes_allowed(&when, 100000, &few) == 100 * first);
    outcomes_note(&when, &better, 100 * first);
    assert_true(outcomes_allowed(&when, 1000, &few) == 2 * first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_are_above_no_policy),
                                       cmocka_unit_test(finds_the_optimum),
                                       cmocka_unit_test(explorers_share_the_tree),
                                       cmocka_unit_test(exchanges_and_walks_come_to_the_optimum),
                                       cmocka_unit_test(two_environments_show_no_more_than_holds),
                                       cmocka_unit_test(threads_share_what_is_tried),
                                       cmocka_unit_test(asks_soon_again_where_a_better_policy_was_found)};
    return run_tests(tests);
}
