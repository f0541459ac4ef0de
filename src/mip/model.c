/* mip/model.c - see model.h. */
#include "mip/model.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/transpose.h"

void mip_model_free(mip_model *model)
{
    mem_free(model->col_start);
    mem_free(model->row_start);
    mem_free(model->col_row);
    mem_free(model->row_col);
    mem_free(model->col_value);
    mem_free(model->row_value);
    mem_free(model->cost);
    mem_free(model->lower);
    mem_free(model->upper);
    mem_free(model->row_lower);
    mem_free(model->row_upper);
    mem_free(model->integer);
    mem_free(model->set_start);
    mem_free(model->set_col);
    *model = (mip_model){0};
}

void mip_model_transpose(mip_model *p)
{
    transpose(&(line_matrix){p->n, p->col_start, p->col_row, p->col_value}, p->m, p->row_start, p->row_col, p->row_value);
}

static vouch_status copy_sets(mip_model *model, const vouch_lp *problem)
{
    int sets = vouch_lp_sos1_count(problem), total = 0;
    int count;
    const int *cols;
    const double *weight;
    for (int s = 0; s < sets; s++) {
        vouch_lp_sos1(problem, s, &count, &cols, &weight);
        total += count;
    }
    model->sets = sets;
    model->set_start = MEM_ZERO(int, sets + 1);
    model->set_col = MEM_NEW(int, total);
    if (!model->set_start || !model->set_col) return VOUCH_ERROR_MEMORY;
    for (int s = 0; s < sets; s++) {
        vouch_lp_sos1(problem, s, &count, &cols, &weight);
        int from = model->set_start[s];
        model->set_start[s + 1] = from + count;
        for (int k = 0; k < count; k++) { /* insertion by weight; the sets are short */
            int at = k;
            for (; at > 0 && weight; at--) {
                int before = 0;
                while (cols[before] != model->set_col[from + at - 1]) before++;
                if (weight[before] <= weight[k]) break;
                model->set_col[from + at] = model->set_col[from + at - 1];
            }
            model->set_col[from + at] = cols[k];
        }
    }
    return VOUCH_OK;
}

vouch_status mip_model_build(mip_model *model, const vouch_lp *problem)
{
    vouch_lp_data d;
    vouch_lp_view(problem, &d);
    int m = d.rows, n = d.cols;
    int64_t count = d.start[n];
    *model = (mip_model){.m = m, .n = n, .negated = d.maximize};
    model->col_start = MEM_NEW(int64_t, (size_t)n + 1);
    model->row_start = MEM_ZERO(int64_t, (size_t)m + 1);
    model->col_row = MEM_NEW(int, count);
    model->row_col = MEM_NEW(int, count);
    model->col_value = MEM_NEW(double, count);
    model->row_value = MEM_NEW(double, count);
    model->cost = MEM_NEW(double, n);
    model->lower = MEM_NEW(double, n);
    model->upper = MEM_NEW(double, n);
    model->row_lower = MEM_NEW(double, m);
    model->row_upper = MEM_NEW(double, m);
    model->integer = MEM_ZERO(unsigned char, n);
    if (!model->col_start || !model->row_start || !model->col_row || !model->row_col || !model->col_value || !model->row_value ||
        !model->cost || !model->lower || !model->upper || !model->row_lower || !model->row_upper || !model->integer ||
        copy_sets(model, problem) != VOUCH_OK) {
        mip_model_free(model);
        return VOUCH_ERROR_MEMORY;
    }
    MEM_COPY(model->col_start, d.start, n + 1);
    MEM_COPY(model->col_row, d.index, count);
    MEM_COPY(model->col_value, d.value, count);
    MEM_COPY(model->row_lower, d.row_lower, m);
    MEM_COPY(model->row_upper, d.row_upper, m);
    double sign = d.maximize ? -1 : 1;
    model->offset = sign * d.offset;
    for (int j = 0; j < n; j++) {
        model->cost[j] = sign * d.cost[j];
        model->lower[j] = d.col_lower[j];
        model->upper[j] = d.col_upper[j];
        model->integer[j] = vouch_lp_is_integer(problem, j) != 0;
        if (model->integer[j]) {
            model->lower[j] = ceil(d.col_lower[j] - MIP_BOUND_SLACK);
            model->upper[j] = floor(d.col_upper[j] + MIP_BOUND_SLACK);
        }
    }
    mip_model_transpose(model);
    return VOUCH_OK;
}

