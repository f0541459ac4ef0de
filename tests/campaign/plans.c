/* tests/campaign/plans.c - every way to plan against the enumeration of all deterministic policies.
 *
 * A policy keeps the commitment if Pr >= p - 2^-40 in every environment; U* is the optimum over these, so no regret is negative.
 * Policies within rounding of the threshold may count or not: `lowest` is the optimum if all count, `highest` if none does, and an
 * answer must be right in one case.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vouch/explain.h>
#include <vouch/vouch.h>

#include "campaign/models.h"
#include "campaign/rare.h"
#include "oracle/policies.h"

static const long double KEPT = 0x1p-40L; /* the tolerance of the commitment as it is told */
static const double TIES_KNOWN = 1e-12, TIES_SPREAD = 1e6;
static const long double EDGE = 8e-15L; /* rounding of a probability propagated in doubles */
static const long double SURE = 8e-15L; /* a margin with which a policy keeps the commitment for the planner, too */
static const double LP_ACCURACY = 2e-9; /* of bounds that a linear program proves, relative to the spread of the rewards */
static const double RARE = 0.1;         /* share of models whose failures are rare (rare.h) */
static const double CCIL_ROUNDING = 32; /* its figures go through the planner's units and back, several times */
enum { POLICIES = 150000, HISTORY_SIZE = 48, NODES = 4000, ITERATIONS = 60000 };

typedef struct truth {
    const vouch_model *m;
    model_kind kind;
    int L;
    policies all;
    double rounding;                       /* of a sum of rewards in doubles */
    double optimal[POLICIES_ENVIRONMENTS]; /* U* as the first answer gave it, checked */
    bool known;                            /* is it given? */
    vouch_policy *last;                    /* of the plan before, NULL: none */
    long double lowest, highest, total;    /* least maximum regret; least total regret of the strictly kept
                                              policies that have `highest` */
    double history_bound, exact_bound;     /* the largest that history and exact-ccl proved */
    double any_value, fixed_value;         /* the least that a method attained, and that milp-ccl did */
    double history_low, history_high;      /* optimum over history policies on both sides of the threshold; NAN: not computed */
} truth;

typedef struct run {
    const char *name;
    vouch_plan_options o;
    int ccil; /* 1: the paper's, 2: guarded */
    bool gap_given;
} run;

static long double margin(const truth *w, const attained *v)
{
    long double least = INFINITY;
    for (int k = 0; k < w->m->K; k++) least = fminl(least, v->pr[k]);
    return least - ((long double)w->m->p - KEPT);
}

static void regrets(const truth *w, const attained *v, long double *most, long double *sum)
{
    *most = -INFINITY;
    *sum = 0;
    for (int k = 0; k < w->m->K; k++) {
        long double regret = (long double)w->optimal[k] - v->u[k];
        *most = fmaxl(*most, regret);
        *sum += regret;
    }
}

static void settle(truth *w)
{
    long double most, sum;
    /* U* is known to the rounding of its size: where that is much of the spread, or hides what rare outcomes change, ties between
     * policies are not known */
    double unsure = w->rounding <= TIES_KNOWN * w->kind.spread && w->kind.spread <= TIES_SPREAD ? 0 : w->rounding;
    w->lowest = w->highest = w->total = INFINITY;
    for (size_t i = 0; i < w->all.count; i++) {
        long double slack = margin(w, &w->all.list[i]);
        if (slack < -EDGE) continue;
        regrets(w, &w->all.list[i], &most, &sum);
        w->lowest = fminl(w->lowest, most);
        if (slack >= SURE) w->highest = fminl(w->highest, most);
    }
    for (size_t i = 0; i < w->all.count; i++) {
        if (margin(w, &w->all.list[i]) < SURE) continue;
        regrets(w, &w->all.list[i], &most, &sum);
        if (most <= w->highest - unsure) w->total = fminl(w->total, sum);
    }
}

