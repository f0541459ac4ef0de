/* plan/bnb/endings_bound.c - what policies of what is allowed lose at least, by pairs of the hardest environment and by prices
 * of every environment, and which options are ruled out by that alone. See endings_search.h. Invariant: an option is forbidden
 * only where all that take it are no better than the cutoff. */
#include <math.h>
#include <string.h>

#include "plan/bnb/endings_state.h"

/* Prices asked for at most to find the best one of a promise; the largest, in spreads of the reward of all times. */
enum { PRICES = 40 };
static const double LARGEST_PRICE = 1000;
/* A bound must pass the cutoff by this, relative to 1 + its size: the rounding of prices. */
static const double PASSES = 1e-11;
/* An option is tried again where so many times what trying it last raised the bound by comes to the cutoff: of 108 slow mazes of 10 s
 * each one more is proved, in 376 s in the place of 406. What it raised counts as this much more each time it is passed over, and
 * as this share of what was missing at least: 1.1 and 1e-4 pass over for too long, and two mazes more are open. */
static const double HOPED = 2, AGES = 2, LEAST_RAISE = 0.02;

/* ---- bounds ------------------------------------------------------------------------------------------------------------------- */

/* The q of the best slots, by items, that price() has found; of the root. */
static double kept(endings_state *s, int k)
{
    const know_pairs *p = s->of[k];
    for (int i = p->items - 1; i >= 0; i--) {
        int slot = s->best[i];
        s->keep[i] = i >= p->end ? p->end_q[i] : 0;
        if (slot < 0) continue;
        double keep = p->pay_q[slot];
        for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++) keep += p->arc_factor[a] * s->keep[p->arc_child[a]];
        s->keep[i] = keep;
    }
    return s->keep[0];
}

/* max u + mu q over what is allowed of environment k, by items. */
static double price(endings_state *s, int k, const unsigned char allowed[], double mu)
{
    const know_pairs *p = s->of[k];
    double *most = s->value;
    s->priced += p->slots;
    for (int i = p->items - 1; i >= p->end; i--) {
        most[i] = p->end_u[i] + mu * p->end_q[i];
        s->best[i] = -1;
    }
    for (int i = p->end - 1; i >= 0; i--) {
        double best = -INFINITY;
        int by = -1;
        for (int slot = p->slot_start[i]; slot < p->slot_start[i + 1]; slot++) {
            if (!allowed[p->slot_option[slot]]) continue;
            double value = p->pay_u[slot] + mu * p->pay_q[slot];
            for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++) value += p->arc_factor[a] * most[p->arc_child[a]];
            if (!(value > best)) continue;
            best = value;
            by = slot;
        }
        most[i] = best;
        s->best[i] = by;
    }
    return most[0];
}

/* What environment k loses at least, by this price of its promise; *q, unless NULL: the q of what loses so. */
static double loss_at(endings_state *s, int k, const unsigned char allowed[], double mu, double *q)
{
    double value = price(s, k, allowed, mu), accepted = s->space->accepted[k];
    if (q) *q = kept(s, k);
    if (value == -INFINITY) return INFINITY;
    return s->space->optimal[k] - (value - mu * accepted) - s->space->rounding - PASSES * (1 + fabs(value));
}

/* Whose price is best: it is sought where the lines of two prices meet, until they are met. */
static double loss_by_price(endings_state *s, int k, const unsigned char allowed[])
{
    double accepted = s->space->accepted[k], q, low = 0, high, low_q, high_q, best = loss_at(s, k, allowed, 0, &q), low_loss = best,
           high_loss;
    s->mu[k] = 0;
    if (best == INFINITY || q >= accepted) return best;
    low_q = q;
    high = LARGEST_PRICE * s->space->g->T * (1 + know_reward_spread(s->space->g));
    high_loss = loss_at(s, k, allowed, high, &high_q);
    if (high_loss > best) {
        best = high_loss;
        s->mu[k] = high;
    }
    if (high_q < accepted) return best;
    for (int i = 0; i < PRICES && best < s->cutoff; i++) {
        /* loss(mu') <= loss(mu) + (accepted - q(mu)) (mu' - mu) */
        double rise = accepted - low_q, fall = high_q - accepted;
        double meet = (high_loss + fall * high - low_loss + rise * low) / (rise + fall), most = low_loss + rise * (meet - low);
        if (!(rise + fall > 0) || !(meet > low && meet < high)) break;
        double loss = loss_at(s, k, allowed, meet, &q);
        if (loss > best) {
            best = loss;
            s->mu[k] = meet;
        }
        if (loss >= most - s->space->rounding) break;
        if (q < accepted) {
            low = meet;
            low_q = q;
            low_loss = loss;
        } else {
            high = meet;
            high_q = q;
            high_loss = loss;
        }
    }
    return best;
}

