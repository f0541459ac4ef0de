/* exact/vipr_derive.c - the constraints that close the nodes of a proof; see exact/vipr.h.
 *
 *     c x = sum_i y_i (A x)_i + sum_j d_j x_j,    d = c - A'y
 *
 * for any y: each term is bounded by a constraint, which is a combination (`lin`) that proves c x >= sum y_i r_i + d_j b_j; with
 * c = 0 and a positive right side, an absurdity. The multipliers of doubles are tried as simple fractions first, which they
 * often are; where that proves too little, those of the exact basis are taken. An objective of whole multiples of g on
 * integer columns is rounded up (`rnd`).
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "exact/exact.h"
#include "exact/number.h"
#include "exact/vipr_private.h"

/* ---- what follows from multipliers ------------------------------------------------------------------------------------ */

/* By continued fractions. */
void vipr_simple_fraction(mpq_t q, double v)
{
    static const double NEAR = 1e-9, DENOMINATOR_MOST = 1e6;
    double x = fabs(v), rest = x, p0 = 0, q0 = 1, p1 = 1, q1 = 0;
    if (x > 1e12 || x < 1e-12) {
        mpq_set_d(q, x < 1e-12 ? 0 : v);
        return;
    }
    for (int k = 0; k < 40; k++) {
        double whole = floor(rest), p2 = whole * p1 + p0, q2 = whole * q1 + q0;
        if (q2 > DENOMINATOR_MOST || p2 > 1e15) break;
        p0 = p1, q0 = q1, p1 = p2, q1 = q2;
        if (fabs(x - p1 / q1) <= NEAR * x) {
            mpq_set_d(q, v < 0 ? -p1 : p1);
            mpz_set_d(mpq_denref(q), q1);
            mpq_canonicalize(q);
            return;
        }
        rest = 1 / (rest - whole);
    }
    exact_number(q, v, EXACT_DECIMAL);
}

/* d and sum from y; a multiplier whose row has no such side is dropped. False: a column has not the bound it would need. */
static bool combine(vipr *p, bool absurd)
{
    const vouch_lp_data *d = &p->data;
    mpq_set_ui(p->sum, 0, 1);
    for (int i = 0; i < d->rows; i++) {
        int sign = mpq_sgn(p->y[i]);
        if (sign && (sign > 0 ? p->low_at : p->high_at)[i] < 0) mpq_set_ui(p->y[i], 0, 1), sign = 0;
        if (sign == 0) continue;
        mpq_mul(p->q, p->y[i], sign > 0 ? p->row_low[i] : p->row_high[i]);
        mpq_add(p->sum, p->sum, p->q);
    }
    for (int j = 0; j < d->cols; j++) {
        if (absurd)
            mpq_set_ui(p->d[j], 0, 1);
        else
            mpq_set(p->d[j], p->cost[j]);
        for (int64_t k = d->start[j]; k < d->start[j + 1]; k++) {
            if (mpq_sgn(p->y[d->index[k]]) == 0) continue;
            mpq_mul(p->q, p->y[d->index[k]], p->value[k]);
            mpq_sub(p->d[j], p->d[j], p->q);
        }
        int sign = mpq_sgn(p->d[j]);
        if (sign == 0) continue;
        if ((sign > 0 ? p->low_at : p->high_at)[d->rows + j] < 0) return false;
        exact_number(p->q, sign > 0 ? p->low[j] : p->high[j], EXACT_DECIMAL);
        mpq_mul(p->q, p->q, p->d[j]);
        mpq_add(p->sum, p->sum, p->q);
    }
    return true;
}

/* Does sum close the node? Rounded up to the grid, if there is one. */
static bool suffices(vipr *p, bool absurd)
{
    if (absurd) return mpq_sgn(p->sum) > 0;
    if (!p->solution) return false;
    if (mpq_sgn(p->grid) == 0) return mpq_cmp(p->sum, p->best) >= 0;
    mpq_sub(p->q, p->best, p->grid);
    return mpq_cmp(p->sum, p->q) > 0;
}

/* The start of a line that says: no point is better than the solution; or, without one, that there is none. */
static void begin_claim(vipr *p)
{
    vipr_add(p, "D%d ", p->derived);
    if (!p->solution) {
        vipr_add(p, "G 1 0 { ");
    } else if (vipr_by_objective(p)) {
        mpq_set(p->q, p->best);
        if (p->data.maximize) mpq_neg(p->q, p->q);
        vipr_add(p, "%c ", p->data.maximize ? 'L' : 'G');
        vipr_add_fraction(p, p->q);
        vipr_add(p, " OBJ { ");
    } else {
        int terms = 0;
        mpq_div(p->q, p->best, p->grid);
        vipr_add(p, "G ");
        vipr_add_fraction(p, p->q);
        for (int j = 0; j < p->data.cols; j++) terms += mpq_sgn(p->cost[j]) != 0;
        vipr_add(p, " %d", terms);
        for (int j = 0; j < p->data.cols; j++) {
            if (mpq_sgn(p->cost[j]) == 0) continue;
            mpq_div(p->q, p->cost[j], p->grid);
            vipr_add(p, " %d ", j);
            vipr_add_fraction(p, p->q);
        }
        vipr_add(p, " { ");
    }
}

