/* The maximum over a box, against all corners of small boxes by propagation: both searches and their alternation find it, and an
 * aborted one returns an upper bound. */
#include <vouch/generate.h>

#include "base/rng.h"
#include "know/graph.h"
#include "plan/spatial/box.h"
#include "policy/space.h"
#include "test.h"

enum { MOST_A = 4, MOST_K = 3, FREE = 4 };

typedef struct box_case {
    policy_space space;
    rng r;
    double *low, *high, *prob, *reach, *reward; /* [choices], [choices], [choices], [nodes * K], [choices * K] */
    double mu[MOST_K];
    int node[FREE], count; /* nodes whose boxes are no points */
} box_case;

static double unit(box_case *x) { return rng_unit(&x->r); }

/* A point at most nodes, a box around it at some; sides of the box often are 0 and 1. */
static void draw_box(box_case *x)
{
    const know_graph *g = x->space.g;
    x->count = 0;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        double sum = 0;
        int choices = g->choice_start[n + 1] - g->choice_start[n];
        bool wide = x->count < FREE + 2 - choices && choices > 1 && unit(x) < .5;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            sum += x->prob[c] = g->choice_twin[c] == c ? .01 + unit(x) : 0;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            x->low[c] = x->high[c] = x->prob[c] /= sum;
            if (!wide || g->choice_twin[c] != c) continue;
            x->low[c] *= unit(x) < .5 ? 0 : unit(x);
            x->high[c] = unit(x) < .5 ? 1 : x->high[c] + unit(x) * (1 - x->high[c]);
        }
        if (wide) x->node[x->count++] = n;
    }
    for (int i = 0; i < g->choices * g->K; i++) x->reward[i] = 2 * unit(x) - 1;
    for (int k = 0; k < g->K; k++) x->mu[k] = 3 * unit(x);
}

