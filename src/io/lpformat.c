/* io/lpformat.c - reads the CPLEX LP format: programs as people write them.
 *
 *     \ a comment
 *     maximize
 *       obj: 3 x + 2 y + 5
 *     subject to
 *       c1: x + y <= 10
 *       -3 <= x - y <= 8
 *       x >= 2 y                        columns on both sides are brought to the left
 *     bounds
 *       0 <= x <= 5
 *       y free
 *       z >= -inf
 *     generals   x
 *     binaries   b
 *     semi-continuous   s
 *     sos   s1: S1:: x:1 y:2
 *     end
 *
 * and indicators, "c: b = 1 -> x + y <= 10", among the rows.
 *
 * One token of look-ahead. Repeated columns of one row add up. A file without "end" and text behind it are
 * told on the log.
 * Source: the format's description in the CPLEX file format reference. Not known here: quadratic terms,
 * Gurobi's general constraints and piecewise-linear objectives; each is refused by name. Lazy constraints and user cuts are rows
 * like others.
 */
#include "io/lpfile.h"

#include "base/transpose.h"

typedef enum token {
    T_END_OF_FILE,
    T_NUMBER,
    T_NAME,
    T_PLUS,
    T_MINUS,
    T_LESS,
    T_GREATER,
    T_EQUAL,
    T_COLON,
    T_COLONS,
    T_ARROW,
    /* section keywords from here on */
    T_MIN,
    T_MAX,
    T_SUBJECT,
    T_BOUNDS,
    T_GENERALS,
    T_BINARIES,
    T_SEMI,
    T_SOS,
    T_GUROBI, /* sections of its own */
    T_END,
    T_OTHER
} token;

typedef struct lpformat_scanner {
    const char *file;
    const char *begin, *at, *end;
    long line, token_line;
    bool line_start;    /* nothing but blanks before at in its line */
    bool first_token;   /* of the token now: the first in its line */
    token section;      /* the last keyword, T_OTHER before the first */
    size_t indent;      /* blanks before the first keyword */
    const names *known; /* columns until now */
    token now;
    span text; /* of the token now */
    double number;
    escape *e;
} lpformat_scanner;

enum { LPFORMAT_NAME = 255 }; /* longest name */
/* Escapes with file and line of the token now before the text. */
#define lpformat_fail(in, ...) escape_at((in)->e, (in)->file, (in)->token_line, __VA_ARGS__)

/* ---- tokens -------------------------------------------------------------------------------------------------------- */

static bool digit(char c) { return c >= '0' && c <= '9'; }

static bool name_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || digit(c) || (c && strchr("!\"#$%&(),.;?@_`'{}~/|", c)) ||
           (unsigned char)c >= 128;
}

/* Can this be the name of a row or column in the format? */
static bool lpformat_usable(const char *name)
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

/* Goes to the next token. Escapes if it is none, or is not supported. */
static void lpformat_advance(lpformat_scanner *in)
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

typedef struct lpformat_col {
    int last_row;      /* in which the column was seen last, -1: none */
    size_t last_entry; /* that entry */
    bool binary;
} lpformat_col;

typedef struct lpformat_reader {
    lpformat_scanner in;
    problem p;
    vouch_lp *lp;
    const vouch_log *log;
    lpformat_col *col; /* [cols] */
    size_t col_capacity;
    const char *no_relation; /* none begins before here without a label between: see relation_follows */
} lpformat_reader;

typedef struct lpformat_sum {
    double constant;
    int terms, pieces; /* columns; columns and constants */
} lpformat_sum;

/* The place of an expression in its row: "left relation [middle relation] right". */
typedef enum lpformat_place { PLACE_LEFT, PLACE_MIDDLE, PLACE_RIGHT } lpformat_place;

/* ---- expressions and rows ------------------------------------------------------------------------------------------ */

static bool section_ends(const lpformat_reader *r)
{
    return r->in.now == T_END_OF_FILE || (r->in.now >= T_MIN && r->in.now <= T_END);
}

static bool is_relation(token t) { return t == T_LESS || t == T_GREATER || t == T_EQUAL; }

static double widen(double bound) { return fabs(bound) >= FILE_INFINITY ? copysign(INFINITY, bound) : bound; }

