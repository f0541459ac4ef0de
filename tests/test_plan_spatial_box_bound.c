/* The certificate: bounds of boxes hold for every policy inside and any multipliers; reach ranges; closed gaps. */
#include <vouch/plan.h>

#include "base/rng.h"
#include "know/induction.h"
#include "know/graph.h"
#include <vouch/generate.h>
#include "plan/spatial/box.h"
#include "test.h"

/* A distribution over the real choices of each node, drawn into prob [choices]. */
static void draw_policy(const know_graph *g, rng *r, double prob[])
{
    for (int n = 0; n < g->nodes; n++) {
        double sum = 0;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            double u = rng_unit(r);
            prob[c] = g->choice_twin[c] == c ? u * u * u + 1e-6 : 0;
            sum += prob[c];
        }
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) prob[c] /= sum;
    }
}

/* A box around prob, of width up to `width`, some sides closed. */
static void draw_box(const know_graph *g, rng *r, const double prob[], double width, double low[], double high[])
{
    for (int c = 0; c < g->choices; c++) {
        bool real = g->choice_twin[c] == c;
        low[c] = real ? fmax(0, prob[c] - width * rng_unit(r)) : 0;
        high[c] = real ? fmin(1, prob[c] + width * rng_unit(r)) : 0;
    }
}

static void bounds_hold(void **state)
{
    (void)state;
    rng r = rng_seed(3);
    int checks = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        vouch_model *m;
        policy_space space;
        box_bound *b;
        int A = 2 + (int)(seed % 3) + 4 * (seed > 34); /* more than corners are looked at of */
        vouch_random_shape shape = {4, A, 2 + (int)(seed % 2), 4, 0.2, 3, 0, seed};
        if (vouch_generate_random(&m, &shape, NULL)) continue;
        space_options so = space_options_for((int)(seed % 4));
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        assert_int_equal(box_bound_new(&space, false, &b), VOUCH_OK);
        const know_graph *g = space.g;
        size_t K = (size_t)g->K, table = (size_t)g->nodes * K;
        double *prob = malloc((size_t)g->choices * sizeof *prob), *reach = malloc(table * sizeof *reach), U[3], Pr[3];
        for (int trial = 0; trial < 20; trial++, checks++) {
            draw_policy(g, &r, prob);
            draw_box(g, &r, prob, trial % 2 ? 1.0 : 0.1, b->low, b->high);
            propagate_forward(g, prob, reach, U, Pr);
            box_bound_enter(b);
            for (int n = 0; n < g->time_start[g->T]; n++) {
                double least[3], most[3];
                box_reach(g, n, (policy_box){b->low, b->high}, b->scratch, least, most);
                for (size_t k = 0; k < K; k++) {
                    assert_true(least[k] <= reach[(size_t)n * K + k] + 1e-12);
                    assert_true(most[k] >= reach[(size_t)n * K + k] - 1e-12);
                }
            }
            double worth = 0;
            for (size_t i = 0; i < b->dim; i++) b->now[i] = i < 2 * K ? rng_unit(&r) : trial % 4 < 2 ? 0 : 2 * rng_unit(&r) - 1;
            for (size_t k = 0; k < K; k++) worth += b->now[k] * (space.optimal[k] - U[k]) + b->now[K + k] * (space.p[k] - Pr[k]);
            double bound = box_bound_price(b, b->now);
            assert_true(isfinite(bound));
            if (!(bound <= worth + 1e-9)) fail_msg("seed %d trial %d: bound %.12g above %.12g", (int)seed, trial, bound, worth);
        }
        free(prob), free(reach);
        box_bound_free(b);
        space_free(&space);
        vouch_model_free(m);
    }
    assert_true(checks > 200);
}

