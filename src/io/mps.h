/* io/mps.h - MPS problem files. */
#ifndef IO_MPS_H
#define IO_MPS_H

#include <stdbool.h>
#include <stddef.h>
#include <vouch/lp_io.h>

#include "io/file.h"

/* Reads text[0 .. length) as vouch_lp_read_text describes. format: MPS, MPS_FIXED or MPS_FREE. */
vouch_status mps_read(const char *bytes, size_t length, const char *file, vouch_lp_format format, const vouch_log *log,
                      vouch_lp **lp, vouch_error *error);
/* Appends the problem to out. fixed: in fixed columns, names longer than 8 characters replaced. */
vouch_status mps_write(const vouch_lp *lp, bool fixed, text *out, vouch_error *error);

/* A line of comment that says so: the file minimises minus the objective of a maximisation, since
 * not every solver knows the section OBJSENSE. Reading turns it back. */
#define MPS_NEGATED "* objective negated: a maximisation"

#endif
