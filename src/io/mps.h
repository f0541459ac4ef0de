/* io/mps.h - MPS problem files. */
#ifndef IO_MPS_H
#define IO_MPS_H

#include <stdbool.h>
#include <stddef.h>
#include <vouch/lp_io.h>

#include "io/file.h"

/* A line of comment in files of former versions: they minimise minus the objective of a maximisation. Reading turns it back. */
#define MPS_NEGATED "* objective negated: a maximisation"

/* Reads a file as vouch_lp_read_text describes. format: MPS, MPS_FIXED or MPS_FREE. */
vouch_status mps_read(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp, vouch_error *error);
/* Appends the problem to out. MPS_FIXED: in fixed columns, names longer than 8 characters replaced; else free. */
vouch_status mps_write(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error);

#endif
