/* tests/oracle/exact_lp.c - see exact_lp.h.
 *
 * Standard form: x_j = lower + y, upper - y or y' - y'' with y >= 0; every finite side of a row, and the
 * second bound of a column, is a row a y (<= or =) b. Rows whose right-hand side is negative are turned over
 * and begin with an artificial variable, which has no column: it only leaves.
 */
#include "oracle/exact_lp.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { LARGEST_FIRST = 60 }; /* pivots by the largest coefficient before Bland's rule */

typedef struct tableau {
    int m, n;    /* rows; columns, the last of them (index n) is the right-hand side */
    mpq_t *cell; /* [(m + 2) * (n + 1)]: rows, then cost, then infeasibility */
    int *basis;  /* [m] column, -1: artificial */
    int used;    /* columns handed out */
    mpq_t a, b;  /* scratch */
} tableau;

static mpq_t *at(const tableau *t, int i, int j) { return &t->cell[(size_t)i * (size_t)(t->n + 1) + (size_t)j]; }

static void tableau_new(tableau *t, int m, int n)
{
    size_t cells = ((size_t)m + 2) * ((size_t)n + 1);
    *t = (tableau){.m = m, .n = n, .cell = malloc(cells * sizeof *t->cell), .basis = malloc(((size_t)m + 1) * sizeof *t->basis)};
    if (!t->cell || !t->basis) abort();
    for (size_t i = 0; i < cells; i++) mpq_init(t->cell[i]);
    mpq_inits(t->a, t->b, NULL);
}

static void tableau_free(tableau *t)
{
    size_t cells = ((size_t)t->m + 2) * ((size_t)t->n + 1);
    for (size_t i = 0; i < cells; i++) mpq_clear(t->cell[i]);
    mpq_clears(t->a, t->b, NULL);
    free(t->cell);
    free(t->basis);
}

/* row i -= factor * row r, where factor = cell (i, c) */
static void eliminate(tableau *t, int i, int r, int c)
{
    if (mpq_sgn(*at(t, i, c)) == 0) return;
    mpq_set(t->a, *at(t, i, c));
    for (int j = 0; j <= t->n; j++) {
        if (mpq_sgn(*at(t, r, j)) == 0) continue;
        mpq_mul(t->b, t->a, *at(t, r, j));
        mpq_sub(*at(t, i, j), *at(t, i, j), t->b);
    }
}

static void pivot(tableau *t, int r, int c)
{
    mpq_set(t->a, *at(t, r, c));
    for (int j = 0; j <= t->n; j++)
        if (mpq_sgn(*at(t, r, j)) != 0) mpq_div(*at(t, r, j), *at(t, r, j), t->a);
    for (int i = 0; i < t->m + 2; i++)
        if (i != r) eliminate(t, i, r, c);
    t->basis[r] = c;
}

/* Least ratio; ties to the lowest basic column, artificial ones first. -1: none. */
static int leaving(tableau *t, int c)
{
    int best = -1;
    for (int i = 0; i < t->m; i++) {
        if (mpq_sgn(*at(t, i, c)) <= 0) continue;
        mpq_div(t->a, *at(t, i, t->n), *at(t, i, c));
        int order = best < 0 ? -1 : mpq_cmp(t->a, t->b);
        if (order > 0 || (order == 0 && t->basis[i] > t->basis[best])) continue;
        best = i;
        mpq_set(t->b, t->a);
    }
    return best;
}

/* Minimises the given cost row. false: unbounded. */
static bool minimise(tableau *t, int row)
{
    for (int count = 0;; count++) {
        int c = -1;
        for (int j = 0; j < t->n; j++) {
            if (mpq_sgn(*at(t, row, j)) >= 0) continue;
            if (c < 0 || mpq_cmp(*at(t, row, j), *at(t, row, c)) < 0) c = j;
            if (count >= LARGEST_FIRST) break;
        }
        if (c < 0) return true;
        int r = leaving(t, c);
        if (r < 0) return false;
        pivot(t, r, c);
    }
}

/* After the first phase: artificial variables at 0 leave if their row has an entry; else the row is redundant. */
static void expel(tableau *t)
{
    for (int i = 0; i < t->m; i++)
        for (int j = 0; t->basis[i] < 0 && j < t->n; j++)
            if (mpq_sgn(*at(t, i, j)) != 0) pivot(t, i, j);
}

/* ---- from bounds to the standard form ---- */
typedef struct builder {
    const vouch_lp_data *d;
    const double *fixed;
    exact_reading reading;
    int *first;  /* [cols] column of y; a free one has its second after it; -1: held */
    int columns; /* of y */
    int rows;
    tableau t;
    mpq_t x, y;
} builder;

