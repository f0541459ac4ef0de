/* mip/tree.c - the loop of branch and bound.
 *
 *     while a node is open:  take one (a child of the last if there is one: plunging; else the one of least bound),
 *                            bounds -> propagate -> process.c -> its children
 *
 * Every closed node has a reason, and the least bound of what was closed within the gap is kept, so that the bound reported
 * holds whenever the search stops. Source: T. Achterberg, Constraint Integer Programming (2007), chapters 2, 5, 6.
 */
#include "mip/tree.h"

#include <math.h>
#include <stdio.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/trace.h"
#include "mip/fix.h"
#include "mip/process.h"

enum { LEAST_PLUNGE = 10, SECONDS_BETWEEN_REPORTS = 1 };

static bool apply_changes(mip_search *s, const bound_change *c, int count)
{
    for (int k = 0; k < count; k++)
        if (!domain_set_lower(&s->dom, c[k].col, c[k].lower) || !domain_set_upper(&s->dom, c[k].col, c[k].upper)) return false;
    return true;
}

/* n and its ancestors, from the root down: s->tree.path, [n->depth + 1]. False: memory. */
static bool list_path(mip_search *s, const mip_node *n)
{
    size_t count = (size_t)n->depth + 1;
    if (count > s->tree.path_capacity) {
        if (MEM_RESIZE(&s->tree.path, 2 * count)) return s->end.memory = true, false;
        s->tree.path_capacity = 2 * count;
    }
    for (const mip_node *q = n; q; q = q->parent) s->tree.path[q->depth] = q;
    return true;
}

/* Their changes. */
static bool apply_path(mip_search *s, const mip_node *n)
{
    if (!list_path(s, n)) return false;
    for (int k = 0; k <= n->depth; k++) {
        const mip_node *q = s->tree.path[k];
        if (!apply_changes(s, q->change, q->changes) || !apply_changes(s, q->deduced, q->deductions)) return false;
    }
    return true;
}

/* The permutations of the columns, when first asked for: small trees do without. */
static const symmetry *group_of(mip_search *s)
{
    search_symmetry *y = &s->symmetry;
    if (y->sought) return y->group;
    y->sought = true;
    if (!s->options->symmetry || s->owner->debug) return NULL; /* of the debug solution an image may be kept */
    y->group = y->own = symmetry_find(s->model);
    if (y->own)
        log_line(&s->options->log, VOUCH_LOG_INFO, "symmetry: %d generators, %d permutations of %d integer columns",
                 y->own->generators, y->own->count, y->own->columns);
    return y->group;
}

/* Takes from the node points that have an image elsewhere. */
static bool spare_images(mip_search *s, const mip_node *n)
{
    search_symmetry *y = &s->symmetry;
    const symmetry *g = n->depth > 0 ? group_of(s) : NULL;
    int count = 0;
    if (!g) return true;
    if (!list_path(s, n)) return false;
    for (int k = 1; k <= n->depth; k++) {
        CHECK_COMPARE(s->tree.path[k]->changes, ==, 1); /* without sets it was a column */
        int j = s->tree.path[k]->change[0].col;
        if (g->index[j] < 0 || y->listed[j]) continue;
        y->listed[j] = true;
        y->order[count++] = j;
    }
    for (int k = 0; k < count; k++) y->listed[y->order[k]] = false;
    return symmetry_reduce(g, &s->dom, y->order, count);
}

/* Brings domain and basis to the node. plunged: they are its parent's. */
static bool enter(mip_search *s, const mip_node *n, bool plunged)
{
    if (!plunged) {
        domain_undo(&s->dom, 0);
        if (s->root.news && !fix_by_root_costs(s)) return false;
        relax_set_basis(&s->lp.relax, n->basis);
    }
    bool alive = plunged ? apply_changes(s, n->change, n->changes) : apply_path(s, n);
    return alive && domain_propagate(&s->dom) && spare_images(s, n);
}

