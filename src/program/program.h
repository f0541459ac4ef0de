/* program/program.h - the linear and mixed-integer programs of the theory, each column and row with its meaning.
 *
 *   paper             MILP-CCL as printed: occupancies y(b,a;k), x(b_L,t,s,a;k) for each environment k, indicators
 *                     Delta(b,a), Delta(b_L,t,s,a) in {0,1}, sum_a Delta <= 1, y <= Delta, x <= Delta (Zhang, Singh, Durfee 2017)
 *   compact           the same over likelihood classes of reachable nodes: one occupancy sigma(n,w,a) for all environments,
 *                     sigma <= M Delta with M an upper bound of sigma; columns are the shares sigma / M
 *   history           compact without indicators, on the classes of L = T
 *   bilinear          exact CCL: occupancies y(n,a;k) over policy nodes, action probabilities pi(n,a), and products
 *                     y(n,a;k) = pi(n,a) * sum_a' y(n,a';k) (Zhang, Singh, Durfee 2017)
 */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <vouch/lp.h>

#include "base/clock.h"
#include "know/classes.h"
#include "mdp/average.h"

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
typedef struct column_meaning {
    column_kind kind;
    int node; /* policy node before or at time L; after L, in the paper form, its boundary node */
    int cls;  /* likelihood class */
    int time, state, action, env;
} column_meaning;

/* env of ROW_AVERAGE: number of the promise on average. */
typedef struct row_meaning {
    row_kind kind;
    int node, cls, time, state, action, env;
} row_meaning;

typedef struct program {
    program_kind kind;
    vouch_lp *lp;
    column_meaning *column; /* [cols] */
    row_meaning *row;       /* [rows] */
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
void program_row(program *p, assembly *a, int i, row_meaning meaning, double lower, double upper);

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

#endif
