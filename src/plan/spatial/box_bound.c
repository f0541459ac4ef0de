/* plan/spatial/box_bound.c - the bound of a box at given multipliers:
 *
 *     bound(lambda, mu, beta) = sum_k lambda_k U*(k) + mu_k p(k) - V - sum_n M(n)
 *
 * V by one induction (know/box.h), M(n) by looking at all vertices of up to CORNER_CHOICES choices, else at each environment apart.
 * Source: THEORY.md, 6.1; G. McCormick, Mathematical Programming 10 (1976). Cost: an induction a column, 2^choices K at a node
 * with beta. Invariant: b->bound is the best result of inductions, never the master's value; kept multipliers belong to this box.
 */
#include "plan/spatial/box.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"

vouch_status box_bound_new(const policy_space *space, bool agree, box_bound **out)
{
    box_bound *b = MEM_ZERO(box_bound, 1);
    if (!b) return VOUCH_ERROR_MEMORY;
    const know_graph *g = space->g;
    const know_classes *c = space->c;
    size_t K = (size_t)space->K, choices = (size_t)g->choices, nodes = (size_t)g->nodes;
    arena *a = &b->memory;
    b->space = space;
    b->dim = 2 * K + choices * K;
    for (int i = 0; i < BOX_MEMORY; i++) b->kept[i].value = ARENA_NEW(a, double, b->dim);
    b->low = ARENA_NEW(a, double, 2 * choices);
    b->least = ARENA_NEW(a, double, nodes *K);
    b->most = ARENA_NEW(a, double, nodes *K);
    b->ranged = ARENA_ZERO(a, unsigned char, nodes);
    b->now = ARENA_NEW(a, double, b->dim);
    b->reward = ARENA_NEW(a, double, choices *K);
    b->y = ARENA_NEW(a, double, choices *K);
    b->mix = ARENA_NEW(a, double, choices *K);
    b->value = ARENA_NEW(a, double, c->classes);
    b->reach = ARENA_NEW(a, double, c->classes);
    b->prob = ARENA_NEW(a, double, c->slots);
    b->regret = ARENA_NEW(a, double, K);
    b->pr = ARENA_NEW(a, double, K);
    b->scratch = ARENA_NEW(a, double, nodes + 2 * (size_t)g->m->A);
    b->choice = ARENA_NEW(a, int, g->m->A);
    b->occupied = ARENA_NEW(a, double, nodes *K);
    b->worth = ARENA_NEW(a, double, 2 * K);
    b->centre = ARENA_NEW(a, double, b->dim);
    b->aimed = ARENA_NEW(a, double, b->dim);
    if (a->failed || box_master_new(g, &space->averages, &b->program) || (agree && box_pricer_new(space, &b->pricer))) {
        box_bound_free(b);
        return VOUCH_ERROR_MEMORY;
    }
    b->high = b->low + choices;
    for (size_t i = 0; i < choices; i++) {
        b->low[i] = 0;
        b->high[i] = g->choice_twin[i] == (int)i;
    }
    box_bound_enter(b);
    *out = b;
    return VOUCH_OK;
}

void box_bound_enter(box_bound *b)
{
    const know_graph *g = b->space->g;
    size_t K = (size_t)g->K;
    memset(b->ranged, 0, (size_t)g->nodes);
    memset(b->least, 0, (size_t)g->nodes * K * sizeof *b->least);
    for (size_t i = 0; i < (size_t)g->nodes * K; i++) b->most[i] = 1;
}

box_induction box_bound_induction(const box_bound *b, const double mu[])
{
    return (box_induction){.c = b->space->c,
                           .reward = b->reward,
                           .mu = mu,
                           .in = {b->low, b->high},
                           .value = b->value,
                           .prob = b->prob,
                           .reach = b->reach,
                           .scratch = b->scratch};
}

