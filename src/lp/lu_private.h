/* lp/lu_private.h - what the files of the sparse factors share. See lu.h for the formula. */
#ifndef LP_LU_PRIVATE_H
#define LP_LU_PRIVATE_H

#include "base/arena.h"
#include "lp/lu.h"

/* Updates between factorisations at most; the driver asks for fewer. */
#define LU_UPDATES 200

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

    lu_lists u;       /* column p of U without its diagonal */
    lu_lists ut;      /* rows of U */
    int *ut_capacity; /* [m] room of each list of ut */
    double *pivot;    /* [m] diagonal of U */
    int *u_order;     /* [m + LU_UPDATES] positions in pivot order; -1: moved on */
    int u_count;
    int *u_place; /* [m] where p stands in u_order */

    /* Row transformations: x[p] += sum value * x[index] */
    int r_row[LU_UPDATES], r_begin[LU_UPDATES + 1];
    int r_count, r_capacity;
    int *r_index;
    double *r_value;

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

/* Makes room for `need` entries in all. */
int lu_lists_reserve(lu_lists *l, long long need);

#endif
