/* mip/search.c - the loop of branch and bound.
 *
 *     while a node is open:  take one (a child of the last if there is one: plunging; else the one of least
 * bound) bounds -> propagate -> relaxation -> closed by bound? infeasible? integer? -> heuristics -> branch
 *
 * Every closed node has a reason, and the least bound of what was closed within the gap is kept, so that the
 * bound reported holds whenever the search stops. Source: T. Achterberg, Constraint Integer Programming
 * (2007), chapters 2, 5, 6.
 */
#include "mip/search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "mip/branch.h"
#include "mip/cuts.h"
#include "mip/heuristics.h"

#define PLUNGE_PART 0.25 /* part of the gap that a plunge may give away before it ends */
enum { LEAST_PLUNGE = 10, DIVE_EVERY = 20, RINS_EVERY = 100, SECONDS_BETWEEN_REPORTS = 1 };

vouch_status mip_search_init(mip_search *s, const mip_model *model, const vouch_mip_options *options, const deadline *clock,
                             const mip_owner *owner)
{
    int n = model->n;
    *s = (mip_search){.model = model,
                      .options = options,
                      .clock = clock,
                      .owner = owner,
                      .best_value = INFINITY,
                      .cutoff = INFINITY,
                      .closed = INFINITY,
                      .root_value = -INFINITY};
    vouch_status status = domain_init(&s->dom, model);
    if (status == VOUCH_OK) status = relax_init(&s->relax, model, &options->lp, clock);
    if (status == VOUCH_OK) status = pseudo_init(&s->pseudo, n);
    s->best = MEM_NEW(double, n);
    s->x = MEM_NEW(double, n);
    s->reduced = MEM_NEW(double, n);
    s->point = MEM_NEW(double, n);
    s->root_reduced = MEM_NEW(double, n);
    s->root_x = MEM_NEW(double, n);
    s->fractional = MEM_NEW(int, n);
    s->locks[0] = MEM_ZERO(int, n);
    s->locks[1] = MEM_ZERO(int, n);
    if (status != VOUCH_OK || !s->best || !s->x || !s->reduced || !s->point || !s->root_reduced || !s->root_x || !s->fractional ||
        !s->locks[0] || !s->locks[1]) {
        mip_search_free(s);
        return VOUCH_ERROR_MEMORY;
    }
    s->granularity = mip_model_granularity(model);
    s->open.deep = LEAST_PLUNGE + 2 * n;
    for (int j = 0; j < n; j++)
        for (int64_t k = model->col_start[j]; k < model->col_start[j + 1]; k++) {
            int i = model->col_row[k];
            bool up_hurts_upper = model->col_value[k] > 0;
            s->locks[up_hurts_upper][j] += model->row_upper[i] < INFINITY;
            s->locks[!up_hurts_upper][j] += model->row_lower[i] > -INFINITY;
        }
    return VOUCH_OK;
}

void mip_search_free(mip_search *s)
{
    domain_free(&s->dom);
    relax_free(&s->relax);
    pseudo_free(&s->pseudo);
    node_queue_free(&s->open);
    node_release(s->hot);
    mem_free(s->best);
    mem_free(s->x);
    mem_free(s->reduced);
    mem_free(s->point);
    mem_free(s->root_reduced);
    mem_free(s->root_x);
    mem_free(s->fractional);
    mem_free(s->path);
    mem_free(s->locks[0]);
    mem_free(s->locks[1]);
    *s = (mip_search){0};
}

bool mip_search_must_stop(mip_search *s)
{
    const vouch_limits *l = &s->clock->limits;
    if (deadline_expired(s->clock) || (s->options->limits.nodes > 0 && s->nodes >= s->options->limits.nodes) ||
        (l->iterations > 0 && s->relax.iterations >= l->iterations))
        s->stopped = true;
    return s->stopped;
}

void mip_search_take_point(mip_search *s)
{
    int n = s->model->n;
    MEM_COPY(s->x, s->relax.result.x, n);
    MEM_COPY(s->reduced, s->relax.result.reduced_cost, n);
    s->value = s->relax.result.objective;
    s->fractions = 0;
    for (int j = 0; j < n; j++)
        if (s->model->integer[j] && fabs(s->x[j] - round(s->x[j])) > s->options->integrality_tol) s->fractional[s->fractions++] = j;
}

