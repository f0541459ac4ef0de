/* base/error.h - filling a vouch_error, and formatted lines to a vouch_log. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <vouch/status.h>

/* Writes status and formatted text into *error (may be NULL) and returns status, for `return error_set(..)`. */
vouch_status error_set(vouch_error *error, vouch_status status, const char *format, ...) VOUCH_PRINTF(3, 4);
/* "FILE:LINE: " before the text; ERROR_INPUT. */
vouch_status error_at(vouch_error *error, const char *file, long line, const char *format, ...) VOUCH_PRINTF(4, 5);
/* The same, followed by the text found there (NULL: omitted). */
vouch_status error_found(vouch_error *error, const char *file, long line, const char *what, const char *found);
/* For a system call that failed with errno `why`: the text, ": " and the meaning of `why`; ERROR_IO. ENOMEM: as error_memory. */
vouch_status error_system(vouch_error *error, int why, const char *format, ...) VOUCH_PRINTF(3, 4);
vouch_status error_memory(vouch_error *error); /* "out of memory" */
vouch_status error_null(vouch_error *error);   /* a NULL argument that is not allowed; ERROR_ARGUMENT */

bool log_wants(const vouch_log *log, vouch_log_level level);
/* Writes one line, without newline, if the log has that level. */
void log_line(const vouch_log *log, vouch_log_level level, const char *format, ...) VOUCH_PRINTF(3, 4);
/* True for 1, 2, 4, 8 ..: the counts at which long tables get a line. */
static inline bool log_due(long long count) { return count > 0 && (count & (count - 1)) == 0; }

#endif
