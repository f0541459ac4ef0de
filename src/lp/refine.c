/* lp/refine.c - see refine.h.
 *
 *     r = b - B x  (long double),   B d = r,   x := x + d
 *
 * gains as many digits a round as the factors have, up to the precision in which x is held: what remains of an equation is then the
 * rounding of its own terms, whatever the condition of B. Source: J. H. Wilkinson, Rounding Errors in Algebraic Processes (1963).
 */
#include "lp/refine.h"

#include <math.h>

#include "base/check.h"
#include "lp/tolerance.h"

/* Rounds: each gains many digits unless the factors are useless. */
enum { ROUNDS = 2 };
/* A product B'y this far from an integer says that the ray is not what it should be. */
static const double NOT_INTEGRAL = 0.1;

/* r := -(A x - s) over all variables, rounded from long double; value of v from the caller. */
static void primal_residual(simplex *s, const double value[], vector *r)
{
    /* Row by row sums would need the row-wise copy; two doubles, high and low, do for columns. */
    double *high = r->value, *low = s->flip.value;
    for (int v = 0; v < s->vars; v++) {
        double x = s->where[v] >= 0 && !value ? s->xb[s->where[v]] : value ? value[v] : s->value[v];
        if (x == 0) continue;
        int64_t begin = v < s->m ? 0 : s->a.start[v - s->m], end = v < s->m ? 1 : s->a.start[v - s->m + 1];
        for (int64_t e = begin; e < end; e++) {
            int i = v < s->m ? v : s->a.index[e];
            long double term = (long double)(v < s->m ? -1.0 : s->a.value[e]) * x;
            long double sum = (long double)high[i] + low[i] - term;
            high[i] = (double)sum;
            low[i] = (double)(sum - high[i]);
        }
    }
    for (int i = 0; i < s->m; i++) low[i] = 0;
    s->flip.count = 0;
}

/* Sum over column v of a_iv y_i. */
static long double column_times(const simplex *s, int v, const double y[])
{
    if (v < s->m) return -(long double)y[v];
    long double sum = 0;
    int j = v - s->m;
    for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) sum += (long double)s->a.value[e] * y[s->a.index[e]];
    return sum;
}

static vector *scratch(simplex *s)
{
    vector_clear(&s->flip);
    vector_clear(&s->tau);
    s->tau.count = VECTOR_UNLISTED;
    return &s->tau;
}

/* Solves drop what is small beside 1, so the residual is brought there first; the correction is r times what is returned. */
static double unit_residual(vector *r)
{
    double largest = 0;
    for (int i = 0; i < r->n; i++) largest = larger(largest, fabs(r->value[i]));
    if (!(largest > 0) || isinf(largest)) return 0;
    for (int i = 0; i < r->n; i++) r->value[i] /= largest;
    return largest;
}

/* Basic values, of the point or of value [vars]. */
static void refine_values(simplex *s, double value[])
{
    for (int round = 0; round < ROUNDS; round++) {
        vector *r = scratch(s);
        primal_residual(s, value, r);
        double size = unit_residual(r);
        if (size > 0) simplex_ftran(s, r, LU_COST, false);
        for (int p = 0; p < s->m; p++) *(value ? &value[s->head[p]] : &s->xb[p]) += size * r->value[p];
        vector_clear(r);
    }
}

void refine_primal(simplex *s)
{
    CHECK(s->factored && !s->work.bounds_shifted);
    refine_values(s, NULL);
}

void refine_ray_primal(simplex *s) { refine_values(s, s->ray_primal); }

/* y := y + B^-T r; r is clear then. */
static void correct(simplex *s, vector *r, double y[])
{
    double size = unit_residual(r);
    if (size > 0) simplex_btran(s, r, LU_COST, false);
    for (int i = 0; i < s->m; i++) y[i] += size * r->value[i];
    vector_clear(r);
}

void refine_dual(simplex *s)
{
    CHECK(s->factored && !s->work.costs_shifted);
    double *y = s->ray_dual; /* free unless a ray was found */
    for (int i = 0; i < s->m; i++) y[i] = s->reduced[i] - s->cost[i];
    for (int round = 0; round < ROUNDS; round++) {
        vector *r = scratch(s);
        for (int p = 0; p < s->m; p++) r->value[p] = (double)(s->cost[s->head[p]] - column_times(s, s->head[p], y));
        correct(s, r, y);
    }
    for (int v = 0; v < s->vars; v++) s->reduced[v] = s->where[v] >= 0 ? 0 : (double)(s->cost[v] - column_times(s, v, y));
    s->dual_trust = s->work.costs_shifted ? INVALID : FRESH;
}

void refine_ray_dual(simplex *s)
{
    for (int round = 0; round < ROUNDS; round++) {
        vector *r = scratch(s);
        for (int p = 0; p < s->m; p++) {
            long double now = column_times(s, s->head[p], s->ray_dual);
            double wanted = rint((double)now);
            r->value[p] = (double)(wanted - now);
            if (fabs(r->value[p]) <= NOT_INTEGRAL) continue;
            vector_clear(r);
            return;
        }
        correct(s, r, s->ray_dual);
    }
}
