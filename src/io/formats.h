/* io/formats.h - the formats of model files beside JSON: whole files in and out. A new one has a line in formats.c and a file of its own. */
#ifndef IO_FORMATS_H
#define IO_FORMATS_H

#include <stdbool.h>
#include <vouch/model_io.h>

#include "io/file.h"

/* Multi-model CSV. Horizon, commitment and names have no place in it; the initial state becomes number 0. */
void csv_model_write(const vouch_model *model, text *t);
/* Environment k as a DRN file with the labels init and commit, names of states as their valuation where all of them can be read
 * again; without, states are numbers. ERROR_INPUT when a reward depends on the next state, or an action has a name, that DRN cannot say. */
vouch_status drn_model_write(const vouch_model *model, int k, text *t, vouch_error *error);

/* Readers of paths. The initial state of a CSV model is state 0 unless a companion names it; path is one .drn file, or a directory of them. */
vouch_status csv_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error);
vouch_status drn_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error);
/* Writers to paths. */
vouch_status csv_model_export(const vouch_model *model, const char *path, vouch_error *error);
vouch_status drn_directory_write(const vouch_model *model, const char *path, vouch_error *error);

/* Does the path end so, with or without .gz behind? */
bool path_ends_in(const char *path, const char *ending);
bool path_is_directory(const char *path);

/* Writes by the name of the path: "DIR/" a directory of .drn files, .csv, else JSON. */
vouch_status model_export(const vouch_model *model, const char *path, vouch_error *error);

#endif