int mip_search_violated_set(const mip_search *s)
{
    const mip_model *p = s->model;
    for (int q = 0; q < p->sets; q++) {
        int nonzero = 0;
        for (int k = p->set_start[q]; k < p->set_start[q + 1]; k++)
            nonzero += fabs(s->x[p->set_col[k]]) > s->options->integrality_tol;
        if (nonzero > 1) return q;
    }
    return -1;
}

/* ---- one node
 * --------------------------------------------------------------------------------------------------- */

static bool holds_debug(const mip_search *s)
{
    if (!s->owner->debug) return false;
    for (int j = 0; j < s->model->n; j++)
        if (s->owner->debug[j] < s->dom.lower[j] - MIP_FEASIBILITY || s->owner->debug[j] > s->dom.upper[j] + MIP_FEASIBILITY)
            return false;
    return true;
}

/* bound: of what is being closed. */
static void check_debug(const mip_search *s, bool held, double bound)
{
    if (!held) return;
    double value = mip_model_objective(s->model, s->owner->debug);
    (void)value;
    (void)bound;
    assert(bound <= value + MIP_FEASIBILITY * (1 + fabs(value)) || s->best_value <= value + MIP_FEASIBILITY * (1 + fabs(value)));
}

static void end_node(mip_search *s, const node *n, double bound, vouch_node_end end)
{
    if (s->owner->ended) s->owner->ended(s->owner->context, n, bound, end);
}

/* Columns whose reduced cost at the root exceeds the gap stay at the bound where they are: everywhere. */
static bool fix_by_root_costs(mip_search *s)
{
    s->root_news = false;
    if (!s->have_root || !s->has_best) return true;
    double gap = s->cutoff - s->root_value;
    bool alive = true;
    for (int j = 0; j < s->model->n && alive; j++) {
        double d = s->root_reduced[j];
        if (!s->model->integer[j] || fabs(d) < 1e-7) continue;
        double steps = floor(gap / fabs(d) + 1e-6);
        if (d > 0 && s->root_x[j] <= s->model->lower[j] + 1e-9) alive = domain_set_upper(&s->dom, j, s->model->lower[j] + steps);
        if (d < 0 && s->root_x[j] >= s->model->upper[j] - 1e-9) alive = domain_set_lower(&s->dom, j, s->model->upper[j] - steps);
    }
    alive = alive && domain_propagate(&s->dom);
    s->dom.trail = 0; /* from now on this holds everywhere */
    return alive;
}

static bool apply_changes(mip_search *s, const bound_change *c, int count)
{
    for (int k = 0; k < count; k++)
        if (!domain_set_lower(&s->dom, c[k].col, c[k].lower) || !domain_set_upper(&s->dom, c[k].col, c[k].upper)) return false;
    return true;
}

/* The changes of n and its ancestors, from the root down. */
static bool apply_path(mip_search *s, const node *n)
{
    size_t count = (size_t)n->depth + 1;
    if (count > s->path_capacity) {
        const node **more = mem_resize(s->path, 2 * count, sizeof *more);
        if (!more) return s->memory = true, false;
        s->path = more;
        s->path_capacity = 2 * count;
    }
    for (const node *q = n; q; q = q->parent) s->path[q->depth] = q;
    for (size_t k = 0; k < count; k++) {
        const node *q = s->path[k];
        if (!apply_changes(s, q->change, q->changes) || !apply_changes(s, q->deduced, q->deductions)) return false;
    }
    return true;
}

/* Brings domain and basis to the node. plunged: they are its parent's. */
static bool enter(mip_search *s, const node *n, bool plunged)
{
    if (plunged) return apply_changes(s, n->change, n->changes) && domain_propagate(&s->dom);
    domain_undo(&s->dom, 0);
    if (s->root_news && !fix_by_root_costs(s)) return false;
    relax_set_basis(&s->relax, n->basis);
    return apply_path(s, n) && domain_propagate(&s->dom);
}

/* The same idea as fix_by_root_costs, for this node alone. */
static bool fix_by_costs(mip_search *s, int *fixed)
{
    double gap = s->cutoff - s->value;
    *fixed = 0;
    if (!(gap < INFINITY)) return true;
    for (int j = 0; j < s->model->n; j++) {
        double d = s->reduced[j], lower = s->dom.lower[j], upper = s->dom.upper[j];
        if (!s->model->integer[j] || fabs(d) < 1e-7 || lower == upper) continue;
        double steps = floor(gap / fabs(d) + 1e-6);
        if (steps >= upper - lower) continue;
        bool alive = true;
        if (d > 0 && s->x[j] <= lower + 1e-9) alive = domain_set_upper(&s->dom, j, lower + steps), ++*fixed;
        if (d < 0 && s->x[j] >= upper - 1e-9) alive = domain_set_lower(&s->dom, j, upper - steps), ++*fixed;
        if (!alive) return false;
    }
    return *fixed == 0 || domain_propagate(&s->dom);
}

