/* oracle/logic.c - see logic.h. */
#include "oracle/logic.h"

#include <math.h>
#include <stdlib.h>

#include "oracle/exact_lp.h"

enum { ROWS = LOGIC_ROWS, COLS = LOGIC_COLS, SETS = LOGIC_SETS };

/* What differs from 0 by no more is 0. */
static const double NOTHING = 1e-6;

static int some(rng *r, int most) { return (int)rng_below(r, (uint64_t)most); }

static void draw_column(rng *r, logic_program *p, int j)
{
    p->cost[j] = some(r, 15) - 6;
    p->binary[j] = j >= COLS - 2;
    p->lower[j] = 0;
    p->upper[j] = p->binary[j] ? 1 : some(r, 3) ? 1 + some(r, 8) : (double)INFINITY;
    if (p->binary[j]) return;
    p->semi[j] = some(r, 3) == 0;
    if (p->semi[j] && some(r, 4)) p->lower[j] = fmin(p->upper[j], 1 + some(r, 4));
    if (some(r, 5) == 0) p->lower[j] = some(r, 3) ? -some(r, 5) : -(double)INFINITY;
    if (p->semi[j] && some(r, 5) == 0)
        p->upper[j] = -1 - some(r, 3), p->lower[j] = some(r, 2) ? -(double)INFINITY : p->upper[j] - some(r, 4);
    p->integer[j] = p->upper[j] - p->lower[j] <= 4 && some(r, 2); /* so that there are few to run through */
}

logic_program logic_random(rng *r)
{
    logic_program p = {.sets = some(r, SETS + 1)};
    for (int j = 0; j < COLS; j++) draw_column(r, &p, j);
    for (int i = 0; i < ROWS; i++) {
        p.relation[i] = "<<>>="[some(r, 5)];
        p.side[i] = some(r, 17) - 5;
        p.switch_col[i] = some(r, 2) ? COLS - 2 + some(r, 2) : -1;
        p.switch_on[i] = some(r, 2);
        for (int j = 0; j < COLS; j++) p.value[i][j] = some(r, 3) ? some(r, 9) - 3 : 0;
        p.value[i][some(r, COLS)] = 1; /* no row is empty */
    }
    for (int s = 0; s < p.sets; s++) {
        p.set_type[s] = 1 + some(r, 2);
        int shift = some(r, COLS);
        p.set_size[s] = 2 + some(r, 3);
        for (int k = 0; k < p.set_size[s]; k++) p.set_col[s][k] = (shift + 5 * k) % COLS;
    }
    return p;
}

/* ---- the truth ------------------------------------------------------------------------------------------------------ */

static bool holds(const logic_program *p, int i, const double x[])
{
    int j = p->switch_col[i];
    return j < 0 || fabs(x[j] - p->switch_on[i]) < 0.5;
}

static double row_lower(const logic_program *p, int i) { return p->relation[i] == '<' ? -INFINITY : p->side[i]; }
static double row_upper(const logic_program *p, int i) { return p->relation[i] == '>' ? INFINITY : p->side[i]; }

/* One choice, its digits in `code`: the integers' values, which semicontinuous columns are 0, which window of each set may be
 * nonzero. fixed [COLS]: NAN leaves a column within its bounds; *possible: no two digits contradict. False: there are no more. */
static bool choose(const logic_program *p, long code, double fixed[], bool *possible)
{
    *possible = true;
    for (int j = 0; j < COLS; j++) {
        bool whole = p->integer[j] || p->binary[j];
        int values = whole ? (int)(p->upper[j] - p->lower[j]) + 1 : 1, digit = (int)(code % (values + p->semi[j]));
        code /= values + p->semi[j];
        fixed[j] = digit == values ? 0 : whole ? p->lower[j] + digit : (double)NAN;
    }
    for (int s = 0; s < p->sets; s++) {
        int windows = p->set_type[s] == 1 ? p->set_size[s] : p->set_size[s] - 1, w = (int)(code % windows);
        code /= windows;
        for (int k = 0; k < p->set_size[s]; k++) {
            int j = p->set_col[s][k];
            if (k >= w && k < w + p->set_type[s]) continue;
            bool reaches = isnan(fixed[j]) ? p->lower[j] <= 0 && p->upper[j] >= 0 : fixed[j] == 0;
            *possible = *possible && reaches;
            fixed[j] = 0;
        }
    }
    return code == 0;
}

double logic_least(const logic_program *p)
{
    double best = INFINITY, fixed[COLS], value[ROWS * COLS], low[ROWS], high[ROWS];
    int64_t start[COLS + 1];
    int index[ROWS * COLS], entries = 0;
    for (int j = 0; j < COLS; j++) {
        start[j] = entries;
        for (int i = 0; i < ROWS; i++)
            if (p->value[i][j] != 0) index[entries] = i, value[entries++] = p->value[i][j];
    }
    start[COLS] = entries;
    vouch_lp_data d = {ROWS, COLS, start, index, value, p->cost, 0, 0, p->lower, p->upper, low, high};
    bool possible;
    for (long code = 0; choose(p, code, fixed, &possible); code++) {
        double least = NAN;
        if (!possible) continue;
        for (int i = 0; i < ROWS; i++) {
            low[i] = holds(p, i, fixed) ? row_lower(p, i) : -INFINITY;
            high[i] = holds(p, i, fixed) ? row_upper(p, i) : INFINITY;
        }
        exact_outcome outcome = exact_lp_solve_as(&d, fixed, READ_DECIMALS, &least);
        if (outcome == EXACT_UNBOUNDED) return -INFINITY;
        if (outcome == EXACT_OPTIMAL) best = fmin(best, least);
    }
    return best;
}