/* What narrowing one choice can give is never underestimated: the filter of range reduction. */
static void outlook_holds(void **state)
{
    (void)state;
    rng r = rng_seed(17);
    int checks = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        vouch_model *m;
        policy_space space;
        box_bound *b;
        vouch_random_shape shape = {3, 2 + (int)(seed % 3), 2, 4, 0.2, 3, 0, seed};
        if (vouch_generate_random(&m, &shape, NULL)) continue;
        space_options so = space_options_for(0);
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        assert_int_equal(box_bound_new(&space, false, &b), VOUCH_OK);
        const know_graph *g = space.g;
        size_t choices = (size_t)g->choices;
        double *prob = malloc(choices * sizeof *prob), *low2 = malloc(choices * sizeof *low2),
               *high2 = malloc(choices * sizeof *high2), *limit = malloc(choices * sizeof *limit);
        draw_policy(g, &r, prob);
        draw_box(g, &r, prob, 0.5, b->low, b->high);
        for (size_t o = 0; o < choices; o++) { /* both contain prob, so that no box is empty */
            low2[o] = b->low[o] + rng_unit(&r) * (prob[o] - b->low[o]);
            high2[o] = b->high[o] - rng_unit(&r) * (b->high[o] - prob[o]);
        }
        for (size_t i = 0; i < b->dim; i++) b->now[i] = i < 4 ? rng_unit(&r) : 2 * rng_unit(&r) - 1;
        box_bound_enter(b);
        double bound = box_bound_price(b, b->now);
        box_bound_outlook(b, b->now, bound, low2, high2, limit);
        for (size_t o = 0; o < choices; o++, checks++) {
            double low = b->low[o], high = b->high[o];
            b->low[o] = low2[o];
            b->high[o] = high2[o];
            double narrow = box_bound_price(b, b->now);
            assert_true(narrow >= bound - 1e-9);
            assert_true(narrow <= limit[o] + 1e-9);
            b->low[o] = low;
            b->high[o] = high;
        }
        free(prob), free(low2), free(high2), free(limit);
        box_bound_free(b);
        space_free(&space);
        vouch_model_free(m);
    }
    assert_true(checks > 100);
}

/* Data that a box passes to its parts. */
typedef struct handed {
    multipliers from[BOX_MEMORY];
    box_column **columns;
    double *mean;
    int count, column_count;
} handed;

static handed hand_down(const box_bound *b)
{
    handed h = {.count = b->kept_count, .column_count = b->column_count};
    h.columns = malloc((size_t)(h.column_count + 1) * sizeof *h.columns);
    for (int i = 0; i < h.column_count; i++) h.columns[i] = box_column_hold(b->columns[i]);
    h.mean = malloc((size_t)b->space->g->choices * sizeof *h.mean);
    for (int c = 0; c < b->space->g->choices; c++) h.mean[c] = h.column_count ? b->columns[h.column_count - 1]->prob[c] : 0;
    for (int i = 0; i < h.count; i++) {
        h.from[i] = b->kept[i];
        h.from[i].value = malloc(b->dim * sizeof(double));
        memcpy(h.from[i].value, b->kept[i].value, b->dim * sizeof(double));
    }
    return h;
}

static void let_go(handed *h)
{
    for (int i = 0; i < h->column_count; i++) box_column_release(h->columns[i]);
    for (int i = 0; i < h->count; i++) free(h->from[i].value);
    free(h->columns), free(h->mean);
}

/* Repeated halves of the box of all policies that contain the policy prob: no bound exceeds its regret. It keeps the promises with
 * equality. Returns the number of boxes. */
