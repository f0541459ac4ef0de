/* plan/call/call.c - see call.h. */
#include "plan/call/call.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "policy/parameters.h"

/* plan_optima_work up to which U*_c is computed regardless of the limit: a dozen inductions take some tenths of a second. */
static const double LITTLE_WORK = 1e6;

/* plan_optima_work above which the optima's edges are kept: they take a second. */
static const double KEPT_WORK = 4e6;

void plan_progress(const plan_call *call, const char *stage, double best, double bound, long long nodes, long long open)
{
    if (!call->options->progress) return;
    vouch_plan_progress p = {
        clock_seconds() - call->limit.start, call->m->scale.spread * best, call->m->scale.spread * bound, nodes, open, stage};
    call->options->progress(call->options->progress_context, &p);
}

void plan_report_node(void *context, const vouch_search_node *node)
{
    const plan_call *call = context;
    vouch_search_node out = *node;
    out.bound *= call->m->scale.spread;
    out.incumbent *= call->m->scale.spread;
    if (call->m->of_state && out.state >= 0) out.state = call->m->of_state[out.state];
    call->options->on_node(call->options->on_node_context, &out);
}

double plan_optima_work(const vouch_model *m)
{
    double arcs = 0;
    for (int k = 0; k < m->K; k += m->group) arcs += m->env[k].start[m->pairs];
    return arcs * m->T;
}

static void report_optimum(void *context, int done)
{
    const plan_call *call = context;
    char stage[80];
    format_text(stage, sizeof stage, "the best of each environment alone: %d of %d", done, call->m->K / call->m->group);
    plan_progress(call, stage, INFINITY, -INFINITY, 0, 0);
}

space_options plan_space_options(plan_call *call, int L)
{
    space_options so = space_options_for(L);
    so.objective = call->options->objective;
    so.weights = call->options->weights;
    so.keep_edges = plan_optima_work(call->m) > KEPT_WORK;
    so.on_optimum = so.keep_edges ? report_optimum : NULL;
    so.context = call;
    return so;
}

static void log_classes(const plan_call *call, const policy_space *space)
{
    const vouch_log *log = &call->options->log;
    if (space->c->cut <= space->g->T)
        log_line(log, VOUCH_LOG_INFO, "too many likelihood classes: bounds assume the environment is known from time %d on",
                 space->c->cut);
    log_line(log, VOUCH_LOG_DETAIL, "L = %d: %d policy nodes, %d choices, %d likelihood classes", space->g->L, space->g->nodes,
             space->g->choices, space->c->classes);
}

vouch_status plan_space(plan_call *call, space_options *so, policy_space *space)
{
    deadline graph = deadline_share(&call->limit, TIME.graph), detail = deadline_share(&call->limit, TIME.detail),
             optima = deadline_share(&call->limit, TIME.optima), markov = deadline_share(&call->limit, TIME.markov_graph);
    so->optima = plan_optima_work(call->m) > LITTLE_WORK ? &optima : NULL;
    so->limit = so->L > 0                                       ? &graph
                : !call->first && feasibility_is_short(call->m) ? NULL
                                                                : &markov; /* no policy exists without it */
    so->detail = &detail;
    if (call->options->class_limit > 0) so->class_limit = call->options->class_limit;
    if (call->task) {
        so->p = call->task->p;
        so->averages = call->task->averages;
        so->tolerance = call->task->tolerance;
    }
    so->alike = call->alike;
    double since = trace_start(call->options->trace);
    vouch_status status = space_make(call->m, so, space, call->error);
    trace_stop(call->options->trace, KERNEL_space, since);
    so->limit = so->detail = so->optima = NULL;
    so->alike = NULL;
    if (status) return status;
    call->policy->late = space->late;
    if (call->limit.limits.seconds > 0)
        call->limit.limits.seconds = fmax(TIME.searched * call->limit.limits.seconds, call->limit.limits.seconds - space->seconds);
    if (space->c) log_classes(call, space);
    return VOUCH_OK;
}

vouch_status plan_space_detail(plan_call *call, space_options *so, double detail_share, policy_space *space)
{
    deadline detail = deadline_share(&call->limit, detail_share);
    double since = trace_start(call->options->trace);
    so->detail = &detail;
    if (call->options->class_limit > 0) so->class_limit = call->options->class_limit;
    vouch_status status = space_detail(space, so, call->error);
    trace_stop(call->options->trace, KERNEL_space, since);
    so->detail = NULL;
    if (!status && space->c) log_classes(call, space);
    return status;
}

bool plan_memory_over(vouch_status status) { return status == VOUCH_ERROR_MEMORY && mem_limit_met() > 0; }
