/* mip/mip.c - the public face: the caller's problem, the incumbent checked on it, and what was proved. See vouch/mip.h. */
#include <math.h>
#include <vouch/mip.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/trace.h"
#include "mip/rins.h"
#include "mip/solve.h"

vouch_status vouch_mip_new(vouch_mip **mip, const vouch_lp *problem)
{
    if (mip) *mip = NULL;
    if (!mip || !problem) return VOUCH_ERROR_ARGUMENT;
    vouch_mip *p = MEM_ZERO(vouch_mip, 1);
    if (!p) return VOUCH_ERROR_MEMORY;
    vouch_status status = mip_model_build(&p->model, problem);
    p->x = MEM_NEW(double, vouch_lp_cols(problem));
    p->scratch = MEM_NEW(double, 2 * (size_t)vouch_lp_cols(problem));
    if (status != VOUCH_OK || !p->x || !p->scratch) {
        vouch_mip_free(p);
        return VOUCH_ERROR_MEMORY;
    }
    p->result = (vouch_mip_result){.objective = NAN, .bound = p->model.negated ? INFINITY : -INFINITY};
    *mip = p;
    return VOUCH_OK;
}

void vouch_mip_free(vouch_mip *mip)
{
    if (!mip) return;
    mip_model_free(&mip->model);
    mem_free(mip->x);
    mem_free(mip->scratch);
    mem_free(mip);
}

void vouch_mip_get_result(const vouch_mip *mip, vouch_mip_result *result)
{
    if (result) *result = mip ? mip->result : (vouch_mip_result){0};
}

/* The one door through which a point becomes the incumbent: the caller's rows, bounds and integers are checked. */
static bool accept_original(vouch_mip *p, const double *x, double *value)
{
    CHECK(p->options && p->model.n >= 0);
    if (!mip_model_feasible(&p->model, x, p->options->integrality_tol)) return false;
    *value = mip_model_objective(&p->model, x);
    if (*value < p->value || !p->has_x) {
        for (int j = 0; j < p->model.n; j++) p->x[j] = x[j] + 0.0; /* no -0 */
        p->value = *value;
        p->has_x = true;
    }
    return true;
}

static bool accept(void *context, const double *reduced, double *value)
{
    vouch_mip *p = context;
    mip_presolved_expand(p->reduced, reduced, p->scratch);
    return accept_original(p, p->scratch, value);
}

static bool suggest(void *context, const double *reduced, double *out, double *value)
{
    vouch_mip *p = context;
    double *candidate = p->scratch + p->model.n;
    mip_presolved_expand(p->reduced, reduced, p->scratch);
    if (!p->options->heuristic(p->options->heuristic_context, p->scratch, candidate)) return false;
    for (int j = 0; j < p->model.n; j++)
        if (p->model.integer[j]) candidate[j] = round(candidate[j]);
    if (!accept_original(p, candidate, value)) return false;
    mip_presolved_restrict(p->reduced, candidate, out);
    return true;
}

/* Fixes the integer columns of x, and the members of sets that are 0, and optimises the others on the caller's
 * rows. OPTIMAL: x is the result. */
static vouch_lp_outcome complete(vouch_mip *p, double *x)
{
    const mip_model *m = &p->model;
    vouch_lp *lp = NULL;
    vouch_lp_outcome outcome = VOUCH_LP_NUMERICAL;
    bool fits = mip_model_to_lp(m, &lp) == VOUCH_OK;
    p->out_of_memory = p->out_of_memory || !fits;
    if (!fits) return outcome;
    for (int j = 0; j < m->n; j++)
        if (m->integer[j]) fits = vouch_lp_set_col_bounds(lp, j, round(x[j]), round(x[j])) == VOUCH_OK && fits;
    for (int k = 0; m->sets > 0 && k < m->set_start[m->sets]; k++)
        if (fabs(x[m->set_col[k]]) <= p->options->integrality_tol)
            fits = vouch_lp_set_col_bounds(lp, m->set_col[k], 0, 0) == VOUCH_OK && fits;
    vouch_lp_options o = p->options->lp;
    o.limits = deadline_left(p->clock);
    o.limits.iterations = 0;
    o.log = (vouch_log){0};
    /* sharper first: the tolerances of the search have been spent on its own rows */
    o.feasibility_tol = fmin(o.feasibility_tol, MIP_COMPLETION);
    for (int round = 0; fits && round < 2 && outcome == VOUCH_LP_NUMERICAL; round++) {
        vouch_lp_result r;
        p->out_of_memory = vouch_lp_solve(lp, &o) != VOUCH_OK || p->out_of_memory;
        if (p->out_of_memory) break;
        vouch_lp_get_result(lp, &r);
        outcome = r.outcome;
        for (int j = 0; outcome == VOUCH_LP_OPTIMAL && j < m->n; j++) x[j] = m->integer[j] ? nearbyint(r.x[j]) : r.x[j];
        o.feasibility_tol = p->options->lp.feasibility_tol;
        vouch_lp_forget_basis(lp);
    }
    vouch_lp_free(lp);
    return outcome;
}

