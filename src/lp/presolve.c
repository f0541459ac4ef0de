/* lp/presolve.c - reductions that keep the optimum; each records a step, from which the basis of the full problem is derived.
 *
 * Rows and columns wait in queues and are examined until nothing changes:
 *     rows     empty; one entry (becomes a bound); redundant or forcing by the bounds of its activity; equality of two entries
 *     columns  fixed; empty; one entry in an equality (a slack: the row becomes a range) or with bounds the row implies
 * then, less often: columns whose reduced cost has one sign for all feasible duals, and rows and columns that are multiples of each
 * other. An apparent contradiction ends presolve: the simplex method must prove it on the full problem. Sources: A. L. Brearley, G.
 * Mitra and H. P. Williams, Math. Programming 8 (1975); E. D. Andersen and K. D. Andersen, Math. Programming 71 (1995). Deviation:
 * only the basis is carried back; values and duals of the full problem are computed from it and so are as exact as its factors. */
#include "lp/presolve.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"

/* ---- entries, in chains by row and by column; queues ------------------------------------------------------------------------ */

/* Returns the node's index; -1: memory. */
static int add_entry(presolve *p, int row, int col, double value)
{
    int k = p->node_free;
    CHECK(!p->gone[ROW][row] && !p->gone[COL][col]);
    if (k >= 0) {
        p->node_free = p->nodes[k].next[ROW];
    } else {
        if (MEM_RESERVE(&p->nodes, &p->node_capacity, p->node_count)) {
            p->out_of_memory = true;
            return -1;
        }
        k = (int)p->node_count++;
    }
    p->nodes[k] = (matrix_entry){.at = {row, col}, .value = value};
    for (int side = 0; side < SIDES; side++) {
        chain *c = &p->chain[side][p->nodes[k].at[side]];
        p->nodes[k].next[side] = c->first;
        p->nodes[k].back[side] = -1;
        if (c->first >= 0) p->nodes[c->first].back[side] = k;
        c->first = k;
        c->count++;
    }
    return k;
}

static void delete_entry(presolve *p, int k)
{
    matrix_entry *e = &p->nodes[k];
    for (int side = 0; side < SIDES; side++) {
        chain *c = &p->chain[side][e->at[side]];
        if (e->back[side] >= 0)
            p->nodes[e->back[side]].next[side] = e->next[side];
        else
            c->first = e->next[side];
        if (e->next[side] >= 0) p->nodes[e->next[side]].back[side] = e->back[side];
        CHECK_COMPARE(c->count, >, 0);
        c->count--;
    }
    e->next[ROW] = p->node_free;
    p->node_free = k;
}

static void clear_line(presolve *p, int side, int i)
{
    while (p->chain[side][i].first >= 0) delete_entry(p, p->chain[side][i].first);
    p->gone[side][i] = true;
}

/* Searches row and column alternately; recently changed entries are in front. NULL: none */
static matrix_entry *find_entry(const presolve *p, int i, int j)
{
    int k = p->chain[ROW][i].first, t = p->chain[COL][j].first;
    while (k >= 0 && t >= 0) {
        if (p->nodes[k].at[COL] == j) return &p->nodes[k];
        if (p->nodes[t].at[ROW] == i) return &p->nodes[t];
        k = p->nodes[k].next[ROW], t = p->nodes[t].next[COL];
    }
    return NULL;
}

/* May row i be read in full? A long row at most SCANS_MOST times, so that a million columns of one row cost about a million. One
 * call a reading. */
static bool may_scan(presolve *p, int i)
{
    int count = p->chain[ROW][i].count;
    if (count <= PRESOLVE_LONG) return true;
    p->scan_left[i] -= count;
    return p->scan_left[i] >= 0;
}

static void wake(presolve *p, int side, int i)
{
    if (p->queued[side][i] || p->gone[side][i]) return;
    p->queued[side][i] = true;
    CHECK_COMPARE(p->waiting[side], <, side == ROW ? p->m - p->waiting_long : p->n);
    if (side == ROW && p->chain[ROW][i].count > PRESOLVE_LONG)
        p->queue[ROW][p->m - ++p->waiting_long] = i;
    else
        p->queue[side][p->waiting[side]++] = i;
}

static void wake_met(presolve *p, int side, int i)
{
    for (int k = p->chain[side][i].first; k >= 0; k = p->nodes[k].next[side]) wake(p, !side, p->nodes[k].at[!side]);
}

/* Examined lines between two readings of the clock: each takes microseconds at most. */
enum { LOOKS_PER_READING = 16 };

/* Must presolve end: no memory, no time, or a contradiction? Called after every row or column. */
static bool is_over(presolve *p)
{
    if (++p->unclocked >= LOOKS_PER_READING) {
        p->unclocked = 0;
        p->out_of_time = p->out_of_time || deadline_expired(p->limit);
    }
    return p->hopeless || p->out_of_memory || p->out_of_time;
}

/* ---- steps ------------------------------------------------------------------------------------------------------------------ */

/* A new step with empty lists, valid until the next one. */
static presolve_record *new_step(presolve *p, step_kind kind, int row, int col)
{
    if (MEM_RESERVE(&p->steps, &p->step_capacity, p->step_count)) {
        p->out_of_memory = true;
        return &p->spare;
    }
    presolve_record *s = &p->steps[p->step_count++];
    *s = (presolve_record){.kind = kind, .row = row, .col = col, .other = -1};
    s->begin = s->middle = s->end = (int)p->kept_count;
    return s;
}

/* A contradiction: row i times `multiplier` (> 0: its minimum is too large, < 0: its maximum too small), with any given before. */
static void contradiction(presolve *p, int i, double multiplier)
{
    CHECK_COMPARE(p->witnesses, <, 2);
    p->witness_row[p->witnesses] = i;
    p->witness[p->witnesses++] = multiplier;
    p->hopeless = true;
}

static void keep_entry(presolve *p, int index, double value)
{
    if (p->kept_count == p->kept_capacity) {
        size_t capacity = 2 * p->kept_capacity + 256;
        if (MEM_RESIZE(&p->kept_index, capacity) || MEM_RESIZE(&p->kept_value, capacity)) {
            p->out_of_memory = true;
            return;
        }
        p->kept_capacity = capacity;
    }
    p->kept_index[p->kept_count] = index;
    p->kept_value[p->kept_count++] = value;
}

/* Stores row or column i without the entry in column or row `but`. Returns the end of the store. */
static int store_line(presolve *p, int side, int i, int but)
{
    for (int k = p->chain[side][i].first; k >= 0; k = p->nodes[k].next[side])
        if (p->nodes[k].at[!side] != but) keep_entry(p, p->nodes[k].at[!side], p->nodes[k].value);
    return (int)p->kept_count;
}

/* Activity of row i without column `but` (-1: with all); partial if both ends are infinite. */
static activity_range activity_of(const presolve *p, int i, int but)
{
    activity_range t = {0, 0, 0, 0, 0};
    for (int k = p->chain[ROW][i].first; k >= 0; k = p->nodes[k].next[ROW]) {
        int j = p->nodes[k].at[COL];
        if (j != but) activity_add(&t, p->nodes[k].value, p->cl[j], p->cu[j]);
        if (t.low_free && t.high_free) break; /* such a row implies nothing */
    }
    return t;
}

