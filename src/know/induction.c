/* know/induction.c - see induction.h. Classes are stored by time, so both inductions stream through memory once. */
#include "know/induction.h"

#include "base/check.h"

/* Slot values closer than this, relative to their size, tie, and the policy takes the lowest slot, at a loss of at most T times
 * this. */
static const double TIE = 1e-13;

static const double RULE_SUM_TOLERANCE = 1e-9; /* of the probabilities of one rule, read from a file with 17 digits */

/* ---- reachable classes: one pass in order of time, O(their slots and arcs) and a byte for each other class ---- */

void reachable_init(reachable_classes *l, const know_classes *c, arena *memory)
{
    *l = (reachable_classes){.c = c};
    l->before = ARENA_NEW(memory, int, c->g->T + 2);
    l->item = ARENA_NEW(memory, int, c->classes);
    l->slot_start = ARENA_NEW(memory, int, c->classes + 1);
    l->slot = ARENA_NEW(memory, int, c->slots);
    l->was = ARENA_ZERO(memory, unsigned char, c->options);
    l->come = ARENA_ZERO(memory, unsigned char, c->classes);
}

/* The next reached class from i on; end: none. */
static int next_come(const unsigned char come[], int i, int end)
{
    const unsigned char *at = i < end ? memchr(come + i, 1, (size_t)(end - i)) : NULL;
    return at ? (int)(at - come) : end;
}

void reachable_find(reachable_classes *l, const unsigned char allowed[], int end)
{
    const know_classes *c = l->c;
    CHECK(end > 0 && end <= c->g->T + 1);
    if (l->end >= end && memcmp(l->was, allowed, (size_t)c->options) == 0) return;
    int slots = 0, count = 0;
    memcpy(l->was, allowed, (size_t)c->options);
    memset(l->come, 0, (size_t)c->classes);
    l->come[0] = 1;
    for (int t = 0; t < end; t++) {
        int last = c->time_start[t + 1];
        l->before[t] = count;
        for (int i = next_come(l->come, c->time_start[t], last); i < last; i = next_come(l->come, i + 1, last)) {
            l->slot_start[count] = slots;
            l->item[count++] = i;
            for (int slot = c->slot_start[i]; t < c->g->T && slot < c->slot_start[i + 1]; slot++) {
                if (!allowed[c->slot_option[slot]]) continue;
                l->slot[slots++] = slot;
                for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) l->come[c->arc_child[a]] = 1;
            }
        }
    }
    l->before[end] = count;
    l->slot_start[count] = slots;
    l->end = end;
}

/* ---- inductions ---- */

/* sum_k w_k lambda_k r_k */
static double priced_reward(const double w[], const double lambda[], const double r[], int first, int last)
{
    double gain = 0;
    for (int k = first; k < last; k++) gain += w[k] * lambda[k] * r[k];
    return gain;
}

/* Value of a Pareto vector v [2K]. */
static double priced_vector(const know_classes *c, int i, const double v[], const double lambda[], const double mu[])
{
    int K = c->K, last = know_class_last(c, i);
    const double *w = know_class_weights(c, i);
    double gain = 0;
    for (int k = know_class_first(c, i); k < last; k++) gain += w[k] * (lambda[k] * v[k] + mu[k] * v[K + k]);
    return gain;
}

/* Immediate value of the slot: a reward, or the value of a Pareto vector. */
static double slot_gain(const know_classes *c, int i, int pair, const double lambda[], const double mu[])
{
    size_t K = (size_t)c->K;
    if (pair < 0) return priced_vector(c, i, c->f->value + (size_t)(-2 - pair) * 2 * K, lambda, mu);
    return priced_reward(know_class_weights(c, i), lambda, c->g->reward + (size_t)pair * K, know_class_first(c, i),
                         know_class_last(c, i));
}

double induction_slot_value(const know_classes *c, int i, int slot, const double lambda[], const double mu[], const double value[])
{
    double v = c->slot_pair[slot] == -1 ? 0 : slot_gain(c, i, c->slot_pair[slot], lambda, mu);
    for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) v += c->arc_factor[a] * value[c->arc_child[a]];
    return v;
}

