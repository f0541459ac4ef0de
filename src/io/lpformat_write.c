/* io/lpformat_write.c - writes the CPLEX LP format; lpformat.c reads the same numbers and order back.
 *
 * Columns are ordered by their first appearance in the file, so the objective names every column, without cost as "0 x". A row with
 * two different finite bounds becomes two rows, see lpformat.h, a free row .. >= -1e+30.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/transpose.h"
#include "io/labels.h"
#include "io/lpformat.h"
#include "io/lpformat_token.h"

typedef struct lpformat_writer {
    const vouch_lp *lp;
    vouch_lp_data data;
    labels rows, cols;
    text *out;
    line_matrix by_row;                            /* the entries, owned while rows are written */
    const vouch_lp_product *product, *product_end; /* those not yet written */
    size_t line_start;                             /* of the line being written, for breaking it */
} lpformat_writer;

enum { WIDTH = 100 };

static void break_line(lpformat_writer *w)
{
    if (w->out->length - w->line_start < WIDTH) return;
    text_add(w->out, "\n   ");
    w->line_start = w->out->length;
}

static void term(lpformat_writer *w, bool first, double value, const char *name)
{
    char digits[32];
    break_line(w);
    text_add(w->out, first && value >= 0 && !signbit(value) ? " " : signbit(value) ? " - " : " + ");
    if (fabs(value) != 1) text_add(w->out, "%s ", text_number(fabs(value), digits));
    text_add(w->out, "%s", name);
}

static void write_objective(lpformat_writer *w)
{
    label_buffer b;
    char digits[32];
    const char *name = vouch_lp_objective_name(w->lp);
    text_add(w->out, "%s\n %s:", w->data.maximize ? "maximize" : "minimize", lpformat_usable(name) ? name : "obj");
    for (int j = 0; j < w->data.cols; j++) term(w, j == 0, w->data.cost[j], labels_get(&w->cols, j, b));
    if (w->data.offset != 0) text_add(w->out, " %c %s", w->data.offset < 0 ? '-' : '+', text_number(fabs(w->data.offset), digits));
    text_add(w->out, "\n");
}

static void write_products(lpformat_writer *w, int i)
{
    label_buffer b;
    if (w->product == w->product_end || w->product->row != i) return;
    text_add(w->out, " + [");
    for (bool first = true; w->product < w->product_end && w->product->row == i; w->product++, first = false) {
        term(w, first, w->product->value, labels_get(&w->cols, w->product->first, b));
        text_add(w->out, " * %s", labels_get(&w->cols, w->product->second, b));
    }
    text_add(w->out, " ]");
}

/* One row of the file. */
static void write_side(lpformat_writer *w, int i, const char *suffix, const char *relation, double bound)
{
    CHECK(i >= 0 && i < w->by_row.lines);
    CHECK(w->line_start <= w->out->length);
    label_buffer b;
    char digits[32];
    w->line_start = w->out->length;
    text_add(w->out, " %s%s:", labels_get(&w->rows, i, b), suffix);
    const int64_t first = w->by_row.start[i], end = w->by_row.start[i + 1];
    for (int64_t k = first; k < end; k++) term(w, k == first, w->by_row.value[k], labels_get(&w->cols, w->by_row.index[k], b));
    write_products(w, i);
    if (first == end) text_add(w->out, w->data.cols > 0 ? " 0 %s" : " 0", w->data.cols > 0 ? labels_get(&w->cols, 0, b) : "");
    text_add(w->out, " %s %s\n", relation, isfinite(bound) ? text_number(bound, digits) : "-1e+30");
}

static void write_row(lpformat_writer *w, int i)
{
    double lower = w->data.row_lower[i], upper = w->data.row_upper[i];
    const vouch_lp_product *product = w->product;
    if (lower == upper) {
        write_side(w, i, "", "=", lower);
        return;
    }
    if (isfinite(lower) || isinf(upper)) write_side(w, i, "", ">=", lower);
    if (isinf(upper)) return;
    w->product = product; /* the second side names them again */
    write_side(w, i, isfinite(lower) ? LPFORMAT_UPPER_SUFFIX : "", "<=", upper);
}

/* Own names that end like the second half of a row would meet those made here. */
static bool usable_row(const char *name)
{
    size_t n = strlen(name), tail = strlen(LPFORMAT_UPPER_SUFFIX);
    bool taken = n >= tail && strcmp(name + n - tail, LPFORMAT_UPPER_SUFFIX) == 0;
    return lpformat_usable(name) && !taken && n + tail <= LPFORMAT_NAME;
}