static bool is_infinity(span s) { return span_is_word(s, "inf") || span_is_word(s, "infinity"); }

/* The number of a column, made if new. */
static int column(lpformat_reader *r, span name)
{
    int j = names_find_bytes(&r->p.col_names, name.at, name.length);
    if (j >= 0) return j;
    ESCAPE_GROW(r->p.e, &r->col, &r->col_capacity, r->p.col_names.count);
    j = problem_add_col(&r->p, name.at, name.length);
    r->col[j] = (lpformat_col){.last_row = -1};
    return j;
}

/* Adds value to column j in a row, or in the objective (row -1). */
static void add_term(lpformat_reader *r, int row, int j, double value)
{
    if (!isfinite(value)) lpformat_fail(&r->in, "an infinite coefficient, expected a finite number");
    if (row < 0) {
        r->p.col[j].cost += value;
    } else if (r->col[j].last_row == row) {
        r->p.entry[r->col[j].last_entry].value += value;
    } else {
        r->col[j].last_row = row;
        r->col[j].last_entry = r->p.entries;
        problem_add_entry(&r->p, row, j, value);
    }
}

typedef struct look_ahead {
    lpformat_scanner in;
    bool relation;
} look_ahead;

static void look(void *object)
{
    look_ahead *a = object;
    do {
        a->relation = is_relation(a->in.now);
        if (a->relation) return;
        lpformat_advance(&a->in);
    } while (a->in.now != T_COLON && a->in.now < T_MIN && a->in.now != T_END_OF_FILE);
}

/* Does a relation follow before the next label or section? What begins with the token now is a row of its own then. */
static bool relation_follows(lpformat_reader *r)
{
    look_ahead a = {r->in, false};
    if (r->no_relation && r->in.at < r->no_relation) return false;
    (void)escape_quietly(r->p.e, look, &a);
    if (!a.relation) r->no_relation = a.in.at;
    return a.relation;
}

/* A name before a colon ends the expression, being the next row's label. After a relation so does a name at the start of a line
 * after a number: "x <= 8", new line, "y >= 2"; and after the last relation of the row a sign at the start of a line that begins a
 * row: "x <= 8", new line, "-x + y >= 2". */
static void read_expression(lpformat_reader *r, int row, double factor, lpformat_place place, lpformat_sum *sum)
{
    *sum = (lpformat_sum){0};
    for (;;) {
        double sign = 1;
        bool has_sign = false, has_number = false;
        bool sign_starts_line = r->in.first_token && (r->in.now == T_PLUS || r->in.now == T_MINUS);
        if (place == PLACE_RIGHT && sum->pieces > 0 && sign_starts_line && relation_follows(r)) return;
        while (r->in.now == T_PLUS || r->in.now == T_MINUS) {
            if (r->in.now == T_MINUS) sign = -sign;
            has_sign = true;
            lpformat_advance(&r->in);
        }
        if (!has_sign && sum->pieces > 0) return;
        double value = 1;
        if (r->in.now == T_NUMBER) {
            value = r->in.number;
            has_number = true;
            lpformat_advance(&r->in);
        }
        if (r->in.now == T_NAME && !has_number && is_infinity(r->in.text)) {
            sum->constant += sign * INFINITY;
            lpformat_advance(&r->in);
        } else if (r->in.now == T_NAME) {
            const char *p = skip_spaces(r->in.at, r->in.end);
            bool label = p < r->in.end && *p == ':';
            bool next_row = place != PLACE_LEFT && has_number && r->in.first_token;
            if (next_row || (label && (has_number || !has_sign))) { /* a number before it was a constant */
                if (has_number) sum->constant += sign * value, sum->pieces++;
                return;
            }
            int j = column(r, r->in.text);
            add_term(r, row, j, factor * sign * value);
            sum->terms++;
            lpformat_advance(&r->in);
        } else if (has_number) {
            sum->constant += sign * value;
        } else if (has_sign) {
            lpformat_fail(&r->in, "a sign without a term, expected a number or a column");
        } else {
            return;
        }
        sum->pieces++;
    }
}

/* An optional "name :"; empty when there is none. */
static span read_label(lpformat_reader *r)
{
    const char *p = skip_spaces(r->in.at, r->in.end);
    if (r->in.now != T_NAME || p == r->in.end || *p != ':' || (p + 1 < r->in.end && p[1] == ':')) return (span){"", 0};
    span label = r->in.text;
    lpformat_advance(&r->in);
    lpformat_advance(&r->in);
    return label;
}

