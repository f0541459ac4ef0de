/* plan/bnb/pair_bound.c - loss(k) = U*_c(k) - max { u : (u, q) in F_k(root), q >= accepted(k) } - rounding,  environment after
 * environment.
 *
 * F_k is made by know/pairs.h and kept between calls. Sums of rewards are rounded as those of U(k) are, and the bound gives that
 * up. Source: THEORY.md, 5. Cost: the sets that changed, at most `most`^2 sums an arc. Invariant: a loss that was not looked at is
 * NAN and counts for nothing.
 */
#include "plan/bnb/pair_bound.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Memory of all sets of one solver. */
static const size_t STORE_BYTES = (size_t)64 << 20;

void pair_bound_free(pair_bound *b)
{
    if (!b) return;
    for (int k = 0; b->of && k < b->space->K; k++) pairs_free(b->of[k]);
    mem_free(b->of);
    mem_free(b->loss);
    mem_free(b->mass);
    mem_free(b->own);
    mem_free(b);
}

vouch_status pair_bound_new(const policy_space *space, int most, pair_bound **out)
{
    size_t K = (size_t)space->K, pairs = (size_t)space->g->nodes * K * (size_t)most;
    if (pairs > STORE_BYTES / (sizeof(stair) + sizeof(double))) return VOUCH_OK;
    pair_bound *b = MEM_ZERO(pair_bound, 1);
    if (!b) return VOUCH_ERROR_MEMORY;
    b->space = space;
    b->of = MEM_ZERO(know_pairs *, K);
    b->loss = MEM_NEW(double, K);
    b->mass = MEM_NEW(double, space->c->options);
    b->own = MEM_NEW(double, space->c->options);
    vouch_status status = b->of && b->loss && b->mass && b->own ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (int k = 0; k < space->K && !status; k++) status = pairs_new_environment(space->g, space->f, k, most, &b->of[k]);
    if (status)
        pair_bound_free(b);
    else
        *out = b;
    return status;
}

bool pair_bound_fits(pair_bound *b, const unsigned char allowed[], long long most_work)
{
    for (int k = 0; k < b->space->K; k++) {
        b->of[k]->most_work = most_work - pair_bound_work(b);
        if (b->of[k]->most_work <= 0 || pairs_solve(b->of[k], allowed, b->space->accepted[k]) == INFINITY) return false;
        b->of[k]->most_work = 0;
    }
    return true;
}

long long pair_bound_work(const pair_bound *b)
{
    long long sum = 0;
    for (int k = 0; k < b->space->K; k++) sum += b->of[k]->stairs.work;
    return sum;
}

double pair_bound_solve(pair_bound *b, const colgen *cg, double cutoff, int first)
{
    const policy_space *space = b->space;
    bool total = cg->goal == MASTER_TOTAL_REGRET;
    double most = -INFINITY, sum = 0;
    for (int k = 0; k < space->K; k++) b->loss[k] = NAN;
    for (int i = 0; i < space->K; i++) {
        int k = (first + i) % space->K;
        double u = pairs_solve(b->of[k], cg->allowed, space->accepted[k]);
        b->loss[k] = space->optimal[k] - u - space->rounding;
        sum += b->loss[k];
        if (b->loss[k] > most) {
            most = b->loss[k];
            b->hardest = k;
        }
        if (total ? most > cg->cap : most >= cutoff) break;
    }
    if (!total) return most;
    return most > cg->cap ? INFINITY : sum;
}

void pair_bound_mass(pair_bound *b)
{
    const policy_space *space = b->space;
    memset(b->mass, 0, (size_t)space->c->options * sizeof *b->mass);
    memset(b->own, 0, (size_t)space->c->options * sizeof *b->own);
    pairs_trace(b->of[b->hardest], space->accepted[b->hardest], b->own);
    for (int k = 0; k < space->K; k++) pairs_trace(b->of[k], space->accepted[k], b->mass);
    for (int o = 0; o < space->c->options; o++) b->mass[o] /= space->K;
}
