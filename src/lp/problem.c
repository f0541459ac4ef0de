/* lp/problem.c - the caller's problem: storage, changes, names, basis. See vouch/lp.h for the contracts.
 *
 * Changes of bounds and costs and further columns are passed on to the engine that the last solve left behind, so that its
 * factors live on; changes of rows and deletions keep only the basis.
 */
#include "lp/problem.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "lp/tolerance.h"

/* ---- room -------------------------------------------------------------------------------------------------------- */

static int resize_doubles(double **blocks[], int count, size_t capacity)
{
    for (int i = 0; i < count; i++) {
        if (MEM_RESIZE(blocks[i], capacity)) return -1;
    }
    return 0;
}

static int widen_names(name_list *names, size_t old, size_t capacity)
{
    if (!names->name) return 0;
    if (MEM_RESIZE(&names->name, capacity)) return -1;
    for (size_t i = old; i < capacity; i++) names->name[i] = NULL;
    return 0;
}

int lp_reserve_cols(vouch_lp *lp, size_t need)
{
    if (need <= lp->col_capacity) return 0;
    size_t capacity = need + need / 2 + 8;
    double **blocks[] = {&lp->cost, &lp->col_lower, &lp->col_upper};
    if (resize_doubles(blocks, 3, capacity)) return -1;
    if (MEM_RESIZE(&lp->integer, capacity)) return -1;
    if (widen_names(&lp->col_names, lp->col_capacity, capacity)) return -1;
    lp->col_capacity = capacity;
    return 0;
}

int lp_reserve_rows(vouch_lp *lp, size_t need)
{
    if (need <= lp->row_capacity) return 0;
    size_t capacity = need + need / 2 + 8;
    double **blocks[] = {&lp->row_lower, &lp->row_upper};
    if (resize_doubles(blocks, 2, capacity)) return -1;
    if (widen_names(&lp->row_names, lp->row_capacity, capacity)) return -1;
    lp->row_capacity = capacity;
    return 0;
}

int lp_reserve_status(vouch_lp *lp, size_t need)
{
    if (need <= lp->status_capacity) return 0;
    size_t capacity = need + need / 2 + 16;
    if (MEM_RESIZE(&lp->status, capacity)) return -1;
    lp->status_capacity = capacity;
    return 0;
}

/* ---- life --------------------------------------------------------------------------------------------------------- */

vouch_status vouch_lp_new(vouch_lp **lp)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    *lp = MEM_ZERO(vouch_lp, 1);
    if (*lp) (*lp)->confirm_most = EXACT_WORK_CONFIRM_ALL;
    if (!*lp) return VOUCH_ERROR_MEMORY;
    if (sparse_init(&(*lp)->a, 0) || lp_reserve_cols(*lp, 1) || lp_reserve_rows(*lp, 1) || lp_reserve_status(*lp, 1)) {
        vouch_lp_free(*lp);
        *lp = NULL;
        return VOUCH_ERROR_MEMORY;
    }
    return VOUCH_OK;
}

static void free_sos1(vouch_lp *lp)
{
    for (size_t k = 0; k < lp->sos1_count; k++) {
        mem_free(lp->sos1[k].cols);
        mem_free(lp->sos1[k].weight);
    }
    mem_free(lp->sos1);
    lp->sos1 = NULL;
    lp->sos1_count = lp->sos1_room = 0;
}

void vouch_lp_free(vouch_lp *lp)
{
    if (!lp) return;
    sparse_free(&lp->a);
    void *blocks[] = {lp->cost, lp->col_lower,      lp->col_upper, lp->row_lower, lp->row_upper, lp->integer,
                      lp->name, lp->objective_name, lp->status,    lp->numbers,   lp->fraction};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(blocks[i]);
    lp_free_names(&lp->row_names, lp->row_capacity);
    lp_free_names(&lp->col_names, lp->col_capacity);
    free_sos1(lp);
    simplex_free(lp->engine);
    mem_free(lp);
}

vouch_status vouch_lp_clone(vouch_lp **copy, const vouch_lp *lp)
{
    if (copy) *copy = NULL;
    if (!copy || !lp) return VOUCH_ERROR_ARGUMENT;
    vouch_lp *c;
    if (vouch_lp_new(&c)) return VOUCH_ERROR_MEMORY;
    vouch_lp_data data;
    vouch_lp_view(lp, &data);
    vouch_status status = vouch_lp_load(c, &data, NULL);
    if (status) goto failed;
    status = VOUCH_ERROR_MEMORY;
    MEM_COPY(c->integer, lp->integer, lp->a.cols);
    c->rewritten = lp->rewritten;
    if (lp->name && !(c->name = mem_string(lp->name))) goto failed;
    if (lp->objective_name && !(c->objective_name = mem_string(lp->objective_name))) goto failed;
    if (lp_copy_names(&c->row_names, &lp->row_names, (size_t)lp->a.rows, c->row_capacity)) goto failed;
    if (lp_copy_names(&c->col_names, &lp->col_names, (size_t)lp->a.cols, c->col_capacity)) goto failed;
    for (size_t k = 0; k < lp->sos1_count; k++) {
        if (vouch_lp_add_sos1(c, lp->sos1[k].count, lp->sos1[k].cols, lp->sos1[k].weight)) goto failed;
    }
    vouch_lp_get_basis(lp, c->status, c->status + lp->a.rows);
    c->has_basis = lp->has_basis;
    *copy = c;
    return VOUCH_OK;
failed:
    vouch_lp_free(c);
    return status;
}

