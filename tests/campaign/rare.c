/* tests/campaign/rare.c - see rare.h.
 *
 * Failures of probability 1e-14 .. 1e-6; promises of 1, 1 - 1e-12, the largest possible probability, or about it. The judges: the
 * list of all deterministic policies of L updates (oracle/worlds.h), where policies within rounding of the threshold may count or
 * not; and vouch-check, which must verify every proof in each arithmetic. U*, plans, bounds, CCIL, the frontier and proofs must
 * agree on which policies keep a promise.
 */
#include "campaign/rare.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vouch/model_io.h>
#include <vouch/vouch.h>

static const double KEPT = 0x1p-40;     /* the tolerance of a promise as it is told */
static const double EDGE = 8e-15;       /* rounding of a probability propagated in doubles */
static const double GAP = 1e-6;         /* with which the search may end */
static const double BY_PROGRAMS = 1e-8; /* of bounds by linear programs */
static const double CCIL_ROUNDING = 32; /* its figures go through the planner's units and back, several times */
static const double PIVOT = 0x1p-40;    /* what counts as 0 in the programs of U* of several promises (mdp/dp.c) */
static const double SPREAD = 3;         /* of the rewards */
enum { CASES = 700, SECONDS = 15 };     /* SECONDS: of one plan, where boxes or programs take long */

static const char *const promise_names[] = {"p one", "p one - 1e-12", "p largest", "p about the largest", "p typical"};

typedef struct way {
    const char *name, *without;
    vouch_method method;
    vouch_engine engine;
    bool total;
    vouch_objective objective;
} way;

static const way ways[] = {
    {"milp-ccl", NULL, VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_AUTO, false, VOUCH_OBJECTIVE_REGRET},
    {"milp-ccl, total", NULL, VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_AUTO, true, VOUCH_OBJECTIVE_REGRET},
    {"milp-ccl, no pareto-vectors", "pareto-vectors", VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_AUTO, false, VOUCH_OBJECTIVE_REGRET},
    {"milp-ccl, lp", NULL, VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_LP, false, VOUCH_OBJECTIVE_REGRET},
    {"milp-ccl, weighted", NULL, VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_AUTO, false, VOUCH_OBJECTIVE_WEIGHTED},
    {"history, max-min", NULL, VOUCH_METHOD_HISTORY, VOUCH_ENGINE_AUTO, false, VOUCH_OBJECTIVE_MAX_MIN},
    {"history", NULL, VOUCH_METHOD_HISTORY, VOUCH_ENGINE_AUTO, false, VOUCH_OBJECTIVE_REGRET},
    {"history, lp", NULL, VOUCH_METHOD_HISTORY, VOUCH_ENGINE_LP, false, VOUCH_OBJECTIVE_REGRET},
    {"exact-ccl", NULL, VOUCH_METHOD_EXACT_CCL, VOUCH_ENGINE_AUTO, false, VOUCH_OBJECTIVE_REGRET},
    {"greedy", NULL, VOUCH_METHOD_GREEDY, VOUCH_ENGINE_AUTO, false, VOUCH_OBJECTIVE_REGRET},
    {"mdps-best", NULL, VOUCH_METHOD_MDPS_BEST, VOUCH_ENGINE_AUTO, false, VOUCH_OBJECTIVE_REGRET}};
enum { WAYS = sizeof ways / sizeof *ways };

/* ---- models ---- */

/* One successor, another one seldom; or two in eighths. */
static void draw_row(rng *r, const world *w, double prob[])
{
    int main = draw(r, w->S), other = (main + 1 + draw(r, w->S - 1)) % w->S;
    double slip = 0;
    for (int n = 0; n < w->S; n++) prob[n] = 0;
    if (chance(r, 0.55))
        slip = pow(10, -6 - 8 * rng_unit(r));
    else if (chance(r, 0.3))
        slip = (1 + draw(r, 4)) / 8.0;
    if (chance(r, 0.3)) slip = strtod((const char *const[]){"1e-6", "1e-9", "1e-10", "1e-12", "1e-13", "1e-14"}[draw(r, 6)], NULL);
    prob[main] = 1 - slip;
    prob[other] += slip;
}