static int new_row(lpformat_reader *r, span label)
{
    char made[32];
    if (label.length == 0) {
        format_text(made, sizeof made, "r.%d", r->p.row_names.count + 1);
        label = (span){made, strlen(made)};
    }
    if (names_find_bytes(&r->p.row_names, label.at, label.length) >= 0)
        lpformat_fail(&r->in, "row \"%.*s\" appears a second time", SPAN_ARG(label));
    return problem_add_row(&r->p, label.at, label.length);
}

/* The row read until now is "column = 0|1", and the present token is the arrow: takes the column out of the row again. */
static void read_arrow(lpformat_reader *r, int row, token relation, const lpformat_sum part[])
{
    double value = part[1].constant;
    bool one = part[0].terms == 1 && part[0].constant == 0 && part[1].terms == 0 && (value == 0 || value == 1);
    if (!one || relation != T_EQUAL || r->p.entry[r->p.entries - 1].value != 1)
        lpformat_fail(&r->in, "\"->\" after something else than COLUMN = 0 or COLUMN = 1");
    int j = r->p.entry[--r->p.entries].col;
    r->col[j].last_row = -1;
    problem_add_indicator(&r->p, row, j, value == 1);
    lpformat_advance(&r->in);
}

/* [label] [column = 0|1 ->] expr1 relation expr2 [relation expr3] */
static void read_row(lpformat_reader *r)
{
    int parts = 0;
    lpformat_sum part[3];
    token relation[2];
    long line = r->in.token_line;
    bool indicator = false;
    span label = read_label(r);
    int row = new_row(r, label);
    for (;;) {
        double factor = parts == 0 ? 1 : parts == 1 && part[0].terms == 0 ? 1 : -1;
        bool may_be_middle = parts == 1 && part[0].pieces > 0 && part[0].terms == 0;
        lpformat_place place = parts == 0 ? PLACE_LEFT : may_be_middle ? PLACE_MIDDLE : PLACE_RIGHT;
        read_expression(r, row, factor, place, &part[parts]);
        bool empty = parts == 0 && label.length > 0; /* "c: = 0" is a row without entries */
        if (part[parts].pieces == 0 && !empty) lpformat_fail(&r->in, "\"%.*s\", expected a term of a row", SPAN_ARG(r->in.text));
        parts++;
        if (r->in.now == T_ARROW && parts == 2 && !indicator) {
            read_arrow(r, row, relation[0], part);
            indicator = true;
            parts = 0;
            continue;
        }
        if (!is_relation(r->in.now) || parts == 3) break;
        relation[parts - 1] = r->in.now;
        lpformat_advance(&r->in);
    }
    problem_row *b = &r->p.row[row];
    if (parts == 1) lpformat_fail(&r->in, "\"%.*s\", expected <=, >= or =", SPAN_ARG(r->in.text));
    long ahead = r->in.token_line;
    r->in.token_line = line; /* the rest is about the row as a whole */
    double bound;
    token rel = relation[0];
    if (parts == 2) {
        /* left part: terms - ..; with no column on the left the terms of the right were added as they are */
        bool turned = part[0].terms == 0 && part[1].terms > 0;
        bound = turned ? part[0].constant - part[1].constant : part[1].constant - part[0].constant;
        if (turned) rel = rel == T_LESS ? T_GREATER : rel == T_GREATER ? T_LESS : rel;
        if (isnan(bound)) lpformat_fail(&r->in, "infinities on both sides of a row");
        bound = widen(bound);
        if (rel != T_GREATER) b->upper = bound;
        if (rel != T_LESS) b->lower = bound;
    } else {
        if (part[0].terms || part[2].terms)
            lpformat_fail(&r->in, "columns beside the middle of a row with two relations, expected numbers there");
        if (relation[0] != relation[1] || rel == T_EQUAL)
            lpformat_fail(&r->in, "the two relations of a row differ, expected l <= .. <= u");
        double low = part[0].constant - part[1].constant, high = part[2].constant - part[1].constant;
        if (isnan(low) || isnan(high)) lpformat_fail(&r->in, "infinities on both sides of a row");
        b->lower = widen(rel == T_LESS ? low : high);
        b->upper = widen(rel == T_LESS ? high : low);
    }
    if (b->lower == INFINITY || b->upper == -INFINITY)
        lpformat_fail(&r->in, "an infinite bound leaves no value to the row, expected a finite number");
    r->in.token_line = ahead;
}

