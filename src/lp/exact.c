/* lp/exact.c - see exact.h.
 *
 * The dictionary is kept whole, one row of integers for each basic variable, in lowest terms:
 *     sum_v r_iv z_v = 0,   r_i,head[i] > 0,        z = (row activities, columns),
 * and one more for the cost, with the objective as its own "variable": k_v / k_objective is the reduced cost of v. A pivot on
 * (p, q) replaces row i by (r_pq r_i - r_iq r_p) / content. Doubles are dyadic, so rows start as integers after a shift.
 * Rows free of the entering variable are not touched, which keeps sparse programs cheap.
 *
 * Phase 1 moves a violated basic variable onto its bound (B. Dutertre and L. de Moura, CAV 2006), by the dual's ratio test while
 * reduced costs are right; phase 2 is the primal method. Both choose by size first and, when that makes no progress, by least index
 * (R. G. Bland, Math. Oper. Res. 2, 1977), which ends.
 * Memory: lp/exact_memory.h.
 */
#include "lp/exact.h"

#include <gmp.h>
#include <limits.h>
#include <math.h>

#include "base/memory.h"
#include "la/vector.h"
#include "lp/exact_memory.h"

/* Cells of the dictionary at most. */
static const double EXACT_CELLS = 200000.0;
/* Work of touching one entry, beside its limb products. */
enum { WORK_ENTRY = 60 };
/* Pivots of phase 1 for every row, and steps without progress in phase 2, after which the least index rules. */
enum { PATIENCE_PER_ROW = 4 };

typedef struct exact {
    int m, n, vars, width; /* width = vars + 1: the objective comes last */
    const vouch_lp_data *lp;
    mpz_t *cell;           /* [m + 1][width] */
    mpq_t *value;          /* [vars] */
    int *head;             /* [m] */
    int *where;            /* [vars] row, or -1 */
    double *lower, *upper; /* [vars] */
    mpz_t content, a, b, t;
    mpq_t q1, q2, q3;
    long long work, work_most, pivots;
    const deadline *limit;
    exact_memory memory;
} exact;

static mpz_t *row_of(const exact *e, int i) { return e->cell + (size_t)i * (size_t)e->width; }

bool exact_fits(const vouch_lp_data *lp) { return ((double)lp->rows + 1) * ((double)lp->rows + lp->cols + 1) <= EXACT_CELLS; }

static bool spent(const exact *e) { return e->work > e->work_most || deadline_expired(e->limit); }

/* ---- doubles and rationals ------------------------------------------------------------------------------------------- */

static double nearest(exact *e, const mpq_t x)
{
    double d = mpq_get_d(x); /* towards 0 */
    if (!isfinite(d)) return d;
    mpq_set_d(e->q3, d);
    mpq_sub(e->q3, x, e->q3);
    return d + mpq_get_d(e->q3);
}

static double rounded(exact *e, const mpq_t x, bool up)
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

/* Compares value of v with a bound, which may be infinite. */
static int compare(exact *e, int v, double bound)
{
    if (isinf(bound)) return bound > 0 ? -1 : 1;
    mpq_set_d(e->q3, bound);
    return mpq_cmp(e->value[v], e->q3);
}

/* ---- life -------------------------------------------------------------------------------------------------------------- */

static void load_rows(exact *e)
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
    mpz_t *cost = row_of(e, e->m);
    for (int j = 0; j < e->n; j++) {
        set_shifted(cost[e->m + j], lp->maximize ? -lp->cost[j] : lp->cost[j], cost_least);
        for (int64_t k = lp->start[j]; k < lp->start[j + 1]; k++) {
            int i = lp->index[k];
            set_shifted(row_of(e, i)[e->m + j], -lp->value[k], least[i]);
        }
    }
    for (int i = 0; i < e->m; i++) {
        set_shifted(row_of(e, i)[i], 1, least[i]);
        e->head[i] = i;
        e->where[i] = i;
        e->lower[i] = lp->row_lower[i], e->upper[i] = lp->row_upper[i];
    }
    set_shifted(cost[e->vars], 1, cost_least);
    for (int j = 0; j < e->n; j++) {
        e->where[e->m + j] = -1;
        e->lower[e->m + j] = lp->col_lower[j], e->upper[e->m + j] = lp->col_upper[j];
    }
}

static void exact_free(exact *e)
{
    mem_free(e->cell);
    mem_free(e->value);
    mem_free(e->head);
    mem_free(e->where);
    mem_free(e->lower);
    mem_free(e->upper);
}

