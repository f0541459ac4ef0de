/* plan/explain.c - see explain.h.
 *
 * The largest probability is bracketed: a policy found raises the lower end to what it really keeps, a proof of infeasibility lowers the
 * upper end. Deterministic policies reach only finitely many probabilities, so after a policy that keeps more than it had to the question
 * "a little more than that?" comes next, which often ends the search at once; otherwise the bracket is halved. Where the middle is so close to
 * the truth that the planner can say neither, points beside it are asked.
 *
 * Conflicts: pairs, then triples, .. of environments as long as there are few; beyond that environments are left out one by one while the rest
 * still conflicts (the deletion filter of J. W. Chinneck and E. W. Dravnieks, ORSA Journal on Computing 3, 1991).
 */
#include "plan/explain.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "mdp/subset.h"

static const double SHORT = 1e6; /* answers of six decimals are tried first */
static const double BETWEEN[] = {0.5, 0.25, 0.75, 0.125, 0.875}; /* of the bracket */
enum { SUBSET_CAP = 400 }; /* planner calls spent on finding a smallest set */

typedef enum answer { ANSWER_YES, ANSWER_NO, ANSWER_UNKNOWN } answer;

/* Does some policy of the class keep m's commitment? kept: the least probability of the one found. */
static vouch_status ask(const vouch_model *m, const vouch_plan_options *options, const deadline *limit, answer *a, double *kept, vouch_error *error)
{
    vouch_plan_options o = *options;
    vouch_policy *policy = NULL;
    *a = ANSWER_UNKNOWN;
    if (deadline_expired(limit)) return VOUCH_OK;
    o.gap = INFINITY; /* any policy will do */
    o.least_total_regret = 0;
    o.certify = 0;
    o.start = NULL;
    o.limits = deadline_left(limit);
    o.progress = NULL;
    o.restart = NULL;
    o.on_node = NULL;
    vouch_status status = vouch_plan(m, &o, &policy, error);
    if (status) return status;
    if (policy->outcome == VOUCH_PLAN_INFEASIBLE) *a = ANSWER_NO;
    if (policy->has_policy && (policy->outcome == VOUCH_PLAN_OPTIMAL || policy->outcome == VOUCH_PLAN_FEASIBLE)) {
        *a = ANSWER_YES;
        *kept = INFINITY;
        for (int k = 0; k < policy->K; k++) *kept = fmin(*kept, policy->figures[k].commitment_probability);
    }
    bool too_large = policy->too_large && o.method == VOUCH_METHOD_HISTORY;
    vouch_policy_free(policy);
    return too_large ? error_set(error, VOUCH_ERROR_SIZE, "too many histories to look at all policies") : VOUCH_OK;
}

vouch_status explain_largest(const vouch_model *m, const vouch_plan_options *options, double upper, const deadline *limit, explain_range *range, vouch_error *error)
{
    vouch_model *copy;
    vouch_status status = model_subset(m, NULL, 0, &copy, error);
    if (status) return status;
    *range = (explain_range){0, fmin(upper, 1), false};
    bool at_end = true, above = false; /* what to ask next: the upper end, a little more than what is reached, or somewhere between */
    int unknown = 0;
    while (!status) {
        double width = range->bound - range->reached, kept = 0;
        double p = at_end ? range->bound : above ? range->reached + EXPLAIN_GAP : range->reached + BETWEEN[unknown] * width;
        if (range->bound - range->reached <= EXPLAIN_GAP) break;
        answer a;
        vouch_model_set_probability(copy, fmin(p, 1));
        status = ask(copy, options, limit, &a, &kept, error);
        if (status) break;
        if (a == ANSWER_UNKNOWN) {
            if (deadline_expired(limit) || ++unknown == sizeof BETWEEN / sizeof *BETWEEN) break;
            at_end = above = false;
            continue;
        }
        unknown = 0;
        if (a == ANSWER_YES) range->reached = fmax(range->reached, fmin(kept, range->bound));
        else range->bound = fmin(range->bound, p);
        above = a == ANSWER_YES && !above && kept > p + EXPLAIN_GAP; /* it kept more than it had to, so it may be the most */
        at_end = false;
    }
    range->proved = range->bound - range->reached <= EXPLAIN_GAP;
    double round = floor(range->reached * SHORT + 0.5) / SHORT; /* 0.5 is a better answer than 0.499999998, if it is one */
    if (!status && round > range->reached && round <= range->bound + EXPLAIN_GAP) {
        answer a;
        double kept;
        vouch_model_set_probability(copy, fmin(round, 1));
        status = ask(copy, options, limit, &a, &kept, error);
        if (!status && a == ANSWER_YES) {
            range->reached = round;
            range->bound = fmax(range->bound, round);
        }
    }
    vouch_model_free(copy);
    return status;
}

/* Is the set env [count] infeasible together? */
static vouch_status conflicts(const vouch_model *m, const vouch_plan_options *options, const deadline *limit, const int *env, int count, answer *a, vouch_error *error)
{
    vouch_model *part;
    double kept;
    vouch_status status = model_subset(m, env, count, &part, error);
    if (status) return status;
    status = ask(part, options, limit, a, &kept, error);
    *a = *a == ANSWER_NO ? ANSWER_YES : *a == ANSWER_YES ? ANSWER_NO : ANSWER_UNKNOWN;
    vouch_model_free(part);
    return status;
}

/* The next subset of `count` out of K in lexicographic order; false after the last. */
static bool next_subset(int *env, int count, int K)
{
    int i = count - 1;
    while (i >= 0 && env[i] == K - count + i) i--;
    if (i < 0) return false;
    env[i]++;
    for (i++; i < count; i++) env[i] = env[i - 1] + 1;
    return true;
}

static double binomial(int n, int k)
{
    double b = 1;
    for (int i = 1; i <= k; i++) b *= (double)(n - k + i) / i;
    return b;
}

/* Leaves out one environment after the other. */
static vouch_status filter(const vouch_model *m, const vouch_plan_options *options, const deadline *limit, int env[], int *count, vouch_error *error)
{
    int *rest = MEM_NEW(int, m->K);
    if (!rest) return error_memory(error);
    vouch_status status = VOUCH_OK;
    for (int k = 0; k < m->K; k++) env[k] = k;
    *count = m->K;
    for (int i = *count - 1; i >= 0 && *count > 2 && !status; i--) {
        answer a;
        int n = 0;
        for (int j = 0; j < *count; j++)
            if (j != i) rest[n++] = env[j];
        status = conflicts(m, options, limit, rest, n, &a, error);
        if (status || a != ANSWER_YES) continue;
        MEM_COPY(env, rest, n);
        *count = n;
    }
    mem_free(rest);
    return status;
}

vouch_status explain_conflict(const vouch_model *m, const vouch_plan_options *options, const deadline *limit, int env[], int *count, bool *smallest, vouch_error *error)
{
    double left = SUBSET_CAP;
    vouch_status status = VOUCH_OK;
    *smallest = true;
    for (*count = 2; *count < m->K && !status; ++*count) {
        left -= binomial(m->K, *count);
        if (left < 0) break;
        for (int i = 0; i < *count; i++) env[i] = i;
        do {
            answer a;
            status = conflicts(m, options, limit, env, *count, &a, error);
            if (status || a == ANSWER_YES) return status;
            if (a == ANSWER_UNKNOWN) *smallest = false;
        } while (next_subset(env, *count, m->K));
    }
    if (status) return status;
    if (*count < m->K) *smallest = false;
    status = filter(m, options, limit, env, count, error);
    return status;
}
