/* lp/problem_edit.c - changes of a program once it is loaded: rows and columns that come and go, bounds, costs. The engine of the
 * last solve follows a change where it can and is dropped where it cannot; a basis stays when it still means something.
 */
#include "lp/problem.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* ---- changes ------------------------------------------------------------------------------------------------------ */

/* Rows or columns to be added, their bounds, and indices below `limit`. */
static vouch_status check_added(const vouch_lp *lp, const char *what, const line_matrix *added, int limit, const double lower[],
                                const double upper[])
{
    int count = added->lines;
    if (count < 0 || lp->a.rows > INT_MAX / 4 - lp->a.cols - count) return VOUCH_ERROR_ARGUMENT;
    if (count == 0) return VOUCH_OK;
    vouch_status status = lp_check_bounds(what, count, lower, upper, NULL);
    return status ? status : lp_check_lists(what, added, limit, NULL);
}

vouch_status vouch_lp_add_rows(vouch_lp *lp, int count, const int64_t *start, const int *index, const double *value,
                               const double *lower, const double *upper)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    int m = lp->a.rows, n = lp->a.cols;
    vouch_status status = check_added(lp, "row", &(line_matrix){count, start, index, value}, n, lower, upper);
    if (status || count == 0) return status;

    sparse wider;
    size_t entries = (size_t)(lp->a.start[n] + start[count]);
    if (sparse_init(&wider, m + count)) return VOUCH_ERROR_MEMORY;
    if (sparse_reserve(&wider, (size_t)n, entries) || lp_reserve_rows(lp, (size_t)(m + count)) ||
        lp_reserve_status(lp, (size_t)(m + n + count))) {
        sparse_free(&wider);
        return VOUCH_ERROR_MEMORY;
    }
    /* start of the wider matrix: old lengths plus new entries of each column */
    wider.cols = n;
    int64_t *to = wider.start;
    memset(to, 0, ((size_t)n + 1) * sizeof *to);
    for (int64_t e = 0; e < start[count]; e++) to[index[e] + 1]++;
    for (int j = 0; j < n; j++) to[j + 1] += to[j] + lp->a.start[j + 1] - lp->a.start[j];
    for (int j = 0; j < n; j++) {
        int64_t length = lp->a.start[j + 1] - lp->a.start[j];
        MEM_COPY(wider.index + to[j], lp->a.index + lp->a.start[j], length);
        MEM_COPY(wider.value + to[j], lp->a.value + lp->a.start[j], length);
        to[j] += length;
    }
    for (int i = 0; i < count; i++) {
        for (int64_t e = start[i]; e < start[i + 1]; e++) {
            int64_t at = to[index[e]]++;
            wider.index[at] = m + i;
            wider.value[at] = value[e];
        }
    }
    memmove(to + 1, to, (size_t)n * sizeof *to); /* each start had moved to its end */
    to[0] = 0;

    lp_drop_engine(lp);
    lp_forget_result(lp);
    sparse_free(&lp->a);
    lp->a = wider;
    memmove(lp->status + m + count, lp->status + m, (size_t)n);
    for (int i = 0; i < count; i++) {
        lp->row_lower[m + i] = lower ? lower[i] : -INFINITY;
        lp->row_upper[m + i] = upper ? upper[i] : INFINITY;
        lp->status[m + i] = VOUCH_BASIC;
        if (lp->row_names.name) lp->row_names.name[m + i] = NULL;
    }
    return VOUCH_OK;
}

