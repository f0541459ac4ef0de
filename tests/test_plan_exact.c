/* Exact CCL: known optima, derivatives against differences, slices, and the policy file after a local search. */
#include <vouch/plan.h>

#include "base/rng.h"
#include <vouch/generate.h>
#include "policy/space.h"
#include "program/bilinear.h"
#include "test.h"

#include "evaluate_aid.h"

static vouch_policy *plan(const vouch_model *m, int L, uint64_t seed)
{
    vouch_plan_options o;
    vouch_policy *policy = NULL;
    vouch_plan_options_init(&o);
    o.method = VOUCH_METHOD_EXACT_CCL;
    o.lookahead = L;
    o.seed = seed;
    assert_int_equal(vouch_plan(&policy, m, &o, NULL), VOUCH_OK);
    return policy;
}

/* Plans and checks regret, outcome and the figures' own evaluation. */
static void check(const vouch_model *m, int L, double regret, vouch_plan_outcome outcome)
{
    vouch_policy *policy = plan(m, L, 1);
    vouch_plan_result r;
    int kept;
    vouch_policy_get_result(policy, &r);
    assert_int_equal(r.outcome, outcome);
    assert_near(r.max_regret, regret, 1e-5);
    assert_true(r.bound <= r.max_regret + 1e-12);
    double told = r.max_regret;
    assert_int_equal(evaluate_again(policy, m, &kept, NULL), VOUCH_OK);
    assert_true(kept);
    vouch_policy_get_result(policy, &r);
    assert_near(r.max_regret, told, 1e-12);
    vouch_policy_free(policy);
}

/* Transitions are the same in every environment: linear programs. Independently recomputed optima. */
static void twin_states_has_its_known_optimum(void **state)
{
    (void)state;
    static const int horizon[] = {2, 3, 5, 7, 9, 11, 13};
    static const double known[][4] = {{1.5, 6.0 / 7, 6.0 / 7, NAN},
                                      {2.25, 0.9, 0.9, 0.9},
                                      {5.25, 2.678571, 2.5, 2.5},
                                      {9.285714, 5.227273, 4.723214, 3.747191},
                                      {12.666667, 6.692308, 5.843284, 3.988636},
                                      {15.909091, 8.166667, 6.927083, 4.150273},
                                      {19.076923, 9.647059, 7.972222, 4.266529}};
    for (int i = 0; i < 7; i++) {
        vouch_model *m;
        assert_int_equal(vouch_generate_twin_states(&m, horizon[i], NULL), VOUCH_OK);
        for (int L = 0; L < 4 && L <= horizon[i]; L++) check(m, L, known[i][L], VOUCH_PLAN_OPTIMAL);
        vouch_model_free(m);
    }
}

/* With a stochastic policy nothing is lost on the T-Maze: the bound, 0, is reached. */
static void the_t_maze_has_its_known_optimum(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_maze_shape shape = {3, 2, 2, 2, 10, 0.6, 0.8};
    assert_int_equal(vouch_generate_t_maze(&m, &shape, NULL), VOUCH_OK);
    for (int L = 0; L <= 3; L++) check(m, L, 0, VOUCH_PLAN_OPTIMAL);
    vouch_model_free(m);
    shape.corridor = 4;
    shape.environments = 3;
    assert_int_equal(vouch_generate_t_maze(&m, &shape, NULL), VOUCH_OK);
    vouch_policy *policy = plan(m, 0, 1);
    vouch_plan_result r;
    vouch_policy_get_result(policy, &r);
    assert_true(r.max_regret <= 0.02504);
    vouch_policy_free(policy);
    vouch_model_free(m);
}

static void lookahead_has_its_known_optimum(void **state)
{
    (void)state;
    static const double known[] = {0.5, 0.1, 0.5, 0.5};
    vouch_model *m;
    assert_int_equal(vouch_generate_lookahead(&m, NULL), VOUCH_OK);
    for (int L = 0; L < 4; L++) {
        vouch_policy *policy = plan(m, L, 1);
        vouch_plan_result r;
        vouch_policy_get_result(policy, &r);
        assert_near(r.max_regret, known[L], 1e-9);
        vouch_policy_free(policy);
    }
    vouch_model_free(m);
}

