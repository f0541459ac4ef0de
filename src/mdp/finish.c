/* mdp/finish.c - checking the rows of a model and freezing them into flat arrays. O(rows log rows).
 *
 * The rows are sorted by (environment, state, action, successor), repeated ones are added, and three conditions are checked:
 *   - each distribution sums to 1 within 1e-6; it is then normalised;
 *   - each state has the same actions in every environment;
 *   - no environment reaches a state without actions before the horizon.
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "mdp/model.h"

static int by_place(const void *x, const void *y)
{
    const model_row *a = x, *b = y;
    if (a->env != b->env) return a->env < b->env ? -1 : 1;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    if (a->action != b->action) return a->action < b->action ? -1 : 1;
    if (a->next != b->next) return a->next < b->next ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* Sorts rows, few ones by insertion. */
static void sort_together(model_row row[], size_t n)
{
    enum { FEW = 32 };
    size_t i = 1;
    while (i < n && by_place(&row[i - 1], &row[i]) < 0) i++;
    if (i < n && n > FEW) qsort(row, n, sizeof *row, by_place);
    for (; i < n && n <= FEW; i++) {
        model_row moved = row[i];
        size_t to = i;
        for (; to > 0 && by_place(&row[to - 1], &moved) > 0; to--) row[to] = row[to - 1];
        row[to] = moved;
    }
}

/* Stable counting sort of the rows of an environment by state; false: out of memory. */
static bool gather_states(const vouch_model *m, model_row row[], size_t n)
{
    bool ascend = true;
    for (size_t i = 1; i < n && ascend; i++) ascend = row[i - 1].state <= row[i].state;
    if (ascend) return true;
    size_t *place = MEM_ZERO(size_t, m->S + 1);
    model_row *sorted = MEM_NEW(model_row, n);
    bool made = place && sorted;
    if (made) {
        for (size_t i = 0; i < n; i++) place[row[i].state + 1]++;
        for (int s = 0; s < m->S; s++) place[s + 1] += place[s];
        for (size_t i = 0; i < n; i++) sorted[place[row[i].state]++] = row[i];
        memcpy(row, sorted, n * sizeof *row);
    }
    mem_free(place);
    mem_free(sorted);
    return made;
}

/* If environments ascend, as in files, the rows of each state are sorted separately. */
static void sort_rows(vouch_model *m)
{
    bool ascend = true;
    for (size_t r = 1; r < m->row_count && ascend; r++) ascend = m->rows[r - 1].env <= m->rows[r].env;
    for (size_t first = 0, end = 0; first < m->row_count && ascend; first = end) {
        while (end < m->row_count && m->rows[end].env == m->rows[first].env) end++;
        ascend = gather_states(m, &m->rows[first], end - first);
    }
    for (size_t first = 0, end = 0; first < m->row_count; first = end) {
        const model_row *row = &m->rows[first];
        while (end < m->row_count && (!ascend || (m->rows[end].env == row->env && m->rows[end].state == row->state))) end++;
        sort_together(&m->rows[first], end - first);
    }
}

static vouch_status fault_at(const vouch_model *m, vouch_model_fault at, const char *what, vouch_model_fault *fault,
                             vouch_error *error)
{
    if (fault) *fault = at;
    char where[512];
    size_t used = 0;
    where[0] = '\0';
    if (at.environment >= 0)
        used += (size_t)format_text(where, sizeof where, "environment \"%.100s\", ", m->env_name[at.environment]);
    used += (size_t)format_text(where + used, sizeof where - used, "state \"%.100s\"", m->state_name[at.state]);
    if (at.action >= 0) format_text(where + used, sizeof where - used, ", action \"%.100s\"", m->action_name[at.action]);
    return error_set(error, VOUCH_ERROR_INPUT, "%s: %s", where, what);
}

/* The first row after those of the pair of row r. */
static size_t behind_pair(const vouch_model *m, size_t r)
{
    const model_row *first = &m->rows[r];
    do r++;
    while (r < m->row_count && m->rows[r].env == first->env && m->rows[r].state == first->state &&
           m->rows[r].action == first->action);
    return r;
}

/* Compares the pairs of environment k, whose sorted rows start at *r, with those of environment 0. Moves *r after them. */
static vouch_status compare_pairs(const vouch_model *m, int k, size_t *r, vouch_model_fault *fault, vouch_error *error)
{
    for (int s = 0; s < m->S; s++)
        for (int q = m->pair_start[s];; q++) {
            bool wanted = q < m->pair_start[s + 1];
            const model_row *row = *r < m->row_count && m->rows[*r].env == k && m->rows[*r].state == s ? &m->rows[*r] : NULL;
            if (!wanted && !row) break;
            if (wanted && row && row->action == m->pair_action[q]) {
                *r = behind_pair(m, *r);
                continue;
            }
            bool missing = wanted && (!row || row->action > m->pair_action[q]);
            char what[512];
            format_text(
                what, sizeof what,
                "the action is available in environment \"%.100s\" but not in \"%.100s\"; the actions of a state must be the "
                "same in every environment",
                m->env_name[missing ? 0 : k], m->env_name[missing ? k : 0]);
            return fault_at(m, (vouch_model_fault){k, s, missing ? m->pair_action[q] : row->action}, what, fault, error);
        }
    return VOUCH_OK;
}

