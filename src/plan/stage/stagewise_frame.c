/* plan/stage/stagewise_frame.c - see stagewise_frame.h. Cost of a decision: V of its successors; of new multipliers: V of all open
 * nodes, and a master program. Invariant: x->gain and x->led are V at x->lambda.
 */
#include "plan/stage/stagewise_frame.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "policy/parameters.h"

/* Bound and mixture meet if closer than this, relative to 1 + value. */
static const double MEET = 1e-9;

static double *w_of(const stagewise_frames *f, int n) { return f->path.w + (size_t)n * (size_t)f->g->K; }

static bool is_reached(const stagewise_frames *f, int n)
{
    const know_graph *g = f->g;
    for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++)
        if (w_of(f, n)[g->member[i]] > 0) return true;
    return false;
}

/* x = lambda o w(n) */
static const double *priced(const stagewise_frames *f, int n, const double lambda[])
{
    const double *w = w_of(f, n);
    for (int k = 0; k < f->g->K; k++) f->path.x[k] = lambda[k] * w[k];
    return f->path.x;
}

static double value_at(stagewise_frames *f, int n, int t, const double lambda[])
{
    return stagewise_value(&f->path.values, n, t, f->path.values.ahead[t], priced(f, n, lambda));
}

static int look_of(const stagewise_frames *f, int t) { return f->path.values.ahead[t + 1] + 1; }

/* The choice at node n of largest gain. */
static int best_at(const stagewise_frames *f, int n, int t, const double gain[])
{
    const know_graph *g = f->g;
    int best = -1, first = g->choice_start[g->time_start[t]];
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
        if (stagewise_considered(&f->path.values, c) && (best < 0 || gain[c - first] > gain[best - first])) best = c;
    return best;
}

static double bound_of(const stagewise_frames *f, const frame *x, int t, const double lambda[], const double gain[],
                       const double led[])
{
    const know_graph *g = f->g;
    double value = 0, constant = 0;
    int first = g->choice_start[g->time_start[t]];
    for (int k = 0; k < g->K; k++) constant += lambda[k] * (f->space->optimal[k] - x->earned[k]);
    for (int i = 0; i < x->count; i++) value += gain[best_at(f, x->open[i], t, gain) - first];
    for (int n = g->time_start[t + 1]; n < g->time_start[t + 2]; n++) value += led[n - g->time_start[t + 1]];
    return constant - value;
}

/* Gains and values of x at lambda. */
static void price_all(stagewise_frames *f, const frame *x, int t, const double lambda[], double gain[], double led[])
{
    const know_graph *g = f->g;
    int first = g->choice_start[g->time_start[t]];
    for (int i = 0; i < x->count; i++) {
        int n = x->open[i];
        const double *at = priced(f, n, lambda);
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            if (stagewise_considered(&f->path.values, c))
                gain[c - first] = stagewise_value_after(&f->path.values, n, t, look_of(f, t), c, at);
    }
    for (int n = g->time_start[t + 1]; n < g->time_start[t + 2]; n++)
        led[n - g->time_start[t + 1]] = is_reached(f, n) ? value_at(f, n, t + 1, lambda) : 0;
}

/* Adds the policy that attains the bound at lambda as a column. */
static void add_column(stagewise_frames *f, frame *x, int t, const double lambda[], const double gain[])
{
    const know_graph *g = f->g;
    size_t K = (size_t)g->K;
    double *U = x->U + (size_t)x->columns * K;
    int *choice = x->choice + (size_t)x->columns * (size_t)f->width;
    MEM_COPY(U, x->earned, K);
    for (int i = 0; i < x->count; i++) {
        int n = x->open[i], c = best_at(f, n, t, gain);
        choice[n - g->time_start[t]] = c;
        stagewise_earn(&f->path.values, n, t, look_of(f, t), c, lambda, w_of(f, n), U);
    }
    for (int n = g->time_start[t + 1]; n < g->time_start[t + 2]; n++)
        if (is_reached(f, n)) stagewise_earn(&f->path.values, n, t + 1, f->path.values.ahead[t + 1], -1, lambda, w_of(f, n), U);
    x->columns++;
}

static vouch_status add_to_master(stagewise_frames *f, const double U[])
{
    for (int k = 0; k < f->g->K; k++) f->regret[k] = f->space->optimal[k] - U[k];
    return generation_add(&f->mix, f->regret, f->zero);
}

