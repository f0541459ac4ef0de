/* lp/problem.h - a vouch_lp: the caller's data, the basis, the engine kept between solves, the result. */
#ifndef LP_PROBLEM_H
#define LP_PROBLEM_H

#include "base/transpose.h"
#include "lp/simplex.h"

/* ---- proofs checked on the caller's data: the only source of OPTIMAL, INFEASIBLE, UNBOUNDED --------------------------------- */

typedef enum certainty {
    DOUBTFUL = 0, /* only within the caller's tolerances */
    PLAUSIBLE,    /* small violations and a small gap, but a multiplier of wrong sign exceeds rounding */
    BEYOND_DOUBT
} certainty;

/* A candidate point with its duals, and its measures. */
typedef struct optimality {
    const double *x, *y;         /* given: [n], [m] in the problem's sense */
    double primal_tol, dual_tol; /* given */
    bool fine;                   /* given: also test whether rounding of the data decides; one more pass over the matrix */
    double *activity, *reduced;  /* A x [m], c - A'y [n] */
    double objective, bound;     /* with offset */
    vouch_lp_certificate measures;
    certainty sure;  /* how far within tolerance */
    bool leans;      /* a violation exceeds rounding; or fine, and rounding may decide */
    const char *why; /* not certified: the failed check */
} optimality;

/* Computes the rest of *o, why only if false. True: all measures are within tolerance. */
bool certify_optimal(const vouch_lp_data *lp, optimality *o);

/* Bound on the optimum by the row duals y [m] in the problem's sense, with offset: the dual objective, or -inf / inf if a column
 * without the bound it needs has a reduced cost beyond rounding. Multipliers below dual_tol that need an absent bound become 0 in
 * y. reduced [n]: c - A'y. */
double certify_bound(const vouch_lp_data *lp, double y[], double dual_tol, double reduced[]);

/* Is min over the column box of (y'A)x > max over the row bounds of y'r ? Removes noise from y, changes its sign if needed. Returns
 * the margin relative to the largest term, at least TOL_CERTIFY_RAY, or 0. *sure: at most PLAUSIBLE if a sum on a column without
 * bound was rounded to 0. */
double certify_farkas(const vouch_lp_data *lp, double y[], certainty *sure);

/* Does direction r [n] keep all bounds and improve the objective? Returns the relative margin or 0. Removes noise from r. activity
 * [m]: scratch. */
double certify_ray(const vouch_lp_data *lp, double r[], double activity[]);

/* ---- a vouch_lp ------------------------------------------------------------------------------------------------------------- */

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

/* ---- claims of the engine: unscaled, certified, and, if in doubt, refined or settled exactly -------------------------------- */

/* The arrays of a result, in one block of the program. */
typedef struct result_arrays {
    double *x, *reduced, *ray;        /* [n] */
    double *activity, *dual, *farkas; /* [m] */
} result_arrays;

/* One solve. */
typedef struct judgement {
    vouch_lp *lp; /* engine and result */
    const vouch_lp_data *data;
    const vouch_lp_options *options;
    const deadline *limit;
    bool fine; /* rounding of the data matters: the numbers are the caller's, and the program is not solved repeatedly */
    result_arrays at;
    certainty sure;  /* of the last certified claim */
    bool leans;      /* its point uses tolerance, or rounding may decide (certificate.h) */
    const char *why; /* the last failed check */
} judgement;

/* Checks, and if in doubt refines, the engine's end, and stores the result; UNSOLVED: not certified. */
vouch_lp_outcome judge_end(judgement *g, run_end end);

#endif
