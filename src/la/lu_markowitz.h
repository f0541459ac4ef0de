/* la/lu_markowitz.h - what the passes of a factorisation share: the part of the matrix that has no pivots yet. */
#ifndef LA_LU_MARKOWITZ_H
#define LA_LU_MARKOWITZ_H

#include "base/check.h"
#include "la/lu_private.h"

/* The active columns, or rows: lists of entries, each with room to grow, chained by their length. */
typedef struct active_lists {
    int *begin, *length, *capacity; /* [m] */
    bool valued;                    /* columns have values, rows only a pattern */
    int *index;
    double *value;
    long long used, size;     /* of index and value */
    int *first, *next, *back; /* list k of length c is in chain c; first: [m + 1] */
} active_lists;

/* The active submatrix. Slots are positions of `head` as given; rows are rows. */
typedef struct markowitz {
    int m;
    int *row_of, *slot_of;      /* of slot, of row: pivots made, -1 none yet */
    int *col_count, *row_count; /* pass 1: active entries */
    int *queue;                 /* pass 1: [2 m] */

    active_lists col, row;
    double *col_max;    /* largest magnitude; < 0: unknown */
    double *multiplier; /* [m] zero between pivots */
    int *marked;        /* rows of the pivot column */
    char *flag;         /* [m] zero between pivots: 1 a row of the pivot column, 2 seen */

    /* Entries of U made in pass 2: row, slot, value */
    int *u_row, *u_slot;
    double *u_value;
    long long u_used, u_size;
} markowitz;

static inline void active_link(active_lists *l, int k)
{
    int count = l->length[k];
    l->next[k] = l->first[count];
    l->back[k] = -1;
    if (l->first[count] >= 0) l->back[l->first[count]] = k;
    l->first[count] = k;
}

static inline void active_unlink(active_lists *l, int k)
{
    if (l->back[k] >= 0)
        l->next[l->back[k]] = l->next[k];
    else
        l->first[l->length[k]] = l->next[k];
    if (l->next[k] >= 0) l->back[l->next[k]] = l->back[k];
}

/* The pivot of `slot` lies in `row`, and is the next of U. */
static inline void lu_take(lu *f, markowitz *k, int row, int slot, double pivot)
{
    CHECK(k->slot_of[row] < 0 && k->row_of[slot] < 0);
    CHECK_COMPARE(f->u_count, <, f->m);
    k->row_of[slot] = row;
    k->slot_of[row] = slot;
    f->pivot[row] = pivot;
    f->u_place[row] = f->u_count;
    f->u_order[f->u_count++] = row;
}

/* One more entry of the column of L being made. -1: memory */
static inline int lu_add_multiplier(lu *f, int row, double value)
{
    if (f->l.used == f->l.capacity && lu_lists_reserve(&f->l, 2LL * f->l.capacity + 64)) return -1;
    f->l.index[f->l.used] = row;
    f->l.value[f->l.used++] = value;
    return 0;
}

/* lu_kernel.c: the kernel loaded; room for so many entries in all, and for `extra` more in one list. -1: memory */
int lu_load_kernel(lu *f, markowitz *k, const sparse *a, const int head[]);
int active_reserve(active_lists *l, long long size);
int lu_widen_col(markowitz *k, int c, int extra);
int lu_widen_row(markowitz *k, int i, int extra);
#ifdef VOUCH_DEBUG
void lu_kernel_check(const markowitz *k, const int head[]);
#else
static inline void lu_kernel_check(const markowitz *k, const int head[]) { (void)k, (void)head; }
#endif

/* Pass 1, lu_singleton.c. -1: memory */
int lu_take_singletons(lu *f, markowitz *k, const sparse *a, const int head[], double threshold);
/* Pass 2, lu_markowitz.c. -1: memory, 1: the limit of f was reached */
int lu_eliminate_kernel(lu *f, markowitz *k, const sparse *a, const int head[], double threshold);
/* One more entry of U. -1: memory */
int lu_keep_u(markowitz *k, int row, int slot, double value);
/* lu_dense.c: is what is left to be taken as one, where this is the least product of entries beside a pivot in its row and column?
 */
bool lu_rest_is_dense(const lu *f, double merit);
/* Takes it: 0; -1: memory, 1: the limit of f was reached, 2: it is singular; nothing is changed then. */
int lu_eliminate_rest(lu *f, markowitz *k);
/* Pass 3, lu_layout.c: U after first_pass pivots of pass 1 and L, by columns and by rows. -1: memory */
int lu_lay_out(lu *f, const markowitz *k, const sparse *a, const int head[], int first_pass);

#endif
