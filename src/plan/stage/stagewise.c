/* plan/stage/stagewise.c - see stagewise.h. Cost: exponential in the nodes before the last time. Invariant: w holds the weights
 * after the decisions, zero at times not reached.
 */
#include "plan/stage/stagewise.h"

#include "base/check.h"
#include "plan/heuristic/local_search.h"
#include "policy/parameters.h"

typedef struct forward {
    const policy_space *space;
    const know_graph *g;
    stage_path path; /* w: the weight of each environment times its probability of reaching a node */
    incumbent *inc;
    stage_step *step; /* [nodes + 1] steps to the node after this number of decisions */
    int decided;
    double gap, constant, best; /* values: constant - mean regret */
    double lost;                /* largest bound of the parts cut off or not searched */
    arena memory;
    double *value;       /* [nodes] V(w) of the nodes of the next time */
    double *gain;        /* [choices] immediate reward and V after it alone */
    stage_offer *offers; /* [choices] */
    int *order, *count;  /* [nodes], [T]: reached nodes, heaviest first */
    double *rest;        /* [nodes + T + 1] sum of V from an index of the order on */
    int *pick;           /* [nodes] */
} forward;

static const double *w_of(const forward *f, int n) { return f->path.w + (size_t)n * (size_t)f->g->K; }

/* Takes a choice at node n of time t: updates w and value of its successors. Returns the increase of the sum of values. */
static double apply(forward *f, int n, int t, int choice)
{
    const know_graph *g = f->g;
    double grown = 0;
    stage_path_lead(&f->path, n, choice);
    for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++) {
        int child = g->edge_child[e];
        double v = stagewise_value(&f->path.values, child, t + 1, f->path.values.ahead[t + 1], w_of(f, child));
        grown += v - f->value[child];
        f->value[child] = v;
    }
    return grown;
}

static void cut(forward *f, double bound) { f->lost = fmax(f->lost, bound); }
static bool worthless(const forward *f, double bound) { return bound <= f->best + f->gap; }

/* All but the last time is decided: takes its best choices and offers the policy. */
static void end(forward *f, int t, double fixed)
{
    const know_graph *g = f->g;
    for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++) {
        const double *w = w_of(f, n);
        double best = -INFINITY;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            double v = stagewise_considered(&f->path.values, c) ? stagewise_reward(g, n, c, w) : -INFINITY;
            if (v <= best) continue;
            best = v;
            f->pick[n] = c;
        }
        fixed += best;
    }
    if (fixed <= f->best) return;
    local_search_offer(f->inc, f->pick, 0);
    f->best = fmax(f->best, f->constant - f->inc->value.max_regret);
    cut(f, fixed); /* may exceed the value of the offered policy by rounding */
}

static void decide_time(forward *f, int t, double fixed);

/* Decides the nodes of time t from index i of the order on. led: sum of values at the next time. */
static void decide(forward *f, int t, int i, double fixed, double led)
{
    const know_graph *g = f->g;
    if (i == f->count[t]) {
        decide_time(f, t + 1, fixed);
        return;
    }
    int n = f->order[g->time_start[t] + i], first = g->choice_start[n], offers = 0;
    double after = f->rest[g->time_start[t] + t + i + 1];
    stage_offer *list = f->offers + first;
    double now = f->constant - (fixed + led + f->rest[g->time_start[t] + t + i]);
    stage_step *below = &f->step[f->decided + 1];
    *below = stage_path_log(&f->path, &f->step[f->decided], now, f->constant - f->best, false);
    for (int c = first; c < g->choice_start[n + 1]; c++) {
        if (!stagewise_considered(&f->path.values, c)) continue;
        double bound = fixed + led + f->gain[c] + after;
        if (!stage_path_stop(&f->path) && !worthless(f, bound)) {
            bound = fixed + stagewise_reward(g, n, c, w_of(f, n)) + led + apply(f, n, t, c) + after;
            stage_path_undo(&f->path, n, c);
        }
        list[offers++] = (stage_offer){bound, c};
    }
    stage_offers_sort(list, offers);
    for (int o = 0; o < offers; o++) {
        int c = list[o].choice;
        if (stage_path_stop(&f->path) || worthless(f, list[o].bound)) {
            cut(f, list[o].bound);
            continue;
        }
        f->pick[n] = c;
        double reward = stagewise_reward(g, n, c, w_of(f, n)), grown = apply(f, n, t, c);
        below->node = n;
        below->choice = c;
        f->decided++;
        decide(f, t, i + 1, fixed + reward, led + grown);
        f->decided--;
        stage_path_undo(&f->path, n, c);
    }
}

