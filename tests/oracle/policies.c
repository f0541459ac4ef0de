/* tests/oracle/policies.c - see policies.h: enumeration of deterministic policies and the value of a given
 * one. */
#include "oracle/policies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { K_MOST = POLICIES_ENVIRONMENTS, PLACES = 96, T_MOST = 8 };
static const double SAME_REWARD = 1e-9; /* of the file format, relative */

typedef struct place { /* all that a policy may look at */
    int state, boundary;
    unsigned known;
    long double mass[K_MOST];
} place;

typedef struct layer {
    int count;
    place place[PLACES];
} layer;

typedef struct search {
    const vouch_model *m;
    int L;
    layer layer[T_MOST + 1];
    long double u[K_MOST];
    policies *p;
    bool full;
} search;

static bool near(double a, double b) { return fabs(a - b) <= SAME_REWARD * fmax(fabs(a), fabs(b)); }

bool policies_same_reward(const vouch_model *m, int q, int next, double a, double b)
{
    double top = fmin(a, b), goal = fmax(a, b), nearest = top;
    do { /* climb from the smaller to the largest reward within reach */
        top = nearest;
        for (int k = 0; k < m->K; k++)
            for (int o = m->env[k].start[q]; o < m->env[k].start[q + 1]; o++) {
                double r = m->env[k].reward[o];
                if (m->env[k].next[o] == next && r <= goal && r > nearest && near(r, top)) nearest = r;
            }
    } while (nearest > top);
    return top == goal;
}

bool policies_doubtful(const vouch_model *m)
{
    for (int q = 0; q < m->pairs; q++)
        for (int k = 0; k < m->K; k++)
            for (int o = m->env[k].start[q]; o < m->env[k].start[q + 1]; o++)
                for (int l = 0; l < k; l++)
                    for (int i = m->env[l].start[q]; i < m->env[l].start[q + 1]; i++) {
                        if (m->env[k].next[o] != m->env[l].next[i]) continue;
                        double a = m->env[k].reward[o], b = m->env[l].reward[i], apart = fabs(a - b), size = fmax(fabs(a), fabs(b));
                        if (apart > 0.9 * SAME_REWARD * size && apart < 1.1 * SAME_REWARD * size) return true;
                    }
    return false;
}

/* Environments of `known` that can pay this reward and go there. */
static unsigned consistent(const vouch_model *m, unsigned known, int q, int next, double reward)
{
    unsigned left = 0;
    for (int k = 0; k < m->K; k++) {
        const mdp *e = &m->env[k];
        if (!(known >> k & 1)) continue;
        for (int o = e->start[q]; o < e->start[q + 1]; o++)
            if (e->next[o] == next && policies_same_reward(m, q, next, e->reward[o], reward)) left |= 1u << k;
    }
    return left;
}

static void arrive(search *s, int t, place h, int k, long double mass)
{
    layer *y = &s->layer[t];
    int i = 0;
    while (i < y->count && !(y->place[i].state == h.state && y->place[i].boundary == h.boundary && y->place[i].known == h.known))
        i++;
    if (i == PLACES) {
        s->full = true;
        return;
    }
    if (i == y->count) {
        memset(h.mass, 0, sizeof h.mass);
        y->place[y->count++] = h;
    }
    y->place[i].mass[k] += mass;
}

static place after(const vouch_model *m, int L, int t, const place *h, int q, int next, double reward)
{
    place n = {.state = next, .boundary = h->boundary, .known = h->known};
    if (t < L) n.known = consistent(m, h->known, q, next, reward);
    if (t + 1 == L) n.boundary = next;
    return n;
}

static void act(search *s, int t, const place *h, int q)
{
    const vouch_model *m = s->m;
    for (int k = 0; k < m->K; k++) {
        const mdp *e = &m->env[k];
        if (h->mass[k] == 0) continue;
        for (int o = e->start[q]; o < e->start[q + 1]; o++) {
            long double mass = h->mass[k] * (long double)e->prob[o];
            s->u[k] += mass * (long double)e->reward[o];
            arrive(s, t + 1, after(m, s->L, t, h, q, e->next[o], e->reward[o]), k, mass);
        }
    }
}