/* Pairs are (state, action) with rows in environment 0; every other environment must have the same. */
static vouch_status collect_pairs(vouch_model *m, vouch_model_fault *fault, vouch_error *error)
{
    size_t r = 0, rows = 0;
    while (rows < m->row_count && m->rows[rows].env == 0) rows++;
    m->pairs = 0;
    for (size_t i = 0; i < rows; i = behind_pair(m, i)) m->pairs++;
    m->pair_start = MEM_NEW(int, m->S + 1);
    m->pair_action = MEM_NEW(int, m->pairs);
    if (!m->pair_start || !m->pair_action) return error_memory(error);
    int q = 0;
    for (int s = 0; s < m->S; s++) {
        m->pair_start[s] = q;
        for (; r < rows && m->rows[r].state == s; r = behind_pair(m, r)) m->pair_action[q++] = m->rows[r].action;
    }
    m->pair_start[m->S] = q;
    vouch_status status = VOUCH_OK;
    for (int k = 1; k < m->K && !status; k++) status = compare_pairs(m, k, &r, fault, error);
    return status;
}

static vouch_status reward_too_large(const vouch_model *m, vouch_model_fault *fault, const model_row *row, vouch_error *error)
{
    char what[256];
    format_text(
        what, sizeof what,
        "the reward %g is too large (for successor \"%.100s\"); expected at most %g in size, so that sums of rewards can be "
        "represented",
        row->reward, m->state_name[row->next], MODEL_REWARD_MOST);
    return fault_at(m, (vouch_model_fault){row->env, row->state, row->action}, what, fault, error);
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
            if (!(fabs(sum - 1) <= MODEL_SUM_TOLERANCE)) {
                char what[128];
                format_text(what, sizeof what, "the probabilities sum to %.10g; expected 1 (within %g)", sum, MODEL_SUM_TOLERANCE);
                return fault_at(m, (vouch_model_fault){k, s, a}, what, fault, error);
            }
            /* Sums of 1 up to rounding are not normalised, so that models are read back bit by bit. */
            double scale = fabs(sum - 1) <= (used - e->start[q]) * DBL_EPSILON ? 1 : sum;
            double paid = e->reward[e->start[q]];
            e->expected[q] = paid; /* then the differences: a reward common to all successors is exact */
            for (int o = e->start[q]; o < used; o++) {
                e->prob[o] /= scale;
                e->expected[q] += e->prob[o] * (e->reward[o] - paid);
            }
        }
    e->start[m->pairs] = used;
    return VOUCH_OK;
}

/* The first time at which some environment can be in a state without actions bounds the horizon. */
static vouch_status find_dead_ends(vouch_model *m, vouch_model_fault *fault, vouch_error *error)
{
    arena a = {0};
    int *queue = ARENA_NEW(&a, int, m->S), *when = ARENA_NEW(&a, int, m->S);
    vouch_status status = a.failed ? error_memory(error) : VOUCH_OK;
    if (status) goto done;
    m->last_horizon = INT32_MAX;
    int first_k = -1, first_s = -1;
    for (int k = 0; k < m->K; k++) {
        const mdp *e = &m->env[k];
        int head = 0, tail = 0;
        for (int s = 0; s < m->S; s++) when[s] = -1;
        for (int s = 0; s < m->S; s++) {
            if (m->first ? m->first[(size_t)k * (size_t)m->S + (size_t)s] <= 0 : s != m->s0) continue;
            when[s] = 0;
            queue[tail++] = s;
        }
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
        format_text(what, sizeof what, "has no action but can be reached at time %d, before the horizon %d", m->last_horizon, m->T);
        status = fault_at(m, (vouch_model_fault){first_k, first_s, -1}, what, fault, error);
    }
done:
    arena_free(&a);
    return status;
}

static void model_check(const vouch_model *m)
{
    if (!CHECKING) return;
    CHECK(m->pair_start[0] == 0 && m->pair_start[m->S] == m->pairs);
    for (int s = 0; s < m->S; s++) {
        CHECK(m->terminal[s] >= 0 && m->terminal[s] <= 1);
        for (int q = m->pair_start[s] + 1; q < m->pair_start[s + 1]; q++)
            CHECK_COMPARE(m->pair_action[q - 1], <, m->pair_action[q]);
    }
    for (int k = 0; k < m->K; k++)
        for (int q = 0; q < m->pairs; q++) {
            const mdp *e = &m->env[k];
            double sum = 0;
            CHECK_COMPARE(e->start[q], <, e->start[q + 1]);
            for (int o = e->start[q]; o < e->start[q + 1]; o++) {
                CHECK(o == e->start[q] || e->next[o - 1] < e->next[o]);
                CHECK(e->prob[o] > 0 && e->seen[o] >= 0);
                sum += e->prob[o];
            }
            CHECK_COMPARE(fabs(sum - 1), <=, MODEL_SUM_TOLERANCE);
        }
}

vouch_status vouch_model_finish(vouch_model *m, vouch_model_fault *fault, vouch_error *error)
{
    if (!m) return error_null(error);
    if (fault) *fault = (vouch_model_fault){-1, -1, -1};
    if (m->finished || m->env) return error_set(error, VOUCH_ERROR_ARGUMENT, "the model was finished before");
    vouch_status status = promise_settle(m, error);
    if (status) return status;
    sort_rows(m);
    status = collect_pairs(m, fault, error);
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
    model_check(m);
    return model_join(m, error);
}
