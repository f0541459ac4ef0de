/* base/log.c - see log.h. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/locale.h"
#include "base/plain.h"

bool log_wants(const vouch_log *log, vouch_log_level level) { return log && log->write && level <= log->level; }

void log_line(const vouch_log *log, vouch_log_level level, const char *format, ...)
{
    if (!log_wants(log, level)) return;
    char line[1024];
    va_list args;
    va_start(args, format);
    format_list(line, sizeof line, format, args);
    va_end(args);
    plain_clean(line);
    log->write(log->context, level, line);
}
