/* exact/exact.c - the simplex method in rational numbers, on a dictionary whose rows and columns are computed from factors when a
 * step needs them:
 *
 *     sum_v r_iv z_v = 0,   r_i,head[i] > 0,        z = (row activities, columns)
 *     M z = 0,  M = [units, -G];    row p: e_p'B^-1 M,    column v: B^-1 M_v,    cost row: c - (B^-T c_B)'M
 *
 * Each is an integer vector with one divisor. The cost row has the objective as a further variable: k_v / k_objective is the
 * reduced cost of v. Every pivot makes new factors: the given bases are nearly optimal, and a factorisation modulo a prime is cheap
 * relative to one lifted solution.
 *
 * Phase 1 moves a violated basic variable to its bound (B. Dutertre and L. de Moura, CAV 2006), by the dual ratio test while
 * reduced costs have the right sign; phase 2 is the primal method. Both choose by size first and, without progress, by least index
 * (R. G. Bland, Math. Oper. Res. 2, 1977), which terminates. */
#include "exact/exact.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "exact/factors.h"

typedef struct dictionary_lines {
    exact_matrix a;
    sparse doubles;
    exact_factors *factors;
    mpz_t *cost;                    /* [n] times cost_scale, of a minimum */
    mpz_t *row, *cost_row, *column; /* [width], [width], [m] */
    mpz_t *rhs, *solution;          /* [m] */
    mpz_t column_divisor, cost_scale, divisor;
    int row_at, column_at; /* index of the stored row and column; -1: none */
    bool cost_valid;
} dictionary_lines;

typedef struct dictionary {
    arena arrays;          /* of all below; the limbs of the numbers are in memory */
    int m, n, vars, width; /* width = vars + 1: the objective is last */
    const vouch_lp_data *lp;
    exact_reading reading;
    dictionary_lines *lines;
    mpq_t *value;          /* [vars] */
    mpq_t *low, *high;     /* [vars] lower and upper where finite */
    int *head;             /* [m] */
    int *where;            /* [vars] row, or -1 */
    double *lower, *upper; /* [vars] */
    mpz_t a, b, t;
    mpq_t q1, q2, q3;
    exact_effort effort;
    long long pivots;
    exact_memory memory;
} dictionary;

/* Work of an entry, without its limb products. */
enum { WORK_ENTRY = 60 };

static void dictionary_quotient(mpq_t q, const mpz_t a, const mpz_t b)
{
    mpz_set(mpq_numref(q), a);
    mpz_set(mpq_denref(q), b);
    mpq_canonicalize(q);
}

static inline bool dictionary_spent(const dictionary *e)
{
    return e->effort.work > e->effort.most || deadline_expired(e->effort.limit);
}

/* ---- life and the basis ---------------------------------------------------------------------------------------------------- */

static mpz_t *integers(dictionary *e, size_t count)
{
    mpz_t *z = ARENA_NEW(&e->arrays, mpz_t, count + 1);
    for (size_t i = 0; z && i <= count; i++) mpz_init(z[i]);
    return z;
}

/* Work of reading a number that is not an integer. */
enum { WORK_DECIMAL = 400 };

static void spend(dictionary *e, long long work)
{
    e->effort.work += work;
    if (dictionary_spent(e)) longjmp(e->memory.escape, ESCAPE_LIMIT);
}

