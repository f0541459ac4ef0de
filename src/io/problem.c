/* io/problem.c - see lpfile.h. The entries are brought into columns by one counting sort, which keeps their order. */
#include "io/lpfile.h"

#include "lp/problem.h"

void problem_start(problem *p, escape *e)
{
    *p = (problem){.e = e};
    escape_names(e, &p->row_names);
    escape_names(e, &p->col_names);
}

int problem_add_row(problem *p, const char *name, size_t length)
{
    CHECK(names_find_bytes(&p->row_names, name, length) < 0);
    ESCAPE_GROW(p->e, &p->row, &p->row_capacity, p->row_names.count);
    int i = must_count(p->e, names_add_bytes(&p->row_names, name, length));
    p->row[i] = (problem_row){.lower = -INFINITY, .upper = INFINITY};
    return i;
}

int problem_add_col(problem *p, const char *name, size_t length)
{
    CHECK(names_find_bytes(&p->col_names, name, length) < 0);
    ESCAPE_GROW(p->e, &p->col, &p->col_capacity, p->col_names.count);
    int j = must_count(p->e, names_add_bytes(&p->col_names, name, length));
    p->col[j] = (problem_col){.lower = 0, .upper = INFINITY};
    return j;
}

void problem_add_entry(problem *p, int row, int col, double value)
{
    CHECK(row >= 0 && row < p->row_names.count);
    CHECK(col >= 0 && col < p->col_names.count);
    ESCAPE_GROW(p->e, &p->entry, &p->entry_capacity, p->entries);
    p->entry[p->entries++] = (problem_entry){row, col, value};
}

void problem_open_set(problem *p, int type)
{
    CHECK(type == 1 || type == 2);
    ESCAPE_GROW(p->e, &p->set_type, &p->set_capacity, p->sets);
    p->set_type[p->sets++] = (unsigned char)type;
}

void problem_add_indicator(problem *p, int row, int col, bool value)
{
    ESCAPE_GROW(p->e, &p->indicator, &p->indicator_capacity, p->indicators);
    p->indicator[p->indicators++] = (problem_indicator){row, col, value};
}

void problem_add_member(problem *p, int set, int col, double weight)
{
    CHECK(col >= 0 && col < p->col_names.count);
    CHECK(set <= p->sets && (p->members == 0 || set >= p->member[p->members - 1].set));
    ESCAPE_GROW(p->e, &p->member, &p->member_capacity, p->members);
    p->member[p->members++] = (problem_member){set, col, weight};
}

static vouch_status set_names(const problem *p, vouch_lp *lp)
{
    vouch_status s = VOUCH_OK;
    if (p->name) s = vouch_lp_set_name(lp, p->name);
    if (s == VOUCH_OK && p->objective_name) s = vouch_lp_set_objective_name(lp, p->objective_name);
    if (s == VOUCH_OK) s = lp_name_rows(lp, p->row_names.text, p->row_names.offset);
    if (s == VOUCH_OK) s = lp_name_cols(lp, p->col_names.text, p->col_names.offset);
    for (int j = 0; s == VOUCH_OK && j < p->col_names.count; j++)
        if (p->col[j].integer) s = vouch_lp_set_integer(lp, j, 1);
    return s;
}

static vouch_status set_sos(const problem *p, vouch_lp *lp)
{
    int *cols = MEM_NEW(int, p->members);
    double *weight = MEM_NEW(double, p->members);
    vouch_status s = cols && weight ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (size_t at = 0; s == VOUCH_OK && at < p->members;) {
        int count = 0;
        size_t from = at;
        for (; at < p->members && p->member[at].set == p->member[from].set; at++, count++) {
            cols[count] = p->member[at].col;
            weight[count] = p->member[at].weight;
        }
        s = vouch_lp_add_sos1(lp, count, cols, weight);
    }
    mem_free(cols);
    mem_free(weight);
    return s;
}

/* The entries that are not zero by columns: a counting sort, which keeps their order. start [cols + 2], zeroed. */
static void collect_entries(const problem *p, int64_t start[], int index[], double value[])
{
    int n = p->col_names.count;
    for (size_t k = 0; k < p->entries; k++) start[p->entry[k].col + 2] += p->entry[k].value != 0;
    for (int j = 2; j <= n + 1; j++) start[j] += start[j - 1];
    for (size_t k = 0; k < p->entries; k++) {
        if (p->entry[k].value == 0) continue;
        int64_t at = start[p->entry[k].col + 1]++;
        CHECK_COMPARE(at, <, start[p->entry[k].col + 2]);
        index[at] = p->entry[k].row;
        value[at] = p->entry[k].value;
    }
}

