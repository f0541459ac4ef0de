/* tests/campaign/thin.c - see thin.h.
 *
 * Rows are drawn and combined as whole numbers of units 10^-digits and turned into doubles by one correctly rounded division: the
 * double that a reader makes of the decimal.
 */
#include "campaign/thin.h"

#include <math.h>
#include <stdlib.h>

enum { DIGITS_THIRDS = 15, DIGITS_MOST = 3, KINDS = 5 };

typedef struct whole_rows {
    int digits;
    long long a[ROWS_MOST][COLS_MOST], b[ROWS_MOST];
} whole_rows;

static const double power[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

static double decimal(long long units, int digits) { return (double)units / power[digits]; }

/* Integers, one to three decimals, thirds: -9.99 .. 9.99 or so. */
static long long draw_units(rng *r, int digits)
{
    if (digits == DIGITS_THIRDS) {
        int thirds = draw(r, 5) - 2;
        return thirds * 333333333333333LL + (abs(thirds) == 2 ? thirds / 2 : 0);
    }
    int most = 1;
    for (int k = 0; k < digits; k++) most *= 10;
    return digits == 0 ? draw(r, 19) - 9 : draw(r, 6 * most + 1) - 3 * most;
}

static void draw_row(rng *r, whole_rows *w, int i, int n, double density)
{
    for (int j = 0; j < n; j++) w->a[i][j] = chance(r, density) ? draw_units(r, w->digits) : 0;
    if (w->a[i][i % n] == 0) w->a[i][i % n] = w->digits == DIGITS_THIRDS ? 333333333333333LL : 1;
}

/* Row i := the sum of some of the first `basic` ones, each times a small factor. */
static void combine(rng *r, whole_rows *w, int i, int n, int basic)
{
    int terms = basic == 1 ? 1 : 1 + (draw(r, 4) > 0) + (basic > 2 && draw(r, 5) == 0);
    for (int t = 0; t < terms; t++) {
        int of = draw(r, basic), factor = chance(r, 0.5) ? 1 : -1;
        if (w->digits != DIGITS_THIRDS && chance(r, terms == 1 ? 0.8 : 0.3)) factor *= 2 + draw(r, 2);
        for (int j = 0; j < n; j++) w->a[i][j] += factor * w->a[of][j];
        w->b[i] += factor * w->b[of];
    }
}

static void draw_columns(rng *r, problem *p, thin_columns columns)
{
    for (int j = 0; j < p->n; j++) {
        int kind = columns == THIN_MIXED ? draw(r, 5) : (int)columns;
        if (kind == THIN_FREE || kind == 3) p->cl[j] = -INFINITY;
        if (kind == THIN_BOXED) p->cl[j] = -draw(r, 6), p->cu[j] = p->cl[j] + 1 + draw(r, 10);
        if (kind == 3) p->cu[j] = draw(r, 9) - 3;
    }
}

/* A small whole number within the bounds. */
static long long whole_within(const problem *p, int j)
{
    double x = j % 3;
    return (long long)fmin(fmax(x, p->cl[j]), p->cu[j]);
}

/* Equations, inequalities, or both. Sides are moved by some units: not at all, so that the point drawn stays, or any way. */
static void draw_sides(rng *r, problem *p, const whole_rows *w)
{
    int mode = draw(r, 3), moves = draw(r, 4);
    for (int i = 0; i < p->m; i++) {
        int kind = mode == 0 ? 0 : mode == 1 ? 1 + draw(r, 2) : draw(r, 3);
        long long move = (long long)(power[w->digits] * draw(r, 301) / 100);
        if (moves == 0 || chance(r, 0.3) || (moves < 3 && kind == 0)) move = 0;
        if (kind == 2 || (moves == 3 && chance(r, 0.3))) move = -move;
        double b = decimal(w->b[i] + move, w->digits);
        if (kind != 1) p->rl[i] = b;
        if (kind != 2) p->ru[i] = b;
    }
}

problem *thin_dependent_rows(rng *r, int m, int n, thin_columns columns)
{
    problem *p = problem_new(m, n);
    whole_rows *w = calloc(1, sizeof *w);
    if (!w) abort();
    int basic = m < 4 ? 2 : 2 + draw(r, m - 2), kind = draw(r, KINDS);
    w->digits = kind <= DIGITS_MOST ? kind : DIGITS_THIRDS;
    bool strays = chance(r, 0.2); /* no point is known to keep the first rows */
    draw_columns(r, p, columns);
    double density = m > 12 ? 4.0 / m : chance(r, 0.5) ? 1 : 0.6;
    for (int i = 0; i < m; i++) {
        if (i >= basic) {
            combine(r, w, i, n, basic);
            continue;
        }
        draw_row(r, w, i, n, density);
        for (int j = 0; j < n; j++) w->b[i] += w->a[i][j] * whole_within(p, j);
        if (strays) w->b[i] = draw_units(r, w->digits);
    }
    draw_sides(r, p, w);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) p->a[i][j] = decimal(w->a[i][j], w->digits);
    bool priced = chance(r, 0.2); /* the costs are a sum of rows: reduced costs that cancel */
    for (int j = 0; j < n; j++)
        p->cost[j] = priced && w->digits != DIGITS_THIRDS ? decimal(w->a[0][j] + 2 * w->a[m - 1][j], w->digits) : draw(r, 11) - 5;
    p->maximize = draw(r, 2);
    free(w);
    return p;
}

