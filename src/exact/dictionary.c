/* exact/dictionary.c - see exact/dictionary.h.
 *
 * Rows are in lowest terms. A pivot on (p, q) replaces row i by (r_pq r_i - r_iq r_p) / content. Doubles are dyadic, so rows start
 * as integers after a shift. Rows free of the entering variable are not touched, which keeps sparse programs cheap.
 */
#include "exact/dictionary.h"

#include <limits.h>
#include <math.h>

#include "base/check.h"

/* ---- doubles and rationals ------------------------------------------------------------------------------------------- */

double dictionary_nearest(dictionary *e, const mpq_t x)
{
    double d = mpq_get_d(x); /* towards 0 */
    if (!isfinite(d)) return d;
    mpq_set_d(e->q3, d);
    mpq_sub(e->q3, x, e->q3);
    return d + mpq_get_d(e->q3);
}

double dictionary_rounded(dictionary *e, const mpq_t x, bool up)
{
    double d = mpq_get_d(x);
    if (!isfinite(d)) return up ? INFINITY : -INFINITY;
    mpq_set_d(e->q3, d);
    int order = mpq_cmp(e->q3, x);
    if (order == 0 || (order > 0) == up) return d;
    return nextafter(d, up ? INFINITY : -INFINITY);
}

/* v = mantissa 2^exponent with an odd or zero mantissa. */
static long long mantissa(double v, int *exponent)
{
    int shift;
    long long digits = (long long)ldexp(frexp(v, &shift), 53);
    *exponent = shift - 53;
    while (digits && digits % 2 == 0) {
        digits /= 2;
        ++*exponent;
    }
    if (!digits) *exponent = 0;
    return digits;
}

static void set_shifted(mpz_t to, double v, int shift)
{
    int exponent;
    long long digits = mantissa(v, &exponent);
    mpz_set_d(to, (double)digits);
    mpz_mul_2exp(to, to, (mp_bitcnt_t)(exponent - shift));
}

void dictionary_quotient(mpq_t q, const mpz_t a, const mpz_t b)
{
    mpz_set(mpq_numref(q), a);
    mpz_set(mpq_denref(q), b);
    mpq_canonicalize(q);
}

int dictionary_compare(dictionary *e, int v, bool upper)
{
    if (isinf(upper ? e->upper[v] : e->lower[v])) return upper ? -1 : 1;
    return mpq_cmp(e->value[v], upper ? e->high[v] : e->low[v]);
}

/* ---- life -------------------------------------------------------------------------------------------------------------- */

static void load_rows(dictionary *e)
{
    const vouch_lp_data *lp = e->lp;
    int *least = e->head; /* borrowed: exponent of each row */
    for (int i = 0; i < e->m; i++) least[i] = 0;
    int cost_least = 0, exponent;
    for (int j = 0; j < e->n; j++) {
        mantissa(lp->cost[j], &exponent);
        if (exponent < cost_least) cost_least = exponent;
        for (int64_t k = lp->start[j]; k < lp->start[j + 1]; k++) {
            mantissa(lp->value[k], &exponent);
            if (exponent < least[lp->index[k]]) least[lp->index[k]] = exponent;
        }
    }
    mpz_t *cost = dictionary_row(e, e->m);
    for (int j = 0; j < e->n; j++) {
        set_shifted(cost[e->m + j], lp->maximize ? -lp->cost[j] : lp->cost[j], cost_least);
        for (int64_t k = lp->start[j]; k < lp->start[j + 1]; k++) {
            int i = lp->index[k];
            set_shifted(dictionary_row(e, i)[e->m + j], -lp->value[k], least[i]);
        }
    }
    for (int i = 0; i < e->m; i++) {
        set_shifted(dictionary_row(e, i)[i], 1, least[i]);
        e->head[i] = i;
        e->where[i] = i;
    }
    set_shifted(cost[e->vars], 1, cost_least);
    for (int j = 0; j < e->n; j++) e->where[e->m + j] = -1;
}