static void remove_row(presolve *p, int i)
{
    CHECK(!p->gone[ROW][i]);
    wake_met(p, ROW, i);
    clear_line(p, ROW, i);
}

/* Moves its part of the rows to their bounds. */
static void remove_col(presolve *p, int j, double value)
{
    CHECK(!p->gone[COL][j]);
    for (int k = p->chain[COL][j].first; k >= 0; k = p->nodes[k].next[COL]) {
        int i = p->nodes[k].at[ROW];
        p->rl[i] -= p->nodes[k].value * value;
        p->ru[i] -= p->nodes[k].value * value;
        wake(p, ROW, i);
    }
    clear_line(p, COL, j);
}

static void fix_col(presolve *p, int j, double value, unsigned char side)
{
    presolve_record *s = new_step(p, STEP_FIX_COL, -1, j);
    s->value = value;
    s->side = side;
    remove_col(p, j, value);
}

/* ---- rows: empty, one entry, redundant, forcing, an equality of two entries ------------------------------------------------- */

static void drop_row(presolve *p, int i)
{
    new_step(p, STEP_DROP_ROW, i, -1);
    remove_row(p, i);
}

/* Do the bounds l, u that row i with entry a implies for column j leave a value? Records the contradiction otherwise. */
static bool leaves_values(presolve *p, int i, int j, double a, double l, double u)
{
    double tol = presolve_slack(larger(isinf(l) ? 0 : fabs(l), isinf(u) ? 0 : fabs(u)));
    bool above = l > p->cu[j] + tol;
    if (!above && !(u < p->cl[j] - tol)) return true;
    contradiction(p, i, above == (a > 0) ? 1 : -1);
    return false;
}

/* Bounds that meet within rounding become one value. True: they changed. */
static bool tighten_col(presolve *p, presolve_record *s, double l, double u)
{
    int j = s->col;
    s->lower = p->cl[j], s->upper = p->cu[j];
    p->cl[j] = l > s->lower ? smaller(l, s->upper) : s->lower;
    p->cu[j] = u < s->upper ? larger(u, p->cl[j]) : s->upper;
    s->new_lower = p->cl[j], s->new_upper = p->cu[j];
    return s->new_lower != s->lower || s->new_upper != s->upper;
}

/* l <= x_j <= u by row i, whose only entry is a. */
static void implied_bounds(const presolve *p, int i, double a, double *l, double *u)
{
    *l = a > 0 ? p->rl[i] / a : p->ru[i] / a;
    *u = a > 0 ? p->ru[i] / a : p->rl[i] / a;
}

static void singleton_row(presolve *p, int i)
{
    matrix_entry e = p->nodes[p->chain[ROW][i].first];
    int j = e.at[COL];
    double l, u;
    implied_bounds(p, i, e.value, &l, &u);
    if (!leaves_values(p, i, j, e.value, l, u)) return;
    presolve_record *s = new_step(p, STEP_SINGLETON_ROW, i, j);
    s->a = e.value;
    s->cost = p->cost[j];
    bool tighter = tighten_col(p, s, l, u);
    if (tighter) s->middle = s->end = store_line(p, COL, j, i);
    remove_row(p, i);
    if (tighter) wake_met(p, COL, j);
}

/* As singleton_row. In a long column the tightest such rows are first, so that the others change nothing and are dropped one by
 * one. */
static void singleton_of_many(presolve *p, int i)
{
    matrix_entry e = p->nodes[p->chain[ROW][i].first];
    int j = e.at[COL], tightest[2] = {-1, -1};
    double l, u, lower = p->cl[j], upper = p->cu[j];
    implied_bounds(p, i, e.value, &l, &u);
    bool tightens = l > lower || u < upper;
    for (int k = p->chain[COL][j].first; k >= 0 && tightens; k = p->nodes[k].next[COL]) {
        int r = p->nodes[k].at[ROW];
        if (p->chain[ROW][r].count != 1) continue;
        implied_bounds(p, r, p->nodes[k].value, &l, &u);
        if (l > lower) lower = l, tightest[0] = r;
        if (u < upper) upper = u, tightest[1] = r;
    }
    for (int t = 0; t < 2 && !p->hopeless; t++)
        if (tightest[t] >= 0 && !p->gone[ROW][tightest[t]]) singleton_row(p, tightest[t]);
    if (!p->gone[ROW][i] && !p->hopeless) singleton_row(p, i);
}

/* The row only holds with every column at the bound that makes its activity extreme. */
static void forcing_row(presolve *p, int i, bool at_low)
{
    presolve_record *s = new_step(p, STEP_FORCING_ROW, i, -1);
    s->side = at_low ? VOUCH_AT_UPPER : VOUCH_AT_LOWER; /* the minimal activity meets the upper bound of the row */
    int first = s->begin, last = s->middle = s->end = store_line(p, ROW, i, -1);
    /* The columns follow as steps, undone first; each is at its bound. */
    for (int e = first; e < last && !p->out_of_memory; e++) {
        int j = p->kept_index[e];
        bool lower = (p->kept_value[e] > 0) == at_low;
        presolve_record *f = new_step(p, STEP_FIX_COL, i, j);
        f->middle = f->end = store_line(p, COL, j, i);
        f->cost = p->cost[j];
        f->value = lower ? p->cl[j] : p->cu[j];
        f->side = lower ? VOUCH_AT_LOWER : VOUCH_AT_UPPER;
        remove_col(p, j, f->value);
    }
    p->gone[ROW][i] = true;
}

/* Adds to the entry of row i and column j, which may appear or cancel. False: memory. */
static bool add_to_entry(presolve *p, int i, int j, double amount)
{
    matrix_entry *e = find_entry(p, i, j);
    if (!e) return add_entry(p, i, j, amount) >= 0;
    double sum = e->value + amount;
    if (fabs(sum) <= CANCELLED * larger(fabs(e->value), fabs(amount)))
        delete_entry(p, (int)(e - p->nodes));
    else
        e->value = sum;
    return true;
}

/* x_k = value / b - (a / b) x_j of step s, in all other rows and in the costs. False: memory. */
static bool substitute_other(presolve *p, const presolve_record *s)
{
    int i = s->row, j = s->col, k = s->other;
    double ratio = s->a / s->b;
    p->cost[j] -= ratio * p->cost[k];
    if (fabs(p->cost[j]) <= TOL_DROP * (1 + fabs(ratio * p->cost[k]))) p->cost[j] = 0;
    for (int t = p->chain[COL][k].first; t >= 0; t = p->nodes[t].next[COL]) {
        int r = p->nodes[t].at[ROW];
        if (r == i) continue;
        double v = p->nodes[t].value;
        p->rl[r] -= v * s->value / s->b;
        p->ru[r] -= v * s->value / s->b;
        if (!add_to_entry(p, r, j, -ratio * v)) return false;
        wake(p, ROW, r);
    }
    return true;
}

