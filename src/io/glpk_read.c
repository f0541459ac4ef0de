/* io/glpk_read.c - solutions in glpsol's plain layout (glpsol -w, vouch lp -w) back from a file:
 *
 *     s bas ROWS COLUMNS p d OBJECTIVE    p, d in f (feasible), i (infeasible), n (proved that there is none), u (undefined)
 *     s mip ROWS COLUMNS state OBJECTIVE  o (optimal), f (feasible), n (proved that there is none), u (undefined)
 *     i ROW [b|l|u|f|s] VALUE [DUAL]      status and dual of "s bas" only; j COLUMN .. the same
 *     e o f
 *
 * Comments are lines "c ..". Every row and column has one line.
 */
#include <math.h>
#include <string.h>

#include "io/escape.h"
#include "io/glpk.h"
#include "io/scan.h"

enum { NOT_THERE = 255 };

typedef struct solution_reader {
    const char *path;
    long line;
    vouch_lp_data d;
    bool head, ended;
    glpk_reading *out;
    escape *e;
} solution_reader;

static _Noreturn void wrong(const solution_reader *r, const char *what, span s)
{
    escape_fail(r->e, VOUCH_ERROR_INPUT, "%.150s:%ld: \"%.*s\", expected %s", r->path, r->line, SPAN_ARG(s), what);
}

static glpk_state state_of(char primal, char dual)
{
    if (primal == 'n') return GLPK_INFEASIBLE;
    if (primal != 'f') return GLPK_UNDEFINED;
    return dual == 'f' ? GLPK_OPTIMAL : dual == 'n' ? GLPK_UNBOUNDED : GLPK_FEASIBLE;
}

static bool one_of(span s, const char *letters) { return s.length == 1 && strchr(letters, *s.at) && *s.at; }

static void read_head(solution_reader *r, const span f[], int count)
{
    glpk_solution *s = &r->out->solution;
    double rows, cols;
    const char *kind = s->mip ? "mip" : "bas";
    int states = s->mip ? 1 : 2;
    if (!span_is(f[0], "s") || count < 2) wrong(r, "a line \"s bas ..\" or \"s mip ..\"", f[0]);
    if (!span_is(f[1], kind))
        wrong(r, s->mip ? "mip, a solution of an integer program (--nomip: of its relaxation)" : "bas, a basic solution", f[1]);
    if (count < 4 || !span_number(f[2], &rows) || !span_number(f[3], &cols) || rows != r->d.rows || cols != r->d.cols)
        wrong(r, "the numbers of rows and columns of this program after it", f[1]);
    if (count != 5 + states) wrong(r, s->mip ? "a state and a value after the numbers" : "two states and a value", f[1]);
    for (int k = 4; k < 4 + states; k++)
        if (!one_of(f[k], s->mip ? "ofnu" : "finu")) wrong(r, s->mip ? "o, f, n or u" : "f, i, n or u", f[k]);
    if (!span_number(f[4 + states], &s->objective) || !isfinite(s->objective)) wrong(r, "a number", f[4 + states]);
    char state = *f[4].at;
    s->state = !s->mip ? state_of(state, *f[5].at) : state == 'o' ? GLPK_OPTIMAL : state_of(state, 'u');
    r->head = true;
}

/* Does the bound exist at which this letter places it? */
static bool fits(char letter, double lower, double upper)
{
    switch (letter) {
    case 'l':
        return isfinite(lower);
    case 'u':
        return isfinite(upper);
    case 's':
        return lower == upper;
    default:
        return letter == 'b' || (isinf(lower) && isinf(upper));
    }
}

