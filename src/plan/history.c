/* plan/history.c - the history-optimal policy: the best of all history-dependent stochastic policies.
 *
 * Column generation over policies with nothing fixed (plan/colgen/colgen.h) on the classes of L = T: the mixture it ends with is
 * optimal, and, since every player with perfect recall can play a mixture as one behaviour strategy (Kuhn 1953), is turned into
 * action probabilities at each class in proportion to the mixture's mass. With the LP engine the same is found by one linear
 * program (history_program_solve). Source: THEORY.md, section 4 (the bound of every method). Cost: one induction a column,
 * O(slots K). When the classes are many, those that matter are made (plan/relax/belief_expansion.h); where that does not fit, or a
 * proof is to be written, the bound is that of an environment that is revealed, and the policy the best that guided_search or
 * a short search of deterministic Markov ones finds.
 */

#include "base/check.h"
#include "base/memory.h"
#include "plan/methods.h"
#include "plan/relax/belief_expansion.h"
#include "plan/search/proof_writer.h"
#include "plan/search/record.h"
#include "policy/parameters.h"

/* The history-optimal regret as one linear program over all classes at once (THEORY.md, section 4):
 *
 *     min z,  z >= U*_c(k) - U(k; sigma),  Pr(k; sigma) >= aim(k),  flow of sigma >= 0
 *
 * The compact form without indicators (program/program.c). Its optimum holds for policies that reach the aim; what all accepted
 * ones cannot be better than is less by the multipliers of the commitment rows times what the aim exceeds the threshold: weak
 * duality. Cost: one LP of O(slots) columns and O(classes + K) rows.
 */

/* The multipliers at hand prove this much for policies that need to reach no more than what is accepted. */
static double accepted_bound(const program *p, const policy_space *space, const double aim[], double bound)
{
    vouch_lp_result result;
    vouch_lp_get_result(p->lp, &result);
    for (int i = 0; i < vouch_lp_rows(p->lp); i++) {
        int promise = p->row[i].env + (p->row[i].kind == ROW_AVERAGE ? space->K : 0);
        if (p->row[i].kind == ROW_COMMITMENT || p->row[i].kind == ROW_AVERAGE)
            bound -= fmax(0, result.row_dual[i]) * (aim[promise] - space->accepted[promise]);
    }
    return bound;
}

/* space: classes of L = T without Pareto sets; aim [promises]: what Pr(k) must reach, at least space->accepted. Sets *mass [slots]
 * (owned by the caller; NULL without a solution) and *end, adds to the policy's iterations and raises its bound, which is that of
 * all policies that are accepted. */
static vouch_status history_program_solve(plan_call *call, const policy_space *space, const double aim[], double **mass,
                                          colgen_end *end)
{
    program *p = NULL;
    program_solution solution = {0};
    program_options options = {.limit = &call->limit, .trace = call->options->trace};
    *mass = NULL;
    *end = COLGEN_LIMIT;
    for (int k = 0; k < space->promises; k++) CHECK_COMPARE(aim[k], >=, space->accepted[k]);
    if (deadline_expired(&call->limit)) return VOUCH_OK;
    vouch_status status = program_compact(
        space->c, &(program_aim){space->optimal, aim, &space->averages, PROGRAM_MAX_REGRET, 0, space->share}, false, &p);
    if (!status) status = vouch_lp_set_col_bounds(p->lp, 0, -INFINITY, INFINITY); /* z */
    if (!status) status = program_solve_lp(p, &options, &solution);
    if (!status) {
        deadline_use(&call->limit, 0, solution.iterations);
        if (solution.end == PROGRAM_SOLVED) {
            call->policy->bound = fmax(call->policy->bound, accepted_bound(p, space, aim, solution.bound));
            *end = COLGEN_SOLVED;
            *mass = MEM_NEW(double, space->c->slots);
            if (*mass)
                program_slot_mass(p, solution.x, *mass);
            else
                status = VOUCH_ERROR_MEMORY;
        } else if (solution.end == PROGRAM_INFEASIBLE)
            *end = COLGEN_INFEASIBLE;
        else if (solution.end == PROGRAM_TROUBLE)
            *end = COLGEN_STALLED;
    }
    mem_free(solution.x);
    program_free(p);
    return status;
}

/* Rounds with the environment revealed that look for a proof that no policy keeps the promises, where the bound is made otherwise.
 */
enum { REVEALED_ROUNDS = 40 };

/* Inductions of the search for a Markov policy that the history policy found is compared with. */
static const long long MARKOV_WORK = 2000;

/* More classes than this are made only if those that matter (plan/relax/belief_expansion.h) do not settle it. */
static const long long GROW_FROM = 20000;

/* A policy no further from the bound, relative to its regret, is not compared with those found otherwise. */
static const double NEAR_ENOUGH = 0.05;

