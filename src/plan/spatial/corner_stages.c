/* plan/spatial/corner_stages.c - see corner_stages.h. Cost: exponential in the nodes of all times but the last. Invariant: w holds
 * what the decided nodes lead to. */
#include "plan/spatial/corner_stages.h"

#include <math.h>

#include "base/memory.h"
#include "plan/stage/stage_path.h"
#include "policy/parameters.h"

/* More steps, each a call deeper, are not walked by who checks it. */
enum { MOST_STEPS = 2000 };

typedef struct stages {
    const know_graph *g; /* whose choices are corners */
    const box_corners *at;
    stage_path path;
    const corner_task *task;
    double cut;         /* the largest bound of a case that has ended */
    double work, most;  /* visits of whoever follows every V of each case anew: so far, at most */
    double *value;      /* [nodes] V of what comes to nodes of the time that is led to */
    int *order, *count; /* [nodes], [T] nodes that are come to, heaviest first */
    double *rest;       /* [nodes + T + 1] sum of V from a place of the order on */
    stage_offer *mass;  /* [nodes] scratch */
    double *earn;       /* [choices of the graph that corners are of * K] what one pays; at the last time, with what follows it */
    double *layer;      /* [T + 1] visits of V, summed over the nodes of a time */
    double *x;          /* [(T + 1) * K] scratch: what comes to a node of each time */
    arena memory;
} stages;

static const double *w_of(const stages *f, int n) { return f->path.w + (size_t)n * (size_t)f->g->K; }

/* V of x [K], which comes to node n of time t: each history may do its own, within the box. Unlike stagewise_value it does not add
 * up what choices of one corner lead to, as whoever checks it does not. */
static double walk(stages *f, int n, int t, const double x[])
{
    const know_graph *g = f->at->g;
    int first = g->choice_start[n];
    double worth[CORNER_CHOICES], best = -INFINITY, *next = f->x + (size_t)t * (size_t)g->K;
    for (int c = first; c < g->choice_start[n + 1]; c++) {
        const double *earn = f->earn + (size_t)c * (size_t)g->K;
        double sum = 0;
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++)
            sum += x[g->member[i]] * earn[g->member[i]];
        for (int e = g->edge_start[c]; e < g->edge_start[c + 1] && t + 1 < g->T; e++) {
            stagewise_follow(g, e, x, next);
            sum += walk(f, g->edge_child[e], t + 1, next);
        }
        worth[c - first] = sum;
    }
    for (int j = 0; j < f->at->count[n]; j++) {
        const double *share = box_corner(f->at, n, j);
        double sum = 0;
        for (int i = 0; i < g->choice_start[n + 1] - first; i++) sum += share[i] * worth[i];
        best = fmax(best, sum);
    }
    return best;
}

/* The root is decided in any case, and its V would be dear. */
static double value_of(stages *f, int n, int t) { return t == 0 && f->g->T > 1 ? INFINITY : walk(f, n, t, w_of(f, n)); }

/* Sets layer; returns the visits of the dearest V after the root, or more than `most`. */
static double find_layers(stages *f, double most)
{
    const know_graph *g = f->at->g;
    double *cost = f->rest, dearest = 0; /* which is not in use yet */
    for (int t = g->T - 1; t > 0; t--)
        for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++) {
            cost[n] = 1;
            for (int e = g->edge_start[g->choice_start[n]]; e < g->edge_start[g->choice_start[n + 1]] && t + 1 < g->T; e++)
                cost[n] = fmin(cost[n] + cost[g->edge_child[e]], 2 * most);
            dearest = fmax(dearest, cost[n]);
            f->layer[t] += cost[n];
        }
    return dearest;
}

/* K times rewards, as w is of 1/K; at the last time with the promises that are kept after it. */
static void find_earned(stages *f)
{
    const know_graph *g = f->at->g;
    size_t K = (size_t)g->K;
    for (int n = 0; n < g->time_start[g->T]; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
                size_t k = (size_t)g->member[i];
                double sum = f->task->reward[(size_t)c * K + k];
                for (int e = g->edge_start[c]; e < g->edge_start[c + 1] && n >= g->time_start[g->T - 1]; e++)
                    if (know_in_set(g, g->set[g->edge_child[e]], (int)k))
                        sum += g->successor_prob[(size_t)g->edge_row[e] * K + k] * f->task->mu[k] *
                               know_terminal(g, g->edge_child[e], (int)k);
                f->earn[(size_t)c * K + k] = (double)K * sum;
            }
}

/* Takes a choice at node n, of time t: what it makes, and by how much V of what follows grows. */
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
    const corner_witness *w = f->task->witness;
    f->work += f->layer[t] * (f->count[t] - i) / fmax(1, f->count[t]) + f->layer[t + 1];
    f->cut = fmax(f->cut, bound);
    if (w) w->leaf(w->context, number);
}

static void decide_time(stages *f, int t, double made, int number);

/* Case `number`, where nodes of time t are decided up to place i of the order. made: by these and before, with V of what follows.
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
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1] && f->work <= f->most && !deadline_expired(f->task->limit); c++) {
        double now = made + apply(f, n, t, c);
        int child = first + c - g->choice_start[n];
        if (now + after <= f->task->least)
            end_case(f, t, i + 1, child, now + after);
        else
            decide(f, t, i + 1, now, child);
        stage_path_undo(&f->path, n, c);
    }
}

/* Puts the nodes of time t that are come to in order and values them. */
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
    f->earn = ARENA_ZERO(a, double, (size_t)f->at->g->choices *(size_t)g->K);
    f->layer = ARENA_ZERO(a, double, g->T + 1);
    f->x = ARENA_NEW(a, double, ((size_t)g->T + 1) * (size_t)g->K);
    return a->failed ? VOUCH_ERROR_MEMORY : stage_path_make(&f->path, g, a);
}

vouch_status corner_stages_run(const box_graph *graph, const corner_task *task, double work, double *upper, bool *done)
{
    const know_graph *g = &graph->g;
    stages f = {.g = g, .at = graph->at, .task = task, .most = work, .cut = -INFINITY};
    *done = false;
    vouch_status status = make(&f);
    if (!status && g->T <= MOST_STEPS && g->nodes <= STAGEWISE.value_nodes &&
        find_layers(&f, STAGEWISE.value_visits) <= STAGEWISE.value_visits) {
        find_earned(&f);
        for (int k = 0; k < g->K; k++) f.path.w[k] = 1 / (double)g->K;
        decide_time(&f, 0, 0, task->witness ? task->witness->root : 0);
        *done = f.work <= f.most && !deadline_expired(task->limit);
        *upper = f.cut;
    }
    arena_free(&f.memory);
    return status;
}
