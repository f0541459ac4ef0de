/* plan/bound/pareto_bound.c - see pareto_bound.h. F_k comes from know/pairs.h and persists between calls; the bound allows for the
 * rounding of sums. Source: THEORY.md, 5. Cost: the sets that changed, at most `most`^2 sums an arc.
 */
#include "plan/bound/pareto_bound.h"

#include "base/memory.h"
#include "plan/bound/single_lagrangian.h"
#include "policy/parameters.h"

/* Memory of all sets of one solver. */
static const size_t STORE_BYTES = (size_t)64 << 20;
enum { PAIR_BYTES = sizeof(nondominated) + sizeof(double) };

void pareto_bound_free(pareto_bound *b)
{
    if (!b) return;
    for (int k = 0; b->of && b->trial && k < b->K; k++) {
        pairs_free(b->trial[k]);
        pairs_free(b->of[k]);
    }
    ARENA_FREE(b);
}

/* Replaces the sets of environment k by the finest of finest .. coarsest pairs within most_work sums of pairs when all options are
 * allowed. */
static vouch_status make_environment(pareto_bound *b, int k, int finest, int coarsest, long long most_work)
{
    const policy_space *space = b->space;
    size_t items = (size_t)space->g->nodes;
    for (int most = finest; most >= coarsest; most /= 2) {
        know_pairs *p;
        if (items * (size_t)most > STORE_BYTES / PAIR_BYTES / (size_t)space->K) continue;
        vouch_status status = pairs_new_environment(space->g, space->f, k, most, &p);
        if (status) return status;
        p->most_work = most_work;
        double u = pairs_solve(p, b->all, space->accepted[k]);
        p->most_work = 0;
        if (u < INFINITY) {
            pairs_free(b->of[k]);
            b->of[k] = p;
            b->loss[k] = space->optimal[k] - u;
            return VOUCH_OK;
        }
        pairs_free(p);
    }
    return VOUCH_OK;
}

/* Stops at the first environment whose sets take too much work. */
static vouch_status make_environments(pareto_bound *b, long long most_work, bool long_search, const deadline *limit)
{
    int K = b->space->K;
    long long work = 1 + most_work / K;
    b->long_search = long_search;
    b->enough = true;
    for (int k = 0; k < K; k++) {
        if (deadline_expired(limit)) return VOUCH_OK;
        vouch_status status =
            make_environment(b, k, SEARCH.most_pairs, long_search ? SEARCH.enough_pairs : SEARCH.least_pairs, work);
        b->enough = b->enough && b->of[k] && b->of[k]->pareto_front.most >= SEARCH.enough_pairs;
        if (!status && long_search && !b->of[k])
            status = make_environment(b, k, SEARCH.most_pairs, SEARCH.least_pairs, SEARCH.long_work * work);
        if (status || !b->of[k]) return status;
        if (b->loss[k] > b->loss[b->hardest]) b->hardest = k;
    }
    vouch_status status =
        deadline_expired(limit) ? VOUCH_OK : make_environment(b, b->hardest, STAIRS_MOST, STAIRS_MOST, SEARCH.finest_work);
    for (int k = 0; k < K; k++) b->work += b->of[k]->pareto_front.work;
    return status;
}

/* A bound without sets. */
static pareto_bound *bound_of(const policy_space *space)
{
    pareto_bound *b = MEM_ZERO(pareto_bound, 1);
    if (!b) return NULL;
    b->space = space;
    b->K = space->K;
    arena *a = &b->memory;
    size_t nodes = (size_t)space->g->nodes;
    b->of = ARENA_ZERO(a, know_pairs *, space->K);
    b->trial = ARENA_ZERO(a, know_pairs *, space->K);
    b->loss = ARENA_NEW(a, double, space->K);
    b->mass = ARENA_NEW(a, double, space->c->options);
    b->own = ARENA_NEW(a, double, space->c->options);
    b->all = ARENA_NEW(a, unsigned char, space->c->options);
    b->mu = ARENA_ZERO(a, double, space->K);
    b->use = (pairs_use){ARENA_NEW(a, double, nodes), ARENA_NEW(a, double, nodes), ARENA_NEW(a, double, nodes)};
    b->was = ARENA_NEW(a, unsigned char, space->g->m->A);
    prices_make(&b->prices, space->g->nodes, a);
    if (!a->failed) {
        memset(b->all, 1, (size_t)space->c->options);
        return b;
    }
    pareto_bound_free(b);
    return NULL;
}

