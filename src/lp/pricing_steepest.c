/* lp/pricing_steepest.c - the dual's default: the row most infeasible for its edge length, largest infeasible_p / w_p.
 *
 * Weights w_p = |e_p' B^-1|^2 are exact from a slack start; a weight found wrong when its row is computed is corrected and the row
 * chosen again. Only blocks of positions that a pivot changed, and groups of such blocks, are looked at anew: of a million rows it
 * changes few. Source: J. J. Forrest and D. Goldfarb, Mathematical Programming 57 (1992), dual algorithm 1.
 */
#include "base/check.h"
#include "lp/pricing.h"
#include "lp/tolerance.h"

/* A stored weight below this part of the true one sends us back to choose the row again. */
static const double WEIGHT_ACCEPT = 0.25;

static void start(simplex *s)
{
    if (s->pricing.edge_valid) return;
    if (!basis_row_squares(s->factors, s->pricing.edge)) {
        for (int p = 0; p < s->m; p++) s->pricing.edge[p] = 1;
    }
    s->pricing.edge_valid = true;
    pricing_all_changed(s);
}

static void set_level(pricing_level *l, int part, int best, double most)
{
    l->most[part] = most;
    l->best[part] = best;
    l->changed[part] = false;
}

/* The best position of a block: each that passes the ones before it. */
static void look_at_block(simplex *s, int b)
{
    int first = b * PRICING_BLOCK, end = s->m - first < PRICING_BLOCK ? s->m : first + PRICING_BLOCK, best = -1;
    double most = 0;
    for (int p = first; p < end; p++) {
        if (s->pricing.infeasible[p] > most * s->pricing.edge[p]) {
            most = s->pricing.infeasible[p] / s->pricing.edge[p];
            best = p;
        }
    }
    set_level(&s->pricing.block, b, best, most);
}

/* That of its blocks. */
static void look_at_group(simplex *s, int g)
{
    int first = g * PRICING_BLOCK, blocks = pricing_blocks(s->m);
    int end = blocks - first < PRICING_BLOCK ? blocks : first + PRICING_BLOCK, best = -1;
    double most = 0;
    for (int b = first; b < end; b++) {
#ifdef VOUCH_DEBUG
        int said = s->pricing.block.changed[b] ? -2 : s->pricing.block.best[b];
        look_at_block(s, b);
        CHECK(said == -2 || said == s->pricing.block.best[b]);
#endif
        if (s->pricing.block.changed[b]) look_at_block(s, b);
        if (s->pricing.block.most[b] <= most) continue;
        most = s->pricing.block.most[b];
        best = s->pricing.block.best[b];
    }
    set_level(&s->pricing.group, g, best, most);
}

static int choose(simplex *s)
{
    int best = -1;
    double most = 0;
    for (int g = 0; g < pricing_groups(s->m); g++) {
#ifdef VOUCH_DEBUG
        int said = s->pricing.group.changed[g] ? -2 : s->pricing.group.best[g];
        look_at_group(s, g);
        CHECK(said == -2 || said == s->pricing.group.best[g]);
#endif
        if (s->pricing.group.changed[g]) look_at_group(s, g);
        if (s->pricing.group.most[g] <= most) continue;
        most = s->pricing.group.most[g];
        best = s->pricing.group.best[g];
    }
    return best;
}

static bool accept(simplex *s, int p)
{
    double weight = vector_square(&s->row), stored = s->pricing.edge[p];
    s->pricing.edge[p] = larger(weight, WEIGHT_LEAST);
    pricing_changed(s, p);
    return !(stored < WEIGHT_ACCEPT * weight);
}

static void update(simplex *s, int p)
{
    double pivot = s->col.value[p], old = s->pricing.edge[p];
    CHECK(pivot != 0);
    CHECK_COMPARE(old, >=, WEIGHT_LEAST);
    vector_copy(&s->tau, &s->row);
    simplex_ftran(s, &s->tau, LU_EDGE, false);
    for (int k = 0; k < s->col.count; k++) {
        int i = s->col.index[k];
        if (i == p) continue;
        double part = s->col.value[i] / pivot;
        double weight = s->pricing.edge[i] + part * (part * old - 2 * s->tau.value[i]);
        s->pricing.edge[i] = larger(weight, WEIGHT_LEAST);
        pricing_changed(s, i);
    }
    s->pricing.edge[p] = larger(old / (pivot * pivot), WEIGHT_LEAST);
    pricing_changed(s, p);
}

const dual_pricing dual_pricing_steepest = {start, choose, accept, update};
