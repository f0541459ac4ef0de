/* mdp/change.c - what may still change after a model is finished, and its end: a joined model (mdp/join.h) is made anew from that
 * of the user. */
#include "base/memory.h"
#include "mdp/label.h"
#include "mdp/promise.h"

void mdp_free(mdp *e)
{
    mem_free(e->start);
    mem_free(e->next);
    mem_free(e->prob);
    mem_free(e->reward);
    mem_free(e->seen);
    mem_free(e->expected);
    mem_free(e->earned);
}

void vouch_model_free(vouch_model *m)
{
    if (!m) return;
    if (m->join) {
        vouch_model *user = m->join->user;
        joined_free(m);
        vouch_model_free(user);
        mem_free(m);
        return;
    }
    joined_free(m);
    promise_free_all(m);
    label_free_all(m);
    if (m->env)
        for (int k = 0; k < m->K; k++) mdp_free(&m->env[k]);
    mem_free(m->env);
    mem_free(m->pair_start);
    mem_free(m->pair_action);
    mem_free(m->rows);
    mem_free_strings(m->state_name, (size_t)m->S);
    mem_free_strings(m->action_name, (size_t)m->A);
    mem_free_strings(m->env_name, (size_t)m->K);
    mem_free(m->terminal);
    mem_free(m->name);
    mem_free(m);
}

vouch_status vouch_model_set_horizon(vouch_model *m, int horizon)
{
    if (!m) return VOUCH_ERROR_ARGUMENT;
    if (horizon < 1) return VOUCH_ERROR_ARGUMENT;
    vouch_model *user = m->join ? m->join->user : m;
    int before = user->T;
    if (m->finished && horizon > user->last_horizon) return VOUCH_ERROR_INPUT;
    user->T = horizon;
    if (!m->finished || user->promises == 0) return VOUCH_OK;
    vouch_status status = promise_check(user, NULL);
    if (!status) status = model_join(m, NULL);
    if (status) user->T = before;
    return status;
}

vouch_status vouch_model_set_probability(vouch_model *m, double p)
{
    if (!m) return VOUCH_ERROR_ARGUMENT;
    if (!(p >= 0 && p <= 1)) return VOUCH_ERROR_ARGUMENT;
    if (model_user(m)->promises > 1) return VOUCH_ERROR_ARGUMENT;
    if (model_user(m)->promises == 1) return vouch_model_set_promise_probability(m, 0, -1, p);
    m->p = p;
    for (int k = 0; k < m->K && m->finished; k++) m->env[k].p = p;
    return VOUCH_OK;
}
