/* policy/reached.c - the classes that a history policy reaches.
 *
 * Rules are sorted by (time, state, a weighted sum of the likelihoods). A class finds its rule, whose likelihoods are equal up to
 * rounding, by bisection over the sum and comparison of the neighbours. Cost: a search per class.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "know/classes.h"
#include "policy/policy.h"

static const double NEAR = 1e-7;        /* tolerance of likelihoods, in the largest entry */
static const double MOST_NUMBERS = 2e8; /* limit on the table of plans, for memory */

typedef struct rule_place {
    int time, state;
    double sum;
    size_t rule;
} rule_place;

typedef struct rule_reader {
    const vouch_policy *policy;
    const know_graph *g;
    rule_place *order; /* [count] rules of classes */
    size_t count;
    int group;    /* rows of the model per environment of the policy */
    int *rule_of; /* [met] index in order of each class, or -1 */
    int met;
    size_t capacity;
    bool failed;
} rule_reader;

/* A weighted sum with golden-ratio weights, so that different vectors rarely have equal sums. */
static double weighted(const double w[], int K, int group)
{
    double sum = 0, golden = 0.5;
    for (int k = 0; k < K; k += group) {
        golden += 0.6180339887498949;
        golden -= floor(golden);
        sum += (0.5 + golden) * w[k];
    }
    return sum;
}

static int by_place(const void *x, const void *y)
{
    const rule_place *a = x, *b = y;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    if (a->sum != b->sum) return a->sum < b->sum ? -1 : 1;
    return a->rule < b->rule ? -1 : a->rule > b->rule;
}

/* The index in order of the rule nearest to a class, or -1. */
static int find(const rule_reader *r, rule_place at, const double w[])
{
    const vouch_policy *policy = r->policy;
    double slack = 2 * NEAR * policy->K, least = NEAR;
    size_t low = 0, high = r->count;
    int best = -1;
    at.rule = 0;
    at.sum -= slack;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_place(&r->order[middle], &at) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < r->count; low++) {
        const rule_place *p = &r->order[low];
        if (p->time != at.time || p->state != at.state || p->sum > at.sum + 2 * slack) break;
        const double *likelihood = policy->rules[p->rule].likelihood;
        double most = 0;
        for (int k = 0; k < policy->K && most <= least; k++) most = fmax(most, fabs(likelihood[k] - w[k * r->group]));
        if (most > least) continue;
        least = most;
        best = (int)low;
    }
    return best;
}

static void want(void *context, const know_classes *made, int i, unsigned char wanted[])
{
    rule_reader *r = context;
    const know_graph *g = r->g;
    const double *w = know_class_weights(made, i);
    int node = made->node[i];
    int at = find(r, (rule_place){know_time(g, node), g->state[node], weighted(w, g->K, r->group), 0}, w);
    if (MEM_RESERVE(&r->rule_of, &r->capacity, r->met)) {
        r->failed = true;
        return;
    }
    r->rule_of[r->met++] = at;
    if (at < 0) return;
    const policy_rule *rule = &r->policy->rules[r->order[at].rule];
    if (rule->follow_count > 0) return;
    for (int c = g->choice_start[node]; c < g->choice_start[node + 1]; c++)
        for (int j = 0; j < rule->do_count; j++)
            if (rule->prob[j] > 0 && g->m->pair_action[g->choice_pair[c]] == rule->action[j])
                wanted[g->choice_twin[c] - g->choice_start[node]] = 1;
}

/* Fills prob of the slots of class i from its rule. */
static void fill(const rule_reader *r, const know_classes *c, int i, double prob[])
{
    const know_graph *g = r->g;
    int node = c->node[i];
    if (r->rule_of[i] < 0) return;
    const policy_rule *rule = &r->policy->rules[r->order[r->rule_of[i]].rule];
    double sum = 0;
    if (rule->follow_count > 0) return;
    for (int j = 0; j < rule->do_count; j++) sum += rule->prob[j];
    for (int choice = g->choice_start[node]; choice < g->choice_start[node + 1]; choice++)
        for (int j = 0; j < rule->do_count; j++)
            for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++)
                if (g->m->pair_action[g->choice_pair[choice]] == rule->action[j] && c->slot_option[slot] == g->choice_twin[choice])
                    prob[slot] += rule->prob[j] / sum;
}

