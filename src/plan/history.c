/* plan/history.c - the history-optimal policy: the best of all history-dependent stochastic policies.
 *
 * Column generation over policies with nothing fixed (plan/bnb/colgen.h) on the classes of L = T: the mixture it ends with is optimal,
 * and, since every player with perfect recall can play a mixture as one behaviour strategy (Kuhn 1953), is turned into action probabilities at each
 * class in proportion to the mixture's mass. With the LP engine the same is found by one linear program (program/ccl.h).
 * When the classes are too many, only a bound is proved; the policy is then a deterministic Markov one.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "know/propagate.h"
#include "know/induction.h"
#include "plan/history_program.h"
#include "plan/methods.h"
#include "plan/bnb/colgen.h"
#include "policy/rules.h"

/* Action probabilities below this are dropped: dust of the mixture's weights. */
static const double DUST = 1e-12;
/* Shares of a time limit after which the graph is given up, the environment is revealed, and, if it is, the bound is left as it is and what
 * remains goes to the Markov policy. */
static const double GRAPH_SHARE = 0.4, DETAIL_SHARE = 0.5, BOUND_SHARE = 0.8;

/* Attempts to find a policy within the gap: at p itself, at what is only just accepted, and with a margin for what the program was off. */
enum { ATTEMPTS = 5 };

/* One attempt: the policy's probabilities, and its figures. */
typedef struct attempt {
    double *prob, *reach, *U, *Pr; /* [slots], [classes], [K], [K]; U and Pr in one block */
    double regret, missing;        /* missing: the most that a Pr(k) lacks to count as kept; 0: the commitment is kept */
} attempt;

static void attempt_free(attempt *a)
{
    mem_free(a->prob);
    mem_free(a->reach);
    mem_free(a->U);
    *a = (attempt){0};
}

/* Action probabilities in proportion to mass [slots], which is taken over, and what they are worth. */
static vouch_status play(const policy_space *space, double mass[], attempt *a)
{
    const know_classes *c = space->c;
    *a = (attempt){.prob = mass, .reach = MEM_NEW(double, c->classes), .U = MEM_NEW(double, 2 * space->K), .regret = -INFINITY};
    if (!a->reach || !a->U) {
        attempt_free(a);
        return VOUCH_ERROR_MEMORY;
    }
    a->Pr = a->U + space->K;
    for (int i = 0; i < c->time_start[c->g->T]; i++) {
        double sum = 0, kept = 0;
        for (int s = c->slot_start[i]; s < c->slot_start[i + 1]; s++) sum += mass[s];
        for (int s = c->slot_start[i]; s < c->slot_start[i + 1]; s++) {
            mass[s] = sum > 0 && mass[s] > DUST * sum ? mass[s] / sum : 0;
            kept += mass[s];
        }
        for (int s = c->slot_start[i]; s < c->slot_start[i + 1]; s++) {
            if (kept > 0)
                mass[s] /= kept;
            else if (s == c->slot_start[i])
                mass[s] = 1; /* not reached but for dust */
        }
    }
    induction_evaluate(c, mass, a->reach, a->U, a->Pr);
    for (int k = 0; k < space->K; k++) a->regret = fmax(a->regret, space->optimal[k] - a->U[k]);
    space_kept(space, a->Pr, &a->missing);
    return VOUCH_OK;
}

/* mass [slots] of the best mixture that reaches the aim, by column generation; NULL: none does. */
static vouch_status generate(plan_call *call, colgen *r, const double aim[], bool first, const deadline *limit, double **mass,
                             colgen_end *end)
{
    colgen_set_aim(r, aim);
    vouch_status status = first ? colgen_start(r, NULL, 0) : colgen_change_aim(r, aim);
    if (!status) status = colgen_solve(r, INFINITY, 0, limit, end);
    call->policy->iterations = r->inductions;
    call->policy->bound = fmax(call->policy->bound, r->bound);
    if (status || !(r->mixture < INFINITY)) return status;
    colgen_mass(r);
    *mass = MEM_NEW(double, r->space->c->slots);
    if (!*mass) return VOUCH_ERROR_MEMORY;
    MEM_COPY(*mass, r->mass, r->space->c->slots);
    return VOUCH_OK;
}

/* Policies aim at p itself, so that what need not be spent of the tolerance is not. Bound and proof are those of all policies that count as
 * keeping the commitment; where that leaves a gap, a policy that spends the tolerance closes it. best: kept, or else the last one tried. */
