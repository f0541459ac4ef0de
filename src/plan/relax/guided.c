/* plan/relax/guided.c - history policies that act as if the environment were revealed after the next step:
 *
 *     choice(n, w) = argmax over a of  sum_k w_k q_k(n, a),
 *     q_k(n, a) = lambda_k R(s,a;k) + sum over n' P(n'|n,a;k) max over a' of q_k(n', a'),    mu_k [s in Phi] at T,
 *
 * the optimal values of single environments weighted by the likelihoods of the history. Such a policy reaches a small part of all
 * classes, since it has one choice at each; only these are built (know_classes_guided), and it is evaluated exactly. Until one
 * keeps the promises, regrets and probabilities are columns of the master program; the mean of its multipliers and the last ones
 * gives the next policy. Then multiplicative weights favour environments of large regret (Arora, Hazan, Kale, Theory of Computing
 * 8, 2012): the policies are not optimal for their multipliers, so the program could repeat the same; it returns when weights no
 * longer help. A heuristic without bounds.
 *
 * Source: the rule is QMDP (Littman, Cassandra, Kaelbling, ICML 1995), which does not value information. Cost of a round: edges K
 * for q, and K times the classes reached.
 */
#include "plan/relax/guided.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "know/classes.h"
#include "know/induction.h"
#include "plan/colgen/generation.h"
#include "policy/parameters.h"

static const double LEAST_REGRET = 1e-9;

typedef struct env_guide {
    const know_graph *g;
    double *q, *v;       /* [choices * K], [nodes * K] */
    double *lambda, *mu; /* [K] */
} env_guide;

static void want_best(void *context, const know_classes *made, int i, unsigned char want[])
{
    const env_guide *x = context;
    const double *w = know_class_weights(made, i);
    int node = made->node[i];
    const know_graph *g = x->g;
    double most = -INFINITY;
    int best = g->choice_start[node];
    for (int c = best; c < g->choice_start[node + 1]; c++) {
        if (g->choice_twin[c] != c) continue;
        const double *q = x->q + (size_t)c * (size_t)g->K;
        double sum = 0;
        for (int k = 0; k < g->K; k++)
            if (w[k] > 0) sum += w[k] * q[k];
        if (sum <= most) continue;
        most = sum;
        best = c;
    }
    want[best - g->choice_start[node]] = 1;
}

typedef struct guided_rounds {
    const plan_call *call;
    const policy_space *space;
    env_guide x;
    generation mix;
    double *U, *Pr, *regret; /* [K] */
    int steps;               /* by weights */
} guided_rounds;

/* The policy of the current multipliers, with figures in U, Pr and regret; replaces *out if better. */
static vouch_status try_policy(guided_rounds *r, const deadline *limit, guided_policy *out)
{
    const policy_space *space = r->space;
    class_guide by = {&r->x, want_best};
    guided_policy now = {0};
    double missing;
    induction_informed(r->x.g, r->x.lambda, r->x.mu, r->x.q, r->x.v);
    long long most = r->call->options->class_limit > 0 ? r->call->options->class_limit : HISTORY_CLASSES;
    vouch_status status = know_classes_guided(space->g, &by, most, limit, &now.c, r->call->error);
    if (status) return status;
    double *reach = MEM_NEW(double, now.c->classes);
    now.prob = MEM_NEW(double, now.c->slots);
    if (!reach || !now.prob) {
        mem_free(reach);
        guided_free(&now);
        return VOUCH_ERROR_MEMORY;
    }
    for (int slot = 0; slot < now.c->slots; slot++) now.prob[slot] = 1;
    int bare = induction_evaluate(now.c, now.prob, NULL, reach, r->U, r->Pr);
    CHECK_COMPARE(bare, <, 0);
    (void)bare;
    mem_free(reach);
    for (int k = 0; k < space->K; k++) r->regret[k] = space->optimal[k] - r->U[k];
    now.regret = space_objective(space, r->regret);
    bool better = space_kept(space, r->Pr, &missing) && (!out->c || now.regret < out->regret);
    log_line(&r->call->options->log, VOUCH_LOG_DETAIL,
             "a policy that looks one step ahead: %d likelihood classes, maximum regret %.10g%s", now.c->classes,
             r->call->m->scale.spread * now.regret, better ? ", the best so far" : "");
    if (better) {
        guided_policy worse = *out;
        *out = now;
        now = worse;
    }
    guided_free(&now);
    return VOUCH_OK;
}

