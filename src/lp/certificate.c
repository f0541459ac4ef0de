/* lp/certificate.c - see certificate.h.
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
#include "lp/certificate.h"

#include <float.h>

#include "base/check.h"
#include <math.h>

#include "la/sparse.h"
#include "lp/tolerance.h"

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
        for (int64_t e = lp->start[j]; e < lp->start[j + 1]; e++) {
            if (lp->index[e] == i) most = larger(most, fabs(lp->value[e] * x[j]));
        }
    }
    return most;
}

/* Most rows searched for their magnitude; others use their activity. */
enum { MAGNITUDES_MOST = 50 };

double certify_feasible(const vouch_lp_data *lp, const double x[], double activity[])
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
    for (int j = 0; j < lp->cols; j++) {
        for (int64_t e = lp->start[j]; e < lp->start[j + 1] && x[j] != 0; e++) terms[lp->index[e]] += fabs(lp->value[e] * x[j]);
    }
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

double certify_bound_near(const vouch_lp_data *lp, double y[], const double x[], double dual_tol, double reduced[])
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
