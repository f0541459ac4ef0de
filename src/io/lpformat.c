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
 * One token of look-ahead (lpformat_token.h). Repeated columns of one row add up. A file without "end" and text behind it are
 * told on the log.
 * Source: the format's description in the CPLEX file format reference. Not known here: quadratic terms,
 * indicator constraints, SOS2 sets; each is refused by name. Lazy constraints are rows like others.
 */
#include "io/lpformat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "io/lpformat_reader.h"

/* ---- sections ------------------------------------------------------------------------------------------------------ */

static vouch_status read_objective(lpformat_reader *r)
{
    span label;
    lpformat_sum sum;
    r->p.maximize = r->in.now == T_MAX;
    vouch_status status = lpformat_advance(&r->in);
    if (status != VOUCH_OK || (status = lpformat_read_label(r, &label)) != VOUCH_OK) return status;
    if (label.length == 0) label = (span){"obj", 3};
    r->p.objective_name = mem_alloc(label.length + 1, 1);
    if (!r->p.objective_name) return error_memory(r->in.error);
    memcpy(r->p.objective_name, label.at, label.length);
    r->p.objective_name[label.length] = '\0';
    status = lpformat_read_expression(r, -1, 1, PLACE_LEFT, &sum);
    r->p.offset = sum.constant;
    if (status == VOUCH_OK && !isfinite(r->p.offset))
        return lpformat_fail(&r->in, "an infinite constant, expected a finite number");
    if (status == VOUCH_OK && !lpformat_section_ends(r))
        return lpformat_fail(&r->in, "\"%.*s\" after the objective, expected \"subject to\"", SPAN_ARG(r->in.text));
    return status;
}

/* A signed number, "inf" included. *there: false and nothing read when the next token is none. */
static vouch_status read_value(lpformat_reader *r, double *value, bool *there)
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
    else if (r->in.now == T_NAME && lpformat_is_infinity(r->in.text))
        *value = sign * INFINITY;
    else if (has_sign)
        return lpformat_fail(&r->in, "\"%.*s\", expected a number", SPAN_ARG(r->in.text));
    else
        return VOUCH_OK;
    *value = lpformat_widen(*value);
    *there = true;
    return lpformat_advance(&r->in);
}

/* One bound "x relation value" of column j. */
static vouch_status set_bound(lpformat_reader *r, int j, token relation, double value)
{
    problem_col *c = &r->p.col[j];
    bool lower = relation != T_LESS, upper = relation != T_GREATER;
    if ((lower && value == INFINITY) || (upper && value == -INFINITY))
        return lpformat_fail(&r->in, "an infinite bound leaves no value to the column, expected a finite number");
    if (lower) c->lower = value, c->has_lower = true;
    if (upper) c->upper = value, c->has_upper = true;
    return VOUCH_OK;
}

static vouch_status read_bound(lpformat_reader *r)
{
    double value = 0;
    bool left, right;
    token first = T_OTHER;
    vouch_status status = read_value(r, &value, &left);
    if (status != VOUCH_OK) return status;
    if (left) {
        if (!lpformat_is_relation(r->in.now)) return lpformat_fail(&r->in, "\"%.*s\", expected <=, >= or =", SPAN_ARG(r->in.text));
        first = r->in.now == T_LESS ? T_GREATER : r->in.now == T_GREATER ? T_LESS : T_EQUAL;
        if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
    }
    if (r->in.now != T_NAME) return lpformat_fail(&r->in, "\"%.*s\", expected a column", SPAN_ARG(r->in.text));
    int j = lpformat_column(r, r->in.text);
    if (j < 0) return error_memory(r->in.error);
    if (left && (status = set_bound(r, j, first, value)) != VOUCH_OK) return status;
    if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
    if (!left && r->in.now == T_NAME && span_is_word(r->in.text, "free")) {
        r->p.col[j].lower = -INFINITY;
        r->p.col[j].upper = INFINITY;
        r->p.col[j].has_lower = r->p.col[j].has_upper = true;
        return lpformat_advance(&r->in);
    }
    if (lpformat_is_relation(r->in.now)) {
        token second = r->in.now;
        if ((status = lpformat_advance(&r->in)) != VOUCH_OK || (status = read_value(r, &value, &right)) != VOUCH_OK) return status;
        if (!right) return lpformat_fail(&r->in, "\"%.*s\", expected a number", SPAN_ARG(r->in.text));
        return set_bound(r, j, second, value);
    }
    return left ? VOUCH_OK : lpformat_fail(&r->in, "\"%.*s\", expected a relation or \"free\"", SPAN_ARG(r->in.text));
}

/* A list of columns up to the next section. */
static vouch_status read_list(lpformat_reader *r, token kind)
{
    for (;;) {
        vouch_status status = lpformat_advance(&r->in);
        if (status != VOUCH_OK || lpformat_section_ends(r)) return status;
        if (r->in.now != T_NAME)
            return lpformat_fail(&r->in, "\"%.*s\", expected a column or the next section", SPAN_ARG(r->in.text));
        int j = lpformat_column(r, r->in.text);
        if (j < 0) return error_memory(r->in.error);
        if (kind == T_SEMI)
            r->col[j].semi = true;
        else
            r->p.col[j].integer = true;
        if (kind == T_BINARIES) r->col[j].binary = true;
    }
}

