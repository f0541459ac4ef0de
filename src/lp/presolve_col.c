/* lp/presolve_col.c - what presolve does with one column: fixed, empty, one entry, bounds that its rows imply; and with those
 * whose reduced cost keeps its sign.
 */
#include <math.h>

#include "base/memory.h"
#include "la/sparse.h"
#include "lp/presolve_private.h"
#include "lp/tolerance.h"

/* Rows longer than this are not asked what they imply. */
enum { SUBSTITUTE_SCAN = 60 };
/* Longer columns are not asked by whom they are held. */
enum { HELD_SCAN = 20 };

/* Would spreading the cost of j over equality i spoil the sign of a cost that is dual feasible as it stands? The dual simplex
 * method then would have to work its way back to where it could have started. */
static bool spoils_costs(presolve *p, int i, int j, double part)
{
    if (!presolve_may_scan(p, i)) return true;
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

/* The cost of j goes to the other columns of row i: less `part` times their entry. */
static void spread_cost(presolve *p, int i, int j, double part)
{
    for (int k = p->chain[ROW][i].first; k >= 0 && part != 0; k = p->nodes[k].next[ROW]) {
        int c = p->nodes[k].at[COL];
        if (c == j) continue;
        lower_cost(p, c, part * p->nodes[k].value);
        presolve_wake(p, COL, c);
    }
}

/* The only entry of j lies in equality i: a x_j = b - (rest) makes i a range on the rest. */
static void slack_col(presolve *p, int j)
{
    matrix_entry e = p->nodes[p->chain[COL][j].first];
    int i = e.at[ROW];
    presolve_record *s = presolve_step(p, STEP_SLACK_COL, i, j);
    s->a = e.value;
    s->value = p->rl[i];
    s->cost = p->cost[j];
    s->lower = p->cl[j], s->upper = p->cu[j];
    s->middle = s->end = presolve_keep(p, ROW, i, j);
    if (p->out_of_memory) return;
    spread_cost(p, i, j, p->cost[j] / e.value);
    double b = p->rl[i];
    double low = e.value > 0 ? e.value * p->cl[j] : e.value * p->cu[j];
    double high = e.value > 0 ? e.value * p->cu[j] : e.value * p->cl[j];
    p->rl[i] = b - high;
    p->ru[i] = b - low;
    presolve_clear(p, COL, j);
    presolve_wake(p, ROW, i);
}

/* Bounds that rows imply for x_j so far, and which of its own none implies yet. */
typedef struct implied_ends {
    double lower, upper;
    bool has_lower, has_upper;
} implied_ends;

/* Takes in what row i implies for x_j, entry a, through the bounds of its other columns. Only the end of the row that matters is
 * added up, and only until a column without the bound in question spoils it. */
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
    b->lower = fmax(b->lower, a > 0 ? low : high); /* NAN is nothing */
    b->upper = fmin(b->upper, a > 0 ? high : low);
}

/* The only entry of j lies in an inequality that implies its bounds: the dual of the row is c_j / a, which says at
 * which side the row stands; j makes up for it. */
static void free_col(presolve *p, int j)
{
    matrix_entry e = p->nodes[p->chain[COL][j].first];
    int i = e.at[ROW];
    implied_ends b = {-INFINITY, INFINITY, !isinf(p->cl[j]), !isinf(p->cu[j])};
    if (!presolve_may_scan(p, i)) return;
    imply(p, i, j, e.value, &b);
    if ((b.has_lower && b.lower < p->cl[j]) || (b.has_upper && b.upper > p->cu[j])) return;
    double y = p->cost[j] / e.value;
    double side = y > 0 ? p->rl[i] : y < 0 ? p->ru[i] : isinf(p->rl[i]) ? p->ru[i] : p->rl[i];
    if (isinf(side)) return; /* unbounded, if feasible: not for us to say */
    presolve_record *s = presolve_step(p, STEP_FREE_COL, i, j);
    s->a = e.value;
    s->cost = p->cost[j];
    s->value = side;
    s->side = side == p->rl[i] ? VOUCH_AT_LOWER : VOUCH_AT_UPPER;
    s->middle = s->end = presolve_keep(p, ROW, i, j);
    if (p->out_of_memory) return;
    spread_cost(p, i, j, y);
    p->gone[COL][j] = true;
    presolve_remove_row(p, i);
}

/* Solves short equality i for x_j, which some rows keep within its bounds, and puts the result into the other rows of x_j. */
static void substitute(presolve *p, int i, int j, double a)
{
    presolve_record *s = presolve_step(p, STEP_SUBSTITUTE, i, j);
    s->a = a;
    s->value = p->rl[i];
    s->cost = p->cost[j];
    int begin = s->begin, middle = s->middle = presolve_keep(p, COL, j, i), end = s->end = presolve_keep(p, ROW, i, j);
    if (p->out_of_memory) return;
    double rhs = p->rl[i], cost = p->cost[j];
    presolve_clear(p, COL, j);
    for (int e = middle; e < end; e++) {
        int c = p->kept_index[e];
        double part = p->kept_value[e] / a;
        lower_cost(p, c, cost * part);
        for (int t = begin; t < middle; t++) {
            int r = p->kept_index[t];
            double v = -part * p->kept_value[t];
            matrix_entry *entry = presolve_entry(p, r, c);
            if (!entry) {
                if (presolve_add(p, r, c, v) < 0) return;
                continue;
            }
            double sum = entry->value + v;
            if (fabs(sum) <= CANCELLED * larger(fabs(v), fabs(entry->value)))
                presolve_delete(p, (int)(entry - p->nodes));
            else
                entry->value = sum;
        }
    }
    for (int t = begin; t < middle; t++) {
        int r = p->kept_index[t];
        double shift = p->kept_value[t] * rhs / a;
        p->rl[r] -= shift;
        p->ru[r] -= shift;
        presolve_wake(p, ROW, r);
        if (p->chain[ROW][r].count <= PRESOLVE_LONG) presolve_wake_met(p, ROW, r); /* others imply next to nothing */
    }
    presolve_remove_row(p, i);
}

