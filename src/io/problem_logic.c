/* io/problem_logic.c - semicontinuous columns, indicators and SOS2 sets as rows, columns and SOS1 sets. No number that is not in
 * the file bounds anything: where a bound is missing, a set of two says "one of them is 0", and the search branches on it.
 *
 *     x = 0 or l <= x <= u           l b <= x <= u b, b binary;  u infinite: x + l t >= l, {x, t} a set, t binary
 *     y = 1 -> a x <= b              a x + (A - b) y <= A, where A is the most a x can be within its bounds;
 *                                    A infinite: a x - s <= b, s >= 0, {s, y} a set
 *     at most two of x_1 .. x_n      z_k binary, sum z_k = 1 over the n - 1 neighbouring pairs; x_j <= u_j (z_{j-1} + z_j),
 *     nonzero, neighbours            the same below; u_j infinite: t + z_{j-1} + z_j = 1, {x_j, t} a set
 *
 * Of an indicator 1 - y takes the place of y where the row holds for y = 0; of a row with two sides each has a slack column.
 * Source: H. P. Williams, Model Building in Mathematical Programming (2013), chapter 9; E. M. L. Beale, J. A. Tomlin (1970).
 */
#include "io/problem_logic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/locale.h"
#include "base/memory.h"

/* With more room than this between its bounds a row is not switched by a coefficient: a binary column within the tolerance of 0
 * would open it too far. */
static const double SWITCH_MOST = 1e6;

/* "BASE.ENDING", with a number behind where that is taken. */
static void make_name(const names *taken, const char *objective, const char *base, const char *ending, char out[160])
{
    format_text(out, 160, "%.100s.%s", base, ending);
    for (int k = 2; names_find(taken, out) >= 0 || (objective && strcmp(objective, out) == 0); k++)
        format_text(out, 160, "%.100s.%s%d", base, ending, k);
}

/* A new row, -1: memory. */
static int new_row(problem *p, const char *base, const char *ending, double lower, double upper)
{
    char name[160];
    make_name(&p->row_names, p->objective_name, base, ending, name);
    int i = problem_add_row(p, name, strlen(name));
    if (i >= 0) p->row[i] = (problem_row){lower, upper};
    return i;
}

/* A new column in [0, upper], integer where that is 1; -1: memory. */
static int new_col(problem *p, const char *base, const char *ending, double upper)
{
    char name[160];
    make_name(&p->col_names, NULL, base, ending, name);
    int j = problem_add_col(p, name, strlen(name));
    if (j >= 0) p->col[j].upper = upper, p->col[j].integer = upper == 1;
    return j;
}

/* Not both of the columns are nonzero. */
static bool add_pair(problem *p, int a, int b)
{
    return problem_open_set(p, 1) == 0 && problem_add_member(p, p->sets, a, 1) == 0 && problem_add_member(p, p->sets, b, 2) == 0;
}

static bool add_entry(problem *p, int row, int col, double value) { return problem_add_entry(p, row, col, value) == 0; }

/* The new binary column 1 - y; -1: memory. */
static int complement(problem *p, int y, const char *base)
{
    int t = new_col(p, base, "not", 1), row = t >= 0 ? new_row(p, base, "not", 1, 1) : -1;
    return row >= 0 && add_entry(p, row, y, 1) && add_entry(p, row, t, 1) ? t : -1;
}

/* ---- semicontinuous columns ---------------------------------------------------------------------------------------- */

static bool bounded_semicontinuous(problem *p, int j, const char *name)
{
    double lower = p->col[j].lower, upper = p->col[j].upper;
    int on = new_row(p, name, "on", -INFINITY, 0); /* x - u b <= 0 */
    int off = on >= 0 ? new_row(p, name, "off", 0, INFINITY) : -1;
    int b = off >= 0 ? new_col(p, name, "semi", 1) : -1;
    return b >= 0 && add_entry(p, on, j, 1) && add_entry(p, on, b, -upper) && add_entry(p, off, j, 1) &&
           add_entry(p, off, b, -lower);
}

/* near: the finite bound, beyond 0. */
static bool open_semicontinuous(problem *p, int j, double near, const char *name)
{
    int row = near > 0 ? new_row(p, name, "on", near, INFINITY) : new_row(p, name, "on", -INFINITY, near);
    int t = row >= 0 ? new_col(p, name, "semi", 1) : -1;
    return t >= 0 && add_entry(p, row, j, 1) && add_entry(p, row, t, near) && add_pair(p, j, t);
}