static void draw(const bilinear *b, rng *r, double x[])
{
    for (int i = 0; i < b->problem.blocks; i++) {
        double sum = 0;
        for (int j = b->block_start[i]; j < b->block_start[i + 1]; j++) sum += x[j] = 0.05 + rng_unit(r);
        for (int j = b->block_start[i]; j < b->block_start[i + 1]; j++) x[j] /= sum;
    }
}

/* df, dg against central differences along moves that keep the sums: from the first variable of a block to each other. The
 * functions are linear along such a move, so the difference is exact up to rounding. */
static void derivatives_are_those_of_differences(void **state)
{
    (void)state;
    rng r = rng_seed(11);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        vouch_model *m;
        policy_space space;
        bilinear *b;
        vouch_random_shape shape = {4, 3, 3, 4, 0.2, 3, 0, seed};
        if (vouch_generate_random(&m, &shape, NULL)) continue;
        space_options so = space_options_for((int)(seed % 3));
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        assert_int_equal(
            bilinear_new(space.g, &(bilinear_aim){space.optimal, (double[]){0.2, 0.2, 0.2, 0.2}, &space.averages, NULL}, &b),
            VOUCH_OK);
        size_t n = (size_t)b->problem.n, K = 3;
        double *x = malloc(n * sizeof *x), *df = malloc(n * K * sizeof *df), *dg = malloc(n * K * sizeof *dg), up[6], down[6];
        draw(b, &r, x);
        b->problem.evaluate(b, x, up, up + 3);
        b->problem.gradient(b, df, dg);
        for (int i = 0; i < b->problem.blocks; i++) {
            size_t first = (size_t)b->block_start[i];
            for (size_t j = first + 1; j < (size_t)b->block_start[i + 1]; j++) {
                const double h = 0.01;
                x[j] += h, x[first] -= h;
                b->problem.evaluate(b, x, up, up + 3);
                x[j] -= 2 * h, x[first] += 2 * h;
                b->problem.evaluate(b, x, down, down + 3);
                x[j] += h, x[first] -= h;
                for (size_t k = 0; k < K; k++) {
                    assert_near((up[k] - down[k]) / (2 * h), df[j * K + k] - df[first * K + k], 1e-9);
                    assert_near((up[3 + k] - down[3 + k]) / (2 * h), dg[j * K + k] - dg[first * K + k], 1e-9);
                }
            }
        }
        free(x), free(df), free(dg);
        bilinear_free(b);
        space_free(&space);
        vouch_model_free(m);
    }
}

/* The program of one time slice is exact, and never makes the merit worse. */
static void a_slice_never_makes_a_policy_worse(void **state)
{
    (void)state;
    rng r = rng_seed(5);
    const double penalty = 50;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        vouch_model *m;
        policy_space space;
        bilinear *b;
        minimax_step *step;
        vouch_random_shape shape = {5, 3, 2, 5, 0.3, 3, 0, seed};
        if (vouch_generate_random(&m, &shape, NULL)) continue;
        space_options so = space_options_for(0);
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        assert_int_equal(
            bilinear_new(space.g, &(bilinear_aim){space.optimal, (double[]){0.3, 0.3, 0.3, 0.3}, &space.averages, NULL}, &b),
            VOUCH_OK);
        assert_int_equal(minimax_step_new(&b->problem, &step), VOUCH_OK);
        size_t n = (size_t)b->problem.n;
        double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *df = malloc(2 * n * sizeof *df),
               *dg = malloc(2 * n * sizeof *dg), f[4];
        draw(b, &r, x);
        for (int t = b->problem.groups - 1; t >= 0; t--) {
            bool ok;
            b->problem.evaluate(b, x, f, f + 2);
            minimax_value before = minimax_measure(&b->problem, f, f + 2);
            b->problem.gradient(b, df, dg);
            if (b->group_start[t] == b->group_start[t + 1]) continue;
            const minimax_point at = {x, f, f + 2, df, dg};
            const minimax_move move = {b->group_start[t], b->group_start[t + 1], 1, penalty};
            minimax_trial trial = {.y = y};
            assert_int_equal(minimax_step_solve(step, &at, &move, NULL, &ok, &trial), VOUCH_OK);
            assert_true(ok);
            b->problem.evaluate(b, y, f, f + 2);
            minimax_value after = minimax_measure(&b->problem, f, f + 2);
            assert_near(after.most + penalty * after.shortfall, trial.model, 1e-6);
            assert_true(after.most + penalty * after.shortfall <= before.most + penalty * before.shortfall + 1e-9);
            memcpy(x, y, n * sizeof *x);
        }
        free(x), free(y), free(df), free(dg);
        minimax_step_free(step);
        bilinear_free(b);
        space_free(&space);
        vouch_model_free(m);
    }
}

