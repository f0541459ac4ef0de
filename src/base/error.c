/* base/error.c - see error.h. */
#include "base/error.h"

#include <errno.h>

#include "base/text.h"

vouch_status error_set(vouch_error *error, vouch_status status, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        error->status = status;
        format_list(error->text, sizeof error->text, format, args);
        va_end(args);
        plain_clean(error->text);
    }
    return status;
}

vouch_status error_at(vouch_error *error, const char *file, long line, const char *format, ...)
{
    char what[800];
    va_list args;
    va_start(args, format);
    format_list(what, sizeof what, format, args);
    va_end(args);
    return error_set(error, VOUCH_ERROR_INPUT, "%.200s:%ld: %s", file, line, what);
}

vouch_status error_found(vouch_error *error, const char *file, long line, const char *what, const char *found)
{
    return found ? error_at(error, file, line, "%s, found \"%.100s\"", what, found) : error_at(error, file, line, "%s", what);
}

vouch_status error_system(vouch_error *error, int why, const char *format, ...)
{
    char what[sizeof error->text];
    if (why == ENOMEM) return error_memory(error);
    va_list args;
    va_start(args, format);
    format_list(what, sizeof what, format, args);
    va_end(args);
    return error_set(error, VOUCH_ERROR_IO, "%s: %s", what, system_text(why));
}

vouch_status error_memory(vouch_error *error) { return error_set(error, VOUCH_ERROR_MEMORY, "out of memory"); }

vouch_status error_null(vouch_error *error)
{
    return error_set(error, VOUCH_ERROR_ARGUMENT, "an argument is NULL that must not be");
}

const char *vouch_version(void) { return VOUCH_VERSION; }

const char *vouch_status_text(vouch_status status)
{
    static const char *const text[] = {"ok", "wrong input", "wrong argument", "out of memory", "input/output error", "too large"};
    return (size_t)status < sizeof text / sizeof *text ? text[status] : "unknown status";
}

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