static void end_node(mip_search *s, const mip_node *n, double bound, vouch_node_end end)
{
    if (s->owner->ended) s->owner->ended(s->owner->context, n, bound, end);
}

static void report(mip_search *s)
{
    if (!log_wants(&s->options->log, VOUCH_LOG_INFO)) return;
    double now = clock_seconds() - s->clock->start;
    if (now < s->tree.next_report && !log_due(s->tree.nodes)) return;
    s->tree.next_report = now + SECONDS_BETWEEN_REPORTS;
    double bound = mip_search_bound(s);
    double gap = s->best.found ? 100 * fabs(s->best.value - bound) / fmax(1, fabs(s->best.value)) : INFINITY;
    char best[32] = "none";
    if (s->best.found) format_text(best, sizeof best, "%.9g", mip_model_tell(s->model, s->best.value));
    log_line(&s->options->log, VOUCH_LOG_INFO, "%9lld %9zu  %14s  %14.9g  %8.4f  %10lld  %7.1f", s->tree.nodes,
             s->tree.open.nodes.count, best, mip_model_tell(s->model, bound), gap, s->lp.relax.iterations, now);
}

/* What those lines say. */
static void explain_log(const vouch_log *log)
{
    static const char *const lines[] = {
        "nodes        parts of the problem that are settled; a line at 1, 2, 4, 8 and so on, and each second",
        "open         parts that wait",
        "best         objective of the best point found, bound: what no point can be better than; the search ends where they meet",
        "gap          their distance in percent of the best",
        "pivots       of all relaxations",
        "    nodes      open            best           bound       gap      pivots  seconds"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) log_line(log, VOUCH_LOG_INFO, "%s", lines[i]);
}

static void record_moment(const mip_search *s)
{
    vouch_trace *t = s->options->trace;
    if (!trace_open(t, TRACE_MOMENT, s->tree.nodes, "moment")) return;
    trace_int(t, "n", s->tree.nodes);
    trace_int(t, "w", s->lp.relax.iterations);
    trace_real(t, "b", mip_model_tell(s->model, mip_search_bound(s)));
    trace_real(t, "inc", mip_model_tell(s->model, s->best.value));
    trace_close(t);
}

void mip_tree_push(mip_search *s, mip_node *n)
{
    if (!n) return;
    CHECK(n->references == 1);
    if (n->bound >= s->best.cutoff) {
        s->tree.closed = fmin(s->tree.closed, n->bound);
        node_release(n);
    } else if (node_queue_push(&s->tree.open, n) != 0) {
        s->end.memory = true;
        s->tree.closed = fmin(s->tree.closed, n->bound);
        node_release(n);
    }
}

static bool worth_plunging(const mip_search *s, const mip_node *n, int depth)
{
    if (!n) return false;
    if (depth < LEAST_PLUNGE) return true;
    if (depth >= LEAST_PLUNGE + s->model->n) return false; /* general integers can go on without end */
    if (!s->best.found) return true;
    double least = fmin(node_queue_bound(&s->tree.open), n->bound);
    return n->bound <= least + PLUNGE_PART * (s->best.cutoff - least);
}

/* n has ended: what it leaves to the bound. */
static void account(mip_search *s, const mip_node *n, vouch_node_end end)
{
    search_tree *t = &s->tree;
    t->nodes++;
    end_node(s, n, end == VOUCH_NODE_INFEASIBLE ? INFINITY : n->bound, end);
    if (end == VOUCH_NODE_BOUND || end == VOUCH_NODE_INTEGER || end == VOUCH_NODE_LIMIT) t->closed = fmin(t->closed, n->bound);
    if (!s->best.found) return;
    if (end == VOUCH_NODE_INFEASIBLE) t->closed = fmin(t->closed, s->best.cutoff); /* propagation knows the cutoff */
    if (end == VOUCH_NODE_INTEGER) t->closed = fmin(t->closed, s->best.value);
}

