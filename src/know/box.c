/* know/box.c - see box.h. */
#include "know/box.h"

#include <math.h>
#include <string.h>

/* Gives what low leaves of 1 to the choices in descending order of worth. count items; x written; returns sum of x * worth. */
static double knapsack(int count, const double worth[], const int option[], const double low[], const double high[], double x[])
{
    double left = 1, value = 0;
    for (int i = 0; i < count; i++) {
        x[i] = low[option[i]];
        left -= x[i];
    }
    while (left > 0) {
        int best = -1;
        for (int i = 0; i < count; i++)
            if (x[i] < high[option[i]] && (best < 0 || worth[i] > worth[best])) best = i;
        if (best < 0) break;
        double more = fmin(left, high[option[best]] - x[best]);
        x[best] = more < left ? high[option[best]] : x[best] + left;
        left -= more;
    }
    for (int i = 0; i < count; i++) value += x[i] * worth[i];
    return value;
}

double box_backward(const know_classes *c, const double reward[], const double mu[], const double low[], const double high[],
                    double scratch[], double value[], double prob[])
{
    const know_graph *g = c->g;
    size_t K = (size_t)c->K;
    for (int i = c->time_start[g->T]; i < c->classes; i++) value[i] = know_class_end(c, i, mu);
    for (int i = c->time_start[g->T] - 1; i >= 0; i--) {
        const double *w = c->w + (size_t)i * K;
        int first = c->slot_start[i], count = c->slot_start[i + 1] - first;
        double *worth = prob + first; /* then overwritten by the policy */
        for (int s = 0; s < count; s++) {
            const double *r = reward + (size_t)c->slot_option[first + s] * K;
            double v = 0;
            for (size_t k = 0; k < K; k++) v += w[k] * r[k];
            for (int a = c->arc_start[first + s]; a < c->arc_start[first + s + 1]; a++)
                v += c->arc_factor[a] * value[c->arc_child[a]];
            worth[s] = v;
        }
        if (count == 1) {
            value[i] = worth[0];
            prob[first] = 1;
        } else if (count == 2) { /* the usual case, without a loop */
            int a = c->slot_option[first], b = c->slot_option[first + 1];
            double x = worth[0] >= worth[1] ? fmin(high[a], 1 - low[b]) : fmax(low[a], 1 - high[b]);
            value[i] = x * worth[0] + (1 - x) * worth[1];
            prob[first] = x;
            prob[first + 1] = 1 - x;
        } else {
            value[i] = knapsack(count, worth, c->slot_option + first, low, high, scratch);
            memcpy(prob + first, scratch, (size_t)count * sizeof *prob);
        }
    }
    return value[0];
}

void box_forward(const know_classes *c, const double prob[], double reach[], double y[], double Pr[])
{
    const know_graph *g = c->g;
    size_t K = (size_t)c->K;
    memset(reach, 0, (size_t)c->classes * sizeof *reach);
    memset(y, 0, (size_t)g->choices * K * sizeof *y);
    memset(Pr, 0, K * sizeof *Pr);
    reach[0] = 1;
    for (int i = 0; i < c->time_start[g->T]; i++) {
        if (reach[i] <= 0) continue;
        const double *w = c->w + (size_t)i * K;
        for (int s = c->slot_start[i]; s < c->slot_start[i + 1]; s++) {
            double here = reach[i] * prob[s], *at = y + (size_t)c->slot_option[s] * K;
            if (here <= 0) continue;
            for (size_t k = 0; k < K; k++) at[k] += here * w[k];
            for (int a = c->arc_start[s]; a < c->arc_start[s + 1]; a++) reach[c->arc_child[a]] += here * c->arc_factor[a];
        }
    }
    know_class_ends(c, reach, Pr);
}