/* a x_j + b x_k = value: eliminates x_k; its bounds and column are added to those of x_j. */
static void doubleton(presolve *p, int i)
{
    matrix_entry first = p->nodes[p->chain[ROW][i].first], second = p->nodes[first.next[ROW]];
    if (p->chain[COL][first.at[COL]].count < p->chain[COL][second.at[COL]].count) {
        matrix_entry swap = first;
        first = second;
        second = swap;
    }
    int j = first.at[COL], k = second.at[COL];
    double a = first.value, b = second.value, rhs = p->rl[i];
    if (p->chain[COL][k].count > p->reach->doubleton_column || fabs(b) < DOUBLETON_PIVOT * fabs(a)) return;

    /* x_j = (rhs - b x_k) / a */
    double at_low = (rhs - b * p->cl[k]) / a, at_high = (rhs - b * p->cu[k]) / a;
    double l = smaller(at_low, at_high), u = larger(at_low, at_high);
    if (!leaves_values(p, i, j, a, l, u)) return;
    presolve_record *s = new_step(p, STEP_DOUBLETON, i, j);
    s->other = k;
    s->a = a, s->b = b, s->value = rhs;
    s->cost = p->cost[j], s->other_cost = p->cost[k];
    s->other_lower = p->cl[k], s->other_upper = p->cu[k];
    bool tighter = tighten_col(p, s, l, u);
    s->middle = tighter ? store_line(p, COL, j, i) : s->begin;
    s->end = store_line(p, COL, k, i);
    if (p->out_of_memory || !substitute_other(p, s)) return;
    clear_line(p, COL, k);
    remove_row(p, i);
    wake(p, COL, j);
    if (tighter) wake_met(p, COL, j);
}

static void reduce_row(presolve *p, int i)
{
    double rl = p->rl[i], ru = p->ru[i];
    if (rl > ru + presolve_slack(fabs(ru))) {
        p->hopeless = true;
        return;
    }
    if (p->chain[ROW][i].count == 0) {
        double tol = presolve_slack(larger(isinf(rl) ? 0 : fabs(rl), isinf(ru) ? 0 : fabs(ru)));
        if (rl > tol || ru < -tol)
            contradiction(p, i, rl > tol ? 1 : -1);
        else
            drop_row(p, i);
        return;
    }
    if (isinf(rl) && isinf(ru)) {
        drop_row(p, i);
        return;
    }
    if (p->chain[ROW][i].count == 1) {
        if (p->chain[COL][p->nodes[p->chain[ROW][i].first].at[COL]].count > PRESOLVE_LONG)
            singleton_of_many(p, i);
        else
            singleton_row(p, i);
        return;
    }
    if (!may_scan(p, i)) return;
    activity_range t = activity_of(p, i, -1);
    double tol = presolve_slack(t.size);
    double low = t.low_free ? -INFINITY : t.low, high = t.high_free ? INFINITY : t.high;
    if (low > ru + tol || high < rl - tol) {
        contradiction(p, i, high < rl - tol ? 1 : -1);
        return;
    }
    /* A side that the bounds of the columns imply is redundant. */
    bool low_idle = low >= rl - TOL_DROP * (1 + t.size), high_idle = high <= ru + TOL_DROP * (1 + t.size);
    if (low_idle && high_idle) {
        drop_row(p, i);
        return;
    }
    if (low >= ru - TOL_DROP * (1 + t.size)) {
        forcing_row(p, i, true);
        return;
    }
    if (high <= rl + TOL_DROP * (1 + t.size)) {
        forcing_row(p, i, false);
        return;
    }
    if (rl != ru) {
        if (low_idle && !isinf(rl)) p->rl[i] = -INFINITY;
        if (high_idle && !isinf(ru)) p->ru[i] = INFINITY;
    } else if (p->chain[ROW][i].count == 2) {
        doubleton(p, i);
    }
}

/* ---- columns: fixed, empty, one entry, implied bounds; reduced costs of one sign -------------------------------------------- */

/* Longest rows and longest columns examined for implied bounds and for domination. */
enum { SUBSTITUTE_SCAN = 60 };
enum { HELD_SCAN = 20 };

/* Would distributing the cost of j over equality i make a dual feasible cost infeasible? The dual simplex method would then lose
 * its start. */
static bool spoils_costs(presolve *p, int i, int j, double part)
{
    if (!may_scan(p, i)) return true;
    for (int k = p->chain[ROW][i].first; k >= 0; k = p->nodes[k].next[ROW]) {
        int c = p->nodes[k].at[COL];
        double now = p->cost[c] - part * p->nodes[k].value;
        if (c == j) continue;
        if (isinf(p->cu[c]) && p->cost[c] >= 0 && now < 0) return true;
        if (isinf(p->cl[c]) && p->cost[c] <= 0 && now > 0) return true;
    }
    return false;
}

static void lower_cost(presolve *p, int c, double change)
{
    double now = p->cost[c] - change;
    p->cost[c] = fabs(now) <= CANCELLED * larger(fabs(p->cost[c]), fabs(change)) ? 0 : now;
}

/* Subtracts `part` times row i from the costs of its other columns. */
static void spread_cost(presolve *p, int i, int j, double part)
{
    for (int k = p->chain[ROW][i].first; k >= 0 && part != 0; k = p->nodes[k].next[ROW]) {
        int c = p->nodes[k].at[COL];
        if (c == j) continue;
        lower_cost(p, c, part * p->nodes[k].value);
        wake(p, COL, c);
    }
}

/* The only entry of j is in equality i: a x_j = b - (rest) makes i a range. */
static void slack_col(presolve *p, int j)
{
    matrix_entry e = p->nodes[p->chain[COL][j].first];
    int i = e.at[ROW];
    presolve_record *s = new_step(p, STEP_SLACK_COL, i, j);
    s->a = e.value;
    s->value = p->rl[i];
    s->cost = p->cost[j];
    s->lower = p->cl[j], s->upper = p->cu[j];
    s->middle = s->end = store_line(p, ROW, i, j);
    if (p->out_of_memory) return;
    spread_cost(p, i, j, p->cost[j] / e.value);
    double b = p->rl[i];
    p->rl[i] = b - e.value * (e.value > 0 ? p->cu[j] : p->cl[j]);
    p->ru[i] = b - e.value * (e.value > 0 ? p->cl[j] : p->cu[j]);
    clear_line(p, COL, j);
    wake(p, ROW, i);
}

/* Bounds that rows imply for x_j, and which of its own are not implied yet. */
typedef struct implied_ends {
    double lower, upper;
    bool has_lower, has_upper;
} implied_ends;

/* Adds the bounds that row i, with entry a, implies for x_j. Only the needed end of the row is summed, until an infinite bound. */
static void imply(const presolve *p, int i, int j, double a, implied_ends *b)
{
    bool from_high = (a > 0 ? b->has_lower : b->has_upper) && !isinf(p->rl[i]);
    bool from_low = (a > 0 ? b->has_upper : b->has_lower) && !isinf(p->ru[i]);
    activity_range t = {0, 0, 0, 0, 0};
    for (int k = p->chain[ROW][i].first; k >= 0 && (from_high || from_low); k = p->nodes[k].next[ROW]) {
        int c = p->nodes[k].at[COL];
        if (c != j) activity_add(&t, p->nodes[k].value, p->cl[c], p->cu[c]);
        from_high = from_high && !t.high_free;
        from_low = from_low && !t.low_free;
    }
    double low = from_high ? (p->rl[i] - t.high) / a : NAN, high = from_low ? (p->ru[i] - t.low) / a : NAN;
    b->lower = fmax(b->lower, a > 0 ? low : high); /* NAN: none */
    b->upper = fmin(b->upper, a > 0 ? high : low);
}