static settlement settle(void *context, const double *reduced, double *out, double *value)
{
    vouch_mip *p = context;
    double *x = p->scratch;
    mip_presolved_expand(p->reduced, reduced, x);
    for (int j = 0; j < p->model.n; j++)
        if (p->model.integer[j]) x[j] = round(x[j]);
    settlement none = SETTLED_INFEASIBLE;
    if (mip_model_has_continuous(&p->model)) {
        if (p->model.sets > 0) none = SETTLED_UNKNOWN; /* their zeros are a choice */
        vouch_lp_outcome end = complete(p, x);
        if (end == VOUCH_LP_INFEASIBLE) return none;
        if (end != VOUCH_LP_OPTIMAL) return SETTLED_UNKNOWN;
        none = SETTLED_UNKNOWN;
    }
    if (!accept_original(p, x, value)) return none;
    mip_presolved_restrict(p->reduced, x, out);
    return p->model.sets > 0 ? SETTLED_UNKNOWN : SETTLED_OPTIMAL;
}

static void record_node(const vouch_mip *p, const vouch_mip_node *n)
{
    vouch_trace *t = p->options->trace;
    static const trace_tally tally[] = {[VOUCH_NODE_BRANCHED] = TALLY_divided,
                                        [VOUCH_NODE_BOUND] = TALLY_by_bound,
                                        [VOUCH_NODE_INFEASIBLE] = TALLY_empty,
                                        [VOUCH_NODE_INTEGER] = TALLY_solved,
                                        [VOUCH_NODE_LIMIT] = TALLY_unfinished};
    trace_count(t, tally[n->end], 1);
    if (!trace_open(t, TRACE_NODE, 0, "node")) return;
    trace_int(t, "id", n->id);
    trace_int(t, "up", n->parent);
    if (n->column >= 0) {
        trace_int(t, "col", n->column);
        trace_real(t, "lower", n->lower);
        trace_real(t, "upper", n->upper);
    }
    trace_real(t, "b", n->bound);
    trace_real(t, "inc", !p->has_x ? NAN : mip_model_tell(&p->model, p->value));
    trace_int(t, "end", n->end);
    trace_close(t);
}

static void ended(void *context, const mip_node *n, double bound, vouch_node_end end)
{
    vouch_mip *p = context;
    vouch_mip_node report = {.id = n->id,
                             .parent = n->parent ? n->parent->id : 0,
                             .depth = n->depth,
                             .column = -1,
                             .lower = -INFINITY,
                             .upper = INFINITY,
                             .bound = mip_model_tell(&p->model, bound),
                             .end = end};
    if (n->changes > 0) {
        report.column = p->reduced->col_of[n->change[0].col];
        report.lower = n->change[0].lower;
        report.upper = n->change[0].upper;
    }
    record_node(p, &report);
    if (!p->options->on_node) return;
    if (!p->is_copy)
        p->options->on_node(p->options->on_node_context, &report);
    else if (MEM_RESERVE(&p->reports, &p->report_capacity, p->report_count))
        p->out_of_memory = true;
    else
        p->reports[p->report_count++] = report;
}

/* ---- copies for searches on other threads: the model is shared and stays as it is, the point is each one's own ------------- */

static void release_copy(void *copy)
{
    vouch_mip *q = copy;
    mem_free(q->x);
    mem_free(q->scratch);
    mem_free(q->reports);
    mem_free(q);
}

static void *fork_owner(void *context)
{
    const vouch_mip *p = context;
    vouch_mip *q = MEM_NEW(vouch_mip, 1);
    if (!q) return NULL;
    *q = *p;
    q->is_copy = true;
    q->x = MEM_NEW(double, p->model.n);
    q->scratch = MEM_NEW(double, 2 * (size_t)p->model.n);
    if (!q->x || !q->scratch) {
        release_copy(q);
        return NULL;
    }
    MEM_COPY(q->x, p->x, p->has_x ? p->model.n : 0);
    return q;
}

static void exchange_points(void *context, void *copy)
{
    vouch_mip *p = context, *q = copy;
    bool from_copy = q->has_x && (!p->has_x || q->value < p->value);
    vouch_mip *from = from_copy ? q : p, *to = from_copy ? p : q;
    if (from->has_x) {
        MEM_COPY(to->x, from->x, p->model.n);
        to->value = from->value;
        to->has_x = true;
    }
    for (size_t k = 0; k < q->report_count; k++) p->options->on_node(p->options->on_node_context, &q->reports[k]);
    q->report_count = 0;
    p->out_of_memory = p->out_of_memory || q->out_of_memory;
}

static mip_owner owner_of(vouch_mip *p)
{
    const vouch_mip_options *o = p->options;
    return (mip_owner){.context = p,
                       .accept = accept,
                       .settle = settle,
                       .inhabited = mip_inhabited,
                       .suggest = o->heuristic ? suggest : NULL,
                       .improve = heuristic_rins,
                       .restarts = o->presolve && o->heuristics,
                       .fork = o->heuristic ? NULL : fork_owner, /* the caller's heuristic is asked by one thread */
                       .exchange = exchange_points,
                       .release = release_copy,
                       .ended = o->on_node || o->trace ? ended : NULL};
}

