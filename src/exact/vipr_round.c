/* exact/vipr_round.c - cuts by mixed-integer rounding, derived; see exact/vipr.h.
 *
 * A sum of rows with slacks s >= 0, its columns measured from a bound each, reads  sum_k a_k t_k = b  with t >= 0. With f0 the
 * fraction of b and f_k those of the integer terms, let pi_k = floor(a_k) where f_k <= f0, else ceil(a_k), and z = sum_k pi_k t_k -
 * floor(b), an integer. Then z = f0 - P + N,  P = sum_{f_k <= f0} f_k t_k + sum_{a_k > 0} a_k t_k,  N = sum_{f_k > f0} (1 - f_k)
 * t_k + sum_{a_k < 0} -a_k t_k, the second sums over continuous terms, and the cut is  z <= N / (1 - f0): it holds where z <= 0,
 * since N >= 0, and where z >= 1, since (1 - f0) z = f0 - f0 z - P + N <= N. So it is a disjunction of two assumptions on z, each
 * side a combination (`lin`) with the bounds of the terms, and `uns`. Source: W. Cook, R. Kannan, A. Schrijver, Chvatal closures
 * for mixed integer programming problems, Mathematical Programming 47 (1990).
 */
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "exact/number.h"
#include "exact/vipr_private.h"

/* Fractions of the right side between which rounding gains enough. */
static const double LEAST_FRACTION = 1e-3, MOST_FRACTION = 0.9999;
/* Multipliers with a common denominator up to this are taken as fractions, else as multiples of a power of ten. */
enum { COMMON_MOST = 1000000 };

static void start(vipr_derivation *r, vipr *p)
{
    int m = p->data.rows, n = p->data.cols;
    arena *a = &p->cut_arrays;
    r->p = p;
    r->factor = vipr_fractions(p, a, r->from->rows);
    r->a = vipr_fractions(p, a, n), r->z = vipr_fractions(p, a, n), r->alpha = vipr_fractions(p, a, n);
    for (int s = 0; s < 2; s++) r->low[s] = vipr_fractions(p, a, m + n), r->high[s] = vipr_fractions(p, a, m + n);
    mpq_inits(r->b, r->f0, r->scale, r->z_right, r->right, r->weight, r->pi, r->t, r->u, r->times, NULL);
    mpq_set_ui(r->times, 1, 1);
}

static void finish(vipr_derivation *r)
{
    int m = r->p->data.rows, n = r->p->data.cols;
    vipr_clear_fractions(r->factor, r->from->rows);
    mpq_t *of_cols[] = {r->a, r->z, r->alpha}, *of_all[] = {r->low[0], r->low[1], r->high[0], r->high[1]};
    for (int k = 0; k < 3; k++) vipr_clear_fractions(of_cols[k], n);
    for (int k = 0; k < 4; k++) vipr_clear_fractions(of_all[k], m + n);
    mpq_clears(r->b, r->f0, r->scale, r->z_right, r->right, r->weight, r->pi, r->t, r->u, r->times, NULL);
    arena_free(&r->p->cut_arrays);
}

/* Simple fractions while they have a small common denominator; else all rounded to multiples of one power of ten. */
static void take_factors(vipr_derivation *r)
{
    mpz_t common;
    double most = 0;
    mpz_init_set_ui(common, 1);
    for (int k = 0; k < r->from->rows; k++) {
        vipr_simple_fraction(r->factor[k], r->from->factor[k]);
        most = fmax(most, fabs(r->from->factor[k]));
        if (mpz_cmp_ui(common, COMMON_MOST) <= 0) exact_common(common, r->factor[k]);
    }
    if (mpz_cmp_ui(common, COMMON_MOST) > 0) {
        mpz_ui_pow_ui(common, 10, (unsigned long)fmax(0, 12 - floor(log10(most))));
        for (int k = 0; k < r->from->rows; k++) {
            mpq_set_d(r->t, r->from->factor[k]);
            mpz_mul(mpq_numref(r->t), mpq_numref(r->t), common);
            mpz_tdiv_q(mpq_numref(r->factor[k]), mpq_numref(r->t), mpq_denref(r->t));
            mpz_set(mpq_denref(r->factor[k]), common);
            mpq_canonicalize(r->factor[k]);
        }
    }
    mpz_clear(common);
}

static bool is_equation(const vipr *p, int i) { return p->low_at[i] >= 0 && p->low_at[i] == p->high_at[i]; }

