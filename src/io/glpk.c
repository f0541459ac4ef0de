/* io/glpk.c - see lpfile.h.
 *
 * The layout is the same as in GLPK 5.0, with the blank at the end of a line, so that outputs can be compared by diff. These may
 * differ: the vertex where it is not unique, the rounding errors quoted, and the state of an integer program without a feasible
 * point, which is called EMPTY here whenever that is proved (glpsol says UNDEFINED when it stops at the relaxation).
 */
#include "io/lpfile.h"

/* |value| up to which the report shows 0 or "< eps": the report has six digits, the plain file has all. */
static const double SHOWN_ZERO = 1e-9;

static double at(const double *values, int i) { return values ? values[i] : 0; }

/* Where a nonbasic row's activity, as a sum, only rounds off its bound the row stands at the bound. */
static const double ROUNDING = 1e-9;

static double glpk_row_value(const glpk_solution *s, const vouch_lp_data *d, int i)
{
    double value = at(s->row_activity, i);
    if (s->mip || s->row_status[i] == VOUCH_BASIC || s->row_status[i] == VOUCH_NONBASIC_FREE) return value;
    double bound = s->row_status[i] == VOUCH_AT_UPPER ? d->row_upper[i] : d->row_lower[i];
    return fabs(value - bound) <= ROUNDING * (1 + fabs(bound)) ? bound : value;
}

static void counts(const vouch_lp *lp, const vouch_lp_data *d, int *integers, int *binaries)
{
    *integers = *binaries = 0;
    for (int j = 0; j < d->cols; j++) {
        if (!vouch_lp_is_integer(lp, j)) continue;
        ++*integers;
        *binaries += d->col_lower[j] == 0 && d->col_upper[j] == 1;
    }
}

static const char *state_text(const glpk_solution *s)
{
    static const char *const of[][2] = {[GLPK_OPTIMAL] = {"OPTIMAL", "INTEGER OPTIMAL"},
                                        [GLPK_FEASIBLE] = {"FEASIBLE", "INTEGER NON-OPTIMAL"},
                                        [GLPK_INFEASIBLE] = {"INFEASIBLE (FINAL)", "INTEGER EMPTY"},
                                        [GLPK_UNBOUNDED] = {"UNBOUNDED", "INTEGER UNDEFINED"},
                                        [GLPK_UNDEFINED] = {"UNDEFINED", "INTEGER UNDEFINED"}};
    return of[s->state][s->mip];
}

/* For all reports: a row's activity, set to its bound if only rounding is between them; a dual value, 0 if basic. */
static void glpk_objective_line(const glpk_solution *s, text *out)
{
    vouch_lp_data d;
    const char *name = vouch_lp_objective_name(s->lp);
    vouch_lp_view(s->lp, &d);
    text_add(out, "%-12s%s%s%.10g (%s)\n", "Objective:", name, *name ? " = " : "", s->objective,
             d.maximize ? "MAXimum" : "MINimum");
}

static void write_head(const glpk_solution *s, const vouch_lp_data *d, const char *prefix, text *out)
{
    text_add(out, "%s%-12s", prefix, "Problem:");
    text_add_plain(out, vouch_lp_name(s->lp));
    text_add(out, "\n");
    text_add(out, "%s%-12s%d\n", prefix, "Rows:", d->rows);
    text_add(out, "%s%-12s%d", prefix, "Columns:", d->cols);
    if (s->mip && !*prefix) {
        int integers, binaries;
        counts(s->lp, d, &integers, &binaries);
        text_add(out, " (%d integer, %d binary)", integers, binaries);
    }
    text_add(out, "\n%s%-12s%lld\n", prefix, "Non-zeros:", (long long)d->start[d->cols]);
    text_add(out, "%s%-12s%s\n", prefix, "Status:", state_text(s));
    text_add(out, "%s", prefix);
    glpk_objective_line(s, out);
}

/* Of a row or column, in the report and in the plain file. */
static const struct {
    char letters[3], letter;
} STATUS[] = {[VOUCH_BASIC] = {"B ", 'b'},
              [VOUCH_AT_LOWER] = {"NL", 'l'},
              [VOUCH_AT_UPPER] = {"NU", 'u'},
              [VOUCH_NONBASIC_FIXED] = {"NS", 's'},
              [VOUCH_NONBASIC_FREE] = {"NF", 'f'}};

