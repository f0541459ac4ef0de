/* io/lpformat.c - reads the CPLEX LP format: programs as people write them.
 *
 *     \ a comment                      a keyword counts as one at the start of a line, unless a colon follows
 * it maximize  obj: 3 x + 2 y + 5 subject to c1: x + y <= 10     -3 <= x - y <= 8     x >= 2 y (columns on
 * both sides are brought to the left) bounds    0 <= x <= 5     y free     z >= -inf generals  x     binaries
 * b     semi-continuous  s     sos  s1: S1:: x:1 y:2 end
 *
 * One token of look-ahead. A number is the longest decimal; a name is a run of the letters the format allows,
 * not starting with a digit, a period or what reads as an exponent. Repeated columns of one row add up.
 * Source: the format's description in the CPLEX file format reference. Not known here: quadratic terms,
 * indicator and lazy constraints, SOS2 sets; each is refused by name.
 */
#include "io/lpformat.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "io/problem.h"
#include "io/scan.h"

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
    /* section keywords from here on */
    T_MIN,
    T_MAX,
    T_SUBJECT,
    T_BOUNDS,
    T_GENERALS,
    T_BINARIES,
    T_SEMI,
    T_SOS,
    T_END,
    T_OTHER
} token;

typedef struct reader {
    const char *file;
    const char *at, *end;
    long line, token_line;
    bool line_start;  /* nothing but blanks before at in its line */
    bool first_token; /* of the token now: the first in its line */
    token now;
    span text; /* of the token now */
    double number;
    problem p;
    int *last_row;      /* owned: [cols], row in which the column was seen last */
    size_t *last_entry; /* owned: [cols], that entry */
    size_t last_row_capacity, last_entry_capacity;
    bool *binary, *semi; /* owned: [cols] */
    size_t binary_capacity, semi_capacity;
    vouch_error *error;
} reader;

static vouch_status VOUCH_PRINTF(2, 3) fail_at(reader *r, const char *format, ...)
{
    char what[800];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return error_set(r->error, VOUCH_ERROR_INPUT, "%.150s:%ld: %s", r->file, r->token_line, what);
}

/* ---- tokens
 * ----------------------------------------------------------------------------------------------------- */

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool name_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || digit(c) ||
           (c && strchr("!\"#$%&(),.;?@_`'{}~/|", c)) || (unsigned char)c >= 128;
}

bool lpformat_usable(const char *name)
{
    static const char *words[] = {"free",   "inf",     "infinity", "st",       "s.t.",     "max",
                                  "min",    "maximum", "minimum",  "maximize", "minimize", "bound",
                                  "bounds", "general", "generals", "gen",      "integer",  "integers",
                                  "int",    "binary",  "binaries", "bin",      "semi",     "semis",
                                  "sos",    "sos1",    "sos2",     "end",      "subject",  "such"};
    if (*name == '\0' || digit(*name) || *name == '.') return false;
    if ((*name == 'e' || *name == 'E') && (digit(name[1]) || name[1] == '\0')) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_is_word((span){name, strlen(name)}, words[i])) return false;
    size_t n = 0;
    for (; name[n]; n++)
        if (!name_letter(name[n])) return false;
    return n <= 255;
}

