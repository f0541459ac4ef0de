/* io/lpfile.h - the formats of problem files. All readers and writers have the format argument; MPS has three of them. */
#ifndef IO_LPFILE_H
#define IO_LPFILE_H

#include <vouch/lp_io.h>

#include "io/file.h"

/* A line of comment in files of former versions: they minimise minus the objective of a maximisation. Reading turns it back. */
#define MPS_NEGATED "* objective negated: a maximisation"

/* Reads a file as vouch_lp_read_text describes. format: MPS, MPS_FIXED or MPS_FREE. */
vouch_status mps_read(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp, vouch_error *error);
/* Appends the problem to out. MPS_FIXED: in fixed columns, names longer than 8 characters replaced; else free. */
vouch_status mps_write(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error);

/* CPLEX LP format. */
vouch_status lpformat_read(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp,
                           vouch_error *error);
vouch_status lpformat_write(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error);

/* The same with products, ascending by row: "+ [ value x * y ]", as nonconvex solvers read them. */
vouch_status lpformat_write_products(const vouch_lp *lp, const vouch_lp_product product[], int count, text *out,
                                     vouch_error *error);

/* A row with two different finite bounds is written as two, since not every solver reads l <= .. <= u: "NAME: .. >= l" and, right
 * after it, "NAME~up: .. <= u". Two such rows with the same entries are read as one. */
#define LPFORMAT_UPPER_SUFFIX "~up"

/* GLPK's own format (glpsol --glp, --wglp). */
vouch_status glpformat_read(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp,
                            vouch_error *error);
vouch_status glpformat_write(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error);

#endif