vouch_status mip_model_copy(mip_model *to, const mip_model *from)
{
    int m = from->m, n = from->n;
    int64_t count = from->col_start[n];
    int members = from->sets ? from->set_start[from->sets] : 0;
    *to = (mip_model){.m = m, .n = n, .offset = from->offset, .sets = from->sets, .negated = from->negated};
#define COPY(field, size)                                                                                                          \
    ((to->field = mem_alloc((size_t)(size) + 1, sizeof *to->field)) != NULL && (MEM_COPY(to->field, from->field, size), true))
    if (COPY(col_start, n + 1) && COPY(row_start, m + 1) && COPY(col_row, count) && COPY(row_col, count) &&
        COPY(col_value, count) && COPY(row_value, count) && COPY(cost, n) && COPY(lower, n) && COPY(upper, n) &&
        COPY(row_lower, m) && COPY(row_upper, m) && COPY(integer, n) && COPY(set_start, from->sets + 1) && COPY(set_col, members))
        return VOUCH_OK;
#undef COPY
    mip_model_free(to);
    return VOUCH_ERROR_MEMORY;
}

vouch_status mip_model_to_lp(const mip_model *model, vouch_lp **lp)
{
    vouch_lp_data d = {.rows = model->m,
                       .cols = model->n,
                       .start = model->col_start,
                       .index = model->col_row,
                       .value = model->col_value,
                       .cost = model->cost,
                       .offset = model->offset,
                       .col_lower = model->lower,
                       .col_upper = model->upper,
                       .row_lower = model->row_lower,
                       .row_upper = model->row_upper};
    vouch_status status = vouch_lp_new(lp);
    if (status != VOUCH_OK) return status;
    status = vouch_lp_load(*lp, &d, NULL);
    if (status == VOUCH_OK) return VOUCH_OK;
    vouch_lp_free(*lp);
    *lp = NULL;
    return status;
}

/* Smallest multiplier in 1, 2, .. that makes x an integer but for the rounding of x itself, or 0. */
static double make_integer(double x)
{
    for (double q = 1; q <= 1000; q++)
        if (fabs(q * x - round(q * x)) <= MIP_ROUNDING * fabs(q * x)) return q;
    return 0;
}

double mip_model_granularity(const mip_model *model)
{
    double scale = 1, divisor = 0;
    for (int j = 0; j < model->n; j++) {
        double c = model->cost[j];
        if (c == 0 || model->lower[j] == model->upper[j]) continue;
        double q = model->integer[j] ? make_integer(c * scale) : 0;
        if (q == 0 || scale * q > 1e4) return 0;
        scale *= q;
    }
    for (int j = 0; j < model->n; j++) {
        if (model->cost[j] == 0 || model->lower[j] == model->upper[j]) continue;
        double a = fabs(round(model->cost[j] * scale)), b = divisor;
        if (a > 1e9) return 0;
        while (b > 0) { /* Euclid on integers below 2^53 */
            double r = fmod(a, b);
            a = b;
            b = r;
        }
        divisor = a;
    }
    return divisor / scale;
}

double mip_model_objective(const mip_model *model, const double *x)
{
    CHECK(model->n == 0 || x);
    double sum = model->offset;
    for (int j = 0; j < model->n; j++) sum += model->cost[j] * x[j];
    return sum;
}

static bool within(double value, double lower, double upper, double slack)
{
    return value >= lower - slack && value <= upper + slack; /* false for NaN */
}

static bool row_kept(const mip_model *model, int i, const double *x)
{
    double sum = 0, largest = 0;
    bool whole = true;
    for (int64_t k = model->row_start[i]; k < model->row_start[i + 1]; k++) {
        int j = model->row_col[k];
        double v = model->row_value[k], term = v * x[j];
        sum += term;
        largest = fmax(largest, fabs(term));
        whole = whole && model->integer[j] && v == round(v);
    }
    double slack = MIP_FEASIBILITY + (whole ? 0 : MIP_RELATIVE_FEASIBILITY * largest);
    return within(sum, model->row_lower[i], model->row_upper[i], slack);
}

bool mip_model_feasible(const mip_model *model, const double *x, double integrality)
{
    for (int j = 0; j < model->n; j++) {
        double slack = MIP_FEASIBILITY + (model->integer[j] ? 0 : MIP_RELATIVE_FEASIBILITY * fabs(x[j]));
        if (!isfinite(x[j]) || !within(x[j], model->lower[j], model->upper[j], slack)) return false;
        if (model->integer[j] && !(fabs(x[j] - round(x[j])) <= integrality)) return false;
    }
    for (int i = 0; i < model->m; i++)
        if (!row_kept(model, i, x)) return false;
    for (int s = 0; s < model->sets; s++) {
        int nonzero = 0;
        for (int k = model->set_start[s]; k < model->set_start[s + 1]; k++) nonzero += fabs(x[model->set_col[k]]) > integrality;
        if (nonzero > 1) return false;
    }
    return true;
}
