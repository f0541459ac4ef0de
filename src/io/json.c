/* io/json.c - reading JSON (RFC 8259) into a flat array; see json.h.
 *
 * A parser of our own, because a message has to name the line and the path of a *value* that is well-formed but wrong, which
 * general libraries forget, and a model of millions of rows has to fit: 16 bytes a value. One pass with an explicit stack: deep
 * nesting cannot overrun the C stack. Zero characters in strings and numbers beyond the range of double are errors.
 */
#include "io/json.h"

#include <float.h>

enum { DEPTH_CAP = 1024, LINE_CAP = (1 << 29) - 1 };

typedef struct parser {
    js_doc *doc;
    char *at, *end;
    unsigned line;
    uint32_t open[DEPTH_CAP]; /* containers not yet closed, outermost first */
    int depth;
} parser;

/* ---- reading ------------------------------------------------------------------------------------------------- */

static _Noreturn void broken(const parser *p, const char *what)
{
    char seen[40];
    unsigned char c = p->at < p->end ? (unsigned char)*p->at : 0;
    if (p->at >= p->end) {
        if (p->depth > 0) {
            const js_node *n = &p->doc->node[p->open[p->depth - 1]];
            escape_fail(p->doc->e, VOUCH_ERROR_INPUT, "%s:%u: the file ends inside %s that began in line %u", p->doc->name, p->line,
                        n->kind == JS_ARRAY ? "an array" : "an object", n->line);
        }
        escape_fail(p->doc->e, VOUCH_ERROR_INPUT, "%s:%u: the file ends here; %s", p->doc->name, p->line, what);
    }
    if (c > 32 && c < 127)
        format_text(seen, sizeof seen, "\"%c\"", c);
    else
        format_text(seen, sizeof seen, "byte %u", c);
    escape_fail(p->doc->e, VOUCH_ERROR_INPUT, "%s:%u: %s, found %s", p->doc->name, p->line, what, seen);
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

static uint32_t add_node(parser *p, js_kind kind)
{
    js_doc *doc = p->doc;
    if (doc->count >= UINT32_MAX - 1) escape_fail(p->doc->e, VOUCH_ERROR_SIZE, "%s: too many values", doc->name);
    ESCAPE_GROW(p->doc->e, &doc->node, &doc->capacity, doc->count);
    uint32_t index = (uint32_t)doc->count++;
    doc->node[index] = (js_node){.kind = (unsigned)kind & 7U, .line = p->line & LINE_CAP, .end = index + 1};
    return index;
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

/* Length of the UTF-8 character at s (up to `left` bytes), 0 if it is none: overlong forms, surrogates and what lies beyond
 * U+10FFFF are none. */
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

static void read_escape(parser *p, char **out)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    unsigned c, low;
    if (p->end - p->at < 2) {
        p->at = p->end;
        broken(p, "expected an escape");
    }
    if (p->at[1] != 'u') {
        const char *found = p->at[1] ? strchr(letters, p->at[1]) : NULL;
        if (!found) broken(p, "unknown escape in a string");
        *(*out)++ = meanings[found - letters];
        p->at += 2;
        return;
    }
    if (p->end - p->at < 6 || hex_digits(p->at + 2, &c)) broken(p, "\\u needs four hexadecimal digits");
    if (c == 0) broken(p, "a zero character is not allowed in a string");
    p->at += 6;
    if (c >= 0xDC00 && c <= 0xDFFF) broken(p, "half a surrogate pair in a string");
    if (c >= 0xD800 && c <= 0xDBFF) {
        if (p->end - p->at < 6 || p->at[0] != '\\' || p->at[1] != 'u' || hex_digits(p->at + 2, &low) || low < 0xDC00 ||
            low > 0xDFFF)
            broken(p, "half a surrogate pair in a string");
        p->at += 6;
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    }
    *out = put_utf8(*out, c); /* never longer than the escape it replaces */
}

/* At the opening quote. Decoding only ever shortens, so it happens in place. */
static void read_string(parser *p)
{
    uint32_t index = add_node(p, JS_STRING);
    char *out = ++p->at, *begin = out;
    while (*p->at >= ' ' && *p->at < 127 && *p->at != '"' && *p->at != '\\') out = ++p->at; /* a zero byte ends the text */
    while (p->at < p->end && *p->at != '"') {
        if ((unsigned char)*p->at < 32) broken(p, "a string must be closed by a quotation mark before the end of its line");
        if (*p->at == '\\') {
            if (p->doc->skim) broken(p, "an escape"); /* could not be undone */
            read_escape(p, &out);
            continue;
        }
        int n = js_utf8_length(p->at, (size_t)(p->end - p->at));
        if (n == 0) broken(p, "expected UTF-8");
        while (n-- > 0) *out++ = *p->at++;
    }
    if (p->at >= p->end) {
        if (p->depth > 0) broken(p, "");
        escape_fail(p->doc->e, VOUCH_ERROR_INPUT, "%s:%u: the file ends inside a string", p->doc->name, p->line);
    }
    p->at++; /* before the zero byte is written, which may fall on the closing quote */
    *out = '\0';
    p->doc->node[index].u.text = (uint32_t)(begin - p->doc->text);
}

static const char *skip_digits(const char *s)
{
    while (*s >= '0' && *s <= '9') s++;
    return s;
}

/* The grammar is checked here, since strtod would also take "nan", "0x1" and "1." */
const char *js_number_end(const char *s)
{
    const char *whole = s + (*s == '-');
    s = skip_digits(whole);
    bool good = s > whole && (s == whole + 1 || *whole != '0');
    if (good && *s == '.') {
        const char *fraction = ++s;
        s = skip_digits(s);
        good = s > fraction;
    }
    if (good && (*s == 'e' || *s == 'E')) {
        s++;
        s += *s == '+' || *s == '-';
        const char *exponent = s;
        s = skip_digits(s);
        good = s > exponent;
    }
    return good ? s : NULL;
}

enum { MOST_DIGITS = 40 };

/* Digits of a number without leading and trailing zeros: all but its size. */
static void find_digits(const char *at, const char *end, char digits[MOST_DIGITS + 1])
{
    int count = 0;
    for (; at < end && *at != 'e' && *at != 'E' && count < MOST_DIGITS; at++)
        if (*at >= '0' && *at <= '9' && (*at > '0' || count > 0)) digits[count++] = *at;
    while (count > 0 && count < MOST_DIGITS && digits[count - 1] == '0') count--;
    digits[count] = '\0';
}

/* Is it the shortest decimal that is read as x? */
static bool is_shortest(const char *at, const char *end, double x)
{
    char room[32], written[MOST_DIGITS + 1], shortest[MOST_DIGITS + 1];
    find_digits(at, end, written);
    const char *same = text_number(x, room);
    find_digits(same, same + strlen(same), shortest);
    return strcmp(written, shortest) == 0;
}

static void keep_rest(parser *p, uint32_t index, double rest)
{
    js_doc *doc = p->doc;
    if (rest == 0) return;
    ESCAPE_GROW(doc->e, &doc->rest, &doc->rest_capacity, doc->rests);
    doc->rest[doc->rests++] = (js_rest){index, rest};
}

static void read_number(parser *p)
{
    const char *end = js_number_end(p->at);
    if (!end) broken(p, "expected a number as JSON writes it");
    double value = js_decimal(p->at, end, &p->doc->long_numbers);
    if (!isfinite(value)) broken(p, "a number is too large");
    uint32_t index = add_node(p, JS_NUMBER);
    p->doc->node[index].u.number = value;
    if (p->doc->skim && end - p->at > DBL_DIG && !is_shortest(p->at, end, value)) keep_rest(p, index, number_rest(p->at, value));
    p->at += end - p->at;
}

static void read_word(parser *p)
{
    static const char *const words[] = {[JS_NULL] = "null", [JS_FALSE] = "false", [JS_TRUE] = "true"};
    for (int kind = JS_NULL; kind <= JS_TRUE; kind++) {
        size_t n = strlen(words[kind]);
        if ((size_t)(p->end - p->at) >= n && memcmp(p->at, words[kind], n) == 0) {
            p->at += n;
            add_node(p, (js_kind)kind);
            return;
        }
    }
    broken(p, "expected a value");
}

static void open_container(parser *p)
{
    if (p->depth == DEPTH_CAP) broken(p, "nested too deeply");
    uint32_t index = add_node(p, *p->at == '[' ? JS_ARRAY : JS_OBJECT);
    p->open[p->depth++] = index;
    p->at++;
}

/* Behind an array of rows, arrays that may hold pairs, whose opening bracket is at c; NULL: it is none, or ends not. rows: how
 * many. Strings with escapes may be taken for others. */
static char *behind_rows(char *c, const char *end, uint32_t *rows)
{
    int depth = 0;
    for (; c < end; c++) {
        if (*c == '"') {
            c = memchr(c + 1, '"', (size_t)(end - c) - 1);
            if (!c) return NULL;
        } else if (*c == '[') {
            if (++depth > 3) return NULL;
            *rows += depth == 2;
        } else if (*c == ']' && --depth == 0)
            return *rows > 0 ? c + 1 : NULL;
    }
    return NULL;
}

/* Makes the value behind the name that was read last one node, if it is one of rows. Returns whether it was. */
static bool skim_rows(parser *p)
{
    const char *name = js_string(p->doc, (uint32_t)p->doc->count - 1);
    uint32_t rows = 0;
    char *behind = NULL;
    if (p->at < p->end && *p->at == '[' && (strcmp(name, "transitions") == 0 || strcmp(name, "rewards") == 0))
        behind = behind_rows(p->at, p->end, &rows);
    if (!behind) return false;
    uint32_t node = add_node(p, JS_ROWS); /* may move the nodes */
    p->doc->node[node].u.rows = (struct js_rows){(uint32_t)(p->at - p->doc->text), rows};
    p->at = behind;
    return true;
}

/* At the first character of a value or of a closing bracket: reads one value (only opening a container). */
static void read_value(parser *p)
{
    if (p->at >= p->end) broken(p, "expected a value");
    if (*p->at == '[' || *p->at == '{')
        open_container(p);
    else if (*p->at == '"')
        read_string(p);
    else if (*p->at == '-' || (*p->at >= '0' && *p->at <= '9'))
        read_number(p);
    else
        read_word(p);
}

/* A field's name and its colon. */
static void read_name(parser *p)
{
    if (p->at >= p->end || *p->at != '"') broken(p, "expected the name of a field in quotation marks");
    read_string(p);
    skip_blanks(p);
    if (p->at >= p->end || *p->at != ':') broken(p, "expected a colon");
    p->at++;
    skip_blanks(p);
}

/* Inside the innermost open container, `first`: nothing of it has been read. Closes it, or reads on to its next value. */
static void read_next(parser *p, bool first)
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
        return;
    }
    if (!first) {
        if (p->at >= p->end || *p->at != ',') broken(p, object ? "expected a comma or }" : "expected a comma or ]");
        p->at++;
        skip_blanks(p);
    }
    p->doc->node[inside].u.count++;
    if (object) read_name(p);
    if (!(object && p->doc->skim && skim_rows(p))) read_value(p);
}