static double set_violation(const logic_program *p, int s, const double x[])
{
    int first = -1, last = -1;
    for (int k = 0; k < p->set_size[s]; k++) {
        if (fabs(x[p->set_col[s][k]]) <= NOTHING) continue;
        if (first < 0) first = k;
        last = k;
    }
    return first >= 0 && last - first >= p->set_type[s] ? INFINITY : 0;
}

double logic_violation(const logic_program *p, const double x[])
{
    double worst = 0;
    for (int j = 0; j < COLS; j++) {
        if (p->binary[j] || p->integer[j]) worst = fmax(worst, fabs(x[j] - round(x[j])));
        if (!p->semi[j] || fabs(x[j]) > NOTHING) worst = fmax(worst, fmax(p->lower[j] - x[j], x[j] - p->upper[j]));
    }
    for (int i = 0; i < ROWS; i++) {
        double sum = 0, largest = fabs(p->side[i]);
        if (!holds(p, i, x)) continue;
        for (int j = 0; j < COLS; j++) sum += p->value[i][j] * x[j], largest = fmax(largest, fabs(p->value[i][j] * x[j]));
        worst = fmax(worst, fmax(row_lower(p, i) - sum, sum - row_upper(p, i)) / (1 + largest));
    }
    for (int s = 0; s < p->sets; s++) worst = fmax(worst, set_violation(p, s, x));
    return worst;
}

double logic_cost(const logic_program *p, const double x[])
{
    double sum = 0;
    for (int j = 0; j < COLS; j++) sum += p->cost[j] * x[j];
    return sum;
}

/* ---- the two formats ------------------------------------------------------------------------------------------------ */

static void write_number(text *t, double x) { text_add(t, isinf(x) ? (x < 0 ? "-inf" : "inf") : "%g", x); }

static void write_list(text *t, const char *section, const bool in[])
{
    text_add(t, "%s\n", section);
    for (int j = 0; j < COLS; j++)
        if (in[j]) text_add(t, " x%d\n", j);
}

void logic_write_lp(text *t, const logic_program *p)
{
    text_add(t, "min\n obj:");
    for (int j = 0; j < COLS; j++) text_add(t, " + %g x%d", p->cost[j], j);
    text_add(t, "\nst\n");
    for (int i = 0; i < ROWS; i++) {
        text_add(t, " c%d:", i);
        if (p->switch_col[i] >= 0) text_add(t, " x%d = %d ->", p->switch_col[i], p->switch_on[i]);
        for (int j = 0; j < COLS; j++)
            if (p->value[i][j] != 0) text_add(t, " + %g x%d", p->value[i][j], j);
        text_add(t, " %c %g\n", p->relation[i], p->side[i]);
    }
    text_add(t, "bounds\n");
    for (int j = 0; j < COLS; j++) {
        text_add(t, " ");
        write_number(t, p->lower[j]);
        text_add(t, " <= x%d <= ", j);
        write_number(t, p->upper[j]);
        text_add(t, "\n");
    }
    write_list(t, "binaries", p->binary);
    write_list(t, "generals", p->integer);
    write_list(t, "semi-continuous", p->semi);
    text_add(t, "sos\n");
    for (int s = 0; s < p->sets; s++) {
        text_add(t, " s%d: S%d::", s, p->set_type[s]);
        for (int k = p->set_size[s] - 1; k >= 0; k--) text_add(t, " x%d:%d", p->set_col[s][k], k + 1);
        text_add(t, "\n");
    }
    text_add(t, "end\n");
}

static void write_mps_bounds(text *t, const logic_program *p)
{
    text_add(t, "BOUNDS\n");
    for (int j = 0; j < COLS; j++) {
        const char *semi = p->integer[j] ? "SI" : "SC", *plain = p->integer[j] ? "UI" : "UP";
        if (p->binary[j]) text_add(t, " BV BND x%d\n", j);
        if (isinf(p->lower[j]))
            text_add(t, " MI BND x%d\n", j);
        else
            text_add(t, " LO BND x%d %g\n", j, p->lower[j]);
        if (p->semi[j] && isinf(p->upper[j]))
            text_add(t, " %s BND x%d\n", semi, j);
        else if (isfinite(p->upper[j]))
            text_add(t, " %s BND x%d %g\n", p->semi[j] ? semi : plain, j, p->upper[j]);
    }
}

void logic_write_mps(text *t, const logic_program *p)
{
    text_add(t, "NAME\nROWS\n N obj\n");
    for (int i = 0; i < ROWS; i++) text_add(t, " %c c%d\n", p->relation[i] == '<' ? 'L' : p->relation[i] == '>' ? 'G' : 'E', i);
    text_add(t, "COLUMNS\n");
    for (int j = 0; j < COLS; j++) {
        text_add(t, " x%d obj %g\n", j, p->cost[j]);
        for (int i = 0; i < ROWS; i++)
            if (p->value[i][j] != 0) text_add(t, " x%d c%d %g\n", j, i, p->value[i][j]);
    }
    text_add(t, "RHS\n");
    for (int i = 0; i < ROWS; i++) text_add(t, " RHS c%d %g\n", i, p->side[i]);
    write_mps_bounds(t, p);
    text_add(t, "SOS\n");
    for (int s = 0; s < p->sets; s++) {
        text_add(t, " S%d set%d\n", p->set_type[s], s);
        for (int k = 0; k < p->set_size[s]; k++) text_add(t, "  x%d %d\n", p->set_col[s][k], k + 1);
    }
    text_add(t, "INDICATORS\n");
    for (int i = 0; i < ROWS; i++)
        if (p->switch_col[i] >= 0) text_add(t, " IF c%d x%d %d\n", i, p->switch_col[i], p->switch_on[i]);
    text_add(t, "ENDATA\n");
}
