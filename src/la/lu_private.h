/* la/lu_private.h - the sparse factors of lu.h, shared by factorisation, solves and updates. */
#ifndef LA_LU_PRIVATE_H
#define LA_LU_PRIVATE_H

#include <stdint.h>

#include "base/arena.h"
#include "la/lu.h"

/* Most updates of factors with a tail. */
#define LU_UPDATES 500
/* Bases with more rows reserve less room a row for updates. */
#define LU_LARGE_ROWS 20000

/* The last pivots of a factorisation, if L and U are nearly dense there, with their parts of updates; lu_solve.c. */
typedef struct lu_tail {
    int rows;    /* 0: no tail */
    int *row;    /* [rows] in pivot order */
    int *u_row;  /* the same, -1 where the column of U was replaced */
    int *place;  /* [m] index in row, -1 elsewhere */
    double *a;   /* [rows][rows] by columns: U with its diagonal, below it L. A replaced column is one of the identity. */
    double *s;   /* [LU_UPDATES][rows] the entries of entering columns in u_row */
    double *r;   /* the same for row transformations */
    int *s_of;   /* [LU_UPDATES] the position of each column of s; -1: replaced again */
    double *sum; /* [LU_UPDATES] scratch */
    double *x;   /* [rows] scratch */
    int capacity;
} lu_tail;

/* Chains that find the row transformations with an entry at a nonzero of x, in a large basis; lu_solve.c. */
typedef struct lu_met {
    int *newest_entry;           /* [m] last entry of R with this index, -1: none */
    int *older_entry, *owner;    /* of each entry: the previous one of the same index, and its transformation */
    int *newest_row, *older_row; /* [m] last transformation of this row, and for each transformation the previous one of its row */
    uint64_t *marked;            /* a bit for each, all 0 between solves; NULL: the basis is not large */
} lu_met;

struct lu {
    arena memory; /* of all arrays of fixed size, itself included */
    int m;
    const deadline *limit; /* NULL: none */

    lu_lists l;   /* column p of L below its unit diagonal, as multipliers */
    lu_lists lt;  /* rows of L */
    int *l_order; /* pivot rows whose list in l is not empty, in order */
    int l_count;
    int *lt_order; /* rows whose list in lt is not empty, in pivot order */
    int lt_count;
    int *l_place, *lt_place; /* [m] place of p in l_order and in lt_order; l_count and -1: none */

    lu_lists u;       /* column p of U without its diagonal */
    lu_lists ut;      /* rows of U */
    int *ut_capacity; /* [m] capacity of each list of ut */
    double *pivot;    /* [m] diagonal of U */
    int *u_order;     /* [m + updates_most] positions in pivot order; -1: moved to a later place */
    int u_count;
    int logicals; /* number of logicals, the first pivots of a factorisation */
    int *u_place; /* [m] place of p in u_order */

    lu_tail tail; /* its entries are not in the lists above */

    int updates; /* since the factorisation */
    /* Row transformations that are not the identity: x[p] += sum value * x[index] */
    int *r_row, *r_begin; /* [updates_most], [updates_most + 1] */
    int r_count, r_capacity, updates_most;
    int *r_index;
    double *r_value;
    lu_met met;

    vector spike, row; /* intermediate results for the update */
    bool spike_kept, row_kept;

    double density[LU_KINDS][2]; /* running average density of the results of each stage */
    long long work, factor_work;

    /* Scratch of the symbolic solves: mark is all zero between calls. */
    char *mark;
    int *stack, *stack_next, *found;

    struct markowitz *kernel; /* scratch of the factorisation */
    double growth;            /* factor of the room for updates; doubled when an update was refused for room */
};

/* -1: memory */
int lu_tail_reserve(lu_tail *tail, int rows);
void lu_tail_free(lu_tail *tail);
void lu_tail_clear(lu *f);
/* tail->row is set: no list has entries there. */
void lu_tail_set(lu *f, int rows);
/* Stores the tail's entries of the next row transformation and of the column that replaces the one of p. False: not in the tail. */
void lu_tail_begin_update(lu *f);
bool lu_tail_takes_r(lu *f, int index, double value);
bool lu_tail_takes_s(lu *f, int index, double value);
/* The stored column becomes the one of position p; called before r_count grows. */
void lu_tail_replace(lu *f, int p);

/* Row transformations. */
void lu_transform_init(lu *f, arena *a);
void lu_transform_free(lu *f);
int lu_transform_reserve(lu *f, long long entries); /* -1: memory */
void lu_transform_clear(lu *f);
/* Appends one for the row, with entries r_index and r_value from r_begin[r_count] to `end`. */
void lu_transform_add(lu *f, int row, int end);

/* Room for `need` entries in all. -1: memory */
int lu_lists_reserve(lu_lists *l, long long need);

#endif
