/* lp/pricing_largest.c - the textbook's rules: the row most infeasible, the column with the largest reduced cost.
 *
 * No weights: cheap iterations, and as a rule many more of them. Source: G. B. Dantzig, Linear Programming and Extensions (1963).
 */
#include "lp/pricing.h"

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

const dual_pricing dual_pricing_largest = {start_rows, choose_row, accept_row, update_rows};
const primal_pricing primal_pricing_largest = {start_columns, choose_column, update_columns};