/* The dual of a basic variable is 0; the solver's value is the error of its equation. */
static double glpk_dual(int status, double dual) { return status == VOUCH_BASIC ? 0 : dual; }

/* A row or column of the report. status NULL: in a MIP, where `mark` stands instead and there is no dual value. */
typedef struct glpk_line {
    int number;
    const char *name;
    double value, lower, upper;
    const unsigned char *status;
    double dual;
    const char *mark;
} glpk_line;

/* And a name, in a column of twelve or on a line of its own. */
static void glpk_name(const char *name, text *out)
{
    enum { NAME = 12, BEFORE = 20 };
    size_t start = out->length;
    text_add_plain(out, name);
    size_t length = out->length - start;
    if (length <= NAME)
        text_add(out, "%*s", (int)(NAME + 1 - length), "");
    else
        text_add(out, "\n%*s", BEFORE, "");
}

static void write_line(text *out, const glpk_line *l)
{
    text_add(out, "%6d ", l->number);
    glpk_name(l->name, out);
    if (l->status)
        text_add(out, "%s ", STATUS[*l->status].letters);
    else
        text_add(out, "%-3s", l->mark);
    text_add(out, "%13.6g ", fabs(l->value) <= SHOWN_ZERO ? 0.0 : l->value);
    if (isfinite(l->lower))
        text_add(out, "%13.6g ", l->lower);
    else
        text_add(out, "%13s ", "");
    if (l->lower == l->upper)
        text_add(out, "%13s ", "=");
    else if (isfinite(l->upper))
        text_add(out, "%13.6g ", l->upper);
    else
        text_add(out, "%13s ", "");
    if (l->status && *l->status != VOUCH_BASIC) {
        if (fabs(l->dual) <= SHOWN_ZERO)
            text_add(out, "%13s", "< eps");
        else
            text_add(out, "%13.6g ", l->dual);
    }
    text_add(out, "\n");
}

/* ---- the four conditions ------------------------------------------------------------------------------------------- */

typedef struct worst {
    double absolute, relative;
    int absolute_at, relative_at; /* 1..m a row, m+1.. a column; 0 none */
} worst;

static void worst_take(worst *w, int k, double absolute, double relative)
{
    if (w->absolute < absolute) w->absolute = absolute, w->absolute_at = k;
    if (w->relative < relative) w->relative = relative, w->relative_at = k;
}

static void write_condition(text *out, const char *label, const worst *w, int m, const char *failure)
{
    const char *quality = w->relative <= 1e-9   ? "High quality"
                          : w->relative <= 1e-6 ? "Medium quality"
                          : w->relative <= 1e-3 ? "Low quality"
                                                : failure;
    bool column = strcmp(label, "KKT.DE") == 0;
    int a = w->absolute_at, r = w->relative_at;
    text_add(out, "%s: max.abs.err = %.2e on %s %d\n", label, w->absolute, column || a > m ? "column" : "row", a > m ? a - m : a);
    text_add(out, "%8smax.rel.err = %.2e on %s %d\n", "", w->relative, column || r > m ? "column" : "row", r > m ? r - m : r);
    text_add(out, "%8s%s\n\n", "", quality);
}

/* A sum that should be zero, kept as its positive and negative part. */
typedef struct balance {
    double plus, minus;
} balance;

static void balance_add(balance *b, double term)
{
    if (term > 0)
        b->plus += term;
    else
        b->minus -= term;
}

static void worst_take_balance(worst *w, int k, balance b)
{
    double error = fabs(b.plus - b.minus);
    worst_take(w, k, error, error / (1 + b.plus + b.minus));
}

static worst row_equations(const glpk_solution *s, const vouch_lp_data *d, text *out)
{
    worst w = {0};
    balance *sum = MEM_ZERO(balance, d->rows);
    if (!sum) {
        out->failed = true;
        return w;
    }
    for (int i = 0; i < d->rows; i++) balance_add(&sum[i], glpk_row_value(s, d, i));
    for (int j = 0; j < d->cols; j++)
        for (int64_t k = d->start[j]; k < d->start[j + 1]; k++) balance_add(&sum[d->index[k]], -d->value[k] * at(s->x, j));
    for (int i = 0; i < d->rows; i++) worst_take_balance(&w, i + 1, sum[i]);
    mem_free(sum);
    return w;
}

