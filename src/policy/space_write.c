/* policy/space_write.c - conversion of action probabilities to rules with exact figures. O(edges K). */
#include "policy/space.h"

#include "base/check.h"
#include "base/memory.h"
#include "know/propagate.h"
#include "policy/policy.h"

double *space_propagate(const policy_space *space, const double prob[], bool by_class, double U[], double Pr[], int *bare)
{
    const know_graph *g = space->g;
    if (by_class) return plans_propagate(space->c, prob, space->plans, U, Pr, bare);
    double *reach = MEM_NEW(double, (size_t)g->nodes *(size_t)g->K);
    if (reach) *bare = propagate_forward(g, prob, reach, U, Pr);
    return reach;
}

/* True if a choice collects a raised reward (mdp/rescale.h) in an environment of the node. */
static bool is_raised(const policy_space *space, int node, int choice)
{
    const know_graph *g = space->g;
    for (int i = g->member_start[g->set[node]]; i < g->member_start[g->set[node] + 1]; i++) {
        const mdp *e = &space->m->env[g->member[i]];
        if (e->origin + e->given[g->choice_pair[choice]] < space->m->scale.least) return true;
    }
    return false;
}

/* Renormalises the probabilities first .. last-1 without choices of raised rewards, if any are left. option: NULL, or of a slot. */
static void leave_raised(const policy_space *space, int node, int first, int last, const int option[], double prob[])
{
    double kept = 0;
    for (int i = first; i < last; i++)
        if (!is_raised(space, node, option ? option[i] : i)) kept += prob[i];
    for (int i = first; i < last && kept > 0; i++) prob[i] = is_raised(space, node, option ? option[i] : i) ? 0 : prob[i] / kept;
}

/* A mixture may collect a raised reward with a tiny probability. Returns the same policy without it if it keeps its promises, else
 * a copy; owned by the caller; NULL: out of memory. */
static double *without_raised(const policy_space *space, const double prob[], bool by_class, double U[], double Pr[])
{
    const know_graph *g = space->g;
    const know_classes *c = space->c;
    int bare = -1, count = by_class ? c->slots : g->choices;
    double *left = MEM_NEW(double, count), *reach;
    if (!left) return NULL;
    MEM_COPY(left, prob, count);
    if (by_class)
        for (int i = 0; i < c->classes; i++)
            leave_raised(space, c->node[i], c->slot_start[i], c->slot_start[i + 1], c->slot_option, left);
    else
        for (int n = 0; n < g->time_start[g->T]; n++)
            leave_raised(space, n, g->choice_start[n], g->choice_start[n + 1], NULL, left);
    reach = space_propagate(space, left, by_class, U, Pr, &bare);
    bool keeps = reach && space_kept(space, Pr, NULL);
    mem_free(reach);
    if (!keeps) MEM_COPY(left, prob, count);
    return left;
}

vouch_status space_write_policy(policy_space *space, const double given[], bool by_class, vouch_policy *policy)
{
    int K = space->K, bare = -1;
    CHECK(policy->rule_count == 0 && policy->K == K);
    double *U = MEM_NEW(double, 2 * K), *Pr = U ? U + K : NULL, *reach = NULL;
    bool raised = space->m->scale.raised && !(by_class && space->plans);
    double *left = U && raised ? without_raised(space, given, by_class, U, Pr) : NULL;
    const double *prob = left ? left : given;
    vouch_status status = U && (left || !raised) ? space_use_given(space) : VOUCH_ERROR_MEMORY;
    if (!status) reach = space_propagate(space, prob, by_class, U, Pr, &bare);
    CHECK_COMPARE(bare, <, 0);
    if (reach) {
        figures_of_model(space->m, space->optimal, U, Pr, policy->figures);
        vouch_policy_set_figures(policy, policy->figures);
        policy->late = space->late;
        policy->has_policy = 1;
    }
    if (!reach || (by_class ? rules_from_classes(space->c, prob, space->plans, reach, policy)
                            : rules_from_nodes(space->g, prob, reach, policy)))
        status = VOUCH_ERROR_MEMORY;
    MEM_FREE_ALL(U, left, reach);
    return status;
}
