/* program/program.h - the linear and mixed-integer programs of the theory, each column and row with its meaning.
 *
 *   paper             MILP-CCL as printed: occupancies y(b,a;k), x(b_L,t,s,a;k) for each environment k, indicators
 *                     Delta(b,a), Delta(b_L,t,s,a) in {0,1}, sum_a Delta <= 1, y <= Delta, x <= Delta (Zhang, Singh, Durfee 2017)
 *   compact           the same over likelihood classes of reachable nodes: one occupancy sigma(n,w,a) for all environments,
 *                     sigma <= M Delta with M an upper bound of sigma; columns are the shares sigma / M
 *   history           compact without indicators, on the classes of L = T
 *   bilinear          exact CCL: occupancies y(n,a;k) over policy nodes, action probabilities pi(n,a), and products
 *                     y(n,a;k) = pi(n,a) * sum_a' y(n,a';k) (Zhang, Singh, Durfee 2017) */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include <vouch/lp.h>

#include "know/classes.h"

typedef enum program_kind { PROGRAM_PAPER, PROGRAM_COMPACT, PROGRAM_HISTORY, PROGRAM_BILINEAR } program_kind;

typedef enum column_kind {
    COLUMN_REGRET,    /* z, the maximum regret */
    COLUMN_OCCUPANCY, /* of (node or class, action) */
    COLUMN_INDICATOR, /* Delta of (node, action) */
    COLUMN_CHANCE,    /* pi of (node, action) */
    COLUMN_VALUE      /* z, the least value, of program_value */
} column_kind;

typedef enum row_kind { ROW_FLOW, ROW_REGRET, ROW_COMMITMENT, ROW_ONE_CHOICE, ROW_LINK, ROW_TIE, ROW_VALUE, ROW_AVERAGE } row_kind;

/* Fields that do not apply are -1. */
typedef struct meaning {
    int kind; /* column_kind or row_kind */
    int node; /* policy node before or at time L; after L, in the paper form, its boundary node */
    int cls;  /* likelihood class */
    int time, state, action;
    int env; /* of ROW_AVERAGE: number of the promise on average */
} meaning;

typedef struct program {
    program_kind kind;
    vouch_lp *lp;
    meaning *column; /* [cols] */
    meaning *row;    /* [rows] */
    const know_graph *g;
    const know_classes *c;
    int *slot_column;          /* compact, history: [slots] */
    double *unit;              /* compact, history: [classes] sigma of one unit of a column */
    vouch_lp_product *product; /* [products] by row; bilinear only: the lp holds the linear part */
    int products;
    int *indicator_column; /* paper, compact: [choices], -1 none (paper after L: of boundary, time, pair) */
} program;

/* A linear program written column by column: the caller numbers the rows in advance, then opens columns one by one and adds their
 * entries. Allocation failures are reported by assembly_finish. */
typedef struct assembly {
    int rows, cols;
    int64_t *start;
    int *index;
    double *value, *cost, *lower, *upper;
    unsigned char *integer;
    double *row_lower, *row_upper; /* [rows], free until set */
    int64_t entries;
    size_t start_capacity, index_capacity, value_capacity, cost_capacity, lower_capacity, upper_capacity, integer_capacity;
    bool failed;
} assembly;

void assembly_init(assembly *a, int rows);
void assembly_row(assembly *a, int row, double lower, double upper);
/* Opens the next column; returns its number. */
int assembly_column(assembly *a, double cost, double lower, double upper, bool integer);
/* Adds an entry to the open column, at most one per row; zeros are dropped. */
void assembly_entry(assembly *a, int row, double value);
/* Creates *lp with its integer columns; frees the assembly in any case. */
vouch_status assembly_finish(assembly *a, double offset, vouch_lp **lp);

typedef enum program_goal { PROGRAM_MAX_REGRET, PROGRAM_TOTAL_REGRET } program_goal;