/* A signed number, "inf" included; false and nothing read when the next token is none. */
static bool read_value(lpformat_reader *r, double *value)
{
    double sign = 1;
    bool has_sign = false;
    for (; r->in.now == T_PLUS || r->in.now == T_MINUS; lpformat_advance(&r->in)) {
        if (r->in.now == T_MINUS) sign = -sign;
        has_sign = true;
    }
    bool infinite = r->in.now == T_NAME && is_infinity(r->in.text);
    if (r->in.now != T_NUMBER && !infinite) {
        if (has_sign) lpformat_fail(&r->in, "\"%.*s\", expected a number", SPAN_ARG(r->in.text));
        return false;
    }
    *value = widen(sign * (infinite ? INFINITY : r->in.number));
    lpformat_advance(&r->in);
    return true;
}

/* "S1::" or Gurobi's "SOS1::" opens a set. */
static int set_type(span word)
{
    if (span_is_word(word, "s1") || span_is_word(word, "sos1")) return 1;
    return span_is_word(word, "s2") || span_is_word(word, "sos2") ? 2 : 0;
}

/* column:weight; the colon is the token now. */
static void read_member(lpformat_reader *r, span word)
{
    double weight;
    if (!read_value(r, &weight) || !isfinite(weight))
        lpformat_fail(&r->in, "\"%.*s\", expected a finite weight", SPAN_ARG(r->in.text));
    if (r->p.sets == 0) lpformat_fail(&r->in, "\"%.*s\" outside of a set, expected S1:: or S2::", SPAN_ARG(word));
    int j = column(r, word);
    for (size_t k = r->p.members; k > 0 && r->p.member[k - 1].set == r->p.sets; k--)
        if (r->p.member[k - 1].col == j) lpformat_fail(&r->in, "column \"%.*s\" appears a second time in its set", SPAN_ARG(word));
    problem_add_member(&r->p, r->p.sets, j, weight);
}

/* The section SOS: [label:] S1|S2:: column:weight ..; a pair looks like a label, but is followed by no S1 or S2. */
static void read_sos(lpformat_reader *r)
{
    lpformat_advance(&r->in);
    while (!section_ends(r)) {
        if (r->in.now != T_NAME) lpformat_fail(&r->in, "\"%.*s\", expected a set or column:weight", SPAN_ARG(r->in.text));
        span word = r->in.text;
        lpformat_advance(&r->in);
        bool opens = r->in.now == T_COLONS;
        if (!opens && r->in.now != T_COLON) lpformat_fail(&r->in, "\"%.*s\", expected a colon", SPAN_ARG(r->in.text));
        int type = opens ? set_type(word) : 0;
        if (opens && type == 0) lpformat_fail(&r->in, "set type \"%.*s\", expected S1 or S2", SPAN_ARG(word));
        if (opens) problem_open_set(&r->p, type);
        lpformat_advance(&r->in);
        if (!opens && r->in.now != T_NAME) read_member(r, word); /* else the word was a label; its set follows */
    }
}

static void read_objective(lpformat_reader *r)
{
    lpformat_sum sum;
    r->p.maximize = r->in.now == T_MAX;
    lpformat_advance(&r->in);
    span label = read_label(r);
    if (label.length == 0 && span_is_word(r->in.text, "multi") && r->in.at < r->in.end && *r->in.at == '-')
        lpformat_fail(&r->in, "several objectives are not supported, expected one");
    r->p.objective_name = label.length ? escape_bytes(r->p.e, label.at, label.length) : escape_string(r->p.e, "obj");
    read_expression(r, -1, 1, PLACE_LEFT, &sum);
    r->p.offset = sum.constant;
    if (!isfinite(r->p.offset)) lpformat_fail(&r->in, "an infinite constant, expected a finite number");
    if (!section_ends(r)) lpformat_fail(&r->in, "\"%.*s\" after the objective, expected \"subject to\"", SPAN_ARG(r->in.text));
}

