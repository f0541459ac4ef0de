/* lp/pricing.h - which row leaves, which column enters: the rules of VOUCH_LP_DUAL_PRICING and VOUCH_LP_PRIMAL_PRICING
 * (vouch/lp.h).
 *
 * A rule weighs candidates and chooses; the method asks the rule in pricing_dual or pricing_primal and knows no weights. Weights
 * live in `pricing` of lp/simplex.h: edge [m] by position, devex [vars] by variable. edge follows its variables when simplex_factor
 * orders the basis anew; a variable that a repair brings in gets 1. A rule is a file src/lp/pricing_WORD.c. It may use s->tau and
 * s->candidate, and allocates nothing.
 */
#ifndef LP_PRICING_H
#define LP_PRICING_H

#include "lp/simplex.h"

/* Positions are looked at in blocks, and blocks in groups, most of which have not changed since they were looked at last. */
enum { PRICING_BLOCK = 64, PRICING_GROUP = PRICING_BLOCK * PRICING_BLOCK };
static inline int pricing_blocks(int m) { return m / PRICING_BLOCK + 1; }
static inline int pricing_groups(int m) { return m / PRICING_GROUP + 1; }
/* Whoever changes a violation or a weight says so. */
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

/* Of the dual. s->pricing.infeasible [m] holds squared bound violations, 0: within bounds, or not to be chosen. */
typedef struct dual_pricing {
    void (*start)(simplex *s);         /* a run begins: weights for its basis. s->pricing.edge_valid: those there are right */
    int (*choose)(simplex *s);         /* position with a violation, -1 only if there is none */
    bool (*accept)(simplex *s, int p); /* s->row is row p of the inverse. False: weights changed, choose again. Not twice for p */
    void (*update)(simplex *s, int p); /* before the exchange at p; s->row, s->col: row and column of the pivot */
} dual_pricing;

/* Of the primal. */
typedef struct primal_pricing {
    void (*start)(simplex *s);                /* a run begins */
    int (*choose)(const simplex *s);          /* column that pricing_attracts, -1 only if there is none */
    void (*update)(simplex *s, int p, int q); /* before q enters at p; s->col, s->pivot_row: column of q, row p of the tableau */
} primal_pricing;

#define DECLARE(word) extern const dual_pricing dual_pricing_##word;
VOUCH_LP_DUAL_PRICING(DECLARE)
#undef DECLARE
#define DECLARE(word) extern const primal_pricing primal_pricing_##word;
VOUCH_LP_PRIMAL_PRICING(DECLARE)
#undef DECLARE

/* The rules that the options of the solve name. */
const dual_pricing *pricing_dual(const simplex *s);
const primal_pricing *pricing_primal(const simplex *s);
bool pricing_known(const vouch_lp_options *options); /* do the options name rules that there are? */

/* How fast the objective falls as v enters: |d_v|; 0 where v may not enter or is within the tolerance. */
static inline double pricing_attracts(const simplex *s, int v)
{
    double d = s->reduced[v];
    if ((d <= s->optimality_tol && d >= -s->optimality_tol) || s->where[v] >= 0) return 0;
    bool improves = s->move[v] == 0 ? s->work.lower[v] != s->work.upper[v] : s->move[v] * d < 0;
    return !improves ? 0 : d < 0 ? -d : d;
}

#endif
