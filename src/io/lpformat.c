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
 * One token of look-ahead (lpformat_token.h). Repeated columns of one row add up. A file without "end" and text behind it are
 * told on the log.
 * Source: the format's description in the CPLEX file format reference. Not known here: quadratic terms,
 * Gurobi's general constraints and piecewise-linear objectives; each is refused by name. Lazy constraints and user cuts are rows
 * like others.
 */
#include "io/lpformat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "io/lpformat_reader.h"
#include "io/problem_logic.h"

/* ---- sections ------------------------------------------------------------------------------------------------------ */

static vouch_status read_objective(lpformat_reader *r)
{
    span label;
    lpformat_sum sum;
    r->p.maximize = r->in.now == T_MAX;
    vouch_status status = lpformat_advance(&r->in);
    if (status != VOUCH_OK || (status = lpformat_read_label(r, &label)) != VOUCH_OK) return status;
    if (label.length == 0 && span_is_word(r->in.text, "multi") && r->in.at < r->in.end && *r->in.at == '-')
        return lpformat_fail(&r->in, "several objectives are not supported, expected one");
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
    vouch_status status = lpformat_read_value(r, &value, &left);
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
        if ((status = lpformat_advance(&r->in)) != VOUCH_OK || (status = lpformat_read_value(r, &value, &right)) != VOUCH_OK)
            return status;
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
            r->p.col[j].semi = true;
        else
            r->p.col[j].integer = true;
        if (kind == T_BINARIES) r->col[j].binary = true;
    }
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
            status = lpformat_read_sos(r);
            break;
        case T_GUROBI:
            return lpformat_fail(&r->in, "section \"%.*s\", which is Gurobi's own and not supported", SPAN_ARG(r->in.text));
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
    for (size_t k = 0; k < r->p.entries; k++)
        if (!isfinite(r->p.entry[k].value))
            return lpformat_fail(&r->in, "column \"%.60s\" has an infinite coefficient",
                                 names_text(&r->p.col_names, r->p.entry[k].col));
    char why[LOGIC_TEXT];
    vouch_status resolved = problem_resolve_logic(&r->p, why);
    if (resolved == VOUCH_ERROR_INPUT) return lpformat_fail(&r->in, "%s", why);
    return resolved == VOUCH_OK ? VOUCH_OK : error_memory(r->in.error);
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
