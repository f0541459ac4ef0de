/* tests/campaign/questions.c - promises on average, priors with zeros, unseen rewards, weighted and max-min objectives, several
 * policies.
 *
 * Small worlds with a list of all policies (oracle/worlds.h). Plans by the search and by the linear program, and bounds, are
 * compared with the best of the list, proofs with vouch-check, groups of environments with all partitions. Promises within rounding
 * of the threshold may count or not.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vouch/vouch.h>

#include "campaign/bench.h"

enum { CASES = 700 };
static const double EDGE = 1e-9; /* of promises */
static const double CLOSE = 2e-6, EXACT_CLOSE = 2e-4;

typedef struct question {
    campaign *c;
    bench *b;
    vouch_model *m;
    world w;
    int L;
    double optimal[WORLD_K], weight[WORLD_K];
    vouch_objective objective;      /* of plans; groups have the least maximum regret */
    double history_bound, attained; /* losses: the largest bound that history proved, the least value of any plan */
    world_tree tree;
} question;

static const char *const objective_names[] = {"max regret", "weighted", "max-min"};

static void draw_question(rng *r, question *q)
{
    world *w = &q->w;
    bench_draw(r, w, false);
    w->unseen = chance(r, 0.3);
    bench_draw_averages(r, w, 0.6);
    for (int j = 0; j < w->J; j++)
        if (w->average[j] && chance(r, 0.3)) w->p[j][0] = rng_unit(r); /* else the mean of some policy, often */
    q->L = draw(r, w->T + 1);
    for (int k = 0; k < w->K; k++) q->weight[k] = k && chance(r, 0.3) ? 0 : 0.1 + 2 * rng_unit(r);
}

/* false: there is no list, or U* is at an edge. */
static bool find_truth(question *q)
{
    for (int k = 0; k < q->w.K; k++) {
        double low = world_optimum(&q->w, k, 0);
        q->optimal[k] = world_optimum(&q->w, k, EDGE);
        if (!isfinite(q->optimal[k]) || !(fabs(q->optimal[k] - low) <= CLOSE / 4)) return false;
    }
    return world_tree_make(&q->w, q->L, (1u << q->w.K) - 1, CASES, &q->tree);
}

/* The objective as a loss: the maximum regret over `of`, or the weighted or least value negated. */
static double loss_of(const question *q, const double u[], unsigned of)
{
    double most = -INFINITY, sum = 0;
    for (int k = 0; k < q->w.K; k++) {
        sum -= q->weight[k] * u[k];
        if (of >> k & 1) most = fmax(most, (q->objective == VOUCH_OBJECTIVE_REGRET ? q->optimal[k] : 0) - u[k]);
    }
    return q->objective == VOUCH_OBJECTIVE_WEIGHTED ? sum : most;
}

/* The least loss of policies that miss promises in `promised`, and means, by at most `short_by`. */
static double least_of(const question *q, unsigned of, unsigned promised, double short_by)
{
    double least = INFINITY;
    for (int i = 0; i < q->tree.cases; i++) {
        const world_case *at = &q->tree.item[i];
        if (at->place >= 0) continue;
        bool kept = world_misses_means(&q->w, &at->gain) <= short_by;
        for (int k = 0; k < q->w.K; k++)
            if (promised >> k & 1) kept = kept && world_misses(&q->w, &at->gain, k) <= short_by;
        if (kept) least = fmin(least, loss_of(q, at->gain.u, of));
    }
    return least;
}

static void tell(const question *q, const char *words)
{
    bench_keep(q->c, q->b, NULL);
    const char *path = campaign_file(q->c, ".txt");
    FILE *f = path ? fopen(path, "a") : NULL;
    if (!f) return;
    fprintf(f, "vouch plan .json -L %d %s\n", q->L, words);
    fclose(f);
}

static void add_line(void *context, const char *text) { fputs(text, context); }

/* The figures give the objective, the promises hold and no regret is negative. */
static void check_figures(const question *q, const vouch_plan_result *a, double value)
{
    double u[WORLD_K];
    for (int k = 0; k < q->w.K; k++) {
        u[k] = a->figures[k].value;
        if (!(a->figures[k].regret >= -CLOSE)) campaign_fault(q->c, "regret(%d) = %.12g", k, a->figures[k].regret);
    }
    if (!(fabs(loss_of(q, u, (1u << q->w.K) - 1) - value) <= CLOSE))
        campaign_fault(q->c, "the figures give %.12g, not %.12g", loss_of(q, u, (1u << q->w.K) - 1), value);
}

