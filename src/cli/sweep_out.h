/* cli/sweep_out.h - what a sweep writes: CSV, table, JSON, picture; and the CSV it reads again. */
#ifndef CLI_SWEEP_OUT_H
#define CLI_SWEEP_OUT_H

#include "cli/sweep_grid.h"

/* The column of the value that another objective than the regret asks for. */
const char *sweep_value_column(vouch_objective objective);
/* What the picture draws: "maximum regret", "weighted value". */
const char *sweep_optimised(const grid *g);
/* The cells that are done. NULL path: nothing. */
vouch_status sweep_write_csv(const grid *g, const char *path, vouch_error *error);
/* Takes over the finished cells of the file, if it is there; rows that are no cells of the grid are added to it. *kept: their
 * number. 0, or the exit status after a message. */
int sweep_read_csv(grid *g, const char *path, int *kept);
/* The same method and values? */
bool sweep_same_cell(const grid *g, const cell *a, const cell *b);
void sweep_print_table(const grid *g);
void sweep_print_json(const grid *g);
/* One line a method and combination of the other axes, along g->along; the title says of which model, and what does not vary. 0, or
 * CLI_WRONG after a message. */
int sweep_plot(const grid *g, const char *model, const char *path);

#endif