/* The only entry of j is in an inequality that implies its bounds: the dual of the row is c_j / a, whose sign determines the active
 * side; j absorbs the difference. */
static void free_col(presolve *p, int j)
{
    matrix_entry e = p->nodes[p->chain[COL][j].first];
    int i = e.at[ROW];
    implied_ends b = {-INFINITY, INFINITY, !isinf(p->cl[j]), !isinf(p->cu[j])};
    if (!may_scan(p, i)) return;
    imply(p, i, j, e.value, &b);
    if ((b.has_lower && b.lower < p->cl[j]) || (b.has_upper && b.upper > p->cu[j])) return;
    double y = p->cost[j] / e.value;
    double side = y > 0 ? p->rl[i] : y < 0 ? p->ru[i] : isinf(p->rl[i]) ? p->ru[i] : p->rl[i];
    if (isinf(side)) return; /* unbounded, if feasible; not decided here */
    presolve_record *s = new_step(p, STEP_FREE_COL, i, j);
    s->a = e.value;
    s->cost = p->cost[j];
    s->value = side;
    s->side = side == p->rl[i] ? VOUCH_AT_LOWER : VOUCH_AT_UPPER;
    s->middle = s->end = store_line(p, ROW, i, j);
    if (p->out_of_memory) return;
    spread_cost(p, i, j, y);
    p->gone[COL][j] = true;
    remove_row(p, i);
}

/* Solves short equality i for x_j, an implied free column, and substitutes it in the other rows. */
static void substitute(presolve *p, int i, int j, double a)
{
    presolve_record *s = new_step(p, STEP_SUBSTITUTE, i, j);
    s->a = a;
    s->value = p->rl[i];
    s->cost = p->cost[j];
    int begin = s->begin, middle = s->middle = store_line(p, COL, j, i), end = s->end = store_line(p, ROW, i, j);
    if (p->out_of_memory) return;
    double rhs = p->rl[i], cost = p->cost[j];
    clear_line(p, COL, j);
    for (int e = middle; e < end; e++) {
        int c = p->kept_index[e];
        double part = p->kept_value[e] / a;
        lower_cost(p, c, cost * part);
        for (int t = begin; t < middle; t++)
            if (!add_to_entry(p, p->kept_index[t], c, -part * p->kept_value[t])) return;
    }
    for (int t = begin; t < middle; t++) {
        int r = p->kept_index[t];
        double shift = p->kept_value[t] * rhs / a;
        p->rl[r] -= shift;
        p->ru[r] -= shift;
        wake(p, ROW, r);
        if (p->chain[ROW][r].count <= PRESOLVE_LONG) wake_met(p, ROW, r); /* long rows imply next to nothing */
    }
    remove_row(p, i);
}

/* The shortest equality from which column j can be eliminated without a small pivot or much fill-in; -1: none. *pivot: its entry.
 */
static int substitute_row(const presolve *p, int j, double *pivot)
{
    int best = -1, shortest = p->reach->row + 1;
    double largest = 0;
    for (int k = p->chain[COL][j].first; k >= 0; k = p->nodes[k].next[COL]) {
        const matrix_entry *e = &p->nodes[k];
        int i = e->at[ROW], count = p->chain[ROW][i].count;
        if (count > SUBSTITUTE_SCAN) continue;
        largest = larger(largest, fabs(e->value));
        if (p->rl[i] != p->ru[i] || count >= shortest || count < 2) continue;
        best = i;
        shortest = count;
        *pivot = e->value;
    }
    if (best < 0) return -1;
    for (int k = p->chain[ROW][best].first; k >= 0; k = p->nodes[k].next[ROW]) largest = larger(largest, fabs(p->nodes[k].value));
    int others = p->chain[COL][j].count - 1;
    bool fills = others * (shortest - 1) > shortest + others + p->reach->fill;
    return fills || fabs(*pivot) < SUBSTITUTE_PIVOT * largest ? -1 : best;
}

static bool is_implied_free(const presolve *p, int j)
{
    implied_ends b = {-INFINITY, INFINITY, !isinf(p->cl[j]), !isinf(p->cu[j])};
    for (int k = p->chain[COL][j].first; k >= 0 && (b.has_lower || b.has_upper); k = p->nodes[k].next[COL]) {
        const matrix_entry *e = &p->nodes[k];
        if (p->chain[ROW][e->at[ROW]].count > SUBSTITUTE_SCAN) continue;
        imply(p, e->at[ROW], j, e->value, &b);
        b.has_lower = b.has_lower && b.lower < p->cl[j];
        b.has_upper = b.has_upper && b.upper > p->cu[j];
    }
    return !b.has_lower && !b.has_upper;
}

/* Do every row and the cost push x_j to this bound? Then its reduced cost has one sign. Tested for short columns after any was
 * dominated, so that chains of columns are fixed one by one. */
static bool wants_bound(const presolve *p, int j, bool upper)
{
    bool wants = upper ? p->cost[j] <= 0 && !isinf(p->cu[j]) : p->cost[j] >= 0 && !isinf(p->cl[j]);
    for (int k = p->chain[COL][j].first; k >= 0 && wants; k = p->nodes[k].next[COL]) {
        int i = p->nodes[k].at[ROW];
        wants = isinf((p->nodes[k].value > 0) == upper ? p->ru[i] : p->rl[i]);
    }
    return wants;
}

static void reduce_col(presolve *p, int j)
{
    double l = p->cl[j], u = p->cu[j], c = p->cost[j];
    if (l > u) {
        p->hopeless = true;
    } else if (l == u) {
        fix_col(p, j, l, VOUCH_NONBASIC_FIXED);
    } else if (p->chain[COL][j].count == 0) {
        double at = c > 0 ? l : c < 0 ? u : !isinf(l) ? l : !isinf(u) ? u : 0;
        if (isinf(at))
            p->hopeless = true;
        else
            fix_col(p, j, at, isinf(l) && isinf(u) ? VOUCH_NONBASIC_FREE : at == l ? VOUCH_AT_LOWER : VOUCH_AT_UPPER);
    } else if (p->chain[COL][j].count == 1) {
        matrix_entry e = p->nodes[p->chain[COL][j].first];
        double most = 0;
        if (!may_scan(p, e.at[ROW])) return;
        for (int k = p->chain[ROW][e.at[ROW]].first; k >= 0; k = p->nodes[k].next[ROW])
            most = larger(most, fabs(p->nodes[k].value));
        if (fabs(e.value) < SINGLETON_PIVOT * most) return;
        bool equality = p->rl[e.at[ROW]] == p->ru[e.at[ROW]];
        if (equality && (p->cost[j] == 0 || !spoils_costs(p, e.at[ROW], j, p->cost[j] / e.value)))
            slack_col(p, j);
        else
            free_col(p, j);
    } else if (p->chain[COL][j].count <= p->reach->column) {
        double pivot = 0;
        int i = substitute_row(p, j, &pivot);
        if (i >= 0 && is_implied_free(p, j)) substitute(p, i, j, pivot);
    }
    if (!p->some_dominated || p->gone[COL][j] || p->hopeless || p->out_of_memory || p->chain[COL][j].count > HELD_SCAN) return;
    if (wants_bound(p, j, false))
        fix_col(p, j, p->cl[j], VOUCH_AT_LOWER);
    else if (wants_bound(p, j, true))
        fix_col(p, j, p->cu[j], VOUCH_AT_UPPER);
}

