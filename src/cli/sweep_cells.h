/* cli/sweep_cells.h - the cells of a sweep worked out, one after the other or in several processes. */
#ifndef CLI_SWEEP_CELLS_H
#define CLI_SWEEP_CELLS_H

#include "cli/sweep_model.h"

/* The cells that are still to be done. 0, or the exit status after a message: when the file can no longer be written, the cells go
 * on all the same, for their table is printed at the end. */
int sweep_run_cells(sweep *s, const char *csv, struct vouch_journal *journal);

#endif