vouch_status problem_finish(const problem *p, vouch_lp **out, vouch_error *error)
{
    int m = p->row_names.count, n = p->col_names.count;
    *out = NULL;
    vouch_status status = VOUCH_ERROR_MEMORY;
    vouch_lp *lp = NULL;
    arena memory = {0};
    int64_t *start = ARENA_ZERO(&memory, int64_t, (size_t)n + 2);
    int *index = ARENA_NEW(&memory, int, p->entries);
    double *value = ARENA_NEW(&memory, double, p->entries), *cost = ARENA_NEW(&memory, double, n);
    double *lower = ARENA_NEW(&memory, double, n), *upper = ARENA_NEW(&memory, double, n);
    double *row_lower = ARENA_NEW(&memory, double, m), *row_upper = ARENA_NEW(&memory, double, m);
    if (memory.failed) goto done;

    collect_entries(p, start, index, value);
    for (int j = 0; j < n; j++) cost[j] = p->col[j].cost, lower[j] = p->col[j].lower, upper[j] = p->col[j].upper;
    for (int i = 0; i < m; i++) row_lower[i] = p->row[i].lower, row_upper[i] = p->row[i].upper;
    vouch_lp_data data = {.rows = m,
                          .cols = n,
                          .start = start,
                          .index = index,
                          .value = value,
                          .cost = cost,
                          .offset = p->offset,
                          .maximize = p->maximize,
                          .col_lower = lower,
                          .col_upper = upper,
                          .row_lower = row_lower,
                          .row_upper = row_upper};
    status = vouch_lp_new(&lp);
    if (status != VOUCH_OK) goto done;
    status = vouch_lp_load(lp, &data, error);
    if (status == VOUCH_ERROR_INPUT) goto done;
    if (status == VOUCH_OK) status = set_names(p, lp);
    if (status == VOUCH_OK && p->members > 0) status = set_sos(p, lp);
    if (status == VOUCH_OK) status = vouch_lp_set_rewritten(lp, p->rewritten);
done:
    if (status == VOUCH_ERROR_MEMORY) error_memory(error);
    if (status == VOUCH_OK)
        *out = lp;
    else
        vouch_lp_free(lp);
    arena_free(&memory);
    return status;
}

/* ---- logic --------------------------------------------------------------------------------------------------------- */

/* Semicontinuous columns, indicators and SOS2 sets as rows, columns and SOS1 sets. No number that is not in
 * the file bounds anything: where a bound is missing, a set of two says "one of them is 0", and the search branches on it.
 *
 *     x = 0 or l <= x <= u           l b <= x <= u b, b binary;  u infinite: x + l t >= l, {x, t} a set, t binary
 *     y = 1 -> a x <= b              a x + (A - b) y <= A, where A is the most a x can be within its bounds;
 *                                    A infinite: a x - s <= b, s >= 0, {s, y} a set
 *     at most two of x_1 .. x_n      z_k binary, sum z_k = 1 over the n - 1 neighbouring pairs; x_j <= u_j (z_{j-1} + z_j),
 *     nonzero, neighbours            the same below; u_j infinite: t + z_{j-1} + z_j = 1, {x_j, t} a set
 *
 * Of an indicator 1 - y takes the place of y where the row holds for y = 0; of a row with two sides each has a slack column.
 * Source: H. P. Williams, Model Building in Mathematical Programming (2013), chapter 9; E. M. L. Beale, J. A. Tomlin (1970)
 */

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

static int new_row(problem *p, const char *base, const char *ending, double lower, double upper)
{
    char name[160];
    make_name(&p->row_names, p->objective_name, base, ending, name);
    int i = problem_add_row(p, name, strlen(name));
    p->row[i] = (problem_row){lower, upper};
    return i;
}

/* A new column in [0, upper], integer where that is 1. */
static int new_col(problem *p, const char *base, const char *ending, double upper)
{
    char name[160];
    make_name(&p->col_names, NULL, base, ending, name);
    int j = problem_add_col(p, name, strlen(name));
    p->col[j].upper = upper, p->col[j].integer = upper == 1;
    return j;
}

/* Not both of the columns are nonzero. */
static void add_pair(problem *p, int a, int b)
{
    problem_open_set(p, 1);
    problem_add_member(p, p->sets, a, 1);
    problem_add_member(p, p->sets, b, 2);
}