/* One bound "x relation value" of column j. */
static void set_bound(lpformat_reader *r, int j, token relation, double value)
{
    problem_col *c = &r->p.col[j];
    bool lower = relation != T_LESS, upper = relation != T_GREATER;
    if ((lower && value == INFINITY) || (upper && value == -INFINITY))
        lpformat_fail(&r->in, "an infinite bound leaves no value to the column, expected a finite number");
    if (lower) c->lower = value, c->has_lower = true;
    if (upper) c->upper = value, c->has_upper = true;
}

static void read_bound(lpformat_reader *r)
{
    double value = 0;
    token first = T_OTHER;
    bool left = read_value(r, &value);
    if (left) {
        if (!is_relation(r->in.now)) lpformat_fail(&r->in, "\"%.*s\", expected <=, >= or =", SPAN_ARG(r->in.text));
        first = r->in.now == T_LESS ? T_GREATER : r->in.now == T_GREATER ? T_LESS : T_EQUAL;
        lpformat_advance(&r->in);
    }
    if (r->in.now != T_NAME) lpformat_fail(&r->in, "\"%.*s\", expected a column", SPAN_ARG(r->in.text));
    int j = column(r, r->in.text);
    if (left) set_bound(r, j, first, value);
    lpformat_advance(&r->in);
    token second = r->in.now;
    if (!left && second == T_NAME && span_is_word(r->in.text, "free")) {
        r->p.col[j].lower = -INFINITY;
        r->p.col[j].upper = INFINITY;
        r->p.col[j].has_lower = r->p.col[j].has_upper = true;
        lpformat_advance(&r->in);
    } else if (is_relation(second)) {
        lpformat_advance(&r->in);
        if (!read_value(r, &value)) lpformat_fail(&r->in, "\"%.*s\", expected a number", SPAN_ARG(r->in.text));
        set_bound(r, j, second, value);
    } else if (!left) {
        lpformat_fail(&r->in, "\"%.*s\", expected a relation or \"free\"", SPAN_ARG(r->in.text));
    }
}