static void draw_promises(rng *r, world *w)
{
    for (int j = 0; j < w->J; j++)
        for (int s = 0; s < w->S; s++) {
            bool kept = chance(r, 0.6) || s == j;
            for (int k = 0; k < w->K; k++) {
                w->kept[j][k][s] = kept;
                w->p[j][k] = 0;
            }
        }
}

static void draw_world(rng *r, world *w)
{
    *w = (world){.S = 2 + draw(r, WORLD_S - 1), .A = 2 + draw(r, 4) / 3, .K = 1 + draw(r, 5) / 2, .J = chance(r, 0.4) ? 2 : 1};
    w->T = 1 + draw(r, w->S == 2 ? WORLD_T : 3);
    bool alike = chance(r, 0.4);
    for (int s = 0; s < w->S; s++)
        for (int a = 0; a < w->A; a++)
            for (int k = 0; k < w->K; k++) {
                bool same = k > 0 && (alike || chance(r, 0.3));
                double one = 0.25 * (draw(r, 13) - 2);
                if (same)
                    memcpy(w->prob[k][s][a], w->prob[0][s][a], sizeof w->prob[k][s][a]);
                else
                    draw_row(r, w, w->prob[k][s][a]);
                for (int n = 0; n < w->S; n++) w->pay[k][s][a][n] = one;
                if (same && chance(r, 0.3)) memcpy(w->pay[k][s][a], w->pay[0][s][a], sizeof w->pay[k][s][a]);
            }
    draw_promises(r, w);
}

/* The least probability of keeping a promise, of the best policies for that one, the others as they are. */
static double largest_kept(const rare *x, int promise)
{
    double most = 0;
    for (int i = 0; i < x->tree.cases; i++) {
        const world_case *at = &x->tree.item[i];
        double least = 1;
        if (at->place >= 0) continue;
        for (int k = 0; k < x->w.K; k++) {
            least = fmin(least, at->gain.pr[promise][k]);
            for (int j = 0; j < promise; j++)
                if (at->gain.pr[j][k] < x->w.p[j][k] - KEPT) least = 0;
        }
        most = fmax(most, least);
    }
    return most;
}

static void choose_probabilities(rng *r, rare *x)
{
    static const double about[] = {1e-9, 1e-12, 0.6e-12, 0.3e-12, -0.3e-12, -0.6e-12, -1.5e-12};
    x->kind = draw(r, 5);
    for (int j = 0; j < x->w.J; j++) {
        double largest = largest_kept(x, j), p = 1;
        if (x->kind == 1) p = 1 - 1e-12;
        if (x->kind == 2) p = largest;
        if (x->kind == 3) p = largest - about[draw(r, 7)];
        if (x->kind == 4) p = largest * rng_unit(r);
        p = fmin(1, fmax(0, p));
        for (int k = 0; k < x->w.K; k++) x->w.p[j][k] = p;
    }
}

/* ---- truth ---- */

/* The least slack of a promise. */
static double margin(const world *w, const world_gain *g)
{
    double least = INFINITY;
    for (int j = 0; j < w->J; j++)
        for (int k = 0; k < w->K; k++) least = fmin(least, g->pr[j][k] - w->p[j][k] + KEPT);
    return least;
}

