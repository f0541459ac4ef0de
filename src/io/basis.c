/* io/basis.c - simplex bases from and to files.
 *
 * The MPS basis format names a basic column together with a nonbasic row ("XU column row": the row at its upper bound, XL: at its
 * lower), and the nonbasic columns at their upper bound (UL). Everything else is at its lower bound if a column, basic if a row.
 * Files of the HiGHS kind (a status digit for each name) and glpsol's plain solutions are read as well, never written here.
 */

#include "io/lpfile.h"

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
        if (i == m) break; /* more basic columns than nonbasic rows: not a basis, which the solver repairs and reports */
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
    vouch_lp *lp;
    vouch_lp_data d;
    names rows, cols;
    unsigned char *row, *col;
    glpk_reading solution; /* of glpsol -w */
    int highs;             /* 0: MPS; 1: HiGHS, before the lists; 2: its columns; 3: its rows */
    bool ended;
    escape *e;
} basis_reader;

static _Noreturn void wrong(const basis_reader *r, const char *what, span s)
{
    escape_fail(r->e, VOUCH_ERROR_INPUT, "%.150s:%ld: \"%.*s\", expected %s", r->path, r->line, SPAN_ARG(s), what);
}

/* Status `basic`, `upper` or at rest, of row or column k. */
static void set_status(basis_reader *r, bool col, int k, unsigned char wanted)
{
    double lower = col ? r->d.col_lower[k] : r->d.row_lower[k], upper = col ? r->d.col_upper[k] : r->d.row_upper[k];
    (col ? r->col : r->row)[k] = wanted == VOUCH_BASIC      ? VOUCH_BASIC
                                 : wanted == VOUCH_AT_UPPER ? at_upper(lower, upper)
                                                            : resting(lower, upper);
}

static int find(const basis_reader *r, bool col, span name)
{
    int k = names_find_bytes(col ? &r->cols : &r->rows, name.at, name.length);
    if (k < 0) wrong(r, col ? "the name of a column" : "the name of a row", name);
    return k;
}

static void read_mps_card(basis_reader *r, const span f[], int count)
{
    r->ended = span_is(f[0], "ENDATA");
    if (r->ended) return;
    bool pair = span_is(f[0], "XU") || span_is(f[0], "XL"), alone = span_is(f[0], "UL") || span_is(f[0], "LL");
    if (!pair && !alone) wrong(r, "XU, XL, UL or LL", f[0]);
    if (count != (pair ? 3 : 2)) wrong(r, pair ? "a column and a row after it" : "a column after it", f[0]);
    set_status(r, true, find(r, true, f[1]), pair ? VOUCH_BASIC : span_is(f[0], "UL") ? VOUCH_AT_UPPER : VOUCH_AT_LOWER);
    if (pair) set_status(r, false, find(r, false, f[2]), span_is(f[0], "XU") ? VOUCH_AT_UPPER : VOUCH_AT_LOWER);
}

static void read_highs_line(basis_reader *r, const span f[], int count)
{
    static const unsigned char meaning[] = {VOUCH_AT_LOWER, VOUCH_BASIC, VOUCH_AT_UPPER, VOUCH_NONBASIC_FREE, VOUCH_AT_LOWER};
    if (span_is(f[0], "Valid")) return;
    if (span_is(f[0], "#") && count >= 2) {
        r->highs = span_is(f[1], "Columns") ? 2 : 3;
        return;
    }
    if (r->highs == 1) wrong(r, "# Columns", f[0]);
    if (count != 2 || f[1].length != 1 || *f[1].at < '0' || *f[1].at > '4') wrong(r, "a name and a status from 0 to 4", f[0]);
    bool col = r->highs == 2;
    set_status(r, col, find(r, col, f[0]), meaning[*f[1].at - '0']);
}

static void read_lines(basis_reader *r, const file_content *file)
{
    const char *at = file->bytes;
    span line;
    while (!r->ended && span_line(&at, file->bytes + file->length, &line)) {
        span f[8];
        r->line++;
        int count = span_split(line, f, 8);
        if (count == 0 || *line.at == '*') continue;
        if (r->line == 1 && span_is(f[0], "HiGHS_basis_file"))
            r->highs = 1;
        else if (!r->highs && span_is(f[0], "NAME"))
            continue;
        else
            (r->highs ? read_highs_line : read_mps_card)(r, f, count);
    }
    if (!r->ended && r->highs < 3)
        escape_fail(r->e, VOUCH_ERROR_INPUT, "%.150s:%ld: the file ends in the middle, expected ENDATA", r->path, r->line);
}

/* A solution of glpsol -w? */
static bool is_solution(const file_content *file)
{
    span line, f[1];
    for (const char *at = file->bytes; span_line(&at, file->bytes + file->length, &line);)
        if (span_split(line, f, 1) > 0 && !span_is(f[0], "c")) return span_is(f[0], "s");
    return false;
}

static void read_basis(void *object)
{
    basis_reader *r = object;
    const vouch_lp_data *d = &r->d;
    labels rows, cols;
    const file_content *file = escape_load(r->e, r->path);
    escape_names(r->e, &r->rows);
    escape_names(r->e, &r->cols);
    r->row = ESCAPE_NEW(r->e, unsigned char, d->rows);
    r->col = ESCAPE_NEW(r->e, unsigned char, d->cols);
    if (choose(r->lp, &rows, &cols)) escape_memory(r->e);
    label_buffer b;
    for (int i = 0; i < d->rows; i++) must_count(r->e, names_add(&r->rows, labels_get(&rows, i, b)));
    for (int j = 0; j < d->cols; j++) must_count(r->e, names_add(&r->cols, labels_get(&cols, j, b)));
    for (int i = 0; i < d->rows; i++) r->row[i] = VOUCH_BASIC;
    for (int j = 0; j < d->cols; j++) r->col[j] = resting(d->col_lower[j], d->col_upper[j]);
    if (!is_solution(file))
        read_lines(r, file);
    else
        must(r->e, glpk_read(r->lp, false, r->path, &r->solution, r->e->error));
    if (r->solution.row_status) r->row = r->solution.row_status, r->col = r->solution.col_status;
    vouch_status status = vouch_lp_set_basis(r->lp, r->row, r->col);
    if (status) escape_fail(r->e, status, "%.150s: the basis was refused: %s", r->path, vouch_status_text(status));
}

vouch_status vouch_lp_read_basis(vouch_lp *lp, const char *path, vouch_error *error)
{
    if (!lp || !path) return error_null(error);
    escape e = {.error = error};
    basis_reader r = {.path = path, .lp = lp, .e = &e};
    vouch_lp_view(lp, &r.d);
    disk_hold(); /* a solution is read again */
    vouch_status status = escape_run(&e, read_basis, &r);
    disk_drop();
    glpk_reading_free(&r.solution);
    return status;
}
