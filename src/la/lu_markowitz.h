/* la/lu_markowitz.h - what the passes of a factorisation share: the part of the matrix that has no pivots yet. */
#ifndef LA_LU_MARKOWITZ_H
#define LA_LU_MARKOWITZ_H

#include <limits.h>

#include "base/check.h"
#include "base/memory.h"
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

/* Columns that may wait while others are taken; lu_aside.c. */
enum { LU_ASIDE_MOST = 8 };

/* The active submatrix. Slots are positions of `head` as given; rows are rows. */
typedef struct markowitz {
    int m;
    int *row_of, *slot_of;      /* of slot, of row: pivots made, -1 none yet */
    int *col_count, *row_count; /* pass 1: active entries */
    int *queue;                 /* pass 1: [2 m] */

    int aside[LU_ASIDE_MOST], aside_count; /* slots of columns that wait; until the kernel is loaded */
    int aside_from;                        /* place in u_order of the first pivot taken meanwhile */

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

/* One more entry of U. -1: memory */
static inline int lu_keep_u(markowitz *k, int row, int slot, double value)
{
    if (k->u_used == k->u_size) {
        long long size = 2 * k->u_size + 4LL * k->m + 64;
        if (MEM_RESIZE(&k->u_row, size) || MEM_RESIZE(&k->u_slot, size) || MEM_RESIZE(&k->u_value, size)) return -1;
        k->u_size = size;
    }
    k->u_row[k->u_used] = row;
    k->u_slot[k->u_used] = slot;
    k->u_value[k->u_used++] = value;
    return 0;
}

/* Room for so many entries in all. -1: memory */
static inline int active_reserve(active_lists *l, long long size)
{
    if (size <= l->size) return 0;
    if (size > INT_MAX || MEM_RESIZE(&l->index, size) || (l->valued && MEM_RESIZE(&l->value, size))) return -1;
    l->size = size;
    return 0;
}

/* lu_kernel.c: the kernel loaded, and room for `extra` more in one list. -1: memory */
int lu_load_kernel(lu *f, markowitz *k, const sparse *a, const int head[]);
int lu_widen_col(markowitz *k, int c, int extra);
int lu_widen_row(markowitz *k, int i, int extra);
#ifdef VOUCH_DEBUG
void lu_kernel_check(const markowitz *k, const int head[]);
#else
static inline void lu_kernel_check(const markowitz *k, const int head[]) { (void)k, (void)head; }
#endif

/* Pass 1, lu_singleton.c. -1: memory */
int lu_take_singletons(lu *f, markowitz *k, const sparse *a, const int head[], double threshold);
/* Those of rows, over the columns whose row_of is -1. strict: none below the threshold. -1: memory */
int lu_take_row_singletons(lu *f, markowitz *k, const sparse *a, const int head[], double threshold, bool strict);
/* Pass 1b, lu_aside.c: takes row singletons that appear where a few long columns are left out of account. -1: memory */
int lu_set_aside(lu *f, markowitz *k, const sparse *a, const int head[], double threshold);
bool lu_was_aside(const markowitz *k, int slot);
/* Column j of `slot`, which was set aside, after the pivots taken meanwhile: its entries of U are kept, the others go to
 * k->col at begin[slot], where there is room for m. The place after the last, -1: memory. */
int lu_follow_aside(lu *f, markowitz *k, const sparse *a, int j, int slot);
/* Pass 2, lu_markowitz.c. -1: memory, 1: the limit of f was reached */
int lu_eliminate_kernel(lu *f, markowitz *k, const sparse *a, const int head[], double threshold);
/* lu_dense.c: is what is left to be taken as one, where this is the least product of entries beside a pivot in its row and column?
 */
bool lu_rest_is_dense(const lu *f, double merit);
/* Takes it: 0; -1: memory, 1: the limit of f was reached, 2: it is singular; nothing is changed then. */
int lu_eliminate_rest(lu *f, markowitz *k);
/* Pass 3, lu_layout.c: U after first_pass pivots of pass 1 and L, by columns and by rows. -1: memory */
int lu_lay_out(lu *f, const markowitz *k, const sparse *a, const int head[], int first_pass);

#endif