static void check_optimal_values(campaign *c, truth *w, const vouch_environment_figures figures[], double slack)
{
    for (int k = 0; k < w->m->K; k++) {
        double value = figures[k].optimal_value;
        if (isnan(value)) return;
        long double low = policies_constrained(w->m, k, (long double)w->m->p - KEPT + EDGE),
                    high = policies_constrained(w->m, k, (long double)w->m->p - KEPT - EDGE);
        if (!(value >= low - slack && value <= high + slack))
            campaign_fault(c, "U*(%d) = %.17g outside [%.17Lg, %.17Lg]", k, value, low, high);
        if (w->known && fabs(value - w->optimal[k]) > slack)
            campaign_fault(c, "U*(%d) = %.17g here, %.17g by another method", k, value, w->optimal[k]);
    }
    if (w->known) return;
    for (int k = 0; k < w->m->K; k++) w->optimal[k] = figures[k].optimal_value;
    w->known = true;
    settle(w);
}

static bool accepts_any(const truth *w)
{
    for (size_t i = 0; i < w->all.count; i++)
        if (margin(w, &w->all.list[i]) >= SURE) return true;
    return false;
}

/* A baseline's policy, although it breaks the commitment. */
static bool shown_only(const run *r, const vouch_plan_result *a)
{
    return r->o.method >= VOUCH_METHOD_GREEDY && a->outcome == VOUCH_PLAN_LIMIT;
}

/* The figures agree with each other and with the policy's rules; the commitment is kept. */
static void examine_policy(campaign *c, const truth *w, const run *r, const vouch_policy *policy, const vouch_plan_result *a)
{
    attained v;
    double most = -INFINITY;
    if (!policies_follow(w->m, policy, &v)) {
        campaign_fault(c, "the policy has no rule for a node that it reaches");
        return;
    }
    for (int k = 0; k < w->m->K; k++) {
        const vouch_environment_figures *f = &a->figures[k];
        if (!(fabsl(v.u[k] - f->value) <= w->rounding))
            campaign_fault(c, "U(%d) = %.17g, the rules give %.17Lg", k, f->value, v.u[k]);
        if (!(fabsl(v.pr[k] - f->commitment_probability) <= EDGE))
            campaign_fault(c, "Pr(%d) = %.17g, the rules give %.17Lg", k, f->commitment_probability, v.pr[k]);
        most = fmax(most, f->optimal_value - f->value);
        if (!shown_only(r, a) && !(f->regret >= -w->rounding)) campaign_fault(c, "regret(%d) = %.17g", k, f->regret);
    }
    if (!(fabs(most - a->max_regret) <= w->rounding))
        campaign_fault(c, "maximum regret %.17g of figures that give %.17g", a->max_regret, most);
    if (!shown_only(r, a) && margin(w, &v) < -EDGE)
        campaign_fault(c, "outcome %s breaks the commitment by %.3Lg", vouch_plan_outcome_text(a->outcome), -margin(w, &v));
}

static void check_history(campaign *c, truth *w, const vouch_plan_result *a, double slack)
{
    double p = w->m->p;
    if (isnan(w->history_low)) {
        w->history_low = policies_history(w->m, w->optimal, (double)(p - KEPT - EDGE), HISTORY_SIZE);
        w->history_high = policies_history(w->m, w->optimal, (double)(p - KEPT + EDGE), HISTORY_SIZE);
    }
    if (isnan(w->history_low)) return;
    if (a->has_policy && !(a->max_regret >= w->history_low - slack))
        campaign_fault(c, "value %.17g below the least %.17g (rational)", a->max_regret, w->history_low);
    if (!(a->bound <= w->history_high + slack))
        campaign_fault(c, "bound %.17g above the optimum %.17g (rational)", a->bound, w->history_high);
}

/* What deterministic L-updates policies attain no bound for stochastic ones may exceed, and what anyone attains no bound
 * for history-dependent ones. */
static void check_order(campaign *c, truth *w, vouch_method method, bool adaptive, bool kept, double bound, double value,
                        double slack)
{
    if (kept) w->any_value = fmin(w->any_value, value);
    if (kept && method == VOUCH_METHOD_MILP_CCL && !adaptive) w->fixed_value = fmin(w->fixed_value, value);
    if (method == VOUCH_METHOD_HISTORY) w->history_bound = fmax(w->history_bound, bound);
    if (method == VOUCH_METHOD_EXACT_CCL) w->exact_bound = fmax(w->exact_bound, bound);
    if (!(w->history_bound <= w->any_value + slack))
        campaign_fault(c, "bound %.17g by history, but %.17g is attained", w->history_bound, w->any_value);
    if (!(w->exact_bound <= w->fixed_value + slack))
        campaign_fault(c, "bound %.17g by exact-ccl, but %.17g is attained", w->exact_bound, w->fixed_value);
}