typedef struct box_news {
    int calls;
    double bound; /* the last one */
} box_news;

static void note_first_box(void *context, const vouch_plan_progress *p)
{
    box_news *news = context;
    if (strcmp(p->stage, "certificate") != 0 || p->nodes > 1) return;
    assert_true(p->bound >= news->bound && p->bound <= p->incumbent);
    news->calls++;
    news->bound = p->bound;
}

/* A maze whose boxes, bounded by what classes choose for themselves, show .0149 after thousands of them: mixtures of policies prove
 * it in a few. The first box may take minutes, so each of its pricings is told. */
static void mixtures_of_policies_close_a_maze(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_maze_shape shape = {.corridor = 6, .up = 2, .down = 2, .environments = 3, .horizon = 13, .probability = .3, .grip = .8};
    assert_int_equal(vouch_generate_t_maze(&m, &shape, NULL), VOUCH_OK);
    vouch_policy *policy = NULL;
    box_news news = {0, -INFINITY};
    vouch_plan_result r;
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.method = VOUCH_METHOD_EXACT_CCL;
    o.certify = 1;
    o.progress = note_first_box;
    o.progress_context = &news;
    assert_int_equal(vouch_plan(&policy, m, &o, NULL), VOUCH_OK);
    vouch_policy_get_result(policy, &r);
    assert_true(news.calls > 3 && news.bound <= r.bound + 1e-9);
    assert_int_equal(r.outcome, VOUCH_PLAN_OPTIMAL);
    assert_near(r.max_regret, .0193355, 1e-6);
    assert_true(r.nodes < 100);
    vouch_policy_free(policy);
    vouch_model_free(m);
}

/* A commitment that no policy keeps in both environments is proved so. */
static void what_is_impossible_is_proved_so(void **state)
{
    (void)state;
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, 3, 2, 2, 1), VOUCH_OK);
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < 2; a++) vouch_model_add(m, k, 0, a, a == k ? 1 : 2, 1, 0);
    vouch_model_set_commitment(m, 1, 1);
    vouch_model_set_probability(m, 0.6);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    vouch_policy *policy = plan(m, 0, 1);
    vouch_plan_result r;
    vouch_policy_get_result(policy, &r);
    assert_int_equal(r.outcome, VOUCH_PLAN_INFEASIBLE);
    vouch_policy_free(policy);
    vouch_model_set_probability(m, 0.5);
    check(m, 0, 0, VOUCH_PLAN_OPTIMAL);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twin_states_has_its_known_optimum),  cmocka_unit_test(the_t_maze_has_its_known_optimum),
        cmocka_unit_test(lookahead_has_its_known_optimum),    cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(a_slice_never_makes_a_policy_worse), cmocka_unit_test(what_is_impossible_is_proved_so),
        cmocka_unit_test(mixtures_of_policies_close_a_maze),
    };
    return run_tests(tests);
}
