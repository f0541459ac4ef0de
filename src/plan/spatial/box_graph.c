/* plan/spatial/box_graph.c - see box_graph.h. */
#include "plan/spatial/box_graph.h"

#include <string.h>

#include "base/memory.h"

vouch_status box_graph_new(const box_corners *at, box_graph **out)
{
    const know_graph *g = at->g;
    size_t K = (size_t)g->K, edges = 0, corners = (size_t)at->start[g->time_start[g->T]];
    box_graph *x = *out = MEM_ZERO(box_graph, 1);
    if (!x) return VOUCH_ERROR_MEMORY;
    for (int n = 0; n < g->time_start[g->T]; n++)
        edges += (size_t)(at->start[n + 1] - at->start[n]) *
                 (size_t)(g->edge_start[g->choice_start[n + 1]] - g->edge_start[g->choice_start[n]]);
    arena *a = &x->memory;
    know_graph *own = &x->g;
    x->at = at;
    *own = *g;
    own->choices = (int)corners;
    own->choice_start = ARENA_NEW(a, int, g->nodes + 1);
    own->choice_pair = ARENA_NEW(a, int, corners);
    own->choice_twin = ARENA_NEW(a, int, corners);
    own->edge_start = ARENA_NEW(a, int, corners + 1);
    own->edge_child = ARENA_NEW(a, int, edges);
    own->edge_row = ARENA_NEW(a, int, edges);
    own->successor_prob = ARENA_NEW(a, double, edges *K);
    own->reward = ARENA_NEW(a, double, corners *K);
    x->edge_at = ARENA_NEW(a, int, g->nodes);
    if (!a->failed) return VOUCH_OK;
    box_graph_free(x);
    *out = NULL;
    return VOUCH_ERROR_MEMORY;
}

void box_graph_free(box_graph *x)
{
    if (!x) return;
    arena_free(&x->memory);
    mem_free(x);
}

/* Adds what a choice of the graph it is of leads to, taken with probability `part`, to the edges of the corner that begin at
 * `first`. */
static void add_edges(box_graph *x, int choice, double part, int first)
{
    const know_graph *g = x->at->g;
    know_graph *own = &x->g;
    size_t K = (size_t)g->K;
    for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++) {
        int child = g->edge_child[e], set = g->set[child], at = x->edge_at[child];
        if (at < first) {
            at = x->edge_at[child] = own->edges++;
            own->edge_child[at] = child;
            own->edge_row[at] = at;
            memset(own->successor_prob + (size_t)at * K, 0, K * sizeof *own->successor_prob);
        }
        const double *p = g->successor_prob + (size_t)g->edge_row[e] * K;
        double *to = own->successor_prob + (size_t)at * K;
        for (int i = g->member_start[set]; i < g->member_start[set + 1]; i++) to[g->member[i]] += part * p[g->member[i]];
    }
}

void box_graph_enter(box_graph *x)
{
    const know_graph *g = x->at->g;
    know_graph *own = &x->g;
    own->choices = own->edges = 0;
    own->edge_start[0] = 0;
    for (int n = 0; n < g->nodes; n++) x->edge_at[n] = -1;
    for (int n = 0; n < g->nodes; n++) {
        own->choice_start[n] = own->choices;
        if (n >= g->time_start[g->T]) continue;
        for (int j = 0; j < x->at->count[n]; j++) {
            const double *share = box_corner(x->at, n, j);
            int first = own->edges;
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
                if (share[c - g->choice_start[n]] > 0) add_edges(x, c, share[c - g->choice_start[n]], first);
            own->choice_pair[own->choices] = own->choice_twin[own->choices] = own->choices;
            own->edge_start[++own->choices] = own->edges;
        }
    }
    own->choice_start[g->nodes] = own->choices;
}

void box_graph_price(box_graph *x, const double reward[], const double mu[])
{
    const know_graph *g = x->at->g;
    const know_graph *own = &x->g;
    size_t K = (size_t)g->K;
    for (int n = 0; n < g->time_start[g->T]; n++)
        for (int j = 0; j < x->at->count[n]; j++) {
            int choice = own->choice_start[n] + j;
            double *r = own->reward + (size_t)choice * K;
            const double *share = box_corner(x->at, n, j);
            memset(r, 0, K * sizeof *r);
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
                for (size_t k = 0; k < K; k++) r[k] += share[c - g->choice_start[n]] * reward[(size_t)c * K + k];
            for (int e = own->edge_start[choice]; e < own->edge_start[choice + 1] && n >= g->time_start[g->T - 1]; e++)
                for (int i = g->member_start[g->set[own->edge_child[e]]]; i < g->member_start[g->set[own->edge_child[e]] + 1];
                     i++) {
                    size_t k = (size_t)g->member[i];
                    r[k] += own->successor_prob[(size_t)e * K + k] * mu[k] * know_terminal(g, own->edge_child[e], (int)k);
                }
            for (size_t k = 0; k < K; k++) r[k] *= (double)K;
        }
}