double induction_backward(const reachable_classes *l, const double lambda[], const double mu[], int end, double value[], int best[])
{
    const know_classes *c = l->c;
    const int *slot_pair = c->slot_pair, *arc_start = c->arc_start, *arc_child = c->arc_child, *live = l->slot;
    const double *factor = c->arc_factor, *reward = c->g->reward;
    size_t K = (size_t)c->K;
    CHECK(end > 0 && end <= l->end);
    int count = l->before[end <= c->g->T ? end : c->g->T];
    /* Values of listed classes at the horizon, numbers first .. last - 1; usually all mu are 0. */
    bool priced = false;
    for (int k = 0; k < l->c->K; k++) priced |= mu[k] != 0;
    for (int n = count; n < l->before[end]; n++) value[l->item[n]] = priced ? know_class_end(l->c, l->item[n], mu) : 0;
    for (int n = count; n < l->before[end] && best; n++) best[l->item[n]] = -1;
    for (int n = count - 1; n >= 0; n--) {
        const int i = l->item[n], first_k = know_class_first(c, i), last_k = know_class_last(c, i);
        const double *w = know_class_weights(c, i);
        double most = -INFINITY, bar = -INFINITY;
        int argmost = -1;
        for (int s = l->slot_start[n]; s < l->slot_start[n + 1]; s++) {
            int slot = live[s], pair = slot_pair[slot];
            double v = pair == -1 ? 0
                       : pair < 0 ? slot_gain(c, i, pair, lambda, mu)
                                  : priced_reward(w, lambda, reward + (size_t)pair * K, first_k, last_k);
            for (int a = arc_start[slot]; a < arc_start[slot + 1]; a++) v += factor[a] * value[arc_child[a]];
            if (v > most) most = v;
            if (v > bar || (argmost < 0 && v > -INFINITY)) {
                bar = v + TIE * fabs(v);
                argmost = slot;
            }
        }
        value[i] = most;
        if (best) best[i] = argmost;
    }
    return value[0];
}

/* Adds the use of a slot of class i with probability `here`; returns its probability, uniform over environments. */
static double use_slot(const know_classes *c, int i, int slot, double here, double reach[], double U[], double Pr[])
{
    const know_graph *g = c->g;
    int K = c->K, option = c->slot_option[slot], first = know_class_first(c, i), last = know_class_last(c, i);
    const double *w = know_class_weights(c, i);
    double sum = 0;
    if (know_option_is_vector(c, option)) {
        const double *v = c->f->value + (size_t)(option - g->choices) * 2 * (size_t)K;
        for (int k = first; k < last; k++) {
            U[k] += here * w[k] * v[k];
            Pr[k] += here * w[k] * v[K + k];
            sum += w[k];
        }
    } else {
        const double *r = g->reward + (size_t)g->choice_pair[option] * (size_t)K;
        bool tells = know_slot_reveals(c, i, slot);
        for (int k = first; k < last && !tells; k++) {
            U[k] += here * w[k] * r[k];
            sum += w[k];
        }
        for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) reach[c->arc_child[a]] += here * c->arc_factor[a];
    }
    return here * sum / K;
}

void induction_spread(const know_classes *c, const double used[], double reach[], double U[], double Pr[], double mass[])
{
    int K = c->K, end = c->time_start[c->g->T];
    memset(reach, 0, (size_t)c->classes * sizeof *reach);
    for (int k = 0; k < K; k++) U[k] = Pr[k] = 0;
    for (int i = 0; i < end; i++)
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++)
            if (used[slot] > 0) mass[c->slot_option[slot]] += use_slot(c, i, slot, used[slot], reach, U, Pr);
    know_class_ends(c, reach, Pr);
    for (int k = 0; k < K; k++) CHECK_COMPARE(Pr[k], <=, 1 + MODEL_SUM_TOLERANCE);
}

