/* mdp/limits.c - probabilities that are known within limits: each row is a polytope of distributions (interval MDPs; R. Givan, S.
 * Leach, T. Dean, Artificial Intelligence 2000). Planning uses one of them, low + c (high - low). */
#include <math.h>

#include "base/memory.h"
#include "base/text.h"
#include "mdp/model.h"

vouch_status vouch_model_add_interval(vouch_model *m, const vouch_row *r, double low)
{
    if (!m || m->finished || !r) return VOUCH_ERROR_ARGUMENT;
    if (!(low >= 0 && low <= r->probability)) return VOUCH_ERROR_INPUT;
    if (low == r->probability) return vouch_model_add_rows(m, r, 1, NULL);
    vouch_row of_low = *r;
    of_low.probability = 0;
    vouch_status status = vouch_model_add_rows(m, &of_low, 1, NULL);
    if (status) return status;
    m->rows[m->row_count - 1].prob = -fabs(low);
    m->limits = true;
    return vouch_model_add_rows(m, r, 1, NULL);
}

vouch_status vouch_model_set_within(vouch_model *m, double eps)
{
    if (!m || !(eps >= 0 && eps <= 1)) return VOUCH_ERROR_ARGUMENT;
    vouch_model *user = m->join ? m->join->user : m;
    user->within = eps;
    return VOUCH_OK;
}

double vouch_model_within(const vouch_model *m) { return m ? model_user(m)->within : 0; }

int vouch_model_has_error(const vouch_model *m) { return !m ? 0 : m->limits ? 2 : model_user(m)->within > 0; }

bool limits_wrong(double low, double high, char words[LIMITS_WORDS])
{
    bool outside = !(low >= 0 && high <= 1 + MODEL_SUM_TOLERANCE);
    if (outside)
        format_text(words, LIMITS_WORDS, "a probability must lie between 0 and 1, found %.10g", low >= 0 ? high : low);
    else if (low > high)
        format_text(words, LIMITS_WORDS, "the lower limit %.10g is above the upper limit %.10g", low, high);
    return outside || low > high;
}

bool limit_sums_wrong(const double sum[2], char words[LIMITS_WORDS])
{
    bool high = sum[1] < 1;
    if (sum[0] <= 1 + MODEL_SUM_TOLERANCE && sum[1] >= 1 - MODEL_SUM_TOLERANCE) return false;
    if (sum[0] < sum[1])
        format_text(words, LIMITS_WORDS, "the %s limits of the probabilities sum to %.10g; expected at %s 1",
                    high ? "upper" : "lower", sum[high], high ? "least" : "most");
    else
        format_text(words, LIMITS_WORDS, "the probabilities sum to %.10g; expected 1 (within %g)", sum[0], MODEL_SUM_TOLERANCE);
    return true;
}

double limits_settle(mdp *e, int first, int *used, double sum[2])
{
    double rounding = (*used - first) * DBL_EPSILON, nominal = 0;
    sum[0] = sum[1] = 0;
    for (int o = first; o < *used; o++) {
        sum[0] += e->low[o];
        sum[1] += e->high[o];
    }
    double span = sum[1] - sum[0], down = span > 0 && sum[0] > 1 + rounding ? sum[0] : 1,
           up = span > 0 && sum[1] < 1 - rounding ? sum[1] : 1;
    double c = span > 0 ? fmin(1, fmax(0, (1 - sum[0]) / span)) : 0;
    int kept = first;
    for (int o = first; o < *used; o++) {
        double low = e->low[o] / down, high = fmin(1, e->high[o] / up), prob = low + c * (high - low);
        if (prob <= 0) continue; /* then every row has a 0 here */
        e->next[kept] = e->next[o];
        e->reward[kept] = e->reward[o];
        if (e->decimal) e->decimal[kept] = e->decimal[o];
        e->low[kept] = low;
        e->high[kept] = high;
        e->prob[kept] = prob;
        nominal += prob;
        kept++;
    }
    *used = kept;
    return nominal;
}

prob_limits limits_given(const mdp *e, int o)
{
    return e->low ? (prob_limits){e->low[o], e->high[o]} : (prob_limits){e->prob[o], e->prob[o]};
}

prob_limits limits_within(const vouch_model *m, const mdp *e, int s, int q, int o)
{
    double eps = e->start[q + 1] - e->start[q] > 1 && !(m->join && m->join->base[s] < 0) ? model_user(m)->within : 0;
    prob_limits given = limits_given(e, o);
    return (prob_limits){fmax(0, given.low - eps), fmin(1, given.high + eps)};
}