/* -1: memory */
static int revised_init(dictionary *e)
{
    const vouch_lp_data *lp = e->lp;
    dictionary_lines *d = e->lines = ARENA_ZERO(&e->arrays, dictionary_lines, 1);
    if (!d) return -1;
    size_t m = (size_t)e->m, entries = (size_t)lp->start[e->n];
    d->a = (exact_matrix){.m = e->m, .n = e->n, .start = lp->start, .index = lp->index};
    d->a.value = integers(e, entries);
    d->a.unit = integers(e, m);
    d->a.residue = ARENA_NEW(&e->arrays, uint64_t, entries + m + 1);
    d->cost = integers(e, (size_t)e->n);
    d->row = integers(e, (size_t)e->width);
    d->cost_row = integers(e, (size_t)e->width);
    d->column = integers(e, m);
    d->rhs = integers(e, m);
    d->solution = integers(e, m);
    mpz_inits(d->column_divisor, d->cost_scale, d->divisor, NULL);
    d->row_at = d->column_at = -1;
    if (e->arrays.failed || sparse_load(&d->doubles, e->m, e->n, lp->start, lp->index, lp->value)) return -1;
    d->factors = exact_factors_new(&d->a, &d->doubles, &e->memory, &e->effort);
    if (!d->factors) return -1;
    spend(e, 2 * WORK_DECIMAL * (lp->start[e->n] + e->n) + WORK_ENTRY * (long long)e->vars);
    for (int i = 0; i < e->m; i++) mpz_set_ui(d->a.unit[i], 1);
    for (int64_t k = 0; k < lp->start[e->n]; k++) {
        exact_number(e->q1, lp->value[k], e->reading);
        exact_common(d->a.unit[lp->index[k]], e->q1);
    }
    for (int64_t k = 0; k < lp->start[e->n]; k++) {
        exact_number(e->q1, lp->value[k], e->reading);
        exact_times(d->a.value[k], e->q1, d->a.unit[lp->index[k]]);
        mpz_neg(d->a.value[k], d->a.value[k]);
    }
    exact_residues(&d->a);
    mpz_set_ui(d->cost_scale, 1);
    for (int j = 0; j < e->n; j++) {
        exact_number(e->q1, e->lp->cost[j], e->reading);
        exact_common(d->cost_scale, e->q1);
    }
    for (int j = 0; j < e->n; j++) {
        exact_number(e->q1, e->lp->cost[j], e->reading);
        exact_times(d->cost[j], e->q1, d->cost_scale);
        if (e->lp->maximize) mpz_neg(d->cost[j], d->cost[j]);
    }
    for (int v = 0; v < e->vars; v++) e->where[v] = -1;
    return 0;
}

static void make_factors(dictionary *e)
{
    dictionary_lines *d = e->lines;
    d->row_at = d->column_at = -1;
    d->cost_valid = false;
    exact_factors_make(d->factors, e->head);
    for (int v = 0; v < e->vars; v++) e->where[v] = -1;
    for (int p = 0; p < e->m; p++) e->where[e->head[p]] = p;
}

/* Factorises the basis of status; row activities replace dependent columns. False: work limit. */
static bool dictionary_reach(dictionary *e, const unsigned char status[])
{
    int count = 0;
    for (int v = e->vars - 1; v >= 0 && count < e->m; v--)
        if (status[v] == VOUCH_BASIC) e->head[count++] = v;
    for (int v = 0; v < e->m && count < e->m; v++)
        if (status[v] != VOUCH_BASIC) e->head[count++] = v;
    make_factors(e);
    return !dictionary_spent(e);
}

/* sum := column v times weight */
static void price(dictionary *e, mpz_t sum, int v, mpz_t *weight)
{
    const exact_matrix *a = &e->lines->a;
    if (v < e->m) {
        mpz_mul(sum, weight[v], a->unit[v]);
        return;
    }
    mpz_set_ui(sum, 0);
    for (int64_t k = a->start[v - e->m]; k < a->start[v - e->m + 1]; k++) mpz_addmul(sum, a->value[k], weight[a->index[k]]);
}

/* Work of the products of all columns with the solution. */
static long long priced(const dictionary *e)
{
    return (WORK_ENTRY + (long long)mpz_size(e->lines->divisor)) * (e->lp->start[e->n] + e->vars);
}

