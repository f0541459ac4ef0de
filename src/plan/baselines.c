/* plan/baselines.c - Greedy and MDPs-Best, the baselines of the paper.
 *
 * Greedy, at each knowledge state: among the actions after which the commitment can still be kept in every consistent MDP (largest
 * reachable probability of Phi at least p; if there is none, those where the least over the MDPs is largest) the one with the
 * smallest max over consistent k of [max_a' R(s,a';k) - R(s,a;k)].
 * MDPs-Best: of the K constrained-optimal policies that keep the commitment in every MDP, the one of least maximum regret.
 * Ties go to the lowest action or environment. Source: Zhang, Singh, Durfee, ICAPS 2017. Cost: O(choices K) after one backward
 * induction an environment; K constrained optima and forward passes. Neither bounds other policies.
 */

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "plan/methods.h"

static const double TIE = 1e-12; /* regrets and probabilities closer than this are equal */

/* prob as the call's policy; outcome FEASIBLE if it keeps the commitment, else LIMIT (none found). */
static vouch_status write_baseline(plan_call *call, policy_space *space, const double prob[])
{
    vouch_policy *policy = call->policy;
    vouch_status status = space_write_policy(space, prob, false, policy);
    policy->bound = 0;
    policy->steep = space->steep;
    policy->outcome = VOUCH_PLAN_FEASIBLE;
    double *Pr = MEM_NEW(double, space->K);
    if (!Pr) return VOUCH_ERROR_MEMORY;
    for (int k = 0; k < space->K; k++) Pr[k] = policy->figures[k].commitment_probability;
    if (!space_kept(space, Pr, NULL)) policy->outcome = VOUCH_PLAN_LIMIT;
    mem_free(Pr);
    return status;
}

/* best: [K * (T+1) * S] reachable probabilities; `keep`: their least margin over p. */
static int greedy_choice(const policy_space *space, int node, int t, const double best[])
{
    const know_graph *g = space->g;
    const vouch_model *m = space->m;
    size_t layer = (size_t)m->S, all = ((size_t)m->T + 1) * layer;
    int picked = g->choice_start[node];
    double picked_keep = -INFINITY, picked_loss = INFINITY;
    for (int c = g->choice_start[node]; c < g->choice_start[node + 1]; c++) {
        double keep = INFINITY, loss = 0;
        for (int i = g->member_start[g->set[node]]; i < g->member_start[g->set[node] + 1]; i++) {
            int k = g->member[i];
            const mdp *e = &m->env[k];
            const double *next = best + (size_t)k * all + ((size_t)t + 1) * layer;
            double pr = 0, most = -INFINITY;
            int q = g->choice_pair[c];
            for (int o = e->start[q]; o < e->start[q + 1]; o++) pr += e->prob[o] * next[e->next[o]];
            for (int other = g->choice_start[node]; other < g->choice_start[node + 1]; other++)
                most = fmax(most, e->expected[g->choice_pair[other]]);
            keep = fmin(keep, pr - space->p[k]);
            loss = fmax(loss, most - e->expected[q]);
        }
        if (commitment_kept(keep, 0)) keep = INFINITY; /* all kept promises are equal */
        if (keep > picked_keep + TIE || (keep >= picked_keep - TIE && loss < picked_loss - TIE)) {
            picked = c;
            picked_keep = keep;
            picked_loss = loss;
        }
    }
    CHECK(picked_keep >= -1 && picked < g->choice_start[node + 1]);
    return picked;
}

vouch_status plan_greedy(plan_call *call)
{
    const vouch_model *m = call->m;
    policy_space space = {0};
    space_options so = plan_space_options(call, m->T);
    so.classes = 0;
    so.limit = &call->limit;
    vouch_status status = space_make(m, &so, &space, call->error);
    if (status) return status;
    size_t all = ((size_t)m->T + 1) * (size_t)m->S;
    double *best = MEM_NEW(double, all *(size_t)m->K), *prob = MEM_ZERO(double, space.g->choices);
    if (!best || !prob) status = VOUCH_ERROR_MEMORY;
    if (!status) {
        for (int k = 0; k < m->K; k++) dp_reachable_probability(m, k, best + (size_t)k * all);
        for (int t = 0; t < m->T; t++)
            for (int n = space.g->time_start[t]; n < space.g->time_start[t + 1]; n++) prob[greedy_choice(&space, n, t, best)] = 1;
        status = write_baseline(call, &space, prob);
    }
    mem_free(best);
    mem_free(prob);
    space_free(&space);
    return status == VOUCH_ERROR_MEMORY ? error_memory(call->error) : status;
}

vouch_status plan_mdps_best(plan_call *call)
{
    const vouch_model *m = call->m;
    policy_space space = {0};
    space_options so = plan_space_options(call, 0);
    so.classes = 0;
    vouch_status status = space_make(m, &so, &space, call->error);
    if (status) return status;
    const know_graph *g = space.g;
    size_t K = (size_t)m->K, choices = (size_t)g->choices;
    arena a = {0};
    double *markov = ARENA_NEW(&a, double, (size_t)m->T *(size_t)m->pairs), *prob = ARENA_NEW(&a, double, choices);
    double *best = ARENA_ZERO(&a, double, choices), *reach = ARENA_NEW(&a, double, (size_t)g->nodes *K);
    figures f = {.U = ARENA_NEW(&a, double, K), .Pr = ARENA_NEW(&a, double, K)};
    double least_shortfall = INFINITY, least_regret = INFINITY;
    if (a.failed) status = VOUCH_ERROR_MEMORY;
    for (int k = 0; k < m->K && !status && (k == 0 || !deadline_expired(&call->limit)); k++) {
        status = space_alone(&space, k, markov);
        if (status) break;
        space_spread(g, markov, prob);
        propagate_forward(g, prob, reach, f.U, f.Pr);
        figures_derive(&space, &f);
        bool kept = f.shortfall <= 0, alike = kept == (least_shortfall <= 0) && f.shortfall <= least_shortfall + TIE;
        if ((kept && least_shortfall > 0) || (!(kept < (least_shortfall <= 0)) && f.shortfall < least_shortfall - TIE) ||
            (alike && f.max_regret < least_regret - TIE)) {
            least_shortfall = f.shortfall;
            least_regret = f.max_regret;
            memcpy(best, prob, choices * sizeof *best);
        }
    }
    if (!status) status = write_baseline(call, &space, best);
    arena_free(&a);
    space_free(&space);
    return status == VOUCH_ERROR_MEMORY ? error_memory(call->error) : status;
}