static int check_parts(policy_space *space, box_bound *b, rng *r, const double prob[], int rounds)
{
    const know_graph *g = space->g;
    double *reach = malloc((size_t)g->nodes * (size_t)g->K * sizeof *reach), U[3], Pr[3], most = 0, cutoff = INFINITY;
    deadline never = {0};
    box_options o = {.rounds = rounds, .patience = rng_unit(r) < .5 ? 0 : .1, .worth = .02};
    handed above = {.count = 0};
    int boxes = 0;
    propagate_forward(g, prob, reach, U, Pr);
    for (int k = 0; k < g->K; k++) {
        most = fmax(most, space->optimal[k] - U[k]);
        space->accepted[k] = Pr[k] - (rng_unit(r) < .5 ? 0 : .01);
    }
    for (int c = 0; c < g->choices; c++) b->low[c] = 0, b->high[c] = g->choice_twin[c] == c;
    for (int depth = 0; depth < 7; depth++, boxes++) {
        box_end end;
        box_task task = {.from = above.from,
                         .count = above.count,
                         .columns = above.columns,
                         .column_count = above.column_count,
                         .mean = above.mean,
                         .known = -INFINITY,
                         .cutoff = cutoff,
                         .work = rng_unit(r) < .8 ? INFINITY : 20,
                         .options = &o,
                         .limit = &never};
        double estimate = INFINITY;
        if (above.column_count > 0) assert_int_equal(box_bound_estimate(b, &task, &estimate), VOUCH_OK);
        assert_int_equal(box_bound_solve(b, &task, &end), VOUCH_OK);
        if (rounds == 0 && end == BOX_BOUNDED) assert_true(b->bound <= estimate + 1e-7);
        if (!(b->bound <= most + 1e-7)) fail_msg("depth %d: bound %.12g, regret %.12g", depth, b->bound, most);
        assert_int_not_equal(end, BOX_CUT);
        if (depth == 2) cutoff = most + 2e-7 + .01 * rng_unit(r);
        handed next = hand_down(b);
        let_go(&above);
        above = next;
        for (int c = 0; c < g->choices && depth >= 3; c++) { /* small boxes, whose bounds are near */
            b->low[c] = prob[c] - .02 * (prob[c] - b->low[c]);
            b->high[c] = prob[c] + .02 * (b->high[c] - prob[c]);
        }
        for (int i = 0; i < 3; i++) {
            int c = (int)rng_below(r, (uint64_t)g->choices);
            double at = b->low[c] + rng_unit(r) * (b->high[c] - b->low[c]);
            if (b->high[c] > b->low[c]) box_part(g, b->low, b->high, c, at, prob[c] >= at);
        }
    }
    let_go(&above);
    free(reach);
    return boxes;
}

static void parts_hold(void **state)
{
    (void)state;
    rng r = rng_seed(40);
    int boxes = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)test_part(120, 2400); seed++) {
        vouch_model *m;
        policy_space space;
        box_bound *b;
        vouch_random_shape shape = {3 + (int)(seed % 2), 2 + (int)(seed % 3), 2 + (int)(seed / 3 % 2), 3, 0.2, 2, 0, seed};
        if (vouch_generate_random(&m, &shape, NULL)) continue;
        space_options so = space_options_for((int)(seed / 2 % 4));
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        double *prob = malloc((size_t)space.g->choices * sizeof *prob);
        assert_int_equal(box_bound_new(&space, seed % 5 != 0, &b), VOUCH_OK);
        draw_policy(space.g, &r, prob);
        boxes += check_parts(&space, b, &r, prob, seed % 2 ? 0 : 4);
        free(prob);
        box_bound_free(b);
        space_free(&space);
        vouch_model_free(m);
    }
    assert_true(boxes > 100);
}