static double made(box_case *x, const double prob[])
{
    const know_graph *g = x->space.g;
    double U[MOST_K], Pr[MOST_K], sum = 0;
    propagate_forward(g, prob, x->reach, U, Pr);
    for (int n = 0; n < g->time_start[g->T]; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            for (int k = 0; k < g->K; k++) sum += prob[c] * x->reach[n * g->K + k] * x->reward[c * g->K + k];
    for (int k = 0; k < g->K; k++) sum += x->mu[k] * Pr[k];
    return sum;
}

/* All corners of the nodes from x->node[i] on: what its lows leave goes to its choices one after the other, in every order. */
static double try_corners(box_case *x, int i)
{
    const know_graph *g = x->space.g;
    double best = -INFINITY;
    if (i == x->count) return made(x, x->prob);
    int first = g->choice_start[x->node[i]], count = g->choice_start[x->node[i] + 1] - first, orders = 1;
    for (int a = 0; a < count; a++) orders *= count;
    for (int word = 0; word < orders; word++) {
        double left = 1;
        unsigned seen = 0;
        for (int a = 0, rest = word; a < count; a++, rest /= count) seen |= 1u << rest % count;
        if (seen + 1 != 1u << count) continue; /* no order */
        for (int c = first; c < first + count; c++) left -= x->prob[c] = x->low[c];
        for (int a = 0, rest = word; a < count; a++, rest /= count) {
            int c = first + rest % count;
            double more = fmin(left, x->high[c] - x->low[c]);
            x->prob[c] += more;
            left -= more;
        }
        best = fmax(best, try_corners(x, i + 1));
    }
    return best;
}

enum { BY_TREE, BY_STAGES, BY_TURNS, WAYS };

static const deadline NEVER = {0};

/* The result of one search, passed to the next. */
static void check_most(box_case *x, box_pricer *p, price_task *task, double most)
{
    for (int way = 0; way < WAYS; way++) {
        p->stages_first = way == BY_STAGES;
        p->first = way == BY_TURNS ? 0 : 1e12;
        assert_int_equal(box_pricer_most(p, task), VOUCH_OK);
        assert_true(p->known);
        assert_near(p->found, most, 1e-10);
        assert_near(p->upper, most, 1e-10);
        assert_near(made(x, p->prob), most, 1e-10);
        for (int c = 0; c < x->space.g->choices; c++)
            assert_true(p->prob[c] >= x->low[c] - 1e-12 && p->prob[c] <= x->high[c] + 1e-12);
    }
}

static void check_box(box_case *x, box_pricer *p)
{
    const know_graph *g = x->space.g;
    double most = try_corners(x, 0);
    box_pricer_enter(p, (policy_box){x->low, x->high});
    price_task task = {x->reward, x->mu, -INFINITY, 0, INFINITY, &NEVER};
    check_most(x, p, &task, most);
    for (int i = 0; i < g->choices * g->K; i++) x->reward[i] += .5 * unit(x) - .25; /* other prices, the box being known */
    most = try_corners(x, 0);
    box_pricer_enter(p, (policy_box){x->low, x->high});
    task.work = 0; /* nothing is done */
    assert_int_equal(box_pricer_most(p, &task), VOUCH_OK);
    assert_true(p->upper >= most);
    task.work = 1e-3; /* one turn is */
    p->first = 0;
    assert_int_equal(box_pricer_most(p, &task), VOUCH_OK);
    assert_true(p->upper >= most - 1e-10 && (!p->known || p->found <= most + 1e-10));
    task.work = INFINITY;
    for (int way = 0; way < WAYS; way++) {
        p->stages_first = way == BY_STAGES;
        p->first = way == BY_TURNS ? 0 : 1e12;
        task.least = most + 1e-9;
        assert_int_equal(box_pricer_most(p, &task), VOUCH_OK);
        assert_true(p->upper >= most - 1e-10 && p->upper <= task.least);
        box_pricer_enter(p, (policy_box){x->low, x->high});
        assert_int_equal(box_pricer_most(p, &task), VOUCH_OK);
        assert_true(p->upper >= most - 1e-10 && p->upper <= task.least);
    }
    task.least = most - 1e-9;
    check_most(x, p, &task, most);
    task.near = .01;
    assert_int_equal(box_pricer_most(p, &task), VOUCH_OK);
    assert_true(p->upper >= most - 1e-10 && p->upper <= p->found + .01 + 1e-10);
    for (int way = 0; way < WAYS; way++) { /* a value above `least` by less than `near` is found, too */
        box_pricer_enter(p, (policy_box){x->low, x->high});
        p->stages_first = way == BY_STAGES;
        p->first = way == BY_TURNS ? 0 : 1e12;
        assert_int_equal(box_pricer_most(p, &task), VOUCH_OK);
        assert_true(p->known && p->upper >= most - 1e-10 && p->upper <= p->found + .01 + 1e-10);
    }
}

static void most_of_corners(void **state)
{
    (void)state;
    int boxes = 0, corners = 0;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        vouch_model *m;
        box_pricer *pricer;
        box_case x = {.r = rng_seed(seed)};
        vouch_random_shape shape = {.states = 3 + (int)(seed % 2),
                                    .actions = 2 + (int)(seed / 2 % 3),
                                    .environments = 2 + (int)(seed / 3 % 2),
                                    .horizon = 3,
                                    .probability = .2,
                                    .branching = 2 + (int)(seed / 5 % 2),
                                    .seed = seed};
        if (vouch_generate_random(&m, &shape, NULL)) continue;
        space_options so = space_options_for((int)(seed % 4));
        assert_int_equal(space_make(m, &so, &x.space, NULL), VOUCH_OK);
        const know_graph *g = x.space.g;
        size_t choices = (size_t)g->choices, K = (size_t)g->K;
        double *all = x.low = malloc((3 * choices + (size_t)g->nodes * K + choices * K) * sizeof *all);
        x.high = x.low + choices;
        x.prob = x.high + choices;
        x.reach = x.prob + choices;
        x.reward = x.reach + (size_t)g->nodes * K;
        assert_int_equal(box_pricer_new(&x.space, &pricer), VOUCH_OK);
        assert_non_null(pricer);
        for (int trial = 0; trial < 4; trial++, boxes++) {
            draw_box(&x);
            corners += x.count;
            check_box(&x, pricer);
        }
        box_pricer_free(pricer);
        free(all);
        space_free(&x.space);
        vouch_model_free(m);
    }
    assert_true(boxes > 300 && corners > 600);
}

/* More choices than corners are looked at of. */
static void too_many_choices(void **state)
{
    (void)state;
    vouch_model *m;
    policy_space space;
    box_pricer *pricer;
    vouch_random_shape shape = {.states = 3, .actions = 6, .environments = 2, .horizon = 2, .branching = 2, .seed = 1};
    assert_int_equal(vouch_generate_random(&m, &shape, NULL), VOUCH_OK);
    space_options so = space_options_for(0);
    assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
    assert_int_equal(box_pricer_new(&space, &pricer), VOUCH_OK);
    assert_null(pricer);
    space_free(&space);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(most_of_corners), cmocka_unit_test(too_many_choices)};
    return run_tests(tests);
}
