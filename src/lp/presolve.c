/* lp/presolve.c - reductions that keep the optimum; each leaves a step from which postsolve.c finds its way back.
 *
 * Rows and columns wait in queues and are looked at until nothing changes:
 *   rows     empty; one entry (becomes a bound); redundant or forcing by the bounds of its activity; equality of two entries
 *   columns  fixed; empty; one entry in an equality (a slack: the row becomes a range) or with bounds the row implies
 * then, less often: columns whose reduced cost keeps one sign for all feasible duals, rows and columns that are multiples
 * of each other. An apparent contradiction ends presolve: its proof is left to the simplex method on the full problem.
 * Sources: A. L. Brearley, G. Mitra and H. P. Williams, Math. Programming 8 (1975); E. D. Andersen and K. D. Andersen, Math.
 * Programming 71 (1995). Deviation: only the basis is carried back; values and duals of the full problem are
 * computed from it, so that they are as exact as its factors.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "la/vector.h"
#include "lp/presolve_private.h"
#include "lp/tolerance.h"

/* Rounds of the costlier searches. */
#define ROUNDS_MOST 8
/* An equality of two entries is solved for a column of at most this many entries: bounds fill-in. */
#define DOUBLETON_COLUMN 4
/* A column of at most SUBSTITUTE_COLUMN entries is solved for in an equality of at most SUBSTITUTE_ROW when that adds at most
 * SUBSTITUTE_FILL entries; rows longer than SUBSTITUTE_SCAN are not asked what they imply. */
#define SUBSTITUTE_COLUMN 3
#define SUBSTITUTE_ROW 6
#define SUBSTITUTE_FILL 1
#define SUBSTITUTE_SCAN 60
/* Steps that leave more than this part of rows plus columns in place are not worth a second problem. */
#define WORTHWHILE 0.97

/* ---- entries -------------------------------------------------------------------------------------------------- */

static int new_node(presolve *p, int row, int col, double value)
{
    int k = p->node_free;
    if (k >= 0) {
        p->node_free = p->nodes[k].row_next;
    } else {
        if (mem_reserve((void **)&p->nodes, &p->node_room, p->node_count, sizeof(node))) {
            p->out_of_memory = true;
            return -1;
        }
        k = (int)p->node_count++;
    }
    p->nodes[k] = (node){row, col, p->row[row].first, -1, p->col[col].first, -1, value};
    if (p->row[row].first >= 0) p->nodes[p->row[row].first].row_back = k;
    if (p->col[col].first >= 0) p->nodes[p->col[col].first].col_back = k;
    p->row[row].first = p->col[col].first = k;
    p->row[row].count++;
    p->col[col].count++;
    return k;
}

static void delete_node(presolve *p, int k)
{
    node *e = &p->nodes[k];
    if (e->row_back >= 0) p->nodes[e->row_back].row_next = e->row_next;
    else p->row[e->row].first = e->row_next;
    if (e->row_next >= 0) p->nodes[e->row_next].row_back = e->row_back;
    if (e->col_back >= 0) p->nodes[e->col_back].col_next = e->col_next;
    else p->col[e->col].first = e->col_next;
    if (e->col_next >= 0) p->nodes[e->col_next].col_back = e->col_back;
    p->row[e->row].count--;
    p->col[e->col].count--;
    e->row_next = p->node_free;
    p->node_free = k;
}

static void wake_row(presolve *p, int i)
{
    if (p->row_queued[i] || p->row_gone[i]) return;
    p->row_queued[i] = true;
    p->row_queue[p->row_waiting++] = i;
}

static void wake_col(presolve *p, int j)
{
    if (p->col_queued[j] || p->col_gone[j]) return;
    p->col_queued[j] = true;
    p->col_queue[p->col_waiting++] = j;
}

static void wake_rows_of(presolve *p, int j)
{
    for (int k = p->col[j].first; k >= 0; k = p->nodes[k].col_next) wake_row(p, p->nodes[k].row);
}

static void wake_cols_of(presolve *p, int i)
{
    for (int k = p->row[i].first; k >= 0; k = p->nodes[k].row_next) wake_col(p, p->nodes[k].col);
}

/* ---- steps ----------------------------------------------------------------------------------------------------- */

static step *new_step(presolve *p, step_kind kind, int row, int col)
{
    static step spare;
    if (mem_reserve((void **)&p->steps, &p->step_room, p->step_count, sizeof(step))) {
        p->out_of_memory = true;
        return &spare;
    }
    step *s = &p->steps[p->step_count++];
    *s = (step){.kind = kind, .row = row, .col = col, .other = -1};
    s->begin = s->middle = s->end = (int)p->kept_count;
    return s;
}

static void keep_entry(presolve *p, int index, double value)
{
    if (p->kept_count == p->kept_room) {
        size_t room = 2 * p->kept_room + 256;
        int *i = mem_resize(p->kept_index, room, sizeof *i);
        if (i) p->kept_index = i;
        double *v = mem_resize(p->kept_value, room, sizeof *v);
        if (v) p->kept_value = v;
        if (!i || !v) {
            p->out_of_memory = true;
            return;
        }
        p->kept_room = room;
    }
    p->kept_index[p->kept_count] = index;
    p->kept_value[p->kept_count++] = value;
}

