/* policy/rules.c - rule <-> row of an array: prob[choices of node n] or prob[slots of class i].
 *
 * A rule identifies its node by (t, s, environments), from L on by (t, s | boundary), its class by the nearest likelihood vector
 * within a tolerance (THEORY.md, sections 2 and 4). Rules are written for reached nodes only, with positive probabilities only.
 * Cost: O(choices) to write, a lookup per rule to read, or O(classes of its time K). Invariant: each row written sums to 1.
 */
#include "policy/policy.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"

static const double PROBABILITY_TOLERANCE = 1e-7;
static const double ROW_SUM_TOLERANCE = 1e-6; /* of a row from a solver or a file */

static void copy_members(const know_graph *g, int node, policy_rule *rule)
{
    memcpy(rule->env, g->member + g->member_start[g->set[node]], (size_t)rule->env_count * sizeof(int));
}

static int positive(const double prob[], int first, int last)
{
    int count = 0;
    for (int i = first; i < last; i++) count += prob[i] > 0;
    return count;
}

static void row_check(const double prob[], int first, int last)
{
#ifdef VOUCH_DEBUG
    double sum = 0;
    for (int i = first; i < last; i++) {
        CHECK_COMPARE(prob[i], >=, 0);
        sum += prob[i];
    }
    CHECK_COMPARE(fabs(sum - 1), <=, ROW_SUM_TOLERANCE);
#else
    (void)prob;
    (void)first;
    (void)last;
#endif
}

int rules_from_nodes(const know_graph *g, const double prob[], const double reach[], vouch_policy *policy)
{
    for (int t = 0; t < g->T; t++)
        for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++) {
            double most = 0;
            for (int k = 0; k < g->K; k++) most = fmax(most, reach[(size_t)n * (size_t)g->K + (size_t)k]);
            if (most <= 0) continue;
            int first = g->choice_start[n], last = g->choice_start[n + 1], boundary = g->boundary[n];
            int owner = boundary < 0 ? n : boundary;
            policy_rule *rule = policy_add_rule(policy, boundary < 0 ? VOUCH_RULE_KNOWLEDGE : VOUCH_RULE_BOUNDARY,
                                                know_set_size(g, g->set[owner]), positive(prob, first, last));
            if (!rule) return -1;
            rule->time = t;
            rule->state = g->state[n];
            copy_members(g, owner, rule);
            if (boundary >= 0) {
                rule->boundary_time = g->L;
                rule->boundary_state = g->state[boundary];
            }
            for (int c = first, i = 0; c < last; c++)
                if (prob[c] > 0) {
                    rule->action[i] = g->m->pair_action[g->choice_pair[c]];
                    rule->prob[i++] = prob[c];
                }
            row_check(prob, first, last);
        }
    return 0;
}

static vouch_status rule_error(vouch_error *error, size_t index, const char *what)
{
    return error_set(error, VOUCH_ERROR_INPUT, "rules[%zu]: %s", index, what);
}

vouch_status rules_missing(const vouch_model *m, int time, int state, vouch_error *error)
{
    return error_set(error, VOUCH_ERROR_INPUT, "no rule for time %d, state \"%.200s\", which the policy reaches", time,
                     m->state_name[state]);
}

/* Writes the rule's probabilities over the pairs of its state: out[i] belongs to pair pair_start + i. */
static vouch_status place_actions(const policy_rule *rule, size_t index, const vouch_model *m, double out[], vouch_error *error)
{
    double sum = 0;
    CHECK(rule->state >= 0 && rule->state < m->S);
    int first = m->pair_start[rule->state];
    for (int i = first; i < m->pair_start[rule->state + 1]; i++) out[i - first] = 0;
    for (int i = 0; i < rule->do_count; i++) {
        int q = model_pair(m, rule->state, rule->action[i]);
        if (q < 0) return rule_error(error, index, "an action that is not available in this state");
        if (!(rule->prob[i] >= 0 && rule->prob[i] <= 1 + PROBABILITY_TOLERANCE))
            return rule_error(error, index, "a probability outside 0 .. 1");
        out[q - first] += rule->prob[i];
        sum += rule->prob[i];
    }
    if (!(fabs(sum - 1) <= ROW_SUM_TOLERANCE)) return rule_error(error, index, "the probabilities of \"do\" do not sum to 1");
    for (int i = first; i < m->pair_start[rule->state + 1]; i++) out[i - first] /= sum;
    return VOUCH_OK;
}