/* Begins an absurdity, 0 >= sum, from so many terms. */
static void begin_absurdity(vipr *p, int terms)
{
    vipr_add(p, "D%d G ", p->derived);
    vipr_add_fraction(p, p->sum);
    vipr_add(p, " 0 { lin %d", terms);
}

/* times q */
static void add_term(vipr *p, int number)
{
    vipr_add(p, " %d ", number);
    vipr_add_fraction(p, p->q);
    vipr_refer(p, number);
    if (number < p->given) return;
    for (size_t k = p->held_count; k-- > 0;)
        if (p->held[k].number == number) p->used[k] = 1;
}

static void add_product(vipr *p, int number, const mpq_t multiplier, const mpq_t factor)
{
    mpq_mul(p->q, multiplier, factor);
    add_term(p, number);
}

static int write_combination(vipr *p, bool absurd)
{
    const vouch_lp_data *d = &p->data;
    int terms = 0;
    for (int i = 0; i < d->rows; i++) terms += mpq_sgn(p->y[i]) != 0;
    for (int j = 0; j < d->cols; j++) terms += mpq_sgn(p->d[j]) != 0;
    mpq_t factor;
    mpq_init(factor);
    mpq_set_ui(factor, 1, 1);
    if (p->held_count) memset(p->used, 0, p->held_count);
    if (absurd) {
        begin_absurdity(p, terms);
    } else {
        begin_claim(p);
        vipr_add(p, "%s %d", mpq_sgn(p->grid) ? "rnd" : "lin", terms);
        if (!vipr_by_objective(p)) mpq_inv(factor, p->grid);
        if (vipr_by_objective(p) && d->maximize) mpq_neg(factor, factor);
    }
    for (int i = 0; i < d->rows; i++)
        if (mpq_sgn(p->y[i])) add_product(p, (mpq_sgn(p->y[i]) > 0 ? p->low_at : p->high_at)[i], p->y[i], factor);
    for (int j = 0; j < d->cols; j++)
        if (mpq_sgn(p->d[j])) add_product(p, (mpq_sgn(p->d[j]) > 0 ? p->low_at : p->high_at)[d->rows + j], p->d[j], factor);
    vipr_add(p, " }");
    mpq_clear(factor);
    return vipr_end_line(p);
}

static bool close_here(vipr *p, bool absurd, int *made)
{
    if (!combine(p, absurd) || !suffices(p, absurd)) return false;
    *made = write_combination(p, absurd);
    return true;
}

vipr_end vipr_close(vipr *p, const double y[], bool farkas, int *made)
{
    exact_memory_resume(&p->memory);
    volatile vipr_end end = VIPR_MEMORY;
    if (setjmp(p->memory.escape) == 0) {
        double sign = farkas || p->data.maximize ? -1 : 1;
        for (int i = 0; i < p->data.rows; i++) vipr_simple_fraction(p->y[i], sign * y[i]);
        end = close_here(p, farkas, made) ? VIPR_DONE : VIPR_OPEN;
    }
    exact_memory_pause(&p->memory);
    return end;
}

/* ---- by the exact simplex method ---------------------------------------------------------------------------------------- */

/* Bounds of a row or column that cross need no multipliers. */
static bool close_crossing(vipr *p, int *made)
{
    const vouch_lp_data *d = &p->data;
    for (int v = 0; v < d->rows + d->cols; v++) {
        double low = v < d->rows ? d->row_lower[v] : p->low[v - d->rows],
               high = v < d->rows ? d->row_upper[v] : p->high[v - d->rows];
        if (low <= high) continue;
        exact_number(p->sum, low, EXACT_DECIMAL);
        exact_number(p->q, high, EXACT_DECIMAL);
        mpq_sub(p->sum, p->sum, p->q);
        if (p->held_count) memset(p->used, 0, p->held_count);
        begin_absurdity(p, 2);
        mpq_set_si(p->q, 1, 1);
        add_term(p, p->low_at[v]);
        mpq_set_si(p->q, -1, 1);
        add_term(p, p->high_at[v]);
        vipr_add(p, " }");
        *made = vipr_end_line(p);
        return true;
    }
    return false;
}

