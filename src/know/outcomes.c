/* know/outcomes.c - see outcomes.h. Cost of a sweep: running choices times the outcomes of a node. Invariant: an outcome's (u, q)
 * is an upper bound on those of its policies. */
#include "know/pairs.h"

#include <stdlib.h>

#include "base/memory.h"

/* Sums closer than this, relative to the spread of rewards, are one outcome. */
static const double SAME = 1e-9;

typedef struct way {
    double u, q;
    int choice, outcome; /* of the next node, counted from its first */
} way;

static int by_value(const void *a, const void *b)
{
    const way *x = a, *y = b;
    if (x->q != y->q) return x->q < y->q ? -1 : 1;
    if (x->u != y->u) return x->u < y->u ? -1 : 1;
    return 0;
}

static bool last_time(const know_graph *g, int n) { return n >= g->time_start[g->T]; }

/* True if the choice (-1: the horizon) has the same reward or terminal value, and one certain successor, in all environments. */
static bool alike(const know_graph *g, int node, int choice)
{
    const int *member = g->member + g->member_start[g->set[node]];
    for (int i = 0; i < know_set_size(g, g->set[node]); i++) {
        size_t k = (size_t)member[i], K = (size_t)g->K;
        if (choice < 0) {
            if (know_terminal(g, node, (int)k) != know_terminal(g, node, member[0])) return false;
            continue;
        }
        const double *reward = g->reward + (size_t)g->choice_pair[choice] * K;
        if (reward[k] != reward[member[0]]) return false;
        if (g->successor_prob[(size_t)g->edge_row[g->edge_start[choice]] * K + k] != 1) return false;
    }
    return true;
}

/* The node that a choice runs to; -1: it does not run. */
static int runs_to(const know_outcomes *e, int node, int choice)
{
    const know_graph *g = e->g;
    if (g->choice_twin[choice] != choice || g->edge_start[choice + 1] - g->edge_start[choice] != 1) return -1;
    int child = g->edge_child[g->edge_start[choice]];
    return e->count[child] > 0 && g->set[child] == g->set[node] && alike(g, node, choice) ? child : -1;
}

/* Lists the ways from a node to outcomes of the next ones; returns their number, or -1: too many. */
static int collect(const know_outcomes *e, int n, way *list, int room)
{
    const know_graph *g = e->g;
    int count = 0, member = g->member[g->member_start[g->set[n]]];
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        int m = e->next[c] = runs_to(e, n, c);
        for (int i = 1; m >= 0 && i < e->count[m]; i++) {
            if (count == room) return -1;
            double reward = g->reward[(size_t)g->choice_pair[c] * (size_t)g->K + (size_t)member];
            list[count++] = (way){reward + e->u[e->first[m] + i], e->q[e->first[m] + i], c, i};
        }
    }
    return count;
}

static void add(know_outcomes *e, int n, double u, double q)
{
    int o = e->first[n] + e->count[n]++;
    e->u[o] = u;
    e->q[o] = q;
    e->options = o + 1;
}

static void make_node(know_outcomes *e, int n, way *list, int room)
{
    const know_graph *g = e->g;
    double same = SAME * (1 + know_reward_spread(g));
    e->first[n] = e->options;
    if (last_time(g, n)) {
        if (!alike(g, n, -1)) return;
        add(e, n, 0, 0);
        add(e, n, 0, know_terminal(g, n, g->member[g->member_start[g->set[n]]]));
        return;
    }
    int ways = collect(e, n, list, room);
    if (ways > 0) {
        qsort(list, (size_t)ways, sizeof *list, by_value);
        add(e, n, 0, 0);
    }
    double from = 0;
    for (int i = 0; i < ways && e->count[n] > 0; i++) {
        bool other = i == 0 || list[i].q != list[i - 1].q || list[i].u > from + same;
        if (other && e->count[n] == OUTCOMES_MOST) {
            e->count[n] = 0;
            break;
        }
        if (other) {
            add(e, n, list[i].u, list[i].q);
            from = list[i].u;
        }
        int o = e->first[n] + e->count[n] - 1;
        e->u[o] = list[i].u; /* the largest of the merged ones */
        e->link[(size_t)list[i].choice * OUTCOMES_MOST + (size_t)list[i].outcome] = o;
        e->link[(size_t)list[i].choice * OUTCOMES_MOST] = e->first[n];
    }
    if (e->count[n] > 0) return;
    e->options = e->first[n];
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) e->next[c] = -1;
}

