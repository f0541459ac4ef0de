/* io/json.c - reading JSON (RFC 8259) into a flat array; see json.h.
 *
 * A parser of our own, because a message has to name the line and the path of a *value* that is well-formed but wrong, which
 * general libraries forget, and a model of millions of rows has to fit: 16 bytes a value. One pass with an explicit stack: deep
 * nesting cannot overrun the C stack. Zero characters in strings and numbers beyond the range of double are errors.
 */
#include "io/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"

enum { DEPTH_CAP = 1024, LINE_CAP = (1 << 29) - 1 };

static const char *const kind_text[] = {"null", "false", "true", "a number", "a string", "an array", "an object"};

typedef struct parser {
    js_doc *doc;
    char *at, *end;
    unsigned line;
    vouch_error *error;
    uint32_t open[DEPTH_CAP]; /* containers not yet closed, outermost first */
    int depth;
} parser;

/* ---- reading ------------------------------------------------------------------------------------------------- */

static vouch_status broken(const parser *p, const char *what)
{
    char seen[40];
    unsigned char c = p->at < p->end ? (unsigned char)*p->at : 0;
    if (p->at >= p->end) {
        if (p->depth > 0) {
            const js_node *n = &p->doc->node[p->open[p->depth - 1]];
            return error_set(p->error, VOUCH_ERROR_INPUT, "%s:%u: the file ends inside %s that began in line %u", p->doc->name,
                             p->line, kind_text[n->kind], n->line);
        }
        return error_set(p->error, VOUCH_ERROR_INPUT, "%s:%u: the file ends here; %s", p->doc->name, p->line, what);
    }
    if (c > 32 && c < 127)
        snprintf(seen, sizeof seen, "\"%c\"", c);
    else
        snprintf(seen, sizeof seen, "byte %u", c);
    return error_set(p->error, VOUCH_ERROR_INPUT, "%s:%u: %s, found %s", p->doc->name, p->line, what, seen);
}

static void skip_blanks(parser *p)
{
    for (; p->at < p->end; p->at++) {
        if (*p->at == '\n')
            p->line += p->line < LINE_CAP;
        else if (*p->at != ' ' && *p->at != '\t' && *p->at != '\r')
            return;
    }
}

static vouch_status add_node(parser *p, js_kind kind, uint32_t *index)
{
    js_doc *doc = p->doc;
    if (doc->count >= UINT32_MAX - 1) return error_set(p->error, VOUCH_ERROR_SIZE, "%s: too many values", doc->name);
    if (mem_reserve((void **)&doc->node, &doc->capacity, doc->count, sizeof *doc->node)) return error_memory(p->error);
    *index = (uint32_t)doc->count++;
    doc->node[*index] = (js_node){.kind = (unsigned)kind & 7U, .line = p->line & LINE_CAP, .end = *index + 1};
    return VOUCH_OK;
}

static int hex_digits(const char *s, unsigned *value)
{
    *value = 0;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdefABCDEF";
        const char *found = s[i] ? strchr(digits, s[i]) : NULL;
        if (!found) return -1;
        unsigned d = (unsigned)(found - digits);
        *value = *value * 16 + (d < 16 ? d : d - 6);
    }
    return 0;
}

static char *put_utf8(char *out, unsigned c)
{
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xC0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        *out++ = (char)(0xE0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    } else {
        *out++ = (char)(0xF0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3F));
        *out++ = (char)(0x80 | (c >> 6 & 0x3F));
        *out++ = (char)(0x80 | (c & 0x3F));
    }
    return out;
}

/* Length of the UTF-8 character at s (up to `left` bytes), 0 if it is none: overlong forms, surrogates and what lies
 * beyond U+10FFFF are none. */
int js_utf8_length(const char *s, size_t left)
{
    unsigned char c = (unsigned char)s[0];
    if (c < 0x80) return 1;
    int n = c >= 0xC2 && c <= 0xDF ? 2 : (c & 0xF0) == 0xE0 ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
    if (n == 0 || left < (size_t)n) return 0;
    for (int i = 1; i < n; i++)
        if (((unsigned char)s[i] & 0xC0) != 0x80) return 0;
    unsigned char d = (unsigned char)s[1];
    if ((c == 0xE0 && d < 0xA0) || (c == 0xED && d > 0x9F) || (c == 0xF0 && d < 0x90) || (c == 0xF4 && d > 0x8F)) return 0;
    return n;
}

bool js_utf8(const char *s)
{
    for (int n; *s; s += n) /* a zero byte is in no longer character: it is not read beyond the end */
        if ((n = js_utf8_length(s, 4)) == 0) return false;
    return true;
}

