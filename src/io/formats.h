/* io/formats.h - writing models in other formats than JSON. */
#ifndef IO_FORMATS_H
#define IO_FORMATS_H

#include <vouch/model_io.h>

#include "io/file.h"

/* Multi-model CSV. Horizon, commitment and names have no place in it; the initial state becomes number 0. */
void csv_model_write(const vouch_model *model, text *t);
/* Environment k as a DRN file with the labels init and commit, names of states as their valuation where all of them can be read
 * again; without, states are numbers. ERROR_INPUT when a reward depends on the next state, or an action has a name, that DRN cannot say. */
vouch_status drn_model_write(const vouch_model *model, int k, text *t, vouch_error *error);

/* Writes by the name of the path: "DIR/" a directory of .drn files, .csv, else JSON. */
vouch_status model_export(const vouch_model *model, const char *path, vouch_error *error);

#endif
