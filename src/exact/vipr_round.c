/* exact/vipr_round.c - derivation of cuts by mixed-integer rounding; see exact/vipr.h.
 *
 * A sum of rows with slacks s >= 0, each column measured from a bound, reads sum_k a_k t_k = b with t >= 0. With f0 the fractional
 * part of b and f_k those of the integer terms, let pi_k = floor(a_k) where f_k <= f0, else ceil(a_k), and z = sum_k pi_k t_k -
 * floor(b), an integer. Then z = f0 - P + N, P = sum_{f_k <= f0} f_k t_k + sum_{a_k > 0} a_k t_k, N = sum_{f_k > f0} (1 - f_k) t_k
 * + sum_{a_k < 0} -a_k t_k, the second sums over continuous terms, and the cut is z <= N / (1 - f0): it holds where z <= 0, since N
 * >= 0, and where z >= 1, since (1 - f0) z = f0 - f0 z - P + N <= N. So it is a disjunction of two assumptions on z, each side a
 * combination (`lin`) with the bounds of the terms, and `uns`. Source: W. Cook, R. Kannan, A. Schrijver, Chvatal closures for mixed
 * integer programming problems, Mathematical Programming 47 (1990).
 *
 * The relaxation has the cut in short decimals. A bound of the column, the one nearer to the point, pays for the change of a
 * coefficient:
 *
 *     a' x = a x + (a' - a) x <= b + sum_j (a'_j - a_j) u_j,  u_j the upper bound where a'_j > a_j, else the lower. */
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "exact/number.h"
#include "exact/vipr_private.h"

typedef struct derivation {
    vipr *p;
    const vipr_rounding *from;
    vipr_cut *made;
    mpq_t *factor; /* [rows used] */
    mpq_t *a;      /* [n] the sum */
    mpq_t *z;      /* [n] integer coefficients of z */
    mpq_t *alpha;  /* [n] of the cut */
    /* [m + n] multiples of lower - v <= 0 and v - upper <= 0, v a row or column, in the sides z <= 0 and z >= 1 */
    mpq_t *low[2], *high[2];
    mpq_t b, f0, scale, z_right, right, weight, pi, t, u;
    mpq_t times; /* multiple of the cut */
} derivation;

/* Fractions of the right side for which rounding pays. */
static const double LEAST_FRACTION = 1e-3, MOST_FRACTION = 0.9999;
/* Multipliers with a common denominator up to this become fractions, others multiples of a power of ten. */
enum { COMMON_MOST = 1000000 };

static void start(derivation *r, vipr *p)
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

static void finish(derivation *r)
{
    int m = r->p->data.rows, n = r->p->data.cols;
    vipr_clear_fractions(r->factor, r->from->rows);
    mpq_t *of_cols[] = {r->a, r->z, r->alpha}, *of_all[] = {r->low[0], r->low[1], r->high[0], r->high[1]};
    for (int k = 0; k < 3; k++) vipr_clear_fractions(of_cols[k], n);
    for (int k = 0; k < 4; k++) vipr_clear_fractions(of_all[k], m + n);
    mpq_clears(r->b, r->f0, r->scale, r->z_right, r->right, r->weight, r->pi, r->t, r->u, r->times, NULL);
    arena_free(&r->p->cut_arrays);
}

static void take_factors(derivation *r)
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

/* to += q row i */
static void add_row(derivation *r, mpq_t *to, int i, const mpq_t q)
{
    const vipr *p = r->p;
    for (int64_t k = p->by_row.start[i]; k < p->by_row.start[i + 1]; k++) {
        mpq_mul(r->t, q, p->value[p->by_row.entry[k]]);
        mpq_add(to[p->by_row.col[k]], to[p->by_row.col[k]], r->t);
    }
}

/* to += q v, a row or a column */
static void add_variable(derivation *r, mpq_t *to, int v, const mpq_t q)
{
    int j = v - r->p->data.rows;
    if (j < 0)
        add_row(r, to, v, q);
    else
        mpq_add(to[j], to[j], q);
}