/* Column j without row i. */
static void keep_col(presolve *p, int j, int i)
{
    for (int k = p->col[j].first; k >= 0; k = p->nodes[k].col_next) {
        if (p->nodes[k].row != i) keep_entry(p, p->nodes[k].row, p->nodes[k].value);
    }
}

static void keep_row(presolve *p, int i, int j)
{
    for (int k = p->row[i].first; k >= 0; k = p->nodes[k].row_next) {
        if (p->nodes[k].col != j) keep_entry(p, p->nodes[k].col, p->nodes[k].value);
    }
}

static void remove_row(presolve *p, int i)
{
    wake_cols_of(p, i);
    while (p->row[i].first >= 0) delete_node(p, p->row[i].first);
    p->row_gone[i] = true;
}

static void drop_row(presolve *p, int i)
{
    new_step(p, STEP_DROP_ROW, i, -1);
    remove_row(p, i);
}

static void remove_col_at(presolve *p, int j, double value)
{
    for (int k = p->col[j].first; k >= 0; k = p->nodes[k].col_next) {
        int i = p->nodes[k].row;
        p->rl[i] -= p->nodes[k].value * value;
        p->ru[i] -= p->nodes[k].value * value;
        wake_row(p, i);
    }
    while (p->col[j].first >= 0) delete_node(p, p->col[j].first);
    p->col_gone[j] = true;
}

static void fix_col(presolve *p, int j, double value, unsigned char side)
{
    step *s = new_step(p, STEP_FIX_COL, -1, j);
    s->value = value;
    s->side = side;
    remove_col_at(p, j, value);
}

/* ---- rows ------------------------------------------------------------------------------------------------------ */

typedef struct activity {
    double low, high;        /* of the finite terms */
    int low_free, high_free; /* infinite terms */
    double size;             /* largest finite term */
} activity;

static void add_term(activity *t, double a, double lower, double upper)
{
    double low = a > 0 ? a * lower : a * upper, high = a > 0 ? a * upper : a * lower;
    if (isinf(low)) t->low_free++;
    else t->low += low, t->size = larger(t->size, fabs(low));
    if (isinf(high)) t->high_free++;
    else t->high += high, t->size = larger(t->size, fabs(high));
}

static activity row_activity(const presolve *p, int i)
{
    activity t = {0, 0, 0, 0, 0};
    for (int k = p->row[i].first; k >= 0; k = p->nodes[k].row_next) {
        int j = p->nodes[k].col;
        add_term(&t, p->nodes[k].value, p->cl[j], p->cu[j]);
    }
    return t;
}

static double slack_of(double size) { return TOL_PRESOLVE * (1 + size); }

static void singleton_row(presolve *p, int i)
{
    node e = p->nodes[p->row[i].first];
    int j = e.col;
    double l = e.value > 0 ? p->rl[i] / e.value : p->ru[i] / e.value;
    double u = e.value > 0 ? p->ru[i] / e.value : p->rl[i] / e.value;
    step *s = new_step(p, STEP_SINGLETON_ROW, i, j);
    s->a = e.value;
    s->cost = p->cost[j];
    s->lower = p->cl[j], s->upper = p->cu[j];
    double tol = slack_of(larger(isinf(l) ? 0 : fabs(l), isinf(u) ? 0 : fabs(u)));
    if (l > s->upper + tol || u < s->lower - tol || l > u + tol) {
        p->hopeless = true;
        return;
    }
    /* Bounds that meet within rounding become one value; those that hardly tighten are left. */
    p->cl[j] = l > s->lower ? smaller(l, s->upper) : s->lower;
    p->cu[j] = u < s->upper ? larger(u, p->cl[j]) : s->upper;
    s->new_lower = p->cl[j], s->new_upper = p->cu[j];
    keep_col(p, j, i);
    p->steps[p->step_count - 1].middle = p->steps[p->step_count - 1].end = (int)p->kept_count;
    remove_row(p, i);
    wake_col(p, j);
    wake_rows_of(p, j);
}

/* The row can only hold with every column at the bound that makes its activity extreme. */
static void forcing_row(presolve *p, int i, bool at_low)
{
    step *s = new_step(p, STEP_FORCING_ROW, i, -1);
    s->side = at_low ? VOUCH_AT_UPPER : VOUCH_AT_LOWER; /* the least activity meets the upper bound of the row */
    int first = (int)p->kept_count;
    keep_row(p, i, -1);
    int last = (int)p->kept_count;
    if (p->out_of_memory) return;
    size_t at = p->step_count - 1;
    p->steps[at].begin = first;
    p->steps[at].middle = p->steps[at].end = last;
    /* Its columns follow as steps of their own which, undone first, put them at their bounds; each stores itself. */
    for (int e = first; e < last && !p->out_of_memory; e++) {
        int j = p->kept_index[e];
        bool lower = (p->kept_value[e] > 0) == at_low;
        int begin = (int)p->kept_count;
        keep_col(p, j, i);
        step *f = new_step(p, STEP_FIX_COL, i, j);
        f->begin = begin;
        f->middle = f->end = (int)p->kept_count;
        f->cost = p->cost[j];
        f->value = lower ? p->cl[j] : p->cu[j];
        f->side = lower ? VOUCH_AT_LOWER : VOUCH_AT_UPPER;
        double value = f->value;
        remove_col_at(p, j, value);
    }
    p->row_gone[i] = true;
}