/* Fixes columns whose reduced cost has one sign, by bounds on the duals from the kinds of rows and from singleton columns. */
static void fix_dominated_cols(presolve *p)
{
    double *yl = MEM_NEW(double, 2 * (size_t)p->m + 1), *yu = yl + p->m;
    if (!yl) {
        p->out_of_memory = true;
        return;
    }
    for (int i = 0; i < p->m; i++) {
        yl[i] = isinf(p->ru[i]) ? 0 : -INFINITY;
        yu[i] = isinf(p->rl[i]) ? 0 : INFINITY;
    }
    for (int j = 0; j < p->n; j++) {
        if (p->gone[COL][j] || p->chain[COL][j].count != 1) continue;
        matrix_entry e = p->nodes[p->chain[COL][j].first];
        double y = p->cost[j] / e.value; /* d_j = c_j - a y */
        bool low = !isinf(p->cl[j]), high = !isinf(p->cu[j]);
        if (!high && e.value > 0) yu[e.at[ROW]] = smaller(yu[e.at[ROW]], y); /* d_j >= 0 */
        if (!high && e.value < 0) yl[e.at[ROW]] = larger(yl[e.at[ROW]], y);
        if (!low && e.value > 0) yl[e.at[ROW]] = larger(yl[e.at[ROW]], y);
        if (!low && e.value < 0) yu[e.at[ROW]] = smaller(yu[e.at[ROW]], y);
    }
    for (int j = 0; j < p->n && !is_over(p); j++) {
        if (p->gone[COL][j] || p->chain[COL][j].count < 1) continue;
        activity_range t = {0, 0, 0, 0, 0};
        for (int k = p->chain[COL][j].first; k >= 0; k = p->nodes[k].next[COL])
            activity_add(&t, p->nodes[k].value, yl[p->nodes[k].at[ROW]], yu[p->nodes[k].at[ROW]]);
        double least = t.high_free ? -INFINITY : p->cost[j] - t.high, most = t.low_free ? INFINITY : p->cost[j] - t.low;
        double tol = presolve_slack(larger(t.size, fabs(p->cost[j])));
        if (least > tol) {
            if (isinf(p->cl[j])) continue;
            fix_col(p, j, p->cl[j], VOUCH_AT_LOWER);
            p->some_dominated = true;
        } else if (most < -tol) {
            if (isinf(p->cu[j])) continue;
            fix_col(p, j, p->cu[j], VOUCH_AT_UPPER);
            p->some_dominated = true;
        }
    }
    mem_free(yl);
}

/* ---- rows and columns that are multiples of each other, by hashing ---------------------------------------------------------- */

/* Lists of equal hash compared with each one: most are multiples. */
enum { COMPARED_MOST = 100 };

typedef struct signature {
    uint64_t hash;
    int item, count;
} signature;

static int compare_signatures(const void *a, const void *b)
{
    const signature *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    if (x->count != y->count) return x->count - y->count;
    return x->item - y->item;
}

static uint64_t mixed(uint64_t x)
{
    x = (x ^ (x >> 31)) * UINT64_C(0x9e3779b97f4a7c15);
    return x ^ (x >> 29);
}

static uint64_t hash_ratio(int at, double value, double base)
{
    float ratio = (float)(value / base);
    uint32_t bits;
    memcpy(&bits, &ratio, sizeof bits);
    return mixed(((uint64_t)(uint32_t)at << 32) ^ ((bits + 8) >> 4));
}

/* Hash of the pattern and of magnitudes relative to the entry of least index, rounded. The cost of a column is included: a million
 * columns of one row with different costs are not compared in pairs. */
static uint64_t hash_list(const presolve *p, int item, int side)
{
    int first = p->chain[side][item].first;
    int least = -1;
    double base = 1;
    for (int k = first; k >= 0; k = p->nodes[k].next[side]) {
        int at = p->nodes[k].at[!side];
        if (least < 0 || at < least) least = at, base = p->nodes[k].value;
    }
    uint64_t sum = side == COL && p->cost[item] != 0 ? hash_ratio(-1, p->cost[item], base) : 0;
    for (int k = first; k >= 0; k = p->nodes[k].next[side]) sum += hash_ratio(p->nodes[k].at[!side], p->nodes[k].value, base);
    return sum;
}

/* Returns the factor if list b is a multiple of list a, otherwise 0. work [max(m, n)]: zero, restored. */
static double multiple(const presolve *p, int a, int b, int side, double work[])
{
    for (int k = a; k >= 0; k = p->nodes[k].next[side]) work[p->nodes[k].at[!side]] = p->nodes[k].value;
    double factor = 0;
    for (int k = b; k >= 0; k = p->nodes[k].next[side]) {
        double at = work[p->nodes[k].at[!side]], v = p->nodes[k].value;
        if (at == 0)
            factor = NAN;
        else if (factor == 0)
            factor = v / at;
        else if (!(fabs(v - factor * at) <= TOL_DROP * fabs(v)))
            factor = NAN;
    }
    for (int k = a; k >= 0; k = p->nodes[k].next[side]) work[p->nodes[k].at[!side]] = 0;
    return isnan(factor) ? 0 : factor;
}

/* row_r = factor * row_i: the bounds of r become bounds of i. */
static void same_row(presolve *p, int i, int r, double factor)
{
    double l = factor > 0 ? p->rl[r] / factor : p->ru[r] / factor, u = factor > 0 ? p->ru[r] / factor : p->rl[r] / factor;
    double tol = presolve_slack(larger(isinf(l) ? 0 : fabs(l), isinf(u) ? 0 : fabs(u)));
    if (l > p->ru[i] + tol || u < p->rl[i] - tol) {
        double sign = l > p->ru[i] + tol ? 1 : -1;
        contradiction(p, i, -sign);
        contradiction(p, r, sign / factor);
        return;
    }
    presolve_record *s = new_step(p, STEP_SAME_ROW, r, -1);
    s->other = i;
    s->a = factor;
    s->other_lower = p->rl[i], s->other_upper = p->ru[i];
    if (l > p->rl[i]) p->rl[i] = smaller(l, p->ru[i]);
    if (u < p->ru[i]) p->ru[i] = larger(u, p->rl[i]);
    s->new_lower = p->rl[i], s->new_upper = p->ru[i];
    remove_row(p, r);
    wake(p, ROW, i);
}

/* col_k = factor * col_j, with the costs: x_j := x_j + factor x_k. */
static void same_col(presolve *p, int j, int k, double factor)
{
    presolve_record *s = new_step(p, STEP_SAME_COL, -1, j);
    s->other = k;
    s->a = factor;
    s->lower = p->cl[j], s->upper = p->cu[j];
    s->other_lower = p->cl[k], s->other_upper = p->cu[k];
    double l = factor > 0 ? factor * p->cl[k] : factor * p->cu[k], u = factor > 0 ? factor * p->cu[k] : factor * p->cl[k];
    p->cl[j] += l;
    p->cu[j] += u;
    s->new_lower = p->cl[j], s->new_upper = p->cu[j];
    wake_met(p, COL, k);
    clear_line(p, COL, k);
    wake(p, COL, j);
}

