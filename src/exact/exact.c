/* exact/exact.c - see exact.h.
 *
 * Rows and columns of the dictionary (exact/dictionary.h) are made from factors when a step needs them. Phase 1 moves a violated
 * basic variable onto its bound (B. Dutertre and L. de Moura, CAV 2006), by the dual's ratio test while reduced costs are right;
 * phase 2 is the primal method. Both choose by size first and, when that makes no progress, by least index (R. G. Bland, Math.
 * Oper. Res. 2, 1977), which ends.
 */
#include "exact/exact.h"

#include <limits.h>
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "la/sparse.h"
#include "exact/dictionary.h"

/* Pivots of phase 1 for every row, and steps without progress in phase 2, after which the least index rules. */
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

/* -1 below, 1 above, 0 within its bounds. */
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

/* Which violated basic variable is next; -1: none. */
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

/* Nonbasic variable that moves row p's basic one towards the bound it violates; -1: none, which proves infeasibility. */
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

/* Phase 1. OPTIMAL here: feasible; INFEASIBLE: by row *row, on *side. */
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

/* Nonbasic variable whose move improves the objective; its direction into *up. */
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

/* Longest step of q; into q1, signed. Returns the blocking row, -1: its own bound, -2: nothing blocks. */
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

static void store_status(dictionary *e, unsigned char status[])
{
    for (int v = 0; v < e->vars; v++) {
        double l = e->lower[v], u = e->upper[v];
        status[v] = (unsigned char)(e->where[v] >= 0                                    ? VOUCH_BASIC
                                    : l == u                                            ? VOUCH_NONBASIC_FIXED
                                    : isinf(l) && isinf(u)                              ? VOUCH_NONBASIC_FREE
                                    : !isinf(l) && dictionary_compare(e, v, false) == 0 ? VOUCH_AT_LOWER
                                                                                        : VOUCH_AT_UPPER);
    }
}

static void store_point(dictionary *e, exact_answer *out)
{
    for (int j = 0; j < e->n; j++) out->x[j] = dictionary_nearest(e, e->value[e->m + j]);
}

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

static void store_duals(dictionary *e, exact_answer *out)
{
    mpz_t *cost = dictionary_row(e, e->m);
    for (int i = 0; i < e->m; i++) {
        dictionary_quotient(e->q1, cost[i], cost[e->vars]);
        out->y[i] = (e->lp->maximize ? -1 : 1) * dictionary_nearest(e, e->q1);
    }
}

static bool store_text(char **to, const mpq_t q) { return (*to = mem_string(mpq_get_str(NULL, 10, q))) != NULL; }

/* Row `row`, or the cost row, as the multipliers of rows; sign: of a row. False: memory */
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

/* Row p, whose every term has reached its bound on the way, proves infeasibility; multipliers relative to the largest. */
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
    /* Relative to the terms y_i a_ij x_j and y_i r_i, before they cancel: what the data's own rounding may move. */
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
    /* Relative to the terms y_i a_ij r_j and c_j r_j, before they cancel. */
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

/* By how much the bounds of some variable cross. */
static double crossing(const dictionary *e)
{
    double by = 0;
    for (int v = 0; v < e->vars; v++) by = larger(by, e->lower[v] - e->upper[v]);
    return by;
}

/* Solves and stores the answer. Left by a jump, to be tried again by nobody, when memory is out. */
static exact_end solve_and_store(dictionary *e, unsigned char status[], exact_answer *out)
{
    int row = -1, side = 0, column = -1;
    bool up = false;
    if (dictionary_init(e)) return EXACT_MEMORY;
    double crossed = crossing(e);
    if (crossed > 0) {
        for (int i = 0; i < e->m; i++) out->y[i] = 0;
        out->margin = crossed;
        return EXACT_INFEASIBLE;
    }
    if (!dictionary_reach(e, status)) return EXACT_LIMIT;
    dictionary_place(e, status);
    exact_end end = make_feasible(e, &row, &side);
    if (end == EXACT_OPTIMAL) end = improve(e, &column, &up);
    if (end == EXACT_LIMIT) return end;
    CHECK(end != EXACT_UNBOUNDED || e->where[column] < 0);
    store_status(e, status);
    if (end == EXACT_INFEASIBLE)
        store_farkas(e, row, side, out);
    else
        store_point(e, out), store_duals(e, out);
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

static exact_end solve(dictionary *e, unsigned char status[], exact_answer *out)
{
    exact_memory_enter(&e->memory);
    exact_end end = solve_or_escape(e, status, out);
    exact_memory_leave(&e->memory);
    out->pivots = e->pivots;
    out->work = e->effort.work;
    dictionary_free(e);
    return end;
}

exact_end exact_solve(const vouch_lp_data *lp, unsigned char status[], long long work, const deadline *limit, exact_answer *out)
{
    dictionary e = {.m = lp->rows, .n = lp->cols, .lp = lp, .reading = EXACT_MEANT, .effort = {.most = work, .limit = limit}};
    return solve(&e, status, out);
}

exact_end exact_solve_decimals(const vouch_lp_data *lp, unsigned char status[], long long work, const deadline *limit,
                               exact_answer *out)
{
    dictionary e = {.m = lp->rows, .n = lp->cols, .lp = lp, .reading = EXACT_DECIMAL, .effort = {.most = work, .limit = limit}};
    return solve(&e, status, out);
}