static void record(search *s)
{
    const layer *last = &s->layer[s->m->T];
    if (s->p->count == s->p->most) {
        s->full = true;
        return;
    }
    attained *v = &s->p->list[s->p->count++];
    memset(v, 0, sizeof *v);
    memcpy(v->u, s->u, sizeof v->u);
    for (int i = 0; i < last->count; i++)
        for (int k = 0; k < s->m->K; k++)
            if (s->m->terminal[last->place[i].state] > 0) v->pr[k] += last->place[i].mass[k];
}

static void choose(search *s, int t, int i)
{
    const vouch_model *m = s->m;
    if (s->full) return;
    if (t == m->T) {
        record(s);
        return;
    }
    if (i == s->layer[t].count) {
        choose(s, t + 1, 0);
        return;
    }
    const place *h = &s->layer[t].place[i];
    layer *next = &s->layer[t + 1];
    size_t bytes = offsetof(layer, place) + (size_t)next->count * sizeof next->place[0];
    layer *saved = malloc(bytes);
    long double u[K_MOST];
    if (!saved) abort();
    memcpy(saved, next, bytes);
    memcpy(u, s->u, sizeof u);
    for (int q = m->pair_start[h->state]; q < m->pair_start[h->state + 1]; q++) {
        if (t + 1 < m->T) s->layer[t + 2].count = 0;
        act(s, t, h, q);
        choose(s, t, i + 1);
        memcpy(next, saved, bytes);
        memcpy(s->u, u, sizeof u);
    }
    free(saved);
}

static place beginning(const vouch_model *m)
{
    place h = {.state = m->s0, .boundary = m->s0, .known = (1u << m->K) - 1};
    for (int k = 0; k < m->K; k++) h.mass[k] = 1;
    return h;
}

bool policies_all(const vouch_model *m, int L, size_t most, policies *p)
{
    search *s = calloc(1, sizeof *s);
    *p = (policies){.list = malloc(most * sizeof *p->list), .most = most};
    if (!s || !p->list || m->K > K_MOST || m->T > T_MOST) abort();
    s->m = m;
    s->L = L;
    s->p = p;
    s->layer[0].count = 1;
    s->layer[0].place[0] = beginning(m);
    choose(s, 0, 0);
    bool all = !s->full;
    free(s);
    if (!all) policies_free(p);
    return all;
}

void policies_free(policies *p)
{
    free(p->list);
    *p = (policies){0};
}

/* ---- a given policy ---- */
typedef struct walk {
    const vouch_model *m;
    const vouch_policy *policy;
    attained *v;
    bool lost;
} walk;

static unsigned mask_of(const policy_rule *r)
{
    unsigned mask = 0;
    for (int i = 0; i < r->env_count; i++) mask |= 1u << r->env[i];
    return mask;
}

/* Distance of the rule's likelihoods from the history's: the file has them rounded. */
static double distance(const policy_rule *r, const long double mass[], int K)
{
    long double most = 0;
    double worst = 0;
    for (int k = 0; k < K; k++) most = fmaxl(most, mass[k]);
    for (int k = 0; k < K; k++) {
        double w = (double)(mass[k] / most), size = fmax(fabs(w), fabs(r->likelihood[k]));
        if (size > 0) worst = fmax(worst, fabs(w - r->likelihood[k]) / size);
    }
    return worst;
}

static const policy_rule *rule_for(const walk *w, int t, const place *h)
{
    const policy_rule *best = NULL;
    double nearest = 1e-6; /* likelihoods apart by more are others */
    for (size_t i = 0; i < w->policy->rule_count; i++) {
        const policy_rule *r = &w->policy->rules[i];
        if (r->time != t || r->state != h->state) continue;
        if (r->kind == VOUCH_RULE_KNOWLEDGE && mask_of(r) == h->known) return r;
        if (r->kind == VOUCH_RULE_BOUNDARY && mask_of(r) == h->known && r->boundary_state == h->boundary) return r;
        if (r->kind == VOUCH_RULE_LIKELIHOOD && distance(r, h->mass, w->m->K) < nearest) {
            nearest = distance(r, h->mass, w->m->K);
            best = r;
        }
    }
    return best;
}

static const policy_rule *plan_rule_for(const walk *w, int plan, int t, const place *h)
{
    for (size_t i = 0; i < w->policy->rule_count; i++) {
        const policy_rule *r = &w->policy->rules[i];
        if (r->kind == VOUCH_RULE_PLAN && r->plan == plan && r->time == t && r->state == h->state) return r;
    }
    return NULL;
}

