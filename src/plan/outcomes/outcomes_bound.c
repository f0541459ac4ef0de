/* plan/outcomes/outcomes_bound.c - bounds by pairs of the hardest environment and by prices of every environment. */
#include <math.h>

#include "plan/outcomes/outcomes_state.h"
#include "plan/bound/single_lagrangian.h"
#include "policy/parameters.h"

double outcomes_loss_by_pairs(outcomes_state *s, int k, const unsigned char allowed[])
{
    return s->space->optimal[k] - pairs_solve(s->of[k], allowed, s->space->accepted[k]) - s->space->rounding;
}

double outcomes_bound(outcomes_state *s, const unsigned char allowed[])
{
    double bound = -INFINITY;
    for (int i = 0; i < s->rows && bound < s->cutoff; i++) {
        int k = s->row[i];
        bound = fmax(bound, lagrangian_loss(&(price_of){s->space, s->of[k], k}, &s->prices, allowed, s->cutoff, &s->mu[k]));
    }
    return bound < s->cutoff ? fmax(bound, outcomes_loss_by_pairs(s, s->hardest, allowed)) : bound;
}

void outcomes_set_cutoff(outcomes_state *s) { s->cutoff = fmin(s->target, incumbent_cutoff(s->inc, s->gap)); }

long long outcomes_worked(const outcomes_state *s) { return s->prices.work + s->of[s->hardest]->pareto_front.work; }

bool outcomes_over(outcomes_state *s)
{
    if (outcomes_worked(s) > s->most_work || deadline_expired(s->limit)) s->given_up = true;
    return s->given_up;
}

void outcomes_cut(outcomes_state *s, double bound) { s->cut = fmin(s->cut, bound); }

int outcomes_allowed_of(const unsigned char allowed[], int first, int count)
{
    int n = 0;
    for (int i = first; i < first + count; i++) n += allowed[i];
    return n;
}

bool outcomes_decides(const outcomes_state *s, int n, const unsigned char allowed[])
{
    const know_graph *g = s->space->g;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
        if (allowed[c] && s->e->next[c] < 0) return true;
    return false;
}

void outcomes_trace_price(outcomes_state *s, int k, const unsigned char allowed[])
{
    const know_pairs *p = s->of[k];
    prices_solve(&s->prices, p, allowed, s->mu[k]);
    prices_trace(&s->prices, p);
    for (int i = 0; i < p->end; i++)
        if (s->prices.best[i] >= 0) s->mass[p->slot_option[s->prices.best[i]]] += s->prices.reach[i];
}
