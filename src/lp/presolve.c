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
#include "lp/presolve.h"

#include "base/check.h"
#include "base/memory.h"
#include "lp/presolve_private.h"

/* Rounds of the costlier searches. */
enum { ROUNDS_MOST = 8 };
/* A long row is read in full as often as its first length goes into this many times that. */
enum { SCANS_MOST = 100 };
/* Steps that leave more than this part of rows plus columns in place are not worth a second problem. */
static const double WORTHWHILE = 0.97;
static const solving_reach SHORT = {4, 3, 6, 1}, FURTHER = {8, 8, 12, 3};

static void work_off_queues(presolve *p)
{
    while ((p->waiting[ROW] || p->waiting[COL] || p->waiting_long) && !presolve_over(p)) {
        int side = p->waiting[ROW] || !p->waiting[COL] ? ROW : COL;
        int i = p->waiting[side] ? p->queue[side][--p->waiting[side]] : p->queue[ROW][p->m - p->waiting_long--];
        p->queued[side][i] = false;
        if (p->gone[side][i]) continue;
        if (side == ROW)
            presolve_look_at_row(p, i);
        else
            presolve_look_at_col(p, i);
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
        for (int64_t e = lp->start[j]; e < lp->start[j + 1]; e++) {
            if (lp->value[e] != 0) presolve_add(p, lp->index[e], j, lp->value[e]);
        }
    }
    for (int j = n - 1; j >= 0; j--) presolve_wake(p, COL, j);
    for (int i = m - 1; i >= 0; i--) {
        p->scan_left[i] = SCANS_MOST * (int64_t)p->chain[ROW][i].count;
        presolve_wake(p, ROW, i);
    }
    return p;
}

#ifdef VOUCH_DEBUG
/* Chains by row and by column hold the same entries, as many as they count, and none of what is gone. */
static void chains_check(const presolve *p)
{
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
#endif

/* What only presolve itself reads. */
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
    for (int round = 0; round < ROUNDS_MOST && !presolve_over(p); round++) {
        work_off_queues(p);
        size_t before = p->step_count;
        if (!presolve_over(p)) presolve_dominated_cols(p);
        if (!presolve_over(p)) presolve_look_for_multiples(p);
        if (p->step_count == before) break;
    }
    work_off_queues(p);
    if (p->out_of_memory) return PRESOLVE_MEMORY;
    if (p->hopeless) return PRESOLVE_HOPELESS;
#ifdef VOUCH_DEBUG
    chains_check(p);
#endif
    if (p->out_of_time || deadline_expired(limit)) return PRESOLVE_LIMIT;
    if (!lay_out(p)) return PRESOLVE_MEMORY;
    return p->rows + p->cols <= WORTHWHILE * (p->m + p->n) ? PRESOLVE_REDUCED : PRESOLVE_NOTHING;
}

void presolve_free(presolve *p)
{
    if (!p) return;
    mem_free(p->nodes);
    mem_free(p->steps);
    mem_free(p->kept_index);
    mem_free(p->kept_value);
    arena_free(&p->scratch);
    arena_free(&p->memory);
}

const vouch_lp_data *presolve_problem(const presolve *p) { return &p->reduced; }