static void bound_error(worst *w, int k, double value, double lower, double upper)
{
    if (value < lower) worst_take(w, k, lower - value, (lower - value) / (1 + fabs(lower)));
    if (value > upper) worst_take(w, k, value - upper, (value - upper) / (1 + fabs(upper)));
}

static worst bound_errors(const glpk_solution *s, const vouch_lp_data *d)
{
    worst w = {0};
    for (int i = 0; i < d->rows; i++) bound_error(&w, i + 1, glpk_row_value(s, d, i), d->row_lower[i], d->row_upper[i]);
    for (int j = 0; j < d->cols; j++) bound_error(&w, d->rows + j + 1, at(s->x, j), d->col_lower[j], d->col_upper[j]);
    return w;
}

static worst column_equations(const glpk_solution *s, const vouch_lp_data *d)
{
    worst w = {0};
    for (int j = 0; j < d->cols; j++) {
        balance b = {0};
        balance_add(&b, glpk_dual(s->col_status[j], at(s->reduced_cost, j)));
        balance_add(&b, -d->cost[j]);
        for (int64_t k = d->start[j]; k < d->start[j + 1]; k++)
            balance_add(&b, d->value[k] * glpk_dual(s->row_status[d->index[k]], at(s->row_dual, d->index[k])));
        worst_take_balance(&w, d->rows + j + 1, b);
    }
    return w;
}

static double sign_error(int status, double dual, bool maximize)
{
    double d = maximize ? -dual : dual; /* at a lower bound d >= 0, at an upper one d <= 0 */
    if (status == VOUCH_NONBASIC_FIXED) return 0;
    if (status == VOUCH_AT_LOWER) return d < 0 ? -d : 0;
    if (status == VOUCH_AT_UPPER) return d > 0 ? d : 0;
    return fabs(d);
}

static worst sign_errors(const glpk_solution *s, const vouch_lp_data *d)
{
    worst w = {0};
    for (int i = 0; i < d->rows; i++) {
        double e = sign_error(s->row_status[i], glpk_dual(s->row_status[i], at(s->row_dual, i)), d->maximize);
        worst_take(&w, i + 1, e, e);
    }
    for (int j = 0; j < d->cols; j++) {
        double e = sign_error(s->col_status[j], glpk_dual(s->col_status[j], at(s->reduced_cost, j)), d->maximize);
        worst_take(&w, d->rows + j + 1, e, e);
    }
    return w;
}

void glpk_report(const glpk_solution *s, text *out)
{
    static const char *row_head[] = {"   No.   Row name   St   Activity     Lower bound   Upper bound    Marginal\n",
                                     "   No.   Row name        Activity     Lower bound   Upper bound\n"};
    static const char *col_head[] = {"   No. Column name  St   Activity     Lower bound   Upper bound    Marginal\n",
                                     "   No. Column name       Activity     Lower bound   Upper bound\n"};
    static const char *ruler[] = {"------ ------------ -- ------------- ------------- ------------- -------------\n",
                                  "------ ------------    ------------- ------------- -------------\n"};
    vouch_lp_data d;
    vouch_lp_view(s->lp, &d);
    write_head(s, &d, "", out);
    text_add(out, "\n%s%s", row_head[s->mip], ruler[s->mip]);
    for (int i = 0; i < d.rows; i++)
        write_line(out, &(glpk_line){i + 1, vouch_lp_row_name(s->lp, i), glpk_row_value(s, &d, i), d.row_lower[i], d.row_upper[i],
                                     s->mip ? NULL : &s->row_status[i], at(s->row_dual, i), ""});
    text_add(out, "\n%s%s", col_head[s->mip], ruler[s->mip]);
    for (int j = 0; j < d.cols; j++)
        write_line(out, &(glpk_line){j + 1, vouch_lp_col_name(s->lp, j), at(s->x, j), d.col_lower[j], d.col_upper[j],
                                     s->mip ? NULL : &s->col_status[j], at(s->reduced_cost, j),
                                     vouch_lp_is_integer(s->lp, j) ? "*" : ""});
    text_add(out, s->mip ? "\nInteger feasibility conditions:\n\n" : "\nKarush-Kuhn-Tucker optimality conditions:\n\n");
    worst w = row_equations(s, &d, out);
    write_condition(out, "KKT.PE", &w, d.rows, s->mip ? "SOLUTION IS WRONG" : "PRIMAL SOLUTION IS WRONG");
    w = bound_errors(s, &d);
    write_condition(out, "KKT.PB", &w, d.rows, s->mip ? "SOLUTION IS INFEASIBLE" : "PRIMAL SOLUTION IS INFEASIBLE");
    if (!s->mip) {
        w = column_equations(s, &d);
        write_condition(out, "KKT.DE", &w, d.rows, "DUAL SOLUTION IS WRONG");
        w = sign_errors(s, &d);
        write_condition(out, "KKT.DB", &w, d.rows, "DUAL SOLUTION IS INFEASIBLE");
    }
    text_add(out, "End of output\n");
}

