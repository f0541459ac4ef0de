/* plan/heuristic/local_search.c - backward passes over the policy nodes; each node switches to the choice c of least
 *
 *     merit( U(k) + Pr(n|k) (Q(n,c;k) - Q(n,pick;k)),  Pr(k) likewise ).
 *
 * Policy iteration where it is exact (plan/heuristic/local_search.h). Invariant: while a pass is at node n, gain and keep are valid
 * below it and reach above it; after the pass pick is evaluated again, so rounding errors do not accumulate.
 */
#include "plan/heuristic/local_search.h"

#include "base/check.h"
#include "base/memory.h"
#include "policy/parameters.h"

/* Least increase of a probability that counts in a guess. */
static const double BETTER = 1e-10;

static bool out_of_time(const incumbent *inc) { return inc->limit && deadline_expired(inc->limit); }

static merit merit_moved(const incumbent *inc, const double dU[], const double dPr[])
{
    const policy_space *space = inc->space;
    double shortfall = 0, most = space->share ? 0 : -INFINITY, total = 0;
    for (int k = 0; k < space->K; k++) {
        double regret = space->optimal[k] - inc->now.U[k] - dU[k];
        if (space->share)
            most += space->share[k] * regret;
        else if (regret > most)
            most = regret;
        total += regret;
        shortfall += space_missing(space, k, inc->now.U[k] + dU[k], inc->now.Pr[k] + dPr[k]);
    }
    shortfall += space_missing_on_average(space, inc->now.Pr, dPr);
    return incumbent_merit(inc, shortfall, most, total);
}

void local_evaluate(incumbent *inc)
{
    propagate_pick(inc->space->g, inc->pick, inc->prob);
    propagate_forward(inc->space->g, inc->prob, inc->reach, inc->now.U, inc->now.Pr);
    figures_derive(inc->space, &inc->now);
}

/* Stores worth [2K] as gain and keep of node n. */
static void store_worth(incumbent *inc, int n, const double worth[])
{
    const know_graph *g = inc->space->g;
    size_t K = (size_t)g->K;
    for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
        size_t k = (size_t)g->member[i];
        inc->gain[(size_t)n * K + k] = worth[k];
        inc->keep[(size_t)n * K + k] = worth[K + k];
    }
}

/* Computes gain and keep of node n under its pick from its children. */
static void back_up(incumbent *inc, int n)
{
    const know_graph *g = inc->space->g;
    CHECK(inc->pick[n] >= g->choice_start[n] && inc->pick[n] < g->choice_start[n + 1]);
    propagate_worths(g, inc->pick[n], g->set[n], inc->gain, inc->keep, inc->worth);
    store_worth(inc, n, inc->worth);
}

void local_begin(incumbent *inc)
{
    const know_graph *g = inc->space->g;
    size_t K = (size_t)g->K;
    for (int n = g->time_start[g->T]; n < g->nodes; n++)
        for (size_t k = 0; k < K; k++) {
            inc->gain[(size_t)n * K + k] = 0;
            inc->keep[(size_t)n * K + k] = know_terminal(g, n, (int)k);
        }
}

/* Picks the choice of node n with the largest probability of the promises, then the largest reward, both summed over environments
 * with weights [K] (NULL: 1 each). */
static void guess(incumbent *inc, int n, const double weight[])
{
    const know_graph *g = inc->space->g;
    double best_pr = -1, best_u = -INFINITY;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (g->choice_twin[c] != c) continue;
        double u = 0, pr = 0, *worth = inc->worth;
        propagate_worths(g, c, g->set[n], inc->gain, inc->keep, worth);
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
            int k = g->member[i];
            double share = weight ? weight[k] : 1;
            u += share * worth[k];
            pr += share * worth[g->K + k];
        }
        if (pr > best_pr + BETTER || (pr > best_pr - BETTER && u > best_u + inc->space->K * inc->space->rounding)) {
            best_pr = pr;
            best_u = u;
            inc->pick[n] = c;
            inc->worth = inc->best_worth;
            inc->best_worth = worth;
        }
    }
    store_worth(inc, n, inc->best_worth);
}

static bool is_reached(const incumbent *inc, int n)
{
    const know_graph *g = inc->space->g;
    const double *here = inc->reach + (size_t)n * (size_t)g->K;
    for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++)
        if (here[g->member[i]] > 0) return true;
    return false;
}

bool local_enter(incumbent *inc, int n)
{
    bool here = is_reached(inc, n);
    if (inc->pick[n] < 0 && here) inc->pick[n] = inc->space->g->choice_start[n]; /* as evaluated */
    if (inc->pick[n] < 0)
        guess(inc, n, NULL);
    else
        back_up(inc, n);
    return here;
}

void local_change(const incumbent *inc, int n, int c, double d[])
{
    const know_graph *g = inc->space->g;
    size_t at = (size_t)n * (size_t)g->K;
    memset(d, 0, 2 * (size_t)g->K * sizeof *d);
    for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
        int k = g->member[i];
        double reach = inc->reach[at + (size_t)k];
        if (reach <= 0) continue;
        choice_worth w = propagate_choice(g, c, k, inc->gain, inc->keep);
        d[k] = reach * (w.u - inc->gain[at + (size_t)k]);
        d[g->K + k] = reach * (w.pr - inc->keep[at + (size_t)k]);
    }
}