/* The split of the box of all policies when its bound is `lag` below what mixtures make of it; false: there is nothing to split. */
static bool split_behind(const policy_space *space, double lag, box_split *split)
{
    box_bound *b;
    box_branch *branch;
    box_end end;
    deadline never = {0};
    box_options o = {.rounds = 0};
    box_task task = {.known = -INFINITY, .cutoff = INFINITY, .work = INFINITY, .options = &o, .limit = &never};
    assert_int_equal(box_bound_new(space, true, &b), VOUCH_OK);
    assert_int_equal(box_branch_new(space, b->dim, &branch), VOUCH_OK);
    for (int c = 0; c < space->g->choices; c++) b->low[c] = 0, b->high[c] = space->g->choice_twin[c] == c;
    assert_int_equal(box_bound_solve(b, &task, &end), VOUCH_OK);
    box_branch_look(branch, b);
    int candidates = branch->count;
    if (candidates > 0) {
        handed above = hand_down(b);
        task.columns = above.columns;
        task.column_count = above.column_count;
        task.mean = branch->prob;
        task.known = b->mixture - lag;
        task.cutoff = b->mixture + .05;
        assert_int_equal(box_branch_choose(branch, b, &task, split), VOUCH_OK);
        let_go(&above);
    }
    box_branch_free(branch);
    box_bound_free(b);
    return candidates > 1;
}

/* A split is chosen by the gain of its parts' mixtures: a bound that lags behind does not count as a gain on both sides. */
static void lagging_bounds_gain_nothing(void **state)
{
    (void)state;
    int chosen = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)test_part(150, 1500); seed++) {
        vouch_model *m;
        policy_space space;
        box_split near, far;
        vouch_random_shape shape = {4, 2 + (int)(seed % 2), 2 + (int)(seed / 2 % 2), 5, 0.4, 2, 0, seed};
        if (vouch_generate_random(&m, &shape, NULL)) continue;
        space_options so = space_options_for((int)(seed % 3));
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        if (split_behind(&space, 0, &near)) {
            assert_true(split_behind(&space, .04, &far));
            assert_int_equal(near.choice, far.choice);
            assert_near(near.at, far.at, 1e-12);
            chosen++;
        }
        space_free(&space);
        vouch_model_free(m);
    }
    assert_true(chosen > 10);
}

/* Projecting a policy into a box: the result lies in it and is the policy if that did; the rest goes to the mean. */
static void policies_are_moved(void **state)
{
    (void)state;
    rng r = rng_seed(21);
    vouch_model *m;
    policy_space space;
    vouch_random_shape shape = {4, 5, 2, 4, 0, 3, 0, 3};
    assert_int_equal(vouch_generate_random(&m, &shape, NULL), VOUCH_OK);
    space_options so = space_options_for(1);
    assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
    const know_graph *g = space.g;
    size_t choices = (size_t)g->choices;
    double *low = malloc(choices * sizeof *low), *high = malloc(choices * sizeof *high), *mean = malloc(choices * sizeof *mean),
           *prob = malloc(choices * sizeof *prob), *before = malloc(choices * sizeof *before);
    for (int trial = 0; trial < 100; trial++) {
        double width = rng_unit(&r);
        draw_policy(g, &r, mean);
        draw_box(g, &r, mean, width * width, low, high);
        draw_policy(g, &r, prob);
        memcpy(before, prob, choices * sizeof *prob);
        box_column_move(g, (policy_box){low, high}, mean, prob);
        for (int n = 0; n < g->time_start[g->T]; n++) {
            bool within = true;
            double sum = 0, moved = 0;
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
                within = within && before[c] >= low[c] && before[c] <= high[c];
                assert_true(prob[c] >= low[c] && prob[c] <= high[c]);
                sum += prob[c];
                moved += fabs(prob[c] - before[c]);
            }
            assert_near(sum, 1, 1e-11);
            if (within) assert_near(moved, 0, 1e-15);
        }
        memcpy(prob, before, choices * sizeof *prob);
        box_column_move(g, (policy_box){mean, mean}, mean, prob);
        for (int c = 0; c < g->choice_start[g->time_start[g->T]]; c++) assert_near(prob[c], mean[c], 1e-15);
    }
    free(low), free(high), free(mean), free(prob), free(before);
    space_free(&space);
    vouch_model_free(m);
}