void glpk_plain(const glpk_solution *s, text *out)
{
    static const char *basic[] = {[GLPK_OPTIMAL] = "f f",
                                  [GLPK_FEASIBLE] = "f u",
                                  [GLPK_UNDEFINED] = "u u",
                                  [GLPK_INFEASIBLE] = "n i",
                                  [GLPK_UNBOUNDED] = "f n"};
    static const char *integer[] = {
        [GLPK_OPTIMAL] = "o", [GLPK_FEASIBLE] = "f", [GLPK_UNDEFINED] = "u", [GLPK_INFEASIBLE] = "n", [GLPK_UNBOUNDED] = "u"};
    vouch_lp_data d;
    vouch_lp_view(s->lp, &d);
    write_head(s, &d, "c ", out);
    text_add(out, "c\ns %s %d %d %s %.15g\n", s->mip ? "mip" : "bas", d.rows, d.cols, s->mip ? integer[s->state] : basic[s->state],
             s->objective);
    for (int i = 0; i < d.rows; i++) {
        if (s->mip)
            text_add(out, "i %d %.15g\n", i + 1, glpk_row_value(s, &d, i));
        else
            text_add(out, "i %d %c %.15g %.15g\n", i + 1, STATUS[s->row_status[i]].letter, glpk_row_value(s, &d, i),
                     glpk_dual(s->row_status[i], at(s->row_dual, i)));
    }
    for (int j = 0; j < d.cols; j++) {
        if (s->mip)
            text_add(out, "j %d %.15g\n", j + 1, at(s->x, j));
        else
            text_add(out, "j %d %c %.15g %.15g\n", j + 1, STATUS[s->col_status[j]].letter, at(s->x, j),
                     glpk_dual(s->col_status[j], at(s->reduced_cost, j)));
    }
    text_add(out, "e o f\n");
}

/* The sensitivity report in glpsol's layout (--ranges).
 *
 * Numbers have five decimals and no 0 before the point, zeros are a point, and a number with more than six digits before it is
 * rounded to six in all. Ten rows or columns a page. The first line of a page names this program.
 */

enum { ITEMS_A_PAGE = 10, WIDTH = 13 };
/* Beyond this five decimals do not fit. */
static const double FIXED_MOST = 999999.99998;

static const char *show(double x, char out[32])
{
    if (isinf(x)) {
        format_text(out, 32, "%*s", WIDTH, x < 0 ? "-Inf" : "+Inf");
    } else if (fabs(x) > FIXED_MOST) {
        format_text(out, 32, "%*.6g", WIDTH, x);
    } else {
        format_text(out, 32, "%*.5f", WIDTH, x);
        char *zero = strstr(out, " 0.");
        if (!zero) zero = strstr(out, "-0.");
        if (zero) zero[1] = *zero, *zero = ' ';
        if (zero && strcmp(zero + 2, ".00000") == 0) strcpy(zero, "  .     ");
    }
    return out;
}

typedef struct ranged {
    int number;
    const char *name;
    unsigned char status;
    double activity, beside, marginal, lower, upper; /* beside: slack of a row, cost of a column */
    const vouch_lp_range *range;
} ranged;

static const char *limiting(const vouch_lp *lp, int v)
{
    int m = vouch_lp_rows(lp);
    return v < 0 ? "" : v < m ? vouch_lp_row_name(lp, v) : vouch_lp_col_name(lp, v - m);
}