bool rare_settle(rare *x)
{
    for (int k = 0; k < x->w.K; k++) {
        x->low[k] = world_optimum(&x->w, k, KEPT - EDGE);
        x->high[k] = world_optimum(&x->w, k, KEPT + EDGE);
        if (isinf(x->low[k]) || isinf(x->high[k])) return false;
        if (isnan(x->low[k])) x->low[k] = -INFINITY;
    }
    x->lowest = x->highest = INFINITY;
    for (int i = 0; i < x->tree.cases; i++) {
        const world_case *at = &x->tree.item[i];
        double slack = at->place >= 0 ? -1 : margin(&x->w, &at->gain), least = -INFINITY, most = -INFINITY;
        for (int k = 0; k < x->w.K; k++) {
            least = fmax(least, x->low[k] - at->gain.u[k]);
            most = fmax(most, x->high[k] - at->gain.u[k]);
        }
        if (slack >= -EDGE) x->lowest = fmin(x->lowest, least);
        if (slack >= EDGE) x->highest = fmin(x->highest, most);
    }
    return true;
}

/* ---- checks of results ---- */

void rare_check_optimum(campaign *c, const rare *x, int k, double said, double slack)
{
    if (isnan(said) || isnan(x->high[k])) return;
    if (!(said >= x->low[k] - slack && said <= x->high[k] + slack))
        campaign_fault(c, "U*(%d) = %.17g outside [%.17g, %.17g]", k, said, x->low[k], x->high[k]);
}

/* commitments: [K * J], or NULL: from the figures. */
static void check_figures(campaign *c, const rare *x, const vouch_environment_figures figures[], const double commitments[],
                          double said, double slack)
{
    int J = x->w.J;
    double most = -INFINITY;
    for (int k = 0; k < x->w.K; k++) {
        const vouch_environment_figures *f = &figures[k];
        rare_check_optimum(c, x, k, f->optimal_value, slack);
        if (!(f->regret >= -slack)) campaign_fault(c, "regret(%d) = %.17g", k, f->regret);
        most = fmax(most, f->optimal_value - f->value);
        for (int j = 0; j < J; j++) {
            double pr = commitments ? commitments[k * J + j] : f->commitment_probability;
            if (!(pr >= x->w.p[j][k] - KEPT - EDGE)) campaign_fault(c, "promise %d is broken: Pr(%d) = %.17g", j, k, pr);
        }
    }
    if (!(fabs(most - said) <= slack)) campaign_fault(c, "maximum regret %.17g of figures that give %.17g", said, most);
}

static void check_plan(campaign *c, rare *x, const way *how, const vouch_plan_result *a)
{
    bool deterministic = how->method == VOUCH_METHOD_MILP_CCL, baseline = how->method >= VOUCH_METHOD_GREEDY;
    double gap = how->method == VOUCH_METHOD_EXACT_CCL ? 1e-4 : GAP, by_programs = x->rounding + BY_PROGRAMS;
    double slack = deterministic && how->engine != VOUCH_ENGINE_LP ? x->rounding : by_programs;
    if (a->outcome == VOUCH_PLAN_INFEASIBLE) {
        if (a->has_policy) campaign_fault(c, "infeasible with a policy");
        if (x->highest < INFINITY) campaign_fault(c, "infeasible, but a policy keeps the promises");
        return;
    }
    for (int k = 0; k < x->w.K; k++) rare_check_optimum(c, x, k, a->figures[k].optimal_value, x->rounding);
    if (!a->has_policy || (baseline && a->outcome == VOUCH_PLAN_LIMIT)) {
        if (a->outcome == VOUCH_PLAN_OPTIMAL) campaign_fault(c, "optimal without a policy");
        return;
    }
    check_figures(c, x, a->figures, a->commitments, a->max_regret, x->rounding);
    if (how->objective != VOUCH_OBJECTIVE_REGRET) {
        if (!(a->bound >= a->value - x->rounding)) campaign_fault(c, "bound %.17g below the value %.17g", a->bound, a->value);
        return;
    }
    x->attained = fmin(x->attained, a->max_regret);
    if (how->method == VOUCH_METHOD_HISTORY) x->history_bound = fmax(x->history_bound, a->bound);
    if (!(x->history_bound <= x->attained + by_programs))
        campaign_fault(c, "bound %.17g by history, but %.17g is attained", x->history_bound, x->attained);
    if (baseline) return;
    bool ended = a->outcome == VOUCH_PLAN_OPTIMAL || a->outcome == VOUCH_PLAN_FEASIBLE;
    for (int k = 0; k < x->w.K && a->regret_of_determinism && ended; k++)
        if (!(a->regret_of_determinism[k] <= a->bound + by_programs))
            campaign_fault(c, "determinism costs %.17g in %d, and %.17g is the bound", a->regret_of_determinism[k], k, a->bound);
    if (!(a->bound <= a->max_regret + x->rounding)) campaign_fault(c, "bound %.17g above the value %.17g", a->bound, a->max_regret);
    if (!(a->bound <= x->highest + slack)) campaign_fault(c, "bound %.17g, but %.17g is attained", a->bound, x->highest);
    if (deterministic && !(a->max_regret >= x->lowest - x->rounding))
        campaign_fault(c, "value %.17g below the least %.17g", a->max_regret, x->lowest);
    if (a->outcome == VOUCH_PLAN_OPTIMAL && !(a->max_regret <= x->highest + gap + slack))
        campaign_fault(c, "optimal %.17g, but %.17g is attained", a->max_regret, x->highest);
}

