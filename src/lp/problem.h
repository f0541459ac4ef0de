/* lp/problem.h - inside of a vouch_lp: the caller's data, the basis, the engine kept between solves, the result. */
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

/* Names of rows or columns: those set all at once share a block, later ones have one each. */
typedef struct name_list {
    char **name; /* NULL until the first is set; entries may be NULL, and are beyond the last row or column */
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

    /* Basis by variables, rows first. While `engine` lives it holds the truth; lp_keep_basis brings status up to date. */
    bool has_basis;
    unsigned char *status; /* [rows + cols] */
    size_t status_capacity;
    simplex *engine;

    long long exact_work;   /* spent on exact solves since the problem was loaded */
    long long confirm_most; /* of it to confirm what doubles say (confirm.h) */
    bool computed;          /* its numbers are not those that a caller wrote (confirm.h) */

    /* Result. One block of doubles: x, reduced_cost, ray [cols]; activity, dual, farkas [rows]. */
    vouch_lp_result result;
    double *numbers;
    size_t numbers_capacity;
    char *fraction; /* result.exact_objective */
};

/* Copies the engine's basis into status, so that the engine may go. */
void lp_keep_basis(vouch_lp *lp);
/* The problem changed in a way the engine does not follow: keeps the basis, frees the engine. */
void lp_drop_engine(vouch_lp *lp);
/* Any change ends the validity of the result. */
void lp_forget_result(vouch_lp *lp);

/* Room for so many in all. -1: memory */
int lp_reserve_cols(vouch_lp *lp, size_t need);
int lp_reserve_rows(vouch_lp *lp, size_t need);
int lp_reserve_status(vouch_lp *lp, size_t need);
/* What a caller can get wrong: NaN, an infinite entry, an index out of range or twice. */
vouch_status lp_check_bounds(const char *what, int count, const double *lower, const double *upper, vouch_error *error);
/* Lists of entries with indices below `limit`. */
vouch_status lp_check_lists(const char *what, const line_matrix *lists, int limit, vouch_error *error);
/* names.c. All names at once, each ended by a zero byte: that of row or column i begins at text[offset[i]]. The list has none yet.
 */
vouch_status lp_name_rows(vouch_lp *lp, const char text[], const size_t offset[]);
vouch_status lp_name_cols(vouch_lp *lp, const char text[], const size_t offset[]);
void lp_free_name(const name_list *list, char *name); /* one that is taken from the list, or NULL */
void lp_free_names(name_list *list, size_t capacity);
int lp_copy_names(name_list *to, const name_list *from, size_t count, size_t capacity); /* -1: memory */
bool lp_bad_lower(double x);
bool lp_bad_upper(double x);

#endif
