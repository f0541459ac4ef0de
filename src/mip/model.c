/* mip/model.c - a program by rows and columns, minimised, and what can be said of it without solving: objective, feasibility of a
 * point, locks, and the number of which all objectives are multiples (Euclid's algorithm on costs made whole).
 *
 * Invariant: the row copy holds the entries of the column copy. Cost: O(nonzeros) each.
 */
#include "mip/model.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/transpose.h"

void mip_model_free(mip_model *model)
{
    arena_free(&model->memory);
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
    model->set_start = ARENA_ZERO(&model->memory, int, sets + 1);
    model->set_col = ARENA_NEW(&model->memory, int, total);
    if (model->memory.failed) return VOUCH_ERROR_MEMORY;
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
    arena *a = &model->memory;
    double **by_col[] = {&model->cost, &model->lower, &model->upper}, **by_row[] = {&model->row_lower, &model->row_upper};
    for (int k = 0; k < 3; k++) *by_col[k] = ARENA_NEW(a, double, n);
    for (int k = 0; k < 2; k++) *by_row[k] = ARENA_NEW(a, double, m);
    model->col_start = ARENA_NEW(a, int64_t, (size_t)n + 1);
    model->row_start = ARENA_NEW(a, int64_t, (size_t)m + 1);
    model->col_row = ARENA_NEW(a, int, count);
    model->row_col = ARENA_NEW(a, int, count);
    model->col_value = ARENA_NEW(a, double, count);
    model->row_value = ARENA_NEW(a, double, count);
    model->integer = ARENA_NEW(a, unsigned char, n);
    if (copy_sets(model, problem) != VOUCH_OK) {
        mip_model_free(model);
        return VOUCH_ERROR_MEMORY;
    }
    MEM_COPY(model->col_start, d.start, n + 1);
    MEM_COPY(model->col_row, d.index, count);
    MEM_COPY(model->col_value, d.value, count);
    MEM_COPY(model->row_lower, d.row_lower, m);
    MEM_COPY(model->row_upper, d.row_upper, m);
    double sign = d.maximize ? -1 : 1;
    model->constant = sign * d.offset;
    for (int j = 0; j < n; j++) {
        model->cost[j] = sign * d.cost[j];
        model->lower[j] = d.col_lower[j];
        model->upper[j] = d.col_upper[j];
        model->integer[j] = vouch_lp_is_integer(problem, j) != 0;
        if (model->integer[j]) {
            model->lower[j] = ceil(d.col_lower[j] - MIP_BOUND_SLACK);
            model->upper[j] = floor(d.col_upper[j] + MIP_BOUND_SLACK);
        }
        if (model->lower[j] != model->upper[j]) continue;
        model->constant += model->cost[j] * model->lower[j];
        model->cost[j] = 0;
    }
    mip_model_transpose(model);
    return VOUCH_OK;
}

vouch_status mip_model_copy(mip_model *to, const mip_model *from)
{
    int m = from->m, n = from->n;
    int64_t count = from->col_start[n];
    int members = from->sets ? from->set_start[from->sets] : 0;
    *to = (mip_model){
        .m = m, .n = n, .offset = from->offset, .constant = from->constant, .sets = from->sets, .negated = from->negated};
#define COPY(field, size)                                                                                                          \
    ((to->field = arena_new(&to->memory, (size_t)(size), sizeof *to->field)) != NULL &&                                            \
     (MEM_COPY(to->field, from->field, size), true))
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

double mip_gcd(double a, double b)
{
    while (b > 0) { /* Euclid on integers below 2^53 */
        double r = fmod(a, b);
        a = b;
        b = r;
    }
    return a;
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
        double whole = fabs(round(model->cost[j] * scale));
        if (whole > 1e9) return 0;
        divisor = mip_gcd(whole, divisor);
    }
    return divisor / scale;
}

bool mip_model_has_continuous(const mip_model *model)
{
    for (int j = 0; j < model->n; j++)
        if (!model->integer[j]) return true;
    return false;
}

void mip_model_count_locks(const mip_model *p, int *locks[2])
{
    memset(locks[0], 0, (size_t)p->n * sizeof(int));
    memset(locks[1], 0, (size_t)p->n * sizeof(int));
    for (int i = 0; i < p->m; i++)
        for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
            double v = p->row_value[k];
            if (v == 0) continue;
            locks[v > 0][p->row_col[k]] += p->row_upper[i] < INFINITY;
            locks[v < 0][p->row_col[k]] += p->row_lower[i] > -INFINITY;
        }
}

double mip_model_tell(const mip_model *model, double objective)
{
    double value = objective + model->constant;
    return model->negated ? -value : value;
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
