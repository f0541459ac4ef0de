/* mdp/access.c - what the public header tells of a finished model. */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "mdp/commitment.h"
#include "mdp/join.h"

int vouch_model_states(const vouch_model *m) { return m ? m->S : 0; }
int vouch_model_actions(const vouch_model *m) { return m ? m->A : 0; }
int vouch_model_environments(const vouch_model *m) { return m ? m->K : 0; }
int vouch_model_horizon(const vouch_model *m) { return m ? m->T : 0; }
int vouch_model_initial(const vouch_model *m) { return m ? m->s0 : -1; }
double vouch_model_probability(const vouch_model *m) { return m ? m->p : NAN; }
int vouch_model_is_commitment(const vouch_model *m, int state)
{
    if (!m) return 0;
    if (state < 0 || state >= m->S) return 0;
    if (!m->finished || !m->weight) return m->terminal[state] > 0;
    for (int r = 0; r < m->K * m->J; r++)
        if (m->weight[r][state] <= 0) return 0;
    return 1;
}

int vouch_model_kept(const vouch_model *m, double probability) { return m && commitment_kept(probability, m->p); }

const char *vouch_model_name(const vouch_model *m) { return m ? m->name : ""; }

static const char *name_of(char *const name[], int count, int i) { return i >= 0 && i < count ? name[i] : ""; }
const char *vouch_model_state_name(const vouch_model *m, int state) { return m ? name_of(m->state_name, m->S, state) : ""; }
const char *vouch_model_action_name(const vouch_model *m, int action) { return m ? name_of(m->action_name, m->A, action) : ""; }
const char *vouch_model_environment_name(const vouch_model *m, int environment)
{
    return m ? name_of(m->env_name, m->K, environment) : "";
}

static int find_name(char *const name[], int count, const char *wanted)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name[i], wanted) == 0) return i;
    return -1;
}
int vouch_model_find_state(const vouch_model *m, const char *name)
{
    if (!m || !name) return -1;
    int s = find_name(m->state_name, m->S, name),
        base = s < 0 && m->join ? find_name(model_user(m)->state_name, model_user(m)->S, name) : -1;
    for (int i = 0; s < 0 && base >= 0 && i < m->S; i++)
        if (m->join->base[i] == base) s = i;
    return s;
}
int vouch_model_find_action(const vouch_model *m, const char *name)
{
    return m && name ? find_name(m->action_name, m->A, name) : -1;
}

int vouch_model_available(const vouch_model *m, int state, const int **action)
{
    if (!m || !action) return 0;
    *action = NULL;
    if (!m->finished || state < 0 || state >= m->S) return 0;
    CHECK_COMPARE(m->pair_start[state], <=, m->pair_start[state + 1]);
    *action = m->pair_action + m->pair_start[state];
    return m->pair_start[state + 1] - m->pair_start[state];
}

int vouch_model_pair(const vouch_model *m, int state, int action)
{
    if (!m) return -1;
    return m->finished && state >= 0 && state < m->S ? model_pair(m, state, action) : -1;
}

void vouch_model_get_transitions(const vouch_model *m, int environment, int state, int action, vouch_transitions *transitions)
{
    if (transitions) *transitions = (vouch_transitions){0};
    if (!m || !transitions) return;
    int q = vouch_model_pair(m, state, action);
    *transitions = (vouch_transitions){0};
    if (q < 0 || environment < 0 || environment >= m->K) return;
    const mdp *e = &m->env[environment];
    int first = e->start[q];
    *transitions = (vouch_transitions){e->start[q + 1] - first, e->next + first, e->prob + first, e->reward + first};
    CHECK_COMPARE(transitions->count, >, 0);
}
