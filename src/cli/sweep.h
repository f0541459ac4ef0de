/* cli/sweep.h - the private header of vouch sweep. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "cli/cli.h"

/* ---- the cells of a sweep: a method and a value on every axis ---- */

/* Axes 0 .. 2 are L, T and p; the others are parameters of the model in the order given, or AXIS_POLICIES. */
enum { AXIS_L, AXIS_T, AXIS_P, MODEL_AXES, MOST_AXES = 16 };

typedef enum inner_kind { PLAIN, ITERATED, GUARDED } inner_kind;
typedef struct sweep_method {
    const char *name;
    vouch_method method;
    inner_kind kind;
    bool looks_ahead; /* depends on L */
    bool proves;      /* proves bounds: no baseline */
} sweep_method;

enum { SWEEP_LIMITS = 64 };

typedef struct axis {
    char name[64];
    double *value; /* owned, [count] */
    size_t count, capacity;
} axis;

/* The axis for the size of a portfolio (vouch/groups.h). */
#define AXIS_POLICIES "policies"

/* Equal values of an axis? NAN: p of a model with several promises. */
static inline bool axis_same(double x, double y) { return x == y || (isnan(x) && isnan(y)); }

typedef struct cell {
    const sweep_method *method;
    double at[MOST_AXES];
    char status[24];                                  /* "" : not done */
    char limits[SWEEP_LIMITS];                        /* limits of its computation */
    double regret, total, bound, commitment, seconds; /* NAN: none */
    double value;                                     /* of an objective other than the regret; NAN: none */
} cell;

typedef struct grid {
    char run[FINGERPRINT];     /* fingerprint of model, seed and options */
    char limits[SWEEP_LIMITS]; /* of this run, in words */
    bool retry_limits;         /* recompute cells of earlier runs that ended at a limit */
    bool every_row;            /* recompute none: rows are merged */
    vouch_objective objective; /* of all cells */
    axis axis[MOST_AXES];
    int axes;
    int along;   /* the first axis given with more than one value; L if there is none */
    cell *cells; /* owned, [count] */
    size_t count, capacity;
} grid;

/* Did the search end at a limit before its answer was proved? */
bool cell_at_limit(const cell *c);

/* NULL for an unknown method. */
const sweep_method *sweep_find_method(const char *name, size_t length);
/* "milp-ccl|..|milp-ccil|..". */
const char *sweep_method_words(void);

void grid_init(grid *g);
void grid_free(grid *g);
/* Reads "L=0:6", "slip=0.6:0.9:0.1", "K=1,2,3". */
void grid_read_axis(grid *g, const char *given);
/* Sets the value of an axis without values. */
void grid_default(grid *g, int which, double value);
/* Makes the cells in order: model parameters (the last varies fastest), methods, T, p, L, without impossible ones (L > T, CCIL with
 * L = 0). */
void grid_make(grid *g, const char *method_list);
/* Adds a cell without figures. */
cell *grid_add(grid *g, const sweep_method *method, const double at[]);

/* Is `which` the axis of the number of policies? */
bool grid_is_policies(const grid *g, int which);
/* The number of policies of the cell; 0: a single plan. */
int grid_policies(const grid *g, const cell *c);
/* The number of combinations of model parameters; combination i into at[MODEL_AXES ..]. */
size_t grid_models(const grid *g);
void grid_model(const grid *g, size_t i, double at[]);

/* ---- a sweep, and the model of a cell: parameters of `vouch generate`, or open constants of a PRISM file, make a model for each
 * combination ---- */

typedef struct sweep_args {
    cli_common common;
    spread_args spread;
    model_args model;
    objective_args objective;
    cli_list vary;
    const char *method, *csv, *plot, *shard, *merge;
    int retry, promises, lookahead;
    long long program_limit;
} sweep_args;

typedef struct sweep {
    const sweep_args *args;
    const char *operand;
    spread_args spread; /* resume: only a journal, not a CSV file */
    example_kind kind;  /* EXAMPLE_NONE: operand is a file */
    grid g;
    bool timeless;             /* without seconds: output must be reproducible */
    vouch_model *m;            /* of the last cell; NULL: none */
    double made_of[MOST_AXES]; /* the parameters of m */
} sweep;

/* Makes s->m the model of the cell. */
vouch_status sweep_take_model(sweep *s, const cell *c, vouch_error *error);
/* Checks the options before any cell is computed, and sets T and p. 0, or the exit status after a message. */
void sweep_start(sweep *s);

/* ---- computing the cells, in one process or several ---- */

/* Computes the remaining cells. 0, or the exit status after a message; if the CSV file can no longer be written, the other cells
 * are still computed, for the table. */
int sweep_run_cells(sweep *s, const char *csv, struct vouch_journal *journal);

/* ---- shards ---- */

/* Keeps only the cells of shard I of N ("I/N"): every N-th, from the I-th on, with I from 1 or from 0. */
void sweep_take_shard(grid *g, const char *shard);

/* Is this a CSV file of vouch sweep? */
bool sweep_is_table(const char *path);
/* Reads the rows of the files. A grid without cells gets one row from each file in turn, the order of the undivided sweep if the
 * files are its shards in order. *missing: cells of the grid without a row. */
void sweep_merge(grid *g, const char *const file[], size_t files, size_t *missing);

/* ---- output of a sweep: CSV, table, JSON, picture; and reading its CSV ---- */

/* Writes the finished cells. NULL path: nothing. */
vouch_status sweep_write_csv(const grid *g, const char *path, vouch_error *error);
/* Takes over the finished cells of the file, if it exists, and adds rows that are not in the grid. Returns the number of cells. */
int sweep_read_csv(grid *g, const char *path);
void sweep_print_table(const grid *g);
void sweep_print_json(const grid *g);
/* Draws one line for each method and combination of the other axes, along g->along; the title names the model and the fixed values.
 */
void sweep_plot(const grid *g, const char *model, const char *path);

#endif