/* mass: likelihoods; reach: the policy's own part of the probability; plan: which is followed, or -1. */
static void follow(walk *w, int t, const place *h, int plan, long double reach)
{
    const vouch_model *m = w->m;
    int L = w->policy->L;
    if (t == m->T) {
        for (int k = 0; k < m->K; k++)
            if (m->terminal[h->state] > 0) w->v->pr[k] += h->mass[k] * reach;
        return;
    }
    const policy_rule *r = plan < 0 ? rule_for(w, t, h) : plan_rule_for(w, plan, t, h);
    if (!r) {
        w->lost = true;
        return;
    }
    for (int i = 0; i < r->follow_count; i++) follow(w, t, h, r->follow[i], reach * (long double)r->share[i]);
    if (r->follow_count > 0) return;
    bool history = r->kind == VOUCH_RULE_LIKELIHOOD || plan >= 0;
    for (int i = 0; i < r->do_count; i++) {
        int q = model_pair(m, h->state, r->action[i]);
        long double part = reach * (long double)r->prob[i];
        for (int k = 0; k < m->K; k++) { /* each observation once, with all environments that share it */
            const mdp *e = &m->env[k];
            if (h->mass[k] == 0) continue;
            for (int o = e->start[q]; o < e->start[q + 1]; o++) {
                unsigned first = 0;
                place n = history ? (place){.state = e->next[o],
                                            .boundary = h->boundary,
                                            .known = consistent(m, h->known, q, e->next[o], e->reward[o])}
                                  : after(m, L, t, h, q, e->next[o], e->reward[o]);
                w->v->u[k] += h->mass[k] * part * (long double)e->prob[o] * (long double)e->reward[o];
                unsigned same = consistent(m, (1u << m->K) - 1, q, e->next[o], e->reward[o]);
                for (int l = 0; l < k; l++)
                    if ((same >> l & 1) && h->mass[l] > 0) first = 1;
                if (first) continue;
                for (int l = k; l < m->K; l++)
                    for (int x = m->env[l].start[q]; (same >> l & 1) && x < m->env[l].start[q + 1]; x++)
                        if (m->env[l].next[x] == e->next[o]) n.mass[l] = h->mass[l] * (long double)m->env[l].prob[x];
                follow(w, t + 1, &n, plan, part);
            }
        }
    }
}

bool policies_follow(const vouch_model *m, const vouch_policy *policy, attained *v)
{
    walk w = {m, policy, v, false};
    place h = beginning(m);
    memset(v, 0, sizeof *v);
    follow(&w, 0, &h, -1, 1);
    return !w.lost;
}

/* ---- stochastic policies ---- */
enum { ACTIONS = 6 };
static const double START_STEP = 1, LAST_STEP = 1e-5; /* how far a change goes towards one action, first and last */

typedef struct mixed_place {
    place at;
    double share[ACTIONS];
} mixed_place;

typedef struct climb {
    search s; /* reached place, and reward so far */
    rng *r;
    mixed_place *list; /* every place reached by a policy, with its action there */
    int count, most, *time;
} climb;

static double least_of(const long double x[], int K)
{
    double least = INFINITY;
    for (int k = 0; k < K; k++) least = fmin(least, (double)x[k]);
    return least;
}

static void draw_share(rng *r, int actions, double share[])
{
    double sum = 0;
    bool one = rng_unit(r) < 0.5;
    int at = (int)rng_below(r, (uint64_t)actions);
    for (int a = 0; a < actions; a++) sum += share[a] = one ? a == at : -log(1 - rng_unit(r)) + 1e-9;
    for (int a = 0; a < actions; a++) share[a] /= sum;
}

/* The action at a place, drawn at the first visit. NULL: too many places. */
static mixed_place *mixed_at(climb *x, int t, const place *h)
{
    for (int i = 0; i < x->count; i++) {
        const place *y = &x->list[i].at;
        if (x->time[i] == t && y->state == h->state && y->boundary == h->boundary && y->known == h->known) return &x->list[i];
    }
    if (x->count == x->most) return NULL;
    const vouch_model *m = x->s.m;
    x->time[x->count] = t;
    x->list[x->count].at = *h;
    draw_share(x->r, m->pair_start[h->state + 1] - m->pair_start[h->state], x->list[x->count].share);
    return &x->list[x->count++];
}

