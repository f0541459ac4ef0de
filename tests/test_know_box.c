/* Inductions over policies kept within boxes, against enumeration of the corners of every box. */
#include "plan_aid.h"

#include "base/rng.h"
#include "know/classes.h"
#include "know/induction.h"
#include "know/graph.h"

enum { ACTIONS = 4, MODELS = 60 };

typedef struct boxed {
    vouch_model *m;
    know_graph *g;
    know_classes *c;
    double *low, *high; /* [choices] */
    double *reward, *mu;
    rng r;
} boxed;

/* low <= x <= high, sum of x = 1: random, often touching 0 or 1 or a single point; twins 0, 0. */
static void draw_box(boxed *b, double low[], double high[])
{
    const know_graph *g = b->g;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        double x[ACTIONS] = {0}, sum = 0;
        int first = g->choice_start[n], count = g->choice_start[n + 1] - first, kind = (int)rng_below(&b->r, 4);
        for (int i = 0; i < count; i++) {
            x[i] = g->choice_twin[first + i] == first + i ? 0.05 + rng_unit(&b->r) : 0;
            sum += x[i];
        }
        for (int i = 0; i < count; i++) {
            bool twin = x[i] == 0;
            x[i] /= sum;
            double wide = kind == 0 ? 0 : 0.7 * rng_unit(&b->r);
            low[first + i] = twin || kind == 1 ? 0 : fmax(0, x[i] - wide);
            high[first + i] = twin ? 0 : kind == 1 ? 1 : fmin(1, x[i] + wide);
        }
    }
}

/* Numbers yet to be written: none is 0, and one more behind them that must stay. */
static double *unwritten(size_t count)
{
    double *x = malloc((count + 1) * sizeof *x);
    for (size_t i = 0; i <= count; i++) x[i] = -77;
    return x;
}

static void release(double *x, size_t count)
{
    assert_true(x[count] == -77);
    free(x);
}

static boxed boxed_new(int number)
{
    boxed b = {.r = rng_seed((uint64_t)number)};
    vouch_random_shape shape = {.states = 4,
                                .actions = 1 + number % ACTIONS,
                                .environments = 1 + number % 3,
                                .horizon = 3,
                                .probability = 0.2,
                                .branching = 2,
                                .shared_transitions = number % 5 == 0,
                                .seed = (uint64_t)number};
    assert_int_equal(vouch_generate_random(&b.m, &shape, NULL), VOUCH_OK);
    assert_int_equal(know_graph_new(b.m, number % 4, NULL, &b.g, NULL), VOUCH_OK);
    assert_int_equal(know_classes_new(b.g, NULL, &(class_limits){.classes = 100000}, &b.c, NULL), VOUCH_OK);
    size_t choices = (size_t)b.g->choices, K = (size_t)b.g->K;
    b.low = calloc(choices, sizeof(double));
    b.high = calloc(choices, sizeof(double));
    b.reward = calloc(choices * K, sizeof(double));
    b.mu = calloc(K, sizeof(double));
    draw_box(&b, b.low, b.high);
    for (size_t i = 0; i < choices * K; i++) b.reward[i] = 4 * rng_unit(&b.r) - 2;
    for (size_t k = 0; k < K; k++) b.mu[k] = 6 * rng_unit(&b.r) - 3;
    return b;
}

static void boxed_free(boxed *b)
{
    know_classes_free(b->c);
    know_graph_free(b->g);
    vouch_model_free(b->m);
    void *blocks[] = {b->low, b->high, b->reward, b->mu};
    for (int i = 0; i < 4; i++) free(blocks[i]);
}

/* The largest sum of x * worth over the box, whose corners have every item but one at an end of its range. */
static double best_corner(int count, const double worth[], const double low[], const double high[])
{
    double best = -INFINITY;
    for (int free_one = 0; free_one < count; free_one++) {
        for (int ends = 0; ends < 1 << count; ends++) {
            double rest = 1, value = 0;
            for (int i = 0; i < count; i++) {
                double x = ends >> i & 1 ? high[i] : low[i];
                if (i == free_one) continue;
                rest -= x;
                value += x * worth[i];
            }
            if (rest < low[free_one] - 1e-12 || rest > high[free_one] + 1e-12) continue;
            best = fmax(best, value + rest * worth[free_one]);
        }
    }
    return best;
}

/* Value of each slot of class i, given the values of its children. */
static int slot_worths(const boxed *b, int i, const double value[], const double low[], const double high[], double worth[],
                       double l[], double h[])
{
    const know_classes *c = b->c;
    int count = c->slot_start[i + 1] - c->slot_start[i];
    for (int s = 0; s < count; s++) {
        int slot = c->slot_start[i] + s, o = c->slot_option[slot];
        worth[s] = 0;
        for (int k = 0; k < c->K; k++) worth[s] += know_class_weights(c, (int)i)[k] * b->reward[o * c->K + k];
        for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) worth[s] += c->arc_factor[a] * value[c->arc_child[a]];
        l[s] = low[o];
        h[s] = high[o];
    }
    return count;
}