static void check_answer(campaign *c, truth *w, const run *r, const vouch_policy *policy, const vouch_plan_result *a)
{
    vouch_method method = r->o.method;
    bool deterministic = method == VOUCH_METHOD_MILP_CCL, baseline = method >= VOUCH_METHOD_GREEDY;
    bool by_lp = !deterministic || r->o.engine == VOUCH_ENGINE_LP;
    double gap = r->gap_given ? r->o.gap : method == VOUCH_METHOD_EXACT_CCL ? 1e-4 : 1e-6;
    double slack = w->rounding + (by_lp ? LP_ACCURACY * w->m->T * w->kind.spread : 0);
    if (a->outcome == VOUCH_PLAN_INFEASIBLE) {
        if (a->has_policy) campaign_fault(c, "infeasible with a policy");
        if (accepts_any(w)) campaign_fault(c, "infeasible, but evaluate accepts a policy");
        return;
    }
    check_optimal_values(c, w, a->figures, w->rounding);
    if (a->has_policy) examine_policy(c, w, r, policy, a);
    double by_programs = w->rounding + LP_ACCURACY * w->m->T * w->kind.spread;
    bool kept = a->has_policy && !(baseline && a->outcome == VOUCH_PLAN_LIMIT);
    check_order(c, w, method, false, kept, a->bound, a->max_regret, by_programs);
    if (a->outcome == VOUCH_PLAN_OPTIMAL || a->outcome == VOUCH_PLAN_FEASIBLE) {
        if (!a->has_policy) campaign_fault(c, "%s without a policy", vouch_plan_outcome_text(a->outcome));
        if (!baseline && !(a->bound <= a->max_regret + DBL_EPSILON * fabs(a->max_regret)))
            campaign_fault(c, "bound %.17g above the value %.17g", a->bound, a->max_regret);
    }
    if (a->outcome == VOUCH_PLAN_OPTIMAL && !(a->max_regret - a->bound <= gap + 2 * DBL_EPSILON * w->kind.size * w->m->T))
        campaign_fault(c, "optimal with value %.17g - bound %.17g above the gap %g", a->max_regret, a->bound, gap);
    if (!w->known || (baseline && a->outcome != VOUCH_PLAN_OPTIMAL)) return;
    if (!(a->bound <= w->highest + slack))
        campaign_fault(c, "bound %.17g above %.17Lg, which a policy attains", a->bound, w->highest);
    if (deterministic && a->has_policy && !(a->max_regret >= w->lowest - w->rounding))
        campaign_fault(c, "value %.17g below the least %.17Lg", a->max_regret, w->lowest);
    if (a->outcome == VOUCH_PLAN_OPTIMAL && !(a->max_regret <= w->highest + gap + slack))
        campaign_fault(c, "optimal %.17g, but %.17Lg is attained", a->max_regret, w->highest);
    /* w->total is over strictly kept policies; one at the very edge of the tolerance may have less maximum regret than all of them,
     * and then its own least total */
    bool comparable = w->highest <= a->max_regret + slack;
    if (deterministic && a->outcome == VOUCH_PLAN_OPTIMAL && r->o.least_total_regret && !isnan(a->total_bound) && comparable) {
        double tie = gap * w->m->K + slack * w->m->K;
        if (!(a->total_bound <= w->total + tie))
            campaign_fault(c, "bound on the total %.17g, but %.17Lg is attained", a->total_bound, w->total);
        if (a->total_regret - a->total_bound <= tie && !(a->total_regret <= w->total + 2 * tie))
            campaign_fault(c, "total %.17g proved least, but %.17Lg is attained", a->total_regret, w->total);
    }
    if (method == VOUCH_METHOD_HISTORY) check_history(c, w, a, slack);
}

