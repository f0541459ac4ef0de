/* plan/bnb/incumbent.c - see incumbent.h. Policies are compared lexicographically: shortfall of the commitment, excess over the cap or
 * maximum regret, total regret. */
#include "plan/bnb/incumbent.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "know/propagate.h"

/* A shortfall must get smaller by this to count: keeps local search from walking on rounding. */
static const double BETTER = 1e-10;

/* Nodes of a slice pass between two looks at the clock. */
static const int NODES_PER_CHECK = 64;
typedef struct merit {
    double shortfall, regret, total;
} merit;

vouch_status incumbent_new(const policy_space *space, incumbent **out)
{
    *out = NULL;
    incumbent *inc = MEM_ZERO(incumbent, 1);
    if (!inc) return VOUCH_ERROR_MEMORY;
    size_t nodes = (size_t)space->g->nodes, K = (size_t)space->K;
    inc->space = space;
    inc->best = MEM_NEW(int, nodes);
    inc->pick = MEM_NEW(int, nodes);
    inc->value.U = MEM_NEW(double, K);
    inc->value.Pr = MEM_NEW(double, K);
    inc->now.U = MEM_NEW(double, K);
    inc->now.Pr = MEM_NEW(double, K);
    inc->prob = MEM_NEW(double, space->g->choices);
    inc->reach = MEM_NEW(double, nodes *K);
    inc->gain = MEM_NEW(double, nodes *K);
    inc->keep = MEM_NEW(double, nodes *K);
    inc->delta = MEM_NEW(double, 4 * K);
    if (!inc->best || !inc->pick || !inc->value.U || !inc->value.Pr || !inc->now.U || !inc->now.Pr || !inc->prob || !inc->reach ||
        !inc->gain || !inc->keep || !inc->delta) {
        incumbent_free(inc);
        return VOUCH_ERROR_MEMORY;
    }
    for (size_t n = 0; n < nodes; n++) inc->best[n] = -1;
    *out = inc;
    return VOUCH_OK;
}

void incumbent_free(incumbent *inc)
{
    if (!inc) return;
    mem_free(inc->best);
    mem_free(inc->pick);
    mem_free(inc->value.U);
    mem_free(inc->value.Pr);
    mem_free(inc->now.U);
    mem_free(inc->now.Pr);
    mem_free(inc->prob);
    mem_free(inc->reach);
    mem_free(inc->gain);
    mem_free(inc->keep);
    mem_free(inc->delta);
    mem_free(inc);
}

void incumbent_seek_total(incumbent *inc, double left)
{
    const policy_space *space = inc->space;
    inc->total = true;
    inc->cap = inc->value.max_regret + fmin(space->tie, fmax(space->rounding, left));
    inc->bound_cap = inc->value.max_regret + space->tie;
}

double incumbent_value(const incumbent *inc)
{
    if (!inc->found) return INFINITY;
    return inc->total ? inc->value.total_regret : inc->value.max_regret;
}

static merit merit_of(const incumbent *inc, double shortfall, double max_regret, double total)
{
    return (merit){shortfall, inc->total ? fmax(0, max_regret - inc->cap) : max_regret, total};
}

static int compare(double a, double b, double margin) { return a < b - margin ? -1 : a > b + margin ? 1 : 0; }

static bool merit_better(const policy_space *space, const merit *a, const merit *b)
{
    int order = compare(a->shortfall, b->shortfall, BETTER);
    if (!order) order = compare(a->regret, b->regret, space->rounding);
    if (!order) order = compare(a->total, b->total, space->K * space->rounding);
    return order < 0;
}

static merit merit_moved(const incumbent *inc, const double U[], const double Pr[], const double dU[], const double dPr[])
{
    const policy_space *space = inc->space;
    double shortfall = 0, most = -INFINITY, total = 0;
    for (int k = 0; k < space->K; k++) {
        double regret = space->optimal[k] - U[k] - dU[k];
        if (regret > most) most = regret;
        total += regret;
        shortfall += space_missing(space, k, U[k] + dU[k], Pr[k] + dPr[k]);
    }
    return merit_of(inc, shortfall, most, total);
}

static void evaluate(incumbent *inc)
{
    propagate_pick(inc->space->g, inc->pick, inc->prob);
    propagate_forward(inc->space->g, inc->prob, inc->reach, inc->now.U, inc->now.Pr);
    figures_derive(inc->space, &inc->now);
}

/* gain and keep of node n under its pick, from those below. */
static void settle(incumbent *inc, int n)
{
    const know_graph *g = inc->space->g;
    size_t K = (size_t)g->K;
    for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
        int k = g->member[i];
        propagate_choice(g, inc->pick[n], k, inc->gain, inc->keep, &inc->gain[(size_t)n * K + (size_t)k],
                         &inc->keep[(size_t)n * K + (size_t)k]);
    }
}

/* Where nothing arrives: keep the commitment as far as possible, then the most reward, both summed over environments. */
static int guess(const incumbent *inc, int n)
{
    const know_graph *g = inc->space->g;
    double best_pr = -1, best_u = -INFINITY;
    int best = g->choice_start[n];
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (g->choice_twin[c] != c) continue;
        double u = 0, pr = 0;
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
            double cu, cp;
            propagate_choice(g, c, g->member[i], inc->gain, inc->keep, &cu, &cp);
            u += cu;
            pr += cp;
        }
        if (pr > best_pr + BETTER || (pr > best_pr - BETTER && u > best_u + inc->space->K * inc->space->rounding)) {
            best_pr = pr;
            best_u = u;
            best = c;
        }
    }
    return best;
}

