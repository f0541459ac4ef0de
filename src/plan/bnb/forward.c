/* plan/bnb/forward.c - see forward.h. Cost: exponential in the nodes of all times but the last; V_n is a walk over what can follow within its horizon.
 * Invariant: w holds what the decided nodes lead to, and is zero at times that nothing has come to.
 */
#include "plan/bnb/forward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "plan/bnb/local_search.h"

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
    incumbent *inc;
    const deadline *limit;
    forward_result *result;
    double gap, constant, best; /* values: constant - mean regret */
    double lost;                /* the largest bound among what was cut off or left */
    double most_work;
    long long next_check;
    bool stopped;
    arena memory;
    int *ahead;       /* [T + 1] how far V looks at nodes of this time */
    double *revealed; /* [nodes * K] best of environment k alone from here */
    double *after;    /* [choices * K] the same where it is begun with a choice */
    bool *needless;   /* [choices] at the last time one that another is never less than */
    double
        *last; /* rewards of what is considered at the last time, one after the other, of each in the order of its node's members */
    size_t *last_start; /* [nodes + 1] where those of a node begin */
    double *w;          /* [nodes * K] */
    double *value;      /* [nodes] V(w) of nodes of the time being led to */
    double *gain;       /* [choices] immediate reward and V of what follows it alone */
    offer *offers;      /* [choices] */
    int *order, *count; /* [nodes], [T]: nodes that are come to, heaviest first */
    double *rest;       /* [nodes + T + 1] sum of V from a place of the order on */
    double *saved;      /* what apply has overwritten: [edges of the longest choice of each node * (K + 1)] */
    size_t *saved_at;   /* [nodes] */
    double *scratch;    /* [(T + 1) * K] */
    int *pick;          /* [nodes] */
} forward;

static double reward_of(const forward *f, int n, int choice, const double w[])
{
    const know_graph *g = f->g;
    const double *r = g->reward + (size_t)g->choice_pair[choice] * (size_t)g->K;
    double sum = 0;
    for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) sum += w[g->member[i]] * r[g->member[i]];
    return sum;
}

/* x = what of w follows the edge. */
static void follow(const know_graph *g, int edge, const double w[], double x[])
{
    const double *p = g->successor_prob + (size_t)g->edge_row[edge] * (size_t)g->K;
    int set = g->set[g->edge_child[edge]];
    for (int i = g->member_start[set]; i < g->member_start[set + 1]; i++) x[g->member[i]] = w[g->member[i]] * p[g->member[i]];
}

static bool considered(const forward *f, int choice) { return f->g->choice_twin[choice] == choice && !f->needless[choice]; }

/* V_n(w) at the last time, where most visits end: the largest of sums over rewards that lie side by side. */
static double look_last(const forward *f, int n, const double w[])
{
    const know_graph *g = f->g;
    const int *member = g->member + g->member_start[g->set[n]];
    int size = know_set_size(g, g->set[n]);
    double best = -INFINITY;
    for (const double *r = f->last + f->last_start[n], *end = f->last + f->last_start[n + 1]; r < end; r += size) {
        double sum = 0;
        for (int i = 0; i < size; i++) sum += w[member[i]] * r[i];
        if (sum > best) best = sum;
    }
    return best;
}

/* What a choice would be worth if the environment were known from then on: no less than what it is. */
static double known_after(const forward *f, int n, int choice, const double w[])
{
    const know_graph *g = f->g;
    const double *v = f->after + (size_t)choice * (size_t)g->K;
    double sum = 0;
    for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) sum += w[g->member[i]] * v[g->member[i]];
    return sum;
}

static double look(forward *f, int n, int t, int ahead, const double w[]);

/* A choice at n, and V of what follows it; ahead: of n. */
static double look_after(forward *f, int n, int t, int ahead, int choice, const double w[])
{
    const know_graph *g = f->g;
    double v = reward_of(f, n, choice, w), *x = f->scratch + (size_t)(t + 1) * (size_t)g->K;
    for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++) {
        follow(g, e, w, x);
        v += look(f, g->edge_child[e], t + 1, ahead - 1, x);
    }
    return v;
}

