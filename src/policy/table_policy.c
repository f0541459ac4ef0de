/* policy/table_policy.c - a Markov policy as a table, written as rules without policy nodes.
 *
 *     reach_k(t+1, s') = sum over s of reach_k(t, s) P(s'|s, table(t,s); k),     U(k) = sum reach_k R,     Pr(k) = sum at T of
 * terminal
 *
 * One environment after the other, over reachable states only. Cost: the arcs reached.
 */
#include "policy/policy.h"

#include <math.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/memory.h"
#include "mdp/tolerance.h"

enum { MANY = 16 }; /* a list of more than S / MANY states is slower than a scan of all */

/* The reachable states of one time. */
typedef struct front {
    double *reach; /* [S] */
    int *state;    /* [S] states with positive reach */
    int count;
} front;

typedef struct passes {
    const vouch_model *m;
    const double *table;
    front now, next;
    bool *reached; /* [T * S] by any environment */
} passes;

static int choice_of(const passes *x, int t, int s)
{
    const double *here = x->table + (size_t)t * (size_t)x->m->pairs;
    for (int q = x->m->pair_start[s]; q < x->m->pair_start[s + 1]; q++)
        if (here[q] > 0) return q;
    return -1;
}

static void arrive(front *f, int s, double mass)
{
    if (mass > 0 && f->reach[s] <= 0) f->state[f->count++] = s;
    f->reach[s] += mass;
}

/* U and Pr of environment k; true if every reachable state has a choice. */
static bool run_through(passes *x, int k, double *U, double *Pr)
{
    const vouch_model *m = x->m;
    const mdp *e = &m->env[k];
    const double *paid = e->given ? e->given : e->expected;
    bool whole = true;
    *U = *Pr = 0;
    arrive(&x->now, m->s0, 1);
    for (int t = 0; t < m->T; t++) {
        bool many = x->now.count > m->S / MANY;
        for (int i = 0; i < (many ? m->S : x->now.count); i++) {
            int s = many ? i : x->now.state[i];
            double mass = x->now.reach[s];
            if (mass <= 0) continue;
            int q = choice_of(x, t, s);
            x->now.reach[s] = 0;
            x->reached[(size_t)t * (size_t)m->S + (size_t)s] = true;
            whole = whole && q >= 0;
            if (q < 0) continue;
            *U += mass * paid[q];
            for (int o = e->start[q]; o < e->start[q + 1]; o++) arrive(&x->next, e->next[o], mass * e->prob[o]);
        }
        x->now.count = 0;
        front swap = x->now;
        x->now = x->next;
        x->next = swap;
    }
    for (int i = 0; i < x->now.count; i++) {
        int s = x->now.state[i];
        *Pr += x->now.reach[s] * e->terminal[s];
        x->now.reach[s] = 0;
    }
    x->now.count = 0;
    return whole;
}

/* Writes a rule for each reached (time, state). */
static vouch_status write_rules(const passes *x, vouch_policy *policy)
{
    const vouch_model *m = x->m;
    size_t cells = (size_t)m->T * (size_t)m->S, count = 0;
    for (size_t i = 0; i < cells; i++) count += x->reached[i];
    policy_rule *rule = policy_add_sure_rules(policy, count);
    if (!rule) return VOUCH_ERROR_MEMORY;
    for (size_t i = 0; i < cells; i++) {
        if (!x->reached[i]) continue;
        rule->time = (int)(i / (size_t)m->S);
        rule->state = (int)(i % (size_t)m->S);
        rule->boundary_time = 0;
        rule->boundary_state = m->s0;
        rule->action[0] = m->pair_action[choice_of(x, rule->time, rule->state)];
        rule++;
    }
    return VOUCH_OK;
}

vouch_status table_policy_write(const vouch_model *m, const double table[], const double optimal[], vouch_policy *policy)
{
    arena a = {0};
    size_t S = (size_t)m->S;
    bool kept = true;
    CHECK(policy->rule_count == 0 && policy->K == m->K);
    passes x = {.m = m, .table = table, .reached = ARENA_ZERO(&a, bool, (size_t)m->T *S)};
    x.now = (front){ARENA_ZERO(&a, double, S), ARENA_NEW(&a, int, S), 0};
    x.next = (front){ARENA_ZERO(&a, double, S), ARENA_NEW(&a, int, S), 0};
    double *U = ARENA_NEW(&a, double, m->K), *Pr = ARENA_NEW(&a, double, m->K);
    vouch_status status = a.failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    for (int k = 0; k < m->K && !status; k++)
        kept = run_through(&x, k, &U[k], &Pr[k]) && commitment_kept(Pr[k], m->env[k].p) && kept;
    if (!status && kept) status = write_rules(&x, policy);
    if (!status && kept) {
        figures_of_model(m, optimal, U, Pr, policy->figures);
        vouch_policy_set_figures(policy, policy->figures);
        policy->late = true;
        policy->has_policy = 1;
    }
    arena_free(&a);
    return status;
}