/* u := the bound of row or column v */
static void bound_of(derivation *r, int v, bool upper)
{
    const vipr *p = r->p;
    int j = v - p->data.rows;
    if (j < 0)
        mpq_set(r->u, upper ? p->row_high[v] : p->row_low[v]);
    else
        exact_number(r->u, upper ? p->high[j] : p->low[j], EXACT_DECIMAL);
}

static bool whole(const mpq_t q) { return mpz_cmp_ui(mpq_denref(q), 1) == 0; }

/* Is the row's slack an integer? */
static bool slack_is_whole(const derivation *r, int i, bool upper)
{
    const vipr *p = r->p;
    bool is = whole(upper ? p->row_high[i] : p->row_low[i]);
    for (int64_t k = p->by_row.start[i]; k < p->by_row.start[i + 1] && is; k++)
        is = vouch_lp_is_integer(p->lp, p->by_row.col[k]) && whole(p->value[p->by_row.entry[k]]);
    return is;
}

/* The sum of rows, a and b. False: a side is missing. */
static bool add_up(derivation *r)
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

/* Columns are measured from the lower bound if it exists and at_upper is not set. */
static bool measured_from_upper(const derivation *r, int j)
{
    const vipr *p = r->p;
    int v = p->data.rows + j;
    bool low = p->low_at[v] >= 0, high = p->high_at[v] >= 0;
    return high && (r->from->at_upper[j] || !low);
}

/* b := b - sum_j a_j times the bound of j. False: a free column, or an integer one with a fractional bound. */
static bool shift(derivation *r)
{
    const vipr *p = r->p;
    for (int j = 0; j < p->data.cols; j++) {
        int v = p->data.rows + j;
        if (mpq_sgn(r->a[j]) == 0) continue;
        if (p->low_at[v] < 0 && p->high_at[v] < 0) return false;
        bound_of(r, v, measured_from_upper(r, j));
        if (vouch_lp_is_integer(p->lp, j) && !whole(r->u)) return false;
        mpq_mul(r->t, r->u, r->a[j]);
        mpq_sub(r->b, r->b, r->t);
    }
    return true;
}

/* f0, scale = 1 / (1 - f0), and the constant of z. False: f0 is too close to 0 or 1. */
static bool split(derivation *r)
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

/* pi and weight of an integer term. True: the weight is in N. */
static bool round_term(derivation *r, const mpq_t coefficient)
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

/* The term of row or column v with its coefficient in the sum: t = bound - v from the upper bound, else v - bound. */
static void add_term(derivation *r, int v, bool upper, bool integer, mpq_t coefficient)
{
    bool negative = true;
    mpq_set_ui(r->pi, 0, 1);
    if (integer) {
        negative = round_term(r, coefficient);
    } else {
        negative = mpq_sgn(coefficient) < 0;
        mpq_abs(r->weight, coefficient);
    }
    bound_of(r, v, upper);
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

static void add_terms(derivation *r)
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
    /* the cut: z minus its N terms */
    for (int j = 0; j < p->data.cols; j++) mpq_add(r->alpha[j], r->alpha[j], r->z[j]);
    mpq_add(r->right, r->right, r->z_right);
    mpq_clear(coefficient);
}

/* Relative precision of coefficients. */
static const double COARSENESS = 1e-9;
/* Largest coefficient times common denominator. */
static const double LARGEST_WHOLE = 1e7;
/* Least violation relative to 1 + |right side|, and to the norm. */
static const double LEAST_VIOLATION = 1e-6, LEAST_DISTANCE = 1e-4;
/* Largest ratio of two coefficients. */
static const double WIDEST = 1e7;

/* ---- short decimals --------------------------------------------------------------------------------------------------------- */

/* alpha_j becomes value, paid for by a bound of j on both sides. False: the bound is missing. */
static bool move_to(derivation *r, int j, double value)
{
    const vipr *p = r->p;
    int v = p->data.rows + j;
    exact_number(r->weight, value, EXACT_DECIMAL);
    mpq_sub(r->t, r->weight, r->alpha[j]);
    int sign = mpq_sgn(r->t);
    if (sign == 0) return true;
    if ((sign > 0 ? p->high_at : p->low_at)[v] < 0) return false;
    mpq_set(r->alpha[j], r->weight);
    bound_of(r, v, sign > 0);
    mpq_mul(r->u, r->u, r->t);
    mpq_add(r->right, r->right, r->u);
    mpq_abs(r->t, r->t);
    for (int s = 0; s < 2; s++) {
        mpq_t *used = (sign > 0 ? r->high : r->low)[s];
        mpq_add(used[v], used[v], r->t);
    }
    return true;
}

