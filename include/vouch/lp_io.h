/* vouch/lp_io.h - linear programs and their bases from and to files
 *
 * MPS (fixed and free), CPLEX LP, GLPK's format, and MPS basis files; plain or gzip. Files are written whole or not at all.
 * Messages read FILE:LINE: fault, expected text.
 */
#ifndef VOUCH_LP_IO_H
#define VOUCH_LP_IO_H

#include <stddef.h>
#include <vouch/lp.h>

VOUCH_C_BEGIN

typedef enum vouch_lp_format {
    VOUCH_FORMAT_AUTO = 0, /* by the name: .lp is LP, .glp GLPK's, with .gz or without; reading else by content, writing MPS */
    VOUCH_FORMAT_MPS,      /* reading: fixed or free, detected; writing: free */
    VOUCH_FORMAT_MPS_FIXED,
    VOUCH_FORMAT_MPS_FREE,
    VOUCH_FORMAT_LP,
    VOUCH_FORMAT_GLP /* GLPK's own */
} vouch_lp_format;

/* Reads a problem into a new *lp (free it with vouch_lp_free); NULL after an error. Things worth knowing about the file (layout
 * decided, second RHS set ignored, text after ENDATA) go to log (NULL: silence). Beyond the formats' common ground: an RHS entry
 * of the objective is minus its constant; a bound of magnitude 1e30 or more is infinite; an integer column between markers without
 * any bound is binary; a negative upper bound without lower bound makes the lower one -infinity (MPS only); lazy constraints
 * and user cuts are rows. Semicontinuous columns, indicators and SOS2 sets become rows, columns and SOS1 sets with the same
 * solutions, behind the others. */
VOUCH_API vouch_status vouch_lp_read(vouch_lp **lp, const char *path, vouch_lp_format format, const vouch_log *log,
                                     vouch_error *error);
/* The same from memory. name is the file name in messages and for AUTO. */
VOUCH_API vouch_status vouch_lp_read_text(vouch_lp **lp, const char *text, size_t length, const char *name, vouch_lp_format format,
                                          const vouch_log *log, vouch_error *error);
/* Writes the problem so that reading it back gives the same numbers, readable by glpsol, CBC and HiGHS. In LP files a row with two
 * finite bounds is written as two rows, NAME and NAME~up, which are read as one. In MPS files a maximisation has the section
 * OBJSENSE, which glpsol refuses and CBC ignores; use LP files for them. Rows (columns) get the names R1.. (C1..) in the file if
 * any of their own is empty, doubled or not possible in the format. ERROR_INPUT: not possible in the format: a row whose bounds
 * cross, or in fixed MPS a number with more than 12 characters. */
VOUCH_API vouch_status vouch_lp_write(const vouch_lp *lp, const char *path, vouch_lp_format format, vouch_error *error);

/* The same in the LP format with products, product [count] ascending by row. Such files are read by nonconvex solvers, not by
 * vouch. */
VOUCH_API vouch_status vouch_lp_write_products(const vouch_lp *lp, const vouch_lp_product product[], int count, const char *path,
                                               vouch_error *error);

/* MPS basis files (.bas); bases of HiGHS and glpsol's plain solutions (-w) are read too. Reading sets the basis of lp by names; a
 * column or row missing in the file is at its lower bound (upper, or free, if it has none) or basic. Writing needs a basis: else
 * ERROR_ARGUMENT. */
VOUCH_API vouch_status vouch_lp_read_basis(vouch_lp *lp, const char *path, vouch_error *error);
VOUCH_API vouch_status vouch_lp_write_basis(const vouch_lp *lp, const char *path, vouch_error *error);

VOUCH_C_END
#endif