static int exact_init(exact *e)
{
    e->vars = e->m + e->n;
    e->width = e->vars + 1;
    mpz_inits(e->content, e->a, e->b, e->t, NULL);
    mpq_inits(e->q1, e->q2, e->q3, NULL);
    size_t cells = ((size_t)e->m + 1) * (size_t)e->width;
    bool ok = (e->head = MEM_NEW(int, e->m));
    ok = (e->where = MEM_NEW(int, e->vars)) && ok;
    ok = (e->lower = MEM_NEW(double, e->vars)) && ok;
    ok = (e->upper = MEM_NEW(double, e->vars)) && ok;
    if (!ok) return -1;
    if (!(e->cell = MEM_NEW(mpz_t, cells))) return -1;
    for (size_t k = 0; k < cells; k++) mpz_init(e->cell[k]);
    if (!(e->value = MEM_NEW(mpq_t, e->vars))) return -1;
    for (int v = 0; v < e->vars; v++) mpq_init(e->value[v]);
    load_rows(e);
    return 0;
}

/* ---- pivots ------------------------------------------------------------------------------------------------------------ */

/* Divides row i by what all its entries share. */
static void reduce_row(exact *e, mpz_t *row)
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
static void eliminate(exact *e, mpz_t *row, const mpz_t *pivot_row, int q)
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

/* The variable of row p leaves, q enters; values are the caller's business. False: work used up, and the dictionary spoilt. */
static bool pivot(exact *e, int p, int q)
{
    mpz_t *pivot_row = row_of(e, p);
    if (mpz_sgn(pivot_row[q]) < 0) {
        for (int v = 0; v < e->width; v++) mpz_neg(pivot_row[v], pivot_row[v]);
    }
    for (int i = 0; i <= e->m; i++) {
        mpz_t *row = row_of(e, i);
        if (i == p || mpz_sgn(row[q]) == 0) continue;
        if (spent(e)) return false;
        eliminate(e, row, (const mpz_t *)pivot_row, q);
    }
    e->where[e->head[p]] = -1;
    e->head[p] = q;
    e->where[q] = p;
    return true;
}

/* ---- the basis it starts from ------------------------------------------------------------------------------------------ */

static int entries_of(const exact *e, int i)
{
    int count = 0;
    for (int v = 0; v < e->width; v++) count += mpz_sgn(row_of(e, i)[v]) != 0;
    return count;
}

/* Columns of the basis enter for rows whose activity is not in it, the shortest row first. */
static bool reach_basis(exact *e, const unsigned char status[])
{
    for (int v = e->m; v < e->vars; v++) {
        if (status[v] != VOUCH_BASIC) continue;
        int best = -1, best_entries = INT_MAX;
        for (int p = 0; p < e->m; p++) {
            if (e->head[p] >= e->m || status[e->head[p]] == VOUCH_BASIC || mpz_sgn(row_of(e, p)[v]) == 0) continue;
            int entries = entries_of(e, p);
            if (entries >= best_entries) continue;
            best = p;
            best_entries = entries;
        }
        if (best >= 0 && !pivot(e, best, v)) return false;
    }
    return true;
}