/* to += q times row i */
static void add_row(vipr_derivation *r, mpq_t *to, int i, const mpq_t q)
{
    const vipr *p = r->p;
    for (int64_t k = p->by_row.start[i]; k < p->by_row.start[i + 1]; k++) {
        mpq_mul(r->t, q, p->value[p->by_row.entry[k]]);
        mpq_add(to[p->by_row.col[k]], to[p->by_row.col[k]], r->t);
    }
}

/* to += q times v, a row or a column */
static void add_variable(vipr_derivation *r, mpq_t *to, int v, const mpq_t q)
{
    int j = v - r->p->data.rows;
    if (j < 0)
        add_row(r, to, v, q);
    else
        mpq_add(to[j], to[j], q);
}

void vipr_bound_of(vipr_derivation *r, int v, bool upper)
{
    const vipr *p = r->p;
    int j = v - p->data.rows;
    if (j < 0)
        mpq_set(r->u, upper ? p->row_high[v] : p->row_low[v]);
    else
        exact_number(r->u, upper ? p->high[j] : p->low[j], EXACT_DECIMAL);
}

static bool whole(const mpq_t q) { return mpz_cmp_ui(mpq_denref(q), 1) == 0; }

/* Are the row and its side whole on integer columns? */
static bool slack_is_whole(const vipr_derivation *r, int i, bool upper)
{
    const vipr *p = r->p;
    bool is = whole(upper ? p->row_high[i] : p->row_low[i]);
    for (int64_t k = p->by_row.start[i]; k < p->by_row.start[i + 1] && is; k++)
        is = vouch_lp_is_integer(p->lp, p->by_row.col[k]) && whole(p->value[p->by_row.entry[k]]);
    return is;
}

/* The sum of rows, a and b. False: a side is not there. */
static bool add_up(vipr_derivation *r)
{
    const vipr *p = r->p;
    for (int k = 0; k < r->from->rows; k++) {
        int i = r->from->row[k];
        bool upper = r->from->side[k] >= 0;
        if (mpq_sgn(r->factor[k]) == 0) continue;
        if ((upper ? p->high_at : p->low_at)[i] < 0 || (r->from->side[k] == 0) != is_equation(p, i)) return false;
        add_row(r, r->a, i, r->factor[k]);
        mpq_mul(r->t, r->factor[k], upper ? p->row_high[i] : p->row_low[i]);
        mpq_add(r->b, r->b, r->t);
    }
    return true;
}

/* From which bound is column j measured? From the lower one, if it has one and was not marked. */
static bool measured_from_upper(const vipr_derivation *r, int j)
{
    const vipr *p = r->p;
    int v = p->data.rows + j;
    bool low = p->low_at[v] >= 0, high = p->high_at[v] >= 0;
    return high && (r->from->at_upper[j] || !low);
}

/* b := b - sum_j a_j times the bound of j. False: a column is free, or an integer one has a bound that is not whole. */
static bool shift(vipr_derivation *r)
{
    const vipr *p = r->p;
    for (int j = 0; j < p->data.cols; j++) {
        int v = p->data.rows + j;
        if (mpq_sgn(r->a[j]) == 0) continue;
        if (p->low_at[v] < 0 && p->high_at[v] < 0) return false;
        vipr_bound_of(r, v, measured_from_upper(r, j));
        if (vouch_lp_is_integer(p->lp, j) && !whole(r->u)) return false;
        mpq_mul(r->t, r->u, r->a[j]);
        mpq_sub(r->b, r->b, r->t);
    }
    return true;
}

/* f0, scale = 1 / (1 - f0), and the constant of z. False: f0 is too near to 0 or 1. */
static bool split(vipr_derivation *r)
{
    mpz_t down;
    mpz_init(down);
    mpz_fdiv_q(down, mpq_numref(r->b), mpq_denref(r->b));
    mpq_set_z(r->z_right, down);
    mpq_sub(r->f0, r->b, r->z_right);
    mpz_clear(down);
    double f0 = mpq_get_d(r->f0);
    if (f0 < LEAST_FRACTION || f0 > MOST_FRACTION) return false;
    mpq_set_ui(r->scale, 1, 1);
    mpq_sub(r->scale, r->scale, r->f0);
    mpq_inv(r->scale, r->scale);
    return true;
}

