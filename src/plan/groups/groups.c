/* plan/groups/groups.c - the public call for several policies: arguments, search (plan/groups/partition.c), results. */

#include "base/error.h"
#include "base/memory.h"
#include "plan/groups/groups.h"
#include "policy/policy.h"

struct vouch_groups {
    grouping p;
    vouch_groups_result result;
    int *env;            /* owned, [K]: the groups' environments, one group after the other */
    vouch_model **model; /* owned, [groups] model of each */
    void (*progress)(void *context, const vouch_plan_progress *progress);
    void *progress_context;
};

void vouch_groups_free(vouch_groups *g)
{
    if (!g) return;
    for (int c = 0; g->model && c < g->p.groups; c++) vouch_model_free(g->model[c]);
    mem_free(g->model);
    mem_free(g->env);
    partition_free(&g->p);
    mem_free(g);
}

/* The lists of the groups of the best partition, and their models. */
static vouch_status list_groups(vouch_groups *g)
{
    const grouping *p = &g->p;
    vouch_status status = VOUCH_OK;
    g->env = MEM_NEW(int, p->s.K);
    g->model = MEM_ZERO(vouch_model *, p->s.K);
    if (!g->env || !g->model) return error_memory(p->s.error);
    for (int c = 0, n = 0; c < p->groups && !status; c++) {
        for (int k = 0; k < p->s.K; k++)
            if (p->colour[k] == c) g->env[n++] = k;
        status = subsets_model(&p->s, p->number[c], &g->model[c], p->s.error);
    }
    return status;
}

static void conclude(vouch_groups *g)
{
    const grouping *p = &g->p;
    g->result = (vouch_groups_result){
        .outcome = p->infeasible         ? VOUCH_PLAN_INFEASIBLE
                   : partition_closed(p) ? VOUCH_PLAN_OPTIMAL
                   : p->groups > 0       ? VOUCH_PLAN_FEASIBLE
                                         : VOUCH_PLAN_LIMIT,
        .groups = p->groups,
        .max_regret = p->groups > 0 ? p->value : NAN,
        .bound = p->bound,
        .subsets = p->s.planned,
        .nodes = p->s.nodes,
        .iterations = p->s.iterations,
        .seconds = clock_seconds() - p->s.limit.start,
    };
}

static vouch_status check_arguments(const vouch_model *m, vouch_plan_options *o, int policies, vouch_group_promises promises,
                                    vouch_error *error)
{
    vouch_status status = check_model(m, error);
    if (!status) status = check_plan_options(o, error);
    if (!status && o->method != VOUCH_METHOD_GREEDY) status = check_lookahead(o->lookahead, 0, m, error);
    if (status) return status;
    if (policies < 1) return error_set(error, VOUCH_ERROR_ARGUMENT, "%d policies; expected at least 1", policies);
    if ((int)promises < 0 || promises >= VOUCH_GROUP_PROMISES)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "unknown kind of promises of groups");
    if (o->objective != VOUCH_OBJECTIVE_REGRET)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "groups support the maximum regret only, no other objective");
    if (vouch_model_has_error(m))
        return error_set(error, VOUCH_ERROR_ARGUMENT, "groups keep no promises under the error of probabilities");
    if (vouch_model_averages(m) > 0)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "a promise on average needs one policy for all environments, not several");
    if (o->start || o->journal || o->on_node || o->restart || o->workers > 0)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "groups do not support a start, a journal, workers or logs of nodes");
    return VOUCH_OK;
}

/* Hands the progress of the plan for a set on, as that of the partition. */
static void relay(void *context, const vouch_plan_progress *p)
{
    const vouch_groups *g = context;
    vouch_plan_progress out = *p;
    out.seconds = clock_seconds() - g->p.s.limit.start;
    out.incumbent = g->p.value;
    out.bound = g->p.bound;
    out.nodes += g->p.s.nodes;
    g->progress(g->progress_context, &out);
}

vouch_status vouch_plan_groups(vouch_groups **groups, const vouch_model *m, const vouch_plan_options *options, int policies,
                               vouch_group_promises promises, vouch_error *error)
{
    vouch_plan_options o;
    if (!groups) return error_set(error, VOUCH_ERROR_ARGUMENT, "the groups argument is NULL");
    *groups = NULL;
    if (options)
        o = *options;
    else
        vouch_plan_options_init(&o);
    vouch_status status = check_arguments(m, &o, policies, promises, error);
    if (status) return status;
    vouch_groups *g = mem_zero(1, sizeof *g);
    if (!g) return error_memory(error);
    grouping *p = &g->p;
    p->s = (subsets){.m = m, .options = o, .promises = promises, .limit = deadline_start(&o.limits), .error = error};
    p->s.threads = o.threads > 0 ? o.threads : 1;
    /* Is the knowledge of policies independent of other environments, without promises there? Markov policies have no knowledge,
     * histories all. */
    vouch_lookahead L = vouch_method_describe(o.method)->lookahead;
    bool updates = L == VOUCH_LOOKAHEAD_HORIZON || (L == VOUCH_LOOKAHEAD_ASKED && o.lookahead > 0);
    p->s.apart = promises == VOUCH_PROMISES_OWN && (!updates || o.method == VOUCH_METHOD_HISTORY);
    p->s.options.least_total_regret = 0;
    p->s.options.progress = o.progress && p->s.threads == 1 ? relay : NULL;
    p->s.options.progress_context = g;
    g->progress = o.progress;
    g->progress_context = o.progress_context;
    p->policies = policies < vouch_model_environments(m) ? policies : vouch_model_environments(m);
    p->gap = o.gap;
    status = partition_init(p);
    if (!status) status = partition_search(p);
    if (!status && o.proof) status = group_proof_write(p);
    if (!status) status = list_groups(g);
    if (status) {
        vouch_groups_free(g);
        return status;
    }
    conclude(g);
    p->s.m = NULL;
    *groups = g;
    return VOUCH_OK;
}

void vouch_groups_get_result(const vouch_groups *g, vouch_groups_result *result)
{
    if (result) *result = g ? g->result : (vouch_groups_result){0};
}

void vouch_groups_get(const vouch_groups *g, int group, vouch_group *out)
{
    if (out) *out = (vouch_group){0};
    if (!g || !out) return;
    const grouping *p = &g->p;
    int first = 0, count = 0;
    for (int k = 0; k < p->s.K; k++) {
        first += p->colour[k] < group;
        count += p->colour[k] == group;
    }
    const subset *of = &p->s.item[p->number[group]];
    *out = (vouch_group){count, g->env + first, of->high, of->low, of->policy, g->model[group], !p->s.apart};
}
