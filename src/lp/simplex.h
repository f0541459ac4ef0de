/* lp/simplex.h - the state and the steps of the primal and dual simplex methods.
 *
 *     min c'x   subject to   A x - s = 0,   l <= (s, x) <= u
 *
 * scaled. Variables: logicals 0 .. m-1 (the row activities s), then the n columns; see lu.h. Nonbasic variables are at a bound (or
 * at 0 if free); x_B = -B^-1 N x_N. Reduced costs d = c - A'y with y = B^-T c_B; that of logical i is c_i + y_i. */
#ifndef LP_SIMPLEX_H
#define LP_SIMPLEX_H

#include <vouch/lp.h>

#include "base/rng.h"
#include "base/trace.h"
#include "la/lu.h"

/* ---- basis ---------------------------------------------------------------------------------------------------------------------
 *
 * The factorised basis matrix B of the variables head [m], numbered as in lu.h: Markowitz LU with Forrest-Tomlin
 * updates, or the explicit inverse from LAPACK's LU with rank-one updates. */

typedef struct basis basis;

typedef enum basis_refactor {
    BASIS_KEEP = 0,
    BASIS_UPDATES, /* the update limit is reached */
    BASIS_WORK     /* solves cost more than after a new factorisation */
} basis_refactor;

basis *basis_new(int m); /* NULL: memory */
void basis_free(basis *b);
void basis_set_limit(basis *b, const deadline *limit); /* as lu_set_limit */

/* Factorises head [m] of matrix a and may permute head; logicals replace dependent variables, *replaced counts them. A large
 * residual of the test solve repeats it with stricter pivoting. 0; -1: memory; 1: limit reached. The old factors are lost in either
 * case. */
int basis_factor(basis *b, const sparse *a, int head[], vouch_lp_factor wanted, int *replaced);

/* Copies factors and strictness to a basis of as many rows; as lu_copy. */
int basis_copy(basis *to, const basis *from);

/* x := B^-1 x and B^-T x; keep as in lu.h. */
void basis_ftran(basis *b, vector *x, lu_kind kind, bool keep);
void basis_btran(basis *b, vector *x, lu_kind kind, bool keep);
/* x := e_p' B^-1, kept. */
void basis_row(basis *b, int p, vector *x);
/* As lu_update. */
bool basis_update(basis *b, int p, double pivot);

basis_refactor basis_due(const basis *b);
int basis_updates(const basis *b); /* since the factorisation */
bool basis_is_dense(const basis *b);
void basis_be_strict(basis *b, bool strict); /* stricter pivoting from now on */
/* View of the sparse factors; l is NULL if there are none. */
lu_shape basis_shape(const basis *b);
/* weight [m] := squared lengths of the rows of B^-1. False: sparse factors. */
bool basis_row_squares(const basis *b, double weight[]);

/* ---- the state and the steps of the primal and dual simplex methods --------------------------------------------------------- */

/* Accuracy of a derived vector. Every result needs FRESH ones. */
typedef enum trust { INVALID = 0, UPDATED, FRESH } trust;

/* End of a run of primal or dual. */
typedef enum run_end {
    RUN_ON = 0,     /* not ended */
    RUN_OPTIMAL,    /* for the working costs and bounds */
    RUN_INFEASIBLE, /* s->ray_dual may prove it */
    RUN_UNBOUNDED,  /* s->ray_primal may prove it */
    RUN_CUTOFF,
    RUN_LIMIT,
    RUN_INTERRUPTED,
    RUN_STALLED, /* no progress: try the other method */
    RUN_TROUBLE, /* no acceptable pivot even from fresh factors */
    RUN_MEMORY
} run_end;

/* Reason to recompute derived vectors. */
typedef enum rebuild_reason {
    REBUILD_START,   /* of a run: only vectors that are not fresh */
    REBUILD_WIDENED, /* working bounds changed; as START */
    REBUILD_END,     /* an end on updated vectors: new factors after a long solve */
    REBUILD_BOXED,   /* an optimum within boxes: rare, and new factors improve the last digits of the point */
    REBUILD_DUE,     /* update limit, or no update possible */
    REBUILD_PIVOT,   /* two computations of the pivot disagree, or it is small */
    REBUILD_REDUCED, /* a reduced cost drifted */
    REBUILD_RAY,     /* apparently unbounded */
    REBUILD_CUTOFF   /* the objective apparently passed the cutoff */
} rebuild_reason;

/* Working costs and bounds, which may be shifted or perturbed. */
typedef struct working_problem {
    double *cost, *lower, *upper;
    bool costs_shifted, bounds_shifted;
    bool boxed; /* phase 1 of the dual: working bounds are its boxes */
    bool perturbed;
    bool perturb_first; /* the next run of the dual starts with perturbed costs */
    double widening;    /* of bounds by the primal, the next size */
    double objective;   /* of the working problem, updated by the dual */
} working_problem;

