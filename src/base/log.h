/* base/log.h - formatted lines to a vouch_log. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <vouch/status.h>

/* One line, without final newline; does nothing when log is silent at that level. */
void log_line(const vouch_log *log, vouch_log_level level, const char *format, ...) VOUCH_PRINTF(3, 4);
bool log_wants(const vouch_log *log, vouch_log_level level);

#endif
