/* io/glpformat.c - reads and writes GLPK's own problem format.
 *
 *     c a comment
 *     p lp|mip min|max ROWS COLUMNS ENTRIES
 *     n p NAME      n z NAME      n i ROW NAME      n j COLUMN NAME
 *     i ROW f | l LOWER | u UPPER | d LOWER UPPER | s VALUE         without a line: 0
 *     j COLUMN [c|i] the same                                       without a line: [0, inf), or in a mip an integer in [0, 1]
 *     a ROW COLUMN VALUE                                            row 0: the objective, column 0 there: its constant
 *     e o f
 *
 * Source: the GLPK reference manual, GLPK LP/MIP format, and what glpsol 5.0 writes. Numbers have 15 digits where these give the
 * number back, else as many as it takes.
 */
#include "io/lpfile.h"

#include "base/transpose.h"

enum {
    FIELDS = 7,
    SILENT_MOST = 1 << 17 /* rows, or columns, that may have no line: a few digits must not take all memory */
};

typedef struct glp_reader {
    const char *file;
    long line;
    problem p;
    span field[FIELDS];
    int count;
    bool mip, begun, ended;
    int rows, cols;
    double most; /* rows, and columns, that a file of this length may have */
    long long entries, seen;
    span *row_name, *col_name; /* [rows], [cols]; length 0: none */
    problem_row *row;
    problem_col *col;
    bool *row_set, *col_set;
    const file_content *content;
    vouch_lp *lp;
} glp_reader;

static _Noreturn void wrong(const glp_reader *r, const char *what)
{
    escape_fail(r->p.e, VOUCH_ERROR_INPUT, "%.150s:%ld: %s", r->file, r->line, what);
}

static bool whole(span s, double least, double most, double *value)
{
    return span_number(s, value) && *value == floor(*value) && *value >= least && *value <= most;
}

static void read_head(glp_reader *r)
{
    enum { MOST = 1 << 30 };
    double rows, cols, entries;
    if (r->count != 6 || !(span_is(r->field[1], "lp") || span_is(r->field[1], "mip")) ||
        !(span_is(r->field[2], "min") || span_is(r->field[2], "max")) || !whole(r->field[3], 0, MOST, &rows) ||
        !whole(r->field[4], 0, MOST, &cols) || !whole(r->field[5], 0, 1e15, &entries))
        wrong(r, "expected p lp|mip min|max ROWS COLUMNS ENTRIES");
    if (rows > r->most || cols > r->most) wrong(r, "more rows or columns than a file of this length describes");
    r->begun = true;
    r->mip = span_is(r->field[1], "mip");
    r->p.maximize = span_is(r->field[2], "max");
    r->rows = (int)rows, r->cols = (int)cols, r->entries = (long long)entries;
    r->row_name = ESCAPE_ZERO(r->p.e, span, rows), r->col_name = ESCAPE_ZERO(r->p.e, span, cols);
    r->row = ESCAPE_ZERO(r->p.e, problem_row, rows), r->col = ESCAPE_ZERO(r->p.e, problem_col, cols);
    r->row_set = ESCAPE_ZERO(r->p.e, bool, rows), r->col_set = ESCAPE_ZERO(r->p.e, bool, cols);
    for (int j = 0; j < r->cols; j++) r->col[j].upper = r->mip ? 1 : INFINITY, r->col[j].integer = r->mip;
}

/* A row's or column's number in a field, counted from 0. */
static int read_index(const glp_reader *r, int field, int least, int most)
{
    double value;
    if (r->count <= field || !whole(r->field[field], least, most, &value))
        escape_fail(r->p.e, VOUCH_ERROR_INPUT, "%.150s:%ld: expected a number between %d and %d after \"%.*s\"", r->file, r->line,
                    least, most, SPAN_ARG(r->field[field - 1]));
    return (int)value - 1;
}

/* Bounds from the letter at `field` on. */
static void read_bounds(const glp_reader *r, int field, double *lower, double *upper)
{
    static const char kinds[] = "fluds";
    static const int numbers[] = {0, 1, 1, 2, 1};
    const char *kind = r->count > field && r->field[field].length == 1 ? strchr(kinds, *r->field[field].at) : NULL;
    double v[2] = {0, 0};
    if (!kind || !*kind || r->count != field + 1 + numbers[kind - kinds])
        wrong(r, "expected f, l LOWER, u UPPER, d LOWER UPPER or s VALUE");
    for (int k = 0; k < numbers[kind - kinds]; k++)
        if (!span_number(r->field[field + 1 + k], &v[k])) wrong(r, "expected a number as bound");
    *lower = *kind == 'f' || *kind == 'u' ? -INFINITY : v[0];
    *upper = *kind == 'f' || *kind == 'l' ? INFINITY : *kind == 'd' ? v[1] : v[0];
    if (*lower <= -FILE_INFINITY) *lower = -INFINITY;
    if (*upper >= FILE_INFINITY) *upper = INFINITY;
    if (*lower >= FILE_INFINITY || *upper <= -FILE_INFINITY) wrong(r, "a bound that no value keeps");
}

