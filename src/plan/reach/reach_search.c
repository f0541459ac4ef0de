/* plan/reach/reach_search.c - depth-first branch and bound by intervals of reach. Cost: some hundred evaluations at the root, some
 * dozens at a node. Invariant: every policy of the class is in an open set, or its bound is part of s->least. */
#include "plan/reach/reach_search.h"

#include "base/memory.h"
#include "plan/heuristic/local_search.h"
#include "plan/reach/reach_proof.h"

/* Evaluations and rounds at the root, at other nodes, and in a trial. */
enum { FIRST_PASSES = 60, ROOT_PASSES = 300, PASSES = 24, TRIAL_PASSES = 12, ROOT_ROUNDS = 8, ROUNDS = 6 };
enum { ROOT_PATIENCE = 25, PATIENCE = 12, TRIAL_PATIENCE = 6 };
/* Rises that are sought, as a share of the gap, and the rise that makes another round worthwhile. */
static const double ROOT_RISE = 0.3, RISE = 0.1, LEAST_RISE = 1e-6, WORTH = 0.03;
/* Trials of nodes to branch at, and until how many nodes of the tree there are more. */
enum { MOST_TRIALS = 3, TRIALS = 2, EARLY = 400 };
/* Weights of a node to branch at: of one whose maximiser never changes, of a reach that is known, and the least gain of a trial. */
static const double STILL = 0.02, KNOWN = 0.1, LEAST_GAIN = 1e-4;
/* Slice passes of policies offered, at the root and below. */
enum { ROOT_OFFER = 4, OFFER = 1 };
/* Work of walks, as a share of all other at the root and afterwards; passes of the shortest ones. */
static const double FIRST_WALKS = 1, WALKS = 0.03, LEAST_WALKS = 100;
/* Least bound on the shortfall of promises that exceeds rounding. */
static const double LACKING = 1e-13;
/* Work of all intervals with all options; with more, nodes take too long. Where the work that is expected, by the share of the
 * policies that was closed, is beyond `enough`, the search ends: at first only where it is far beyond. */
static const long long MOST_INTERVALS = 300000000;
static const struct {
    double work, enough;
} HOPELESS[] = {{1e9, 1e13}, {3e9, 5e11}, {1e10, 2e11}};
enum { JUDGED = 100 }; /* nodes of the tree before */
/* Successors of a choice in the mean: with fewer, actions decide which nodes are reached. */
static const double FEWEST_EDGES = 1.3;
/* Limit on nodes times environments. */
static const double MOST_NODES = 2e5;
/* Limits on the depth, and on the memory of its sets. */
enum { DEEPEST = 1000 };
static const size_t DEPTH_BYTES = (size_t)256 << 20;

typedef struct reach_tree {
    const reach_model *r;
    incumbent *inc;
    const reach_options *o;
    bool regrets; /* false: whether any policy keeps the promises */
    arena memory;
    reach_bound b;
    reach_intervals v;
    reach_set level[DEEPEST], trial;
    int levels, deepest;
    unsigned char *changed; /* [nodes] */
    int *pick, *removed;    /* [nodes], [choices] */
    double least;           /* of the bounds of what was closed */
    double done;            /* share of the policies that was closed, by the number of children of each node above */
    bool stopped;
    long long nodes, cases; /* of the tree; named in the proof */
    threshold_accepting walks;
    double walked;
} reach_tree;

static long long work_of(const reach_tree *s) { return s->b.work + s->v.work; }

static double cutoff(const reach_tree *s) { return s->regrets ? incumbent_cutoff(s->inc, s->o->gap) : LACKING; }

/* A limit, or a policy where one was sought? */
static bool over(reach_tree *s)
{
    for (size_t i = 0; i < sizeof HOPELESS / sizeof *HOPELESS; i++)
        if (s->nodes > JUDGED && (double)work_of(s) > HOPELESS[i].work && (double)work_of(s) > s->done * HOPELESS[i].enough)
            s->stopped = true;
    bool nodes = s->o->most_nodes > 0 && s->nodes >= s->o->most_nodes;
    if (nodes || work_of(s) > s->o->most_work || deadline_expired(s->o->limit)) s->stopped = true;
    return s->stopped || (!s->regrets && s->inc->found);
}

static bool is_closed(reach_tree *s, long long id, const reach_set *x)
{
    if (!(x->bound >= cutoff(s))) return false;
    s->least = fmin(s->least, x->bound);
    if (s->o->proof) reach_proof_close(s->o->proof, s->r, x, (reach_line){id, s->regrets, x->bound});
    return true;
}

