/* la/lu.h - sparse LU factors of a basis matrix, with Forrest-Tomlin updates.
 *
 * Variables are numbered logicals first: v < m is the logical of row v with column -e_v, v >= m is column v - m of the matrix.
 * Position p of the basis and row p have the same number: a factorisation permutes the list of basic variables so that the pivot of
 * position p lies in row p. Hence B = L R_1^-1 .. R_k^-1 U with U triangular in the order of its pivots. */
#ifndef LA_LU_H
#define LA_LU_H

#include "base/clock.h"
#include "la/sparse.h"

/* Lists by row: list p is begin[p] .. begin[p] + length[p] - 1. */
typedef struct lu_lists {
    int *begin, *length; /* [m] */
    int *index;
    double *value;
    int used, capacity;
} lu_lists;

typedef struct lu lu;

/* Kinds of solves; each has its own average of the density of results. */
typedef enum lu_kind { LU_COLUMN, LU_EDGE, LU_FLIP, LU_ROW, LU_COST, LU_KINDS } lu_kind;

lu *lu_new(int m); /* NULL: memory */
void lu_free(lu *f);
void lu_set_limit(lu *f, const deadline *limit); /* tested by lu_factor; NULL: none. It must outlive f. */

/* Factorises the basis head [m] and permutes head as above. In a singular basis logicals replace dependent variables; *replaced
 * counts them. threshold: see LU_THRESHOLD. 0; -1: memory; 1: limit reached (no factors, head unchanged). */
int lu_factor(lu *f, const sparse *a, int head[], double threshold, int *replaced);

/* Copies the factors, with their updates but without a kept ftran or btran, to one of as many rows. -1: memory, `to` has no
 * factors. */
int lu_copy(lu *to, const lu *from);

/* x := B^-1 x and x := B^-T x. keep: store the intermediate result for the next lu_update; x of a kept btran is a unit vector. */
void lu_ftran(lu *f, vector *x, lu_kind kind, bool keep);
void lu_btran(lu *f, vector *x, lu_kind kind, bool keep);
/* Replaces the variable of position p by the column of the last kept ftran; the last kept btran was of e_p; pivot: entry p of that
 * ftran's result. False: refused (no room, or the new diagonal disagrees with its prediction), and the factors are invalid. Never
 * allocates. */
bool lu_update(lu *f, int p, double pivot);

/* Updates after which factors of m rows are renewed; more for large bases, whose factorisation is slow. */
int lu_updates_most(int m);

/* Entries touched since the factorisation, in the factorisation, and entries of the factors. Deterministic. */
long long lu_work(const lu *f);
long long lu_factor_work(const lu *f);
long long lu_entries(const lu *f);

/* A view of the factors. Column p of L and of U is list p, without its diagonal. */
typedef struct lu_shape {
    const lu_lists *l, *u;
    const double *pivot; /* [m] diagonal of U */
    const int *u_order;  /* [u_count] rows in pivot order; -1: moved to a later place */
    int u_count;
    int r_entries; /* of the row transformations of updates */
    int tail_rows; /* the last pivots, whose entries are in a dense array and not in lists */
} lu_shape;
lu_shape lu_look(const lu *f);

/* Tolerances of the factors, with ranges, for double precision (about 2e-16) and matrices scaled to entries near 1. */

/* Smaller results of solves are rounding noise. [1e-16, 1e-11] */
#define TOL_DROP 1e-14
/* Smallest absolute pivot of a factorisation of the scaled basis. [1e-12, 1e-7] */
#define TOL_LU_PIVOT 1e-10
/* Threshold pivoting: least ratio of a pivot to the largest entry of its column, at first and after numerical trouble. A larger one
 * gives stabler factors and more fill-in. [0.01, 1] */
#define LU_THRESHOLD     0.1
#define LU_THRESHOLD_MAX 0.9
/* Relative residual of a test solve above which a new factorisation is rejected. [1e-10, 1e-6] */
#define TOL_RESIDUAL 1e-7
/* Relative difference of the updated and the computed pivot above which the basis is factorised again. [1e-9, 1e-5] */
#define TOL_PIVOT_DRIFT 1e-7

/* ---- the sparse factors of lu.h, shared by factorisation, solves and updates ------------------------------------------------ */

/* Most updates of factors with a tail. */
#define LU_UPDATES 500
/* Bases with more rows reserve less room a row for updates. */
#define LU_LARGE_ROWS 20000

/* The last pivots of a factorisation, if L and U are nearly dense there, with their parts of updates. */
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

/* Chains that find the row transformations with an entry at a nonzero of x, in a large basis. */
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

#endif