/* What both kinds have: bounds and room for values. -1: memory */
static int init_variables(dictionary *e)
{
    const vouch_lp_data *lp = e->lp;
    e->vars = e->m + e->n;
    e->width = e->vars + 1;
    mpz_inits(e->content, e->a, e->b, e->t, NULL);
    mpq_inits(e->q1, e->q2, e->q3, NULL);
    e->head = ARENA_NEW(&e->arrays, int, e->m);
    e->where = ARENA_NEW(&e->arrays, int, e->vars);
    e->lower = ARENA_NEW(&e->arrays, double, e->vars);
    e->upper = ARENA_NEW(&e->arrays, double, e->vars);
    mpq_t **rationals[] = {&e->value, &e->low, &e->high};
    for (int i = 0; i < 3; i++) *rationals[i] = ARENA_NEW(&e->arrays, mpq_t, e->vars);
    if (e->arrays.failed) return -1;
    for (int v = 0; v < e->vars; v++) {
        e->lower[v] = v < e->m ? lp->row_lower[v] : lp->col_lower[v - e->m];
        e->upper[v] = v < e->m ? lp->row_upper[v] : lp->col_upper[v - e->m];
        mpq_inits(e->value[v], e->low[v], e->high[v], NULL);
        if (!isinf(e->lower[v])) exact_number(e->low[v], e->lower[v], e->reading);
        if (!isinf(e->upper[v])) exact_number(e->high[v], e->upper[v], e->reading);
    }
    return 0;
}

int dictionary_init(dictionary *e)
{
    CHECK(e->reading == EXACT_DYADIC);
    if (init_variables(e)) return -1;
    size_t cells = ((size_t)e->m + 1) * (size_t)e->width;
    e->cell = ARENA_NEW(&e->arrays, mpz_t, cells);
    if (e->arrays.failed) return -1;
    for (size_t k = 0; k < cells; k++) mpz_init(e->cell[k]);
    load_rows(e);
    return 0;
}

int dictionary_init_revised(dictionary *e) { return init_variables(e) ? -1 : revised_init(e); }

/* ---- pivots ------------------------------------------------------------------------------------------------------------ */

/* Divides row i by what all its entries share. */
static void reduce_row(dictionary *e, mpz_t *row)
{
    mpz_set_ui(e->content, 0);
    for (int v = 0; v < e->width; v++) {
        if (mpz_sgn(row[v]) == 0) continue;
        mpz_gcd(e->content, e->content, row[v]);
        e->work += WORK_ENTRY + 4 * (long long)mpz_size(row[v]);
        if (mpz_cmp_ui(e->content, 1) == 0) return;
    }
    for (int v = 0; v < e->width; v++) {
        if (mpz_sgn(row[v]) == 0) continue;
        e->work += WORK_ENTRY + (long long)(mpz_size(row[v]) * mpz_size(e->content));
        mpz_divexact(row[v], row[v], e->content);
    }
}

/* row := (r_pq row - row_q r_p), in lowest terms, with its own basic entry positive. */
static void eliminate(dictionary *e, mpz_t *row, const mpz_t *pivot_row, int q)
{
    mpz_gcd(e->t, pivot_row[q], row[q]);
    mpz_divexact(e->a, pivot_row[q], e->t);
    mpz_divexact(e->b, row[q], e->t);
    if (mpz_sgn(e->a) < 0) {
        mpz_neg(e->a, e->a);
        mpz_neg(e->b, e->b);
    }
    bool one = mpz_cmp_ui(e->a, 1) == 0;
    long long size_a = (long long)mpz_size(e->a), size_b = (long long)mpz_size(e->b);
    for (int v = 0; v < e->width; v++) {
        if (!one && mpz_sgn(row[v])) {
            e->work += WORK_ENTRY + (long long)mpz_size(row[v]) * size_a;
            mpz_mul(row[v], row[v], e->a);
        }
        if (mpz_sgn(pivot_row[v])) {
            e->work += WORK_ENTRY + (long long)mpz_size(pivot_row[v]) * size_b;
            mpz_submul(row[v], pivot_row[v], e->b);
        }
    }
    reduce_row(e, row);
}

bool dictionary_pivot(dictionary *e, int p, int q)
{
    CHECK(e->where[q] < 0 && e->where[e->head[p]] == p);
    if (!e->cell) {
        revised_exchange(e, p, q);
        return !dictionary_spent(e);
    }
    mpz_t *pivot_row = dictionary_row(e, p);
    CHECK(mpz_sgn(pivot_row[q]) != 0);
    if (mpz_sgn(pivot_row[q]) < 0) {
        for (int v = 0; v < e->width; v++) mpz_neg(pivot_row[v], pivot_row[v]);
    }
    for (int i = 0; i <= e->m; i++) {
        mpz_t *row = dictionary_row(e, i);
        if (i == p || mpz_sgn(row[q]) == 0) continue;
        if (dictionary_spent(e)) return false;
        eliminate(e, row, (const mpz_t *)pivot_row, q);
    }
    e->where[e->head[p]] = -1;
    e->head[p] = q;
    e->where[q] = p;
    return true;
}

