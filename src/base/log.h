/* base/log.h - formatted lines to a vouch_log. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <vouch/status.h>

/* One line, without final newline; does nothing when log is silent at that level. */
void log_line(const vouch_log *log, vouch_log_level level, const char *format, ...) VOUCH_PRINTF(3, 4);
/* Lines of a table that grows as it likes are due at the counts 1, 2, 4, 8 and so on. */
static inline bool log_due(long long count) { return count > 0 && (count & (count - 1)) == 0; }
bool log_wants(const vouch_log *log, vouch_log_level level);

#endif