static void read_value(solution_reader *r, const span f[], int count)
{
    static const char letters[] = "bluf";
    static const unsigned char status_of[] = {VOUCH_BASIC, VOUCH_AT_LOWER, VOUCH_AT_UPPER, VOUCH_NONBASIC_FREE};
    glpk_reading *out = r->out;
    const vouch_lp_data *d = &r->d;
    bool col = span_is(f[0], "j"), mip = out->solution.mip;
    double number, value, dual = 0;
    if (!col && !span_is(f[0], "i")) wrong(r, "i, j or e", f[0]);
    if (count < 2 || !span_number(f[1], &number) || !(number >= 1 && number <= (col ? r->d.cols : r->d.rows)) ||
        number != floor(number))
        wrong(r, "the number of a row or column after it", f[0]);
    if (count != (mip ? 3 : 5)) wrong(r, mip ? "a value after it" : "a status, a value and a dual value after it", f[1]);
    int k = (int)number - 1, at = mip ? 2 : 3;
    unsigned char *status = (col ? out->col_status : out->row_status) + k;
    if (*status != NOT_THERE) wrong(r, "one line for each row and column", f[1]);
    if (!mip && !one_of(f[2], "blufs")) wrong(r, "b, l, u, f or s", f[2]);
    if (!mip && !fits(*f[2].at, (col ? d->col_lower : d->row_lower)[k], (col ? d->col_upper : d->row_upper)[k]))
        wrong(r, "a status of a bound that it has", f[2]);
    if (!span_number(f[at], &value) || !isfinite(value)) wrong(r, "a number", f[at]);
    if (!mip && (!span_number(f[4], &dual) || !isfinite(dual))) wrong(r, "a number", f[4]);
    *status = mip ? VOUCH_BASIC : *f[2].at == 's' ? VOUCH_NONBASIC_FIXED : status_of[strchr(letters, *f[2].at) - letters];
    (col ? out->x : out->row_activity)[k] = value;
    (col ? out->reduced_cost : out->row_dual)[k] = dual;
}

static void read_lines(solution_reader *r, const file_content *file)
{
    const char *at = file->bytes;
    span line;
    while (!r->ended && span_line(&at, file->bytes + file->length, &line)) {
        span f[8];
        r->line++;
        int count = span_split(line, f, 8);
        if (count == 0 || span_is(f[0], "c")) continue;
        if (r->head && span_is(f[0], "e"))
            r->ended = true;
        else
            (r->head ? read_value : read_head)(r, f, count);
    }
    if (!r->ended)
        escape_fail(r->e, VOUCH_ERROR_INPUT, "%.150s:%ld: the file ends in the middle, expected e o f", r->path, r->line);
    const unsigned char *row = memchr(r->out->row_status, NOT_THERE, (size_t)r->d.rows);
    const unsigned char *col = memchr(r->out->col_status, NOT_THERE, (size_t)r->d.cols);
    if (row || col)
        escape_fail(r->e, VOUCH_ERROR_INPUT, "%.150s: there is no line of %s %ld", r->path, row ? "row" : "column",
                    (long)(row ? row - r->out->row_status : col - r->out->col_status) + 1);
}

static void read_solution(void *object)
{
    solution_reader *r = object;
    read_lines(r, escape_load(r->e, r->path));
}

vouch_status glpk_read(const vouch_lp *lp, bool mip, const char *path, glpk_reading *out, vouch_error *error)
{
    escape e = {.error = error};
    solution_reader r = {.path = path, .out = out, .e = &e};
    vouch_lp_view(lp, &r.d);
    int m = r.d.rows, n = r.d.cols;
    *out = (glpk_reading){.x = MEM_ZERO(double, n),
                          .row_activity = MEM_ZERO(double, m),
                          .row_dual = MEM_ZERO(double, m),
                          .reduced_cost = MEM_ZERO(double, n),
                          .row_status = MEM_NEW(unsigned char, m),
                          .col_status = MEM_NEW(unsigned char, n)};
    if (!out->x || !out->row_activity || !out->row_dual || !out->reduced_cost || !out->row_status || !out->col_status)
        return error_memory(error);
    memset(out->row_status, NOT_THERE, (size_t)m);
    memset(out->col_status, NOT_THERE, (size_t)n);
    out->solution = (glpk_solution){.lp = lp, .mip = mip, .x = out->x, .row_activity = out->row_activity};
    if (!mip) {
        out->solution.row_dual = out->row_dual, out->solution.reduced_cost = out->reduced_cost;
        out->solution.row_status = out->row_status, out->solution.col_status = out->col_status;
    }
    vouch_status status = escape_try(&e, read_solution, &r);
    escape_end(&e);
    return status;
}

void glpk_reading_free(glpk_reading *r)
{
    mem_free(r->x);
    mem_free(r->row_activity);
    mem_free(r->row_dual);
    mem_free(r->reduced_cost);
    mem_free(r->row_status);
    mem_free(r->col_status);
}