static bool resolve_semicontinuous(problem *p, int j)
{
    char name[128];
    double lower = p->col[j].lower, upper = p->col[j].upper;
    if ((lower <= 0 && upper >= 0) || lower > upper) return true;
    format_text(name, sizeof name, "%.100s", names_text(&p->col_names, j));
    bool open = isinf(lower) || isinf(upper);
    if (!(open ? open_semicontinuous(p, j, lower > 0 ? lower : upper, name) : bounded_semicontinuous(p, j, name))) return false;
    p->col[j].lower = fmin(lower, 0);
    p->col[j].upper = fmax(upper, 0);
    return true;
}

/* ---- indicators ---------------------------------------------------------------------------------------------------- */

typedef struct row_lists {
    size_t *start; /* [rows + 2] */
    size_t *entry; /* of a row those from start[row] to start[row + 1] */
} row_lists;

static bool list_rows(const problem *p, arena *memory, row_lists *l)
{
    size_t m = (size_t)p->row_names.count;
    l->start = ARENA_ZERO(memory, size_t, m + 2);
    l->entry = ARENA_NEW(memory, size_t, p->entries);
    if (memory->failed) return false;
    for (size_t k = 0; k < p->entries; k++) l->start[p->entry[k].row + 2]++;
    for (size_t i = 2; i <= m + 1; i++) l->start[i] += l->start[i - 1];
    for (size_t k = 0; k < p->entries; k++) l->entry[l->start[p->entry[k].row + 1]++] = k;
    return true;
}

/* The most sign * (the row) can be within the bounds of its columns; *holds: column y is in it. */
static double most_of_row(const problem *p, const row_lists *l, const problem_indicator *n, double sign, bool *holds)
{
    double sum = 0;
    *holds = false;
    for (size_t k = l->start[n->row]; k < l->start[n->row + 1]; k++) {
        const problem_entry *e = &p->entry[l->entry[k]];
        double v = sign * e->value;
        *holds = *holds || e->col == n->col;
        if (v != 0) sum += v > 0 ? v * p->col[e->col].upper : v * p->col[e->col].lower;
    }
    return isfinite(sum) ? sum : INFINITY;
}

/* One side: sign * (the row) <= bound where the indicator holds. */
static bool switch_side(problem *p, const row_lists *l, const problem_indicator *n, double sign, bool alone)
{
    char name[128];
    problem_row *row = &p->row[n->row];
    double bound = sign > 0 ? row->upper : -row->lower, *side = sign > 0 ? &row->upper : &row->lower;
    bool holds;
    double most = most_of_row(p, l, n, sign, &holds), room = most - bound;
    if (room <= 0) return true;
    format_text(name, sizeof name, "%.100s", names_text(&p->row_names, n->row));
    if (room <= SWITCH_MOST && alone && !holds) {
        *side = sign * (n->value ? most : bound);
        return add_entry(p, n->row, n->col, sign * (n->value ? room : -room));
    }
    int s = new_col(p, name, "slack", INFINITY);
    if (s < 0 || !add_entry(p, n->row, s, -sign)) return false;
    if (room <= SWITCH_MOST) { /* s <= room (1 - y) or room y */
        p->col[s].upper = room;
        int i = new_row(p, name, "switch", -INFINITY, n->value ? room : 0);
        return i >= 0 && add_entry(p, i, s, 1) && add_entry(p, i, n->col, n->value ? room : -room);
    }
    int y = n->value ? n->col : complement(p, n->col, name);
    return y >= 0 && add_pair(p, s, y);
}

