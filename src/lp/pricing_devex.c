/* lp/pricing_devex.c - the primal's default: the column with the largest d_v^2 / w_v, w_v a reference weight.
 *
 * All weights begin at 1 and only grow, w_v := max(w_v, (a_pv / a_pq)^2 w_q); where they grew too far they begin anew.
 * Source: P. M. J. Harris, Mathematical Programming 5 (1973).
 */
#include "lp/pricing.h"
#include "lp/tolerance.h"

/* Devex weights this large are far from their reference framework: start a new one. */
static const double DEVEX_MOST = 1e7;

static void start(simplex *s)
{
    for (int v = 0; v < s->vars; v++) s->pricing.devex[v] = 1;
}

static int choose(const simplex *s)
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

static void update(simplex *s, int p, int q)
{
    const vector *row = &s->pivot_row;
    double pivot = s->col.value[p], weight = s->pricing.devex[q] / (pivot * pivot);
    for (int k = 0; k < row->count; k++) {
        int v = row->index[k];
        double a = row->value[v], w = a * a * weight;
        if (w > s->pricing.devex[v]) s->pricing.devex[v] = w;
    }
    double out = s->pricing.devex[s->head[p]] = larger(weight, 1);
    if (out > DEVEX_MOST) start(s);
}

const primal_pricing primal_pricing_devex = {start, choose, update};
