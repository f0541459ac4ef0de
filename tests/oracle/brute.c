/* tests/oracle/brute.c - see brute.h.
 *
 * Depth first: find a decision that the policy so far reaches and has not made, try each action there; when there is none, the
 * policy is complete and is evaluated in each environment by recursion over its histories.
 */
#include "oracle/brute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct place { /* all that any policy may look at */
    int t, state, boundary;
    unsigned known; /* now, and from L on: at L */
} place;

typedef struct trial {
    brute *b;
    const double *optimal;
    unsigned of, promised; /* environments whose regrets count, and whose promises */
    long long steps, most_steps;
    int *action; /* [keys] -1: not decided */
    size_t keys;
    bool second; /* pass one finds the least maximum regret, pass two the least total regret that goes with it */
    double least, least_total;
} trial;

static size_t key_of(const brute *b, place h)
{
    const vouch_model *m = b->m;
    size_t S = (size_t)m->S, masks = (size_t)1 << m->K, at = (size_t)h.t * S + (size_t)h.state;
    if (h.t < b->L) return at * masks + h.known;
    return ((size_t)m->T * S + at * S + (size_t)h.boundary) * masks + h.known;
}

/* Can environment k pay this reward, if that is seen, and go there? */
static bool possible(const vouch_model *m, int k, int q, int next, double reward)
{
    const mdp *e = &m->env[k];
    for (int o = e->start[q]; o < e->start[q + 1]; o++)
        if (e->next[o] == next && (e->reward[o] == reward || m->observed == VOUCH_OBSERVE_STATES) && e->prob[o] > 0) return true;
    return false;
}

/* The observation (reward, next): knowledge grows until L and stays from then on. */
static place after(const brute *b, place h, int q, int next, double reward)
{
    const vouch_model *m = b->m;
    place n = {h.t + 1, next, h.boundary, h.known};
    if (h.t < b->L) {
        n.known = 0;
        for (int k = 0; k < m->K; k++)
            if (h.known >> k & 1 && possible(m, k, q, next, reward)) n.known |= 1u << k;
    }
    if (n.t == b->L) n.boundary = next;
    return n;
}

static place beginning(const brute *b) { return (place){0, b->m->s0, b->m->s0, (1u << b->m->K) - 1}; }

/* An undecided place that some history of environment k reaches. */
static bool undecided(trial *t, int k, place h, place *found)
{
    const vouch_model *m = t->b->m;
    t->steps++;
    if (h.t == m->T) return false;
    int a = t->action[key_of(t->b, h)];
    if (a < 0) {
        *found = h;
        return true;
    }
    const mdp *e = &m->env[k];
    int q = model_pair(m, h.state, a);
    for (int o = e->start[q]; o < e->start[q + 1]; o++)
        if (undecided(t, k, after(t->b, h, q, e->next[o], e->reward[o]), found)) return true;
    return false;
}

/* pr [J]: of each promise. */
static void value(trial *t, int k, place h, double *u, double pr[])
{
    const vouch_model *m = t->b->m;
    t->steps++;
    *u = 0;
    for (int j = 0; j < m->J; j++) pr[j] = h.t == m->T && (m->weight ? m->weight[k * m->J + j] : m->terminal)[h.state] > 0;
    if (h.t == m->T) return;
    const mdp *e = &m->env[k];
    int q = model_pair(m, h.state, t->action[key_of(t->b, h)]);
    for (int o = e->start[q]; o < e->start[q + 1]; o++) {
        double later, kept[BRUTE_PROMISES];
        value(t, k, after(t->b, h, q, e->next[o], e->reward[o]), &later, kept);
        *u += e->prob[o] * (e->reward[o] + later);
        for (int j = 0; j < m->J; j++) pr[j] += e->prob[o] * kept[j];
    }
}

static void judge(trial *t)
{
    const vouch_model *m = t->b->m;
    double most = -INFINITY, total = 0, mean[BRUTE_PROMISES] = {0};
    if (!t->second) t->b->policies++;
    for (int k = 0; k < m->K; k++) {
        double u, pr[BRUTE_PROMISES];
        if (!((t->of | t->promised) >> k & 1)) continue;
        value(t, k, beginning(t->b), &u, pr);
        for (int j = 0; j < m->J; j++) {
            mean[j] += vouch_model_prior(m, k) * pr[j];
            bool asked = t->promised >> k & 1 && !vouch_model_promise_is_average(m, j);
            if (asked && !(pr[j] >= vouch_model_promise_probability(m, j, k) - 1e-9)) return;
        }
        if (!(t->of >> k & 1)) continue;
        most = fmax(most, t->optimal[k] - u);
        total += t->optimal[k] - u;
    }
    for (int j = 0; j < m->J; j++)
        if (vouch_model_promise_is_average(m, j) && !(mean[j] >= vouch_model_promise_probability(m, j, 0) - 1e-9)) return;
    if (!t->second) {
        t->least = fmin(t->least, most);
        return;
    }
    if (most <= t->least + 1e-9 * (1 + fabs(t->least)) && total < t->least_total) {
        t->least_total = total;
        memcpy(t->b->best, t->action, t->keys * sizeof *t->action);
    }
}

/* false: the work allowed is used up. */
static bool try_all(trial *t)
{
    const vouch_model *m = t->b->m;
    place h = {0, 0, 0, 0};
    bool open = false;
    for (int k = 0; k < m->K && !open; k++)
        if ((t->of | t->promised) >> k & 1) open = undecided(t, k, beginning(t->b), &h);
    if (!open) {
        judge(t);
        return t->steps <= t->most_steps;
    }
    size_t key = key_of(t->b, h);
    bool on = true;
    for (int q = m->pair_start[h.state]; q < m->pair_start[h.state + 1] && on; q++) {
        t->action[key] = m->pair_action[q];
        on = try_all(t);
    }
    t->action[key] = -1;
    return on && t->steps <= t->most_steps;
}

void brute_solve_for(const vouch_model *m, int L, const double optimal[], unsigned of, unsigned promised, long long most_steps,
                     brute *b)
{
    *b = (brute){.m = m, .L = L, .max_regret = INFINITY, .total_regret = INFINITY};
    trial t = {.b = b,
               .optimal = optimal,
               .of = of,
               .promised = promised,
               .most_steps = most_steps,
               .least = INFINITY,
               .least_total = INFINITY};
    t.keys = ((size_t)m->T * (size_t)m->S * (size_t)(m->S + 1)) << m->K;
    t.action = malloc(t.keys * sizeof *t.action);
    b->best = malloc(t.keys * sizeof *b->best);
    if (!t.action || !b->best) abort();
    for (size_t i = 0; i < t.keys; i++) t.action[i] = b->best[i] = -1;
    b->complete = try_all(&t);
    if (b->complete && t.least < INFINITY) {
        t.second = true;
        t.most_steps = 3 * t.steps;
        b->complete = try_all(&t);
        b->found = true;
        b->max_regret = t.least;
        b->total_regret = t.least_total;
    }
    free(t.action);
}

void brute_solve(const vouch_model *m, int L, const double optimal[], long long most_steps, brute *b)
{
    unsigned all = (1u << m->K) - 1;
    brute_solve_for(m, L, optimal, all, all, most_steps, b);
}

void brute_free(brute *b)
{
    free(b->best);
    b->best = NULL;
}

int brute_action(const brute *b, int t, int state, int boundary, unsigned known)
{
    return b->best[key_of(b, (place){t, state, boundary, known})];
}
