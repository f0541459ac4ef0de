/* policy/rules.c - rule <-> row of an array: prob[choices of node n] or prob[slots of class i].
 *
 * A rule identifies its node by (t, s, environments), from L on by (t, s | boundary), its class by the nearest likelihood vector
 * within a tolerance (THEORY.md, sections 2 and 4). Rules are written for reached nodes and positive probabilities only; each row
 * sums to 1.
 */
#include "policy/policy.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "know/classes.h"
#include "know/induction.h"

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
    if (!CHECKING) return;
    double sum = 0;
    for (int i = first; i < last; i++) {
        CHECK_COMPARE(prob[i], >=, 0);
        sum += prob[i];
    }
    CHECK_COMPARE(fabs(sum - 1), <=, ROW_SUM_TOLERANCE);
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

/* ---- plans: a plan depends on (time, state) only, so it is propagated over them, in each environment:
 *
 *     mass(t, s; k) = sum over classes of (t, s) that begin it of reach share w_k  +  inflow from time t - 1.
 *
 * Cost: T S K and the reachable outcomes per plan, and the classes ---- */

void class_plans_free(class_plans *p)
{
    if (!p) return;
    MEM_FREE_ALL(p->table, p->start, p->plan, p->share, p);
}

/* Adds to mass [S * K] the inflow into plan j from the classes of time t. */
static void begin(const class_plans *p, const know_classes *c, int j, int t, const double reach[], double mass[])
{
    for (int i = c->time_start[t]; i < c->time_start[t + 1]; i++)
        for (int e = p->start[i]; e < p->start[i + 1]; e++) {
            if (p->plan[e] != j || !(reach[i] > 0)) continue;
            const double *w = know_class_weights(c, i);
            double *here = mass + (size_t)c->g->state[c->node[i]] * (size_t)c->K, part = reach[i] * p->share[e];
            for (int k = 0; k < c->K; k++) here[k] += part * w[k];
        }
}

/* One step from mass to next [S * K] by row [pairs]; returns a reached state without action, or -1. */
static int step(const know_graph *g, const double row[], const double mass[], double next[], double U[], bool seen[])
{
    const vouch_model *m = g->m;
    const size_t K = (size_t)g->K;
    int bare = -1;
    for (int s = 0; s < m->S; s++) {
        const double *here = mass + (size_t)s * K;
        bool any = false, acts = false;
        for (size_t k = 0; k < K; k++) any |= here[k] > 0;
        for (int q = m->pair_start[s]; q < m->pair_start[s + 1] && any; q++) {
            if (!(row[q] > 0)) continue;
            acts = true;
            for (size_t k = 0; k < K; k++) {
                const mdp *env = &m->env[k];
                double part = here[k] * row[q];
                if (!(part > 0)) continue;
                if (U) U[k] += part * g->reward[(size_t)q * K + k];
                for (int o = env->start[q]; o < env->start[q + 1]; o++) next[(size_t)env->next[o] * K + k] += part * env->prob[o];
            }
        }
        if (any && seen) seen[s] = true;
        if (any && !acts && bare < 0) bare = s;
    }
    return bare;
}

vouch_status plans_follow(const class_plans *p, const know_classes *c, int j, const double reach[], double U[], double Pr[],
                          bool seen[], int *bare)
{
    const know_graph *g = c->g;
    const vouch_model *m = g->m;
    size_t numbers = (size_t)m->S * (size_t)c->K;
    double *mass = MEM_ZERO(double, 2 * numbers), *next = mass ? mass + numbers : NULL;
    *bare = -1;
    if (!mass) return VOUCH_ERROR_MEMORY;
    double *both = mass;
    for (int t = 0; t < g->T && *bare < 0; t++) {
        begin(p, c, j, t, reach, mass);
        memset(next, 0, numbers * sizeof *next);
        int s = step(g, p->table + ((size_t)j * (size_t)g->T + (size_t)t) * (size_t)m->pairs, mass, next, U,
                     seen ? seen + (size_t)t * (size_t)m->S : NULL);
        if (s >= 0) *bare = t * m->S + s;
        double *done = mass;
        mass = next;
        next = done;
    }
    for (int s = 0; s < m->S && Pr && *bare < 0; s++)
        for (int k = 0; k < c->K; k++) Pr[k] += mass[(size_t)s * (size_t)c->K + (size_t)k] * m->env[k].terminal[s];
    mem_free(both);
    return VOUCH_OK;
}

