/* Bounds by pairs: against all sets of one environment, made without merging by code that shares nothing, and against the figures
 * of single policies. */
#include "plan_aid.h"

#include <float.h>

#include "base/rng.h"
#include "know/classes.h"
#include "know/induction.h"
#include "know/pairs.h"
#include "know/graph.h"
#include "oracle/wild.h"
#include "policy/space.h"

enum { MODELS = 120, LISTED = 3000 };
static const double ROUNDING = 1e-12;

static know_graph *graph_of(const vouch_model *m, int L)
{
    know_graph *g;
    assert_int_equal(know_graph_new(m, L, NULL, &g, NULL), VOUCH_OK);
    return g;
}

static know_pairs *pairs_of(const know_graph *g, const pareto_sets *f, int k, int most)
{
    know_pairs *p;
    assert_int_equal(pairs_new_environment(g, f, k, most, &p), VOUCH_OK);
    assert_true(p->slack >= g->T * DBL_EPSILON && p->slack <= g->T * (g->m->S + 1) * DBL_EPSILON);
    return p;
}

static unsigned char *everything(int options)
{
    unsigned char *allowed = malloc((size_t)options);
    memset(allowed, 1, (size_t)options);
    return allowed;
}

/* ---- all sets of one environment ----------------------------------------------------------------------------------------------
 */

typedef struct list {
    int count;
    double u[LISTED], q[LISTED];
} list;

static void list_add(list *l, double u, double q)
{
    for (int i = 0; i < l->count; i++)
        if (l->u[i] >= u && l->q[i] >= q) return;
    int kept = 0;
    for (int i = 0; i < l->count; i++) {
        if (l->u[i] <= u && l->q[i] <= q) continue;
        l->u[kept] = l->u[i];
        l->q[kept++] = l->q[i];
    }
    assert_true(kept < LISTED);
    l->u[kept] = u;
    l->q[kept] = q;
    l->count = kept + 1;
}

/* What pair x of the model may lead to when its outcomes o.. go on from the sets of the next time. */
static void list_combine(const mdp *e, int o, int end, const list next[], double u, double q, list *to)
{
    if (o == end) {
        list_add(to, u, q);
        return;
    }
    const list *l = &next[e->next[o]];
    for (int i = 0; i < l->count; i++) list_combine(e, o + 1, end, next, u + e->prob[o] * l->u[i], q + e->prob[o] * l->q[i], to);
}

/* The set of environment k at the start. *widest: the largest of all sets. */
static list *list_all(const vouch_model *m, int k, int *widest)
{
    const mdp *e = &m->env[k];
    list *now = calloc((size_t)m->S, sizeof *now), *next = calloc((size_t)m->S, sizeof *next);
    *widest = 1;
    for (int s = 0; s < m->S; s++) list_add(&next[s], 0, m->terminal[s]);
    for (int t = m->T - 1; t >= 0; t--) {
        for (int s = 0; s < m->S; s++) {
            now[s].count = 0;
            for (int x = m->pair_start[s]; x < m->pair_start[s + 1]; x++)
                list_combine(e, e->start[x], e->start[x + 1], next, e->expected[x], 0, &now[s]);
            if (now[s].count > *widest) *widest = now[s].count;
        }
        list *swap = now;
        now = next;
        next = swap;
    }
    next[0] = next[m->s0];
    free(now);
    return next;
}

static double list_best(const list *l, double least)
{
    double best = -INFINITY;
    for (int i = 0; i < l->count; i++)
        if (l->q[i] >= least - ROUNDING) best = fmax(best, l->u[i]);
    return best;
}

