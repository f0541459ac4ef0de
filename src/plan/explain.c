/* plan/explain.c - the largest p that some policy of a class keeps, and the environments that conflict above it.
 *
 * The largest probability is bracketed: a policy raises the lower end to its own probability, a proof of infeasibility lowers the
 * upper end. Deterministic policies attain finitely many probabilities, so after a policy that exceeds the level tried, the next
 * level is slightly above its probability, which often ends the search; otherwise the bracket is halved. If the planner can decide
 * neither at the middle, other points of the bracket are tried.
 *
 * Conflicts: pairs, then triples, .. of environments while these are few; then environments are removed one by one while the rest
 * still conflicts (the deletion filter of J. W. Chinneck and E. W. Dravnieks, ORSA Journal on Computing 3, 1991). Cost: one plan an
 * answer, at most SUBSET_CAP plus K for a conflict. Invariant: reached <= bound, by propagation and by proof.
 */
#include <vouch/explain.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "mdp/dp.h"
#include "policy/within.h"

static const double EXPLAIN_GAP = VOUCH_EXPLAIN_GAP;
static const double SHORT = 1e6;                                 /* answers of six decimals are tried first */
static const double BETWEEN[] = {0.5, 0.25, 0.75, 0.125, 0.875}; /* of the bracket */
static const double SHARE = 0.34;                                /* of the time that is left, for one level */
enum { SUBSET_CAP = 400 };                                       /* planner calls spent on finding a smallest set */

typedef enum verdict { ANSWER_YES, ANSWER_NO, ANSWER_UNKNOWN } verdict;

typedef struct question {
    const vouch_plan_options *options;
    deadline limit;
    vouch_error *error;
    int promise;
    const vouch_range *range; /* what is known; NULL: no probability is sought */
} question;

/* Hands the progress of a plan on, with the probabilities in the place of regrets. */
static void relay(void *context, const vouch_plan_progress *p)
{
    const question *q = context;
    vouch_plan_progress out = *p;
    out.seconds = clock_seconds() - q->limit.start;
    out.incumbent = q->range ? q->range->reached : NAN;
    out.bound = q->range ? q->range->bound : NAN;
    q->options->progress(q->options->progress_context, &out);
}

/* The probability of the promise, under the worst error if m has one, of a policy for m: the least or, for an average, the mean. */
static double kept_by(const vouch_policy *policy, const vouch_model *m, int promise)
{
    bool average = vouch_model_promise_is_average(m, promise);
    double least = INFINITY, mean = 0;
    for (int k = 0; k < policy->K; k++) {
        const double *each = policy->worst ? policy->worst : policy->commitments;
        double kept = each ? each[k * policy->promises + promise] : policy->figures[k].commitment_probability;
        least = fmin(least, kept);
        mean += vouch_model_prior(m, k) * kept;
    }
    return average ? mean : least;
}

/* Does some policy of the class keep m's commitment? *kept: the probability of the promise under the policy found. */
static vouch_status plan_feasible(const question *q, const vouch_model *m, verdict *a, double *kept)
{
    vouch_plan_options o = *q->options;
    vouch_policy *policy = NULL;
    *a = ANSWER_UNKNOWN;
    if (deadline_expired(&q->limit)) return VOUCH_OK;
    o.gap = INFINITY; /* any policy will do */
    o.objective = VOUCH_OBJECTIVE_REGRET;
    o.least_total_regret = 0;
    o.certify = 0;
    o.start = NULL;
    o.proof = NULL;
    o.limits = deadline_left(&q->limit);
    o.limits.seconds *= SHARE;
    o.progress = o.progress ? relay : NULL;
    o.progress_context = (void *)(uintptr_t)q;
    o.restart = NULL;
    o.on_node = NULL;
    o.log = (vouch_log){0}; /* many plans would repeat the same messages */
    vouch_status status = vouch_plan(&policy, m, &o, q->error);
    if (status) return status;
    if (policy->outcome == VOUCH_PLAN_INFEASIBLE) *a = ANSWER_NO;
    if (policy->has_policy && (policy->outcome == VOUCH_PLAN_OPTIMAL || policy->outcome == VOUCH_PLAN_FEASIBLE)) {
        *a = ANSWER_YES;
        *kept = kept_by(policy, m, q->promise);
    }
    bool too_large = policy->too_large && o.method == VOUCH_METHOD_HISTORY;
    vouch_policy_free(policy);
    return too_large ? error_set(q->error, VOUCH_ERROR_SIZE, "too many histories to look at all policies") : VOUCH_OK;
}

