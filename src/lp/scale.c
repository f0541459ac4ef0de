/* lp/scale.c - see scale.h.
 *
 * Alternately each row and each column is divided by the geometric mean of its least and largest magnitude, until the
 * spread improves little; a last pass makes the largest entry of each column 1. Powers of two, so that scaling
 * rounds nothing. Source: G. Dantzig's geometric scaling as surveyed by J. A. Tomlin, Math. Prog. Study 4 (1975).
 */
#include "lp/scale.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "la/sparse.h"
#include "lp/tolerance.h"

enum { PASSES = 8 };
/* A pass that shrinks the spread by less than this factor is the last. */
static const double WORTHWHILE = 0.9;

static double power_of_two(double x)
{
    int e;
    double fraction = frexp(x, &e); /* x = fraction 2^e, fraction in [0.5, 1) */
    if (fraction < 0.7071067811865476) e--;
    return ldexp(1.0, e);
}

static void scale_rows(const sparse *a, double row[], const double col[], double least[], double most[])
{
    for (int i = 0; i < a->rows; i++) least[i] = DBL_MAX, most[i] = 0;
    for (int j = 0; j < a->cols; j++) {
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
            double size = fabs(a->value[e]) * col[j];
            int i = a->index[e];
            if (size == 0) continue;
            if (size < least[i]) least[i] = size;
            if (size > most[i]) most[i] = size;
        }
    }
    for (int i = 0; i < a->rows; i++) row[i] = most[i] > 0 ? 1 / sqrt(least[i] * most[i]) : 1;
}

/* Returns the largest ratio within a column. */
static double scale_cols(const sparse *a, const double row[], double col[], bool by_largest)
{
    double spread = 1;
    for (int j = 0; j < a->cols; j++) {
        double least = DBL_MAX, most = 0;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
            double size = fabs(a->value[e]) * row[a->index[e]];
            if (size == 0) continue;
            if (size < least) least = size;
            if (size > most) most = size;
        }
        if (most == 0) {
            col[j] = 1;
            continue;
        }
        col[j] = by_largest ? 1 / most : 1 / sqrt(least * most);
        spread = larger(spread, most / least);
    }
    return spread;
}

bool scale_geometric(const sparse *a, double row[], double col[], double scratch[], const deadline *limit)
{
    double low = DBL_MAX, high = 0;
    for (int64_t e = 0; e < a->start[a->cols]; e++) {
        double size = fabs(a->value[e]);
        if (size == 0) continue;
        if (size < low) low = size;
        if (size > high) high = size;
    }
    for (int i = 0; i < a->rows; i++) row[i] = 1;
    for (int j = 0; j < a->cols; j++) col[j] = 1;
    if (low >= SCALE_FINE_LOW && high <= SCALE_FINE_HIGH) return true;
    if (high == 0) return true;

    double before = INFINITY;
    for (int pass = 0; pass < PASSES; pass++) {
        if (deadline_expired(limit)) return false;
        scale_rows(a, row, col, scratch, scratch + a->rows);
        double spread = scale_cols(a, row, col, false);
        if (spread > WORTHWHILE * before) break;
        before = spread;
    }
    for (int i = 0; i < a->rows; i++) row[i] = power_of_two(row[i]);
    scale_cols(a, row, col, true);
    for (int j = 0; j < a->cols; j++) col[j] = power_of_two(col[j]);
    return true;
}

double scale_one(double most)
{
    if (most == 0 || (most >= SCALE_FINE_LOW && most <= SCALE_FINE_HIGH)) return 1;
    return power_of_two(1 / most);
}
