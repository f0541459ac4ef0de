/* io/mps_write.c - writes MPS in either layout; mps.c reads the same numbers back.
 *
 * Numbers are the shortest decimals that read back exactly. In fixed layout a number has 12 columns; a problem with one that needs
 * more is refused. A maximisation says OBJSENSE MAX. Integer columns always get their bounds spelled out, because readers disagree
 * on the bounds of an integer column without any.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/labels.h"
#include "io/mps.h"

typedef struct mps_writer {
    const vouch_lp *lp;
    vouch_lp_data data;
    bool fixed;
    labels rows, cols;
    const char *objective;
    char lost[32]; /* a number that the fixed layout has no room for; "": none */
    text *out;
} mps_writer;

static bool usable_free(const char *name)
{
    if (*name == '\0' || *name == '$' || strcmp(name, "'MARKER'") == 0) return false;
    for (; *name; name++)
        if ((unsigned char)*name <= ' ' || *name == 127) return false;
    return true;
}

static bool usable_fixed(const char *name) { return usable_free(name) && strlen(name) <= 8; }

enum { FIXED_WIDTH = 12 };

static void number(mps_writer *w, double value, char out[32])
{
    char full[32];
    strcpy(out, text_number(value, full));
    size_t n = strlen(out);
    if (n > 2 && n > FIXED_WIDTH && w->fixed && strncmp(out, "0.", 2) == 0) /* the digit before the point is idle */
        memmove(out, out + 1, n);
    else if (n > 3 && n > FIXED_WIDTH && w->fixed && strncmp(out, "-0.", 3) == 0)
        memmove(out + 1, out + 2, n - 1);
    if (w->fixed && strlen(out) > FIXED_WIDTH && !*w->lost) strcpy(w->lost, full);
}

/* One card: field 1, then a name, then a pair of name and number where given (NULL: none). */
static void card(mps_writer *w, const char *type, const char *first, const char *second, const double *value)
{
    char digits[32] = "";
    if (value) number(w, *value, digits);
    if (w->fixed) {
        text_add(w->out, " %-2s %-8s", type, first);
        if (second) text_add(w->out, "  %-8s", second);
        if (value) text_add(w->out, "  %12s", digits);
    } else {
        text_add(w->out, " %s%s%s", type, *type ? " " : "", first);
        if (second) text_add(w->out, " %s", second);
        if (value) text_add(w->out, " %s", digits);
    }
    text_add(w->out, "\n");
}

static char row_kind(double lower, double upper)
{
    if (lower == upper) return 'E';
    if (isinf(lower) && isinf(upper)) return 'N';
    return isinf(lower) ? 'L' : 'G';
}

static void write_rows(mps_writer *w)
{
    label_buffer b;
    text_add(w->out, "ROWS\n");
    card(w, "N", w->objective, NULL, NULL);
    for (int i = 0; i < w->data.rows; i++)
        card(w, (char[]){row_kind(w->data.row_lower[i], w->data.row_upper[i]), 0}, labels_get(&w->rows, i, b), NULL, NULL);
}

static void write_marker(const mps_writer *w, int count, const char *what)
{
    if (w->fixed)
        text_add(w->out, "    M%-7d  'MARKER'                 '%s'\n", count, what);
    else
        text_add(w->out, " M%d 'MARKER' '%s'\n", count, what);
}

static void write_columns(mps_writer *w)
{
    label_buffer b, rb;
    bool integer = false;
    int markers = 0;
    text_add(w->out, "COLUMNS\n");
    for (int j = 0; j < w->data.cols; j++) {
        const char *name = labels_get(&w->cols, j, b);
        if (integer != (vouch_lp_is_integer(w->lp, j) != 0)) {
            integer = !integer;
            write_marker(w, ++markers, integer ? "INTORG" : "INTEND");
        }
        double cost = w->data.cost[j] + 0.0; /* no -0 */
        if (cost != 0 || w->data.start[j] == w->data.start[j + 1]) card(w, "", name, w->objective, &cost);
        for (int64_t k = w->data.start[j]; k < w->data.start[j + 1]; k++)
            card(w, "", name, labels_get(&w->rows, w->data.index[k], rb), &w->data.value[k]);
    }
    if (integer) write_marker(w, ++markers, "INTEND");
}