/* Has propagation moved a bound past the relaxation's point? */
static bool point_is_outside(const mip_search *s)
{
    for (int k = 0; k < s->fractions; k++) {
        int j = s->fractional[k];
        if (s->x[j] < s->dom.lower[j] || s->x[j] > s->dom.upper[j]) return true;
    }
    return false;
}

static void learn(mip_search *s, const node *n)
{
    if (n->branch_col < 0 || !n->parent) return;
    double f = fraction_of(n->branch_value);
    pseudo_learn(&s->pseudo, n->branch_col, n->up, n->up ? 1 - f : f, s->value - n->parent->bound);
}

static void run_heuristics(mip_search *s, const node *n)
{
    heuristic_suggest(s);
    if (!s->options->heuristics) return;
    heuristic_round(s);
    bool root = n->depth == 0;
    if (!root && s->nodes % DIVE_EVERY != 0) return;
    long long spent = s->heuristic_iterations, all = s->relax.iterations;
    if (!root && spent > (s->has_best ? all / 5 : all / 2)) return;
    long long budget = all / 4 + 1000;
    if (root) {
        for (int rule = 0; rule < DIVE_RULES && !s->stopped; rule++) heuristic_dive(s, (dive_rule)rule, budget);
        if (!s->stopped) heuristic_rins(s, budget);
    } else if (s->nodes % RINS_EVERY == 0) {
        heuristic_rins(s, budget);
    } else {
        heuristic_dive(s, (dive_rule)(s->nodes / DIVE_EVERY % DIVE_RULES), budget);
    }
}

static node *child(mip_search *s, node *parent, bound_change *change, int changes, packed_basis *basis)
{
    if (!change) {
        s->memory = true;
        return NULL;
    }
    node *c = node_new(parent, ++s->ids, change, changes);
    if (!c)
        s->memory = true;
    else
        c->basis = packed_basis_share(basis);
    return c;
}

static bool may_differ(const domain *d, int j) { return d->lower[j] < 0 || d->upper[j] > 0; }

/* The members after place `split` are 0, or those up to it are. */
static void split_set(mip_search *s, node *n, int set, int split, node *out[2])
{
    const mip_model *p = s->model;
    int from = p->set_start[set], to = p->set_start[set + 1];
    packed_basis *basis = relax_basis(&s->relax);
    for (int side = 0; side < 2; side++) {
        int a = side == 0 ? split + 1 : from, b = side == 0 ? to : split + 1;
        bound_change *c = MEM_NEW(bound_change, b - a);
        for (int k = a; c && k < b; k++)
            c[k - a] = (bound_change){p->set_col[k], fmax(s->dom.lower[p->set_col[k]], 0), fmin(s->dom.upper[p->set_col[k]], 0)};
        out[side] = child(s, n, c, b - a, basis);
    }
    packed_basis_free(basis);
}

/* Splits a violated SOS1 set at the weighted middle of its nonzeros: the right part is 0, or the left part
 * is. */
static void branch_on_set(mip_search *s, node *n, int set, node *out[2])
{
    const mip_model *p = s->model;
    int from = p->set_start[set], to = p->set_start[set + 1];
    double mass = 0, moment = 0;
    int first = -1, last = -1;
    for (int k = from; k < to; k++) {
        double v = fabs(s->x[p->set_col[k]]);
        if (v <= s->options->integrality_tol) continue;
        if (first < 0) first = k;
        last = k;
        mass += v;
        moment += v * k;
    }
    int split = (int)floor(moment / mass);
    if (split >= last) split = last - 1;
    if (split < first) split = first;
    split_set(s, n, set, split, out);
}

/* The first SOS1 set of which more than one member may still differ from 0; *split: the place in its middle. -1:
 * there is none. */
static int undecided_set(const mip_search *s, int *split)
{
    const mip_model *p = s->model;
    for (int q = 0; q < p->sets; q++) {
        int open = 0, seen = 0;
        for (int k = p->set_start[q]; k < p->set_start[q + 1]; k++) open += may_differ(&s->dom, p->set_col[k]);
        if (open < 2) continue;
        for (*split = p->set_start[q];; ++*split) {
            seen += may_differ(&s->dom, p->set_col[*split]);
            if (seen == open / 2) return q;
        }
    }
    return -1;
}