/* The induction attains the best corner at every class; its policy lies in the box, and its occupancies give the value. */
static void both_sweeps_are_those_of_the_best_corner(void **state)
{
    (void)state;
    for (int number = 0; number < MODELS; number++) {
        boxed b = boxed_new(number);
        const know_classes *c = b.c;
        size_t K = (size_t)c->K;
        size_t classes = (size_t)c->classes, slots = (size_t)c->slots, uses = (size_t)b.g->choices * K, actions = (size_t)b.m->A;
        double worth[ACTIONS], l[ACTIONS], h[ACTIONS], *scratch = unwritten(2 * actions), *Pr = unwritten(K);
        double *value = unwritten(classes), *prob = unwritten(slots), *reach = unwritten(classes), *y = unwritten(uses);
        box_induction x = {c, b.reward, b.mu, {b.low, b.high}, value, prob, reach, scratch};
        double top = box_backward(&x);
        assert_true(top == value[0]);
        for (int i = 0; i < c->classes; i++) {
            int count = slot_worths(&b, i, value, b.low, b.high, worth, l, h), n = c->node[i];
            if (!count) {
                double v = 0;
                for (size_t k = 0; k < K; k++) v += b.m->terminal[b.g->state[n]] > 0 ? b.mu[k] * know_class_weights(c, i)[k] : 0;
                assert_near(value[i], v, 1e-12);
                continue;
            }
            double sum = 0;
            assert_near(value[i], best_corner(count, worth, l, h), 1e-9);
            for (int s = 0; s < count; s++) {
                double share = prob[c->slot_start[i] + s];
                assert_true(share >= l[s] - 1e-12 && share <= h[s] + 1e-12);
                sum += share;
            }
            assert_near(sum, 1, 1e-12);
        }
        box_forward(&x, y, Pr);
        double earned = 0;
        for (size_t i = 0; i < (size_t)b.g->choices * K; i++) earned += y[i] * b.reward[i];
        for (size_t k = 0; k < K; k++) earned += b.mu[k] * Pr[k];
        assert_near(earned, top, 1e-9);
        double *blocks[] = {scratch, Pr, value, prob, reach, y};
        size_t sizes[] = {2 * actions, K, classes, slots, classes, uses};
        for (int i = 0; i < 6; i++) release(blocks[i], sizes[i]);
        boxed_free(&b);
    }
}

/* A box of one point is a policy: its occupancies equal those over policy nodes. */
static void a_box_of_one_point_is_a_policy(void **state)
{
    (void)state;
    for (int number = 0; number < MODELS; number++) {
        boxed b = boxed_new(number);
        const know_graph *g = b.g;
        size_t K = (size_t)g->K;
        for (int n = 0; n < g->time_start[g->T]; n++) {
            double left = 1;
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) left -= b.low[c];
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
                double more = fmin(left, b.high[c] - b.low[c]);
                b.low[c] = b.high[c] = b.low[c] + more;
                left -= more;
            }
        }
        double scratch[2 * ACTIONS], Pr[3], U[3], Pr2[3], least[3], most[3];
        double *value = calloc((size_t)b.c->classes, sizeof *value), *prob = calloc((size_t)b.c->slots + 1, sizeof *prob);
        double *reach = calloc((size_t)b.c->classes, sizeof *reach), *y = calloc((size_t)g->choices * K, sizeof *y);
        double *at = calloc((size_t)g->nodes * K, sizeof *at), *work = calloc((size_t)g->nodes + 2 * ACTIONS, sizeof *work);
        box_induction x = {b.c, b.reward, b.mu, {b.low, b.high}, value, prob, reach, scratch};
        box_backward(&x);
        box_forward(&x, y, Pr);
        assert_int_equal(propagate_forward(g, b.low, at, U, Pr2), -1);
        for (size_t k = 0; k < K; k++) assert_near(Pr[k], Pr2[k], 1e-12);
        for (int n = 0; n < g->nodes; n++) {
            box_reach(g, n, (policy_box){b.low, b.high}, work, least, most);
            for (size_t k = 0; k < K; k++) {
                double here = at[(size_t)n * K + k];
                assert_near(least[k], here, 1e-12);
                assert_near(most[k], here, 1e-12);
                for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
                    assert_near(y[(size_t)c * K + k], here * b.low[c], 1e-12);
            }
        }
        void *blocks[] = {value, prob, reach, y, at, work};
        for (int i = 0; i < 6; i++) free(blocks[i]);
        boxed_free(&b);
    }
}