/* Sorts the reached nodes of time t, heaviest first, and values their choices. */
static void order_time(forward *f, int t)
{
    const know_graph *g = f->g;
    int first = g->time_start[t], count = 0;
    stage_offer *mass = f->offers + g->choice_start[first]; /* free until this time is decided */
    for (int n = first; n < g->time_start[t + 1]; n++) {
        const double *w = w_of(f, n);
        double sum = 0;
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) sum += w[g->member[i]];
        f->pick[n] = -1;
        if (sum > 0) mass[count++] = (stage_offer){sum, n};
    }
    stage_offers_sort(mass, count);
    for (int i = 0; i < count; i++) f->order[first + i] = mass[i].choice;
    f->count[t] = count;
    f->rest[first + t + count] = 0;
    for (int i = count - 1; i >= 0; i--) {
        int n = f->order[first + i];
        const double *w = w_of(f, n);
        double best = -INFINITY;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            if (!stagewise_considered(&f->path.values, c)) continue;
            f->gain[c] = stagewise_value_after(&f->path.values, n, t, f->path.values.ahead[t + 1] + 1, c, w);
            best = fmax(best, f->gain[c]);
        }
        f->rest[first + t + i] = best + f->rest[first + t + i + 1];
    }
}

static void decide_time(forward *f, int t, double fixed)
{
    const know_graph *g = f->g;
    if (t == g->T - 1) {
        end(f, t, fixed);
        return;
    }
    order_time(f, t);
    double bound = fixed + f->rest[g->time_start[t] + t];
    if (stage_path_stop(&f->path) || worthless(f, bound))
        cut(f, bound);
    else
        decide(f, t, 0, fixed, 0);
}

static vouch_status make(forward *f)
{
    const know_graph *g = f->g;
    size_t nodes = (size_t)g->nodes, choices = (size_t)g->choices + 1;
    arena *a = &f->memory;
    f->value = f->path.value = ARENA_ZERO(a, double, nodes);
    f->gain = ARENA_ZERO(a, double, choices);
    f->offers = ARENA_ZERO(a, stage_offer, choices + nodes);
    f->order = ARENA_ZERO(a, int, nodes);
    f->count = ARENA_ZERO(a, int, (size_t)g->T + 1);
    f->rest = ARENA_ZERO(a, double, nodes + (size_t)g->T + 2);
    f->pick = ARENA_NEW(a, int, nodes);
    f->step = ARENA_NEW(a, stage_step, nodes + 1);
    return a->failed ? VOUCH_ERROR_MEMORY : stage_path_make(&f->path, g, a);
}

vouch_status stagewise_search(const policy_space *space, incumbent *inc, const stagewise_options *options, stagewise_result *result)
{
    const know_graph *g = space->g;
    forward f = {.space = space, .g = g, .inc = inc, .gap = options->gap, .lost = -INFINITY};
    f.path = (stage_path){.limit = options->limit, .log = options->log, .per_check = STAGEWISE.value_check};
    *result = (stagewise_result){.bound = -INFINITY};
    CHECK(space->share && !space_may_bind(space));
    if (g->nodes > STAGEWISE.value_nodes) return VOUCH_OK;
    vouch_status status = make(&f);
    if (!status) {
        for (int n = 0; n < g->nodes; n++) f.pick[n] = -1;
        for (int k = 0; k < space->K; k++) {
            f.constant += space->share[k] * space->optimal[k];
            f.path.w[k] = space->share[k]; /* of the root */
        }
        f.best = inc->found ? f.constant - inc->value.max_regret : -INFINITY;
        if (options->cutoff) f.best = fmax(f.best, f.constant - *options->cutoff);
        stagewise_values_reach(&f.path.values, STAGEWISE.value_visits);
        f.path.most = f.path.values.full ? STAGEWISE.value_work : STAGEWISE.value_revealed_work;
        if (options->most_visits > 0) f.path.most = fmin(f.path.most, (double)options->most_visits);
        f.step[0] = STAGE_ROOT;
        stage_log_tree(options->log, false, "policies are decided stage by stage");
        decide_time(&f, 0, 0);
        result->finished = !f.path.stopped;
        result->visits = f.path.values.visits;
        result->bound = f.constant - fmax(f.best, f.lost);
    }
    arena_free(&f.memory);
    return status;
}