/* Multipliers of the best mixture of columns, scaled to sum 1. False: none. */
static bool mix(stagewise_frames *f, vouch_status *status)
{
    double sum = 0;
    f->path.beside += STAGEWISE.master_visits * f->g->K;
    if (!generation_next(&f->mix, status)) return false;
    for (int k = 0; k < f->g->K; k++) sum += f->mix.lambda[k];
    for (int k = 0; k < f->g->K && sum > 0; k++) f->mix.lambda[k] /= sum;
    return sum > 0;
}

/* Adopts the bound of f->mix.lambda, whose gains and values are in scratch. */
static void adopt(const stagewise_frames *f, frame *x, frame *scratch, double bound)
{
    double *own = x->own, *led = x->led;
    x->bound = x->priced = bound;
    MEM_COPY(x->lambda, f->mix.lambda, f->g->K);
    x->own = scratch->own;
    x->led = scratch->led;
    x->gain = x->own;
    scratch->own = own;
    scratch->led = led;
}

static vouch_status raise_bound(stagewise_frames *f, frame *x, frame *scratch, int t)
{
    size_t K = (size_t)f->g->K;
    const double *value = &f->mix.value;
    add_column(f, x, t, x->lambda, x->gain);
    vouch_status status = master_reset(f->mix.program, MASTER_MAX_REGRET, f->zero, -INFINITY, 0, NULL);
    for (int i = 0; i < x->columns && !status; i++) status = add_to_master(f, x->U + (size_t)i * K);
    f->mix.feasible = true; /* no promise binds */
    f->mix.rounds = 0;
    while (mix(f, &status)) {
        if (f->mix.rounds > STAGEWISE.rounds || x->columns == FRAME_COLUMNS || stage_path_stop(&f->path)) break;
        if (*value < f->cutoff && *value - x->bound <= STAGEWISE.patience * (f->cutoff - x->bound)) break;
        if (*value - x->bound <= MEET * (1 + fabs(*value))) break;
        price_all(f, x, t, f->mix.lambda, scratch->own, scratch->led);
        double bound = bound_of(f, x, t, f->mix.lambda, scratch->own, scratch->led);
        add_column(f, x, t, f->mix.lambda, scratch->own);
        if (bound > x->bound) adopt(f, x, scratch, bound);
        if (x->bound >= f->cutoff) break;
        status = add_to_master(f, x->U + (size_t)(x->columns - 1) * K);
    }
    return status;
}

vouch_status stagewise_frame_raise(stagewise_frames *f, frame *x, frame *scratch, int t)
{
    double before = x->bound;
    if (x->rest > 0) return VOUCH_OK;
    vouch_status status = raise_bound(f, x, scratch, t);
    x->idle = x->bound - before > STAGEWISE.much * (f->cutoff - before) ? 0
              : x->idle < STAGEWISE.most_idle                           ? 2 * x->idle + 1
                                                                        : x->idle;
    x->rest = x->idle;
    return status;
}

int stagewise_frame_next(const stagewise_frames *f, const frame *x)
{
    int best = 0;
    double most = -1;
    for (int i = 0; i < x->count; i++) {
        const double *w = w_of(f, x->open[i]);
        double mass = 0;
        for (int k = 0; k < f->g->K; k++) mass += x->lambda[k] * w[k];
        if (mass <= most) continue;
        most = mass;
        best = i;
    }
    return best;
}

/* Opens and prices the reached nodes of time t. */
static void begin_time(stagewise_frames *f, frame *x, int t)
{
    const know_graph *g = f->g;
    x->count = x->columns = x->idle = x->rest = 0;
    x->begun = true;
    for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++)
        if (is_reached(f, n)) x->open[x->count++] = n;
    price_all(f, x, t, x->lambda, x->own, x->led);
    x->gain = x->own;
    x->priced = bound_of(f, x, t, x->lambda, x->gain, x->led);
    x->bound = fmax(x->bound, x->priced);
}

frame *stagewise_frame_at(stagewise_frames *f, int depth)
{
    if (f->frame[depth]) return f->frame[depth];
    arena *a = f->memory;
    size_t K = (size_t)f->g->K, width = (size_t)f->width;
    frame *x = ARENA_ZERO(a, frame, 1);
    if (!x) return NULL;
    x->lambda = ARENA_NEW(a, double, K);
    x->earned = ARENA_NEW(a, double, K);
    x->own = ARENA_ZERO(a, double, f->choices);
    x->led = ARENA_ZERO(a, double, width);
    x->offers = ARENA_NEW(a, stage_offer, f->choices);
    x->open = ARENA_NEW(a, int, width);
    x->U = ARENA_NEW(a, double, FRAME_COLUMNS *K);
    x->choice = ARENA_NEW(a, int, FRAME_COLUMNS *width);
    return a->failed ? NULL : (f->frame[depth] = x);
}

