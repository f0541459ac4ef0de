/* plan/spatial/corner_search.c - the value of the best policy of a box at given prices, by branch and bound over corners.
 *
 * A node of this tree decides the corners of some policy nodes. Its bound is the induction over likelihood classes
 * (know/induction.h), each of which may choose a corner of its own where none is decided:
 *
 *     V(c) = max over corners x allowed at the node of c of  sum_a x_a (w_c' reward(a) + sum over arcs factor * V(c'))
 *
 * Where all classes of a node choose alike everywhere, the bound is attained. Else it branches where agreement costs most:
 *
 *     cost(n) = min over corners x of  sum over classes c at n of  reach(c) * (V(c) - value of x for c),
 *
 * one child a corner, the largest bound first. Policies are found by taking the corner of least cost at each node and improving it
 * node by node, backwards in time. Source: src/THEORY.md, 6; A. Land, A. Doig, Econometrica 28 (1960). Cost:
 * exponential at worst; a node is an induction and a part of one for each child. Invariant: every policy of the box agrees with the
 * decisions of an open node, or has a value of at most `upper` or of the best policy known.
 */
#include "plan/spatial/box.h"

#include "base/check.h"
#include "base/memory.h"

/* ---- improvement node by node ---- */

/* A sweep that gains less, relative to 1 + value, is the last. */
static const double GAIN = 1e-13;

/* w of the policy pick. */
static void sweep_forwards(corner_slices *x, const int pick[])
{
    const know_graph *g = x->at->g;
    size_t K = (size_t)g->K;
    memset(x->w, 0, (size_t)g->nodes * K * sizeof *x->w);
    for (size_t k = 0; k < K; k++) x->w[k] = 1;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        const double *share = box_corner(x->at, n, pick[n]), *w = x->w + (size_t)n * K;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            double part = share[c - g->choice_start[n]];
            for (int e = g->edge_start[c]; e < g->edge_start[c + 1] && part > 0; e++) {
                int child = g->edge_child[e], set = g->set[child];
                const double *p = g->successor_prob + (size_t)g->edge_row[e] * K;
                for (int i = g->member_start[set]; i < g->member_start[set + 1]; i++)
                    x->w[(size_t)child * K + (size_t)g->member[i]] += part * w[g->member[i]] * p[g->member[i]];
            }
        }
    }
}

/* The value of each environment from choice c of node n on, into x->after. */
static void value_choice(corner_slices *x, const double reward[], int n, int c)
{
    const know_graph *g = x->at->g;
    size_t K = (size_t)g->K;
    double *after = x->after + (size_t)c * K;
    for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++)
        after[g->member[i]] = reward[(size_t)c * K + (size_t)g->member[i]];
    for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++) {
        int child = g->edge_child[e], set = g->set[child];
        const double *p = g->successor_prob + (size_t)g->edge_row[e] * K, *rest = x->rest + (size_t)child * K;
        for (int i = g->member_start[set]; i < g->member_start[set + 1]; i++)
            after[g->member[i]] += p[g->member[i]] * rest[g->member[i]];
    }
}

/* The best corner of n at w, or, where n is not reached, at equal weights; pick unless another is better. */
static int best_corner(const corner_slices *x, int n, int pick)
{
    const know_graph *g = x->at->g;
    size_t K = (size_t)g->K;
    const double *w = x->w + (size_t)n * K;
    int first = g->choice_start[n], choices = box_choices(g, n), best = pick;
    double worth[CORNER_CHOICES], all = 0, most = 0;
    for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) all += w[g->member[i]];
    for (int c = 0; c < choices; c++) {
        worth[c] = 0;
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++)
            worth[c] += (all > 0 ? w[g->member[i]] : 1) * x->after[(size_t)(first + c) * K + (size_t)g->member[i]];
    }
    for (int c = 0; c < choices; c++) most += box_corner(x->at, n, pick)[c] * worth[c];
    for (int j = 0; j < x->at->count[n]; j++) {
        double sum = 0;
        for (int c = 0; c < choices; c++) sum += box_corner(x->at, n, j)[c] * worth[c];
        if (sum <= most) continue;
        most = sum;
        best = j;
    }
    return best;
}

