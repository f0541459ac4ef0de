/* io/prism_lex.c - text to tokens. Keywords are names; the parser knows them by their spelling. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/locale.h"
#include "base/memory.h"
#include "io/prism.h"

vouch_status prism_fail(const prism *p, int line, int column, const char *format, ...)
{
    char what[640];
    va_list args;
    va_start(args, format);
    format_list(what, sizeof what, format, args);
    va_end(args);
    if (line >= 0 && p->json) return js_fail(p->json, (uint32_t)column, p->error, "%s", what);
    if (line >= 0) return error_set(p->error, VOUCH_ERROR_INPUT, "%.200s:%d:%d: %s", p->file, line, column, what);
    const prism_extra *extra = &p->extra[-1 - line];
    return error_set(p->error, VOUCH_ERROR_INPUT, "%s \"%.100s\", character %d: %s", extra->option, extra->content, column, what);
}

const char *prism_name(const prism *p, int name) { return name < 0 ? "" : names_text(&p->names, name); }

int prism_intern(prism *p, const char *word, size_t length) { return names_add_bytes(&p->names, word, length); }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Length of the number at s; *real: it has a point or an exponent. "0..3" is 0, then dots. */
static size_t number_length(const char *s, bool *real)
{
    size_t n = 0;
    *real = false;
    while (is_digit(s[n])) n++;
    if (s[n] == '.' && s[n + 1] != '.') {
        *real = true;
        n++;
        while (is_digit(s[n])) n++;
    }
    if (s[n] == 'e' || s[n] == 'E') {
        size_t m = n + 1 + (s[n + 1] == '+' || s[n + 1] == '-');
        if (is_digit(s[m])) {
            *real = true;
            n = m;
            while (is_digit(s[n])) n++;
        }
    }
    return n;
}

static prism_symbol long_symbol(const char *s, size_t *length)
{
    static const struct {
        const char *text;
        prism_symbol symbol;
    } list[] = {{"<=>", SYM_IFF}, {"->", SYM_ARROW}, {"..", SYM_DOTS},   {"<=", SYM_LE},
                {">=", SYM_GE},   {"!=", SYM_NE},    {"=>", SYM_IMPLIES}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        *length = strlen(list[i].text);
        if (strncmp(s, list[i].text, *length) == 0) return list[i].symbol;
    }
    *length = 1;
    return SYM_CHAR;
}

static vouch_status lex_one(prism *p, const char *s, prism_token *t, size_t *length)
{
    if (is_letter(*s)) {
        *length = 1;
        while (is_letter(s[*length]) || is_digit(s[*length])) ++*length;
        t->symbol = SYM_NAME;
        t->name = prism_intern(p, s, *length);
        return t->name < 0 ? error_memory(p->error) : VOUCH_OK;
    }
    if (is_digit(*s) || (*s == '.' && is_digit(s[1]))) {
        bool real;
        *length = number_length(s, &real);
        t->symbol = real ? SYM_REAL : SYM_INT;
        t->number = number_read(s, NULL);
        errno = 0;
        t->whole = real ? 0 : strtoll(s, NULL, 10);
        if (errno) return prism_fail(p, t->line, t->column, "the whole number is larger than %" PRId64, INT64_MAX);
        if (!(t->number <= 1e300)) return prism_fail(p, t->line, t->column, "the number is too large");
        return VOUCH_OK;
    }
    if (*s == '"') {
        size_t n = 1;
        while (s[n] && s[n] != '"' && s[n] != '\n') n++;
        if (s[n] != '"') return prism_fail(p, t->line, t->column, "the quotation mark is not closed");
        t->symbol = SYM_STRING;
        t->name = prism_intern(p, s + 1, n - 1);
        *length = n + 1;
        return t->name < 0 ? error_memory(p->error) : VOUCH_OK;
    }
    if (s[0] == s[1] && (s[0] == '=' || s[0] == '&'))
        return prism_fail(p, t->line, t->column, "there is no \"%c%c\" in PRISM's language; it is written %c", s[0], s[0], s[0]);
    t->symbol = (unsigned char)long_symbol(s, length);
    t->character = *s;
    if (t->symbol == SYM_CHAR && !strchr("[](){}=<>+-*/^&|!?:;,'.", *s)) {
        unsigned char c = (unsigned char)*s;
        if (c > 32 && c < 127) return prism_fail(p, t->line, t->column, "the character \"%c\" does not belong here", c);
        return prism_fail(p, t->line, t->column, "the byte %u does not belong here", c);
    }
    return VOUCH_OK;
}

vouch_status prism_lex(prism *p, const char *content, size_t length)
{
    CHECK(content[length] == '\0');
    const char *s = content, *end = content + length, *line_start = content;
    if (!p->extra_count && strncmp(s, "\xEF\xBB\xBF", 3) == 0) line_start = s += 3; /* the mark of UTF-8 */
    int line = p->extra_count ? -(int)p->extra_count : 1, more = p->extra_count ? 0 : 1;
    for (;;) {
        while (s < end && (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n')) {
            if (*s == '\n') {
                line += more;
                line_start = more ? s + 1 : line_start;
            }
            s++;
        }
        if (end - s >= 2 && s[0] == '/' && s[1] == '/') {
            while (s < end && *s != '\n') s++;
            continue;
        }
        int at = PRISM_ADD(p, token);
        if (at < 0) return error_memory(p->error);
        prism_token *t = &p->token[at];
        *t = (prism_token){.symbol = SYM_END, .line = line, .column = (int)(s - line_start) + 1, .name = -1};
        if (s >= end) return VOUCH_OK;
        size_t n = 0;
        vouch_status status = lex_one(p, s, t, &n);
        if (status) return status;
        CHECK(n > 0 && n <= (size_t)(end - s));
        s += n;
    }
}
