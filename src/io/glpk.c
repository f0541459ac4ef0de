/* io/glpk.c - see glpk.h.
 *
 * The layout is the same as in GLPK 5.0, with the blank at the end of a line, so that outputs can be compared by diff. These may
 * differ: the vertex where it is not unique, the rounding errors quoted, and the state of an integer program without a feasible
 * point, which is called EMPTY here whenever that is proved (glpsol says UNDEFINED when it stops at the relaxation).
 */
#include "io/glpk.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* |value| up to which the report shows 0 or "< eps": the report has six digits, the plain file has all. */
static const double SHOWN_ZERO = 1e-9;

static double at(const double *values, int i) { return values ? values[i] : 0; }

/* Where a nonbasic row's activity, as a sum, only rounds off its bound the row stands at the bound. */
static const double ROUNDING = 1e-9;

double glpk_row_value(const glpk_solution *s, const vouch_lp_data *d, int i)
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

void glpk_objective_line(const glpk_solution *s, text *out)
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
double glpk_dual(int status, double dual) { return status == VOUCH_BASIC ? 0 : dual; }

/* A row or column of the report. status NULL: in a MIP, where `mark` stands instead and there is no dual value. */
typedef struct glpk_line {
    int number;
    const char *name;
    double value, lower, upper;
    const unsigned char *status;
    double dual;
    const char *mark;
} glpk_line;

void glpk_name(const char *name, text *out)
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

/* ---- the files ----------------------------------------------------------------------------------------------------- */

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
