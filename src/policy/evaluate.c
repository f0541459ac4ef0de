/* policy/evaluate.c - a policy read back and propagated: no program, no search, only the model and the rules.
 *
 * U(k) = sum over nodes of Pr(n|k) pi(a|n) R(s,a;k), Pr(k) = sum over nodes at T of Pr(n|k) terminal(s): one forward pass, O(edges K), as given rewards
 * are (THEORY.md, section 8). Every planner's figures are those of this pass.
 */
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "know/propagate.h"
#include "know/induction.h"
#include "mdp/commitment.h"
#include "mdp/rescale.h"
#include "policy/arguments.h"
#include "policy/rules.h"
#include "policy/space.h"

static vouch_status missing_rule(const know_graph *g, int node, vouch_error *error)
{
    return error_set(error, VOUCH_ERROR_INPUT, "no rule for time %d, state \"%.200s\", which the policy reaches",
                     know_time(g, node), g->m->state_name[g->state[node]]);
}

static vouch_status evaluate_nodes(const policy_space *space, const vouch_policy *policy, double U[], double Pr[],
                                   vouch_error *error)
{
    const know_graph *g = space->g;
    double *prob = MEM_NEW(double, g->choices), *reach = MEM_NEW(double, (size_t)g->nodes *(size_t)g->K);
    vouch_status status = prob && reach ? rules_to_nodes(policy, g, prob, error) : error_memory(error);
    if (!status) {
        int bare = propagate_forward(g, prob, reach, U, Pr);
        if (bare >= 0) status = missing_rule(g, bare, error);
    }
    mem_free(prob);
    mem_free(reach);
    return status;
}

static vouch_status evaluate_classes(const policy_space *space, const vouch_policy *policy, double U[], double Pr[],
                                     vouch_error *error)
{
    const know_classes *c = space->c;
    double *prob = MEM_NEW(double, c->slots), *reach = MEM_NEW(double, c->classes);
    vouch_status status = prob && reach ? rules_to_classes(policy, c, prob, error) : error_memory(error);
    if (!status) {
        int bare = induction_evaluate(c, prob, reach, U, Pr);
        if (bare >= 0) status = missing_rule(c->g, c->node[bare], error);
    }
    mem_free(prob);
    mem_free(reach);
    return status;
}

vouch_status vouch_policy_evaluate(const vouch_policy *policy, const vouch_model *model, vouch_environment_figures out[], int *kept,
                                   vouch_error *error)
{
    if (!policy || !out || !kept) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no policy, or no place for the answer");
    *kept = 0;
    int history;
    policy_space space;
    vouch_model rescaled;
    vouch_status status = check_model(model, error);
    if (status) return status;
    if (model_rescaled(model, 0, &rescaled)) return error_memory(error);
    const vouch_model *m = &rescaled;
    status = space_of_policy(m, policy, &space, &history, error);
    if (!status && space_use_given(&space)) status = error_memory(error);
    if (status) goto done;
    double *U = MEM_NEW(double, m->K), *Pr = MEM_NEW(double, m->K);
    if (!U || !Pr) status = error_memory(error);
    if (!status) status = (history ? evaluate_classes : evaluate_nodes)(&space, policy, U, Pr, error);
    if (!status) {
        figures_of_model(m, space.optimal, U, Pr, out);
        *kept = 1;
        for (int k = 0; k < m->K; k++)
            if (!commitment_kept(Pr[k], m->p)) *kept = 0;
    }
    mem_free(U);
    mem_free(Pr);
done:
    space_free(&space);
    model_rescaled_free(&rescaled);
    return status;
}
