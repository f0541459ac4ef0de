/* plan/stage/stagewise_regret.c - the deterministic policy of least maximum regret without binding promises, time after time.
 *
 * As plan/stage/stagewise.c, with multipliers that are optimised as decisions are made: for every lambda >= 0 of sum 1
 *
 *     max regret >= sum_k lambda_k (U*(k) - U(k; decided)) - sum over undecided n at t of V_n(lambda o w(n))
 *                   - sum over n' at t + 1 of V_n'(lambda o w(n')),
 *
 * where w(n) [K] are the probabilities of reaching n by the decisions and V the values of history policies (stagewise_values.h).
 * The best lambda is found as in plan/colgen/colgen.h: a master program mixes the rewards of V's policies, and its multipliers
 * price the next V. The next decision is at the node of most mass. This is expensive if V is; longer searches are *steady*: before
 * the last time they use the mean of earlier optimal multipliers after the same first choice, and optimise at the last time only.
 * Dense models, with as many likelihood classes as histories, are searched like this.
 *
 * Depth first, below cutoffs that rise to the best known policy, so a limit leaves a bound. Cost: exponential in the nodes.
 * Invariant: sets of policies not searched have a bound of at least f->left.
 */
#include "plan/stage/stagewise.h"

#include <math.h>

#include "base/check.h"
#include "base/arena.h"
#include "base/memory.h"
#include "plan/stage/stagewise_frame.h"
#include "plan/heuristic/local_search.h"
#include "plan/heuristic/threshold_accepting.h"
#include "policy/parameters.h"

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
