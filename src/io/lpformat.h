/* io/lpformat.h - problem files in the CPLEX LP format. */
#ifndef IO_LPFORMAT_H
#define IO_LPFORMAT_H

#include <stddef.h>
#include <vouch/lp_io.h>

#include "io/file.h"

/* All readers and writers have the format argument; here it is always VOUCH_FORMAT_LP. */
vouch_status lpformat_read(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp,
                           vouch_error *error);
vouch_status lpformat_write(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error);

/* The same with products, ascending by row: "+ [ value x * y ]", as nonconvex solvers read them. */
vouch_status lpformat_write_products(const vouch_lp *lp, const vouch_lp_product product[], int count, text *out,
                                     vouch_error *error);

/* A row with two different finite bounds is written as two, since not every solver reads l <= .. <= u: "NAME: .. >= l" and, right
 * after it, "NAME~up: .. <= u". Two such rows with the same entries are read as one. */
#define LPFORMAT_UPPER_SUFFIX "~up"

#endif
