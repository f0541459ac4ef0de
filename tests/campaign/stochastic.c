/* tests/campaign/stochastic.c - bounds of exact-ccl against all deterministic policies and stochastic ones found by local search.
 *
 * No feasible stochastic L-updates policy may beat a bound or refute `infeasible`. Local searches start from random policies and
 * from the planned one, to detect bounds that are slightly too high. The plan's rules attain its value and keep the promise, and
 * any number of threads gives the same answer.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vouch/vouch.h>

#include "campaign/models.h"
#include "oracle/policies.h"

/* A promise counts as kept within 2^-40; the rest is what rounding adds when doubles are propagated. */
static const long double KEPT = 0x1p-40L + 8e-15L;
static const double LP_ACCURACY = 2e-9; /* of bounds that a linear program proves, relative to the spread of the rewards */
static const double NOISY = 0.6;        /* part of the models that move differently everywhere */
enum { MOST_REWARD = 5 };               /* of those models */
enum { POLICIES = 20000, CLIMBS = 3, CHANGES = 400, NODES = 60 };

typedef struct judged {
    vouch_model *m;
    model_kind kind;
    int L;
    policies all; /* deterministic */
} judged;

/* The loss of a policy, the largest level[k] - U(k): its regret, or for max-min (levels 0) its least value negated. false: U* is
 * not known. */
static bool find_levels(const judged *w, const vouch_plan_result *a, double level[])
{
    bool known = true;
    for (int k = 0; k < w->m->K; k++) {
        level[k] = a->objective == VOUCH_OBJECTIVE_MAX_MIN ? 0 : a->figures[k].optimal_value;
        known = known && !isnan(level[k]);
    }
    return known;
}

/* No policy is said to make it less than this. */
static double lower_bound(const vouch_plan_result *a)
{
    if (a->outcome == VOUCH_PLAN_INFEASIBLE) return INFINITY;
    return a->objective == VOUCH_OBJECTIVE_MAX_MIN ? -a->bound : a->bound;
}

static double slack_of(const judged *w)
{
    return 16 * DBL_EPSILON * w->m->T * w->kind.size + LP_ACCURACY * w->m->T * w->kind.spread;
}

static void check_bound(campaign *c, const judged *w, const vouch_plan_result *a, const vouch_policy *policy, rng *r)
{
    const vouch_model *m = w->m;
    double level[POLICIES_ENVIRONMENTS], least = INFINITY, bound = lower_bound(a), slack = slack_of(w);
    if (!find_levels(w, a, level)) return;
    for (size_t i = 0; i < w->all.count; i++) {
        long double most = -INFINITY, kept = 1;
        for (int k = 0; k < m->K; k++) {
            most = fmaxl(most, (long double)level[k] - w->all.list[i].u[k]);
            kept = fminl(kept, w->all.list[i].pr[k]);
        }
        if (kept >= (long double)m->p) least = fmin(least, (double)most);
    }
    if (!(bound <= least + slack)) campaign_fault(c, "bound %.17g, but a deterministic policy attains %.17g", bound, least);
    for (int i = 0; i < CLIMBS; i++) {
        const vouch_policy *from = i > 0 && a->has_policy ? policy : NULL;
        double value = policies_climb(m, w->L, level, from, CHANGES, r);
        if (!(bound <= value + slack)) campaign_fault(c, "bound %.17g, but %.17g is attained", bound, value);
    }
}

/* The policy's rules attain its figures, keep the promise, and are within the gap if `optimal`. */
static void examine_policy(campaign *c, const judged *w, const vouch_plan_result *a, const vouch_policy *policy, double gap)
{
    attained v;
    double level[POLICIES_ENVIRONMENTS], most = -INFINITY, slack = slack_of(w);
    if (!a->has_policy || !find_levels(w, a, level)) return;
    if (!policies_follow(w->m, policy, &v)) {
        campaign_fault(c, "the policy has no rule for a node that it reaches");
        return;
    }
    double said = a->objective == VOUCH_OBJECTIVE_MAX_MIN ? -a->value : a->value;
    for (int k = 0; k < w->m->K; k++) {
        most = fmax(most, (double)((long double)level[k] - v.u[k]));
        if (!(v.pr[k] >= (long double)w->m->p - KEPT)) campaign_fault(c, "Pr(%d) is %.17Lg by the rules", k, v.pr[k]);
    }
    if (!(fabs(most - said) <= slack)) campaign_fault(c, "value %.17g, the rules give %.17g", said, most);
    if (a->outcome == VOUCH_PLAN_OPTIMAL && !(most - lower_bound(a) <= gap + slack))
        campaign_fault(c, "optimal, but %.17g is further than %.3g from the bound %.17g", most, gap, lower_bound(a));
}