static vouch_status write_rows(lpformat_writer *w)
{
    const vouch_lp_data *d = &w->data;
    int64_t count = d->start[d->cols];
    int64_t *start = MEM_NEW(int64_t, (size_t)d->rows + 1);
    int *index = MEM_NEW(int, count);
    double *value = MEM_NEW(double, count);
    vouch_status status = start && index && value ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    if (status != VOUCH_OK) goto done;
    transpose(&(line_matrix){d->cols, d->start, d->index, d->value}, d->rows, start, index, value);
    w->by_row = (line_matrix){d->rows, start, index, value};
    text_add(w->out, "subject to\n");
    for (int i = 0; i < d->rows; i++) write_row(w, i);
done:
    mem_free(start);
    mem_free(index);
    mem_free(value);
    return status;
}

static void write_bounds(lpformat_writer *w)
{
    label_buffer b;
    char digits[32];
    text_add(w->out, "bounds\n");
    for (int j = 0; j < w->data.cols; j++) {
        const char *name = labels_get(&w->cols, j, b);
        double lower = w->data.col_lower[j], upper = w->data.col_upper[j];
        if (lower == 0 && isinf(upper)) continue;
        if (isinf(lower) && isinf(upper))
            text_add(w->out, " %s free\n", name);
        else if (lower == upper)
            text_add(w->out, " %s = %s\n", name, text_number(lower, digits));
        else {
            if (lower != 0) text_add(w->out, " %s <=", isinf(lower) ? "-inf" : text_number(lower, digits));
            text_add(w->out, " %s", name);
            if (isfinite(upper)) text_add(w->out, " <= %s", text_number(upper, digits));
            text_add(w->out, "\n");
        }
    }
}

static void write_integers(lpformat_writer *w)
{
    label_buffer b;
    bool any = false;
    for (int j = 0; j < w->data.cols; j++) {
        if (!vouch_lp_is_integer(w->lp, j)) continue;
        if (!any) text_add(w->out, "generals\n");
        any = true;
        text_add(w->out, " %s\n", labels_get(&w->cols, j, b));
    }
}

static void write_sos(lpformat_writer *w)
{
    label_buffer b;
    char digits[32];
    int sets = vouch_lp_sos1_count(w->lp);
    if (sets > 0) text_add(w->out, "sos\n");
    for (int s = 0; s < sets; s++) {
        int count;
        const int *cols;
        const double *weight;
        vouch_lp_sos1(w->lp, s, &count, &cols, &weight);
        w->line_start = w->out->length;
        text_add(w->out, " set%d: S1::", s + 1);
        for (int k = 0; k < count; k++) {
            break_line(w);
            text_add(w->out, " %s:%s", labels_get(&w->cols, cols[k], b), text_number(weight ? weight[k] : k + 1, digits));
        }
        text_add(w->out, "\n");
    }
}

vouch_status lpformat_write(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error)
{
    (void)format;
    return lpformat_write_products(lp, NULL, 0, out, error);
}

vouch_status lpformat_write_products(const vouch_lp *lp, const vouch_lp_product product[], int count, text *out, vouch_error *error)
{
    lpformat_writer w = {
        .lp = lp, .out = out, .product = product, .product_end = product ? product + count : NULL, .line_start = out->length};
    vouch_lp_view(lp, &w.data);
    for (int i = 0; i < w.data.rows; i++)
        if (!(w.data.row_lower[i] <= w.data.row_upper[i]) || w.data.row_lower[i] == INFINITY || w.data.row_upper[i] == -INFINITY)
            return error_set(error, VOUCH_ERROR_INPUT, "row %d has no value between its bounds, which the LP format cannot say",
                             i + 1);
    vouch_status status = labels_choose(lp, true, usable_row, NULL, &w.rows);
    if (status == VOUCH_OK) status = labels_choose(lp, false, lpformat_usable, NULL, &w.cols);
    if (status != VOUCH_OK) return error_memory(error);
    write_objective(&w);
    if (write_rows(&w) != VOUCH_OK) return error_memory(error);
    write_bounds(&w);
    write_integers(&w);
    write_sos(&w);
    text_add(out, "end\n");
    return out->failed ? error_memory(error) : VOUCH_OK;
}
