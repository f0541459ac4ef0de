/* cli/steps.c - see steps.h. */
#include "cli/steps.h"

#include <math.h>

static int action_of(const shown *s, int edge, double *probability)
{
    const vouch_policy_edge *e = &s->f->edge[edge];
    vouch_rule r;
    vouch_policy_get_rule(s->p, s->f->node[e->from].rule, &r);
    *probability = r.probability[e->choice];
    return r.action[e->choice];
}

bool steps_taken(const shown *s, int edge, int k) { return s->f->probability[(size_t)edge * (size_t)s->K + (size_t)k] > 0; }

double steps_probability(const shown *s, int edge, int k)
{
    double probability;
    (void)action_of(s, edge, &probability);
    return probability * s->f->probability[(size_t)edge * (size_t)s->K + (size_t)k];
}

double steps_reward(const shown *s, int edge, int k)
{
    const vouch_policy_edge *e = &s->f->edge[edge];
    double probability;
    vouch_transitions to;
    if (!steps_taken(s, edge, k)) return 0;
    vouch_model_get_transitions(s->m, k, s->f->node[e->from].state, action_of(s, edge, &probability), &to);
    int low = 0, high = to.count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (to.next[middle] < s->f->node[e->to].state)
            low = middle + 1;
        else
            high = middle;
    }
    return low < to.count && to.next[low] == s->f->node[e->to].state ? to.reward[low] : 0;
}

double steps_expected_reward(const shown *s, int node, int k)
{
    const vouch_policy_node *n = &s->f->node[node];
    double sum = 0;
    for (int e = n->first_edge; e < n->first_edge + n->edges; e++)
        if (steps_taken(s, e, k)) sum += steps_probability(s, e, k) * steps_reward(s, e, k);
    return sum;
}

void steps_add_rewards(const shown *s, int edge, int digits, text *t)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < s->K; k++) {
        if (!steps_taken(s, edge, k)) continue;
        low = fmin(low, steps_reward(s, edge, k));
        high = fmax(high, steps_reward(s, edge, k));
    }
    text_add(t, "%.*g", digits, low);
    if (low < high) text_add(t, " .. %.*g", digits, high);
}

bool steps_pay(const shown *s, int edge)
{
    for (int k = 0; k < s->K; k++)
        if (steps_reward(s, edge, k) != 0) return true;
    return false;
}