problem *thin_parallel_columns(rng *r)
{
    problem *p = problem_new(2 + draw(r, 5), 3 + draw(r, 7));
    int digits = 1 + draw(r, 12);
    long long unit = 1;
    for (int k = 0; k < digits; k++) unit *= 10;
    draw_columns(r, p, (thin_columns)draw(r, 4));
    for (int j = 0; j < p->n; j++) {
        int like = j > 0 && chance(r, 0.7) ? draw(r, j) : j, other = draw(r, p->m + 1);
        for (int i = 0; i < p->m; i++) {
            p->a[i][j] = like < j ? p->a[i][like] : draw(r, 7) - 3;
            if (like < j && i == other) p->a[i][j] = decimal((long long)rint(p->a[i][like]) * unit + draw(r, 3) - 1, digits);
        }
        p->cost[j] = like < j ? p->cost[like] : draw(r, 9) - 4;
        if (like < j && other == p->m) p->cost[j] = decimal((long long)rint(p->cost[like]) * unit + draw(r, 3) - 1, digits);
    }
    for (int i = 0; i < p->m; i++) {
        double b = 0;
        int kind = draw(r, 3);
        for (int j = 0; j < p->n; j++) b += rint(p->a[i][j]) * (double)whole_within(p, j);
        if (kind != 1) p->rl[i] = b - (kind > 0 ? draw(r, 4) : 0);
        if (kind != 2) p->ru[i] = b + (kind > 0 ? draw(r, 4) : 0);
    }
    p->maximize = draw(r, 2);
    return p;
}

/* Row i, last entry first: the sum along the direction is 0, or a unit of the finest digit. */
static void close_ray(rng *r, problem *p, int i, long long sum, int digits, int fine)
{
    long long unit = 1, off = chance(r, 0.5) ? 0 : draw(r, 3) - 1;
    for (int k = digits; k < fine; k++) unit *= 10;
    p->a[i][p->n - 1] = off ? decimal(-sum * unit + off, fine) : decimal(-sum, digits);
}

problem *thin_ray(rng *r)
{
    int m = 1 + draw(r, 5);
    problem *p = problem_new(m, 2 + draw(r, m + 1));
    int digits = 1 + draw(r, 2), last = p->n - 1, fine = 6 + draw(r, 8);
    long long step[COLS_MOST] = {0}, cost[COLS_MOST] = {0}, price = 0;
    draw_columns(r, p, chance(r, 0.5) ? THIN_FREE : THIN_NONNEGATIVE);
    for (int j = 0; j < last; j++) step[j] = 1 + draw(r, 4);
    for (int i = 0; i < m; i++) {
        long long sum = 0;
        int kind = draw(r, 3), dual = draw(r, 3); /* the costs are rows times duals of the right sign */
        if (kind == 1 || (kind == 0 && chance(r, 0.5))) dual = -dual;
        for (int j = 0; j < last; j++) {
            long long a = draw_units(r, digits);
            p->a[i][j] = decimal(a, digits);
            sum += a * step[j];
            cost[j] += dual * a;
        }
        close_ray(r, p, i, sum, digits, fine);
        if (kind != 1) p->rl[i] = -draw(r, 4);
        if (kind != 2) p->ru[i] = kind > 0 ? draw(r, 9) : p->rl[i];
    }
    for (int j = 0; j < last; j++) {
        if (p->cl[j] == 0) cost[j] += draw(r, 3);
        p->cost[j] = decimal(cost[j], digits);
        price += cost[j] * step[j];
    }
    long long unit = 1, off = draw(r, 3) - 1;
    for (int k = digits; k < fine; k++) unit *= 10;
    p->cost[last] = off && llabs(price) < 100000 ? decimal(-price * unit + off, fine) : decimal(-price, digits);
    return p;
}

void thin_add_constant(rng *r, problem *p)
{
    double large = (chance(r, 0.5) ? 1 : -1) * power[3 + draw(r, 10)];
    if (chance(r, 0.5) || p->n == COLS_MOST) {
        p->offset += large;
        return;
    }
    int j = p->n++;
    p->integer[j] = chance(r, 0.5);
    p->least[j] = p->most[j] = 1;
    p->cl[j] = p->cu[j] = 1;
    p->cost[j] = large;
}