static void write_item(const glpk_solution *s, const ranged *v, text *out)
{
    char a[6][32];
    const vouch_lp_range *r = v->range;
    text_add(out, "%6d ", v->number);
    glpk_name(v->name, out);
    text_add(out, "%s %s", v->status == VOUCH_BASIC ? "BS" : STATUS[v->status].letters, show(v->activity, a[0]));
    for (int up = 0; up < 2; up++) {
        const char *name = limiting(s->lp, r->limiting[up]);
        if (up) text_add(out, "%36s", "");
        text_add(out, " %s %s  %s %s %s%s", show(up ? v->marginal : v->beside, a[1]), show(up ? v->upper : v->lower, a[2]),
                 show(r->value[up], a[3]), show(r->cost[up], a[4]), show(r->objective[up], a[5]), *name ? " " : "");
        text_add_plain(out, name);
        text_add(out, "\n");
    }
    text_add(out, "\n");
}

static void write_page_head(const glpk_solution *s, int page, bool rows, text *out)
{
    text_add(out, "%-111s Page%4d\n\n", "vouch     - SENSITIVITY ANALYSIS REPORT", page);
    text_add(out, "%-12s", "Problem:");
    text_add_plain(out, vouch_lp_name(s->lp));
    text_add(out, "\n");
    glpk_objective_line(s, out);
    text_add(out, "\n%6s %-12s %2s %13s %13s %13s  %13s %13s %13s %s\n", "No.", rows ? "Row name" : "Column name", "St", "Activity",
             rows ? "Slack" : "Obj coef", "Lower bound", "Activity", "Obj coef", "Obj value at", "Limiting");
    text_add(out, "%23s%13s %13s %13s  %13s %13s %13s %s\n", "", "", "Marginal", "Upper bound", "range", "range", "break point",
             "variable");
    text_add(out, "------ ------------ -- ------------- ------------- -------------  ------------- ------------- ------------- "
                  "------------\n");
}

void glpk_ranges(const glpk_solution *s, const vouch_lp_range range[], text *out)
{
    vouch_lp_data d;
    vouch_lp_view(s->lp, &d);
    int page = 0;
    for (int i = 0; i < d.rows; i++) {
        if (i % ITEMS_A_PAGE == 0) write_page_head(s, ++page, true, out);
        double activity = glpk_row_value(s, &d, i), bound = isinf(d.row_upper[i]) ? d.row_lower[i] : d.row_upper[i];
        write_item(s,
                   &(ranged){i + 1, vouch_lp_row_name(s->lp, i), s->row_status[i], activity, (isinf(bound) ? 0 : bound) - activity,
                             glpk_dual(s->row_status[i], s->row_dual[i]), d.row_lower[i], d.row_upper[i], &range[i]},
                   out);
    }
    for (int j = 0; j < d.cols; j++) {
        if (j % ITEMS_A_PAGE == 0) write_page_head(s, ++page, false, out);
        write_item(s,
                   &(ranged){j + 1, vouch_lp_col_name(s->lp, j), s->col_status[j], s->x[j], d.cost[j],
                             glpk_dual(s->col_status[j], s->reduced_cost[j]), d.col_lower[j], d.col_upper[j], &range[d.rows + j]},
                   out);
    }
    text_add(out, "End of report\n");
}

/* ---- reading solutions --------------------------------------------------------------------------------------------- */

/* Solutions in glpsol's plain layout (glpsol -w, vouch lp -w) back from a file:
 *
 *     s bas ROWS COLUMNS p d OBJECTIVE    p, d in f (feasible), i (infeasible), n (proved that there is none), u (undefined)
 *     s mip ROWS COLUMNS state OBJECTIVE  o (optimal), f (feasible), n (proved that there is none), u (undefined)
 *     i ROW [b|l|u|f|s] VALUE [DUAL]      status and dual of "s bas" only; j COLUMN .. the same
 *     e o f
 *
 * Comments are lines "c ..". Every row and column has one line.
 */

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
    return escape_run(&e, read_solution, &r);
}

void glpk_reading_free(glpk_reading *r)
{
    MEM_FREE_ALL(r->x, r->row_activity, r->row_dual, r->reduced_cost, r->row_status, r->col_status);
}
