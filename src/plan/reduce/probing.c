/* plan/reduce/probing.c - see dominance.h. Invariant: an option is forbidden only if every allowed policy that takes it, or never
 * reaches its node, is no better than the cutoff. */
#include "plan/reduce/dominance.h"

#include "plan/bound/single_lagrangian.h"
#include "policy/parameters.h"

/* Smaller reach is ignored. */
static const double USED = 1e-12;

static int count_allowed(const know_pairs *p, int item, const unsigned char allowed[])
{
    int count = 0;
    for (int slot = p->slot_start[item]; slot < p->slot_start[item + 1]; slot++) count += allowed[p->slot_option[slot]];
    return count;
}

/* Tries the options of one item that the maximising policy of environment k, with this loss, does not take. */
static int fix_item_by_price(pareto_bound *b, const price_of *e, int item, double loss, unsigned char allowed[], double cutoff,
                             int option[])
{
    know_lagrangian *x = &b->prices;
    const know_pairs *p = e->pairs;
    double mu = b->mu[e->k];
    int count = 0;
    for (int slot = p->slot_start[item]; slot < p->slot_start[item + 1]; slot++) {
        int o = p->slot_option[slot];
        if (slot == x->best[item] || !allowed[o]) continue;
        double gain = prices_slot(x, p, slot, mu);
        if (loss + x->reach[item] * (x->value[item] - gain) < cutoff) continue;
        if (!(lagrangian_loss_of(e, prices_with(x, p, allowed, mu, item, gain), mu) >= cutoff)) continue;
        allowed[o] = 0; /* V is unchanged, since the maximising policy does not take it */
        option[count++] = o;
    }
    return count;
}

int probing_by_price(pareto_bound *b, unsigned char allowed[], double cutoff, int option[])
{
    long long before = b->prices.work, sweep = 0;
    int count = 0;
    for (int k = 0; k < b->K; k++) sweep += b->of[k]->slots;
    for (int k = 0; k < b->K; k++) {
        const price_of e = {b->space, b->of[k], k};
        double loss = lagrangian_loss_at(&e, &b->prices, allowed, b->mu[k], NULL);
        prices_trace(&b->prices, e.pairs);
        for (int i = 0; i < e.pairs->end && (double)(b->prices.work - before) < SEARCH.sweeps * (double)sweep; i++)
            if (b->prices.reach[i] > USED && b->prices.best[i] >= 0)
                count += fix_item_by_price(b, &e, i, loss, allowed, cutoff, option + count);
    }
    return count;
}

/* May the slot be unaffordable for environment k? Not if its maximising policy could take it, with pairs that keep the promise,
 * below the cutoff. */
static bool may_fail(const pareto_bound *b, int k, int item, int slot, double cutoff)
{
    const pairs_use *use = &b->use;
    double reach = use->reach[item], spare = use->q[0] - b->space->accepted[k];
    double most = pairs_slot_most(b->of[k], slot, (use->q[item] - spare) / reach - USED);
    return most == -INFINITY || b->space->optimal[k] - (use->u[0] - use->u[item] + reach * most) >= cutoff;
}

/* Loss of environment k if only option o is allowed at its node, by the sets for trials. */
static double loss_with(const pareto_bound *b, int k, unsigned char allowed[], int o)
{
    const know_graph *g = b->space->g;
    int n = know_owner(g, o), first = g->choice_start[n];
    size_t count = (size_t)(g->choice_start[n + 1] - first);
    memcpy(b->was, allowed + first, count);
    memset(allowed + first, 0, count);
    allowed[o] = 1;
    double u = pairs_try(b->trial[k], allowed, b->space->accepted[k]);
    memcpy(allowed + first, b->was, count);
    return b->space->optimal[k] - u - b->space->rounding;
}

/* Fixes unaffordable options of environment k at items that its maximising policy reaches. */
static int fix_by_environment(pareto_bound *b, int k, unsigned char allowed[], double cutoff, int option[])
{
    know_pairs *p = b->of[k];
    double accepted = b->space->accepted[k];
    int count = 0;
    if (pairs_solve(p, allowed, accepted) == -INFINITY) return 0;
    if (!b->trial[k] && pairs_new_trial(p, &b->trial[k])) {
        b->memory.failed = true;
        return 0;
    }
    const long long *work = &b->trial[k]->pareto_front.work;
    double most = (double)*work + SEARCH.sets_remade * (double)b->work;
    memset(b->own, 0, (size_t)b->space->c->options * sizeof *b->own);
    pairs_trace(p, accepted, b->own, false);
    pairs_trace_items(p, accepted, &b->use);
    for (int i = 0; i < p->end && (double)*work < most; i++) {
        if (b->use.reach[i] <= USED || count_allowed(p, i, allowed) < 2) continue;
        for (int slot = p->slot_start[i]; slot < p->slot_start[i + 1]; slot++) {
            int o = p->slot_option[slot];
            if (o >= b->space->g->choices || !allowed[o] || b->own[o] > 0 || !may_fail(b, k, i, slot, cutoff)) continue;
            if (!(loss_with(b, k, allowed, o) >= cutoff)) continue;
            allowed[o] = 0;
            option[count++] = o;
            pairs_solve(p, allowed, accepted); /* less to recompute in the next trial */
        }
    }
    return count;
}

int probing_by_pairs(pareto_bound *b, unsigned char allowed[], double cutoff, int option[])
{
    double tried = INFINITY;
    for (int i = 0; i < SEARCH.tried; i++) {
        /* The untried environment of largest loss; -1: none. */
        int k = -1;
        for (int e = 0; e < b->K; e++)
            if (b->loss[e] < tried && (k < 0 || b->loss[e] > b->loss[k])) k = e;
        if (k < 0) break;
        int count = fix_by_environment(b, k, allowed, cutoff, option);
        if (count > 0) return count;
        tried = b->loss[k];
    }
    return 0;
}