static void skip_blanks(reader *r)
{
    for (; r->at < r->end; r->at++) {
        if (*r->at == '\n') {
            r->line++;
            r->line_start = true;
        } else if (*r->at == '\\') {
            while (r->at + 1 < r->end && r->at[1] != '\n') r->at++;
        } else if (*r->at != ' ' && *r->at != '\t' && *r->at != '\r') {
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

static span word_at(const char *at, const char *end)
{
    const char *p = at;
    while (p < end && name_letter(*p)) p++;
    return (span){at, (size_t)(p - at)};
}

/* Is the word at the start of a line a section keyword? Sets *length to all of it ("subject to",
 * "semi-continuous"). */
static token keyword(const reader *r, span word, size_t *length)
{
    static const struct {
        const char *word;
        token is;
    } known[] = {
        {"min", T_MIN},           {"minimum", T_MIN},       {"minimize", T_MIN},      {"minimise", T_MIN},
        {"max", T_MAX},           {"maximum", T_MAX},       {"maximize", T_MAX},      {"maximise", T_MAX},
        {"st", T_SUBJECT},        {"s.t.", T_SUBJECT},      {"st.", T_SUBJECT},       {"bound", T_BOUNDS},
        {"bounds", T_BOUNDS},     {"general", T_GENERALS},  {"generals", T_GENERALS}, {"gen", T_GENERALS},
        {"integer", T_GENERALS},  {"integers", T_GENERALS}, {"int", T_GENERALS},      {"binary", T_BINARIES},
        {"binaries", T_BINARIES}, {"bin", T_BINARIES},      {"semi", T_SEMI},         {"semis", T_SEMI},
        {"sos", T_SOS},           {"sos1", T_SOS},          {"sos2", T_SOS},          {"end", T_END}};
    token found = T_OTHER;
    const char *after = word.at + word.length;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (span_is_word(word, known[k].word)) found = known[k].is;
    const char *p = after;
    while (p < r->end && (*p == ' ' || *p == '\t')) p++;
    span next = word_at(p, r->end);
    if ((span_is_word(word, "subject") && span_is_word(next, "to")) ||
        (span_is_word(word, "such") && span_is_word(next, "that"))) {
        found = T_SUBJECT;
        after = next.at + next.length;
    } else if (found == T_SEMI && after < r->end && *after == '-') {
        span tail = word_at(after + 1, r->end);
        if (span_is_word(tail, "continuous")) after = tail.at + tail.length;
    }
    for (p = after; p < r->end && (*p == ' ' || *p == '\t');) p++;
    if (p < r->end && *p == ':') return T_OTHER; /* a label */
    *length = (size_t)(after - word.at);
    return found;
}

static vouch_status advance(reader *r)
{
    skip_blanks(r);
    bool line_start = r->line_start;
    r->line_start = false;
    r->first_token = line_start;
    r->token_line = r->line;
    r->text = (span){r->at, 0};
    if (r->at == r->end) {
        r->now = T_END_OF_FILE;
        return VOUCH_OK;
    }
    char c = *r->at;
    size_t left = (size_t)(r->end - r->at);
    size_t used = 1;
    if (digit(c) || (c == '.' && left > 1 && digit(r->at[1]))) {
        span s = number_at(r->at, r->end);
        if (!span_number(s, &r->number)) return fail_at(r, "number \"%.*s\" is too long", SPAN_ARG(s));
        used = s.length;
        r->now = T_NUMBER;
    } else if (c == '+')
        r->now = T_PLUS;
    else if (c == '-' && left > 1 && r->at[1] == '>')
        return fail_at(r, "an indicator constraint (->), which is not known here");
    else if (c == '-')
        r->now = T_MINUS;
    else if (c == '[')
        return fail_at(r, "a quadratic term ([), which is not known here");
    else if (c == '<' || c == '>' || c == '=') {
        char d = left > 1 ? r->at[1] : 0;
        if (d == '<' || d == '>' || d == '=') used = 2;
        r->now = c == '<' || d == '<' ? T_LESS : c == '>' || d == '>' ? T_GREATER : T_EQUAL;
    } else if (c == ':') {
        used = left > 1 && r->at[1] == ':' ? 2 : 1;
        r->now = used == 2 ? T_COLONS : T_COLON;
    } else if (name_letter(c) && c != '.') {
        span word = word_at(r->at, r->end);
        used = word.length;
        r->now = T_NAME;
        if (line_start) {
            token k = keyword(r, word, &used);
            if (k != T_OTHER)
                r->now = k;
            else
                used = word.length;
        }
        if (used > 255 && r->now == T_NAME)
            return fail_at(r, "name \"%.60s..\" of %zu characters, expected at most 255", word.at, used);
    } else if (c > ' ' && c < 127)
        return fail_at(r, "\"%c\" is not expected here", c);
    else
        return fail_at(r, "byte %d, expected text", (unsigned char)c);
    r->text.length = used;
    r->at += used;
    return VOUCH_OK;
}

static bool section_ends(const reader *r)
{
    return r->now == T_END_OF_FILE || (r->now >= T_MIN && r->now <= T_END);
}

static bool is_infinity(span s)
{
    return span_is_word(s, "inf") || span_is_word(s, "infinity");
}

/* ---- expressions
 * ------------------------------------------------------------------------------------------------ */

static int column_of(reader *r, span name)
{
    int j = nametable_find(&r->p.col_names, name.at, name.length);
    if (j >= 0) return j;
    size_t n = (size_t)r->p.col_names.count;
    if (mem_reserve((void **)&r->last_row, &r->last_row_capacity, n, sizeof *r->last_row) != 0) return -1;
    if (mem_reserve((void **)&r->last_entry, &r->last_entry_capacity, n, sizeof *r->last_entry) != 0)
        return -1;
    if (mem_reserve((void **)&r->binary, &r->binary_capacity, n, sizeof *r->binary) != 0) return -1;
    if (mem_reserve((void **)&r->semi, &r->semi_capacity, n, sizeof *r->semi) != 0) return -1;
    j = problem_add_col(&r->p, name.at, name.length);
    if (j >= 0) {
        r->last_row[j] = -1;
        r->binary[j] = r->semi[j] = false;
    }
    return j;
}

/* Adds value to column j in a row, or in the objective (row -1). */
static vouch_status add_term(reader *r, int row, int j, double value)
{
    if (!isfinite(value)) return fail_at(r, "an infinite coefficient, expected a finite number");
    if (row < 0) {
        r->p.col[j].cost += value;
    } else if (r->last_row[j] == row) {
        r->p.entry[r->last_entry[j]].value += value;
    } else {
        r->last_row[j] = row;
        r->last_entry[j] = r->p.entries;
        if (problem_add_entry(&r->p, row, j, value) != 0) return error_memory(r->error);
    }
    return VOUCH_OK;
}

/* sum of terms [sign] [number] [name], up to what cannot continue it. Terms go to `row` (-1: objective) times
 * factor; constants are added to *constant. *terms counts columns, *pieces both. A name before a colon ends
 * the expression, being the next row's label; so does, on the right of a relation, a name at the start of a
 * line after a number: "x <= 8", new line, "y >= 2" are two rows. */
static vouch_status read_expression(reader *r, int row, double factor, bool right, double *constant,
                                    int *terms, int *pieces)
{
    *constant = 0;
    *terms = *pieces = 0;
    for (;;) {
        double sign = 1;
        bool has_sign = false, has_number = false;
        vouch_status status;
        while (r->now == T_PLUS || r->now == T_MINUS) {
            if (r->now == T_MINUS) sign = -sign;
            has_sign = true;
            if ((status = advance(r)) != VOUCH_OK) return status;
        }
        if (!has_sign && *pieces > 0) return VOUCH_OK;
        double value = 1;
        if (r->now == T_NUMBER) {
            value = r->number;
            has_number = true;
            if ((status = advance(r)) != VOUCH_OK) return status;
        }
        if (r->now == T_NAME && !has_number && is_infinity(r->text)) {
            *constant += sign * INFINITY;
            if ((status = advance(r)) != VOUCH_OK) return status;
        } else if (r->now == T_NAME) {
            const char *p = r->at;
            while (p < r->end && (*p == ' ' || *p == '\t')) p++;
            bool label = p < r->end && *p == ':';
            bool next_row = right && has_number && r->first_token;
            if (next_row || (label && (has_number || !has_sign))) { /* a number before it was a constant */
                if (has_number) *constant += sign * value, ++*pieces;
                return VOUCH_OK;
            }
            int j = column_of(r, r->text);
            if (j < 0) return error_memory(r->error);
            if ((status = add_term(r, row, j, factor * sign * value)) != VOUCH_OK) return status;
            ++*terms;
            if ((status = advance(r)) != VOUCH_OK) return status;
        } else if (has_number) {
            *constant += sign * value;
        } else if (has_sign) {
            return fail_at(r, "a sign without a term, expected a number or a column");
        } else {
            return VOUCH_OK;
        }
        ++*pieces;
    }
}

/* An optional "name :" ; *label is empty when there is none. */
static vouch_status read_label(reader *r, span *label)
{
    *label = (span){"", 0};
    if (r->now != T_NAME) return VOUCH_OK;
    const char *p = r->at;
    while (p < r->end && (*p == ' ' || *p == '\t')) p++;
    if (p == r->end || *p != ':' || (p + 1 < r->end && p[1] == ':')) return VOUCH_OK;
    *label = r->text;
    vouch_status status = advance(r);
    return status == VOUCH_OK ? advance(r) : status;
}

/* ---- sections
 * --------------------------------------------------------------------------------------------------- */

static vouch_status read_objective(reader *r)
{
    span label;
    int terms, pieces;
    r->p.maximize = r->now == T_MAX;
    vouch_status status = advance(r);
    if (status != VOUCH_OK || (status = read_label(r, &label)) != VOUCH_OK) return status;
    if (label.length == 0) label = (span){"obj", 3};
    r->p.objective_name = mem_alloc(label.length + 1, 1);
    if (!r->p.objective_name) return error_memory(r->error);
    memcpy(r->p.objective_name, label.at, label.length);
    r->p.objective_name[label.length] = '\0';
    status = read_expression(r, -1, 1, false, &r->p.offset, &terms, &pieces);
    if (status == VOUCH_OK && !isfinite(r->p.offset))
        return fail_at(r, "an infinite constant, expected a finite number");
    if (status == VOUCH_OK && !section_ends(r))
        return fail_at(r, "\"%.*s\" after the objective, expected \"subject to\"", SPAN_ARG(r->text));
    return status;
}

static double widen(double bound)
{
    return fabs(bound) >= FILE_INFINITY ? copysign(INFINITY, bound) : bound;
}

static bool is_relation(token t)
{
    return t == T_LESS || t == T_GREATER || t == T_EQUAL;
}

static vouch_status new_row(reader *r, span label, int *row)
{
    char made[32];
    if (label.length == 0) {
        snprintf(made, sizeof made, "r.%d", r->p.row_names.count + 1);
        label = (span){made, strlen(made)};
    }
    if (nametable_find(&r->p.row_names, label.at, label.length) >= 0)
        return fail_at(r, "row \"%.*s\" appears a second time", SPAN_ARG(label));
    *row = problem_add_row(&r->p, label.at, label.length);
    return *row < 0 ? error_memory(r->error) : VOUCH_OK;
}

/* expr1 relation expr2 [relation expr3] */
static vouch_status read_row(reader *r)
{
    span label;
    int row = -1, terms[3], pieces[3], parts = 0;
    double constant[3];
    token relation[2];
    long line = r->token_line;
    vouch_status status = read_label(r, &label);
    if (status != VOUCH_OK || (status = new_row(r, label, &row)) != VOUCH_OK) return status;
    for (;;) {
        double factor = parts == 0 ? 1 : parts == 1 && terms[0] == 0 ? 1 : -1;
        if ((status = read_expression(r, row, factor, parts > 0, &constant[parts], &terms[parts],
                                      &pieces[parts])) != VOUCH_OK)
            return status;
        if (pieces[parts] == 0) return fail_at(r, "\"%.*s\", expected a term of a row", SPAN_ARG(r->text));
        parts++;
        if (!is_relation(r->now) || parts == 3) break;
        relation[parts - 1] = r->now;
        if ((status = advance(r)) != VOUCH_OK) return status;
    }
    problem_row *b = &r->p.row[row];
    if (parts == 1) return fail_at(r, "\"%.*s\", expected <=, >= or =", SPAN_ARG(r->text));
    long ahead = r->token_line;
    r->token_line = line; /* what follows is about the row as a whole */
    double bound;
    token rel = relation[0];
    if (parts == 2) {
        /* left part: terms - ..; with no column on the left the terms of the right were added as they are */
        bool turned = terms[0] == 0;
        bound = turned ? constant[0] - constant[1] : constant[1] - constant[0];
        if (turned) rel = rel == T_LESS ? T_GREATER : rel == T_GREATER ? T_LESS : rel;
        if (isnan(bound)) return fail_at(r, "infinities on both sides of a row");
        bound = widen(bound);
        if (rel != T_GREATER) b->upper = bound;
        if (rel != T_LESS) b->lower = bound;
    } else {
        if (terms[0] || terms[2])
            return fail_at(r,
                           "columns beside the middle of a row with two relations, expected numbers there");
        if (relation[0] != relation[1] || rel == T_EQUAL)
            return fail_at(r, "the two relations of a row differ, expected l <= .. <= u");
        double low = constant[0] - constant[1], high = constant[2] - constant[1];
        if (isnan(low) || isnan(high)) return fail_at(r, "infinities on both sides of a row");
        b->lower = widen(rel == T_LESS ? low : high);
        b->upper = widen(rel == T_LESS ? high : low);
    }
    if (b->lower == INFINITY || b->upper == -INFINITY)
        return fail_at(r, "an infinite bound leaves no value to the row, expected a finite number");
    r->token_line = ahead;
    return VOUCH_OK;
}

/* A signed number, "inf" included. *there: false and nothing read when the next token is none. */
static vouch_status read_value(reader *r, double *value, bool *there)
{
    double sign = 1;
    bool has_sign = false;
    vouch_status status;
    *there = false;
    while (r->now == T_PLUS || r->now == T_MINUS) {
        if (r->now == T_MINUS) sign = -sign;
        has_sign = true;
        if ((status = advance(r)) != VOUCH_OK) return status;
    }
    if (r->now == T_NUMBER)
        *value = sign * r->number;
    else if (r->now == T_NAME && is_infinity(r->text))
        *value = sign * INFINITY;
    else if (has_sign)
        return fail_at(r, "\"%.*s\", expected a number", SPAN_ARG(r->text));
    else
        return VOUCH_OK;
    *value = widen(*value);
    *there = true;
    return advance(r);
}

/* One bound "x relation value" of column j. */
static vouch_status set_bound(reader *r, int j, token relation, double value)
{
    problem_col *c = &r->p.col[j];
    bool lower = relation != T_LESS, upper = relation != T_GREATER;
    if ((lower && value == INFINITY) || (upper && value == -INFINITY))
        return fail_at(r, "an infinite bound leaves no value to the column, expected a finite number");
    if (lower) c->lower = value, c->has_lower = true;
    if (upper) c->upper = value, c->has_upper = true;
    return VOUCH_OK;
}

static vouch_status read_bound(reader *r)
{
    double value = 0;
    bool left, right;
    token first = T_OTHER;
    vouch_status status = read_value(r, &value, &left);
    if (status != VOUCH_OK) return status;
    if (left) {
        if (!is_relation(r->now)) return fail_at(r, "\"%.*s\", expected <=, >= or =", SPAN_ARG(r->text));
        first = r->now == T_LESS ? T_GREATER : r->now == T_GREATER ? T_LESS : T_EQUAL;
        if ((status = advance(r)) != VOUCH_OK) return status;
    }
    if (r->now != T_NAME) return fail_at(r, "\"%.*s\", expected a column", SPAN_ARG(r->text));
    int j = column_of(r, r->text);
    if (j < 0) return error_memory(r->error);
    if (left && (status = set_bound(r, j, first, value)) != VOUCH_OK) return status;
    if ((status = advance(r)) != VOUCH_OK) return status;
    if (!left && r->now == T_NAME && span_is_word(r->text, "free")) {
        r->p.col[j].lower = -INFINITY;
        r->p.col[j].upper = INFINITY;
        r->p.col[j].has_lower = r->p.col[j].has_upper = true;
        return advance(r);
    }
    if (is_relation(r->now)) {
        token second = r->now;
        if ((status = advance(r)) != VOUCH_OK || (status = read_value(r, &value, &right)) != VOUCH_OK)
            return status;
        if (!right) return fail_at(r, "\"%.*s\", expected a number", SPAN_ARG(r->text));
        return set_bound(r, j, second, value);
    }
    return left ? VOUCH_OK : fail_at(r, "\"%.*s\", expected a relation or \"free\"", SPAN_ARG(r->text));
}

/* A list of columns up to the next section. */
static vouch_status read_list(reader *r, token kind)
{
    for (;;) {
        vouch_status status = advance(r);
        if (status != VOUCH_OK || section_ends(r)) return status;
        if (r->now != T_NAME)
            return fail_at(r, "\"%.*s\", expected a column or the next section", SPAN_ARG(r->text));
        int j = column_of(r, r->text);
        if (j < 0) return error_memory(r->error);
        if (kind == T_SEMI)
            r->semi[j] = true;
        else
            r->p.col[j].integer = true;
        if (kind == T_BINARIES) r->binary[j] = true;
    }
}

/* [label:] S1:: column:weight ...   A pair looks like a label; what follows the colon tells them apart. */
static vouch_status read_sos(reader *r)
{
    vouch_status status = advance(r);
    while (status == VOUCH_OK && !section_ends(r)) {
        if (r->now != T_NAME)
            return fail_at(r, "\"%.*s\", expected a set or column:weight", SPAN_ARG(r->text));
        span word = r->text;
        if ((status = advance(r)) != VOUCH_OK) return status;
        if (r->now == T_COLONS) {
            if (!span_is_word(word, "s1"))
                return fail_at(r, "set type \"%.*s\", expected S1 (the only type known here)",
                               SPAN_ARG(word));
            r->p.sets++;
            status = advance(r);
            continue;
        }
        if (r->now != T_COLON) return fail_at(r, "\"%.*s\", expected a colon", SPAN_ARG(r->text));
        if ((status = advance(r)) != VOUCH_OK) return status;
        if (r->now == T_NAME) continue; /* the word was a label; its set follows */
        double weight;
        bool there;
        if ((status = read_value(r, &weight, &there)) != VOUCH_OK) return status;
        if (!there || !isfinite(weight))
            return fail_at(r, "\"%.*s\", expected a finite weight", SPAN_ARG(r->text));
        if (r->p.sets == 0) return fail_at(r, "\"%.*s\" outside of a set, expected S1::", SPAN_ARG(word));
        int j = column_of(r, word);
        if (j < 0) return error_memory(r->error);
        for (size_t k = r->p.members; k > 0 && r->p.member[k - 1].set == r->p.sets; k--)
            if (r->p.member[k - 1].col == j)
                return fail_at(r, "column \"%.*s\" appears a second time in its set", SPAN_ARG(word));
        if (problem_add_member(&r->p, r->p.sets, j, weight) != 0) return error_memory(r->error);
    }
    return status;
}

/* ---- the whole
 * ------------------------------------------------------------------------------------------------- */

static vouch_status read_file(reader *r)
{
    vouch_status status = advance(r);
    if (status != VOUCH_OK) return status;
    if (r->now != T_MIN && r->now != T_MAX)
        return fail_at(r, "\"%.*s\", expected \"minimize\" or \"maximize\"", SPAN_ARG(r->text));
    if ((status = read_objective(r)) != VOUCH_OK) return status;
    while (r->now != T_END) {
        switch (r->now) {
        case T_SUBJECT:
            if ((status = advance(r)) != VOUCH_OK) return status;
            while (!section_ends(r))
                if ((status = read_row(r)) != VOUCH_OK) return status;
            break;
        case T_BOUNDS:
            if ((status = advance(r)) != VOUCH_OK) return status;
            while (!section_ends(r))
                if ((status = read_bound(r)) != VOUCH_OK) return status;
            break;
        case T_GENERALS:
        case T_BINARIES:
        case T_SEMI:
            status = read_list(r, r->now);
            break;
        case T_SOS:
            status = read_sos(r);
            break;
        case T_END_OF_FILE:
            return fail_at(r, "the file ends in the middle, expected \"end\"");
        default:
            return fail_at(r, "a second objective, expected one");
        }
        if (status != VOUCH_OK) return status;
    }
    for (int j = 0; j < r->p.col_names.count; j++) {
        problem_col *c = &r->p.col[j];
        const char *name = nametable_get(&r->p.col_names, j);
        if (r->binary[j] && !c->has_upper) c->upper = 1;
        if (!isfinite(c->cost)) return fail_at(r, "column \"%.60s\" has an infinite cost", name);
        if (r->semi[j] && c->lower > 0)
            return fail_at(r,
                           "semi-continuous column \"%.60s\" with a positive lower bound, which is known in "
                           "MPS files only",
                           name);
    }
    for (size_t k = 0; k < r->p.entries; k++)
        if (!isfinite(r->p.entry[k].value))
            return fail_at(r, "column \"%.60s\" has an infinite coefficient",
                           nametable_get(&r->p.col_names, r->p.entry[k].col));
    return VOUCH_OK;
}

vouch_status lpformat_read(const char *bytes, size_t length, const char *file, const vouch_log *log,
                           vouch_lp **lp, vouch_error *error)
{
    reader r = {.file = file,
                .at = bytes,
                .end = bytes + length,
                .line = 1,
                .token_line = 1,
                .line_start = true,
                .error = error};
    *lp = NULL;
    vouch_status status = read_file(&r);
    if (status == VOUCH_OK) status = problem_finish(&r.p, lp, error);
    if (status == VOUCH_OK)
        log_line(log, VOUCH_LOG_INFO, "%s: LP format, %d rows, %d columns", file, r.p.row_names.count,
                 r.p.col_names.count);
    problem_free(&r.p);
    mem_free(r.last_row);
    mem_free(r.last_entry);
    mem_free(r.binary);
    mem_free(r.semi);
    return status;
}