static mpz_t *cost_row(dictionary *e)
{
    dictionary_lines *d = e->lines;
    if (d->cost_valid) return d->cost_row;
    for (int p = 0; p < e->m; p++) {
        if (e->head[p] < e->m)
            mpz_set_ui(d->rhs[p], 0);
        else
            mpz_set(d->rhs[p], d->cost[e->head[p] - e->m]);
    }
    exact_factors_solve(d->factors, (const mpz_t *)d->rhs, true, d->solution, d->divisor);
    for (int v = 0; v < e->vars; v++) {
        mpz_set_ui(d->cost_row[v], 0);
        if (e->where[v] >= 0) continue;
        price(e, d->cost_row[v], v, d->solution);
        mpz_neg(d->cost_row[v], d->cost_row[v]);
        if (v >= e->m) mpz_addmul(d->cost_row[v], d->cost[v - e->m], d->divisor);
    }
    mpz_mul(d->cost_row[e->vars], d->cost_scale, d->divisor);
    spend(e, priced(e));
    d->cost_valid = true;
    return d->cost_row;
}

/* Row i < m, or the cost row, i = m; valid until the next call for another row, the cost row until the next pivot. */
static mpz_t *dictionary_row(dictionary *e, int i)
{
    dictionary_lines *d = e->lines;
    if (i == e->m) return cost_row(e);
    if (d->row_at == i) return d->row;
    for (int p = 0; p < e->m; p++) mpz_set_ui(d->rhs[p], p == i);
    exact_factors_solve(d->factors, (const mpz_t *)d->rhs, true, d->solution, d->divisor);
    for (int v = 0; v < e->vars; v++) {
        mpz_set_ui(d->row[v], 0);
        if (e->where[v] < 0) price(e, d->row[v], v, d->solution);
    }
    spend(e, priced(e));
    mpz_set(d->row[e->head[i]], d->divisor);
    mpz_set_ui(d->row[e->vars], 0);
    d->row_at = i;
    return d->row;
}

/* Numerators of alpha for every row; their divisor in *divisor. */
static mpz_t *revised_column(dictionary *e, int v, mpz_t **divisor)
{
    dictionary_lines *d = e->lines;
    const exact_matrix *a = &d->a;
    *divisor = &d->column_divisor;
    if (d->column_at == v) return d->column;
    for (int i = 0; i < e->m; i++) mpz_set_ui(d->rhs[i], 0);
    if (v < e->m)
        mpz_set(d->rhs[v], a->unit[v]);
    else
        for (int64_t k = a->start[v - e->m]; k < a->start[v - e->m + 1]; k++) mpz_set(d->rhs[a->index[k]], a->value[k]);
    exact_factors_solve(d->factors, (const mpz_t *)d->rhs, false, d->column, d->column_divisor);
    d->column_at = v;
    return d->column;
}

/* ---- values ---------------------------------------------------------------------------------------------------------------- */

/* e->t := a common denominator of the nonbasic values; rhs := -N z_N times it. */
static void balance_rows(dictionary *e)
{
    dictionary_lines *d = e->lines;
    const exact_matrix *a = &d->a;
    for (int i = 0; i < e->m; i++) mpz_set_ui(d->rhs[i], 0);
    mpz_set_ui(e->t, 1);
    for (int v = 0; v < e->vars; v++)
        if (e->where[v] < 0) exact_common(e->t, e->value[v]);
    for (int v = 0; v < e->vars; v++) {
        if (e->where[v] >= 0 || mpq_sgn(e->value[v]) == 0) continue;
        exact_times(e->a, e->value[v], e->t);
        if (v < e->m)
            mpz_submul(d->rhs[v], a->unit[v], e->a);
        else
            for (int64_t k = a->start[v - e->m]; k < a->start[v - e->m + 1]; k++)
                mpz_submul(d->rhs[a->index[k]], a->value[k], e->a);
    }
}

