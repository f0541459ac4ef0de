/* io/glpformat.h - problem files in GLPK's own format (glpsol --glp, --wglp). */
#ifndef IO_GLPFORMAT_H
#define IO_GLPFORMAT_H

#include <vouch/lp_io.h>

#include "io/file.h"

/* All readers and writers have the format argument; here there is only one format. */
vouch_status glpformat_read(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp,
                            vouch_error *error);
vouch_status glpformat_write(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error);

#endif