void stagewise_frame_lead(stagewise_frames *f, const frame *x, frame *y, int t, int i, int c)
{
    const know_graph *g = f->g;
    size_t K = (size_t)g->K, width = (size_t)f->width;
    int n = x->open[i], next = g->time_start[t + 1];
    const double *r = g->reward + (size_t)g->choice_pair[c] * K;
    MEM_COPY(y->lambda, x->lambda, K);
    MEM_COPY(y->led, x->led, g->time_start[t + 2] - next);
    for (size_t k = 0; k < K; k++) y->earned[k] = x->earned[k] + (w_of(f, n)[k] > 0 ? w_of(f, n)[k] * r[k] : 0);
    y->gain = x->gain;
    y->idle = x->idle;
    y->rest = x->rest - 1;
    y->begun = false;
    y->count = 0;
    for (int j = 0; j < x->count; j++)
        if (j != i) y->open[y->count++] = x->open[j];
    y->columns = 0;
    for (int j = 0; j < x->columns && y->columns < FRAME_COLUMNS - STAGEWISE.rounds - 1; j++) {
        const int *choice = x->choice + (size_t)j * width;
        if (choice[n - g->time_start[t]] != c) continue;
        MEM_COPY(y->U + (size_t)y->columns * K, x->U + (size_t)j * K, K);
        MEM_COPY(y->choice + (size_t)y->columns * width, choice, width);
        y->columns++;
    }
    stage_path_lead(&f->path, n, c);
    int last = stage_path_last_edge(g, n, c);
    for (int e = g->edge_start[c]; e < last; e++) {
        int child = g->edge_child[e];
        y->led[child - next] = value_at(f, child, t + 1, y->lambda);
    }
    y->priced = bound_of(f, y, t, y->lambda, y->gain, y->led);
    y->bound = fmax(x->bound, y->priced);
}

void stagewise_frame_root(stagewise_frames *f, frame *x)
{
    const know_graph *g = f->g;
    memset(f->path.w, 0, (size_t)g->nodes * (size_t)g->K * sizeof *f->path.w);
    for (int k = 0; k < g->K; k++) {
        w_of(f, 0)[k] = 1;
        x->lambda[k] = f->start[k];
        x->earned[k] = 0;
    }
    x->bound = -INFINITY;
    begin_time(f, x, 0);
}

void stagewise_frame_next_time(stagewise_frames *f, const frame *x, frame *y, int t)
{
    MEM_COPY(y->lambda, f->later ? f->later : x->lambda, f->g->K);
    MEM_COPY(y->earned, x->earned, f->g->K);
    y->bound = x->bound;
    begin_time(f, y, t + 1);
}

int stagewise_frame_offers(const stagewise_frames *f, frame *x, int t, int i)
{
    const know_graph *g = f->g;
    int n = x->open[i], base = g->choice_start[g->time_start[t]], count = 0;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
        if (stagewise_considered(&f->path.values, c)) x->offers[count++] = (stage_offer){x->gain[c - base], c};
    stage_offers_sort(x->offers, count);
    return count;
}

vouch_status stagewise_frames_make(stagewise_frames *f, const policy_space *space, const deadline *limit, arena *a)
{
    const know_graph *g = space->g;
    size_t K = (size_t)g->K, nodes = (size_t)g->nodes;
    *f = (stagewise_frames){.space = space, .g = g, .memory = a};
    f->path = (stage_path){.limit = limit, .per_check = STAGEWISE.frame_check};
    for (int t = 0; t <= g->T; t++) {
        int first = g->time_start[t], last = g->time_start[t + 1];
        if (last - first > f->width) f->width = last - first;
        if (g->choice_start[last] - g->choice_start[first] > f->choices)
            f->choices = g->choice_start[last] - g->choice_start[first];
    }
    f->frame = ARENA_ZERO(a, frame *, nodes + (size_t)g->T + 2);
    f->zero = ARENA_ZERO(a, double, space->promises);
    f->regret = ARENA_NEW(a, double, K);
    f->start = ARENA_NEW(a, double, K);
    for (size_t k = 0; k < K && f->start; k++) f->start[k] = 1 / (double)K;
    vouch_status status = generation_init(&f->mix, space, true);
    f->mix.limit = limit;
    return status || a->failed ? VOUCH_ERROR_MEMORY : stage_path_make(&f->path, g, a);
}
