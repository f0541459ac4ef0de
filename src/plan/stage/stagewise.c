/* plan/stage/stagewise.c - see stagewise.h. Cost: exponential in the nodes of all times but the last; V_n is a walk over what can
 * follow within its horizon. Invariant: w holds what the decided nodes lead to, and is zero at times that nothing has come to.
 */
#include "plan/stage/stagewise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "plan/stage/stagewise_values.h"
#include "plan/heuristic/local_search.h"

/* Visits that one V may take; those of the whole search where V looks to the horizon everywhere, and where it does not. */
static const double MOST_VISITS = 2e5, WORK_FULL = 2e9, WORK_REVEALED = 1e8;
/* Each decided node is a call deeper. */
enum { MOST_NODES = 20000 };
static const long long VISITS_PER_CHECK = 1 << 16;

typedef struct offer {
    double bound;
    int choice;
} offer;

typedef struct forward {
    const policy_space *space;
    const know_graph *g;
    stagewise_values values;
    incumbent *inc;
    const deadline *limit;
    stage_log *log;
    stage_step *step; /* [nodes + 1] how the node after so many decisions is come to */
    int decided;
    double gap, constant, best; /* values: constant - mean regret */
    double lost;                /* the largest bound among what was cut off or left */
    double most_work;
    long long next_check;
    bool stopped;
    arena memory;
    double *w;          /* [nodes * K] */
    double *value;      /* [nodes] V(w) of nodes of the time being led to */
    double *gain;       /* [choices] immediate reward and V of what follows it alone */
    offer *offers;      /* [choices] */
    int *order, *count; /* [nodes], [T]: nodes that are come to, heaviest first */
    double *rest;       /* [nodes + T + 1] sum of V from a place of the order on */
    double *saved;      /* what apply has overwritten: [edges of the longest choice of each node * (K + 1)] */
    size_t *saved_at;   /* [nodes] */
    double *scratch;    /* [K] */
    int *pick;          /* [nodes] */
} forward;

static double value_at(forward *f, int n, int t)
{
    return stagewise_value(&f->values, n, t, f->values.ahead[t], f->w + (size_t)n * (size_t)f->g->K);
}

/* Is it time to give up? */
static bool stop(forward *f)
{
    if (f->values.visits >= f->next_check) {
        f->next_check = f->values.visits + VISITS_PER_CHECK;
        f->stopped = f->stopped || (double)f->values.visits > f->most_work || deadline_expired(f->limit);
    }
    return f->stopped;
}

/* Leads what is at node n, of time t, on by a choice: w and value of what follows. The sum of values grows by what is returned. */
static double apply(forward *f, int n, int t, int choice)
{
    const know_graph *g = f->g;
    size_t K = (size_t)g->K;
    double *saved = f->saved + f->saved_at[n], *x = f->scratch, grown = 0;
    for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++, saved += K + 1) {
        int child = g->edge_child[e];
        double *there = f->w + (size_t)child * K;
        MEM_COPY(saved, there, K);
        saved[K] = f->value[child];
        stagewise_follow(g, e, f->w + (size_t)n * K, x);
        for (int i = g->member_start[g->set[child]]; i < g->member_start[g->set[child] + 1]; i++)
            there[g->member[i]] += x[g->member[i]];
    }
    for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++) {
        int child = g->edge_child[e];
        double v = value_at(f, child, t + 1);
        grown += v - f->value[child];
        f->value[child] = v;
    }
    return grown;
}

static void undo(forward *f, int n, int choice)
{
    const know_graph *g = f->g;
    size_t K = (size_t)g->K;
    for (int e = g->edge_start[choice + 1] - 1; e >= g->edge_start[choice]; e--) {
        const double *saved = f->saved + f->saved_at[n] + (size_t)(e - g->edge_start[choice]) * (K + 1);
        MEM_COPY(f->w + (size_t)g->edge_child[e] * K, saved, K);
        f->value[g->edge_child[e]] = saved[K];
    }
}

static int by_bound(const void *a, const void *b)
{
    const offer *x = a, *y = b;
    if (x->bound != y->bound) return x->bound < y->bound ? 1 : -1;
    return (x->choice > y->choice) - (x->choice < y->choice);
}

static void cut(forward *f, double bound) { f->lost = fmax(f->lost, bound); }
static bool worthless(const forward *f, double bound) { return bound <= f->best + f->gap; }

/* All but the last time is decided: the best there, and the policy is offered. */
static void end(forward *f, int t, double fixed)
{
    const know_graph *g = f->g;
    for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++) {
        const double *w = f->w + (size_t)n * (size_t)g->K;
        double best = -INFINITY;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            double v = stagewise_considered(&f->values, c) ? stagewise_reward(g, n, c, w) : -INFINITY;
            if (v <= best) continue;
            best = v;
            f->pick[n] = c;
        }
        fixed += best;
    }
    if (fixed <= f->best) return;
    local_search_offer(f->inc, f->pick, 0);
    f->best = fmax(f->best, f->constant - f->inc->value.max_regret);
    cut(f, fixed); /* by rounding it may be more than what was offered is worth */
}

static void decide_time(forward *f, int t, double fixed);