/* Nothing merged: the sets' own answer for every L. Merged: never less. */
static void test_all_sets(void **state)
{
    (void)state;
    static const int most[] = {1, 2, 5, 16, STAIRS_MOST};
    int exact = 0;
    for (int number = 0; number < MODELS; number++) {
        vouch_model *m = wild_model((uint64_t)number);
        for (int k = 0; k < m->K; k++) {
            int widest;
            list *l = list_all(m, k, &widest);
            for (int L = 0; L <= m->T; L += m->T)
                for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
                    know_graph *g = graph_of(m, L);
                    know_pairs *p = pairs_of(g, NULL, k, most[i]);
                    unsigned char *allowed = everything(g->choices);
                    for (int quarter = 0; quarter <= 4; quarter++) {
                        double least = 0.25 * quarter, best = list_best(l, least), bound = pairs_solve(p, allowed, least);
                        if (widest * widest <= most[i]) {
                            exact++;
                            if (best == -INFINITY)
                                assert_true(bound == -INFINITY);
                            else
                                assert_near(bound, best, ROUNDING);
                        } else
                            assert_true(bound >= best - ROUNDING);
                    }
                    free(allowed);
                    pairs_free(p);
                    know_graph_free(g);
                }
            free(l);
        }
        vouch_model_free(m);
    }
    assert_true(exact > 1000);
}

/* ---- single policies ----------------------------------------------------------------------------------------------------------
 */

typedef struct tried {
    vouch_model *m;
    know_graph *g;
    rng r;
    int *pick;
    double *prob, *reach, U[4], Pr[4];
} tried;

static tried tried_new(int number)
{
    tried x = {.m = wild_model((uint64_t)number), .r = rng_seed((uint64_t)number)};
    x.g = graph_of(x.m, number % (x.m->T + 1));
    x.pick = malloc((size_t)x.g->nodes * sizeof *x.pick);
    x.prob = malloc((size_t)x.g->choices * sizeof *x.prob);
    x.reach = malloc((size_t)x.g->nodes * (size_t)x.m->K * sizeof *x.reach);
    return x;
}

static void tried_free(tried *x)
{
    free(x->pick);
    free(x->prob);
    free(x->reach);
    know_graph_free(x->g);
    vouch_model_free(x->m);
}

/* Some choices are forbidden, but never all of a node. */
static void forbid(tried *x, unsigned char allowed[])
{
    const know_graph *g = x->g;
    memset(allowed, 1, (size_t)g->choices);
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int first = g->choice_start[n], count = g->choice_start[n + 1] - first;
        int only = g->choice_twin[first + (int)rng_below(&x->r, (uint64_t)count)];
        for (int c = first; c < first + count; c++)
            if (c != only && rng_below(&x->r, 3) == 0) allowed[c] = 0;
    }
}

/* A policy of allowed choices, and its figures. */
static void draw_policy(tried *x, const unsigned char allowed[])
{
    const know_graph *g = x->g;
    for (int n = 0; n < g->nodes; n++) {
        x->pick[n] = -1;
        for (int c = g->choice_start[n], seen = 0; c < g->choice_start[n + 1]; c++)
            if (allowed[c] && g->choice_twin[c] == c && rng_below(&x->r, (uint64_t)++seen) == 0) x->pick[n] = c;
    }
    propagate_pick(g, x->pick, x->prob);
    assert_int_equal(propagate_forward(g, x->prob, x->reach, x->U, x->Pr), -1);
}

/* The bound holds for every policy of allowed choices and is the same if computed anew; for a single policy it is exact. */
static void test_policies(void **state)
{
    (void)state;
    for (int number = 0; number < MODELS; number++) {
        tried x = tried_new(number);
        unsigned char *allowed = malloc((size_t)x.g->choices);
        int most = 1 + number % 12;
        for (int k = 0; k < x.m->K; k++) {
            know_pairs *p = pairs_of(x.g, NULL, k, most);
            for (int round = 0; round < 8; round++) {
                forbid(&x, allowed);
                for (int i = 0; i < 10; i++) {
                    draw_policy(&x, allowed);
                    assert_true(pairs_solve(p, allowed, x.Pr[k]) >= x.U[k] - ROUNDING);
                }
                know_pairs *anew = pairs_of(x.g, NULL, k, most);
                assert_true(pairs_solve(anew, allowed, 0.5) == pairs_solve(p, allowed, 0.5));
                long long work = p->pareto_front.work;
                pairs_solve(p, allowed, 0.25);
                assert_int_equal(p->pareto_front.work, work); /* nothing changed, nothing is made */
                pairs_free(anew);
                for (int c = 0; c < x.g->choices; c++) allowed[c] = x.prob[c] > 0;
                assert_near(pairs_solve(p, allowed, x.Pr[k]), x.U[k], ROUNDING);
            }
            pairs_free(p);
        }
        free(allowed);
        tried_free(&x);
    }
}

