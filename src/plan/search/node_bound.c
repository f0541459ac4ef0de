/* plan/search/node_bound.c - n->bound = max of the bounds by mixtures (plan/colgen/colgen.h) and by pairs
 * (plan/bound/pareto_bound.h).
 *
 * The leading source is always used, the other one when
 *
 *     distance * cost <= SEARCH.worth * missing * (cost of the leader),
 *
 * where its cost doubles with each use in vain: a source that never leads is used ever less often. The rule is our own (THEORY.md,
 * 5). Cost: a few dozen inductions for mixtures; for pairs the sets that have changed.
 */
#include "plan/search/node.h"

#include "base/check.h"
#include "base/memory.h"
#include "policy/parameters.h"

/* Of kept sets; each relaxation level may keep some. */
static const size_t KEPT_BYTES = (size_t)16 << 20;

void bound_ends(node_result *result, const tree_node *n, vouch_node_end end)
{
    result->cut = fmin(result->cut, n->bound);
    result->end = end;
}

bound_source bound_leader(const tree_node *n)
{
    return n->source[SOURCE_PAIRS].bound > n->source[SOURCE_MIXTURE].bound ? SOURCE_PAIRS : SOURCE_MIXTURE;
}

bool bound_far_ahead(const node_solver *s, const tree_node *n)
{
    if (s->colgen->goal == MASTER_TOTAL_REGRET) return false;
    return n->source[SOURCE_PAIRS].bound - n->source[SOURCE_MIXTURE].bound > node_cutoff(s) - n->bound;
}

bool bound_pays(const node_solver *s, const tree_node *n, bound_source source)
{
    bound_source leader = bound_leader(n);
    const source_record *own = &n->source[source], *best = &n->source[leader];
    if (source == SOURCE_PAIRS && n->pairs == 0) return false;
    if (!n->parent || source == leader) return true;
    double cutoff = node_cutoff(s), missing = isfinite(cutoff) ? cutoff - n->bound : 1 + fabs(n->bound);
    double cost = own->cost * exp2(fmin(own->idle, s->colgen->goal == MASTER_TOTAL_REGRET ? 0 : SEARCH.most_idle));
    double trials = node_tries(s) && leader == SOURCE_MIXTURE ? SEARCH.trial_cost : 1;
    return (best->bound - own->bound) * cost <= SEARCH.worth * missing * best->cost * trials || best->spent * trials >= cost;
}

/* Records the bound of a source at n, and its cost. */
static void record(const node_solver *s, tree_node *n, bound_source source, double bound, double cost)
{
    source_record *own = &n->source[source], *other = &n->source[SOURCES - 1 - source];
    double missing = node_cutoff(s) - n->bound;
    bool much = isfinite(missing) ? bound - n->bound > SEARCH.much * missing : bound > n->bound;
    own->spent = much ? 0 : own->spent + cost;
    other->spent = 0;
    n->bound = fmax(n->bound, bound);
    own->bound = fmax(own->bound, bound);
    own->cost = cost;
    own->idle = bound_leader(n) == source ? 0 : own->idle + 1;
}

static bound_state limit_reached(node_result *result)
{
    result->limit = true;
    result->end = VOUCH_NODE_LIMIT;
    return BOUND_ENDED;
}

long long bound_pair_sums(const policy_space *space)
{
    return (long long)fmax(SEARCH.root_sums, SEARCH.sums_per_arc * space->c->arcs);
}

void bound_forget_pairs(kept_pairs *kept)
{
    pareto_bound_free(kept->bound);
    *kept = (kept_pairs){0};
}

vouch_status bound_keep_pairs(const policy_space *space, const search_options *options)
{
    kept_pairs *kept = options->kept;
    if (!kept || kept->tried) return VOUCH_OK;
    vouch_status status = pareto_bound_fit(space, bound_pair_sums(space), true, &options->limit, &kept->bound);
    if (kept->bound && pareto_bound_bytes(kept->bound) > KEPT_BYTES) bound_forget_pairs(kept);
    kept->tried = true;
    return status;
}

/* Makes the sets of pairs; on failure pairs are not used below n. */
static vouch_status make_pairs(node_solver *s, tree_node *n)
{
    const policy_space *space = s->colgen->space;
    if (s->pairs) return VOUCH_OK;
    const pareto_bound *kept = s->options->kept ? s->options->kept->bound : NULL;
    vouch_status status = kept && pareto_bound_fits(kept, s->strong)
                              ? pareto_bound_copy(kept, &s->pairs)
                              : pareto_bound_fit(space, bound_pair_sums(space), s->strong, &s->options->limit, &s->pairs);
    if (s->pairs && !n->parent) n->source[SOURCE_PAIRS].cost = 1 + SEARCH.sum_cost * SEARCH.remade * (double)s->pairs->work;
    if (!s->pairs) n->pairs = 0;
    return status;
}