static void parse(js_doc *doc)
{
    if (strncmp(doc->text, "vouch-proof ", strlen("vouch-proof ")) == 0)
        escape_fail(doc->e, VOUCH_ERROR_INPUT, "%s:1: this is a proof, which vouch-check reads; expected JSON", doc->name);
    parser p = {.doc = doc, .at = doc->text, .end = doc->text + doc->length, .line = 1};
    if (doc->length >= 3 && memcmp(p.at, "\xEF\xBB\xBF", 3) == 0) p.at += 3;
    skip_blanks(&p);
    if (p.at == p.end)
        escape_fail(doc->e, VOUCH_ERROR_INPUT, "%s:%u: the file is empty; expected a JSON object", doc->name, p.line);
    read_value(&p);
    while (p.depth > 0) {
        uint32_t inside = p.open[p.depth - 1];
        read_next(&p, doc->count == (size_t)inside + 1);
    }
    skip_blanks(&p);
    if (p.at != p.end) broken(&p, "expected the end of the file");
}

void js_parse(js_doc *doc, const char *name, char *content, size_t length)
{
    escape_own(doc->e, content);
    doc->text = content;
    doc->length = length;
    doc->name = escape_string(doc->e, name);
    if (length >= UINT32_MAX) escape_fail(doc->e, VOUCH_ERROR_SIZE, "%s: larger than 4 GiB", name);
    parse(doc);
}