static void find_intervals(reach_tree *s, reach_set *x, int node)
{
    memset(s->changed, 0, (size_t)s->r->nodes);
    s->changed[node] = 1;
    reach_intervals_find(s->r, &s->v, s->changed, x);
}

/* Forbids choices whose policies are at or above the cutoff; their number. */
static int remove_choices(reach_tree *s, long long id, reach_set *x)
{
    const know_graph *g = s->r->space->g;
    size_t N = (size_t)g->nodes, C = (size_t)g->choices;
    double value = reach_value(s->r, &s->b, x), doubt = reach_doubt(s->r, x), cut = cutoff(s), least = INFINITY;
    int removed = 0;
    memset(s->changed, 0, N);
    for (int n = 0; n < g->time_start[g->T]; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            if (!x->allowed[c] || c == s->b.best[n]) continue;
            double sum = 0;
            for (int e = 0; e < s->r->E; e++) {
                double a = s->b.A[(size_t)e * C + (size_t)c];
                sum += a * (a > 0 ? x->hi : x->lo)[(size_t)e * N + (size_t)n];
            }
            double bound = value - doubt + (s->b.top[n] - sum);
            if (bound < cut) continue;
            least = fmin(least, bound);
            x->allowed[c] = 0;
            x->often[c] = 0;
            s->changed[n] = 1;
            s->removed[removed++] = c;
        }
    s->least = fmin(s->least, least);
    if (s->o->proof && removed > 0)
        reach_proof_remove(s->o->proof, s->r, x, (reach_line){id, s->regrets, least}, s->removed, removed);
    return removed;
}

/* Offers the policy of the most frequent maximisers. */
static void offer(reach_tree *s, const reach_set *x, int passes)
{
    const know_graph *g = s->r->space->g;
    for (int n = 0; n < g->nodes; n++) {
        s->pick[n] = -1;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            if (x->allowed[c] && (s->pick[n] < 0 || x->often[c] > x->often[s->pick[n]])) s->pick[n] = c;
    }
    local_search_offer(s->inc, s->pick, passes);
    s->b.work += (long long)(passes + 1) * g->edges * g->K;
}

/* Threshold accepting from the best policy, with a share of the work of the search. */
static void walk(reach_tree *s, bool root)
{
    double work = s->walked > 0 || !root ? WALKS * (double)work_of(s) - s->walked : FIRST_WALKS * (double)work_of(s);
    double least = LEAST_WALKS * s->r->space->g->edges * s->r->space->K;
    if (!s->inc->found || work < least || over(s)) return;
    threshold_accepting_run(&s->walks, s->inc, work);
    s->walked += work;
}

static reach_ascent ascent(const reach_tree *s, const reach_set *x, bool first)
{
    double cut = cutoff(s), gap = isfinite(x->bound) ? cut - x->bound : fabs(cut);
    reach_ascent how = {.passes = first ? ROOT_PASSES : PASSES,
                        .patience = first ? ROOT_PATIENCE : PATIENCE,
                        .rise = s->regrets ? (first ? ROOT_RISE : RISE) * gap + LEAST_RISE
                                : first    ? ROOT_RISE
                                           : RISE,
                        .enough = cut + 2 * reach_doubt(s->r, x),
                        .regrets = s->regrets,
                        .limit = s->o->limit};
    return how;
}

/* Bounds x, forbids choices. Closed? */
static bool settle(reach_tree *s, long long id, reach_set *x, bool root)
{
    const reach_model *r = s->r;
    double before = -INFINITY;
    s->nodes++;
    if (s->o->progress && s->regrets)
        s->o->progress(s->o->context, incumbent_value(s->inc), fmin(s->least, s->level[0].bound), s->nodes, s->levels);
    for (int i = 0; i < (root ? ROOT_ROUNDS : ROUNDS) && !over(s); i++) {
        reach_ascent how = ascent(s, x, root && i == 0);
        reach_raise(r, &s->b, &how, x);
        if (is_closed(s, id, x)) return true;
        if (root || i == 0) offer(s, x, root ? ROOT_OFFER : OFFER);
        if (root || i == 0) walk(s, root);
        if (is_closed(s, id, x)) return true;
        int removed = remove_choices(s, id, x);
        if (removed > 0) reach_intervals_find(r, &s->v, s->changed, x);
        if (removed == 0 && x->bound - before < WORTH * (cutoff(s) - x->bound)) break;
        before = x->bound;
    }
    return false;
}