/* The model and how to see it. */
static void write_case(const campaign *c, const truth *w, const run *r)
{
    char model[512], gap[40] = "";
    const char *path = campaign_file(c, ".json");
    vouch_error error;
    if (!path || vouch_model_write(w->m, path, &error)) return;
    snprintf(model, sizeof model, "%s", path);
    FILE *f = fopen(campaign_file(c, ".txt"), "w");
    if (!f) return;
    if (r->gap_given) snprintf(gap, sizeof gap, " --gap %.17g", r->o.gap);
    fprintf(f, "%s\n%s, %s\n", c->reason, probability_names[w->kind.p], change_names[w->kind.change]);
    if (r->ccil)
        fprintf(f, "vouch ccil %s -L %d%s%s\n", model, r->o.lookahead, r->ccil == 2 ? " --guarded" : "", gap);
    else {
        fprintf(f, "nodes %lld iterations %lld tie-break work %lld classes %lld threads %d\n", r->o.limits.nodes,
                r->o.limits.iterations, r->o.tie_break_work, r->o.class_limit, r->o.threads);
        fprintf(f, "vouch plan %s -m %s -L %d%s --engine %s%s", model, vouch_method_text(r->o.method), r->o.lookahead, gap,
                r->o.engine == VOUCH_ENGINE_LP       ? "lp"
                : r->o.engine == VOUCH_ENGINE_POLICY ? "policy"
                                                     : "auto",
                r->o.least_total_regret ? "" : " --tie-break none");
        if (r->o.without) fprintf(f, " --without %s", r->o.without);
        fprintf(f, "\n");
    }
    fclose(f);
}

static verdict verdict_of(vouch_plan_outcome outcome)
{
    switch (outcome) {
    case VOUCH_PLAN_OPTIMAL:
        return VERDICT_OPTIMAL;
    case VOUCH_PLAN_INFEASIBLE:
        return VERDICT_NONE;
    case VOUCH_PLAN_NUMERICAL:
        return VERDICT_NUMERICAL;
    default:
        return VERDICT_LIMIT;
    }
}

static void conclude(campaign *c, const truth *w, const run *r, verdict v)
{
    if (c->reason[0]) write_case(c, w, r);
    campaign_count(c, v, r->name, probability_names[w->kind.p], change_names[w->kind.change], (const char *)NULL);
}

static void run_plan(campaign *c, truth *w, const run *r)
{
    vouch_policy *policy = NULL;
    vouch_plan_result a = {0};
    vouch_error error = {0};
    verdict v = VERDICT_NUMERICAL;
    if (vouch_plan(&policy, w->m, &r->o, &error))
        campaign_fault(c, "the call fails: %s", error.text);
    else {
        vouch_policy_get_result(policy, &a);
        check_answer(c, w, r, policy, &a);
        v = verdict_of(a.outcome);
    }
    vouch_policy_free(w->last);
    w->last = a.has_policy ? policy : NULL;
    if (!w->last) vouch_policy_free(policy);
    conclude(c, w, r, v);
}

static void run_ccil(campaign *c, truth *w, const run *r)
{
    vouch_ccil_options o;
    vouch_ccil *ccil = NULL;
    vouch_ccil_result a;
    vouch_error error = {0};
    verdict v = VERDICT_NUMERICAL;
    vouch_ccil_options_init(&o);
    o.plan = r->o;
    o.guarded = r->ccil == 2;
    if (vouch_ccil_new(&ccil, w->m, &o, &error) || vouch_ccil_evaluate(ccil, &error))
        campaign_fault(c, "the call fails: %s", error.text);
    else {
        vouch_ccil_get_result(ccil, &a);
        v = verdict_of(a.outcome);
        if (a.outcome == VOUCH_PLAN_INFEASIBLE && accepts_any(w)) campaign_fault(c, "infeasible, but evaluate accepts a policy");
        if (a.has_policy) {
            check_optimal_values(c, w, a.figures, CCIL_ROUNDING * w->rounding);
            double gap = r->gap_given ? r->o.gap : 1e-6;
            check_order(c, w, o.plan.method, true, true, -INFINITY, a.max_regret,
                        CCIL_ROUNDING * w->rounding + LP_ACCURACY * w->m->T * w->kind.spread);
            for (int k = 0; k < w->m->K; k++)
                if (!(a.figures[k].regret >= -CCIL_ROUNDING * w->rounding))
                    campaign_fault(c, "regret(%d) = %.17g", k, a.figures[k].regret);
            for (int k = 0; k < w->m->K; k++)
                if (!(a.figures[k].commitment_probability >= w->m->p - KEPT - EDGE))
                    campaign_fault(c, "breaks the commitment: Pr(%d) = %.17g", k, a.figures[k].commitment_probability);
            if (o.guarded && !(a.max_regret <= a.first_max_regret + CCIL_ROUNDING * w->rounding))
                campaign_fault(c, "guarded, but %.17g is above the first plan's %.17g", a.max_regret, a.first_max_regret);
            if (!(a.first_max_regret >= w->lowest - CCIL_ROUNDING * w->rounding))
                campaign_fault(c, "first plan %.17g below the least %.17Lg", a.first_max_regret, w->lowest);
            if (a.outcome == VOUCH_PLAN_OPTIMAL && !(a.first_max_regret <= w->highest + gap + CCIL_ROUNDING * w->rounding))
                campaign_fault(c, "first plan %.17g, but %.17Lg is attained", a.first_max_regret, w->highest);
        }
    }
    vouch_ccil_free(ccil);
    conclude(c, w, r, v);
}