static verdict verdict_of(vouch_plan_outcome outcome)
{
    return outcome == VOUCH_PLAN_OPTIMAL      ? VERDICT_OPTIMAL
           : outcome == VOUCH_PLAN_INFEASIBLE ? VERDICT_NONE
           : outcome == VOUCH_PLAN_NUMERICAL  ? VERDICT_NUMERICAL
                                              : VERDICT_LIMIT;
}

static void conclude(campaign *c, const bench *b, const rare *x, const char *name, verdict v)
{
    char column[64];
    snprintf(column, sizeof column, "rare: %s", name);
    if (c->reason[0]) {
        size_t length = strlen(c->reason);
        snprintf(c->reason + length, sizeof c->reason - length, " (%s, L = %d)", name, x->L);
        bench_keep(c, b, NULL);
    }
    campaign_count(c, v, column, promise_names[x->kind], (const char *)NULL);
}

/* ---- ways to plan ---- */

static void keep(void *context, const char *text) { fputs(text, context); }

static void check_proof(campaign *c, const bench *b, const char *lines)
{
    static const char *const arithmetics[] = {NULL, "--exact", "--interval"};
    for (int i = 0; i < 3; i++)
        if (bench_check(b, lines, arithmetics[i]) != VERIFIED) bench_fault(c, b, arithmetics[i], "verified");
}

static void try_plan(campaign *c, const bench *b, rare *x, const way *how)
{
    vouch_policy *policy = NULL;
    vouch_plan_options o;
    vouch_plan_result a = {.outcome = VOUCH_PLAN_NUMERICAL};
    vouch_error error = {0};
    char *lines;
    size_t length;
    FILE *out = open_memstream(&lines, &length);
    if (!out) abort();
    vouch_plan_options_init(&o);
    o.method = how->method;
    o.engine = how->engine;
    o.without = how->without;
    o.least_total_regret = how->total;
    o.lookahead = how->method == VOUCH_METHOD_HISTORY ? 0 : x->L;
    o.certify = how->method == VOUCH_METHOD_EXACT_CCL;
    o.objective = how->objective;
    o.restarts = 2;
    o.limits = (vouch_limits){.nodes = 500, .iterations = 30000, .seconds = SECONDS};
    if (how->engine != VOUCH_ENGINE_LP && how->objective == VOUCH_OBJECTIVE_REGRET) {
        o.proof = keep;
        o.proof_context = out;
    }
    if (vouch_plan(&policy, x->m, &o, &error))
        campaign_fault(c, "the call fails: %s", error.text);
    else {
        vouch_policy_get_result(policy, &a);
        check_plan(c, x, how, &a);
    }
    fclose(out);
    if (strstr(lines, "claim "))
        check_proof(c, b, lines);
    else if (o.proof && a.outcome == VOUCH_PLAN_OPTIMAL)
        campaign_fault(c, "optimal, and nothing is claimed");
    free(lines);
    vouch_policy_free(policy);
    conclude(c, b, x, how->name, verdict_of(a.outcome));
}