void js_parse_whole(js_doc *doc)
{
    for (size_t i = 0; i < doc->count; i++) {
        /* the quotation marks at the end of strings without escapes */
        if (doc->node[i].kind == JS_STRING && doc->node[i].u.text)
            doc->text[doc->node[i].u.text + strlen(doc->text + doc->node[i].u.text)] = '"';
    }
    doc->count = 0;
    doc->skim = false;
    parse(doc);
}

void js_read(js_doc *doc, const char *path)
{
    char *content;
    size_t length;
    must(doc->e, file_read(path, FILE_CAP, &content, &length, doc->e->error));
    js_parse(doc, path, content, length);
}

/* Has the number more than 16 digits, or others than the shortest decimal that is read as x? */
static bool is_long(const char *at, const char *end, double x)
{
    char written[MOST_DIGITS + 1];
    find_digits(at, end, written);
    return strlen(written) > DBL_DIG + 1 || !is_shortest(at, end, x); /* more are not worth a look in a file of many */
}

double js_decimal(const char *at, const char *end, bool *long_number)
{
    enum { DIGITS = 15 };
    static const double power[DIGITS + 1] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    if (end - at > DIGITS) {
        double x = number_read(at, NULL);
        if (!*long_number && isfinite(x)) *long_number = is_long(at, end, x);
        return x;
    }
    double whole = 0;
    int behind = 0;
    bool point = false;
    for (const char *c = at + (*at == '-'); c < end; c++) {
        if (*c == 'e' || *c == 'E') return number_read(at, NULL);
        if (*c == '.') {
            point = true;
            continue;
        }
        whole = 10 * whole + (*c - '0');
        behind += point;
    }
    return (*at == '-' ? -whole : whole) / power[behind];
}

