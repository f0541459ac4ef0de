/* mdp/observe.c - which rewards are the same observation.
 *
 * Closeness is not transitive. So the rewards of one (state, action, successor) in all environments are sorted, and each chain of
 * neighbours closer than the tolerance is one observation (single linkage): two rewards closer than the tolerance are always the
 * same observation, but a chain may be wider.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "mdp/model.h"

typedef struct paid { /* an outcome of one environment */
    int next;
    double reward;
    int *seen;
} paid;

static int by_reward(const void *x, const void *y)
{
    const paid *a = x, *b = y;
    if (a->next != b->next) return a->next < b->next ? -1 : 1;
    return (a->reward > b->reward) - (a->reward < b->reward);
}

bool observe_close(const vouch_model *m, double a, double b)
{
    return m->observed == VOUCH_OBSERVE_STATES || fabs(a - b) <= m->reward_tolerance * fmax(fabs(a), fabs(b));
}

vouch_status observe_rewards(vouch_model *m)
{
    size_t most = 0;
    for (int q = 0; q < m->pairs; q++) {
        size_t sum = 0;
        for (int k = 0; k < m->K; k++) sum += (size_t)(m->env[k].start[q + 1] - m->env[k].start[q]);
        if (sum > most) most = sum;
    }
    paid *list = MEM_NEW(paid, most);
    if (!list) return VOUCH_ERROR_MEMORY;
    for (int q = 0; q < m->pairs; q++) {
        size_t count = 0;
        for (int k = 0; k < m->K; k++) {
            const mdp *e = &m->env[k];
            for (int o = e->start[q]; o < e->start[q + 1]; o++) list[count++] = (paid){e->next[o], e->reward[o], &e->seen[o]};
        }
        CHECK_COMPARE(count, <=, most);
        qsort(list, count, sizeof *list, by_reward);
        int id = 0;
        for (size_t i = 0; i < count; i++) {
            bool goes_on = i > 0 && list[i].next == list[i - 1].next;
            if (!goes_on)
                id = 0;
            else if (!observe_close(m, list[i - 1].reward, list[i].reward))
                id++;
            *list[i].seen = id;
        }
    }
    mem_free(list);
    return VOUCH_OK;
}

/* In a joined model the rules are those of the user's model. */
static vouch_status set_rules(vouch_model *m, double tolerance, vouch_observed observed)
{
    if (m->join) {
        const vouch_model *user = m->join->user;
        bool same = tolerance == user->reward_tolerance && observed == user->observed;
        vouch_status status = same ? VOUCH_OK : set_rules(m->join->user, tolerance, observed);
        return status || same ? status : model_join(m, NULL);
    }
    double tolerance_before = m->reward_tolerance;
    vouch_observed observed_before = m->observed;
    if (tolerance == tolerance_before && observed == observed_before) return VOUCH_OK;
    m->reward_tolerance = tolerance;
    m->observed = observed;
    if (m->finished && observe_rewards(m)) {
        m->reward_tolerance = tolerance_before;
        m->observed = observed_before;
        return VOUCH_ERROR_MEMORY;
    }
    return VOUCH_OK;
}

vouch_status vouch_model_set_reward_tolerance(vouch_model *m, double relative)
{
    if (!m || !(relative >= 0 && relative < 1)) return VOUCH_ERROR_ARGUMENT;
    return set_rules(m, relative, m->observed);
}

vouch_status vouch_model_set_observed(vouch_model *m, vouch_observed observed)
{
    if (!m || (int)observed < 0 || observed >= VOUCH_OBSERVED_KINDS) return VOUCH_ERROR_ARGUMENT;
    return set_rules(m, m->reward_tolerance, observed);
}

vouch_observed vouch_model_observed(const vouch_model *m) { return m ? m->observed : VOUCH_OBSERVE_REWARDS; }

size_t vouch_model_observations(const vouch_model *m, double *tolerance, int number[])
{
    const vouch_model *user = m && m->finished ? model_user(m) : NULL;
    size_t count = 0;
    if (tolerance) *tolerance = user ? user->reward_tolerance : 0;
    for (int k = 0; user && k < user->K; k++) {
        const mdp *e = &user->env[k];
        if (number) MEM_COPY(number + count, e->seen, e->start[user->pairs]);
        count += (size_t)e->start[user->pairs];
    }
    return count;
}

vouch_status vouch_model_set_observations(vouch_model *m, double tolerance, const int number[], size_t count)
{
    if (!m || !m->finished || !number || count != vouch_model_observations(m, NULL, NULL)) return VOUCH_ERROR_ARGUMENT;
    if (!(tolerance >= 0 && tolerance < 1)) return VOUCH_ERROR_ARGUMENT;
    for (size_t i = 0; i < count; i++)
        if (number[i] < 0) return VOUCH_ERROR_ARGUMENT;
    vouch_model *user = m->join ? m->join->user : m;
    user->reward_tolerance = tolerance;
    for (int k = 0; k < user->K; number += user->env[k].start[user->pairs], k++)
        MEM_COPY(user->env[k].seen, number, user->env[k].start[user->pairs]);
    return m->join ? model_join(m, NULL) : VOUCH_OK;
}

static const char *const word[VOUCH_OBSERVED_KINDS] = {[VOUCH_OBSERVE_REWARDS] = "rewards", [VOUCH_OBSERVE_STATES] = "states"};

const char *vouch_observed_text(vouch_observed observed) { return word[observed]; }

int vouch_observed_find(const char *text)
{
    if (!text) return -1;
    int i = VOUCH_OBSERVED_KINDS - 1;
    while (i >= 0 && strcmp(word[i], text) != 0) i--;
    return i;
}
