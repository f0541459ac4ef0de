/* plan/spatial/corner_stages.c - a proof that no policy of a box exceeds a value at given prices, node after node in the order of
 * time.
 *
 * The tree is the one of the search by stages (plan/stage/stagewise.h) over the corners of a box: a case ends where
 *
 *     value of the decisions  +  sum of V_n(w(n)) over nodes that are not decided
 *
 * does not exceed it, w(n) the probabilities of reaching n and V the most that can be earned from there on if each history decides
 * for itself. It is made for proofs, when the value is known already. Cost: exponential in the nodes of all times but the last.
 * Invariant: w holds the probabilities of the decided nodes' successors.
 */
#include "plan/spatial/box.h"

#include <math.h>

#include "base/memory.h"
#include "plan/stage/stage_path.h"
#include "policy/parameters.h"

/* The checker takes no more; each step is a call deeper. */
enum { MOST_AHEAD = 2000 };

typedef struct stages {
    const know_graph *g; /* whose choices are corners */
    stage_path path;
    const corner_task *task;
    double cut;         /* the largest bound of a case that has ended */
    double work, most;  /* visits of a reader who computes every V of each case anew: done, at most */
    int ahead;          /* steps that V looks ahead; the environment is revealed there */
    double *value;      /* [nodes] V at the nodes of the next time */
    int *order, *count; /* [nodes], [T] nodes that are reached, heaviest first */
    double *rest;       /* [nodes + T + 1] sum of V from a place of the order on */
    stage_offer *mass;  /* [nodes] scratch */
    double *cost;       /* [nodes] visits that V of a node took when it was last found */
    arena memory;
} stages;

static const double *w_of(const stages *f, int n) { return f->path.w + (size_t)n * (size_t)f->g->K; }

static bool stopped(const stages *f)
{
    return f->work > f->most || (double)f->path.values.visits > f->most || deadline_expired(f->task->limit);
}

/* The root is decided in any case, and its V would be dear. */
static double value_of(stages *f, int n, int t)
{
    stagewise_values *v = &f->path.values;
    long long before = v->visits;
    double most = t == 0 && f->g->T > 1 ? INFINITY : stagewise_value(v, n, t, f->ahead, w_of(f, n));
    f->cost[n] = (double)(v->visits - before);
    return most;
}

/* Takes a choice at node n, of time t: its pay, and the growth of V of the successors. */
static double apply(stages *f, int n, int t, int choice)
{
    const know_graph *g = f->g;
    double made = stagewise_reward(g, n, choice, w_of(f, n));
    stage_path_lead(&f->path, n, choice);
    for (int e = g->edge_start[choice]; e < stage_path_last_edge(g, n, choice); e++) {
        int child = g->edge_child[e];
        double v = value_of(f, child, t + 1);
        made += v - f->value[child];
        f->value[child] = v;
    }
    return made;
}

/* Case `number` ends, in which nodes of time t are not decided from place i of the order on. */
static void end_case(stages *f, int t, int i, int number, double bound)
{
    const know_graph *g = f->g;
    const corner_witness *w = f->task->witness;
    for (; i < f->count[t]; i++) f->work += f->cost[f->order[g->time_start[t] + i]];
    for (int n = g->time_start[t + 1]; n < g->time_start[t + 2] && t + 1 < g->T; n++) f->work += f->value[n] > 0 ? f->cost[n] : 1;
    f->cut = fmax(f->cut, bound);
    if (w) w->leaf(w->context, number);
}

static void decide_time(stages *f, int t, double made, int number);

/* Case `number`, where nodes of time t are decided up to place i of the order. made: their pay and the pay before, with V of the
 * successors.
 */
static void decide(stages *f, int t, int i, double made, int number)
{
    const know_graph *g = f->g;
    const corner_witness *w = f->task->witness;
    if (i == f->count[t]) {
        for (int n = g->time_start[t + 1]; n < g->time_start[t + 2]; n++) made -= f->value[n];
        decide_time(f, t + 1, made, number);
        return;
    }
    int n = f->order[g->time_start[t] + i], first = w ? w->split(w->context, number, n) : 0;
    double after = f->rest[g->time_start[t] + t + i + 1];
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1] && !stopped(f); c++) {
        double now = made + apply(f, n, t, c);
        int child = first + c - g->choice_start[n];
        if (now + after <= f->task->least)
            end_case(f, t, i + 1, child, now + after);
        else
            decide(f, t, i + 1, now, child);
        stage_path_undo(&f->path, n, c);
    }
}

/* Sorts the reached nodes of time t and values them. */
static double order_time(stages *f, int t)
{
    const know_graph *g = f->g;
    int first = g->time_start[t], count = 0;
    for (int n = first; n < g->time_start[t + 1]; n++) {
        double sum = 0;
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) sum += w_of(f, n)[g->member[i]];
        if (sum > 0) f->mass[count++] = (stage_offer){sum, n};
    }
    stage_offers_sort(f->mass, count);
    f->count[t] = count;
    f->rest[first + t + count] = 0;
    for (int i = count - 1; i >= 0; i--) {
        int n = f->order[first + i] = f->mass[i].choice;
        f->rest[first + t + i] = value_of(f, n, t) + f->rest[first + t + i + 1];
    }
    return f->rest[first + t];
}

/* made: by the nodes of all times before t, which are decided. The last time needs no decision. */
static void decide_time(stages *f, int t, double made, int number)
{
    double bound = made + order_time(f, t);
    if (t == f->g->T - 1 || bound <= f->task->least)
        end_case(f, t, 0, number, bound);
    else
        decide(f, t, 0, made, number);
}

static vouch_status make(stages *f)
{
    const know_graph *g = f->g;
    arena *a = &f->memory;
    f->value = f->path.value = ARENA_ZERO(a, double, g->nodes);
    f->order = ARENA_ZERO(a, int, g->nodes);
    f->count = ARENA_ZERO(a, int, g->T + 1);
    f->rest = ARENA_ZERO(a, double, g->nodes + g->T + 2);
    f->mass = ARENA_NEW(a, stage_offer, g->nodes);
    f->cost = ARENA_NEW(a, double, g->nodes);
    return a->failed ? VOUCH_ERROR_MEMORY : stage_path_make(&f->path, g, a);
}

vouch_status corner_stages_run(const box_graph *graph, const corner_task *task, double work, corner_stages *result)
{
    const know_graph *g = &graph->g;
    stages f = {.g = g, .task = task, .most = work, .cut = -INFINITY};
    *result = (corner_stages){0};
    if (g->nodes > STAGEWISE.value_nodes) return VOUCH_OK;
    vouch_status status = make(&f);
    if (!status) {
        stagewise_values_reach(&f.path.values, STAGEWISE.value_visits);
        f.ahead = g->T < MOST_AHEAD ? g->T : MOST_AHEAD;
        for (int t = 1; t < g->T; t++) {
            int ahead = f.path.values.ahead[t];
            if (ahead < g->T - t && ahead < f.ahead) f.ahead = ahead;
        }
        for (int k = 0; k < g->K; k++) f.path.w[k] = 1 / (double)g->K;
        decide_time(&f, 0, 0, task->witness ? task->witness->root : 0);
        *result = (corner_stages){!stopped(&f), f.cut, f.ahead};
    }
    arena_free(&f.memory);
    return status;
}
