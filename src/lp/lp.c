/* lp/lp.c - vouch_lp_solve: from the caller's problem to a certified result.
 *
 * The engine of the last solve is used again. Each claim of the simplex method is unscaled and certified. If the
 * certificate refuses it, the solve is repeated with tighter tolerances and stricter pivoting, without scaling, by the other method
 * and with dense factors from a cold start, and finally exactly; without a certified result the outcome is NUMERICAL. */

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "exact/exact.h"
#include "lp/presolve.h"
#include "lp/problem.h"

/* ---- certificate ---------------------------------------------------------------------------------------------------------------
 *
 * Optimality: x within bounds, A x within row bounds, reduced costs c - A'y and duals y of the sign that their bounds allow, and
 * equal objectives (in terms of a minimum):
 *     c'x  =  sum_i y_i (lower or upper of row i, by the sign of y_i)  +  sum_j d_j (lower or upper of column j).
 * Each violation is relative to 1 + the largest term of its sum, the scale of its rounding. If multipliers and values are large,
 * errors of the two objectives may cancel. To first order the optimum is off by at most
 *     sum_i |y_i| viol_i  +  sum_j |d_j| viol_j  +  sum_j |x_j| wrong_j  +  eps sum_j |x_j| (|c_j| + sum_i |a_ij y_i|):
 * violations of rows and bounds, reduced costs of wrong sign, and the rounding of A x and A'y. Source: A. Neumaier, O. Shcherbina,
 * Safe bounds in linear and mixed-integer linear programming, Math. Prog. 99 (2004). A multiplier of wrong sign on an absent bound
 * prices an unlimited move, which no tolerance makes harmless: a result is beyond doubt, and a ray is accepted, only if such
 * multipliers are rounding of their own sum (TOL_SUM_ZERO). */

/* Distance of the optimum from the point found, relative to it, for which rounded multipliers of columns without bound count. */
static const double BOUND_REACH = 2;

static double sense_of(const vouch_lp_data *lp) { return lp->maximize ? -1.0 : 1.0; }

static double outside(double x, double lower, double upper)
{
    if (!(x == x)) return INFINITY;
    return larger(0, larger(lower - x, x - upper));
}

static void multiply(const vouch_lp_data *lp, const double x[], double activity[])
{
    for (int i = 0; i < lp->rows; i++) activity[i] = 0;
    for (int j = 0; j < lp->cols; j++) {
        double v = x[j];
        if (v == 0) continue;
        for (int64_t e = lp->start[j]; e < lp->start[j + 1]; e++) activity[lp->index[e]] += v * lp->value[e];
    }
}

/* Largest |a_ij x_j| of row i, by a search of the whole matrix. */
static double row_magnitude(const vouch_lp_data *lp, const double x[], int i)
{
    double most = 0;
    for (int j = 0; j < lp->cols; j++) {
        if (x[j] == 0) continue;
        for (int64_t e = lp->start[j]; e < lp->start[j + 1]; e++)
            if (lp->index[e] == i) most = larger(most, fabs(lp->value[e] * x[j]));
    }
    return most;
}

/* Most rows searched for their magnitude; others use their activity. */
enum { MAGNITUDES_MOST = 50 };

/* Largest relative violation of the bounds of rows and columns by x; activity [m] := A x. */
static double certify_feasible(const vouch_lp_data *lp, const double x[], double activity[])
{
    double worst = 0;
    int asked = 0;
    multiply(lp, x, activity);
    for (int j = 0; j < lp->cols; j++) {
        double off = outside(x[j], lp->col_lower[j], lp->col_upper[j]);
        if (off > 0) worst = larger(worst, off / (1 + fabs(x[j])));
    }
    for (int i = 0; i < lp->rows; i++) {
        double off = outside(activity[i], lp->row_lower[i], lp->row_upper[i]);
        if (!(off > worst)) continue;
        double relative = off / (1 + fabs(activity[i]));
        if (relative > worst && relative > TOL_DROP && asked++ < MAGNITUDES_MOST) relative = off / (1 + row_magnitude(lp, x, i));
        worst = larger(worst, relative);
    }
    return worst;
}

/* Term of a multiplier in the dual objective. wrong: size of its wrong sign; distance: of the value from the priced bound. */
static double price_of(double multiplier, double lower, double upper, double value, double *wrong, double *distance)
{
    double bound = multiplier > 0 ? lower : upper;
    *wrong = *distance = 0;
    if (multiplier == 0) return 0;
    if (isinf(bound)) {
        *wrong = fabs(multiplier);
        return multiplier * value;
    }
    *distance = fabs(value - bound);
    return multiplier * bound;
}

/* A reduced cost, the sum of magnitudes of its terms, and the largest. */
typedef struct reduced_sum {
    double value, terms, largest;
} reduced_sum;

static inline reduced_sum sum_reduced(const vouch_lp_data *lp, const double y[], int j)
{
    double cost = lp->cost[j];
    reduced_sum s = {cost, fabs(cost), fabs(cost)};
    for (int64_t e = lp->start[j]; e < lp->start[j + 1]; e++) {
        double term = lp->value[e] * y[lp->index[e]];
        s.value -= term;
        s.terms += fabs(term);
        s.largest = larger(s.largest, fabs(term));
    }
    return s;
}

/* The reported reduced cost: 0 if it is rounding of its terms. */
static double without_noise(const reduced_sum *r) { return fabs(r->value) <= TOL_SUM_ZERO * r->largest ? 0 : r->value; }

/* Can rounding of an activity, relative to 1 + the side, decide whether x satisfies the rows? terms [m]: scratch. */
static bool rows_vague(const vouch_lp_data *lp, const double x[], double terms[])
{
    for (int i = 0; i < lp->rows; i++) terms[i] = 0;
    for (int j = 0; j < lp->cols; j++)
        for (int64_t e = lp->start[j]; e < lp->start[j + 1] && x[j] != 0; e++) terms[lp->index[e]] += fabs(lp->value[e] * x[j]);
    for (int i = 0; i < lp->rows; i++) {
        bool low = !isinf(lp->row_lower[i]), high = !isinf(lp->row_upper[i]);
        double side = larger(low ? fabs(lp->row_lower[i]) : 0, high ? fabs(lp->row_upper[i]) : 0);
        if ((low || high) && !(TOL_NOISE * terms[i] <= TOL_VAGUE * (1 + side))) return true;
    }
    return false;
}

/* Relative noise of a reduced cost whose sign is uncertain and matters, as a bound is absent; otherwise 0. */
static double sign_vague(const vouch_lp_data *lp, int j, double d, double terms)
{
    double noise = TOL_NOISE * terms;
    if (!isinf(lp->col_lower[j]) && !isinf(lp->col_upper[j])) return 0;
    return fabs(d) <= noise ? noise / (1 + fabs(lp->cost[j])) : 0;
}

/* c_j - sum a_ij y_i in long double, as large multipliers may cancel, and the largest term. */
static long double reduced_exactly(const vouch_lp_data *lp, const double y[], int j, double *largest)
{
    long double d = lp->cost[j];
    *largest = fabs(lp->cost[j]);
    for (int64_t e = lp->start[j]; e < lp->start[j + 1]; e++) {
        long double term = (long double)lp->value[e] * y[lp->index[e]];
        d -= term;
        *largest = larger(*largest, fabs((double)term));
    }
    return d;
}