/* The new binary column 1 - y. */
static int complement(problem *p, int y, const char *base)
{
    int t = new_col(p, base, "not", 1), row = new_row(p, base, "not", 1, 1);
    problem_add_entry(p, row, y, 1);
    problem_add_entry(p, row, t, 1);
    return t;
}

static void bounded_semicontinuous(problem *p, int j, const char *name)
{
    double lower = p->col[j].lower, upper = p->col[j].upper;
    int on = new_row(p, name, "on", -INFINITY, 0); /* x - u b <= 0 */
    int off = new_row(p, name, "off", 0, INFINITY), b = new_col(p, name, "semi", 1);
    problem_add_entry(p, on, j, 1);
    problem_add_entry(p, on, b, -upper);
    problem_add_entry(p, off, j, 1);
    problem_add_entry(p, off, b, -lower);
}

/* near: the finite bound, beyond 0. */
static void open_semicontinuous(problem *p, int j, double near, const char *name)
{
    int row = near > 0 ? new_row(p, name, "on", near, INFINITY) : new_row(p, name, "on", -INFINITY, near);
    int t = new_col(p, name, "semi", 1);
    problem_add_entry(p, row, j, 1);
    problem_add_entry(p, row, t, near);
    add_pair(p, j, t);
}

static void resolve_semicontinuous(problem *p, int j)
{
    char name[128];
    double lower = p->col[j].lower, upper = p->col[j].upper;
    if ((lower <= 0 && upper >= 0) || lower > upper) return;
    format_text(name, sizeof name, "%.100s", names_text(&p->col_names, j));
    if (isinf(lower) || isinf(upper))
        open_semicontinuous(p, j, lower > 0 ? lower : upper, name);
    else
        bounded_semicontinuous(p, j, name);
    p->col[j].lower = fmin(lower, 0);
    p->col[j].upper = fmax(upper, 0);
}

/* ---- indicators ---------------------------------------------------------------------------------------------------- */

typedef struct row_lists {
    size_t *start; /* [rows + 2] */
    size_t *entry; /* of a row those from start[row] to start[row + 1] */
} row_lists;

