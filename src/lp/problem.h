/* lp/problem.h - a vouch_lp: the caller's data, the basis, the engine kept between solves, the result. */
#ifndef LP_PROBLEM_H
#define LP_PROBLEM_H

#include <stdbool.h>
#include <vouch/lp.h>

#include "base/transpose.h"
#include "la/sparse.h"
#include "lp/simplex.h"

typedef struct sos1_set {
    int count;
    int *cols;      /* [count], owned */
    double *weight; /* [count] or NULL, owned */
} sos1_set;

/* Names of rows or columns: those set together share a block, later ones have one each. */
typedef struct name_list {
    char **name; /* NULL until the first is set; entries may be NULL */
    char *block; /* owned, NULL: none */
    size_t length;
} name_list;

struct vouch_lp {
    sparse a;                             /* [rows][cols] */
    double *cost, *col_lower, *col_upper; /* [cols] */
    double *row_lower, *row_upper;        /* [rows] */
    unsigned char *integer;               /* [cols] */
    size_t col_capacity, row_capacity;    /* of the arrays above and of the names */
    double offset;
    bool maximize, rewritten;

    char *name, *objective_name; /* NULL: never set */
    name_list row_names, col_names;
    sos1_set *sos1;
    size_t sos1_count, sos1_room;

    /* Basis by variables, rows first. While `engine` exists it has the current basis; lp_keep_basis updates status. */
    bool has_basis;
    unsigned char *status; /* [rows + cols] */
    size_t status_capacity;
    simplex *engine;

    long long exact_work;   /* on exact solves since the problem was loaded */
    long long confirm_most; /* limit of its use for confirmation (follow.h) */
    bool computed;          /* its numbers were computed, not written by a caller (follow.h) */

    /* Result. One block of doubles: x, reduced_cost, ray [cols]; activity, dual, farkas [rows]. */
    vouch_lp_result result;
    double *numbers;
    size_t numbers_capacity;
    char *fraction; /* result.exact_objective */
};

/* Copies the engine's basis to status. */
void lp_keep_basis(vouch_lp *lp);
/* For changes that the engine cannot follow: keeps the basis, frees the engine. */
void lp_drop_engine(vouch_lp *lp);
/* Called at every change. */
void lp_forget_result(vouch_lp *lp);

/* Sets all names; name i is the zero-terminated text at text[offset[i]]. There must be none yet. */
vouch_status lp_name_rows(vouch_lp *lp, const char text[], const size_t offset[]);
vouch_status lp_name_cols(vouch_lp *lp, const char text[], const size_t offset[]);

#endif