/* Takes the best corner everywhere, the latest time first; returns the value. */
static double sweep_backwards(corner_slices *x, const double reward[], const double mu[], int pick[])
{
    const know_graph *g = x->at->g;
    size_t K = (size_t)g->K;
    double sum = 0;
    for (int n = g->time_start[g->T]; n < g->nodes; n++)
        for (size_t k = 0; k < K; k++) x->rest[(size_t)n * K + k] = mu[k] * know_terminal(g, n, (int)k);
    for (int n = g->time_start[g->T] - 1; n >= 0; n--) {
        int first = g->choice_start[n], choices = box_choices(g, n);
        for (int c = first; c < first + choices; c++) value_choice(x, reward, n, c);
        if (x->at->count[n] > 1) pick[n] = best_corner(x, n, pick[n]);
        const double *share = box_corner(x->at, n, pick[n]);
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
            double *rest = x->rest + (size_t)n * K + (size_t)g->member[i];
            *rest = 0;
            for (int c = 0; c < choices; c++) *rest += share[c] * x->after[(size_t)(first + c) * K + (size_t)g->member[i]];
        }
    }
    for (size_t k = 0; k < K; k++) sum += x->rest[k];
    return sum;
}

/* ---- the tree ---- */

/* Sweeps from the policy known before, and from the choices of classes. */
enum { SWEEPS_KNOWN = 20, SWEEPS = 6 };
/* Classes that cost less, relative to 1 + value, agree. */
static const double AGREED = 1e-12;

typedef struct corner_node {
    const struct corner_node *up;
    int node, corner; /* decided; node -1: the root */
    double bound;
    long long id;
    int number; /* of the witness's case */
} corner_node;

/* Largest bound first, then the oldest. */
static bool before(const void *unused, const void *first, const void *second)
{
    const corner_node *a = first, *b = second;
    (void)unused;
    return a->bound != b->bound ? a->bound > b->bound : a->id < b->id;
}

void corner_search_make(corner_search *x, const know_classes *c, const box_corners *at, arena *a)
{
    const know_graph *g = c->g;
    int decided = g->time_start[g->T];
    CHECK(!c->f);
    x->g = g;
    x->c = c;
    x->at = at;
    x->earned = ARENA_NEW(a, double, c->slots);
    x->made = ARENA_NEW(a, double, c->slots);
    x->value = ARENA_NEW(a, double, c->classes);
    x->reach = ARENA_NEW(a, double, c->classes);
    x->decided = ARENA_NEW(a, int, decided);
    x->cost = ARENA_NEW(a, double, at->start[decided]);
    x->pick = ARENA_ZERO(a, int, decided);
    x->best = ARENA_ZERO(a, int, decided);
    heap_init(&x->open, before, NULL);
    size_t K = (size_t)at->g->K;
    x->slices.at = at;
    x->slices.w = ARENA_NEW(a, double, (size_t)at->g->nodes *K);
    x->slices.rest = ARENA_NEW(a, double, (size_t)at->g->nodes *K);
    x->slices.after = ARENA_NEW(a, double, (size_t)at->g->choices *K);
}

void corner_search_free(corner_search *x)
{
    heap_free(&x->open);
    arena_free(&x->nodes);
}

void corner_search_enter(corner_search *x)
{
    int decided = x->g->time_start[x->g->T];
    x->known = false;
    memset(x->best, 0, (size_t)decided * sizeof *x->best);
}

/* ---- the induction -------------------------------------------------------------------------------------------------- */

/* The value of corner j of its node for class i. */
static inline double corner_value(const corner_search *x, int i, int n, int j)
{
    const know_classes *c = x->c;
    const double *share = box_corner(x->at, n, j);
    int first = x->g->choice_start[n];
    double sum = 0;
    for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++)
        sum += share[c->slot_option[slot] - first] * x->made[slot];
    return sum;
}