static node *entry_of(const presolve *p, int i, int j)
{
    for (int k = p->row[i].first; k >= 0; k = p->nodes[k].row_next) {
        if (p->nodes[k].col == j) return &p->nodes[k];
    }
    return NULL;
}

/* a x_j + b x_k = value: x_k leaves, its bounds become bounds of x_j, its column is added to that of x_j. */
static void doubleton(presolve *p, int i)
{
    node first = p->nodes[p->row[i].first], second = p->nodes[first.row_next];
    if (p->col[first.col].count < p->col[second.col].count) {
        node swap = first;
        first = second;
        second = swap;
    }
    int j = first.col, k = second.col;
    double a = first.value, b = second.value, rhs = p->rl[i];
    if (p->col[k].count > DOUBLETON_COLUMN || fabs(b) < DOUBLETON_PIVOT * fabs(a)) return;

    step *s = new_step(p, STEP_DOUBLETON, i, j);
    s->other = k;
    s->a = a, s->b = b, s->value = rhs;
    s->cost = p->cost[j], s->other_cost = p->cost[k];
    s->lower = p->cl[j], s->upper = p->cu[j];
    s->other_lower = p->cl[k], s->other_upper = p->cu[k];
    /* x_j = (rhs - b x_k) / a */
    double at_low = (rhs - b * p->cl[k]) / a, at_high = (rhs - b * p->cu[k]) / a;
    double l = smaller(at_low, at_high), u = larger(at_low, at_high);
    double tol = slack_of(larger(isinf(l) ? 0 : fabs(l), isinf(u) ? 0 : fabs(u)));
    if (l > s->upper + tol || u < s->lower - tol) {
        p->hopeless = true;
        return;
    }
    p->cl[j] = l > s->lower ? smaller(l, s->upper) : s->lower;
    p->cu[j] = u < s->upper ? larger(u, p->cl[j]) : s->upper;
    s->new_lower = p->cl[j], s->new_upper = p->cu[j];
    size_t at = p->step_count - 1;
    keep_col(p, j, i);
    if (p->out_of_memory) return;
    p->steps[at].middle = (int)p->kept_count;
    keep_col(p, k, i);
    if (p->out_of_memory) return;
    p->steps[at].end = (int)p->kept_count;

    /* x_k = rhs / b - (a / b) x_j in every other row and in the costs. */
    double ratio = a / b;
    p->cost[j] -= ratio * p->cost[k];
    if (fabs(p->cost[j]) <= TOL_DROP * (1 + fabs(ratio * p->cost[k]))) p->cost[j] = 0;
    for (int t = p->col[k].first; t >= 0; t = p->nodes[t].col_next) {
        int r = p->nodes[t].row;
        if (r == i) continue;
        double v = p->nodes[t].value;
        p->rl[r] -= v * rhs / b;
        p->ru[r] -= v * rhs / b;
        node *e = entry_of(p, r, j);
        if (e) {
            double now = e->value - ratio * v;
            if (fabs(now) <= CANCELLED * larger(fabs(e->value), fabs(ratio * v))) delete_node(p, (int)(e - p->nodes));
            else e->value = now;
        } else if (new_node(p, r, j, -ratio * v) < 0) {
            return;
        }
        wake_row(p, r);
    }
    while (p->col[k].first >= 0) delete_node(p, p->col[k].first);
    p->col_gone[k] = true;
    remove_row(p, i);
    wake_col(p, j);
    wake_rows_of(p, j);
}

static void look_at_row(presolve *p, int i)
{
    double rl = p->rl[i], ru = p->ru[i];
    if (rl > ru + slack_of(fabs(ru))) {
        p->hopeless = true;
        return;
    }
    if (p->row[i].count == 0) {
        double tol = slack_of(larger(isinf(rl) ? 0 : fabs(rl), isinf(ru) ? 0 : fabs(ru)));
        if (rl > tol || ru < -tol) p->hopeless = true;
        else drop_row(p, i);
        return;
    }
    if (isinf(rl) && isinf(ru)) {
        drop_row(p, i);
        return;
    }
    if (p->row[i].count == 1) {
        singleton_row(p, i);
        return;
    }
    activity t = row_activity(p, i);
    double tol = slack_of(t.size);
    double low = t.low_free ? -INFINITY : t.low, high = t.high_free ? INFINITY : t.high;
    if (low > ru + tol || high < rl - tol) {
        p->hopeless = true;
        return;
    }
    /* A side that the bounds of the columns imply is not needed. */
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
    } else if (p->row[i].count == 2) {
        doubleton(p, i);
    }
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* Would spreading the cost of j over equality i spoil the sign of a cost that is dual feasible as it stands? The dual simplex
 * method then would have to work its way back to where it could have started. */
