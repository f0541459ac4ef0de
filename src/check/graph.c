/* check/graph.c - the policy nodes of L-updates policies.
 *
 * For t <= L a node is <t, s, kappa>, kappa the environments that are consistent with what was seen; after L it is (t, s | b), b the node at L that was
 * passed. Under an action, environments part before L by successor and observed reward, after L by successor alone. Actions of a node that pay and lead the
 * same in every environment of its set are one option (twins).
 */
#include "check/check.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Of a place: state and environments or, where these are NULL, state and boundary. */
static size_t place_hash(const check_graph *g, int s, int boundary, const uint64_t *set)
{
    uint64_t h = (uint64_t)s * 0x9e3779b97f4a7c15u;
    if (!set) h = (h ^ (uint64_t)(unsigned)boundary) * 1099511628211u;
    for (int w = 0; set && w < g->words; w++) h = (h ^ set[w] ^ (set[w] >> 29)) * 1099511628211u;
    return (size_t)(h ^ (h >> 31));
}

/* Is node n at (s, set) or, without a set, at (s, boundary)? */
static bool is_at(const check_graph *g, size_t n, int s, int boundary, const uint64_t *set)
{
    const check_node *x = &g->node[n];
    if (x->s != s) return false;
    return set ? memcmp(x->set, set, (size_t)g->words * sizeof *set) == 0 : x->boundary == boundary;
}

/* Nodes of one layer by place: open addressing. */
typedef struct check_places {
    int *node; /* [size] -1: free; size a power of 2 */
    size_t size, used;
} check_places;

static void places_clear(check_places *p)
{
    for (size_t i = 0; i < p->size; i++) p->node[i] = -1;
    p->used = 0;
}

static size_t place_of(const check_graph *g, const check_places *p, int s, int boundary, const uint64_t *set)
{
    size_t at = place_hash(g, s, boundary, set) & (p->size - 1);
    while (p->node[at] >= 0 && !is_at(g, (size_t)p->node[at], s, boundary, set)) at = (at + 1) & (p->size - 1);
    return at;
}

static void places_grow(const check_graph *g, check_places *p, bool by_set)
{
    check_places larger = {.size = p->size ? 2 * p->size : 64, .used = p->used};
    larger.node = zeroed(larger.size, sizeof *larger.node);
    for (size_t i = 0; i < larger.size; i++) larger.node[i] = -1;
    for (size_t i = 0; i < p->size; i++) {
        if (p->node[i] < 0) continue;
        const check_node *x = &g->node[p->node[i]];
        larger.node[place_of(g, &larger, x->s, x->boundary, by_set ? x->set : NULL)] = p->node[i];
    }
    free(p->node);
    *p = larger;
}

static int add_node(check_graph *g, int t, int s, int boundary, const uint64_t *set)
{
    if (g->nodes >= INT_MAX) unreadable("too many policy nodes");
    g->node = grown(g->node, &g->node_room, g->nodes, sizeof *g->node);
    check_node *n = &g->node[g->nodes];
    *n = (check_node){.t = t, .s = s, .boundary = t < g->L ? -1 : t == g->L ? (int)g->nodes : boundary};
    n->set = zeroed((size_t)g->words, sizeof *n->set);
    memcpy(n->set, set, (size_t)g->words * sizeof *set);
    return (int)g->nodes++;
}

/* The node at t that `group` comes to, made if new; after L the group joins its set. */
static int follow(check_graph *g, check_places *p, int t, int s, int boundary, const uint64_t *group)
{
    const uint64_t *set = t <= g->L ? group : NULL;
    if (2 * p->used >= p->size) places_grow(g, p, set != NULL);
    size_t at = place_of(g, p, s, boundary, set);
    if (p->node[at] < 0) {
        p->node[at] = add_node(g, t, s, boundary, group);
        p->used++;
    } else {
        for (int w = 0; w < g->words && t > g->L; w++) g->node[p->node[at]].set[w] |= group[w];
    }
    return p->node[at];
}

/* The edges of action a of node n, by successor, and of one successor by environment. */
static void add_edges(check_graph *g, check_places *p, int n, int a)
{
    const check_model *m = g->m;
    int t = g->node[n].t, s = g->node[n].s, boundary = g->node[n].boundary;
    size_t words = (size_t)g->words, from = g->edges;
    uint64_t *group = zeroed(words, sizeof *group);
    for (int k = 0; k < m->K; k++) {
        if (!check_in(g->node[n].set, k)) continue;
        for (size_t o = m->start[check_cell(m, k, s, a)]; o < m->start[check_cell(m, k, s, a) + 1]; o++) {
            bool first = true; /* does no environment before k come along? */
            memset(group, 0, words * sizeof *group);
            for (int j = 0; j < m->K && first; j++) {
                if (!check_in(g->node[n].set, j)) continue;
                ptrdiff_t other = check_outcome(m, j, s, a, m->next[o]);
                if (other < 0 || (t < g->L && m->seen[other] != m->seen[o])) continue;
                first = j >= k;
                group[j / 64] |= UINT64_C(1) << (j % 64);
            }
            if (!first) continue;
            int child = follow(g, p, t + 1, m->next[o], boundary, group);
            g->edge = grown(g->edge, &g->edge_room, g->edges, sizeof *g->edge);
            size_t at = g->edges++;
            for (; at > from && g->node[g->edge[at - 1]].s > m->next[o]; at--) g->edge[at] = g->edge[at - 1];
            g->edge[at] = child;
        }
    }
    free(group);
}

