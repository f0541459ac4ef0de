/* mdp/model.c - building a model row by row, checking it, and freezing it into flat arrays.
 *
 * finish sorts the rows by (environment, state, action, successor), adds up repeated ones, and asks:
 *   - does each distribution sum to 1 (within 1e-6, then normalised exactly)?
 *   - has each state the same actions in every environment?
 *   - can no environment be in a state without actions before the horizon?
 */
#include "mdp/model.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "mdp/observe.h"

static const double SUM_TOLERANCE = 1e-6;            /* |sum of a distribution - 1| accepted; the contract of the file format */
static const double REWARD_TOLERANCE_DEFAULT = 1e-9; /* relative; far above rounding, far below any real reward difference */

static char **numbered_names(int count, const char *prefix, int first)
{
    char **names = MEM_ZERO(char *, count);
    if (!names) return NULL;
    for (int i = 0; i < count; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s%d", prefix, first + i);
        names[i] = mem_string(text);
        if (!names[i]) {
            while (i-- > 0) mem_free(names[i]);
            mem_free(names);
            return NULL;
        }
    }
    return names;
}

static void free_names(char **names, int count)
{
    if (!names) return;
    for (int i = 0; i < count; i++) mem_free(names[i]);
    mem_free(names);
}

vouch_status vouch_model_new(vouch_model **model, int states, int actions, int environments, int horizon)
{
    *model = NULL;
    if (states < 1 || actions < 1 || environments < 1 || horizon < 1) return VOUCH_ERROR_ARGUMENT;
    vouch_model *m = MEM_ZERO(vouch_model, 1);
    if (!m) return VOUCH_ERROR_MEMORY;
    m->S = states;
    m->A = actions;
    m->K = environments;
    m->T = horizon;
    m->reward_tolerance = REWARD_TOLERANCE_DEFAULT;
    m->scale.spread = 1;
    m->name = mem_string("");
    m->state_name = numbered_names(states, "s", 0);
    m->action_name = numbered_names(actions, "a", 0);
    m->env_name = numbered_names(environments, "k", 1);
    m->terminal = MEM_ZERO(double, states);
    if (!m->name || !m->state_name || !m->action_name || !m->env_name || !m->terminal) {
        vouch_model_free(m);
        return VOUCH_ERROR_MEMORY;
    }
    *model = m;
    return VOUCH_OK;
}

void vouch_model_free(vouch_model *m)
{
    if (!m) return;
    if (m->env)
        for (int k = 0; k < m->K; k++) {
            mem_free(m->env[k].start);
            mem_free(m->env[k].next);
            mem_free(m->env[k].prob);
            mem_free(m->env[k].reward);
            mem_free(m->env[k].seen);
            mem_free(m->env[k].expected);
        }
    mem_free(m->env);
    mem_free(m->pair_start);
    mem_free(m->pair_action);
    mem_free(m->rows);
    free_names(m->state_name, m->S);
    free_names(m->action_name, m->A);
    free_names(m->env_name, m->K);
    mem_free(m->terminal);
    mem_free(m->name);
    mem_free(m);
}

static vouch_status replace_text(char **slot, const char *text)
{
    char *copy = mem_string(text);
    if (!copy) return VOUCH_ERROR_MEMORY;
    mem_free(*slot);
    *slot = copy;
    return VOUCH_OK;
}

vouch_status vouch_model_set_name(vouch_model *m, const char *name) { return replace_text(&m->name, name); }

vouch_status vouch_model_set_state_name(vouch_model *m, int state, const char *name)
{
    if (state < 0 || state >= m->S) return VOUCH_ERROR_ARGUMENT;
    return replace_text(&m->state_name[state], name);
}

vouch_status vouch_model_set_action_name(vouch_model *m, int action, const char *name)
{
    if (action < 0 || action >= m->A) return VOUCH_ERROR_ARGUMENT;
    return replace_text(&m->action_name[action], name);
}

vouch_status vouch_model_set_environment_name(vouch_model *m, int environment, const char *name)
{
    if (environment < 0 || environment >= m->K) return VOUCH_ERROR_ARGUMENT;
    return replace_text(&m->env_name[environment], name);
}

