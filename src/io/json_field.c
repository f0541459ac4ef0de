/* io/json_field.c - values and fields of a JSON document, messages about them, and texts of JSON; see json.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/locale.h"
#include "base/nearest.h"
#include "io/json.h"

static const char *const kind_text[] = {"null", "false", "true", "a number", "a string", "an array", "an object", "an array"};

js_kind js_kind_of(const js_doc *doc, uint32_t at) { return (js_kind)doc->node[at].kind; }
double js_number(const js_doc *doc, uint32_t at)
{
    CHECK(at < doc->count && doc->node[at].kind == JS_NUMBER);
    return doc->node[at].u.number;
}

const char *js_string(const js_doc *doc, uint32_t at)
{
    CHECK(at < doc->count && doc->node[at].kind == JS_STRING);
    return doc->text + doc->node[at].u.text;
}

uint32_t js_count(const js_doc *doc, uint32_t at)
{
    CHECK(at < doc->count && (doc->node[at].kind == JS_ARRAY || doc->node[at].kind == JS_OBJECT));
    return doc->node[at].u.count;
}

const char *js_rows(const js_doc *doc, uint32_t at, uint32_t *count)
{
    CHECK(at < doc->count && doc->node[at].kind == JS_ROWS);
    *count = doc->node[at].u.rows.count;
    return doc->text + doc->node[at].u.rows.text;
}

uint32_t js_end(const js_doc *doc, uint32_t at)
{
    CHECK(at < doc->count && doc->node[at].end > at && doc->node[at].end <= doc->count);
    return doc->node[at].end;
}

static size_t append(char *out, size_t size, size_t used, const char *format, ...)
{
    if (used >= size) return used;
    va_list args;
    va_start(args, format);
    int n = format_list(out + used, size - used, format, args);
    va_end(args);
    return n < 0 ? used : used + (size_t)n;
}

/* Path of a node from the root: down through the containers whose range of nodes holds it. */
static void path_of(const js_doc *doc, uint32_t target, char *out, size_t size)
{
    size_t used = 0;
    uint32_t here = 0;
    out[0] = '\0';
    while (here != target) {
        bool object = doc->node[here].kind == JS_OBJECT;
        uint32_t child = here + 1, index = 0;
        const char *field = NULL;
        for (;; index++) {
            if (object) field = js_string(doc, child);
            if (object && child == target) target++; /* a name is followed by its value */
            if (object) child++;
            if (target < doc->node[child].end) break;
            child = doc->node[child].end;
        }
        used = object ? append(out, size, used, "%s%.60s", used ? "." : "", field) : append(out, size, used, "[%u]", index);
        here = child;
    }
    if (used == 0) append(out, size, used, "the whole file");
}

_Noreturn void js_fail(const js_doc *doc, uint32_t at, const char *format, ...)
{
    CHECK(at < doc->count);
    char path[256], what[512];
    va_list args;
    va_start(args, format);
    format_list(what, sizeof what, format, args);
    va_end(args);
    path_of(doc, at, path, sizeof path);
    escape_fail(doc->e, VOUCH_ERROR_INPUT, "%.200s:%u: %s: %s", doc->name, doc->node[at].line, path, what);
}

void js_expect(const js_doc *doc, uint32_t at, unsigned kinds)
{
    unsigned found = doc->node[at].kind;
    if (kinds >> (found == JS_ROWS ? JS_ARRAY : found) & 1U) return;
    char expected[128] = "";
    size_t used = 0;
    for (unsigned kind = 0; kind <= JS_OBJECT; kind++)
        if (kinds >> kind & 1U) used = append(expected, sizeof expected, used, "%s%s", used ? " or " : "", kind_text[kind]);
    js_fail(doc, at, "expected %s, found %s", expected, kind_text[found]);
}

void js_fields(const js_doc *doc, uint32_t at, const js_field *field, size_t fields, uint32_t *value)
{
    js_expect(doc, at, 1U << JS_OBJECT);
    memset(value, 0, fields * sizeof *value);
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1)) {
        const char *name = js_string(doc, c);
        size_t i = 0;
        while (i < fields && strcmp(field[i].name, name) != 0) i++;
        if (i == fields && doc->foreign && strncmp(name, "x-", 2) == 0) continue;
        if (i == fields) js_unknown_field(doc, c, field, fields);
        if (value[i]) js_fail(doc, c, "the field is given twice");
        value[i] = c + 1;
        js_expect(doc, c + 1, field[i].kinds);
    }
    for (size_t i = 0; i < fields; i++)
        if (field[i].required && !value[i]) js_fail(doc, at, "the field \"%s\" is missing", field[i].name);
}

int js_int(const js_doc *doc, uint32_t at, int least, int most)
{
    js_expect(doc, at, 1U << JS_NUMBER);
    double x = js_number(doc, at);
    if (!(x >= least && x <= most) || x != floor(x))
        js_fail(doc, at, "expected a whole number between %d and %d, found %.10g", least, most, x);
    return (int)x;
}

_Noreturn void js_unknown_field(const js_doc *doc, uint32_t at, const js_field *field, size_t fields)
{
    text *words = escape_text(doc->e);
    for (size_t i = 0; i < fields; i++) text_add(words, "%s|", field[i].name);
    const char *near = words->data && !words->failed ? nearest_word(js_string(doc, at), words->data) : NULL;
    js_fail(doc, at, near ? "unknown field; did you mean \"%s\"?" : "unknown field", near);
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

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
                text_add(t, "\\ufffd"); /* not UTF-8, such as a name cut within a character */
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
