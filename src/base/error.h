/* base/error.h - filling a vouch_error. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <vouch/status.h>

/* Writes status and formatted text into *error (NULL is fine) and returns status, so that a failing
 * function can say `return error_set(error, VOUCH_ERROR_INPUT, "...")`. */
vouch_status error_set(vouch_error *error, vouch_status status, const char *format, ...) VOUCH_PRINTF(3, 4);
/* "FILE:LINE: " before the text; ERROR_INPUT. */
vouch_status error_at(vouch_error *error, const char *file, long line, const char *format, ...) VOUCH_PRINTF(4, 5);
/* The same with what stands there in its stead behind it; found: NULL, nothing. */
vouch_status error_found(vouch_error *error, const char *file, long line, const char *what, const char *found);
/* A call of the system that failed with `why`, an errno: the text, ": " and what that means; ERROR_IO. ENOMEM is as error_memory.
 */
vouch_status error_system(vouch_error *error, int why, const char *format, ...) VOUCH_PRINTF(3, 4);
vouch_status error_memory(vouch_error *error); /* "out of memory" */
vouch_status error_null(vouch_error *error);   /* an argument is NULL that may not be (vouch.h); ERROR_ARGUMENT */

#endif