static vouch_status try_aims(plan_call *call, colgen *r, bool program, double aim[], const deadline *limit, attempt *best,
                             colgen_end *end)
{
    const policy_space *space = r->space;
    bool revealed = space->c->cut <= space->g->T;
    double margin = INFINITY;
    vouch_status status = VOUCH_OK;
    for (int i = 0; i < ATTEMPTS && !status; i++) {
        double *mass = NULL;
        attempt now = {0};
        space_aim(space, margin, aim);
        status = program ? history_program_solve(call, space, aim, &mass, end) : generate(call, r, aim, i == 0, limit, &mass, end);
        if (program && *end == COLGEN_INFEASIBLE && i != 1) *end = COLGEN_STALLED; /* more is asked for than what is accepted */
        if (!status && mass) status = play(space, mass, &now);
        if (status || *end == COLGEN_INFEASIBLE) break;
        double missing = now.missing;
        if (now.prob && (!best->prob || best->missing > 0 || (now.missing <= 0 && now.regret < best->regret))) {
            attempt swap = *best;
            *best = now;
            now = swap;
        }
        attempt_free(&now);
        if (best->prob && best->missing <= 0 && best->regret - call->policy->bound <= call->options->gap) break;
        if (*end == COLGEN_LIMIT || revealed || (i > 0 && !(missing > 0))) break;
        margin = i == 0 ? space_least_margin(space) : margin + 2 * missing;
    }
    return status;
}

/* The linear program may be off by more than the commitment's tolerance, the mixture of policies hardly ever: it has the last word. */
static vouch_status find_policy(plan_call *call, colgen *r, attempt *best, colgen_end *end)
{
    const policy_space *space = r->space;
    bool revealed = space->c->cut <= space->g->T, program = call->options->engine == VOUCH_ENGINE_LP && !revealed;
    double *aim = MEM_NEW(double, space->K);
    vouch_status status = aim ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    call->policy->bound = call->policy->lowest = space->lowest;
    deadline limit = deadline_share(&call->limit, revealed ? BOUND_SHARE : 1);
    r->gap = call->options->gap;
    if (!status && program) status = try_aims(call, r, true, aim, &limit, best, end);
    bool kept = best->prob && best->missing <= 0;
    if (!status && (!program || (*end != COLGEN_INFEASIBLE && *end != COLGEN_LIMIT && !kept)))
        status = try_aims(call, r, false, aim, &limit, best, end);
    mem_free(aim);
    return status;
}

static vouch_status write_policy(policy_space *space, const attempt *a, vouch_policy *policy)
{
    if (space_use_given(space)) return VOUCH_ERROR_MEMORY;
    induction_evaluate(space->c, a->prob, a->reach, a->U, a->Pr);
    policy_set_figures(policy, space->m, space->optimal, a->U, a->Pr);
    policy->has_policy = 1;
    return rules_from_classes(space->c, a->prob, a->reach, policy) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

vouch_status plan_history(plan_call *call)
{
    const vouch_plan_options *o = call->options;
    vouch_policy *policy = call->policy;
    policy_space space = {0};
    space_options so;
    space_options_init(&so);
    so.L = call->m->T;
    so.pareto_cap = 0;
    so.class_limit = o->class_limit > 0 ? o->class_limit : HISTORY_CLASSES;
    deadline graph_limit = deadline_share(&call->limit, GRAPH_SHARE), detail_limit = deadline_share(&call->limit, DETAIL_SHARE);
    so.limit = &graph_limit;
    so.detail = &detail_limit;
    vouch_status status = space_make(call->m, &so, &space, call->error);
    if (status == VOUCH_ERROR_SIZE) {
        log_line(&o->log, VOUCH_LOG_INFO,
                 "too many knowledge states for the limits: the policy is a Markov one, and nothing is proved");
        policy->too_large = true;
        return plan_markov(call, -INFINITY);
    }
    if (status) return status;
    colgen *r = NULL;
    attempt best = {0};
    colgen_end end = COLGEN_LIMIT;
    log_line(&o->log, VOUCH_LOG_DETAIL, "%d likelihood classes", space.c->classes);
    bool revealed = space.c->cut <= space.g->T;
    if (revealed)
        log_line(&o->log, VOUCH_LOG_INFO,
                 "too many likelihood classes: the bound assumes the environment is known from time %d on, and the policy is a "
                 "Markov one",
                 space.c->cut);
    status = colgen_new(&space, &r);
    if (!status) {
        r->by_slot = true;
        r->most = call->limit.limits.iterations;
        status = find_policy(call, r, &best, &end);
    }
    policy->nodes = 1;
    if (!status && end == COLGEN_INFEASIBLE)
        policy->outcome = VOUCH_PLAN_INFEASIBLE;
    else if (!status && best.prob && !revealed && best.missing > 0)
        policy->outcome = VOUCH_PLAN_NUMERICAL; /* what breaks the commitment is not shown */
    else if (!status && best.prob && !revealed) {
        status = write_policy(&space, &best, policy);
        policy->outcome = VOUCH_PLAN_OPTIMAL; /* if the gap is closed: plan_settle */
    }
    colgen_free(r);
    attempt_free(&best);
    space_free(&space);
    if (!status && revealed && policy->outcome != VOUCH_PLAN_INFEASIBLE) {
        status = plan_markov(call, policy->bound);
    }
    return status == VOUCH_ERROR_MEMORY ? error_memory(call->error) : status;
}
