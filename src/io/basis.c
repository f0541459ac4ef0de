/* io/basis.c - simplex bases from and to files.
 *
 * The MPS basis format names a basic column together with a nonbasic row ("XU column row": the row at its upper bound, XL: at its
 * lower), and the nonbasic columns at their upper bound (UL). Everything else is at its lower bound if a column, basic if a row.
 * Files of the HiGHS kind (a status digit for each name) and glpsol's plain solutions are read as well, never
 * written here.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vouch/lp_io.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/labels.h"
#include "io/names.h"
#include "io/scan.h"

static bool usable(const char *name)
{
    if (!*name) return false;
    for (; *name; name++)
        if ((unsigned char)*name <= ' ') return false;
    return true;
}

static vouch_status choose(const vouch_lp *lp, labels *rows, labels *cols)
{
    vouch_status status = labels_choose(lp, true, usable, NULL, rows);
    return status == VOUCH_OK ? labels_choose(lp, false, usable, NULL, cols) : status;
}

static vouch_status fill_names(const labels *l, int count, names *table)
{
    label_buffer b;
    for (int k = 0; k < count; k++) {
        const char *name = labels_get(l, k, b);
        if (names_add(table, name) < 0) return VOUCH_ERROR_MEMORY;
    }
    return VOUCH_OK;
}

static unsigned char resting(double lower, double upper)
{
    if (lower == upper) return VOUCH_NONBASIC_FIXED;
    if (isfinite(lower)) return VOUCH_AT_LOWER;
    return isfinite(upper) ? VOUCH_AT_UPPER : VOUCH_NONBASIC_FREE;
}

static unsigned char at_upper(double lower, double upper)
{
    return lower == upper || !isfinite(upper) ? resting(lower, upper) : VOUCH_AT_UPPER;
}

vouch_status vouch_lp_write_basis(const vouch_lp *lp, const char *path, vouch_error *error)
{
    if (!lp || !path) return error_null(error);
    int m = vouch_lp_rows(lp), n = vouch_lp_cols(lp);
    if (!vouch_lp_has_basis(lp)) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no basis to write");
    unsigned char *row = MEM_NEW(unsigned char, m), *col = MEM_NEW(unsigned char, n);
    text out = {0};
    labels rows, cols;
    vouch_status status = row && col ? choose(lp, &rows, &cols) : VOUCH_ERROR_MEMORY;
    if (status != VOUCH_OK) {
        status = error_memory(error);
        goto done;
    }
    vouch_lp_get_basis(lp, row, col);
    text_add(&out, "NAME          %s\n", usable(vouch_lp_name(lp)) ? vouch_lp_name(lp) : "");
    int i = 0;
    for (int j = 0; j < n; j++) {
        label_buffer b, rb;
        if (col[j] == VOUCH_AT_UPPER) text_add(&out, " UL %s\n", labels_get(&cols, j, b));
        if (col[j] != VOUCH_BASIC) continue;
        while (i < m && row[i] == VOUCH_BASIC) i++;
        if (i == m) break; /* more basic columns than nonbasic rows: not a basis; the reader's repair will tell */
        text_add(&out, " %s %s %s\n", row[i] == VOUCH_AT_UPPER ? "XU" : "XL", labels_get(&cols, j, b), labels_get(&rows, i, rb));
        i++;
    }
    text_add(&out, "ENDATA\n");
    status = text_write(&out, path, error);
done:
    text_free(&out);
    mem_free(row);
    mem_free(col);
    return status;
}

typedef struct basis_reader {
    const char *path;
    long line;
    const vouch_lp_data *d;
    names rows, cols;
    unsigned char *row, *col;
    bool glpk; /* a solution of glpsol -w */
    int highs; /* 0: MPS; 1: HiGHS, before the lists; 2: its columns; 3: its rows */
    bool ended;
    vouch_error *error;
} basis_reader;