/* ---- fields -------------------------------------------------------------------------------------------------------- */

/* Values and fields of a JSON document, messages about them, and texts of JSON. */

static const char *const kind_text[] = {"null", "false", "true", "a number", "a string", "an array", "an object", "an array"};

js_kind js_kind_of(const js_doc *doc, uint32_t at) { return (js_kind)doc->node[at].kind; }
double js_number(const js_doc *doc, uint32_t at)
{
    CHECK(at < doc->count && doc->node[at].kind == JS_NUMBER);
    return doc->node[at].u.number;
}

double js_number_rest(const js_doc *doc, uint32_t at)
{
    size_t i = 0;
    while (i < doc->rests && doc->rest[i].node != at) i++;
    return i < doc->rests ? doc->rest[i].rest : 0;
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

static _Noreturn void js_unknown_field(const js_doc *doc, uint32_t at, const js_field *field, size_t fields);

void js_fields(const js_doc *doc, uint32_t at, const js_field *field, size_t fields, uint32_t *value)
{
    js_expect(doc, at, OBJECT);
    memset(value, 0, fields * sizeof *value);
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1)) {
        const char *name = js_string(doc, c);
        size_t i = 0;
        while (i < fields && strcmp(field[i].name, name) != 0) i++;
        if (i == fields && doc->foreign && (strncmp(name, "x-", 2) == 0 || strcmp(name, "comment") == 0)) continue;
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
    js_expect(doc, at, NUMBER);
    double x = js_number(doc, at);
    if (!(x >= least && x <= most) || x != floor(x))
        js_fail(doc, at, "expected a whole number between %d and %d, found %.10g", least, most, x);
    return (int)x;
}

/* The error of a field (at: its name) that is not in the list; it names the nearest that is. */
static _Noreturn void js_unknown_field(const js_doc *doc, uint32_t at, const js_field *field, size_t fields)
{
    text *words = escape_text(doc->e);
    for (size_t i = 0; i < fields; i++) text_add(words, "%s|", field[i].name);
    const char *near = words->data && !words->failed ? nearest_word(js_string(doc, at), words->data) : NULL;
    js_fail(doc, at, near ? "unknown field; did you mean \"%s\"?" : "unknown field", near);
}

/* The string, without the quotation marks around it. */
static void add_escaped(text *t, const char *value)
{
    while (*value) {
        size_t plain = 0;
        while ((unsigned char)value[plain] >= 32 && (unsigned char)value[plain] < 128 && value[plain] != '"' &&
               value[plain] != '\\')
            plain++;
        text_add_bytes(t, value, plain);
        value += plain;
        int n = (unsigned char)*value >= 128 ? js_utf8_length(value, strlen(value)) : 0;
        if (!*value) break;
        if (n > 0)
            text_add_bytes(t, value, (size_t)n);
        else if ((unsigned char)*value >= 128)
            text_add(t, "\\ufffd"); /* not UTF-8, such as a name cut within a character */
        else if ((unsigned char)*value < 32)
            text_add(t, "\\u%04x", (unsigned)(unsigned char)*value);
        else
            text_add(t, "\\%c", *value);
        value += n > 0 ? n : 1;
    }
}

static void add_number(text *t, double value, bool shortest)
{
    char number[32] = "null";
    if (isfinite(value) && shortest)
        text_number(value, number);
    else if (isfinite(value))
        format_text(number, sizeof number, "%.17g", value);
    text_add_bytes(t, number, strlen(number));
}

void js_add(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (const char *begin = format, *at; (at = strchr(format, '%'));
         format = at + (at[1] == 'l' ? strlen("%lld") : strlen("%d"))) {
        text_add_bytes(t, format, (size_t)(at - format));
        const char *word = at[1] == 's' ? va_arg(args, const char *) : "";
        if (at[1] == 's' && at > begin && at[-1] == '"')
            add_escaped(t, word);
        else if (at[1] == 's')
            text_add_bytes(t, word, strlen(word));
        else if (at[1] == 'd')
            text_add(t, "%d", va_arg(args, int));
        else if (at[1] == 'l')
            text_add(t, "%lld", va_arg(args, long long));
        else
            add_number(t, va_arg(args, double), at[1] == 'G');
    }
    text_add_bytes(t, format, strlen(format));
    va_end(args);
}