/* Probing: fixes every option that `fix` proves no better than the cutoff. Returns their number. */
static int fix_by(node_solver *s, tree_node *n, node_result *result, int (*fix)(pareto_bound *, unsigned char[], double, int[]))
{
    double cutoff = node_fixed(s);
    bool held = debug_policy_holds(s->options->debug, s->colgen, cutoff);
    int count = fix(s->pairs, s->colgen->allowed, cutoff, s->fixed);
    CHECK(!held || debug_policy_holds(s->options->debug, s->colgen, cutoff));
    result->status = s->pairs->memory.failed ? VOUCH_ERROR_MEMORY : node_fix(s, n, count, result);
    return count;
}

/* Bound by the Lagrangians of single environments, and probing by them. */
static double bound_by_price(node_solver *s, tree_node *n, node_result *result)
{
    double bound = -INFINITY;
    for (int round = 0; round < SEARCH.price_rounds && !result->status; round++) {
        bound = fmax(bound, pareto_bound_by_price(s->pairs, s->colgen->allowed, node_cutoff(s), n->hardest));
        if (bound >= node_cutoff(s) || part_off(s->options->without, VOUCH_PART_OPTION_PROBING)) break;
        if (fix_by(s, n, result, probing_by_price) == 0) break;
    }
    return bound;
}

/* Bound by pairs after probing by pairs, if that is due. */
static double raise_by_fixing(node_solver *s, tree_node *n, node_result *result, double bound)
{
    fix_record *tries = &n->tries;
    if (bound >= node_cutoff(s) || tries->rest > 0 || part_off(s->options->without, VOUCH_PART_OPTION_PROBING)) return bound;
    bool any = fix_by(s, n, result, probing_by_pairs) > 0;
    tries->idle = any ? 0 : 2 * tries->idle + 1 < SEARCH.most_rest ? 2 * tries->idle + 1 : SEARCH.most_rest;
    tries->rest = tries->idle;
    return fmax(bound, pareto_bound_solve(s->pairs, s->colgen, node_cutoff(s), n->hardest));
}

/* Has the limit passed? In a large model one step of a node takes seconds. The root, and a search without a policy, continue, since
 * they have no result yet. */
static bool is_late(const node_solver *s, const tree_node *n)
{
    return n->parent && isfinite(node_cutoff(s)) && deadline_expired(&s->options->limit);
}

static double raise_by_pairs(node_solver *s, tree_node *n, node_result *result)
{
    /* Do the Lagrangians of single environments apply? They have no proof lines. */
    bool largest = s->colgen->goal == MASTER_MAX_REGRET && !s->colgen->space->share;
    bool prices = largest && n->parent && isfinite(node_cutoff(s)) && !part_off(s->options->without, VOUCH_PART_SINGLE_LAGRANGIAN);
    double bound = prices ? bound_by_price(s, n, result) : -INFINITY, cutoff = n->parent ? node_cutoff(s) : INFINITY;
    if (result->status || bound >= cutoff || (prices && is_late(s, n))) return bound;
    bound = fmax(bound, pareto_bound_solve(s->pairs, s->colgen, cutoff, n->hardest));
    return prices && !is_late(s, n) ? raise_by_fixing(s, n, result, bound) : bound;
}

bound_state bound_by_pairs(node_solver *s, tree_node *n, node_result *result)
{
    const policy_space *space = s->colgen->space;
    if (deadline_expired(&s->options->limit)) return limit_reached(result);
    result->status = make_pairs(s, n);
    if (result->status) return BOUND_ENDED;
    if (!s->pairs) return BOUND_OPEN;
    double since = trace_start(s->options->trace);
    double bound = raise_by_pairs(s, n, result);
    trace_stop(s->options->trace, KERNEL_pairs, since);
    if (result->status) return BOUND_ENDED;
    s->asked[SOURCE_PAIRS] = true;
    s->colgen->inductions += space->K;
    result->pairs = bound;
    n->hardest = s->pairs->hardest;
    n->pairs = s->pairs->of[n->hardest]->pareto_front.most;
    /* only the first root, which is never a task: the writes of a task stay with its worker */
    if (!n->parent && !s->strong && s->options->determinism) MEM_COPY(s->options->determinism, s->pairs->loss, space->K);
    node_check(s, bound);
    if (bound == INFINITY) {
        result->end = VOUCH_NODE_INFEASIBLE;
        return BOUND_ENDED;
    }
    record(s, n, SOURCE_PAIRS, bound, n->source[SOURCE_PAIRS].cost);
    if (!(n->bound >= node_cutoff(s))) return is_late(s, n) ? limit_reached(result) : BOUND_MET;
    bound_ends(result, n, VOUCH_NODE_BOUND);
    return BOUND_ENDED;
}

