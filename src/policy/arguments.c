/* policy/arguments.c - checks at the public interface. Behind it a model is finished, 0 <= L <= T, enums are in range, limits are
 * not negative. Messages name the field and the values expected.
 */
#include "policy/arguments.h"

#include <math.h>

#include "base/error.h"
#include "policy/policy.h"

static const double WEIGHT_MOST = 1e100; /* keeps sums of weights times values finite */

vouch_status check_model(const vouch_model *m, vouch_error *error)
{
    if (!m) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no model");
    if (!m->finished) return error_set(error, VOUCH_ERROR_ARGUMENT, "the model is not finished");
    return VOUCH_OK;
}

vouch_status check_policy(const vouch_policy *p, const vouch_model *m, vouch_error *error)
{
    if (p->K * m->group != m->K)
        return error_set(error, VOUCH_ERROR_INPUT, "the policy is for %d environments, the model has %d", p->K, m->K / m->group);
    if (p->T != m->T) return error_set(error, VOUCH_ERROR_INPUT, "the policy is for horizon %d, the model has %d", p->T, m->T);
    return p->rule_count > 0 ? VOUCH_OK : error_set(error, VOUCH_ERROR_INPUT, "the policy has no rules");
}

vouch_status check_limits(const vouch_limits *l, vouch_error *error)
{
    if (!(l->seconds >= 0))
        return error_set(error, VOUCH_ERROR_ARGUMENT, "the time limit is %g; expected seconds, or 0: no limit", l->seconds);
    if (l->iterations < 0 || l->nodes < 0)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "a limit of work is negative; expected a number, or 0: no limit");
    return VOUCH_OK;
}

vouch_status check_threads(int threads, vouch_error *error)
{
    return threads >= 1 ? VOUCH_OK
                        : error_set(error, VOUCH_ERROR_ARGUMENT, "the number of threads is %d; expected at least 1", threads);
}

vouch_status check_lookahead(int L, int least, const vouch_model *m, vouch_error *error)
{
    if (L >= least && L <= m->T) return VOUCH_OK;
    return error_set(error, VOUCH_ERROR_ARGUMENT, "L is %d; expected %d .. %d (the horizon)", L, least, m->T);
}

vouch_status check_objective(const vouch_plan_options *o, const vouch_model *m, vouch_error *error)
{
    int number = (int)o->objective;
    double sum = 0;
    if (number < 0 || number >= VOUCH_OBJECTIVES)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no objective %d; expected 0 .. %d", number, VOUCH_OBJECTIVES - 1);
    if (o->objective != VOUCH_OBJECTIVE_WEIGHTED || !o->weights) return VOUCH_OK;
    for (int k = 0; k < m->K; k++) {
        if (!(o->weights[k] >= 0 && o->weights[k] <= WEIGHT_MOST))
            return error_set(error, VOUCH_ERROR_ARGUMENT, "the weight %g of environment %s is none; expected 0 .. %g",
                             o->weights[k], m->env_name[k], WEIGHT_MOST);
        sum += o->weights[k];
    }
    return sum > 0 ? VOUCH_OK : error_set(error, VOUCH_ERROR_ARGUMENT, "all weights are 0; expected one above it");
}

vouch_status check_plan_options(vouch_plan_options *o, vouch_error *error)
{
    const vouch_method_description *about = vouch_method_describe(o->method);
    int engine = (int)o->engine;
    if (!about)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no method %d; expected 0 .. %d", (int)o->method,
                         VOUCH_METHOD_COUNT - 1);
    if (engine < VOUCH_ENGINE_AUTO || engine > VOUCH_ENGINE_LP)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no engine %d; expected %d .. %d", engine, VOUCH_ENGINE_AUTO,
                         VOUCH_ENGINE_LP);
    if (isnan(o->gap)) o->gap = about->gap;
    if (o->gap < 0) return error_set(error, VOUCH_ERROR_ARGUMENT, "the gap is negative");
    if (!(o->enough >= 0) || !(o->cutoff >= 0))
        return error_set(error, VOUCH_ERROR_ARGUMENT, "enough and cutoff must not be negative");
    if (o->restarts < 0 || o->tie_break_work < 0 || o->class_limit < 0)
        return error_set(error, VOUCH_ERROR_ARGUMENT, "restarts, tie_break_work and class_limit must not be negative");
    search_parts without;
    vouch_status status = parts_named(o->without, &without, error);
    if (!status) status = check_threads(o->threads, error);
    return status ? status : check_limits(&o->limits, error);
}
