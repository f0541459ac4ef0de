/* mdp/subset.c - the same model with some of its environments only. The rows of a finished model are normalised, so the copy has
 * the same bits, outcome by outcome; what could not be told apart in the model is not told apart in the copy either, though a
 * reward between two others be missing. */
#include "mdp/subset.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "mdp/average.h"
#include "mdp/label.h"
#include "mdp/promise.h"

/* Who pays and promises, of all environments. */
typedef struct subset_members {
    const bool *in; /* [K] */
    bool own;       /* the others promise nothing */
} subset_members;

/* The others' promises are kept whatever is done. */
static vouch_status release_others(const subset_members *of, vouch_model *c)
{
    vouch_status status = of->own ? promise_list(c) : VOUCH_OK;
    for (int j = 0; of->own && !status && j < c->promises; j++)
        for (int k = 0; k < c->K; k++)
            if (!of->in[k]) c->promise[j].p[k] = 0;
    return status;
}

/* of: NULL: all pay and promise. */
static vouch_status fill(const vouch_model *m, const int *env, const subset_members *of, vouch_model *c)
{
    vouch_status status = vouch_model_set_name(c, m->name);
    MEM_COPY(c->terminal, m->terminal, m->S);
    for (int s = 0; s < m->S && !status; s++) status = vouch_model_set_state_name(c, s, m->state_name[s]);
    for (int a = 0; a < m->A && !status; a++) status = vouch_model_set_action_name(c, a, m->action_name[a]);
    if (!status) status = vouch_model_set_initial(c, m->s0);
    if (!status) status = m->promises > 0 ? promise_copy(m, env, c) : vouch_model_set_probability(c, m->p);
    if (!status && of) status = release_others(of, c);
    if (!status) status = prior_copy(m, env, c);
    if (!status) status = label_copy(m, env, c);
    if (!status) status = vouch_model_set_reward_tolerance(c, m->reward_tolerance);
    if (!status) status = vouch_model_set_observed(c, m->observed);
    for (int k = 0; k < c->K && !status; k++) {
        int from = env ? env[k] : k;
        const mdp *e = &m->env[from];
        status = vouch_model_set_environment_name(c, k, m->env_name[from]);
        for (int s = 0; s < m->S && !status; s++)
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1] && !status; q++)
                for (int o = e->start[q]; o < e->start[q + 1] && !status; o++)
                    status =
                        vouch_model_add(c, k, s, m->pair_action[q], e->next[o], e->prob[o], !of || of->in[from] ? e->reward[o] : 0);
    }
    return status;
}

static vouch_status copy_model(vouch_model **copy, const vouch_model *m, const int *env, int K, const subset_members *of,
                               vouch_error *error)
{
    vouch_model *c;
    if (vouch_model_new(&c, m->S, m->A, K, m->T)) return error_memory(error);
    vouch_status status = fill(m, env, of, c);
    if (status == VOUCH_ERROR_INPUT)
        error_set(error, status, "promises are on average over a prior that is 0 in all environments asked for");
    else if (status)
        error_set(error, status, "%s", vouch_status_text(status));
    else
        status = vouch_model_finish(c, NULL, error);
    vouch_model *user = !status && c->join ? c->join->user : c; /* what could not be told apart in the model is not in the copy */
    for (int k = 0; !status && k < user->K; k++)
        MEM_COPY(user->env[k].seen, m->env[env ? env[k] : k].seen, user->env[k].start[user->pairs]);
    if (!status && c->join) status = model_join(c, error);
    if (status)
        vouch_model_free(c);
    else
        *copy = c;
    return status;
}

static vouch_status check(vouch_model **copy, const vouch_model *m, const int env[], int count, vouch_error *error)
{
    if (!copy) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no place for the copy");
    *copy = NULL;
    if (!m || !m->finished) return error_set(error, VOUCH_ERROR_ARGUMENT, "the model is not finished");
    for (int i = 0; env && i < count; i++)
        if (env[i] < (i ? env[i - 1] + 1 : 0) || env[i] >= m->K)
            return error_set(error, VOUCH_ERROR_ARGUMENT, "the environments are not ascending numbers from 0 to %d", m->K - 1);
    return env && count < 1 ? error_set(error, VOUCH_ERROR_ARGUMENT, "a model has at least one environment") : VOUCH_OK;
}

vouch_status vouch_model_restrict(vouch_model **copy, const vouch_model *m, const int env[], int count, vouch_error *error)
{
    vouch_status status = check(copy, m, env, count, error);
    return status ? status : copy_model(copy, model_user(m), env, env ? count : m->K, NULL, error);
}

vouch_status model_paying(vouch_model **copy, const vouch_model *m, const int env[], int count, bool own, vouch_error *error)
{
    vouch_status status = check(copy, m, env, count, error);
    if (status) return status;
    bool *in = MEM_ZERO(bool, m->K);
    if (!in) return error_memory(error);
    for (int i = 0; i < count; i++) in[env[i]] = true;
    status = copy_model(copy, model_user(m), NULL, m->K, &(subset_members){in, own}, error);
    mem_free(in);
    return status;
}
