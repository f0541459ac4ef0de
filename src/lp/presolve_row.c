/* lp/presolve_row.c - what presolve does with one row: empty, one entry, redundant, forcing, an equality of two entries. */
#include <math.h>

#include "la/sparse.h"
#include "lp/presolve_private.h"
#include "lp/tolerance.h"

static void drop_row(presolve *p, int i)
{
    presolve_step(p, STEP_DROP_ROW, i, -1);
    presolve_remove_row(p, i);
}

/* Do the bounds l, u that row i with entry a gives to column j leave anything? Says so if not. */
static bool leaves_values(presolve *p, int i, int j, double a, double l, double u)
{
    double tol = presolve_slack(larger(isinf(l) ? 0 : fabs(l), isinf(u) ? 0 : fabs(u)));
    bool above = l > p->cu[j] + tol;
    if (!above && !(u < p->cl[j] - tol)) return true;
    presolve_contradiction(p, i, above == (a > 0) ? 1 : -1);
    return false;
}

/* Bounds that meet within rounding become one value; those that hardly tighten are left. Has anything changed? */
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
    presolve_record *s = presolve_step(p, STEP_SINGLETON_ROW, i, j);
    s->a = e.value;
    s->cost = p->cost[j];
    bool tighter = tighten_col(p, s, l, u);
    if (tighter) s->middle = s->end = presolve_keep(p, COL, j, i);
    presolve_remove_row(p, i);
    if (tighter) presolve_wake_met(p, COL, j);
}

/* As singleton_row. Where the column is long and the bounds tighten, the tightest rows of its kind come first, so that those of the
 * others change nothing and are dropped as they are met. */
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
    for (int t = 0; t < 2 && !p->hopeless; t++) {
        if (tightest[t] >= 0 && !p->gone[ROW][tightest[t]]) singleton_row(p, tightest[t]);
    }
    if (!p->gone[ROW][i] && !p->hopeless) singleton_row(p, i);
}

/* The row can only hold with every column at the bound that makes its activity extreme. */
static void forcing_row(presolve *p, int i, bool at_low)
{
    presolve_record *s = presolve_step(p, STEP_FORCING_ROW, i, -1);
    s->side = at_low ? VOUCH_AT_UPPER : VOUCH_AT_LOWER; /* the least activity meets the upper bound of the row */
    int first = s->begin, last = s->middle = s->end = presolve_keep(p, ROW, i, -1);
    /* Its columns follow as steps of their own which, undone first, put them at their bounds; each stores itself. */
    for (int e = first; e < last && !p->out_of_memory; e++) {
        int j = p->kept_index[e];
        bool lower = (p->kept_value[e] > 0) == at_low;
        presolve_record *f = presolve_step(p, STEP_FIX_COL, i, j);
        f->middle = f->end = presolve_keep(p, COL, j, i);
        f->cost = p->cost[j];
        f->value = lower ? p->cl[j] : p->cu[j];
        f->side = lower ? VOUCH_AT_LOWER : VOUCH_AT_UPPER;
        presolve_remove_col(p, j, f->value);
    }
    p->gone[ROW][i] = true;
}

/* x_k = value / b - (a / b) x_j, as the step says, in every row but its own, and in the costs. False: no memory. */
static bool substitute(presolve *p, const presolve_record *s)
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
        matrix_entry *e = presolve_entry(p, r, j);
        if (e) {
            double now = e->value - ratio * v;
            if (fabs(now) <= CANCELLED * larger(fabs(e->value), fabs(ratio * v)))
                presolve_delete(p, (int)(e - p->nodes));
            else
                e->value = now;
        } else if (presolve_add(p, r, j, -ratio * v) < 0) {
            return false;
        }
        presolve_wake(p, ROW, r);
    }
    return true;
}

/* a x_j + b x_k = value: x_k leaves, its bounds become bounds of x_j, its column is added to that of x_j. */
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
    presolve_record *s = presolve_step(p, STEP_DOUBLETON, i, j);
    s->other = k;
    s->a = a, s->b = b, s->value = rhs;
    s->cost = p->cost[j], s->other_cost = p->cost[k];
    s->other_lower = p->cl[k], s->other_upper = p->cu[k];
    bool tighter = tighten_col(p, s, l, u);
    s->middle = tighter ? presolve_keep(p, COL, j, i) : s->begin;
    s->end = presolve_keep(p, COL, k, i);
    if (p->out_of_memory || !substitute(p, s)) return;
    presolve_clear(p, COL, k);
    presolve_remove_row(p, i);
    presolve_wake(p, COL, j);
    if (tighter) presolve_wake_met(p, COL, j);
}

void presolve_look_at_row(presolve *p, int i)
{
    double rl = p->rl[i], ru = p->ru[i];
    if (rl > ru + presolve_slack(fabs(ru))) {
        p->hopeless = true;
        return;
    }
    if (p->chain[ROW][i].count == 0) {
        double tol = presolve_slack(larger(isinf(rl) ? 0 : fabs(rl), isinf(ru) ? 0 : fabs(ru)));
        if (rl > tol || ru < -tol)
            presolve_contradiction(p, i, rl > tol ? 1 : -1);
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
    if (!presolve_may_scan(p, i)) return;
    activity_range t = presolve_activity(p, i, -1);
    double tol = presolve_slack(t.size);
    double low = t.low_free ? -INFINITY : t.low, high = t.high_free ? INFINITY : t.high;
    if (low > ru + tol || high < rl - tol) {
        presolve_contradiction(p, i, high < rl - tol ? 1 : -1);
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
    } else if (p->chain[ROW][i].count == 2) {
        doubleton(p, i);
    }
}