static void look_for_multiples(presolve *p, int side, signature list[], double work[])
{
    int count = 0, limit = side == ROW ? p->m : p->n, least = side == ROW ? 2 : 1;
    const chain *lists = p->chain[side];
    const bool *gone = p->gone[side];
    for (int i = 0; i < limit && !is_over(p); i++) {
        if (gone[i] || lists[i].count < least) continue;
        list[count++] = (signature){hash_list(p, i, side), i, lists[i].count};
    }
    qsort(list, (size_t)count, sizeof *list, compare_signatures);
    for (int a = 0; a < count && !is_over(p); a++) {
        int i = list[a].item;
        if (gone[i]) continue;
        int most = a + COMPARED_MOST < count ? a + COMPARED_MOST : count;
        for (int b = a + 1; b < most && list[b].hash == list[a].hash && list[b].count == list[a].count; b++) {
            int r = list[b].item;
            if (gone[r]) continue;
            if (is_over(p)) return;
            double factor = multiple(p, lists[i].first, lists[r].first, side, work);
            if (factor == 0) continue;
            if (side == ROW)
                same_row(p, i, r, factor);
            else if (fabs(p->cost[r] - factor * p->cost[i]) <= TOL_DROP * fabs(p->cost[r]))
                same_col(p, i, r, factor);
            if (is_over(p)) return;
        }
    }
}

static void merge_multiples(presolve *p)
{
    size_t longest = (size_t)(p->m > p->n ? p->m : p->n) + 1;
    double *work = MEM_ZERO(double, longest);
    signature *list = MEM_NEW(signature, longest);
    if (work && list) {
        look_for_multiples(p, ROW, list, work);
        if (!is_over(p)) look_for_multiples(p, COL, list, work);
    } else {
        p->out_of_memory = true;
    }
    MEM_FREE_ALL(work, list);
}

/* ---- the whole -----------------------------------------------------------------------------------------------------------------
 */

/* Rounds of the costlier reductions. */
enum { ROUNDS_MOST = 8 };
enum { SCANS_MOST = 100 };
/* Largest remaining fraction of rows and columns that is worth a second problem. */
static const double WORTHWHILE = 0.97;
static const solving_reach SHORT = {4, 3, 6, 1}, FURTHER = {8, 8, 12, 3};

static void work_off_queues(presolve *p)
{
    while ((p->waiting[ROW] || p->waiting[COL] || p->waiting_long) && !is_over(p)) {
        int side = p->waiting[ROW] || !p->waiting[COL] ? ROW : COL;
        int i = p->waiting[side] ? p->queue[side][--p->waiting[side]] : p->queue[ROW][p->m - p->waiting_long--];
        p->queued[side][i] = false;
        if (p->gone[side][i]) continue;
        if (side == ROW)
            reduce_row(p, i);
        else
            reduce_col(p, i);
    }
}

static presolve *presolve_load(const vouch_lp_data *lp)
{
    arena a = {0};
    presolve *p = ARENA_ZERO(&a, presolve, 1);
    if (!p) return NULL;
    int m = p->m = lp->rows, n = p->n = lp->cols;
    size_t entries = (size_t)lp->start[n];
    p->node_free = -1;
    p->node_capacity = entries + entries / 4 + 16;
    p->nodes = MEM_NEW(matrix_entry, p->node_capacity);
    double **by_row[] = {&p->rl, &p->ru}, **by_col[] = {&p->cl, &p->cu, &p->cost};
    for (int k = 0; k < 2; k++) *by_row[k] = ARENA_NEW(&a, double, m);
    arena *scratch = &p->scratch;
    p->scan_left = ARENA_NEW(scratch, int64_t, m);
    for (int k = 0; k < 3; k++) *by_col[k] = ARENA_NEW(&a, double, n);
    for (int side = 0; side < SIDES; side++) {
        int count = side == ROW ? m : n;
        p->chain[side] = ARENA_NEW(scratch, chain, count);
        p->gone[side] = ARENA_ZERO(scratch, bool, count);
        p->queued[side] = ARENA_ZERO(scratch, bool, count);
        p->queue[side] = ARENA_NEW(scratch, int, count);
    }
    p->memory = a;
    if (a.failed || scratch->failed || !p->nodes) {
        presolve_free(p);
        return NULL;
    }
    for (int i = 0; i < m; i++) {
        p->chain[ROW][i] = (chain){-1, 0};
        p->rl[i] = lp->row_lower[i], p->ru[i] = lp->row_upper[i];
    }
    for (int j = n - 1; j >= 0; j--) {
        p->chain[COL][j] = (chain){-1, 0};
        p->cl[j] = lp->col_lower[j], p->cu[j] = lp->col_upper[j];
        p->cost[j] = lp->maximize ? -lp->cost[j] : lp->cost[j];
        for (int64_t e = lp->start[j]; e < lp->start[j + 1]; e++)
            if (lp->value[e] != 0) add_entry(p, lp->index[e], j, lp->value[e]);
    }
    for (int j = n - 1; j >= 0; j--) wake(p, COL, j);
    for (int i = m - 1; i >= 0; i--) {
        p->scan_left[i] = SCANS_MOST * (int64_t)p->chain[ROW][i].count;
        wake(p, ROW, i);
    }
    return p;
}

/* Chains by row and by column hold the same entries, none of them removed. */
static void chains_check(const presolve *p)
{
    if (!CHECKING) return;
    long long by_row = 0, by_col = 0;
    for (int i = 0; i < p->m; i++) {
        int count = 0;
        for (int k = p->chain[ROW][i].first; k >= 0; k = p->nodes[k].next[ROW], count++) {
            CHECK(p->nodes[k].at[ROW] == i && !p->gone[COL][p->nodes[k].at[COL]]);
            CHECK(p->nodes[k].next[ROW] < 0 || p->nodes[p->nodes[k].next[ROW]].back[ROW] == k);
        }
        CHECK_COMPARE(count, ==, p->chain[ROW][i].count);
        CHECK(!p->gone[ROW][i] || count == 0);
        by_row += count;
    }
    for (int j = 0; j < p->n; j++) by_col += p->chain[COL][j].count;
    CHECK_COMPARE(by_row, ==, by_col);
}

static void drop_scratch(presolve *p)
{
    mem_free(p->nodes);
    p->nodes = NULL;
    arena_free(&p->scratch);
    for (int side = 0; side < SIDES; side++) {
        p->chain[side] = NULL;
        p->gone[side] = p->queued[side] = NULL;
        p->queue[side] = NULL;
    }
    p->scan_left = NULL;
}