/* Multiplies fractions with a small common denominator to integers. False: it is too large. */
static bool make_whole(derivation *r, double most)
{
    const vipr *p = r->p;
    int all = p->data.rows + p->data.cols;
    mpz_t common;
    mpz_init_set_ui(common, 1);
    for (int j = 0; j < p->data.cols && mpz_get_d(common) * most <= LARGEST_WHOLE; j++) exact_common(common, r->alpha[j]);
    bool is = mpz_get_d(common) * most <= LARGEST_WHOLE;
    if (is) {
        mpz_mul(mpq_numref(r->times), mpq_numref(r->times), common);
        for (int j = 0; j < p->data.cols; j++) mpq_mul(r->alpha[j], r->alpha[j], r->times);
        for (int s = 0; s < 2; s++)
            for (int v = 0; v < all; v++) {
                if (mpq_sgn(r->low[s][v])) mpq_mul(r->low[s][v], r->low[s][v], r->times);
                if (mpq_sgn(r->high[s][v])) mpq_mul(r->high[s][v], r->high[s][v], r->times);
            }
        mpq_mul(r->right, r->right, r->times);
    }
    mpz_clear(common);
    return is;
}

static bool shorten(derivation *r)
{
    const vipr *p = r->p;
    double most = 0;
    for (int j = 0; j < p->data.cols; j++) most = fmax(most, fabs(mpq_get_d(r->alpha[j])));
    if (!(most > 0) || !isfinite(most)) return false;
    double unit = fmax(1, pow(10, -ceil(log10(most * COARSENESS))));
    if (make_whole(r, most)) return true;
    for (int j = 0; j < p->data.cols; j++) {
        if (mpq_sgn(r->alpha[j]) == 0) continue;
        double v = mpq_get_d(r->alpha[j]), x = r->from->x ? r->from->x[j] : p->low[j];
        bool low = !isinf(p->low[j]), high = !isinf(p->high[j]);
        if (!low && !high) return false;
        if (fabs(v) * WIDEST < most) { /* dropped, if the bound exists */
            if (!move_to(r, j, 0)) return false;
            continue;
        }
        bool up = !low || (high && p->high[j] - x < x - p->low[j]);
        double value = rint(v * unit) / unit;
        exact_number(r->t, value, EXACT_DECIMAL);
        if (!mpq_equal(r->t, r->alpha[j])) value = (up ? ceil(v * unit) : floor(v * unit)) / unit;
        if (!move_to(r, j, value)) return false;
    }
    return true;
}

/* The row in doubles equal to the written decimals. False: it violates too little or its coefficients vary too much. */
static bool in_doubles(derivation *r)
{
    vipr_cut *c = r->made;
    double activity = 0, square = 0, most = 0, least = INFINITY;
    c->count = 0;
    for (int j = 0; j < r->p->data.cols; j++) {
        if (mpq_sgn(r->alpha[j]) == 0) continue;
        double v = mpq_get_d(r->alpha[j]);
        for (int k = 0; k < 3; k++) { /* the double with this decimal */
            exact_number(r->t, v, EXACT_DECIMAL);
            if (mpq_equal(r->t, r->alpha[j])) break;
            v = nextafter(v, mpq_cmp(r->t, r->alpha[j]) < 0 ? INFINITY : -INFINITY);
        }
        if (!mpq_equal(r->t, r->alpha[j])) return false;
        c->index[c->count] = j, c->value[c->count++] = v;
        activity += v * (r->from->x ? r->from->x[j] : 0), square += v * v;
        most = fmax(most, fabs(v)), least = fmin(least, fabs(v));
    }
    c->upper = mpq_get_d(r->right);
    double step = fmax(fabs(c->upper), 1) * 1e-15, at = c->upper;
    /* a short decimal just above it, if any */
    c->upper = ceil(at * 1e9 - 1e-3) / 1e9;
    exact_number(r->t, c->upper, EXACT_DECIMAL);
    for (; mpq_cmp(r->t, r->right) < 0; step *= 2) {
        c->upper = at + step;
        exact_number(r->t, c->upper, EXACT_DECIMAL);
    }
    mpq_set(r->right, r->t);
    double violation = r->from->x ? activity - c->upper : INFINITY;
    return most <= WIDEST * least && violation > LEAST_VIOLATION * (1 + fabs(c->upper)) &&
           violation > LEAST_DISTANCE * sqrt(square);
}

