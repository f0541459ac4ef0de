/* lp/simplex.h - the state that primal and dual simplex share, and the steps they are made of.
 *
 *     min c'x   subject to   A x - s = 0,   l <= (s, x) <= u
 *
 * scaled. Variables: logicals 0 .. m-1 (the row activities s), then the n columns; see lu.h. Nonbasic variables stand at
 * a bound (or at 0 when free); x_B = -B^-1 N x_N. Reduced costs d = c - A'y with y = B^-T c_B; that of logical i is
 * c_i + y_i.
 */
#ifndef LP_SIMPLEX_H
#define LP_SIMPLEX_H

#include <stdbool.h>
#include <stdint.h>
#include <vouch/lp.h>

#include "base/arena.h"
#include "base/rng.h"
#include "base/trace.h"
#include "la/sparse.h"
#include "lp/basis.h"

/* How far a derived vector can be trusted. No result is believed on one that is not FRESH. */
typedef enum trust { INVALID = 0, UPDATED, FRESH } trust;

/* How a run of primal or dual ended. */
typedef enum run_end {
    RUN_ON = 0,     /* not ended */
    RUN_OPTIMAL,    /* for the working costs and bounds */
    RUN_INFEASIBLE, /* s->ray_dual is a candidate proof */
    RUN_UNBOUNDED,  /* s->ray_primal likewise */
    RUN_CUTOFF,
    RUN_LIMIT,
    RUN_INTERRUPTED,
    RUN_STALLED, /* no progress: let the other method try */
    RUN_TROUBLE, /* numerics: no acceptable pivot even from fresh factors */
    RUN_MEMORY
} run_end;

/* Why a method makes its derived vectors anew. */
typedef enum rebuild_reason {
    REBUILD_START,   /* of a run: what is not fresh, from the factors there are */
    REBUILD_WIDENED, /* working bounds changed; the same */
    REBUILD_END,     /* an end was found on updated vectors: new factors after a long solve */
    REBUILD_BOXED,   /* an optimum within boxes: few solves have them, and new factors are worth the last digits of the point */
    REBUILD_DUE,     /* as many updates as pay, or none possible any more */
    REBUILD_PIVOT,   /* two computations of the pivot disagree, or it is small */
    REBUILD_REDUCED, /* a reduced cost drifted */
    REBUILD_RAY,     /* unbounded, it seems */
    REBUILD_CUTOFF   /* the objective passed the cutoff, it seems */
} rebuild_reason;

/* What the methods work on: costs and bounds may be shifted or perturbed. */
typedef struct working_problem {
    double *cost, *lower, *upper;
    bool costs_shifted, bounds_shifted;
    bool boxed;         /* phase 1 of the dual: working bounds are its boxes */
    bool perturbed;     /* costs were perturbed in this solve already */
    bool perturb_first; /* the next run of the dual begins by perturbing them */
    double widening;    /* size of the next widening of bounds by the primal */
    double objective;   /* of the working problem, followed through the steps of the dual */
} working_problem;

/* The positions by parts: of each part the largest ratio, the position that has it (-1: none), or that the two are out of date. */
typedef struct pricing_level {
    double *most;
    int *best;
    bool *changed;
} pricing_level;

/* What entering and leaving variables are chosen by, and the pivot row computed from. */
typedef struct pricing {
    double *edge;                /* [m] weights of rows, kept by the dual's rule; pricing.h */
    double *devex;               /* [vars] weights of columns, kept by the primal's rule */
    double *infeasible;          /* [m] squared bound violations, kept by the dual */
    pricing_level block, group;  /* of positions by PRICING_BLOCK, and of blocks likewise; for pricing_steepest.c */
    sparse rows;                 /* row-wise copy of a, variables for columns; price.c */
    int *row_end;                /* [m] end of the part of each row whose variables may enter */
    int *row_place, *row_source; /* [entries] twins: of an entry of a in rows, of one of rows in a */
    size_t pair_capacity;
    bool rows_valid, edge_valid;
} pricing;

typedef struct simplex {
    arena memory; /* of the arrays [m], itself included; those [vars] grow */
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

    /* Scratch, all zero outside a step that uses it, except row, col and pivot_row, which their owners clear. */
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
    int dual_rule, primal_rule;  /* pricing.h; 0: the first of its list */
    bool perturb, perturb_start; /* when degenerate; costs at a cold start of the dual as well */
    bool solved_once;            /* no tree begins here: the choice is by time, other vertices do no harm */
    bool no_boxes;               /* a slack basis is a cold start, whatever was done before, and box.c has no part in it */
    bool polishing;              /* feasible by the caller's tolerances, improving on them */
    rng random;
    deadline limit;
    const vouch_log *log;                                     /* NULL: silence */
    vouch_trace *trace;                                       /* NULL: none */
    double next_report;                                       /* seconds of the clock */
    long long reported;                                       /* iterations at the last line */
    double cutoff;                                            /* of the scaled minimisation objective; INFINITY: none */
    long long iterations, iteration_limit, iterations_before; /* before: at the start of this solve */
    long long factorizations;
    int degenerate;   /* steps without progress in a row */
    long allocations; /* of this thread after the last factorisation */
    int trouble;      /* numerical mishaps in this solve */
} simplex;

/* ---- life -------------------------------------------------------------------------------------------------------- */

