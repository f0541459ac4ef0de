/* tests/campaign/stochastic.c - bounds of exact-ccl against stochastic policies that are climbed to, and all deterministic ones.
 *
 * No bound may exceed what a stochastic L-updates policy attains that keeps the promise, and `infeasible` no such policy may
 * refute. Climbs begin with random policies and with the one that was planned, so that a bound a little too high is met, too.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <vouch/vouch.h>

#include "campaign/models.h"
#include "oracle/policies.h"

static const double LP_ACCURACY = 2e-9; /* of bounds that a linear program proves, relative to the spread of the rewards */
enum { POLICIES = 20000, CLIMBS = 3, CHANGES = 400, NODES = 400 };

typedef struct judged {
    vouch_model *m;
    model_kind kind;
    int L;
    policies all; /* deterministic */
} judged;

static void check_bound(campaign *c, const judged *w, const vouch_plan_result *a, const vouch_policy *policy, rng *r)
{
    const vouch_model *m = w->m;
    double optimal[POLICIES_ENVIRONMENTS], least = INFINITY;
    double slack = 16 * DBL_EPSILON * m->T * w->kind.size + LP_ACCURACY * m->T * w->kind.spread;
    for (int k = 0; k < m->K; k++) {
        optimal[k] = a->figures[k].optimal_value;
        if (isnan(optimal[k])) return;
    }
    for (size_t i = 0; i < w->all.count; i++) {
        long double most = -INFINITY, kept = 1;
        for (int k = 0; k < m->K; k++) {
            most = fmaxl(most, (long double)optimal[k] - w->all.list[i].u[k]);
            kept = fminl(kept, w->all.list[i].pr[k]);
        }
        if (kept >= (long double)m->p) least = fmin(least, (double)most);
    }
    if (!(a->bound <= least + slack)) campaign_fault(c, "bound %.17g, but a deterministic policy attains %.17g", a->bound, least);
    for (int i = 0; i < CLIMBS; i++) {
        const vouch_policy *from = i > 0 && a->has_policy ? policy : NULL;
        double value = policies_climb(m, w->L, optimal, from, CHANGES, r);
        if (!(a->bound <= value + slack)) campaign_fault(c, "bound %.17g, but %.17g is attained", a->bound, value);
    }
}

/* What is asked, and how. */
static vouch_plan_options draw_options(rng *r, const judged *w)
{
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.method = VOUCH_METHOD_EXACT_CCL;
    o.lookahead = w->L;
    o.certify = 1;
    o.restarts = 1 + draw(r, 3);
    o.gap = (chance(r, 0.3) ? 1e-7 : 1e-4) * w->kind.scale;
    o.limits = (vouch_limits){.nodes = chance(r, 0.3) ? 1 + draw(r, 6) : NODES, .seconds = 20};
    if (chance(r, 0.2)) o.limits.iterations = 1 + draw(r, 200);
    if (chance(r, 0.15)) o.without = "agreement";
    if (chance(r, 0.1)) o.threads = 2;
    return o;
}

static void keep(const campaign *c, const judged *w, const vouch_plan_options *o)
{
    char model[512];
    vouch_error error;
    const char *path = campaign_file(c, ".json");
    if (!path || vouch_model_write(w->m, path, &error)) return;
    snprintf(model, sizeof model, "%s", path);
    FILE *f = fopen(campaign_file(c, ".txt"), "w");
    if (!f) return;
    fprintf(f,
            "%s\nnodes %lld iterations %lld restarts %d threads %d\nvouch plan %s -m exact-ccl --certify -L %d --gap %.17g%s%s\n",
            c->reason, o->limits.nodes, o->limits.iterations, o->restarts, o->threads, model, w->L, o->gap,
            o->without ? " --without " : "", o->without ? o->without : "");
    fclose(f);
}

static void try_model(campaign *c, rng *r)
{
    judged w;
    vouch_policy *policy = NULL;
    vouch_plan_result a;
    vouch_error error = {0};
    verdict v = VERDICT_NUMERICAL;
    long double edge = 0;
    w.m = models_make(r, &w.kind);
    if (!w.m) return;
    w.L = draw(r, w.m->T + 1);
    if (!policies_all(w.m, w.L, POLICIES, &w.all)) {
        vouch_model_free(w.m);
        return;
    }
    for (size_t i = 0; i < w.all.count; i++) {
        long double least = 1;
        for (int k = 0; k < w.m->K; k++) least = fminl(least, w.all.list[i].pr[k]);
        edge = fmaxl(edge, least);
    }
    if (vouch_model_set_probability(w.m, models_probability(r, &w.kind, (double)edge))) abort();
    vouch_plan_options o = draw_options(r, &w);
    if (vouch_plan(&policy, w.m, &o, &error))
        campaign_fault(c, "the call fails: %s", error.text);
    else {
        vouch_policy_get_result(policy, &a);
        check_bound(c, &w, &a, policy, r);
        v = a.outcome == VOUCH_PLAN_OPTIMAL      ? VERDICT_OPTIMAL
            : a.outcome == VOUCH_PLAN_INFEASIBLE ? VERDICT_NONE
            : a.outcome == VOUCH_PLAN_NUMERICAL  ? VERDICT_NUMERICAL
                                                 : VERDICT_LIMIT;
    }
    if (c->reason[0]) keep(c, &w, &o);
    campaign_count(c, v, o.without ? "without agreement" : "boxes by mixtures", probability_names[w.kind.p],
                   change_names[w.kind.change], (const char *)NULL);
    vouch_policy_free(policy);
    policies_free(&w.all);
    vouch_model_free(w.m);
}

void campaign_stochastic(campaign *c)
{
    for (long long i = c->first; c->runs < c->count; i++) {
        rng r = campaign_case(c, i);
        try_model(c, &r);
    }
}