/* Attempts to find a policy within the gap: at p itself, at what is only just accepted, and with a margin for what the program was
 * off. */
enum { ATTEMPTS = 5 };

/* The policy of a mixture, and what it is worth. */
typedef struct behaviour {
    double *prob;           /* [slots] */
    double regret, missing; /* missing: the most that a Pr(k) lacks to count as kept; 0: the commitment is kept */
} behaviour;

/* What the search for the policy works with and has found. */
typedef struct history_search {
    plan_call *call;
    colgen *r;
    deadline limit;
    bool revealed;                /* the environment, from some time on: only the bound is worth something */
    bool grows;                   /* and expanded classes make another one */
    guided_policy *grown;         /* what these found before, taken over; NULL: they were not asked */
    double *aim, *U, *Pr, *reach; /* [promises], [K], [K] in one block; [classes] */
    behaviour best;               /* kept, or else the last one tried */
    colgen_end end;
} history_search;

/* Action probabilities in proportion to mass [slots], which is taken over. */
static behaviour behaviour_of_mass(const history_search *h, double mass[])
{
    const policy_space *space = h->r->space;
    const know_classes *c = space->c;
    behaviour b = {.prob = mass};
    for (int i = 0; i < c->time_start[c->g->T]; i++)
        if (!space_distribution(mass, mass, c->slot_start[i], c->slot_start[i + 1]))
            mass[c->slot_start[i]] = 1; /* not reached but for rounding */
    induction_evaluate(c, mass, NULL, h->reach, h->U, h->Pr);
    for (int k = 0; k < space->K; k++) h->U[k] = space->optimal[k] - h->U[k];
    b.regret = space_objective(space, h->U);
    space_kept(space, h->Pr, &b.missing);
    CHECK_COMPARE(b.missing, >=, 0);
    return b;
}

/* mass [slots] of the best mixture that reaches the aim, by column generation; NULL: none does. */
static vouch_status generate(history_search *h, double **mass)
{
    colgen *r = h->r;
    long long inductions = r->inductions;
    vouch_status status = colgen_aim(r, h->aim);
    if (!status) status = colgen_solve(r, INFINITY, 0, &h->limit, &h->end);
    deadline_use(&h->call->limit, 0, r->inductions - inductions);
    h->call->policy->bound = fmax(h->call->policy->bound, r->bound);
    log_line(&h->call->options->log, VOUCH_LOG_INFO,
             "column generation: bound %.10g, mixture %.10g of %d policies, %lld backward inductions",
             h->call->m->scale.spread * r->bound, h->call->m->scale.spread * r->mixture, r->count, r->inductions);
    if (!status) status = record_alone_end(h->call->options->trace, r);
    if (status || !(r->mixture < INFINITY)) return status;
    colgen_mass(r);
    *mass = MEM_NEW(double, r->space->c->slots);
    if (!*mass) return VOUCH_ERROR_MEMORY;
    MEM_COPY(*mass, r->mass, r->space->c->slots);
    return VOUCH_OK;
}

/* Policies aim at p itself, so that what need not be spent of the tolerance is not. Bound and proof are those of all policies that
 * count as keeping the commitment; where that leaves a gap, a policy that spends the tolerance closes it. */
static vouch_status try_aims(history_search *h, bool by_lp)
{
    const policy_space *space = h->r->space;
    plan_call *call = h->call;
    behaviour *best = &h->best;
    double margin = INFINITY;
    vouch_status status = VOUCH_OK;
    for (int i = 0; i < ATTEMPTS && !status; i++) {
        double *mass = NULL;
        CHECK_COMPARE(margin, >=, 0);
        space_aim(space, margin, h->aim);
        status = by_lp ? history_program_solve(call, space, h->aim, &mass, &h->end) : generate(h, &mass);
        if (by_lp && h->end == COLGEN_INFEASIBLE && i != 1) h->end = COLGEN_STALLED; /* more is asked for than what is accepted */
        CHECK(!mass || (!status && h->end != COLGEN_INFEASIBLE));
        if (status || h->end == COLGEN_INFEASIBLE) break;
        behaviour now = mass ? behaviour_of_mass(h, mass) : (behaviour){0};
        double missing = now.missing;
        if (now.prob && (!best->prob || best->missing > 0 || (now.missing <= 0 && now.regret < best->regret))) {
            mem_free(best->prob);
            *best = now;
        } else {
            mem_free(now.prob);
        }
        if (best->prob && best->missing <= 0 && best->regret - call->policy->bound <= call->options->gap) break;
        if (h->end == COLGEN_LIMIT || h->revealed || (i > 0 && !(missing > 0))) break;
        margin = i == 0 ? commitment_rounding(space->m->T) : margin + 2 * missing;
    }
    return status;
}