/* Builds the scaled problem. NULL: memory. Without a basis set: slack basis. A limit reached on the way leaves it without
 * scaling. */
simplex *simplex_new(const vouch_lp_data *data, bool scaled, const deadline *limit);
void simplex_free(simplex *s);
/* simplex_copy.c. to := the state of the other, a simplex method on the same matrix: bounds, costs, basis, factors, weights and
 * vectors, whatever to did before. 0; 1: the two differ in size or scaling, to is as it was; -1: memory, to may be freed. */
int simplex_take(simplex *to, const simplex *from);
/* A column to be appended, unscaled; cost for minimisation. */
typedef struct simplex_col {
    int64_t count;
    const int *index;    /* [count] rows */
    const double *value; /* the same */
    double cost, lower, upper;
} simplex_col;
/* Nonbasic. -1: memory, s unchanged. */
int simplex_append(simplex *s, const simplex_col *col);
void simplex_set_bounds(simplex *s, int v, double lower, double upper); /* unscaled */
void simplex_set_cost(simplex *s, int v, double cost);                  /* unscaled, minimisation */
/* Basic variables and where the others stand: status [vars]; repaired to m basic ones. */
void simplex_set_basis(simplex *s, const unsigned char status[]);
void simplex_slack_basis(simplex *s);
bool simplex_is_slack(const simplex *s); /* are the logicals the basic variables? */
unsigned char simplex_status(const simplex *s, int v);

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* Puts nonbasic v on a working bound: keeps its side where that is finite; one that was fixed or free goes where its
 * reduced cost wants it. */
void simplex_place(simplex *s, int v);
void simplex_reset_work(simplex *s); /* working costs and bounds := the true ones */
void simplex_load_basic(simplex *s); /* lb, ub from the working bounds */
/* New factors; everything derived becomes INVALID. RUN_ON, or MEMORY, LIMIT, INTERRUPTED: no factors then. */
run_end simplex_factor(simplex *s);
void simplex_compute_primal(simplex *s);
/* basic_cost NULL: for the working costs. Else [m]: for these costs of the basic variables, 0 elsewhere; ray_dual := y,
 * and dual_trust stays INVALID. */
void simplex_compute_dual(simplex *s, const double basic_cost[]);
/* New factors if there are none, or if asked for unless they are new; recomputes what is not FRESH. As simplex_factor. */
run_end simplex_refresh(simplex *s, bool refactor);
/* Does this reason ask for new factors where there are some? */
bool simplex_wants_factors(const simplex *s, rebuild_reason reason);
/* Do the column of q and the row of p, in s->col and s->pivot_row, agree about their pivot well enough? On aged factors it may not
 * be small. */
bool simplex_accepts_pivot(const simplex *s, int p, int q);
/* As basis_ftran and basis_btran of s->factors; timed. */
void simplex_ftran(simplex *s, vector *x, lu_kind kind, bool keep);
void simplex_btran(simplex *s, vector *y, lu_kind kind, bool keep);
/* s->col := B^-1 a_v */
void simplex_column(simplex *s, int v, bool keep);
/* s->row := e_p' B^-1 */
void simplex_row(simplex *s, int p);
void simplex_add_column(const simplex *s, int v, double factor, vector *x); /* x += factor * column v */
/* Exchanges the variable of position p with q, nonbasic, which takes the value `entering`; the leaving one stands at
 * `leaving` with direction `move`. Updates factors; false when they must be made anew (the basis is exchanged anyway). */
bool simplex_exchange(simplex *s, int p, int q, double entering, double leaving, signed char move);

/* A line of progress to the log, a second after the last. */
void simplex_report(simplex *s, const char *method, int phase);
double simplex_primal_infeasibility(const simplex *s, int *count); /* sum, over basic; by feasibility_tol */
double simplex_dual_infeasibility(const simplex *s, int *count);   /* sum, over nonbasic; by optimality_tol */
double simplex_objective(const simplex *s);                        /* working costs, scaled */
/* Iterations after which polishing gives up: it is meant to be short, and has no perturbation against cycling. */
long long simplex_polish_limit(const simplex *s);
/* box.c: working bounds where reduced costs want nonbasic variables but there are none; in a program solved once, where rows imply
 * one as well. How many of the former no row implies; -1: memory. */
int simplex_box(simplex *s);
/* Why to stop now, or RUN_ON. */
run_end simplex_stop(const simplex *s);

/* ---- price.c ----------------------------------------------------------------------------------------------------- */
int price_prepare(simplex *s);      /* row-wise copy, if it will be used; partition. -1: memory */
void price_partition(simplex *s);   /* after the set of basic or of fixed variables changed at large */
void price_hide(simplex *s, int v); /* v may no longer enter */
void price_show(simplex *s, int v); /* v may enter now, unless it is fixed */
/* result [vars] := x' [A, -I] over variables that may enter, listed. */
void price_row(simplex *s, const vector *x, vector *result);

/* ---- the methods --------------------------------------------------------------------------------------------------- */
run_end dual_run(simplex *s);
run_end primal_run(simplex *s);
/* Chooses and alternates; on RUN_OPTIMAL the basis is optimal for the true costs and bounds. */
run_end simplex_solve(simplex *s, vouch_lp_method method);

#endif
