/* policy/plans.c - history policies that end in plans; see policy.h. A plan depends on (time, state) only, so it is propagated over
 * them, in each environment:
 *
 *     mass(t, s; k) = sum over classes of (t, s) that begin it of reach share w_k  +  inflow from time t - 1.
 *
 * Cost: T S K and the reachable outcomes per plan, and the classes.
 */
#include "policy/policy.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "know/induction.h"

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