static void find_above(know_outcomes *e)
{
    const know_graph *g = e->g;
    int *end = e->above_start + 1; /* of the nodes so far */
    for (int c = 0; c < g->choices; c++)
        if (e->next[c] >= 0) end[e->next[c]]++;
    for (int m = 0, sum = 0; m < g->nodes; m++) {
        int count = end[m];
        end[m] = sum;
        sum += count;
    }
    for (int n = 0; n < g->time_start[g->T]; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            if (e->next[c] >= 0) e->above[end[e->next[c]]++] = n;
}

vouch_status outcomes_new(const know_graph *g, know_outcomes **out)
{
    *out = NULL;
    know_outcomes *e = MEM_ZERO(know_outcomes, 1);
    if (!e) return VOUCH_ERROR_MEMORY;
    arena *a = &e->memory;
    size_t most = (size_t)g->choices + (size_t)g->nodes * OUTCOMES_MOST;
    int room = g->m->A * OUTCOMES_MOST;
    e->g = g;
    e->options = g->choices;
    e->first = ARENA_ZERO(a, int, g->nodes);
    e->count = ARENA_ZERO(a, int, g->nodes);
    e->next = ARENA_ZERO(a, int, g->choices + 1);
    e->u = ARENA_ZERO(a, double, most);
    e->q = ARENA_ZERO(a, double, most);
    e->link = ARENA_ZERO(a, int, (size_t)(g->choices + 1) * OUTCOMES_MOST);
    e->above_start = ARENA_ZERO(a, int, g->nodes + 1);
    e->above = ARENA_NEW(a, int, g->choices + 1);
    e->queue = ARENA_NEW(a, int, g->nodes);
    e->queued = ARENA_ZERO(a, unsigned char, g->nodes);
    way *list = ARENA_NEW(a, way, room);
    if (a->failed) {
        outcomes_free(e);
        return VOUCH_ERROR_MEMORY;
    }
    for (int n = g->nodes - 1; n >= 0; n--) make_node(e, n, list, room);
    find_above(e);
    *out = e;
    return VOUCH_OK;
}

void outcomes_free(know_outcomes *e) { ARENA_FREE(e); }

void outcomes_allow_all(const know_outcomes *e, unsigned char allowed[])
{
    const know_graph *g = e->g;
    memset(allowed, 1, (size_t)e->options);
    for (int c = 0; c < g->choices; c++) allowed[c] = g->choice_twin[c] == c;
    for (int n = g->time_start[g->T]; n < g->nodes; n++)
        if (e->count[n] > 0) allowed[e->first[n]] = 0; /* no policy leaves at the horizon */
}

/* ---- pairs over choices and outcomes ----------------------------------------------------------------------------------- */

typedef struct net {
    pairs_layout l;
    const know_outcomes *e;
    int *any, *leaving; /* [nodes] items: of a node with any outcome, and of one that leaves; -1: not reached */
} net;

static void number_items(net *x)
{
    const know_graph *g = x->e->g;
    int items = 0;
    for (int n = 0; n < g->nodes; n++) x->any[n] = x->leaving[n] = n == 0 ? 0 : -1;
    for (int n = 0; n < g->nodes; n++) {
        if (x->any[n] < 0) continue;
        x->leaving[n] = x->any[n] = items++;
        if (last_time(g, n)) continue;
        if (x->e->count[n] > 0) x->leaving[n] = items++;
        x->l.p->end = items;
        for (int i = g->edge_start[g->choice_start[n]]; i < g->edge_start[g->choice_start[n + 1]]; i++)
            if (layout_probability(&x->l, i) > 0) x->any[g->edge_child[i]] = 0; /* its number follows */
    }
    x->l.p->items = items;
}

static void lay_choices(net *x, int n)
{
    const know_outcomes *e = x->e;
    const know_graph *g = e->g;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        bool runs = e->count[n] > 0 && e->next[c] >= 0;
        if (g->choice_twin[c] != c || (runs && last_time(g, e->next[c]))) continue;
        layout_slot(&x->l, c, g->reward[(size_t)g->choice_pair[c] * (size_t)g->K + x->l.k], 0);
        for (int i = g->edge_start[c]; i < g->edge_start[c + 1]; i++) {
            double prob = layout_probability(&x->l, i);
            if (prob > 0) layout_arc(&x->l, (runs ? x->leaving : x->any)[g->edge_child[i]], prob);
        }
    }
}

static void lay_node(net *x, int n)
{
    const know_outcomes *e = x->e;
    layout_item(&x->l, x->any[n]);
    if (last_time(e->g, n)) {
        if (x->l.write) x->l.p->end_q[x->any[n]] = know_terminal(e->g, n, (int)x->l.k);
        return;
    }
    if (e->count[n] > 0) {
        layout_slot(&x->l, e->first[n], 0, 0);
        layout_arc(&x->l, x->leaving[n], 1);
    }
    for (int i = 1; i < e->count[n]; i++) layout_slot(&x->l, e->first[n] + i, e->u[e->first[n] + i], e->q[e->first[n] + i]);
    if (e->count[n] > 0) layout_item(&x->l, x->leaving[n]);
    lay_choices(x, n);
}