/* Is x_j at a bound (or at 0 without bounds) while a reduced cost that is rounding would allow an unlimited move? A reduced cost of
 * 0 is rounding, too, if the sum is not 0 with more digits. */
static bool rests_on_rounding(const vouch_lp_data *lp, const optimality *o, int j, const reduced_sum *r)
{
    double x = o->x[j], largest;
    bool open = isinf(lp->col_lower[j]) || isinf(lp->col_upper[j]), absent = isinf(lp->col_lower[j]) && isinf(lp->col_upper[j]);
    if (!open || fabs(r->value) > TOL_SUM_ZERO * r->terms) return false;
    if (x != lp->col_lower[j] && x != lp->col_upper[j] && !(absent && x == 0)) return false;
    return r->value != 0 || reduced_exactly(lp, o->y, j, &largest) != 0;
}

/* The first check that fails. */
static const char *why_not(const optimality *o, double gap, double vague)
{
    const vouch_lp_certificate *m = &o->measures;
    if (!(m->primal_infeasibility <= o->primal_tol)) return "the point found misses a row or bound by more than the tolerance";
    if (!(m->dual_infeasibility <= o->dual_tol))
        return "a multiplier of the point found has the wrong sign by more than the tolerance";
    if (!(vague <= TOL_VAGUE_MOST)) return "the multipliers are so large that rounding decides the sign of a reduced cost";
    return gap <= TOL_CERTIFY_GAP ? NULL : "rounding leaves a gap between the point found and the bound that its multipliers prove";
}

bool certify_optimal(const vouch_lp_data *lp, optimality *o)
{
    const double *x = o->x, *y = o->y;
    double *activity = o->activity, *reduced = o->reduced;
    CHECK(o->primal_tol >= 0 && o->dual_tol >= 0);
    double sense = sense_of(lp), wrong, distance;
    double primal = 0, dual = 0, dual_off = 0, slack = 0, objective_size = 0, dual_magnitude = 0, error = 0, vague = 0;
    bool rounded = o->fine && rows_vague(lp, x, activity);
    for (int i = 0; i < lp->rows; i++) dual_magnitude = larger(dual_magnitude, fabs(y[i]));
    double primal_off = certify_feasible(lp, x, activity);
    bool signs = true;
    for (int j = 0; j < lp->cols; j++) {
        reduced_sum r = sum_reduced(lp, y, j);
        double d = r.value;
        reduced[j] = without_noise(&r);
        primal += lp->cost[j] * x[j];
        objective_size = larger(objective_size, fabs(lp->cost[j] * x[j]));
        dual += price_of(sense * d, lp->col_lower[j], lp->col_upper[j], x[j], &wrong, &distance);
        error += fabs(d) * outside(x[j], lp->col_lower[j], lp->col_upper[j]);
        if (x[j] != 0) error += fabs(x[j]) * (wrong + DBL_EPSILON * r.terms);
        vague = larger(vague, sign_vague(lp, j, d, r.terms));
        rounded = rounded || (o->fine && rests_on_rounding(lp, o, j, &r));
        if (wrong > 0) {
            dual_off = larger(dual_off, wrong / (1 + r.largest));
            if (wrong > TOL_SUM_ZERO * r.largest) signs = false;
            if (wrong > TOL_NOISE * r.terms) rounded = rounded || o->fine;
        }
        slack = larger(slack, fabs(d) * distance);
    }
    for (int i = 0; i < lp->rows; i++) {
        dual += price_of(sense * y[i], lp->row_lower[i], lp->row_upper[i], activity[i], &wrong, &distance);
        dual_off = larger(dual_off, wrong / (1 + fabs(y[i])));
        error += fabs(y[i]) * outside(activity[i], lp->row_lower[i], lp->row_upper[i]) + wrong * fabs(activity[i]);
        if (wrong > TOL_SUM_ZERO * dual_magnitude) signs = false;
        if (wrong > TOL_NOISE * dual_magnitude) rounded = rounded || o->fine;
        slack = larger(slack, fabs(y[i]) * distance);
    }
    double scale = 1 + fabs(primal);
    o->objective = primal + lp->offset;
    o->bound = sense * dual + lp->offset;
    o->measures = (vouch_lp_certificate){.primal_residual = primal_off,
                                         .primal_infeasibility = primal_off,
                                         .dual_infeasibility = dual_off,
                                         .complementarity = slack / larger(scale, objective_size),
                                         .relative_gap = fabs(primal - sense * dual) / scale};
    /* The terms may be far larger than their sum, and so the rounding of the gap. */
    double gap = larger(fabs(primal - sense * dual), error) / larger(scale, objective_size);
    bool close = primal_off <= TOL_CLEAR_PRIMAL && dual_off <= TOL_CLEAR_DUAL && error <= TOL_CLEAR_GAP * scale &&
                 fabs(primal - sense * dual) <= TOL_CLEAR_GAP * scale + TOL_SUM_ZERO * objective_size;
    o->sure = !close ? DOUBTFUL : signs && vague <= TOL_VAGUE ? BEYOND_DOUBT : PLAUSIBLE;
    o->leans = rounded || primal_off > TOL_ROUNDING_PRIMAL;
    o->why = why_not(o, gap, vague);
    return !o->why;
}

double certify_bound(const vouch_lp_data *lp, double y[], double dual_tol, double reduced[])
{
    CHECK_COMPARE(dual_tol, >=, 0);
    double sense = sense_of(lp), dual = 0, loss = 0;
    bool proved = true;
    for (int i = 0; i < lp->rows; i++) { /* any y proves a bound: set a multiplier of wrong sign to 0 */
        double d = sense * y[i], at = d > 0 ? lp->row_lower[i] : lp->row_upper[i];
        if (isinf(at) && fabs(d) <= dual_tol)
            y[i] = 0;
        else if (isinf(at))
            proved = false;
        else if (d != 0)
            dual += d * at, loss += DBL_EPSILON * fabs(d * at);
    }
    for (int j = 0; j < lp->cols; j++) {
        reduced_sum r = sum_reduced(lp, y, j);
        double d = sense * r.value, at = d > 0 ? lp->col_lower[j] : lp->col_upper[j];
        reduced[j] = without_noise(&r);
        if ((isinf(at) && fabs(d) > TOL_BOUND_ZERO * r.largest) || sign_vague(lp, j, d, r.terms) > TOL_VAGUE)
            proved = false;
        else if (!isinf(at) && d != 0)
            dual += d * at, loss += TOL_NOISE * r.terms * fabs(at);
    }
    if (loss > TOL_LOSS * (1 + fabs(dual))) dual -= loss; /* a smaller loss is within the caller's margin */
    return proved ? sense * dual + lp->offset : -sense * INFINITY;
}

/* The same for large multipliers that cancel: in long double, less the rounding of reduced costs; columns without bound are taken
 * up to twice as far from 0 as in x [n]. */
