/* mip/knapsack.c - one row: max p'x subject to a'x <= b, or a'x = b, x integer; everything in whole numbers.
 *
 * Inequality. Columns become 0-1 items with p, a > 0 (negative ones are turned over, bounds above 1 split into 1, 2, 4, ..). In the
 * order of p / a the first that fit make the break solution, and nearly all of it is optimal: items around the break are added or
 * taken out one after the other, on both sides in turn, and the states (weight, profit) reached are kept while neither dominated
 * nor bounded by p + (b - w) p_t / a_t    (t: the next item to be added where w <= b, to be taken out where w > b). Items whose
 * change costs more than the gap at the multiplier of the break are passed over (reduced cost fixing). Source: D. Pisinger,
 * Operations Research 45 (1997), MINKNAP. Cost: O(n log n) and the states; where those are many the tree has it.
 *
 * Equality, columns without upper bounds that matter. With A the least entry, t_r is the least weight of the other items that is r
 * modulo A; the row has a solution exactly if t_(b mod A) <= b. Source: S. Boecker, Z. Liptak, Algorithmica 48 (2007), round robin.
 * Cost: O(n A). */
#include "mip/presolve.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Numbers beyond this are not sums of whole numbers any more. */
static const double WHOLE_MOST = 4e15;
/* What a bound is raised by, relatively, for its rounding: it stops short of nothing. */
static const double BOUND_ROUNDING = 1e-12;
/* Most items, states made, states looked at, entries of the table of residues. */
enum { ITEMS_MOST = 4000000, STATES_MOST = 20000000, WORK_MOST = 500000000, RESIDUES_MOST = 2000000 };
/* Largest entry of an equality: sums of RESIDUES_MOST such are whole. */
static const double ENTRY_MOST = 1e9;

typedef struct knapsack_item {
    double a, p; /* > 0 */
    int column, copies;
    bool turned; /* taking it takes the copies out */
} knapsack_item;

typedef struct state {
    double w, p;
    int last; /* its last change in `changes`; -1: the break solution */
} state;

typedef struct change {
    int before, item;
} change;

typedef struct knapsack_table {
    knapsack_item *items;
    int count;
    double room, best; /* b; the best profit known */
    int best_at;       /* of its state; -1: the greedy one */
    state *now, *next;
    int states, capacity;
    change *changes;
    size_t change_count, change_capacity;
    long long work; /* states looked at */
    bool too_many, out_of_memory;
} knapsack_table;

static bool whole(double v) { return v == nearbyint(v) && fabs(v) < WHOLE_MOST; }

static int by_ratio(const void *left, const void *right)
{
    const knapsack_item *x = left, *y = right;
    long double a = (long double)x->p * y->a, b = (long double)y->p * x->a;
    if (a != b) return a > b ? -1 : 1;
    if (x->a != y->a) return x->a > y->a ? -1 : 1;
    return x->column != y->column ? x->column - y->column : x->copies - y->copies;
}

/* ---- items ----------------------------------------------------------------------------------------------------- */

static bool add_items(knapsack_table *t, int column, double a, double p, double copies, bool turned)
{
    for (double left = copies, part = 1; left > 0; left -= part, part *= 2) {
        double take = part < left ? part : left;
        if (t->count == ITEMS_MOST) return false;
        t->items[t->count++] = (knapsack_item){a * take, p * take, column, (int)take, turned};
        if (take < part) break;
    }
    return true;
}

/* x starts where nothing is taken; the items are what may change. False: not of this kind. */
static bool make_items(knapsack_table *t, const mip_model *m, double sign, double side, double x[])
{
    double sum_a = 0, sum_p = 0;
    t->room = side;
    for (int j = 0; j < m->n; j++) {
        double a = 0, p = -m->cost[j], l = m->lower[j], u = m->upper[j];
        for (int64_t e = m->col_start[j]; e < m->col_start[j + 1]; e++) a += sign * m->col_value[e];
        if (!m->integer[j] || !whole(a) || !whole(p) || !whole(l)) return false;
        if (isinf(u) && (p > 0 ? a > 0 : a >= 0)) u = a > 0 ? INFINITY : l;
        bool at_upper = a <= 0 && (p >= 0 || a < 0);
        if (at_upper && !whole(u)) return false;
        x[j] = at_upper ? u : l;
        t->room -= a * x[j];
        sum_a += fabs(a) * (isinf(u) ? 1 : u - l), sum_p += fabs(p) * (isinf(u) ? 1 : u - l);
    }
    if (sum_a > WHOLE_MOST || sum_p > WHOLE_MOST || fabs(t->room) > WHOLE_MOST) return false;
    if (t->room < 0) return true;
    sum_p = 0;
    for (int j = 0; j < m->n; j++) {
        double a = 0, p = -m->cost[j];
        for (int64_t e = m->col_start[j]; e < m->col_start[j + 1]; e++) a += sign * m->col_value[e];
        bool turned = a < 0;
        if (a == 0 || (turned ? p >= 0 : p <= 0)) continue;
        double copies = fmin(m->upper[j] - m->lower[j], floor(t->room / fabs(a)));
        sum_p += fabs(p) * copies;
        if (copies > INT32_MAX || sum_p > WHOLE_MOST || !add_items(t, j, fabs(a), fabs(p), copies, turned)) return false;
    }
    return true;
}