/* The node's relaxation is unbounded. Its ray proves something only where no two members of a set are on it: sets
 * are divided until each has one member left. Then, data being rational, the problem is unbounded if it has a
 * point here (R. R. Meyer, Mathematical Programming 7 (1974)). */
static vouch_node_end close_unbounded(mip_search *s, node *n, node *out[2])
{
    int split, set = undecided_set(s, &split);
    if (set >= 0) {
        split_set(s, n, set, split, out);
        return VOUCH_NODE_BRANCHED;
    }
    const mip_owner *o = s->owner;
    switch (o->inhabited ? o->inhabited(o->context, s->dom.lower, s->dom.upper) : SETTLED_UNKNOWN) {
    case SETTLED_INFEASIBLE:
        return VOUCH_NODE_INFEASIBLE;
    case SETTLED_OPTIMAL:
        s->unbounded = s->stopped = true;
        break;
    case SETTLED_STOPPED:
        s->stopped = true;
        break;
    case SETTLED_UNKNOWN:
        s->unproved = true;
        break;
    }
    return VOUCH_NODE_LIMIT;
}

static void branch_on_column(mip_search *s, node *n, int j, double x, bool up_first, node *out[2])
{
    packed_basis *basis = relax_basis(&s->relax);
    for (int k = 0; k < 2; k++) {
        bool up = (k == 0) == up_first;
        bound_change *c = MEM_NEW(bound_change, 1);
        if (c) *c = (bound_change){j, up ? floor(x) + 1 : s->dom.lower[j], up ? s->dom.upper[j] : floor(x)};
        out[k] = child(s, n, c, 1, basis);
        if (out[k]) {
            out[k]->branch_col = j;
            out[k]->branch_value = x;
            out[k]->up = up;
        }
    }
    packed_basis_free(basis);
}

/* Without a point of the relaxation (it could not be solved): halves the widest integer column. False: none
 * is left. */
static bool branch_blindly(mip_search *s, node *n, node *out[2])
{
    int best = -1;
    double widest = 0;
    for (int j = 0; j < s->model->n; j++) {
        double width = fmin(s->dom.upper[j] - s->dom.lower[j], 1e6);
        if (s->model->integer[j] && width > widest) widest = width, best = j;
    }
    if (best < 0) return false;
    double lower = s->dom.lower[best], upper = s->dom.upper[best];
    double middle = isfinite(lower) && isfinite(upper) ? floor(0.5 * (lower + upper))
                    : isfinite(lower)                  ? lower
                    : isfinite(upper)                  ? upper - 1
                                                       : 0;
    branch_on_column(s, n, best, middle + 0.5, false, out);
    if (out[0]) out[0]->branch_col = -1;
    if (out[1]) out[1]->branch_col = -1;
    return true;
}

/* The integer column whose value, *x, rounding moves furthest. Where none is moved: a free one and the side of
 * its whole value on which there is something else; so all are fixed at the point in the end, or it is cut off.
 * -1: all integer columns are fixed. */
static int least_integral(const mip_search *s, double *x)
{
    int worst = -1, open = -1;
    double furthest = 0;
    for (int j = 0; j < s->model->n; j++) {
        double lower = s->dom.lower[j], upper = s->dom.upper[j];
        if (!s->model->integer[j] || !(lower < upper)) continue;
        /* within the bounds, so that both sides of *x are tighter than they */
        double at = fmin(fmax(s->x[j], lower), upper), moved = fabs(at - round(at));
        if (moved > furthest) furthest = moved, worst = j, *x = at;
        if (open < 0) open = j;
    }
    if (worst >= 0 || open < 0) return worst;
    double at = fmin(fmax(s->x[open], s->dom.lower[open]), s->dom.upper[open]);
    *x = at < s->dom.upper[open] ? at + 0.5 : at - 0.5;
    return open;
}

/* The relaxation's point is integral within the tolerance. Only a point that passed the caller's rows closes
 * the node as integral; without one the node is divided until its integer columns are fixed, and then the
 * caller's rows decide about the rest. */
