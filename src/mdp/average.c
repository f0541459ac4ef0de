/* mdp/average.c - see average.h. O(K) a call. Invariant: a prior sums to 1 up to rounding. */
#include "mdp/average.h"

#include <float.h>
#include <math.h>

#include "base/memory.h"
#include "mdp/model.h"
#include "mdp/tolerance.h"

/* *out: prior [K] normalised, owned by the caller. */
static vouch_status normalised(const double prior[], int K, double **out)
{
    double most = 0, sum = 0;
    for (int k = 0; k < K; k++) {
        if (!(prior[k] >= 0) || !isfinite(prior[k])) return VOUCH_ERROR_INPUT;
        most = fmax(most, prior[k]);
    }
    if (!(most > 0)) return VOUCH_ERROR_INPUT;
    double *own = MEM_NEW(double, K);
    if (!own) return VOUCH_ERROR_MEMORY;
    for (int k = 0; k < K; k++) sum += own[k] = prior[k] / most; /* avoids overflow */
    for (int k = 0; k < K; k++) own[k] /= sum;
    *out = own;
    return VOUCH_OK;
}

vouch_status vouch_model_set_prior(vouch_model *m, const double prior[])
{
    double *own;
    if (!m || !prior) return VOUCH_ERROR_ARGUMENT;
    vouch_model *user = m->join ? m->join->user : m;
    vouch_status status = normalised(prior, m->K, &own);
    if (status) return status;
    mem_free(user->prior);
    user->prior = own;
    return VOUCH_OK;
}

vouch_status prior_copy(const vouch_model *from, const int env[], vouch_model *to)
{
    if (!from->prior) return VOUCH_OK;
    double *some = MEM_NEW(double, to->K), most = 0;
    if (!some) return VOUCH_ERROR_MEMORY;
    for (int k = 0; k < to->K; k++) most = fmax(most, some[k] = from->prior[env ? env[k] : k]);
    if (!(most > 0)) {
        mem_free(some);
        return vouch_model_averages(from) > 0 ? VOUCH_ERROR_INPUT : VOUCH_OK;
    }
    if (!env) { /* unchanged: normalising again may change a digit */
        mem_free(to->prior);
        to->prior = some;
        return VOUCH_OK;
    }
    vouch_status status = vouch_model_set_prior(to, some);
    mem_free(some);
    return status;
}

int vouch_model_has_prior(const vouch_model *m) { return m && model_user(m)->prior != NULL; }

double vouch_model_prior(const vouch_model *m, int environment)
{
    if (!m || environment < 0 || environment >= m->K) return NAN;
    const vouch_model *user = model_user(m);
    return user->prior ? user->prior[environment] : 1.0 / (m->K / m->group);
}

int vouch_model_averages(const vouch_model *m)
{
    int count = 0;
    for (int j = 0; j < vouch_model_promises(m); j++) count += vouch_model_promise_is_average(m, j);
    return count;
}

double vouch_model_mean(const vouch_model *m, const double probability[], int stride)
{
    double sum = 0;
    if (!m || !probability) return NAN;
    for (int k = 0; k < m->K; k++) sum += vouch_model_prior(m, k) * probability[(size_t)k * (size_t)stride];
    return sum;
}

int vouch_model_mean_kept(const vouch_model *m, int j, double mean)
{
    return m && commitment_kept(mean, vouch_model_promise_probability(m, j, 0));
}

static vouch_status averages_new(int count, int K, promise_averages *out)
{
    *out = (promise_averages){0};
    if (count == 0) return VOUCH_OK;
    out->p = MEM_ZERO(double, count);
    out->weight = MEM_ZERO(double, (size_t)count *(size_t)K);
    out->row = MEM_ZERO(int, count);
    if (!out->p || !out->weight || !out->row) {
        averages_free(out);
        return VOUCH_ERROR_MEMORY;
    }
    out->count = count;
    return VOUCH_OK;
}

vouch_status averages_copy(const promise_averages *from, int K, promise_averages *out)
{
    vouch_status status = averages_new(from->count, K, out);
    if (status || from->count == 0) return status;
    MEM_COPY(out->p, from->p, from->count);
    MEM_COPY(out->row, from->row, from->count);
    MEM_COPY(out->weight, from->weight, (size_t)from->count * (size_t)K);
    return VOUCH_OK;
}

void averages_free(promise_averages *averages)
{
    MEM_FREE_ALL(averages->p, averages->weight, averages->row);
    *averages = (promise_averages){0};
}

vouch_status averages_of(const vouch_model *rows, promise_averages *out)
{
    const vouch_model *user = model_user(rows);
    int J = rows->group, K = rows->K;
    vouch_status status = averages_new(vouch_model_averages(rows), K, out);
    for (int j = 0, a = 0; j < J && out->count > 0 && !status; j++) {
        if (!vouch_model_promise_is_average(rows, j)) continue;
        out->p[a] = user->promise[j].p[0];
        out->row[a] = j;
        for (int r = j; r < K; r += J)
            out->weight[(size_t)a * (size_t)K + (size_t)r] = user->prior ? user->prior[r / J] : 1.0 / (K / J);
        a++;
    }
    return status;
}

double average_rounding(int K)
{
    enum { MORE = 4 }; /* sums, for the quotients of the prior */
    return (K + MORE) * DBL_EPSILON;
}

double average_mean(const promise_averages *averages, int a, int K, const double Pr[])
{
    const double *w = averages->weight + (size_t)a * (size_t)K;
    double sum = 0;
    for (int r = 0; r < K; r++)
        if (w[r] > 0) sum += w[r] * Pr[r];
    return sum;
}

void average_spread(const promise_averages *averages, int a, int K, double eta, double mu[])
{
    const double *w = averages->weight + (size_t)a * (size_t)K;
    for (int r = 0; r < K; r++) mu[r] += eta * w[r];
}

double average_implied(const promise_averages *averages, int a, int r, int K, const double most[], double allowed)
{
    const double *w = averages->weight + (size_t)a * (size_t)K;
    double rest = 0;
    if (!(w[r] > 0)) return 0;
    for (int i = 0; i < K; i++)
        if (i != r && w[i] > 0) rest += w[i] * fmin(1, most[i]);
    double level = (averages->p[a] - allowed - rest - average_rounding(K)) / w[r];
    return fmin(1, fmax(0, level));
}