vouch_status vouch_lp_add_cols(vouch_lp *lp, int count, const int64_t *start, const int *index, const double *value,
                               const double *cost, const double *lower, const double *upper)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    int m = lp->a.rows, n = lp->a.cols;
    vouch_status status = check_added(lp, "column", &(line_matrix){count, start, index, value}, m, lower, upper);
    if (status || count == 0) return status;
    for (int j = 0; cost && j < count; j++) {
        if (!isfinite(cost[j])) return VOUCH_ERROR_INPUT;
    }
    size_t entries = (size_t)(lp->a.start[n] + start[count]);
    if (entries > lp->a.entry_capacity || (size_t)(n + count) + 1 > lp->a.start_capacity) {
        size_t cols = (size_t)(n + count);
        if (sparse_reserve(&lp->a, cols + cols / 2, entries + entries / 2)) return VOUCH_ERROR_MEMORY;
    }
    if (lp_reserve_cols(lp, (size_t)(n + count)) || lp_reserve_status(lp, (size_t)(m + n + count))) return VOUCH_ERROR_MEMORY;

    lp_forget_result(lp);
    for (int j = 0; j < count; j++) {
        int64_t length = start[j + 1] - start[j];
        double c = cost ? cost[j] : 0, l = lower ? lower[j] : 0, u = upper ? upper[j] : INFINITY;
        const int *rows = index ? index + start[j] : NULL;
        const double *entry = value ? value + start[j] : NULL;
        simplex_col col = {length, rows, entry, lp->maximize ? -c : c, l, u};
        if (lp->engine && simplex_append(lp->engine, &col)) lp_drop_engine(lp);
        sparse_append(&lp->a, length, rows, entry); /* room was made: cannot fail */
        lp->cost[n + j] = c;
        lp->col_lower[n + j] = l;
        lp->col_upper[n + j] = u;
        lp->integer[n + j] = 0;
        lp->status[m + n + j] = isinf(l) && !isinf(u) ? VOUCH_AT_UPPER : VOUCH_AT_LOWER;
    }
    return VOUCH_OK;
}

static bool ascending(int count, const int *list, int limit)
{
    if (count > 0 && !list) return false;
    for (int k = 0; k < count; k++) {
        if (list[k] < 0 || list[k] >= limit || (k && list[k] <= list[k - 1])) return false;
    }
    return count >= 0;
}

/* new_place[i]: where i goes when `list` is deleted, -1 for those. */
static int *places(int count, const int *list, int n)
{
    int *place = MEM_NEW(int, n);
    if (!place) return NULL;
    for (int i = 0, k = 0, to = 0; i < n; i++) {
        if (k < count && list[k] == i)
            place[i] = -1, k++;
        else
            place[i] = to++;
    }
    return place;
}

static void move_names(const name_list *names, const int place[], int n)
{
    for (int i = 0; names->name && i < n; i++) {
        char *name = names->name[i];
        names->name[i] = NULL;
        if (place[i] < 0)
            lp_free_name(names, name);
        else
            names->name[place[i]] = name;
    }
}

vouch_status vouch_lp_delete_rows(vouch_lp *lp, int count, const int *rows)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    int m = lp->a.rows, n = lp->a.cols;
    if (!ascending(count, rows, m)) return VOUCH_ERROR_ARGUMENT;
    if (count == 0) return VOUCH_OK;
    int *place = places(count, rows, m);
    if (!place) return VOUCH_ERROR_MEMORY;
    lp_drop_engine(lp);
    lp_forget_result(lp);
    int64_t to = 0, from = 0;
    for (int j = 0; j < n; j++) {
        for (; from < lp->a.start[j + 1]; from++) {
            int i = place[lp->a.index[from]];
            if (i < 0) continue;
            lp->a.index[to] = i;
            lp->a.value[to++] = lp->a.value[from];
        }
        lp->a.start[j + 1] = to;
    }
    for (int i = 0; i < m; i++) {
        int p = place[i];
        if (p < 0) continue;
        lp->row_lower[p] = lp->row_lower[i];
        lp->row_upper[p] = lp->row_upper[i];
        lp->status[p] = lp->status[i];
    }
    move_names(&lp->row_names, place, m);
    memmove(lp->status + m - count, lp->status + m, (size_t)n);
    lp->a.rows = m - count;
    mem_free(place);
    return VOUCH_OK;
}

/* A deleted column leaves its SOS1 sets. */
static void renumber_sos1(vouch_lp *lp, const int *place)
{
    for (size_t k = 0; k < lp->sos1_count; k++) {
        sos1_set *set = &lp->sos1[k];
        int kept = 0;
        for (int t = 0; t < set->count; t++) {
            if (place[set->cols[t]] < 0) continue;
            set->cols[kept] = place[set->cols[t]];
            if (set->weight) set->weight[kept] = set->weight[t];
            kept++;
        }
        set->count = kept;
    }
}

