/* mdp/model.c - a model as it is filled in: sizes, names, the commitment and the rows as added; mdp/finish.c freezes it. */
#include "mdp/model.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"

static const double REWARD_TOLERANCE_DEFAULT = 1e-9; /* relative; far above rounding, far below any real reward difference */

static char **numbered_names(int count, const char *prefix, int first)
{
    char **names = MEM_ZERO(char *, count);
    if (!names) return NULL;
    for (int i = 0; i < count; i++) {
        char text[32];
        format_text(text, sizeof text, "%s%d", prefix, first + i);
        names[i] = mem_string(text);
        if (!names[i]) {
            while (i-- > 0) mem_free(names[i]);
            mem_free(names);
            return NULL;
        }
    }
    return names;
}

vouch_status vouch_model_new(vouch_model **model, int states, int actions, int environments, int horizon)
{
    if (!model) return VOUCH_ERROR_ARGUMENT;
    *model = NULL;
    if (states < 1 || actions < 1 || environments < 1 || horizon < 1) return VOUCH_ERROR_ARGUMENT;
    vouch_model *m = MEM_ZERO(vouch_model, 1);
    if (!m) return VOUCH_ERROR_MEMORY;
    m->S = states;
    m->A = actions;
    m->K = environments;
    m->T = horizon;
    m->J = m->group = 1;
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

static vouch_status replace_text(char **slot, const char *text)
{
    char *copy = mem_string(text);
    if (!copy) return VOUCH_ERROR_MEMORY;
    mem_free(*slot);
    *slot = copy;
    return VOUCH_OK;
}

static vouch_status rename_one(char **names, int count, int i, const char *name)
{
    return i < 0 || i >= count ? VOUCH_ERROR_ARGUMENT : replace_text(&names[i], name);
}

vouch_status vouch_model_set_name(vouch_model *m, const char *name)
{
    if (!m || !name) return VOUCH_ERROR_ARGUMENT;
    return replace_text(&m->name, name);
}

vouch_status vouch_model_set_state_name(vouch_model *m, int state, const char *name)
{
    if (!m || !name) return VOUCH_ERROR_ARGUMENT;
    return rename_one(m->state_name, m->S, state, name);
}

vouch_status vouch_model_set_action_name(vouch_model *m, int action, const char *name)
{
    if (!m || !name) return VOUCH_ERROR_ARGUMENT;
    return rename_one(m->action_name, m->A, action, name);
}

vouch_status vouch_model_set_environment_name(vouch_model *m, int environment, const char *name)
{
    if (!m || !name) return VOUCH_ERROR_ARGUMENT;
    return rename_one(m->env_name, m->K, environment, name);
}

vouch_status vouch_model_set_initial(vouch_model *m, int state)
{
    if (!m) return VOUCH_ERROR_ARGUMENT;
    if (state < 0 || state >= m->S || m->finished) return VOUCH_ERROR_ARGUMENT;
    m->s0 = state;
    return VOUCH_OK;
}

vouch_status vouch_model_set_commitment(vouch_model *m, int state, int member)
{
    if (!m) return VOUCH_ERROR_ARGUMENT;
    if (m->promises > 0 || m->join || state < 0 || state >= m->S) return VOUCH_ERROR_ARGUMENT;
    m->terminal[state] = member != 0;
    return VOUCH_OK;
}

vouch_status vouch_model_add(vouch_model *m, int environment, int state, int action, int next, double probability, double reward)
{
    if (!m) return VOUCH_ERROR_ARGUMENT;
    if (m->finished || environment < 0 || environment >= m->K || state < 0 || state >= m->S || action < 0 || action >= m->A ||
        next < 0 || next >= m->S)
        return VOUCH_ERROR_ARGUMENT;
    if (!(probability >= 0 && probability <= 1 + MODEL_SUM_TOLERANCE) || !isfinite(reward)) return VOUCH_ERROR_INPUT;
    if (MEM_RESERVE(&m->rows, &m->row_capacity, m->row_count)) return VOUCH_ERROR_MEMORY;
    m->rows[m->row_count] = (model_row){environment, state, action, next, probability, reward, m->row_count};
    m->row_count++;
    return VOUCH_OK;
}

int model_pair(const vouch_model *m, int state, int action)
{
    for (int q = m->pair_start[state]; q < m->pair_start[state + 1]; q++)
        if (m->pair_action[q] == action) return q;
    return -1;
}

int mdp_outcome(const mdp *env, int q, int next)
{
    int low = env->start[q], end = env->start[q + 1], high = end;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (env->next[middle] < next)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && env->next[low] == next ? low : -1;
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