vouch_status vouch_model_set_initial(vouch_model *m, int state)
{
    if (state < 0 || state >= m->S || m->finished) return VOUCH_ERROR_ARGUMENT;
    m->s0 = state;
    return VOUCH_OK;
}

vouch_status vouch_model_set_horizon(vouch_model *m, int horizon)
{
    if (horizon < 1) return VOUCH_ERROR_ARGUMENT;
    if (m->finished && horizon > m->last_horizon) return VOUCH_ERROR_INPUT;
    m->T = horizon;
    return VOUCH_OK;
}

vouch_status vouch_model_set_commitment(vouch_model *m, int state, int member)
{
    if (state < 0 || state >= m->S) return VOUCH_ERROR_ARGUMENT;
    m->terminal[state] = member != 0;
    return VOUCH_OK;
}

vouch_status vouch_model_set_probability(vouch_model *m, double p)
{
    if (!(p >= 0 && p <= 1)) return VOUCH_ERROR_ARGUMENT;
    m->p = p;
    return VOUCH_OK;
}

vouch_status vouch_model_set_reward_tolerance(vouch_model *m, double relative)
{
    if (!(relative >= 0 && relative < 1)) return VOUCH_ERROR_ARGUMENT;
    double before = m->reward_tolerance;
    m->reward_tolerance = relative;
    if (m->finished && observe_rewards(m)) {
        m->reward_tolerance = before;
        return VOUCH_ERROR_MEMORY;
    }
    return VOUCH_OK;
}

vouch_status vouch_model_add(vouch_model *m, int environment, int state, int action, int next, double probability, double reward)
{
    if (m->finished || environment < 0 || environment >= m->K || state < 0 || state >= m->S || action < 0 || action >= m->A ||
        next < 0 || next >= m->S)
        return VOUCH_ERROR_ARGUMENT;
    if (!(probability >= 0 && probability <= 1 + SUM_TOLERANCE) || !isfinite(reward)) return VOUCH_ERROR_INPUT;
    if (mem_reserve((void **)&m->rows, &m->row_capacity, m->row_count, sizeof *m->rows)) return VOUCH_ERROR_MEMORY;
    m->rows[m->row_count] = (model_row){environment, state, action, next, probability, reward, m->row_count};
    m->row_count++;
    return VOUCH_OK;
}

