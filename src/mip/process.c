/* mip/process.c - what is done with one node.
 *
 *     relax -> integral? -> separate (root) -> fix by reduced costs -> heuristics -> restart? (root) -> branch
 *
 * Every step says: go on with the next, again from the relaxation (bounds were tightened), or the node has ended. Source:
 * T. Achterberg, Constraint Integer Programming (2007), chapters 2, 5, 6.
 */
#include "mip/process.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/trace.h"
#include "mip/branch.h"
#include "mip/cuts.h"
#include "mip/fix.h"
#include "mip/heuristics.h"
#include "mip/jump.h"
#include "mip/restart.h"

enum { DIVE_EVERY = 20, IMPROVE_EVERY = 100, MANY_TIGHTENED = 20 /* columns */ };

typedef enum visit_step { STEP_ON, STEP_AGAIN, STEP_ENDED } visit_step;

typedef struct visit {
    mip_search *s;
    mip_node *n;
    mip_node **out; /* [2], the children */
    vouch_node_end end;
    int set;                /* a violated SOS1 set, -1: none */
    bool held;              /* the debug solution is within the node */
    bool learned, searched; /* pseudo-costs; heuristics */
    int tightened;          /* columns, by trials since the heuristics */
} visit;

static visit_step ended(visit *v, vouch_node_end end)
{
    v->end = end;
    return STEP_ENDED;
}

static visit_step stopped(visit *v)
{
    v->s->end.stopped = true;
    return ended(v, VOUCH_NODE_LIMIT);
}

/* Closed by a bound: the node's objectives are not below the cutoff. */
static visit_step cut_off(visit *v)
{
    v->n->bound = fmax(v->n->bound, v->s->best.cutoff);
    return ended(v, VOUCH_NODE_BOUND);
}

static bool holds_debug(const mip_search *s)
{
    if (!s->owner->debug) return false;
    for (int j = 0; j < s->model->n; j++)
        if (s->owner->debug[j] < s->dom.lower[j] - MIP_FEASIBILITY || s->owner->debug[j] > s->dom.upper[j] + MIP_FEASIBILITY)
            return false;
    return true;
}

/* bound: of what is being closed, which held the debug solution. */
static void closed_debug_check(const mip_search *s, bool held, double bound)
{
#ifdef VOUCH_DEBUG
    if (!held) return;
    double value = mip_model_objective(s->model, s->owner->debug), slack = MIP_FEASIBILITY * (1 + fabs(value));
    CHECK(bound <= value + slack || s->best.value <= value + slack);
#else
    (void)s, (void)held, (void)bound;
#endif
}

static void learn(mip_search *s, const mip_node *n)
{
    if (n->branch_col < 0 || !n->parent) return;
    double f = fraction_of(n->branch_value);
    pseudo_learn(&s->pseudo, n->branch_col, n->up, n->up ? 1 - f : f, s->lp.value - n->parent->bound);
}

static void remember_root(mip_search *s)
{
    s->root.solved = true;
    s->root.value = s->lp.value;
    MEM_COPY(s->root.reduced, s->lp.reduced, s->model->n);
    MEM_COPY(s->root.x, s->lp.x, s->model->n);
}

/* The node's relaxation is unbounded. Its ray proves something only where no two members of a set are on it: sets
 * are divided until each has one member left. Then, data being rational, the problem is unbounded if it has a
 * point here (R. R. Meyer, Mathematical Programming 7 (1974)). */
static vouch_node_end close_unbounded(mip_search *s, mip_node *n, mip_node *out[2])
{
    int split, set = branch_undecided_set(s, &split);
    if (set >= 0) {
        branch_split_set(s, n, set, split, out);
        return VOUCH_NODE_BRANCHED;
    }
    const mip_owner *o = s->owner;
    switch (o->inhabited ? o->inhabited(o->context, s->dom.lower, s->dom.upper) : SETTLED_UNKNOWN) {
    case SETTLED_INFEASIBLE:
        return VOUCH_NODE_INFEASIBLE;
    case SETTLED_OPTIMAL:
        s->end.unbounded = s->end.stopped = true;
        break;
    case SETTLED_STOPPED:
        s->end.stopped = true;
        break;
    case SETTLED_UNKNOWN:
        s->end.unproved = true;
        break;
    }
    return VOUCH_NODE_LIMIT;
}