static bool spoils_costs(const presolve *p, int i, int j, double part)
{
    for (int k = p->row[i].first; k >= 0; k = p->nodes[k].row_next) {
        int c = p->nodes[k].col;
        double now = p->cost[c] - part * p->nodes[k].value;
        if (c == j) continue;
        if (isinf(p->cu[c]) && p->cost[c] >= 0 && now < 0) return true;
        if (isinf(p->cl[c]) && p->cost[c] <= 0 && now > 0) return true;
    }
    return false;
}

/* The only entry of j lies in equality i: a x_j = b - (rest) makes i a range on the rest. */
static void slack_col(presolve *p, int j)
{
    node e = p->nodes[p->col[j].first];
    int i = e.row;
    step *s = new_step(p, STEP_SLACK_COL, i, j);
    s->a = e.value;
    s->value = p->rl[i];
    s->cost = p->cost[j];
    s->lower = p->cl[j], s->upper = p->cu[j];
    keep_row(p, i, j);
    if (p->out_of_memory) return;
    p->steps[p->step_count - 1].middle = p->steps[p->step_count - 1].end = (int)p->kept_count;
    double part = p->cost[j] / e.value, b = p->rl[i];
    for (int k = p->row[i].first; k >= 0; k = p->nodes[k].row_next) {
        int c = p->nodes[k].col;
        if (c == j || part == 0) continue;
        double change = part * p->nodes[k].value, now = p->cost[c] - change;
        p->cost[c] = fabs(now) <= CANCELLED * larger(fabs(p->cost[c]), fabs(change)) ? 0 : now;
        wake_col(p, c);
    }
    double low = e.value > 0 ? e.value * p->cl[j] : e.value * p->cu[j];
    double high = e.value > 0 ? e.value * p->cu[j] : e.value * p->cl[j];
    p->rl[i] = b - high;
    p->ru[i] = b - low;
    delete_node(p, p->col[j].first);
    p->col_gone[j] = true;
    wake_row(p, i);
}

/* The only entry of j lies in an inequality that implies its bounds: the dual of the row is c_j / a, which says at
 * which side the row stands; j makes up for it. */
static void free_col(presolve *p, int j)
{
    node e = p->nodes[p->col[j].first];
    int i = e.row;
    activity t = {0, 0, 0, 0, 0};
    for (int k = p->row[i].first; k >= 0; k = p->nodes[k].row_next) {
        int c = p->nodes[k].col;
        if (c != j) add_term(&t, p->nodes[k].value, p->cl[c], p->cu[c]);
    }
    double low = t.low_free ? -INFINITY : t.low, high = t.high_free ? INFINITY : t.high;
    /* a x_j in [rl - high, ru - low] when only the rest of the row restricts it */
    double l = e.value > 0 ? (p->rl[i] - high) / e.value : (p->ru[i] - low) / e.value;
    double u = e.value > 0 ? (p->ru[i] - low) / e.value : (p->rl[i] - high) / e.value;
    if (isnan(l) || isnan(u) || l < p->cl[j] || u > p->cu[j]) return;
    double y = p->cost[j] / e.value;
    double side = y > 0 ? p->rl[i] : y < 0 ? p->ru[i] : isinf(p->rl[i]) ? p->ru[i] : p->rl[i];
    if (isinf(side)) return; /* unbounded, if feasible: not for us to say */
    step *s = new_step(p, STEP_FREE_COL, i, j);
    s->a = e.value;
    s->cost = p->cost[j];
    s->value = side;
    s->side = side == p->rl[i] ? VOUCH_AT_LOWER : VOUCH_AT_UPPER;
    keep_row(p, i, j);
    if (p->out_of_memory) return;
    p->steps[p->step_count - 1].middle = p->steps[p->step_count - 1].end = (int)p->kept_count;
    for (int k = p->row[i].first; k >= 0; k = p->nodes[k].row_next) {
        int c = p->nodes[k].col;
        if (c == j || y == 0) continue;
        double change = y * p->nodes[k].value, now = p->cost[c] - change;
        p->cost[c] = fabs(now) <= CANCELLED * larger(fabs(p->cost[c]), fabs(change)) ? 0 : now;
    }
    p->col_gone[j] = true;
    remove_row(p, i);
}

/* Bounds of a x_j that row i implies through the bounds of its other columns. */
static void implied_bounds(const presolve *p, int i, int j, double a, double *lower, double *upper)
{
    activity t = {0, 0, 0, 0, 0};
    for (int k = p->row[i].first; k >= 0; k = p->nodes[k].row_next) {
        int c = p->nodes[k].col;
        if (c != j) add_term(&t, p->nodes[k].value, p->cl[c], p->cu[c]);
    }
    double low = t.high_free ? -INFINITY : p->rl[i] - t.high, high = t.low_free ? INFINITY : p->ru[i] - t.low;
    *lower = a > 0 ? low / a : high / a;
    *upper = a > 0 ? high / a : low / a;
}