static vouch_status wrong(const basis_reader *r, const char *what, span s)
{
    return error_set(r->error, VOUCH_ERROR_INPUT, "%.150s:%ld: \"%.*s\", expected %s", r->path, r->line, SPAN_ARG(s), what);
}

static vouch_status read_mps_card(basis_reader *r, const span f[], int count)
{
    const vouch_lp_data *d = r->d;
    if (span_is(f[0], "ENDATA")) {
        r->ended = true;
        return VOUCH_OK;
    }
    bool pair = span_is(f[0], "XU") || span_is(f[0], "XL"), alone = span_is(f[0], "UL") || span_is(f[0], "LL");
    if (!pair && !alone) return wrong(r, "XU, XL, UL or LL", f[0]);
    if (count != (pair ? 3 : 2)) return wrong(r, pair ? "a column and a row after it" : "a column after it", f[0]);
    int j = names_find_bytes(&r->cols, f[1].at, f[1].length);
    if (j < 0) return wrong(r, "the name of a column", f[1]);
    double lower = d->col_lower[j], upper = d->col_upper[j];
    r->col[j] = pair ? VOUCH_BASIC : span_is(f[0], "UL") ? at_upper(lower, upper) : resting(lower, upper);
    if (!pair) return VOUCH_OK;
    int i = names_find_bytes(&r->rows, f[2].at, f[2].length);
    if (i < 0) return wrong(r, "the name of a row", f[2]);
    r->row[i] = span_is(f[0], "XU") ? at_upper(d->row_lower[i], d->row_upper[i]) : resting(d->row_lower[i], d->row_upper[i]);
    return VOUCH_OK;
}

static vouch_status read_highs_line(basis_reader *r, const span f[], int count)
{
    static const unsigned char meaning[] = {VOUCH_AT_LOWER, VOUCH_BASIC, VOUCH_AT_UPPER, VOUCH_NONBASIC_FREE, VOUCH_AT_LOWER};
    if (span_is(f[0], "Valid")) return VOUCH_OK;
    if (span_is(f[0], "#") && count >= 2) {
        r->highs = span_is(f[1], "Columns") ? 2 : 3;
        return VOUCH_OK;
    }
    if (r->highs == 1) return wrong(r, "# Columns", f[0]);
    if (count != 2 || f[1].length != 1 || *f[1].at < '0' || *f[1].at > '4')
        return wrong(r, "a name and a status from 0 to 4", f[0]);
    bool col = r->highs == 2;
    int k = names_find_bytes(col ? &r->cols : &r->rows, f[0].at, f[0].length);
    if (k < 0) return wrong(r, col ? "the name of a column" : "the name of a row", f[0]);
    unsigned char status = meaning[*f[1].at - '0'];
    double lower = col ? r->d->col_lower[k] : r->d->row_lower[k], upper = col ? r->d->col_upper[k] : r->d->row_upper[k];
    if (status == VOUCH_AT_UPPER)
        status = at_upper(lower, upper);
    else if (status != VOUCH_BASIC)
        status = resting(lower, upper);
    if (col)
        r->col[k] = status;
    else
        r->row[k] = status;
    return VOUCH_OK;
}

/* "i ROW b|l|u|f|s ..", "j COLUMN ..", "e o f". */
static vouch_status read_glpk_line(basis_reader *r, const span f[], int count)
{
    if (span_is(f[0], "e")) {
        r->ended = true;
        return VOUCH_OK;
    }
    double number;
    bool col = span_is(f[0], "j");
    int most = col ? r->d->cols : r->d->rows;
    if (!col && !span_is(f[0], "i")) return wrong(r, "i, j or e", f[0]);
    if (count < 3 || !span_number(f[1], &number) || !(number >= 1 && number <= most) || number != floor(number))
        return wrong(r, "the number of a row or column after it", f[0]);
    const char *letter = f[2].length == 1 ? strchr("blufs", *f[2].at) : NULL;
    if (!letter || !*letter) return wrong(r, "b, l, u, f or s", f[2]);
    int k = (int)number - 1;
    double lower = col ? r->d->col_lower[k] : r->d->row_lower[k], upper = col ? r->d->col_upper[k] : r->d->row_upper[k];
    (col ? r->col : r->row)[k] = *letter == 'b' ? VOUCH_BASIC : *letter == 'u' ? at_upper(lower, upper) : resting(lower, upper);
    return VOUCH_OK;
}

