/* cli/xml.c - see xml.h. */
#include "cli/xml.h"

#include <string.h>

#include "base/plain.h"

/* U+FFFE and U+FFFF, which XML 1.0 excludes as it does control characters. */
static bool excluded(const char *s) { return memcmp(s, "\xEF\xBF\xBE", 3) == 0 || memcmp(s, "\xEF\xBF\xBF", 3) == 0; }

void xml_add(text *t, const char *s)
{
    for (int n; *s; s += n < 0 ? -n : n) {
        n = plain_length(s);
        if (*s == '<')
            text_add(t, "&lt;");
        else if (*s == '>')
            text_add(t, "&gt;");
        else if (*s == '&')
            text_add(t, "&amp;");
        else if (*s == '"')
            text_add(t, "&quot;");
        else if (*s == '\n' || *s == '\t')
            text_add(t, "&#%d;", *s);
        else if (n < 0 || (n == 3 && excluded(s)))
            text_add(t, "\xEF\xBF\xBD");
        else
            text_add_bytes(t, s, (size_t)n);
    }
}

void dot_add(text *t, const char *s)
{
    for (int n; *s; s += n < 0 ? -n : n) {
        n = plain_length(s);
        if (*s == '"' || *s == '\\') text_add(t, "\\");
        text_add_bytes(t, n < 0 ? " " : s, n < 0 ? 1 : (size_t)n);
    }
}