vouch_status rules_check_actions(const policy_rule *rule, size_t index, const vouch_model *m, vouch_error *error)
{
    bool known = rule->kind == VOUCH_RULE_LIKELIHOOD || rule->kind == VOUCH_RULE_PLAN;
    if (!known || rule->time < 0 || rule->time >= m->T || rule->state < 0 || rule->state >= m->S)
        return rule_error(error, index, "a time or state that the model does not have, or no likelihood");
    if (rule->next) return VOUCH_OK; /* the rules of its plans are checked themselves */
    double *row = MEM_NEW(double, m->A);
    vouch_status status = row ? place_actions(rule, index, m, row, error) : error_memory(error);
    mem_free(row);
    return status;
}

/* The environments of a rule as promise rows of a graph, `group` for each. */
static int expand_members(const vouch_policy *policy, const policy_rule *rule, int K, int env[])
{
    int group = K / policy->K, count = 0;
    for (int i = 0; i < rule->env_count; i++)
        for (int j = 0; j < group; j++) env[count++] = rule->env[i] * group + j;
    return count;
}

/* env: scratch [K of the graph] */
static vouch_status place_rules(const vouch_policy *policy, const know_graph *g, int env[], double prob[], vouch_error *error)
{
    memset(prob, 0, (size_t)g->choices * sizeof *prob);
    for (size_t i = 0; i < policy->rule_count; i++) {
        const policy_rule *rule = &policy->rules[i];
        if (rule->time < 0 || rule->time >= g->T || rule->state < 0 || rule->state >= g->m->S)
            return rule_error(error, i, "a time or state that the model does not have");
        int n = -1, count = expand_members(policy, rule, g->K, env);
        if (rule->kind == VOUCH_RULE_KNOWLEDGE && rule->time < g->L) n = know_find_state(g, rule->time, rule->state, env, count);
        if (rule->kind == VOUCH_RULE_BOUNDARY && rule->time >= g->L && rule->boundary_time == g->L) {
            int boundary = know_find_state(g, g->L, rule->boundary_state, env, count);
            if (boundary >= 0) n = know_find_boundary(g, rule->time, rule->state, boundary);
        }
        if (n < 0) return rule_error(error, i, "no policy node of this model has this time, state and knowledge");
        CHECK(n < g->nodes && g->state[n] == rule->state);
        vouch_status status = place_actions(rule, i, g->m, prob + g->choice_start[n], error);
        if (status) return status;
    }
    return VOUCH_OK;
}

vouch_status rules_to_nodes(const vouch_policy *policy, const know_graph *g, double prob[], vouch_error *error)
{
    int *env = MEM_NEW(int, g->K);
    vouch_status status = env ? place_rules(policy, g, env, prob, error) : error_memory(error);
    mem_free(env);
    return status;
}

/* Appends the rule of class i, actions not filled; NULL: out of memory. */
static policy_rule *add_class(const know_classes *c, int i, int t, int do_count, vouch_policy *policy)
{
    policy_rule *rule = policy_add_rule(policy, VOUCH_RULE_LIKELIHOOD, 0, do_count);
    if (!rule) return NULL;
    rule->time = t;
    rule->state = c->g->state[c->node[i]];
    memcpy(rule->likelihood, know_class_weights(c, i), (size_t)c->K * sizeof(double));
    return rule;
}

/* Fills the plans that class i follows; number [plans]: their numbers in the policy. */
static int add_followed(const class_plans *plans, int i, const int number[], policy_rule *rule, vouch_policy *policy)
{
    int first = plans->start[i], count = plans->start[i + 1] - first;
    if (policy_follow(policy, rule, count)) return -1;
    for (int e = 0; e < count; e++) {
        rule->follow[e] = number[plans->plan[first + e]];
        rule->share[e] = plans->share[first + e];
    }
    return 0;
}