/* without the offset */
static void revised_objective(dictionary *e, mpq_t sum)
{
    dictionary_lines *d = e->lines;
    mpz_set_ui(e->t, 1);
    for (int j = 0; j < e->n; j++)
        if (e->where[e->m + j] < 0) exact_common(e->t, e->value[e->m + j]);
    mpz_set_ui(e->b, 0);
    for (int j = 0; j < e->n; j++) {
        if (e->where[e->m + j] >= 0 || mpz_sgn(d->cost[j]) == 0) continue;
        exact_times(e->a, e->value[e->m + j], e->t);
        mpz_addmul(e->b, e->a, d->cost[j]);
    }
    dictionary_quotient(sum, e->b, e->t);
    balance_rows(e);
    exact_factors_solve(d->factors, (const mpz_t *)d->rhs, false, d->solution, d->divisor);
    mpz_mul(e->t, e->t, d->divisor);
    mpz_set_ui(e->b, 0);
    for (int p = 0; p < e->m; p++)
        if (e->head[p] >= e->m) mpz_addmul(e->b, d->solution[p], d->cost[e->head[p] - e->m]);
    dictionary_quotient(e->q3, e->b, e->t);
    mpq_add(sum, sum, e->q3);
    mpq_set_z(e->q3, d->cost_scale);
    mpq_div(sum, sum, e->q3);
    if (e->lp->maximize) mpq_neg(sum, sum);
}

static double dictionary_nearest(dictionary *e, const mpq_t x)
{
    double d = mpq_get_d(x); /* towards 0 */
    if (!isfinite(d)) return d;
    mpq_set_d(e->q3, d);
    mpq_sub(e->q3, x, e->q3);
    return d + mpq_get_d(e->q3);
}

static double dictionary_rounded(dictionary *e, const mpq_t x, bool up)
{
    double d = mpq_get_d(x);
    if (!isfinite(d)) return up ? INFINITY : -INFINITY;
    mpq_set_d(e->q3, d);
    int order = mpq_cmp(e->q3, x);
    if (order == 0 || (order > 0) == up) return d;
    return nextafter(d, up ? INFINITY : -INFINITY);
}

/* Sign of the value of v minus its upper or lower bound, which may be infinite. */
static int dictionary_compare(dictionary *e, int v, bool upper)
{
    if (isinf(upper ? e->upper[v] : e->lower[v])) return upper ? -1 : 1;
    return mpq_cmp(e->value[v], upper ? e->high[v] : e->low[v]);
}