/* Nonbasic variables onto the bound their status names, the others from the rows. */
static void place_all(exact *e, const unsigned char status[])
{
    for (int v = 0; v < e->vars; v++) {
        if (e->where[v] >= 0) continue;
        double l = e->lower[v], u = e->upper[v];
        double at = isinf(l) && isinf(u) ? 0 : isinf(l) || (status[v] == VOUCH_AT_UPPER && !isinf(u)) ? u : l;
        mpq_set_d(e->value[v], at);
    }
    for (int p = 0; p < e->m; p++) {
        mpz_t *row = row_of(e, p);
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

/* alpha := r_pv / r_p,head: the basic variable of row p falls by alpha when v rises by 1. */
static void tableau_entry(const exact *e, int p, int v, mpq_t alpha)
{
    mpz_t *row = row_of(e, p);
    mpz_set(mpq_numref(alpha), row[v]);
    mpz_set(mpq_denref(alpha), row[e->head[p]]);
    mpq_canonicalize(alpha);
}

/* v rises by the amount of q1, and basic variables follow. */
static void move_by(exact *e, int v)
{
    mpq_add(e->value[v], e->value[v], e->q1);
    for (int p = 0; p < e->m; p++) {
        if (mpz_sgn(row_of(e, p)[v]) == 0) continue;
        tableau_entry(e, p, v, e->q2);
        mpq_mul(e->q2, e->q2, e->q1);
        mpq_sub(e->value[e->head[p]], e->value[e->head[p]], e->q2);
        e->work += 10 * WORK_ENTRY;
    }
}

static bool may_move(exact *e, int v, bool up) { return compare(e, v, up ? e->upper[v] : e->lower[v]) * (up ? -1 : 1) > 0; }

/* -1 below, 1 above, 0 within its bounds. */
static int outside(exact *e, int v)
{
    if (compare(e, v, e->lower[v]) < 0) return -1;
    return compare(e, v, e->upper[v]) > 0;
}

static double ratio_of(const mpz_t a, const mpz_t b)
{
    if (mpz_sgn(a) == 0) return 0;
    long ea, eb;
    double fa = mpz_get_d_2exp(&ea, a), fb = mpz_get_d_2exp(&eb, b);
    long shift = ea - eb;
    return ldexp(fa / fb, shift > 2000 ? 2000 : shift < -2000 ? -2000 : (int)shift);
}

static double violation(exact *e, int v, int side)
{
    mpq_set_d(e->q3, side < 0 ? e->lower[v] : e->upper[v]);
    mpq_sub(e->q3, e->value[v], e->q3);
    return fabs(mpq_get_d(e->q3));
}

/* Which violated basic variable is next; -1: none. */
static int choose_violated(exact *e, bool least_index, int *side)
{
    int best = -1;
    double most = -1;
    for (int v = 0; v < e->vars; v++) {
        int off = e->where[v] >= 0 ? outside(e, v) : 0;
        if (!off) continue;
        double size = least_index ? 0 : violation(e, v, off);
        if (size <= most) continue;
        most = size;
        best = e->where[v];
        *side = off;
        if (least_index) break;
    }
    return best;
}

/* Nonbasic variable that moves row p's basic one towards the bound it violates; -1: none, which proves infeasibility. */
static int choose_helper(exact *e, int p, int side, bool least_index)
{
    const mpz_t *row = (const mpz_t *)row_of(e, p), *cost = (const mpz_t *)row_of(e, e->m);
    int best = -1;
    double least = INFINITY;
    for (int v = 0; v < e->vars; v++) {
        int sign = mpz_sgn(row[v]);
        if (e->where[v] >= 0 || sign == 0 || !may_move(e, v, sign * side > 0)) continue;
        if (least_index) return v;
        double ratio = fabs(ratio_of(cost[v], row[v]));
        if (ratio >= least && best >= 0) continue;
        least = ratio;
        best = v;
    }
    return best;
}

/* Phase 1. OPTIMAL here: feasible; INFEASIBLE: by row *row, on *side. */
static exact_end make_feasible(exact *e, int *row, int *side)
{
    long long patience = e->pivots + 20 + (long long)PATIENCE_PER_ROW * e->m;
    for (;;) {
        bool least_index = e->pivots > patience;
        int p = *row = choose_violated(e, least_index, side);
        if (p < 0) return EXACT_OPTIMAL;
        if (spent(e)) return EXACT_LIMIT;
        int q = choose_helper(e, p, *side, least_index), out = e->head[p];
        if (q < 0) return EXACT_INFEASIBLE;
        double bound = *side < 0 ? e->lower[out] : e->upper[out];
        mpq_set_d(e->q2, bound);
        mpq_sub(e->q1, e->value[out], e->q2);
        tableau_entry(e, p, q, e->q2);
        mpq_div(e->q1, e->q1, e->q2);
        move_by(e, q);
        if (!pivot(e, p, q)) return EXACT_LIMIT;
        e->pivots++;
    }
}

/* Nonbasic variable whose move improves the objective; its direction into *up. */
static int choose_improving(exact *e, bool least_index, bool *up)
{
    const mpz_t *cost = (const mpz_t *)row_of(e, e->m);
    int best = -1;
    double most = 0;
    for (int v = 0; v < e->vars; v++) {
        int sign = mpz_sgn(cost[v]);
        if (e->where[v] >= 0 || sign == 0 || !may_move(e, v, sign < 0)) continue;
        double size = fabs(ratio_of(cost[v], cost[e->vars]));
        if (best >= 0 && size <= most) continue;
        most = size;
        best = v;
        *up = sign < 0;
        if (least_index) break;
    }
    return best;
}

/* Longest step of q; into q1, signed. Returns the blocking row, -1: its own bound, -2: nothing blocks. */
static int choose_blocking(exact *e, int q, bool up)
{
    int best = -2;
    double own = up ? e->upper[q] : e->lower[q];
    if (!isinf(own)) {
        mpq_set_d(e->q1, own);
        mpq_sub(e->q1, e->q1, e->value[q]);
        mpq_abs(e->q1, e->q1);
        best = -1;
    }
    for (int p = 0; p < e->m; p++) {
        int sign = mpz_sgn(row_of(e, p)[q]), v = e->head[p];
        if (sign == 0) continue;
        double bound = (sign > 0) == up ? e->lower[v] : e->upper[v];
        if (isinf(bound)) continue;
        tableau_entry(e, p, q, e->q2);
        mpq_set_d(e->q3, bound);
        mpq_sub(e->q3, e->value[v], e->q3);
        mpq_div(e->q2, e->q3, e->q2);
        mpq_abs(e->q2, e->q2);
        e->work += 10 * WORK_ENTRY;
        int order = best == -2 ? -1 : mpq_cmp(e->q2, e->q1);
        if (order > 0 || (order == 0 && (best == -1 || v > e->head[best]))) continue;
        mpq_set(e->q1, e->q2);
        best = p;
    }
    if (best != -2 && !up) mpq_neg(e->q1, e->q1);
    return best;
}

/* Phase 2. UNBOUNDED: by *column, rising if *up. */
static exact_end improve(exact *e, int *column, bool *up)
{
    long long flat = 0;
    for (;;) {
        int q = *column = choose_improving(e, flat > (long long)PATIENCE_PER_ROW + e->m, up);
        if (q < 0) return EXACT_OPTIMAL;
        if (spent(e)) return EXACT_LIMIT;
        int p = choose_blocking(e, q, *up);
        if (p == -2) return EXACT_UNBOUNDED;
        flat = mpq_sgn(e->q1) == 0 ? flat + 1 : 0;
        move_by(e, q);
        e->pivots++;
        if (p >= 0 && !pivot(e, p, q)) return EXACT_LIMIT;
    }
}

/* ---- answers ----------------------------------------------------------------------------------------------------------- */

static void store_status(exact *e, unsigned char status[])
{
    for (int v = 0; v < e->vars; v++) {
        double l = e->lower[v], u = e->upper[v];
        status[v] = (unsigned char)(e->where[v] >= 0                     ? VOUCH_BASIC
                                    : l == u                             ? VOUCH_NONBASIC_FIXED
                                    : isinf(l) && isinf(u)               ? VOUCH_NONBASIC_FREE
                                    : !isinf(l) && compare(e, v, l) == 0 ? VOUCH_AT_LOWER
                                                                         : VOUCH_AT_UPPER);
    }
}

static void store_point(exact *e, exact_answer *out)
{
    for (int j = 0; j < e->n; j++) out->x[j] = nearest(e, e->value[e->m + j]);
}

static void store_optimum(exact *e, exact_answer *out)
{
    const vouch_lp_data *lp = e->lp;
    mpq_set_d(e->q1, lp->offset);
    for (int j = 0; j < e->n; j++) {
        mpq_set_d(e->q2, lp->cost[j]);
        mpq_mul(e->q2, e->q2, e->value[e->m + j]);
        mpq_add(e->q1, e->q1, e->q2);
    }
    out->objective = nearest(e, e->q1);
    out->bound = rounded(e, e->q1, lp->maximize);
}

static void store_duals(exact *e, exact_answer *out)
{
    mpz_t *cost = row_of(e, e->m);
    for (int i = 0; i < e->m; i++) {
        mpz_set(mpq_numref(e->q1), cost[i]);
        mpz_set(mpq_denref(e->q1), cost[e->vars]);
        mpq_canonicalize(e->q1);
        out->y[i] = (e->lp->maximize ? -1 : 1) * nearest(e, e->q1);
    }
}

/* Row p, whose every term has reached its bound on the way, proves infeasibility; multipliers relative to the largest. */
static void store_farkas(exact *e, int p, int side, exact_answer *out)
{
    mpz_t *row = row_of(e, p);
    mpz_set_ui(e->t, 0);
    for (int i = 0; i < e->m; i++) {
        if (mpz_cmpabs(row[i], e->t) > 0) mpz_abs(e->t, row[i]);
    }
    for (int i = 0; i < e->m; i++) {
        mpz_set(mpq_numref(e->q1), row[i]);
        mpz_set(mpq_denref(e->q1), e->t);
        mpq_canonicalize(e->q1);
        out->y[i] = side * nearest(e, e->q1);
    }
    /* Relative to the terms y_i a_ij x_j and y_i r_i, before they cancel: what the data's own rounding may move. */
    int b = e->head[p];
    mpz_set(mpq_numref(e->q1), row[b]);
    mpz_set(mpq_denref(e->q1), e->t);
    mpq_canonicalize(e->q1);
    double off = violation(e, b, side) * mpq_get_d(e->q1), size = 0;
    for (int v = 0; v < e->vars; v++) {
        double x = fabs(mpq_get_d(e->value[v])), largest = v < e->m ? fabs(out->y[v]) : 0;
        for (int64_t k = v < e->m ? 0 : e->lp->start[v - e->m]; v >= e->m && k < e->lp->start[v - e->m + 1]; k++)
            largest = larger(largest, fabs(e->lp->value[k] * out->y[e->lp->index[k]]));
        size = larger(size, largest * x);
    }
    out->margin = larger(off / larger(size, off), 1e-300);
}

static void store_ray(exact *e, int q, bool up, exact_answer *out)
{
    mpq_set_ui(e->q1, 1, 1); /* the largest entry */
    for (int p = 0; p < e->m; p++) {
        tableau_entry(e, p, q, e->q2);
        mpq_abs(e->q2, e->q2);
        if (mpq_cmp(e->q2, e->q1) > 0) mpq_set(e->q1, e->q2);
    }
    for (int j = 0; j < e->n; j++) {
        int v = e->m + j, p = e->where[v];
        mpq_set_ui(e->q2, v == q, 1);
        if (p >= 0) {
            tableau_entry(e, p, q, e->q2);
            mpq_neg(e->q2, e->q2);
        }
        mpq_div(e->q2, e->q2, e->q1);
        out->ray[j] = (up ? 1 : -1) * nearest(e, e->q2);
    }
    /* Relative to the terms y_i a_ij r_j and c_j r_j, before they cancel. */
    mpz_t *cost = row_of(e, e->m);
    double gain = fabs(ratio_of(cost[q], cost[e->vars])) / mpq_get_d(e->q1), size = gain;
    for (int j = 0; j < e->n; j++) {
        double largest = fabs(e->lp->cost[j]);
        for (int64_t k = e->lp->start[j]; k < e->lp->start[j + 1]; k++)
            largest = larger(largest, fabs(e->lp->value[k] * ratio_of(cost[e->lp->index[k]], cost[e->vars])));
        size = larger(size, largest * fabs(out->ray[j]));
    }
    out->margin = larger(gain / size, 1e-300);
}

/* By how much the bounds of some variable cross. */
static double crossing(const exact *e)
{
    double by = 0;
    for (int v = 0; v < e->vars; v++) by = larger(by, e->lower[v] - e->upper[v]);
    return by;
}

/* Solves and stores the answer. Left by a jump, to be tried again by nobody, when memory is out. */
static exact_end solve_and_store(exact *e, unsigned char status[], exact_answer *out)
{
    int row = -1, side = 0, column = -1;
    bool up = false;
    if (exact_init(e)) return EXACT_MEMORY;
    double crossed = crossing(e);
    if (crossed > 0) {
        for (int i = 0; i < e->m; i++) out->y[i] = 0;
        out->margin = crossed;
        return EXACT_INFEASIBLE;
    }
    if (!reach_basis(e, status)) return EXACT_LIMIT;
    place_all(e, status);
    exact_end end = make_feasible(e, &row, &side);
    if (end == EXACT_OPTIMAL) end = improve(e, &column, &up);
    if (end == EXACT_LIMIT) return end;
    store_status(e, status);
    if (end == EXACT_INFEASIBLE)
        store_farkas(e, row, side, out);
    else
        store_point(e, out), store_duals(e, out);
    if (end == EXACT_OPTIMAL) store_optimum(e, out);
    if (end == EXACT_UNBOUNDED) store_ray(e, column, up, out);
    return end;
}

static exact_end solve_or_escape(exact *e, unsigned char status[], exact_answer *out)
{
    if (setjmp(e->memory.escape)) return EXACT_MEMORY;
    return solve_and_store(e, status, out);
}

exact_end exact_solve(const vouch_lp_data *lp, unsigned char status[], long long work, const deadline *limit, exact_answer *out)
{
    exact e = {.m = lp->rows, .n = lp->cols, .lp = lp, .work_most = work, .limit = limit};
    exact_memory_enter(&e.memory);
    exact_end end = solve_or_escape(&e, status, out);
    exact_memory_leave(&e.memory);
    out->pivots = e.pivots;
    out->work = e.work;
    exact_free(&e);
    return end;
}
