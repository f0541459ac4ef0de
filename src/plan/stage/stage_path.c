/* plan/stage/stage_path.c - see stage_path.h. O(edges of a choice * K) a decision, O(1) a logged node. */
#include "plan/stage/stage_path.h"

#include <stdlib.h>

#include "base/memory.h"

double stagewise_reward(const know_graph *g, int n, int choice, const double x[])
{
    const double *r = g->reward + (size_t)g->choice_pair[choice] * (size_t)g->K;
    double sum = 0;
    for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) sum += x[g->member[i]] * r[g->member[i]];
    return sum;
}

/* to = x o P of the edge, for the members of its child's set. */
static void stagewise_follow(const know_graph *g, int edge, const double x[], double to[])
{
    const double *p = g->successor_prob + (size_t)g->edge_row[edge] * (size_t)g->K;
    int set = g->set[g->edge_child[edge]];
    for (int i = g->member_start[set]; i < g->member_start[set + 1]; i++) to[g->member[i]] = x[g->member[i]] * p[g->member[i]];
}

/* V_n(x) at the last time, where most visits end; its rewards are contiguous. */
static double value_last(const stagewise_values *v, int n, const double x[])
{
    const know_graph *g = v->g;
    const int *member = g->member + g->member_start[g->set[n]];
    int size = know_set_size(g, g->set[n]);
    double best = -INFINITY;
    for (const double *r = v->last + v->last_start[n], *end = v->last + v->last_start[n + 1]; r < end; r += size) {
        double sum = 0;
        for (int i = 0; i < size; i++) sum += x[member[i]] * r[i];
        if (sum > best) best = sum;
    }
    return best;
}

/* sum of x_k a_k over the members of n's set */
static double sum_members(const know_graph *g, int n, const double x[], const double a[])
{
    double sum = 0;
    for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) sum += x[g->member[i]] * a[g->member[i]];
    return sum;
}

/* Upper bound on a choice: its value if the environment is revealed after it. */
static double known_after(const stagewise_values *v, int n, int choice, const double x[])
{
    return sum_members(v->g, n, x, v->after + (size_t)choice * (size_t)v->g->K);
}

double stagewise_value_after(stagewise_values *v, int n, int t, int ahead, int choice, const double x[])
{
    const know_graph *g = v->g;
    double value = stagewise_reward(g, n, choice, x), *to = v->scratch + (size_t)(t + 1) * (size_t)g->K;
    if (t + 1 == g->T) return value;
    for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++) {
        stagewise_follow(g, e, x, to);
        value += stagewise_value(v, g->edge_child[e], t + 1, ahead - 1, to);
    }
    return value;
}

double stagewise_value(stagewise_values *v, int n, int t, int ahead, const double x[])
{
    const know_graph *g = v->g;
    v->visits++;
    if (t == g->T) return 0;
    if (ahead == 0) return sum_members(g, n, x, v->revealed + (size_t)n * (size_t)g->K);
    if (t == g->T - 1) return value_last(v, n, x);
    double most = -INFINITY, best;
    int first = -1;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        double bound = stagewise_considered(v, c) ? known_after(v, n, c, x) : -INFINITY;
        if (bound <= most) continue;
        most = bound;
        first = c;
    }
    best = stagewise_value_after(v, n, t, ahead, first, x);
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
        if (c != first && stagewise_considered(v, c) && known_after(v, n, c, x) > best)
            best = fmax(best, stagewise_value_after(v, n, t, ahead, c, x));
    return best;
}

static int best_choice(stagewise_values *v, int n, int t, int ahead, const double x[])
{
    const know_graph *g = v->g;
    double best = -INFINITY;
    int at = -1;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (!stagewise_considered(v, c) || (at >= 0 && known_after(v, n, c, x) <= best)) continue;
        double value = stagewise_value_after(v, n, t, ahead, c, x);
        if (at >= 0 && value <= best) continue;
        best = value;
        at = c;
    }
    return at;
}

void stagewise_earn(stagewise_values *v, int n, int t, int ahead, int choice, const double lambda[], const double w[], double U[])
{
    const know_graph *g = v->g;
    const int *member = g->member + g->member_start[g->set[n]];
    int size = know_set_size(g, g->set[n]);
    size_t K = (size_t)g->K;
    double *x = v->earned + 2 * (size_t)t * K, *to = x + K;
    if (t == g->T) return;
    if (ahead == 0) {
        for (int i = 0; i < size; i++) U[member[i]] += w[member[i]] * v->revealed[(size_t)n * K + (size_t)member[i]];
        return;
    }
    for (int i = 0; i < size; i++) x[member[i]] = lambda[member[i]] * w[member[i]];
    if (choice < 0) choice = best_choice(v, n, t, ahead, x);
    const double *r = g->reward + (size_t)g->choice_pair[choice] * K;
    for (int i = 0; i < size; i++) U[member[i]] += w[member[i]] * r[member[i]];
    if (t + 1 == g->T) return;
    for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++) {
        stagewise_follow(g, e, w, to);
        stagewise_earn(v, g->edge_child[e], t + 1, ahead - 1, -1, lambda, to, U);
    }
}

