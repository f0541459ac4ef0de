/* io/lpformat_row.c - expressions and rows of the LP format; see lpformat_reader.h. */
#include "base/locale.h"
#include "io/lpformat_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

bool lpformat_section_ends(const lpformat_reader *r)
{
    return r->in.now == T_END_OF_FILE || (r->in.now >= T_MIN && r->in.now <= T_END);
}

bool lpformat_is_infinity(span s) { return span_is_word(s, "inf") || span_is_word(s, "infinity"); }

int lpformat_column(lpformat_reader *r, span name)
{
    int j = names_find_bytes(&r->p.col_names, name.at, name.length);
    if (j >= 0) return j;
    size_t n = (size_t)r->p.col_names.count;
    if (mem_reserve((void **)&r->col, &r->col_capacity, n, sizeof *r->col) != 0) return -1;
    j = problem_add_col(&r->p, name.at, name.length);
    if (j >= 0) r->col[j] = (lpformat_col){.last_row = -1};
    return j;
}

/* Adds value to column j in a row, or in the objective (row -1). */
static vouch_status add_term(lpformat_reader *r, int row, int j, double value)
{
    if (!isfinite(value)) return lpformat_fail(&r->in, "an infinite coefficient, expected a finite number");
    if (row < 0) {
        r->p.col[j].cost += value;
    } else if (r->col[j].last_row == row) {
        r->p.entry[r->col[j].last_entry].value += value;
    } else {
        r->col[j].last_row = row;
        r->col[j].last_entry = r->p.entries;
        if (problem_add_entry(&r->p, row, j, value) != 0) return error_memory(r->in.error);
    }
    return VOUCH_OK;
}

/* Does a relation follow before the next label or section? What begins with the token now is a row of its own then. */
static bool relation_follows(lpformat_reader *r)
{
    lpformat_scanner ahead = r->in;
    ahead.error = NULL;
    if (r->no_relation && r->in.at < r->no_relation) return false;
    do {
        if (lpformat_is_relation(ahead.now)) return true;
    } while (lpformat_advance(&ahead) == VOUCH_OK && ahead.now != T_COLON && ahead.now < T_MIN && ahead.now != T_END_OF_FILE);
    r->no_relation = ahead.at;
    return false;
}

/* A name before a colon ends the expression, being the next row's label. After a relation so does a name at the start of a line
 * after a number: "x <= 8", new line, "y >= 2"; and after the last relation of the row a sign at the start of a line that begins a
 * row: "x <= 8", new line, "-x + y >= 2". */
vouch_status lpformat_read_expression(lpformat_reader *r, int row, double factor, lpformat_place place, lpformat_sum *sum)
{
    *sum = (lpformat_sum){0};
    for (;;) {
        double sign = 1;
        bool has_sign = false, has_number = false;
        vouch_status status;
        bool sign_starts_line = r->in.first_token && (r->in.now == T_PLUS || r->in.now == T_MINUS);
        if (place == PLACE_RIGHT && sum->pieces > 0 && sign_starts_line && relation_follows(r)) return VOUCH_OK;
        while (r->in.now == T_PLUS || r->in.now == T_MINUS) {
            if (r->in.now == T_MINUS) sign = -sign;
            has_sign = true;
            if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
        }
        if (!has_sign && sum->pieces > 0) return VOUCH_OK;
        double value = 1;
        if (r->in.now == T_NUMBER) {
            value = r->in.number;
            has_number = true;
            if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
        }
        if (r->in.now == T_NAME && !has_number && lpformat_is_infinity(r->in.text)) {
            sum->constant += sign * INFINITY;
            if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
        } else if (r->in.now == T_NAME) {
            const char *p = r->in.at;
            while (p < r->in.end && (*p == ' ' || *p == '\t')) p++;
            bool label = p < r->in.end && *p == ':';
            bool next_row = place != PLACE_LEFT && has_number && r->in.first_token;
            if (next_row || (label && (has_number || !has_sign))) { /* a number before it was a constant */
                if (has_number) sum->constant += sign * value, sum->pieces++;
                return VOUCH_OK;
            }
            int j = lpformat_column(r, r->in.text);
            if (j < 0) return error_memory(r->in.error);
            if ((status = add_term(r, row, j, factor * sign * value)) != VOUCH_OK) return status;
            sum->terms++;
            if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
        } else if (has_number) {
            sum->constant += sign * value;
        } else if (has_sign) {
            return lpformat_fail(&r->in, "a sign without a term, expected a number or a column");
        } else {
            return VOUCH_OK;
        }
        sum->pieces++;
    }
}

vouch_status lpformat_read_label(lpformat_reader *r, span *label)
{
    *label = (span){"", 0};
    if (r->in.now != T_NAME) return VOUCH_OK;
    const char *p = r->in.at;
    while (p < r->in.end && (*p == ' ' || *p == '\t')) p++;
    if (p == r->in.end || *p != ':' || (p + 1 < r->in.end && p[1] == ':')) return VOUCH_OK;
    *label = r->in.text;
    vouch_status status = lpformat_advance(&r->in);
    return status == VOUCH_OK ? lpformat_advance(&r->in) : status;
}