/* One pass from the horizon backwards; U and Pr of inc->now follow. Returns true if anything improved. */
static bool slice_pass(incumbent *inc)
{
    const policy_space *space = inc->space;
    const know_graph *g = space->g;
    size_t K = (size_t)g->K;
    double *dU = inc->delta, *dPr = inc->delta + K, *bestU = inc->delta + 2 * K, *bestPr = inc->delta + 3 * K;
    bool improved = false;
    memset(dU, 0, 2 * K * sizeof *dU);
    merit now = merit_moved(inc, inc->now.U, inc->now.Pr, dU, dPr);
    for (int n = g->nodes - 1; n >= 0; n--) {
        if (n % NODES_PER_CHECK == 0 && inc->limit && deadline_expired(inc->limit)) return improved;
        if (n >= g->time_start[g->T]) {
            for (size_t k = 0; k < K; k++) {
                inc->gain[(size_t)n * K + k] = 0;
                inc->keep[(size_t)n * K + k] = know_terminal(g, n);
            }
            continue;
        }
        const double *here = inc->reach + (size_t)n * K;
        double most = 0;
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) most = fmax(most, here[g->member[i]]);
        if (most <= 0) {
            if (inc->pick[n] < 0) inc->pick[n] = guess(inc, n);
            settle(inc, n);
            continue;
        }
        if (inc->pick[n] < 0) inc->pick[n] = g->choice_start[n]; /* as evaluated */
        settle(inc, n);
        const double *gain = inc->gain + (size_t)n * K, *keep = inc->keep + (size_t)n * K;
        int best = -1;
        merit best_merit = now;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            if (c == inc->pick[n] || g->choice_twin[c] != c) continue;
            memset(dU, 0, 2 * K * sizeof *dU);
            for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
                int k = g->member[i];
                double u, pr;
                if (here[k] <= 0) continue;
                propagate_choice(g, c, k, inc->gain, inc->keep, &u, &pr);
                dU[k] = here[k] * (u - gain[k]);
                dPr[k] = here[k] * (pr - keep[k]);
            }
            merit moved = merit_moved(inc, inc->now.U, inc->now.Pr, dU, dPr);
            if (merit_better(inc->space, &moved, &best_merit)) {
                best = c;
                best_merit = moved;
                memcpy(bestU, dU, 2 * K * sizeof *dU);
            }
        }
        if (best < 0) continue;
        for (size_t k = 0; k < K; k++) {
            inc->now.U[k] += bestU[k];
            inc->now.Pr[k] += bestPr[k];
        }
        inc->pick[n] = best;
        now = best_merit;
        improved = true;
        settle(inc, n);
    }
    return improved;
}

static bool better_than_best(const incumbent *inc, const figures *f)
{
    merit now = merit_of(inc, 0, f->max_regret, f->total_regret);
    merit old = merit_of(inc, 0, inc->value.max_regret, inc->value.total_regret);
    return !inc->found || merit_better(inc->space, &now, &old);
}

static void adopt(incumbent *inc, const int pick[], const figures *f)
{
    if (pick != inc->best) MEM_COPY(inc->best, pick, inc->space->g->nodes);
    MEM_COPY(inc->value.U, f->U, inc->space->K);
    MEM_COPY(inc->value.Pr, f->Pr, inc->space->K);
    inc->value.shortfall = 0;
    inc->value.max_regret = f->max_regret;
    inc->value.total_regret = f->total_regret;
    inc->found = true;
}

bool incumbent_offer(incumbent *inc, const int pick[], int passes)
{
    size_t nodes = (size_t)inc->space->g->nodes;
    if (pick != inc->pick) memcpy(inc->pick, pick, nodes * sizeof *pick);
    evaluate(inc);
    for (int pass = 0; pass < passes && !(inc->limit && deadline_expired(inc->limit)); pass++) {
        bool improved = slice_pass(inc);
        if (!improved) break;
        evaluate(inc);
    }
    if (inc->now.shortfall > 0) return false;
    if (!better_than_best(inc, &inc->now)) return false;
    adopt(inc, inc->pick, &inc->now);
    return true;
}

void incumbent_copy(incumbent *to, const incumbent *from)
{
    to->found = from->found;
    to->total = from->total;
    to->cap = from->cap;
    to->bound_cap = from->bound_cap;
    MEM_COPY(to->best, from->best, from->space->g->nodes);
    if (from->found) adopt(to, from->best, &from->value);
}

void incumbent_take(incumbent *inc, const incumbent *from)
{
    if (from->found && better_than_best(inc, &from->value)) adopt(inc, from->best, &from->value);
}

bool incumbent_perturb(incumbent *inc, rng *r, int tries, int changes, int passes)
{
    const know_graph *g = inc->space->g;
    int deciding = g->time_start[g->T];
    bool improved = false;
    for (int i = 0; i < tries && !(inc->limit && deadline_expired(inc->limit)); i++) {
        memcpy(inc->pick, inc->best, (size_t)g->nodes * sizeof(int));
        for (int j = 0; j < changes; j++) {
            int n = (int)rng_below(r, (uint64_t)deciding);
            int count = g->choice_start[n + 1] - g->choice_start[n];
            inc->pick[n] = g->choice_twin[g->choice_start[n] + (int)rng_below(r, (uint64_t)count)];
        }
        improved |= incumbent_offer(inc, inc->pick, passes);
    }
    return improved;
}