/* ---- states ---------------------------------------------------------------------------------------------------- */

/* The most that states with items s .. e - 1 decided can still reach. */
static double bound_of(const knapsack_table *t, const state *q, int s, int e)
{
    double gap = t->room - q->w;
    if (gap >= 0) return e < t->count ? q->p + gap * t->items[e].p / t->items[e].a : q->p;
    return s > 0 ? q->p + gap * t->items[s - 1].p / t->items[s - 1].a : -INFINITY;
}

static bool hopeful(const knapsack_table *t, const state *q, int s, int e)
{
    double bound = bound_of(t, q, s, e);
    return bound + BOUND_ROUNDING * (1 + fabs(bound)) >= t->best + 1;
}

static int record(knapsack_table *t, int before, int k)
{
    if (t->change_count >= STATES_MOST) {
        t->too_many = true;
        return before;
    }
    if (MEM_RESERVE(&t->changes, &t->change_capacity, t->change_count)) {
        t->out_of_memory = true;
        return before;
    }
    t->changes[t->change_count] = (change){before, k};
    return (int)t->change_count++;
}

/* Every state with and without the change of item k: by weight, each with more profit than all that are no heavier. */
static void merge(knapsack_table *t, int k, double sign, int s, int e)
{
    if (2 * t->states > t->capacity) {
        int capacity = 4 * t->states + 64;
        if (MEM_RESIZE(&t->now, capacity) || MEM_RESIZE(&t->next, capacity)) {
            t->out_of_memory = true;
            return;
        }
        t->capacity = capacity;
    }
    double da = sign * t->items[k].a, dp = sign * t->items[k].p, most = -INFINITY;
    int kept = 0;
    for (int i = 0, c = 0; (i < t->states || c < t->states) && !t->too_many && !t->out_of_memory;) {
        bool changed = i == t->states || (c < t->states && (t->now[c].w + da < t->now[i].w ||
                                                            (t->now[c].w + da == t->now[i].w && t->now[c].p + dp > t->now[i].p)));
        state q = changed ? (state){t->now[c].w + da, t->now[c].p + dp, t->now[c].last} : t->now[i];
        if (changed)
            c++;
        else
            i++;
        if (q.p <= most || !hopeful(t, &q, s, e)) continue;
        if (changed) q.last = record(t, q.last, k);
        if (q.w <= t->room && q.p > t->best) t->best = q.p, t->best_at = q.last;
        most = q.p;
        t->next[kept++] = q;
    }
    state *swap = t->now;
    t->now = t->next;
    t->next = swap;
    t->work += 2LL * t->states;
    t->states = kept;
    t->too_many = t->too_many || t->work > WORK_MOST;
}

/* Greedy beyond the break: what still fits, in order. The number of items before the break; `break_` is the break solution. */
static int fill(const knapsack_table *t, state *break_, double *greedy, bool taken[])
{
    int at = 0;
    *break_ = (state){0, 0, -1};
    while (at < t->count && break_->w + t->items[at].a <= t->room) {
        break_->w += t->items[at].a, break_->p += t->items[at].p;
        taken[at++] = true;
    }
    double w = break_->w;
    *greedy = break_->p;
    for (int k = at; k < t->count; k++) {
        taken[k] = w + t->items[k].a <= t->room;
        if (taken[k]) w += t->items[k].a, *greedy += t->items[k].p;
    }
    return at;
}

/* Does changing item k cost more than the gap, by the multiplier of the break? */
static bool is_fixed(const knapsack_table *t, const state *broken, int at, int k)
{
    if (at == t->count) return true;
    double price = t->items[at].p / t->items[at].a, bound = broken->p + (t->room - broken->w) * price;
    double with = bound - fabs(t->items[k].p - price * t->items[k].a);
    return with + BOUND_ROUNDING * (1 + fabs(bound)) < t->best + 1;
}

/* The best of the items, into taken. */
static knapsack_end solve_items(knapsack_table *t, bool taken[], const deadline *clock)
{
    state broken;
    qsort(t->items, (size_t)t->count, sizeof *t->items, by_ratio);
    int at = fill(t, &broken, &t->best, taken), s = at, e = at;
    t->best_at = -2; /* the greedy one */
    t->capacity = 64;
    t->now = MEM_NEW(state, t->capacity);
    t->next = MEM_NEW(state, t->capacity);
    if (!t->now || !t->next) return KNAPSACK_MEMORY;
    t->now[0] = broken;
    t->states = 1;
    while (t->states > 0 && (s > 0 || e < t->count) && !t->too_many && !t->out_of_memory) {
        if (e < t->count && !is_fixed(t, &broken, at, e)) merge(t, e, 1, s, e + 1);
        if (e < t->count) e++;
        if (t->out_of_memory || t->too_many) break;
        if (s > 0 && !is_fixed(t, &broken, at, s - 1)) merge(t, s - 1, -1, s - 1, e);
        if (s > 0) s--;
        if (deadline_expired(clock)) return KNAPSACK_NONE;
    }
    if (t->out_of_memory) return KNAPSACK_MEMORY;
    if (t->too_many) return KNAPSACK_NONE;
    if (t->best_at == -2) return KNAPSACK_OPTIMAL;
    for (int k = 0; k < t->count; k++) taken[k] = k < at;
    for (int c = t->best_at; c >= 0; c = t->changes[c].before) taken[t->changes[c].item] = !taken[t->changes[c].item];
    return KNAPSACK_OPTIMAL;
}

