/* io/drn_index.h - the index of a directory of DRN files: which of them is which environment, in which order. */
#ifndef IO_DRN_INDEX_H
#define IO_DRN_INDEX_H

#include <stdbool.h>
#include <vouch/model.h>

#include "io/file.h"
#include "io/names.h"

#define DRN_INDEX "index.json"

/* Is this the path of an index, as far as its name says? */
bool drn_index_is(const char *path);
/* Is it one of vouch? Others are no business of ours. */
bool drn_index_speaks(const file_content *file);
/* The file names of all environments, in their order: safe, and different even where capitals do not count. */
vouch_status drn_index_files(names *file, const vouch_model *m, vouch_error *error);
/* The index of files that are named so. */
void drn_index_write(const vouch_model *m, const names *file, text *t);
/* Environments and their files, in the order of the index; both start from {0}. ERROR_INPUT: "FILE:LINE: ..". */
vouch_status drn_index_read(names *env, names *file, const file_content *index, vouch_error *error);

#endif
