/* A policy that no node of the search may lose: it is held where all that it does where it comes is allowed, and nowhere else. */
#include "plan_aid.h"

#include "plan/node/node_solver.h"

static void held_where_all_it_does_is_allowed(void **state)
{
    (void)state;
    int beside = 0;
    for (int number = 0; number < 20; number++) {
        vouch_model *m;
        vouch_random_shape z = {
            .states = 4, .actions = 3, .environments = 3, .horizon = 4, .probability = 0, .branching = 2, .seed = (uint64_t)number};
        assert_int_equal(vouch_generate_random(&m, &z, NULL), VOUCH_OK);
        policy_space space;
        colgen *cg;
        debug_policy *w;
        space_options so = space_options_for(number % 3);
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        assert_int_equal(colgen_new(&space, &cg), VOUCH_OK);
        const know_graph *g = space.g;
        int last = g->time_start[g->T], *pick = malloc((size_t)g->nodes * sizeof *pick);
        for (int n = 0; n < g->nodes; n++) pick[n] = n < last ? g->choice_start[n + 1] - 1 : -1;
        memset(cg->allowed, 1, (size_t)space.c->options);
        assert_int_equal(debug_policy_new(&space, pick, &w), VOUCH_OK);
        assert_true(w->kept);
        assert_true(debug_policy_holds(w, cg, INFINITY));
        assert_false(debug_policy_holds(w, cg, w->max_regret));
        for (int n = 0; n < last; n++) {
            double most = 0;
            for (int k = 0; k < g->K; k++) most = fmax(most, w->reach[n * g->K + k]);
            beside += most == 0;
            int own = g->choice_twin[pick[n]];
            assert_int_equal(w->pick[n], most > 0 ? own : -1);
            cg->allowed[own] = 0;
            assert_true(debug_policy_holds(w, cg, INFINITY) == (most == 0));
            cg->allowed[own] = 1;
        }
        double sum = 0, worst = -INFINITY;
        for (int k = 0; k < g->K; k++) sum += space.optimal[k] - w->U[k], worst = fmax(worst, space.optimal[k] - w->U[k]);
        assert_near(w->total_regret, sum, 1e-12);
        assert_near(w->max_regret, worst, 1e-12);
        debug_policy_free(w);
        free(pick);
        colgen_free(cg);
        space_free(&space);
        vouch_model_free(m);
    }
    assert_true(beside > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(held_where_all_it_does_is_allowed)};
    return run_tests(tests);
}