/* The linear program may be off by more than the commitment's tolerance, the mixture of policies hardly ever: it has the last
 * word. */
static vouch_status find_policy(history_search *h)
{
    plan_call *call = h->call;
    const policy_space *space = h->r->space;
    bool by_lp = call->options->engine == VOUCH_ENGINE_LP && !h->revealed;
    h->aim = MEM_NEW(double, space->promises + 2 * space->K);
    h->reach = MEM_NEW(double, space->c->classes);
    if (!h->aim || !h->reach) return VOUCH_ERROR_MEMORY;
    h->U = h->aim + space->promises;
    h->Pr = h->U + space->K;
    call->policy->steep = space->steep;
    call->policy->bound = h->grown ? fmax(call->policy->bound, 0) : 0;
    if (h->grows && !space_may_bind(space)) return VOUCH_OK;
    if (h->grows) h->r->mix.most = REVEALED_ROUNDS;
    h->limit = deadline_share(&call->limit, h->revealed ? TIME.history_bound : 1);
    h->r->gap = call->options->gap;
    vouch_status status = by_lp ? try_aims(h, true) : VOUCH_OK;
    bool kept = h->best.prob && h->best.missing <= 0;
    if (!status && (!by_lp || (h->end != COLGEN_INFEASIBLE && h->end != COLGEN_LIMIT && !kept))) status = try_aims(h, false);
    return status;
}

/* The regret of a Markov policy that a short search finds, as planned; INFINITY where it finds none. */
static vouch_status markov_regret(plan_call *call, double *regret)
{
    vouch_plan_options o = *call->options;
    vouch_policy *policy = policy_new(call->m->K);
    plan_call inner = *call;
    *regret = INFINITY;
    if (!policy) return VOUCH_ERROR_MEMORY;
    o.on_node = NULL;
    o.trace = NULL;
    o.journal = NULL;
    o.least_total_regret = 0;
    o.lookahead = 0;
    o.start = NULL;
    inner.options = &o;
    inner.policy = policy;
    inner.proof = inner.total = NULL;
    inner.limit = deadline_part(&call->limit, 0, MARKOV_WORK);
    vouch_status status = policy_describe(policy, call->m, vouch_method_text(o.method), 0) ? VOUCH_ERROR_MEMORY : plan_ccl(&inner);
    deadline_use(&call->limit, 0, inner.limit.iterations);
    if (!status && policy->has_policy) *regret = plan_minimised(call->m, policy) / call->m->scale.spread;
    vouch_policy_free(policy);
    return status;
}

/* Where only a bound is known: a history policy, or a Markov one where that is as good or none is found. */
static vouch_status find_any(history_search *h, policy_space *space)
{
    plan_call *call = h->call;
    guided_policy found = {0}, other = {0};
    deadline limit = deadline_share(&call->limit, TIME.guided);
    double markov = INFINITY, *mu = h->r->bound > -INFINITY && h->r->priced ? h->aim : NULL;
    vouch_status status = VOUCH_OK;
    if (mu) MEM_COPY(mu, h->r->mix.mu, space->K);
    if (h->grows) { /* of all classes, which are many, nothing more is asked */
        colgen_free(h->r);
        know_classes_free(space->c);
        h->r = NULL;
        space->c = NULL;
        status = expansion_search(call, space, &limit, &found);
    } else if (h->grown) {
        found = *h->grown;
        *h->grown = (guided_policy){0};
    }
    if (!status && (!found.c || found.regret - call->policy->bound > NEAR_ENOUGH * fabs(found.regret))) {
        status = guided_search(call, space, mu, &limit, &other);
        if (other.c && (!found.c || other.regret < found.regret)) {
            guided_free(&found);
            found = other;
            other = (guided_policy){0};
        }
        guided_free(&other);
        if (!status && found.c) status = markov_regret(call, &markov);
    }
    if (!status && found.c && found.regret < markov) {
        know_classes_free(space->c);
        space->c = found.c;
        space->plans = found.plans;
        found.c = NULL;
        found.plans = NULL;
        status = space_write_policy(space, found.prob, true, call->policy);
        call->policy->outcome = VOUCH_PLAN_OPTIMAL; /* if the gap is closed: plan_settle */
    }
    guided_free(&found);
    return status;
}

/* Most classes that are made at first: all of them for a proof and where columns are to be shown, which are of all classes. */
static long long first_classes(const plan_call *call)
{
    const vouch_plan_options *o = call->options;
    bool grows = !call->proof && !trace_on(o->trace) && o->engine != VOUCH_ENGINE_LP && o->class_limit == 0;
    return grows ? GROW_FROM : HISTORY_CLASSES;
}

