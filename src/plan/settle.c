/* plan/settle.c - figures and bounds of a finished search return to the units given: bounds less what rescaling and rounding may
 * have cost, "optimal" only where value - bound <= gap in those units (THEORY.md, section 8). O(environments) beside one
 * evaluation.
 */

#include "base/check.h"
#include "plan/proof.h"

/* No bound exceeds the value of a policy that keeps the commitment by more than this a step, in rewards as planned: tolerances of
 * linear programs. */
#define PROOF_ROUNDING 1e-6

/* Searches close what lies T TOL_STEP below the best policy, and summing a value errs by as much: a bound that is nearer is the
 * same. */
static const double ROUNDING_SHARE = 0.5;

/* Part of the gap that a proof may take for rounding of what is written (plan/plan.c, PROOF_GAP). */
static const double PROOF_SHARE = 0.05;

/* A number that the least U(k) does not exceed, as given: what the least value is counted down from. */
static double most_value(const vouch_model *m) { return m->T * (m->scale.least + m->scale.spread); }

/* What was minimised, of the policy's figures: the maximum regret, the weighted regret by shares, or what the least value is below
 * most_value. */
double plan_minimised(const vouch_model *m, const vouch_policy *policy)
{
    double sum = 0, weights = 0, least = INFINITY;
    for (int k = 0; k < policy->K; k++) {
        least = fmin(least, policy->figures[k].value);
        if (!policy->weights || k % m->group > 0) continue;
        sum += policy->weights[k / m->group] * policy->figures[k].regret;
        weights += policy->weights[k / m->group];
    }
    return policy->objective == VOUCH_OBJECTIVE_REGRET    ? policy->max_regret
           : policy->objective == VOUCH_OBJECTIVE_MAX_MIN ? most_value(m) - least
                                                          : sum / weights;
}

double plan_objective(const vouch_model *m, const vouch_policy *policy)
{
    return policy->objective == VOUCH_OBJECTIVE_REGRET ? policy->max_regret : proof_value(policy, m->group);
}

bool plan_is_unseen(double rounding, double claim) { return rounding <= UNSEEN_LEAST + UNSEEN_SHARE * fabs(claim); }

bool plan_shows_promises(const vouch_model *m, const vouch_policy *policy)
{
    return policy->steep * m->scale.spread > UNSEEN_LEAST;
}

bool plan_shows_rounding(const plan_call *call, const vouch_model *m)
{
    const vouch_policy *policy = call->policy;
    double rounding = rescaled_rounding(m);
    bool shows = !plan_is_unseen(rounding, plan_objective(m, policy)) || plan_shows_promises(m, policy);
    for (int k = 0; k < policy->K; k++)
        shows |= !plan_is_unseen(rounding, fmax(fabs(policy->figures[k].optimal_value), fabs(policy->figures[k].value)));
    double weights = policy->weights ? 0 : 1;
    for (int k = 0; k < policy->K / m->group && policy->weights; k++) weights += policy->weights[k];
    return shows || (call->options->proof &&
                     weights * proof_kept_off(m, plan_objective(m, policy) / weights) > PROOF_SHARE * call->options->gap);
}

