/* lp/pricing.h - the pricing rules of VOUCH_LP_DUAL_PRICING and VOUCH_LP_PRIMAL_PRICING (vouch/lp.h): which row leaves, which
 * column enters.
 *
 * Weights are in `pricing` of lp/simplex.h: edge [m] by position, devex [vars] by variable. edge follows its variables when
 * simplex_factor permutes the basis; a variable that a repair brings in gets 1. A rule may use s->tau and s->candidate, and
 * allocates nothing. */
#ifndef LP_PRICING_H
#define LP_PRICING_H

#include "lp/simplex.h"

/* Positions are searched in blocks, and blocks in groups; most are unchanged since the last search. */
enum { PRICING_BLOCK = 64, PRICING_GROUP = PRICING_BLOCK * PRICING_BLOCK };
static inline int pricing_blocks(int m) { return m / PRICING_BLOCK + 1; }
static inline int pricing_groups(int m) { return m / PRICING_GROUP + 1; }
/* Called after each change of a violation or a weight. */
static inline void pricing_changed(simplex *s, int p)
{
    s->pricing.block.changed[p / PRICING_BLOCK] = true;
    s->pricing.group.changed[p / PRICING_GROUP] = true;
}
static inline void pricing_all_changed(simplex *s)
{
    for (int b = 0; b < pricing_blocks(s->m); b++) s->pricing.block.changed[b] = true;
    for (int g = 0; g < pricing_groups(s->m); g++) s->pricing.group.changed[g] = true;
}

/* s->pricing.infeasible [m]: squared bound violations, 0: within bounds, or excluded. */
typedef struct dual_pricing {
    void (*start)(simplex *s); /* a run begins; s->pricing.edge_valid: the weights belong to its basis */
    int (*choose)(simplex *s); /* position with a violation, -1: none */
    bool (*accept)(simplex *s,
                   int p); /* s->row is row p of the inverse. False: weights changed, choose again, at most once for p */
    void (*update)(simplex *s, int p); /* before the exchange at p; s->row, s->col: row and column of the pivot */
} dual_pricing;

typedef struct primal_pricing {
    void (*start)(simplex *s);                /* a run begins */
    int (*choose)(const simplex *s);          /* column that pricing_attracts, -1: none */
    void (*update)(simplex *s, int p, int q); /* before q enters at p; s->col, s->pivot_row: column of q, row p of the tableau */
} primal_pricing;

const dual_pricing *pricing_dual(const simplex *s);
const primal_pricing *pricing_primal(const simplex *s);
bool pricing_known(const vouch_lp_options *options); /* does every option name a rule? */

/* Rate of improvement as v enters: |d_v|; 0: v may not enter or is within the tolerance. */
static inline double pricing_attracts(const simplex *s, int v)
{
    double d = s->reduced[v];
    if ((d <= s->optimality_tol && d >= -s->optimality_tol) || s->where[v] >= 0) return 0;
    bool improves = s->move[v] == 0 ? s->work.lower[v] != s->work.upper[v] : s->move[v] * d < 0;
    return !improves ? 0 : d < 0 ? -d : d;
}

#endif