/* Prefers 0.5 to 0.499999998 if it is attained. copy: the model, whose p is changed. */
static vouch_status try_short(const question *q, vouch_model *copy, vouch_range *range)
{
    double round = floor(range->reached * SHORT + 0.5) / SHORT, kept;
    verdict a;
    if (!(round > range->reached && round <= range->bound + EXPLAIN_GAP)) return VOUCH_OK;
    vouch_model_set_promise_probability(copy, q->promise, -1, fmin(round, 1));
    vouch_status status = plan_feasible(q, copy, &a, &kept);
    if (status || a != ANSWER_YES) return status;
    range->reached = round;
    range->bound = fmax(range->bound, round);
    return VOUCH_OK;
}

static vouch_status narrow(const question *q, vouch_model *copy, vouch_range *range)
{
    bool at_end = true, above = false; /* the next level: the upper end, slightly above the lower end, or between */
    int unknown = 0;
    while (range->bound - range->reached > EXPLAIN_GAP) {
        double width = range->bound - range->reached, kept = 0;
        double p = at_end ? range->bound : above ? range->reached + EXPLAIN_GAP : range->reached + BETWEEN[unknown] * width;
        verdict a;
        vouch_model_set_promise_probability(copy, q->promise, -1, fmin(p, 1));
        vouch_status status = plan_feasible(q, copy, &a, &kept);
        if (status) return status;
        if (a == ANSWER_UNKNOWN) {
            if (deadline_expired(&q->limit) || ++unknown == sizeof BETWEEN / sizeof *BETWEEN) break;
            at_end = above = false;
            continue;
        }
        unknown = 0;
        if (a == ANSWER_YES)
            range->reached = fmax(range->reached, fmin(kept, range->bound));
        else
            range->bound = fmin(range->bound, p);
        above = a == ANSWER_YES && !above && kept > p + EXPLAIN_GAP; /* it exceeds the level, so it may be the largest */
        at_end = false;
        CHECK_COMPARE(range->reached, <=, range->bound + EXPLAIN_GAP);
    }
    range->proved = range->bound - range->reached <= EXPLAIN_GAP;
    return VOUCH_OK;
}

/* ERROR_ARGUMENT, ERROR_SIZE: the model or the options are unfit for planning. */
static vouch_status check_question(const vouch_model *m, const vouch_plan_options *options, const void *place, vouch_error *error)
{
    if (!options || !place)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "there are no options, or there is no place for the answer");
    vouch_status status = check_model(m, error);
    return status ? status : model_fits(m, error);
}

vouch_status vouch_explain_alone(const vouch_model *m, double probability[], vouch_error *error)
{
    if (!probability) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no place for the answer");
    vouch_status status = check_model(m, error);
    if (!status) status = model_fits(m, error);
    if (status) return status;
    if (vouch_model_has_error(m)) return reply_alone(m, probability, error);
    vouch_model rows;
    if (model_rows(m, &rows)) return error_memory(error);
    for (int k = 0; !status && k < rows.K; k++) {
        probability[k] = dp_best_probability(&rows, k);
        if (probability[k] < 0) status = error_memory(error);
    }
    model_view_free(&rows);
    return status;
}

double vouch_explain_upper(const vouch_model *m, int promise, const double alone[])
{
    double least = 1;
    if (!m || !alone || promise < 0 || promise >= vouch_model_promises(m)) return NAN;
    int J = vouch_model_promises(m);
    if (vouch_model_promise_is_average(m, promise)) return fmin(1, vouch_model_mean(m, alone + promise, J));
    for (int k = 0; k < m->K; k++) least = fmin(least, alone[k * J + promise]);
    return least;
}

/* Can the other promises be kept? True if unknown. */
static vouch_status check_others(const question *q, vouch_model *copy, bool *possible)
{
    verdict a;
    double kept;
    vouch_model_set_promise_probability(copy, q->promise, -1, 0);
    vouch_status status = plan_feasible(q, copy, &a, &kept);
    *possible = a != ANSWER_NO;
    return status;
}

vouch_status vouch_explain_level(const vouch_model *m, int promise, const vouch_plan_options *options, double upper,
                                 vouch_range *range, vouch_error *error)
{
    vouch_model *copy;
    vouch_status status = check_question(m, options, range, error);
    if (!status) status = vouch_model_restrict(&copy, m, NULL, 0, error);
    if (status) return status;
    question q = {options, deadline_start(&options->limits), error, promise, range};
    *range = (vouch_range){0, fmin(upper, 1), 0};
    CHECK_COMPARE(range->bound, <=, 1);
    bool possible = true;
    if (vouch_model_promises(m) > 1) status = check_others(&q, copy, &possible);
    if (!status && !possible)
        *range = (vouch_range){-1, -1, 1};
    else if (!status)
        status = narrow(&q, copy, range);
    if (!status && possible) status = try_short(&q, copy, range);
    vouch_model_free(copy);
    return status;
}

