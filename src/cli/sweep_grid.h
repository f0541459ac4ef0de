/* cli/sweep_grid.h - the cells of a sweep: a method with a value on every axis. */
#ifndef CLI_SWEEP_GRID_H
#define CLI_SWEEP_GRID_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <vouch/plan.h>

#include "cli/fingerprint.h"

/* Axes 0 .. 2 are L, T and p; those behind are parameters of the model, in the order in which they were given, and AXIS_POLICIES.
 */
enum { AXIS_L, AXIS_T, AXIS_P, MODEL_AXES, MOST_AXES = 16 };

typedef enum inner_kind { PLAIN, ITERATED, GUARDED } inner_kind;
typedef struct sweep_method {
    const char *name;
    vouch_method method;
    inner_kind kind;
    bool looks_ahead; /* depends on L */
    bool proves;      /* looks for an optimum: no baseline */
} sweep_method;

enum { SWEEP_LIMITS = 64 };

typedef struct axis {
    char name[64];
    double *value; /* owned, [count] */
    size_t count, capacity;
} axis;

/* The axis that is no parameter of the model: how many policies are kept ready (vouch/groups.h). */
#define AXIS_POLICIES "policies"

/* Is it the same value of an axis? NAN: p of a model that makes several promises. */
static inline bool axis_same(double x, double y) { return x == y || (isnan(x) && isnan(y)); }

typedef struct cell {
    const sweep_method *method;
    double at[MOST_AXES];
    char status[24];                                  /* "" : not done */
    char limits[SWEEP_LIMITS];                        /* under which it was worked out */
    double regret, total, bound, commitment, seconds; /* NAN: none */
    double value;                                     /* of another objective than the regret; NAN: none */
} cell;

typedef struct grid {
    char run[FINGERPRINT];     /* what all cells are made of: model, seed, options */
    char limits[SWEEP_LIMITS]; /* of this run, in words */
    bool retry_limits;         /* cells of earlier runs that ended at a limit are done again */
    bool every_row;            /* none is done again: rows are put together */
    vouch_objective objective; /* of all cells */
    axis axis[MOST_AXES];
    int axes;
    int along;   /* the first axis given with more than one value; L if there is none */
    cell *cells; /* owned, [count] */
    size_t count, capacity;
} grid;

/* Did the search end before it had an answer it can prove? */
bool cell_at_limit(const cell *c);

/* NULL: there is no such method. */
const sweep_method *sweep_find_method(const char *name, size_t length);
/* "milp-ccl|..|milp-ccil|..": all of them. */
const char *sweep_method_words(void);

void grid_init(grid *g);
void grid_free(grid *g);
/* "L=0:6", "slip=0.6:0.9:0.1", "K=1,2,3". 0, or CLI_WRONG after a message. */
int grid_read_axis(grid *g, const char *given);
/* Gives an axis that was not given its one value; -1: memory. */
int grid_default(grid *g, int which, double value);
/* The cells in order: model parameters (the last varies fastest), methods, T, p, L; what cannot be (L > T, CCIL with L = 0) is
 * left out. 0, or CLI_WRONG after a message. */
int grid_make(grid *g, const char *method_list);
/* Adds a cell without figures; NULL: memory. */
cell *grid_add(grid *g, const sweep_method *method, const double at[]);

/* Does axis `which` say how many policies there are? */
bool grid_is_policies(const grid *g, int which);
/* How many policies the cell has; 0: it is one plan. */
int grid_policies(const grid *g, const cell *c);
/* The number of combinations of model parameters, and number i of them into at[MODEL_AXES ..]. */
size_t grid_models(const grid *g);
void grid_model(const grid *g, size_t i, double at[]);

#endif