static knapsack_end at_most(const mip_model *m, double sign, double side, const deadline *clock, double x[])
{
    knapsack_table t = {0};
    knapsack_end end = KNAPSACK_NONE;
    size_t most = 0;
    for (int j = 0; j < m->n; j++) most += m->upper[j] - m->lower[j] <= 1 ? 1 : 32;
    if (most > ITEMS_MOST) return KNAPSACK_NONE;
    t.items = MEM_NEW(knapsack_item, most + 1);
    bool *taken = MEM_ZERO(bool, most + 1);
    if (!t.items || !taken) {
        end = KNAPSACK_MEMORY;
    } else if (make_items(&t, m, sign, side, x)) {
        end = t.room < 0 ? KNAPSACK_INFEASIBLE : solve_items(&t, taken, clock);
        for (int k = 0; end == KNAPSACK_OPTIMAL && k < t.count; k++)
            if (taken[k]) x[t.items[k].column] += t.items[k].turned ? -t.items[k].copies : t.items[k].copies;
    }
    void *blocks[] = {t.items, taken, t.now, t.next, t.changes};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(blocks[i]);
    return end;
}

/* ---- equality -------------------------------------------------------------------------------------------------- */

/* Adds item a to the least weights t[r], r < A: around each cycle r, r + a, .. from its least element. */
static void take_in(double t[], int64_t modulus, int64_t a)
{
    int64_t cycles = (int64_t)mip_gcd((double)a, (double)modulus), length = modulus / cycles, step = a % modulus;
    for (int64_t first = 0; first < cycles; first++) {
        int64_t r = first, least = first;
        for (int64_t k = 0; k < length; k++, r = (r + step) % modulus)
            if (t[r] < t[least]) least = r;
        double weight = t[r = least];
        for (int64_t k = 0; k < length && !isinf(weight); k++) {
            r = (r + step) % modulus;
            weight = t[r] = fmin(t[r], weight + (double)a);
        }
    }
}

/* Only whether there is a solution: which one is best is for the tree. */
static knapsack_end exactly(const mip_model *m, double sign, double side)
{
    double least = INFINITY, room = side;
    for (int j = 0; j < m->n; j++) {
        if (!m->integer[j] || !whole(m->lower[j]) || m->col_start[j + 1] - m->col_start[j] != 1) return KNAPSACK_NONE;
        double a = sign * m->col_value[m->col_start[j]];
        if (!(a > 0) || !whole(a) || a > ENTRY_MOST) return KNAPSACK_NONE;
        least = fmin(least, a);
        room -= a * m->lower[j];
    }
    if (!whole(room) || !(least <= RESIDUES_MOST) || least * m->n > 50 * (double)RESIDUES_MOST) return KNAPSACK_NONE;
    if (room < 0) return KNAPSACK_INFEASIBLE;
    for (int j = 0; j < m->n; j++)
        if (m->upper[j] - m->lower[j] < floor(room / (sign * m->col_value[m->col_start[j]]))) return KNAPSACK_NONE;
    int64_t modulus = (int64_t)least;
    double *t = MEM_NEW(double, modulus);
    if (!t) return KNAPSACK_MEMORY;
    for (int64_t r = 1; r < modulus; r++) t[r] = INFINITY;
    t[0] = 0;
    for (int j = 0; j < m->n; j++) take_in(t, modulus, (int64_t)(sign * m->col_value[m->col_start[j]]));
    bool reached = t[(int64_t)room % modulus] <= room;
    mem_free(t);
    return reached ? KNAPSACK_NONE : KNAPSACK_INFEASIBLE;
}

knapsack_end mip_knapsack(const mip_model *m, const deadline *clock, double x[])
{
    if (m->m != 1 || m->sets > 0 || m->n == 0) return KNAPSACK_NONE;
    double l = m->row_lower[0], u = m->row_upper[0], sign = isinf(u) ? -1 : 1, side = isinf(u) ? -l : u;
    if (!whole(side)) return KNAPSACK_NONE;
    if (isinf(l) != isinf(u)) return at_most(m, sign, side, clock, x);
    if (l != u) return KNAPSACK_NONE;
    sign = m->row_value[0] < 0 ? -1 : 1;
    return exactly(m, sign, sign * side);
}
