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

#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/glpk.h"
#include "io/scan.h"

enum { NOT_THERE = 255 };

typedef struct solution_reader {
    const char *path;
    long line;
    const vouch_lp_data *d;
    bool head, ended;
    glpk_reading *out;
    vouch_error *error;
} solution_reader;

static vouch_status wrong(const solution_reader *r, const char *what, span s)
{
    return error_set(r->error, VOUCH_ERROR_INPUT, "%.150s:%ld: \"%.*s\", expected %s", r->path, r->line, SPAN_ARG(s), what);
}

static glpk_state state_of(char primal, char dual)
{
    if (primal == 'n') return GLPK_INFEASIBLE;
    if (primal != 'f') return GLPK_UNDEFINED;
    return dual == 'f' ? GLPK_OPTIMAL : dual == 'n' ? GLPK_UNBOUNDED : GLPK_FEASIBLE;
}

static bool one_of(span s, const char *letters) { return s.length == 1 && strchr(letters, *s.at) && *s.at; }

static vouch_status read_head(solution_reader *r, const span f[], int count)
{
    glpk_solution *s = &r->out->solution;
    double rows, cols;
    const char *kind = s->mip ? "mip" : "bas";
    int states = s->mip ? 1 : 2;
    if (!span_is(f[0], "s") || count < 2) return wrong(r, "a line \"s bas ..\" or \"s mip ..\"", f[0]);
    if (!span_is(f[1], kind))
        return wrong(r, s->mip ? "mip, a solution of an integer program (--nomip: of its relaxation)" : "bas, a basic solution",
                     f[1]);
    if (count < 4 || !span_number(f[2], &rows) || !span_number(f[3], &cols) || rows != r->d->rows || cols != r->d->cols)
        return wrong(r, "the numbers of rows and columns of this program after it", f[1]);
    if (count != 5 + states) return wrong(r, s->mip ? "a state and a value after the numbers" : "two states and a value", f[1]);
    for (int k = 4; k < 4 + states; k++)
        if (!one_of(f[k], s->mip ? "ofnu" : "finu")) return wrong(r, s->mip ? "o, f, n or u" : "f, i, n or u", f[k]);
    if (!span_number(f[4 + states], &s->objective) || !isfinite(s->objective)) return wrong(r, "a number", f[4 + states]);
    char state = *f[4].at;
    s->state = !s->mip ? state_of(state, *f[5].at) : state == 'o' ? GLPK_OPTIMAL : state_of(state, 'u');
    r->head = true;
    return VOUCH_OK;
}

/* Has it the bound where the letter says that it is? */
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

static vouch_status read_value(solution_reader *r, const span f[], int count)
{
    static const char letters[] = "bluf";
    static const unsigned char status_of[] = {VOUCH_BASIC, VOUCH_AT_LOWER, VOUCH_AT_UPPER, VOUCH_NONBASIC_FREE};
    glpk_reading *out = r->out;
    const vouch_lp_data *d = r->d;
    bool col = span_is(f[0], "j"), mip = out->solution.mip;
    double number, value, dual = 0;
    if (!col && !span_is(f[0], "i")) return wrong(r, "i, j or e", f[0]);
    if (count < 2 || !span_number(f[1], &number) || !(number >= 1 && number <= (col ? r->d->cols : r->d->rows)) ||
        number != floor(number))
        return wrong(r, "the number of a row or column after it", f[0]);
    if (count != (mip ? 3 : 5)) return wrong(r, mip ? "a value after it" : "a status, a value and a dual value after it", f[1]);
    int k = (int)number - 1, at = mip ? 2 : 3;
    unsigned char *status = (col ? out->col_status : out->row_status) + k;
    if (*status != NOT_THERE) return wrong(r, "one line for each row and column", f[1]);
    if (!mip && !one_of(f[2], "blufs")) return wrong(r, "b, l, u, f or s", f[2]);
    if (!mip && !fits(*f[2].at, (col ? d->col_lower : d->row_lower)[k], (col ? d->col_upper : d->row_upper)[k]))
        return wrong(r, "a status of a bound that it has", f[2]);
    if (!span_number(f[at], &value) || !isfinite(value)) return wrong(r, "a number", f[at]);
    if (!mip && (!span_number(f[4], &dual) || !isfinite(dual))) return wrong(r, "a number", f[4]);
    *status = mip ? VOUCH_BASIC : *f[2].at == 's' ? VOUCH_NONBASIC_FIXED : status_of[strchr(letters, *f[2].at) - letters];
    (col ? out->x : out->row_activity)[k] = value;
    (col ? out->reduced_cost : out->row_dual)[k] = dual;
    return VOUCH_OK;
}

static vouch_status read_lines(solution_reader *r, const char *bytes, size_t length)
{
    const char *end = bytes + length;
    while (bytes < end && !r->ended) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        span f[8], line = {bytes, (size_t)((stop ? stop : end) - bytes)};
        bytes += line.length + (stop != NULL);
        r->line++;
        int count = span_split(line, f, 8);
        if (count == 0 || span_is(f[0], "c")) continue;
        if (r->head && span_is(f[0], "e")) {
            r->ended = true;
            continue;
        }
        vouch_status status = r->head ? read_value(r, f, count) : read_head(r, f, count);
        if (status != VOUCH_OK) return status;
    }
    if (!r->ended)
        return error_set(r->error, VOUCH_ERROR_INPUT, "%.150s:%ld: the file ends in the middle, expected e o f", r->path, r->line);
    const unsigned char *without = memchr(r->out->row_status, NOT_THERE, (size_t)r->d->rows);
    if (without)
        return error_set(r->error, VOUCH_ERROR_INPUT, "%.150s: there is no line of row %ld", r->path,
                         (long)(without - r->out->row_status) + 1);
    without = memchr(r->out->col_status, NOT_THERE, (size_t)r->d->cols);
    if (!without) return VOUCH_OK;
    return error_set(r->error, VOUCH_ERROR_INPUT, "%.150s: there is no line of column %ld", r->path,
                     (long)(without - r->out->col_status) + 1);
}

vouch_status glpk_read(const vouch_lp *lp, bool mip, const char *path, glpk_reading *out, vouch_error *error)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    int m = d.rows, n = d.cols;
    solution_reader r = {.path = path, .d = &d, .out = out, .error = error};
    char *bytes = NULL;
    size_t length;
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
    vouch_status status = file_read(path, FILE_CAP, &bytes, &length, error);
    if (!status) status = read_lines(&r, bytes, length);
    mem_free(bytes);
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