static void lay_nodes(void *context)
{
    net *x = context;
    for (int n = 0; n < x->e->g->nodes; n++)
        if (x->any[n] >= 0) lay_node(x, n);
}

vouch_status outcomes_pairs(const know_outcomes *e, int k, int most, know_pairs **out)
{
    *out = NULL;
    net x = {.l = {.p = MEM_ZERO(know_pairs, 1), .g = e->g, .k = (size_t)k},
             .e = e,
             .any = MEM_NEW(int, e->g->nodes),
             .leaving = MEM_NEW(int, e->g->nodes)};
    bool made = x.l.p && x.any && x.leaving;
    if (made)
        number_items(&x);
    else
        mem_free(x.l.p);
    vouch_status status = made ? pairs_lay_out(&x.l, most, lay_nodes, &x, out) : VOUCH_ERROR_MEMORY;
    MEM_FREE_ALL(x.any, x.leaving);
    return status;
}

/* ---- propagation of  outcome(n) = reward + outcome(next node):  a changed node and those that run there are queued again; the
 * fixed point does not depend on their order ---- */

typedef struct wave {
    know_outcomes *e;
    unsigned char *allowed;
    int from, count; /* of the queue: the next one, their number */
} wave;

static void enqueue(wave *w, int n)
{
    know_outcomes *e = w->e;
    if (e->queued[n]) return;
    e->queued[n] = 1;
    e->queue[(w->from + w->count++) % e->g->nodes] = n;
}

static void enqueue_changed(wave *w, int n)
{
    const know_outcomes *e = w->e;
    if (n < e->g->time_start[e->g->T]) enqueue(w, n);
    for (int i = e->above_start[n]; i < e->above_start[n + 1]; i++) enqueue(w, e->above[i]);
}

/* Marks the outcomes of node n that choice c may lead to; false: none. */
static bool supports(const know_outcomes *e, int n, int c, const unsigned char allowed[], unsigned char found[])
{
    int m = e->next[c];
    if (m < 0) {
        found[0] |= allowed[e->first[n]];
        return allowed[e->first[n]];
    }
    bool any = false;
    for (int i = 0; i < e->count[m]; i++) {
        int o = allowed[e->first[m] + i] ? e->link[(size_t)c * OUTCOMES_MOST + (size_t)i] : -1;
        if (o < 0 || !allowed[o]) continue;
        found[o - e->first[n]] = 1;
        any = true;
    }
    return any;
}

/* Removes choices without an outcome and outcomes without a choice. False: no choice remains. */
static bool restrict_node(wave *w, int n)
{
    const know_outcomes *e = w->e;
    const know_graph *g = e->g;
    unsigned char found[OUTCOMES_MOST] = {0};
    bool left = false, changed = false;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (!w->allowed[c]) continue;
        if (e->count[n] == 0 || supports(e, n, c, w->allowed, found)) {
            left = true;
            continue;
        }
        w->allowed[c] = 0;
        changed = true;
    }
    for (int i = 0; i < e->count[n]; i++) {
        unsigned char *a = &w->allowed[e->first[n] + i];
        if (!*a || found[i]) continue;
        *a = 0;
        changed = true;
    }
    if (changed) enqueue_changed(w, n);
    return left;
}

/* If the only remaining choice runs, restricts the outcomes of the next node. */
static void restrict_below(wave *w, int n)
{
    const know_outcomes *e = w->e;
    const know_graph *g = e->g;
    int only = -1, left = 0;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (!w->allowed[c]) continue;
        left++;
        only = c;
    }
    int m = left == 1 && e->count[n] > 0 ? e->next[only] : -1;
    bool changed = false;
    for (int i = 0; m >= 0 && i < e->count[m]; i++) {
        unsigned char *a = &w->allowed[e->first[m] + i];
        if (!*a || w->allowed[e->link[(size_t)only * OUTCOMES_MOST + (size_t)i]]) continue;
        *a = 0;
        changed = true;
    }
    if (changed) enqueue_changed(w, m);
}

bool outcomes_propagate(know_outcomes *e, int at, unsigned char allowed[])
{
    const know_graph *g = e->g;
    wave w = {e, allowed, 0, 0};
    if (at >= 0) enqueue_changed(&w, at);
    for (int n = g->time_start[g->T] - 1; at < 0 && n >= 0; n--) enqueue(&w, n);
    bool left = true;
    while (w.count > 0) {
        int n = e->queue[w.from];
        w.from = (w.from + 1) % g->nodes;
        w.count--;
        e->queued[n] = 0;
        if (!left) continue;
        left = restrict_node(&w, n);
        if (left) restrict_below(&w, n);
    }
    return left;
}
