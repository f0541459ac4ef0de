/* plan/search/node.c - one node: allowed options, bound, incumbents by rounding, fixed options, children.
 *
 * Cost: a few dozen backward inductions and master programs for the bound, two slice passes over the policy nodes for the
 * incumbent. Invariant: every policy that n allows is in a child, is bounded by result->cut, or has a value of at least n->bound
 * and n has ended.
 */
#include "plan/search/node.h"

#include "base/check.h"
#include "base/memory.h"
#include "plan/branch/branching.h"
#include "plan/heuristic/local_search.h"
#include "plan/search/record.h"
#include "policy/parameters.h"

/* Offers the policy of the heaviest option at each policy node. */
static void round_heaviest(node_solver *s, int passes)
{
    const policy_space *space = s->colgen->space;
    const know_graph *g = space->g;
    for (int n = 0; n < g->nodes; n++) s->pick[n] = s->inc->found ? s->inc->best[n] : -1;
    for (int n = g->time_start[g->T] - 1; n >= 0; n--) { /* nodes above a Pareto set overwrite its choices */
        int o = s->heaviest[n];
        if (o < 0) continue;
        if (o >= g->choices)
            pareto_apply(space->f, g, o - g->choices, s->pick);
        else
            s->pick[n] = o;
    }
    double since = trace_start(s->options->trace);
    local_search_offer(s->inc, s->pick, passes);
    trace_stop(s->options->trace, KERNEL_local_search, since);
}

static void improve_incumbent(node_solver *s, const tree_node *n, rng *random)
{
    const search_options *o = s->options;
    bool slices = !part_off(o->without, VOUCH_PART_LOCAL_SEARCH);
    round_heaviest(s, !slices ? 0 : n->parent ? SEARCH.passes : SEARCH.root_passes);
    if (random && o->perturbations > 0 && slices && s->inc->found && incumbent_value(s->inc) - n->bound > o->gap)
        local_search_perturb(s->inc, random, &(perturbation){o->perturbations, SEARCH.perturbed_nodes, SEARCH.perturbed_passes});
}

/* Stores the columns of the mixture, the newest columns and the multipliers for the children. */
static vouch_status store_for_children(node_solver *s, tree_node *n)
{
    const colgen *cg = s->colgen;
    int K = cg->space->K, newest = SEARCH.inherited * (2 * K + 1);
    bool keep = !part_off(s->options->without, VOUCH_PART_INHERITANCE);
    tree_node_forget(n);
    n->columns = MEM_NEW(column *, cg->count);
    n->multipliers = MEM_NEW(double, 3 * K);
    if (!n->columns || !n->multipliers) return VOUCH_ERROR_MEMORY;
    for (int i = 0; i < cg->count; i++)
        if (keep && (cg->mix.alpha[i] > 0 || i >= cg->count - newest)) {
            atomic_fetch_add(&cg->columns[i]->refs, 1);
            n->columns[n->count++] = cg->columns[i];
        }
    MEM_COPY(n->multipliers, cg->mix.lambda, 3 * K); /* with nu and mu */
    return VOUCH_OK;
}

/* Fixes options that no policy better than the incumbent uses. */
static vouch_status fix_options(node_solver *s, tree_node *n, node_result *result)
{
    double cutoff = node_fixed(s);
    bool held = debug_policy_holds(s->options->debug, s->colgen, cutoff);
    double since = trace_start(s->options->trace);
    int count = colgen_fix(s->colgen, cutoff, s->fixed);
    trace_stop(s->options->trace, KERNEL_fixing, since);
    CHECK(!held || debug_policy_holds(s->options->debug, s->colgen, cutoff));
    return node_fix(s, n, count, result);
}

/* Columns, multipliers and fixed options for the children of n. */
static void pass_on(node_solver *s, tree_node *n, node_result *result)
{
    result->status = store_for_children(s, n);
    if (!result->status && !part_off(s->options->without, VOUCH_PART_FIXING)) result->status = fix_options(s, n, result);
}

/* Branches at the policy node where the mixture disagrees most. */
static void branch(node_solver *s, tree_node *n, int node, node_result *result)
{
    result->end = VOUCH_NODE_BRANCHED;
    pass_on(s, n, result);
    if (result->status) return;
    double since = trace_start(s->options->trace);
    bool done = node_tries(s) && bound_leader(n) == SOURCE_MIXTURE && branching_strong(s, n, result);
    trace_stop(s->options->trace, KERNEL_branching, since);
    if (!done) branching_at(s, n, node, BRANCHING_MEAN, result);
}

/* Rounds the optimal policies of single environments to one policy. True: the node ends. */
static bool round_pairs(node_solver *s, tree_node *n, node_result *result)
{
    pareto_bound_mass(s->pairs);
    branching_disagreement_of_pairs(s, n);
    round_heaviest(s, part_off(s->options->without, VOUCH_PART_LOCAL_SEARCH) ? 0 : n->parent ? SEARCH.passes : SEARCH.root_passes);
    if (!(n->bound >= node_cutoff(s))) return false;
    bound_ends(result, n, VOUCH_NODE_BOUND);
    return true;
}