/* goal TOTAL (compact only): minimum total regret with maximum regret <= cap. On failure *p is NULL. */
typedef struct program_aim {
    const double *optimal;     /* [K] = U*_c(k) */
    const double *probability; /* [K + averages] required by environment, then of promises on average */
    const promise_averages *averages;
    program_goal goal;
    double cap;
    const double *share; /* [K] (compact only): z bounds the mean regret with these weights; NULL: each regret */
} program_aim;
vouch_status program_paper(const know_graph *g, const program_aim *aim, program **p);
vouch_status program_compact(const know_classes *c, const program_aim *aim, bool indicators, program **p);
/* Products only at nodes with several environments and several choices without twins. */
vouch_status program_bilinear(const know_graph *g, const program_aim *aim, program **p);
/* Converts a program with U*_c(k) = 0 to the maximum weighted value, weight [K], or (NULL) the maximum of the least value; the
 * optimum is minus the value. */
vouch_status program_value(program *p, const double weight[]);
void program_free(program *p); /* NULL is fine */

/* The rows of promises from row `keep` on, environments first, and the entries of a column of environment k that keeps its promise
 * with this probability. */
void program_promise_rows(program *p, assembly *a, int keep, int K, const program_aim *aim);
void program_promise_entries(assembly *a, int keep, int K, const promise_averages *averages, int k, double probability);
void program_row(program *p, assembly *a, int i, meaning row, double lower, double upper);

/* Names rows and columns by letters, digits and underscores, at most 63 characters. */
vouch_status program_set_names(program *p);

/* Compact: the full column vector x [cols] of the deterministic policy pick [nodes], maximum regret z. reach [classes] scratch. */
void program_point(const program *p, const int pick[], double z, double reach[], double x[]);
/* Compact, history: mass [slots] of a column vector, probabilities uniform over environments. */
void program_slot_mass(const program *p, const double x[], double mass[]);

typedef enum program_end { PROGRAM_SOLVED, PROGRAM_INFEASIBLE, PROGRAM_LIMIT, PROGRAM_TROUBLE } program_end;

typedef struct program_solution {
    program_end end;
    double value, bound;
    long long nodes, iterations;
    double *x; /* [cols], owned by the caller; NULL: none */
} program_solution;

typedef struct program_options {
    double gap; /* absolute */
    const deadline *limit;
    vouch_log log;
    vouch_trace *trace; /* NULL: none */
    uint64_t seed;
    int threads;
    const double *start;                                         /* a feasible point, or NULL */
    int (*round)(void *context, const double x[], double out[]); /* as vouch_mip_options.heuristic */
    void *round_context;
    void (*progress)(void *context, double bound, long long nodes);
    void *progress_context;
} program_options;

vouch_status program_solve_lp(program *p, const program_options *options, program_solution *solution);
vouch_status program_solve_mip(program *p, const program_options *options, program_solution *solution);

/* ---- the restricted master program of column generation: the best mixture alpha of known policies -------------------------------
 *
 * Column i is a policy with regrets r_i(k) and commitment probabilities q_i(k).
 *
 *   least maximum regret:  min z            sum_i alpha_i r_i(k) <= z,  z >= lowest
 *   least total regret:    min sum_i alpha_i sum_k r_i(k)     sum_i alpha_i r_i(k) <= cap + e,  e at a price
 *   both:                  sum_i alpha_i q_i(k) + a >= p(k),  sum_i alpha_i = 1,  alpha, e >= 0,  0 <= a <= slack
 *   with floors of U(k):   sum_i alpha_i r_i(k) - a <= room(k)
 *   promises on average:   sum_i alpha_i sum_k w(k) q_i(k) + a >= p
 *
 * Until some mixture keeps the commitment, phase one minimises a. The 2K + 1 (or 3K + 1) rows are dense and solved by the dense
 * simplex. Bounds follow from the backward induction with the multipliers lambda (regret rows) and mu (commitment rows), never from
 * this program. */

typedef struct master master;

typedef enum master_goal { MASTER_MAX_REGRET, MASTER_TOTAL_REGRET } master_goal;

/* share [K]: a single regret row, the mean with these weights; NULL: one per environment. share and averages (NULL: none) are the
 * caller's. */
vouch_status master_new(int K, const double share[], const promise_averages *averages, master **out);
void master_free(master *m); /* NULL is fine */

/* Price of `a` in phase two, where it is bounded by twice its value at the end of phase one, usually 0. */
#define MASTER_SLACK_PRICE 1e4