double lpformat_widen(double bound) { return fabs(bound) >= FILE_INFINITY ? copysign(INFINITY, bound) : bound; }

bool lpformat_is_relation(token t) { return t == T_LESS || t == T_GREATER || t == T_EQUAL; }

static vouch_status new_row(lpformat_reader *r, span label, int *row)
{
    char made[32];
    if (label.length == 0) {
        format_text(made, sizeof made, "r.%d", r->p.row_names.count + 1);
        label = (span){made, strlen(made)};
    }
    if (names_find_bytes(&r->p.row_names, label.at, label.length) >= 0)
        return lpformat_fail(&r->in, "row \"%.*s\" appears a second time", SPAN_ARG(label));
    *row = problem_add_row(&r->p, label.at, label.length);
    return *row < 0 ? error_memory(r->in.error) : VOUCH_OK;
}

/* What was read of the row so far is "column = 0|1", the arrow is the token now: takes the column out of the row again. */
static vouch_status read_arrow(lpformat_reader *r, int row, token relation, const lpformat_sum part[])
{
    double value = part[1].constant;
    bool one = part[0].terms == 1 && part[0].constant == 0 && part[1].terms == 0 && (value == 0 || value == 1);
    if (!one || relation != T_EQUAL || r->p.entry[r->p.entries - 1].value != 1)
        return lpformat_fail(&r->in, "\"->\" after something else than COLUMN = 0 or COLUMN = 1");
    int j = r->p.entry[--r->p.entries].col;
    r->col[j].last_row = -1;
    if (problem_add_indicator(&r->p, row, j, value == 1) != 0) return error_memory(r->in.error);
    return lpformat_advance(&r->in);
}

vouch_status lpformat_read_row(lpformat_reader *r)
{
    span label;
    int row = -1, parts = 0;
    lpformat_sum part[3];
    token relation[2];
    long line = r->in.token_line;
    bool indicator = false;
    vouch_status status = lpformat_read_label(r, &label);
    if (status != VOUCH_OK || (status = new_row(r, label, &row)) != VOUCH_OK) return status;
    for (;;) {
        double factor = parts == 0 ? 1 : parts == 1 && part[0].terms == 0 ? 1 : -1;
        bool may_be_middle = parts == 1 && part[0].pieces > 0 && part[0].terms == 0;
        lpformat_place place = parts == 0 ? PLACE_LEFT : may_be_middle ? PLACE_MIDDLE : PLACE_RIGHT;
        if ((status = lpformat_read_expression(r, row, factor, place, &part[parts])) != VOUCH_OK) return status;
        bool empty = parts == 0 && label.length > 0; /* "c: = 0" is a row without entries */
        if (part[parts].pieces == 0 && !empty)
            return lpformat_fail(&r->in, "\"%.*s\", expected a term of a row", SPAN_ARG(r->in.text));
        parts++;
        if (r->in.now == T_ARROW && parts == 2 && !indicator) {
            if ((status = read_arrow(r, row, relation[0], part)) != VOUCH_OK) return status;
            indicator = true;
            parts = 0;
            continue;
        }
        if (!lpformat_is_relation(r->in.now) || parts == 3) break;
        relation[parts - 1] = r->in.now;
        if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
    }
    problem_row *b = &r->p.row[row];
    if (parts == 1) return lpformat_fail(&r->in, "\"%.*s\", expected <=, >= or =", SPAN_ARG(r->in.text));
    long ahead = r->in.token_line;
    r->in.token_line = line; /* what follows is about the row as a whole */
    double bound;
    token rel = relation[0];
    if (parts == 2) {
        /* left part: terms - ..; with no column on the left the terms of the right were added as they are */
        bool turned = part[0].terms == 0 && part[1].terms > 0;
        bound = turned ? part[0].constant - part[1].constant : part[1].constant - part[0].constant;
        if (turned) rel = rel == T_LESS ? T_GREATER : rel == T_GREATER ? T_LESS : rel;
        if (isnan(bound)) return lpformat_fail(&r->in, "infinities on both sides of a row");
        bound = lpformat_widen(bound);
        if (rel != T_GREATER) b->upper = bound;
        if (rel != T_LESS) b->lower = bound;
    } else {
        if (part[0].terms || part[2].terms)
            return lpformat_fail(&r->in, "columns beside the middle of a row with two relations, expected numbers there");
        if (relation[0] != relation[1] || rel == T_EQUAL)
            return lpformat_fail(&r->in, "the two relations of a row differ, expected l <= .. <= u");
        double low = part[0].constant - part[1].constant, high = part[2].constant - part[1].constant;
        if (isnan(low) || isnan(high)) return lpformat_fail(&r->in, "infinities on both sides of a row");
        b->lower = lpformat_widen(rel == T_LESS ? low : high);
        b->upper = lpformat_widen(rel == T_LESS ? high : low);
    }
    if (b->lower == INFINITY || b->upper == -INFINITY)
        return lpformat_fail(&r->in, "an infinite bound leaves no value to the row, expected a finite number");
    r->in.token_line = ahead;
    return VOUCH_OK;
}