/* q := the shortest decimal with this double: mantissa digits, then the power of ten. */
static void set_decimal(mpq_t q, double v)
{
    char text[40] = "";
    for (int digits = 15; digits <= 17 && (digits == 15 || number_read(text, NULL) != v); digits++)
        format_text(text, sizeof text, "%.*e", digits - 1, v);
    char *e = strchr(text, 'e'), *point = strchr(text, '.');
    long power = strtol(e + 1, NULL, 10) - (long)(e - point - 1);
    *e = '\0';
    memmove(point, point + 1, strlen(point));
    mpz_set_str(mpq_numref(q), text, 10);
    mpz_ui_pow_ui(mpq_denref(q), 10, (unsigned long)labs(power));
    if (power > 0) {
        mpz_mul(mpq_numref(q), mpq_numref(q), mpq_denref(q));
        mpz_set_ui(mpq_denref(q), 1);
    }
    mpq_canonicalize(q);
}

static void set(const builder *b, mpq_t q, double v)
{
    if (b->reading == READ_DECIMALS)
        set_decimal(q, v);
    else
        mpq_set_d(q, v);
}

static bool held(const builder *b, int j) { return b->fixed && !isnan(b->fixed[j]); }
static double lower(const builder *b, int j) { return b->d->col_lower ? b->d->col_lower[j] : 0; }
static double upper(const builder *b, int j) { return b->d->col_upper ? b->d->col_upper[j] : INFINITY; }

/* Where y = 0 is. */
static double origin(const builder *b, int j)
{
    if (held(b, j)) return b->fixed[j];
    return isfinite(lower(b, j)) ? lower(b, j) : isfinite(upper(b, j)) ? upper(b, j) : 0;
}

/* Adds sign * value * x_j to tableau row i (its right-hand side: minus the constant). */
static void add_term(builder *b, int i, int j, double value, int sign)
{
    set(b, b->x, sign * value);
    set(b, b->y, origin(b, j));
    mpq_mul(b->y, b->y, b->x);
    mpq_sub(*at(&b->t, i, b->t.n), *at(&b->t, i, b->t.n), b->y);
    if (held(b, j)) return;
    int c = b->first[j];
    bool down = !isfinite(lower(b, j)) && isfinite(upper(b, j));
    if (down) mpq_neg(b->x, b->x);
    mpq_add(*at(&b->t, i, c), *at(&b->t, i, c), b->x);
    if (!isfinite(lower(b, j)) && !isfinite(upper(b, j))) mpq_sub(*at(&b->t, i, c + 1), *at(&b->t, i, c + 1), b->x);
}

static void close_row(builder *b, int i, double rhs, bool equality)
{
    tableau *t = &b->t;
    set(b, b->x, rhs);
    mpq_add(*at(t, i, t->n), *at(t, i, t->n), b->x);
    int slack = -1;
    if (!equality) mpq_set_si(*at(t, i, slack = t->used++), 1, 1);
    t->basis[i] = slack;
    if (mpq_sgn(*at(t, i, t->n)) >= 0 && slack >= 0) return;
    if (mpq_sgn(*at(t, i, t->n)) < 0)
        for (int j = 0; j <= t->n; j++) mpq_neg(*at(t, i, j), *at(t, i, j));
    t->basis[i] = -1;
    for (int j = 0; j <= t->n; j++) mpq_sub(*at(t, t->m + 1, j), *at(t, t->m + 1, j), *at(t, i, j));
}

static bool side(double value) { return isfinite(value); }
static double row_lower(const vouch_lp_data *d, int i) { return d->row_lower ? d->row_lower[i] : -INFINITY; }
static double row_upper(const vouch_lp_data *d, int i) { return d->row_upper ? d->row_upper[i] : INFINITY; }

static void size_up(builder *b)
{
    const vouch_lp_data *d = b->d;
    int slacks = 0;
    for (int i = 0; i < d->rows; i++) {
        bool same = row_lower(d, i) == row_upper(d, i);
        int sides = same ? 1 : side(row_lower(d, i)) + side(row_upper(d, i));
        b->rows += sides;
        slacks += same ? 0 : sides;
    }
    for (int j = 0; j < d->cols; j++) {
        b->first[j] = held(b, j) ? -1 : b->columns;
        if (held(b, j)) continue;
        b->columns += side(lower(b, j)) || side(upper(b, j)) ? 1 : 2;
        bool box = side(lower(b, j)) && side(upper(b, j));
        b->rows += box;
        slacks += box;
    }
    tableau_new(&b->t, b->rows, b->columns + slacks);
    b->t.used = b->columns;
}