static void write_right_sides(mps_writer *w)
{
    label_buffer b;
    text_add(w->out, "RHS\n");
    double constant = -w->data.offset;
    if (constant != 0) card(w, "", "RHS", w->objective, &constant);
    bool ranges = false;
    for (int i = 0; i < w->data.rows; i++) {
        double lower = w->data.row_lower[i], upper = w->data.row_upper[i];
        char kind = row_kind(lower, upper);
        double rhs = kind == 'L' ? upper : lower;
        if (kind != 'N' && rhs != 0) card(w, "", "RHS", labels_get(&w->rows, i, b), &rhs);
        ranges = ranges || (kind == 'G' && isfinite(upper));
    }
    if (!ranges) return;
    text_add(w->out, "RANGES\n");
    for (int i = 0; i < w->data.rows; i++) {
        double lower = w->data.row_lower[i], width = w->data.row_upper[i] - lower;
        if (row_kind(lower, w->data.row_upper[i]) == 'G' && isfinite(width))
            card(w, "", "RANGES", labels_get(&w->rows, i, b), &width);
    }
}

static void write_bounds(mps_writer *w)
{
    label_buffer b;
    text_add(w->out, "BOUNDS\n");
    for (int j = 0; j < w->data.cols; j++) {
        const char *name = labels_get(&w->cols, j, b);
        const double *lower = &w->data.col_lower[j], *upper = &w->data.col_upper[j];
        bool integer = vouch_lp_is_integer(w->lp, j);
        if (*lower == *upper)
            card(w, "FX", "BND", name, lower);
        else if (isinf(*lower) && isinf(*upper))
            card(w, "FR", "BND", name, NULL);
        else {
            if (isinf(*lower))
                card(w, "MI", "BND", name, NULL);
            else if (*lower != 0 || *upper < 0)
                card(w, "LO", "BND", name, lower);
            if (isfinite(*upper))
                card(w, "UP", "BND", name, upper);
            else if (integer)
                card(w, "PL", "BND", name, NULL);
        }
    }
}

static void write_sos(const mps_writer *w)
{
    label_buffer b;
    char digits[32];
    int sets = vouch_lp_sos1_count(w->lp);
    if (sets > 0) text_add(w->out, "SOS\n");
    for (int s = 0; s < sets; s++) {
        int count;
        const int *cols;
        const double *weight;
        vouch_lp_sos1(w->lp, s, &count, &cols, &weight);
        text_add(w->out, " S1 set%d\n", s + 1);
        for (int k = 0; k < count; k++)
            text_add(w->out, "    %s %s\n", labels_get(&w->cols, cols[k], b), text_number(weight ? weight[k] : k + 1, digits));
    }
}

/* A row whose width is lost in rounding (lower + (upper - lower) is not upper) cannot be said by RANGES exactly; the difference is
 * one rounding and is accepted. Crossed bounds of a row cannot be said at all. */
static vouch_status check(const vouch_lp_data *d, vouch_error *error)
{
    for (int i = 0; i < d->rows; i++)
        if (d->row_lower[i] > d->row_upper[i] || (isinf(d->row_lower[i]) && d->row_lower[i] > 0) ||
            (isinf(d->row_upper[i]) && d->row_upper[i] < 0))
            return error_set(error, VOUCH_ERROR_INPUT, "row %d has no value between its bounds, which MPS cannot say", i + 1);
    return VOUCH_OK;
}

vouch_status mps_write(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error)
{
    bool fixed = format == VOUCH_FORMAT_MPS_FIXED;
    mps_writer w = {.lp = lp, .fixed = fixed, .out = out};
    vouch_lp_view(lp, &w.data);
    bool (*usable)(const char *) = fixed ? usable_fixed : usable_free;
    w.objective = usable(vouch_lp_objective_name(lp)) ? vouch_lp_objective_name(lp) : "COST";
    vouch_status status = check(&w.data, error);
    if (status != VOUCH_OK) return status;
    status = labels_choose(lp, true, usable, w.objective, &w.rows);
    if (!w.rows.own) w.objective = "COST";
    if (status == VOUCH_OK) status = labels_choose(lp, false, usable, NULL, &w.cols);
    if (status != VOUCH_OK) return error_memory(error);
    const char *name = vouch_lp_name(lp);
    /* the word FREE tells CLP and CBC, which otherwise guess, and is nothing to others; it needs a name before it */
    if (usable(name) || !fixed)
        text_add(out, "NAME          %s%s\n", usable(name) ? name : "unnamed", fixed ? "" : " FREE");
    else
        text_add(out, "NAME\n");
    if (w.data.maximize) text_add(out, "OBJSENSE\n    MAX\n");
    write_rows(&w);
    write_columns(&w);
    write_right_sides(&w);
    write_bounds(&w);
    write_sos(&w);
    text_add(out, "ENDATA\n");
    if (*w.lost)
        return error_set(error, VOUCH_ERROR_INPUT,
                         "%s needs more than the %d columns of a number in fixed MPS; free MPS has room for it", w.lost,
                         FIXED_WIDTH);
    return out->failed ? error_memory(error) : VOUCH_OK;
}
