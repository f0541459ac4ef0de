/* la/lu_factor.c - factorises a basis: B = L U with rows and columns permuted.
 *
 * Columns of simplex bases are few entries long and mostly triangular already, so three passes are made:
 *   1. logicals, then columns with a single entry in the rows left, then rows with a single entry in the columns
 *      left: none of these needs arithmetic on the rest;
 *      1b. row singletons but for a few long columns, which follow later (lu_aside.c);
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
#include "la/lu_markowitz.h"

/* ---- life -------------------------------------------------------------------------------------------------------- */

static markowitz *markowitz_new(arena *a, int m)
{
    markowitz *k = ARENA_ZERO(a, markowitz, 1);
    if (!k) return NULL;
    k->m = m;
    k->col.valued = true;
    int **ints[] = {&k->row_of,    &k->slot_of,    &k->col_count,    &k->row_count, &k->marked,
                    &k->col.begin, &k->col.length, &k->col.capacity, &k->col.next,  &k->col.back,
                    &k->row.begin, &k->row.length, &k->row.capacity, &k->row.next,  &k->row.back};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) *ints[i] = ARENA_NEW(a, int, m);
    k->queue = ARENA_NEW(a, int, 2 * (size_t)m);
    k->col.first = ARENA_NEW(a, int, m + 1);
    k->row.first = ARENA_NEW(a, int, m + 1);
    k->col_max = ARENA_NEW(a, double, m);
    k->multiplier = ARENA_ZERO(a, double, m);
    k->flag = ARENA_ZERO(a, char, m);
    return k;
}

/* Of a large basis most columns stay where they are, and factorising it takes as long as many updates: above LU_LARGE_ROWS one more
 * for each ROWS_AN_UPDATE rows. */
enum { UPDATES_SMALL = 100, ROWS_AN_UPDATE = 50 };

int lu_updates_most(int m) { return m <= LU_LARGE_ROWS ? UPDATES_SMALL : UPDATES_SMALL + (m - LU_LARGE_ROWS) / ROWS_AN_UPDATE; }

lu *lu_new(int m)
{
    arena a = {0};
    lu *f = ARENA_ZERO(&a, lu, 1);
    if (!f) return NULL;
    f->m = m;
    f->growth = 2.0;
    lu_lists *lists[] = {&f->l, &f->lt, &f->u, &f->ut};
    bool grown = true;
    for (int i = 0; i < 4; i++) {
        lists[i]->begin = ARENA_ZERO(&a, int, m);
        lists[i]->length = ARENA_ZERO(&a, int, m);
        grown = grown && !lu_lists_reserve(lists[i], 4 * m + 64);
    }
    int **ints[] = {&f->l_order, &f->lt_order, &f->ut_capacity, &f->u_place,    &f->stack,   &f->stack_next,
                    &f->found,   &f->tail.row, &f->tail.u_row,  &f->tail.place, &f->l_place, &f->lt_place};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) *ints[i] = ARENA_NEW(&a, int, m);
    f->updates_most = lu_updates_most(m) > LU_UPDATES ? lu_updates_most(m) : LU_UPDATES;
    f->u_order = ARENA_NEW(&a, int, m + f->updates_most);
    lu_transform_init(f, &a);
    f->pivot = ARENA_NEW(&a, double, m);
    f->mark = ARENA_ZERO(&a, char, m);
    vector_init(&f->spike, &a, m);
    vector_init(&f->row, &a, m);
    f->tail.s_of = ARENA_NEW(&a, int, LU_UPDATES);
    f->tail.sum = ARENA_NEW(&a, double, LU_UPDATES);
    for (int p = 0; f->tail.place && p < m; p++) f->tail.place[p] = -1;
    f->kernel = markowitz_new(&a, m);
    f->memory = a;
    if (grown && !a.failed) return f;
    lu_free(f);
    return NULL;
}

void lu_free(lu *f)
{
    if (!f) return;
    lu_lists *lists[] = {&f->l, &f->lt, &f->u, &f->ut};
    for (int i = 0; i < 4; i++) {
        mem_free(lists[i]->index);
        mem_free(lists[i]->value);
    }
    lu_transform_free(f);
    lu_tail_free(&f->tail);
    markowitz *k = f->kernel;
    if (k) {
        void *grown[] = {k->col.index, k->col.value, k->row.index, k->u_row, k->u_slot, k->u_value};
        for (size_t i = 0; i < sizeof grown / sizeof *grown; i++) mem_free(grown[i]);
    }
    arena_free(&f->memory);
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
    lu_tail_clear(f);
    f->l.used = 0;
    f->updates = 0;
    lu_transform_clear(f);
    f->spike_kept = f->row_kept = false;
    k->u_used = 0;
    memset(f->l.length, 0, (size_t)m * sizeof(int));
    for (int i = 0; i < m; i++) k->row_of[i] = k->slot_of[i] = -1;

    for (int s = 0; s < m; s++) {
        if (head[s] < m && k->slot_of[head[s]] < 0) lu_take(f, k, head[s], s, -1.0);
    }
    f->logicals = f->u_count;
    if (f->u_count < m) {
        if (lu_take_singletons(f, k, a, head, threshold)) return -1;
    }
    int first_pass = f->u_count;
    if (lu_set_aside(f, k, a, head, threshold)) return -1;
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