/* Where there are more: those that matter may be far fewer. *closed: their policy is within the gap, and written; else there are
 * all classes, as many as may be, and *found is what was found. */
static vouch_status grow_first(plan_call *call, space_options *so, policy_space *space, guided_policy *found, bool *closed)
{
    deadline limit = deadline_share(&call->limit, TIME.guided);
    vouch_status status = VOUCH_OK;
    call->policy->bound = 0;
    call->policy->steep = space->steep;
    know_classes_free(space->c);
    space->c = NULL;
    if (expansion_fits(space)) status = expansion_search(call, space, &limit, found);
    *closed = !status && found->c && found->regret - call->policy->bound <= call->options->gap;
    if (*closed) {
        space->c = found->c;
        space->plans = found->plans;
        found->c = NULL;
        found->plans = NULL;
        deadline_use(&call->limit, 1, 0);
        call->policy->outcome = VOUCH_PLAN_OPTIMAL; /* plan_settle */
        return space_write_policy(space, found->prob, true, call->policy);
    }
    so->class_limit = HISTORY_CLASSES;
    return status ? status : plan_space_detail(call, so, TIME.detail, space);
}

/* What all classes have shown. */
static vouch_status settle_found(history_search *h, policy_space *space)
{
    vouch_policy *policy = h->call->policy;
    const behaviour *best = &h->best;
    CHECK(h->end != COLGEN_INFEASIBLE || !best->prob || best->missing > 0);
    if (h->end == COLGEN_INFEASIBLE) {
        policy->outcome = VOUCH_PLAN_INFEASIBLE;
    } else if (best->prob && !h->revealed && best->missing > 0) {
        policy->outcome = VOUCH_PLAN_NUMERICAL; /* what breaks the commitment is not shown */
    } else if (best->prob && !h->revealed) {
        policy->outcome = VOUCH_PLAN_OPTIMAL; /* if the gap is closed: plan_settle */
        return space_write_policy(space, best->prob, true, policy);
    }
    return VOUCH_OK;
}

vouch_status plan_history(plan_call *call)
{
    const vouch_plan_options *o = call->options;
    vouch_policy *policy = call->policy;
    policy_space space = {0};
    space_options so = plan_space_options(call, call->m->T);
    guided_policy grown = {0};
    so.class_limit = first_classes(call);
    bool first = so.class_limit < HISTORY_CLASSES, closed = false;
    vouch_status status = plan_space(call, &so, &space);
    if (status == VOUCH_ERROR_SIZE || plan_memory_over(status)) {
        log_line(&o->log, VOUCH_LOG_INFO,
                 "too many knowledge states for the limits: the policy is a Markov one, and nothing is proved");
        policy->too_large = true;
        return plan_markov(call, -INFINITY);
    }
    if (status) return status;
    if (space.late) {
        space_free(&space);
        return plan_markov(call, -INFINITY);
    }
    first &= space.c->cut <= space.g->T;
    if (first) status = grow_first(call, &so, &space, &grown, &closed);
    if (status || closed) {
        guided_free(&grown);
        space_free(&space);
        if (plan_memory_over(status)) return plan_markov(call, -INFINITY);
        return status == VOUCH_ERROR_MEMORY ? error_memory(call->error) : status;
    }
    history_search h = {.call = call, .revealed = space.c->cut <= space.g->T, .end = COLGEN_LIMIT, .grown = first ? &grown : NULL};
    h.grows = h.revealed && !first && !call->proof && expansion_fits(&space); /* proofs have no lines for it */
    status = colgen_new(&space, &h.r);
    if (!status) {
        h.r->by_slot = true;
        h.r->most = call->limit.limits.iterations;
        record_alone(o->trace, h.r, "mixtures of policies that know the whole history");
        status = find_policy(&h);
    }
    deadline_use(&call->limit, 1, 0);
    if (!status && call->proof)
        status = proof_single(call->proof, h.r, h.end == COLGEN_INFEASIBLE); /* before figures are as given */
    if (!status) status = settle_found(&h, &space);
    if (!status && h.revealed && policy->outcome != VOUCH_PLAN_INFEASIBLE) status = find_any(&h, &space);
    colgen_free(h.r);
    MEM_FREE_ALL(h.aim, h.reach, h.best.prob);
    guided_free(&grown);
    space_free(&space);
    if (plan_memory_over(status)) return plan_markov(call, -INFINITY); /* in the room that is free now */
    bool coarse = policy->outcome == VOUCH_PLAN_NUMERICAL; /* mixtures cannot be told from those that break the promise by less */
    if (!status && (h.revealed || coarse) && !policy->has_policy && policy->outcome != VOUCH_PLAN_INFEASIBLE)
        status = plan_markov(call, policy->bound);
    return status == VOUCH_ERROR_MEMORY ? error_memory(call->error) : status;
}
