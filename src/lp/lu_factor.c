/* lp/lu_factor.c - factorises a basis: B = L U with rows and columns permuted.
 *
 * Columns of simplex bases are few entries long and mostly triangular already, so three passes are made:
 *   1. logicals, then columns with a single entry in the rows left, then rows with a single entry in the columns
 *      left: none of these needs arithmetic on the rest;
 *   2. on the kernel that remains, Markowitz pivoting: the entry (i, j) of least (r_i - 1)(c_j - 1) among those of
 *      at least `threshold` times the largest of their column, looked for in the few shortest rows and columns;
 *   3. the pieces are laid out by columns and by rows for the solves.
 * Sources: H. M. Markowitz, Management Science 3 (1957); U. H. Suhl and L. M. Suhl, ORSA J. Computing 2 (1990), for
 * the order of search. Deviations: values are kept by columns only and rows hold a pattern, as a test of
 * the threshold needs whole columns; a row singleton is taken below the threshold while threshold is at its
 * default, since it changes no other entry.
 */
#include <string.h>

#include "base/memory.h"
#include "lp/lu_markowitz.h"

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void markowitz_free(markowitz *k)
{
    if (!k) return;
    void *blocks[] = {k->row_of,       k->slot_of,   k->col_count, k->row_count, k->queue,      k->col_begin,    k->col_length,
                      k->col_capacity, k->col_index, k->col_value, k->row_begin, k->row_length, k->row_capacity, k->row_index,
                      k->col_first,    k->col_next,  k->col_back,  k->row_first, k->row_next,   k->row_back,     k->col_max,
                      k->multiplier,   k->marked,    k->flag,      k->u_row,     k->u_slot,     k->u_value};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(blocks[i]);
    mem_free(k);
}

static markowitz *markowitz_new(int m)
{
    markowitz *k = MEM_ZERO(markowitz, 1);
    if (!k) return NULL;
    k->m = m;
    int **ints[] = {&k->row_of,     &k->slot_of,      &k->col_count, &k->row_count,  &k->col_begin,
                    &k->col_length, &k->col_capacity, &k->row_begin, &k->row_length, &k->row_capacity,
                    &k->col_next,   &k->col_back,     &k->row_next,  &k->row_back,   &k->marked};
    bool ok = true;
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) ok = (*ints[i] = MEM_NEW(int, m)) && ok;
    ok = (k->queue = MEM_NEW(int, 2 * (size_t)m)) && ok;
    ok = (k->col_first = MEM_NEW(int, m + 1)) && ok;
    ok = (k->row_first = MEM_NEW(int, m + 1)) && ok;
    ok = (k->col_max = MEM_NEW(double, m)) && ok;
    ok = (k->multiplier = MEM_ZERO(double, m)) && ok;
    ok = (k->flag = MEM_ZERO(char, m)) && ok;
    if (ok) return k;
    markowitz_free(k);
    return NULL;
}

lu *lu_new(int m)
{
    lu *f = MEM_ZERO(lu, 1);
    if (!f) return NULL;
    f->m = m;
    f->growth = 2.0;
    bool ok = !lu_lists_init(&f->l, m, 4 * m + 64);
    ok = !lu_lists_init(&f->lt, m, 4 * m + 64) && ok;
    ok = !lu_lists_init(&f->u, m, 4 * m + 64) && ok;
    ok = !lu_lists_init(&f->ut, m, 4 * m + 64) && ok;
    int **ints[] = {&f->l_order, &f->lt_order, &f->ut_capacity, &f->u_place, &f->stack, &f->stack_next, &f->found};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) ok = (*ints[i] = MEM_NEW(int, m)) && ok;
    ok = (f->u_order = MEM_NEW(int, m + LU_UPDATES)) && ok;
    ok = (f->pivot = MEM_NEW(double, m)) && ok;
    ok = (f->mark = MEM_ZERO(char, m)) && ok;
    ok = !vector_init(&f->spike, m) && ok;
    ok = !vector_init(&f->row, m) && ok;
    ok = (f->kernel = markowitz_new(m)) && ok;
    if (ok) return f;
    lu_free(f);
    return NULL;
}

void lu_free(lu *f)
{
    if (!f) return;
    lu_lists_free(&f->l);
    lu_lists_free(&f->lt);
    lu_lists_free(&f->u);
    lu_lists_free(&f->ut);
    void *blocks[] = {f->l_order, f->lt_order, f->ut_capacity, f->u_place, f->stack,   f->stack_next,
                      f->found,   f->u_order,  f->pivot,       f->mark,    f->r_index, f->r_value};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(blocks[i]);
    vector_free(&f->spike);
    vector_free(&f->row);
    markowitz_free(f->kernel);
    mem_free(f);
}

void lu_set_limit(lu *f, const deadline *limit) { f->limit = limit; }

/* ---- factorisation ----------------------------------------------------------------------------------------------- */

/* Rows and slots left over are joined by logicals. */
static int replace_rest(lu *f, markowitz *k, int head[])
{
    int count = 0, row = 0;
    for (int s = 0; s < k->m; s++) {
        if (k->row_of[s] >= 0) continue;
        while (k->slot_of[row] >= 0) row++;
        head[s] = row;
        lu_take(f, k, row, s, -1.0);
        count++;
    }
    return count;
}

int lu_factor(lu *f, const sparse *a, int head[], double threshold, int *replaced)
{
    int m = f->m;
    markowitz *k = f->kernel;
    f->work = f->factor_work = 0;
    f->l_count = f->u_count = 0;
    f->l.used = 0;
    f->r_count = f->r_begin[0] = 0;
    f->spike_kept = f->row_kept = false;
    k->u_used = 0;
    memset(f->l.length, 0, (size_t)m * sizeof(int));
    memset(f->l.begin, 0, (size_t)m * sizeof(int));
    for (int i = 0; i < m; i++) k->row_of[i] = k->slot_of[i] = -1;

    for (int s = 0; s < m; s++) {
        if (head[s] < m && k->slot_of[head[s]] < 0) lu_take(f, k, head[s], s, -1.0);
    }
    if (f->u_count < m) {
        if (lu_take_singletons(f, k, a, head, threshold)) return -1;
    }
    int first_pass = f->u_count;
    if (f->u_count < m) {
        int failed = lu_eliminate_kernel(f, k, a, head, threshold);
        if (failed) return failed;
    }
    *replaced = replace_rest(f, k, head);
    if (lu_lay_out(f, k, a, head, first_pass)) return -1;

    for (int s = 0; s < m; s++) k->queue[k->row_of[s]] = head[s];
    memcpy(head, k->queue, (size_t)m * sizeof(int));
    return 0;
}