/* A trial returns the result of new sets for its options, whatever was tried before, with the same work each time, and does not
 * change the base. */
static void test_trials(void **state)
{
    (void)state;
    int less = 0;
    for (int number = 0; number < MODELS; number++) {
        tried x = tried_new(number);
        unsigned char *allowed = malloc((size_t)x.g->choices), *part = malloc((size_t)x.g->choices);
        int most = 1 + number % 12;
        for (int k = 0; k < x.m->K; k++) {
            know_pairs *p = pairs_of(x.g, NULL, k, most), *trial;
            assert_int_equal(pairs_new_trial(p, &trial), VOUCH_OK);
            for (int round = 0; round < 6; round++) {
                forbid(&x, allowed);
                double before = pairs_solve(p, allowed, 0.5);
                for (int i = 0; i < 6; i++) {
                    forbid(&x, part);
                    for (int c = 0; c < x.g->choices; c++) part[c] = part[c] && allowed[c];
                    know_pairs *anew = pairs_of(x.g, NULL, k, most);
                    long long begun = trial->pareto_front.work;
                    double bound = pairs_try(trial, part, 0.5);
                    long long work = trial->pareto_front.work - begun;
                    assert_true(bound == pairs_solve(anew, part, 0.5));
                    assert_true(pairs_try(trial, allowed, 0.5) == before);
                    assert_true(pairs_try(trial, part, 0.5) == bound);
                    assert_int_equal(trial->pareto_front.work - begun, 2 * work);
                    less += work < anew->pareto_front.work;
                    pairs_free(anew);
                }
                long long work = p->pareto_front.work;
                assert_true(pairs_solve(p, allowed, 0.5) == before);
                assert_int_equal(p->pareto_front.work, work);
            }
            pairs_free(trial);
            pairs_free(p);
        }
        free(allowed);
        free(part);
        tried_free(&x);
    }
    assert_true(less > 1000);
}

/* A copy returns the same results as its original, and both continue independently. */
static void test_copies(void **state)
{
    (void)state;
    for (int number = 0; number < MODELS; number++) {
        tried x = tried_new(number);
        unsigned char *allowed = malloc((size_t)x.g->choices), *other = malloc((size_t)x.g->choices);
        for (int k = 0; k < x.m->K; k++) {
            know_pairs *p = pairs_of(x.g, NULL, k, 1 + number % 12), *copy;
            for (int round = 0; round < 4; round++) {
                forbid(&x, allowed);
                forbid(&x, other);
                double answer = pairs_solve(p, allowed, 0.5);
                assert_int_equal(pairs_new_copy(p, &copy), VOUCH_OK);
                assert_true(pairs_solve(copy, allowed, 0.5) == answer);
                assert_int_equal(copy->pareto_front.work, 0); /* nothing is recomputed */
                double elsewhere = pairs_solve(copy, other, 0.5);
                assert_true(pairs_solve(p, allowed, 0.5) == answer);
                assert_true(pairs_solve(p, other, 0.5) == elsewhere);
                pairs_free(copy);
            }
            pairs_free(p);
        }
        free(allowed);
        free(other);
        tried_free(&x);
    }
}

