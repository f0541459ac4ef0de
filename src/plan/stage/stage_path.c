/* plan/stage/stage_path.c - see stage_path.h. O(edges of a choice * K) a decision. */
#include "plan/stage/stage_path.h"

#include <stdlib.h>

#include "base/memory.h"

static double *w_of(const stage_path *p, int n) { return p->w + (size_t)n * (size_t)p->g->K; }

vouch_status stage_path_make(stage_path *p, const know_graph *g, arena *a)
{
    size_t total = 0, K = (size_t)g->K;
    p->g = g;
    p->w = ARENA_ZERO(a, double, (size_t)g->nodes *K);
    p->x = ARENA_ZERO(a, double, K);
    p->saved_at = ARENA_NEW(a, size_t, g->nodes);
    for (int n = 0; n < g->nodes && !a->failed; n++) {
        int longest = 0;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            if (g->edge_start[c + 1] - g->edge_start[c] > longest) longest = g->edge_start[c + 1] - g->edge_start[c];
        p->saved_at[n] = total;
        total += (size_t)longest * (K + 1);
    }
    p->saved = ARENA_ZERO(a, double, total + 1);
    return a->failed ? VOUCH_ERROR_MEMORY : stagewise_values_make(&p->values, g, a);
}

int stage_path_last_edge(const know_graph *g, int n, int choice)
{
    return g->edge_start[know_time(g, n) + 1 < g->T ? choice + 1 : choice];
}

void stage_path_lead(stage_path *p, int n, int choice)
{
    const know_graph *g = p->g;
    size_t K = (size_t)g->K;
    double *saved = p->saved + p->saved_at[n];
    int last = stage_path_last_edge(g, n, choice);
    for (int e = g->edge_start[choice]; e < last; e++, saved += K + 1) {
        int child = g->edge_child[e];
        double *there = w_of(p, child);
        MEM_COPY(saved, there, K);
        if (p->value) saved[K] = p->value[child];
        stagewise_follow(g, e, w_of(p, n), p->x);
        for (int i = g->member_start[g->set[child]]; i < g->member_start[g->set[child] + 1]; i++)
            there[g->member[i]] += p->x[g->member[i]];
    }
}

void stage_path_undo(stage_path *p, int n, int choice)
{
    const know_graph *g = p->g;
    size_t K = (size_t)g->K;
    for (int first = g->edge_start[choice], e = stage_path_last_edge(g, n, choice) - 1; e >= first; e--) {
        const double *saved = p->saved + p->saved_at[n] + (size_t)(e - first) * (K + 1);
        MEM_COPY(w_of(p, g->edge_child[e]), saved, K);
        if (p->value) p->value[g->edge_child[e]] = saved[K];
    }
}

double stage_path_visits(const stage_path *p) { return (double)p->values.visits + p->beside; }

bool stage_path_stop(stage_path *p)
{
    double visits = stage_path_visits(p);
    if (visits >= p->next_check) {
        p->next_check = visits + p->per_check;
        p->stopped = p->stopped || visits > p->most || deadline_expired(p->limit);
    }
    return p->stopped;
}

stage_step stage_path_tell(stage_path *p, const stage_step *step, double bound, double best, bool ended)
{
    stage_state state = {bound, best, ended, p->values.visits};
    stage_step below = stage_log_node(p->log, step, &state);
    p->stopped = p->stopped || stage_log_full(p->log);
    return below;
}

static int by_bound(const void *a, const void *b)
{
    const stage_offer *x = a, *y = b;
    if (x->bound != y->bound) return x->bound < y->bound ? 1 : -1;
    return (x->choice > y->choice) - (x->choice < y->choice);
}

void stage_offers_sort(stage_offer offer[], int count) { qsort(offer, (size_t)count, sizeof *offer, by_bound); }
