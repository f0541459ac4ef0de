/* plan/groups/subsets.c - see groups.h.
 *
 * A set is planned as a model in which policies distinguish the same histories as in the whole model. If their knowledge does not
 * depend on other environments, and these have no promises, the model has only the environments of the set. Else the others stay
 * without rewards, so that they have no regret, and without promises unless the promises of all are to be kept. Each plan has its
 * own place, so that threads do not matter.
 */
#include "plan/groups/groups.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/pool.h"
#include "policy/policy.h"

vouch_status subsets_init(subsets *s)
{
    s->K = vouch_model_environments(s->m);
    s->words = (s->K + 63) / 64;
    return intern_init(&s->sets, s->words) ? error_memory(s->error) : VOUCH_OK;
}

void subsets_free(subsets *s)
{
    for (int i = 0; i < s->sets.count && s->item; i++) vouch_policy_free(s->item[i].policy);
    intern_free(&s->sets);
    MEM_FREE_ALL(s->item, s->task, s->errors);
}

int subsets_number(subsets *s, const uint64_t *set)
{
    bool fresh;
    if (MEM_RESERVE(&s->item, &s->capacity, (size_t)s->sets.count + 1)) return -1;
    int number = intern_add(&s->sets, set, &fresh);
    if (number >= 0 && fresh) s->item[number] = (subset){.high = INFINITY};
    return number;
}

/* Is the aim reached for the set, or has as much work failed already? */
static bool known(const subsets *s, const subset *of)
{
    const subset_aim *a = &s->aim;
    if (of->low == INFINITY || of->high - of->low <= s->options.gap) return true;
    if ((a->enough > 0 && of->high <= a->enough) || (a->cutoff > 0 && of->low >= a->cutoff)) return true;
    bool same = of->last.enough == a->enough && of->last.cutoff == a->cutoff;
    return (of->planned && same) || (a->work > 0 && of->tried >= a->work);
}

vouch_status subsets_schedule(subsets *s, int number)
{
    if (number < 0 || MEM_RESERVE(&s->task, &s->task_capacity, (size_t)s->tasks + 1)) return error_memory(s->error);
    for (int i = 0; i < s->tasks; i++)
        if (s->task[i] == number) return VOUCH_OK;
    if (!known(s, &s->item[number])) s->task[s->tasks++] = number;
    return VOUCH_OK;
}

static vouch_status plan_model(const subsets *s, const vouch_model *part, subset *of, vouch_error *error)
{
    vouch_plan_options o = s->options;
    vouch_plan_result r;
    o.proof = NULL; /* proofs are written at the end, for few sets */
    o.limits = deadline_left(&s->limit);
    if (s->limit.limits.nodes > 0) {
        o.limits.nodes = s->limit.limits.nodes - s->nodes;
        if (o.limits.nodes < 1) o.limits.nodes = 1;
    }
    if (s->aim.work > 0 && (o.limits.iterations == 0 || o.limits.iterations > s->aim.work)) o.limits.iterations = s->aim.work;
    if (o.method == VOUCH_METHOD_MILP_CCL) {
        o.enough = s->aim.enough;
        o.cutoff = s->aim.cutoff;
        if (of->high < INFINITY) o.start = of->policy;
    }
    vouch_policy *policy;
    vouch_status status = vouch_plan(&policy, part, &o, error);
    if (status) return status;
    vouch_policy_get_result(policy, &r);
    of->outcome = r.outcome;
    of->nodes = r.nodes;
    of->iterations = r.iterations;
    bool counts = r.has_policy && (r.outcome == VOUCH_PLAN_OPTIMAL || r.outcome == VOUCH_PLAN_FEASIBLE);
    double low = r.outcome == VOUCH_PLAN_INFEASIBLE ? INFINITY : r.bound, high = counts ? fmax(0, r.max_regret) : INFINITY;
    if (r.outcome != VOUCH_PLAN_NUMERICAL && low > of->low) of->low = low;
    if (!of->policy || high < of->high) { /* the better of two plans */
        vouch_policy_free(of->policy);
        of->policy = policy;
        of->high = high;
    } else {
        vouch_policy_free(policy);
    }
    return VOUCH_OK;
}

vouch_status subsets_model(const subsets *s, int number, vouch_model **part, vouch_error *error)
{
    int *env = MEM_NEW(int, s->K);
    if (!env) return error_memory(error);
    int n = bits_list(intern_key(&s->sets, number), s->words, env);
    vouch_status status = s->apart ? vouch_model_restrict(part, s->m, env, n, error)
                                   : model_paying(part, s->m, env, n, s->promises == VOUCH_PROMISES_OWN, error);
    mem_free(env);
    return status;
}

static void plan_one(void *context, int i, int thread)
{
    subsets *s = context;
    vouch_model *part = NULL;
    vouch_error *error = &s->errors[i];
    (void)thread;
    vouch_status status = subsets_model(s, s->task[i], &part, error);
    if (!status) status = plan_model(s, part, &s->item[s->task[i]], error);
    error->status = status;
    vouch_model_free(part);
}

vouch_status subsets_run(subsets *s)
{
    if (s->tasks == 0) return VOUCH_OK;
    pool *threads = s->tasks > 1 && s->threads > 1 ? pool_new(s->threads) : NULL;
    mem_free(s->errors);
    s->errors = MEM_ZERO(vouch_error, s->tasks);
    if (!s->errors) return error_memory(s->error);
    s->options.threads = threads ? 1 : s->threads;
    if (threads)
        pool_run(threads, s->tasks, plan_one, s);
    else
        for (int i = 0; i < s->tasks; i++) plan_one(s, i, 0);
    pool_free(threads);
    vouch_status status = VOUCH_OK;
    for (int i = 0; i < s->tasks; i++) {
        subset *of = &s->item[s->task[i]];
        if (s->errors[i].status && !status) status = error_set(s->error, s->errors[i].status, "%s", s->errors[i].text);
        of->planned = s->aim.work == 0;
        of->last = s->aim;
        if (s->aim.work > of->tried) of->tried = s->aim.work;
        s->planned++;
        s->nodes += of->nodes;
        s->iterations += of->iterations;
    }
    s->tasks = 0;
    return status;
}

bool subsets_over(const subsets *s)
{
    return deadline_expired(&s->limit) || (s->limit.limits.nodes > 0 && s->nodes >= s->limit.limits.nodes);
}

void subset_regrets(const subsets *s, int number, double regret[])
{
    vouch_plan_result r;
    const uint64_t *set = intern_key(&s->sets, number);
    vouch_policy_get_result(s->item[number].policy, &r);
    for (int k = 0, n = 0; k < s->K; k++)
        if (bits_has(set, k)) {
            regret[n] = r.figures[s->apart ? n : k].regret;
            n++;
        }
}
