/* exact/vipr_cut.c - a cut by rounding in short decimals, those of its row in the relaxation, and its lines; see
 * exact/vipr_round.c.
 *
 * What a coefficient is moved by is paid for with a bound of its column, the one nearer to the point:
 *     a' x = a x + (a' - a) x <= b + sum_j (a'_j - a_j) u_j,  u_j the upper bound where a'_j > a_j, else the lower.
 */
#include <math.h>

#include "base/check.h"
#include "exact/number.h"
#include "exact/vipr_private.h"

/* Part of the largest coefficient in whose multiples the others are written. */
static const double COARSENESS = 1e-9;
/* Of a coefficient, or their common denominator times it. */
static const double LARGEST_WHOLE = 1e7;
/* Least violation relative to 1 + |right side|, and to the norm. */
static const double LEAST_VIOLATION = 1e-6, LEAST_DISTANCE = 1e-4;
/* Largest to least coefficient. */
static const double WIDEST = 1e7;

/* ---- short decimals ------------------------------------------------------------------------------------------------------ */

/* alpha_j becomes value, and a bound of j pays for it in both sides. False: the bound that is needed is not there. */
static bool move_to(vipr_derivation *r, int j, double value)
{
    const vipr *p = r->p;
    int v = p->data.rows + j;
    exact_number(r->weight, value, EXACT_DECIMAL);
    mpq_sub(r->t, r->weight, r->alpha[j]);
    int sign = mpq_sgn(r->t);
    if (sign == 0) return true;
    if ((sign > 0 ? p->high_at : p->low_at)[v] < 0) return false;
    mpq_set(r->alpha[j], r->weight);
    vipr_bound_of(r, v, sign > 0);
    mpq_mul(r->u, r->u, r->t);
    mpq_add(r->right, r->right, r->u);
    mpq_abs(r->t, r->t);
    for (int s = 0; s < 2; s++) {
        mpq_t *used = (sign > 0 ? r->high : r->low)[s];
        mpq_add(used[v], used[v], r->t);
    }
    return true;
}

/* Fractions of one small denominator become whole numbers. False: they are not. */
static bool make_whole(vipr_derivation *r, double most)
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

static bool shorten(vipr_derivation *r)
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
        if (fabs(v) * WIDEST < most) { /* goes, if the bound is there */
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

/* The row in doubles, equal to the decimals written. False: it does not cut x off by enough, or its numbers are wild. */
static bool in_doubles(vipr_derivation *r)
{
    vipr_cut *c = r->made;
    double activity = 0, square = 0, most = 0, least = INFINITY;
    c->count = 0;
    for (int j = 0; j < r->p->data.cols; j++) {
        if (mpq_sgn(r->alpha[j]) == 0) continue;
        double v = mpq_get_d(r->alpha[j]);
        for (int k = 0; k < 3; k++) { /* the double that has this decimal */
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
    /* a short decimal above it, if one is very near */
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

bool vipr_shorten(vipr_derivation *r) { return shorten(r) && in_doubles(r); }

/* ---- lines --------------------------------------------------------------------------------------------------------------- */

static void write_vector(vipr_derivation *r, mpq_t *q)
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

static int write_assumption(vipr_derivation *r, bool upper)
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

static void begin_cut(vipr_derivation *r)
{
    vipr *p = r->p;
    vipr_add(p, "C%d L ", p->derived);
    vipr_add_fraction(p, r->right);
    vipr_add(p, " ");
    write_vector(r, r->alpha);
    vipr_add(p, " { ");
}

static void use(vipr_derivation *r, int number, const mpq_t factor, bool negate)
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
static int write_side(vipr_derivation *r, int side, int assumption)
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

void vipr_write_cut(vipr_derivation *r)
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
