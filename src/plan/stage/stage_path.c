/* plan/stage/stage_path.c - see stage_path.h. O(edges of a choice * K) a decision, O(1) a logged node. */
#include "plan/stage/stage_path.h"

#include <stdlib.h>

#include "base/memory.h"
#include "policy/space.h"

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

void stage_log_tree(stage_log *log, bool total, const char *why)
{
    record_tree(log->trace, log->space, &(tree_record){"search", total, why, log->ids + 1});
}

typedef struct stage_state {
    double bound, best; /* of the node; of the best known policy */
    bool ended;         /* by its bound */
    long long work;
} stage_state;

static void trace_node(const stage_log *log, const stage_step *step, const stage_state *state)
{
    vouch_trace *t = log->trace;
    trace_count(t, TALLY_staged, 1);
    if (!trace_open(t, TRACE_NODE, 0, "node")) return;
    trace_int(t, "id", log->ids);
    trace_int(t, "up", step->above);
    if (step->node >= 0) {
        record_place(t, "at", log->space->g, step->node);
        trace_int(t, "do", record_option(log->space, step->node, step->choice));
    }
    trace_real(t, "b", state->bound);
    trace_real(t, "mix", state->bound);
    trace_real(t, "inc", state->best);
    trace_int(t, "end", state->ended ? VOUCH_NODE_BOUND : VOUCH_NODE_BRANCHED);
    trace_int(t, "w", state->work);
    trace_close(t);
}

static void report_node(const stage_log *log, const stage_step *step, const stage_state *state)
{
    const know_graph *g = log->space->g;
    vouch_search_node out = {.id = log->ids,
                             .parent = step->above,
                             .depth = step->depth,
                             .bound = state->bound,
                             .incumbent = state->best,
                             .end = state->ended ? VOUCH_NODE_BOUND : VOUCH_NODE_BRANCHED,
                             .time = -1,
                             .state = -1,
                             .action = -1};
    if (step->node >= 0) {
        out.time = know_time(g, step->node);
        out.state = g->state[step->node];
        out.action = g->m->pair_action[g->choice_pair[step->choice]];
    }
    log->on_node(log->on_node_context, &out);
}

static stage_step log_node(stage_log *log, const stage_step *step, const stage_state *state)
{
    log->ids++;
    log->nodes++;
    trace_node(log, step, state);
    if (log->on_node) report_node(log, step, state);
    return (stage_step){log->ids, step->depth + 1, -1, -1};
}

stage_step stage_path_log(stage_path *p, const stage_step *step, double bound, double best, bool ended)
{
    stage_state state = {bound, best, ended, p->values.visits};
    stage_step below = log_node(p->log, step, &state);
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