/* The preferred child if it is worth it: domain and basis are its parent's (*plunge > 0 counts how long already). NULL: the queue
 * has what is next. */
static mip_node *choose_next(mip_search *s, mip_node *children[2], int *plunge)
{
    CHECK(!children[1] || !children[0] || children[0]->depth == children[1]->depth);
    ++*plunge;
    if (worth_plunging(s, children[0], *plunge) && children[0]->bound < s->best.cutoff) {
        mip_tree_push(s, children[1]);
        return children[0];
    }
    *plunge = 0;
    mip_tree_push(s, children[0]);
    mip_tree_push(s, children[1]);
    return NULL;
}

/* Works on n and lets it go; the node to work on next. */
static mip_node *work_on(mip_search *s, mip_node *n, int *plunge)
{
    mip_node *children[2] = {NULL, NULL};
    vouch_node_end end = VOUCH_NODE_INFEASIBLE;
    s->tree.hot = n;
    if (enter(s, n, *plunge > 0))
        end = process_node(s, n, children);
    else if (s->end.memory)
        end = VOUCH_NODE_LIMIT;
    s->tree.hot = NULL;
    s->end.memory = s->end.memory || s->dom.failed || s->lp.relax.out_of_memory;
    if (!s->end.restart) account(s, n, end); /* else the root of the smaller program counts */
    for (int k = 0; k < 2; k++)
        if (children[k]) children[k]->bound = fmax(children[k]->bound, n->bound);
    node_release(n);
    if (!mip_search_must_stop(s)) return choose_next(s, children, plunge);
    mip_tree_push(s, children[0]);
    mip_tree_push(s, children[1]);
    return NULL;
}

/* Within the gap there is nothing more to find. */
static bool queue_is_done(const mip_search *s)
{
    double bound = node_queue_bound(&s->tree.open);
    return s->tree.open.nodes.count == 0 || (s->best.found && bound >= s->best.value - mip_search_gap(s));
}

bool mip_tree_done(const mip_search *s, const tree_walk *w) { return !w->next && queue_is_done(s); }

void mip_tree_report(mip_search *s, const tree_walk *w)
{
    s->tree.hot = w->next; /* what is about to be worked on counts for the bound */
    report(s);
    if (trace_on(s->options->trace)) record_moment(s);
    s->tree.hot = NULL;
}

static void take_next(mip_search *s, tree_walk *w)
{
    if (w->next || s->end.stopped || s->end.memory || queue_is_done(s)) return;
    w->next = node_queue_pop(&s->tree.open);
    w->plunge = 0;
}

void mip_tree_walk(mip_search *s, tree_walk *w, long long nodes, long long iterations)
{
    for (take_next(s, w); w->next && !s->end.memory && !s->end.stopped; take_next(s, w)) {
        if ((nodes > 0 && s->tree.nodes >= nodes) || (iterations > 0 && s->lp.relax.iterations >= iterations)) return;
        w->next = work_on(s, w->next, &w->plunge);
        if (s->tree.id_step == 1) mip_tree_report(s, w); /* else whoever runs the searches does */
    }
}

vouch_status mip_tree_begin(mip_search *s, tree_walk *w)
{
    *w = (tree_walk){node_new(NULL, ++s->tree.ids, NULL, 0), 0};
    if (!w->next) return VOUCH_ERROR_MEMORY;
    w->next->bound = s->root.value; /* of an earlier root */
    explain_log(&s->options->log);
    node_queue_init(&s->tree.open, LEAST_PLUNGE + 2 * s->model->n);
    domain_queue_all(&s->dom);
    if (domain_propagate(&s->dom)) {
        s->dom.trail = 0;
        return VOUCH_OK;
    }
    account(s, w->next, VOUCH_NODE_INFEASIBLE);
    node_release(w->next);
    w->next = NULL;
    return VOUCH_OK;
}