/* Solves short equality i for x_j, which some rows keep within its bounds, and puts the result into the other rows of x_j. */
static void substitute(presolve *p, int i, int j, double a)
{
    step *s = new_step(p, STEP_SUBSTITUTE, i, j);
    s->a = a;
    s->value = p->rl[i];
    s->cost = p->cost[j];
    size_t at = p->step_count - 1;
    keep_col(p, j, i);
    if (p->out_of_memory) return;
    p->steps[at].middle = (int)p->kept_count;
    keep_row(p, i, j);
    if (p->out_of_memory) return;
    p->steps[at].end = (int)p->kept_count;
    int begin = p->steps[at].begin, middle = p->steps[at].middle, end = p->steps[at].end;
    double rhs = p->rl[i], cost = p->cost[j];

    while (p->col[j].first >= 0) delete_node(p, p->col[j].first);
    p->col_gone[j] = true;
    for (int e = middle; e < end; e++) {
        int c = p->kept_index[e];
        double part = p->kept_value[e] / a, change = cost * part, now = p->cost[c] - change;
        p->cost[c] = fabs(now) <= CANCELLED * larger(fabs(p->cost[c]), fabs(change)) ? 0 : now;
        for (int t = begin; t < middle; t++) {
            int r = p->kept_index[t];
            double v = -part * p->kept_value[t];
            node *entry = entry_of(p, r, c);
            if (!entry) {
                if (new_node(p, r, c, v) < 0) return;
                continue;
            }
            double sum = entry->value + v;
            if (fabs(sum) <= CANCELLED * larger(fabs(v), fabs(entry->value))) delete_node(p, (int)(entry - p->nodes));
            else entry->value = sum;
        }
    }
    for (int t = begin; t < middle; t++) {
        int r = p->kept_index[t];
        double shift = p->kept_value[t] * rhs / a;
        p->rl[r] -= shift;
        p->ru[r] -= shift;
        wake_row(p, r);
        wake_cols_of(p, r);
    }
    remove_row(p, i);
}

static void try_substitute(presolve *p, int j)
{
    int best = -1, shortest = SUBSTITUTE_ROW + 1;
    double pivot = 0, largest = 0, lower = -INFINITY, upper = INFINITY;
    for (int k = p->col[j].first; k >= 0; k = p->nodes[k].col_next) {
        const node *e = &p->nodes[k];
        if (p->row[e->row].count > SUBSTITUTE_SCAN) continue;
        double l, u;
        implied_bounds(p, e->row, j, e->value, &l, &u);
        lower = larger(lower, l);
        upper = smaller(upper, u);
        largest = larger(largest, fabs(e->value));
        if (p->rl[e->row] != p->ru[e->row] || p->row[e->row].count >= shortest || p->row[e->row].count < 2) continue;
        best = e->row;
        shortest = p->row[e->row].count;
        pivot = e->value;
    }
    if (best < 0 || !(lower >= p->cl[j]) || !(upper <= p->cu[j])) return;
    for (int k = p->row[best].first; k >= 0; k = p->nodes[k].row_next) largest = larger(largest, fabs(p->nodes[k].value));
    if (fabs(pivot) < SUBSTITUTE_PIVOT * largest) return;
    int others = p->col[j].count - 1;
    if (others * (shortest - 1) > shortest + others + SUBSTITUTE_FILL) return;
    substitute(p, best, j, pivot);
}

static void look_at_col(presolve *p, int j)
{
    double l = p->cl[j], u = p->cu[j], c = p->cost[j];
    if (l > u) {
        p->hopeless = true;
    } else if (l == u) {
        fix_col(p, j, l, VOUCH_NONBASIC_FIXED);
    } else if (p->col[j].count == 0) {
        double at = c > 0 ? l : c < 0 ? u : !isinf(l) ? l : !isinf(u) ? u : 0;
        if (isinf(at)) p->hopeless = true;
        else fix_col(p, j, at, isinf(l) && isinf(u) ? VOUCH_NONBASIC_FREE : at == l ? VOUCH_AT_LOWER : VOUCH_AT_UPPER);
    } else if (p->col[j].count == 1) {
        node e = p->nodes[p->col[j].first];
        double most = 0;
        for (int k = p->row[e.row].first; k >= 0; k = p->nodes[k].row_next) most = larger(most, fabs(p->nodes[k].value));
        if (fabs(e.value) < SINGLETON_PIVOT * most) return;
        bool equality = p->rl[e.row] == p->ru[e.row];
        if (equality && (p->cost[j] == 0 || !spoils_costs(p, e.row, j, p->cost[j] / e.value))) slack_col(p, j);
        else free_col(p, j);
    } else if (p->col[j].count <= SUBSTITUTE_COLUMN) {
        try_substitute(p, j);
    }
}