/* Plans by one method and engine: no bound exceeds the best of the list, and milp-ccl attains it. */
static void try_plan(question *q, rng *r, vouch_method method, vouch_engine engine)
{
    vouch_plan_options o;
    vouch_plan_result result;
    vouch_policy *policy;
    vouch_error error;
    char *lines = NULL;
    size_t length;
    bool regret = q->objective == VOUCH_OBJECTIVE_REGRET, proved = engine != VOUCH_ENGINE_LP && regret && chance(r, 0.4);
    FILE *proof = proved ? open_memstream(&lines, &length) : NULL;
    unsigned all = (1u << q->w.K) - 1;
    double low = least_of(q, all, all, EDGE), high = least_of(q, all, all, -EDGE / 1e6);
    bool milp = method == VOUCH_METHOD_MILP_CCL;
    vouch_plan_options_init(&o);
    o.method = method;
    o.engine = engine;
    o.lookahead = q->L;
    o.threads = 1 + draw(r, 3);
    o.certify = 1;
    o.objective = q->objective;
    o.weights = q->objective == VOUCH_OBJECTIVE_WEIGHTED ? q->weight : NULL;
    o.proof = proof ? add_line : NULL;
    o.proof_context = proof;
    if (vouch_plan(&policy, q->m, &o, &error)) abort();
    vouch_policy_get_result(policy, &result);
    double value = !result.has_policy ? INFINITY : regret ? result.max_regret : -result.value, close = milp ? CLOSE : EXACT_CLOSE;
    double bound = regret ? result.bound : -result.bound;
    if (proof) fclose(proof);
    if (result.has_policy) check_figures(q, &result, value);
    q->attained = fmin(q->attained, value);
    if (method == VOUCH_METHOD_HISTORY) q->history_bound = fmax(q->history_bound, bound);
    if (q->history_bound > q->attained + CLOSE)
        campaign_fault(q->c, "bound %.12g by history, but %.12g is attained", q->history_bound, q->attained);
    if (bound > high + CLOSE) campaign_fault(q->c, "bound %.12g above %.12g", bound, high);
    if (milp && result.outcome == VOUCH_PLAN_OPTIMAL && !(value >= low - close && value <= high + close))
        campaign_fault(q->c, "%.12g; the list has %.12g to %.12g", value, low, high);
    if (!milp && result.outcome == VOUCH_PLAN_OPTIMAL && !(value <= high + close))
        campaign_fault(q->c, "%.12g above the deterministic %.12g", value, high);
    if (result.outcome == VOUCH_PLAN_INFEASIBLE && isfinite(high)) campaign_fault(q->c, "infeasible; a policy has %.12g", high);
    const char *arithmetic = proof && chance(r, 0.3) ? "--interval" : NULL;
    if (proof && bench_check(q->b, lines, arithmetic) != VERIFIED) bench_fault(q->c, q->b, arithmetic, "verified");
    if (q->c->reason[0]) tell(q, vouch_method_text(method));
    bool none = result.outcome == VOUCH_PLAN_INFEASIBLE, done = none || result.outcome == VOUCH_PLAN_OPTIMAL;
    campaign_count(q->c,
                   !done  ? VERDICT_LIMIT
                   : none ? VERDICT_NONE
                          : VERDICT_OPTIMAL,
                   engine != VOUCH_ENGINE_LP ? vouch_method_text(method)
                   : milp                    ? "milp-ccl, lp"
                                             : "history, lp",
                   objective_names[q->objective], q->w.unseen ? "rewards unseen" : "rewards seen",
                   proof ? "with a proof" : "without a proof", (const char *)NULL);
    free(lines);
    vouch_policy_free(policy);
}

/* The least, over all ways to put environments k, k + 1, .. into groups beside those there are, of the largest rho. */
static double best_partition(const question *q, int k, unsigned group[], int count, int most, bool own, double short_by)
{
    unsigned all = (1u << q->w.K) - 1;
    double best = INFINITY, worst = -INFINITY;
    if (k == q->w.K) {
        for (int g = 0; g < count; g++) worst = fmax(worst, least_of(q, group[g], own ? group[g] : all, short_by));
        return worst;
    }
    for (int g = 0; g < count + (count < most); g++) {
        unsigned before = g < count ? group[g] : 0;
        group[g] = before | 1u << k;
        best = fmin(best, best_partition(q, k + 1, group, g < count ? count : count + 1, most, own, short_by));
        group[g] = before;
    }
    return best;
}

static void try_groups(const question *q, rng *r)
{
    static const char *const names[] = {"1 policy", "2 policies", "3 policies"};
    vouch_plan_options o;
    vouch_groups_result result;
    vouch_groups *groups;
    vouch_error error;
    unsigned group[WORLD_K];
    int policies = 1 + draw(r, q->w.K);
    bool own = chance(r, 0.5);
    vouch_plan_options_init(&o);
    o.lookahead = q->L;
    o.threads = 1 + draw(r, 3);
    if (vouch_plan_groups(&groups, q->m, &o, policies, own ? VOUCH_PROMISES_OWN : VOUCH_PROMISES_ALL, &error)) abort();
    vouch_groups_get_result(groups, &result);
    double low = best_partition(q, 0, group, 0, policies, own, EDGE),
           high = best_partition(q, 0, group, 0, policies, own, -EDGE / 1e6);
    double value = result.groups ? result.max_regret : INFINITY;
    if (result.bound > high + CLOSE) campaign_fault(q->c, "bound %.12g above %.12g", result.bound, high);
    if (result.outcome == VOUCH_PLAN_OPTIMAL && !(value >= low - CLOSE && value <= high + CLOSE))
        campaign_fault(q->c, "groups of %.12g; the list has %.12g to %.12g", value, low, high);
    if (result.outcome == VOUCH_PLAN_INFEASIBLE && isfinite(high)) campaign_fault(q->c, "no groups; some have %.12g", high);
    if (q->c->reason[0]) tell(q, own ? "--policies" : "--policies --promises all");
    bool none = result.outcome == VOUCH_PLAN_INFEASIBLE, done = none || result.outcome == VOUCH_PLAN_OPTIMAL;
    campaign_count(q->c,
                   !done  ? VERDICT_LIMIT
                   : none ? VERDICT_NONE
                          : VERDICT_OPTIMAL,
                   names[policies - 1], own ? "promises of the group" : "promises of all",
                   q->w.unseen ? "rewards unseen" : "rewards seen", (const char *)NULL);
    vouch_groups_free(groups);
}

