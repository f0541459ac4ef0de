/* cli/xml.c - see xml.h. */
#include "cli/xml.h"

void xml_add(text *t, const char *s)
{
    for (; *s; s++) {
        if (*s == '<') text_add(t, "&lt;");
        else if (*s == '>') text_add(t, "&gt;");
        else if (*s == '&') text_add(t, "&amp;");
        else if (*s == '"') text_add(t, "&quot;");
        else text_add_bytes(t, s, 1);
    }
}