static void read_row(glp_reader *r)
{
    int i = read_index(r, 1, 1, r->rows);
    if (r->row_set[i]) wrong(r, "this row was described before");
    r->row_set[i] = true;
    read_bounds(r, 2, &r->row[i].lower, &r->row[i].upper);
}

static void read_col(glp_reader *r)
{
    int j = read_index(r, 1, 1, r->cols);
    if (r->col_set[j]) wrong(r, "this column was described before");
    r->col_set[j] = true;
    if (r->mip) {
        bool integer = r->count > 2 && span_is(r->field[2], "i");
        if (!integer && !(r->count > 2 && span_is(r->field[2], "c"))) wrong(r, "expected c or i after the column");
        r->col[j].integer = integer;
    }
    read_bounds(r, r->mip ? 3 : 2, &r->col[j].lower, &r->col[j].upper);
}

static void read_name(glp_reader *r)
{
    bool problem_name = r->count == 3 && span_is(r->field[1], "p"), objective = r->count == 3 && span_is(r->field[1], "z");
    if (problem_name || objective) {
        char **name = problem_name ? &r->p.name : &r->p.objective_name;
        if (*name) wrong(r, "this was named before");
        *name = escape_bytes(r->p.e, r->field[2].at, r->field[2].length);
        return;
    }
    bool row = r->count == 4 && span_is(r->field[1], "i");
    if (!row && !(r->count == 4 && span_is(r->field[1], "j")))
        wrong(r, "expected n p NAME, n z NAME, n i ROW NAME or n j COLUMN NAME");
    int k = read_index(r, 2, 1, row ? r->rows : r->cols);
    span *name = (row ? r->row_name : r->col_name) + k;
    if (name->length) wrong(r, "this was named before");
    *name = r->field[3];
}

static void read_entry(glp_reader *r)
{
    double value;
    int i = read_index(r, 1, 0, r->rows), j = read_index(r, 2, i < 0 ? 0 : 1, r->cols);
    if (r->count != 4 || !span_number(r->field[3], &value) || !isfinite(value)) wrong(r, "expected a ROW COLUMN VALUE");
    if (i < 0 && j < 0) {
        r->p.offset = value;
    } else if (i < 0) {
        if (r->col[j].cost != 0) wrong(r, "this cost was given before");
        r->col[j].cost = value;
    } else {
        if (++r->seen > r->entries) wrong(r, "more entries than the first line says");
        ESCAPE_GROW(r->p.e, &r->p.entry, &r->p.entry_capacity, r->p.entries);
        r->p.entry[r->p.entries++] = (problem_entry){i, j, value};
    }
}

static void read_line(glp_reader *r)
{
    static const struct {
        const char *word;
        void (*read)(glp_reader *r);
    } lines[] = {{"i", read_row}, {"j", read_col}, {"n", read_name}, {"a", read_entry}};
    span f = r->field[0];
    if (r->count == 0 || span_is(f, "c")) return;
    bool head = span_is(f, "p");
    if (!r->begun && !head) wrong(r, "expected p lp|mip min|max ROWS COLUMNS ENTRIES first");
    if (r->begun && head) wrong(r, "a second line p");
    r->ended = span_is(f, "e");
    if (head) read_head(r);
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        if (span_is(f, lines[k].word)) {
            lines[k].read(r);
            return;
        }
    if (!head && !r->ended) wrong(r, "expected a line that begins with c, p, n, i, j, a or e");
}

static void read_lines(glp_reader *r)
{
    const char *at = r->content->bytes, *end = at + r->content->length;
    span line;
    while (!r->ended && span_line(&at, end, &line)) {
        line = span_trim(line);
        r->line++;
        if (line.length >= 1 && *line.at == 'c' && (line.length == 1 || line.at[1] == ' ')) continue;
        r->count = span_split(line, r->field, FIELDS);
        read_line(r);
    }
    if (!r->begun) wrong(r, "expected p lp|mip min|max ROWS COLUMNS ENTRIES");
    if (!r->ended) wrong(r, "the file ends in the middle, expected e o f");
    if (r->seen < r->entries) wrong(r, "fewer entries than the first line says");
}

/* Names in the order of numbers; one that stands twice is refused, one that is missing is for the while one that no file can
 * say. */
static void name_all(glp_reader *r, bool rows)
{
    const span *name = rows ? r->row_name : r->col_name;
    for (int k = 0; k < (rows ? r->rows : r->cols); k++) {
        char made[24];
        span s = name[k];
        if (!s.length) s = (span){made, (size_t)format_text(made, sizeof made, " %d", k + 1)};
        if (names_find_bytes(rows ? &r->p.row_names : &r->p.col_names, s.at, s.length) >= 0)
            escape_fail(r->p.e, VOUCH_ERROR_INPUT, "%.150s: the name \"%.*s\" stands twice", r->file, SPAN_ARG(s));
        (rows ? problem_add_row : problem_add_col)(&r->p, s.at, s.length);
        if (rows)
            r->p.row[k] = r->row[k];
        else
            r->p.col[k] = r->col[k];
    }
}