/* The induction over the classes up to time t, under the decisions. */
static double backwards(corner_search *x, int t)
{
    const know_classes *c = x->c;
    for (int i = c->time_start[t + 1] - 1; i >= 0; i--) {
        int n = c->node[i], best = x->decided[n];
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) {
            double v = x->earned[slot];
            for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) v += c->arc_factor[a] * x->value[c->arc_child[a]];
            x->made[slot] = v;
        }
        if (best >= 0) {
            x->value[i] = corner_value(x, i, n, best);
        } else {
            x->value[i] = corner_value(x, i, n, 0);
            for (int j = 1; j < x->at->count[n]; j++) {
                double v = corner_value(x, i, n, j);
                if (v > x->value[i]) x->value[i] = v;
            }
        }
    }
    x->inductions += (double)c->time_start[t + 1] / c->time_start[c->g->T];
    return x->value[0];
}

/* The cost of each corner of the nodes of time t, for classes that are reached. */
static void find_costs(corner_search *x, int t)
{
    const know_classes *c = x->c;
    for (int i = c->time_start[t]; i < c->time_start[t + 1]; i++) {
        int n = c->node[i];
        if (!(x->reach[i] > 0) || x->decided[n] >= 0 || x->at->count[n] < 2) continue;
        double *cost = x->cost + x->at->start[n];
        for (int j = 0; j < x->at->count[n]; j++) cost[j] += x->reach[i] * fmax(0, x->value[i] - corner_value(x, i, n, j));
    }
}

/* All classes of time t follow pick. */
static void lead(corner_search *x, int t)
{
    const know_classes *c = x->c;
    for (int i = c->time_start[t]; i < c->time_start[t + 1]; i++) {
        int n = c->node[i], first = x->g->choice_start[n];
        if (!(x->reach[i] > 0)) continue;
        const double *share = box_corner(x->at, n, x->pick[n]);
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) {
            double part = x->reach[i] * share[c->slot_option[slot] - first];
            for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1] && part > 0; a++)
                x->reach[c->arc_child[a]] += part * c->arc_factor[a];
        }
    }
}

/* ---- the tree ------------------------------------------------------------------------------------------------------- */

static void offer(corner_search *x, int sweeps)
{
    /* Improves pick [nodes before T] in at most `sweeps`; returns its value, which never decreases. */
    double found = -INFINITY;
    for (int i = 0; i < sweeps; i++) {
        sweep_forwards(&x->slices, x->pick);
        double value = sweep_backwards(&x->slices, x->task->reward, x->task->mu, x->pick);
        bool last = value <= found + GAIN * (1 + fabs(found));
        found = value;
        if (last) break;
    }
    if (x->known && found <= x->found) return;
    x->known = true;
    x->found = found;
    MEM_COPY(x->best, x->pick, x->g->time_start[x->g->T]);
}

void corner_search_offer(corner_search *x, const int pick[])
{
    MEM_COPY(x->pick, pick, x->g->time_start[x->g->T]);
    offer(x, SWEEPS);
}

/* Sets pick to the cheapest corner of each node, time after time; its value, *made, is the bound less the costs. Returns the node
 * of the largest cost, or -1 if it costs nothing. */
static int round_by_cost(corner_search *x, double *made)
{
    const know_graph *g = x->g;
    int worst = -1;
    double most = AGREED * (1 + fabs(x->value[0]));
    memset(x->reach, 0, (size_t)x->c->classes * sizeof *x->reach);
    memset(x->cost, 0, (size_t)x->at->start[g->time_start[g->T]] * sizeof *x->cost);
    x->reach[0] = 1;
    *made = x->value[0];
    for (int t = 0; t < g->T; t++) {
        find_costs(x, t);
        for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++) {
            const double *cost = x->cost + x->at->start[n];
            int cheapest = x->known ? x->best[n] : 0;
            for (int j = 0; j < x->at->count[n]; j++)
                if (cost[j] < cost[cheapest]) cheapest = j;
            x->pick[n] = x->decided[n] >= 0 ? x->decided[n] : cheapest;
            *made -= x->decided[n] >= 0 ? 0 : cost[cheapest];
            if (cost[cheapest] <= most) continue;
            most = cost[cheapest];
            worst = n;
        }
        lead(x, t);
    }
    x->inductions += 0.5;
    return worst;
}

