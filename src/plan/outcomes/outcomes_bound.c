/* plan/outcomes/outcomes_bound.c - what policies of what is allowed lose at least, by pairs of the hardest environment and by
 * prices of every environment, and which options are ruled out by that alone. See outcomes_search.h. Invariant: an option is
 * forbidden only where all that take it are no better than the cutoff. */
#include <math.h>
#include <string.h>

#include "plan/outcomes/outcomes_state.h"
#include "plan/bound/single_lagrangian.h"
#include "policy/parameters.h"

/* ---- bounds -------------------------------------------------------------------------------------------------------------------
 */

/* By pairs. */
double outcomes_loss_by_pairs(outcomes_state *s, int k, const unsigned char allowed[])
{
    return s->space->optimal[k] - pairs_solve(s->of[k], allowed, s->space->accepted[k]) - s->space->rounding;
}

/* What is shown of what is allowed, as far as the cutoff. again: by the prices that were best last. */
double outcomes_bound(outcomes_state *s, const unsigned char allowed[], bool again)
{
    double bound = -INFINITY;
    for (int i = 0; i < s->rows && bound < s->cutoff; i++) {
        int k = s->row[i];
        const price_of e = {s->space, s->of[k], k};
        bound = fmax(bound, again ? lagrangian_loss_at(&e, &s->prices, allowed, s->mu[k], NULL)
                                  : lagrangian_loss(&e, &s->prices, allowed, s->cutoff, &s->mu[k]));
    }
    return bound < s->cutoff ? fmax(bound, outcomes_loss_by_pairs(s, s->hardest, allowed)) : bound;
}

void outcomes_set_cutoff(outcomes_state *s) { s->cutoff = fmin(s->target, incumbent_cutoff(s->inc, s->gap)); }

/* Notes whether it has taken too much. */
bool outcomes_over(outcomes_state *s)
{
    if (s->prices.work + s->of[s->hardest]->pareto_front.work > s->most_work || deadline_expired(s->limit)) s->given_up = true;
    return s->given_up;
}

void outcomes_cut(outcomes_state *s, double bound) { s->cut = fmin(s->cut, bound); }

/* ---- probing ------------------------------------------------------------------------------------------------------------------
 */

int outcomes_allowed_of(const unsigned char allowed[], int first, int count)
{
    int n = 0;
    for (int i = first; i < first + count; i++) n += allowed[i];
    return n;
}

/* Is this option to be tried, by what trying it raised the bound by before? */
static bool is_hopeful(outcomes_state *s, int option, double bound)
{
    if (bound + OUTCOMES.hoped * s->raise[option] >= s->cutoff) return true;
    s->raise[option] *= OUTCOMES.ages;
    return false;
}

/* Tries the options of a group [first .. first + count) of node n that the hardest environment leaves aside, and forbids what it
 * cannot afford, where the bound known may come to the cutoff. false: no policy is left. */
static bool probe_group(outcomes_state *s, int n, double known, unsigned char allowed[], int first, int count, int *forbidden)
{
    double used = 0;
    for (int o = first; o < first + count; o++) used = fmax(used, s->own[o]);
    if (used <= OUTCOMES_USED || outcomes_allowed_of(allowed, first, count) < 2) return true;
    for (int o = first; o < first + count; o++) {
        if (!allowed[o] || s->own[o] > OUTCOMES_USED || outcomes_over(s) || !is_hopeful(s, o, known)) continue;
        memcpy(s->trial, allowed, (size_t)s->e->options);
        memset(s->trial + first, 0, (size_t)count);
        s->trial[o] = 1;
        double bound = outcomes_propagate(s->e, n, s->trial) ? outcomes_bound(s, s->trial, true) : INFINITY;
        s->raise[o] = fmax(bound - known, OUTCOMES.least_raise * (s->cutoff - known));
        if (!(bound >= s->cutoff)) continue;
        outcomes_cut(s, bound);
        allowed[o] = 0;
        ++*forbidden;
        if (!outcomes_propagate(s->e, n, allowed)) return false;
    }
    return true;
}

/* Does a choice of the node not run? */
bool outcomes_decides(const outcomes_state *s, int n, const unsigned char allowed[])
{
    const know_graph *g = s->space->g;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
        if (allowed[c] && s->e->next[c] < 0) return true;
    return false;
}

bool outcomes_probe(outcomes_state *s, double bound, unsigned char allowed[], int *forbidden)
{
    const know_graph *g = s->space->g;
    bool left = true;
    *forbidden = 0;
    memset(s->own, 0, (size_t)s->e->options * sizeof *s->own);
    pairs_trace(s->of[s->hardest], s->space->accepted[s->hardest], s->own, false);
    for (int n = 0; n < g->time_start[g->T] && left; n++) {
        if (s->e->count[n] > 0) left = probe_group(s, n, bound, allowed, s->e->first[n], s->e->count[n], forbidden);
        if (left && outcomes_decides(s, n, allowed))
            left = probe_group(s, n, bound, allowed, g->choice_start[n], g->choice_start[n + 1] - g->choice_start[n], forbidden);
    }
    return left;
}

/* Adds to mass what the policy of the best price of environment k uses. */
void outcomes_trace_price(outcomes_state *s, int k, const unsigned char allowed[])
{
    const know_pairs *p = s->of[k];
    prices_solve(&s->prices, p, allowed, s->mu[k]);
    prices_trace(&s->prices, p);
    for (int i = 0; i < p->end; i++)
        if (s->prices.best[i] >= 0) s->mass[p->slot_option[s->prices.best[i]]] += s->prices.reach[i];
}