/* The policy behind an answer has its probability, and its reward unless pairs were merged. */
static void test_trace(void **state)
{
    (void)state;
    int same = 0;
    for (int number = 0; number < MODELS; number++) {
        tried x = tried_new(number);
        const know_graph *g = x.g;
        unsigned char *allowed = malloc((size_t)g->choices);
        double *mass = malloc((size_t)g->choices * sizeof *mass);
        for (int k = 0; k < x.m->K; k++) {
            know_pairs *p = pairs_of(g, NULL, k, number % 2 ? STAIRS_MOST : 3);
            for (int round = 0; round < 6; round++) {
                double least = round / 8.0, u = 0, first = 0;
                forbid(&x, allowed);
                double bound = pairs_solve(p, allowed, least);
                memset(mass, 0, (size_t)g->choices * sizeof *mass);
                pairs_trace(p, least, mass, false);
                if (bound == -INFINITY) continue;
                for (int c = 0; c < g->choices; c++) {
                    assert_true(mass[c] == 0 || allowed[c]);
                    u += mass[c] * g->reward[(size_t)g->choice_pair[c] * (size_t)g->K + (size_t)k];
                }
                for (int c = 0; c < g->choice_start[1]; c++) first += mass[c];
                double kept = 0, lost = 0; /* at the horizon */
                for (int c = g->choice_start[g->time_start[g->T - 1]]; c < g->choices; c++)
                    for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++) {
                        double prob = mass[c] * g->successor_prob[(size_t)g->edge_row[e] * (size_t)g->K + (size_t)k];
                        if (!know_in_set(g, g->set[g->edge_child[e]], k)) continue;
                        *(x.m->terminal[g->state[g->edge_child[e]]] > 0 ? &kept : &lost) += prob;
                    }
                assert_near(first, 1, ROUNDING);
                assert_near(kept + lost, 1, ROUNDING);
                assert_true(kept >= least - ROUNDING && u <= bound + ROUNDING);
                if (number % 2 == 0) continue;
                assert_near(u, bound, 0.05); /* 64 pairs: merged little or not at all */
                same += fabs(u - bound) <= ROUNDING;
            }
            pairs_free(p);
        }
        free(mass);
        free(allowed);
        tried_free(&x);
    }
    assert_true(same > 200);
}

/* ---- likelihood classes -------------------------------------------------------------------------------------------------------
 */

/* Over classes: the bound of weighted values is above every policy that keeps the promise; weights of one environment alone give
 * its own bound. */
static void test_classes(void **state)
{
    (void)state;
    for (int number = 0; number < MODELS; number++) {
        tried x = tried_new(number);
        int K = x.m->K, k = number % K;
        pareto_sets *f = NULL;
        know_classes *c;
        know_pairs *p;
        if (number % 2) assert_int_equal(pareto_new(x.g, 50, NULL, false, NULL, &f), VOUCH_OK);
        assert_int_equal(know_classes_new(x.g, f, &(class_limits){.classes = number % 3 ? 100000 : 5}, &c, NULL), VOUCH_OK);
        assert_int_equal(pairs_new_classes(c, number % 4 ? STAIRS_MOST : 2, &p), VOUCH_OK);
        know_pairs *alone = pairs_of(x.g, f, k, STAIRS_MOST);
        unsigned char *allowed = everything(c->options);
        double *value = malloc((size_t)c->classes * sizeof *value);
        arena memory = {0};
        reachable_classes live;
        reachable_init(&live, c, &memory);
        for (int round = 0; round < 6; round++) {
            double weight[4], mu[4], none[4] = {0}, unit[4] = {0};
            for (int j = 0; j < K; j++) {
                weight[j] = rng_below(&x.r, 3) ? rng_unit(&x.r) : 0;
                mu[j] = rng_below(&x.r, 3) ? 2 * rng_unit(&x.r) : 0;
            }
            pairs_weigh(p, c, weight, mu, k);
            for (int i = 0; i <= 4 && number % 4; i++) { /* never above the Lagrangian bound, but for merged pairs */
                reachable_find(&live, allowed, c->g->T + 1);
                double least = 0.25 * i, v = induction_backward(&live, weight, mu, c->g->T + 1, value, NULL);
                assert_true(pairs_solve(p, allowed, least) <= v - mu[k] * least + 0.05);
            }
            for (int i = 0; i < 20; i++) {
                double w = 0;
                draw_policy(&x, allowed);
                for (int j = 0; j < K; j++) w += weight[j] * x.U[j] + (j == k ? 0 : mu[j] * x.Pr[j]);
                assert_true(pairs_solve(p, allowed, x.Pr[k]) >= w - ROUNDING);
            }
            unit[k] = 1;
            pairs_weigh(p, c, unit, none, k);
            double least = round / 8.0, bound = pairs_solve(alone, allowed, least), over_classes = pairs_solve(p, allowed, least);
            if (number % 4 == 0 || bound == -INFINITY)
                assert_true(over_classes >= bound - 0.05);
            else
                assert_near(over_classes, bound, 0.05);
        }
        free(value);
        arena_free(&memory);
        free(allowed);
        pairs_free(alone);
        pairs_free(p);
        know_classes_free(c);
        pareto_free(f);
        tried_free(&x);
    }
}

