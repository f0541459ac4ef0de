/* plan/stage/stagewise_regret.c - the deterministic policy of least maximum regret without binding promises, time after time.
 *
 * As plan/stage/stagewise.c, with multipliers that are optimised as decisions are made: for every lambda >= 0 of sum 1
 *
 *     max regret >= sum_k lambda_k (U*(k) - U(k; decided)) - sum over undecided n at t of V_n(lambda o w(n))
 *                   - sum over n' at t + 1 of V_n'(lambda o w(n')),
 *
 * where w(n) [K] are the probabilities of reaching n by the decisions and V the values of history policies (stage_path.h).
 * The best lambda is found as in plan/colgen/colgen.h: a master program mixes the rewards of V's policies, and its multipliers
 * price the next V. The next decision is at the node of most mass. This is expensive if V is; longer searches are *steady*: before
 * the last time they use the mean of earlier optimal multipliers after the same first choice, and optimise at the last time only.
 * Dense models, with as many likelihood classes as histories, are searched like this.
 *
 * Depth first, below cutoffs that rise to the best known policy, so a limit leaves a bound. Cost: exponential in the nodes.
 * Invariant: sets of policies not searched have a bound of at least f->left.
 */

#include "base/check.h"
#include "base/memory.h"
#include "plan/heuristic/local_search.h"
#include "plan/stage/stagewise.h"
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

static vouch_status raise_frame(stagewise_frames *f, frame *x, frame *scratch, int t)
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
    vouch_status status = raise_frame(f, x, scratch, t);
    x->idle = x->bound - before > STAGEWISE.much * (f->cutoff - before) ? 0
              : x->idle < STAGEWISE.most_idle                           ? 2 * x->idle + 1
                                                                        : x->idle;
    x->rest = x->idle;
    return status;
}

/* Index of the open node of x with most mass. */
static int stagewise_frame_next(const stagewise_frames *f, const frame *x)
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

/* Of the first policy, as in the policy search. */
static const perturbation PERTURBATION = {.tries = 20, .changes = 3, .passes = 10};

typedef struct stagewise_regret {
    stagewise_frames frames;
    incumbent *inc;
    threshold_accepting walks;
    bool walk; /* use threshold accepting */
    stagewise_result *result;
    double most;        /* visits; INFINITY: no limit */
    double gap, target; /* policies below the target that improve the best by more than the gap are searched */
    double left;        /* least bound of the parts cut off or not searched */
    long long offered;
    int *pick;     /* [nodes] -1: undecided */
    bool steady;   /* multipliers are fixed from time 1 to the last time */
    int schooling; /* the time at whose beginning optimal multipliers are sampled (lessons) */
    long long begun;
    int first;      /* choices at time 0 */
    double *taught; /* [first * (K + 1)] by first choice: number and sum of lessons */
    double *later;  /* [K] scratch */
    arena memory;
} stagewise_regret;

static void cut(stagewise_regret *f, double bound) { f->left = fmin(f->left, bound); }

/* Offers the decisions, completed by a guess. */
static void offer_policy(stagewise_regret *f, int passes)
{
    local_search_offer(f->inc, f->pick, passes);
    f->frames.cutoff = fmin(f->target, incumbent_cutoff(f->inc, f->gap));
}

static vouch_status decide(stagewise_regret *f, int depth, int t, stage_step step);

/* Lessons after the current first choice: their number, then their sum [K]. */
static double *lessons_of(const stagewise_regret *f)
{
    const know_graph *g = f->frames.g;
    return f->taught + (size_t)(f->pick[0] - g->choice_start[0]) * (size_t)(g->K + 1);
}

/* Improves the multipliers of x; in a steady search only at the last time, and sometimes for a lesson. */
static vouch_status raise_bound(stagewise_regret *f, frame *x, frame *scratch, int t)
{
    bool lesson = t == f->schooling && x->begun;
    if (lesson && f->steady) lesson = (f->begun & (f->begun + 1)) == 0;
    if (t == f->schooling && x->begun) f->begun++;
    if (f->steady && t + 1 < f->frames.g->T && !lesson) return VOUCH_OK;
    vouch_status status = stagewise_frame_raise(&f->frames, x, scratch, t);
    if (t == 0 && x->begun) MEM_COPY(f->frames.start, x->lambda, f->frames.g->K);
    if (!lesson || t == 0) return status;
    double *taught = lessons_of(f);
    taught[0]++;
    for (int k = 0; k < f->frames.g->K; k++) taught[1 + k] += x->lambda[k];
    return status;
}

