/* io/lpformat_token.c - the words of the CPLEX LP format: see lpformat_token.h. */
#include "io/lpformat_token.h"

#include <string.h>

static bool digit(char c) { return c >= '0' && c <= '9'; }

static bool name_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || digit(c) || (c && strchr("!\"#$%&(),.;?@_`'{}~/|", c)) ||
           (unsigned char)c >= 128;
}

bool lpformat_usable(const char *name)
{
    static const char *words[] = {"free",    "inf",      "infinity", "st",     "s.t.",     "max",     "min",      "maximum",
                                  "minimum", "maximize", "minimize", "bound",  "bounds",   "general", "generals", "gen",
                                  "integer", "integers", "int",      "binary", "binaries", "bin",     "semi",     "semis",
                                  "sos",     "sos1",     "sos2",     "end",    "subject",  "such"};
    if (*name == '\0' || digit(*name) || *name == '.') return false;
    if ((*name == 'e' || *name == 'E') && (digit(name[1]) || name[1] == '\0')) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_is_word((span){name, strlen(name)}, words[i])) return false;
    size_t n = 0;
    for (; name[n]; n++)
        if (!name_letter(name[n])) return false;
    return n <= LPFORMAT_NAME;
}

static void skip_blanks(lpformat_scanner *in)
{
    for (; in->at < in->end; in->at++) {
        if (*in->at == '\n') {
            in->line++;
            in->line_start = true;
        } else if (*in->at == '\\') {
            while (in->at + 1 < in->end && in->at[1] != '\n') in->at++;
        } else if (*in->at != ' ' && *in->at != '\t' && *in->at != '\r') {
            return;
        }
    }
}

static span number_at(const char *at, const char *end)
{
    const char *p = at;
    while (p < end && digit(*p)) p++;
    if (p < end && *p == '.') {
        p++;
        while (p < end && digit(*p)) p++;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *q = p + 1;
        if (q < end && (*q == '+' || *q == '-')) q++;
        if (q < end && digit(*q)) {
            while (q < end && digit(*q)) q++;
            p = q;
        }
    }
    return (span){at, (size_t)(p - at)};
}

/* A bracket is a letter inside a name: x[1]. */
static span word_at(const char *at, const char *end)
{
    const char *p = at;
    while (p < end && (name_letter(*p) || (p > at && (*p == '[' || *p == ']')))) p++;
    return (span){at, (size_t)(p - at)};
}

static const char *skip_spaces(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r')) p++;
    return p;
}

static bool line_ends(const char *p, const char *end) { return p == end || *p == '\n' || *p == '\\'; }

/* A later line that begins with "end". */
static bool ends_later(const lpformat_scanner *in, const char *p)
{
    while (p < in->end && (p = memchr(p, '\n', (size_t)(in->end - p)))) {
        p = skip_spaces(p + 1, in->end);
        if (span_is_word(word_at(p, in->end), "end")) return true;
    }
    return false;
}

/* The next character that is neither blank nor in a comment; 0: none. */
static char next_letter(const char *p, const char *end)
{
    for (;;) {
        p = skip_spaces(p, end);
        if (p < end && *p == '\\')
            while (p < end && *p != '\n') p++;
        if (p == end) return 0;
        if (*p != '\n') return *p;
        p++;
    }
}

/* Is the keyword at the start of a line, `after` its end, the name of a row or column here? It is before a colon or a relation; in
 * "x free"; if more follows "end"; and as a column known already before a sign with which no section of that name begins, further
 * to the right than the keywords of the file, or if the true "end" comes later. */
static bool is_name(const lpformat_scanner *in, span word, token keyword, const char *after)
{
    const char *p = skip_spaces(after, in->end);
    bool alone = line_ends(p, in->end);
    if (p < in->end && strchr(":<>=", *p)) return true;
    if (keyword == T_END && !alone) return true;
    if (in->section == T_BOUNDS && !alone) {
        span next = word_at(p, in->end);
        if (span_is_word(next, "free") && line_ends(skip_spaces(p + next.length, in->end), in->end)) return true;
    }
    if (in->section == T_OTHER || names_find_bytes(in->known, word.at, word.length) < 0) return false;
    char next = next_letter(p, in->end);
    bool sign = next == '+' || next == '-';
    if (next && (strchr("<>=", next) || (sign && (!alone || keyword > T_BOUNDS)))) return true;
    size_t indent = 0;
    while (word.at - indent > in->begin && word.at[-(ptrdiff_t)indent - 1] != '\n') indent++;
    return alone && (indent > in->indent || (keyword == T_END && ends_later(in, p)));
}

/* Two words that are one keyword: sets *after to the end of the second. */
static token two_words(const lpformat_scanner *in, span word, const char **after)
{
    static const struct {
        const char *first, *second;
        token is;
    } known[] = {{"subject", "to", T_SUBJECT}, {"such", "that", T_SUBJECT},          {"lazy", "constraints", T_SUBJECT},
                 {"user", "cuts", T_SUBJECT},  {"general", "constraints", T_GUROBI}, {"general", "constraint", T_GUROBI}};
    const char *p = skip_spaces(*after, in->end);
    span next = word_at(p, in->end);
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (span_is_word(word, known[k].first) && span_is_word(next, known[k].second)) {
            *after = next.at + next.length;
            return known[k].is;
        }
    return T_OTHER;
}