static vouch_status push(corner_search *x, const corner_node *up, int node, int corner, double bound, int number)
{
    corner_node *n = ARENA_NEW(&x->nodes, corner_node, 1);
    if (!n) return VOUCH_ERROR_MEMORY;
    *n = (corner_node){up, node, corner, bound, ++x->ids, number};
    return heap_push(&x->open, n) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

/* Nothing below this matters. */
static double enough(const corner_search *x) { return fmax(x->task->least, x->known ? x->found + x->task->near : -INFINITY); }

/* Only the bound of case `number` matters from now on. */
static void end_leaf(corner_search *x, int number, double bound)
{
    const corner_witness *w = x->task->witness;
    x->cut = fmax(x->cut, bound);
    if (w) w->leaf(w->context, number);
}

/* One child of p a corner of node n. */
static vouch_status branch(corner_search *x, const corner_node *p, int n)
{
    const corner_witness *w = x->task->witness;
    int t = know_time(x->g, n), number = w ? w->split(w->context, p->number, n) : 0;
    for (int j = 0; j < x->at->count[n]; j++) {
        x->decided[n] = j;
        double bound = fmin(p->bound, backwards(x, t));
        if (bound <= enough(x))
            end_leaf(x, number + j, bound);
        else if (push(x, p, n, j, bound, number + j))
            return VOUCH_ERROR_MEMORY;
    }
    return VOUCH_OK;
}

/* The open node of largest bound. */
static vouch_status explore(corner_search *x, const corner_node *p)
{
    const know_graph *g = x->g;
    double made;
    for (int n = 0; n < g->time_start[g->T]; n++) x->decided[n] = -1;
    for (const corner_node *q = p; q->node >= 0; q = q->up) x->decided[q->node] = q->corner;
    double bound = fmin(p->bound, backwards(x, g->T - 1));
    int n = round_by_cost(x, &made);
    if (!x->known || p->node < 0 || made > x->found) offer(x, SWEEPS);
    if (n >= 0 && bound > enough(x)) return branch(x, p, n);
    end_leaf(x, p->number, bound); /* the bound is attained, or nothing here matters any more */
    return VOUCH_OK;
}

vouch_status corner_search_begin(corner_search *x, const corner_task *task)
{
    bool known = x->known;
    x->task = task;
    x->cut = -INFINITY;
    x->open.count = 0;
    arena_free(&x->nodes);
    /* Pay of slots, and values of classes at the horizon. */
    const know_classes *c = x->c;
    size_t K = (size_t)c->K;
    for (int i = c->time_start[c->g->T]; i < c->classes; i++) x->value[i] = know_class_end(c, i, task->mu);
    for (int i = 0; i < c->time_start[c->g->T]; i++) {
        const double *w = know_class_weights(c, i);
        const int last = know_class_last(c, i);
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) {
            const double *r = task->reward + (size_t)c->slot_option[slot] * K;
            double sum = 0;
            for (int k = know_class_first(c, i); k < last; k++) sum += w[k] * r[k];
            x->earned[slot] = sum;
        }
    }
    x->known = false;
    if (known) {
        MEM_COPY(x->pick, x->best, x->g->time_start[x->g->T]);
        offer(x, SWEEPS_KNOWN);
    }
    return push(x, NULL, -1, 0, INFINITY, task->witness ? task->witness->root : 0);
}

vouch_status corner_search_run(corner_search *x, double inductions, bool *done)
{
    vouch_status status = VOUCH_OK;
    double most = x->inductions + inductions;
    for (*done = false; !status && !*done && x->inductions < most && !deadline_expired(x->task->limit);) {
        const corner_node *p = heap_top(&x->open);
        *done = !p || p->bound <= enough(x);
        if (!*done) status = explore(x, heap_pop(&x->open));
    }
    return status;
}

void corner_search_leaves(corner_search *x)
{
    for (const corner_node *p; (p = heap_pop(&x->open));) end_leaf(x, p->number, p->bound);
}

double corner_search_upper(const corner_search *x)
{
    const corner_node *p = heap_top(&x->open);
    return fmax(fmax(x->cut, p ? p->bound : -INFINITY), x->known ? x->found : x->task->least);
}