/* Solves the relaxation within the domain. On: its point is in s->lp. */
static visit_step relax_node(visit *v)
{
    mip_search *s = v->s;
    mip_node *n = v->n;
    relax_set_bounds(&s->lp.relax, s->dom.lower, s->dom.upper);
    relax_end end = mip_search_relax(s, n->id);
    if (end == RELAX_STOPPED) return stopped(v);
    if (end == RELAX_INFEASIBLE) {
        closed_debug_check(s, v->held, INFINITY);
        return ended(v, VOUCH_NODE_INFEASIBLE);
    }
    if (end == RELAX_CUTOFF) {
        closed_debug_check(s, v->held, s->best.cutoff);
        return cut_off(v);
    }
    if (end == RELAX_UNBOUNDED && !s->root.solved) return ended(v, close_unbounded(s, n, v->out));
    if (end != RELAX_OPTIMAL) {
        if (branch_blindly(s, n, v->out)) return ended(v, VOUCH_NODE_BRANCHED);
        s->end.unproved = true;
        return ended(v, VOUCH_NODE_LIMIT);
    }
    mip_search_take_point(s);
    mip_search_record_point(s, n->id);
    n->bound = fmax(n->bound, s->lp.value);
    if (!v->learned) learn(s, n);
    v->learned = true;
    if (n->depth == 0) remember_root(s);
    return STEP_ON;
}

/* The relaxation's point is integral within the tolerance. Only a point that passed the caller's rows closes the node as integral;
 * without one the node is divided until its integer columns are fixed, and then the caller's rows decide about the rest. */
static visit_step close_integral(visit *v)
{
    mip_search *s = v->s;
    mip_node *n = v->n, **out = v->out;
    v->set = s->lp.fractions == 0 ? mip_search_violated_set(s) : -1;
    if (s->lp.fractions > 0 || v->set >= 0) return STEP_ON;
    double part = 0;
    int least = branch_least_integral(s, &part);
    (void)mip_search_offer(s, s->lp.x);
    if (s->best.found && n->bound >= s->best.value - mip_search_gap(s)) return ended(v, VOUCH_NODE_INTEGER);
    if (least >= 0) {
        branch_on_column(s, n, least, part, false, out);
        if (out[0]) out[0]->branch_col = -1; /* says nothing about costs */
        if (out[1]) out[1]->branch_col = -1;
        return ended(v, VOUCH_NODE_BRANCHED);
    }
    double value = -INFINITY;
    settlement end = s->owner->settle ? s->owner->settle(s->owner->context, s->lp.x, s->point, &value) : SETTLED_UNKNOWN;
    if (end == SETTLED_INFEASIBLE) return ended(v, VOUCH_NODE_INFEASIBLE);
    if (end == SETTLED_OPTIMAL) {
        mip_search_adopt(s, s->point, value);
        n->bound = fmax(n->bound, s->best.value);
        return ended(v, VOUCH_NODE_INTEGER);
    }
    if (value > -INFINITY) { /* a point, of one choice of the members that are 0 */
        mip_search_adopt(s, s->point, value);
        if (n->bound >= s->best.value - mip_search_gap(s)) return ended(v, VOUCH_NODE_INTEGER);
    }
    s->end.unproved = true;
    return ended(v, VOUCH_NODE_LIMIT);
}

/* The rounds of cuts, once, at the root. */
static visit_step separate(visit *v)
{
    mip_search *s = v->s;
    relax_end end;
    if (v->n->depth > 0 || !s->options->cuts || s->root.cut) return STEP_ON;
    s->root.cut = true;
    if (s->options->heuristics && s->owner->improve && !s->best.found) (void)heuristic_jump(s);
    if (cut_root(s, &end)) {
        s->root.solved = false; /* the root's figures are those with the cuts */
        return STEP_AGAIN;
    }
    if (end == RELAX_STOPPED) return stopped(v);
    if (end == RELAX_CUTOFF) return cut_off(v);
    return ended(v, end == RELAX_INFEASIBLE ? VOUCH_NODE_INFEASIBLE : VOUCH_NODE_LIMIT);
}

