/* cli/sweep_merge.h - the cells of a sweep that was divided: which are of a shard, and the files of all put together. */
#ifndef CLI_SWEEP_MERGE_H
#define CLI_SWEEP_MERGE_H

#include "cli/sweep_grid.h"

/* Keeps of the cells those of shard I of N ("I/N"): every N-th, from the I-th on. I may be counted from 1 or from 0. 0, or
 * CLI_WRONG after a message. */
int sweep_take_shard(grid *g, const char *shard);

/* Is this a file that vouch sweep has written? */
bool sweep_is_table(const char *path);
/* Takes over the rows of the files. A grid without cells becomes that of the files, row by row from each in turn, which is the
 * order of the undivided sweep where they are its shards in order. *missing: cells of the grid that are in none. 0, or the exit
 * status after a message. */
int sweep_merge(grid *g, const char *const file[], size_t files, size_t *missing);

#endif