/* ---- searches over the whole problem -------------------------------------------------------------------------------- */

/* Columns whose reduced cost cannot change sign: bounds on every dual from the kind of its row and from its singleton
 * columns. yl, yu: [m] scratch. */
static void dominated_cols(presolve *p, double yl[], double yu[])
{
    for (int i = 0; i < p->m; i++) {
        yl[i] = isinf(p->ru[i]) ? 0 : -INFINITY;
        yu[i] = isinf(p->rl[i]) ? 0 : INFINITY;
    }
    for (int j = 0; j < p->n; j++) {
        if (p->col_gone[j] || p->col[j].count != 1) continue;
        node e = p->nodes[p->col[j].first];
        double y = p->cost[j] / e.value; /* d_j = c_j - a y */
        bool low = !isinf(p->cl[j]), high = !isinf(p->cu[j]);
        if (!high && e.value > 0) yu[e.row] = smaller(yu[e.row], y); /* d_j >= 0 */
        if (!high && e.value < 0) yl[e.row] = larger(yl[e.row], y);
        if (!low && e.value > 0) yl[e.row] = larger(yl[e.row], y);
        if (!low && e.value < 0) yu[e.row] = smaller(yu[e.row], y);
    }
    for (int j = 0; j < p->n && !p->hopeless; j++) {
        if (p->col_gone[j] || p->col[j].count < 1) continue;
        activity t = {0, 0, 0, 0, 0};
        for (int k = p->col[j].first; k >= 0; k = p->nodes[k].col_next) {
            add_term(&t, p->nodes[k].value, yl[p->nodes[k].row], yu[p->nodes[k].row]);
        }
        double least = t.high_free ? -INFINITY : p->cost[j] - t.high, most = t.low_free ? INFINITY : p->cost[j] - t.low;
        double tol = slack_of(larger(t.size, fabs(p->cost[j])));
        if (least > tol) {
            if (isinf(p->cl[j])) continue;
            fix_col(p, j, p->cl[j], VOUCH_AT_LOWER);
        } else if (most < -tol) {
            if (isinf(p->cu[j])) continue;
            fix_col(p, j, p->cu[j], VOUCH_AT_UPPER);
        }
    }
}

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

/* Pattern and magnitudes relative to the entry of least index, rounded so that multiples get equal hashes. */
static uint64_t hash_list(const presolve *p, int first, bool by_row)
{
    int least = -1;
    double base = 1;
    for (int k = first; k >= 0; k = by_row ? p->nodes[k].row_next : p->nodes[k].col_next) {
        int at = by_row ? p->nodes[k].col : p->nodes[k].row;
        if (least < 0 || at < least) least = at, base = p->nodes[k].value;
    }
    uint64_t sum = 0;
    for (int k = first; k >= 0; k = by_row ? p->nodes[k].row_next : p->nodes[k].col_next) {
        int at = by_row ? p->nodes[k].col : p->nodes[k].row;
        float ratio = (float)(p->nodes[k].value / base);
        uint32_t bits;
        memcpy(&bits, &ratio, sizeof bits);
        sum += mixed(((uint64_t)(uint32_t)at << 32) ^ ((bits + 8) >> 4));
    }
    return sum;
}

/* Is list b a multiple of list a? work [max(m, n)]: zero, restored. Returns the factor or 0. */
static double multiple(const presolve *p, int a, int b, bool by_row, double work[])
{
    for (int k = a; k >= 0; k = by_row ? p->nodes[k].row_next : p->nodes[k].col_next) {
        work[by_row ? p->nodes[k].col : p->nodes[k].row] = p->nodes[k].value;
    }
    double factor = 0;
    for (int k = b; k >= 0; k = by_row ? p->nodes[k].row_next : p->nodes[k].col_next) {
        double at = work[by_row ? p->nodes[k].col : p->nodes[k].row], v = p->nodes[k].value;
        if (at == 0) factor = NAN;
        else if (factor == 0) factor = v / at;
        else if (!(fabs(v - factor * at) <= TOL_DROP * fabs(v))) factor = NAN;
    }
    for (int k = a; k >= 0; k = by_row ? p->nodes[k].row_next : p->nodes[k].col_next) {
        work[by_row ? p->nodes[k].col : p->nodes[k].row] = 0;
    }
    return isnan(factor) ? 0 : factor;
}

/* row_r = factor * row_i: the bounds of r become bounds of i. */
static void same_row(presolve *p, int i, int r, double factor)
{
    double l = factor > 0 ? p->rl[r] / factor : p->ru[r] / factor, u = factor > 0 ? p->ru[r] / factor : p->rl[r] / factor;
    step *s = new_step(p, STEP_SAME_ROW, r, -1);
    s->other = i;
    s->a = factor;
    s->other_lower = p->rl[i], s->other_upper = p->ru[i];
    double tol = slack_of(larger(isinf(l) ? 0 : fabs(l), isinf(u) ? 0 : fabs(u)));
    if (l > p->ru[i] + tol || u < p->rl[i] - tol) {
        p->hopeless = true;
        return;
    }
    if (l > p->rl[i]) p->rl[i] = smaller(l, p->ru[i]);
    if (u < p->ru[i]) p->ru[i] = larger(u, p->rl[i]);
    s->new_lower = p->rl[i], s->new_upper = p->ru[i];
    remove_row(p, r);
    wake_row(p, i);
}

