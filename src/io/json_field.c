/* io/json_field.c - looking into a JSON document: values, fields, and messages about them; see json.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/locale.h"
#include "base/nearest.h"
#include "io/file.h"
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
            if (object && child == target) target++; /* a name stands for its value */
            if (object) child++;
            if (target < doc->node[child].end) break;
            child = doc->node[child].end;
        }
        used = object ? append(out, size, used, "%s%.60s", used ? "." : "", field) : append(out, size, used, "[%u]", index);
        here = child;
    }
    if (used == 0) append(out, size, used, "the whole file");
}

vouch_status js_fail(const js_doc *doc, uint32_t at, vouch_error *error, const char *format, ...)
{
    CHECK(at < doc->count);
    char path[256], what[512];
    va_list args;
    va_start(args, format);
    format_list(what, sizeof what, format, args);
    va_end(args);
    path_of(doc, at, path, sizeof path);
    return error_set(error, VOUCH_ERROR_INPUT, "%.200s:%u: %s: %s", doc->name, doc->node[at].line, path, what);
}

vouch_status js_expect(const js_doc *doc, uint32_t at, unsigned kinds, vouch_error *error)
{
    unsigned found = doc->node[at].kind;
    if (kinds >> (found == JS_ROWS ? JS_ARRAY : found) & 1U) return VOUCH_OK;
    char expected[128] = "";
    size_t used = 0;
    for (unsigned kind = 0; kind <= JS_OBJECT; kind++)
        if (kinds >> kind & 1U) used = append(expected, sizeof expected, used, "%s%s", used ? " or " : "", kind_text[kind]);
    return js_fail(doc, at, error, "expected %s, found %s", expected, kind_text[found]);
}

vouch_status js_fields(const js_doc *doc, uint32_t at, const js_field *field, size_t fields, uint32_t *value, vouch_error *error)
{
    vouch_status status = js_expect(doc, at, 1U << JS_OBJECT, error);
    if (status) return status;
    memset(value, 0, fields * sizeof *value);
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1)) {
        const char *name = js_string(doc, c);
        size_t i = 0;
        while (i < fields && strcmp(field[i].name, name) != 0) i++;
        if (i == fields && doc->foreign && strncmp(name, "x-", 2) == 0) continue;
        if (i == fields) return js_unknown_field(doc, c, field, fields, error);
        if (value[i]) return js_fail(doc, c, error, "the field is given twice");
        value[i] = c + 1;
        status = js_expect(doc, c + 1, field[i].kinds, error);
        if (status) return status;
    }
    for (size_t i = 0; i < fields; i++)
        if (field[i].required && !value[i]) return js_fail(doc, at, error, "the field \"%s\" is missing", field[i].name);
    return VOUCH_OK;
}

vouch_status js_int(const js_doc *doc, uint32_t at, int least, int most, int *value, vouch_error *error)
{
    vouch_status status = js_expect(doc, at, 1U << JS_NUMBER, error);
    if (status) return status;
    double x = js_number(doc, at);
    if (!(x >= least && x <= most) || x != floor(x))
        return js_fail(doc, at, error, "expected a whole number between %d and %d, found %.10g", least, most, x);
    *value = (int)x;
    return VOUCH_OK;
}

vouch_status js_unknown_field(const js_doc *doc, uint32_t at, const js_field *field, size_t fields, vouch_error *error)
{
    text words = {0};
    for (size_t i = 0; i < fields; i++) text_add(&words, "%s|", field[i].name);
    const char *near = words.data && !words.failed ? nearest_word(js_string(doc, at), words.data) : NULL;
    vouch_status status =
        near ? js_fail(doc, at, error, "unknown field; did you mean \"%s\"?", near) : js_fail(doc, at, error, "unknown field");
    text_free(&words);
    return status;
}
