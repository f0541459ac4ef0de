/* base/log.h - formatted lines to a vouch_log. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <vouch/status.h>

/* Writes one line, without newline, if the log has that level. */
void log_line(const vouch_log *log, vouch_log_level level, const char *format, ...) VOUCH_PRINTF(3, 4);
/* True for 1, 2, 4, 8 ..: the counts at which long tables get a line. */
static inline bool log_due(long long count) { return count > 0 && (count & (count - 1)) == 0; }
bool log_wants(const vouch_log *log, vouch_log_level level);

#endif
