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
/* Steps that leave more than this part of rows plus columns in place are not worth a second problem. */
static const double WORTHWHILE = 0.97;

static void work_off_queues(presolve *p)
{
    while ((p->row_waiting || p->col_waiting) && !presolve_over(p)) {
        if (p->row_waiting) {
            int i = p->row_queue[--p->row_waiting];
            p->row_queued[i] = false;
            if (!p->row_gone[i]) presolve_look_at_row(p, i);
        } else {
            int j = p->col_queue[--p->col_waiting];
            p->col_queued[j] = false;
            if (!p->col_gone[j]) presolve_look_at_col(p, j);
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
    p->node_capacity = entries + entries / 4 + 16;
    bool ok = (p->nodes = MEM_NEW(matrix_entry, p->node_capacity));
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
            if (lp->value[e] != 0) presolve_add(p, lp->index[e], j, lp->value[e]);
        }
    }
    for (int j = n - 1; j >= 0; j--) presolve_wake_col(p, j);
    for (int i = m - 1; i >= 0; i--) presolve_wake_row(p, i);
    return p;
}

#ifdef VOUCH_DEBUG
/* Chains by row and by column hold the same entries, as many as they count, and none of what is gone. */
static void chains_check(const presolve *p)
{
    long long by_row = 0, by_col = 0;
    for (int i = 0; i < p->m; i++) {
        int count = 0;
        for (int k = p->row[i].first; k >= 0; k = p->nodes[k].row_next, count++) {
            CHECK(p->nodes[k].row == i && !p->col_gone[p->nodes[k].col]);
            CHECK(p->nodes[k].row_next < 0 || p->nodes[p->nodes[k].row_next].row_back == k);
        }
        CHECK_COMPARE(count, ==, p->row[i].count);
        CHECK(!p->row_gone[i] || count == 0);
        by_row += count;
    }
    for (int j = 0; j < p->n; j++) by_col += p->col[j].count;
    CHECK_COMPARE(by_row, ==, by_col);
}
#endif

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
        CHECK_COMPARE((size_t)at, ==, entries);
        for (int r = 0; r < p->rows; r++) rl[r] = p->rl[p->row_name[r]], ru[r] = p->ru[p->row_name[r]];
    }
    mem_free(new_row);
    return ok;
}

presolve_end presolve_run(const vouch_lp_data *lp, const deadline *limit, presolve **out)
{
    presolve *p = *out = presolve_load(lp);
    if (!p) return PRESOLVE_MEMORY;
    p->limit = limit;
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
    void *blocks[] = {p->rl,         p->ru,         p->cl,    p->cu,         p->cost,       p->row_gone,
                      p->col_gone,   p->nodes,      p->row,   p->col,        p->row_queue,  p->col_queue,
                      p->row_queued, p->col_queued, p->steps, p->kept_index, p->kept_value, p->row_name,
                      p->col_name,   p->start,      p->index, p->value,      p->numbers};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(blocks[i]);
    mem_free(p);
}

void presolve_problem(const presolve *p, vouch_lp_data *reduced)
{
    double *cost = p->numbers, *lower = cost + p->cols, *upper = lower + p->cols, *rl = upper + p->cols, *ru = rl + p->rows;
    *reduced = (vouch_lp_data){.rows = p->rows,
                               .cols = p->cols,
                               .start = p->start,
                               .index = p->index,
                               .value = p->value,
                               .cost = cost,
                               .col_lower = lower,
                               .col_upper = upper,
                               .row_lower = rl,
                               .row_upper = ru};
}