/* For each part of the positions: the largest ratio, its position (-1: none), and whether both are outdated. */
typedef struct pricing_level {
    double *most;
    int *best;
    bool *changed;
} pricing_level;

/* Weights of pricing, and the row-wise matrix for pivot rows. */
typedef struct pricing {
    double *edge;                /* [m] weights of rows, of the dual rule */
    double *devex;               /* [vars] weights of columns, of the primal rule */
    double *infeasible;          /* [m] squared bound violations, of the dual */
    pricing_level block, group;  /* of PRICING_BLOCK positions, and of PRICING_BLOCK blocks */
    sparse rows;                 /* row-wise copy of a, indexed by variables */
    int *row_end;                /* [m] end of the entries of each row whose variables may enter */
    int *row_place, *row_source; /* [entries] twins: of an entry of a in rows, of one of rows in a */
    size_t pair_capacity;
    bool rows_valid, edge_valid;
} pricing;

typedef struct simplex {
    arena memory; /* of the arrays [m], itself included; [vars] arrays grow */
    /* The scaled problem. x = scale * x_scaled for every variable; of a logical, scale is 1 / its row's factor. */
    int m, n, vars; /* vars = m + n */
    sparse a;       /* [m][n] */
    double *cost;   /* [vars] to be minimised */
    double *lower, *upper, *scale;
    size_t capacity; /* of every [vars] array */
    bool scaled;

    working_problem work;
    pricing pricing;

    /* The basis. */
    int *head;            /* [m] basic variable of each position */
    int *where;           /* [vars] position, -1 nonbasic */
    signed char *move;    /* [vars] nonbasic: +1 at lower, -1 at upper, 0 fixed or free; basic: 0 */
    double *value;        /* [vars] of nonbasic variables */
    double *reduced;      /* [vars] reduced costs; 0 for basic */
    double *xb, *lb, *ub; /* [m] basic values and their working bounds */
    basis *factors;
    bool factored;
    trust primal_trust, dual_trust;

    /* Scratch, zero outside of a step, except row, col and pivot_row, which their users clear. */
    vector row, col, tau, flip;     /* [m] */
    vector pivot_row;               /* [vars] */
    int *candidate, *order, *group; /* [vars + m]: a basic variable may have two breakpoints */
    double *ratio, *breakpoint;     /* the same */

    /* Proofs found. */
    double *ray_dual;   /* [m] scaled y */
    double *ray_primal; /* [vars] scaled direction */

    /* Options and counts. */
    double feasibility_tol, optimality_tol;
    vouch_lp_factor factor_wanted;
    int dual_rule, primal_rule;  /* index in the lists of vouch/lp.h */
    bool perturb, perturb_start; /* perturbation when degenerate; of costs at a cold start of the dual */
    bool solved_once;            /* no tree starts here, so other optimal vertices are allowed */
    bool no_boxes;               /* a slack basis is a cold start in any case; no boxes (drive.c) */
    bool polishing;              /* feasible by the caller's tolerances, improving further */
    rng random;
    deadline limit;
    const vouch_log *log;                                     /* NULL: silence */
    vouch_trace *trace;                                       /* NULL: none */
    double next_report;                                       /* seconds of the clock */
    long long reported;                                       /* iterations at the last line */
    double cutoff;                                            /* of the scaled minimisation objective; INFINITY: none */
    long long iterations, iteration_limit, iterations_before; /* before: at the start of this solve */
    long long factorizations;
    int degenerate;   /* consecutive steps without progress */
    long allocations; /* of this thread after the last factorisation */
    int trouble;      /* numerical mishaps in this solve */
} simplex;

/* Builds the scaled problem with the slack basis. NULL: memory. If the limit is reached, without scaling. */
simplex *simplex_new(const vouch_lp_data *data, bool scaled, const deadline *limit);
void simplex_free(simplex *s);
/* to := the state of a method on the same matrix: bounds, costs, basis, factors, weights and vectors. 0; 1: size or scaling differ,
 * to is unchanged; -1: memory, to may be freed. */