/* The multipliers of the next round; *value: of the best mixture of the policies tried, INFINITY if none keeps the promises. */
static bool next_multipliers(guided_rounds *r, vouch_status *status, double *value)
{
    if (!generation_next(&r->mix, status)) return false;
    *value = r->mix.feasible ? r->mix.value : INFINITY;
    for (int k = 0; k < r->space->K; k++) {
        r->x.lambda[k] = (r->x.lambda[k] + r->mix.lambda[k]) / 2;
        r->x.mu[k] = (r->x.mu[k] + r->mix.mu[k]) / 2;
    }
    return true;
}

/* Multiplicative weights by regret. First every weight becomes positive. */
static void step_by_weights(guided_rounds *r, double regret)
{
    int K = r->space->K;
    double sum = 0, mean = 0;
    for (int k = 0; k < K; k++) {
        sum += r->x.lambda[k];
        mean += r->regret[k] / K;
    }
    if (r->steps++ == 0)
        for (int k = 0; k < K; k++) r->x.lambda[k] = sum > 0 ? 0.9 * r->x.lambda[k] + 0.1 * sum / K : 1.0 / K;
    double scale = RELAX.guided_step / (fmax(fabs(regret), LEAST_REGRET) * sqrt(r->steps));
    for (int k = 0; k < K; k++)
        r->x.lambda[k] *= exp(fmin(fmax(scale * (r->regret[k] - mean), -RELAX.guided_most_step), RELAX.guided_most_step));
}

static vouch_status run_rounds(guided_rounds *r, const deadline *limit, guided_policy *out)
{
    vouch_status status = VOUCH_OK;
    double last = INFINITY;
    int repeated = 0, idle = 0;
    for (int i = 0; i < RELAX.guided_rounds && !status && !deadline_expired(limit); i++) {
        double value = -INFINITY, before = out->c ? out->regret : INFINITY;
        status = try_policy(r, limit, out);
        if (status == VOUCH_ERROR_SIZE) return VOUCH_OK; /* *out stays */
        if (!status) status = generation_add(&r->mix, r->regret, r->Pr);
        idle = out->c && out->regret < before ? 0 : idle + 1;
        if (!status && out->c && idle < RELAX.guided_idle)
            step_by_weights(r, out->regret);
        else if (!next_multipliers(r, &status, &value))
            break;
        if (out->c) plan_progress(r->call, "policies that look one step ahead", out->regret, r->call->policy->bound, 0, 0);
        if (out->c && i > 2 && out->regret - value <= RELAX.guided_enough * fabs(value)) break;
        double total = 0;
        for (int k = 0; k < r->space->K; k++) total += r->regret[k];
        repeated = total < last || total > last ? 0 : repeated + 1;
        if (repeated > RELAX.guided_patience) break;
        last = total;
    }
    return status;
}

vouch_status guided_search(const plan_call *call, const policy_space *space, const double *mu, const deadline *limit,
                           guided_policy *out)
{
    const know_graph *g = space->g;
    int K = space->K;
    if ((double)g->choices * K > RELAX.guided_values || space->floor) return VOUCH_OK;
    guided_rounds r = {.call = call, .space = space, .x = {.g = g}};
    double *all = MEM_ZERO(double, 5 * (size_t)K);
    r.x.q = MEM_NEW(double, (size_t)g->choices *(size_t)K);
    r.x.v = MEM_NEW(double, (size_t)g->nodes *(size_t)K);
    vouch_status status = generation_init(&r.mix, space, true);
    if (!all || !r.x.q || !r.x.v) status = VOUCH_ERROR_MEMORY;
    if (!status) status = generation_begin(&r.mix, MASTER_MAX_REGRET, space->p, INFINITY, NULL);
    if (!status) {
        r.x.lambda = all;
        r.x.mu = all + K;
        r.U = all + 2 * K;
        r.Pr = all + 3 * K;
        r.regret = all + 4 * K;
        r.mix.limit = limit;
        for (int k = 0; k < K; k++) {
            r.x.lambda[k] = 1.0 / K;
            r.x.mu[k] = mu ? mu[k] : 1.0 / K;
        }
        status = run_rounds(&r, limit, out);
    }
    generation_clear(&r.mix);
    MEM_FREE_ALL(all, r.x.q, r.x.v);
    return status;
}

void guided_free(guided_policy *p)
{
    know_classes_free(p->c);
    mem_free(p->prob);
    class_plans_free(p->plans);
    *p = (guided_policy){0};
}
