/* mdp/promise.c - the list of promises of a model, and its initial distribution. */
#include <math.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "mdp/model.h"

#define ENTRY(name, word, window) {word, window},
static const struct {
    const char *word;
    int window;
} KIND[] = {VOUCH_PROMISE_LIST(ENTRY)};
#undef ENTRY

const char *vouch_promise_kind_text(vouch_promise_kind kind)
{
    return (int)kind >= 0 && kind < VOUCH_PROMISE_KINDS ? KIND[kind].word : "unknown";
}

int vouch_promise_kind_find(const char *word)
{
    if (!word) return -1;
    for (int i = 0; i < VOUCH_PROMISE_KINDS; i++)
        if (strcmp(KIND[i].word, word) == 0) return i;
    return -1;
}

int vouch_promise_kind_is_window(vouch_promise_kind kind)
{
    return (int)kind >= 0 && kind < VOUCH_PROMISE_KINDS && KIND[kind].window;
}

static void release(promise_data *p) { MEM_FREE_ALL(p->name, p->in, p->through, p->p); }

void promise_free_all(vouch_model *m)
{
    for (int j = 0; j < m->promises; j++) release(&m->promise[j]);
    mem_free(m->promise);
    intern_free(&m->promise_numbers);
    MEM_FREE_ALL(m->first, m->prior);
    m->promise = NULL;
    m->first = m->prior = NULL;
    m->promises = 0;
}

static promise_data *append(vouch_model *m, const char *name, vouch_promise_kind kind, int from, int to)
{
    if (MEM_RESERVE(&m->promise, &m->promise_capacity, m->promises)) return NULL;
    promise_data *p = &m->promise[m->promises];
    *p = (promise_data){.name = mem_string(name), .kind = kind, .from = from, .to = to};
    p->in = MEM_ZERO(bool, (size_t)m->K *(size_t)m->S);
    p->p = MEM_ZERO(double, 2 * (size_t)m->K);
    p->rest = p->p + m->K;
    if (!p->name || !p->in || !p->p || model_name_add(&m->promise_numbers, m->promises, name)) {
        release(p);
        return NULL;
    }
    m->promises++;
    return p;
}

vouch_status promise_list(vouch_model *m)
{
    if (m->promises > 0) return VOUCH_OK;
    promise_data *p = append(m, "commitment", VOUCH_PROMISE_AT, -1, -1);
    if (!p) return VOUCH_ERROR_MEMORY;
    for (int k = 0; k < m->K; k++) {
        for (int s = 0; s < m->S; s++) p->in[(size_t)k * (size_t)m->S + (size_t)s] = m->terminal[s] > 0;
        p->p[k] = m->p;
        p->rest[k] = m->p_rest;
    }
    return VOUCH_OK;
}

