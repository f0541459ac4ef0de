/* cli/sweep_model.h - a sweep, and the model of a cell.
 *
 * Parameters are those of `vouch generate`, or the open constants of a PRISM file: for each combination the model is made anew.
 */
#ifndef CLI_SWEEP_MODEL_H
#define CLI_SWEEP_MODEL_H

#include "cli/example.h"
#include "cli/objective.h"
#include "cli/spread.h"
#include "cli/sweep_grid.h"

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
    spread_args spread; /* resume: a journal, and no file of rows */
    example_kind kind;  /* EXAMPLE_NONE: operand is a file */
    grid g;
    bool timeless;             /* no seconds: the output has to be the same, however it was come by */
    vouch_model *m;            /* of the last cell; NULL: it could not be had */
    double made_of[MOST_AXES]; /* the values m was made with */
} sweep;

/* Makes s->m the model of the cell. */
vouch_status sweep_take_model(sweep *s, const cell *c, vouch_error *error);
/* Checks what can be known before a cell is worked out, and gives T and p their values. 0, or the exit status after a message. */
int sweep_start(sweep *s);

#endif