static vouch_status order_rules(rule_reader *r, vouch_error *error)
{
    const vouch_policy *policy = r->policy;
    r->order = MEM_NEW(rule_place, policy->rule_count);
    if (!r->order) return error_memory(error);
    for (size_t i = 0; i < policy->rule_count; i++) {
        const policy_rule *rule = &policy->rules[i];
        vouch_status status = rules_check_actions(rule, i, r->g->m, error);
        if (status) return status;
        if (rule->kind == VOUCH_RULE_LIKELIHOOD)
            r->order[r->count++] = (rule_place){rule->time, rule->state, weighted(rule->likelihood, policy->K, 1), i};
    }
    if (r->count > 1) qsort(r->order, r->count, sizeof *r->order, by_place);
    return VOUCH_OK;
}

/* The rule of class i if it follows plans, else NULL. */
static const policy_rule *followed(const rule_reader *r, const know_classes *c, int i)
{
    if (i >= c->time_start[c->g->T] || r->rule_of[i] < 0) return NULL;
    const policy_rule *rule = &r->policy->rules[r->order[r->rule_of[i]].rule];
    return rule->follow_count > 0 ? rule : NULL;
}

/* Reads the plans of the policy, and the plans of each class. */
static vouch_status read_plans(const rule_reader *r, const know_classes *c, class_plans **out, vouch_error *error)
{
    const vouch_policy *policy = r->policy;
    const vouch_model *m = c->g->m;
    size_t entries = 0, pairs = (size_t)m->pairs;
    if ((double)policy->plans * m->T * m->pairs > MOST_NUMBERS)
        return error_set(error, VOUCH_ERROR_INPUT, "the policy is a mixture of %d plans, which is too many for this model",
                         policy->plans);
    for (int i = 0; i < c->classes; i++) entries += followed(r, c, i) ? (size_t)followed(r, c, i)->follow_count : 0;
    class_plans *p = *out = MEM_ZERO(class_plans, 1);
    if (!p || entries > INT_MAX) return error_memory(error);
    p->count = policy->plans;
    p->table = MEM_ZERO(double, (size_t)p->count *(size_t)m->T *pairs);
    p->start = MEM_NEW(int, c->classes + 1);
    p->plan = MEM_NEW(int, entries);
    p->share = MEM_NEW(double, entries);
    if (!p->table || !p->start || !p->plan || !p->share) return error_memory(error);
    p->start[0] = 0;
    for (int i = 0; i < c->classes; i++) {
        const policy_rule *rule = followed(r, c, i);
        int at = p->start[i];
        for (int e = 0; rule && e < rule->follow_count; e++, at++) {
            p->plan[at] = rule->follow[e];
            p->share[at] = rule->share[e];
        }
        p->start[i + 1] = at;
    }
    for (size_t i = policy->plan_rules; i < policy->rule_count; i++) {
        const policy_rule *rule = &policy->rules[i];
        double *row = p->table + ((size_t)rule->plan * (size_t)m->T + (size_t)rule->time) * pairs;
        for (int a = 0; a < rule->do_count; a++) row[model_pair(m, rule->state, rule->action[a])] = rule->prob[a];
    }
    return VOUCH_OK;
}

vouch_status rules_to_reached(const vouch_policy *policy, const know_graph *g, long long limit, know_classes **classes,
                              double **prob, class_plans **plans, vouch_error *error)
{
    rule_reader r = {.policy = policy, .g = g, .group = g->K / policy->K};
    class_guide guide = {&r, want};
    *classes = NULL;
    *prob = NULL;
    *plans = NULL;
    vouch_status status = order_rules(&r, error);
    if (!status) status = know_classes_guided(g, &guide, limit, NULL, classes, error);
    if (!status && (r.failed || !(*prob = MEM_ZERO(double, (*classes)->slots)))) status = error_memory(error);
    if (!status)
        for (int i = 0; i < (*classes)->time_start[g->T]; i++) fill(&r, *classes, i, *prob);
    if (!status && policy->plans > 0) status = read_plans(&r, *classes, plans, error);
    mem_free(r.order);
    mem_free(r.rule_of);
    return status;
}
