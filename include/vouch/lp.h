/* vouch/lp.h - linear programs
 *
 *     min (or max)  c'x + c0    subject to   rl <= A x <= ru,   cl <= x <= cu,      A: [m][n]
 *
 * Bounds are doubles; an absent one is -INFINITY / INFINITY (IEEE). A column may be marked integer, and
 * columns may be put into SOS1 sets; vouch_lp_solve ignores both (it solves the relaxation), vouch_mip (mip.h) honours them.
 *
 * Signs: for the problem in its own sense, row_dual[i] is the rate of change of the optimal objective
 * per unit of the active bound of row i, and reduced_cost[j] = c_j - sum_i a_ij row_dual[i].
 */
#ifndef VOUCH_LP_H
#define VOUCH_LP_H

#include <vouch/status.h>
#include <vouch/trace.h>

VOUCH_C_BEGIN

typedef struct vouch_lp vouch_lp;

/* The proved outcome. OPTIMAL, INFEASIBLE and UNBOUNDED are returned only after the certificate (below) was checked on the
 * caller's own, unscaled data. */
typedef enum vouch_lp_outcome {
    VOUCH_LP_UNSOLVED = 0,
    VOUCH_LP_OPTIMAL,
    VOUCH_LP_INFEASIBLE, /* farkas ray available */
    VOUCH_LP_UNBOUNDED,  /* feasible point and primal ray available */
    VOUCH_LP_CUTOFF,     /* the optimum is proved worse than options.cutoff */
    VOUCH_LP_LIMIT,      /* iterations or seconds used up */
    VOUCH_LP_INTERRUPTED,
    VOUCH_LP_NUMERICAL /* nothing could be certified; the result's reason says why */
} vouch_lp_outcome;

typedef enum vouch_basis_status {
    VOUCH_BASIC = 0,
    VOUCH_AT_LOWER,
    VOUCH_AT_UPPER,
    VOUCH_NONBASIC_FREE, /* no finite bound, value 0 */
    VOUCH_NONBASIC_FIXED /* both bounds equal */
} vouch_basis_status;

typedef enum vouch_lp_method { VOUCH_LP_AUTO = 0, VOUCH_LP_PRIMAL, VOUCH_LP_DUAL } vouch_lp_method;
typedef enum vouch_lp_factor { VOUCH_FACTOR_AUTO = 0, VOUCH_FACTOR_DENSE, VOUCH_FACTOR_SPARSE } vouch_lp_factor;

/* Pricing rules by the words for them: which row leaves in the dual simplex method, which column enters in the primal. The first is
 * the default. */
#define VOUCH_LP_DUAL_PRICING(X)   X(steepest) X(largest)
#define VOUCH_LP_PRIMAL_PRICING(X) X(devex) X(largest)

typedef struct vouch_lp_options {
    vouch_lp_method method;
    vouch_lp_factor factor;
    int dual_pricing, primal_pricing; /* places in VOUCH_LP_DUAL_PRICING and VOUCH_LP_PRIMAL_PRICING; 0 */
    int presolve;           /* reduce first (only when no starting basis is set). 2: a program that is solved once: reduced
                             * further, at the price of longer rows, and costs are perturbed from the start; 1: one that is
                             * solved again; 0: off */
    int scale;              /* 1: geometric scaling by powers of two; 0: off */
    int perturb;            /* 1: cost / bound perturbation against cycling when needed; 0: never */
    int exact;              /* 1: go on from the last basis in rational arithmetic until the verdict is exact for the data, each
                             * number read as the shortest decimal that has its double; no tolerance enters. 0: doubles */
    double feasibility_tol; /* largest bound violation, absolute, of the scaled problem; 1e-7 */
    double optimality_tol;  /* largest dual infeasibility; 1e-7 */
    double cutoff;          /* stop when the optimum is proved worse; NAN: none. In the problem's sense */
    vouch_limits limits;    /* iterations, seconds, interrupt */
    vouch_log log;
    uint64_t seed;      /* of the perturbation */
    vouch_trace *trace; /* NULL: none */
} vouch_lp_options;

VOUCH_API void vouch_lp_options_init(vouch_lp_options *options);

/* A problem by columns. start: [n+1]; index, value: [start[n]], rows of each column in any order, no
 * duplicates. Any of cost, bounds may be NULL: cost 0, columns [0, inf), rows free. */
typedef struct vouch_lp_data {
    int rows, cols;
    const int64_t *start;
    const int *index;
    const double *value;
    const double *cost;
    double offset;
    int maximize;
    const double *col_lower, *col_upper;
    const double *row_lower, *row_upper;
} vouch_lp_data;