void induction_forward(const know_classes *c, const int best[], double reach[], double U[], double Pr[], double mass[],
                       bool by_slot)
{
    const know_graph *g = c->g;
    int K = c->K;
    memset(reach, 0, (size_t)c->classes * sizeof *reach);
    for (int k = 0; k < K; k++) U[k] = Pr[k] = 0;
    reach[0] = 1;
    for (int i = 0; i < c->time_start[g->T]; i++) {
        if (reach[i] <= 0 || best[i] < 0) continue;
        int slot = best[i];
        CHECK(slot >= c->slot_start[i] && slot < c->slot_start[i + 1]);
        double weight = use_slot(c, i, slot, reach[i], reach, U, Pr);
        if (mass) mass[by_slot ? slot : c->slot_option[slot]] += weight;
    }
    know_class_ends(c, reach, Pr);
    for (int k = 0; k < K; k++) CHECK_COMPARE(Pr[k], <=, 1 + MODEL_SUM_TOLERANCE);
}

int induction_evaluate(const know_classes *c, const double prob[], const int ends[], double reach[], double U[], double Pr[])
{
    const know_graph *g = c->g;
    int K = c->K;
    memset(reach, 0, (size_t)c->classes * sizeof *reach);
    for (int k = 0; k < K; k++) U[k] = Pr[k] = 0;
    reach[0] = 1;
    for (int i = 0; i < c->time_start[g->T]; i++) {
        if (reach[i] <= 0 || (ends && ends[i + 1] > ends[i])) continue;
        const double *w = know_class_weights(c, i);
        double sum = 0;
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) {
            CHECK(!know_option_is_vector(c, c->slot_option[slot]));
            if (prob[slot] <= 0) continue;
            sum += prob[slot];
            double here = reach[i] * prob[slot];
            const double *r = g->reward + (size_t)g->choice_pair[c->slot_option[slot]] * (size_t)K;
            for (int k = know_class_first(c, i); k < know_class_last(c, i); k++) U[k] += here * w[k] * r[k];
            for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) reach[c->arc_child[a]] += here * c->arc_factor[a];
        }
        if (!(fabs(sum - 1) <= RULE_SUM_TOLERANCE)) return i;
    }
    know_class_ends(c, reach, Pr);
    for (int k = 0; k < K; k++) CHECK_COMPARE(Pr[k], <=, 1 + MODEL_SUM_TOLERANCE);
    return -1;
}

void induction_informed(const know_graph *g, const double lambda[], const double mu[], double q[], double v[])
{
    size_t K = (size_t)g->K;
    for (int n = g->nodes - 1; n >= 0; n--) {
        double *here = v + (size_t)n * K;
        bool last = n >= g->time_start[g->T];
        for (int k = 0; k < g->K; k++) here[k] = last ? mu[k] * know_terminal(g, n, k) : -INFINITY;
        for (int c = g->choice_start[n]; !last && c < g->choice_start[n + 1]; c++) {
            double *of = q + (size_t)c * K;
            const double *reward = g->reward + (size_t)g->choice_pair[c] * K;
            for (size_t k = 0; k < K; k++) of[k] = lambda[k] * reward[k];
            for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++) {
                int child = g->edge_child[e];
                const double *p = g->successor_prob + (size_t)g->edge_row[e] * K, *below = v + (size_t)child * K;
                for (int i = g->member_start[g->set[child]]; i < g->member_start[g->set[child] + 1]; i++)
                    if (p[g->member[i]] > 0) of[g->member[i]] += p[g->member[i]] * below[g->member[i]];
            }
            for (size_t k = 0; k < K; k++) here[k] = fmax(here[k], of[k]);
        }
    }
}

/* ---- inductions over boxes (box.h) ----------------------------------------------------------------------------------------------
 *
 *     V(c) = max over x in the box of c's node, sum x = 1, of  sum_slots x_slot (w'reward(slot) + sum over arcs factor * V(child))
 *
 * a fractional knapsack for each class (G. B. Dantzig, Operations Research 5, 1957). Cost: one pass over slots and arcs, and the
 * square of the choices of a node with more than two. Classes are stored by time, children after their parents. */

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
