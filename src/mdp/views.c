/* mdp/views.c - see views.h. A view owns its list of environments and their names. The rows of a finished model are normalised, so
 * a copy has the same bits; `seen` is copied too, since indistinguishable rewards stay so if a reward between them is removed. */
#include "mdp/views.h"

#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "mdp/average.h"
#include "mdp/model.h"

/* A view of m with room for `count` environments. */
static vouch_status begin(const vouch_model *m, int count, vouch_model *view)
{
    *view = *m;
    view->K = count;
    view->rows = NULL;
    view->env = MEM_NEW(mdp, count);
    view->env_name = MEM_NEW(char *, count);
    if (view->env && view->env_name) return VOUCH_OK;
    model_view_free(view);
    return VOUCH_ERROR_MEMORY;
}

vouch_status model_view(const vouch_model *m, int state, int steps, const int env[], int count, vouch_model *view)
{
    CHECK(state >= 0 && state < m->S && steps >= 0 && count > 0);
    if (begin(m, count, view)) return VOUCH_ERROR_MEMORY;
    view->T = steps;
    view->s0 = state;
    for (int i = 0; i < count; i++) {
        CHECK(env[i] >= 0 && env[i] < m->K && (i == 0 || env[i] > env[i - 1]));
        view->env[i] = m->env[env[i]];
        view->env[i].optimum_known = false; /* from another state, for another promise */
        view->env_name[i] = m->env_name[env[i]];
    }
    return VOUCH_OK;
}

void model_view_free(vouch_model *view)
{
    mem_free(view->env);
    mem_free(view->env_name);
    *view = (vouch_model){0};
}

vouch_status model_rows(const vouch_model *m, vouch_model *out)
{
    const vouch_model *user = model_user(m);
    int J = m->J;
    CHECK(m->finished && m->group == 1);
    if (begin(m, m->K * J, out)) return VOUCH_ERROR_MEMORY;
    out->group = J;
    for (int r = 0; r < out->K; r++) {
        out->env[r] = m->env[r / J];
        out->env_name[r] = m->env_name[r / J];
        if (!m->weight) continue;
        out->env[r].terminal = m->weight[r];
        out->env[r].p = promise_alone(&user->promise[r % J], r / J);
        out->env[r].p_rest = promise_rest(&user->promise[r % J], r / J);
    }
    return VOUCH_OK;
}

/* The environments with rewards. */
typedef struct subset_members {
    const bool *in; /* [K] */
    bool own;       /* the others have no promises */
} subset_members;

static vouch_status release_others(const subset_members *of, vouch_model *c)
{
    vouch_status status = of->own ? promise_list(c) : VOUCH_OK;
    for (int j = 0; of->own && !status && j < c->promises; j++)
        for (int k = 0; k < c->K; k++)
            if (!of->in[k]) c->promise[j].p[k] = 0;
    return status;
}

/* of: NULL: all environments have rewards and promises. */
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
    vouch_model *user = !status && c->join ? c->join->user : c;
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