/* Each creates / fills *lp. On failure *lp is NULL (new, clone) or unchanged. */
VOUCH_API vouch_status vouch_lp_new(vouch_lp **lp);
VOUCH_API vouch_status vouch_lp_clone(vouch_lp **copy, const vouch_lp *lp); /* problem and basis */
VOUCH_API void vouch_lp_free(vouch_lp *lp);                                 /* NULL is fine */
/* Copies the data; forgets any basis and solution. ERROR_INPUT: an index outside, a duplicate, a NaN,
 * an infinite coefficient or cost, a lower bound of +inf or upper of -inf; the message names it. Bounds that
 * cross are accepted: the problem is infeasible. */
VOUCH_API vouch_status vouch_lp_load(vouch_lp *lp, const vouch_lp_data *data, vouch_error *error);

/* Changes. Each keeps the basis (new rows basic, new columns nonbasic), so that the next solve starts warm. */
/* count rows, by rows: start [count+1], index (columns), value. lower, upper: [count], or NULL as for vouch_lp_load. */
VOUCH_API vouch_status vouch_lp_add_rows(vouch_lp *lp, int count, const int64_t *start, const int *index, const double *value,
                                         const double *lower, const double *upper);
/* count columns, by columns. cost, lower, upper: [count], or NULL likewise. */
VOUCH_API vouch_status vouch_lp_add_cols(vouch_lp *lp, int count, const int64_t *start, const int *index, const double *value,
                                         const double *cost, const double *lower, const double *upper);
/* rows / cols: [count], ascending, the indices to delete; the rest close ranks. A deleted basic column or
 * nonbasic row leaves a basis that the next solve repairs. */
VOUCH_API vouch_status vouch_lp_delete_rows(vouch_lp *lp, int count, const int *rows);
VOUCH_API vouch_status vouch_lp_delete_cols(vouch_lp *lp, int count, const int *cols);
VOUCH_API vouch_status vouch_lp_set_col_bounds(vouch_lp *lp, int col, double lower, double upper);
VOUCH_API vouch_status vouch_lp_set_row_bounds(vouch_lp *lp, int row, double lower, double upper);
VOUCH_API vouch_status vouch_lp_set_cost(vouch_lp *lp, int col, double cost);
VOUCH_API vouch_status vouch_lp_set_offset(vouch_lp *lp, double offset);
VOUCH_API vouch_status vouch_lp_set_maximize(vouch_lp *lp, int maximize);

/* Names; "" when never set, or set to NULL. The problem's own name and the objective's likewise. */
VOUCH_API vouch_status vouch_lp_set_name(vouch_lp *lp, const char *name);
VOUCH_API vouch_status vouch_lp_set_objective_name(vouch_lp *lp, const char *name);
VOUCH_API vouch_status vouch_lp_set_row_name(vouch_lp *lp, int row, const char *name);
VOUCH_API vouch_status vouch_lp_set_col_name(vouch_lp *lp, int col, const char *name);
VOUCH_API const char *vouch_lp_name(const vouch_lp *lp);
VOUCH_API const char *vouch_lp_objective_name(const vouch_lp *lp);
VOUCH_API const char *vouch_lp_row_name(const vouch_lp *lp, int row);
VOUCH_API const char *vouch_lp_col_name(const vouch_lp *lp, int col);

/* Integrality and SOS1 sets (used by mip.h only). */
VOUCH_API vouch_status vouch_lp_set_integer(vouch_lp *lp, int col, int integer);
VOUCH_API int vouch_lp_is_integer(const vouch_lp *lp, int col);
/* At most one of cols may be nonzero. weight orders them (NULL: as listed). */
VOUCH_API vouch_status vouch_lp_add_sos1(vouch_lp *lp, int count, const int *cols, const double *weight);
VOUCH_API int vouch_lp_sos1_count(const vouch_lp *lp);
VOUCH_API void vouch_lp_sos1(const vouch_lp *lp, int set, int *count, const int **cols, const double **weight);
/* Marks that rows, columns and SOS1 sets replace indicators, SOS2 sets or semicontinuous columns of a file (lp_io.h): no proof is
 * written, since its rows would differ from the file's. */
VOUCH_API vouch_status vouch_lp_set_rewritten(vouch_lp *lp, int rewritten);
VOUCH_API int vouch_lp_is_rewritten(const vouch_lp *lp);

/* A term value * x[first] * x[second] of a row. Programs with products are written (lp_io.h), for other solvers; nothing here
 * solves them. */
typedef struct vouch_lp_product {
    int row, first, second;
    double value;
} vouch_lp_product;

