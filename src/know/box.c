/* know/box.c - inductions over boxes (box.h).
 *
 *     V(c) = max over x in the box of c's node, sum x = 1, of  sum_slots x_slot (w'reward(slot) + sum over arcs factor * V(child))
 *
 * a fractional knapsack for each class (G. B. Dantzig, Operations Research 5, 1957). Cost: one pass over slots and arcs, and the
 * square of the choices of a node with more than two. Classes are stored by time, children after their parents.
 */
#include "know/box.h"

#include <math.h>
#include <string.h>

#include "base/check.h"

/* The choices of one class: option and value [count]. */
typedef struct knapsack {
    int count;
    const int *option;
    const double *worth;
    policy_box in;
} knapsack;

/* Distributes 1 less the sum of low over the choices in descending order of worth. Writes x [count]; returns sum of x * worth. */
static double fill(const knapsack *k, double x[])
{
    double left = 1, value = 0;
    for (int i = 0; i < k->count; i++) {
        x[i] = k->in.low[k->option[i]];
        left -= x[i];
    }
    while (left > 0) {
        int best = -1;
        for (int i = 0; i < k->count; i++)
            if (x[i] < k->in.high[k->option[i]] && (best < 0 || k->worth[i] > k->worth[best])) best = i;
        if (best < 0) break;
        double high = k->in.high[k->option[best]], more = fmin(left, high - x[best]);
        x[best] = more < left ? high : x[best] + left;
        left -= more;
    }
    for (int i = 0; i < k->count; i++) value += x[i] * k->worth[i];
    return value;
}

/* The knapsack's value with the range of `narrower` for item `which`. used: [count] scratch. */
static double narrowed(const knapsack *k, policy_box narrower, int which, double used[])
{
    double left = 1, value = 0;
    for (int i = 0; i < k->count; i++) {
        used[i] = (i == which ? narrower.low : k->in.low)[k->option[i]];
        left -= used[i];
        value += used[i] * k->worth[i];
    }
    while (left > 0) {
        int best = -1;
        for (int i = 0; i < k->count; i++)
            if (used[i] < (i == which ? narrower.high : k->in.high)[k->option[i]] && (best < 0 || k->worth[i] > k->worth[best]))
                best = i;
        if (best < 0) break;
        double top = (best == which ? narrower.high : k->in.high)[k->option[best]], more = fmin(left, top - used[best]);
        value += more * k->worth[best];
        if (more >= left) break;
        used[best] = top;
        left -= more;
    }
    return value;
}

/* worth [slots of class i]: w'reward plus the value of the successors. */
static void find_worths(const box_induction *x, int i, double worth[])
{
    const know_classes *c = x->c;
    size_t K = (size_t)c->K;
    const double *w = know_class_weights(c, i);
    for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) {
        const double *r = x->reward + (size_t)c->slot_option[slot] * K;
        double v = 0;
        for (size_t k = 0; k < K; k++) v += w[k] * r[k];
        for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) v += c->arc_factor[a] * x->value[c->arc_child[a]];
        *worth++ = v;
    }
}

double box_backward(const box_induction *x)
{
    const know_classes *c = x->c;
    for (int i = c->time_start[c->g->T]; i < c->classes; i++) x->value[i] = know_class_end(c, i, x->mu);
    for (int i = c->time_start[c->g->T] - 1; i >= 0; i--) {
        int first = c->slot_start[i], count = c->slot_start[i + 1] - first;
        double *prob = x->prob + first; /* worths, then overwritten by the policy */
        CHECK_COMPARE(count, >, 0);
        find_worths(x, i, prob);
        if (count == 1) {
            x->value[i] = prob[0];
            prob[0] = 1;
        } else if (count == 2) { /* the usual case, without a loop */
            int a = c->slot_option[first], b = c->slot_option[first + 1];
            double share = prob[0] >= prob[1] ? fmin(x->in.high[a], 1 - x->in.low[b]) : fmax(x->in.low[a], 1 - x->in.high[b]);
            x->value[i] = share * prob[0] + (1 - share) * prob[1];
            prob[0] = share;
            prob[1] = 1 - share;
        } else {
            knapsack k = {count, c->slot_option + first, prob, x->in};
            x->value[i] = fill(&k, x->scratch);
            memcpy(prob, x->scratch, (size_t)count * sizeof *prob);
        }
    }
    return x->value[0];
}

void box_forward(const box_induction *x, double y[], double Pr[])
{
    const know_classes *c = x->c;
    const know_graph *g = c->g;
    size_t K = (size_t)c->K;
    double *reach = x->reach;
    memset(reach, 0, (size_t)c->classes * sizeof *reach);
    memset(y, 0, (size_t)g->choices * K * sizeof *y);
    memset(Pr, 0, K * sizeof *Pr);
    reach[0] = 1;
    for (int i = 0; i < c->time_start[g->T]; i++) {
        if (reach[i] <= 0) continue;
        const double *w = know_class_weights(c, i);
        for (int s = c->slot_start[i]; s < c->slot_start[i + 1]; s++) {
            double here = reach[i] * x->prob[s], *at = y + (size_t)c->slot_option[s] * K;
            if (here <= 0) continue;
            for (size_t k = 0; k < K; k++) at[k] += here * w[k];
            for (int a = c->arc_start[s]; a < c->arc_start[s + 1]; a++) reach[c->arc_child[a]] += here * c->arc_factor[a];
        }
    }
    know_class_ends(c, reach, Pr);
}

void box_loss(const box_induction *x, policy_box narrower, double loss[])
{
    const know_classes *c = x->c;
    double *worth = x->scratch, *used = x->scratch + c->g->m->A;
    memset(loss, 0, (size_t)c->g->choices * sizeof *loss);
    for (int i = 0; i < c->time_start[c->g->T]; i++) {
        int first = c->slot_start[i];
        knapsack k = {c->slot_start[i + 1] - first, c->slot_option + first, worth, x->in};
        if (x->reach[i] <= 0 || k.count < 2) continue;
        find_worths(x, i, worth);
        for (int s = 0; s < k.count; s++) loss[k.option[s]] += x->reach[i] * (x->value[i] - narrowed(&k, narrower, s, used));
    }
}

/* The least (sign -1) or most (sign 1) probability of node n in environment k. scratch [nodes + 2 * actions]. */
static double extreme_reach(const know_graph *g, int n, int k, double sign, policy_box in, double scratch[])
{
    size_t K = (size_t)g->K;
    int first_peer = g->time_start[know_time(g, n)];
    double *hit = scratch, *worth = scratch + g->nodes;
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
                if (child > n || hit[child] == 0) continue;
                double p = g->successor_prob[(size_t)g->edge_row[e] * K + (size_t)k];
                if (p > 0 && know_in_set(g, g->set[child], k)) v += p * hit[child];
            }
            worth[c - first] = v;
            any = any || v != 0;
        }
        if (any) {
            double left = 1;
            for (int c = first; c < first + count; c++) {
                value += in.low[c] * worth[c - first];
                left -= in.low[c];
                worth[count + c - first] = in.high[c] - in.low[c];
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

void box_reach(const know_graph *g, int n, policy_box in, double scratch[], double least[], double most[])
{
    for (int k = 0; k < g->K; k++) {
        bool comes = know_in_set(g, g->set[n], k);
        least[k] = comes ? fmax(0, extreme_reach(g, n, k, -1, in, scratch)) : 0;
        most[k] = comes ? fmin(1, extreme_reach(g, n, k, 1, in, scratch)) : 0;
        CHECK_COMPARE(least[k], <=, most[k] + MODEL_SUM_TOLERANCE);
    }
}
