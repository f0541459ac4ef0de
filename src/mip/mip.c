/* mip/mip.c - the public face: the caller's problem, the incumbent checked on it, and what was proved. See vouch/mip.h. */
#include <math.h>
#include <string.h>
#include <vouch/mip.h>

#include "base/log.h"
#include "base/memory.h"
#include "mip/model.h"
#include "mip/search.h"

struct vouch_mip {
    mip_model model; /* the caller's problem, minimised */
    vouch_mip_result result;
    double *x;       /* owned: [n], the incumbent */
    double value;    /* of x in the model; INFINITY without one */
    double *scratch; /* owned: [n] */
    const vouch_mip_options *options; /* during a solve */
    bool has_x;
};

void vouch_mip_options_init(vouch_mip_options *options)
{
    *options = (vouch_mip_options){.gap_absolute = 1e-9, .gap_relative = 1e-6, .integrality_tol = 1e-6, .presolve = 1, .cuts = 1, .heuristics = 1, .threads = 1};
    vouch_lp_options_init(&options->lp);
}

vouch_status vouch_mip_new(vouch_mip **mip, const vouch_lp *problem)
{
    *mip = NULL;
    vouch_mip *p = MEM_ZERO(vouch_mip, 1);
    if (!p) return VOUCH_ERROR_MEMORY;
    vouch_status status = mip_model_build(&p->model, problem);
    p->x = MEM_NEW(double, vouch_lp_cols(problem));
    p->scratch = MEM_NEW(double, vouch_lp_cols(problem));
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

void vouch_mip_get_result(const vouch_mip *mip, vouch_mip_result *result) { *result = mip->result; }

const char *vouch_mip_outcome_text(vouch_mip_outcome outcome)
{
    switch (outcome) {
    case VOUCH_MIP_UNSOLVED: return "unsolved";
    case VOUCH_MIP_OPTIMAL: return "optimal";
    case VOUCH_MIP_INFEASIBLE: return "infeasible";
    case VOUCH_MIP_UNBOUNDED: return "unbounded";
    case VOUCH_MIP_LIMIT: return "limit";
    case VOUCH_MIP_INTERRUPTED: return "interrupted";
    case VOUCH_MIP_NUMERICAL: return "numerical trouble";
    }
    return "unknown";
}

/* The one door through which a point becomes the incumbent: the caller's rows, bounds and integers are checked. */
static bool accept(void *context, const double *x, double *value)
{
    vouch_mip *p = context;
    if (!mip_model_feasible(&p->model, x, p->options->integrality_tol)) return false;
    *value = mip_model_objective(&p->model, x);
    if (*value < p->value || !p->has_x) {
        for (int j = 0; j < p->model.n; j++) p->x[j] = x[j] + 0.0; /* no -0 */
        p->value = *value;
        p->has_x = true;
    }
    return true;
}

static bool suggest(void *context, const double *x, double *out, double *value)
{
    vouch_mip *p = context;
    if (!p->options->heuristic || !p->options->heuristic(p->options->heuristic_context, x, out)) return false;
    for (int j = 0; j < p->model.n; j++)
        if (p->model.integer[j]) out[j] = round(out[j]);
    return accept(p, out, value);
}

static void ended(void *context, const node *n, double bound, vouch_node_end end)
{
    vouch_mip *p = context;
    vouch_mip_node report = {.id = n->id, .parent = n->parent ? n->parent->id : 0, .depth = n->depth, .column = -1, .lower = -INFINITY, .upper = INFINITY,
                             .bound = p->model.negated ? -bound : bound, .end = end};
    if (n->changes > 0) {
        report.column = n->change[0].col;
        report.lower = n->change[0].lower;
        report.upper = n->change[0].upper;
    }
    p->options->on_node(p->options->on_node_context, &report);
}

/* Is there an integer point at all? Decides between UNBOUNDED and INFEASIBLE. */
static vouch_status feasible_at_all(vouch_mip *p, const deadline *clock, vouch_mip_outcome *outcome)
{
    mip_search s;
    mip_owner owner = {.context = p, .accept = accept};
    double offset = p->model.offset, *cost = p->model.cost;
    p->model.cost = MEM_ZERO(double, p->model.n);
    p->model.offset = 0;
    vouch_status status = p->model.cost ? mip_search_init(&s, &p->model, p->options, clock, &owner) : VOUCH_ERROR_MEMORY;
    if (status == VOUCH_OK) {
        status = mip_search_run(&s);
        *outcome = p->has_x ? VOUCH_MIP_UNBOUNDED : s.complete ? VOUCH_MIP_INFEASIBLE : VOUCH_MIP_LIMIT;
        mip_search_free(&s);
    }
    mem_free(p->model.cost);
    p->model.cost = cost;
    p->model.offset = offset;
    if (p->has_x) p->value = mip_model_objective(&p->model, p->x);
    return status;
}

static vouch_mip_outcome outcome_of(const vouch_mip *p, const mip_search *s, double bound)
{
    double gap = fmax(p->options->gap_absolute, p->options->gap_relative * fmax(1, fabs(p->value)));
    if (p->has_x && p->value - bound <= gap) return VOUCH_MIP_OPTIMAL;
    if (s->complete) return p->has_x ? VOUCH_MIP_NUMERICAL : VOUCH_MIP_INFEASIBLE;
    if (deadline_interrupted(s->clock)) return VOUCH_MIP_INTERRUPTED;
    return s->stopped ? VOUCH_MIP_LIMIT : VOUCH_MIP_NUMERICAL;
}

vouch_status vouch_mip_solve(vouch_mip *p, const vouch_mip_options *given)
{
    vouch_mip_options options;
    if (given) options = *given;
    else vouch_mip_options_init(&options);
    deadline clock = deadline_start(&options.limits);
    p->options = &options;
    p->has_x = false;
    p->value = INFINITY;
    double sign = p->model.negated ? -1 : 1;
    double value;
    if (options.start) {
        for (int j = 0; j < p->model.n; j++) p->scratch[j] = p->model.integer[j] ? round(options.start[j]) : options.start[j];
        if (!accept(p, p->scratch, &value)) log_line(&options.log, VOUCH_LOG_INFO, "the starting point is not feasible and is ignored");
    }
    mip_owner owner = {.context = p, .accept = accept, .suggest = options.heuristic ? suggest : NULL, .ended = options.on_node ? ended : NULL, .debug = options.debug_solution};
    mip_search s;
    vouch_status status = mip_search_init(&s, &p->model, &options, &clock, &owner);
    if (status != VOUCH_OK) return status;
    if (p->has_x) mip_search_adopt(&s, p->x, p->value);
    status = mip_search_run(&s);
    double bound = mip_search_bound(&s);
    vouch_mip_outcome outcome = outcome_of(p, &s, bound);
    if (status == VOUCH_OK && s.unbounded) {
        bound = -INFINITY;
        status = feasible_at_all(p, &clock, &outcome);
    }
    if (outcome == VOUCH_MIP_INFEASIBLE) bound = INFINITY;
    p->result = (vouch_mip_result){.outcome = outcome, .has_incumbent = p->has_x, .objective = p->has_x ? sign * p->value : NAN, .bound = sign * bound,
                                   .x = p->has_x ? p->x : NULL, .nodes = s.nodes, .iterations = s.relax.iterations, .seconds = clock_seconds() - clock.start};
    mip_search_free(&s);
    p->options = NULL;
    return status;
}