static void drop_fractions(vipr *p)
{
    for (int i = 0; i < p->data.rows + p->data.cols; i++) mem_free(p->fraction[i]), p->fraction[i] = NULL;
}

vipr_end vipr_close_exactly(vipr *p, unsigned char status[], const deadline *limit, double x[], int *made)
{
    size_t m = (size_t)p->data.rows, n = (size_t)p->data.cols;
    double *block = MEM_NEW(double, m + n + 1);
    if (!block) return VIPR_MEMORY;
    exact_answer found = {.x = x, .ray = block, .y = block + n, .dual_text = p->fraction};
    exact_end solved = exact_solve_decimals(&p->data, status, LLONG_MAX, limit, &found);
    mem_free(block);
    mem_free(found.fraction);
    if (solved == EXACT_LIMIT || solved == EXACT_MEMORY || solved == EXACT_UNBOUNDED) {
        drop_fractions(p);
        return solved == EXACT_MEMORY ? VIPR_MEMORY : VIPR_LIMIT;
    }
    exact_memory_resume(&p->memory);
    volatile vipr_end end = VIPR_MEMORY;
    if (setjmp(p->memory.escape) == 0) {
        bool absurd = solved == EXACT_INFEASIBLE;
        for (int i = 0; i < p->data.rows; i++) {
            if (p->fraction[i])
                mpq_set_str(p->y[i], p->fraction[i], 10);
            else
                mpq_set_ui(p->y[i], 0, 1);
        }
        end = close_here(p, absurd, made) || (absurd && close_crossing(p, made)) ? VIPR_DONE : VIPR_OPEN;
    }
    exact_memory_pause(&p->memory);
    drop_fractions(p);
    return end;
}

/* The basis of the program with its integer columns fixed, from doubles. */
static bool fixed_basis(const vipr *p, const vouch_lp_data *fixed, const deadline *limit, unsigned char status[])
{
    vouch_lp *lp;
    vouch_lp_options options;
    bool there = false;
    if (vouch_lp_clone(&lp, p->lp)) return false;
    vouch_lp_forget_basis(lp);
    vouch_lp_options_init(&options);
    options.limits = deadline_left(limit);
    for (int j = 0; j < fixed->cols; j++) vouch_lp_set_col_bounds(lp, j, fixed->col_lower[j], fixed->col_upper[j]);
    if (vouch_lp_solve(lp, &options) == VOUCH_OK) {
        there = true;
        vouch_lp_get_basis(lp, status, status + fixed->rows);
    }
    vouch_lp_free(lp);
    return there;
}

static bool take_solution(vipr *p, const exact_answer *found)
{
    const vouch_lp_data *d = &p->data;
    mpq_t objective;
    mpq_init(objective);
    mpq_set_str(objective, found->fraction, 10);
    exact_number(p->q, d->offset, EXACT_DECIMAL);
    mpq_sub(objective, objective, p->q);
    if (d->maximize) mpq_neg(objective, objective);
    bool better = !p->solution || mpq_cmp(objective, p->best) < 0;
    if (better) {
        int terms = 0;
        mpq_set(p->best, objective);
        char *kept = p->text;
        size_t length = p->length, capacity = p->capacity;
        p->text = NULL, p->length = p->capacity = 0;
        for (int j = 0; j < d->cols; j++) terms += strcmp(p->fraction[j], "0") != 0;
        vipr_add(p, "best %d", terms);
        for (int j = 0; j < d->cols; j++) {
            if (strcmp(p->fraction[j], "0") == 0) continue;
            vipr_add(p, " %d ", j);
            vipr_add_bytes(p, p->fraction[j], strlen(p->fraction[j]));
        }
        vipr_add(p, "\n");
        mem_free(p->solution);
        p->solution = p->text;
        p->text = kept, p->length = length, p->capacity = capacity;
    }
    mpq_clear(objective);
    return better;
}

static vipr_end take_if_better(vipr *p, const exact_answer *found)
{
    volatile vipr_end end = VIPR_MEMORY;
    exact_memory_resume(&p->memory);
    if (setjmp(p->memory.escape) == 0) end = take_solution(p, found) ? VIPR_DONE : VIPR_OPEN;
    exact_memory_pause(&p->memory);
    return end;
}