static vouch_status read_escape(parser *p, char **out)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    unsigned c, low;
    if (p->end - p->at < 2) {
        p->at = p->end;
        return broken(p, "expected an escape");
    }
    if (p->at[1] != 'u') {
        const char *found = p->at[1] ? strchr(letters, p->at[1]) : NULL;
        if (!found) return broken(p, "unknown escape in a string");
        *(*out)++ = meanings[found - letters];
        p->at += 2;
        return VOUCH_OK;
    }
    if (p->end - p->at < 6 || hex_digits(p->at + 2, &c)) return broken(p, "\\u needs four hexadecimal digits");
    if (c == 0) return broken(p, "a zero character is not allowed in a string");
    p->at += 6;
    if (c >= 0xDC00 && c <= 0xDFFF) return broken(p, "half a surrogate pair in a string");
    if (c >= 0xD800 && c <= 0xDBFF) {
        if (p->end - p->at < 6 || p->at[0] != '\\' || p->at[1] != 'u' || hex_digits(p->at + 2, &low) || low < 0xDC00 ||
            low > 0xDFFF)
            return broken(p, "half a surrogate pair in a string");
        p->at += 6;
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    }
    *out = put_utf8(*out, c); /* never longer than the escape it replaces */
    return VOUCH_OK;
}

/* At the opening quote. Decoding only ever shortens, so it happens in place. */
static vouch_status read_string(parser *p)
{
    uint32_t index;
    vouch_status status = add_node(p, JS_STRING, &index);
    if (status) return status;
    char *out = ++p->at;
    p->doc->node[index].u.text = (uint32_t)(out - p->doc->text);
    while (*p->at >= ' ' && *p->at < 127 && *p->at != '"' && *p->at != '\\') out = ++p->at; /* a zero byte ends the text */
    while (p->at < p->end && *p->at != '"') {
        if ((unsigned char)*p->at < 32) return broken(p, "a string must be closed by a quotation mark before the end of its line");
        if (*p->at == '\\') {
            status = read_escape(p, &out);
            if (status) return status;
            continue;
        }
        int n = js_utf8_length(p->at, (size_t)(p->end - p->at));
        if (n == 0) return broken(p, "expected UTF-8");
        while (n-- > 0) *out++ = *p->at++;
    }
    if (p->at >= p->end) {
        if (p->depth > 0) return broken(p, "");
        return error_set(p->error, VOUCH_ERROR_INPUT, "%s:%u: the file ends inside a string", p->doc->name, p->line);
    }
    p->at++; /* before the zero byte is written, which may fall on the closing quote */
    *out = '\0';
    return VOUCH_OK;
}

static char *skip_digits(char *s)
{
    while (*s >= '0' && *s <= '9') s++;
    return s;
}

/* The grammar is checked here, since strtod would also take "nan", "0x1" and "1." */
static vouch_status read_number(parser *p)
{
    char *s = p->at + (*p->at == '-'), *whole = s;
    s = skip_digits(s);
    bool good = s > whole && (s == whole + 1 || *whole != '0');
    if (good && *s == '.') {
        char *fraction = ++s;
        s = skip_digits(s);
        good = s > fraction;
    }
    if (good && (*s == 'e' || *s == 'E')) {
        s++;
        s += *s == '+' || *s == '-';
        char *exponent = s;
        s = skip_digits(s);
        good = s > exponent;
    }
    if (!good) return broken(p, "expected a number as JSON writes it");
    double value = js_decimal(p->at, s);
    if (!isfinite(value)) return broken(p, "a number is too large");
    uint32_t index;
    vouch_status status = add_node(p, JS_NUMBER, &index);
    if (status) return status;
    p->doc->node[index].u.number = value;
    p->at = s;
    return VOUCH_OK;
}

static vouch_status read_word(parser *p)
{
    static const char *const words[] = {[JS_NULL] = "null", [JS_FALSE] = "false", [JS_TRUE] = "true"};
    for (int kind = JS_NULL; kind <= JS_TRUE; kind++) {
        size_t n = strlen(words[kind]);
        if ((size_t)(p->end - p->at) >= n && memcmp(p->at, words[kind], n) == 0) {
            uint32_t index;
            p->at += n;
            return add_node(p, (js_kind)kind, &index);
        }
    }
    return broken(p, "expected a value");
}

static vouch_status open_container(parser *p)
{
    if (p->depth == DEPTH_CAP) return broken(p, "nested too deeply");
    uint32_t index;
    vouch_status status = add_node(p, *p->at == '[' ? JS_ARRAY : JS_OBJECT, &index);
    if (status) return status;
    p->open[p->depth++] = index;
    p->at++;
    return VOUCH_OK;
}