void plan_settle(const vouch_model *m, double gap, vouch_policy *policy)
{
    double rounding = rescaled_rounding(m), value = plan_objective(m, policy);
    if (policy->objective == VOUCH_OBJECTIVE_MAX_MIN && policy->has_policy) value = most_value(m) - plan_minimised(m, policy);
    bool unseen = plan_is_unseen(rounding, policy->has_policy ? value : 0),
         total_unseen = plan_is_unseen(m->K * rounding, policy->has_policy ? policy->total_regret : 0);
    double loss = rescaled_loss(m) + (unseen ? 0 : rounding), total_loss = rescaled_loss(m) + (total_unseen ? 0 : rounding);
    policy->bound = policy->bound * m->scale.spread - loss;
    if (policy->objective != VOUCH_OBJECTIVE_MAX_MIN || unseen) policy->bound = fmax(0, policy->bound); /* most_value is rounded */
    policy->total_bound = policy->total_bound * m->scale.spread - m->K * total_loss;
    for (int k = 0; k < m->K && policy->determinism; k++)
        policy->determinism[k] = fmax(0, (policy->determinism[k] - policy->steep) * m->scale.spread - loss);
    CHECK(!isnan(policy->bound));
    CHECK(policy->outcome != VOUCH_PLAN_INFEASIBLE || !policy->has_policy);
    if (policy->outcome != VOUCH_PLAN_OPTIMAL && policy->outcome != VOUCH_PLAN_FEASIBLE) return;
    CHECK(policy->has_policy && policy->rule_count > 0);
    double found = plan_minimised(m, policy);
    CHECK_COMPARE(policy->bound, <=,
                  found + rounding + PROOF_ROUNDING * m->T * m->scale.spread + 4 * DBL_EPSILON * fabs(most_value(m)));
    double apart = found - policy->bound; /* what rounding may be is given away only where the gap asks for it */
    if (unseen && (apart < ROUNDING_SHARE * rounding || (apart > gap && apart < rounding))) policy->bound = found;
    for (int k = 0; k < policy->K && policy->objective == VOUCH_OBJECTIVE_MAX_MIN; k++) /* it was counted from there too */
        policy->total_bound -= most_value(m) - policy->figures[k].optimal_value;
    if (total_unseen && policy->total_bound > policy->total_regret - m->K * rounding) policy->total_bound = policy->total_regret;
    if (policy->outcome == VOUCH_PLAN_OPTIMAL && !(found - policy->bound <= gap)) policy->outcome = VOUCH_PLAN_FEASIBLE;
}

void plan_bound_value(const vouch_model *m, vouch_policy *policy)
{
    double weights = 0, best = 0;
    for (int k = 0; k < policy->K && policy->weights; k += m->group) {
        weights += policy->weights[k / m->group];
        best += policy->weights[k / m->group] * policy->figures[k].optimal_value;
    }
    if (policy->objective == VOUCH_OBJECTIVE_WEIGHTED) policy->bound = isnan(best) ? INFINITY : best - weights * policy->bound;
    if (policy->objective == VOUCH_OBJECTIVE_MAX_MIN) policy->bound = most_value(m) - policy->bound;
}

vouch_status plan_settle_figures(const plan_call *call, const vouch_model *rows)
{
    vouch_policy *policy = call->policy, merged;
    vouch_status status = policy_merged_copy(policy, rows, &merged) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    if (!status) status = policy_precise_figures(&merged, call->m, merged.figures, call->error);
    double value = plan_objective(rows, policy), total = policy->total_regret;
    for (int r = 0; r < policy->K && !status; r++) {
        double keeps = policy->figures[r].commitment_probability;
        policy->figures[r] = merged.figures[r / rows->group];
        policy->figures[r].commitment_probability = keeps;
    }
    policy_sum_regrets(policy);
    policy_copy_free(&merged);
    if (status) return status;
    if (policy->bound == value) policy->bound = plan_objective(rows, policy);
    if (policy->total_bound == total) policy->total_bound = policy->total_regret;
    if (policy->outcome == VOUCH_PLAN_OPTIMAL && !(fabs(plan_objective(rows, policy) - policy->bound) <= call->options->gap))
        policy->outcome = VOUCH_PLAN_FEASIBLE;
    return VOUCH_OK;
}

void plan_return_from_losses(const loss_model *l, vouch_policy *policy)
{
    int group = policy->K / l->m.K;
    double least = INFINITY;
    for (int k = 0; k < policy->K; k++) {
        vouch_environment_figures *f = &policy->figures[k];
        const exact_values *v = &l->value[k / group];
        double off = isfinite(v->forgone) && policy->objective != VOUCH_OBJECTIVE_MAX_MIN ? -f->optimal_value - v->forgone : 0;
        least = fmin(least, off);
        policy->total_bound += fmin(off, 0);
        f->optimal_value = isfinite(v->forgone) ? v->promised : f->optimal_value + v->best;
        f->value += v->best;
        f->regret += off;
    }
    policy->bound = fmax(0, policy->bound + fmin(least, 0));
    for (size_t i = 0; i < policy->rule_count; i++) {
        policy_rule *r = &policy->rules[i];
        r->state = l->m.of_state[r->state];
        if (r->boundary_state >= 0) r->boundary_state = l->m.of_state[r->boundary_state];
    }
}