/* Removes all columns. p [K + averages]: right-hand sides of the commitment rows. lowest: lower bound of z. cap: limit on regrets
 * for MASTER_TOTAL_REGRET. room [K]: limit on the regret of each environment, or NULL. */
vouch_status master_reset(master *m, master_goal goal, const double p[], double lowest, double cap, const double room[]);
/* Changes the right-hand sides of the commitment rows, usually to lower ones, and removes the lower bound of z. */
vouch_status master_aim(master *m, const double p[]);
vouch_status master_add(master *m, const double regret[], const double pr[]); /* [K] */
int master_columns(const master *m);
bool master_feasible(const master *m); /* in phase two */

/* Output; the arrays are the caller's. */
typedef struct master_optimum {
    double value;             /* objective of the phase */
    double *lambda, *nu, *mu; /* [K] >= 0: multipliers of regret rows, of room (or 0), and of the commitment, plus w(k) times the
                                 multiplier of each average (space_worth of policy/space.h) */
    double *alpha;            /* [columns] >= 0 */
} master_optimum;

/* Solves with at least one column. feasible: use phase two. Writes *out if *ok; *ok is false on numerical failure or after the
 * limit (NULL: none). */
vouch_status master_solve(master *m, bool feasible, const deadline *limit, bool *ok, master_optimum *out);

/* Price of exceeding the cap in MASTER_TOTAL_REGRET, an upper bound of the sum of lambda. */
double master_excess_price(master_goal goal);

/* ---- the master program of a box: the best mixture of class policies under constraints of a single policy -----------------------
 *
 *     min z + penalty * sum_k s_k
 *     z >= lowest,   z >= sum_i alpha_i r_i(k),   sum_i alpha_i q_i(k) + s_k >= p,   sum_i alpha_i = 1
 *
 * and for promises on average  sum_i alpha_i sum_k w(k) q_i(k) + s >= p,  whose multipliers times w(k) are added to mu.
 *
 * A policy that does not depend on the class has y(n,a;k) = pi(a|n) y(n;k) with pi in the box and y(n;k) in [least, most]. The
 * implied rows (G. P. McCormick, Mathematical Programming 10, 1976) are added if the mixture violates them:
 *
 *     (0)  y_a >= least pi + lo y - lo least        (1)  y_a >= most pi + hi y - hi most
 *     (2)  y_a <= most pi + lo y - lo most          (3)  y_a <= least pi + hi y - hi least
 *
 * Pricing uses their multipliers beta as prices of y(n,a;k). Bounds follow from the inductions only, not from this program. */

typedef struct box_master box_master;

/* averages: the caller's. */
vouch_status box_master_new(const know_graph *g, const promise_averages *averages, box_master **out);
void box_master_free(box_master *m); /* NULL is fine */

/* Ranges of the policy: low <= pi(a|n) <= high [choices], least <= y(n;k) <= most [nodes * K]. */
typedef struct box_ranges {
    const double *low, *high, *least, *most;
} box_ranges;

/* Restarts. p [K + averages]; lowest: lower bound of z. Keeps the arrays of `in` by reference. */
vouch_status box_master_start(box_master *m, const double p[], double lowest, double penalty, box_ranges in);
/* Adds a class policy: regret, pr [K], y [choices * K]. */
vouch_status box_master_add(box_master *m, const double regret[], const double pr[], const double y[]);
int box_master_columns(const box_master *m);

/* Output; the arrays are the caller's. */
typedef struct box_master_optimum {
    double value;
    double *lambda, *mu; /* [K] */
    double *beta, *y;    /* [choices * K] prices, and the occupancies of the mixture */
} box_master_optimum;

/* Writes *out if *ok; *ok is false after the limit (NULL: none). */
vouch_status box_master_solve(box_master *m, const deadline *limit, bool *ok, box_master_optimum *out);

/* Mean distance of the policies in the last mixture from the policy prob [choices]:
 *     spread(a;k) = sum_i alpha_i |y_i(a;k) - prob(a) y_i(n;k)|,   [choices * K] */
void box_master_spread(const box_master *m, const double prob[], double spread[]);

/* Adds the rows violated by y (of the last solve) by more than `tolerance`, the worst first, at most `limit`; *added: number. */
vouch_status box_master_tighten(box_master *m, const double y[], double tolerance, int limit, int *added);

#endif