vouch_status vouch_lp_delete_cols(vouch_lp *lp, int count, const int *cols)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    int m = lp->a.rows, n = lp->a.cols;
    if (!ascending(count, cols, n)) return VOUCH_ERROR_ARGUMENT;
    if (count == 0) return VOUCH_OK;
    int *place = places(count, cols, n);
    if (!place) return VOUCH_ERROR_MEMORY;
    lp_drop_engine(lp);
    lp_forget_result(lp);
    int64_t to = 0;
    for (int j = 0; j < n; j++) {
        int p = place[j];
        if (p < 0) continue;
        int64_t length = lp->a.start[j + 1] - lp->a.start[j];
        memmove(lp->a.index + to, lp->a.index + lp->a.start[j], (size_t)length * sizeof(int));
        memmove(lp->a.value + to, lp->a.value + lp->a.start[j], (size_t)length * sizeof(double));
        lp->a.start[p] = to;
        to += length;
        lp->cost[p] = lp->cost[j];
        lp->col_lower[p] = lp->col_lower[j];
        lp->col_upper[p] = lp->col_upper[j];
        lp->integer[p] = lp->integer[j];
        lp->status[m + p] = lp->status[m + j];
    }
    move_names(&lp->col_names, place, n);
    lp->a.cols = n - count;
    lp->a.start[lp->a.cols] = to;
    renumber_sos1(lp, place);
    mem_free(place);
    return VOUCH_OK;
}

/* Of variable v, rows first, whose bounds are in *l and *u. */
static vouch_status set_bounds(vouch_lp *lp, int v, double *l, double *u, double lower, double upper)
{
    if (lp_bad_lower(lower) || lp_bad_upper(upper)) return VOUCH_ERROR_ARGUMENT;
    if (*l == lower && *u == upper) return VOUCH_OK;
    *l = lower;
    *u = upper;
    if (lp->engine) simplex_set_bounds(lp->engine, v, lower, upper);
    lp_forget_result(lp);
    return VOUCH_OK;
}

vouch_status vouch_lp_set_col_bounds(vouch_lp *lp, int col, double lower, double upper)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    if (col < 0 || col >= lp->a.cols) return VOUCH_ERROR_ARGUMENT;
    return set_bounds(lp, lp->a.rows + col, &lp->col_lower[col], &lp->col_upper[col], lower, upper);
}

vouch_status vouch_lp_set_row_bounds(vouch_lp *lp, int row, double lower, double upper)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    if (row < 0 || row >= lp->a.rows) return VOUCH_ERROR_ARGUMENT;
    return set_bounds(lp, row, &lp->row_lower[row], &lp->row_upper[row], lower, upper);
}

vouch_status vouch_lp_set_cost(vouch_lp *lp, int col, double cost)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    if (col < 0 || col >= lp->a.cols || !isfinite(cost)) return VOUCH_ERROR_ARGUMENT;
    if (lp->cost[col] == cost) return VOUCH_OK;
    lp->cost[col] = cost;
    if (lp->engine) simplex_set_cost(lp->engine, lp->a.rows + col, lp->maximize ? -cost : cost);
    lp_forget_result(lp);
    return VOUCH_OK;
}

vouch_status vouch_lp_set_offset(vouch_lp *lp, double offset)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    if (!isfinite(offset)) return VOUCH_ERROR_ARGUMENT;
    lp->offset = offset;
    lp_forget_result(lp);
    return VOUCH_OK;
}

vouch_status vouch_lp_set_maximize(vouch_lp *lp, int maximize)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    if (lp->maximize == (maximize != 0)) return VOUCH_OK;
    lp->maximize = maximize != 0;
    for (int j = 0; lp->engine && j < lp->a.cols; j++) {
        simplex_set_cost(lp->engine, lp->a.rows + j, lp->maximize ? -lp->cost[j] : lp->cost[j]);
    }
    lp_forget_result(lp);
    return VOUCH_OK;
}