static vouch_status resolve_indicators(problem *p, char why[LOGIC_TEXT])
{
    arena memory = {0};
    row_lists lists;
    if (p->indicators == 0) return VOUCH_OK;
    bool fits = list_rows(p, &memory, &lists);
    for (size_t k = 0; fits && k < p->indicators; k++) {
        const problem_indicator *n = &p->indicator[k];
        const problem_col *y = &p->col[n->col];
        if (!y->integer || y->lower < 0 || y->upper > 1) {
            format_text(why, LOGIC_TEXT, "column \"%.60s\" of an indicator is not binary, expected it among the binaries",
                        names_text(&p->col_names, n->col));
            arena_free(&memory);
            return VOUCH_ERROR_INPUT;
        }
        bool below = isfinite(p->row[n->row].upper), above = isfinite(p->row[n->row].lower);
        if (below) fits = switch_side(p, &lists, n, 1, !above);
        if (above && fits) fits = switch_side(p, &lists, n, -1, !below);
    }
    arena_free(&memory);
    return fits ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

/* ---- SOS2 ---------------------------------------------------------------------------------------------------------- */

/* Column x may be nonzero only if one of the pairs a, b (-1: none) is chosen. */
static bool tie_member(problem *p, int x, int a, int b)
{
    char name[128];
    format_text(name, sizeof name, "%.100s", names_text(&p->col_names, x));
    double bound[2] = {fmin(p->col[x].lower, 0), fmax(p->col[x].upper, 0)};
    if (isinf(bound[0]) || isinf(bound[1])) {
        int t = new_col(p, name, "off", 1), row = t >= 0 ? new_row(p, name, "off", 1, 1) : -1;
        return row >= 0 && add_entry(p, row, t, 1) && (a < 0 || add_entry(p, row, a, 1)) && (b < 0 || add_entry(p, row, b, 1)) &&
               add_pair(p, x, t);
    }
    for (int side = 0; side < 2; side++) {
        if (bound[side] == 0) continue;
        int row = side ? new_row(p, name, "on", -INFINITY, 0) : new_row(p, name, "on", 0, INFINITY);
        if (row < 0 || !add_entry(p, row, x, 1) || (a >= 0 && !add_entry(p, row, a, -bound[side])) ||
            (b >= 0 && !add_entry(p, row, b, -bound[side])))
            return false;
    }
    return true;
}

/* member [n], by their weights. */
static bool resolve_sos2(problem *p, const problem_member member[], int n)
{
    char name[32];
    if (n <= 2) return true;
    format_text(name, sizeof name, "set%d", member[0].set);
    int row = new_row(p, name, "one", 1, 1), before = -1;
    for (int k = 0; row >= 0 && k < n; k++) {
        int pair = k < n - 1 ? new_col(p, name, "pair", 1) : -1;
        if (k < n - 1 && (pair < 0 || !add_entry(p, row, pair, 1))) return false;
        if (!tie_member(p, member[k].col, before, pair)) return false;
        before = pair;
    }
    return row >= 0;
}

static void sort_members(problem_member member[], int n)
{
    for (int k = 1; k < n; k++) /* insertion by weight: sets are short and mostly in order */
        for (int at = k; at > 0 && member[at - 1].weight > member[at].weight; at--) {
            problem_member moved = member[at];
            member[at] = member[at - 1];
            member[at - 1] = moved;
        }
}

/* The members of SOS2 sets leave the list; what takes their place comes behind it. */
static bool resolve_sets(problem *p)
{
    size_t count = 0, kept = 0;
    problem_member *pairs = MEM_NEW(problem_member, p->members);
    if (!pairs) return false;
    for (size_t k = 0; k < p->members; k++) {
        bool second = p->set_type[p->member[k].set - 1] == 2;
        if (second)
            pairs[count++] = p->member[k];
        else
            p->member[kept++] = p->member[k];
    }
    p->members = kept;
    bool fits = true;
    for (size_t at = 0, n; fits && at < count; at += n) {
        for (n = 1; at + n < count && pairs[at + n].set == pairs[at].set;) n++;
        sort_members(pairs + at, (int)n);
        fits = resolve_sos2(p, pairs + at, (int)n);
    }
    mem_free(pairs);
    return fits;
}

vouch_status problem_resolve_logic(problem *p, char why[LOGIC_TEXT])
{
    int rows = p->row_names.count, cols = p->col_names.count;
    *why = '\0';
    for (int j = 0, n = p->col_names.count; j < n; j++)
        if (p->col[j].semi && !resolve_semicontinuous(p, j)) return VOUCH_ERROR_MEMORY;
    vouch_status status = resolve_indicators(p, why);
    if (status == VOUCH_OK && p->members > 0 && !resolve_sets(p)) status = VOUCH_ERROR_MEMORY;
    p->rewritten = p->indicators > 0 || p->row_names.count > rows || p->col_names.count > cols;
    return status;
}