/* ---- loading ------------------------------------------------------------------------------------------------------ */

bool lp_bad_lower(double x) { return isnan(x) || x == INFINITY; }
bool lp_bad_upper(double x) { return isnan(x) || x == -INFINITY; }

vouch_status lp_check_bounds(const char *what, int count, const double *lower, const double *upper, vouch_error *error)
{
    for (int k = 0; k < count; k++) {
        if (lower && lp_bad_lower(lower[k])) return error_set(error, VOUCH_ERROR_INPUT, "%s %d: lower bound %g", what, k, lower[k]);
        if (upper && lp_bad_upper(upper[k])) return error_set(error, VOUCH_ERROR_INPUT, "%s %d: upper bound %g", what, k, upper[k]);
    }
    return VOUCH_OK;
}

/* last [limit]: the list that had an index last, -1 for all. */
static vouch_status check_lists(const char *what, const line_matrix *lists, int limit, int last[], vouch_error *error)
{
    const int64_t *start = lists->start;
    const int *index = lists->index;
    const double *value = lists->value;
    if (start[0] != 0) return error_set(error, VOUCH_ERROR_INPUT, "start[0] is not 0");
    for (int k = 0; k < lists->lines; k++) {
        if (start[k + 1] < start[k]) return error_set(error, VOUCH_ERROR_INPUT, "%s %d: start decreases", what, k);
        for (int64_t e = start[k]; e < start[k + 1]; e++) {
            if (index[e] < 0 || index[e] >= limit) {
                return error_set(error, VOUCH_ERROR_INPUT, "%s %d: index %d outside 0..%d", what, k, index[e], limit - 1);
            }
            if (last[index[e]] == k) {
                return error_set(error, VOUCH_ERROR_INPUT, "%s %d: index %d appears twice", what, k, index[e]);
            }
            last[index[e]] = k;
            if (!isfinite(value[e])) return error_set(error, VOUCH_ERROR_INPUT, "%s %d: coefficient %g", what, k, value[e]);
        }
    }
    return VOUCH_OK;
}

vouch_status lp_check_lists(const char *what, const line_matrix *lists, int limit, vouch_error *error)
{
    if (!lists->start || (lists->start[lists->lines] > 0 && (!lists->index || !lists->value))) return error_null(error);
    int *last = MEM_NEW(int, limit);
    if (!last) return error_memory(error);
    for (int i = 0; i < limit; i++) last[i] = -1;
    vouch_status status = check_lists(what, lists, limit, last, error);
    mem_free(last);
    return status;
}

vouch_status vouch_lp_load(vouch_lp *lp, const vouch_lp_data *data, vouch_error *error)
{
    if (!lp || !data) return error_null(error);
    int m = data->rows, n = data->cols;
    if (m < 0 || n < 0 || m > INT_MAX / 4 - n) return error_set(error, VOUCH_ERROR_ARGUMENT, "%d rows, %d columns", m, n);
    int64_t none[1] = {0};
    const int64_t *start = n ? data->start : none;
    for (int j = 0; data->cost && j < n; j++) {
        if (!isfinite(data->cost[j])) return error_set(error, VOUCH_ERROR_INPUT, "column %d: cost %g", j, data->cost[j]);
    }
    if (!isfinite(data->offset)) return error_set(error, VOUCH_ERROR_INPUT, "objective offset %g", data->offset);
    vouch_status status = lp_check_bounds("column", n, data->col_lower, data->col_upper, error);
    if (!status) status = lp_check_bounds("row", m, data->row_lower, data->row_upper, error);
    if (!status) status = lp_check_lists("column", &(line_matrix){n, start, data->index, data->value}, m, error);
    if (status) return status;

    vouch_lp *fresh;
    if (vouch_lp_new(&fresh)) return error_memory(error);
    if (sparse_load(&fresh->a, m, n, start, data->index, data->value) || lp_reserve_cols(fresh, (size_t)n) ||
        lp_reserve_rows(fresh, (size_t)m) || lp_reserve_status(fresh, (size_t)m + (size_t)n)) {
        vouch_lp_free(fresh);
        return error_memory(error);
    }
    for (int j = 0; j < n; j++) {
        fresh->cost[j] = data->cost ? data->cost[j] : 0;
        fresh->col_lower[j] = data->col_lower ? data->col_lower[j] : 0;
        fresh->col_upper[j] = data->col_upper ? data->col_upper[j] : INFINITY;
        fresh->integer[j] = 0;
    }
    for (int i = 0; i < m; i++) {
        fresh->row_lower[i] = data->row_lower ? data->row_lower[i] : -INFINITY;
        fresh->row_upper[i] = data->row_upper ? data->row_upper[i] : INFINITY;
    }
    fresh->offset = data->offset;
    fresh->maximize = data->maximize != 0;
    vouch_lp old = *lp;
    *lp = *fresh;
    *fresh = old;
    vouch_lp_free(fresh);
    return VOUCH_OK;
}