/* The line "s bas ROWS COLUMNS .." fits the program. */
static vouch_status read_glpk_head(basis_reader *r, const span f[], int count)
{
    double rows, cols;
    if (!span_is(f[1], "bas")) return wrong(r, "bas: only a basic solution has a basis", f[1]);
    if (count < 4 || !span_number(f[2], &rows) || !span_number(f[3], &cols) || rows != r->d->rows || cols != r->d->cols)
        return wrong(r, "the numbers of rows and columns of this program after it", f[1]);
    r->glpk = true;
    return VOUCH_OK;
}

static vouch_status read_lines(basis_reader *r, const char *bytes, size_t length)
{
    const char *end = bytes + length;
    while (bytes < end && !r->ended) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        span f[8], line = {bytes, (size_t)((stop ? stop : end) - bytes)};
        bytes += line.length + (stop != NULL);
        r->line++;
        int count = span_split(line, f, 8);
        if (count == 0 || *line.at == '*') continue;
        if (r->line == 1 && span_is(f[0], "HiGHS_basis_file")) {
            r->highs = 1;
            continue;
        }
        if (!r->highs && (span_is(f[0], "NAME") || span_is(f[0], "c"))) continue;
        if (!r->highs && !r->glpk && span_is(f[0], "s") && count >= 2) {
            vouch_status status = read_glpk_head(r, f, count);
            if (status != VOUCH_OK) return status;
            continue;
        }
        vouch_status status = r->glpk    ? read_glpk_line(r, f, count)
                              : r->highs ? read_highs_line(r, f, count)
                                         : read_mps_card(r, f, count);
        if (status != VOUCH_OK) return status;
    }
    if (!r->ended && r->highs < 3)
        return error_set(r->error, VOUCH_ERROR_INPUT, "%.150s:%ld: the file ends in the middle, expected ENDATA", r->path, r->line);
    return VOUCH_OK;
}

vouch_status vouch_lp_read_basis(vouch_lp *lp, const char *path, vouch_error *error)
{
    if (!lp || !path) return error_null(error);
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    basis_reader r = {.path = path, .d = &d, .error = error};
    char *bytes = NULL;
    size_t length;
    labels rows, cols;
    vouch_status status = file_read(path, FILE_CAP, &bytes, &length, error);
    if (status != VOUCH_OK) return status;
    r.row = MEM_NEW(unsigned char, d.rows);
    r.col = MEM_NEW(unsigned char, d.cols);
    status = r.row && r.col ? choose(lp, &rows, &cols) : VOUCH_ERROR_MEMORY;
    if (status == VOUCH_OK) status = fill_names(&rows, d.rows, &r.rows);
    if (status == VOUCH_OK) status = fill_names(&cols, d.cols, &r.cols);
    if (status != VOUCH_OK) {
        error_memory(error);
        goto done;
    }
    for (int i = 0; i < d.rows; i++) r.row[i] = VOUCH_BASIC;
    for (int j = 0; j < d.cols; j++) r.col[j] = resting(d.col_lower[j], d.col_upper[j]);
    status = read_lines(&r, bytes, length);
    if (status == VOUCH_OK && (status = vouch_lp_set_basis(lp, r.row, r.col)) != VOUCH_OK)
        error_set(error, status, "%.150s: the basis was refused: %s", path, vouch_status_text(status));
done:
    mem_free(bytes);
    mem_free(r.row);
    mem_free(r.col);
    names_free(&r.rows);
    names_free(&r.cols);
    return status;
}