/* [label:] S1:: column:weight ...   A pair looks like a label; what follows the colon tells them apart. */
static vouch_status read_sos(lpformat_reader *r)
{
    vouch_status status = lpformat_advance(&r->in);
    while (status == VOUCH_OK && !lpformat_section_ends(r)) {
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
        int j = lpformat_column(r, word);
        if (j < 0) return error_memory(r->in.error);
        for (size_t k = r->p.members; k > 0 && r->p.member[k - 1].set == r->p.sets; k--)
            if (r->p.member[k - 1].col == j)
                return lpformat_fail(&r->in, "column \"%.*s\" appears a second time in its set", SPAN_ARG(word));
        if (problem_add_member(&r->p, r->p.sets, j, weight) != 0) return error_memory(r->in.error);
    }
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

static vouch_status read_file(lpformat_reader *r)
{
    vouch_status status = lpformat_advance(&r->in);
    if (status != VOUCH_OK) return status;
    if (r->in.now == T_END_OF_FILE) return lpformat_fail(&r->in, "an empty file, expected \"minimize\" or \"maximize\"");
    if (r->in.now != T_MIN && r->in.now != T_MAX)
        return lpformat_fail(&r->in, "\"%.*s\", expected \"minimize\" or \"maximize\"", SPAN_ARG(r->in.text));
    if ((status = read_objective(r)) != VOUCH_OK) return status;
    while (r->in.now != T_END && r->in.now != T_END_OF_FILE) {
        switch (r->in.now) {
        case T_SUBJECT:
            if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
            while (!lpformat_section_ends(r))
                if ((status = lpformat_read_row(r)) != VOUCH_OK) return status;
            break;
        case T_BOUNDS:
            if ((status = lpformat_advance(&r->in)) != VOUCH_OK) return status;
            while (!lpformat_section_ends(r))
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
        default:
            return lpformat_fail(&r->in, "a second objective, expected one");
        }
        if (status != VOUCH_OK) return status;
    }
    for (int j = 0; j < r->p.col_names.count; j++) {
        problem_col *c = &r->p.col[j];
        const char *name = names_text(&r->p.col_names, j);
        if (r->col[j].binary && !c->has_upper) c->upper = 1;
        if (!isfinite(c->cost)) return lpformat_fail(&r->in, "column \"%.60s\" has an infinite cost", name);
    }
    char why[SEMICONTINUOUS_TEXT];
    for (int j = 0, n = r->p.col_names.count; j < n; j++)
        if (r->col[j].semi && !problem_make_semicontinuous(&r->p, j, why))
            return *why ? lpformat_fail(&r->in, "%s", why) : error_memory(r->in.error);
    for (size_t k = 0; k < r->p.entries; k++)
        if (!isfinite(r->p.entry[k].value))
            return lpformat_fail(&r->in, "column \"%.60s\" has an infinite coefficient",
                                 names_text(&r->p.col_names, r->p.entry[k].col));
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

/* A file without "end" may have been cut; what stands behind it is not read. */
static void note_end(lpformat_scanner *in, const vouch_log *log)
{
    if (in->now == T_END_OF_FILE) {
        log_line(log, VOUCH_LOG_ERROR, "%s:%ld: the file ends without \"end\"", in->file, in->token_line);
    } else {
        in->error = NULL;
        if (lpformat_advance(in) != VOUCH_OK || in->now != T_END_OF_FILE)
            log_line(log, VOUCH_LOG_ERROR, "%s:%ld: the text after \"end\" is ignored", in->file, in->token_line);
    }
}

/* lp_solve's format of the same name begins "max: 3x + 2y;". */
static bool is_lp_solve(const file_content *file)
{
    const char *p = file->bytes, *end = p + file->length;
    for (;;) {
        while (p < end && memchr(" \t\r\n", *p, 4)) p++;
        bool star = end - p >= 2 && memcmp(p, "/*", 2) == 0, line = end - p >= 2 && memcmp(p, "//", 2) == 0;
        if (!star && !line) break;
        while (p < end && !(line ? *p == '\n' : end - p >= 2 && memcmp(p, "*/", 2) == 0)) p++;
        if (star && p < end) p += 2;
    }
    span word = {p, 0};
    static const char *const sense[] = {"max", "maximise", "maximize", "min", "minimise", "minimize"};
    while (p < end && ((*p | 32) >= 'a' && (*p | 32) <= 'z')) p++;
    word.length = (size_t)(p - word.at);
    while (p < end && memchr(" \t", *p, 2)) p++;
    bool known = false;
    for (size_t k = 0; k < sizeof sense / sizeof *sense; k++) known = known || span_is_word(word, sense[k]);
    return known && p < end && *p == ':' && memchr(p, ';', (size_t)(end - p));
}

vouch_status lpformat_read(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp,
                           vouch_error *error)
{
    (void)format;
    lpformat_reader r = {.in = {.file = file->name,
                                .begin = file->bytes,
                                .at = file->bytes,
                                .end = file->bytes + file->length,
                                .line = 1,
                                .token_line = 1,
                                .line_start = true,
                                .section = T_OTHER,
                                .error = error}};
    r.in.known = &r.p.col_names;
    vouch_status status = read_file(&r);
    if (status == VOUCH_ERROR_INPUT && is_lp_solve(file))
        error_at(error, file->name, 1,
                 "this is lp_solve's format, expected the CPLEX LP format; lp_solve -S1 FILE -parse -wfmps "
                 "F.mps writes it as MPS");
    if (status == VOUCH_OK) status = problem_finish(&r.p, lp, error);
    if (status == VOUCH_OK && (status = join_rows(*lp)) != VOUCH_OK) {
        vouch_lp_free(*lp);
        *lp = NULL;
        error_memory(error);
    }
    if (status == VOUCH_OK) {
        note_end(&r.in, log);
        log_line(log, VOUCH_LOG_INFO, "%s: LP format, %d rows, %d columns", file->name, vouch_lp_rows(*lp), vouch_lp_cols(*lp));
    }
    problem_free(&r.p);
    mem_free(r.col);
    return status;
}