static void read_problem(void *object)
{
    glp_reader *r = object;
    escape *e = r->p.e;
    problem_start(&r->p, e);
    if (memchr(r->content->bytes, '\0', r->content->length)) wrong(r, "a zero byte, expected text");
    read_lines(r);
    name_all(r, true);
    name_all(r, false);
    must(e, problem_finish(&r->p, &r->lp, e->error));
    for (int i = 0; i < r->rows; i++) /* a row without a name in the file has none */
        if (!r->row_name[i].length) must(e, vouch_lp_set_row_name(r->lp, i, ""));
    for (int j = 0; j < r->cols; j++)
        if (!r->col_name[j].length) must(e, vouch_lp_set_col_name(r->lp, j, ""));
}

vouch_status glpformat_read(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp,
                            vouch_error *error)
{
    escape e = {.error = error};
    glp_reader r = {.file = file->name, .most = SILENT_MOST + (double)file->length, .p = {.e = &e}, .content = file};
    (void)format;
    (void)log;
    vouch_status status = escape_try(&e, read_problem, &r);
    if (status) vouch_lp_free(r.lp);
    *lp = status ? NULL : r.lp;
    escape_end(&e);
    return status;
}

/* ---- writing ------------------------------------------------------------------------------------------------------- */

static const char *digits15(double v, char out[32])
{
    format_text(out, 32, "%.15g", v);
    return number_read(out, NULL) == v ? out : text_number(v, out);
}

static void write_bounds(text *out, double lower, double upper)
{
    char a[32], b[32];
    if (isinf(lower) && isinf(upper))
        text_add(out, " f\n");
    else if (isinf(upper))
        text_add(out, " l %s\n", digits15(lower, a));
    else if (isinf(lower))
        text_add(out, " u %s\n", digits15(upper, a));
    else if (lower == upper)
        text_add(out, " s %s\n", digits15(lower, a));
    else
        text_add(out, " d %s %s\n", digits15(lower, a), digits15(upper, b));
}

static bool usable(const char *name) { return *name && !strpbrk(name, " \t\r\n"); }

static vouch_status write_entries(const vouch_lp_data *d, text *out)
{
    char digits[32];
    int64_t count = d->start[d->cols], *start = MEM_NEW(int64_t, (size_t)d->rows + 1);
    int *index = MEM_NEW(int, count);
    double *value = MEM_NEW(double, count);
    bool there = start && index && value;
    if (there) {
        transpose(&(line_matrix){d->cols, d->start, d->index, d->value}, d->rows, start, index, value);
        for (int i = 0; i < d->rows; i++)
            for (int64_t k = start[i]; k < start[i + 1]; k++)
                text_add(out, "a %d %d %s\n", i + 1, index[k] + 1, digits15(value[k], digits));
    }
    MEM_FREE_ALL(start, index, value);
    return there ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

vouch_status glpformat_write(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error)
{
    vouch_lp_data d;
    char digits[32];
    bool mip = false;
    (void)format;
    vouch_lp_view(lp, &d);
    if (vouch_lp_sos1_count(lp) > 0) return error_set(error, VOUCH_ERROR_INPUT, "GLPK's format cannot say SOS1 sets");
    for (int j = 0; j < d.cols; j++) mip = mip || vouch_lp_is_integer(lp, j);
    text_add(out, "p %s %s %d %d %lld\n", mip ? "mip" : "lp", d.maximize ? "max" : "min", d.rows, d.cols,
             (long long)d.start[d.cols]);
    if (usable(vouch_lp_name(lp))) text_add(out, "n p %s\n", vouch_lp_name(lp));
    if (usable(vouch_lp_objective_name(lp))) text_add(out, "n z %s\n", vouch_lp_objective_name(lp));
    for (int i = 0; i < d.rows; i++) {
        bool fixed = d.row_lower[i] == 0 && d.row_upper[i] == 0;
        if (!fixed) text_add(out, "i %d", i + 1), write_bounds(out, d.row_lower[i], d.row_upper[i]);
        if (usable(vouch_lp_row_name(lp, i))) text_add(out, "n i %d %s\n", i + 1, vouch_lp_row_name(lp, i));
    }
    for (int j = 0; j < d.cols; j++) {
        bool integer = vouch_lp_is_integer(lp, j) != 0,
             usual = d.col_lower[j] == 0 && d.col_upper[j] == (mip ? 1 : INFINITY) && integer == mip;
        if (!usual) {
            text_add(out, "j %d%s", j + 1, !mip ? "" : integer ? " i" : " c");
            write_bounds(out, d.col_lower[j], d.col_upper[j]);
        }
        if (usable(vouch_lp_col_name(lp, j))) text_add(out, "n j %d %s\n", j + 1, vouch_lp_col_name(lp, j));
    }
    if (d.offset != 0) text_add(out, "a 0 0 %s\n", digits15(d.offset, digits));
    for (int j = 0; j < d.cols; j++)
        if (d.cost[j] != 0) text_add(out, "a 0 %d %s\n", j + 1, digits15(d.cost[j], digits));
    if (write_entries(&d, out)) return error_memory(error);
    text_add(out, "e o f\n");
    return out->failed ? error_memory(error) : VOUCH_OK;
}