static int by_place(const void *x, const void *y)
{
    const model_row *a = x, *b = y;
    if (a->env != b->env) return a->env < b->env ? -1 : 1;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    if (a->action != b->action) return a->action < b->action ? -1 : 1;
    if (a->next != b->next) return a->next < b->next ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static vouch_status fault_at(const vouch_model *m, vouch_model_fault *fault, int k, int s, int a, vouch_error *error,
                             const char *what)
{
    if (fault) *fault = (vouch_model_fault){k, s, a};
    char where[512];
    size_t used = 0;
    where[0] = '\0';
    if (k >= 0) used += (size_t)snprintf(where, sizeof where, "environment \"%.100s\", ", m->env_name[k]);
    used += (size_t)snprintf(where + used, sizeof where - used, "state \"%.100s\"", m->state_name[s]);
    if (a >= 0) snprintf(where + used, sizeof where - used, ", action \"%.100s\"", m->action_name[a]);
    return error_set(error, VOUCH_ERROR_INPUT, "%s: %s", where, what);
}

/* The pairs: (state, action) with rows in environment 0; every other environment must have the same. */
static vouch_status collect_pairs(vouch_model *m, vouch_model_fault *fault, vouch_error *error)
{
    size_t cells = (size_t)m->S * (size_t)m->A;
    unsigned char *has = mem_zero(cells, 1), *here = mem_alloc(cells, 1);
    vouch_status status = VOUCH_OK;
    if (!has || !here) {
        status = error_memory(error);
        goto done;
    }
    size_t r = 0;
    for (int k = 0; k < m->K && !status; k++) {
        memset(here, 0, cells);
        for (; r < m->row_count && m->rows[r].env == k; r++)
            here[(size_t)m->rows[r].state * (size_t)m->A + (size_t)m->rows[r].action] = 1;
        if (k == 0) {
            memcpy(has, here, cells);
            continue;
        }
        for (size_t c = 0; c < cells; c++)
            if (has[c] != here[c]) {
                char what[512];
                snprintf(what, sizeof what,
                         "the action is available in environment \"%.100s\" but not in \"%.100s\"; the actions of a state must be "
                         "the same in every environment",
                         m->env_name[has[c] ? 0 : k], m->env_name[has[c] ? k : 0]);
                status = fault_at(m, fault, k, (int)(c / (size_t)m->A), (int)(c % (size_t)m->A), error, what);
                break;
            }
    }
    if (status) goto done;
    m->pair_start = MEM_NEW(int, m->S + 1);
    if (!m->pair_start) {
        status = error_memory(error);
        goto done;
    }
    m->pairs = 0;
    for (size_t c = 0; c < cells; c++) m->pairs += has[c];
    m->pair_action = MEM_NEW(int, m->pairs);
    if (!m->pair_action) {
        status = error_memory(error);
        goto done;
    }
    int q = 0;
    for (int s = 0; s < m->S; s++) {
        m->pair_start[s] = q;
        for (int a = 0; a < m->A; a++)
            if (has[(size_t)s * (size_t)m->A + (size_t)a]) m->pair_action[q++] = a;
    }
    m->pair_start[m->S] = q;
done:
    mem_free(has);
    mem_free(here);
    return status;
}

static vouch_status reward_too_large(const vouch_model *m, vouch_model_fault *fault, const model_row *row, vouch_error *error)
{
    char what[256];
    snprintf(what, sizeof what,
             "the reward %g is too large (for successor \"%.100s\"); expected at most %g in size, so that sums of rewards can be "
             "represented",
             row->reward, m->state_name[row->next], MODEL_REWARD_MOST);
    return fault_at(m, fault, row->env, row->state, row->action, error, what);
}

/* Rows first .. last-1 are those of environment k, sorted. */
static vouch_status freeze_environment(vouch_model *m, int k, size_t first, size_t last, vouch_model_fault *fault,
                                       vouch_error *error)
{
    mdp *e = &m->env[k];
    size_t n = last - first;
    if (n > INT32_MAX) return error_set(error, VOUCH_ERROR_SIZE, "more than 2^31 transitions in one environment");
    e->start = MEM_NEW(int, m->pairs + 1);
    e->next = MEM_NEW(int, n);
    e->prob = MEM_NEW(double, n);
    e->reward = MEM_NEW(double, n);
    e->seen = MEM_ZERO(int, n);
    e->expected = MEM_ZERO(double, m->pairs);
    if (!e->start || !e->next || !e->prob || !e->reward || !e->seen || !e->expected) return error_memory(error);
    int used = 0, q = 0;
    size_t r = first;
    for (int s = 0; s < m->S; s++)
        for (; q < m->pair_start[s + 1]; q++) {
            int a = m->pair_action[q];
            double sum = 0;
            e->start[q] = used;
            for (; r < last && m->rows[r].state == s && m->rows[r].action == a; r++) {
                const model_row *row = &m->rows[r];
                sum += row->prob;
                if (row->prob <= 0) continue;
                if (!(fabs(row->reward) <= MODEL_REWARD_MOST)) return reward_too_large(m, fault, row, error);
                if (used > e->start[q] && e->next[used - 1] == row->next) {
                    e->prob[used - 1] += row->prob;
                    e->reward[used - 1] = row->reward;
                } else {
                    e->next[used] = row->next;
                    e->prob[used] = row->prob;
                    e->reward[used] = row->reward;
                    used++;
                }
            }
            if (!(fabs(sum - 1) <= SUM_TOLERANCE)) {
                char what[128];
                snprintf(what, sizeof what, "the probabilities sum to %.10g; expected 1 (within %g)", sum, SUM_TOLERANCE);
                return fault_at(m, fault, k, s, a, error, what);
            }
            /* What sums to 1 up to rounding stays as it is, so that a model that was written reads back bit by bit. */
            double scale = fabs(sum - 1) <= (used - e->start[q]) * DBL_EPSILON ? 1 : sum;
            for (int o = e->start[q]; o < used; o++) {
                e->prob[o] /= scale;
                e->expected[q] += e->prob[o] * e->reward[o];
            }
        }
    e->start[m->pairs] = used;
    return VOUCH_OK;
}

/* The first time at which some environment can be in a state without actions bounds the horizon. */
static vouch_status find_dead_ends(vouch_model *m, vouch_model_fault *fault, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    int *queue = MEM_NEW(int, m->S), *when = MEM_NEW(int, m->S);
    if (!queue || !when) {
        status = error_memory(error);
        goto done;
    }
    m->last_horizon = INT32_MAX;
    int first_k = -1, first_s = -1;
    for (int k = 0; k < m->K; k++) {
        const mdp *e = &m->env[k];
        int head = 0, tail = 0;
        for (int s = 0; s < m->S; s++) when[s] = -1;
        when[m->s0] = 0;
        queue[tail++] = m->s0;
        while (head < tail) {
            int s = queue[head++];
            if (m->pair_start[s] == m->pair_start[s + 1]) {
                if (when[s] < m->last_horizon) {
                    m->last_horizon = when[s];
                    first_k = k;
                    first_s = s;
                }
                continue;
            }
            for (int o = e->start[m->pair_start[s]]; o < e->start[m->pair_start[s + 1]]; o++)
                if (when[e->next[o]] < 0) {
                    when[e->next[o]] = when[s] + 1;
                    queue[tail++] = e->next[o];
                }
        }
    }
    if (m->last_horizon < m->T) {
        char what[160];
        snprintf(what, sizeof what, "has no action but can be reached at time %d, before the horizon %d", m->last_horizon, m->T);
        status = fault_at(m, fault, first_k, first_s, -1, error, what);
    }
done:
    mem_free(queue);
    mem_free(when);
    return status;
}

vouch_status vouch_model_finish(vouch_model *m, vouch_model_fault *fault, vouch_error *error)
{
    if (fault) *fault = (vouch_model_fault){-1, -1, -1};
    if (m->finished || m->env) return error_set(error, VOUCH_ERROR_ARGUMENT, "the model was finished before");
    if (m->row_count > 1) qsort(m->rows, m->row_count, sizeof *m->rows, by_place);
    vouch_status status = collect_pairs(m, fault, error);
    if (status) return status;
    m->env = MEM_ZERO(mdp, m->K);
    if (!m->env) return error_memory(error);
    size_t r = 0;
    for (int k = 0; k < m->K; k++) {
        size_t first = r;
        while (r < m->row_count && m->rows[r].env == k) r++;
        status = freeze_environment(m, k, first, r, fault, error);
        if (status) return status;
    }
    status = find_dead_ends(m, fault, error);
    if (!status && observe_rewards(m)) status = error_memory(error);
    if (status) return status;
    mem_free(m->rows);
    m->rows = NULL;
    m->row_count = m->row_capacity = 0;
    m->finished = true;
    return VOUCH_OK;
}

int model_pair(const vouch_model *m, int state, int action)
{
    for (int q = m->pair_start[state]; q < m->pair_start[state + 1]; q++)
        if (m->pair_action[q] == action) return q;
    return -1;
}

vouch_status model_fits(const vouch_model *m, vouch_error *error)
{
    double table = ((double)m->T + 1) * fmax(m->S, m->pairs);
    if (m->T >= MODEL_LAYERS || table > MODEL_TABLE)
        return error_set(error, VOUCH_ERROR_SIZE,
                         "too large: a horizon of %d steps with %d states and %d actions in them all (at most %d steps, and %.0f "
                         "times the states or actions)",
                         m->T, m->S, m->pairs, MODEL_LAYERS - 1, MODEL_TABLE);
    return VOUCH_OK;
}