/* The shortest equality of column j that it may be solved for in without small pivots and much fill-in; -1: none. *pivot: its
 * entry. */
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

/* Do its rows keep x_j within its bounds? */
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

static void try_substitute(presolve *p, int j)
{
    double pivot = 0;
    int i = substitute_row(p, j, &pivot);
    if (i >= 0 && is_implied_free(p, j)) substitute(p, i, j, pivot);
}

/* Does every row hold x_j back from going up only, and its cost too? Then no dual makes its reduced cost negative. Asked of short
 * columns whenever they are looked at after some were dominated, so that in a chain of columns each goes after the one before. */
static bool wants_lower(const presolve *p, int j)
{
    bool wants = p->cost[j] >= 0 && !isinf(p->cl[j]);
    for (int k = p->chain[COL][j].first; k >= 0 && wants; k = p->nodes[k].next[COL]) {
        int i = p->nodes[k].at[ROW];
        wants = isinf(p->nodes[k].value > 0 ? p->rl[i] : p->ru[i]);
    }
    return wants;
}

static bool wants_upper(const presolve *p, int j)
{
    bool wants = p->cost[j] <= 0 && !isinf(p->cu[j]);
    for (int k = p->chain[COL][j].first; k >= 0 && wants; k = p->nodes[k].next[COL]) {
        int i = p->nodes[k].at[ROW];
        wants = isinf(p->nodes[k].value > 0 ? p->ru[i] : p->rl[i]);
    }
    return wants;
}

void presolve_look_at_col(presolve *p, int j)
{
    double l = p->cl[j], u = p->cu[j], c = p->cost[j];
    if (l > u) {
        p->hopeless = true;
    } else if (l == u) {
        presolve_fix_col(p, j, l, VOUCH_NONBASIC_FIXED);
    } else if (p->chain[COL][j].count == 0) {
        double at = c > 0 ? l : c < 0 ? u : !isinf(l) ? l : !isinf(u) ? u : 0;
        if (isinf(at))
            p->hopeless = true;
        else
            presolve_fix_col(p, j, at, isinf(l) && isinf(u) ? VOUCH_NONBASIC_FREE : at == l ? VOUCH_AT_LOWER : VOUCH_AT_UPPER);
    } else if (p->chain[COL][j].count == 1) {
        matrix_entry e = p->nodes[p->chain[COL][j].first];
        double most = 0;
        if (!presolve_may_scan(p, e.at[ROW])) return;
        for (int k = p->chain[ROW][e.at[ROW]].first; k >= 0; k = p->nodes[k].next[ROW])
            most = larger(most, fabs(p->nodes[k].value));
        if (fabs(e.value) < SINGLETON_PIVOT * most) return;
        bool equality = p->rl[e.at[ROW]] == p->ru[e.at[ROW]];
        if (equality && (p->cost[j] == 0 || !spoils_costs(p, e.at[ROW], j, p->cost[j] / e.value)))
            slack_col(p, j);
        else
            free_col(p, j);
    } else if (p->chain[COL][j].count <= p->reach->column) {
        try_substitute(p, j);
    }
    if (!p->some_dominated || p->gone[COL][j] || p->hopeless || p->out_of_memory || p->chain[COL][j].count > HELD_SCAN) return;
    if (wants_lower(p, j))
        presolve_fix_col(p, j, p->cl[j], VOUCH_AT_LOWER);
    else if (wants_upper(p, j))
        presolve_fix_col(p, j, p->cu[j], VOUCH_AT_UPPER);
}

/* Columns whose reduced cost cannot change sign: bounds on every dual from the kind of its row and from its singleton
 * columns. */
void presolve_dominated_cols(presolve *p)
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
    for (int j = 0; j < p->n && !presolve_over(p); j++) {
        if (p->gone[COL][j] || p->chain[COL][j].count < 1) continue;
        activity_range t = {0, 0, 0, 0, 0};
        for (int k = p->chain[COL][j].first; k >= 0; k = p->nodes[k].next[COL]) {
            activity_add(&t, p->nodes[k].value, yl[p->nodes[k].at[ROW]], yu[p->nodes[k].at[ROW]]);
        }
        double least = t.high_free ? -INFINITY : p->cost[j] - t.high, most = t.low_free ? INFINITY : p->cost[j] - t.low;
        double tol = presolve_slack(larger(t.size, fabs(p->cost[j])));
        if (least > tol) {
            if (isinf(p->cl[j])) continue;
            presolve_fix_col(p, j, p->cl[j], VOUCH_AT_LOWER);
            p->some_dominated = true;
        } else if (most < -tol) {
            if (isinf(p->cu[j])) continue;
            presolve_fix_col(p, j, p->cu[j], VOUCH_AT_UPPER);
            p->some_dominated = true;
        }
    }
    mem_free(yl);
}