/* Decides the nodes of time t from place i of the order on. led: sum of values at the next time. */
static void decide(forward *f, int t, int i, double fixed, double led)
{
    const know_graph *g = f->g;
    if (i == f->count[t]) {
        decide_time(f, t + 1, fixed);
        return;
    }
    int n = f->order[g->time_start[t] + i], first = g->choice_start[n], offers = 0;
    double after = f->rest[g->time_start[t] + t + i + 1];
    offer *list = f->offers + first;
    stage_state state = {f->constant - (fixed + led + f->rest[g->time_start[t] + t + i]), f->constant - f->best, false,
                         f->values.visits};
    stage_step *below = &f->step[f->decided + 1];
    *below = stage_log_node(f->log, &f->step[f->decided], &state);
    f->stopped = f->stopped || stage_log_full(f->log);
    for (int c = first; c < g->choice_start[n + 1]; c++) {
        if (!stagewise_considered(&f->values, c)) continue;
        double bound = fixed + led + f->gain[c] + after;
        if (!stop(f) && !worthless(f, bound)) {
            bound = fixed + stagewise_reward(g, n, c, f->w + (size_t)n * (size_t)g->K) + led + apply(f, n, t, c) + after;
            undo(f, n, c);
        }
        list[offers++] = (offer){bound, c};
    }
    qsort(list, (size_t)offers, sizeof *list, by_bound);
    for (int o = 0; o < offers; o++) {
        int c = list[o].choice;
        if (stop(f) || worthless(f, list[o].bound)) {
            cut(f, list[o].bound);
            continue;
        }
        f->pick[n] = c;
        double reward = stagewise_reward(g, n, c, f->w + (size_t)n * (size_t)g->K), grown = apply(f, n, t, c);
        below->node = n;
        below->choice = c;
        f->decided++;
        decide(f, t, i + 1, fixed + reward, led + grown);
        f->decided--;
        undo(f, n, c);
    }
}

/* Puts the nodes of time t that are come to in order, heaviest first, and values what follows each of their choices. */
static void order_time(forward *f, int t)
{
    const know_graph *g = f->g;
    int first = g->time_start[t], count = 0;
    offer *mass = f->offers + g->choice_start[first]; /* as many as choices at least; not in use before this time is decided */
    for (int n = first; n < g->time_start[t + 1]; n++) {
        const double *w = f->w + (size_t)n * (size_t)g->K;
        double sum = 0;
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) sum += w[g->member[i]];
        f->pick[n] = -1;
        if (sum > 0) mass[count++] = (offer){sum, n};
    }
    qsort(mass, (size_t)count, sizeof *mass, by_bound);
    for (int i = 0; i < count; i++) f->order[first + i] = mass[i].choice;
    f->count[t] = count;
    f->rest[first + t + count] = 0;
    for (int i = count - 1; i >= 0; i--) {
        int n = f->order[first + i];
        const double *w = f->w + (size_t)n * (size_t)g->K;
        double best = -INFINITY;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            if (!stagewise_considered(&f->values, c)) continue;
            f->gain[c] = stagewise_value_after(&f->values, n, t, f->values.ahead[t + 1] + 1, c, w);
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
    if (stop(f) || worthless(f, bound))
        cut(f, bound);
    else
        decide(f, t, 0, fixed, 0);
}

static vouch_status make(forward *f)
{
    const know_graph *g = f->g;
    size_t K = (size_t)g->K, nodes = (size_t)g->nodes, choices = (size_t)g->choices + 1, saved;
    arena *a = &f->memory;
    f->saved_at = stagewise_saved(g, K + 1, a, &saved);
    f->w = ARENA_ZERO(a, double, nodes *K);
    f->value = ARENA_ZERO(a, double, nodes);
    f->gain = ARENA_ZERO(a, double, choices);
    f->offers = ARENA_ZERO(a, offer, choices + nodes);
    f->order = ARENA_ZERO(a, int, nodes);
    f->count = ARENA_ZERO(a, int, (size_t)g->T + 1);
    f->rest = ARENA_ZERO(a, double, nodes + (size_t)g->T + 2);
    f->saved = ARENA_ZERO(a, double, saved + 1);
    f->scratch = ARENA_ZERO(a, double, K);
    f->pick = ARENA_NEW(a, int, nodes);
    f->step = ARENA_NEW(a, stage_step, nodes + 1);
    return a->failed ? VOUCH_ERROR_MEMORY : stagewise_values_make(&f->values, g, a);
}

vouch_status stagewise_search(const policy_space *space, incumbent *inc, const stagewise_options *options, stagewise_result *result)
{
    const know_graph *g = space->g;
    forward f = {
        .space = space, .g = g, .inc = inc, .limit = options->limit, .log = options->log, .gap = options->gap, .lost = -INFINITY};
    *result = (stagewise_result){.bound = -INFINITY};
    CHECK(space->share && !space_may_bind(space));
    if (g->nodes > MOST_NODES) return VOUCH_OK;
    vouch_status status = make(&f);
    if (!status) {
        for (int n = 0; n < g->nodes; n++) f.pick[n] = -1;
        for (int k = 0; k < space->K; k++) {
            f.constant += space->share[k] * space->optimal[k];
            f.w[k] = space->share[k]; /* of the root */
        }
        f.best = inc->found ? f.constant - inc->value.max_regret : -INFINITY;
        if (options->cutoff) f.best = fmax(f.best, f.constant - *options->cutoff);
        stagewise_values_reach(&f.values, MOST_VISITS);
        f.most_work = f.values.full ? WORK_FULL : WORK_REVEALED;
        if (options->most_visits > 0) f.most_work = fmin(f.most_work, (double)options->most_visits);
        f.step[0] = STAGE_ROOT;
        stage_log_tree(f.log, false, "policies are decided stage by stage");
        decide_time(&f, 0, 0);
        result->finished = !f.stopped;
        result->visits = f.values.visits;
        result->bound = f.constant - fmax(f.best, f.lost);
    }
    arena_free(&f.memory);
    return status;
}
