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
 * One token of look-ahead (lpformat_token.h). Repeated columns of one row add up.
 * Source: the format's description in the CPLEX file format reference. Not known here: quadratic terms,
 * indicator and lazy constraints, SOS2 sets; each is refused by name.
 */
#include "io/lpformat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "io/lpformat_token.h"
#include "io/problem.h"

typedef struct reader {
    lpformat_scanner in;
    problem p;
    int *last_row;      /* owned: [cols], row in which the column was seen last */
    size_t *last_entry; /* owned: [cols], that entry */
    size_t last_row_capacity, last_entry_capacity;
    bool *binary, *semi; /* owned: [cols] */
    size_t binary_capacity, semi_capacity;
} reader;

static bool section_ends(const reader *r) { return r->in.now == T_END_OF_FILE || (r->in.now >= T_MIN && r->in.now <= T_END); }

static bool is_infinity(span s) { return span_is_word(s, "inf") || span_is_word(s, "infinity"); }

/* ---- expressions
 * ------------------------------------------------------------------------------------------------ */

static int column_of(reader *r, span name)
{
    int j = nametable_find(&r->p.col_names, name.at, name.length);
    if (j >= 0) return j;
    size_t n = (size_t)r->p.col_names.count;
    if (mem_reserve((void **)&r->last_row, &r->last_row_capacity, n, sizeof *r->last_row) != 0) return -1;
    if (mem_reserve((void **)&r->last_entry, &r->last_entry_capacity, n, sizeof *r->last_entry) != 0) return -1;
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
    if (!isfinite(value)) return lpformat_fail(&r->in, "an infinite coefficient, expected a finite number");
    if (row < 0) {
        r->p.col[j].cost += value;
    } else if (r->last_row[j] == row) {
        r->p.entry[r->last_entry[j]].value += value;
    } else {
        r->last_row[j] = row;
        r->last_entry[j] = r->p.entries;
        if (problem_add_entry(&r->p, row, j, value) != 0) return error_memory(r->in.error);
    }
    return VOUCH_OK;
}

/* sum of terms [sign] [number] [name], up to what cannot continue it. Terms go to `row` (-1: objective) times
 * factor; constants are added to *constant. *terms counts columns, *pieces both. A name before a colon ends
 * the expression, being the next row's label; so does, on the right of a relation, a name at the start of a
 * line after a number: "x <= 8", new line, "y >= 2" are two rows. */