/* A box of one policy is bounded by exactly that policy's figures. */
static void a_point(void **state)
{
    (void)state;
    rng r = rng_seed(8);
    vouch_model *m;
    policy_space space;
    box_bound *b;
    vouch_random_shape shape = {4, 3, 3, 4, 0, 3, 0, 5};
    assert_int_equal(vouch_generate_random(&m, &shape, NULL), VOUCH_OK);
    space_options so = space_options_for(0);
    assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
    assert_int_equal(box_bound_new(&space, true, &b), VOUCH_OK);
    draw_policy(space.g, &r, b->low);
    memcpy(b->high, b->low, (size_t)space.g->choices * sizeof(double));
    double *reach = malloc((size_t)space.g->nodes * 3 * sizeof *reach), U[3], Pr[3], most = -INFINITY;
    propagate_forward(space.g, b->low, reach, U, Pr);
    for (int k = 0; k < 3; k++) most = fmax(most, space.optimal[k] - U[k]);
    deadline never = {0};
    box_options o = {4, 0, 0};
    box_task task = {.known = -INFINITY, .cutoff = INFINITY, .work = INFINITY, .options = &o, .limit = &never};
    box_end end;
    assert_int_equal(box_bound_solve(b, &task, &end), VOUCH_OK);
    assert_near(b->bound, most, 1e-7);
    free(reach);
    box_bound_free(b);
    space_free(&space);
    vouch_model_free(m);
}

static void lookahead_proved(void **state)
{
    (void)state;
    static const double known[] = {0.5, 0.1, 0.5, 0.5};
    vouch_model *m;
    assert_int_equal(vouch_generate_lookahead(&m, NULL), VOUCH_OK);
    for (int L = 0; L < 4; L++) {
        vouch_plan_options o;
        vouch_policy *policy;
        vouch_plan_result res;
        vouch_plan_options_init(&o);
        o.method = VOUCH_METHOD_EXACT_CCL;
        o.lookahead = L;
        o.certify = 1;
        assert_int_equal(vouch_plan(&policy, m, &o, NULL), VOUCH_OK);
        vouch_policy_get_result(policy, &res);
        assert_int_equal(res.outcome, VOUCH_PLAN_OPTIMAL);
        assert_near(res.max_regret, known[L], 1e-9);
        assert_true(res.bound >= known[L] - 1e-4 && res.bound <= known[L] + 1e-12);
        vouch_policy_free(policy);
    }
    vouch_model_free(m);
}

/* The k-th allocation fails: out of memory, nothing left behind; enough memory: the answer. */
static void memory_runs_out(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_plan_options o;
    assert_int_equal(vouch_generate_lookahead(&m, NULL), VOUCH_OK);
    vouch_plan_options_init(&o);
    o.method = VOUCH_METHOD_EXACT_CCL;
    o.restarts = 2;
    o.certify = 1;
    long live = mem_live(), k = 0, failures = 0;
    for (vouch_status status = VOUCH_ERROR_MEMORY; status; k += 1 + k / 50) {
        vouch_policy *policy = NULL;
        mem_fail_after(k);
        status = vouch_plan(&policy, m, &o, NULL);
        mem_fail_after(-1);
        if (status) {
            assert_int_equal(status, VOUCH_ERROR_MEMORY);
            assert_null(policy);
            failures++;
        } else {
            vouch_plan_result res;
            vouch_policy_get_result(policy, &res);
            assert_near(res.max_regret, 0.5, 1e-9);
        }
        vouch_policy_free(policy);
        assert_int_equal(mem_live(), live);
    }
    assert_true(failures > 50);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounds_hold),
                                       cmocka_unit_test(outlook_holds),
                                       cmocka_unit_test(parts_hold),
                                       cmocka_unit_test(policies_are_moved),
                                       cmocka_unit_test(lagging_bounds_gain_nothing),
                                       cmocka_unit_test(a_point),
                                       cmocka_unit_test(lookahead_proved),
                                       cmocka_unit_test(memory_runs_out)};
    return run_tests(tests);
}