/* By pairs. */
double endings_loss_by_pairs(endings_state *s, int k, const unsigned char allowed[])
{
    return s->space->optimal[k] - pairs_solve(s->of[k], allowed, s->space->accepted[k]) - s->space->rounding;
}

/* What is shown of what is allowed, as far as the cutoff. again: by the prices that were best last. */
double endings_bound(endings_state *s, const unsigned char allowed[], bool again)
{
    double bound = -INFINITY;
    for (int i = 0; i < s->rows && bound < s->cutoff; i++) {
        int k = s->row[i];
        bound = fmax(bound, again ? loss_at(s, k, allowed, s->mu[k], NULL) : loss_by_price(s, k, allowed));
    }
    return bound < s->cutoff ? fmax(bound, endings_loss_by_pairs(s, s->hardest, allowed)) : bound;
}

void endings_set_cutoff(endings_state *s) { s->cutoff = fmin(s->target, incumbent_cutoff(s->inc, s->gap)); }

/* Notes whether it has taken too much. */
bool endings_over(endings_state *s)
{
    if (s->priced + s->of[s->hardest]->stairs.work > s->most_work || deadline_expired(s->limit)) s->given_up = true;
    return s->given_up;
}

void endings_cut(endings_state *s, double bound) { s->cut = fmin(s->cut, bound); }

/* ---- probing ------------------------------------------------------------------------------------------------------------------ */

int endings_allowed_of(const unsigned char allowed[], int first, int count)
{
    int n = 0;
    for (int i = first; i < first + count; i++) n += allowed[i];
    return n;
}

/* Is this option to be tried, by what trying it raised the bound by before? */
static bool is_hopeful(endings_state *s, int option, double bound)
{
    if (bound + HOPED * s->raise[option] >= s->cutoff) return true;
    s->raise[option] *= AGES;
    return false;
}

/* Tries the options of a group [first .. first + count) of node n that the hardest environment leaves aside, and forbids what it
 * cannot afford, where the bound known may come to the cutoff. false: no policy is left. */
static bool probe_group(endings_state *s, int n, double known, unsigned char allowed[], int first, int count, int *forbidden)
{
    double used = 0;
    for (int o = first; o < first + count; o++) used = fmax(used, s->own[o]);
    if (used <= ENDINGS_USED || endings_allowed_of(allowed, first, count) < 2) return true;
    for (int o = first; o < first + count; o++) {
        if (!allowed[o] || s->own[o] > ENDINGS_USED || endings_over(s) || !is_hopeful(s, o, known)) continue;
        memcpy(s->trial, allowed, (size_t)s->e->options);
        memset(s->trial + first, 0, (size_t)count);
        s->trial[o] = 1;
        double bound = endings_propagate(s->e, n, s->trial) ? endings_bound(s, s->trial, true) : INFINITY;
        s->raise[o] = fmax(bound - known, LEAST_RAISE * (s->cutoff - known));
        if (!(bound >= s->cutoff)) continue;
        endings_cut(s, bound);
        allowed[o] = 0;
        ++*forbidden;
        if (!endings_propagate(s->e, n, allowed)) return false;
    }
    return true;
}

/* Does a choice of the node not run? */
bool endings_decides(const endings_state *s, int n, const unsigned char allowed[])
{
    const know_graph *g = s->space->g;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
        if (allowed[c] && s->e->next[c] < 0) return true;
    return false;
}

bool endings_probe(endings_state *s, double bound, unsigned char allowed[], int *forbidden)
{
    const know_graph *g = s->space->g;
    bool left = true;
    *forbidden = 0;
    memset(s->own, 0, (size_t)s->e->options * sizeof *s->own);
    pairs_trace(s->of[s->hardest], s->space->accepted[s->hardest], s->own, false);
    for (int n = 0; n < g->time_start[g->T] && left; n++) {
        if (s->e->count[n] > 0) left = probe_group(s, n, bound, allowed, s->e->first[n], s->e->count[n], forbidden);
        if (left && endings_decides(s, n, allowed))
            left = probe_group(s, n, bound, allowed, g->choice_start[n], g->choice_start[n + 1] - g->choice_start[n], forbidden);
    }
    return left;
}

/* Adds to mass what the policy of the best price of environment k uses. */
void endings_trace_price(endings_state *s, int k, const unsigned char allowed[])
{
    const know_pairs *p = s->of[k];
    price(s, k, allowed, s->mu[k]);
    memset(s->reach, 0, (size_t)p->items * sizeof *s->reach);
    s->reach[0] = 1;
    for (int i = 0; i < p->end; i++) {
        int slot = s->best[i];
        if (s->reach[i] <= 0 || slot < 0) continue;
        s->mass[p->slot_option[slot]] += s->reach[i];
        for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++)
            s->reach[p->arc_child[a]] += s->reach[i] * p->arc_factor[a];
    }
}