void box_bound_range(box_bound *b, int n)
{
    size_t at = (size_t)n * (size_t)b->space->K;
    if (b->ranged[n]) return;
    box_reach(b->space->g, n, (policy_box){b->low, b->high}, b->scratch, b->least + at, b->most + at);
    b->ranged[n] = 1;
}

void box_bound_forget(box_bound *b)
{
    for (int i = 0; i < b->column_count; i++) box_column_release(b->columns[i]);
    b->column_count = b->kept_count = 0;
}

void box_bound_free(box_bound *b)
{
    if (!b) return;
    box_master_free(b->program);
    box_bound_forget(b);
    mem_free(b->columns);
    box_pricer_free(b->pricer);
    arena_free(&b->memory);
    mem_free(b);
}

/* sum_k max over y_k in [least, most] of y_k * slope_k */
static double node_worth(const box_bound *b, int n, const double slope[])
{
    size_t K = (size_t)b->space->K;
    double sum = 0;
    for (size_t k = 0; k < K; k++) sum += slope[k] * (slope[k] > 0 ? b->most : b->least)[(size_t)n * K + k];
    return sum;
}

/* A vertex of the box of a node: all choices but `loose` at the sides given by bits (1: high), the loose one takes the rest. */
typedef struct corner {
    int loose;
    unsigned sides;
} corner;

/* M(n) for one vertex over choice [count]. -INFINITY: it is none. */
static double corner_worth(box_bound *b, int n, const int choice[], int count, corner at, const double beta[])
{
    size_t K = (size_t)b->space->K;
    double left = 1, *slope = b->regret; /* [K] scratch */
    memset(slope, 0, K * sizeof *slope);
    for (int i = 0; i < count; i++) {
        if (i == at.loose) continue;
        double x = at.sides >> i & 1 ? b->high[choice[i]] : b->low[choice[i]];
        left -= x;
        for (size_t k = 0; k < K; k++) slope[k] += x * beta[(size_t)choice[i] * K + k];
    }
    int c = choice[at.loose];
    if (left < b->low[c] - BOX_ROUNDING || left > b->high[c] + BOX_ROUNDING) return -INFINITY;
    for (size_t k = 0; k < K; k++) slope[k] += left * beta[(size_t)c * K + k];
    return node_worth(b, n, slope);
}

/* Where the corners are too many: each environment for itself, with y apart from pi; never less than M(n). */
static double loose_worth(const box_bound *b, int n, const int choice[], int count, const double beta[])
{
    size_t K = (size_t)b->space->K;
    double sum = 0;
    for (size_t k = 0; k < K; k++) {
        double best = -INFINITY; /* of the choices' prices: pi's value lies below the largest */
        for (int i = 0; i < count; i++) best = fmax(best, beta[(size_t)choice[i] * K + k]);
        sum += best * (best > 0 ? b->most : b->least)[(size_t)n * K + k];
    }
    return sum;
}

static double local_worth(box_bound *b, int n, const double beta[])
{
    const know_graph *g = b->space->g;
    size_t K = (size_t)g->K;
    int count = 0, first = g->choice_start[n], last = g->choice_start[n + 1];
    bool any = false;
    for (size_t i = (size_t)first * K; i < (size_t)last * K; i++) any = any || beta[i] != 0;
    if (!any) return 0;
    box_bound_range(b, n);
    for (int c = first; c < last; c++)
        if (g->choice_twin[c] == c && b->high[c] > 0) b->choice[count++] = c;
    if (count > CORNER_CHOICES) return loose_worth(b, n, b->choice, count, beta);
    double best = -INFINITY;
    for (int loose = 0; loose < count; loose++)
        for (unsigned sides = 0; sides < 1u << count; sides++)
            if (!(sides >> loose & 1)) best = fmax(best, corner_worth(b, n, b->choice, count, (corner){loose, sides}, beta));
    return best;
}

