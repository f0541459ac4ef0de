/* plan/spatial/box_corners.c - the corners of a box, and its policies as deterministic policies over them (box.h). */
#include "plan/spatial/box.h"

#include <math.h>
#include <string.h>

#include "base/check.h"

/* Corners nearer than this are one. */
static const double SAME = 1e-14;

/* A box of `count` choices whose sum is 1 has at most count * binomial(count - 1, (count - 1) / 2) corners. There is room for one
 * more, which only rounding can make. */
static int corners_of(int count)
{
    static const int most[CORNER_CHOICES + 1] = {0, 1, 2, 6, 12, 30};
    return most[count];
}

bool box_corners_fit(const know_graph *g)
{
    for (int n = 0; n < g->time_start[g->T]; n++)
        if (box_choices(g, n) > CORNER_CHOICES) return false;
    return true;
}

vouch_status box_corners_make(box_corners *x, const know_graph *g, arena *a)
{
    size_t shares = 0;
    int decided = g->time_start[g->T], corners = 0;
    CHECK(box_corners_fit(g));
    *x = (box_corners){.g = g};
    x->start = ARENA_NEW(a, int, decided + 1);
    x->count = ARENA_ZERO(a, int, decided);
    x->share_start = ARENA_NEW(a, size_t, decided);
    x->open = ARENA_NEW(a, unsigned char, g->choices);
    if (a->failed) return VOUCH_ERROR_MEMORY;
    x->start[0] = 0;
    for (int n = 0; n < decided; n++) {
        int room = corners_of(box_choices(g, n)) + 1;
        x->share_start[n] = shares;
        shares += (size_t)(room * box_choices(g, n));
        corners += room;
        x->start[n + 1] = corners;
    }
    x->share = ARENA_NEW(a, double, shares);
    return a->failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

/* The corner of node n with all choices but `loose` at the sides given by bits (1: high), the loose one with the rest; counted if
 * it is one and new. */
static void add_corner(box_corners *x, int n, int loose, unsigned sides, policy_box in)
{
    int count = box_choices(x->g, n), first = x->g->choice_start[n];
    double *share = box_corner(x, n, x->count[n]), left = 1;
    for (int i = 0; i < count; i++)
        if (i != loose) left -= share[i] = (sides >> i & 1 ? in.high : in.low)[first + i];
    if (left < in.low[first + loose] - BOX_ROUNDING || left > in.high[first + loose] + BOX_ROUNDING) return;
    share[loose] = fmax(0, left);
    for (int j = 0; j < x->count[n]; j++) {
        double off = 0;
        for (int i = 0; i < count; i++) off = fmax(off, fabs(box_corner(x, n, j)[i] - share[i]));
        if (off <= SAME) return;
    }
    x->count[n]++;
}

void box_corners_enter(box_corners *x, policy_box in)
{
    const know_graph *g = x->g;
    x->blurred = false;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int count = box_choices(g, n), first = g->choice_start[n];
        unsigned narrow = 0; /* choices whose sides are one */
        for (int i = 0; i < count; i++) narrow |= (unsigned)(in.low[first + i] == in.high[first + i]) << i;
        x->count[n] = 0;
        for (int i = 0; i < count; i++) x->open[first + i] = in.high[first + i] > 0;
        for (int loose = 0; loose < count; loose++)
            for (unsigned sides = 0; sides < 1u << count; sides++)
                if (!(sides & (narrow | 1u << loose)) && x->count[n] <= corners_of(count)) add_corner(x, n, loose, sides, in);
        CHECK(x->count[n] > 0);
        if (x->count[n] > corners_of(count)) x->blurred = true;
    }
}

/* ---- the graph of corners ---- */

void box_graph_make(box_graph *x, const box_corners *at, arena *a)
{
    const know_graph *g = at->g;
    size_t K = (size_t)g->K, edges = 0, corners = (size_t)at->start[g->time_start[g->T]];
    for (int n = 0; n < g->time_start[g->T]; n++)
        edges += (size_t)(at->start[n + 1] - at->start[n]) *
                 (size_t)(g->edge_start[g->choice_start[n + 1]] - g->edge_start[g->choice_start[n]]);
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
}

/* Adds the successors of a choice, taken with probability `part`, to the edges of the corner, which begin at `first`. */
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
