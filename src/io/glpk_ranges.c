/* io/glpk_ranges.c - the sensitivity report in glpsol's layout (--ranges); see glpk.h.
 *
 * Numbers have five decimals and no 0 before the point, zeros are a point, and a number with more than six digits before it is
 * rounded to six in all. Ten rows or columns a page. The first line of a page names this program.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "io/glpk.h"

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
    static const char *const letters[] = {[VOUCH_BASIC] = "BS",
                                          [VOUCH_AT_LOWER] = "NL",
                                          [VOUCH_AT_UPPER] = "NU",
                                          [VOUCH_NONBASIC_FREE] = "NF",
                                          [VOUCH_NONBASIC_FIXED] = "NS"};
    char a[6][32];
    const vouch_lp_range *r = v->range;
    text_add(out, "%6d ", v->number);
    glpk_name(v->name, out);
    text_add(out, "%s %s", letters[v->status], show(v->activity, a[0]));
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