static void build(builder *b)
{
    const vouch_lp_data *d = b->d;
    int *place = malloc(((size_t)d->rows + 1) * 2 * sizeof *place), next = 0;
    if (!place) abort();
    for (int i = 0; i < d->rows; i++) {
        bool same = row_lower(d, i) == row_upper(d, i);
        place[2 * i] = side(row_upper(d, i)) ? next++ : -1;
        place[2 * i + 1] = side(row_lower(d, i)) && !same ? next++ : -1;
    }
    for (int j = 0; j < d->cols; j++)
        for (int64_t e = d->start[j]; e < d->start[j + 1]; e++)
            for (int half = 0; half < 2; half++)
                if (place[2 * d->index[e] + half] >= 0) add_term(b, place[2 * d->index[e] + half], j, d->value[e], half ? -1 : 1);
    for (int i = 0; i < d->rows; i++) {
        if (place[2 * i] >= 0) close_row(b, place[2 * i], row_upper(d, i), row_lower(d, i) == row_upper(d, i));
        if (place[2 * i + 1] >= 0) close_row(b, place[2 * i + 1], -row_lower(d, i), false);
    }
    for (int j = 0; j < d->cols; j++) {
        if (d->cost) add_term(b, b->t.m, j, d->cost[j], d->maximize ? -1 : 1);
        if (held(b, j) || !side(lower(b, j)) || !side(upper(b, j))) continue;
        add_term(b, next, j, 1, 1);
        close_row(b, next++, upper(b, j), false);
    }
    free(place);
}

static double rounded(mpq_t q)
{
    double high = mpq_get_d(q); /* truncates */
    mpq_t h;
    mpq_init(h);
    mpq_set_d(h, high);
    mpq_sub(h, q, h);
    double result = high + mpq_get_d(h);
    mpq_clear(h);
    return result;
}

exact_outcome exact_lp_solve(const vouch_lp_data *d, const double *fixed, double *objective)
{
    return exact_lp_solve_as(d, fixed, READ_DOUBLES, objective);
}

exact_outcome exact_lp_solve_as(const vouch_lp_data *d, const double *fixed, exact_reading reading, double *objective)
{
    builder b = {.d = d, .fixed = fixed, .reading = reading, .first = malloc(((size_t)d->cols + 1) * sizeof *b.first)};
    if (!b.first) abort();
    mpq_inits(b.x, b.y, NULL);
    size_up(&b);
    build(&b);
    tableau *t = &b.t;
    exact_outcome outcome = EXACT_OPTIMAL;
    minimise(t, t->m + 1); /* bounded below by 0 */
    if (mpq_sgn(*at(t, t->m + 1, t->n)) != 0) outcome = EXACT_INFEASIBLE;
    if (outcome == EXACT_OPTIMAL) {
        expel(t);
        if (!minimise(t, t->m)) outcome = EXACT_UNBOUNDED;
    }
    if (outcome == EXACT_OPTIMAL) { /* the cost row's right-hand side is minus the value */
        set(&b, b.x, d->offset);
        if (d->maximize)
            mpq_add(b.x, b.x, *at(t, t->m, t->n));
        else
            mpq_sub(b.x, b.x, *at(t, t->m, t->n));
        *objective = rounded(b.x);
    }
    tableau_free(t);
    mpq_clears(b.x, b.y, NULL);
    free(b.first);
    return outcome;
}

double exact_lp_violation(const vouch_lp_data *d, const double *x)
{
    double worst = 0;
    size_t m = (size_t)d->rows;
    mpq_t *sum = malloc((m + 1) * sizeof *sum), a, v;
    double *most = calloc(m + 1, sizeof *most);
    if (!sum || !most) abort();
    for (size_t i = 0; i < m; i++) mpq_init(sum[i]);
    mpq_inits(a, v, NULL);
    for (int j = 0; j < d->cols; j++) {
        double low = d->col_lower ? d->col_lower[j] : 0, high = d->col_upper ? d->col_upper[j] : INFINITY;
        if (x[j] < low) worst = fmax(worst, (low - x[j]) / (1 + fabs(low)));
        if (x[j] > high) worst = fmax(worst, (x[j] - high) / (1 + fabs(high)));
        mpq_set_d(v, x[j]);
        for (int64_t e = d->start[j]; e < d->start[j + 1]; e++) {
            mpq_set_d(a, d->value[e]);
            mpq_mul(a, a, v);
            mpq_add(sum[d->index[e]], sum[d->index[e]], a);
            most[d->index[e]] = fmax(most[d->index[e]], fabs(d->value[e] * x[j]));
        }
    }
    for (int i = 0; i < d->rows; i++)
        for (int half = 0; half < 2; half++) {
            double bound = half ? row_lower(d, i) : row_upper(d, i);
            if (!side(bound)) continue;
            mpq_set_d(a, bound);
            mpq_sub(a, sum[i], a);
            double over = half ? -mpq_get_d(a) : mpq_get_d(a);
            worst = fmax(worst, over / (1 + fmax(most[i], fabs(bound))));
        }
    for (size_t i = 0; i < m; i++) mpq_clear(sum[i]);
    mpq_clears(a, v, NULL);
    free(sum);
    free(most);
    return worst;
}

double exact_lp_objective(const vouch_lp_data *d, const double *x)
{
    mpq_t sum, a, v;
    mpq_inits(sum, a, v, NULL);
    mpq_set_d(sum, d->offset);
    for (int j = 0; j < d->cols && d->cost; j++) {
        mpq_set_d(a, d->cost[j]);
        mpq_set_d(v, x[j]);
        mpq_mul(a, a, v);
        mpq_add(sum, sum, a);
    }
    double result = rounded(sum);
    mpq_clears(sum, a, v, NULL);
    return result;
}