int simplex_take(simplex *to, const simplex *from);
/* A column to append, unscaled; cost of a minimum. */
typedef struct simplex_col {
    int64_t count;
    const int *index;    /* [count] rows */
    const double *value; /* the same */
    double cost, lower, upper;
} simplex_col;
/* The column is nonbasic. -1: memory, s unchanged. */
int simplex_append(simplex *s, const simplex_col *col);
void simplex_set_bounds(simplex *s, int v, double lower, double upper); /* unscaled */
void simplex_set_cost(simplex *s, int v, double cost);                  /* unscaled, minimisation */
/* status [vars] of all variables; repaired to m basic ones. */
void simplex_set_basis(simplex *s, const unsigned char status[]);
void simplex_slack_basis(simplex *s);
bool simplex_is_slack(const simplex *s); /* are all logicals basic? */
unsigned char simplex_status(const simplex *s, int v);

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* Places nonbasic v at a working bound: keeps its side if finite; for one that was fixed or free the reduced cost decides. */
void simplex_place(simplex *s, int v);
void simplex_reset_work(simplex *s);
void simplex_load_basic(simplex *s);
/* New factors; derived vectors become INVALID. RUN_ON, or MEMORY, LIMIT, INTERRUPTED without factors. */
run_end simplex_factor(simplex *s);
void simplex_compute_primal(simplex *s);
/* basic_cost NULL: for the working costs. Else [m]: costs of the basic variables, 0 for others; ray_dual := y, and dual_trust stays
 * INVALID. */
void simplex_compute_dual(simplex *s, const double basic_cost[]);
/* New factors if missing, or if asked for and not new; recomputes vectors that are not FRESH. As simplex_factor. */
run_end simplex_refresh(simplex *s, bool refactor);
/* Does this reason need new factors? */
bool simplex_wants_factors(const simplex *s, rebuild_reason reason);
/* Do the column of q and the row of p, in s->col and s->pivot_row, agree about their pivot? On aged factors it must not be small.
 */
bool simplex_accepts_pivot(const simplex *s, int p, int q);
/* As basis_ftran and basis_btran of s->factors; timed. */
void simplex_ftran(simplex *s, vector *x, lu_kind kind, bool keep);
void simplex_btran(simplex *s, vector *y, lu_kind kind, bool keep);
/* s->col := B^-1 a_v */
void simplex_column(simplex *s, int v, bool keep);
/* s->row := e_p' B^-1 */
void simplex_row(simplex *s, int p);
void simplex_add_column(const simplex *s, int v, double factor, vector *x); /* x += factor * column v */
/* Reduced costs after a dual step theta, before q enters at position p; s->pivot_row is row p. */
void simplex_update_reduced(simplex *s, int p, int q, double theta);
/* Exchanges the variable of position p with q, nonbasic, which gets the value `entering`; the leaving one gets `leaving` and
 * `move`. Updates factors; false: they must be recomputed (the basis is exchanged in any case). */
bool simplex_exchange(simplex *s, int p, int q, double entering, double leaving, signed char move);

/* A line of progress to the log, at most one a second. */
void simplex_report(simplex *s, const char *method, int phase);
double simplex_primal_infeasibility(const simplex *s, int *count); /* sum and number over basic variables */
double simplex_dual_infeasibility(const simplex *s, int *count);   /* sum and number over nonbasic variables */
double simplex_objective(const simplex *s);                        /* working costs, scaled */
/* Most iterations of polishing, which has no perturbation against cycling. */
long long simplex_polish_limit(const simplex *s);
/* Working bounds for reduced costs that need absent ones (drive.c); in programs solved once, for all implied bounds. Number of the
 * former that no row implies; -1: memory. */
int simplex_box(simplex *s);
/* reason to stop now, or RUN_ON */
run_end simplex_stop(const simplex *s);

int price_prepare(simplex *s); /* row-wise copy, if useful, and its partition. -1: memory */
/* result [vars] := x' [A, -I] over variables that may enter, listed. */
void price_row(simplex *s, const vector *x, vector *result);

run_end dual_run(simplex *s);
run_end primal_run(simplex *s);
/* Chooses and alternates the methods; RUN_OPTIMAL: for the true costs and bounds. */
run_end simplex_solve(simplex *s, vouch_lp_method method);
/* simplex_solve, from near the optimum if the structure or the pivots so far indicate a long way from the slack basis. */
run_end crash_solve(simplex *s);

/* ---- ratio tests ------------------------------------------------------------------------------------------------ */

/* s->pivot_row is row p, length that of its e_p' B^-1; the leaving variable is off its bound by `slope` > 0; sign: -1 below its
 * lower bound, +1 above its upper. Returns the entering variable or -1 (the row proves infeasibility). s->candidate[0 .. *flips-1]:
 * boxed variables that move to their other bounds. */
int ratio_dual(simplex *s, double slope, double sign, double length, int *flips);

/* The end of a primal step. */
typedef struct primal_step {
    int position;  /* of the leaving variable; -1: none */
    double length; /* of the step, >= 0 in phase 2 */
    bool at_upper; /* the leaving variable ends at its upper bound */
    bool flip;     /* the entering variable reaches its own other bound first */
} primal_step;