/* v: the policy's figures. false: too many places. */
static bool run_mixed(climb *x, attained *v)
{
    search *s = &x->s;
    const vouch_model *m = s->m;
    policies one = {v, 0, 1};
    s->p = &one;
    memset(s->u, 0, sizeof s->u);
    s->layer[0].count = 1;
    s->layer[0].place[0] = beginning(m);
    for (int t = 0; t < m->T; t++) {
        s->layer[t + 1].count = 0;
        for (int i = 0; i < s->layer[t].count; i++) {
            const place *h = &s->layer[t].place[i];
            const mixed_place *does = mixed_at(x, t, h);
            long double sum = 0; /* of shares, 1 to rounding: by which policies would gain */
            for (int a = 0; does && a < m->pair_start[h->state + 1] - m->pair_start[h->state]; a++)
                sum += (long double)does->share[a];
            for (int q = m->pair_start[h->state]; does && q < m->pair_start[h->state + 1]; q++) {
                place part = *h;
                for (int k = 0; k < m->K; k++) part.mass[k] *= (long double)does->share[q - m->pair_start[h->state]] / sum;
                if (does->share[q - m->pair_start[h->state]] > 0) act(s, t, &part, q);
            }
            if (!does || s->full) return false;
        }
    }
    record(s);
    return true;
}

/* Less is better: what promises are missed by comes first. */
static double worth(const vouch_model *m, const double optimal[], const attained *v, double *missed)
{
    double most = -INFINITY;
    for (int k = 0; k < m->K; k++) most = fmax(most, (double)((long double)optimal[k] - v->u[k]));
    *missed = fmax(0, m->p - least_of(v->pr, m->K));
    return most;
}

/* The places that a policy has rules of L updates for. */
static void begin_with(climb *x, const vouch_policy *policy)
{
    const vouch_model *m = x->s.m;
    for (size_t i = 0; i < policy->rule_count; i++) {
        const policy_rule *r = &policy->rules[i];
        bool boundary = r->kind == VOUCH_RULE_BOUNDARY;
        place h = {.state = r->state, .boundary = boundary ? r->boundary_state : m->s0, .known = mask_of(r)};
        mixed_place *at = boundary || r->kind == VOUCH_RULE_KNOWLEDGE ? mixed_at(x, r->time, &h) : NULL;
        if (!at) continue;
        memset(at->share, 0, sizeof at->share);
        for (int a = 0; a < r->do_count; a++)
            at->share[model_pair(m, r->state, r->action[a]) - m->pair_start[r->state]] = r->prob[a];
    }
}

double policies_climb(const vouch_model *m, int L, const double optimal[], const vouch_policy *from, int changes, rng *r)
{
    climb *x = calloc(1, sizeof *x);
    attained v;
    double missed, best = INFINITY, best_missed = INFINITY, before[ACTIONS] = {0};
    int at = 0; /* the place changed last, where `before` was done */
    if (!x) abort();
    *x = (climb){.s = {.m = m, .L = L}, .r = r, .most = (m->T + 1) * PLACES};
    x->list = malloc((size_t)x->most * sizeof *x->list);
    x->time = malloc((size_t)x->most * sizeof *x->time);
    if (!x->list || !x->time || m->K > K_MOST || m->T > T_MOST || m->A > ACTIONS) abort();
    if (from) begin_with(x, from);
    for (int i = 0; i < changes && run_mixed(x, &v); i++) {
        double now = worth(m, optimal, &v, &missed);
        bool better = missed < best_missed || (missed <= best_missed && now <= best);
        if (better) {
            best = now;
            best_missed = missed;
        } else
            memcpy(x->list[at].share, before, sizeof before);
        at = (int)rng_below(r, (uint64_t)x->count);
        memcpy(before, x->list[at].share, sizeof before);
        int state = x->list[at].at.state, actions = m->pair_start[state + 1] - m->pair_start[state];
        double towards[ACTIONS], step = START_STEP * pow(LAST_STEP / START_STEP, rng_unit(r));
        draw_share(r, actions, towards);
        for (int a = 0; a < actions; a++) x->list[at].share[a] += step * (towards[a] - x->list[at].share[a]);
    }
    free(x->list), free(x->time), free(x);
    return best_missed > 0 ? INFINITY : best;
}
