/* mdp/label.c - labels of states, which planning ignores and files preserve. Ascending lists, since most labels hold in few states.
 */
#include <string.h>

#include "base/memory.h"
#include "mdp/model.h"

static void release(const vouch_model *m, model_label *l)
{
    mem_free(l->name);
    for (int k = 0; k < m->K && l->in; k++) mem_free(l->in[k].state);
    mem_free(l->in);
}

void label_free_all(vouch_model *m)
{
    for (int i = 0; i < m->labels; i++) release(m, &m->label[i]);
    mem_free(m->label);
    intern_free(&m->label_numbers);
    m->label = NULL;
    m->labels = 0;
}

vouch_status vouch_model_add_label(vouch_model *m, const char *name)
{
    if (!m || !name) return VOUCH_ERROR_ARGUMENT;
    if (m->finished) return VOUCH_ERROR_ARGUMENT;
    if (model_name_taken(&m->label_numbers, m->label, sizeof *m->label, m->labels, name)) return VOUCH_ERROR_INPUT;
    if (MEM_RESERVE(&m->label, &m->label_capacity, m->labels)) return VOUCH_ERROR_MEMORY;
    model_label *l = &m->label[m->labels];
    *l = (model_label){.name = mem_string(name), .in = MEM_ZERO(label_members, m->K)};
    if (!l->name || !l->in || model_name_add(&m->label_numbers, m->labels, name)) {
        release(m, l);
        return VOUCH_ERROR_MEMORY;
    }
    m->labels++;
    return VOUCH_OK;
}

/* *at: the index of the first member >= state. */
static bool has(const label_members *in, int state, int *at)
{
    bool after = in->count > 0 && in->state[in->count - 1] < state; /* the usual case when labels are read */
    *at = after ? in->count : model_lower_bound(in->state, 0, in->count, state);
    return *at < in->count && in->state[*at] == state;
}

static vouch_status set_member(label_members *in, int state, bool member)
{
    int at;
    if (has(in, state, &at) == member) return VOUCH_OK;
    if (member && MEM_RESERVE(&in->state, &in->capacity, in->count)) return VOUCH_ERROR_MEMORY;
    if (member)
        memmove(in->state + at + 1, in->state + at, (size_t)(in->count - at) * sizeof *in->state);
    else
        memmove(in->state + at, in->state + at + 1, (size_t)(in->count - at - 1) * sizeof *in->state);
    if (member) in->state[at] = state;
    in->count += member ? 1 : -1;
    return VOUCH_OK;
}

vouch_status vouch_model_set_label_state(vouch_model *m, int label, int environment, int state, int member)
{
    if (!m || m->finished || label < 0 || label >= m->labels || environment < -1 || environment >= m->K || state < 0 ||
        state >= m->S)
        return VOUCH_ERROR_ARGUMENT;
    vouch_status status = VOUCH_OK;
    int first = environment < 0 ? 0 : environment, last = environment < 0 ? m->K - 1 : environment;
    for (int k = first; k <= last && !status; k++) status = set_member(&m->label[label].in[k], state, member != 0);
    return status;
}

int vouch_model_labels(const vouch_model *m) { return m ? model_user(m)->labels : 0; }

const char *vouch_model_label_name(const vouch_model *m, int label)
{
    if (!m) return NULL;
    return label >= 0 && label < vouch_model_labels(m) ? model_user(m)->label[label].name : NULL;
}

int vouch_model_has_label(const vouch_model *m, int label, int environment, int state)
{
    if (!m || label < 0 || label >= vouch_model_labels(m) || environment < 0 || environment >= m->K || state < 0 || state >= m->S)
        return 0;
    int base = m->join ? m->join->base[state] : state, at;
    return base >= 0 && has(&model_user(m)->label[label].in[environment], base, &at);
}

vouch_status label_copy(const vouch_model *from, const int env[], vouch_model *to)
{
    vouch_status status = VOUCH_OK;
    for (int i = 0; i < from->labels && !status; i++) {
        status = vouch_model_add_label(to, from->label[i].name);
        for (int k = 0; k < to->K && !status; k++) {
            const label_members *in = &from->label[i].in[env ? env[k] : k];
            for (int n = 0; n < in->count && !status; n++) status = vouch_model_set_label_state(to, i, k, in->state[n], 1);
        }
    }
    return status;
}