void bound_start(node_solver *s, const tree_node *n, node_result *result)
{
    const tree_node *from = n->parent;
    while (from && !from->multipliers) from = from->parent;
    CHECK(from || !n->parent);
    if (from) MEM_COPY(s->colgen->mix.lambda, from->multipliers, 3 * s->colgen->space->K); /* with nu and mu */
    result->status = colgen_start(s->colgen, from ? from->columns : NULL, from ? from->count : 0);
}

/* State of n after column generation, whose bound is recorded. */
static bound_state state_of(node_solver *s, const tree_node *n, colgen_end end, node_result *result)
{
    node_check(s, end == COLGEN_INFEASIBLE ? INFINITY : n->bound);
    switch (end) {
    case COLGEN_SOLVED:
        return BOUND_MET;
    case COLGEN_STALLED:
        return BOUND_OPEN;
    case COLGEN_CUT:
        bound_ends(result, n, VOUCH_NODE_BOUND);
        break;
    case COLGEN_INFEASIBLE:
        result->end = VOUCH_NODE_INFEASIBLE;
        break;
    case COLGEN_LIMIT:
        return limit_reached(result);
    }
    return BOUND_ENDED;
}

bound_state bound_by_mixture(node_solver *s, tree_node *n, double patience, node_result *result)
{
    colgen_end end;
    long long before = s->colgen->inductions;
    s->asked[SOURCE_MIXTURE] = true;
    result->status = colgen_solve(s->colgen, node_cutoff(s), patience, &s->options->limit, &end);
    if (result->status) return BOUND_ENDED;
    record(s, n, SOURCE_MIXTURE, s->colgen->bound,
           (double)(s->colgen->inductions - before) * (SEARCH.master_cost + s->colgen->space->c->arcs));
    return state_of(s, n, end, result);
}

/* The promise for deterministic mixtures at n: the one of largest recent gain, periodically another one, or with many environments
 * the hardest. -1: none, or the search is short. */
static int pure_choice(const node_solver *s, const tree_node *n)
{
    int K = s->colgen->space->K;
    if (s->pure_gain[0] < 0) return -1;
    bool now_and_then = n->id % SEARCH.pure_period == 0;
    if (K > SEARCH.pure_environments) return now_and_then || s->pure_gain[n->hardest] >= SEARCH.much ? n->hardest : -1;
    if (now_and_then) return (int)(n->id / SEARCH.pure_period % K);
    int best = n->hardest;
    for (int k = 0; k < K; k++)
        if (s->pure_gain[k] > s->pure_gain[best]) best = k;
    return s->pure_gain[best] >= SEARCH.much ? best : -1;
}

bool bound_deterministic_pays(const node_solver *s, const tree_node *n)
{
    bool averages = s->colgen->space->averages.count > 0; /* not promises of one environment */
    bool long_search = s->strong && n->pairs > 0 && s->colgen->goal == MASTER_MAX_REGRET && !averages;
    return long_search && !part_off(s->options->without, VOUCH_PART_DETERMINISTIC_MIXTURES) && !s->coarse &&
           isfinite(node_cutoff(s)) && pure_choice(s, n) >= 0;
}

/* Sets over the classes, as fine as memory allows. */
static vouch_status make_deterministic(node_solver *s)
{
    const know_classes *c = s->colgen->space->c;
    int most = SEARCH.pure_pairs;
    if (s->pure) return VOUCH_OK;
    while (most >= SEARCH.pure_least_pairs &&
           (size_t)c->classes * (size_t)most > SEARCH.pure_bytes / (sizeof(nondominated) + sizeof(double)))
        most /= 2;
    s->coarse = most < SEARCH.pure_least_pairs;
    return s->coarse ? VOUCH_OK : pairs_new_classes(c, most, &s->pure);
}

bound_state bound_by_deterministic(node_solver *s, tree_node *n, node_result *result)
{
    colgen *cg = s->colgen;
    colgen_end end = COLGEN_STALLED;
    result->status = make_deterministic(s);
    if (result->status) return BOUND_ENDED;
    if (s->coarse) return BOUND_OPEN;
    double before = n->bound, cutoff = node_cutoff(s);
    int rounds = cg->mix.most;
    n->pure = cg->pure_of = pure_choice(s, n);
    cg->pure = s->pure;
    cg->mix.most = SEARCH.pure_rounds;
    if (n->multipliers) {
        MEM_COPY(cg->mix.lambda, n->multipliers, 3 * cg->space->K);
        result->status = colgen_start(cg, n->columns, n->count);
    } else
        bound_start(s, n, result);
    if (!result->status) result->status = colgen_solve(cg, cutoff, SEARCH.pure_patience, &s->options->limit, &end);
    cg->pure = NULL;
    cg->mix.most = rounds;
    if (result->status) return BOUND_ENDED;
    n->bound = fmax(n->bound, cg->bound);
    result->pure = n->pure;
    result->pure_gain = end == COLGEN_INFEASIBLE ? 1 : fmin(1, (n->bound - before) / (cutoff - before));
    return state_of(s, n, end, result);
}