/* The incumbent's continuous columns once more on the caller's rows: those of the search carry the tolerances of
 * tightened bounds and cuts. Sharper rows may cost part of the gap; false: they cost more, and p->scratch is the sharper point. */
static bool polish(vouch_mip *p, double bound)
{
    if (!p->has_x || !mip_model_has_continuous(&p->model) || deadline_expired(p->clock)) return true;
    MEM_COPY(p->scratch, p->x, p->model.n);
    if (complete(p, p->scratch) != VOUCH_LP_OPTIMAL) return true;
    double value = mip_model_objective(&p->model, p->scratch), gap = p->value - bound;
    if (!mip_model_feasible(&p->model, p->scratch, p->options->integrality_tol)) return true;
    if (!(value <= fmax(p->value, bound + fmax(gap, mip_gap_of(p, value))))) return false;
    for (int j = 0; j < p->model.n; j++) p->x[j] = p->scratch[j] + 0.0;
    p->value = value;
    return true;
}

/* In rows of small coefficients the tolerance can be worth more than the gap: the search again with the sharper tolerance of
 * complete() and from its point. Its answer counts if it is optimal; else that of the first search stays, as within tolerances. */
static vouch_status search_sharper(vouch_mip *p, vouch_mip_options *o, mip_summary *sum)
{
    double *known = MEM_NEW(double, p->model.n), value = p->value, tolerance = o->lp.feasibility_tol, sharp;
    mip_summary again;
    if (!known) return VOUCH_ERROR_MEMORY;
    MEM_COPY(known, p->x, p->model.n);
    p->has_x = false;
    p->owner.ended = NULL; /* the log has the first tree */
    o->lp.feasibility_tol = fmin(tolerance, MIP_COMPLETION);
    bool accepted = accept_original(p, p->scratch, &sharp);
    vouch_status status = mip_solve_model(p, &again);
    if (status == VOUCH_OK && again.outcome == VOUCH_MIP_OPTIMAL && accepted && polish(p, again.bound)) {
        p->nested_nodes += sum->nodes;
        p->nested_iterations += sum->iterations;
        *sum = again;
    } else {
        MEM_COPY(p->x, known, p->model.n);
        p->value = value;
    }
    p->has_x = true;
    o->lp.feasibility_tol = tolerance;
    mem_free(known);
    return status;
}

vouch_status vouch_mip_solve(vouch_mip *p, const vouch_mip_options *given)
{
    if (!p) return VOUCH_ERROR_ARGUMENT;
    vouch_mip_options options;
    vouch_mip_options_init(&options);
    if (given) options = *given;
    deadline clock = deadline_start(&options.limits);
    p->options = &options;
    p->clock = &clock;
    p->owner = owner_of(p);
    p->nested_nodes = p->nested_iterations = 0;
    p->has_x = p->out_of_memory = false;
    p->value = INFINITY;
    double value = 0;
    mip_summary sum;
    for (int j = 0; options.start && j < p->model.n; j++)
        p->scratch[j] = p->model.integer[j] ? round(options.start[j]) : options.start[j];
    if (options.start && !accept_original(p, p->scratch, &value))
        log_line(&options.log, VOUCH_LOG_INFO, "the starting point is not feasible and is ignored");
    vouch_status status = mip_solve_model(p, &sum);
    if (sum.outcome == VOUCH_MIP_UNBOUNDED) sum.bound = -INFINITY;
    if (sum.outcome == VOUCH_MIP_INFEASIBLE) sum.bound = INFINITY;
    if (status == VOUCH_OK && !polish(p, sum.bound) && sum.outcome == VOUCH_MIP_OPTIMAL) status = search_sharper(p, &options, &sum);
    if (p->out_of_memory) status = VOUCH_ERROR_MEMORY;
    if (p->has_x) sum.bound = fmin(sum.bound, p->value);
    CHECK(!p->has_x || mip_model_feasible(&p->model, p->x, options.integrality_tol)); /* the incumbent, on the caller's data */
    CHECK(sum.outcome == VOUCH_MIP_OPTIMAL ? p->has_x : sum.outcome != VOUCH_MIP_INFEASIBLE || !p->has_x);
    p->result = (vouch_mip_result){.outcome = sum.outcome,
                                   .has_incumbent = p->has_x,
                                   .objective = p->has_x ? mip_model_tell(&p->model, p->value) : NAN,
                                   .bound = mip_model_tell(&p->model, sum.bound),
                                   .x = p->has_x ? p->x : NULL,
                                   .nodes = sum.nodes + p->nested_nodes,
                                   .iterations = sum.iterations + p->nested_iterations,
                                   .seconds = clock_seconds() - clock.start,
                                   .reason = sum.outcome == VOUCH_MIP_NUMERICAL ? "a relaxation was not certified" : NULL};
    MEM_COPY(p->result.cut_rows, sum.cut_rows, VOUCH_MIP_FAMILIES);
    p->options = NULL;
    p->clock = NULL;
    return status;
}