vipr_end vipr_solve_fixed(vipr *p, const double x[], const deadline *limit)
{
    vouch_lp_data fixed;
    vouch_lp_view(p->lp, &fixed);
    size_t m = (size_t)fixed.rows, n = (size_t)fixed.cols;
    double *block = MEM_NEW(double, m + 5 * n + 1), *low = block + m + 3 * n, *high = low + n;
    unsigned char *status = MEM_NEW(unsigned char, m + n + 1);
    vipr_end end = block && status ? VIPR_OPEN : VIPR_MEMORY;
    if (end == VIPR_OPEN) {
        for (size_t j = 0; j < n; j++) {
            bool integer = vouch_lp_is_integer(p->lp, (int)j);
            low[j] = integer ? rint(x[j]) : fixed.col_lower[j], high[j] = integer ? rint(x[j]) : fixed.col_upper[j];
            if (low[j] < fixed.col_lower[j]) low[j] = fixed.col_lower[j];
            if (high[j] > fixed.col_upper[j]) high[j] = fixed.col_upper[j];
        }
        fixed.col_lower = low, fixed.col_upper = high;
        exact_answer found = {.x = block, .ray = block + n, .y = block + 2 * n, .point_text = p->fraction};
        exact_end solved =
            fixed_basis(p, &fixed, limit, status) ? exact_solve_decimals(&fixed, status, LLONG_MAX, limit, &found) : EXACT_MEMORY;
        end = solved == EXACT_MEMORY ? VIPR_MEMORY : solved == EXACT_LIMIT ? VIPR_LIMIT : VIPR_OPEN;
        if (solved == EXACT_OPTIMAL) end = take_if_better(p, &found);
        mem_free(found.fraction);
        drop_fractions(p);
    }
    CHECK(end != VIPR_DONE || p->held_count == 0);
    if (end == VIPR_DONE) p->length = 0, p->derived = 0; /* what was derived held for the one before */
    mem_free(block);
    mem_free(status);
    return end;
}

bool vipr_has_solution(const vipr *p) { return p->solution != NULL; }

double vipr_objective(const vipr *p)
{
    double best = mpq_get_d(p->best);
    return (p->data.maximize ? -best : best) + p->data.offset;
}

double vipr_cutoff(const vipr *p)
{
    static const double SPARE = 1e-6; /* what fractions near the duals may lose of the bound, relative */
    if (!p->solution) return NAN;
    double grid = mpq_get_d(p->grid), best = mpq_get_d(p->best);
    double at = grid > 0 ? best - grid * 0.99 : best + SPARE * (1 + fabs(best));
    return (p->data.maximize ? -at : at) + p->data.offset;
}

/* ---- assumptions -------------------------------------------------------------------------------------------------------- */

static int write_assumption(vipr *p, int col, bool upper, double value)
{
    size_t depth = p->held_count;
    if (MEM_RESERVE(&p->held, &p->held_capacity, depth)) vipr_out_of_memory(p);
    if (p->used_capacity < p->held_capacity + 1) {
        if (MEM_RESIZE(&p->used, p->held_capacity + 1)) vipr_out_of_memory(p);
        memset(p->used, 0, p->held_capacity + 1);
        p->used_capacity = p->held_capacity + 1;
    }
    vipr_add(p, "A%d %c ", p->derived, upper ? 'L' : 'G');
    vipr_add_decimal(p, value);
    vipr_add(p, " 1 %d 1 { asm }", col);
    int number = vipr_end_line(p);
    int *at = (upper ? p->high_at : p->low_at) + p->data.rows + col;
    double *bound = (upper ? p->high : p->low) + col;
    p->held[p->held_count++] = (vipr_assumption){col, number, *at, upper, *bound};
    *at = number;
    *bound = value;
    return number;
}

int vipr_assume(vipr *p, int col, bool upper, double value)
{
    volatile int number = -1;
    exact_memory_resume(&p->memory);
    if (setjmp(p->memory.escape) == 0) number = write_assumption(p, col, upper, value);
    exact_memory_pause(&p->memory);
    return number;
}

void vipr_take_back(vipr *p)
{
    const vipr_assumption *a = &p->held[--p->held_count];
    (a->upper ? p->high_at : p->low_at)[p->data.rows + a->col] = a->number_before;
    (a->upper ? p->high : p->low)[a->col] = a->before;
}

const char *vipr_used(const vipr *p) { return p->used; }

int vipr_join(vipr *p, const int constraint[2], const int assumption[2])
{
    volatile int number = -1;
    exact_memory_resume(&p->memory);
    if (setjmp(p->memory.escape) == 0) {
        begin_claim(p);
        vipr_add(p, "uns %d %d %d %d }", constraint[0], assumption[0], constraint[1], assumption[1]);
        for (int i = 0; i < 2; i++) vipr_refer(p, constraint[i]), vipr_refer(p, assumption[i]);
        number = vipr_end_line(p);
    }
    exact_memory_pause(&p->memory);
    return number;
}