/* A list of columns up to the next section. */
static void read_list(lpformat_reader *r, token kind)
{
    for (lpformat_advance(&r->in); !section_ends(r); lpformat_advance(&r->in)) {
        if (r->in.now != T_NAME) lpformat_fail(&r->in, "\"%.*s\", expected a column or the next section", SPAN_ARG(r->in.text));
        int j = column(r, r->in.text);
        if (kind == T_SEMI)
            r->p.col[j].semi = true;
        else
            r->p.col[j].integer = true;
        if (kind == T_BINARIES) r->col[j].binary = true;
    }
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

static void read_file(lpformat_reader *r)
{
    lpformat_advance(&r->in);
    if (r->in.now == T_END_OF_FILE) lpformat_fail(&r->in, "an empty file, expected \"minimize\" or \"maximize\"");
    if (r->in.now != T_MIN && r->in.now != T_MAX)
        lpformat_fail(&r->in, "\"%.*s\", expected \"minimize\" or \"maximize\"", SPAN_ARG(r->in.text));
    read_objective(r);
    while (r->in.now != T_END && r->in.now != T_END_OF_FILE) {
        switch (r->in.now) {
        case T_SUBJECT:
            lpformat_advance(&r->in);
            while (!section_ends(r)) read_row(r);
            break;
        case T_BOUNDS:
            lpformat_advance(&r->in);
            while (!section_ends(r)) read_bound(r);
            break;
        case T_GENERALS:
        case T_BINARIES:
        case T_SEMI:
            read_list(r, r->in.now);
            break;
        case T_SOS:
            read_sos(r);
            break;
        case T_GUROBI:
            lpformat_fail(&r->in, "section \"%.*s\", which is Gurobi's own and not supported", SPAN_ARG(r->in.text));
        default:
            lpformat_fail(&r->in, "a second objective, expected one");
        }
    }
    for (int j = 0; j < r->p.col_names.count; j++) {
        problem_col *c = &r->p.col[j];
        const char *name = names_text(&r->p.col_names, j);
        if (r->col[j].binary && !c->has_upper) c->upper = 1;
        if (!isfinite(c->cost)) lpformat_fail(&r->in, "column \"%.60s\" has an infinite cost", name);
    }
    for (size_t k = 0; k < r->p.entries; k++)
        if (!isfinite(r->p.entry[k].value))
            lpformat_fail(&r->in, "column \"%.60s\" has an infinite coefficient", names_text(&r->p.col_names, r->p.entry[k].col));
    char why[LOGIC_TEXT];
    if (!problem_resolve_logic(&r->p, why)) lpformat_fail(&r->in, "%s", why);
}

/* Is row i the second half of the row before it, by its name and bounds? */
static bool continues(const vouch_lp *lp, const vouch_lp_data *d, int i)
{
    const char *first = vouch_lp_row_name(lp, i - 1), *name = vouch_lp_row_name(lp, i);
    size_t n = strlen(first);
    return strncmp(name, first, n) == 0 && strcmp(name + n, LPFORMAT_UPPER_SUFFIX) == 0 && isfinite(d->row_lower[i - 1]) &&
           d->row_upper[i - 1] == INFINITY && d->row_lower[i] == -INFINITY && d->row_upper[i] >= d->row_lower[i - 1];
}

/* Joins the rows that lpformat_write made of one. */
static void join_rows(escape *e, vouch_lp *lp)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    bool *half = ESCAPE_ZERO(e, bool, d.rows + 1); /* second halves; those with other entries are taken out again */
    double *entry = ESCAPE_ZERO(e, double, d.rows + 1);
    int *rows = ESCAPE_NEW(e, int, d.rows), count = 0;
    for (int i = 1; i < d.rows; i++) half[i] = continues(lp, &d, i);
    for (int j = 0; j < d.cols; j++) {
        for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) entry[d.index[k]] = d.value[k];
        for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) {
            int i = d.index[k];
            if (half[i] && entry[i - 1] != entry[i]) half[i] = false;
            if (half[i + 1] && entry[i] != entry[i + 1]) half[i + 1] = false;
        }
        for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) entry[d.index[k]] = 0;
    }
    for (int i = 1; i < d.rows; i++)
        if (half[i]) rows[count++] = i;
    for (int k = 0; k < count; k++)
        if (vouch_lp_set_row_bounds(lp, rows[k] - 1, d.row_lower[rows[k] - 1], d.row_upper[rows[k]])) escape_memory(e);
    if (count > 0 && vouch_lp_delete_rows(lp, count, rows)) escape_memory(e);
}

static void advance(void *object) { lpformat_advance(object); }

/* A file without "end" may have been cut; the text after it is not read. */
static void note_end(lpformat_scanner *in, const vouch_log *log)
{
    if (in->now == T_END_OF_FILE)
        log_line(log, VOUCH_LOG_ERROR, "%s:%ld: the file ends without \"end\"", in->file, in->token_line);
    else if (escape_quietly(in->e, advance, in) || in->now != T_END_OF_FILE)
        log_line(log, VOUCH_LOG_ERROR, "%s:%ld: the text after \"end\" is ignored", in->file, in->token_line);
}

static void read_problem(void *object)
{
    lpformat_reader *r = object;
    problem_start(&r->p, r->in.e);
    read_file(r);
    must(r->p.e, problem_finish(&r->p, &r->lp, r->p.e->error));
    join_rows(r->p.e, r->lp);
    note_end(&r->in, r->log);
    log_line(r->log, VOUCH_LOG_INFO, "%s: LP format, %d rows, %d columns", r->in.file, vouch_lp_rows(r->lp), vouch_lp_cols(r->lp));
}

vouch_status lpformat_read(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp,
                           vouch_error *error)
{
    (void)format;
    escape e = {.error = error};
    lpformat_reader r = {.in = {.file = file->name,
                                .begin = file->bytes,
                                .at = file->bytes,
                                .end = file->bytes + file->length,
                                .line = 1,
                                .token_line = 1,
                                .line_start = true,
                                .section = T_OTHER,
                                .e = &e},
                         .log = log};
    r.in.known = &r.p.col_names;
    vouch_status status = escape_try(&e, read_problem, &r);
    if (status) vouch_lp_free(r.lp);
    *lp = status ? NULL : r.lp;
    escape_end(&e);
    return status;
}

/* ---- writing ------------------------------------------------------------------------------------------------------- */