/* Score of n for branching: it grows with changes of the maximiser and with the width of the intervals. Negative: decided. */
static double weigh(const reach_tree *s, const reach_set *x, int n)
{
    const know_graph *g = s->r->space->g;
    size_t N = (size_t)g->nodes, C = (size_t)g->choices;
    int open = 0;
    double most = 0, spread = 0;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (!x->allowed[c]) continue;
        double sum = 0;
        for (int e = 0; e < s->r->E; e++) {
            size_t i = (size_t)e * N + (size_t)n;
            sum += (x->hi[i] - x->lo[i] + KNOWN * x->hi[i]) * fabs(s->b.A[(size_t)e * C + (size_t)c]);
        }
        open++;
        most = fmax(most, x->often[c]);
        spread = fmax(spread, sum);
    }
    double reached = 0;
    for (int e = 0; e < s->r->E; e++) reached = fmax(reached, x->hi[(size_t)e * N + (size_t)n]);
    return open < 2 || !(reached > 0) ? -1 : (1 + STILL - most) * spread;
}

/* The geometric mean of the gains of the choices at n, a few passes each. */
static double try_node(reach_tree *s, const reach_set *x, int n)
{
    const know_graph *g = s->r->space->g;
    double product = 1, gap = cutoff(s) - x->bound;
    int count = 0;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (!x->allowed[c]) continue;
        reach_set_copy(s->r, &s->trial, x);
        for (int d = g->choice_start[n]; d < g->choice_start[n + 1]; d++) s->trial.allowed[d] = d == c;
        reach_ascent how = ascent(s, x, false);
        how.passes = TRIAL_PASSES;
        how.patience = TRIAL_PATIENCE;
        reach_raise(s->r, &s->b, &how, &s->trial);
        product *= fmax(fmin(s->trial.bound - x->bound, gap), LEAST_GAIN * gap);
        count++;
    }
    return pow(product, 1.0 / count);
}

/* The node to branch at; -1: all are decided. */
static int choose_node(reach_tree *s, const reach_set *x)
{
    const know_graph *g = s->r->space->g;
    double weight[MOST_TRIALS], best = -1;
    int node[MOST_TRIALS], count = 0, most = s->nodes < EARLY ? MOST_TRIALS : TRIALS;
    reach_value(s->r, &s->b, x);
    for (int n = 0; n < g->time_start[g->T]; n++) {
        double w = weigh(s, x, n);
        int at = count < most ? count++ : w > weight[most - 1] ? most - 1 : -1;
        if (w < 0 && at >= 0 && at == count - 1) count--;
        if (w < 0 || at < 0) continue;
        for (; at > 0 && weight[at - 1] < w; at--) weight[at] = weight[at - 1], node[at] = node[at - 1];
        weight[at] = w;
        node[at] = n;
    }
    int chosen = count > 0 ? node[0] : -1;
    for (int i = 0; i < count && count > 1 && !over(s); i++) {
        double gain = try_node(s, x, node[i]);
        if (gain > best) best = gain, chosen = node[i];
    }
    return chosen;
}

/* Closes the only policy of x by its largest shortfall or regret. */
static void settle_policy(reach_tree *s, long long id, reach_set *x)
{
    const reach_model *r = s->r;
    const policy_space *space = r->space;
    offer(s, x, 0);
    int worst = 0, lacking = -1;
    double lack = 0;
    const figures *f = &s->inc->now;
    for (int e = 1; e < r->E; e++)
        if (r->regretful[e] && space->optimal[e * r->J] - f->U[e * r->J] > space->optimal[worst * r->J] - f->U[worst * r->J])
            worst = e;
    for (int k = 0; k < r->P; k++) {
        double less =
            space->accepted[k] - (k < space->K ? f->Pr[k] : average_mean(&space->averages, k - space->K, space->K, f->Pr));
        if (r->promised[k] && less > lack) lack = less, lacking = k;
    }
    memset(x->at.W, 0, (size_t)r->E * (size_t)r->nodes * sizeof *x->at.W);
    for (int e = 0; e < r->E; e++) x->at.lambda[e] = !s->regrets ? 0 : r->share ? r->share[e] : e == worst;
    for (int k = 0; k < r->P; k++) x->at.mu[k] = 0;
    if (lacking >= 0) x->at.mu[lacking] = s->regrets ? (2 + fabs(cutoff(s))) / lack : 1;
    x->bound = fmax(x->bound, reach_value(r, &s->b, x) - reach_doubt(r, x));
    if (is_closed(s, id, x)) return;
    s->least = fmin(s->least, x->bound);
    if (!s->regrets) s->stopped = true; /* it may keep the promises but for rounding */
}

