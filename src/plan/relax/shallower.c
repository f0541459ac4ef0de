/* plan/relax/shallower.c - see shallower.h.
 *
 * Both trees take turns at growing intervals. This one ends when its bound shows that no Markov policy improves the best known one.
 * Cost: at most RELAX.shallow_share of the work of the other, less after each turn without success. Work is counted, not timed, so
 * the policy is the same on every machine.
 */
#include "plan/relax/shallower.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "plan/heuristic/initial.h"
#include "policy/parameters.h"

struct shallower {
    plan_call *call;
    const policy_space *deeper;
    search_options *deeper_options;
    double done, next;  /* work of the deeper search: now, and at the next turn */
    policy_space space; /* of L = 0; made in the first turn, like all fields below */
    incumbent *inc;
    colgen *cg;
    tree_search *tree;
    search_options options;
    search_result result;
    double unit; /* work of an induction */
    double told; /* regret of the last offered policy */
    int in_vain; /* turns since then */
    bool over;
};

static double induction_work(const know_classes *c) { return know_induction_work(c) + RELAX.master_work; }

/* Without a limit the deeper search runs until its policy is proved optimal. */
static bool is_limited(const vouch_limits *l) { return l->seconds > 0 || l->nodes > 0 || l->iterations > 0; }

vouch_status shallower_new(plan_call *call, const policy_space *space, search_options *so, shallower **out)
{
    *out = NULL;
    if (space->g->L == 0 || call->task || call->markov_searched || !is_limited(&call->limit.limits)) return VOUCH_OK;
    shallower *s = MEM_NEW(shallower, 1);
    if (!s) return VOUCH_ERROR_MEMORY;
    *s = (shallower){.call = call, .deeper = space, .deeper_options = so, .told = INFINITY};
    s->next = RELAX.shallow_first;
    search_options_init(&s->options);
    s->options.gap = so->gap;
    s->options.seed = so->seed;
    s->options.without = so->without;
    *out = s;
    return VOUCH_OK;
}

void shallower_free(shallower *s)
{
    if (!s) return;
    search_end(s->tree);
    colgen_free(s->cg);
    incumbent_free(s->inc);
    space_free(&s->space);
    mem_free(s);
}

/* The policies of L = 0, initial incumbents, and the root of their tree. */
static vouch_status begin(shallower *s)
{
    const policy_space *like = s->deeper;
    const deadline *limit = &s->call->limit;
    space_options so = plan_space_options(s->call, 0);
    so.p = like->p;
    so.averages = &like->averages;
    so.floor = like->floor;
    so.tolerance = like->tolerance;
    so.alike = like;
    so.enough = like->enough;
    so.cutoff = like->cutoff;
    so.limit = so.detail = limit;
    so.class_limit = LADDER_CLASSES;
    if (!part_off(s->options.without, VOUCH_PART_PARETO_VECTORS)) so.pareto_cap = PARETO_CAP;
    vouch_status status = space_make(like->m, &so, &s->space, NULL);
    if (!status) status = incumbent_new(&s->space, &s->inc);
    if (!status) status = colgen_new(&s->space, &s->cg);
    if (status) return status;
    s->inc->limit = limit;
    s->options.limit = *limit;
    s->options.limit.limits.nodes = s->options.limit.limits.iterations = 0;
    s->unit = fmax(induction_work(s->space.c), RELAX.shallow_unit * induction_work(like->c));
    status = initial_single_environments(s->inc, INITIAL_ENVIRONMENTS, limit);
    return status ? status : search_begin(s->cg, s->inc, MASTER_MAX_REGRET, &s->options, &s->result, &s->tree);
}

static vouch_status turn(shallower *s, incumbent *inc)
{
    long long before = s->result.inductions;
    s->options.most_inductions = (long long)(RELAX.shallow_share / (1 + s->in_vain) * s->done / s->unit);
    if (s->options.most_inductions <= before) return VOUCH_OK;
    vouch_status status = search_continue(s->tree);
    deadline_use(&s->call->limit, 0, s->result.inductions - before);
    if (s->call->limit.limits.iterations > 0) deadline_use(&s->deeper_options->limit, 0, s->result.inductions - before);
    s->over = !s->result.limit || s->result.bound >= incumbent_cutoff(inc, s->options.gap);
    s->in_vain++;
    if (status || !s->inc->found || incumbent_value(s->inc) >= s->told) return status;
    s->in_vain = 0;
    s->told = incumbent_value(s->inc);
    status = lift_offer(inc, s->inc, NULL);
    log_line(&s->call->options->log, VOUCH_LOG_DETAIL, "Markov policies beside it: regret %.10g; the best is %.10g now",
             s->call->m->scale.spread * s->told, s->call->m->scale.spread * incumbent_value(inc));
    return status;
}

vouch_status shallower_beside(void *shallow, const policy_space *space, long long inductions, incumbent *inc)
{
    shallower *s = shallow;
    s->done += (double)inductions * induction_work(space->c);
    if (s->over || s->done < s->next || deadline_expired(&s->call->limit)) return VOUCH_OK;
    s->next = RELAX.shallow_growth * s->done;
    vouch_status status = s->tree ? VOUCH_OK : begin(s);
    if (!status) status = turn(s, inc);
    s->over |= status != VOUCH_OK;
    return status == VOUCH_ERROR_SIZE ? VOUCH_OK : status;
}