/* Loss by a narrower range of one choice at the classes of its node, each reached as by the best policy. */
static void the_loss_of_a_narrower_range_is_that_of_the_corners(void **state)
{
    (void)state;
    int lost = 0;
    for (int number = 0; number < MODELS; number++) {
        boxed b = boxed_new(number);
        const know_classes *c = b.c;
        const know_graph *g = b.g;
        size_t choices = (size_t)g->choices;
        double worth[ACTIONS], l[ACTIONS], h[ACTIONS], Pr[3], *scratch = unwritten(2 * (size_t)b.m->A);
        double *value = calloc((size_t)c->classes, sizeof *value), *prob = calloc((size_t)c->slots + 1, sizeof *prob);
        double *reach = calloc((size_t)c->classes, sizeof *reach), *y = calloc(choices * (size_t)c->K, sizeof *y),
               *loss = unwritten(choices);
        double *low2 = malloc(choices * sizeof *low2), *high2 = malloc(choices * sizeof *high2),
               *wanted = calloc(choices, sizeof *wanted);
        box_induction x = {c, b.reward, b.mu, {b.low, b.high}, value, prob, reach, scratch};
        double top = box_backward(&x);
        box_forward(&x, y, Pr);
        for (int o = 0; o < g->choices; o++) { /* one side of a split, where a policy of that range remains */
            double others_low = 0, others_high = 0;
            int n = 0;
            while (g->choice_start[n + 1] <= o) n++;
            for (int i = g->choice_start[n]; i < g->choice_start[n + 1]; i++) {
                if (i != o) others_low += b.low[i], others_high += b.high[i];
            }
            double from = fmax(b.low[o], 1 - others_high), to = fmin(b.high[o], 1 - others_low),
                   cut = from + (to - from) * rng_unit(&b.r);
            bool upper = rng_below(&b.r, 2);
            low2[o] = upper ? cut : b.low[o];
            high2[o] = upper ? b.high[o] : cut;
        }
        box_loss(&x, (policy_box){low2, high2}, loss);
        for (int i = 0; i < c->classes; i++) {
            int count = slot_worths(&b, i, value, b.low, b.high, worth, l, h);
            for (int s = 0; s < count && count > 1; s++) {
                int o = c->slot_option[c->slot_start[i] + s];
                double l1 = l[s], h1 = h[s];
                l[s] = low2[o], h[s] = high2[o];
                wanted[o] += reach[i] * (value[i] - best_corner(count, worth, l, h));
                l[s] = l1, h[s] = h1;
            }
        }
        for (int o = 0; o < g->choices; o++) {
            assert_near(loss[o], wanted[o], 1e-9);
            lost += loss[o] > 1e-3;
            double l1 = b.low[o], h1 = b.high[o];
            b.low[o] = low2[o], b.high[o] = high2[o];
            assert_true(box_backward(&x) >= top - loss[o] - 1e-9);
            b.low[o] = l1, b.high[o] = h1;
        }
        release(scratch, 2 * (size_t)b.m->A);
        release(loss, choices);
        void *blocks[] = {value, prob, reach, y, low2, high2, wanted};
        for (int i = 0; i < 7; i++) free(blocks[i]);
        boxed_free(&b);
    }
    assert_true(lost > 100);
}

/* The least (sign -1) and most (sign 1) probability of reaching node `goal` in environment k, over all corners. */
static double extreme(const boxed *b, int goal, int k, double sign, double hit[])
{
    const know_graph *g = b->g;
    for (int n = g->nodes - 1; n >= 0; n--) {
        int count = g->choice_start[n + 1] - g->choice_start[n];
        double worth[ACTIONS];
        hit[n] = n == goal ? sign : 0;
        if (n == goal || !count || !know_in_set(g, g->set[n], k)) continue;
        for (int i = 0; i < count; i++) {
            int c = g->choice_start[n] + i;
            worth[i] = 0;
            for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++)
                if (know_in_set(g, g->set[g->edge_child[e]], k))
                    worth[i] += g->successor_prob[g->edge_row[e] * g->K + k] * hit[g->edge_child[e]];
        }
        hit[n] = best_corner(count, worth, b->low + g->choice_start[n], b->high + g->choice_start[n]);
    }
    return sign * hit[0];
}

static void the_range_of_reaching_is_that_of_the_corners(void **state)
{
    (void)state;
    int between = 0;
    for (int number = 0; number < MODELS; number++) {
        boxed b = boxed_new(number);
        const know_graph *g = b.g;
        size_t K = (size_t)g->K, room = (size_t)g->nodes + 2 * (size_t)b.m->A;
        double *scratch = unwritten(room), *hit = calloc((size_t)g->nodes, sizeof *hit), *least = unwritten(K),
               *most = unwritten(K);
        for (int n = 0; n < g->nodes; n++) {
            box_reach(g, n, (policy_box){b.low, b.high}, scratch, least, most);
            for (int k = 0; k < g->K; k++) {
                bool in = know_in_set(g, g->set[n], k);
                assert_near(least[k], in ? extreme(&b, n, k, -1, hit) : 0, 1e-12);
                assert_near(most[k], in ? extreme(&b, n, k, 1, hit) : 0, 1e-12);
                between += least[k] > 1e-3 && most[k] < 1 - 1e-3 && least[k] < most[k] - 1e-3;
            }
        }
        release(scratch, room);
        release(least, K);
        release(most, K);
        free(hit);
        boxed_free(&b);
    }
    assert_true(between > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_sweeps_are_those_of_the_best_corner),
                                       cmocka_unit_test(a_box_of_one_point_is_a_policy),
                                       cmocka_unit_test(the_loss_of_a_narrower_range_is_that_of_the_corners),
                                       cmocka_unit_test(the_range_of_reaching_is_that_of_the_corners)};
    return run_tests(tests);
}
