/* lp/pricing.c - the pricing rules; see pricing.h. */
#include "lp/pricing.h"

#include "base/check.h"
#include "lp/tolerance.h"

/* ---- steepest edge, default of the dual: the row of largest infeasible_p / w_p ------------------------------------------------
 *
 * Weights w_p = |e_p' B^-1|^2 are exact from a slack start; a wrong weight is corrected when its row is computed, and the row
 * chosen again. Only blocks of positions that a pivot changed, and groups of such blocks, are searched: few in a million rows.
 * Source: J. J. Forrest and D. Goldfarb, Mathematical Programming 57 (1992), dual algorithm 1. */

/* Least ratio of a stored weight to the true one; below it the row is chosen again. */
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

static const dual_pricing dual_pricing_steepest = {start, choose, accept, update};

/* ---- devex, default of the primal: the column of largest d_v^2 / w_v, w_v a reference weight ----------------------------------
 *
 * All weights begin at 1 and only grow, w_v := max(w_v, (a_pv / a_pq)^2 w_q), until they are too large and restart. Source: P. M.
 * J. Harris, Mathematical Programming 5 (1973). */

/* Weights above this are far from the reference framework. */
static const double DEVEX_MOST = 1e7;

static void start_devex(simplex *s)
{
    for (int v = 0; v < s->vars; v++) s->pricing.devex[v] = 1;
}

static int choose_devex(const simplex *s)
{
    int best = -1;
    double most = 0;
    for (int v = 0; v < s->vars; v++) {
        double d = pricing_attracts(s, v);
        if (d * d > most * s->pricing.devex[v]) {
            most = d * d / s->pricing.devex[v];
            best = v;
        }
    }
    return best;
}

static void update_devex(simplex *s, int p, int q)
{
    const vector *row = &s->pivot_row;
    double pivot = s->col.value[p], weight = s->pricing.devex[q] / (pivot * pivot);
    for (int k = 0; k < row->count; k++) {
        int v = row->index[k];
        double a = row->value[v], w = a * a * weight;
        if (w > s->pricing.devex[v]) s->pricing.devex[v] = w;
    }
    double out = s->pricing.devex[s->head[p]] = larger(weight, 1);
    if (out > DEVEX_MOST) start_devex(s);
}

static const primal_pricing primal_pricing_devex = {start_devex, choose_devex, update_devex};

/* ---- largest: the most infeasible row, the column of largest reduced cost -----------------------------------------------------
 *
 * Without weights iterations are cheap, but usually many more. Source: G. B. Dantzig, Linear Programming and Extensions (1963). */

static void start_rows(simplex *s) { s->pricing.edge_valid = false; }

static int choose_row(simplex *s)
{
    int best = -1;
    double most = 0;
    for (int p = 0; p < s->m; p++) {
        if (s->pricing.infeasible[p] <= most) continue;
        most = s->pricing.infeasible[p];
        best = p;
    }
    return best;
}

static bool accept_row(simplex *s, int p)
{
    (void)s, (void)p;
    return true;
}

static void update_rows(simplex *s, int p) { (void)s, (void)p; }

static void start_columns(simplex *s) { (void)s; }

static int choose_column(const simplex *s)
{
    int best = -1;
    double most = 0;
    for (int v = 0; v < s->vars; v++) {
        double d = pricing_attracts(s, v);
        if (d <= most) continue;
        most = d;
        best = v;
    }
    return best;
}

static void update_columns(simplex *s, int p, int q) { (void)s, (void)p, (void)q; }

static const dual_pricing dual_pricing_largest = {start_rows, choose_row, accept_row, update_rows};
static const primal_pricing primal_pricing_largest = {start_columns, choose_column, update_columns};

/* ---- the rules of the options -------------------------------------------------------------------------------------------------
 */

#define RULE(word) &dual_pricing_##word,
static const dual_pricing *const DUAL[] = {VOUCH_LP_DUAL_PRICING(RULE)};
#undef RULE
#define RULE(word) &primal_pricing_##word,
static const primal_pricing *const PRIMAL[] = {VOUCH_LP_PRIMAL_PRICING(RULE)};
#undef RULE
enum { DUAL_RULES = sizeof DUAL / sizeof *DUAL, PRIMAL_RULES = sizeof PRIMAL / sizeof *PRIMAL };

const dual_pricing *pricing_dual(const simplex *s)
{
    CHECK(s->dual_rule >= 0 && s->dual_rule < DUAL_RULES);
    return DUAL[s->dual_rule];
}

const primal_pricing *pricing_primal(const simplex *s)
{
    CHECK(s->primal_rule >= 0 && s->primal_rule < PRIMAL_RULES);
    return PRIMAL[s->primal_rule];
}

bool pricing_known(const vouch_lp_options *options)
{
    return options->dual_pricing >= 0 && options->dual_pricing < DUAL_RULES && options->primal_pricing >= 0 &&
           options->primal_pricing < PRIMAL_RULES;
}