static row_lists list_rows(const problem *p)
{
    size_t m = (size_t)p->row_names.count;
    row_lists l = {ESCAPE_ZERO(p->e, size_t, m + 2), ESCAPE_NEW(p->e, size_t, p->entries)};
    for (size_t k = 0; k < p->entries; k++) l.start[p->entry[k].row + 2]++;
    for (size_t i = 2; i <= m + 1; i++) l.start[i] += l.start[i - 1];
    for (size_t k = 0; k < p->entries; k++) l.entry[l.start[p->entry[k].row + 1]++] = k;
    return l;
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
static void switch_side(problem *p, const row_lists *l, const problem_indicator *n, double sign, bool alone)
{
    char name[128];
    problem_row *row = &p->row[n->row];
    double bound = sign > 0 ? row->upper : -row->lower, *side = sign > 0 ? &row->upper : &row->lower;
    bool holds;
    double most = most_of_row(p, l, n, sign, &holds), room = most - bound;
    if (room <= 0) return;
    format_text(name, sizeof name, "%.100s", names_text(&p->row_names, n->row));
    if (room <= SWITCH_MOST && alone && !holds) {
        *side = sign * (n->value ? most : bound);
        problem_add_entry(p, n->row, n->col, sign * (n->value ? room : -room));
        return;
    }
    int s = new_col(p, name, "slack", INFINITY);
    problem_add_entry(p, n->row, s, -sign);
    if (room > SWITCH_MOST) {
        add_pair(p, s, n->value ? n->col : complement(p, n->col, name));
        return;
    }
    p->col[s].upper = room; /* s <= room (1 - y) or room y */
    int i = new_row(p, name, "switch", -INFINITY, n->value ? room : 0);
    problem_add_entry(p, i, s, 1);
    problem_add_entry(p, i, n->col, n->value ? room : -room);
}

/* false: an indicator's column is not binary. */
static bool resolve_indicators(problem *p, char why[LOGIC_TEXT])
{
    if (p->indicators == 0) return true;
    const row_lists lists = list_rows(p);
    for (size_t k = 0; k < p->indicators; k++) {
        const problem_indicator *n = &p->indicator[k];
        const problem_col *y = &p->col[n->col];
        if (!y->integer || y->lower < 0 || y->upper > 1) {
            format_text(why, LOGIC_TEXT, "column \"%.60s\" of an indicator is not binary, expected it among the binaries",
                        names_text(&p->col_names, n->col));
            return false;
        }
        bool below = isfinite(p->row[n->row].upper), above = isfinite(p->row[n->row].lower);
        if (below) switch_side(p, &lists, n, 1, !above);
        if (above) switch_side(p, &lists, n, -1, !below);
    }
    return true;
}

/* Column x may be nonzero only if one of the pairs a, b (-1: none) is chosen. */
static void tie_member(problem *p, int x, int a, int b)
{
    char name[128];
    format_text(name, sizeof name, "%.100s", names_text(&p->col_names, x));
    double bound[2] = {fmin(p->col[x].lower, 0), fmax(p->col[x].upper, 0)};
    bool open = isinf(bound[0]) || isinf(bound[1]);
    for (int side = 0; side < (open ? 1 : 2); side++) {
        if (!open && bound[side] == 0) continue;
        int own = open ? new_col(p, name, "off", 1) : x;
        int row = open   ? new_row(p, name, "off", 1, 1)
                  : side ? new_row(p, name, "on", -INFINITY, 0)
                         : new_row(p, name, "on", 0, INFINITY);
        problem_add_entry(p, row, own, 1);
        if (a >= 0) problem_add_entry(p, row, a, open ? 1 : -bound[side]);
        if (b >= 0) problem_add_entry(p, row, b, open ? 1 : -bound[side]);
        if (open) add_pair(p, x, own);
    }
}

/* member [n], by their weights. */
static void resolve_sos2(problem *p, const problem_member member[], int n)
{
    char name[32];
    if (n <= 2) return;
    format_text(name, sizeof name, "set%d", member[0].set);
    int row = new_row(p, name, "one", 1, 1), before = -1;
    for (int k = 0; k < n; k++) {
        int pair = k < n - 1 ? new_col(p, name, "pair", 1) : -1;
        if (pair >= 0) problem_add_entry(p, row, pair, 1);
        tie_member(p, member[k].col, before, pair);
        before = pair;
    }
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
static void resolve_sets(problem *p)
{
    size_t count = 0, kept = 0;
    problem_member *pairs = ESCAPE_NEW(p->e, problem_member, p->members);
    for (size_t k = 0; k < p->members; k++) {
        bool second = p->set_type[p->member[k].set - 1] == 2;
        if (second)
            pairs[count++] = p->member[k];
        else
            p->member[kept++] = p->member[k];
    }
    p->members = kept;
    for (size_t at = 0, n; at < count; at += n) {
        for (n = 1; at + n < count && pairs[at + n].set == pairs[at].set;) n++;
        sort_members(pairs + at, (int)n);
        resolve_sos2(p, pairs + at, (int)n);
    }
}

bool problem_resolve_logic(problem *p, char why[LOGIC_TEXT])
{
    int rows = p->row_names.count, cols = p->col_names.count;
    *why = '\0';
    for (int j = 0; j < cols; j++)
        if (p->col[j].semi) resolve_semicontinuous(p, j);
    if (!resolve_indicators(p, why)) return false;
    if (p->members > 0) resolve_sets(p);
    p->rewritten = p->indicators > 0 || p->row_names.count > rows || p->col_names.count > cols;
    return true;
}

vouch_status labels_choose(const vouch_lp *lp, bool of_rows, bool (*usable)(const char *name), const char *reserved, labels *out)
{
    int count = of_rows ? vouch_lp_rows(lp) : vouch_lp_cols(lp);
    names seen = {0};
    vouch_status status = VOUCH_OK;
    *out = (labels){.lp = lp, .of_rows = of_rows, .own = true};
    for (int k = 0; k < count && out->own && status == VOUCH_OK; k++) {
        const char *name = of_rows ? vouch_lp_row_name(lp, k) : vouch_lp_col_name(lp, k);
        if (!usable(name) || names_find(&seen, name) >= 0 || (reserved && strcmp(name, reserved) == 0))
            out->own = false;
        else if (names_add(&seen, name) < 0)
            status = VOUCH_ERROR_MEMORY;
    }
    names_free(&seen);
    return status;
}

const char *labels_get(const labels *l, int index, label_buffer buffer)
{
    CHECK(index >= 0 && index < (l->of_rows ? vouch_lp_rows(l->lp) : vouch_lp_cols(l->lp)));
    if (l->own) return l->of_rows ? vouch_lp_row_name(l->lp, index) : vouch_lp_col_name(l->lp, index);
    format_text(buffer, sizeof(label_buffer), "%c%d", l->of_rows ? 'R' : 'C', index + 1);
    return buffer;
}