vouch_status promise_copy(const vouch_model *from, const int env[], vouch_model *to)
{
    size_t S = (size_t)from->S;
    for (int j = 0; j < from->promises; j++) {
        const promise_data *p = &from->promise[j];
        promise_data *copy = append(to, p->name, p->kind, p->from, p->to);
        if (!copy || (p->through && !(copy->through = MEM_NEW(bool, (size_t)to->K *S)))) return VOUCH_ERROR_MEMORY;
        for (int k = 0; k < to->K; k++) {
            size_t k0 = (size_t)(env ? env[k] : k);
            MEM_COPY(copy->in + (size_t)k * S, p->in + k0 * S, S);
            if (p->through) MEM_COPY(copy->through + (size_t)k * S, p->through + k0 * S, S);
            copy->p[k] = p->p[k0];
            copy->rest[k] = p->rest[k0];
        }
        copy->average = p->average;
    }
    if (!from->first) return VOUCH_OK;
    to->first = MEM_NEW(double, (size_t)to->K *S);
    for (int k = 0; k < to->K && to->first; k++)
        MEM_COPY(to->first + (size_t)k * S, from->first + (size_t)(env ? env[k] : k) * S, S);
    return to->first ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

/* environment -1: all. */
static int first_of(int environment) { return environment < 0 ? 0 : environment; }
static int last_of(const vouch_model *m, int environment) { return environment < 0 ? m->K - 1 : environment; }

vouch_status vouch_model_add_promise(vouch_model *m, const char *name, vouch_promise_kind kind, int from, int to)
{
    if (!m || !name) return VOUCH_ERROR_ARGUMENT;
    int number = (int)kind;
    if (m->finished || number < 0 || number >= VOUCH_PROMISE_KINDS || from < -1 || to < -1) return VOUCH_ERROR_ARGUMENT;
    if (model_name_taken(&m->promise_numbers, m->promise, sizeof *m->promise, m->promises, name)) return VOUCH_ERROR_INPUT;
    if (from >= 0 && to >= 0 && vouch_promise_kind_is_window(kind) && from > to) return VOUCH_ERROR_INPUT;
    return append(m, name, kind, from, to) ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

vouch_status vouch_model_set_promise_state(vouch_model *m, int j, int environment, int state, int member)
{
    if (!m || m->finished || j < 0 || j >= m->promises || environment < -1 || environment >= m->K || state < 0 || state >= m->S)
        return VOUCH_ERROR_ARGUMENT;
    for (int k = first_of(environment); k <= last_of(m, environment); k++)
        m->promise[j].in[(size_t)k * (size_t)m->S + (size_t)state] = member != 0;
    return VOUCH_OK;
}

vouch_status vouch_model_set_promise_through(vouch_model *m, int j, int environment, int state, int member)
{
    if (!m || m->finished || j < 0 || j >= m->promises || environment < -1 || environment >= m->K || state < 0 || state >= m->S)
        return VOUCH_ERROR_ARGUMENT;
    promise_data *p = &m->promise[j];
    if (p->kind != VOUCH_PROMISE_BY) return VOUCH_ERROR_ARGUMENT;
    if (!p->through) p->through = MEM_ZERO(bool, (size_t)m->K *(size_t)m->S);
    if (!p->through) return VOUCH_ERROR_MEMORY;
    for (int k = first_of(environment); k <= last_of(m, environment); k++)
        p->through[(size_t)k * (size_t)m->S + (size_t)state] = member != 0;
    return VOUCH_OK;
}

/* The environments of a finished model require the probability of its first promise. */
static void require_first(vouch_model *m)
{
    for (int k = 0; k < m->K && m->finished; k++) {
        m->env[k].p = promise_alone(&model_user(m)->promise[0], k);
        m->env[k].p_rest = promise_rest(&model_user(m)->promise[0], k);
    }
}

void promise_add_rest(vouch_model *m, int j, int environment, double rest)
{
    CHECK(!m->finished);
    if (m->promises == 0) m->p_rest = rest;
    for (int k = first_of(environment); k <= last_of(m, environment) && m->promises > 0; k++) m->promise[j].rest[k] = rest;
}

vouch_status vouch_model_set_promise_probability(vouch_model *m, int j, int environment, double p)
{
    if (!m || !(p >= 0 && p <= 1) || j < 0 || j >= vouch_model_promises(m) || environment < -1 || environment >= m->K)
        return VOUCH_ERROR_ARGUMENT;
    if (model_user(m)->promises == 0) {
        if (environment < 0) return vouch_model_set_probability(m, p);
        vouch_status status = promise_list(m);
        if (!status && m->finished) status = model_join(m, NULL);
        if (status) return status;
    }
    promise_data *own = &model_user(m)->promise[j];
    if (own->average) environment = -1;
    for (int k = first_of(environment); k <= last_of(m, environment); k++) own->p[k] = p, own->rest[k] = 0;
    require_first(m);
    if (j == 0) m->p = own->p[0];
    return VOUCH_OK;
}

vouch_status vouch_model_set_promise_average(vouch_model *m, int j, int average)
{
    if (!m || j < 0 || j >= vouch_model_promises(m)) return VOUCH_ERROR_ARGUMENT;
    if (model_user(m)->promises == 0) {
        if (!average) return VOUCH_OK;
        vouch_status status = promise_list(m);
        if (!status && m->finished) status = model_join(m, NULL);
        if (status) return status;
    }
    promise_data *own = &model_user(m)->promise[j];
    for (int k = 1; k < m->K && average; k++)
        if (own->p[k] != own->p[0]) return VOUCH_ERROR_INPUT;
    own->average = average != 0;
    require_first(m);
    return VOUCH_OK;
}

int vouch_model_promise_is_average(const vouch_model *m, int j)
{
    if (!m) return 0;
    const vouch_model *user = model_user(m);
    return j >= 0 && j < user->promises && user->promise[j].average;
}

vouch_status vouch_model_set_initial_probability(vouch_model *m, int environment, int state, double probability)
{
    if (!m || m->finished || environment < -1 || environment >= m->K || state < 0 || state >= m->S) return VOUCH_ERROR_ARGUMENT;
    if (!(probability >= 0 && probability <= 1)) return VOUCH_ERROR_INPUT;
    if (!m->first) m->first = MEM_ZERO(double, (size_t)m->K *(size_t)m->S);
    if (!m->first) return VOUCH_ERROR_MEMORY;
    for (int k = first_of(environment); k <= last_of(m, environment); k++)
        m->first[(size_t)k * (size_t)m->S + (size_t)state] = probability;
    return VOUCH_OK;
}

static vouch_status check_times(const vouch_model *u, int j, vouch_error *error)
{
    const promise_data *p = &u->promise[j];
    int end = promise_end(u, j);
    if (end > u->T)
        return error_set(error, VOUCH_ERROR_INPUT, "promise \"%.100s\": time %d is after the horizon %d", p->name, end, u->T);
    if (vouch_promise_kind_is_window(p->kind) && p->from > end)
        return error_set(error, VOUCH_ERROR_INPUT, "promise \"%.100s\": from %d to %d is no window; expected from <= to", p->name,
                         p->from, end);
    return VOUCH_OK;
}

/* A distribution in every environment, normalised. */
static vouch_status check_first(vouch_model *u, vouch_error *error)
{
    for (int k = 0; k < u->K; k++) {
        double sum = 0, *p = u->first + (size_t)k * (size_t)u->S;
        for (int s = 0; s < u->S; s++) sum += p[s];
        if (!(fabs(sum - 1) <= MODEL_SUM_TOLERANCE))
            return error_set(error, VOUCH_ERROR_INPUT, "environment \"%.100s\": the initial probabilities sum to %.10g; expected 1",
                             u->env_name[k], sum);
        for (int s = 0; s < u->S && fabs(sum - 1) > u->S * DBL_EPSILON; s++) p[s] /= sum;
    }
    return VOUCH_OK;
}

vouch_status promise_check(const vouch_model *u, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    for (int j = 0; j < u->promises && !status; j++) status = check_times(u, j, error);
    return status;
}

vouch_status promise_settle(vouch_model *m, vouch_error *error)
{
    vouch_status status = promise_check(m, error);
    if (status || !m->first) return status;
    status = check_first(m, error);
    if (!status && promise_list(m)) status = error_memory(error);
    return status;
}

int vouch_model_promises(const vouch_model *m)
{
    if (!m) return 0;
    int list = model_user(m)->promises;
    return list > 0 ? list : 1;
}

int vouch_model_has_list(const vouch_model *m) { return m && model_user(m)->promises > 0; }

void vouch_model_get_promise(const vouch_model *m, int j, vouch_promise *out)
{
    if (out) *out = (vouch_promise){0};
    if (!m || !out) return;
    const vouch_model *u = model_user(m);
    *out = (vouch_promise){.name = "commitment", .kind = VOUCH_PROMISE_AT, .from = u->T, .to = u->T};
    if (j < 0 || j >= u->promises) return;
    const promise_data *p = &u->promise[j];
    int end = promise_end(u, j);
    *out = (vouch_promise){p->name, p->kind,
                           !vouch_promise_kind_is_window(p->kind) ? (p->kind == VOUCH_PROMISE_AT ? end : 0)
                           : p->from < 0                          ? 0
                                                                  : p->from,
                           end};
}

int vouch_model_promise_has_end(const vouch_model *m, int j)
{
    if (!m) return 0;
    const vouch_model *u = model_user(m);
    return j >= 0 && j < u->promises && u->promise[j].to >= 0;
}

int vouch_model_find_promise(const vouch_model *m, const char *name)
{
    if (!m || !name) return -1;
    for (int j = 0; j < vouch_model_promises(m); j++) {
        vouch_promise p;
        vouch_model_get_promise(m, j, &p);
        if (strcmp(p.name, name) == 0) return j;
    }
    return -1;
}

double vouch_model_promise_probability(const vouch_model *m, int j, int environment)
{
    if (!m) return NAN;
    const vouch_model *u = model_user(m);
    if (u->promises == 0) return m->p;
    return j >= 0 && j < u->promises && environment >= 0 && environment < m->K ? u->promise[j].p[environment] : NAN;
}

int vouch_model_promise_kept(const vouch_model *m, int j, int environment, double probability)
{
    if (!m) return 0;
    return vouch_model_promise_is_average(m, j) || commitment_kept(probability, vouch_model_promise_probability(m, j, environment));
}

int vouch_model_promise_holds(const vouch_model *m, int j, int environment, int state)
{
    if (!m || !m->finished || state < 0 || state >= m->S || environment < 0 || environment >= m->K || j < 0 || j >= m->J) return 0;
    return m->weight ? m->weight[environment * m->J + j][state] > 0 : m->terminal[state] > 0;
}

int vouch_model_is_promised(const vouch_model *m, int j, int environment, int state)
{
    if (!m || !m->finished || state < 0 || state >= m->S || environment < 0 || environment >= m->K || j < 0 || j >= m->J) return 0;
    int base = m->join ? m->join->base[state] : state;
    const vouch_model *user = model_user(m);
    return base >= 0 && (user->promises ? promise_is_in(user, j, environment, base) : user->terminal[base] > 0);
}

int vouch_model_first_time(const vouch_model *m) { return m && m->join ? -m->join->offset : 0; }

int vouch_model_look(const vouch_model *m, int state, const char **name, const char **memory)
{
    if (!m || !name || !memory) return -1;
    *name = vouch_model_state_name(m, state);
    *memory = "";
    if (!m->join || state < 0 || state >= m->S || m->join->base[state] < 0) return m->join ? -1 : state;
    const char *user = m->join->user->state_name[m->join->base[state]];
    if (strlen(*name) > strlen(user)) *memory = *name + strlen(user) + 1;
    *name = user;
    return m->join->base[state];
}

/* ---- see average.h. O(K) a call. Invariant: a prior sums to 1 up to rounding ------------------------------------------------ */

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
