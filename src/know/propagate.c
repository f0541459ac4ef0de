/* know/propagate.c - the reported figures of a policy, computed without programs or multipliers.
 *
 *     reach(child;k) += reach(n;k) prob(c) P(s'|s,a;k),     U(k) = sum reach prob R,     Pr(k) = sum at T of reach terminal
 *
 * Cost: edges times environments. Nodes are numbered by time, so one pass in order is enough.
 */
#include "know/propagate.h"

#include <math.h>
#include <string.h>

#include "base/check.h"

static const double RULE_SUM_TOLERANCE = 1e-9; /* of the probabilities of one rule, read from a file with 17 digits */

static void clear_layer(const know_graph *g, int t, double reach[])
{
    size_t K = (size_t)g->K, first = (size_t)g->time_start[t] * K, last = (size_t)g->time_start[t + 1] * K;
    memset(reach + first, 0, (last - first) * sizeof *reach);
}

int propagate_forward(const know_graph *g, const double prob[], double reach[], double U[], double Pr[])
{
    size_t K = (size_t)g->K;
    int cleared = 0; /* the last layer cleared: just before it is added to, which is cache-friendly */
    for (size_t k = 0; k < K; k++) {
        U[k] = Pr[k] = 0;
        reach[k] = 1;
    }
    for (int n = 0; n < g->time_start[g->T]; n++) {
        if (n == g->time_start[cleared]) clear_layer(g, ++cleared, reach);
        const double *here = reach + (size_t)n * K;
        const int *env = g->member + g->member_start[g->set[n]];
        int count = know_set_size(g, g->set[n]);
        double most = 0, sum = 0;
        for (int i = 0; i < count; i++) most = here[env[i]] > most ? here[env[i]] : most;
        CHECK_COMPARE(most, <=, 1 + MODEL_SUM_TOLERANCE);
        if (most <= 0) continue;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            if (prob[c] <= 0) continue;
            sum += prob[c];
            const double *r = g->reward + (size_t)g->choice_pair[c] * K;
            for (int i = 0; i < count; i++) U[env[i]] += here[env[i]] * prob[c] * r[env[i]];
            for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++) {
                const double *p = g->successor_prob + (size_t)g->edge_row[e] * K;
                int child = g->edge_child[e];
                const int *to = g->member + g->member_start[g->set[child]];
                int to_count = know_set_size(g, g->set[child]);
                double *there = reach + (size_t)child * K;
                if (to_count == g->K) /* always in a Markov policy */
                    for (size_t k = 0; k < K; k++) there[k] += here[k] * prob[c] * p[k];
                else
                    for (int i = 0; i < to_count; i++) there[to[i]] += here[to[i]] * prob[c] * p[to[i]];
            }
        }
        if (!(fabs(sum - 1) <= RULE_SUM_TOLERANCE)) return n;
    }
    for (int n = g->time_start[g->T]; n < g->nodes; n++)
        for (size_t k = 0; k < K; k++) Pr[k] += know_terminal(g, n, (int)k) * reach[(size_t)n * K + k];
    return -1;
}

choice_worth propagate_choice(const know_graph *g, int choice, int k, const double gain[], const double keep[])
{
    size_t K = (size_t)g->K;
    choice_worth w = {g->reward[(size_t)g->choice_pair[choice] * K + (size_t)k], 0};
    for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++) {
        int child = g->edge_child[e];
        double p = g->successor_prob[(size_t)g->edge_row[e] * K + (size_t)k];
        if (p <= 0 || !know_in_set(g, g->set[child], k)) continue;
        w.u += p * gain[(size_t)child * K + (size_t)k];
        w.pr += p * keep[(size_t)child * K + (size_t)k];
    }
    CHECK_COMPARE(w.pr, >=, 0);
    return w;
}

void propagate_worths(const know_graph *g, int choice, int set, const double gain[], const double keep[], double worth[])
{
    size_t K = (size_t)g->K;
    double *u = worth, *pr = worth + K;
    const double *reward = g->reward + (size_t)g->choice_pair[choice] * K;
    const int *env = g->member + g->member_start[set];
    int count = know_set_size(g, set);
    for (int i = 0; i < count; i++) {
        u[env[i]] = reward[env[i]];
        pr[env[i]] = 0;
    }
    for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++) {
        int child = g->edge_child[e];
        bool whole = know_set_size(g, g->set[child]) == g->K;
        const double *prob = g->successor_prob + (size_t)g->edge_row[e] * K, *below = gain + (size_t)child * K,
                     *kept = keep + (size_t)child * K;
        if (whole && count == g->K) { /* always in a Markov policy; without branches */
            for (size_t k = 0; k < K; k++) {
                u[k] += prob[k] * below[k];
                pr[k] += prob[k] * kept[k];
            }
            continue;
        }
        for (int i = 0; i < count; i++) {
            int k = env[i];
            if (prob[k] <= 0 || !(whole || know_in_set(g, g->set[child], k))) continue;
            u[k] += prob[k] * below[k];
            pr[k] += prob[k] * kept[k];
        }
    }
}

void propagate_backward(const know_graph *g, const double prob[], double gain[], double keep[])
{
    size_t K = (size_t)g->K;
    for (int n = g->nodes - 1; n >= 0; n--) {
        double *u = gain + (size_t)n * K, *pr = keep + (size_t)n * K;
        memset(u, 0, K * sizeof *u);
        memset(pr, 0, K * sizeof *pr);
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
            int k = g->member[i];
            if (n >= g->time_start[g->T]) {
                pr[k] = know_terminal(g, n, k);
                continue;
            }
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
                if (prob[c] <= 0) continue;
                choice_worth w = propagate_choice(g, c, k, gain, keep);
                u[k] += prob[c] * w.u;
                pr[k] += prob[c] * w.pr;
            }
        }
    }
}

void propagate_pick(const know_graph *g, const int pick[], double prob[])
{
    memset(prob, 0, (size_t)g->choices * sizeof *prob);
    for (int n = 0; n < g->time_start[g->T]; n++) {
        CHECK(pick[n] < 0 || (pick[n] >= g->choice_start[n] && pick[n] < g->choice_start[n + 1]));
        prob[pick[n] >= 0 ? pick[n] : g->choice_start[n]] = 1;
    }
}