static visit_step fix(visit *v)
{
    int fixed;
    if (!fix_by_costs(v->s, &fixed)) return cut_off(v);
    return fixed > 0 && fix_moved_point(v->s) ? STEP_AGAIN : STEP_ON;
}

static void improve(mip_search *s, long long iteration_budget)
{
    if (s->best.found && s->owner->improve) s->owner->improve(s, iteration_budget);
}

static void run_heuristics(mip_search *s, const mip_node *n)
{
    heuristic_suggest(s);
    if (!s->options->heuristics) return;
    heuristic_round(s);
    bool root = n->depth == 0;
    if (!root && s->tree.nodes % DIVE_EVERY != 0) return;
    long long spent = s->heuristic_iterations, all = s->lp.relax.iterations;
    if (!root && spent > (s->best.found ? all / 5 : all / 2)) return;
    long long budget = all / 4 + 1000;
    if (root) {
        for (int rule = 0; rule < DIVE_RULES && !s->end.stopped; rule++) heuristic_dive(s, (dive_rule)rule, budget);
        if (!s->end.stopped) improve(s, budget);
    } else if (s->tree.nodes % IMPROVE_EVERY == 0) {
        improve(s, budget);
    } else {
        heuristic_dive(s, (dive_rule)(s->tree.nodes / DIVE_EVERY % DIVE_RULES), budget);
    }
}

static visit_step search_points(visit *v)
{
    mip_search *s = v->s;
    double since = trace_start(s->options->trace);
    if (!v->searched) run_heuristics(s, v->n);
    trace_stop(s->options->trace, KERNEL_heuristics, since);
    v->searched = true;
    if (s->end.stopped) return ended(v, VOUCH_NODE_LIMIT);
    bool within_gap = s->best.found && v->n->bound >= s->best.value - mip_search_gap(s);
    return v->n->bound >= s->best.cutoff || within_gap ? ended(v, VOUCH_NODE_BOUND) : STEP_ON;
}

/* At the root: what is left may be worth a program of its own. */
static visit_step restart(visit *v)
{
    mip_search *s = v->s;
    if (v->n->depth > 0 || !s->owner->restarts || !s->best.found || !s->root.solved) return STEP_ON;
    if (!restart_pays(s)) return STEP_ON;
    s->end.restart = true;
    return stopped(v);
}

static visit_step branch(visit *v)
{
    mip_search *s = v->s;
    int col;
    bool up_first;
    if (v->set >= 0) {
        branch_on_set(s, v->n, v->set, v->out);
        return ended(v, VOUCH_NODE_BRANCHED);
    }
    switch (branch_select(s, v->n, &col, &up_first)) {
    case BRANCH_STOPPED:
        return stopped(v);
    case BRANCH_INFEASIBLE:
        closed_debug_check(s, v->held, s->best.cutoff);
        return ended(v, VOUCH_NODE_INFEASIBLE);
    case BRANCH_TIGHTENED:
        v->tightened++;
        return STEP_AGAIN;
    case BRANCH_COLUMN:
        break;
    }
    if (v->tightened >= MANY_TIGHTENED && v->n->depth == 0) { /* the root's point has moved */
        v->tightened = 0;
        v->searched = false;
        return STEP_AGAIN;
    }
    branch_on_column(s, v->n, col, s->lp.x[col], up_first, v->out);
    return ended(v, VOUCH_NODE_BRANCHED);
}

vouch_node_end process_node(mip_search *s, mip_node *n, mip_node *out[2])
{
    static visit_step (*const chain[])(visit *) = {relax_node, close_integral, separate, fix, search_points, restart, branch};
    visit v = {.s = s, .n = n, .out = out, .set = -1, .held = holds_debug(s)};
    for (size_t k = 0;;) {
        CHECK(k < sizeof chain / sizeof *chain); /* the last step never says: go on */
        switch (chain[k](&v)) {
        case STEP_ON:
            k++;
            break;
        case STEP_AGAIN:
            k = 0;
            break;
        case STEP_ENDED:
            return v.end;
        }
    }
}