/* V_n(w), looking `ahead` times ahead; t: of n. The choice that promises most comes first: what promises less than it is worth is not looked at. */
static double look(forward *f, int n, int t, int ahead, const double w[])
{
    const know_graph *g = f->g;
    f->result->visits++;
    if (t == g->T) return 0;
    if (ahead == 0) {
        double sum = 0;
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++)
            sum += w[g->member[i]] * f->revealed[(size_t)n * (size_t)g->K + (size_t)g->member[i]];
        return sum;
    }
    if (t == g->T - 1) return look_last(f, n, w);
    double most = -INFINITY, best;
    int first = -1;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        double bound = considered(f, c) ? known_after(f, n, c, w) : -INFINITY;
        if (bound <= most) continue;
        most = bound;
        first = c;
    }
    best = look_after(f, n, t, ahead, first, w);
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
        if (c != first && considered(f, c) && known_after(f, n, c, w) > best) best = fmax(best, look_after(f, n, t, ahead, c, w));
    return best;
}

static double value_at(forward *f, int n, int t) { return look(f, n, t, f->ahead[t], f->w + (size_t)n * (size_t)f->g->K); }

/* Is it time to give up? */
static bool stop(forward *f)
{
    if (f->result->visits >= f->next_check) {
        f->next_check = f->result->visits + VISITS_PER_CHECK;
        f->stopped = f->stopped || (double)f->result->visits > f->most_work || deadline_expired(f->limit);
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
        follow(g, e, f->w + (size_t)n * K, x);
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
            double v = considered(f, c) ? reward_of(f, n, c, w) : -INFINITY;
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
    f->result->nodes++;
    for (int c = first; c < g->choice_start[n + 1]; c++) {
        if (!considered(f, c)) continue;
        double bound = fixed + led + f->gain[c] + after;
        if (!stop(f) && !worthless(f, bound)) {
            bound = fixed + reward_of(f, n, c, f->w + (size_t)n * (size_t)g->K) + led + apply(f, n, t, c) + after;
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
        double reward = reward_of(f, n, c, f->w + (size_t)n * (size_t)g->K), grown = apply(f, n, t, c);
        decide(f, t, i + 1, fixed + reward, led + grown);
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
            if (!considered(f, c)) continue;
            f->gain[c] = look_after(f, n, t, f->ahead[t + 1] + 1, c, w);
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

/* Best of each environment alone, and at the last time the choices that are never best. */
static void prepare_values(forward *f)
{
    const know_graph *g = f->g;
    size_t K = (size_t)g->K;
    for (int n = g->time_start[g->T] - 1; n >= 0; n--)
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
            size_t k = (size_t)g->member[i];
            double best = -INFINITY;
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
                double v = g->reward[(size_t)g->choice_pair[c] * K + k];
                for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++)
                    if (know_in_set(g, g->set[g->edge_child[e]], (int)k))
                        v += g->successor_prob[(size_t)g->edge_row[e] * K + k] * f->revealed[(size_t)g->edge_child[e] * K + k];
                f->after[(size_t)c * K + k] = v;
                best = fmax(best, v);
            }
            f->revealed[(size_t)n * K + k] = best;
        }
    for (int n = g->time_start[g->T - 1]; n < g->time_start[g->T]; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            for (int d = g->choice_start[n]; d < g->choice_start[n + 1] && !f->needless[c]; d++) {
                bool less = d != c && !f->needless[d];
                for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1] && less; i++)
                    less = g->reward[(size_t)g->choice_pair[c] * K + (size_t)g->member[i]] <=
                           g->reward[(size_t)g->choice_pair[d] * K + (size_t)g->member[i]];
                f->needless[c] = less;
            }
}

/* The rewards that look_last goes through. */
static void prepare_last(forward *f)
{
    const know_graph *g = f->g;
    size_t used = 0;
    for (int n = 0; n <= g->nodes; n++) {
        f->last_start[n] = used;
        if (n < g->time_start[g->T - 1] || n >= g->time_start[g->T]) continue;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1] && considered(f, c); i++)
                f->last[used++] = g->reward[(size_t)g->choice_pair[c] * (size_t)g->K + (size_t)g->member[i]];
    }
}