static vouch_status read_expression(reader *r, int row, double factor, bool right, double *constant, int *terms, int *pieces)
{
    *constant = 0;
    *terms = *pieces = 0;
    for (;;) {
        double sign = 1;
        bool has_sign = false, has_number = false;
        vouch_status status;
        while (r->in.now == T_PLUS || r->in.now == T_MINUS) {
            if (r->in.now == T_MINUS) sign = -sign;
            has_sign = true;
            if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
        }
        if (!has_sign && *pieces > 0) return VOUCH_OK;
        double value = 1;
        if (r->in.now == T_NUMBER) {
            value = r->in.number;
            has_number = true;
            if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
        }
        if (r->in.now == T_NAME && !has_number && is_infinity(r->in.text)) {
            *constant += sign * INFINITY;
            if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
        } else if (r->in.now == T_NAME) {
            const char *p = r->in.at;
            while (p < r->in.end && (*p == ' ' || *p == '\t')) p++;
            bool label = p < r->in.end && *p == ':';
            bool next_row = right && has_number && r->in.first_token;
            if (next_row || (label && (has_number || !has_sign))) { /* a number before it was a constant */
                if (has_number) *constant += sign * value, ++*pieces;
                return VOUCH_OK;
            }
            int j = column_of(r, r->in.text);
            if (j < 0) return error_memory(r->in.error);
            if ((status = add_term(r, row, j, factor * sign * value)) != VOUCH_OK) return status;
            ++*terms;
            if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
        } else if (has_number) {
            *constant += sign * value;
        } else if (has_sign) {
            return lpformat_fail(&r->in, "a sign without a term, expected a number or a column");
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
    if (r->in.now != T_NAME) return VOUCH_OK;
    const char *p = r->in.at;
    while (p < r->in.end && (*p == ' ' || *p == '\t')) p++;
    if (p == r->in.end || *p != ':' || (p + 1 < r->in.end && p[1] == ':')) return VOUCH_OK;
    *label = r->in.text;
    vouch_status status = lpformat_advance(&r->in);
    return status == VOUCH_OK ? lpformat_advance(&r->in) : status;
}

/* ---- sections
 * --------------------------------------------------------------------------------------------------- */

static vouch_status read_objective(reader *r)
{
    span label;
    int terms, pieces;
    r->p.maximize = r->in.now == T_MAX;
    vouch_status status = lpformat_advance(&r->in);
    if (status != VOUCH_OK || (status = read_label(r, &label)) != VOUCH_OK) return status;
    if (label.length == 0) label = (span){"obj", 3};
    r->p.objective_name = mem_alloc(label.length + 1, 1);
    if (!r->p.objective_name) return error_memory(r->in.error);
    memcpy(r->p.objective_name, label.at, label.length);
    r->p.objective_name[label.length] = '\0';
    status = read_expression(r, -1, 1, false, &r->p.offset, &terms, &pieces);
    if (status == VOUCH_OK && !isfinite(r->p.offset))
        return lpformat_fail(&r->in, "an infinite constant, expected a finite number");
    if (status == VOUCH_OK && !section_ends(r))
        return lpformat_fail(&r->in, "\"%.*s\" after the objective, expected \"subject to\"", SPAN_ARG(r->in.text));
    return status;
}

static double widen(double bound) { return fabs(bound) >= FILE_INFINITY ? copysign(INFINITY, bound) : bound; }

static bool is_relation(token t) { return t == T_LESS || t == T_GREATER || t == T_EQUAL; }

static vouch_status new_row(reader *r, span label, int *row)
{
    char made[32];
    if (label.length == 0) {
        snprintf(made, sizeof made, "r.%d", r->p.row_names.count + 1);
        label = (span){made, strlen(made)};
    }
    if (nametable_find(&r->p.row_names, label.at, label.length) >= 0)
        return lpformat_fail(&r->in, "row \"%.*s\" appears a second time", SPAN_ARG(label));
    *row = problem_add_row(&r->p, label.at, label.length);
    return *row < 0 ? error_memory(r->in.error) : VOUCH_OK;
}

/* expr1 relation expr2 [relation expr3] */
static vouch_status read_row(reader *r)
{
    span label;
    int row = -1, terms[3], pieces[3], parts = 0;
    double constant[3];
    token relation[2];
    long line = r->in.token_line;
    vouch_status status = read_label(r, &label);
    if (status != VOUCH_OK || (status = new_row(r, label, &row)) != VOUCH_OK) return status;
    for (;;) {
        double factor = parts == 0 ? 1 : parts == 1 && terms[0] == 0 ? 1 : -1;
        if ((status = read_expression(r, row, factor, parts > 0, &constant[parts], &terms[parts], &pieces[parts])) != VOUCH_OK)
            return status;
        if (pieces[parts] == 0) return lpformat_fail(&r->in, "\"%.*s\", expected a term of a row", SPAN_ARG(r->in.text));
        parts++;
        if (!is_relation(r->in.now) || parts == 3) break;
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
        bool turned = terms[0] == 0;
        bound = turned ? constant[0] - constant[1] : constant[1] - constant[0];
        if (turned) rel = rel == T_LESS ? T_GREATER : rel == T_GREATER ? T_LESS : rel;
        if (isnan(bound)) return lpformat_fail(&r->in, "infinities on both sides of a row");
        bound = widen(bound);
        if (rel != T_GREATER) b->upper = bound;
        if (rel != T_LESS) b->lower = bound;
    } else {
        if (terms[0] || terms[2])
            return lpformat_fail(&r->in, "columns beside the middle of a row with two relations, expected numbers there");
        if (relation[0] != relation[1] || rel == T_EQUAL)
            return lpformat_fail(&r->in, "the two relations of a row differ, expected l <= .. <= u");
        double low = constant[0] - constant[1], high = constant[2] - constant[1];
        if (isnan(low) || isnan(high)) return lpformat_fail(&r->in, "infinities on both sides of a row");
        b->lower = widen(rel == T_LESS ? low : high);
        b->upper = widen(rel == T_LESS ? high : low);
    }
    if (b->lower == INFINITY || b->upper == -INFINITY)
        return lpformat_fail(&r->in, "an infinite bound leaves no value to the row, expected a finite number");
    r->in.token_line = ahead;
    return VOUCH_OK;
}

/* A signed number, "inf" included. *there: false and nothing read when the next token is none. */
static vouch_status read_value(reader *r, double *value, bool *there)
{
    double sign = 1;
    bool has_sign = false;
    vouch_status status;
    *there = false;
    while (r->in.now == T_PLUS || r->in.now == T_MINUS) {
        if (r->in.now == T_MINUS) sign = -sign;
        has_sign = true;
        if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
    }
    if (r->in.now == T_NUMBER)
        *value = sign * r->in.number;
    else if (r->in.now == T_NAME && is_infinity(r->in.text))
        *value = sign * INFINITY;
    else if (has_sign)
        return lpformat_fail(&r->in, "\"%.*s\", expected a number", SPAN_ARG(r->in.text));
    else
        return VOUCH_OK;
    *value = widen(*value);
    *there = true;
    return lpformat_advance(&r->in);
}

/* One bound "x relation value" of column j. */
static vouch_status set_bound(reader *r, int j, token relation, double value)
{
    problem_col *c = &r->p.col[j];
    bool lower = relation != T_LESS, upper = relation != T_GREATER;
    if ((lower && value == INFINITY) || (upper && value == -INFINITY))
        return lpformat_fail(&r->in, "an infinite bound leaves no value to the column, expected a finite number");
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
        if (!is_relation(r->in.now)) return lpformat_fail(&r->in, "\"%.*s\", expected <=, >= or =", SPAN_ARG(r->in.text));
        first = r->in.now == T_LESS ? T_GREATER : r->in.now == T_GREATER ? T_LESS : T_EQUAL;
        if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
    }
    if (r->in.now != T_NAME) return lpformat_fail(&r->in, "\"%.*s\", expected a column", SPAN_ARG(r->in.text));
    int j = column_of(r, r->in.text);
    if (j < 0) return error_memory(r->in.error);
    if (left && (status = set_bound(r, j, first, value)) != VOUCH_OK) return status;
    if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
    if (!left && r->in.now == T_NAME && span_is_word(r->in.text, "free")) {
        r->p.col[j].lower = -INFINITY;
        r->p.col[j].upper = INFINITY;
        r->p.col[j].has_lower = r->p.col[j].has_upper = true;
        return lpformat_advance(&r->in);
    }
    if (is_relation(r->in.now)) {
        token second = r->in.now;
        if ((status = lpformat_advance(&r->in)) != VOUCH_OK || (status = read_value(r, &value, &right)) != VOUCH_OK) return status;
        if (!right) return lpformat_fail(&r->in, "\"%.*s\", expected a number", SPAN_ARG(r->in.text));
        return set_bound(r, j, second, value);
    }
    return left ? VOUCH_OK : lpformat_fail(&r->in, "\"%.*s\", expected a relation or \"free\"", SPAN_ARG(r->in.text));
}

/* A list of columns up to the next section. */
static vouch_status read_list(reader *r, token kind)
{
    for (;;) {
        vouch_status status = lpformat_advance(&r->in);
        if (status != VOUCH_OK || section_ends(r)) return status;
        if (r->in.now != T_NAME)
            return lpformat_fail(&r->in, "\"%.*s\", expected a column or the next section", SPAN_ARG(r->in.text));
        int j = column_of(r, r->in.text);
        if (j < 0) return error_memory(r->in.error);
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
    vouch_status status = lpformat_advance(&r->in);
    while (status == VOUCH_OK && !section_ends(r)) {
        if (r->in.now != T_NAME) return lpformat_fail(&r->in, "\"%.*s\", expected a set or column:weight", SPAN_ARG(r->in.text));
        span word = r->in.text;
        if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
        if (r->in.now == T_COLONS) {
            if (!span_is_word(word, "s1"))
                return lpformat_fail(&r->in, "set type \"%.*s\", expected S1 (the only type known here)", SPAN_ARG(word));
            r->p.sets++;
            status = lpformat_advance(&r->in);
            continue;
        }
        if (r->in.now != T_COLON) return lpformat_fail(&r->in, "\"%.*s\", expected a colon", SPAN_ARG(r->in.text));
        if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
        if (r->in.now == T_NAME) continue; /* the word was a label; its set follows */
        double weight;
        bool there;
        if ((status = read_value(r, &weight, &there)) != VOUCH_OK) return status;
        if (!there || !isfinite(weight)) return lpformat_fail(&r->in, "\"%.*s\", expected a finite weight", SPAN_ARG(r->in.text));
        if (r->p.sets == 0) return lpformat_fail(&r->in, "\"%.*s\" outside of a set, expected S1::", SPAN_ARG(word));
        int j = column_of(r, word);
        if (j < 0) return error_memory(r->in.error);
        for (size_t k = r->p.members; k > 0 && r->p.member[k - 1].set == r->p.sets; k--)
            if (r->p.member[k - 1].col == j)
                return lpformat_fail(&r->in, "column \"%.*s\" appears a second time in its set", SPAN_ARG(word));
        if (problem_add_member(&r->p, r->p.sets, j, weight) != 0) return error_memory(r->in.error);
    }
    return status;
}

/* ---- the whole
 * ------------------------------------------------------------------------------------------------- */

static vouch_status read_file(reader *r)
{
    vouch_status status = lpformat_advance(&r->in);
    if (status != VOUCH_OK) return status;
    if (r->in.now != T_MIN && r->in.now != T_MAX)
        return lpformat_fail(&r->in, "\"%.*s\", expected \"minimize\" or \"maximize\"", SPAN_ARG(r->in.text));
    if ((status = read_objective(r)) != VOUCH_OK) return status;
    while (r->in.now != T_END) {
        switch (r->in.now) {
        case T_SUBJECT:
            if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
            while (!section_ends(r))
                if ((status = read_row(r)) != VOUCH_OK) return status;
            break;
        case T_BOUNDS:
            if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
            while (!section_ends(r))
                if ((status = read_bound(r)) != VOUCH_OK) return status;
            break;
        case T_GENERALS:
        case T_BINARIES:
        case T_SEMI:
            status = read_list(r, r->in.now);
            break;
        case T_SOS:
            status = read_sos(r);
            break;
        case T_END_OF_FILE:
            return lpformat_fail(&r->in, "the file ends in the middle, expected \"end\"");
        default:
            return lpformat_fail(&r->in, "a second objective, expected one");
        }
        if (status != VOUCH_OK) return status;
    }
    for (int j = 0; j < r->p.col_names.count; j++) {
        problem_col *c = &r->p.col[j];
        const char *name = nametable_get(&r->p.col_names, j);
        if (r->binary[j] && !c->has_upper) c->upper = 1;
        if (!isfinite(c->cost)) return lpformat_fail(&r->in, "column \"%.60s\" has an infinite cost", name);
        if (r->semi[j] && c->lower > 0)
            return lpformat_fail(&r->in,
                                 "semi-continuous column \"%.60s\" with a positive lower bound, which is known in "
                                 "MPS files only",
                                 name);
    }
    for (size_t k = 0; k < r->p.entries; k++)
        if (!isfinite(r->p.entry[k].value))
            return lpformat_fail(&r->in, "column \"%.60s\" has an infinite coefficient",
                                 nametable_get(&r->p.col_names, r->p.entry[k].col));
    return VOUCH_OK;
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
static vouch_status join_rows(vouch_lp *lp)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    bool *half = MEM_ZERO(bool, d.rows + 1); /* second halves; those with other entries are taken out again */
    double *entry = MEM_ZERO(double, d.rows + 1);
    int *rows = MEM_NEW(int, d.rows), count = 0;
    vouch_status status = half && entry && rows ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (int i = 1; status == VOUCH_OK && i < d.rows; i++) half[i] = continues(lp, &d, i);
    for (int j = 0; status == VOUCH_OK && j < d.cols; j++) {
        for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) entry[d.index[k]] = d.value[k];
        for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) {
            int i = d.index[k];
            if (half[i] && entry[i - 1] != entry[i]) half[i] = false;
            if (half[i + 1] && entry[i] != entry[i + 1]) half[i + 1] = false;
        }
        for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) entry[d.index[k]] = 0;
    }
    for (int i = 1; status == VOUCH_OK && i < d.rows; i++)
        if (half[i]) rows[count++] = i;
    for (int k = 0; k < count && status == VOUCH_OK; k++)
        status = vouch_lp_set_row_bounds(lp, rows[k] - 1, d.row_lower[rows[k] - 1], d.row_upper[rows[k]]);
    if (count > 0 && status == VOUCH_OK) status = vouch_lp_delete_rows(lp, count, rows);
    mem_free(half);
    mem_free(entry);
    mem_free(rows);
    return status;
}

vouch_status lpformat_read(const char *bytes, size_t length, const char *file, const vouch_log *log, vouch_lp **lp,
                           vouch_error *error)
{
    reader r = {
        .in = {.file = file, .at = bytes, .end = bytes + length, .line = 1, .token_line = 1, .line_start = true, .error = error}};
    *lp = NULL;
    vouch_status status = read_file(&r);
    if (status == VOUCH_OK) status = problem_finish(&r.p, lp, error);
    if (status == VOUCH_OK && (status = join_rows(*lp)) != VOUCH_OK) {
        vouch_lp_free(*lp);
        *lp = NULL;
        error_memory(error);
    }
    if (status == VOUCH_OK)
        log_line(log, VOUCH_LOG_INFO, "%s: LP format, %d rows, %d columns", file, vouch_lp_rows(*lp), vouch_lp_cols(*lp));
    problem_free(&r.p);
    mem_free(r.last_row);
    mem_free(r.last_entry);
    mem_free(r.binary);
    mem_free(r.semi);
    return status;
}