/* y becomes the frame at time 1 of a steady search, with the mean of the lessons, moved towards the root's multipliers while the
 * bound is too weak. */
static void begin_steady(stagewise_regret *f, const frame *x, frame *y)
{
    stagewise_frames *frames = &f->frames;
    const double *taught = lessons_of(f);
    double share = taught[0] > 0 ? 1 : 0;
    for (int nearer = 0; nearer <= STAGEWISE.most_nearer; nearer++, share /= 2) {
        for (int k = 0; k < frames->g->K; k++)
            f->later[k] = share > 0 ? share * taught[1 + k] / taught[0] + (1 - share) * x->lambda[k] : x->lambda[k];
        frames->later = f->later;
        stagewise_frame_next_time(frames, x, y, 0);
        frames->later = NULL;
        if (share <= 0 || x->bound - y->priced <= STAGEWISE.loss * (incumbent_value(f->inc) - x->bound)) return;
    }
}

/* All of time t is decided in x: continues with the next. */
static vouch_status next_time(stagewise_regret *f, const frame *x, int depth, int t, stage_step step)
{
    const know_graph *g = f->frames.g;
    bool now_and_then = (f->offered & (f->offered - 1)) == 0;
    if (t + 1 < g->T && f->offered++ >= 0 && now_and_then) offer_policy(f, STAGEWISE.passes);
    if (t + 1 == g->T) {
        offer_policy(f, 0); /* its value is exact */
        return VOUCH_OK;
    }
    frame *y = stagewise_frame_at(&f->frames, depth + 1);
    if (!y) return VOUCH_ERROR_MEMORY;
    if (f->steady && t == 0)
        begin_steady(f, x, y);
    else
        stagewise_frame_next_time(&f->frames, x, y, t);
    return decide(f, depth + 1, t + 1, step);
}

static vouch_status decide(stagewise_regret *f, int depth, int t, stage_step step)
{
    stagewise_frames *frames = &f->frames;
    frame *x = stagewise_frame_at(frames, depth), *y = stagewise_frame_at(frames, depth + 1);
    if (!x || !y) return VOUCH_ERROR_MEMORY;
    if (x->count == 0 && x->bound < frames->cutoff && !stage_path_stop(&frames->path)) return next_time(f, x, depth, t, step);
    if (x->bound < frames->cutoff && !stage_path_stop(&frames->path)) {
        vouch_status status = raise_bound(f, x, y, t);
        if (status) return status;
        step = stage_path_log(&frames->path, &step, x->bound, incumbent_value(f->inc), x->bound >= frames->cutoff);
    }
    if (x->bound >= frames->cutoff || stage_path_stop(&frames->path)) {
        cut(f, x->bound);
        return VOUCH_OK;
    }
    int i = stagewise_frame_next(frames, x), n = x->open[i], offers = stagewise_frame_offers(frames, x, t, i);
    vouch_status status = VOUCH_OK;
    for (int o = 0; o < offers && !status; o++) {
        double bound =
            fmax(x->bound, x->priced + x->offers[0].bound - x->offers[o].bound); /* as if it alone reached its successors */
        if (bound >= frames->cutoff || stage_path_stop(&frames->path)) {
            cut(f, bound);
            continue;
        }
        f->pick[n] = x->offers[o].choice;
        stagewise_frame_lead(frames, x, y, t, i, f->pick[n]);
        step.node = n;
        step.choice = f->pick[n];
        status = decide(f, depth + 1, t, step);
        stage_path_undo(&frames->path, n, x->offers[o].choice);
        f->pick[n] = -1;
    }
    return status;
}