static bool make_level(reach_tree *s, int depth)
{
    if (depth < s->levels) return true;
    if (depth >= s->deepest) return false;
    reach_set_make(s->r, &s->level[s->levels++], &s->memory);
    return !s->memory.failed;
}

static void explore(reach_tree *s, int depth, long long id, double share);

static void branch(reach_tree *s, int depth, long long id, double share, int n)
{
    const know_graph *g = s->r->space->g;
    reach_set *x = &s->level[depth], *y = &s->level[depth + 1];
    int first = g->choice_start[n], last = g->choice_start[n + 1];
    int open = 0;
    for (int c = first; c < last; c++) open += x->allowed[c];
    if (s->o->proof) reach_proof_branch(s->o->proof, id, n);
    for (;;) {
        int c = -1;
        for (int d = first; d < last; d++)
            if (x->allowed[d] && (c < 0 || x->often[d] > x->often[c])) c = d;
        if (c < 0) return;
        x->allowed[c] = 0;
        long long made = ++s->cases;
        if (s->o->proof) reach_proof_child(s->o->proof, made, id, c);
        reach_set_copy(s->r, y, x);
        for (int d = first; d < last; d++) y->allowed[d] = d == c;
        find_intervals(s, y, n);
        explore(s, depth + 1, made, share / open);
    }
}

/* Splits the set of this level until all of it is closed, or a limit is reached. */
static void explore(reach_tree *s, int depth, long long id, double share)
{
    reach_set *x = &s->level[depth];
    if (!over(s) && settle(s, id, x, depth == 0)) {
        s->done += share;
        return;
    }
    if (over(s) || !make_level(s, depth + 1)) {
        s->stopped = true;
        s->least = fmin(s->least, x->bound);
        return;
    }
    int n = choose_node(s, x);
    if (n < 0) {
        settle_policy(s, id, x);
        s->done += share;
    } else {
        branch(s, depth, id, share, n);
    }
}