/* A plan whose promises are kept under the error of the probabilities: no better than without error, and as vouch-check has it. */
static void try_within(question *q, rng *r)
{
    static const double errors[] = {.005, .02, .05, .2};
    vouch_plan_options o;
    vouch_plan_result result;
    vouch_policy *policy;
    vouch_error error;
    char *lines = NULL;
    size_t length;
    unsigned all = (1u << q->w.K) - 1;
    bool proved = q->w.J == 1 && !q->w.average[0];
    FILE *proof = proved ? open_memstream(&lines, &length) : NULL;
    q->w.within = errors[draw(r, 4)];
    vouch_model_free(q->m);
    bench_write(q->b, &q->w);
    if (vouch_model_read(&q->m, q->b->model, &error)) abort();
    vouch_plan_options_init(&o);
    o.lookahead = q->L;
    o.threads = 1 + draw(r, 3);
    o.proof = proof ? add_line : NULL;
    o.proof_context = proof;
    if (vouch_plan(&policy, q->m, &o, &error)) abort();
    vouch_policy_get_result(policy, &result);
    if (proof) fclose(proof);
    double low = least_of(q, all, all, EDGE), value = result.has_policy ? result.max_regret : INFINITY;
    if (!(value >= low - CLOSE)) campaign_fault(q->c, "%.12g with error, %.12g without", value, low);
    if (result.outcome == VOUCH_PLAN_OPTIMAL && !(value - result.bound <= CLOSE))
        campaign_fault(q->c, "optimal: %.12g, bound %.12g", value, result.bound);
    for (int i = 0; result.has_policy && i < q->w.K * q->w.J; i++)
        if (!vouch_model_promise_kept(q->m, i % q->w.J, i / q->w.J, result.worst[i]))
            campaign_fault(q->c, "worst is %.12g", result.worst[i]);
    if (proof && bench_check(q->b, lines, NULL) != VERIFIED) bench_fault(q->c, q->b, NULL, "verified");
    if (q->c->reason[0]) tell(q, "--prove");
    bool none = result.outcome == VOUCH_PLAN_INFEASIBLE, done = none || result.outcome == VOUCH_PLAN_OPTIMAL;
    campaign_count(q->c,
                   !done  ? VERDICT_LIMIT
                   : none ? VERDICT_NONE
                          : VERDICT_OPTIMAL,
                   "under error", objective_names[0], q->w.unseen ? "rewards unseen" : "rewards seen",
                   proof ? "with a proof" : "without a proof", (const char *)NULL);
    free(lines);
    vouch_policy_free(policy);
}

void campaign_questions(campaign *c)
{
    bench b;
    bench_open(&b);
    for (long long i = c->first; c->runs < c->count; i++) {
        rng r = campaign_case(c, i);
        question q = {.c = c, .b = &b, .history_bound = -INFINITY, .attained = INFINITY};
        vouch_error error;
        draw_question(&r, &q);
        if (!find_truth(&q)) continue;
        bench_write(&b, &q.w);
        if (vouch_model_read(&q.m, b.model, &error)) abort();
        bool means = false;
        for (int j = 0; j < q.w.J; j++) means |= q.w.average[j];
        q.objective = means ? VOUCH_OBJECTIVE_REGRET : (vouch_objective)draw(&r, 3);
        try_plan(&q, &r, VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_AUTO);
        if (chance(&r, 0.4)) try_plan(&q, &r, VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_LP);
        if (chance(&r, 0.4)) try_plan(&q, &r, VOUCH_METHOD_HISTORY, VOUCH_ENGINE_AUTO);
        if (chance(&r, 0.2)) try_plan(&q, &r, VOUCH_METHOD_HISTORY, VOUCH_ENGINE_LP);
        if (chance(&r, 0.2)) try_plan(&q, &r, VOUCH_METHOD_EXACT_CCL, VOUCH_ENGINE_AUTO);
        q.objective = VOUCH_OBJECTIVE_REGRET;
        if (!means) try_groups(&q, &r);
        if (chance(&r, 0.4)) try_within(&q, &r);
        vouch_model_free(q.m);
        world_tree_free(&q.tree);
    }
    bench_close(&b);
}