/* Phase 2. s->col is the entering column, direction +1 or -1, range the distance to its other bound. Every basic value ends within
 * feasibility_tol of its bounds. */
primal_step ratio_primal(const simplex *s, double direction, double range);
/* Phase 1: passes breakpoints of the sum of infeasibilities while it decreases; slope > 0 is its initial rate. */
primal_step ratio_infeasible(simplex *s, double direction, double range, double slope);

/* ---- the trace (base/trace.h) ------------------------------------------------------------------------------------
 *
 * start: a run of the primal or the dual; pivot: an exchange, or a flip to the other bound; basis: numbers of factor entries, and
 * their positions if few. Variables are numbered as above, values are in the caller's units, the objective is a minimum; tableau
 * entries, dual steps and infeasibilities are scaled. None of it changes the solve. */

typedef struct pivot_record {
    const char *method;
    int phase;
    int in, out;  /* equal: the variable flipped */
    double pivot; /* entry of the tableau */
    double step;  /* of the entering variable */
    double ratio; /* of the blocking row (primal) or of the entering column (dual) */
} pivot_record;

void record_run(const simplex *s, const char *method, int phase);
void record_pivot(const simplex *s, const pivot_record *r);

/* ---- scaling ----------------------------------------------------------------------------------------------- */

/* row [m], col [n]: powers of two with row_i |a_ij| col_j near 1; all 1 if the entries already are. scratch: [2 m]. False: limit
 * reached, factors undefined. */
bool scale_geometric(const sparse *a, double row[], double col[], double scratch[], const deadline *limit);

/* ---- pricing -------------------------------------------------------------------------------------------------------------------
 *
 * The pricing rules of VOUCH_LP_DUAL_PRICING and VOUCH_LP_PRIMAL_PRICING (vouch/lp.h): which row leaves, which
 * column enters.
 *
 * Weights are in `pricing` of lp/simplex.h: edge [m] by position, devex [vars] by variable. edge follows its variables when
 * simplex_factor permutes the basis; a variable that a repair brings in gets 1. A rule may use s->tau and s->candidate, and
 * allocates nothing. */

/* Positions are searched in blocks, and blocks in groups; most are unchanged since the last search. */
enum { PRICING_BLOCK = 64, PRICING_GROUP = PRICING_BLOCK * PRICING_BLOCK };
static inline int pricing_blocks(int m) { return m / PRICING_BLOCK + 1; }
static inline int pricing_groups(int m) { return m / PRICING_GROUP + 1; }
/* Called after each change of a violation or a weight. */
static inline void pricing_changed(simplex *s, int p)
{
    s->pricing.block.changed[p / PRICING_BLOCK] = true;
    s->pricing.group.changed[p / PRICING_GROUP] = true;
}
static inline void pricing_all_changed(simplex *s)
{
    for (int b = 0; b < pricing_blocks(s->m); b++) s->pricing.block.changed[b] = true;
    for (int g = 0; g < pricing_groups(s->m); g++) s->pricing.group.changed[g] = true;
}

/* s->pricing.infeasible [m]: squared bound violations, 0: within bounds, or excluded. */
typedef struct dual_pricing {
    void (*start)(simplex *s); /* a run begins; s->pricing.edge_valid: the weights belong to its basis */
    int (*choose)(simplex *s); /* position with a violation, -1: none */
    bool (*accept)(simplex *s,
                   int p); /* s->row is row p of the inverse. False: weights changed, choose again, at most once for p */
    void (*update)(simplex *s, int p); /* before the exchange at p; s->row, s->col: row and column of the pivot */
} dual_pricing;

typedef struct primal_pricing {
    void (*start)(simplex *s);                /* a run begins */
    int (*choose)(const simplex *s);          /* column that pricing_attracts, -1: none */
    void (*update)(simplex *s, int p, int q); /* before q enters at p; s->col, s->pivot_row: column of q, row p of the tableau */
} primal_pricing;

const dual_pricing *pricing_dual(const simplex *s);
const primal_pricing *pricing_primal(const simplex *s);
bool pricing_known(const vouch_lp_options *options); /* does every option name a rule? */

/* Rate of improvement as v enters: |d_v|; 0: v may not enter or is within the tolerance. */
static inline double pricing_attracts(const simplex *s, int v)
{
    double d = s->reduced[v];
    if ((d <= s->optimality_tol && d >= -s->optimality_tol) || s->where[v] >= 0) return 0;
    bool improves = s->move[v] == 0 ? s->work.lower[v] != s->work.upper[v] : s->move[v] * d < 0;
    return !improves ? 0 : d < 0 ? -d : d;
}

#endif