/* Another number of threads gives the same answer, bit by bit, unless the clock ended it. */
static void examine_threads(campaign *c, const judged *w, const vouch_plan_options *asked, const vouch_plan_result *a)
{
    vouch_plan_options o = *asked;
    vouch_policy *policy = NULL;
    vouch_plan_result b;
    vouch_error error = {0};
    o.threads = asked->threads > 1 ? 1 : 3;
    if (vouch_plan(&policy, w->m, &o, &error)) {
        campaign_fault(c, "with other threads the call fails: %s", error.text);
        return;
    }
    vouch_policy_get_result(policy, &b);
    bool timed = fmax(a->seconds, b.seconds) > asked->limits.seconds / 2;
    bool same = timed || (a->outcome == b.outcome && a->nodes == b.nodes && !memcmp(&a->bound, &b.bound, sizeof b.bound) &&
                          a->has_policy == b.has_policy && (!b.has_policy || !memcmp(&a->value, &b.value, sizeof b.value)));
    if (!same)
        campaign_fault(c, "bound %.17g after %lld nodes, with other threads %.17g after %lld", a->bound, a->nodes, b.bound,
                       b.nodes);
    vouch_policy_free(policy);
}

/* The problem and the options. */
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
    if (chance(r, 0.2)) o.objective = VOUCH_OBJECTIVE_MAX_MIN;
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
            "%s\nnodes %lld iterations %lld restarts %d threads %d\nvouch plan %s -m exact-ccl --certify -L %d --gap %.17g "
            "--objective %s%s%s\n",
            c->reason, o->limits.nodes, o->limits.iterations, o->restarts, o->threads, model, w->L, o->gap,
            vouch_objective_text(o->objective), o->without ? " --without " : "", o->without ? o->without : "");
    fclose(f);
}

/* A model whose environments move differently everywhere: coins help there, and boxes have to be divided. NULL: none was made. */
static vouch_model *make_noisy(rng *r, model_kind *kind)
{
    vouch_random_shape shape = {.states = 3 + draw(r, 2),
                                .actions = 2 + draw(r, 2),
                                .environments = 2 + draw(r, 3),
                                .horizon = 3 + draw(r, 2),
                                .probability = .3 + .6 * rng_unit(r),
                                .branching = 2 + draw(r, 2),
                                .seed = rng_next(r)};
    vouch_model *m;
    *kind = (model_kind){.p = P_TYPICAL, .scale = 1, .size = MOST_REWARD, .spread = MOST_REWARD};
    if (vouch_generate_random(&m, &shape, NULL)) return NULL;
    if (!policies_doubtful(m)) return m;
    vouch_model_free(m);
    return NULL;
}

/* The largest probability that a deterministic policy keeps in all environments. */
static long double edge_of(const judged *w)
{
    long double edge = 0;
    for (size_t i = 0; i < w->all.count; i++) {
        long double least = 1;
        for (int k = 0; k < w->m->K; k++) least = fminl(least, w->all.list[i].pr[k]);
        edge = fmaxl(edge, least);
    }
    return edge;
}

static void try_model(campaign *c, rng *r)
{
    judged w;
    vouch_policy *policy = NULL;
    vouch_plan_result a;
    vouch_error error = {0};
    verdict v = VERDICT_NUMERICAL;
    bool noisy = chance(r, NOISY);
    w.m = noisy ? make_noisy(r, &w.kind) : models_make(r, &w.kind);
    if (!w.m) return;
    w.L = draw(r, noisy ? 2 : w.m->T + 1);
    bool listed = policies_all(w.m, w.L, POLICIES, &w.all);
    if (!listed && !noisy) {
        vouch_model_free(w.m);
        return;
    }
    if (!noisy && vouch_model_set_probability(w.m, models_probability(r, &w.kind, (double)edge_of(&w)))) abort();
    vouch_plan_options o = draw_options(r, &w);
    if (vouch_plan(&policy, w.m, &o, &error))
        campaign_fault(c, "the call fails: %s", error.text);
    else {
        vouch_policy_get_result(policy, &a);
        check_bound(c, &w, &a, policy, r);
        examine_policy(c, &w, &a, policy, o.gap);
        if (chance(r, 0.1)) examine_threads(c, &w, &o, &a);
        v = a.outcome == VOUCH_PLAN_OPTIMAL      ? VERDICT_OPTIMAL
            : a.outcome == VOUCH_PLAN_INFEASIBLE ? VERDICT_NONE
            : a.outcome == VOUCH_PLAN_NUMERICAL  ? VERDICT_NUMERICAL
                                                 : VERDICT_LIMIT;
    }
    if (c->reason[0]) keep(c, &w, &o);
    campaign_count(c, v, o.without ? "without agreement" : "boxes by mixtures", vouch_objective_text(o.objective),
                   a.nodes > 2 ? "boxes divided" : "no box divided", probability_names[w.kind.p], change_names[w.kind.change],
                   (const char *)NULL);
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