/* Writes the CPLEX LP format; lpformat.c reads the same numbers and order back.
 *
 * Columns are ordered by their first appearance in the file, so the objective names every column, without cost as "0 x". A row with
 * two different finite bounds becomes two rows, a free row .. >= -1e+30.
 */

typedef struct lpformat_writer {
    const vouch_lp *lp;
    vouch_lp_data data;
    labels rows, cols;
    text *out;
    line_matrix by_row;                            /* the entries, owned while rows are written */
    const vouch_lp_product *product, *product_end; /* those not yet written */
    size_t line_start;                             /* of the line being written, for breaking it */
} lpformat_writer;

enum { WIDTH = 100 };

static void break_line(lpformat_writer *w)
{
    if (w->out->length - w->line_start < WIDTH) return;
    text_add(w->out, "\n   ");
    w->line_start = w->out->length;
}

static void term(lpformat_writer *w, bool first, double value, const char *name)
{
    char digits[32];
    break_line(w);
    text_add(w->out, first && value >= 0 && !signbit(value) ? " " : signbit(value) ? " - " : " + ");
    if (fabs(value) != 1) text_add(w->out, "%s ", text_number(fabs(value), digits));
    text_add(w->out, "%s", name);
}

static void write_objective(lpformat_writer *w)
{
    label_buffer b;
    char digits[32];
    const char *name = vouch_lp_objective_name(w->lp);
    text_add(w->out, "%s\n %s:", w->data.maximize ? "maximize" : "minimize", lpformat_usable(name) ? name : "obj");
    for (int j = 0; j < w->data.cols; j++) term(w, j == 0, w->data.cost[j], labels_get(&w->cols, j, b));
    if (w->data.offset != 0) text_add(w->out, " %c %s", w->data.offset < 0 ? '-' : '+', text_number(fabs(w->data.offset), digits));
    text_add(w->out, "\n");
}

static void write_products(lpformat_writer *w, int i)
{
    label_buffer b;
    if (w->product == w->product_end || w->product->row != i) return;
    text_add(w->out, " + [");
    for (bool first = true; w->product < w->product_end && w->product->row == i; w->product++, first = false) {
        term(w, first, w->product->value, labels_get(&w->cols, w->product->first, b));
        text_add(w->out, " * %s", labels_get(&w->cols, w->product->second, b));
    }
    text_add(w->out, " ]");
}

/* One row of the file. */
static void write_side(lpformat_writer *w, int i, const char *suffix, const char *relation, double bound)
{
    CHECK(i >= 0 && i < w->by_row.lines);
    CHECK(w->line_start <= w->out->length);
    label_buffer b;
    char digits[32];
    w->line_start = w->out->length;
    text_add(w->out, " %s%s:", labels_get(&w->rows, i, b), suffix);
    const int64_t first = w->by_row.start[i], end = w->by_row.start[i + 1];
    for (int64_t k = first; k < end; k++) term(w, k == first, w->by_row.value[k], labels_get(&w->cols, w->by_row.index[k], b));
    write_products(w, i);
    if (first == end) text_add(w->out, w->data.cols > 0 ? " 0 %s" : " 0", w->data.cols > 0 ? labels_get(&w->cols, 0, b) : "");
    text_add(w->out, " %s %s\n", relation, isfinite(bound) ? text_number(bound, digits) : "-1e+30");
}

static void write_row(lpformat_writer *w, int i)
{
    double lower = w->data.row_lower[i], upper = w->data.row_upper[i];
    const vouch_lp_product *product = w->product;
    if (lower == upper) {
        write_side(w, i, "", "=", lower);
        return;
    }
    if (isfinite(lower) || isinf(upper)) write_side(w, i, "", ">=", lower);
    if (isinf(upper)) return;
    w->product = product; /* the second side names them again */
    write_side(w, i, isfinite(lower) ? LPFORMAT_UPPER_SUFFIX : "", "<=", upper);
}

/* Own names that end like the second half of a row would meet those made here. */
static bool usable_row(const char *name)
{
    size_t n = strlen(name), tail = strlen(LPFORMAT_UPPER_SUFFIX);
    bool taken = n >= tail && strcmp(name + n - tail, LPFORMAT_UPPER_SUFFIX) == 0;
    return lpformat_usable(name) && !taken && n + tail <= LPFORMAT_NAME;
}