/* Do actions a and b of a node pay every environment of the set the same, and lead to the same successors as likely? */
static bool same_law(const check_graph *g, const check_node *n, int a, int b)
{
    const check_model *m = g->m;
    for (int k = 0; k < m->K; k++) {
        if (!check_in(n->set, k)) continue;
        size_t x = check_cell(m, k, n->s, a), y = check_cell(m, k, n->s, b), count = m->start[x + 1] - m->start[x];
        if (m->start[y + 1] - m->start[y] != count || !mpq_equal(m->pay[x], m->pay[y])) return false;
        for (size_t i = 0; i < count; i++)
            if (m->next[m->start[x] + i] != m->next[m->start[y] + i] ||
                !mpq_equal(m->prob[m->start[x] + i], m->prob[m->start[y] + i]))
                return false;
    }
    return true;
}

static bool same_edges(const check_graph *g, size_t x, size_t y, size_t count)
{
    return memcmp(g->edge + x, g->edge + y, count * sizeof *g->edge) == 0;
}

static void open_choice(check_graph *g)
{
    if (g->choices >= INT_MAX || g->edges >= INT_MAX) unreadable("too many choices");
    g->choice_edge = grown(g->choice_edge, &g->choice_room, g->choices, sizeof *g->choice_edge);
    g->choice_edge[g->choices] = (int)g->edges;
}

static void expand(check_graph *g, check_places *p, int n)
{
    const check_model *m = g->m;
    g->node[n].first_choice = (int)g->choices;
    for (int a = 0; a < m->A; a++) {
        size_t cell = check_cell(m, 0, g->node[n].s, a), first = g->edges;
        bool twin = false;
        if (m->start[cell + 1] == m->start[cell]) continue;
        open_choice(g);
        add_edges(g, p, n, a);
        for (int b = 0; b < a && !twin; b++) {
            if (!(g->node[n].options >> b & 1) || !same_law(g, &g->node[n], a, b)) continue;
            int other = check_choice(&g->node[n], b);
            size_t from = (size_t)g->choice_edge[other], to = (size_t)g->choice_edge[other + 1];
            twin = to - from == g->edges - first && same_edges(g, from, first, to - from);
        }
        if (twin) {
            g->edges = first;
            continue;
        }
        g->node[n].options |= UINT64_C(1) << a;
        g->choices++;
        open_choice(g);
    }
    if (!g->node[n].options) unreadable("state %d has no action but is reached at time %d", g->node[n].s, g->node[n].t);
}

void check_graph_make(check_graph *g, const check_model *m, int L)
{
    *g = (check_graph){.m = m, .L = L, .words = (m->K + 63) / 64};
    check_places places = {0};
    uint64_t *all = zeroed((size_t)g->words, sizeof *all);
    g->layer = zeroed((size_t)m->T + 2, sizeof *g->layer);
    for (int k = 0; k < m->K; k++) all[k / 64] |= UINT64_C(1) << (k % 64);
    add_node(g, 0, m->s0, -1, all);
    open_choice(g);
    for (int t = 0; t < m->T; t++) {
        places_clear(&places);
        g->layer[t + 1] = (int)g->nodes;
        for (int n = g->layer[t]; n < g->layer[t + 1]; n++) expand(g, &places, n);
    }
    g->layer[m->T + 1] = (int)g->nodes;
    for (int n = g->layer[m->T]; n < g->layer[m->T + 1]; n++) g->node[n].first_choice = (int)g->choices;
    free(places.node);
    free(all);
}

int check_find(const check_graph *g, int t, int s, int boundary, const uint64_t *set)
{
    if (t < 0 || t > g->m->T) return -1;
    for (int n = g->layer[t]; n < g->layer[t + 1]; n++)
        if (is_at(g, (size_t)n, s, boundary, t <= g->L ? set : NULL)) return n;
    return -1;
}

int check_option(const check_graph *g, int n, int a)
{
    const check_node *x = &g->node[n];
    const check_model *m = g->m;
    if (a < 0 || a >= m->A || x->t >= m->T) return -1;
    if (x->options >> a & 1) return a;
    if (m->start[check_cell(m, 0, x->s, a) + 1] == m->start[check_cell(m, 0, x->s, a)]) return -1;
    for (int b = 0; b < a; b++) { /* a twin: of the options with the same law, one whose environments part in the same way */
        if (!(x->options >> b & 1) || !same_law(g, x, a, b)) continue;
        bool same = true;
        for (int k = 0; k < m->K && same && x->t < g->L; k++)
            for (int j = 0; j < k && same; j++) {
                if (!check_in(x->set, k) || !check_in(x->set, j)) continue;
                for (size_t o = m->start[check_cell(m, k, x->s, a)]; o < m->start[check_cell(m, k, x->s, a) + 1] && same; o++) {
                    ptrdiff_t p = check_outcome(m, j, x->s, a, m->next[o]), q = check_outcome(m, j, x->s, b, m->next[o]),
                              r = check_outcome(m, k, x->s, b, m->next[o]);
                    same = p < 0 || (m->seen[p] == m->seen[o]) == (m->seen[q] == m->seen[r]);
                }
            }
        if (same) return b;
    }
    return -1;
}
