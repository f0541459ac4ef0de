/* exact/revised.c - the dictionary of exact/dictionary.h by factors: a row, a column, the cost row are made when asked for.
 *
 *     M z = 0,  M = [units, -G];    row p: e_p'B^-1 M,    column v: B^-1 M_v,    cost row: c - (B^-T c_B)'M
 *
 * each with one divisor, which makes them integers. Every pivot makes new factors: the bases that are given are all but optimal,
 * and a factorisation modulo a prime is cheap beside one lifted solution.
 */
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "exact/dictionary.h"

typedef struct dictionary_lines {
    exact_matrix a;
    sparse doubles;
    exact_factors *factors;
    mpz_t *cost;                    /* [n] times cost_scale, of a minimum */
    mpz_t *row, *cost_row, *column; /* [width], [width], [m] */
    mpz_t *rhs, *solution;          /* [m] */
    mpz_t column_divisor, cost_scale, divisor;
    int row_at, column_at; /* what row and column hold; -1: nothing */
    bool cost_valid;
} dictionary_lines;

/* ---- life -------------------------------------------------------------------------------------------------------- */

static mpz_t *integers(dictionary *e, size_t count)
{
    mpz_t *z = ARENA_NEW(&e->arrays, mpz_t, count + 1);
    for (size_t i = 0; z && i <= count; i++) mpz_init(z[i]);
    return z;
}

/* Of reading a number that is not whole. */
enum { WORK_DECIMAL = 400 };

static void spend(dictionary *e, long long work)
{
    e->effort.work += work;
    if (dictionary_spent(e)) longjmp(e->memory.escape, ESCAPE_LIMIT);
}

static void load_matrix(dictionary *e, exact_matrix *a)
{
    const vouch_lp_data *lp = e->lp;
    spend(e, 2 * WORK_DECIMAL * (lp->start[e->n] + e->n) + WORK_ENTRY * (long long)e->vars);
    for (int i = 0; i < e->m; i++) mpz_set_ui(a->unit[i], 1);
    for (int64_t k = 0; k < lp->start[e->n]; k++) {
        exact_number(e->q1, lp->value[k], e->reading);
        exact_common(a->unit[lp->index[k]], e->q1);
    }
    for (int64_t k = 0; k < lp->start[e->n]; k++) {
        exact_number(e->q1, lp->value[k], e->reading);
        exact_times(a->value[k], e->q1, a->unit[lp->index[k]]);
        mpz_neg(a->value[k], a->value[k]);
    }
    exact_residues(a);
}

static void load_cost(dictionary *e, dictionary_lines *d)
{
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
}

int revised_init(dictionary *e)
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
    load_matrix(e, &d->a);
    load_cost(e, d);
    for (int v = 0; v < e->vars; v++) e->where[v] = -1;
    return 0;
}

void dictionary_free(dictionary *e)
{
    if (e->lines) {
        exact_factors_free(e->lines->factors);
        sparse_free(&e->lines->doubles);
    }
    arena_free(&e->arrays);
}

/* ---- the basis ----------------------------------------------------------------------------------------------------- */

static void make_factors(dictionary *e)
{
    dictionary_lines *d = e->lines;
    d->row_at = d->column_at = -1;
    d->cost_valid = false;
    exact_factors_make(d->factors, e->head);
    for (int v = 0; v < e->vars; v++) e->where[v] = -1;
    for (int p = 0; p < e->m; p++) e->where[e->head[p]] = p;
}

bool dictionary_reach(dictionary *e, const unsigned char status[])
{
    int count = 0;
    for (int v = e->vars - 1; v >= 0 && count < e->m; v--)
        if (status[v] == VOUCH_BASIC) e->head[count++] = v;
    for (int v = 0; v < e->m && count < e->m; v++)
        if (status[v] != VOUCH_BASIC) e->head[count++] = v;
    make_factors(e);
    return !dictionary_spent(e);
}

void revised_exchange(dictionary *e, int p, int q)
{
    e->head[p] = q;
    make_factors(e);
}

/* sum of column v with the rows' weights */
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

/* Work of all columns' sums with the solution at hand. */
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

mpz_t *dictionary_row(dictionary *e, int i)
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

mpz_t *revised_column(dictionary *e, int v, mpz_t **divisor)
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

/* ---- values ---------------------------------------------------------------------------------------------------------- */

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

void revised_place_basic(dictionary *e)
{
    dictionary_lines *d = e->lines;
    balance_rows(e);
    exact_factors_solve(d->factors, (const mpz_t *)d->rhs, false, d->solution, d->divisor);
    mpz_mul(e->t, e->t, d->divisor);
    for (int p = 0; p < e->m; p++) dictionary_quotient(e->value[e->head[p]], d->solution[p], e->t);
}

void revised_objective(dictionary *e, mpq_t sum)
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