/* *out = b if all sets exist. */
static vouch_status hand_over(pareto_bound *b, vouch_status status, pareto_bound **out)
{
    bool whole = !status;
    for (int k = 0; k < b->space->K && whole; k++) whole = b->of[k] != NULL;
    if (whole)
        *out = b;
    else
        pareto_bound_free(b);
    return status;
}

vouch_status pareto_bound_fit(const policy_space *space, long long most_work, bool long_search, const deadline *limit,
                              pareto_bound **out)
{
    pareto_bound *b = bound_of(space);
    deadline share = limit ? deadline_share(limit, TIME.sets) : (deadline){0};
    return b ? hand_over(b, make_environments(b, most_work, long_search, &share), out) : VOUCH_ERROR_MEMORY;
}

vouch_status pareto_bound_copy(const pareto_bound *from, pareto_bound **out)
{
    pareto_bound *b = bound_of(from->space);
    if (!b) return VOUCH_ERROR_MEMORY;
    b->work = from->work;
    b->long_search = from->long_search;
    b->enough = from->enough;
    b->hardest = from->hardest;
    vouch_status status = VOUCH_OK;
    for (int k = 0; k < b->K && !status; k++) status = pairs_new_copy(from->of[k], &b->of[k]);
    return hand_over(b, status, out);
}

size_t pareto_bound_bytes(const pareto_bound *b)
{
    size_t bytes = 0;
    for (int k = 0; k < b->K; k++) bytes += (size_t)b->of[k]->items * (size_t)b->of[k]->pareto_front.most * PAIR_BYTES;
    return bytes;
}

double pareto_bound_solve(pareto_bound *b, const colgen *cg, double cutoff, int first)
{
    const policy_space *space = b->space;
    bool total = cg->goal == MASTER_TOTAL_REGRET;
    double most = -INFINITY, sum = 0, mean = 0;
    for (int k = 0; k < space->K; k++) b->loss[k] = NAN;
    for (int i = 0; i < space->K; i++) {
        int k = (first + i) % space->K;
        double u = pairs_solve(b->of[k], cg->allowed, space->accepted[k]);
        b->loss[k] = space->optimal[k] - u - space->rounding;
        sum += b->loss[k];
        bool counts = !space->share || b->loss[k] == INFINITY;
        double here = counts ? b->loss[k] : space->share[k] * b->loss[k];
        mean += here;
        if (here > most) {
            most = here;
            b->hardest = k;
        }
        if (total ? most > cg->cap : (!space->share && most >= cutoff) || most == INFINITY) break;
    }
    if (space->share) return most == INFINITY ? INFINITY : mean;
    if (!total) return most;
    return most > cg->cap ? INFINITY : sum;
}

double pareto_bound_by_price(pareto_bound *b, const unsigned char allowed[], double cutoff, int first)
{
    double most = -INFINITY;
    for (int i = 0; i < b->K; i++) {
        int k = (first + i) % b->K;
        double loss = lagrangian_loss(&(price_of){b->space, b->of[k], k}, &b->prices, allowed, cutoff, &b->mu[k]);
        most = fmax(most, loss);
        if (!(loss >= cutoff)) continue;
        b->hardest = k;
        for (int j = 0; j < b->K; j++) b->loss[j] = j == k ? loss : NAN;
        break;
    }
    return most;
}

void pareto_bound_mass(pareto_bound *b)
{
    const policy_space *space = b->space;
    memset(b->mass, 0, (size_t)space->c->options * sizeof *b->mass);
    memset(b->own, 0, (size_t)space->c->options * sizeof *b->own);
    pairs_trace(b->of[b->hardest], space->accepted[b->hardest], b->own, false);
    for (int k = 0; k < space->K; k++) pairs_trace(b->of[k], space->accepted[k], b->mass, false);
    for (int o = 0; o < space->c->options; o++) b->mass[o] /= space->K;
}

bool pareto_bound_may_bind(const policy_space *space, double loss[])
{
    if (space_may_bind(space)) return true;
    for (int k = 0; loss && k < space->K; k++) loss[k] = 0;
    return false;
}