/* ---- the basis it starts from ------------------------------------------------------------------------------------------ */

static int entries_of(dictionary *e, int i)
{
    int count = 0;
    for (int v = 0; v < e->width; v++) count += mpz_sgn(dictionary_row(e, i)[v]) != 0;
    return count;
}

bool dictionary_reach(dictionary *e, const unsigned char status[])
{
    if (!e->cell) return revised_reach(e, status);
    for (int v = e->m; v < e->vars; v++) {
        if (status[v] != VOUCH_BASIC) continue;
        int best = -1, best_entries = INT_MAX;
        for (int p = 0; p < e->m; p++) {
            if (e->head[p] >= e->m || status[e->head[p]] == VOUCH_BASIC || mpz_sgn(dictionary_row(e, p)[v]) == 0) continue;
            int entries = entries_of(e, p);
            if (entries >= best_entries) continue;
            best = p;
            best_entries = entries;
        }
        if (best >= 0 && !dictionary_pivot(e, best, v)) return false;
    }
    return true;
}

void dictionary_place(dictionary *e, const unsigned char status[])
{
    for (int v = 0; v < e->vars; v++) {
        if (e->where[v] >= 0) continue;
        double l = e->lower[v], u = e->upper[v];
        if (isinf(l) && isinf(u))
            mpq_set_ui(e->value[v], 0, 1);
        else
            mpq_set(e->value[v], isinf(l) || (status[v] == VOUCH_AT_UPPER && !isinf(u)) ? e->high[v] : e->low[v]);
    }
    if (!e->cell) {
        revised_place_basic(e);
        return;
    }
    for (int p = 0; p < e->m; p++) {
        mpz_t *row = dictionary_row(e, p);
        mpq_set_ui(e->q1, 0, 1);
        for (int v = 0; v < e->vars; v++) {
            if (e->where[v] >= 0 || mpz_sgn(row[v]) == 0 || mpq_sgn(e->value[v]) == 0) continue;
            mpq_set_z(e->q2, row[v]);
            mpq_mul(e->q2, e->q2, e->value[v]);
            mpq_sub(e->q1, e->q1, e->q2);
            e->work += 10 * WORK_ENTRY;
        }
        mpq_set_z(e->q2, row[e->head[p]]);
        mpq_div(e->value[e->head[p]], e->q1, e->q2);
    }
}

/* ---- steps ------------------------------------------------------------------------------------------------------------- */

void dictionary_entry(dictionary *e, int p, int v, mpq_t alpha)
{
    if (!e->cell) {
        mpz_t *divisor, *column = revised_column(e, v, &divisor);
        dictionary_quotient(alpha, column[p], *divisor);
        return;
    }
    mpz_t *row = dictionary_row(e, p);
    CHECK(mpz_sgn(row[e->head[p]]) > 0);
    dictionary_quotient(alpha, row[v], row[e->head[p]]);
}

int dictionary_sign(dictionary *e, int p, int v)
{
    mpz_t *divisor;
    return mpz_sgn(e->cell ? dictionary_row(e, p)[v] : revised_column(e, v, &divisor)[p]);
}

void dictionary_move(dictionary *e, int v)
{
    mpq_add(e->value[v], e->value[v], e->q1);
    for (int p = 0; p < e->m; p++) {
        if (dictionary_sign(e, p, v) == 0) continue;
        dictionary_entry(e, p, v, e->q2);
        mpq_mul(e->q2, e->q2, e->q1);
        mpq_sub(e->value[e->head[p]], e->value[e->head[p]], e->q2);
        e->work += 10 * WORK_ENTRY;
    }
}

double dictionary_ratio(const mpz_t a, const mpz_t b)
{
    if (mpz_sgn(a) == 0) return 0;
    long ea, eb;
    double fa = mpz_get_d_2exp(&ea, a), fb = mpz_get_d_2exp(&eb, b);
    long shift = ea - eb;
    return ldexp(fa / fb, shift > 2000 ? 2000 : shift < -2000 ? -2000 : (int)shift);
}