/* Bounds n by deterministic mixtures and rounds them. True: the node ends; else s->pairs are of the options still allowed. */
static bool raise_by_deterministic(node_solver *s, tree_node *n, node_result *result)
{
    if (s->asked[SOURCE_MIXTURE]) pass_on(s, n, result);
    if (result->status || bound_by_deterministic(s, n, result) == BOUND_ENDED) return true;
    s->asked[SOURCE_MIXTURE] = false; /* its induction was overwritten */
    if (result->pure >= 0) {
        branching_disagreement(s);
        round_heaviest(s, part_off(s->options->without, VOUCH_PART_LOCAL_SEARCH) ? 0 : SEARCH.passes);
        if (n->bound >= node_cutoff(s)) {
            bound_ends(result, n, VOUCH_NODE_BOUND);
            return true;
        }
        result->status = store_for_children(s, n);
    }
    if (result->status || bound_by_pairs(s, n, result) == BOUND_ENDED) return true;
    pareto_bound_mass(s->pairs);
    return false;
}

/* Branches where the optimal policies of single environments disagree or, if merged pairs hide that none does, on an open policy
 * node. (Tried, with larger trees: branching on the disagreement of deterministic mixtures; strong branching by pairs at the policy
 * nodes most used, where small late gains win over important early decisions: with the optimum as cutoff t-maze 3,2,1,3 T = 10
 * p = 0.1 slip 0.7 L = 1 took 711 nodes instead of 302, and 4,3,2,3 T = 14 p = 0.2 slip 0.7 L = 2 990 instead of 396.) */
static void branch_by_pairs(node_solver *s, tree_node *n, node_result *result)
{
    if (bound_deterministic_pays(s, n) && raise_by_deterministic(s, n, result)) return;
    int node = branching_disagreement_of_pairs(s, n);
    branching_point point = node < 0 ? BRANCHING_MIDDLE : BRANCHING_MEAN;
    if (node < 0) node = branching_open_node(s);
    result->end = node < 0 ? VOUCH_NODE_INTEGER : VOUCH_NODE_BRANCHED; /* the value of a single policy is known */
    if (node < 0) return;
    if (s->asked[SOURCE_MIXTURE]) pass_on(s, n, result);
    if (!result->status) branching_at(s, n, node, point, result);
}

/* The mixture is one policy: offers it, and branches on an undecided policy node of any mass. */
static void branch_on_open(node_solver *s, tree_node *n, node_result *result)
{
    if (s->heaviest[0] < 0) { /* no mixture: numerics */
        bound_ends(result, n, VOUCH_NODE_INTEGER);
        return;
    }
    int node = branching_open_node(s);
    if (node < 0) { /* a single policy: offering it evaluates it exactly */
        round_heaviest(s, 0);
        result->end = VOUCH_NODE_INTEGER;
        return;
    }
    result->end = VOUCH_NODE_BRANCHED;
    result->status = store_for_children(s, n);
    if (!result->status) branching_at(s, n, node, BRANCHING_MIDDLE, result);
}

static void process(node_solver *s, tree_node *n, rng *random, node_result *result)
{
    node_restrict(s, n);
    record_begin(s, n);
    s->asked[SOURCE_MIXTURE] = s->asked[SOURCE_PAIRS] = false;
    if (bound_pays(s, n, SOURCE_PAIRS)) {
        bound_state bound = bound_by_pairs(s, n, result);
        if (s->asked[SOURCE_PAIRS]) record_pairs(s, n);
        if (bound == BOUND_ENDED) return;
        if (s->asked[SOURCE_PAIRS] && bound_leader(n) == SOURCE_PAIRS && round_pairs(s, n, result)) return;
        if (!bound_pays(s, n, SOURCE_MIXTURE)) {
            branch_by_pairs(s, n, result);
            return;
        }
    }
    bound_start(s, n, result);
    for (double patience = s->options->patience; !result->status; patience = 0) {
        bound_state bound = bound_by_mixture(s, n, patience, result);
        int node = bound == BOUND_ENDED ? -1 : branching_disagreement(s);
        record_mixture(s, n, bound != BOUND_ENDED);
        if (bound == BOUND_ENDED) return;
        improve_incumbent(s, n, random);
        if (n->bound >= node_cutoff(s)) {
            bound_ends(result, n, VOUCH_NODE_BOUND);
            return;
        }
        bool ahead = node < 0 ? bound_leader(n) == SOURCE_PAIRS : bound_far_ahead(s, n) || bound_deterministic_pays(s, n);
        if (s->asked[SOURCE_PAIRS] && ahead) {
            branch_by_pairs(s, n, result);
            return;
        }
        if (node >= 0) {
            branch(s, n, node, result);
            return;
        }
        if (patience == 0 || bound == BOUND_MET) {
            branch_on_open(s, n, result);
            return;
        }
        /* stopped early without disagreement: complete the bound */
    }
}

void node_process(node_solver *s, tree_node *n, rng *random, node_result *result)
{
    node_result_begin(result, VOUCH_OK);
    process(s, n, random, result);
    size_t width = 3 * (size_t)s->colgen->space->K;
    if (result->evidence) /* trials have overwritten the multipliers */
        MEM_COPY(result->evidence + (size_t)s->colgen->space->g->m->A * width,
                 n->multipliers ? n->multipliers : s->colgen->mix.lambda, width);
}