int plans_node(const know_graph *g, int t, int s)
{
    int n = g->time_start[t];
    while (n + 1 < g->time_start[t + 1] && g->state[n] != s) n++;
    return n;
}

double *plans_propagate(const know_classes *c, const double prob[], const class_plans *p, double U[], double Pr[], int *bare)
{
    double *reach = MEM_NEW(double, c->classes);
    if (!reach) return NULL;
    *bare = induction_evaluate(c, prob, p ? p->start : NULL, reach, U, Pr);
    if (*bare >= 0) *bare = c->node[*bare];
    for (int j = 0; p && j < p->count && *bare < 0; j++) {
        int place;
        if (plans_follow(p, c, j, reach, U, Pr, NULL, &place)) {
            mem_free(reach);
            return NULL;
        }
        if (place >= 0) *bare = plans_node(c->g, place / c->g->m->S, place % c->g->m->S);
    }
    return reach;
}

static int by_plan(const void *x, const void *y)
{
    const policy_rule *a = x, *b = y;
    if (a->plan != b->plan) return a->plan < b->plan ? -1 : 1;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return (a->state > b->state) - (a->state < b->state);
}

int plans_rule(const vouch_policy *policy, int plan, int time, int state)
{
    const policy_rule wanted = {.plan = plan, .time = time, .state = state};
    size_t count = policy->rule_count - policy->plan_rules;
    const policy_rule *found =
        count > 0 ? bsearch(&wanted, policy->rules + policy->plan_rules, count, sizeof wanted, by_plan) : NULL;
    return found ? (int)(found - policy->rules) : -1;
}

/* Fills the actions of rule r from the plans it follows. False: out of memory. *lost: a plan without a rule here, or -1. */
static bool link_rule(vouch_policy *policy, policy_rule *r, int *lost)
{
    int count = 0;
    *lost = -1;
    for (int i = 0; i < r->follow_count; i++) {
        int at = plans_rule(policy, r->follow[i], r->time, r->state);
        if (at < 0) {
            *lost = r->follow[i];
            return true;
        }
        count += policy->rules[at].do_count;
    }
    r->action = ARENA_NEW(&policy->memory, int, count);
    r->next = ARENA_NEW(&policy->memory, int, count);
    r->prob = ARENA_NEW(&policy->memory, double, count);
    if (policy->memory.failed) return false;
    r->do_count = 0;
    for (int i = 0; i < r->follow_count; i++) {
        const policy_rule *plan = &policy->rules[plans_rule(policy, r->follow[i], r->time, r->state)];
        for (int a = 0; a < plan->do_count; a++) {
            r->action[r->do_count] = plan->action[a];
            r->next[r->do_count] = r->follow[i];
            r->prob[r->do_count++] = r->share[i] * plan->prob[a];
        }
    }
    return true;
}

vouch_status plans_link(vouch_policy *policy, size_t *lost, int *plan)
{
    policy->plan_rules = 0;
    while (policy->plan_rules < policy->rule_count && policy->rules[policy->plan_rules].kind != VOUCH_RULE_PLAN)
        policy->plan_rules++;
    size_t count = policy->rule_count - policy->plan_rules;
    if (count > 1) qsort(policy->rules + policy->plan_rules, count, sizeof *policy->rules, by_plan);
    for (size_t i = 0; i < policy->plan_rules; i++) {
        if (policy->rules[i].follow_count == 0) continue;
        if (!link_rule(policy, &policy->rules[i], plan)) return VOUCH_ERROR_MEMORY;
        *lost = i;
        if (*plan >= 0) return VOUCH_ERROR_INPUT;
    }
    return VOUCH_OK;
}

/* ---- the classes that a history policy reaches: rules are sorted by (time, state, a weighted sum of the likelihoods). A class
 * finds its rule, of equal likelihoods up to rounding, by bisection over the sum and comparison of the neighbours ---- */

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