static bool lay_out(presolve *p)
{
    arena *a = &p->memory;
    size_t entries = 0;
    int *new_row = ARENA_NEW(&p->scratch, int, p->m);
    p->name[ROW] = ARENA_NEW(a, int, p->m);
    p->name[COL] = ARENA_NEW(a, int, p->n);
    if (a->failed || p->scratch.failed) return false;
    for (int i = 0; i < p->m; i++) {
        if (p->gone[ROW][i]) continue;
        new_row[i] = p->rows;
        p->name[ROW][p->rows++] = i;
    }
    for (int j = 0; j < p->n; j++) {
        if (p->gone[COL][j]) continue;
        p->name[COL][p->cols++] = j;
        entries += (size_t)p->chain[COL][j].count;
    }
    int64_t *start = ARENA_NEW(a, int64_t, p->cols + 1), at = 0;
    int *index = ARENA_NEW(a, int, entries);
    double *value = ARENA_NEW(a, double, entries);
    if (a->failed) return false;
    for (int c = 0; c < p->cols; c++) {
        int j = p->name[COL][c];
        start[c] = at;
        /* In place: names only rise. */
        p->cost[c] = p->cost[j], p->cl[c] = p->cl[j], p->cu[c] = p->cu[j];
        for (int k = p->chain[COL][j].first; k >= 0; k = p->nodes[k].next[COL]) {
            index[at] = new_row[p->nodes[k].at[ROW]];
            value[at++] = p->nodes[k].value;
        }
    }
    start[p->cols] = at;
    CHECK_COMPARE((size_t)at, ==, entries);
    for (int r = 0; r < p->rows; r++) p->rl[r] = p->rl[p->name[ROW][r]], p->ru[r] = p->ru[p->name[ROW][r]];
    p->reduced = (vouch_lp_data){.rows = p->rows,
                                 .cols = p->cols,
                                 .start = start,
                                 .index = index,
                                 .value = value,
                                 .cost = p->cost,
                                 .col_lower = p->cl,
                                 .col_upper = p->cu,
                                 .row_lower = p->rl,
                                 .row_upper = p->ru};
    drop_scratch(p);
    return true;
}

presolve_end presolve_run(const vouch_lp_data *lp, bool further, const deadline *limit, presolve **out)
{
    presolve *p = *out = presolve_load(lp);
    if (!p) return PRESOLVE_MEMORY;
    p->limit = limit;
    p->reach = further ? &FURTHER : &SHORT;
    for (int round = 0; round < ROUNDS_MOST && !is_over(p); round++) {
        work_off_queues(p);
        size_t before = p->step_count;
        if (!is_over(p)) fix_dominated_cols(p);
        if (!is_over(p)) merge_multiples(p);
        if (p->step_count == before) break;
    }
    work_off_queues(p);
    if (p->out_of_memory) return PRESOLVE_MEMORY;
    if (p->hopeless) return PRESOLVE_HOPELESS;
    chains_check(p);
    if (p->out_of_time || deadline_expired(limit)) return PRESOLVE_LIMIT;
    if (!lay_out(p)) return PRESOLVE_MEMORY;
    return p->rows + p->cols <= WORTHWHILE * (p->m + p->n) ? PRESOLVE_REDUCED : PRESOLVE_NOTHING;
}

void presolve_free(presolve *p)
{
    if (!p) return;
    MEM_FREE_ALL(p->nodes, p->steps, p->kept_index, p->kept_value);
    arena_free(&p->scratch);
    arena_free(&p->memory);
}

const vouch_lp_data *presolve_problem(const presolve *p) { return &p->reduced; }

/* ---- undoing the steps, last first, on basis, values and duals -----------------------------------------------------
 *
 * Each step turns the basis of the smaller problem into one of the larger: one more row needs one more basic variable. If a bound
 * of the smaller problem came from a removed row or column, that becomes nonbasic and the column basic. Duals, for minimisation,
 * decide at which bound a fixed variable is. */

typedef struct way_back {
    const presolve *p;
    unsigned char *row, *col; /* status */
    double *x, *y;
    bool ray; /* y proves infeasibility: costs count as 0, x is not used */
} way_back;

static double cost_of(const way_back *w, double cost) { return w->ray ? 0 : cost; }

/* cost - stored column times y */
static double reduced_cost(const way_back *w, double cost, int begin, int end)
{
    cost = cost_of(w, cost);
    for (int e = begin; e < end; e++) cost -= w->p->kept_value[e] * w->y[w->p->kept_index[e]];
    return cost;
}

/* stored row times x */
static double rest_of_row(const way_back *w, int begin, int end)
{
    double sum = 0;
    for (int e = begin; e < end; e++) sum += w->p->kept_value[e] * w->x[w->p->kept_index[e]];
    return sum;
}

/* Is a nonbasic column at its lower bound? For a fixed one the reduced cost decides. */
static bool stands_low(unsigned char status, double reduced)
{
    if (status == VOUCH_AT_LOWER) return true;
    if (status == VOUCH_AT_UPPER) return false;
    return reduced >= 0;
}

static unsigned char side(bool low) { return low ? VOUCH_AT_LOWER : VOUCH_AT_UPPER; }

static void undo_fix_col(way_back *w, const presolve_record *s)
{
    w->col[s->col] = s->side;
    w->x[s->col] = s->value;
}

static void undo_drop_row(way_back *w, const presolve_record *s)
{
    w->row[s->row] = VOUCH_BASIC;
    w->y[s->row] = 0;
}

/* Did the step change bounds of its column? Only then its list is stored. */
static bool tightened(const presolve_record *s) { return s->new_lower != s->lower || s->new_upper != s->upper; }

static void undo_singleton_row(way_back *w, const presolve_record *s)
{
    undo_drop_row(w, s);
    if (w->col[s->col] == VOUCH_BASIC || !tightened(s)) return;
    double d = reduced_cost(w, s->cost, s->begin, s->middle);
    bool low = stands_low(w->col[s->col], d);
    bool from_row = low ? s->new_lower > s->lower : s->new_upper < s->upper;
    if (!from_row) {
        if (w->col[s->col] == VOUCH_NONBASIC_FIXED) w->col[s->col] = side(low);
        return;
    }
    w->col[s->col] = VOUCH_BASIC;
    w->row[s->row] = side(low == (s->a > 0));
    w->y[s->row] = d / s->a;
}

/* The columns are at their bounds. If the dual of the row cannot be 0, it makes the worst reduced cost 0, and that column becomes
 * basic. */
static void undo_forcing_row(way_back *w, const presolve_record *s)
{
    const presolve *p = w->p;
    double y = 0;
    int worst = -1;
    /* the steps of the columns follow this one */
    const presolve_record *fixed = s + 1;
    for (int e = s->begin; e < s->middle; e++, fixed++) {
        double a = p->kept_value[e], d = reduced_cost(w, fixed->cost, fixed->begin, fixed->middle);
        bool low = fixed->side == VOUCH_AT_LOWER;
        if (low ? d >= 0 : d <= 0) continue;
        double wanted = d / a;
        if (worst < 0 || fabs(wanted) > fabs(y)) y = wanted, worst = p->kept_index[e];
    }
    undo_drop_row(w, s);
    if (worst < 0) return;
    w->col[worst] = VOUCH_BASIC;
    w->row[s->row] = s->side;
    w->y[s->row] = y;
}

static void undo_slack_col(way_back *w, const presolve_record *s)
{
    unsigned char now = w->row[s->row];
    w->x[s->col] = (s->value - rest_of_row(w, s->begin, s->middle)) / s->a;
    if (now == VOUCH_BASIC)
        w->col[s->col] = VOUCH_BASIC;
    else {
        bool low = stands_low(now, w->y[s->row]);
        w->col[s->col] = side(low != (s->a > 0));
    }
    w->row[s->row] = VOUCH_NONBASIC_FIXED;
    w->y[s->row] += cost_of(w, s->cost) / s->a;
}