void lp_forget_result(vouch_lp *lp)
{
    mem_free(lp->fraction);
    lp->fraction = NULL;
    lp->result = (vouch_lp_result){0};
}

void lp_keep_basis(vouch_lp *lp)
{
    if (!lp->engine) return;
    for (int v = 0; v < lp->engine->vars; v++) lp->status[v] = simplex_status(lp->engine, v);
}

void lp_drop_engine(vouch_lp *lp)
{
    lp_keep_basis(lp);
    simplex_free(lp->engine);
    lp->engine = NULL;
}

/* ---- view and basis ------------------------------------------------------------------------------------------------- */

int vouch_lp_rows(const vouch_lp *lp) { return lp ? lp->a.rows : 0; }
int vouch_lp_cols(const vouch_lp *lp) { return lp ? lp->a.cols : 0; }

void vouch_lp_view(const vouch_lp *lp, vouch_lp_data *view)
{
    if (view) *view = (vouch_lp_data){0};
    if (!lp || !view) return;
    *view = (vouch_lp_data){.rows = lp->a.rows,
                            .cols = lp->a.cols,
                            .start = lp->a.start,
                            .index = lp->a.index,
                            .value = lp->a.value,
                            .cost = lp->cost,
                            .offset = lp->offset,
                            .maximize = lp->maximize,
                            .col_lower = lp->col_lower,
                            .col_upper = lp->col_upper,
                            .row_lower = lp->row_lower,
                            .row_upper = lp->row_upper};
}

static unsigned char slack_status(double lower, double upper)
{
    if (lower == upper) return VOUCH_NONBASIC_FIXED;
    if (!isinf(lower)) return VOUCH_AT_LOWER;
    return isinf(upper) ? VOUCH_NONBASIC_FREE : VOUCH_AT_UPPER;
}

void vouch_lp_get_basis(const vouch_lp *lp, unsigned char *row_status, unsigned char *col_status)
{
    if (!lp || !row_status || !col_status) return;
    int m = lp->a.rows;
    if (lp->has_basis && lp->engine) {
        for (int i = 0; i < m; i++) row_status[i] = simplex_status(lp->engine, i);
        for (int j = 0; j < lp->a.cols; j++) col_status[j] = simplex_status(lp->engine, m + j);
    } else if (lp->has_basis) {
        memcpy(row_status, lp->status, (size_t)m);
        memcpy(col_status, lp->status + m, (size_t)lp->a.cols);
    } else {
        memset(row_status, VOUCH_BASIC, (size_t)m);
        for (int j = 0; j < lp->a.cols; j++) col_status[j] = slack_status(lp->col_lower[j], lp->col_upper[j]);
    }
}

vouch_status vouch_lp_set_basis(vouch_lp *lp, const unsigned char *row_status, const unsigned char *col_status)
{
    if (!lp || !row_status || !col_status) return VOUCH_ERROR_ARGUMENT;
    int m = lp->a.rows, n = lp->a.cols;
    for (int i = 0; i < m; i++) {
        if (row_status[i] > VOUCH_NONBASIC_FIXED) return VOUCH_ERROR_ARGUMENT;
    }
    for (int j = 0; j < n; j++) {
        if (col_status[j] > VOUCH_NONBASIC_FIXED) return VOUCH_ERROR_ARGUMENT;
    }
    memcpy(lp->status, row_status, (size_t)m);
    memcpy(lp->status + m, col_status, (size_t)n);
    if (lp->engine) simplex_set_basis(lp->engine, lp->status);
    lp->has_basis = true;
    lp_forget_result(lp);
    return VOUCH_OK;
}

void vouch_lp_forget_basis(vouch_lp *lp)
{
    if (!lp) return;
    simplex_free(lp->engine);
    lp->engine = NULL;
    lp->has_basis = false;
    lp_forget_result(lp);
}

int vouch_lp_has_basis(const vouch_lp *lp) { return lp && lp->has_basis; }
