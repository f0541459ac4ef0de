/* program/program.h - the linear and mixed-integer programs of the theory, each column and row with its meaning.
 *
 *   paper             MILP-CCL as printed: occupancies y(b,a;k), x(b_L,t,s,a;k) for each environment k, indicators
 *                     Delta(b,a), Delta(b_L,t,s,a) in {0,1}, sum_a Delta <= 1, y <= Delta, x <= Delta (Zhang, Singh, Durfee 2017)
 *   compact           the same over likelihood classes: one occupancy sigma(n,w,a) for all environments, sigma <= M Delta with M
 * the largest sigma can be; columns are the shares sigma / M; reachable nodes only, indicators only where there is a choice history
 * compact without indicators, on the classes of L = T bilinear          exact CCL: occupancies y(n,a;k) over policy nodes, action
 * probabilities pi(n,a), and products y(n,a;k) = pi(n,a) * sum_a' y(n,a';k)                                   (Zhang, Singh, Durfee
 * 2017, exact CCL)
 */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "know/classes.h"
#include "mdp/average.h"
#include <vouch/lp.h>

typedef enum program_kind { PROGRAM_PAPER, PROGRAM_COMPACT, PROGRAM_HISTORY, PROGRAM_BILINEAR } program_kind;

typedef enum column_kind {
    COLUMN_REGRET,    /* z, the maximum regret */
    COLUMN_OCCUPANCY, /* of (node or class, action) */
    COLUMN_INDICATOR, /* Delta of (node, action) */
    COLUMN_CHANCE,    /* pi of (node, action) */
    COLUMN_VALUE      /* z, the least value, of program_value */
} column_kind;

typedef enum row_kind { ROW_FLOW, ROW_REGRET, ROW_COMMITMENT, ROW_ONE_CHOICE, ROW_LINK, ROW_TIE, ROW_VALUE, ROW_AVERAGE } row_kind;

/* -1 where something does not apply. */
typedef struct column_meaning {
    column_kind kind;
    int node; /* policy node before or at time L; after L, in the paper form, its boundary node */
    int cls;  /* likelihood class */
    int time, state, action, env;
} column_meaning;

/* env of ROW_AVERAGE: its number among the promises on average. */
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

struct assembly;

typedef enum program_goal { PROGRAM_MAX_REGRET, PROGRAM_TOTAL_REGRET } program_goal;

/* goal TOTAL, of compact: least total regret with maximum regret <= cap. On failure *p is NULL. */
typedef struct program_aim {
    const double *optimal;     /* [K] = U*_c(k) */
    const double *probability; /* [K + averages] one for each environment, then those of promises on average */
    const promise_averages *averages;
    program_goal goal;
    double cap;
    const double *share; /* [K] of compact: z is no less than the mean regret by these; NULL: than each */
} program_aim;
vouch_status program_paper(const know_graph *g, const program_aim *aim, program **p);
vouch_status program_compact(const know_classes *c, const program_aim *aim, bool indicators, program **p);
/* Ties only where several environments and several choices (twins left out) meet. */
vouch_status program_bilinear(const know_graph *g, const program_aim *aim, program **p);
/* Turns a program with U*_c(k) = 0 into that of the largest weighted value, weight [K], or if it is NULL of the largest least
 * value: the optimum is minus the value. */
vouch_status program_value(program *p, const double weight[]);
void program_free(program *p); /* NULL is fine */

/* While it is written: the rows of promises from row `keep` on, those of environments first, and what a column of environment k
 * that keeps its promise with this probability has in them. */
void program_promise_rows(program *p, struct assembly *a, int keep, int K, const program_aim *aim);
void program_promise_entries(struct assembly *a, int keep, int K, const promise_averages *averages, int k, double probability);
/* Row i of a, its meaning and its sides. */
void program_row(program *p, struct assembly *a, int i, row_meaning meaning, double lower, double upper);

/* Writes the name of a column or row into text: letters, digits and underscores only, at most 63 characters. */
void program_column_name(const program *p, int j, char text[64]);
void program_row_name(const program *p, int i, char text[64]);
/* Names all columns and rows of p->lp. */
vouch_status program_set_names(program *p);

/* Compact: the full column vector x [cols] of the deterministic policy pick [nodes], maximum regret z. reach [classes] scratch. */
void program_point(const program *p, const int pick[], double z, double reach[], double x[]);
/* Compact, history: mass [slots] of a column vector, probabilities uniform over environments. */
void program_slot_mass(const program *p, const double x[], double mass[]);

#endif
