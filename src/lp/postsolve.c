/* lp/postsolve.c - undoes the steps of presolve.c, last first, on basis, values and duals.
 *
 * Each step turns the basis of the smaller problem into one of the larger: one more row needs one more basic variable. If a bound
 * of the smaller problem came from a removed row or column, that becomes nonbasic and the column basic. Duals, for minimisation,
 * decide at which bound a fixed variable is. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "la/sparse.h"
#include "lp/presolve.h"
#include "lp/presolve_private.h"
#include "lp/tolerance.h"

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
        mem_free(w.x);
        mem_free(w.y);
        return -1;
    }
    for (int i = 0; i < p->m; i++) w.row[i] = VOUCH_BASIC;
    for (int j = 0; j < p->n; j++) w.col[j] = VOUCH_AT_LOWER;
    for (int r = 0; r < p->rows; r++) w.row[p->name[ROW][r]] = status[r], w.y[p->name[ROW][r]] = y[r];
    for (int c = 0; c < p->cols; c++) w.col[p->name[COL][c]] = status[p->rows + c], w.x[p->name[COL][c]] = x[c];
    undo_all(&w);
    mem_free(w.x);
    mem_free(w.y);
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
    mem_free(status);
    mem_free(w.x);
    return failed;
}