/* Optimal values of single environments, and dominated choices of the last time. */
static void prepare_values(stagewise_values *v)
{
    const know_graph *g = v->g;
    size_t K = (size_t)g->K;
    for (int n = g->time_start[g->T] - 1; n >= 0; n--)
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
            size_t k = (size_t)g->member[i];
            double best = -INFINITY;
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
                double value = g->reward[(size_t)g->choice_pair[c] * K + k];
                for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++)
                    if (know_in_set(g, g->set[g->edge_child[e]], (int)k))
                        value += g->successor_prob[(size_t)g->edge_row[e] * K + k] * v->revealed[(size_t)g->edge_child[e] * K + k];
                v->after[(size_t)c * K + k] = value;
                best = fmax(best, value);
            }
            v->revealed[(size_t)n * K + k] = best;
        }
    for (int n = g->time_start[g->T - 1]; n < g->time_start[g->T]; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            for (int d = g->choice_start[n]; d < g->choice_start[n + 1] && !v->needless[c]; d++) {
                bool less = d != c && g->choice_twin[d] == d && !v->needless[d];
                for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1] && less; i++)
                    less = g->reward[(size_t)g->choice_pair[c] * K + (size_t)g->member[i]] <=
                           g->reward[(size_t)g->choice_pair[d] * K + (size_t)g->member[i]];
                v->needless[c] = less;
            }
}

/* The rewards for value_last. */
static void prepare_last(stagewise_values *v)
{
    const know_graph *g = v->g;
    size_t used = 0;
    for (int n = 0; n <= g->nodes; n++) {
        v->last_start[n] = used;
        if (n < g->time_start[g->T - 1] || n >= g->time_start[g->T]) continue;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1] && stagewise_considered(v, c); i++)
                v->last[used++] = g->reward[(size_t)g->choice_pair[c] * (size_t)g->K + (size_t)g->member[i]];
    }
}

void stagewise_values_reach(stagewise_values *v, double most)
{
    const know_graph *g = v->g;
    double *cost = v->cost, *next = v->cost + g->nodes;
    for (int n = 0; n < g->nodes; n++) cost[n] = 1;
    for (int t = 0; t <= g->T; t++) v->ahead[t] = 0;
    for (int ahead = 1; ahead <= g->T; ahead++) {
        for (int t = 0; t < g->T; t++) {
            double dearest = 0;
            for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++) {
                next[n] = 1;
                for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
                    for (int e = g->edge_start[c]; e < g->edge_start[c + 1] && stagewise_considered(v, c) && t + 1 < g->T; e++)
                        next[n] += cost[g->edge_child[e]];
                next[n] = fmin(next[n], 2 * most);
                dearest = fmax(dearest, next[n]);
            }
            if (dearest <= most && v->ahead[t] == ahead - 1 && t + ahead <= g->T) v->ahead[t] = ahead;
        }
        for (int n = 0; n < g->time_start[g->T]; n++) cost[n] = next[n];
    }
    v->full = true;
    for (int t = 1; t < g->T; t++) v->full = v->full && v->ahead[t] == g->T - t;
}

/* The arrays are in the arena. V has no look-ahead until stagewise_values_reach. */
static vouch_status stagewise_values_make(stagewise_values *v, const know_graph *g, arena *a)
{
    size_t K = (size_t)g->K, nodes = (size_t)g->nodes, choices = (size_t)g->choices + 1;
    size_t last = (size_t)(g->choice_start[g->time_start[g->T]] - g->choice_start[g->time_start[g->T - 1]]);
    *v = (stagewise_values){.g = g};
    v->ahead = ARENA_ZERO(a, int, (size_t)g->T + 1);
    v->revealed = ARENA_ZERO(a, double, nodes *K);
    v->after = ARENA_ZERO(a, double, choices *K);
    v->needless = ARENA_ZERO(a, bool, choices);
    v->last = ARENA_NEW(a, double, last *K + 1);
    v->last_start = ARENA_NEW(a, size_t, nodes + 1);
    v->scratch = ARENA_ZERO(a, double, ((size_t)g->T + 2) * K);
    v->earned = ARENA_ZERO(a, double, 2 * ((size_t)g->T + 2) * K);
    v->cost = ARENA_NEW(a, double, 2 * nodes);
    if (a->failed) return VOUCH_ERROR_MEMORY;
    prepare_values(v);
    prepare_last(v);
    return VOUCH_OK;
}

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
