/* exact/vipr_bound.c - bounds of columns that follow from one row and the bounds of its other columns; see exact/vipr.h.
 *
 *     sum_k a_k x_k <= r  gives  x_j <= (r - sum_{k != j} a_k b_k) / a_j  for a_j > 0, b_k the lower bound of x_k where a_k > 0,
 * else the upper, and likewise for the other signs: one combination (`lin`), of an integer column rounded (`rnd`). Other values are
 * rounded outwards to a short decimal, which the relaxation has then too.
 */
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "exact/number.h"
#include "exact/vipr_private.h"

/* The bound of the k-th entry's column that takes part, where the row's upper side is used; -1: it is not there. */
static int bound_at(const vipr *p, int64_t k, bool row_upper)
{
    bool upper = (mpq_sgn(p->value[p->by_row.entry[k]]) > 0) != row_upper;
    return (upper ? p->high_at : p->low_at)[p->data.rows + p->by_row.col[k]];
}

/* sum := the bound of the column in the row's entry `at`. False: another column lacks a bound. */
static bool add_up(vipr *p, int row, bool row_upper, int64_t at)
{
    mpq_set(p->sum, row_upper ? p->row_high[row] : p->row_low[row]);
    for (int64_t k = p->by_row.start[row]; k < p->by_row.start[row + 1]; k++) {
        int j = p->by_row.col[k];
        mpq_t *a = &p->value[p->by_row.entry[k]];
        if (k == at || mpq_sgn(*a) == 0) continue;
        if (bound_at(p, k, row_upper) < 0) return false;
        exact_number(p->q, (mpq_sgn(*a) > 0) != row_upper ? p->high[j] : p->low[j], EXACT_DECIMAL);
        mpq_mul(p->q, p->q, *a);
        mpq_sub(p->sum, p->sum, p->q);
    }
    mpq_div(p->sum, p->sum, p->value[p->by_row.entry[at]]);
    return true;
}

/* The double whose decimal is no tighter than sum, and not much looser; of an integer column, sum rounded. */
static double outwards(vipr *p, bool integer, bool upper)
{
    double exact = mpq_get_d(p->sum);
    if (integer) {
        mpz_t whole;
        mpz_init(whole);
        (upper ? mpz_fdiv_q : mpz_cdiv_q)(whole, mpq_numref(p->sum), mpq_denref(p->sum));
        exact = mpz_get_d(whole);
        mpz_clear(whole);
        return fabs(exact) <= 1e12 ? exact : NAN;
    }
    double unit = pow(10, 7 - fmax(0, ceil(log10(fmax(fabs(exact), 1)))));
    for (int k = 0; k < 3; k++) {
        double at = upper ? (ceil(exact * unit - 1e-6) + k) / unit : (floor(exact * unit + 1e-6) - k) / unit;
        exact_number(p->q, at, EXACT_DECIMAL);
        int order = mpq_cmp(p->q, p->sum);
        if (upper ? order >= 0 : order <= 0) return at;
    }
    return NAN;
}

static int write_bound(vipr *p, int row, bool row_upper, int64_t at, bool upper, double value)
{
    int j = p->by_row.col[at], terms = 0;
    mpq_t inverse;
    mpq_init(inverse);
    mpq_inv(inverse, p->value[p->by_row.entry[at]]);
    exact_number(p->q, value, EXACT_DECIMAL);
    const char *reason = mpq_equal(p->q, p->sum) || !vouch_lp_is_integer(p->lp, j) ? "lin" : "rnd";
    for (int64_t k = p->by_row.start[row]; k < p->by_row.start[row + 1]; k++) terms += mpq_sgn(p->value[p->by_row.entry[k]]) != 0;
    vipr_add(p, "B%d %c ", p->derived, upper ? 'L' : 'G');
    vipr_add_decimal(p, value);
    int number = (row_upper ? p->high_at : p->low_at)[row];
    vipr_add(p, " 1 %d 1 { %s %d %d ", j, reason, terms, number);
    vipr_add_fraction(p, inverse);
    vipr_refer(p, number);
    for (int64_t k = p->by_row.start[row]; k < p->by_row.start[row + 1]; k++) {
        mpq_t *a = &p->value[p->by_row.entry[k]];
        if (k == at || mpq_sgn(*a) == 0) continue;
        mpq_mul(p->q, *a, inverse);
        mpq_neg(p->q, p->q);
        number = bound_at(p, k, row_upper);
        vipr_add(p, " %d ", number);
        vipr_add_fraction(p, p->q);
        vipr_refer(p, number);
    }
    vipr_add(p, " }");
    mpq_clear(inverse);
    return vipr_end_line(p);
}

static vipr_end tighten(vipr *p, int row, bool row_upper, int col, double *value)
{
    int64_t at = -1;
    for (int64_t k = p->by_row.start[row]; k < p->by_row.start[row + 1]; k++)
        if (p->by_row.col[k] == col) at = k;
    if (at < 0 || (row_upper ? p->high_at : p->low_at)[row] < 0 || mpq_sgn(p->value[p->by_row.entry[at]]) == 0) return VIPR_OPEN;
    bool upper = (mpq_sgn(p->value[p->by_row.entry[at]]) > 0) == row_upper;
    if (!add_up(p, row, row_upper, at)) return VIPR_OPEN;
    *value = outwards(p, vouch_lp_is_integer(p->lp, col) != 0, upper);
    if (!(upper ? *value < p->high[col] && *value >= p->low[col] : *value > p->low[col] && *value <= p->high[col]))
        return VIPR_OPEN;
    exact_number(p->q, *value, EXACT_DECIMAL);
    /* an equation alone is not rounded */
    bool alone = p->low_at[row] == p->high_at[row] && p->by_row.start[row + 1] == p->by_row.start[row] + 1;
    if (alone && !mpq_equal(p->q, p->sum)) return VIPR_OPEN;
    int number = write_bound(p, row, row_upper, at, upper, *value);
    (upper ? p->high : p->low)[col] = *value;
    (upper ? p->high_at : p->low_at)[p->data.rows + col] = number;
    return VIPR_DONE;
}

vipr_end vipr_tighten(vipr *p, int row, bool row_upper, int col, double *value)
{
    volatile vipr_end end = VIPR_MEMORY;
    CHECK(p->held_count == 0);
    exact_memory_resume(&p->memory);
    if (setjmp(p->memory.escape) == 0) end = tighten(p, row, row_upper, col, value);
    exact_memory_pause(&p->memory);
    return end;
}