/* At the first character of a value or of a closing bracket: reads one value (only opening a container). */
static vouch_status read_value(parser *p)
{
    if (p->at >= p->end) return broken(p, "expected a value");
    switch (*p->at) {
    case '[':
    case '{':
        return open_container(p);
    case '"':
        return read_string(p);
    case '-':
        return read_number(p);
    default:
        return *p->at >= '0' && *p->at <= '9' ? read_number(p) : read_word(p);
    }
}

/* A field's name and its colon. */
static vouch_status read_name(parser *p)
{
    if (p->at >= p->end || *p->at != '"') return broken(p, "expected the name of a field in quotation marks");
    vouch_status status = read_string(p);
    if (status) return status;
    skip_blanks(p);
    if (p->at >= p->end || *p->at != ':') return broken(p, "expected a colon");
    p->at++;
    skip_blanks(p);
    return VOUCH_OK;
}

/* Inside the innermost open container, `first`: nothing of it has been read. Closes it, or reads on to its next value. */
static vouch_status read_next(parser *p, bool first)
{
    CHECK(p->depth > 0 && p->depth <= DEPTH_CAP);
    CHECK(p->at <= p->end);
    uint32_t inside = p->open[p->depth - 1];
    bool object = p->doc->node[inside].kind == JS_OBJECT;
    skip_blanks(p);
    if (p->at < p->end && *p->at == (object ? '}' : ']')) {
        p->at++;
        p->depth--;
        p->doc->node[inside].end = (uint32_t)p->doc->count;
        return VOUCH_OK;
    }
    if (!first) {
        if (p->at >= p->end || *p->at != ',') return broken(p, object ? "expected a comma or }" : "expected a comma or ]");
        p->at++;
        skip_blanks(p);
    }
    p->doc->node[inside].u.count++;
    vouch_status status = object ? read_name(p) : VOUCH_OK;
    return status ? status : read_value(p);
}

vouch_status js_parse(js_doc *doc, const char *name, char *content, size_t length, vouch_error *error)
{
    doc->text = content;
    doc->name = mem_string(name);
    if (!doc->name) return error_memory(error);
    if (length >= UINT32_MAX) return error_set(error, VOUCH_ERROR_SIZE, "%s: larger than 4 GiB", name);
    if (strncmp(content, "vouch-proof ", strlen("vouch-proof ")) == 0)
        return error_set(error, VOUCH_ERROR_INPUT, "%s:1: this is a proof, which vouch-check reads; expected JSON", name);
    parser p = {.doc = doc, .at = content, .end = content + length, .line = 1, .error = error};
    if (length >= 3 && memcmp(content, "\xEF\xBB\xBF", 3) == 0) p.at += 3;
    skip_blanks(&p);
    if (p.at == p.end) return error_set(error, VOUCH_ERROR_INPUT, "%s:%u: the file is empty; expected a JSON object", name, p.line);
    vouch_status status = read_value(&p);
    while (!status && p.depth > 0) {
        uint32_t inside = p.open[p.depth - 1];
        status = read_next(&p, doc->count == (size_t)inside + 1);
    }
    if (status) return status;
    skip_blanks(&p);
    return p.at == p.end ? VOUCH_OK : broken(&p, "expected the end of the file");
}

vouch_status js_read(js_doc *doc, const char *path, vouch_error *error)
{
    char *content;
    size_t length;
    vouch_status status = file_read(path, FILE_CAP, &content, &length, error);
    return status ? status : js_parse(doc, path, content, length, error);
}

void js_free(js_doc *doc)
{
    mem_free(doc->name);
    mem_free(doc->text);
    mem_free(doc->node);
    *doc = (js_doc){0};
}

/* ---- looking ------------------------------------------------------------------------------------------------- */

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
    int n = vsnprintf(out + used, size - used, format, args);
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
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    path_of(doc, at, path, sizeof path);
    return error_set(error, VOUCH_ERROR_INPUT, "%.200s:%u: %s: %s", doc->name, doc->node[at].line, path, what);
}

vouch_status js_expect(const js_doc *doc, uint32_t at, unsigned kinds, vouch_error *error)
{
    if (kinds >> doc->node[at].kind & 1U) return VOUCH_OK;
    char expected[128] = "";
    size_t used = 0;
    for (unsigned kind = 0; kind <= JS_OBJECT; kind++)
        if (kinds >> kind & 1U) used = append(expected, sizeof expected, used, "%s%s", used ? " or " : "", kind_text[kind]);
    return js_fail(doc, at, error, "expected %s, found %s", expected, kind_text[doc->node[at].kind]);
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
