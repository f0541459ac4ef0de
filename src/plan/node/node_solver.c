/* plan/node/node_solver.c - see node_solver.h. Nodes store their difference to the parent, and node_restrict reads the path to the
 * root: O(depth + options), negligible beside an induction. Invariant: a choice is allowed below a decision only if it was allowed
 * above.
 */
#include "plan/node/node_solver.h"

#include "base/check.h"
#include "base/memory.h"

vouch_status tree_node_new(tree_node *parent, const decision *made, double bound, tree_node **out)
{
    tree_node *n = *out = MEM_ZERO(tree_node, 1);
    if (!n) return VOUCH_ERROR_MEMORY;
    n->made = *made;
    n->bound = bound;
    n->pure = -1;
    n->parent = parent;
    if (!parent) return VOUCH_OK;
    CHECK_COMPARE(bound, >=, parent->bound);
    CHECK(made->node >= 0 && (made->option >= 0 || !isnan(made->threshold)));
    n->depth = parent->depth + 1;
    MEM_COPY(n->source, parent->source, SOURCES);
    n->pairs = parent->pairs;
    n->hardest = parent->hardest;
    n->tries = parent->tries;
    if (n->tries.rest > 0) n->tries.rest--;
    parent->children++;
    return VOUCH_OK;
}

const tree_node *tree_node_heir(const tree_node *n)
{
    const tree_node *from = n->parent;
    while (from && !from->multipliers) from = from->parent;
    return from;
}

void tree_node_forget(tree_node *n)
{
    for (int i = 0; i < n->count; i++) column_release(n->columns[i]);
    mem_free(n->columns);
    mem_free(n->multipliers);
    n->columns = NULL;
    n->multipliers = NULL;
    n->count = 0;
}

void tree_node_release(tree_node *n)
{
    while (n && n->children == 0) {
        tree_node *parent = n->parent;
        CHECK(!parent || parent->children > 0);
        tree_node_forget(n);
        mem_free(n->fixed);
        mem_free(n);
        if (!parent) return;
        parent->children--;
        n = parent;
    }
}

bool tree_node_before(const void *unused, const void *first, const void *second)
{
    const tree_node *a = first, *b = second;
    (void)unused;
    if (a->bound != b->bound) return a->bound < b->bound;
    if (a->depth != b->depth) return a->depth > b->depth;
    return a->id < b->id;
}

/* Improvement of the incumbent that fixed options may lose: relative to 1 + value, and at most this share of the gap. */
static const double GIVEN_UP = 2e-9, GAP_SHARE = 0.5;