/* ---- the mazes ----------------------------------------------------------------------------------------------------------------
 */

/* Roots of mazes whose promise binds, where mixtures see nothing: optima found by enumeration and by mixed-integer programs. */
static void test_mazes(void **state)
{
    (void)state;
    static const struct {
        vouch_maze_shape shape;
        double optimum;
    } maze[] = {
        {{.corridor = 3, .up = 2, .down = 2, .environments = 2, .horizon = 8, .probability = 0.5, .grip = 0.8}, 1.1432},
        {{.corridor = 3, .up = 3, .down = 2, .environments = 2, .horizon = 9, .probability = 0.3, .grip = 0.8}, 1.42704},
        {{.corridor = 4, .up = 3, .down = 2, .environments = 3, .horizon = 10, .probability = 0.6, .grip = 0.8}, 0.84704},
    };
    for (size_t i = 0; i < sizeof maze / sizeof *maze; i++) {
        vouch_model *m;
        assert_int_equal(vouch_generate_t_maze(&m, &maze[i].shape, NULL), VOUCH_OK);
        policy_space space;
        space_options so = space_options_for(0);
        so.pareto_cap = PARETO_CAP;
        so.classes = 0;
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        double most = 0;
        for (int k = 0; k < m->K; k++) {
            know_pairs *p = pairs_of(space.g, space.f, k, 32);
            unsigned char *allowed = everything(space.g->choices + space.f->vectors);
            most = fmax(most, space.optimal[k] - pairs_solve(p, allowed, space.accepted[k]));
            free(allowed);
            pairs_free(p);
        }
        assert_near(most, maze[i].optimum, 1e-9);
        space_free(&space);
        vouch_model_free(m);
    }
}

static void test_memory(void **state)
{
    (void)state;
    vouch_model *m = wild_model(3);
    know_graph *g = graph_of(m, 1);
    know_classes *c;
    assert_int_equal(know_classes_new(g, NULL, &(class_limits){.classes = 1000}, &c, NULL), VOUCH_OK);
    for (int kind = 0; kind < 2; kind++) {
        vouch_status status = VOUCH_ERROR_MEMORY;
        for (int allowed = 0; status; allowed++) {
            know_pairs *p;
            assert_true(allowed < 100);
            mem_fail_after(allowed);
            status = kind ? pairs_new_classes(c, 8, &p) : pairs_new_environment(g, NULL, 0, 8, &p);
            mem_fail_after(-1);
            assert_true(status ? status == VOUCH_ERROR_MEMORY && !p : p != NULL);
            pairs_free(p);
        }
    }
    know_classes_free(c);
    know_graph_free(g);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_sets), cmocka_unit_test(test_policies), cmocka_unit_test(test_trials),
        cmocka_unit_test(test_copies),   cmocka_unit_test(test_trace),    cmocka_unit_test(test_classes),
        cmocka_unit_test(test_mazes),    cmocka_unit_test(test_memory),
    };
    return run_tests(tests);
}