/* The largest promise that deterministic L-updates policies keep, and environments that stand against the one made. */
static void run_explain(campaign *c, const truth *w, long double edge)
{
    vouch_plan_options o;
    vouch_range range;
    vouch_error error = {0};
    run r = {.name = "largest commitment"};
    vouch_plan_options_init(&o);
    o.lookahead = w->L;
    o.limits = (vouch_limits){.nodes = NODES, .iterations = ITERATIONS, .seconds = 20};
    r.o = o;
    if (vouch_explain_largest(w->m, &o, 1, &range, &error)) {
        campaign_fault(c, "the call fails: %s", error.text);
        conclude(c, w, &r, VERDICT_NUMERICAL);
        return;
    }
    if (!(range.reached <= edge + KEPT + EDGE)) campaign_fault(c, "reached %.17g, at most %.17Lg can be", range.reached, edge);
    if (!(range.bound >= edge - VOUCH_EXPLAIN_GAP)) campaign_fault(c, "at most %.17g, but %.17Lg is attained", range.bound, edge);
    if (range.proved && !(range.bound - range.reached <= 2 * VOUCH_EXPLAIN_GAP))
        campaign_fault(c, "proved between %.17g and %.17g", range.reached, range.bound);
    conclude(c, w, &r, range.proved ? VERDICT_OPTIMAL : VERDICT_LIMIT);
}

static run run_of(rng *r, const truth *w, const char *name, vouch_method method, vouch_engine engine)
{
    run x = {.name = name};
    vouch_plan_options_init(&x.o);
    x.o.method = method;
    x.o.engine = engine;
    x.o.lookahead = method == VOUCH_METHOD_MILP_CCL || method == VOUCH_METHOD_EXACT_CCL ? w->L : 0;
    x.o.limits = (vouch_limits){.nodes = NODES, .iterations = ITERATIONS, .seconds = 20};
    static const double gaps[] = {0, 1e-6, 0.1, 1e3};
    x.gap_given = w->kind.change == REWARDS_SCALED || chance(r, 0.4);
    if (x.gap_given) x.o.gap = gaps[draw(r, 4)] * w->kind.scale;
    if (method == VOUCH_METHOD_EXACT_CCL && x.gap_given) x.o.gap = 1e-4 * w->kind.scale;
    if (chance(r, 0.1)) x.o.threads = 2;
    if (chance(r, 0.1)) x.o.class_limit = 1 + draw(r, 30);
    if (chance(r, 0.1)) x.o.window = 1 + draw(r, 5), x.o.grain = 1 + draw(r, 9);
    if (chance(r, 0.1)) x.o.seed = 1 + (uint64_t)draw(r, 3);
    return x;
}

/* Work that ends early, at any place: bounds and values hold all the same. */
static run hurried(rng *r, const truth *w, vouch_method method)
{
    run x = run_of(r, w, "hurried", method, chance(r, 0.3) ? VOUCH_ENGINE_LP : VOUCH_ENGINE_AUTO);
    if (chance(r, 0.5)) x.o.limits.nodes = 1 + draw(r, 6);
    if (chance(r, 0.7)) x.o.limits.iterations = 1 + draw(r, 60);
    x.o.tie_break_work = 1 + draw(r, 20);
    return x;
}