/* One search for policies below the target. */
static vouch_status run(stagewise_regret *f, double target, double work)
{
    stagewise_frames *frames = &f->frames;
    const know_graph *g = frames->g;
    frame *x = stagewise_frame_at(frames, 0);
    if (!x) return VOUCH_ERROR_MEMORY;
    f->left = INFINITY;
    f->target = target;
    frames->cutoff = fmin(target, incumbent_cutoff(f->inc, f->gap));
    frames->path.most = stage_path_visits(&frames->path) + work / (STAGEWISE.visit_work + g->K);
    frames->path.most = fmin(frames->path.most, f->most);
    frames->path.next_check = stage_path_visits(&frames->path);
    frames->path.stopped = false;
    for (int n = 0; n < g->nodes; n++) f->pick[n] = -1;
    f->begun = 0;
    for (int i = 0; i < f->first * (g->K + 1); i++) f->taught[i] *= STAGEWISE.memory;
    stagewise_frame_root(frames, x);
    stage_log_tree(f->frames.path.log, false, "policies are decided stage by stage");
    vouch_status status = decide(f, 0, 0, STAGE_ROOT);
    if (!status) f->result->bound = fmax(f->result->bound, fmin(f->left, incumbent_value(f->inc)));
    return status;
}

/* Searches with decreasing and increasing cutoffs. */
static vouch_status search(stagewise_regret *f)
{
    stagewise_result *result = f->result;
    vouch_status status = VOUCH_OK;
    double share = 1, work = STAGEWISE.first_work,
           most = f->frames.path.values.full ? STAGEWISE.most_work : STAGEWISE.revealed_work;
    for (double all = 0; !status && !result->finished && all < most; all += work) {
        bool whole = share >= 1;
        status = run(f, whole ? INFINITY : result->bound + share * (incumbent_value(f->inc) - result->bound), work);
        result->finished = !status && whole && !f->frames.path.stopped;
        if (deadline_expired(f->frames.path.limit) || stage_log_full(f->frames.path.log) ||
            stage_path_visits(&f->frames.path) >= f->most)
            break;
        share = f->frames.path.stopped ? fmax(STAGEWISE.least_share, share / 2) : fmin(1, 2 * share);
        if (f->frames.path.stopped && !result->finished && f->walk)
            threshold_accepting_run(&f->walks, f->inc, STAGEWISE.walk_share * work);
        if (f->frames.path.stopped) work *= STAGEWISE.more_work;
        f->steady = true;
    }
    return status;
}

vouch_status stagewise_regret_search(const policy_space *space, incumbent *inc, const stagewise_options *options,
                                     stagewise_result *result)
{
    stagewise_regret f = {.inc = inc,
                          .result = result,
                          .gap = options->gap,
                          .walk = options->walks,
                          .most = options->most_visits > 0 ? (double)options->most_visits : INFINITY};
    f.walks.random = rng_seed(options->seed);
    *result = (stagewise_result){.bound = -INFINITY};
    CHECK(!space->share && !space_may_bind(space));
    if (space->g->nodes > STAGEWISE.most_nodes || !inc->found) return VOUCH_OK;
    local_search_perturb(inc, &f.walks.random, &PERTURBATION);
    f.schooling = space->g->T > 2 ? space->g->T - 2 : 0;
    f.first = space->g->choice_start[1] - space->g->choice_start[0];
    f.taught = ARENA_ZERO(&f.memory, double, (size_t)f.first *(size_t)(space->g->K + 1));
    f.later = ARENA_NEW(&f.memory, double, space->g->K);
    f.pick = ARENA_NEW(&f.memory, int, space->g->nodes);
    vouch_status status = stagewise_frames_make(&f.frames, space, options->limit, &f.memory);
    if (!status) {
        stagewise_values_reach(&f.frames.path.values, STAGEWISE.most_visits);
        f.frames.path.log = options->log;
        f.frames.path.per_check = fmin(f.frames.path.per_check, STAGEWISE.check_share * f.most);
        status = search(&f);
        result->visits = f.frames.path.values.visits;
    }
    generation_clear(&f.frames.mix);
    arena_free(&f.memory);
    return status;
}
