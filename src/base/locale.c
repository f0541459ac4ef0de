/* base/locale.c - see locale.h. Switches the locale of the calling thread during a call (uselocale, POSIX 2008); setlocale would
 * affect other threads, too. */
#include "base/locale.h"

#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static locale_t neutral; /* never freed; (locale_t)0 if out of memory: no switch */

static void make(void) { neutral = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

static locale_t enter(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, make);
    return uselocale(neutral);
}

static void leave(locale_t before) { (void)uselocale(before); }

double number_read(const char *s, char **end)
{
    locale_t before = enter();
    double x = strtod(s, end);
    leave(before);
    return x;
}

int format_list(char *out, size_t size, const char *format, va_list list)
{
    locale_t before = enter();
    int n = vsnprintf(out, size, format, list);
    leave(before);
    return n;
}

int format_text(char *out, size_t size, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = format_list(out, size, format, list);
    va_end(list);
    return n;
}

int format_file(FILE *file, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    locale_t before = enter();
    int n = vfprintf(file, format, list);
    leave(before);
    va_end(list);
    return n;
}

int scan_text(const char *s, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    locale_t before = enter();
    int n = vsscanf(s, format, list);
    leave(before);
    va_end(list);
    return n;
}

const char *system_text(int why)
{
    locale_t before = enter();
    const char *text = strerror(why);
    leave(before);
    return text;
}

bool ascii_same(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (ascii_lower(a[i]) != ascii_lower(b[i])) return false;
        if (!a[i]) return true;
    }
    return true;
}
