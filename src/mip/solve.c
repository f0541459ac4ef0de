/* mip/solve.c - one solve: presolve, a table for single rows, the search, and the root again where it has become smaller. */
#include "mip/solve.h"

#include <math.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/trace.h"
#include "mip/knapsack.h"
#include "mip/parallel.h"
#include "mip/presolve.h"
#include "mip/restart.h"

double mip_gap_of(const vouch_mip *p, double value)
{
    double asked = fmax(p->options->gap_absolute, p->options->gap_relative * fmax(1, fabs(value)));
    return fmax(asked, 2 * MIP_CUTOFF * (1 + fabs(value)));
}

static vouch_mip_outcome outcome_of(const vouch_mip *p, const mip_search *s, double bound)
{
    if (s->end.unbounded) return VOUCH_MIP_UNBOUNDED;
    CHECK(!isnan(bound) && !(s->end.complete && s->end.stopped));
    if (p->has_x && p->value - bound <= mip_gap_of(p, p->value)) return VOUCH_MIP_OPTIMAL;
    if (s->end.complete) return p->has_x ? VOUCH_MIP_NUMERICAL : VOUCH_MIP_INFEASIBLE;
    if (deadline_interrupted(s->clock)) return VOUCH_MIP_INTERRUPTED;
    return s->end.stopped ? VOUCH_MIP_LIMIT : VOUCH_MIP_NUMERICAL;
}

/* The reduced program if it is a single row that a table solves; true: *out says so, as one node. */
static bool solve_row(vouch_mip *p, const mip_model *m, mip_summary *out, vouch_status *status)
{
    const mip_owner owner = p->owner;
    double *x = p->scratch + p->model.n, value = INFINITY;
    knapsack_end end = p->options->presolve ? mip_knapsack(m, p->clock, x) : KNAPSACK_NONE;
    if (end == KNAPSACK_MEMORY) *status = VOUCH_ERROR_MEMORY;
    if (end == KNAPSACK_OPTIMAL && !owner.accept(p, x, &value)) end = KNAPSACK_NONE;
    if (end == KNAPSACK_NONE || end == KNAPSACK_MEMORY) return end == KNAPSACK_MEMORY;
    bool optimal = end == KNAPSACK_OPTIMAL;
    *out = (mip_summary){.outcome = optimal ? VOUCH_MIP_OPTIMAL : VOUCH_MIP_INFEASIBLE, .bound = value, .nodes = 1};
    if (!optimal && p->has_x) out->outcome = VOUCH_MIP_NUMERICAL; /* a checked point contradicts it */
    if (owner.ended) owner.ended(p, &(mip_node){.id = 1}, value, optimal ? VOUCH_NODE_INTEGER : VOUCH_NODE_INFEASIBLE);
    log_line(&p->options->log, VOUCH_LOG_INFO, "one row: %s", optimal ? "solved by states" : "ruled out by residues");
    return true;
}

/* Begins the search s of the reduced program, with what is known; debug: [n] room. */
static vouch_status begin(vouch_mip *p, mip_search *s, mip_owner *owner, double *debug)
{
    const mip_model *m = &p->reduced->model;
    *owner = p->owner;
    if (p->options->debug_solution && debug) { /* presolve keeps an optimum, not every one */
        mip_presolved_restrict(p->reduced, p->options->debug_solution, debug);
        if (mip_model_feasible(m, debug, p->options->integrality_tol)) owner->debug = debug;
    }
    vouch_status status = mip_search_init(s, m, p->options, p->clock, owner);
    if (status != VOUCH_OK || !p->has_x) return status;
    mip_presolved_restrict(p->reduced, p->x, p->scratch);
    mip_search_adopt(s, p->scratch, p->value);
    return VOUCH_OK;
}

static void log_size(const vouch_mip *p, const char *what, const mip_presolved *reduced)
{
    const mip_model *m = &reduced->model;
    log_line(&p->options->log, VOUCH_LOG_INFO, "%s: %d rows, %d columns, %lld entries, %d coefficients tightened", what, m->m, m->n,
             (long long)(reduced->infeasible ? 0 : m->col_start[m->n]), reduced->rows_tightened);
}

/* Searches the reduced program, and what is left of it whenever the root is started again. s: [2], the last one is *last. */
static vouch_status search(vouch_mip *p, mip_presolved *reduced, mip_owner *owner, double *debug, mip_search *s, int *last)
{
    vouch_status status = begin(p, &s[0], owner, debug);
    *last = 0;
    if (status == VOUCH_OK) status = mip_tree_search(&s[0]);
    while (status == VOUCH_OK && s[*last].end.restart) {
        mip_search *from = &s[*last], *to = &s[1 - *last];
        mip_presolved again;
        status = restart_presolve(&again, reduced, from);
        if (status != VOUCH_OK) break;
        log_size(p, "started again", &again);
        if (again.infeasible) { /* nothing is better than what is known */
            mip_presolved_free(&again);
            restart_conclude(from);
            break;
        }
        mip_presolved_free(reduced);
        *reduced = again;
        status = begin(p, to, owner, debug);
        *last = 1 - *last;
        if (status == VOUCH_OK) restart_continue(to, from);
        mip_search_free(from);
        if (status == VOUCH_OK) status = mip_tree_search(to);
    }
    return status;
}

