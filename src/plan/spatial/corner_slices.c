/* plan/spatial/corner_slices.c - a policy of corners, improved node by node (box.h). Invariant: the value returned is pick's, and
 * never falls. */
#include "plan/spatial/box.h"

#include <math.h>
#include <string.h>

/* A sweep that gains less, relative to 1 + value, is the last. */
static const double GAIN = 1e-13;

void corner_slices_make(corner_slices *x, const box_corners *at, arena *a)
{
    size_t K = (size_t)at->g->K;
    x->at = at;
    x->w = ARENA_NEW(a, double, (size_t)at->g->nodes *K);
    x->rest = ARENA_NEW(a, double, (size_t)at->g->nodes *K);
    x->after = ARENA_NEW(a, double, (size_t)at->g->choices *K);
}

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

double corner_slices_improve(corner_slices *x, const double reward[], const double mu[], int sweeps, int pick[])
{
    double best = -INFINITY;
    for (int i = 0; i < sweeps; i++) {
        sweep_forwards(x, pick);
        double value = sweep_backwards(x, reward, mu, pick);
        bool last = value <= best + GAIN * (1 + fabs(best));
        best = value;
        if (last) break;
    }
    return best;
}