/* Bounds, and room for values. -1: memory */
static int init_variables(dictionary *e)
{
    const vouch_lp_data *lp = e->lp;
    e->vars = e->m + e->n;
    e->width = e->vars + 1;
    mpz_inits(e->a, e->b, e->t, NULL);
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

/* The variable of row p leaves, q enters; the caller updates values. False: work limit, dictionary invalid. */
static bool dictionary_pivot(dictionary *e, int p, int q)
{
    CHECK(e->where[q] < 0 && e->where[e->head[p]] == p);
    e->head[p] = q;
    make_factors(e);
    return !dictionary_spent(e);
}

/* alpha := r_pv / r_p,head: the decrease of the basic variable of row p when v rises by 1. */
static void dictionary_entry(dictionary *e, int p, int v, mpq_t alpha)
{
    mpz_t *divisor, *column = revised_column(e, v, &divisor);
    dictionary_quotient(alpha, column[p], *divisor);
}

static int dictionary_sign(dictionary *e, int p, int v)
{
    mpz_t *divisor;
    return mpz_sgn(revised_column(e, v, &divisor)[p]);
}

/* v rises by q1, and basic variables follow. */
static void dictionary_move(dictionary *e, int v)
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

/* a / b, approximately */
static double dictionary_ratio(const mpz_t a, const mpz_t b)
{
    if (mpz_sgn(a) == 0) return 0;
    long ea, eb;
    double fa = mpz_get_d_2exp(&ea, a), fb = mpz_get_d_2exp(&eb, b);
    long shift = ea - eb;
    return ldexp(fa / fb, shift > 2000 ? 2000 : shift < -2000 ? -2000 : (int)shift);
}

/* Pivots a row in phase 1, and steps without progress in phase 2, before the least-index rule. */
enum { PATIENCE_PER_ROW = 4 };

static bool all_meant(int count, const double v[])
{
    for (int i = 0; i < count; i++)
        if (!exact_is_meant(v[i])) return false;
    return true;
}

bool exact_is_sure(const vouch_lp_data *lp)
{
    for (int64_t k = 0; k < lp->start[lp->cols]; k++)
        if (!exact_is_meant(lp->value[k])) return false;
    return all_meant(lp->cols, lp->cost) && all_meant(lp->cols, lp->col_lower) && all_meant(lp->cols, lp->col_upper) &&
           all_meant(lp->rows, lp->row_lower) && all_meant(lp->rows, lp->row_upper);
}

static bool may_move(dictionary *e, int v, bool up) { return dictionary_compare(e, v, up) * (up ? -1 : 1) > 0; }

/* -1: below its bounds, 1: above, 0: within */
static int outside(dictionary *e, int v)
{
    if (dictionary_compare(e, v, false) < 0) return -1;
    return dictionary_compare(e, v, true) > 0;
}

static double violation(dictionary *e, int v, int side)
{
    mpq_sub(e->q3, e->value[v], side < 0 ? e->low[v] : e->high[v]);
    return fabs(mpq_get_d(e->q3));
}

/* Row of the next violated basic variable; -1: none. */
static int choose_violated(dictionary *e, bool least_index, int *side)
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

/* Nonbasic variable that moves the basic one of row p towards its violated bound; -1: none, which proves infeasibility. */
static int choose_helper(dictionary *e, int p, int side, bool least_index)
{
    const mpz_t *row = (const mpz_t *)dictionary_row(e, p), *cost = (const mpz_t *)dictionary_row(e, e->m);
    int best = -1;
    double least = INFINITY;
    for (int v = 0; v < e->vars; v++) {
        int sign = mpz_sgn(row[v]);
        if (e->where[v] >= 0 || sign == 0 || !may_move(e, v, sign * side > 0)) continue;
        if (least_index) return v;
        double ratio = fabs(dictionary_ratio(cost[v], row[v]));
        if (ratio >= least && best >= 0) continue;
        least = ratio;
        best = v;
    }
    return best;
}

/* Phase 1. OPTIMAL: feasible; INFEASIBLE: by row *row, on *side. */
static exact_end make_feasible(dictionary *e, int *row, int *side)
{
    long long patience = e->pivots + 20 + (long long)PATIENCE_PER_ROW * e->m;
    for (;;) {
        bool least_index = e->pivots > patience;
        int p = *row = choose_violated(e, least_index, side);
        if (p < 0) return EXACT_OPTIMAL;
        if (dictionary_spent(e)) return EXACT_LIMIT;
        int q = choose_helper(e, p, *side, least_index), out = e->head[p];
        CHECK(*side == 1 || *side == -1);
        if (q < 0) return EXACT_INFEASIBLE;
        mpq_sub(e->q1, e->value[out], *side < 0 ? e->low[out] : e->high[out]);
        dictionary_entry(e, p, q, e->q2);
        mpq_div(e->q1, e->q1, e->q2);
        dictionary_move(e, q);
        if (!dictionary_pivot(e, p, q)) return EXACT_LIMIT;
        e->pivots++;
    }
}

/* Nonbasic variable that improves the objective, in direction *up; -1: none. */
static int choose_improving(dictionary *e, bool least_index, bool *up)
{
    const mpz_t *cost = (const mpz_t *)dictionary_row(e, e->m);
    int best = -1;
    double most = 0;
    for (int v = 0; v < e->vars; v++) {
        int sign = mpz_sgn(cost[v]);
        if (e->where[v] >= 0 || sign == 0 || !may_move(e, v, sign < 0)) continue;
        double size = fabs(dictionary_ratio(cost[v], cost[e->vars]));
        if (best >= 0 && size <= most) continue;
        most = size;
        best = v;
        *up = sign < 0;
        if (least_index) break;
    }
    return best;
}

/* q1 := longest step of q, signed. Returns the blocking row; -1: its own bound, -2: none. */
static int choose_blocking(dictionary *e, int q, bool up)
{
    int best = -2;
    double own = up ? e->upper[q] : e->lower[q];
    if (!isinf(own)) {
        mpq_sub(e->q1, up ? e->high[q] : e->low[q], e->value[q]);
        mpq_abs(e->q1, e->q1);
        best = -1;
    }
    for (int p = 0; p < e->m; p++) {
        int sign = dictionary_sign(e, p, q), v = e->head[p];
        if (sign == 0) continue;
        double bound = (sign > 0) == up ? e->lower[v] : e->upper[v];
        if (isinf(bound)) continue;
        dictionary_entry(e, p, q, e->q2);
        mpq_sub(e->q3, (sign > 0) == up ? e->low[v] : e->high[v], e->value[v]);
        mpq_neg(e->q3, e->q3);
        mpq_div(e->q2, e->q3, e->q2);
        mpq_abs(e->q2, e->q2);
        e->effort.work += 10 * WORK_ENTRY;
        int order = best == -2 ? -1 : mpq_cmp(e->q2, e->q1);
        if (order > 0 || (order == 0 && (best == -1 || v > e->head[best]))) continue;
        mpq_set(e->q1, e->q2);
        best = p;
    }
    CHECK(best == -2 || mpq_sgn(e->q1) >= 0);
    if (best != -2 && !up) mpq_neg(e->q1, e->q1);
    return best;
}

/* Phase 2. UNBOUNDED: by *column, rising if *up. */
static exact_end improve(dictionary *e, int *column, bool *up)
{
    long long flat = 0;
    for (;;) {
        int q = *column = choose_improving(e, flat > (long long)PATIENCE_PER_ROW + e->m, up);
        if (q < 0) return EXACT_OPTIMAL;
        if (dictionary_spent(e)) return EXACT_LIMIT;
        int p = choose_blocking(e, q, *up);
        if (p == -2) return EXACT_UNBOUNDED;
        flat = mpq_sgn(e->q1) == 0 ? flat + 1 : 0;
        dictionary_move(e, q);
        e->pivots++;
        if (p >= 0 && !dictionary_pivot(e, p, q)) return EXACT_LIMIT;
    }
}

/* ---- answers ----------------------------------------------------------------------------------------------------------- */

/* False: memory */
static bool store_optimum(dictionary *e, exact_answer *out)
{
    const vouch_lp_data *lp = e->lp;
    exact_number(e->q1, lp->offset, e->reading);
    revised_objective(e, e->q2);
    mpq_add(e->q1, e->q1, e->q2);
    if (e->reading == EXACT_DECIMAL) out->fraction = mem_string(mpq_get_str(NULL, 10, e->q1));
    out->objective = dictionary_nearest(e, e->q1);
    out->bound = dictionary_rounded(e, e->q1, lp->maximize);
    return e->reading != EXACT_DECIMAL || out->fraction;
}

static void store_solution(dictionary *e, exact_answer *out)
{
    for (int j = 0; j < e->n; j++) out->x[j] = dictionary_nearest(e, e->value[e->m + j]);
    mpz_t *cost = dictionary_row(e, e->m);
    for (int i = 0; i < e->m; i++) {
        dictionary_quotient(e->q1, cost[i], cost[e->vars]);
        out->y[i] = (e->lp->maximize ? -1 : 1) * dictionary_nearest(e, e->q1);
    }
}

static bool store_text(char **to, const mpq_t q) { return (*to = mem_string(mpq_get_str(NULL, 10, q))) != NULL; }

/* The multipliers of row `row`, or of the cost row, as text; sign: of a row. False: memory */
static bool store_dual_text(dictionary *e, int row, int sign, exact_answer *out)
{
    mpz_t *line = dictionary_row(e, row);
    for (int i = 0; i < e->m; i++) {
        dictionary_quotient(e->q1, line[i], line[row < e->m ? e->head[row] : e->vars]);
        if (sign < 0) mpq_neg(e->q1, e->q1);
        if (!store_text(&out->dual_text[i], e->q1)) return false;
    }
    return true;
}

/* Multipliers of row p, which proves infeasibility with every variable at its best bound, relative to the largest. */
static void store_farkas(dictionary *e, int p, int side, exact_answer *out)
{
    mpz_t *row = dictionary_row(e, p);
    mpz_set_ui(e->t, 0);
    for (int i = 0; i < e->m; i++) {
        if (mpz_cmpabs(row[i], e->t) > 0) mpz_abs(e->t, row[i]);
    }
    for (int i = 0; i < e->m; i++) {
        dictionary_quotient(e->q1, row[i], e->t);
        out->y[i] = side * dictionary_nearest(e, e->q1);
    }
    /* Relative to the terms y_i a_ij x_j and y_i r_i before cancellation, which rounding of the data may change. */
    int b = e->head[p];
    dictionary_quotient(e->q1, row[b], e->t);
    double off = violation(e, b, side) * mpq_get_d(e->q1), size = 0;
    for (int v = 0; v < e->vars; v++) {
        double x = fabs(mpq_get_d(e->value[v])), largest = v < e->m ? fabs(out->y[v]) : 0;
        for (int64_t k = v < e->m ? 0 : e->lp->start[v - e->m]; v >= e->m && k < e->lp->start[v - e->m + 1]; k++)
            largest = larger(largest, fabs(e->lp->value[k] * out->y[e->lp->index[k]]));
        size = larger(size, largest * x);
    }
    out->margin = larger(off / larger(size, off), 1e-300);
}

static void store_ray(dictionary *e, int q, bool up, exact_answer *out)
{
    mpq_set_ui(e->q1, 1, 1); /* the largest entry */
    for (int p = 0; p < e->m; p++) {
        dictionary_entry(e, p, q, e->q2);
        mpq_abs(e->q2, e->q2);
        if (mpq_cmp(e->q2, e->q1) > 0) mpq_set(e->q1, e->q2);
    }
    for (int j = 0; j < e->n; j++) {
        int v = e->m + j, p = e->where[v];
        mpq_set_ui(e->q2, v == q, 1);
        if (p >= 0) {
            dictionary_entry(e, p, q, e->q2);
            mpq_neg(e->q2, e->q2);
        }
        mpq_div(e->q2, e->q2, e->q1);
        out->ray[j] = (up ? 1 : -1) * dictionary_nearest(e, e->q2);
    }
    /* Relative to the terms y_i a_ij r_j and c_j r_j before cancellation. */
    mpz_t *cost = dictionary_row(e, e->m);
    double gain = fabs(dictionary_ratio(cost[q], cost[e->vars])) / mpq_get_d(e->q1), size = gain;
    for (int j = 0; j < e->n; j++) {
        double largest = fabs(e->lp->cost[j]);
        for (int64_t k = e->lp->start[j]; k < e->lp->start[j + 1]; k++)
            largest = larger(largest, fabs(e->lp->value[k] * dictionary_ratio(cost[e->lp->index[k]], cost[e->vars])));
        size = larger(size, largest * fabs(out->ray[j]));
    }
    out->margin = larger(gain / size, 1e-300);
}

/* A jump leaves it when memory or work is exhausted. */
static exact_end solve_and_store(dictionary *e, unsigned char status[], exact_answer *out)
{
    int row = -1, side = 0, column = -1;
    bool up = false;
    if (init_variables(e) || revised_init(e)) return EXACT_MEMORY;
    double crossed = 0; /* largest amount by which a lower bound exceeds the upper one */
    for (int v = 0; v < e->vars; v++) crossed = larger(crossed, e->lower[v] - e->upper[v]);
    if (crossed > 0) {
        for (int i = 0; i < e->m; i++) out->y[i] = 0;
        out->margin = crossed;
        return EXACT_INFEASIBLE;
    }
    if (!dictionary_reach(e, status)) return EXACT_LIMIT;
    /* Nonbasic variables to the bound of their status, basic ones from the rows. */
    for (int v = 0; v < e->vars; v++) {
        if (e->where[v] >= 0) continue;
        double l = e->lower[v], u = e->upper[v];
        if (isinf(l) && isinf(u))
            mpq_set_ui(e->value[v], 0, 1);
        else
            mpq_set(e->value[v], isinf(l) || (status[v] == VOUCH_AT_UPPER && !isinf(u)) ? e->high[v] : e->low[v]);
    }
    dictionary_lines *d = e->lines;
    balance_rows(e);
    exact_factors_solve(d->factors, (const mpz_t *)d->rhs, false, d->solution, d->divisor);
    mpz_mul(e->t, e->t, d->divisor);
    for (int p = 0; p < e->m; p++) dictionary_quotient(e->value[e->head[p]], d->solution[p], e->t);
    exact_end end = make_feasible(e, &row, &side);
    if (end == EXACT_OPTIMAL) end = improve(e, &column, &up);
    if (end == EXACT_LIMIT) return end;
    CHECK(end != EXACT_UNBOUNDED || e->where[column] < 0);
    for (int v = 0; v < e->vars; v++) {
        double l = e->lower[v], u = e->upper[v];
        status[v] = (unsigned char)(e->where[v] >= 0                                    ? VOUCH_BASIC
                                    : l == u                                            ? VOUCH_NONBASIC_FIXED
                                    : isinf(l) && isinf(u)                              ? VOUCH_NONBASIC_FREE
                                    : !isinf(l) && dictionary_compare(e, v, false) == 0 ? VOUCH_AT_LOWER
                                                                                        : VOUCH_AT_UPPER);
    }
    if (end == EXACT_INFEASIBLE)
        store_farkas(e, row, side, out);
    else
        store_solution(e, out);
    bool failed = end == EXACT_OPTIMAL && !store_optimum(e, out);
    if (end == EXACT_UNBOUNDED) store_ray(e, column, up, out);
    if (out->dual_text && end == EXACT_INFEASIBLE) failed = !store_dual_text(e, row, -side, out);
    if (out->dual_text && end == EXACT_OPTIMAL && !failed) failed = !store_dual_text(e, e->m, 1, out);
    for (int j = 0; out->point_text && end == EXACT_OPTIMAL && !failed && j < e->n; j++)
        failed = !store_text(&out->point_text[j], e->value[e->m + j]);
    return failed ? EXACT_MEMORY : end;
}

static exact_end solve_or_escape(dictionary *e, unsigned char status[], exact_answer *out)
{
    switch (setjmp(e->memory.escape)) {
    case 0:
        return solve_and_store(e, status, out);
    case ESCAPE_LIMIT:
        return EXACT_LIMIT;
    default:
        return EXACT_MEMORY;
    }
}

exact_end exact_solve(const vouch_lp_data *lp, unsigned char status[], exact_reading reading, long long work, const deadline *limit,
                      exact_answer *out)
{
    dictionary e = {.m = lp->rows, .n = lp->cols, .lp = lp, .reading = reading, .effort = {.most = work, .limit = limit}};
    exact_memory_enter(&e.memory);
    exact_end end = solve_or_escape(&e, status, out);
    exact_memory_leave(&e.memory);
    out->pivots = e.pivots;
    out->work = e.effort.work;
    if (e.lines) {
        exact_factors_free(e.lines->factors);
        sparse_free(&e.lines->doubles);
    }
    arena_free(&e.arrays);
    return end;
}