vouch_status node_result_init(node_result *r, const policy_space *space, const search_options *options)
{
    int A = space->g->m->A;
    *r = (node_result){.made = MEM_NEW(child, A > 2 ? A : 2), .share = MEM_NEW(trial_share, CANDIDATES * A)};
    if (options->proof) r->evidence = MEM_ZERO(double, (A + 1) * 3 * space->K);
    return !r->made || !r->share || (options->proof && !r->evidence) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

void node_result_clear(node_result *r) { MEM_FREE_ALL(r->made, r->share, r->evidence); }

void node_result_begin(node_result *r, vouch_status status)
{
    *r = (node_result){.end = VOUCH_NODE_BOUND,
                       .cut = INFINITY,
                       .promising = -1,
                       .pairs = -INFINITY,
                       .pure = -1,
                       .status = status,
                       .made = r->made,
                       .share = r->share,
                       .evidence = r->evidence};
}

int node_result_child(const node_result *r, int i)
{
    if (r->promising < 0) return i;
    return i + 1 == r->children ? r->promising : i + (i >= r->promising);
}

vouch_status node_solver_init(node_solver *s, colgen *cg, incumbent *inc, const search_options *options)
{
    const know_graph *g = cg->space->g;
    *s = (node_solver){.colgen = cg, .inc = inc, .options = options};
    arena *a = &s->memory;
    s->pick = ARENA_NEW(a, int, g->nodes);
    s->heaviest = ARENA_NEW(a, int, g->nodes);
    s->was = ARENA_NEW(a, unsigned char, g->m->A);
    s->trial = ARENA_NEW(a, double, g->m->A);
    s->chosen = ARENA_NEW(a, double, g->m->A);
    s->share = ARENA_NEW(a, unsigned char, g->m->A);
    s->price = ARENA_NEW(a, double, g->sets.count);
    if (options->proof) s->multipliers = ARENA_NEW(a, double, g->m->A * 3 * g->K);
    s->fixed = ARENA_NEW(a, int, cg->space->c->options);
    if (a->failed) return VOUCH_ERROR_MEMORY;
    if (part_off(options->without, VOUCH_PART_SMOOTHING)) cg->smooth = false;
    bool dominated = !part_off(options->without, VOUCH_PART_DOMINANCE);
    if (dominated && dominance_new(cg->space, options->proof != NULL, &options->limit, &s->dominance)) return VOUCH_ERROR_MEMORY;
#ifdef VOUCH_DEBUG
    for (int n = 0; n < g->nodes; n++) s->pick[n] = -1;
    return debug_policy_new(cg->space, s->pick, &s->known);
#else
    return VOUCH_OK;
#endif
}

bool node_tries(const node_solver *s) { return s->strong && !part_off(s->options->without, VOUCH_PART_STRONG_BRANCHING); }

void node_solver_clear(node_solver *s)
{
    debug_policy_free(s->known);
    pareto_bound_free(s->pairs);
    pairs_free(s->pure);
    dominance_free(s->dominance);
    arena_free(&s->memory);
}

double node_cutoff(const node_solver *s) { return incumbent_cutoff(s->inc, s->options->gap); }

double node_fixed(const node_solver *s)
{
    /* compared with the incumbent itself, or the proved bound would fall short of it by the gap */
    double value = incumbent_value(s->inc);
    return value - fmin(GIVEN_UP * (1 + fabs(value)), GAP_SHARE * s->options->gap);
}

vouch_status node_fix(const node_solver *s, tree_node *n, int count, node_result *result)
{
    if (count > 0) result->cut = fmin(result->cut, node_fixed(s));
    /* Adds fixed options. */
    if (count == 0) return VOUCH_OK;
    if (MEM_RESIZE(&n->fixed, (size_t)(n->fixed_count + count))) return VOUCH_ERROR_MEMORY;
    MEM_COPY(n->fixed + n->fixed_count, s->fixed, count);
    n->fixed_count += count;
    return VOUCH_OK;
}

void node_restrict(node_solver *s, const tree_node *n)
{
    const policy_space *space = s->colgen->space;
    const know_graph *g = space->g;
    const pareto_sets *f = space->f;
    unsigned char *allowed = s->colgen->allowed;
    memset(allowed, 1, (size_t)space->c->options);
    for (const tree_node *a = n; a; a = a->parent)
        for (int i = 0; i < a->fixed_count; i++) allowed[a->fixed[i]] = 0;
    for (; n && n->made.node >= 0; n = n->parent) {
        const decision *d = &n->made;
        option_range at = options_of(space, d->node);
        CHECK(n->parent && n->depth == n->parent->depth + 1);
        CHECK(at.vectors == (d->option < 0) || d->option < g->choices);
        if (d->option >= 0) {
            unsigned char was = allowed[d->option];
            memset(allowed + g->choice_start[d->node], 0, (size_t)(g->choice_start[d->node + 1] - g->choice_start[d->node]));
            allowed[d->option] = was;
            continue;
        }
        for (int o = at.first; o < at.last; o++) {
            double x = f->value[(size_t)(o - g->choices) * 2 * (size_t)g->K + (size_t)d->coordinate];
            if ((x > d->threshold) != d->above) allowed[o] = 0;
        }
    }
    if (s->dominance) dominance_forbid(s->dominance, allowed);
}

void node_check(const node_solver *s, double bound)
{
    debug_policy_check(s->options->debug, s->colgen, bound);
    if (!s->known || !s->inc->found) return;
    debug_policy_set(s->known, s->inc->best);
    debug_policy_check(s->known, s->colgen, bound);
}

/* A bound may exceed the value by the rounding of its induction, relative to 1 + value. */
static const double EXCESS = 1e-7;
/* Several times the tolerance within which Pareto sets drop dominated vectors. */
static const double DOMINATES = 1e-9;

vouch_status debug_policy_new(const policy_space *space, const int pick[], debug_policy **out)
{
    const know_graph *g = space->g;
    size_t nodes = (size_t)g->nodes, K = (size_t)g->K;
    debug_policy *w = *out = MEM_ZERO(debug_policy, 1);
    if (!w) return VOUCH_ERROR_MEMORY;
    arena *a = &w->memory;
    w->space = space;
    w->pick = ARENA_NEW(a, int, nodes);
    w->gain = ARENA_NEW(a, double, nodes *K);
    w->keep = ARENA_NEW(a, double, nodes *K);
    w->reach = ARENA_NEW(a, double, nodes *K);
    w->prob = ARENA_NEW(a, double, g->choices);
    w->U = ARENA_NEW(a, double, 2 * K);
    if (a->failed) {
        debug_policy_free(w);
        *out = NULL;
        return VOUCH_ERROR_MEMORY;
    }
    debug_policy_set(w, pick);
    return VOUCH_OK;
}

void debug_policy_free(debug_policy *w) { ARENA_FREE(w); }

void debug_policy_set(debug_policy *w, const int pick[])
{
    const policy_space *space = w->space;
    const know_graph *g = space->g;
    int K = g->K;
    figures f = {.U = w->U, .Pr = w->U + K};
    propagate_pick(g, pick, w->prob);
    propagate_forward(g, w->prob, w->reach, f.U, f.Pr);
    propagate_backward(g, w->prob, w->gain, w->keep);
    for (int n = 0; n < g->nodes; n++) {
        double most = 0;
        bool chooses = g->choice_start[n] < g->choice_start[n + 1]; /* picks at the horizon are meaningless */
        for (int k = 0; k < K; k++) most = fmax(most, w->reach[(size_t)n * (size_t)K + (size_t)k]);
        w->pick[n] = chooses && most > 0 && pick[n] >= 0 ? g->choice_twin[pick[n]] : -1;
    }
    figures_derive(space, &f);
    w->max_regret = f.max_regret;
    w->total_regret = f.total_regret;
    w->kept = space_kept(space, f.Pr, NULL);
    for (int k = 0; k < K && space->floor; k++) w->kept = w->kept && f.U[k] >= space->floor[k];
}

/* Is a vector allowed at node n that is no worse than the policy from there on? */
static bool vector_allowed(const debug_policy *w, int n, option_range at, const unsigned char allowed[])
{
    const policy_space *space = w->space;
    size_t K = (size_t)space->K;
    for (int o = at.first; o < at.last; o++) {
        const double *x = space->f->value + (size_t)(o - space->g->choices) * 2 * K;
        bool worse = !allowed[o];
        for (size_t k = 0; k < K && !worse; k++) {
            double u = w->gain[(size_t)n * K + k], pr = w->keep[(size_t)n * K + k];
            worse = x[k] < u - DOMINATES * (1 + fabs(u)) || x[K + k] < pr - DOMINATES;
        }
        if (!worse) return true;
    }
    return false;
}

static bool contains(const debug_policy *w, const unsigned char allowed[])
{
    const know_graph *g = w->space->g;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        if (w->pick[n] < 0) continue;
        option_range at = options_of(w->space, n);
        if (at.vectors ? !vector_allowed(w, n, at, allowed) : !allowed[w->pick[n]]) return false;
    }
    return true;
}

/* The policy's value for the goal; INFINITY if it is not tested. */
static double value_of(const debug_policy *w, const colgen *cg)
{
    if (!w || !w->kept) return INFINITY;
    bool total = cg->goal == MASTER_TOTAL_REGRET;
    if (total && w->max_regret > cg->cap) return INFINITY;
    return total ? w->total_regret : w->max_regret;
}

void debug_bound_check(double bound, double value)
{
    if (isfinite(value)) CHECK_COMPARE(bound, <=, value + EXCESS * (1 + fabs(value)));
}

void debug_policy_check(const debug_policy *w, const colgen *cg, double bound)
{
    double value = value_of(w, cg);
    if (value < INFINITY && contains(w, cg->allowed)) debug_bound_check(bound, value);
}

bool debug_policy_holds(const debug_policy *w, const colgen *cg, double cutoff)
{
    return value_of(w, cg) < cutoff && contains(w, cg->allowed);
}