static vouch_status make(reach_tree *s)
{
    const reach_model *r = s->r;
    size_t set = (3 * (size_t)r->E * (size_t)r->nodes + 2 * (size_t)r->space->g->choices) * sizeof(double);
    s->deepest = DEPTH_BYTES / set < DEEPEST ? (int)(DEPTH_BYTES / set) : DEEPEST;
    reach_bound_make(r, &s->b);
    reach_intervals_make(r, &s->v);
    reach_set_make(r, &s->trial, &s->memory);
    s->changed = ARENA_NEW(&s->memory, unsigned char, r->nodes);
    s->pick = ARENA_NEW(&s->memory, int, r->nodes);
    s->removed = ARENA_NEW(&s->memory, int, r->space->g->choices);
    bool failed = !make_level(s, 0) || s->b.memory.failed || s->v.memory.failed || s->memory.failed;
    return failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

/* One search, for the regret or for any policy at all. */
static vouch_status run(const reach_model *r, incumbent *inc, bool regrets, const reach_options *o, reach_result *result)
{
    reach_tree *s = MEM_ZERO(reach_tree, 1);
    if (!s) return VOUCH_ERROR_MEMORY;
    *s = (reach_tree){
        .r = r, .inc = inc, .o = o, .regrets = regrets, .least = INFINITY, .cases = 1, .walks = {.random = rng_seed(1)}};
    vouch_status status = make(s);
    if (!status && o->proof) status = proof_begin_bare(o->proof, r->space);
    if (!status) {
        reach_set_all(r, &s->level[0], regrets);
        s->v.most = MOST_INTERVALS;
        reach_intervals_find(r, &s->v, NULL, &s->level[0]);
        s->stopped = s->v.work > s->v.most;
        s->v.most = o->most_work;
        explore(s, 0, 1, 1);
        bool none = !regrets && !s->stopped && !inc->found;
        result->bound = none ? INFINITY : regrets ? s->least : -INFINITY;
        result->infeasible = none;
        result->finished = !s->stopped;
        result->nodes += s->nodes;
        result->work += work_of(s);
        if (o->proof && (s->stopped || !(regrets || none))) o->proof->failed = true;
        if (s->memory.failed) status = VOUCH_ERROR_MEMORY;
    }
    arena_free(&s->memory);
    arena_free(&s->b.memory);
    arena_free(&s->v.memory);
    mem_free(s);
    return status;
}

/* The policy that others are measured against: the best, or any. */
static vouch_status make_model(const incumbent *inc, reach_model *r)
{
    const policy_space *space = inc->space;
    int *pick = MEM_NEW(int, space->g->nodes);
    if (!pick) return VOUCH_ERROR_MEMORY;
    for (int n = 0; n < space->g->nodes; n++) pick[n] = inc->found ? inc->best[n] : -1;
    vouch_status status = reach_model_make(space, pick, r);
    mem_free(pick);
    return status;
}

static bool fits(const policy_space *space, const reach_options *o)
{
    const know_graph *g = space->g;
    return g->T > 1 && (double)g->nodes * space->K <= MOST_NODES && o->most_work > 0 && g->edges >= FEWEST_EDGES * g->choices;
}

static bool is_spread_little(const reach_model *r, const reach_options *o, vouch_status *status)
{
    double spread = reach_spread(r, o->most_spread);
    if (spread < 0) *status = VOUCH_ERROR_MEMORY;
    return spread >= 0 && spread <= o->most_spread;
}

vouch_status reach_applies(const policy_space *space, double most_spread, bool *applies)
{
    const reach_options o = {.most_spread = most_spread, .most_work = 1};
    reach_model r;
    *applies = false;
    if (!fits(space, &o)) return VOUCH_OK;
    vouch_status status = reach_model_make(space, NULL, &r);
    if (status) return status;
    *applies = is_spread_little(&r, &o, &status);
    arena_free(&r.memory);
    return status;
}

vouch_status reach_search(const policy_space *space, incumbent *inc, const reach_options *o, reach_result *result)
{
    reach_model r;
    *result = (reach_result){.bound = -INFINITY};
    if (!fits(space, o)) return VOUCH_OK;
    vouch_status status = make_model(inc, &r);
    if (status) return status;
    bool applies = is_spread_little(&r, o, &status);
    if (applies && !inc->found) {
        status = run(&r, inc, false, o, result);
        if (!status && inc->found) {
            arena_free(&r.memory);
            status = make_model(inc, &r);
            if (status) return status;
        }
    }
    if (applies && !status && inc->found) status = run(&r, inc, true, o, result);
    arena_free(&r.memory);
    return status;
}

vouch_status reach_root(const policy_space *space, const int reference[], const reach_options *o, reach_result *result)
{
    reach_model r;
    *result = (reach_result){.bound = -INFINITY};
    if (!fits(space, o)) return VOUCH_OK;
    vouch_status status = reach_model_make(space, reference, &r);
    if (status) return status;
    reach_bound b = {0};
    reach_intervals v = {0};
    reach_set x;
    arena memory = {0};
    if (is_spread_little(&r, o, &status)) {
        reach_bound_make(&r, &b);
        reach_intervals_make(&r, &v);
        reach_set_make(&r, &x, &memory);
        if (b.memory.failed || v.memory.failed || memory.failed) status = VOUCH_ERROR_MEMORY;
        for (int i = 0; i < ROOT_ROUNDS && !status; i++) {
            if (i == 0) reach_set_all(&r, &x, true);
            v.most = MOST_INTERVALS;
            if (i == 0) reach_intervals_find(&r, &v, NULL, &x);
            if (v.work > v.most) break;
            double before = x.bound, rise = i == 0 ? fabs(o->target) : o->target - x.bound;
            reach_ascent how = {
                i == 0 ? FIRST_PASSES : ROOT_PASSES, ROOT_PATIENCE, ROOT_RISE * rise + LEAST_RISE, o->target, true, o->limit};
            reach_raise(&r, &b, &how, &x);
            if (i == 0 && x.bound < o->known) break;
            if (x.bound - before < WORTH * (o->target - x.bound) || deadline_expired(o->limit)) break;
        }
        if (!status) *result = (reach_result){.bound = x.bound, .nodes = 1, .work = b.work + v.work};
    }
    arena_free(&b.memory);
    arena_free(&v.memory);
    arena_free(&memory);
    arena_free(&r.memory);
    return status;
}