static void run_milp(campaign *c, rng *r, truth *w)
{
    run x = run_of(r, w, "milp-ccl, default", VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_AUTO);
    run_plan(c, w, &x);
    x = run_of(r, w, "milp-ccl, policy, --without", VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_POLICY);
    x.o.without = vouch_part_describe((vouch_part)draw(r, VOUCH_PART_COUNT))->word;
    if (chance(r, 0.7)) run_plan(c, w, &x);
    x = run_of(r, w, "milp-ccl, started", VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_POLICY);
    x.o.start = w->last;
    if (w->last && chance(r, 0.3)) run_plan(c, w, &x);
    x = run_of(r, w, "milp-ccl, no tie-break", VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_POLICY);
    x.o.least_total_regret = 0;
    if (chance(r, 0.3)) run_plan(c, w, &x);
    x = run_of(r, w, "milp-ccl, lp", VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_LP);
    if (chance(r, 0.4)) run_plan(c, w, &x);
}

static void run_others(campaign *c, rng *r, truth *w)
{
    run x = run_of(r, w, "history, policy", VOUCH_METHOD_HISTORY, VOUCH_ENGINE_POLICY);
    if (chance(r, 0.5)) run_plan(c, w, &x);
    x = run_of(r, w, "history, lp", VOUCH_METHOD_HISTORY, VOUCH_ENGINE_LP);
    if (chance(r, 0.3)) run_plan(c, w, &x);
    x = run_of(r, w, "exact-ccl", VOUCH_METHOD_EXACT_CCL, VOUCH_ENGINE_AUTO);
    x.o.restarts = 3;
    x.o.certify = chance(r, 0.5);
    x.o.limits.nodes = 200;
    if (chance(r, 0.15)) run_plan(c, w, &x);
    static const vouch_method searched[] = {VOUCH_METHOD_MILP_CCL, VOUCH_METHOD_MILP_CCL, VOUCH_METHOD_HISTORY,
                                            VOUCH_METHOD_EXACT_CCL};
    x = hurried(r, w, searched[draw(r, 4)]);
    if (chance(r, 0.4)) run_plan(c, w, &x);
    x = run_of(r, w, "greedy", VOUCH_METHOD_GREEDY, VOUCH_ENGINE_AUTO);
    if (chance(r, 0.2)) run_plan(c, w, &x);
    x = run_of(r, w, "mdps-best", VOUCH_METHOD_MDPS_BEST, VOUCH_ENGINE_AUTO);
    if (chance(r, 0.2)) run_plan(c, w, &x);
    for (int guarded = 0; guarded < 2; guarded++) {
        x = run_of(r, w, guarded ? "ccil, guarded" : "ccil, paper", VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_AUTO);
        x.ccil = 1 + guarded;
        if (w->L > 0 && chance(r, 0.2)) run_ccil(c, w, &x);
    }
}

static void try_model(campaign *c, rng *r)
{
    truth w = {
        .history_bound = -INFINITY, .exact_bound = -INFINITY, .any_value = INFINITY, .fixed_value = INFINITY, .history_low = NAN};
    vouch_model *m = models_make(r, &w.kind);
    if (!m) return;
    w.m = m;
    w.L = draw(r, m->T + 1);
    w.rounding = 16 * DBL_EPSILON * m->T * w.kind.size;
    if (policies_all(m, w.L, POLICIES, &w.all)) {
        long double edge = 0;
        for (size_t i = 0; i < w.all.count; i++) {
            long double least = 1;
            for (int k = 0; k < m->K; k++) least = fminl(least, w.all.list[i].pr[k]);
            edge = fmaxl(edge, least);
        }
        if (vouch_model_set_probability(m, models_probability(r, &w.kind, (double)edge))) abort();
        run_milp(c, r, &w);
        run_others(c, r, &w);
        if (chance(r, 0.1)) run_explain(c, &w, edge);
        policies_free(&w.all);
        vouch_policy_free(w.last);
    }
    vouch_model_free(m);
}

/* `count` plans; a share of the models has rare failures. */
static void run_cases(campaign *c, double share)
{
    bench b;
    bench_open(&b);
    for (long long i = c->first; c->runs < c->count; i++) {
        rng r = campaign_case(c, i);
        if (chance(&r, share))
            rare_try(c, &b, &r);
        else
            try_model(c, &r);
    }
    bench_close(&b);
}

void campaign_plans(campaign *c) { run_cases(c, RARE); }

void campaign_rare(campaign *c) { run_cases(c, 1); }
