/* la/lu_private.h - what the files of the sparse factors share. See lu.h for the formula. */
#ifndef LA_LU_PRIVATE_H
#define LA_LU_PRIVATE_H

#include <stdint.h>

#include "base/arena.h"
#include "la/lu.h"

/* Updates between factorisations at most where there is a tail; the driver asks for fewer. */
#define LU_UPDATES 500
/* Bases of more rows get less room for them, a row. */
#define LU_LARGE_ROWS 20000

/* The last pivots of a factorisation where L and U are all but dense among them, and what updates add there; lu_tail.c. */
typedef struct lu_tail {
    int rows;    /* 0: no such pivots */
    int *row;    /* [rows] them in order */
    int *u_row;  /* the same, -1 where the column of U was replaced */
    int *place;  /* [m] where each stands in row, -1 elsewhere */
    double *a;   /* [rows][rows] by columns: U with its diagonal, below it L. A column that was replaced is one of the identity. */
    double *s;   /* [LU_UPDATES][rows] of the columns that replaced others, what lies in u_row */
    double *r;   /* the same of the row transformations */
    int *s_of;   /* [LU_UPDATES] the position of each column of s; -1: replaced again */
    double *sum; /* [LU_UPDATES] scratch */
    double *x;   /* [rows] scratch */
    int capacity;
} lu_tail;

/* Which row transformations a sparse x meets, of a large basis; lu_transform.c. */
typedef struct lu_met {
    int *newest_entry;           /* [m] last entry of R with this index, -1: none */
    int *older_entry, *owner;    /* of each entry: the one of the same index before it, and its transformation */
    int *newest_row, *older_row; /* [m] last transformation of this row, and of each the one before it */
    uint64_t *marked;            /* a bit for each, all 0 between solves; NULL: the basis is not large */
} lu_met;

struct lu {
    arena memory; /* of all that does not grow, itself included */
    int m;
    const deadline *limit; /* NULL: none */

    lu_lists l;   /* column p of L below its unit diagonal, stored as multipliers */
    lu_lists lt;  /* rows of L */
    int *l_order; /* pivot rows whose column of l is not empty, in order */
    int l_count;
    int *lt_order; /* rows whose list of lt is not empty, in pivot order */
    int lt_count;
    int *l_place, *lt_place; /* [m] where p stands in l_order, and in lt_order; l_count and -1: it does not */

    lu_lists u;       /* column p of U without its diagonal */
    lu_lists ut;      /* rows of U */
    int *ut_capacity; /* [m] room of each list of ut */
    double *pivot;    /* [m] diagonal of U */
    int *u_order;     /* [m + updates_most] positions in pivot order; -1: moved on */
    int u_count;
    int logicals; /* of a factorisation: the first so many of u_order */
    int *u_place; /* [m] where p stands in u_order */

    lu_tail tail; /* none of its entries are in the lists above */

    int updates; /* since the factorisation */
    /* Row transformations that do something: x[p] += sum value * x[index] */
    int *r_row, *r_begin; /* [updates_most], [updates_most + 1] */
    int r_count, r_capacity, updates_most;
    int *r_index;
    double *r_value;
    lu_met met;

    vector spike, row; /* half-way results kept for the update */
    bool spike_kept, row_kept;

    double density[LU_KINDS][2]; /* running average density of results of each stage */
    long long work, factor_work;

    /* Scratch of the symbolic solves: mark is all zero between calls. */
    char *mark;
    int *stack, *stack_next, *found;

    struct markowitz *kernel; /* scratch of the factorisation */
    double growth;            /* room factor for the update; grows when an update was refused for room */
};

/* Room for so many rows; -1: memory */
int lu_tail_reserve(lu_tail *tail, int rows);
void lu_tail_free(lu_tail *tail);
/* The factors have no such pivots. */
void lu_tail_clear(lu *f);
/* tail->row is known: no list has entries there. */
void lu_tail_set(lu *f, int rows);
/* Its part of x := L^-1 x; tail->sum [k] is the product of the result with row transformation k. False: x is 0 there and stays so.
 */
bool lu_tail_solve_l(lu *f, vector *x);
/* Its part of x := L'^-1 x, after tail->sum [k] times each row transformation was added. False as above. */
bool lu_tail_solve_lt(lu *f, vector *x);
/* Its part of x := U^-1 x, once x is known for the columns that replaced others, and of x := U'^-1 x with what it subtracts from
 * those. False as above. */
bool lu_tail_solve_u(lu *f, vector *x);
bool lu_tail_solve_ut(lu *f, vector *x);
/* Takes the entries of the next row transformation and of the column that replaces that of p which lie in the tail. */
void lu_tail_begin_update(lu *f);
bool lu_tail_takes_r(lu *f, int index, double value);
bool lu_tail_takes_s(lu *f, int index, double value);
/* The column of position p is the one taken; before r_count grows. */
void lu_tail_replace(lu *f, int p);

/* ---- lu_transform.c: the row transformations ---- */
void lu_transform_init(lu *f, arena *a); /* their arrays that do not grow, in a; f is large or not */
void lu_transform_free(lu *f);
int lu_transform_reserve(lu *f, long long entries); /* room for so many entries in all; -1: memory */
void lu_transform_clear(lu *f);                     /* there are none */
/* One more, of the row: entries r_index and r_value from r_begin [r_count] to `end`. */
void lu_transform_add(lu *f, int row, int end);
void lu_transform(lu *f, vector *x);   /* x := R x; a tail has its part in tail.sum */
void lu_transform_t(lu *f, vector *x); /* x := R' x; a tail is told in tail.sum */

/* Makes room for `need` entries in all. */
int lu_lists_reserve(lu_lists *l, long long need);

#endif
