/* tests/promise_aid.h - small random models with promises of all kinds, with sets and probabilities by environment and initial
 * distributions, and what their definitions say of every deterministic policy over (time, state, what is decided): it is followed
 * along whole histories of states. */
#ifndef PROMISE_AID_H
#define PROMISE_AID_H

#include "plan_aid.h"

#include <vouch/ccil.h>
#include <vouch/vouch.h>

#include "base/rng.h"
#include "mdp/join.h"

enum { MOST_S = 3, A = 2, MOST_T = 3, MOST_K = 2, MOST_J = 3, MOST_NODES = 11 };
#define KEPT 1e-9

typedef struct drawn {
    int S, T, K, J;
    double P[MOST_K][MOST_S][A][MOST_S], R[MOST_K][MOST_S][A], first[MOST_S];
    bool spread; /* an initial distribution */
    struct {
        vouch_promise_kind kind;
        int from, to;
        bool in[MOST_K][MOST_S];
        double p[MOST_K];
    } promise[MOST_J];
    int nodes;
    struct {
        int t, s;
        char decided[MOST_J][MOST_K]; /* '?', 'y', 'n' */
    } node[64];
} drawn;

static rng random_now;
static double unit(void) { return rng_unit(&random_now); }
static int below(int n) { return (int)(rng_next(&random_now) % (uint64_t)n); }

/* Promise j in environment k after the states s[0 .. t]: 'y' kept, 'n' broken whatever comes, '?' open. At the horizon what is open
 * counts as the last state says. */
static char judge(const drawn *d, int j, int k, const int s[], int t)
{
    int to = d->promise[j].to, from = d->promise[j].from;
    const bool *in = d->promise[j].in[k];
    vouch_promise_kind kind = d->promise[j].kind;
    if (kind == VOUCH_PROMISE_AT) return to == d->T || t < to ? '?' : in[s[to]] ? 'y' : 'n';
    if (kind == VOUCH_PROMISE_BY) {
        for (int i = 0; i <= t && i <= to; i++)
            if (in[s[i]]) return 'y';
        return t >= to && to < d->T ? 'n' : '?';
    }
    for (int i = from; i <= t && i <= to; i++)
        if (in[s[i]] == (kind == VOUCH_PROMISE_AVOID)) return 'n';
    return t >= to && to < d->T ? 'y' : '?';
}

static bool holds_at_end(const drawn *d, int j, int k, const int s[])
{
    char c = judge(d, j, k, s, d->T);
    if (c != '?') return c == 'y';
    if (d->promise[j].kind == VOUCH_PROMISE_AT) return d->promise[j].in[k][s[d->T]];
    return d->promise[j].kind != VOUCH_PROMISE_BY;
}

/* The node of a history; -1: they are too many. */
static int node_of(drawn *d, const int s[], int t)
{
    char decided[MOST_J][MOST_K] = {{0}};
    for (int j = 0; j < d->J; j++)
        for (int k = 0; k < d->K; k++) decided[j][k] = judge(d, j, k, s, t);
    for (int n = 0; n < d->nodes; n++)
        if (d->node[n].t == t && d->node[n].s == s[t] && memcmp(decided, d->node[n].decided, sizeof decided) == 0) return n;
    if (d->nodes == 64) return -1;
    d->node[d->nodes].t = t;
    d->node[d->nodes].s = s[t];
    memcpy(d->node[d->nodes].decided, decided, sizeof decided);
    return d->nodes++;
}

typedef struct worth {
    double U, Pr[MOST_J];
} worth;

static void follow(drawn *d, int k, unsigned policy, int s[], int t, double reach, worth *w)
{
    if (t == d->T) {
        for (int j = 0; j < d->J; j++) w->Pr[j] += holds_at_end(d, j, k, s) ? reach : 0;
        return;
    }
    int a = (int)(policy >> node_of(d, s, t) & 1U);
    w->U += reach * d->R[k][s[t]][a];
    for (s[t + 1] = 0; s[t + 1] < d->S; s[t + 1]++) {
        double p = d->P[k][s[t]][a][s[t + 1]];
        int next = s[t + 1];
        if (p > 0) follow(d, k, policy, s, t + 1, reach * p, w);
        s[t + 1] = next;
    }
}

static worth value(drawn *d, int k, unsigned policy)
{
    worth w = {0};
    int s[MOST_T + 1];
    for (s[0] = 0; s[0] < d->S; s[0]++)
        if (d->first[s[0]] > 0) {
            int first = s[0];
            follow(d, k, policy, s, 0, d->first[first], &w);
            s[0] = first;
        }
    return w;
}

/* Every node up to time `last` that any policy reaches; false: too many decide. */
static bool find_nodes(drawn *d, int s[], int t, int last)
{
    int n = node_of(d, s, t), deciding = 0;
    for (int i = 0; i < d->nodes; i++) deciding += d->node[i].t < d->T;
    if (n < 0 || deciding > MOST_NODES || n >= 60) return false;
    if (t == last) return true;
    for (int next = 0; next < d->S; next++) {
        bool possible = false;
        for (int k = 0; k < d->K; k++)
            for (int a = 0; a < A; a++) possible |= d->P[k][s[t]][a][next] > 0;
        s[t + 1] = next;
        if (possible && !find_nodes(d, s, t + 1, last)) return false;
    }
    return true;
}

static void draw_row(const drawn *d, double row[])
{
    double sum = 0;
    for (int s = 0; s < d->S; s++) sum += row[s] = unit() < 0.6 ? 0.05 + unit() : 0;
    if (!(sum > 0)) sum = row[below(d->S)] = 1;
    for (int s = 0; s < d->S; s++) row[s] /= sum;
}