/* col_k = factor * col_j and so do the costs: x_j stands for x_j + factor x_k. */
static void same_col(presolve *p, int j, int k, double factor)
{
    step *s = new_step(p, STEP_SAME_COL, -1, j);
    s->other = k;
    s->a = factor;
    s->lower = p->cl[j], s->upper = p->cu[j];
    s->other_lower = p->cl[k], s->other_upper = p->cu[k];
    double l = factor > 0 ? factor * p->cl[k] : factor * p->cu[k], u = factor > 0 ? factor * p->cu[k] : factor * p->cl[k];
    p->cl[j] += l;
    p->cu[j] += u;
    s->new_lower = p->cl[j], s->new_upper = p->cu[j];
    wake_rows_of(p, k);
    while (p->col[k].first >= 0) delete_node(p, p->col[k].first);
    p->col_gone[k] = true;
    wake_col(p, j);
}

static void look_for_multiples(presolve *p, bool by_row, signature list[], double work[])
{
    int count = 0, limit = by_row ? p->m : p->n;
    const chain *lists = by_row ? p->row : p->col;
    const bool *gone = by_row ? p->row_gone : p->col_gone;
    for (int i = 0; i < limit; i++) {
        if (gone[i] || lists[i].count < 2 - !by_row) continue;
        list[count++] = (signature){hash_list(p, lists[i].first, by_row), i, lists[i].count};
    }
    qsort(list, (size_t)count, sizeof *list, compare_signatures);
    for (int a = 0; a < count && !p->hopeless && !p->out_of_memory; a++) {
        int i = list[a].item;
        if (gone[i]) continue;
        for (int b = a + 1; b < count && list[b].hash == list[a].hash && list[b].count == list[a].count; b++) {
            int r = list[b].item;
            if (gone[r]) continue;
            double factor = multiple(p, lists[i].first, lists[r].first, by_row, work);
            if (factor == 0) continue;
            if (by_row) same_row(p, i, r, factor);
            else if (fabs(p->cost[r] - factor * p->cost[i]) <= TOL_DROP * fabs(p->cost[r])) same_col(p, i, r, factor);
            if (p->hopeless || p->out_of_memory) return;
        }
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

static void work_off_queues(presolve *p)
{
    while ((p->row_waiting || p->col_waiting) && !p->hopeless && !p->out_of_memory) {
        if (p->row_waiting) {
            int i = p->row_queue[--p->row_waiting];
            p->row_queued[i] = false;
            if (!p->row_gone[i]) look_at_row(p, i);
        } else {
            int j = p->col_queue[--p->col_waiting];
            p->col_queued[j] = false;
            if (!p->col_gone[j]) look_at_col(p, j);
        }
    }
}

static presolve *presolve_load(const vouch_lp_data *lp)
{
    presolve *p = MEM_ZERO(presolve, 1);
    if (!p) return NULL;
    int m = p->m = lp->rows, n = p->n = lp->cols;
    size_t entries = (size_t)lp->start[n];
    p->node_free = -1;
    p->node_room = entries + entries / 4 + 16;
    bool ok = (p->nodes = MEM_NEW(node, p->node_room));
    double **by_row[] = {&p->rl, &p->ru}, **by_col[] = {&p->cl, &p->cu, &p->cost};
    for (int k = 0; k < 2; k++) ok = (*by_row[k] = MEM_NEW(double, m)) && ok;
    for (int k = 0; k < 3; k++) ok = (*by_col[k] = MEM_NEW(double, n)) && ok;
    ok = (p->row = MEM_NEW(chain, m)) && ok;
    ok = (p->col = MEM_NEW(chain, n)) && ok;
    ok = (p->row_gone = MEM_ZERO(bool, m)) && ok;
    ok = (p->col_gone = MEM_ZERO(bool, n)) && ok;
    ok = (p->row_queued = MEM_ZERO(bool, m)) && ok;
    ok = (p->col_queued = MEM_ZERO(bool, n)) && ok;
    ok = (p->row_queue = MEM_NEW(int, m)) && ok;
    ok = (p->col_queue = MEM_NEW(int, n)) && ok;
    if (!ok) {
        presolve_free(p);
        return NULL;
    }
    for (int i = 0; i < m; i++) {
        p->row[i] = (chain){-1, 0};
        p->rl[i] = lp->row_lower[i], p->ru[i] = lp->row_upper[i];
    }
    for (int j = n - 1; j >= 0; j--) {
        p->col[j] = (chain){-1, 0};
        p->cl[j] = lp->col_lower[j], p->cu[j] = lp->col_upper[j];
        p->cost[j] = lp->maximize ? -lp->cost[j] : lp->cost[j];
        for (int64_t e = lp->start[j]; e < lp->start[j + 1]; e++) {
            if (lp->value[e] != 0) new_node(p, lp->index[e], j, lp->value[e]);
        }
    }
    for (int j = n - 1; j >= 0; j--) wake_col(p, j);
    for (int i = m - 1; i >= 0; i--) wake_row(p, i);
    return p;
}

static bool lay_out(presolve *p)
{
    int m = p->m, n = p->n;
    int *new_row = MEM_NEW(int, m);
    bool ok = (p->row_name = MEM_NEW(int, m));
    ok = (p->col_name = MEM_NEW(int, n)) && ok && new_row;
    if (!ok) {
        mem_free(new_row);
        return false;
    }
    size_t entries = 0;
    for (int i = 0; i < m; i++) {
        if (p->row_gone[i]) continue;
        new_row[i] = p->rows;
        p->row_name[p->rows++] = i;
    }
    for (int j = 0; j < n; j++) {
        if (p->col_gone[j]) continue;
        p->col_name[p->cols++] = j;
        entries += (size_t)p->col[j].count;
    }
    ok = (p->start = MEM_NEW(int64_t, p->cols + 1));
    ok = (p->index = MEM_NEW(int, entries)) && ok;
    ok = (p->value = MEM_NEW(double, entries)) && ok;
    ok = (p->numbers = MEM_NEW(double, 3 * (size_t)p->cols + 2 * (size_t)p->rows)) && ok;
    if (ok) {
        int64_t at = 0;
        double *cost = p->numbers, *lower = cost + p->cols, *upper = lower + p->cols, *rl = upper + p->cols, *ru = rl + p->rows;
        for (int c = 0; c < p->cols; c++) {
            int j = p->col_name[c];
            p->start[c] = at;
            cost[c] = p->cost[j], lower[c] = p->cl[j], upper[c] = p->cu[j];
            for (int k = p->col[j].first; k >= 0; k = p->nodes[k].col_next) {
                p->index[at] = new_row[p->nodes[k].row];
                p->value[at++] = p->nodes[k].value;
            }
        }
        p->start[p->cols] = at;
        for (int r = 0; r < p->rows; r++) rl[r] = p->rl[p->row_name[r]], ru[r] = p->ru[p->row_name[r]];
    }
    mem_free(new_row);
    return ok;
}

presolve_end presolve_run(const vouch_lp_data *lp, presolve **out)
{
    presolve *p = *out = presolve_load(lp);
    if (!p) return PRESOLVE_MEMORY;
    size_t longest = (size_t)(p->m > p->n ? p->m : p->n) + 1;
    double *work = MEM_ZERO(double, longest), *bounds = MEM_NEW(double, 2 * (size_t)p->m + 1);
    signature *list = MEM_NEW(signature, longest);
    presolve_end end = PRESOLVE_MEMORY;
    if (!work || !bounds || !list) goto done;
    for (int round = 0; round < ROUNDS_MOST && !p->hopeless && !p->out_of_memory; round++) {
        work_off_queues(p);
        size_t before = p->step_count;
        if (!p->hopeless && !p->out_of_memory) dominated_cols(p, bounds, bounds + p->m);
        if (!p->hopeless && !p->out_of_memory) look_for_multiples(p, true, list, work);
        if (!p->hopeless && !p->out_of_memory) look_for_multiples(p, false, list, work);
        if (p->step_count == before) break;
    }
    if (!p->hopeless && !p->out_of_memory) work_off_queues(p);
    if (p->out_of_memory) goto done;
    if (p->hopeless) {
        end = PRESOLVE_HOPELESS;
        goto done;
    }
    if (!lay_out(p)) goto done;
    end = p->rows + p->cols <= WORTHWHILE * (p->m + p->n) ? PRESOLVE_REDUCED : PRESOLVE_NOTHING;
done:
    mem_free(work);
    mem_free(bounds);
    mem_free(list);
    return end;
}

void presolve_free(presolve *p)
{
    if (!p) return;
    void *blocks[] = {p->rl,        p->ru,         p->cl,       p->cu,         p->cost,      p->row_gone,   p->col_gone,
                      p->nodes,     p->row,        p->col,      p->row_queue,  p->col_queue, p->row_queued, p->col_queued,
                      p->steps,     p->kept_index, p->kept_value, p->row_name, p->col_name,  p->start,      p->index,
                      p->value,     p->numbers};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(blocks[i]);
    mem_free(p);
}

void presolve_problem(const presolve *p, vouch_lp_data *reduced)
{
    double *cost = p->numbers, *lower = cost + p->cols, *upper = lower + p->cols, *rl = upper + p->cols, *ru = rl + p->rows;
    *reduced = (vouch_lp_data){.rows = p->rows, .cols = p->cols, .start = p->start, .index = p->index, .value = p->value,
                               .cost = cost, .col_lower = lower, .col_upper = upper, .row_lower = rl, .row_upper = ru};
}