static void undo_free_col(way_back *w, const presolve_record *s)
{
    w->x[s->col] = (s->value - rest_of_row(w, s->begin, s->middle)) / s->a;
    w->col[s->col] = VOUCH_BASIC;
    w->row[s->row] = s->side;
    w->y[s->row] = cost_of(w, s->cost) / s->a;
}

static void undo_substitute(way_back *w, const presolve_record *s)
{
    w->x[s->col] = (s->value - rest_of_row(w, s->middle, s->end)) / s->a;
    w->col[s->col] = VOUCH_BASIC;
    w->row[s->row] = VOUCH_NONBASIC_FIXED;
    w->y[s->row] = reduced_cost(w, s->cost, s->begin, s->middle) / s->a;
}

static void undo_doubleton(way_back *w, const presolve_record *s)
{
    double ratio = s->a / s->b;
    w->x[s->other] = (s->value - s->a * w->x[s->col]) / s->b;
    w->row[s->row] = VOUCH_NONBASIC_FIXED;
    bool other_basic = true;
    if (w->col[s->col] != VOUCH_BASIC && tightened(s)) {
        double d = reduced_cost(w, s->cost, s->begin, s->middle) - ratio * reduced_cost(w, s->other_cost, s->middle, s->end);
        bool low = stands_low(w->col[s->col], d);
        bool from_other = low ? s->new_lower > s->lower : s->new_upper < s->upper;
        if (from_other) {
            w->col[s->col] = VOUCH_BASIC;
            w->col[s->other] = side(low != (ratio > 0));
            other_basic = false;
        } else if (w->col[s->col] == VOUCH_NONBASIC_FIXED) {
            w->col[s->col] = side(low);
        }
    }
    if (other_basic) {
        w->col[s->other] = VOUCH_BASIC;
        w->y[s->row] = reduced_cost(w, s->other_cost, s->middle, s->end) / s->b;
    } else {
        w->y[s->row] = reduced_cost(w, s->cost, s->begin, s->middle) / s->a;
    }
}

static void undo_same_row(way_back *w, const presolve_record *s)
{
    int kept = s->other;
    undo_drop_row(w, s);
    if (w->row[kept] == VOUCH_BASIC) return;
    bool low = stands_low(w->row[kept], w->y[kept]);
    bool from_other = low ? s->new_lower > s->other_lower : s->new_upper < s->other_upper;
    if (!from_other) {
        if (w->row[kept] == VOUCH_NONBASIC_FIXED) w->row[kept] = side(low);
        return;
    }
    w->row[kept] = VOUCH_BASIC;
    w->row[s->row] = side(low == (s->a > 0));
    w->y[s->row] = w->y[kept] / s->a;
    w->y[kept] = 0;
}

static void undo_same_col(way_back *w, const presolve_record *s)
{
    int j = s->col, k = s->other;
    double z = w->x[j];
    if (w->ray) { /* their reduced costs are multiples, and 0 together */
        w->col[k] = w->col[j] = w->col[j] == VOUCH_BASIC ? VOUCH_BASIC : VOUCH_NONBASIC_FIXED;
        return;
    }
    if (w->col[j] != VOUCH_BASIC) {
        bool low = stands_low(w->col[j], 0);
        bool other_low = low == (s->a > 0);
        w->col[j] = side(low);
        w->col[k] = side(other_low);
        w->x[j] = low ? s->lower : s->upper;
        w->x[k] = other_low ? s->other_lower : s->other_upper;
        return;
    }
    /* One of them is at a bound. */
    for (int t = 0; t < 2; t++) {
        double at = t ? s->other_upper : s->other_lower, rest = z - s->a * at;
        double tol = TOL_PRESOLVE * (1 + fabs(z));
        if (isinf(at) || rest < s->lower - tol || rest > s->upper + tol) continue;
        w->col[k] = side(t == 0);
        w->x[k] = at;
        w->x[j] = rest;
        return;
    }
    if (isinf(s->other_lower) && isinf(s->other_upper)) {
        w->col[k] = isinf(s->lower) && isinf(s->upper) ? VOUCH_NONBASIC_FREE : VOUCH_BASIC;
        w->x[k] = 0;
        if (w->col[k] != VOUCH_BASIC) return;
    }
    bool low = !isinf(s->lower) && (isinf(s->upper) || (z - s->lower) / s->a <= larger(s->other_upper, s->other_lower));
    w->col[j] = side(low);
    w->col[k] = VOUCH_BASIC;
    w->x[j] = low ? s->lower : s->upper;
    w->x[k] = (z - w->x[j]) / s->a;
}

static void undo_all(way_back *w)
{
    static void (*const undo[])(way_back *, const presolve_record *) = {
        [STEP_FIX_COL] = undo_fix_col,         [STEP_DROP_ROW] = undo_drop_row,   [STEP_SINGLETON_ROW] = undo_singleton_row,
        [STEP_FORCING_ROW] = undo_forcing_row, [STEP_SLACK_COL] = undo_slack_col, [STEP_FREE_COL] = undo_free_col,
        [STEP_SUBSTITUTE] = undo_substitute,   [STEP_DOUBLETON] = undo_doubleton, [STEP_SAME_ROW] = undo_same_row,
        [STEP_SAME_COL] = undo_same_col,
    };
    for (size_t t = w->p->step_count; t-- > 0;) undo[w->p->steps[t].kind](w, &w->p->steps[t]);
}

int presolve_undo(const presolve *p, const unsigned char status[], const double x[], const double y[], unsigned char full_status[])
{
    way_back w = {p, full_status, full_status + p->m, MEM_ZERO(double, p->n), MEM_ZERO(double, p->m), false};
    if (!w.x || !w.y) {
        MEM_FREE_ALL(w.x, w.y);
        return -1;
    }
    for (int i = 0; i < p->m; i++) w.row[i] = VOUCH_BASIC;
    for (int j = 0; j < p->n; j++) w.col[j] = VOUCH_AT_LOWER;
    for (int r = 0; r < p->rows; r++) w.row[p->name[ROW][r]] = status[r], w.y[p->name[ROW][r]] = y[r];
    for (int c = 0; c < p->cols; c++) w.col[p->name[COL][c]] = status[p->rows + c], w.x[p->name[COL][c]] = x[c];
    undo_all(&w);
    MEM_FREE_ALL(w.x, w.y);
    return 0;
}

/* A proof of infeasibility prices every column at the bound indicated by its reduced cost for costs 0. If that bound came from a
 * row, the row gets the multiplier that makes the reduced cost 0: the steps are those of an optimal basis. */
int presolve_ray(const presolve *p, double y[])
{
    if (!p->witnesses) return 1;
    unsigned char *status = MEM_NEW(unsigned char, (size_t)p->m + (size_t)p->n);
    way_back w = {p, status, status + p->m, MEM_ZERO(double, p->n), y, true};
    if (status && w.x) {
        for (int i = 0; i < p->m; i++) w.row[i] = VOUCH_BASIC, y[i] = 0;
        for (int j = 0; j < p->n; j++) w.col[j] = VOUCH_NONBASIC_FIXED;
        for (int k = 0; k < p->witnesses; k++) {
            w.row[p->witness_row[k]] = VOUCH_NONBASIC_FIXED;
            y[p->witness_row[k]] = p->witness[k];
        }
        undo_all(&w);
    }
    int failed = status && w.x ? 0 : -1;
    MEM_FREE_ALL(status, w.x);
    return failed;
}