static vouch_status write_rows(lpformat_writer *w)
{
    const vouch_lp_data *d = &w->data;
    int64_t count = d->start[d->cols];
    int64_t *start = MEM_NEW(int64_t, (size_t)d->rows + 1);
    int *index = MEM_NEW(int, count);
    double *value = MEM_NEW(double, count);
    vouch_status status = start && index && value ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    if (status != VOUCH_OK) goto done;
    transpose(&(line_matrix){d->cols, d->start, d->index, d->value}, d->rows, start, index, value);
    w->by_row = (line_matrix){d->rows, start, index, value};
    text_add(w->out, "subject to\n");
    for (int i = 0; i < d->rows; i++) write_row(w, i);
done:
    MEM_FREE_ALL(start, index, value);
    return status;
}

static void write_bounds(lpformat_writer *w)
{
    label_buffer b;
    char digits[32];
    text_add(w->out, "bounds\n");
    for (int j = 0; j < w->data.cols; j++) {
        const char *name = labels_get(&w->cols, j, b);
        double lower = w->data.col_lower[j], upper = w->data.col_upper[j];
        if (lower == 0 && isinf(upper)) continue;
        if (isinf(lower) && isinf(upper))
            text_add(w->out, " %s free\n", name);
        else if (lower == upper)
            text_add(w->out, " %s = %s\n", name, text_number(lower, digits));
        else {
            if (lower != 0) text_add(w->out, " %s <=", isinf(lower) ? "-inf" : text_number(lower, digits));
            text_add(w->out, " %s", name);
            if (isfinite(upper)) text_add(w->out, " <= %s", text_number(upper, digits));
            text_add(w->out, "\n");
        }
    }
}

static void write_integers(lpformat_writer *w)
{
    label_buffer b;
    bool any = false;
    for (int j = 0; j < w->data.cols; j++) {
        if (!vouch_lp_is_integer(w->lp, j)) continue;
        if (!any) text_add(w->out, "generals\n");
        any = true;
        text_add(w->out, " %s\n", labels_get(&w->cols, j, b));
    }
}

static void write_sos(lpformat_writer *w)
{
    label_buffer b;
    char digits[32];
    int sets = vouch_lp_sos1_count(w->lp);
    if (sets > 0) text_add(w->out, "sos\n");
    for (int s = 0; s < sets; s++) {
        int count;
        const int *cols;
        const double *weight;
        vouch_lp_sos1(w->lp, s, &count, &cols, &weight);
        w->line_start = w->out->length;
        text_add(w->out, " set%d: S1::", s + 1);
        for (int k = 0; k < count; k++) {
            break_line(w);
            text_add(w->out, " %s:%s", labels_get(&w->cols, cols[k], b), text_number(weight ? weight[k] : k + 1, digits));
        }
        text_add(w->out, "\n");
    }
}

vouch_status lpformat_write(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error)
{
    (void)format;
    return lpformat_write_products(lp, NULL, 0, out, error);
}

vouch_status lpformat_write_products(const vouch_lp *lp, const vouch_lp_product product[], int count, text *out, vouch_error *error)
{
    lpformat_writer w = {
        .lp = lp, .out = out, .product = product, .product_end = product ? product + count : NULL, .line_start = out->length};
    vouch_lp_view(lp, &w.data);
    for (int i = 0; i < w.data.rows; i++)
        if (!(w.data.row_lower[i] <= w.data.row_upper[i]) || w.data.row_lower[i] == INFINITY || w.data.row_upper[i] == -INFINITY)
            return error_set(error, VOUCH_ERROR_INPUT, "row %d has no value between its bounds, which the LP format cannot say",
                             i + 1);
    vouch_status status = labels_choose(lp, true, usable_row, NULL, &w.rows);
    if (status == VOUCH_OK) status = labels_choose(lp, false, lpformat_usable, NULL, &w.cols);
    if (status != VOUCH_OK) return error_memory(error);
    write_objective(&w);
    if (write_rows(&w) != VOUCH_OK) return error_memory(error);
    write_bounds(&w);
    write_integers(&w);
    write_sos(&w);
    text_add(out, "end\n");
    return out->failed ? error_memory(error) : VOUCH_OK;
}