static void summarise(const vouch_mip *p, const mip_search *s, mip_summary *out)
{
    *out = (mip_summary){.bound = mip_search_bound(s), .nodes = s->tree.nodes, .iterations = s->lp.relax.iterations};
    MEM_COPY(out->cut_rows, s->root.cut_rows, VOUCH_MIP_FAMILIES);
    out->outcome = outcome_of(p, s, out->bound);
    log_line(&p->options->log, VOUCH_LOG_INFO,
             "%lld nodes, %lld iterations (%lld to choose branchings, %lld in heuristics), %lld relaxations", s->tree.nodes,
             s->lp.relax.iterations, s->strong_iterations, s->heuristic_iterations, s->lp.relax.solves);
}

vouch_status mip_solve_model(vouch_mip *p, mip_summary *out)
{
    const vouch_mip_options *o = p->options;
    mip_presolved reduced;
    static const mip_search none;
    mip_search s[2] = {none, none};
    mip_owner owner;
    double *debug = NULL;
    *out = (mip_summary){.outcome = VOUCH_MIP_UNSOLVED, .bound = -INFINITY};
    double since = trace_start(o->trace);
    vouch_status status = mip_presolve(&reduced, &p->model, o->presolve, p->clock);
    trace_stop(o->trace, KERNEL_presolve, since);
    if (status != VOUCH_OK) return status;
    bool within = trace_within(o->trace, true); /* of the programs solved on the way only some are told */
    p->reduced = &reduced;
    log_line(&o->log, VOUCH_LOG_INFO, "%d rows, %d columns, %lld entries", p->model.m, p->model.n,
             (long long)p->model.col_start[p->model.n]);
    log_size(p, "presolved", &reduced);
    if (reduced.infeasible) {
        out->outcome = VOUCH_MIP_INFEASIBLE;
        if (p->has_x) out->outcome = VOUCH_MIP_NUMERICAL; /* a checked point contradicts it */
    } else if (!solve_row(p, &reduced.model, out, &status)) {
        int last;
        debug = o->debug_solution ? MEM_NEW(double, reduced.model.n) : NULL;
        status = search(p, &reduced, &owner, debug, s, &last);
        if (status == VOUCH_OK) summarise(p, &s[last], out);
        mip_search_free(&s[last]);
    }
    (void)trace_within(o->trace, within);
    mem_free(debug);
    mip_presolved_free(&reduced);
    p->reduced = NULL;
    return status;
}

settlement mip_inhabited(void *context, const double *lower, const double *upper)
{
    vouch_mip *p = context;
    mip_model whole = p->model, *m = &p->model;
    const mip_presolved *reduced = p->reduced;
    bool had_x = p->has_x;
    mip_summary found = {.outcome = VOUCH_MIP_UNSOLVED};
    double *x = MEM_NEW(double, m->n);
    m->cost = MEM_ZERO(double, m->n);
    m->lower = MEM_NEW(double, m->n);
    m->upper = MEM_NEW(double, m->n);
    m->offset = 0;
    if (x && m->cost && m->lower && m->upper) {
        MEM_COPY(x, p->x, m->n);
        MEM_COPY(m->lower, whole.lower, m->n);
        MEM_COPY(m->upper, whole.upper, m->n);
        for (int j = 0; j < reduced->model.n; j++) {
            m->lower[reduced->col_of[j]] = fmax(whole.lower[reduced->col_of[j]], lower[j]);
            m->upper[reduced->col_of[j]] = fmin(whole.upper[reduced->col_of[j]], upper[j]);
        }
        p->has_x = false;
        p->value = INFINITY;
        if (mip_solve_model(p, &found) != VOUCH_OK) p->out_of_memory = true, found.outcome = VOUCH_MIP_UNSOLVED;
        p->nested_nodes += found.nodes;
        p->nested_iterations += found.iterations;
    } else {
        p->out_of_memory = true;
    }
    bool has_point = p->has_x;
    mem_free(m->cost);
    mem_free(m->lower);
    mem_free(m->upper);
    *m = whole;
    p->reduced = reduced;
    if (!has_point && had_x) MEM_COPY(p->x, x, m->n);
    p->has_x = has_point || had_x;
    p->value = p->has_x ? mip_model_objective(m, p->x) : INFINITY;
    mem_free(x);
    if (has_point) return SETTLED_OPTIMAL;
    if (found.outcome == VOUCH_MIP_LIMIT || found.outcome == VOUCH_MIP_INTERRUPTED) return SETTLED_STOPPED;
    return found.outcome == VOUCH_MIP_INFEASIBLE ? SETTLED_INFEASIBLE : SETTLED_UNKNOWN;
}