vouch_status vouch_explain_largest(const vouch_model *m, const vouch_plan_options *options, double upper, vouch_range *range,
                                   vouch_error *error)
{
    return vouch_explain_level(m, 0, options, upper, range, error);
}

/* The rows that may conflict, ascending, one for a promise on average. row [K * promises]; returns their number. */
static int conflict_rows(const vouch_model *m, int row[])
{
    int J = vouch_model_promises(m), rows = 0;
    for (int r = 0; r < m->K * J; r++)
        if (r < J || !vouch_model_promise_is_average(m, r % J)) row[rows++] = r;
    return rows;
}

/* The model with the promises of some rows only: with one promise per environment it has only these environments, else the other
 * promises get p = 0. */
static vouch_status part_of(const vouch_model *m, const int *row, int count, vouch_model **part, vouch_error *error)
{
    int J = vouch_model_promises(m);
    if (J == 1) return vouch_model_restrict(part, m, row, count, error);
    vouch_status status = vouch_model_restrict(part, m, NULL, 0, error);
    for (int r = 0, i = 0; r < m->K * J && !status; r++) {
        if (i < count && row[i] == r)
            i++;
        else if (r < J || !vouch_model_promise_is_average(m, r % J))
            status = vouch_model_set_promise_probability(*part, r % J, r / J, 0);
    }
    return status;
}

/* Are the promises of rows env [count], k * promises + j, infeasible together? */
static vouch_status conflicts(const question *q, const vouch_model *m, const int *env, int count, verdict *a)
{
    vouch_model *part = NULL;
    double kept;
    for (int i = 1; i < count; i++) CHECK_COMPARE(env[i - 1], <, env[i]);
    vouch_status status = part_of(m, env, count, &part, q->error);
    if (!status) status = plan_feasible(q, part, a, &kept);
    if (!status) *a = *a == ANSWER_NO ? ANSWER_YES : *a == ANSWER_YES ? ANSWER_NO : ANSWER_UNKNOWN;
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

/* The deletion filter. */
static vouch_status filter(const question *q, const vouch_model *m, vouch_conflict *c)
{
    int *rest = MEM_NEW(int, m->K *vouch_model_promises(m));
    if (!rest) return error_memory(q->error);
    vouch_status status = VOUCH_OK;
    c->count = conflict_rows(m, c->environment);
    for (int i = c->count - 1; i >= 0 && c->count > 2 && !status; i--) {
        verdict a;
        int n = 0;
        for (int j = 0; j < c->count; j++)
            if (j != i) rest[n++] = c->environment[j];
        status = conflicts(q, m, rest, n, &a);
        if (status || a != ANSWER_YES) continue;
        MEM_COPY(c->environment, rest, n);
        c->count = n;
    }
    mem_free(rest);
    return status;
}

vouch_status vouch_explain_conflict(const vouch_model *m, const vouch_plan_options *options, vouch_conflict *c, vouch_error *error)
{
    double left = SUBSET_CAP;
    verdict a = ANSWER_UNKNOWN;
    vouch_status status = check_question(m, options, c ? c->environment : NULL, error);
    if (status) return status;
    int *row = MEM_NEW(int, m->K *vouch_model_promises(m)), *among = MEM_NEW(int, m->K *vouch_model_promises(m));
    if (!row || !among) status = error_memory(error);
    int rows = status ? 0 : conflict_rows(m, row);
    question q = {.options = options, .limit = deadline_start(&options->limits), .error = error};
    c->smallest = 1;
    for (c->count = 2; c->count < rows && !status; c->count++) {
        left -= binomial(rows, c->count);
        if (left < 0) break;
        for (int i = 0; i < c->count; i++) among[i] = i;
        do {
            for (int i = 0; i < c->count; i++) c->environment[i] = row[among[i]];
            status = conflicts(&q, m, c->environment, c->count, &a);
            if (a == ANSWER_UNKNOWN) c->smallest = 0;
        } while (!status && a != ANSWER_YES && next_subset(among, c->count, rows));
        if (a == ANSWER_YES) break;
    }
    if (c->count < rows && a != ANSWER_YES) c->smallest = 0;
    if (!status && a != ANSWER_YES) status = filter(&q, m, c);
    mem_free(row);
    mem_free(among);
    return status;
}