/* Is the word at the start of a line a section keyword? Sets *length to all of it ("subject to", "semi-continuous"). */
static token keyword(const lpformat_scanner *in, span word, size_t *length)
{
    static const struct {
        const char *word;
        token is;
    } known[] = {{"min", T_MIN},           {"minimum", T_MIN},     {"minimize", T_MIN},      {"minimise", T_MIN},
                 {"max", T_MAX},           {"maximum", T_MAX},     {"maximize", T_MAX},      {"maximise", T_MAX},
                 {"st", T_SUBJECT},        {"s.t.", T_SUBJECT},    {"st.", T_SUBJECT},       {"lazyconstraints", T_SUBJECT},
                 {"usercuts", T_SUBJECT},  {"bound", T_BOUNDS},    {"bounds", T_BOUNDS},     {"general", T_GENERALS},
                 {"generals", T_GENERALS}, {"gen", T_GENERALS},    {"integer", T_GENERALS},  {"integers", T_GENERALS},
                 {"int", T_GENERALS},      {"binary", T_BINARIES}, {"binaries", T_BINARIES}, {"bin", T_BINARIES},
                 {"semi", T_SEMI},         {"semis", T_SEMI},      {"sos", T_SOS},           {"sos1", T_SOS},
                 {"sos2", T_SOS},          {"pwlobj", T_GUROBI},   {"gencons", T_GUROBI},    {"end", T_END}};
    const char *after = word.at + word.length;
    token found = two_words(in, word, &after);
    for (size_t k = 0; found == T_OTHER && k < sizeof known / sizeof *known; k++)
        if (span_is_word(word, known[k].word)) found = known[k].is;
    if (found == T_SEMI && after < in->end && *after == '-') {
        span tail = word_at(after + 1, in->end);
        if (span_is_word(tail, "continuous")) after = tail.at + tail.length;
    }
    if (found == T_OTHER || is_name(in, word, found, after)) return T_OTHER;
    *length = (size_t)(after - word.at);
    return found;
}

static void keyword_met(lpformat_scanner *in, token k)
{
    in->now = k;
    if (in->section == T_OTHER)
        for (const char *p = in->at; p > in->begin && p[-1] != '\n'; p--) in->indent++;
    in->section = k;
}

void lpformat_advance(lpformat_scanner *in)
{
    skip_blanks(in);
    bool line_start = in->line_start;
    in->line_start = false;
    in->first_token = line_start;
    in->token_line = in->line;
    in->text = (span){in->at, 0};
    if (in->at == in->end) {
        in->now = T_END_OF_FILE;
        return;
    }
    char c = *in->at;
    size_t left = (size_t)(in->end - in->at);
    size_t used = 1;
    if (digit(c) || (c == '.' && left > 1 && digit(in->at[1]))) {
        span s = number_at(in->at, in->end);
        if (!span_number(s, &in->number)) lpformat_fail(in, "number \"%.*s\" is too long", SPAN_ARG(s));
        used = s.length;
        in->now = T_NUMBER;
    } else if (c == '+')
        in->now = T_PLUS;
    else if (c == '-' && left > 1 && in->at[1] == '>') {
        in->now = T_ARROW;
        used = 2;
    } else if (c == '-')
        in->now = T_MINUS;
    else if (c == '[')
        lpformat_fail(in,
                      "a quadratic term ([ .. ]), which is not supported: vouch solves linear and mixed-integer linear programs");
    else if (c == '^')
        lpformat_fail(in, "a power (^), which is not supported: vouch solves linear and mixed-integer linear programs");
    else if (c == '<' || c == '>' || c == '=') {
        const char *next = skip_spaces(in->at + 1, in->end); /* "> =" too */
        char d = next < in->end ? *next : 0;
        if (d == '<' || d == '>' || d == '=') used = (size_t)(next - in->at) + 1;
        in->now = c == '<' || d == '<' ? T_LESS : c == '>' || d == '>' ? T_GREATER : T_EQUAL;
    } else if (c == ':') {
        used = left > 1 && in->at[1] == ':' ? 2 : 1;
        in->now = used == 2 ? T_COLONS : T_COLON;
    } else if (name_letter(c) && c != '.') {
        span word = word_at(in->at, in->end);
        used = word.length;
        in->now = T_NAME;
        if (line_start) {
            token k = keyword(in, word, &used);
            if (k != T_OTHER)
                keyword_met(in, k);
            else
                used = word.length;
        }
        if (used > 255 && in->now == T_NAME)
            lpformat_fail(in, "name \"%.60s..\" of %zu characters, expected at most 255", word.at, used);
    } else if (c > ' ' && c < 127)
        lpformat_fail(in, "\"%c\" is not expected here", c);
    else
        lpformat_fail(in, "byte %d, expected text", (unsigned char)c);
    in->text.length = used;
    in->at += used;
}