static vouch_node_end close_integral(mip_search *s, node *n, node *out[2])
{
    double part = 0;
    int least = least_integral(s, &part);
    (void)mip_search_offer(s, s->x);
    if (s->has_best && n->bound >= s->best_value - mip_search_gap(s)) return VOUCH_NODE_INTEGER;
    if (least >= 0) {
        branch_on_column(s, n, least, part, false, out);
        if (out[0]) out[0]->branch_col = -1; /* says nothing about costs */
        if (out[1]) out[1]->branch_col = -1;
        return VOUCH_NODE_BRANCHED;
    }
    double value = -INFINITY;
    settlement end = s->owner->settle ? s->owner->settle(s->owner->context, s->x, s->point, &value) : SETTLED_UNKNOWN;
    if (end == SETTLED_INFEASIBLE) return VOUCH_NODE_INFEASIBLE;
    if (end == SETTLED_OPTIMAL) {
        mip_search_adopt(s, s->point, value);
        n->bound = fmax(n->bound, s->best_value);
        return VOUCH_NODE_INTEGER;
    }
    s->unproved = true;
    return VOUCH_NODE_LIMIT;
}

/* Works on n; its children, the preferred one first, go to out (NULL: none). The reason for its end is
 * returned. */
static vouch_node_end process(mip_search *s, node *n, bool plunged, node *out[2])
{
    out[0] = out[1] = NULL;
    if (!enter(s, n, plunged)) return s->memory ? VOUCH_NODE_LIMIT : VOUCH_NODE_INFEASIBLE;
    bool held = holds_debug(s);
    bool learned = false, searched = false; /* pseudo-costs; heuristics */
    for (;;) {
        relax_set_bounds(&s->relax, s->dom.lower, s->dom.upper);
        relax_end end = relax_solve(&s->relax, s->cutoff, 0);
        if (end == RELAX_STOPPED) {
            s->stopped = true;
            return VOUCH_NODE_LIMIT;
        }
        if (end == RELAX_INFEASIBLE) {
            check_debug(s, held, INFINITY);
            return VOUCH_NODE_INFEASIBLE;
        }
        if (end == RELAX_CUTOFF) {
            check_debug(s, held, s->cutoff);
            n->bound = fmax(n->bound, s->cutoff);
            return VOUCH_NODE_BOUND;
        }
        if (end == RELAX_UNBOUNDED && !s->have_root) return close_unbounded(s, n, out);
        if (end != RELAX_OPTIMAL) {
            if (branch_blindly(s, n, out)) return VOUCH_NODE_BRANCHED;
            s->unproved = true;
            return VOUCH_NODE_LIMIT;
        }
        mip_search_take_point(s);
        n->bound = fmax(n->bound, s->value);
        if (!learned) learn(s, n);
        learned = true;
        if (!s->have_root && n->depth == 0) {
            s->have_root = true;
            s->root_value = s->value;
            MEM_COPY(s->root_reduced, s->reduced, s->model->n);
            MEM_COPY(s->root_x, s->x, s->model->n);
        }
        int set = s->fractions == 0 ? mip_search_violated_set(s) : -1;
        if (s->fractions == 0 && set < 0) {
            return close_integral(s, n, out);
        }
        if (n->depth == 0 && s->options->cuts && !s->cut) {
            s->cut = true;
            if (!cut_root(s, &end)) {
                if (end == RELAX_STOPPED) s->stopped = true;
                if (end == RELAX_CUTOFF) n->bound = fmax(n->bound, s->cutoff);
                return end == RELAX_INFEASIBLE ? VOUCH_NODE_INFEASIBLE : end == RELAX_CUTOFF ? VOUCH_NODE_BOUND : VOUCH_NODE_LIMIT;
            }
            s->have_root = false; /* the root's figures are those with the cuts */
            continue;
        }
        int fixed;
        if (!fix_by_costs(s, &fixed)) {
            n->bound = fmax(n->bound, s->cutoff);
            return VOUCH_NODE_BOUND;
        }
        if (fixed > 0 && point_is_outside(s)) continue;
        if (!searched) run_heuristics(s, n);
        searched = true;
        if (s->stopped) return VOUCH_NODE_LIMIT;
        if (n->bound >= s->cutoff || (s->has_best && n->bound >= s->best_value - mip_search_gap(s))) return VOUCH_NODE_BOUND;
        if (set >= 0) {
            branch_on_set(s, n, set, out);
            return VOUCH_NODE_BRANCHED;
        }
        int col;
        bool up_first;
        switch (branch_select(s, n, &col, &up_first)) {
        case BRANCH_STOPPED:
            s->stopped = true;
            return VOUCH_NODE_LIMIT;
        case BRANCH_INFEASIBLE:
            check_debug(s, held, s->cutoff);
            return VOUCH_NODE_INFEASIBLE;
        case BRANCH_TIGHTENED:
            continue;
        case BRANCH_COLUMN:
            branch_on_column(s, n, col, s->x[col], up_first, out);
            return VOUCH_NODE_BRANCHED;
        }
    }
}