static bool draw(drawn *d, int J)
{
    *d = (drawn){.S = 2 + below(2), .T = 2 + below(2), .K = 1 + below(2), .J = J};
    bool shared = below(2);
    for (int k = 0; k < d->K; k++)
        for (int s = 0; s < d->S; s++)
            for (int a = 0; a < A; a++) {
                draw_row(d, d->P[k][s][a]);
                d->R[k][s][a] = below(4);
                if (k && shared) memcpy(d->P[k][s][a], d->P[0][s][a], sizeof d->P[k][s][a]);
            }
    d->spread = below(3) == 0;
    if (d->spread)
        draw_row(d, d->first);
    else
        d->first[0] = 1;
    for (int j = 0; j < J; j++) {
        bool by_environment = below(2), early = below(2);
        d->promise[j].kind = (vouch_promise_kind)below(VOUCH_PROMISE_KINDS);
        d->promise[j].to = early ? below(d->T + 1) : d->T;
        d->promise[j].from = below(2) ? 0 : below(d->promise[j].to + 1);
        for (int k = 0; k < d->K; k++)
            for (int s = 0; s < d->S; s++) d->promise[j].in[k][s] = k && !by_environment ? d->promise[j].in[0][s] : below(2) == 0;
    }
    int s[MOST_T + 1];
    for (int first = 0; first < d->S; first++) {
        s[0] = first;
        if (d->first[first] > 0 && !find_nodes(d, s, 0, d->T - 1)) return false;
    }
    return true;
}

/* p so that some policy keeps all promises. */
static void draw_probabilities(drawn *d, unsigned policies)
{
    unsigned chosen = (unsigned)below((int)policies);
    for (int k = 0; k < d->K; k++) {
        worth w = value(d, k, chosen);
        for (int j = 0; j < d->J; j++) d->promise[j].p[k] = below(4) ? w.Pr[j] * (0.5 + 0.5 * unit()) : fmin(1, w.Pr[j]);
    }
}

/* Draws until the deterministic policies are few; their number. */
static unsigned draw_small(drawn *d, int J)
{
    for (;;) {
        if (!draw(d, J)) continue;
        unsigned policies = 1;
        for (int n = 0; n < d->nodes; n++)
            if (d->node[n].t < d->T) policies = 2U << n > policies ? 2U << n : policies;
        if (policies > 1U << 12) continue;
        draw_probabilities(d, policies);
        return policies;
    }
}

static vouch_model *make(const drawn *d)
{
    vouch_model *m;
    vouch_error error = {0};
    assert_int_equal(vouch_model_new(&m, d->S, A, d->K, d->T), VOUCH_OK);
    for (int k = 0; k < d->K; k++)
        for (int s = 0; s < d->S; s++)
            for (int a = 0; a < A; a++)
                for (int n = 0; n < d->S; n++)
                    if (d->P[k][s][a][n] > 0)
                        assert_int_equal(vouch_model_add(m, k, s, a, n, d->P[k][s][a][n], d->R[k][s][a]), VOUCH_OK);
    for (int s = 0; s < d->S && d->spread; s++)
        assert_int_equal(vouch_model_set_initial_probability(m, -1, s, d->first[s]), VOUCH_OK);
    for (int j = 0; j < d->J; j++) {
        char name[16];
        bool window = d->promise[j].kind == VOUCH_PROMISE_STAY || d->promise[j].kind == VOUCH_PROMISE_AVOID;
        snprintf(name, sizeof name, "p%d", j);
        assert_int_equal(vouch_model_add_promise(m, name, d->promise[j].kind, window ? d->promise[j].from : -1, d->promise[j].to),
                         VOUCH_OK);
        for (int k = 0; k < d->K; k++) {
            for (int s = 0; s < d->S; s++)
                assert_int_equal(vouch_model_set_promise_state(m, j, k, s, d->promise[j].in[k][s]), VOUCH_OK);
            assert_int_equal(vouch_model_set_promise_probability(m, j, k, d->promise[j].p[k]), VOUCH_OK);
        }
    }
    if (vouch_model_finish(m, NULL, &error)) fail_msg("%s", error.text);
    return m;
}

/* The policy as it is read from the file that it is written to. */
static vouch_policy *read_back(const vouch_policy *policy, const vouch_model *m)
{
    text bytes = policy_bytes(policy, m);
    vouch_policy *back;
    vouch_error error = {0};
    if (policy_json_parse(&back, m, "policy", mem_string(bytes.data), bytes.length, &error)) fail_msg("%s", error.text);
    text_free(&bytes);
    return back;
}

/* What guarded planning again comes to, which keeps what is promised. The objective of o counts, at L = 1. For vouch_ccil_free. */
static vouch_ccil *plan_again(const drawn *d, const vouch_model *m, const vouch_plan_options *o, vouch_ccil_result *r)
{
    vouch_ccil_options co;
    vouch_ccil *c;
    vouch_error error = {0};
    vouch_ccil_options_init(&co);
    co.plan.method = VOUCH_METHOD_MILP_CCL;
    co.plan.lookahead = 1;
    co.plan.objective = o->objective;
    co.plan.weights = o->weights;
    co.guarded = 1;
    if (vouch_ccil_new(&c, m, &co, &error) || vouch_ccil_evaluate(c, &error)) fail_msg("%s", error.text);
    vouch_ccil_get_result(c, r);
    assert_true(r->has_policy);
    for (int k = 0; k < d->K; k++)
        for (int j = 0; j < d->J; j++) assert_true(r->commitments[k * d->J + j] >= d->promise[j].p[k] - KEPT);
    return c;
}

#endif