static void try_ccil(campaign *c, const bench *b, rare *x, bool guarded)
{
    vouch_ccil_options o;
    vouch_ccil *ccil = NULL;
    vouch_ccil_result a = {.outcome = VOUCH_PLAN_NUMERICAL};
    vouch_error error = {0};
    double slack = CCIL_ROUNDING * x->rounding;
    vouch_ccil_options_init(&o);
    o.plan.lookahead = x->L;
    o.plan.limits = (vouch_limits){.nodes = 500, .iterations = 30000, .seconds = SECONDS};
    o.guarded = guarded;
    if (vouch_ccil_new(&ccil, x->m, &o, &error) || vouch_ccil_evaluate(ccil, &error))
        campaign_fault(c, "the call fails: %s", error.text);
    else {
        vouch_ccil_get_result(ccil, &a);
        if (a.outcome == VOUCH_PLAN_INFEASIBLE && x->highest < INFINITY)
            campaign_fault(c, "infeasible, but a policy keeps the promises");
        if (a.has_policy) {
            check_figures(c, x, a.figures, a.commitments, a.max_regret, slack);
            x->attained = fmin(x->attained, a.max_regret);
            if (!(x->history_bound <= x->attained + slack + BY_PROGRAMS))
                campaign_fault(c, "bound %.17g by history, but %.17g is attained", x->history_bound, x->attained);
            if (guarded && !(a.max_regret <= a.first_max_regret + slack))
                campaign_fault(c, "guarded, but %.17g is above the first plan's %.17g", a.max_regret, a.first_max_regret);
            if (!(a.first_max_regret >= x->lowest - slack))
                campaign_fault(c, "first plan %.17g below the least %.17g", a.first_max_regret, x->lowest);
            if (a.outcome == VOUCH_PLAN_OPTIMAL && !(a.first_max_regret <= x->highest + GAP + slack))
                campaign_fault(c, "first plan %.17g, but %.17g is attained", a.first_max_regret, x->highest);
        }
    }
    vouch_ccil_free(ccil);
    conclude(c, b, x, guarded ? "ccil, guarded" : "ccil, paper", verdict_of(a.outcome));
}

void rare_try(campaign *c, const bench *given, rng *r)
{
    rare x = {.history_bound = -INFINITY, .attained = INFINITY};
    bench b = *given;
    vouch_error error;
    draw_world(r, &x.w);
    x.L = draw(r, x.w.T + 1);
    if (!world_tree_make(&x.w, x.L, (1u << x.w.K) - 1, CASES, &x.tree)) return;
    choose_probabilities(r, &x);
    x.rounding = 16 * DBL_EPSILON * x.w.T * SPREAD;
    if (x.w.J > 1) x.rounding += PIVOT * x.w.T * SPREAD;
    if (rare_settle(&x)) {
        bench_write(&b, &x.w);
        if (vouch_model_read(&x.m, b.model, &error)) abort();
        for (int i = 0; i < WAYS; i++)
            if (chance(r, i == 0 ? 0.8 : 0.3)) try_plan(c, &b, &x, &ways[i]);
        for (int guarded = 0; guarded < 2; guarded++)
            if (x.L > 0 && chance(r, 0.2)) try_ccil(c, &b, &x, guarded);
        if (chance(r, 0.1)) {
            rare_frontier(c, &b, &x, r);
            conclude(c, &b, &x, "frontier", VERDICT_OPTIMAL);
        }
        vouch_model_free(x.m);
    }
    world_tree_free(&x.tree);
}
