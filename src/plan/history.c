/* plan/history.c - the history-optimal policy: the best of all history-dependent stochastic policies.
 *
 * Column generation over policies with nothing fixed (plan/relaxation.h) on the classes of L = T: the mixture it ends with is optimal,
 * and, since every player with perfect recall can play a mixture as one behaviour strategy (Kuhn 1953), is turned into action probabilities at each
 * class in proportion to the mixture's mass. With the LP engine the same is found by one linear program (program/ccl.h).
 * When the classes are too many, only a bound is proved; the policy is then a deterministic Markov one.
 */
#include <math.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "know/propagate.h"
#include "know/sweep.h"
#include "plan/history_program.h"
#include "plan/methods.h"
#include "plan/relaxation.h"
#include "plan/rules.h"

/* Action probabilities below this are dropped: dust of the mixture's weights. */
static const double DUST = 1e-12;
/* Shares of a time limit after which the graph is given up, the environment is revealed, and, if it is, the bound is left as it is and what
 * remains goes to the Markov policy. */
static const double GRAPH_SHARE = 0.4, DETAIL_SHARE = 0.5, BOUND_SHARE = 0.8;

static vouch_status write_classes(policy_space *space, double mass[], vouch_policy *policy)
{
    const know_classes *c = space->c;
    double *U = MEM_NEW(double, 2 * space->K), *reach = MEM_NEW(double, c->classes);
    vouch_status status = VOUCH_ERROR_MEMORY;
    if (!U || !reach) goto done;
    for (int i = 0; i < c->time_start[c->g->T]; i++) {
        double sum = 0, kept = 0;
        for (int s = c->slot_start[i]; s < c->slot_start[i + 1]; s++) sum += mass[s];
        for (int s = c->slot_start[i]; s < c->slot_start[i + 1]; s++) {
            mass[s] = sum > 0 && mass[s] > DUST * sum ? mass[s] / sum : 0;
            kept += mass[s];
        }
        for (int s = c->slot_start[i]; s < c->slot_start[i + 1]; s++) {
            if (kept > 0) mass[s] /= kept;
            else if (s == c->slot_start[i]) mass[s] = 1; /* not reached but for dust */
        }
    }
    if (space_use_given(space)) goto done;
    sweep_evaluate(c, mass, reach, U, U + space->K);
    policy_set_figures(policy, space->m, space->optimal, U, U + space->K);
    policy->has_policy = 1;
    status = rules_from_classes(c, mass, reach, policy) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
done:
    mem_free(U);
    mem_free(reach);
    return status;
}

/* mass [slots] of an optimal mixture, by column generation. */
static vouch_status generate(plan_call *call, const policy_space *space, const deadline *limit, double **mass, relaxation_end *end)
{
    relaxation *r = NULL;
    vouch_status status = relaxation_new(space, &r);
    if (status) return status;
    r->by_slot = true;
    r->gap = call->options->gap;
    status = relaxation_start(r, NULL, 0);
    if (!status) status = relaxation_solve(r, INFINITY, 0, limit, end);
    call->policy->iterations = r->sweeps;
    call->policy->bound = fmax(0, r->bound);
    if (!status && r->mixture < INFINITY) {
        relaxation_mass(r);
        *mass = r->mass;
        r->mass = NULL;
    }
    relaxation_free(r);
    return status;
}

vouch_status plan_history(plan_call *call)
{
    const vouch_plan_options *o = call->options;
    vouch_policy *policy = call->policy;
    policy_space space = {0};
    space_options so;
    space_options_init(&so);
    so.L = call->m->T;
    so.frontier_cap = 0;
    so.class_limit = o->class_limit > 0 ? o->class_limit : HISTORY_CLASSES;
    deadline graph_limit = deadline_share(&call->limit, GRAPH_SHARE), detail_limit = deadline_share(&call->limit, DETAIL_SHARE);
    so.limit = &graph_limit;
    so.detail = &detail_limit;
    vouch_status status = space_make(call->m, &so, &space, call->error);
    if (status == VOUCH_ERROR_SIZE) {
        log_line(&o->log, VOUCH_LOG_INFO, "too many knowledge states for the limits: the policy is a Markov one, and nothing is proved");
        policy->too_large = true;
        return plan_markov(call, 0);
    }
    if (status) return status;
    double *mass = NULL;
    relaxation_end end = RELAXED_LIMIT;
    log_line(&o->log, VOUCH_LOG_DETAIL, "%d likelihood classes", space.c->classes);
    bool revealed = space.c->cut <= space.g->T;
    if (revealed)
        log_line(&o->log, VOUCH_LOG_INFO, "too many likelihood classes: the bound assumes the environment is known from time %d on, and the policy is a Markov one", space.c->cut);
    if (o->engine == VOUCH_ENGINE_LP && !revealed) status = history_program_solve(call, &space, &mass, &end);
    else {
        deadline limit = deadline_share(&call->limit, revealed ? BOUND_SHARE : 1);
        status = generate(call, &space, &limit, &mass, &end);
    }
    policy->nodes = 1;
    if (!status && end == RELAXED_INFEASIBLE) policy->outcome = VOUCH_PLAN_INFEASIBLE;
    else if (!status && mass && !revealed) {
        status = write_classes(&space, mass, policy);
        bool kept = true;
        for (int k = 0; k < space.K; k++) kept &= policy->figures[k].commitment_probability >= space.p[k] - KEEP_TOLERANCE;
        policy->outcome = kept ? VOUCH_PLAN_OPTIMAL : VOUCH_PLAN_NUMERICAL; /* if the gap is closed: plan_settle */
    }
    mem_free(mass);
    space_free(&space);
    if (!status && revealed && policy->outcome != VOUCH_PLAN_INFEASIBLE) {
        status = plan_markov(call, policy->bound);
    }
    return status == VOUCH_ERROR_MEMORY ? error_memory(call->error) : status;
}