static double certify_bound_near(const vouch_lp_data *lp, double y[], const double x[], double dual_tol, double reduced[])
{
    double sense = sense_of(lp);
    long double dual = 0, loss = 0;
    bool proved = true;
    for (int i = 0; i < lp->rows; i++) { /* as above */
        double at = sense * y[i] > 0 ? lp->row_lower[i] : lp->row_upper[i];
        if (y[i] == 0) continue;
        if (!isinf(at))
            dual += (long double)(sense * y[i]) * at;
        else if (fabs(y[i]) <= dual_tol)
            y[i] = 0;
        else
            proved = false;
    }
    for (int j = 0; j < lp->cols; j++) {
        double largest;
        long double d = reduced_exactly(lp, y, j, &largest);
        reduced[j] = (double)d;
        d *= sense;
        double at = d > 0 ? lp->col_lower[j] : lp->col_upper[j], reach = BOUND_REACH * (1 + fabs(x[j]));
        bool absent = isinf(at);
        if (sign_vague(lp, j, (double)d, largest) > TOL_VAGUE_MOST) proved = false;
        loss += LDBL_EPSILON * (double)(lp->start[j + 1] - lp->start[j]) * largest * (absent ? reach : larger(reach, fabs(at)));
        if (!absent)
            dual += d * at;
        else if (fabsl(d) > TOL_BOUND_ZERO * largest)
            proved = false;
        else
            loss += fabsl(d) * reach;
    }
    return proved ? (double)(sense * (dual - loss) + lp->offset) : -sense * INFINITY;
}

/* Relative size of multipliers that are noise on rows without the bound they need. */
static const double NOISE = 1e-11;

/* The multiplier of row i for this sign of the ray; 0: noise. */
static double counted(const vouch_lp_data *lp, const double y[], double sign, int i)
{
    double v = sign * y[i];
    return fabs(v) < NOISE && isinf(v > 0 ? lp->row_upper[i] : lp->row_lower[i]) ? 0 : v;
}

/* Margin for one sign of y, relative to the largest term. */
static double farkas_margin(const vouch_lp_data *lp, const double y[], double sign, certainty *sure)
{
    *sure = BEYOND_DOUBT;
    double margin = 0, size = 0;
    for (int i = 0; i < lp->rows; i++) {
        double v = counted(lp, y, sign, i);
        if (v == 0) continue;
        double at = v > 0 ? lp->row_upper[i] : lp->row_lower[i];
        if (isinf(at)) return 0;
        margin -= v * at;
        size = larger(size, fabs(v * at));
    }
    for (int j = 0; j < lp->cols; j++) {
        long double sum = 0; /* long double shows sums that cancel in doubles only */
        double largest = 0;
        for (int64_t e = lp->start[j]; e < lp->start[j + 1]; e++) {
            long double term = (long double)counted(lp, y, sign, lp->index[e]) * lp->value[e];
            sum += term;
            largest = larger(largest, fabs((double)term));
        }
        double g = (double)sum;
        double at = g > 0 ? lp->col_lower[j] : lp->col_upper[j];
        if (g == 0) continue;
        if (isinf(at)) {
            if (fabs(g) > TOL_SUM_ZERO * largest) return 0;
            *sure = PLAUSIBLE;
            continue;
        }
        margin += g * at;
        /* The error of g is relative to its terms, not to g. */
        size = larger(size, larger(fabs(g), TOL_SUM_ZERO / TOL_CERTIFY_RAY * largest) * fabs(at));
    }
    if (!(margin > 0)) return 0;
    double relative = size > 0 ? margin / size : 0;
    return relative >= TOL_CERTIFY_RAY ? relative : 0;
}

double certify_farkas(const vouch_lp_data *lp, double y[], certainty *sure)
{
    double largest = 0;
    for (int i = 0; i < lp->rows; i++) {
        if (!isfinite(y[i])) return 0;
        largest = larger(largest, fabs(y[i]));
    }
    if (largest == 0) return 0;
    for (int i = 0; i < lp->rows; i++) y[i] /= largest;
    for (double sign = 1; sign >= -1; sign -= 2) {
        double margin = farkas_margin(lp, y, sign, sure);
        if (!(margin > 0)) continue;
        for (int i = 0; i < lp->rows; i++) y[i] = counted(lp, y, sign, i);
        return margin;
    }
    return 0;
}

/* Improvement of the objective along r, relative to its terms; 0: a row forbids r, or no gain beyond rounding. */
static double ray_gain(const vouch_lp_data *lp, const double r[], double activity[])
{
    double gain = 0, size = 0, sense = sense_of(lp);
    for (int j = 0; j < lp->cols; j++) {
        gain -= sense * lp->cost[j] * r[j];
        size = larger(size, fabs(lp->cost[j] * r[j]));
    }
    multiply(lp, r, activity);
    for (int i = 0; i < lp->rows; i++) {
        double v = activity[i];
        bool bad = (v < 0 && !isinf(lp->row_lower[i])) || (v > 0 && !isinf(lp->row_upper[i]));
        if (bad && fabs(v) > TOL_SUM_ZERO * row_magnitude(lp, r, i)) return 0;
    }
    if (!(gain > 0) || size == 0) return 0;
    return gain / size >= TOL_CERTIFY_RAY ? gain / size : 0;
}

/* Relative size of entries that may be noise of solves, tried in turn. */
enum { RAY_NOISES = 3 };
static const double RAY_NOISE[RAY_NOISES] = {0, 1e-20, 1e-14};

double certify_ray(const vouch_lp_data *lp, double r[], double activity[])
{
    double largest = 0, gain = 0;
    for (int j = 0; j < lp->cols; j++) {
        if (!isfinite(r[j])) return 0;
        largest = larger(largest, fabs(r[j]));
    }
    if (largest == 0) return 0;
    for (int j = 0; j < lp->cols; j++) {
        r[j] /= largest;
        if ((r[j] < 0 && !isinf(lp->col_lower[j])) || (r[j] > 0 && !isinf(lp->col_upper[j]))) {
            if (fabs(r[j]) >= NOISE) return 0;
            r[j] = 0;
        }
    }
    for (int k = 0; k < RAY_NOISES && gain == 0; k++) {
        for (int j = 0; j < lp->cols; j++) r[j] = fabs(r[j]) < RAY_NOISE[k] ? 0 : r[j];
        gain = ray_gain(lp, r, activity);
    }
    return gain;
}

/* ---- judge ---------------------------------------------------------------------------------------------------------------------
 *
 *     engine: s, x scaled, with working bounds      ->      x_j scale_j,  y_i = d_i / scale_i      ->      certificate.h
 *
 * A claim that the certificate finds doubtful is refined and judged again; if still doubtful, a small program is solved exactly
 * (exact.h). Invariant: every OPTIMAL, INFEASIBLE or UNBOUNDED of a result is set here. Cost: O(entries) a claim, with two solves
 * for refinement and the limits of the exact attempt.
 *
 * Iterative refinement: r = b - B x (long double), B d = r, x := x + d gains as many digits a round as the factors have, up to the
 * precision of x: the remaining error of an equation is the rounding of its terms, for any condition of B. Source: J. H. Wilkinson,
 * Rounding Errors in Algebraic Processes (1963). */