/* How far V may look at each time. cost, next: [nodes] scratch. *full: to the horizon at all. */
static void choose_horizons(forward *f, double cost[], double next[], bool *full)
{
    const know_graph *g = f->g;
    for (int n = 0; n < g->nodes; n++) cost[n] = 1;
    for (int t = 0; t <= g->T; t++) f->ahead[t] = 0;
    for (int ahead = 1; ahead <= g->T; ahead++) {
        for (int t = 0; t < g->T; t++) {
            double most = 0;
            for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++) {
                next[n] = 1;
                for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
                    for (int e = g->edge_start[c]; e < g->edge_start[c + 1] && considered(f, c) && t + 1 < g->T; e++)
                        next[n] += cost[g->edge_child[e]];
                next[n] = fmin(next[n], 2 * MOST_VISITS);
                most = fmax(most, next[n]);
            }
            if (most <= MOST_VISITS && f->ahead[t] == ahead - 1 && t + ahead <= g->T) f->ahead[t] = ahead;
        }
        for (int n = 0; n < g->time_start[g->T]; n++) cost[n] = next[n];
    }
    *full = true;
    for (int t = 1; t < g->T; t++) *full = *full && f->ahead[t] == g->T - t;
}

static vouch_status make(forward *f)
{
    const know_graph *g = f->g;
    size_t K = (size_t)g->K, nodes = (size_t)g->nodes, choices = (size_t)g->choices + 1, saved = 0;
    size_t last = (size_t)(g->choice_start[g->time_start[g->T]] - g->choice_start[g->time_start[g->T - 1]]);
    arena *a = &f->memory;
    f->saved_at = ARENA_NEW(a, size_t, nodes);
    for (int n = 0; n < g->nodes && f->saved_at; n++) {
        int longest = 0;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            if (g->edge_start[c + 1] - g->edge_start[c] > longest) longest = g->edge_start[c + 1] - g->edge_start[c];
        f->saved_at[n] = saved;
        saved += (size_t)longest * (K + 1);
    }
    f->ahead = ARENA_ZERO(a, int, (size_t)g->T + 1);
    f->revealed = ARENA_ZERO(a, double, nodes *K);
    f->after = ARENA_ZERO(a, double, choices *K);
    f->needless = ARENA_ZERO(a, bool, choices);
    f->last = ARENA_NEW(a, double, last *K + 1);
    f->last_start = ARENA_NEW(a, size_t, nodes + 1);
    f->w = ARENA_ZERO(a, double, nodes *K);
    f->value = ARENA_ZERO(a, double, nodes);
    f->gain = ARENA_ZERO(a, double, choices);
    f->offers = ARENA_ZERO(a, offer, choices + nodes);
    f->order = ARENA_ZERO(a, int, nodes);
    f->count = ARENA_ZERO(a, int, (size_t)g->T + 1);
    f->rest = ARENA_ZERO(a, double, nodes + (size_t)g->T + 2);
    f->saved = ARENA_ZERO(a, double, saved + 1);
    f->scratch = ARENA_ZERO(a, double, ((size_t)g->T + 2) * K);
    f->pick = ARENA_NEW(a, int, nodes);
    return a->failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

vouch_status forward_search(const policy_space *space, incumbent *inc, double gap, const deadline *limit, forward_result *result)
{
    const know_graph *g = space->g;
    forward f = {.space = space, .g = g, .inc = inc, .limit = limit, .result = result, .gap = gap, .lost = -INFINITY};
    bool full = false;
    *result = (forward_result){.bound = -INFINITY};
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
        prepare_values(&f);
        prepare_last(&f);
        choose_horizons(&f, f.rest, f.value, &full);
        memset(f.value, 0, (size_t)g->nodes * sizeof *f.value);
        f.most_work = full ? WORK_FULL : WORK_REVEALED;
        decide_time(&f, 0, 0);
        result->finished = !f.stopped;
        result->bound = f.constant - fmax(f.best, f.lost);
    }
    arena_free(&f.memory);
    return status;
}
