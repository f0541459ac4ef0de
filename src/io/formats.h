/* io/formats.h - the formats of model files: a table of them, and whole files in and out. A new one has a line in the table and a
 * file of its own. */
#ifndef IO_FORMATS_H
#define IO_FORMATS_H

#include <stdbool.h>
#include <vouch/model_io.h>

#include "io/disk.h"
#include "io/file.h"
#include "io/names.h"
#include "io/recognise.h"

/* One line a format: the endings of its names before .gz ("/" for directories, "" for all that no line before has); whether there
 * are constants for --const; the reader; the files that it reads, if there are others than the path; the writer, if there is one
 * (else JSON); and the line of the help about the writer. */
#define MODEL_FORMATS(FORMAT)                                                                                                      \
    FORMAT("/", false, drn_model_read, drn_model_files, drn_directory_write, "OUT/ is a directory of .drn files, ")                \
    FORMAT(".drn|.tra", false, drn_model_read, drn_model_files, NULL, "")                                                          \
    FORMAT(".prism|.nm|.pm|.templ", true, prism_model_read, NULL, NULL, "")                                                        \
    FORMAT(".jani", true, jani_model_read, NULL, NULL, "")                                                                         \
    FORMAT(".csv", false, csv_model_read, csv_model_files, csv_model_export, "OUT.csv multi-model CSV, ")                          \
    FORMAT(".pomdp|.POMDP", false, pomdp_model_read, NULL, pomdp_write, "OUT.pomdp Cassandra's format, ")                          \
    FORMAT("", false, json_model_read, NULL, vouch_model_write, "any other name JSON")

/* Multi-model CSV. Horizon, commitment and names have no place in it; the initial state becomes number 0. */
void csv_model_write(const vouch_model *model, text *t);
/* Environment k as a DRN file, with the states as the user gave them, the label init and the promises' labels (reading.h), and
 * names of states as their valuation if all of them can be read again (else states are numbers). ERROR_INPUT if a reward depends on
 * the next state, or an action has a name that DRN does not allow. */
vouch_status drn_model_write(const vouch_model *model, int k, text *t, vouch_error *error);

/* Readers of paths. Of a directory of DRN files the index (below), if it has one, says which is which environment, in its
 * order; else they are read by name. The initial state of a CSV model is state 0 unless a companion names it; path is one .drn
 * file, or a directory of them. */
vouch_status csv_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error);
vouch_status drn_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error);
/* A POMDP in Cassandra's format whose hidden part never changes. */
vouch_status pomdp_model_read(vouch_model **model, const char *path, const vouch_source *source, vouch_error *error);
/* The files they read, added to the list in the order in which a directory is read. */
vouch_status csv_model_files(names *list, const char *path, vouch_error *error);
vouch_status drn_directory_files(names *list, const char *path, vouch_error *error); /* one an environment, and the index */
bool drn_states_survive(const vouch_model *m); /* written as valuations; else they are read by number */
vouch_status drn_model_files(names *list, const char *path, vouch_error *error); /* and what lies beside .tra files */
/* Writers to paths. */
vouch_status csv_model_export(const vouch_model *model, const char *path, vouch_error *error);
/* Cassandra's format, with names as comments that the reader understands; horizon and promises have no place in it. */
vouch_status pomdp_write(const vouch_model *model, const char *path, vouch_error *error);
vouch_status drn_directory_write(const vouch_model *model, const char *path, vouch_error *error);

/* Of a path; a directory that holds .drn files is FILE_DRN. */
vouch_status recognise_path(const char *path, file_kind *kind, vouch_error *error);
/* The files that the model of this path is read from. */
vouch_status model_files(names *list, const char *path, vouch_error *error);
/* Writes in the format of the path's name; "-" is JSON on standard output. */
vouch_status model_export(const vouch_model *model, const char *path, bool joined, vouch_error *error);

/* ---- the index of a directory of DRN files: which of them is which environment, in which order ---- */

#define DRN_INDEX "index.json"

/* Is this the path of an index, as far as its name says? */
bool drn_index_is(const char *path);
/* The file names of all environments, in their order: safe, and different even where capitals do not count. */
vouch_status drn_index_files(names *file, const vouch_model *m, vouch_error *error);
/* The index of files that are named so. */
void drn_index_write(const vouch_model *m, const names *file, text *t);
/* Environments and their files, in the order of the index; both start from {0}. ERROR_INPUT: "FILE:LINE: ..". */
vouch_status drn_index_read(names *env, names *file, const file_content *index, vouch_error *error);

#endif
