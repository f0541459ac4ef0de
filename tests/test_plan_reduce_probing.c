/* Options that one environment cannot afford: no policy below the cutoff uses one, of all policies of small models; and what prices
 * show is no more than what pairs show. */
#include "policies_aid.h"

#include "base/rng.h"
#include "plan/reduce/dominance.h"

static const double ROUNDING = 1e-9;

/* Options fixed by the Lagrangian, then by pairs, and how often the Lagrangian bound was attained by a remaining policy. */
typedef struct tally {
    int price, pairs, tight;
} tally;

static double regret_of(const policies *p, int i)
{
    const policy_space *space = p->space;
    const double *U = p->value + (size_t)i * 2 * (size_t)space->K;
    double most = -INFINITY;
    for (int k = 0; k < space->K; k++) {
        if (U[space->K + k] < space->accepted[k]) return INFINITY;
        most = fmax(most, space->optimal[k] - U[k]);
    }
    return most;
}

/* No policy below the cutoff takes one of option [count] anywhere. */
static void assert_none_lost(const policies *all, const int option[], int count, double cutoff)
{
    const know_graph *g = all->space->g;
    for (int i = 0; i < all->count; i++) {
        if (regret_of(all, i) >= cutoff - ROUNDING) continue;
        for (int j = 0; j < count; j++) assert_int_not_equal(all->picks[i * g->nodes + know_owner(g, option[j])], option[j]);
    }
}

/* At a cutoff that some policies are below. */
static void check_cutoff(const policies *all, pareto_bound *b, colgen *cg, double cutoff, tally *t)
{
    size_t options = (size_t)all->space->c->options;
    int *option = malloc(options * sizeof *option);
    double least = INFINITY;
    for (int i = 0; i < all->count; i++) least = fmin(least, regret_of(all, i));
    memcpy(cg->allowed, all->allowed, options);
    double bound = pareto_bound_by_price(b, cg->allowed, cutoff, 0);
    if (all->count < MOST_POLICIES) assert_true(bound <= least + ROUNDING);
    if (bound < cutoff) {
        int given_up = probing_by_price(b, cg->allowed, cutoff, option);
        if (all->count < MOST_POLICIES) assert_none_lost(all, option, given_up, cutoff);
        t->price += given_up;
        double by_pairs = pareto_bound_solve(b, cg, cutoff, 0);
        if (by_pairs < cutoff) {
            given_up = probing_by_pairs(b, cg->allowed, cutoff, option);
            if (all->count < MOST_POLICIES) assert_none_lost(all, option, given_up, cutoff);
            for (int j = 0; j < given_up; j++) assert_false(cg->allowed[option[j]]);
            t->pairs += given_up;
        }
        t->tight += fabs(bound - least) < 1e-6;
    }
    free(option);
}

/* A copy returns the result of new sets for any options, whatever its earlier calls. */
static void check_copy(const pareto_bound *b, const colgen *cg, const unsigned char *allowed)
{
    pareto_bound *copy, *anew = NULL;
    assert_int_equal(pareto_bound_copy(b, &copy), VOUCH_OK);
    assert_int_equal(pareto_bound_fit(b->space, 1000000, false, NULL, &anew), VOUCH_OK);
    assert_true(pareto_bound_fits(copy, copy->long_search) && pareto_bound_fits(copy, !copy->long_search) == copy->enough);
    assert_true(pareto_bound_bytes(copy) == pareto_bound_bytes(anew) && copy->work == anew->work);
    memcpy(cg->allowed, allowed, (size_t)cg->space->c->options);
    assert_true(pareto_bound_solve(copy, cg, INFINITY, 0) == pareto_bound_solve(anew, cg, INFINITY, 0));
    assert_int_equal(copy->hardest, anew->hardest);
    pareto_bound_free(copy);
    pareto_bound_free(anew);
}

static void check(const policy_space *space, rng *random, tally *t)
{
    pareto_bound *b = NULL;
    colgen *cg;
    size_t options = (size_t)space->c->options;
    unsigned char *allowed = malloc(options);
    atomic_bool ended = true;
    assert_int_equal(pareto_bound_fit(space, 1000000, false, &(deadline){.given_up = &ended}, &b), VOUCH_OK);
    assert_null(b); /* a limit that has passed leaves no sets */
    assert_int_equal(pareto_bound_fit(space, 1000000, false, NULL, &b), VOUCH_OK);
    assert_int_equal(colgen_new(space, &cg), VOUCH_OK);
    for (int trial = 0; b && trial < 4; trial++) {
        for (size_t o = 0; o < options; o++) allowed[o] = trial == 0 || rng_below(random, 6) > 0;
        for (int n = 0; n < space->g->time_start[space->g->T]; n++)
            allowed[space->g->choice_start[n]] = 1; /* something everywhere */
        policies all = policies_of(space, allowed);
        double least = INFINITY;
        for (int i = 0; i < all.count; i++) least = fmin(least, regret_of(&all, i));
        for (int i = 0; i < all.count && i < 4; i++) { /* the best policy is the only one below the first */
            double regret = i == 0 ? least : regret_of(&all, (int)rng_below(random, (uint64_t)all.count));
            if (regret < INFINITY) check_cutoff(&all, b, cg, regret + 1e-6, t);
        }
        free_policies(&all);
        check_copy(b, cg, allowed);
    }
    colgen_free(cg);
    pareto_bound_free(b);
    free(allowed);
}

static void nothing_better_is_lost(void **state)
{
    (void)state;
    rng random = rng_seed(1);
    tally t = {0};
    for (int number = 0; number < 200; number++) {
        vouch_model *m;
        policy_space space;
        vouch_random_shape z = {.states = 3,
                                .actions = 2 + number % 2,
                                .environments = 1 + number % 3,
                                .horizon = 3,
                                .probability = 0.1 * (1 + number % 6),
                                .branching = 1 + number % 2,
                                .seed = (uint64_t)number};
        assert_int_equal(vouch_generate_random(&m, &z, NULL), VOUCH_OK);
        space_options so = space_options_for(number % 4);
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        check(&space, &random, &t);
        space_free(&space);
        vouch_model_free(m);
    }
    assert_true(t.price > 500 && t.pairs > 50 && t.tight > 50);
}

/* The bound and number of nodes of a search on a maze with probing and without. */
static long long nodes_of(const vouch_maze_shape *z, int L, const char *without, double *value)
{
    vouch_model *m;
    assert_int_equal(vouch_generate_t_maze(&m, z, NULL), VOUCH_OK);
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, L);
    o.without = without;
    o.least_total_regret = false;
    o.limits.nodes = 3000;
    vouch_policy *p = plan_by(m, &o);
    *value = p->max_regret;
    long long nodes = p->outcome == VOUCH_PLAN_OPTIMAL ? p->nodes : o.limits.nodes;
    assert_sound(m, p);
    vouch_policy_free(p);
    vouch_model_free(m);
    return nodes;
}

/* A maze that took more than a hundred thousand nodes without: its hardest environment affords hardly anything but one policy. */
static void mazes_take_few_nodes(void **state)
{
    (void)state;
    double with, without;
    vouch_maze_shape z = {.corridor = 3, .up = 4, .down = 2, .environments = 3, .horizon = 12, .grip = 0.7, .probability = 0.9};
    assert_true(nodes_of(&z, 4, NULL, &with) < 2000);
    assert_near(with, 0.27287195, 1e-6);
    assert_true(nodes_of(&z, 4, "option-probing", &without) >= 3000);
    assert_true(without >= with - 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_better_is_lost), cmocka_unit_test(mazes_take_few_nodes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
