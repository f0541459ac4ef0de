/* io/json_write.c - strings and numbers of JSON texts; see json.h. */
#include "io/json.h"

#include <math.h>
#include <string.h>

void js_add_string(text *t, const char *value)
{
    text_add_bytes(t, "\"", 1);
    while (*value) {
        size_t plain = 0;
        while ((unsigned char)value[plain] >= 32 && (unsigned char)value[plain] < 128 && value[plain] != '"' &&
               value[plain] != '\\')
            plain++;
        text_add_bytes(t, value, plain);
        value += plain;
        if (!*value) break;
        if ((unsigned char)*value >= 128) {
            int n = js_utf8_length(value, strlen(value));
            if (n > 0)
                text_add_bytes(t, value, (size_t)n);
            else
                text_add(t, "\\ufffd"); /* what is no UTF-8, such as a name cut within a character */
            value += n > 0 ? n : 1;
            continue;
        }
        if ((unsigned char)*value < 32)
            text_add(t, "\\u%04x", (unsigned)(unsigned char)*value);
        else
            text_add(t, "\\%c", *value);
        value++;
    }
    text_add_bytes(t, "\"", 1);
}

void js_add_number(text *t, const char *before, double value)
{
    if (isfinite(value))
        text_add(t, "%s%.17g", before, value);
    else
        text_add(t, "%snull", before);
}