double box_bound_base(box_bound *b, const double value[])
{
    const policy_space *space = b->space;
    const know_graph *g = space->g;
    size_t K = (size_t)g->K;
    const double *lambda = value, *mu = value + K, *beta = value + 2 * K;
    double bound = 0, shares = 0;
    for (size_t k = 0; k < K; k++) shares += lambda[k];
    for (size_t k = 0; k < K; k++) bound += (space->share ? shares * space->share[k] : lambda[k]) * space->optimal[k];
    bound += space_worth(space, mu, space->accepted);
    for (int c = 0; c < g->choices; c++)
        for (size_t k = 0; k < K; k++)
            b->reward[(size_t)c * K + k] =
                (space->share ? shares * space->share[k] : lambda[k]) * g->reward[(size_t)g->choice_pair[c] * K + k] -
                beta[(size_t)c * K + k];
    for (int n = 0; n < g->time_start[g->T]; n++) bound -= local_worth(b, n, beta);
    return bound;
}

double box_bound_price(box_bound *b, const double value[])
{
    double base = box_bound_base(b, value);
    box_induction best = box_bound_induction(b, value + b->space->K);
    b->inductions++;
    return base - box_backward(&best);
}

double box_bound_worked(const box_bound *b) { return (double)b->inductions + (b->pricer ? b->pricer->work : 0); }

void box_bound_outlook(box_bound *b, const double value[], double bound, const double low2[], const double high2[], double limit[])
{
    const know_graph *g = b->space->g;
    size_t K = (size_t)g->K;
    const double *beta = value + 2 * K;
    box_induction best = box_bound_induction(b, value + K);
    box_forward(&best, b->y, b->pr);
    box_loss(&best, (policy_box){low2, high2}, limit);
    for (int n = 0; n < g->time_start[g->T]; n++) {
        double before = local_worth(b, n, beta);
        for (int o = g->choice_start[n]; o < g->choice_start[n + 1]; o++) {
            double low = b->low[o], high = b->high[o], least = before;
            b->low[o] = low2[o];
            b->high[o] = high2[o];
            if (before != 0) least = local_worth(b, n, beta);
            b->low[o] = low;
            b->high[o] = high;
            limit[o] += bound + (isfinite(least) ? before - least : 0);
        }
    }
}

/* ---- columns ---- */

box_column *box_column_hold(box_column *c)
{
    c->refs++;
    return c;
}

void box_column_release(box_column *c)
{
    if (c && --c->refs == 0) mem_free(c);
}

bool box_column_within(const box_column *c, int choices, policy_box in)
{
    for (int i = 0; i < choices; i++)
        if (c->prob[i] < in.low[i] - BOX_ROUNDING || c->prob[i] > in.high[i] + BOX_ROUNDING) return false;
    return true;
}

static void move_node(const know_graph *g, int n, policy_box in, const double mean[], double prob[])
{
    int first = g->choice_start[n], last = g->choice_start[n + 1];
    double left = 1;
    for (int c = first; c < last; c++) left -= prob[c] = fmin(fmax(prob[c], in.low[c]), in.high[c]);
    for (int i = first; i < last && fabs(left) > BOX_ROUNDING; i++) { /* each round moves one choice to its bound */
        const double *side = left > 0 ? in.high : in.low;
        double furthest = -INFINITY;
        int at = -1;
        for (int c = first; c < last; c++) {
            double off = left > 0 ? mean[c] - prob[c] : prob[c] - mean[c];
            if (prob[c] == side[c] || off <= furthest) continue;
            furthest = off;
            at = c;
        }
        if (at < 0) return;
        double to = fmin(fmax(prob[at] + left, in.low[at]), in.high[at]);
        left -= to - prob[at];
        prob[at] = to;
    }
}

void box_column_move(const know_graph *g, policy_box in, const double mean[], double prob[])
{
    for (int n = 0; n < g->time_start[g->T]; n++) move_node(g, n, in, mean, prob);
}