/* ---- the tree
 * --------------------------------------------------------------------------------------------------- */

static void report(mip_search *s)
{
    if (s->owner->level > 0 || !log_wants(&s->options->log, VOUCH_LOG_INFO)) return;
    double now = clock_seconds() - s->clock->start;
    if (now < s->next_report) return;
    s->next_report = now + SECONDS_BETWEEN_REPORTS;
    double sign = s->model->negated ? -1 : 1, bound = mip_search_bound(s);
    double gap = s->has_best ? fabs(s->best_value - bound) / fmax(1, fabs(s->best_value)) : INFINITY;
    if (s->has_best)
        log_line(&s->options->log, VOUCH_LOG_INFO,
                 "%8.1fs %9lld nodes %8zu open  best %-16.10g bound %-16.10g gap %8.4f%%  %lld iterations", now, s->nodes,
                 s->open.count, sign * s->best_value, sign * bound, 100 * gap, s->relax.iterations);
    else
        log_line(&s->options->log, VOUCH_LOG_INFO,
                 "%8.1fs %9lld nodes %8zu open  best %-16s bound %-16.10g gap %8s   %lld iterations", now, s->nodes, s->open.count,
                 "-", sign * bound, "-", s->relax.iterations);
}

static void push(mip_search *s, node *n)
{
    if (!n) return;
    if (n->bound >= s->cutoff) {
        s->closed = fmin(s->closed, n->bound);
        node_release(n);
    } else if (node_queue_push(&s->open, n) != 0) {
        s->memory = true;
        s->closed = fmin(s->closed, n->bound);
        node_release(n);
    }
}

static bool worth_plunging(const mip_search *s, const node *n, int depth)
{
    if (!n) return false;
    if (depth < LEAST_PLUNGE) return true;
    if (depth >= LEAST_PLUNGE + s->model->n) return false; /* general integers can go on without end */
    if (!s->has_best) return true;
    double least = fmin(node_queue_bound(&s->open), n->bound);
    return n->bound <= least + PLUNGE_PART * (s->cutoff - least);
}

vouch_status mip_search_run(mip_search *s)
{
    node *next = node_new(NULL, ++s->ids, NULL, 0);
    if (!next) return VOUCH_ERROR_MEMORY;
    domain_queue_all(&s->dom);
    if (!domain_propagate(&s->dom)) {
        end_node(s, next, INFINITY, VOUCH_NODE_INFEASIBLE);
        node_release(next);
        s->nodes = 1;
        s->complete = true;
        return VOUCH_OK;
    }
    s->dom.trail = 0;
    int plunge = 0;
    bool plunged = false;
    while (next && !s->memory) {
        node *out[2];
        s->hot = next;
        vouch_node_end end = process(s, next, plunged, out);
        s->hot = NULL;
        s->nodes++;
        double bound = end == VOUCH_NODE_INFEASIBLE ? INFINITY : next->bound;
        end_node(s, next, bound, end);
        if (end == VOUCH_NODE_BOUND || end == VOUCH_NODE_INTEGER || end == VOUCH_NODE_LIMIT)
            s->closed = fmin(s->closed, next->bound);
        if (end == VOUCH_NODE_INFEASIBLE && s->has_best) s->closed = fmin(s->closed, s->cutoff); /* propagation knows the cutoff */
        if (end == VOUCH_NODE_INTEGER && s->has_best) s->closed = fmin(s->closed, s->best_value);
        for (int k = 0; k < 2; k++)
            if (out[k]) out[k]->bound = fmax(out[k]->bound, next->bound);
        node_release(next);
        next = NULL;
        if (mip_search_must_stop(s)) {
            push(s, out[0]);
            push(s, out[1]);
            break;
        }
        plunge = end == VOUCH_NODE_BRANCHED ? plunge + 1 : 0;
        if (worth_plunging(s, out[0], plunge) && out[0]->bound < s->cutoff) {
            push(s, out[1]);
            next = out[0];
            plunged = true;
        } else {
            push(s, out[0]);
            push(s, out[1]);
            plunged = false;
            plunge = 0;
            if (s->has_best && node_queue_bound(&s->open) >= s->best_value - mip_search_gap(s)) break;
            next = node_queue_pop(&s->open);
        }
        s->hot = next; /* what is about to be worked on counts for the bound */
        report(s);
        s->hot = NULL;
    }
    s->complete = !s->stopped && !s->memory && !s->unproved;
    return s->memory ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}