/* The knapsack's value when item `which` has the range low .. high instead of its own. used: [count] scratch. */
static double narrowed(int count, const double worth[], const int option[], const double low[], const double high[], int which,
                       double low2, double high2, double used[])
{
    double left = 1, value = 0;
    for (int i = 0; i < count; i++) {
        used[i] = i == which ? low2 : low[option[i]];
        left -= used[i];
        value += used[i] * worth[i];
    }
    while (left > 0) {
        int best = -1;
        for (int i = 0; i < count; i++)
            if (used[i] < (i == which ? high2 : high[option[i]]) && (best < 0 || worth[i] > worth[best])) best = i;
        if (best < 0) break;
        double top = best == which ? high2 : high[option[best]], more = fmin(left, top - used[best]);
        value += more * worth[best];
        if (more >= left) break;
        used[best] = top;
        left -= more;
    }
    return value;
}

void box_loss(const know_classes *c, const double reward[], const double low[], const double high[], const double low2[],
              const double high2[], const double value[], const double reach[], double scratch[], double loss[])
{
    const know_graph *g = c->g;
    size_t K = (size_t)c->K;
    double *worth = scratch, *used = scratch + g->m->A;
    memset(loss, 0, (size_t)g->choices * sizeof *loss);
    for (int i = 0; i < c->time_start[g->T]; i++) {
        int first = c->slot_start[i], count = c->slot_start[i + 1] - first;
        if (reach[i] <= 0 || count < 2) continue;
        for (int s = 0; s < count; s++) {
            const double *r = reward + (size_t)c->slot_option[first + s] * K, *w = c->w + (size_t)i * K;
            double v = 0;
            for (size_t k = 0; k < K; k++) v += w[k] * r[k];
            for (int a = c->arc_start[first + s]; a < c->arc_start[first + s + 1]; a++)
                v += c->arc_factor[a] * value[c->arc_child[a]];
            worth[s] = v;
        }
        for (int s = 0; s < count; s++) {
            int o = c->slot_option[first + s];
            loss[o] +=
                reach[i] * (value[i] - narrowed(count, worth, c->slot_option + first, low, high, s, low2[o], high2[o], used));
        }
    }
}

/* The least (sign -1) or most (sign 1) probability of node n in environment k. hit [nodes] scratch, worth [2 * actions]. */
static double extreme_reach(const know_graph *g, int n, int first_peer, int k, double sign, const double low[], const double high[],
                            double hit[], double worth[])
{
    size_t K = (size_t)g->K;
    for (int m = first_peer; m <= n; m++) hit[m] = 0;
    hit[n] = sign;
    for (int m = first_peer - 1; m >= 0; m--) {
        int first = g->choice_start[m], count = g->choice_start[m + 1] - first;
        double value = 0;
        bool any = false;
        if (!know_in_set(g, g->set[m], k)) {
            hit[m] = 0;
            continue;
        }
        for (int c = first; c < first + count; c++) {
            double v = 0;
            for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++) {
                int child = g->edge_child[e];
                if (child > n || hit[child] == 0) continue; /* nodes of n's time behind n are not n */
                double p = g->successor_prob[(size_t)g->edge_row[e] * K + (size_t)k];
                if (p > 0 && know_in_set(g, g->set[child], k)) v += p * hit[child];
            }
            worth[c - first] = v;
            any = any || v != 0;
        }
        if (any) {
            double left = 1;
            for (int c = first; c < first + count; c++) {
                value += low[c] * worth[c - first];
                left -= low[c];
                worth[count + c - first] = high[c] - low[c];
            }
            while (left > 0) {
                int best = -1;
                for (int i = 0; i < count; i++)
                    if (worth[count + i] > 0 && (best < 0 || worth[i] > worth[best])) best = i;
                if (best < 0) break;
                double more = fmin(left, worth[count + best]);
                value += more * worth[best];
                worth[count + best] = 0;
                left -= more;
            }
        }
        hit[m] = value;
    }
    return sign * hit[0];
}

void box_reach(const know_graph *g, int n, const double low[], const double high[], double scratch[], double least[], double most[])
{
    int peers = g->time_start[know_time(g, n)];
    double *worth = scratch + g->nodes;
    for (int k = 0; k < g->K; k++) {
        bool in = know_in_set(g, g->set[n], k);
        least[k] = in ? fmax(0, extreme_reach(g, n, peers, k, -1, low, high, scratch, worth)) : 0;
        most[k] = in ? fmin(1, extreme_reach(g, n, peers, k, 1, low, high, scratch, worth)) : 0;
    }
}
