/* lp/crash_basis.c - a basis of what is away from its bounds in a point.
 *
 * A variable at distance t from its nearest bound, with reduced cost d, is basic rather the larger  t / (u |d|)  is, u being the
 * unit of the point: where that is 1 or more its complementary pair says basic. These columns get a row each by a maximum matching,
 * and are factorised at once. If they depend on one another, which a factorisation would resolve in an order of its own, they enter
 * one by one instead, the most basic first, each for a logical that should not be basic. So do, last, columns that are at a bound,
 * those with the least reduced costs first, until no such logical is left: costs need little change there for the basis to be
 * optimal. Sources: I. S. Duff, ACM Trans. Math. Softw. 7 (1981), for the matching; R. E. Bixby and M. J. Saltzman, Oper. Res.
 * Lett. 15 (1994), for bases from points near the optimum.
 */
#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "lp/crash.h"
#include "lp/tolerance.h"

/* What stands for no distance, and for no reduced cost. */
static const double NO_DISTANCE = 1e-12, NO_COST = 1e-9;
/* An entry is no pivot below this, nor below this part of its column; one at least this part of the largest will do. */
static const double PIVOT_PART = 1e-3, PIVOT_GOOD = 0.1;
/* Basic variables stray from the point by this, relative to 1 and their size, where columns are dependent but for rounding:
 * staircases of 2000 and 4000 rows 7e15 and 2e9; other programs below 3e3. */
static const double STRAY_MOST = 1e6;

typedef struct ranked {
    double score;
    int v;
} ranked;

typedef struct choice {
    simplex *s;
    const crash_point *c;
    double *score; /* [vars] */
    ranked *order; /* [n] columns, descending */
    int misplaced; /* logicals in the basis that should not be there */
} choice;

static int by_score(const void *left, const void *right)
{
    const ranked *l = left, *r = right;
    return l->score > r->score ? -1 : l->score < r->score ? 1 : (l->v > r->v) - (l->v < r->v);
}

static double score_of(const simplex *s, const crash_point *c, int v)
{
    double room = larger(0, smaller(c->x[v] - s->lower[v], s->upper[v] - c->x[v]));
    return (room + NO_DISTANCE) / (c->unit * fabs(c->reduced[v]) + NO_COST);
}

static bool is_basic_by(const choice *h, int v) { return h->score[v] >= 1; }

static bool is_misplaced(const choice *h, int v) { return v < h->s->m && !is_basic_by(h, v); }

/* Nonbasic v at the bound nearest to the point. */
static void place_near(const choice *h, int v)
{
    simplex *s = h->s;
    s->move[v] = s->upper[v] - h->c->x[v] < h->c->x[v] - s->lower[v] ? -1 : 1;
    simplex_place(s, v);
}

static void rank(const choice *h)
{
    const simplex *s = h->s;
    for (int v = 0; v < s->vars; v++) {
        h->score[v] = s->lower[v] == s->upper[v] ? 0 : score_of(s, h->c, v);
        if (v >= s->m) h->order[v - s->m] = (ranked){h->score[v], v};
        if (s->where[v] < 0) place_near(h, v);
    }
    qsort(h->order, (size_t)s->n, sizeof *h->order, by_score);
}

static void count_misplaced(choice *h)
{
    h->misplaced = 0;
    for (int p = 0; p < h->s->m; p++) h->misplaced += is_misplaced(h, h->s->head[p]);
}

/* ---- all at once -------------------------------------------------------------------------------------------------- */

enum { ROW_OPEN = -1, ROW_KEPT = -2 };

typedef struct matching {
    const sparse *a;
    int *column_of; /* [m] column that has the row, or ROW_ */
    int *row_of;    /* [n] */
    int *seen;      /* [m] search that came by last */
    int *path;      /* [m + 1] columns */
    int64_t *next;  /* [n] entry to look at next */
} matching;

/* The first open row of a column; -1: none. */
static int open_row(const matching *g, int j)
{
    for (int64_t e = g->a->start[j]; e < g->a->start[j + 1]; e++) {
        if (g->column_of[g->a->index[e]] == ROW_OPEN) return g->a->index[e];
    }
    return -1;
}

/* The column that has a row of j which this search has not seen, to be asked for another; -1: none. */
static int next_owner(const matching *g, int j, int search)
{
    while (g->next[j] < g->a->start[j + 1]) {
        int i = g->a->index[g->next[j]++];
        if (g->column_of[i] < 0 || g->seen[i] == search) continue;
        g->seen[i] = search;
        return g->column_of[i];
    }
    return -1;
}

/* Gives column `root` a row, others moving to other rows for it. Does it get one? */
static bool match_column(const matching *g, int root, int search)
{
    int depth = 0;
    g->path[0] = root;
    g->next[root] = g->a->start[root];
    while (depth >= 0) {
        int j = g->path[depth], i = g->next[j] == g->a->start[j] ? open_row(g, j) : -1;
        for (; i >= 0 && depth >= 0; depth--) { /* back along the path: each takes the row of the one it asked */
            int freed = g->row_of[g->path[depth]];
            g->row_of[g->path[depth]] = i;
            g->column_of[i] = g->path[depth];
            i = freed;
            if (depth == 0) return true;
        }
        int owner = next_owner(g, j, search);
        if (owner < 0) {
            depth--;
            continue;
        }
        g->path[++depth] = owner;
        g->next[owner] = g->a->start[owner];
    }
    return false;
}