/* The problem as it is now; pointers stay valid until the next change. */
VOUCH_API int vouch_lp_rows(const vouch_lp *lp);
VOUCH_API int vouch_lp_cols(const vouch_lp *lp);
VOUCH_API void vouch_lp_view(const vouch_lp *lp, vouch_lp_data *view);

/* Basis: row_status [m], col_status [n]. A set basis is repaired if it is singular or of wrong size. */
VOUCH_API void vouch_lp_get_basis(const vouch_lp *lp, unsigned char *row_status, unsigned char *col_status);
VOUCH_API vouch_status vouch_lp_set_basis(vouch_lp *lp, const unsigned char *row_status, const unsigned char *col_status);
VOUCH_API void vouch_lp_forget_basis(vouch_lp *lp); /* next solve starts cold */
VOUCH_API int vouch_lp_has_basis(const vouch_lp *lp);

/* Solves; warm from the current basis if there is one. options NULL: defaults. Returns OK if the call itself worked; see the
 * outcome for its result. ERROR_MEMORY leaves the problem unchanged. */
VOUCH_API vouch_status vouch_lp_solve(vouch_lp *lp, const vouch_lp_options *options);

/* Recomputed from the caller's data, never from the solver's working numbers. rel_* divide by
 * 1 + the largest magnitude involved. For OPTIMAL all are within tolerance. */
typedef struct vouch_lp_certificate {
    double primal_residual; /* max |A x - row_activity|, then bound violations of rows and columns */
    double primal_infeasibility;
    double dual_infeasibility; /* wrong-signed reduced costs and row duals */
    double complementarity;    /* max over i of |dual| * distance to the bound it prices, relative */
    double relative_gap;       /* |primal objective - dual objective| / (1 + |primal objective|) */
    double ray_quality;        /* INFEASIBLE / UNBOUNDED: margin of the proof, relative, > 0; else 0 */
} vouch_lp_certificate;

/* The result of the last solve; arrays are owned by lp and valid until the next solve or change. */
typedef struct vouch_lp_result {
    vouch_lp_outcome outcome;
    double objective; /* of x, in the problem's sense, offset included */
    double bound;     /* proved bound on the optimum (dual objective; -inf / inf if none: OPTIMAL is said within the tolerances,
                       * and a large program may have a reduced cost beyond rounding on a column without bound) */
    const double *x;  /* [n] */
    const double *row_activity; /* [m] = A x */
    const double *row_dual;     /* [m] */
    const double *reduced_cost; /* [n] */
    const double *farkas; /* [m] or NULL. INFEASIBLE: y with min over the box of (y'A)x, minus max over row bounds of y'r, > 0 */
    const double *ray;    /* [n] or NULL. UNBOUNDED: direction that keeps all bounds and improves */
    long long iterations; /* simplex iterations, both phases, primal and dual */
    long long factorizations;
    int used_dense; /* the factorisation used last */
    double seconds;
    const char *exact_objective; /* options.exact, OPTIMAL: the optimum as a fraction "p/q" or "p"; else NULL */
    long long exact_pivots;      /* options.exact: made after the last basis of the doubles; 0: that was right */
    double exact_seconds;        /* options.exact: of seconds, those in rational arithmetic */
    vouch_lp_certificate certificate;
    const char *reason; /* NUMERICAL: the failed check, in a line; other outcomes: a warning if they depend on tiny numbers. NULL:
                           none. Static text */
} vouch_lp_result;

VOUCH_API void vouch_lp_get_result(const vouch_lp *lp, vouch_lp_result *result);
VOUCH_API const char *vouch_lp_outcome_text(vouch_lp_outcome outcome);

/* For how long the basis of an optimum stays optimal. Index 0: downwards, 1: upwards; infinite where there is no end. */
typedef struct vouch_lp_range {
    double value[2];     /* nonbasic: its bound, where a basic variable meets one; basic: its value in the basis after `cost` */
    double cost[2];      /* its cost, where a reduced cost turns */
    double objective[2]; /* at value for a nonbasic, at cost for a basic one; offset included */
    int limiting[2];     /* variable that ends it, rows first: the one that meets a bound, or that enters the basis; -1: none */
} vouch_lp_range;

/* Sensitivity of the optimum last found: range [m + n], rows first, a row's cost being 0. The bounds of the variable itself are
 * left out of account. ERROR_ARGUMENT: the outcome is not OPTIMAL, or has no basis that could be factorised. */
VOUCH_API vouch_status vouch_lp_ranges(const vouch_lp *lp, vouch_lp_range range[]);

VOUCH_C_END
#endif