/* pi and weight of an integer term with this coefficient: true, if the weight is in N. */
static bool round_term(vipr_derivation *r, const mpq_t coefficient)
{
    mpz_t down;
    mpz_init(down);
    mpz_fdiv_q(down, mpq_numref(coefficient), mpq_denref(coefficient));
    mpq_set_z(r->pi, down);
    mpz_clear(down);
    mpq_sub(r->weight, coefficient, r->pi);
    if (mpq_cmp(r->weight, r->f0) <= 0) return false;
    mpq_set_ui(r->t, 1, 1);
    mpq_add(r->pi, r->pi, r->t);
    mpq_sub(r->weight, r->t, r->weight);
    return true;
}

/* The term of row or column v, t = bound - v from the upper bound, else v - bound, with its coefficient in the sum. */
static void add_term(vipr_derivation *r, int v, bool upper, bool integer, mpq_t coefficient)
{
    bool negative = true;
    mpq_set_ui(r->pi, 0, 1);
    if (integer) {
        negative = round_term(r, coefficient);
    } else {
        negative = mpq_sgn(coefficient) < 0;
        mpq_abs(r->weight, coefficient);
    }
    vipr_bound_of(r, v, upper);
    if (mpq_sgn(r->pi) != 0) { /* z gains pi t */
        mpq_mul(coefficient, r->pi, r->u);
        if (!upper) mpq_neg(coefficient, coefficient);
        mpq_sub(r->z_right, r->z_right, coefficient);
        if (upper) mpq_neg(r->pi, r->pi);
        add_variable(r, r->z, v, r->pi);
    }
    if (mpq_sgn(r->weight) == 0) return;
    mpq_mul(r->weight, r->weight, r->scale);
    mpq_t *used = (upper ? r->high : r->low)[negative ? 0 : 1];
    mpq_add(used[v], used[v], r->weight);
    if (!negative) return;
    /* the cut loses weight t */
    mpq_mul(coefficient, r->weight, r->u);
    if (!upper) mpq_neg(coefficient, coefficient);
    mpq_add(r->right, r->right, coefficient);
    if (!upper) mpq_neg(r->weight, r->weight);
    add_variable(r, r->alpha, v, r->weight);
}

static void add_terms(vipr_derivation *r)
{
    const vipr *p = r->p;
    mpq_t coefficient;
    mpq_init(coefficient);
    for (int j = 0; j < p->data.cols; j++) {
        if (mpq_sgn(r->a[j]) == 0) continue;
        bool upper = measured_from_upper(r, j);
        mpq_set(coefficient, r->a[j]);
        if (upper) mpq_neg(coefficient, coefficient);
        add_term(r, p->data.rows + j, upper, vouch_lp_is_integer(p->lp, j) != 0, coefficient);
    }
    for (int k = 0; k < r->from->rows; k++) {
        int i = r->from->row[k];
        if (mpq_sgn(r->factor[k]) == 0) continue;
        bool upper = r->from->side[k] >= 0;
        mpq_set(coefficient, r->factor[k]);
        if (r->from->side[k] == 0) {
            mpq_mul(coefficient, coefficient, r->scale);
            mpq_add(r->high[1][i], r->high[1][i], coefficient);
            continue;
        }
        if (!upper) mpq_neg(coefficient, coefficient);
        add_term(r, i, upper, slack_is_whole(r, i, upper), coefficient);
    }
    /* the cut is z and what was lost: its columns and its right side */
    for (int j = 0; j < p->data.cols; j++) mpq_add(r->alpha[j], r->alpha[j], r->z[j]);
    mpq_add(r->right, r->right, r->z_right);
    mpq_clear(coefficient);
}

vipr_end vipr_round(vipr *p, const vipr_rounding *from, vipr_cut *made)
{
    volatile vipr_end end = VIPR_MEMORY;
    vipr_derivation *r = MEM_ZERO(vipr_derivation, 1);
    if (!r) return VIPR_MEMORY;
    CHECK(p->held_count == 0);
    r->from = from, r->made = made;
    exact_memory_resume(&p->memory);
    if (setjmp(p->memory.escape) == 0) {
        start(r, p);
        take_factors(r);
        end = VIPR_OPEN;
        if (add_up(r) && shift(r) && split(r)) {
            add_terms(r);
            if (vipr_shorten(r)) {
                vipr_write_cut(r);
                end = VIPR_DONE;
            }
        }
        finish(r);
    } else {
        end = VIPR_MEMORY;
    }
    exact_memory_pause(&p->memory);
    mem_free(r);
    return end;
}