/* Columns that the point makes basic, as far as they find rows, into the basis. How many; -1: memory. */
static int enter_matched(const choice *h, arena *a)
{
    simplex *s = h->s;
    matching g = {&s->a,
                  ARENA_NEW(a, int, s->m),
                  ARENA_NEW(a, int, s->n),
                  ARENA_ZERO(a, int, s->m),
                  ARENA_NEW(a, int, s->m + 1),
                  ARENA_NEW(a, int64_t, s->n)};
    if (a->failed) return -1;
    int count = 0;
    for (int i = 0; i < s->m; i++) g.column_of[i] = is_basic_by(h, i) ? ROW_KEPT : ROW_OPEN;
    for (int j = 0; j < s->n; j++) g.row_of[j] = -1;
    for (int k = 0; k < s->n && is_basic_by(h, h->order[k].v); k++) count += match_column(&g, h->order[k].v - s->m, k + 1);
    for (int i = 0; i < s->m; i++) {
        if (g.column_of[i] < 0) continue;
        int v = s->m + g.column_of[i];
        s->where[i] = -1;
        place_near(h, i);
        s->head[i] = v;
        s->where[v] = i;
        s->move[v] = 0;
    }
    s->factored = s->pricing.rows_valid = false;
    return count;
}

/* Are basic variables so far from the point, with the others at their bounds, that their columns must be all but dependent? */
static bool strays(simplex *s, const crash_point *c)
{
    double off = 0, size = 1;
    simplex_compute_primal(s);
    for (int p = 0; p < s->m; p++) {
        off += fabs(s->xb[p] - c->x[s->head[p]]);
        size += fabs(c->x[s->head[p]]);
    }
    return !(off <= STRAY_MOST * size);
}

/* ---- one by one --------------------------------------------------------------------------------------------------- */

/* Position of the misplaced logical that should go first for the column in s->col; -1: none with a pivot. */
static int misplaced_position(const choice *h)
{
    const simplex *s = h->s;
    double most = 0, usable = 0, least = INFINITY;
    int best = -1;
    for (int k = 0; k < s->col.count; k++) {
        int p = s->col.index[k];
        double size = fabs(s->col.value[p]);
        most = larger(most, size);
        if (is_misplaced(h, s->head[p])) usable = larger(usable, size);
    }
    if (usable < TOL_PIVOT_SMALL || usable < PIVOT_PART * most) return -1;
    for (int k = 0; k < s->col.count; k++) {
        int p = s->col.index[k];
        if (!is_misplaced(h, s->head[p]) || fabs(s->col.value[p]) < PIVOT_GOOD * usable || h->score[s->head[p]] >= least) continue;
        least = h->score[s->head[p]];
        best = p;
    }
    return best;
}

/* Columns enter in their order while there are misplaced logicals. */
static run_end enter_singly(choice *h)
{
    simplex *s = h->s;
    count_misplaced(h);
    for (int k = 0; k < s->n && h->misplaced > 0; k++) {
        int v = h->order[k].v;
        if (s->where[v] >= 0 || s->lower[v] == s->upper[v]) continue;
        run_end end = simplex_stop(s);
        if (!end && (!s->factored || basis_due(s->factors))) end = simplex_factor(s);
        if (end) return end;
        simplex_column(s, v, true);
        int p = misplaced_position(h);
        if (p < 0) continue;
        simplex_row(s, p);
        int out = s->head[p];
        simplex_exchange(s, p, v, h->c->x[v], s->lower[out], 0);
        place_near(h, out);
        s->primal_trust = s->dual_trust = INVALID;
        h->misplaced--;
    }
    return RUN_ON;
}

run_end crash_basis(simplex *s, arena *a, const crash_point *c)
{
    choice h = {.s = s, .c = c, .score = ARENA_NEW(a, double, s->vars), .order = ARENA_NEW(a, ranked, s->n)};
    if (a->failed) return RUN_MEMORY;
    CHECK(simplex_is_slack(s));
    rank(&h);
    int matched = enter_matched(&h, a);
    if (matched < 0) return RUN_MEMORY;
    run_end end = simplex_factor(s);
    if (end) return end;
    for (int p = 0; p < s->m; p++) matched -= s->head[p] >= s->m;
    if (matched > 0 || strays(s, c)) { /* some were dependent, or nearly */
        simplex_slack_basis(s);
        for (int v = 0; v < s->vars; v++) {
            if (s->where[v] < 0) place_near(&h, v);
        }
        if ((end = simplex_factor(s))) return end;
    }
    end = enter_singly(&h);
    return end ? end : basis_updates(s->factors) > 0 || !s->factored ? simplex_factor(s) : RUN_ON;
}