/* ---- lines --------------------------------------------------------------------------------------------------------------- */

static void write_vector(derivation *r, mpq_t *q)
{
    vipr *p = r->p;
    int count = 0;
    for (int j = 0; j < p->data.cols; j++) count += mpq_sgn(q[j]) != 0;
    vipr_add(p, "%d", count);
    for (int j = 0; j < p->data.cols; j++) {
        if (mpq_sgn(q[j]) == 0) continue;
        vipr_add(p, " %d ", j);
        vipr_add_fraction(p, q[j]);
    }
}

static int write_assumption(derivation *r, bool upper)
{
    vipr *p = r->p;
    mpq_set_ui(r->t, upper ? 0 : 1, 1);
    mpq_add(r->t, r->t, r->z_right);
    vipr_add(p, "S%d %c ", p->derived, upper ? 'L' : 'G');
    vipr_add_fraction(p, r->t);
    vipr_add(p, " ");
    write_vector(r, r->z);
    vipr_add(p, " { asm }");
    return vipr_end_line(p);
}

static void begin_cut(derivation *r)
{
    vipr *p = r->p;
    vipr_add(p, "C%d L ", p->derived);
    vipr_add_fraction(p, r->right);
    vipr_add(p, " ");
    write_vector(r, r->alpha);
    vipr_add(p, " { ");
}

static void use(derivation *r, int number, const mpq_t factor, bool negate)
{
    vipr *p = r->p;
    CHECK(number >= 0);
    mpq_set(r->t, factor);
    if (negate) mpq_neg(r->t, r->t);
    vipr_add(p, " %d ", number);
    vipr_add_fraction(p, r->t);
    vipr_refer(p, number);
}

/* The cut on one side of the disjunction. */
static int write_side(derivation *r, int side, int assumption)
{
    vipr *p = r->p;
    int count = 1, all = p->data.rows + p->data.cols;
    for (int v = 0; v < all; v++) count += (mpq_sgn(r->low[side][v]) != 0) + (mpq_sgn(r->high[side][v]) != 0);
    begin_cut(r);
    vipr_add(p, "lin %d", count);
    if (side == 0)
        mpq_set_ui(r->u, 1, 1);
    else
        mpq_mul(r->u, r->f0, r->scale);
    mpq_mul(r->u, r->u, r->times);
    use(r, assumption, r->u, side == 1);
    for (int v = 0; v < all; v++) {
        if (mpq_sgn(r->low[side][v]) != 0) use(r, p->low_at[v], r->low[side][v], true);
        if (mpq_sgn(r->high[side][v]) != 0) use(r, p->high_at[v], r->high[side][v], false);
    }
    vipr_add(p, " }");
    return vipr_end_line(p);
}

static void write_cut(derivation *r)
{
    vipr *p = r->p;
    int below = write_assumption(r, true), above = write_assumption(r, false);
    int first = write_side(r, 0, below), second = write_side(r, 1, above);
    begin_cut(r);
    vipr_add(p, "uns %d %d %d %d }", first, below, second, above);
    int referred[] = {first, below, second, above};
    for (int k = 0; k < 4; k++) vipr_refer(p, referred[k]);
    r->made->number = vipr_end_line(p);
}

vipr_end vipr_round(vipr *p, const vipr_rounding *from, vipr_cut *made)
{
    volatile vipr_end end = VIPR_MEMORY;
    derivation *r = MEM_ZERO(derivation, 1);
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
            if (shorten(r) && in_doubles(r)) {
                write_cut(r);
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