void local_switch(incumbent *inc, int n, int c, const double d[])
{
    size_t K = (size_t)inc->space->K;
    for (size_t k = 0; k < K; k++) {
        inc->now.U[k] += d[k];
        inc->now.Pr[k] += d[K + k];
    }
    inc->pick[n] = c;
    back_up(inc, n);
}

/* Switches node n to its best choice if that is better than *now, which is updated, as are pick, U and Pr of inc->now. */
static bool improve_node(incumbent *inc, int n, merit *now)
{
    const know_graph *g = inc->space->g;
    size_t K = (size_t)g->K;
    double *d = inc->delta, *best_d = inc->delta + 2 * K; /* [2K] of U, then of Pr */
    int best = -1;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        if (c == inc->pick[n] || g->choice_twin[c] != c) continue;
        local_change(inc, n, c, d);
        merit moved = merit_moved(inc, d, d + K);
        if (!incumbent_better(inc, &moved, now)) continue;
        best = c;
        *now = moved;
        memcpy(best_d, d, 2 * K * sizeof *d);
    }
    if (best < 0) return false;
    local_switch(inc, n, best, best_d);
    return true;
}

/* One backward pass. True: improved. */
static bool slice_pass(incumbent *inc)
{
    const know_graph *g = inc->space->g;
    bool improved = false;
    memset(inc->delta, 0, 2 * (size_t)g->K * sizeof *inc->delta);
    merit now = merit_moved(inc, inc->delta, inc->delta + g->K);
    local_begin(inc);
    for (int n = g->time_start[g->T] - 1; n >= 0; n--) {
        if (n % HEURISTIC.nodes_per_check == 0 && out_of_time(inc)) break;
        if (local_enter(inc, n) && improve_node(inc, n, &now)) improved = true;
    }
    return improved;
}

/* Improves pick, which is evaluated, and adopts it if it is better. */
static bool improve(incumbent *inc, int passes)
{
    for (int pass = 0; pass < passes && !out_of_time(inc); pass++) {
        if (!slice_pass(inc)) break;
        local_evaluate(inc);
    }
    return incumbent_consider(inc, inc->pick, &inc->now);
}

bool local_search_offer(incumbent *inc, const int pick[], int passes)
{
    if (pick != inc->pick) MEM_COPY(inc->pick, pick, inc->space->g->nodes);
    local_evaluate(inc);
    return improve(inc, passes);
}

/* Guesses at every node and evaluates the policy. False: out of time. */
static bool guess_all(incumbent *inc, const double weight[], bool patient)
{
    const know_graph *g = inc->space->g;
    if (!patient && out_of_time(inc)) return false;
    local_begin(inc);
    for (int n = g->time_start[g->T] - 1; n >= 0; n--) {
        if (n % HEURISTIC.nodes_per_check == 0 && !patient && out_of_time(inc)) return false;
        guess(inc, n, weight);
    }
    local_evaluate(inc);
    return true;
}

bool local_search_feasible(incumbent *inc, int rounds, int passes)
{
    const policy_space *space = inc->space;
    double *weight = inc->delta + 2 * space->K; /* scratch of improve_node, unused here */
    bool little = (double)space->g->edges * space->K <= HEURISTIC.little_work;
    for (int k = 0; k < space->K; k++) weight[k] = space_price(space, k);
    for (int round = 0; round < rounds; round++) {
        if (!guess_all(inc, weight, round == 0 && little)) return false;
        if (inc->now.shortfall <= 0) break;
        double most = space_missing_on_average(space, inc->now.Pr, NULL);
        for (int k = 0; k < space->K; k++) most = fmax(most, space_missing(space, k, inc->now.U[k], inc->now.Pr[k]));
        for (int k = 0; k < space->K; k++)
            weight[k] *= 1 + HEURISTIC.more_weight * space_missing(space, k, inc->now.U[k], inc->now.Pr[k]) / most;
    }
    bool kept = incumbent_consider(inc, inc->pick, &inc->now);
    return improve(inc, passes) || kept;
}

bool local_search_perturb(incumbent *inc, rng *r, const perturbation *how)
{
    const know_graph *g = inc->space->g;
    uint64_t deciding = (uint64_t)g->time_start[g->T];
    bool improved = false;
    CHECK(inc->found);
    for (int i = 0; i < how->tries && !out_of_time(inc); i++) {
        MEM_COPY(inc->pick, inc->best, g->nodes);
        for (int j = 0; j < how->changes; j++) {
            int n = (int)rng_below(r, deciding);
            int count = g->choice_start[n + 1] - g->choice_start[n];
            inc->pick[n] = g->choice_twin[g->choice_start[n] + (int)rng_below(r, (uint64_t)count)];
        }
        improved |= local_search_offer(inc, inc->pick, how->passes);
    }
    return improved;
}
