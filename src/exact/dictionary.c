/* exact/dictionary.c - see exact/dictionary.h.
 *
 * Rows and columns come from exact/revised.c; here are the values of variables and how they move.
 */
#include "exact/dictionary.h"

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

/* Bounds, and room for values. -1: memory */
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

int dictionary_init(dictionary *e) { return init_variables(e) ? -1 : revised_init(e); }

/* ---- pivots ------------------------------------------------------------------------------------------------------------ */

bool dictionary_pivot(dictionary *e, int p, int q)
{
    CHECK(e->where[q] < 0 && e->where[e->head[p]] == p);
    revised_exchange(e, p, q);
    return !dictionary_spent(e);
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
    revised_place_basic(e);
}

/* ---- steps ------------------------------------------------------------------------------------------------------------- */

void dictionary_entry(dictionary *e, int p, int v, mpq_t alpha)
{
    mpz_t *divisor, *column = revised_column(e, v, &divisor);
    dictionary_quotient(alpha, column[p], *divisor);
}

int dictionary_sign(dictionary *e, int p, int v)
{
    mpz_t *divisor;
    return mpz_sgn(revised_column(e, v, &divisor)[p]);
}

void dictionary_move(dictionary *e, int v)
{
    mpq_add(e->value[v], e->value[v], e->q1);
    for (int p = 0; p < e->m; p++) {
        if (dictionary_sign(e, p, v) == 0) continue;
        dictionary_entry(e, p, v, e->q2);
        mpq_mul(e->q2, e->q2, e->q1);
        mpq_sub(e->value[e->head[p]], e->value[e->head[p]], e->q2);
        e->effort.work += 10 * WORK_ENTRY;
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