/* Appends the rules of plan j at the places it reaches. */
static int add_plan(const know_classes *c, const class_plans *plans, int j, int number, const double reach[], vouch_policy *policy)
{
    const vouch_model *m = c->g->m;
    int bare, failed = 0;
    bool *seen = MEM_ZERO(bool, (size_t)m->T *(size_t)m->S);
    if (!seen) return -1;
    if (plans_follow(plans, c, j, reach, NULL, NULL, seen, &bare)) failed = -1;
    CHECK(failed || bare < 0);
    for (int i = 0; i < m->T * m->S && !failed; i++) {
        if (!seen[i]) continue;
        int first = m->pair_start[i % m->S], last = m->pair_start[i % m->S + 1];
        const double *row = plans->table + ((size_t)j * (size_t)m->T + (size_t)(i / m->S)) * (size_t)m->pairs;
        policy_rule *rule = policy_add_rule(policy, VOUCH_RULE_PLAN, 0, positive(row, first, last));
        if (!rule) {
            failed = -1;
            break;
        }
        rule->plan = number;
        rule->time = i / m->S;
        rule->state = i % m->S;
        for (int q = first, a = 0; q < last; q++)
            if (row[q] > 0) {
                rule->action[a] = m->pair_action[q];
                rule->prob[a++] = row[q];
            }
        row_check(row, first, last);
    }
    mem_free(seen);
    return failed;
}

/* number [plans]: consecutive numbers of the plans that reached classes follow; -1: unused. */
static int number_plans(const know_classes *c, const class_plans *plans, const double reach[], int number[])
{
    int count = 0;
    for (int j = 0; j < plans->count; j++) number[j] = -1;
    for (int i = 0; i < c->classes; i++)
        for (int e = plans->start[i]; e < plans->start[i + 1] && reach[i] > 0; e++) number[plans->plan[e]] = 0;
    for (int j = 0; j < plans->count; j++)
        if (number[j] == 0) number[j] = count++;
    return count;
}

/* Appends the rules of classes, then of plans numbered by number [plans]. */
static int add_classes(const know_classes *c, const double prob[], const class_plans *plans, const double reach[], int number[],
                       vouch_policy *policy)
{
    const know_graph *g = c->g;
    for (int t = 0; t < g->T; t++)
        for (int i = c->time_start[t]; i < c->time_start[t + 1]; i++) {
            if (reach[i] <= 0) continue;
            int first = c->slot_start[i], last = c->slot_start[i + 1];
            policy_rule *rule = add_class(c, i, t, positive(prob, first, last), policy);
            if (!rule) return -1;
            if (plans && plans->start[i + 1] > plans->start[i]) {
                if (add_followed(plans, i, number, rule, policy)) return -1;
                continue;
            }
            for (int slot = first, j = 0; slot < last; slot++)
                if (prob[slot] > 0) {
                    rule->action[j] = g->m->pair_action[g->choice_pair[c->slot_option[slot]]];
                    rule->prob[j++] = prob[slot];
                }
            row_check(prob, first, last);
        }
    for (int j = 0; plans && j < plans->count; j++)
        if (number[j] >= 0 && add_plan(c, plans, j, number[j], reach, policy)) return -1;
    return 0;
}

int rules_from_classes(const know_classes *c, const double prob[], const class_plans *plans, const double reach[],
                       vouch_policy *policy)
{
    if (!plans) return add_classes(c, prob, NULL, reach, NULL, policy);
    size_t lost;
    int plan, *number = MEM_NEW(int, plans->count);
    if (!number) return -1;
    policy->plans = number_plans(c, plans, reach, number);
    int failed = add_classes(c, prob, plans, reach, number, policy);
    mem_free(number);
    return failed || plans_link(policy, &lost, &plan) ? -1 : 0;
}