/* Rounds of refinement. */
enum { ROUNDS = 2 };
/* Largest distance of B'y from integers for a valid ray. */
static const double NOT_INTEGRAL = 0.1;

/* r := -(A x - s) over all variables, rounded from long double; the point, or value [vars]. */
static void primal_residual(simplex *s, const double value[], vector *r)
{
    /* Sums by columns, each in two doubles, high and low. */
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

/* Solves drop entries that are small relative to 1, so the residual is scaled to 1; returns the factor. */
static double unit_residual(vector *r)
{
    double largest = 0;
    for (int i = 0; i < r->n; i++) largest = larger(largest, fabs(r->value[i]));
    if (!(largest > 0) || isinf(largest)) return 0;
    for (int i = 0; i < r->n; i++) r->value[i] /= largest;
    return largest;
}

/* Refines basic values of the point, or of value [vars]. */
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

static void refine_primal(simplex *s)
{
    CHECK(s->factored && !s->work.bounds_shifted);
    refine_values(s, NULL);
}

/* y := y + B^-T r; clears r. */
static void correct(simplex *s, vector *r, double y[])
{
    double size = unit_residual(r);
    if (size > 0) simplex_btran(s, r, LU_COST, false);
    for (int i = 0; i < s->m; i++) y[i] += size * r->value[i];
    vector_clear(r);
}

static void refine_dual(simplex *s)
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

/* s->ray_dual: B'y is integer in both methods (a unit vector, or the costs of phase 1). */
static void refine_ray_dual(simplex *s)
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

/* ---- from the engine to the caller's units --------------------------------------------------------------------------------- */

static void unscale_point(const vouch_lp *lp, double x[])
{
    const simplex *s = lp->engine;
    for (int j = 0; j < s->n; j++) {
        int v = s->m + j, p = s->where[v];
        double l = lp->col_lower[j], u = lp->col_upper[j];
        if (p >= 0)
            x[j] = s->xb[p] * s->scale[v];
        else
            x[j] = s->move[v] > 0 ? l : s->move[v] < 0 ? u : l == u ? l : 0;
        if (p < 0) continue;
        /* undo rounding across a bound */
        double tol = s->feasibility_tol * s->scale[v];
        if (x[j] < l && x[j] >= l - tol) x[j] = l;
        if (x[j] > u && x[j] <= u + tol) x[j] = u;
    }
}

static void unscale_dual(const vouch_lp *lp, double y[])
{
    const simplex *s = lp->engine;
    double sense = lp->maximize ? -1 : 1;
    for (int i = 0; i < s->m; i++) y[i] = sense * s->reduced[i] / s->scale[i];
}

/* ---- work of the exact attempt --------------------------------------------------------------------------------------------- */

static const double START_PARTS = 12;

static long long least(long long a, long long b) { return a < b ? a : b; }

/* 0: none left, or the start alone would need too large a part. */
static long long work_of(const judgement *g, long long one, long long all)
{
    long long work = least(one, all - g->lp->exact_work);
    double start = EXACT_WORK_START * ((double)g->data->start[g->data->cols] + g->data->rows + g->data->cols);
    return START_PARTS * start <= (double)work ? work : 0;
}

/* For a claim that is clear but leans, or one within tolerances only. */
static long long work_left(const judgement *g, bool clear)
{
    long long all = g->lp->confirm_most;
    return clear ? work_of(g, EXACT_WORK_LEANS, least(all, EXACT_WORK_LEANS_ALL)) : work_of(g, EXACT_WORK_CONFIRM, all);
}

/* ---- claims ---------------------------------------------------------------------------------------------------------------- */

/* Stores a ray that proves infeasibility on the caller's data. False: it does not. */
static bool judge_infeasible(judgement *g, double ray[])
{
    vouch_lp_result *r = &g->lp->result;
    r->certificate.ray_quality = certify_farkas(g->data, ray, &g->sure);
    if (!(r->certificate.ray_quality > 0)) {
        g->why = "the rows' combination that should prove infeasibility does not, beyond rounding";
        return false;
    }
    r->farkas = ray;
    r->bound = g->data->maximize ? -INFINITY : INFINITY;
    r->outcome = VOUCH_LP_INFEASIBLE;
    return true;
}

/* Certifies point and duals of the result's arrays and stores the measures. */
static bool certify_point(judgement *g, double primal_tol, double dual_tol)
{
    vouch_lp_result *r = &g->lp->result;
    optimality o = {.x = g->at.x,
                    .y = g->at.dual,
                    .activity = g->at.activity,
                    .reduced = g->at.reduced,
                    .primal_tol = primal_tol,
                    .dual_tol = dual_tol,
                    .fine = g->fine && work_left(g, true) > 0};
    bool proved = certify_optimal(g->data, &o);
    r->objective = o.objective;
    r->bound = o.bound;
    r->certificate = o.measures;
    g->sure = o.sure;
    g->leans = o.leans;
    if (!proved) g->why = o.why;
    return proved;
}

static bool judge_optimal(judgement *g)
{
    unscale_point(g->lp, g->at.x);
    unscale_dual(g->lp, g->at.dual);
    return certify_point(g, CERTIFY_SLACK * g->options->feasibility_tol, CERTIFY_SLACK * g->options->optimality_tol);
}

static bool judge_cutoff(judgement *g)
{
    g->why = "the multipliers do not prove the bound that the method had when it stopped";
    vouch_lp_result *r = &g->lp->result;
    unscale_dual(g->lp, g->at.dual);
    r->bound = certify_bound(g->data, g->at.dual, CERTIFY_SLACK * g->options->optimality_tol, g->at.reduced);
    return g->data->maximize ? r->bound <= g->options->cutoff : r->bound >= g->options->cutoff;
}

/* Is the engine's point feasible to a stricter tolerance than for optimality? A slightly infeasible program has points within
 * tolerance, but no optimum. */
static bool stands_on_rows(judgement *g)
{
    vouch_lp_result *r = &g->lp->result;
    unscale_point(g->lp, g->at.x);
    double off = certify_feasible(g->data, g->at.x, g->at.activity);
    r->certificate.primal_residual = r->certificate.primal_infeasibility = off;
    return off <= TOL_CLEAR_PRIMAL && off <= CERTIFY_SLACK * g->options->feasibility_tol;
}

/* A start vertex of a ray, computed without costs: with them, values may be so large that their rounding violates rows. */
static bool find_start_of_ray(const judgement *g)
{
    simplex *s = g->lp->engine;
    double sense = g->data->maximize ? -1 : 1;
    long long before = s->iterations, factorizations = s->factorizations;
    for (int j = 0; j < s->n; j++) simplex_set_cost(s, s->m + j, 0);
    simplex_slack_basis(s);
    s->cutoff = INFINITY;
    run_end end = simplex_solve(s, VOUCH_LP_DUAL);
    for (int j = 0; j < s->n; j++) simplex_set_cost(s, s->m + j, sense * g->data->cost[j]);
    s->dual_trust = INVALID;
    g->lp->result.iterations = s->iterations;
    g->lp->result.factorizations += s->factorizations - factorizations;
    log_line(&g->options->log, VOUCH_LOG_DETAIL, "unbounded: %s for the ray to start from, %lld iterations",
             end == RUN_OPTIMAL ? "a vertex" : "none found", s->iterations - before);
    if (end != RUN_OPTIMAL) return false;
    refine_primal(s);
    simplex_compute_dual(s, NULL);
    return true;
}

/* last: the point will not be refined. */
static bool judge_unbounded(judgement *g, bool last)
{
    const simplex *s = g->lp->engine;
    vouch_lp_result *r = &g->lp->result;
    for (int j = 0; j < s->n; j++) g->at.ray[j] = s->ray_primal[s->m + j] * s->scale[s->m + j];
    g->sure = DOUBTFUL;
    g->why = "the direction found does not keep every row and improve, beyond rounding";
    bool here = stands_on_rows(g);
    if (!here && !last) return false;
    r->certificate.ray_quality = certify_ray(g->data, g->at.ray, g->at.activity);
    if (!(r->certificate.ray_quality > 0)) return false;
    g->why = "no point within the rows was found from which the direction starts";
    if (!here && !(find_start_of_ray(g) && stands_on_rows(g))) return false;
    certify_feasible(g->data, g->at.x, g->at.activity); /* activity again, which was scratch of the ray */
    unscale_dual(g->lp, g->at.dual);
    certify_bound(g->data, g->at.dual, 0, g->at.reduced); /* reduced costs at the start of the ray */
    r->ray = g->at.ray;
    /* feasibility itself may depend on a tolerance */
    if (r->certificate.primal_infeasibility <= TOL_ROUNDING_PRIMAL) g->sure = PLAUSIBLE;
    return true;
}

/* Is the last claim final without an exact solve? */
static bool judge_settled(const judgement *g) { return g->sure == BEYOND_DOUBT && !g->leans; }

vouch_lp_outcome judge_end(judgement *g, run_end end)
{
    simplex *s = g->lp->engine;
    CHECK(s->m == g->data->rows && s->n == g->data->cols);
    bool refinable = s->factored && !s->work.costs_shifted && !s->work.bounds_shifted;
    g->sure = BEYOND_DOUBT;
    g->leans = false;
    for (int refined = 0; refined <= refinable; refined++) {
        switch (end) {
        case RUN_OPTIMAL:
            if (refined) refine_primal(s), refine_dual(s);
            if (judge_optimal(g) && (judge_settled(g) || refined == refinable)) return VOUCH_LP_OPTIMAL;
            break;
        case RUN_INFEASIBLE:
            if (refined) refine_ray_dual(s);
            for (int i = 0; i < s->m; i++) g->at.farkas[i] = s->ray_dual[i] / s->scale[i];
            if (judge_infeasible(g, g->at.farkas)) return VOUCH_LP_INFEASIBLE;
            break;
        case RUN_UNBOUNDED:
            if (refined) refine_primal(s), refine_values(s, s->ray_primal);
            if (judge_unbounded(g, refined == refinable)) return VOUCH_LP_UNBOUNDED;
            break;
        case RUN_CUTOFF:
            if (refined) refine_dual(s);
            if (judge_cutoff(g)) return VOUCH_LP_CUTOFF;
            break;
        case RUN_LIMIT:
            return VOUCH_LP_LIMIT;
        case RUN_INTERRUPTED:
            return VOUCH_LP_INTERRUPTED;
        case RUN_ON:
        case RUN_STALLED:
        case RUN_TROUBLE:
        case RUN_MEMORY:
            g->why = end == RUN_STALLED ? "the simplex method made no progress" : "bases are too ill-conditioned for doubles";
            return VOUCH_LP_UNSOLVED;
        }
    }
    return VOUCH_LP_UNSOLVED;
}

/* ---- the exact attempt ----------------------------------------------------------------------------------------------------- */

static void log_exact(const judgement *g, exact_end end, const exact_answer *found)
{
    log_line(&g->options->log, VOUCH_LOG_DETAIL, "exact: %s, %lld pivots from the basis found, work %lld, margin %g",
             end == EXACT_OPTIMAL      ? "optimal"
             : end == EXACT_INFEASIBLE ? "infeasible"
             : end == EXACT_UNBOUNDED  ? "unbounded"
                                       : "not settled",
             found->pivots, found->work, found->margin);
}

static const char EXACT_TINY[] =
    "true of the numbers as written, in rational arithmetic, but by less than their rounding to doubles: other solvers may differ";
static const char RATIONAL_TINY[] = "in rational arithmetic the verdict hangs on less than the rounding of the data to doubles";
static const char PLAUSIBLE_TINY[] =
    "true within the rounding of the data to doubles, which decides: rational arithmetic on the data as written says otherwise";
static const char RATIONAL_LIMIT[] = "neither doubles nor the rational arithmetic that the limit of work allows certify a verdict";

/* With arrays in one block at x, NULL: memory. */
static exact_answer room_for_answer(const judgement *g)
{
    size_t n = (size_t)g->data->cols;
    double *block = MEM_ZERO(double, 2 * n + (size_t)g->data->rows + 1);
    return block ? (exact_answer){.x = block, .ray = block + n, .y = block + 2 * n} : (exact_answer){0};
}

/* The verdict on the decimals as written. Equal numbers of a file may be read as a decimal and as a double (exact/number.h): a
 * proof by less than their rounding then holds for neither reading. */
static exact_end verdict_of_decimals(const judgement *g)
{
    size_t vars = (size_t)g->data->rows + (size_t)g->data->cols;
    unsigned char *status = MEM_NEW(unsigned char, vars);
    exact_answer found = room_for_answer(g);
    exact_end end = EXACT_MEMORY;
    if (found.x && status) {
        MEM_COPY(status, g->lp->status, vars);
        end = exact_solve(g->data, status, EXACT_DECIMAL, work_of(g, EXACT_WORK_LAST, EXACT_WORK_TOTAL), g->limit, &found);
        g->lp->exact_work += found.work;
    }
    MEM_FREE_ALL(found.fraction, status, found.x);
    return end;
}

/* Does an exact proof exceed the rounding of the data? */
static bool proof_counts(const judgement *g, exact_end end, const exact_answer *found)
{
    if (end != EXACT_INFEASIBLE && end != EXACT_UNBOUNDED) return end == EXACT_OPTIMAL;
    return found->margin >= EXACT_MARGIN || (g->fine && exact_is_sure(g->data));
}

/* Stores an exactly proved result. */
static vouch_lp_outcome take_exact(judgement *g, exact_end end, const exact_answer *found)
{
    vouch_lp_result *r = &g->lp->result;
    double worst = g->data->maximize ? INFINITY : -INFINITY; /* the trivial bound */
    r->farkas = r->ray = NULL;
    CHECK(end == EXACT_OPTIMAL || found->margin > 0);
    if (end == EXACT_INFEASIBLE) {
        MEM_COPY(g->at.farkas, found->y, g->data->rows);
        r->farkas = g->at.farkas;
        r->objective = 0;
        r->certificate = (vouch_lp_certificate){.ray_quality = found->margin};
        r->bound = -worst;
        return VOUCH_LP_INFEASIBLE;
    }
    MEM_COPY(g->at.x, found->x, g->data->cols);
    MEM_COPY(g->at.dual, found->y, g->data->rows);
    certify_point(g, 0, 0);
    simplex_set_basis(g->lp->engine, g->lp->status);
    if (end == EXACT_OPTIMAL) {
        r->objective = found->objective;
        r->bound = found->bound;
        return VOUCH_LP_OPTIMAL;
    }
    MEM_COPY(g->at.ray, found->ray, g->data->cols);
    r->ray = g->at.ray;
    r->objective = 0;
    r->bound = worst;
    r->certificate.ray_quality = found->margin;
    return VOUCH_LP_UNBOUNDED;
}

/* Solves exactly from the engine's basis if that needs little work; UNSOLVED: no answer. A claim that only the rounding of the data
 * decides is kept if plausible, otherwise unsolved. -1: memory */
static int judge_exactly(judgement *g, vouch_lp_outcome *outcome)
{
    vouch_lp *lp = g->lp;
    bool unsolved = *outcome == VOUCH_LP_UNSOLVED;
    bool clear = !unsolved && g->sure == BEYOND_DOUBT; /* and leans */
    long long work = unsolved ? work_of(g, EXACT_WORK_LAST, EXACT_WORK_TOTAL) : work_left(g, clear);
    if (work <= 0) return 0;
    lp_keep_basis(lp);
    exact_answer found = room_for_answer(g);
    if (!found.x) return -1;
    exact_end end = exact_solve(g->data, lp->status, EXACT_MEANT, work, g->limit, &found);
    lp->exact_work += found.work;
    log_exact(g, end, &found);
    bool counts = proof_counts(g, end, &found);
    exact_end written = counts && end != EXACT_OPTIMAL && found.margin < EXACT_MARGIN ? verdict_of_decimals(g) : end;
    counts = counts && written == end;
    /* Better optima and rays missed by doubles replace a clear claim; a contradiction of rows within the error of a clear point
     * does not. */
    if (clear && (!counts || end == EXACT_INFEASIBLE)) {
        lp_keep_basis(lp);
    } else if (counts) {
        *outcome = take_exact(g, end, &found);
        g->sure = BEYOND_DOUBT;
        if (end != EXACT_OPTIMAL && found.margin < EXACT_MARGIN) lp->result.reason = EXACT_TINY;
    } else if (end != EXACT_LIMIT) {
        /* The exact answer shows only that rounding decides. */
        vouch_lp_result *r = &g->lp->result;
        /* Even a doubtful ray starts at a feasible point. */
        bool refuted = *outcome == VOUCH_LP_INFEASIBLE && end == EXACT_UNBOUNDED;
        if (g->sure == DOUBTFUL || refuted) *outcome = VOUCH_LP_UNSOLVED, g->why = RATIONAL_TINY;
        if (refuted) r->farkas = NULL;
        if (*outcome != VOUCH_LP_UNBOUNDED) r->ray = NULL;
        bool other = (end == EXACT_INFEASIBLE && *outcome != VOUCH_LP_INFEASIBLE) ||
                     (end == EXACT_UNBOUNDED && *outcome != VOUCH_LP_UNBOUNDED);
        if (other && *outcome != VOUCH_LP_UNSOLVED) r->reason = PLAUSIBLE_TINY;
    } else if (unsolved) {
        g->why = RATIONAL_LIMIT;
    }
    mem_free(found.x);
    return end == EXACT_MEMORY || written == EXACT_MEMORY ? -1 : 0;
}

/* Continues from the engine's basis in rational arithmetic, on the data as decimals, to an exact verdict or LIMIT. -1: memory */
static int judge_in_decimals(judgement *g, vouch_lp_outcome *outcome)
{
    vouch_lp *lp = g->lp;
    vouch_lp_result *r = &lp->result;
    if (*outcome == VOUCH_LP_LIMIT || *outcome == VOUCH_LP_INTERRUPTED || !lp->engine) return 0;
    exact_answer found = room_for_answer(g);
    if (!found.x) return -1;
    double before = clock_seconds();
    lp_keep_basis(lp);
    exact_end end = exact_solve(g->data, lp->status, EXACT_DECIMAL, LLONG_MAX, g->limit, &found);
    r->exact_pivots = found.pivots;
    r->exact_seconds = clock_seconds() - before;
    log_exact(g, end, &found);
    if (end == EXACT_MEMORY) {
        mem_free(found.fraction);
    } else if (end == EXACT_LIMIT) {
        *outcome = deadline_interrupted(g->limit) ? VOUCH_LP_INTERRUPTED : VOUCH_LP_LIMIT;
        r->farkas = r->ray = NULL;
    } else {
        *outcome = take_exact(g, end, &found);
        if (end != EXACT_OPTIMAL && found.margin < EXACT_MARGIN) r->reason = EXACT_TINY;
        r->exact_objective = lp->fraction = found.fraction;
        g->sure = BEYOND_DOUBT;
    }
    mem_free(found.x);
    return end == EXACT_MEMORY ? -1 : 0;
}

/* ---- results without a claim ----------------------------------------------------------------------------------------------- */

/* Time for factors after the limit. */
static const double REPORT_SECONDS = 0.1;

/* The engine's state at a limit: point, duals, and their bound. */
static void judge_unfinished(judgement *g)
{
    simplex *s = g->lp->engine;
    if (!s->factored || s->primal_trust != FRESH || s->dual_trust != FRESH) {
        s->limit = (deadline){.start = clock_seconds(), .limits.seconds = REPORT_SECONDS};
        if (!s->factored && simplex_factor(s)) return;
        simplex_compute_primal(s);
        simplex_compute_dual(s, NULL);
    }
    unscale_point(g->lp, g->at.x);
    unscale_dual(g->lp, g->at.dual);
    certify_point(g, 0, 0);
    g->lp->result.bound = certify_bound(g->data, g->at.dual, CERTIFY_SLACK * g->options->optimality_tol, g->at.reduced);
}

/* The bound of a result that is numerical or optimal within tolerances only: the bound of its duals less their rounding. */
static void judge_bound(judgement *g, double dual_tol)
{
    g->lp->result.bound = certify_bound_near(g->data, g->at.dual, g->at.x, dual_tol, g->at.reduced);
}

/* ---- vouch_lp_solve --------------------------------------------------------------------------------------------------------- */

void vouch_lp_options_init(vouch_lp_options *options)
{
    if (!options) return;
    *options = (vouch_lp_options){
        .presolve = 2, .scale = 1, .perturb = 1, .feasibility_tol = 1e-7, .optimality_tol = 1e-7, .cutoff = NAN, .seed = 1};
}

const char *vouch_lp_outcome_text(vouch_lp_outcome outcome)
{
    static const char *const text[] = {"unsolved", "optimal", "infeasible",  "unbounded",
                                       "cutoff",   "limit",   "interrupted", "numerical"};
    return (size_t)outcome < sizeof text / sizeof *text ? text[outcome] : "unknown";
}

void vouch_lp_get_result(const vouch_lp *lp, vouch_lp_result *result)
{
    if (result) *result = lp ? lp->result : (vouch_lp_result){0};
}

/* All zero. -1: memory */
static int reserve_arrays(vouch_lp *lp, result_arrays *out)
{
    size_t m = (size_t)lp->a.rows, n = (size_t)lp->a.cols, need = 3 * (m + n) + 1;
    if (need > lp->numbers_capacity) {
        size_t capacity = need + need / 2;
        mem_free(lp->numbers);
        lp->numbers_capacity = 0;
        if (!(lp->numbers = MEM_ZERO(double, capacity))) return -1;
        lp->numbers_capacity = capacity;
    } else {
        memset(lp->numbers, 0, need * sizeof(double));
    }
    double *p = lp->numbers;
    *out = (result_arrays){p, p + n, p + 2 * n, p + 3 * n, p + 3 * n + m, p + 3 * n + 2 * m};
    return 0;
}

/* ---- one attempt ----------------------------------------------------------------------------------------------------------- */

typedef struct solve_attempt {
    double tol_factor; /* on both tolerances */
    bool scaled;
    bool use_cutoff;
    bool cold; /* from the slack basis; by the other method, unless dense or without boxes */
    bool dense;
    bool no_boxes;
} solve_attempt;

/* Crossing bounds prove infeasibility with the zero vector, as the box is empty. */
static bool bounds_cross(const vouch_lp_data *data, double tol, double *by)
{
    *by = 0;
    for (int j = 0; j < data->cols; j++) *by = larger(*by, data->col_lower[j] - data->col_upper[j]);
    for (int i = 0; i < data->rows; i++) *by = larger(*by, data->row_lower[i] - data->row_upper[i]);
    return *by > tol;
}

static double engine_cutoff(const vouch_lp *lp, const vouch_lp_options *options, const solve_attempt *how)
{
    if (!how->use_cutoff || isnan(options->cutoff)) return INFINITY;
    return (lp->maximize ? -1 : 1) * (options->cutoff - lp->offset);
}

static void set_options(simplex *s, const vouch_lp_options *options, const deadline *limit, double tol_factor)
{
    s->feasibility_tol = options->feasibility_tol * tol_factor;
    s->optimality_tol = options->optimality_tol * tol_factor;
    s->factor_wanted = options->factor;
    s->perturb = options->perturb != 0;
    s->solved_once = options->presolve > 1;
    s->perturb_start = s->perturb && s->solved_once;
    s->random = rng_seed(options->seed);
    s->limit = *limit;
    s->log = &options->log;
    s->trace = options->trace;
    s->cutoff = INFINITY;
    s->iteration_limit = options->limits.iterations;
    s->dual_rule = options->dual_pricing;
    s->primal_rule = options->primal_pricing;
}

static bool prepare_engine(const judgement *g, const solve_attempt *how)
{
    vouch_lp *lp = g->lp;
    if (lp->engine && lp->engine->scaled != how->scaled) lp_drop_engine(lp);
    if (!lp->engine) {
        lp->engine = simplex_new(g->data, how->scaled, g->limit);
        if (!lp->engine) return false;
        if (lp->has_basis) simplex_set_basis(lp->engine, lp->status);
    }
    set_options(lp->engine, g->options, g->limit, how->tol_factor);
    lp->engine->cutoff = engine_cutoff(lp, g->options, how);
    lp->engine->no_boxes = how->no_boxes;
    if (how->dense) lp->engine->factor_wanted = VOUCH_FACTOR_DENSE;
    if (how->cold) simplex_slack_basis(lp->engine);
    return true;
}

static const solve_attempt ladder[] = {
    {1, true, true, false, false, false},     {1, true, true, false, false, false}, /* from new factors */
    {1e-1, true, false, false, false, false}, {1e-2, true, false, false, false, false}, {1, false, false, false, false, false},
    {1, true, false, true, false, true},      {1, true, false, true, false, false},     {1, true, false, true, true, false},
};
/* Most rows for dense factors that the caller did not choose. */
enum { DENSE_ROWS_MOST = 1000 };

static vouch_lp_method method_of(const vouch_lp_options *options, const solve_attempt *how)
{
    if (!how->cold || how->dense || how->no_boxes) return options->method;
    return options->method == VOUCH_LP_PRIMAL ? VOUCH_LP_DUAL : VOUCH_LP_PRIMAL;
}

/* A cold solve with free choice of the method, of a program solved once, first tries a start near the optimum. */
static run_end run_simplex(const judgement *g, simplex *s, vouch_lp_method method)
{
    bool once = method == VOUCH_LP_AUTO && g->options->presolve > 1 && !g->lp->has_basis && isinf(s->cutoff);
    return once ? crash_solve(s) : simplex_solve(s, method);
}

/* ---- presolve --------------------------------------------------------------------------------------------------------------- */

/* Carries the basis of the reduced problem back to lp->status. -1: memory */
static int carry_back(vouch_lp *lp, const presolve *p, const simplex *s)
{
    int m = s->m, n = s->n;
    arena a = {0};
    unsigned char *status = ARENA_NEW(&a, unsigned char, m + n);
    double *x = ARENA_NEW(&a, double, n), *y = ARENA_NEW(&a, double, m);
    int failed = -1;
    if (!a.failed) {
        for (int v = 0; v < m + n; v++) status[v] = simplex_status(s, v);
        for (int j = 0; j < n; j++) {
            int v = m + j, at = s->where[v];
            x[j] = s->scale[v] * (at >= 0 ? s->xb[at] : s->value[v]);
        }
        for (int i = 0; i < m; i++) y[i] = s->reduced[i] / s->scale[i];
        failed = presolve_undo(p, status, x, y, lp->status);
        if (!failed) lp->has_basis = true;
    }
    arena_free(&a);
    return failed;
}

/* Solves the reduced problem; its basis goes to lp->status. -1: memory */
static int solve_rest(judgement *g, const presolve *p)
{
    const vouch_lp_data *reduced = presolve_problem(p);
    log_line(&g->options->log, VOUCH_LOG_INFO, "presolve: %d rows, %d columns, %lld entries left", reduced->rows, reduced->cols,
             (long long)reduced->start[reduced->cols]);
    simplex *s = simplex_new(reduced, g->options->scale != 0, g->limit);
    if (!s) return -1;
    set_options(s, g->options, g->limit, 1);
    run_end end = run_simplex(g, s, g->options->method);
    g->lp->result.iterations = s->iterations;
    g->lp->result.factorizations += s->factorizations;
    int failed = end == RUN_MEMORY || carry_back(g->lp, p, s) ? -1 : 0;
    simplex_free(s);
    return failed;
}

/* Leaves a nearly optimal basis of the full problem; none if presolve finds no reduction or suspects a contradiction, unless that
 * is proved and becomes the result. -1: memory */
static int solve_reduced(judgement *g)
{
    presolve *p;
    int failed = 0;
    double since = trace_start(g->options->trace);
    presolve_end found = presolve_run(g->data, g->options->presolve > 1, g->limit, &p);
    trace_stop(g->options->trace, KERNEL_presolve, since);
    if (found == PRESOLVE_MEMORY) failed = -1;
    if (found == PRESOLVE_REDUCED) failed = solve_rest(g, p);
    if (found == PRESOLVE_HOPELESS) {
        int none = presolve_ray(p, g->at.farkas);
        if (none < 0) failed = -1;
        bool proved = none == 0 && judge_infeasible(g, g->at.farkas) && g->sure == BEYOND_DOUBT;
        if (!proved) g->lp->result.outcome = VOUCH_LP_UNSOLVED;
        log_line(&g->options->log, VOUCH_LOG_INFO, "presolve: %s",
                 proved ? "infeasible" : "seems infeasible or unbounded; left to the simplex method");
    }
    presolve_free(p);
    return failed;
}

/* ---- the solve -------------------------------------------------------------------------------------------------------------- */

/* -1: memory */
static int try_attempt(judgement *g, int rung, vouch_lp_outcome *outcome)
{
    vouch_lp *lp = g->lp;
    vouch_lp_result *r = &lp->result;
    solve_attempt how = ladder[rung];
    how.scaled = how.scaled && g->options->scale;
    if (how.dense && g->data->rows > DENSE_ROWS_MOST) return 0;
    if (rung > 0) log_line(&g->options->log, VOUCH_LOG_DETAIL, "not certified; attempt %d", rung + 1);
    if (!prepare_engine(g, &how)) return -1;
    simplex *s = lp->engine;
    s->iterations = r->iterations;
    long long factorizations = s->factorizations;
    if (rung > 0) s->factored = false;
    run_end end = run_simplex(g, s, method_of(g->options, &how));
    lp->has_basis = true;
    if (end == RUN_MEMORY) {
        lp_drop_engine(lp);
        return -1;
    }
    r->iterations = s->iterations;
    r->factorizations += s->factorizations - factorizations;
    r->used_dense = basis_is_dense(s->factors);
    double since = trace_start(g->options->trace);
    *outcome = judge_end(g, end);
    trace_stop(g->options->trace, KERNEL_judge, since);
    return 0;
}

/* Presolve, the attempts, the exact attempt; UNSOLVED: no answer. -1: memory */
static int solve_by_all_means(judgement *g, vouch_lp_outcome *outcome)
{
    *outcome = VOUCH_LP_UNSOLVED;
    if (g->options->presolve && !g->lp->has_basis) {
        if (solve_reduced(g)) return -1;
        if ((*outcome = g->lp->result.outcome) == VOUCH_LP_INFEASIBLE && !g->options->exact) return 0;
        if (g->options->exact) *outcome = VOUCH_LP_UNSOLVED; /* presolve leaves no basis to continue from */
    }
    g->sure = BEYOND_DOUBT;
    for (int rung = 0; rung < (int)(sizeof ladder / sizeof *ladder) && *outcome == VOUCH_LP_UNSOLVED; rung++)
        if (try_attempt(g, rung, outcome)) return -1;
    if (!g->options->exact && *outcome != VOUCH_LP_UNSOLVED && judge_settled(g)) return 0;
    double since = trace_start(g->options->trace);
    int failed = g->options->exact ? judge_in_decimals(g, outcome) : judge_exactly(g, outcome);
    trace_stop(g->options->trace, KERNEL_judge, since);
    return failed;
}

static vouch_status solve_now(judgement *g)
{
    vouch_lp_result *r = &g->lp->result;
    const vouch_lp_data *data = g->data;
    if (reserve_arrays(g->lp, &g->at)) return VOUCH_ERROR_MEMORY;
    r->x = g->at.x, r->row_activity = g->at.activity, r->row_dual = g->at.dual, r->reduced_cost = g->at.reduced;
    r->bound = data->maximize ? INFINITY : -INFINITY;
    double crossing;
    if (bounds_cross(data, g->options->feasibility_tol, &crossing)) {
        r->outcome = VOUCH_LP_INFEASIBLE;
        r->farkas = g->at.farkas;
        r->certificate.ray_quality = crossing;
        r->bound = -r->bound;
        return VOUCH_OK;
    }
    vouch_lp_outcome outcome;
    if (solve_by_all_means(g, &outcome)) {
        lp_forget_result(g->lp);
        return VOUCH_ERROR_MEMORY;
    }
    if (outcome == VOUCH_LP_UNSOLVED) {
        outcome = VOUCH_LP_NUMERICAL;
        r->reason = g->why ? g->why : "the simplex method ended without a verdict";
        judge_bound(g, 0); /* any duals prove a bound */
    } else if (outcome == VOUCH_LP_OPTIMAL && g->sure != BEYOND_DOUBT) {
        judge_bound(g, CERTIFY_SLACK * g->options->optimality_tol);
    } else if (outcome == VOUCH_LP_LIMIT || outcome == VOUCH_LP_INTERRUPTED) {
        judge_unfinished(g);
    }
    r->outcome = outcome;
    return VOUCH_OK;
}

vouch_status vouch_lp_solve(vouch_lp *lp, const vouch_lp_options *options)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    vouch_lp_options defaults;
    if (!options) {
        vouch_lp_options_init(&defaults);
        options = &defaults;
    }
    if (!(options->feasibility_tol > 0) || !(options->optimality_tol > 0) || !pricing_known(options)) return VOUCH_ERROR_ARGUMENT;
    deadline limit = deadline_start(&options->limits);
    vouch_lp_data data;
    vouch_lp_view(lp, &data);
    lp_forget_result(lp);
    log_line(&options->log, VOUCH_LOG_INFO, "linear program: %d rows, %d columns, %lld entries%s", data.rows, data.cols,
             (long long)data.start[data.cols], lp->has_basis ? ", starting from a basis" : "");
    static const char *const lines[] = {
        "pivots       exchanges of a basic variable so far; a line at 1, 2, 4, 8 and so on, and each second",
        "method       primal keeps rows within bounds and improves, dual keeps reduced costs right, repairs rows; 1 seeks a start",
        "objective    of the problem worked on: minimised, scaled, in phase 1 and after shifts not the one asked for",
        "rows out     by how much basic variables are out of bounds in all, and how many",
        "columns      by how much reduced costs are of the wrong sign in all, and how many: 0 and 0 on both sides is the optimum",
        "    pivots  method          objective         rows out             columns     seconds"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) log_line(&options->log, VOUCH_LOG_INFO, "%s", lines[i]);
    judgement g = {.lp = lp, .data = &data, .options = options, .limit = &limit};
    g.fine = !lp->has_basis && options->presolve != 1 && !lp->computed;
    vouch_status status = solve_now(&g);
    if (status) return status;
    vouch_lp_result *r = &lp->result;
    r->seconds = clock_seconds() - limit.start;
    char objective[48] = "";
    if (r->outcome == VOUCH_LP_OPTIMAL) format_text(objective, sizeof objective, "objective %.12g, ", r->objective);
    log_line(&options->log, VOUCH_LOG_INFO, "%s: %s%lld iterations, %lld factorizations (%s), %.2f s",
             vouch_lp_outcome_text(r->outcome), objective, r->iterations, r->factorizations, r->used_dense ? "dense" : "sparse",
             r->seconds);
    return VOUCH_OK;
}
