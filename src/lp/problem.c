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

/* ---- room -------------------------------------------------------------------------------------------------------- */

static int resize_doubles(double **blocks[], int count, size_t room)
{
    for (int i = 0; i < count; i++) {
        double *p = mem_resize(*blocks[i], room, sizeof(double));
        if (!p) return -1;
        *blocks[i] = p;
    }
    return 0;
}

static int widen_names(char ***names, size_t old, size_t room)
{
    if (!*names) return 0;
    char **p = mem_resize(*names, room, sizeof *p);
    if (!p) return -1;
    for (size_t i = old; i < room; i++) p[i] = NULL;
    *names = p;
    return 0;
}

static int reserve_cols(vouch_lp *lp, size_t need)
{
    if (need <= lp->col_room) return 0;
    size_t room = need + need / 2 + 8;
    double **blocks[] = {&lp->cost, &lp->col_lower, &lp->col_upper};
    if (resize_doubles(blocks, 3, room)) return -1;
    unsigned char *integer = mem_resize(lp->integer, room, 1);
    if (!integer) return -1;
    lp->integer = integer;
    if (widen_names(&lp->col_names, lp->col_room, room)) return -1;
    lp->col_room = room;
    return 0;
}

static int reserve_rows(vouch_lp *lp, size_t need)
{
    if (need <= lp->row_room) return 0;
    size_t room = need + need / 2 + 8;
    double **blocks[] = {&lp->row_lower, &lp->row_upper};
    if (resize_doubles(blocks, 2, room)) return -1;
    if (widen_names(&lp->row_names, lp->row_room, room)) return -1;
    lp->row_room = room;
    return 0;
}

static int reserve_status(vouch_lp *lp, size_t need)
{
    if (need <= lp->status_room) return 0;
    size_t room = need + need / 2 + 16;
    unsigned char *status = mem_resize(lp->status, room, 1);
    if (!status) return -1;
    lp->status = status;
    lp->status_room = room;
    return 0;
}

/* ---- life --------------------------------------------------------------------------------------------------------- */

vouch_status vouch_lp_new(vouch_lp **lp)
{
    *lp = MEM_ZERO(vouch_lp, 1);
    if (!*lp) return VOUCH_ERROR_MEMORY;
    if (sparse_init(&(*lp)->a, 0) || reserve_cols(*lp, 1) || reserve_rows(*lp, 1) || reserve_status(*lp, 1)) {
        vouch_lp_free(*lp);
        *lp = NULL;
        return VOUCH_ERROR_MEMORY;
    }
    return VOUCH_OK;
}

static void free_names(char **names, size_t room)
{
    if (!names) return;
    for (size_t i = 0; i < room; i++) mem_free(names[i]);
    mem_free(names);
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
    void *blocks[] = {lp->cost,    lp->col_lower, lp->col_upper,      lp->row_lower, lp->row_upper,
                      lp->integer, lp->name,      lp->objective_name, lp->status,    lp->numbers};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(blocks[i]);
    free_names(lp->row_names, lp->row_room);
    free_names(lp->col_names, lp->col_room);
    free_sos1(lp);
    simplex_free(lp->engine);
    mem_free(lp);
}

static int copy_names(char ***to, char *const *from, size_t count, size_t room)
{
    if (!from) return 0;
    if (!(*to = MEM_ZERO(char *, room))) return -1;
    for (size_t i = 0; i < count; i++) {
        if (from[i] && !((*to)[i] = mem_string(from[i]))) return -1;
    }
    return 0;
}

vouch_status vouch_lp_clone(vouch_lp **copy, const vouch_lp *lp)
{
    *copy = NULL;
    vouch_lp *c;
    if (vouch_lp_new(&c)) return VOUCH_ERROR_MEMORY;
    vouch_lp_data data;
    vouch_lp_view(lp, &data);
    vouch_status status = vouch_lp_load(c, &data, NULL);
    if (status) goto failed;
    status = VOUCH_ERROR_MEMORY;
    MEM_COPY(c->integer, lp->integer, lp->a.cols);
    if (lp->name && !(c->name = mem_string(lp->name))) goto failed;
    if (lp->objective_name && !(c->objective_name = mem_string(lp->objective_name))) goto failed;
    if (copy_names(&c->row_names, lp->row_names, (size_t)lp->a.rows, c->row_room)) goto failed;
    if (copy_names(&c->col_names, lp->col_names, (size_t)lp->a.cols, c->col_room)) goto failed;
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

static bool bad_lower(double x) { return isnan(x) || x == INFINITY; }
static bool bad_upper(double x) { return isnan(x) || x == -INFINITY; }

static vouch_status check_bounds(const char *what, int count, const double *lower, const double *upper, vouch_error *error)
{
    for (int k = 0; k < count; k++) {
        if (lower && bad_lower(lower[k])) return error_set(error, VOUCH_ERROR_INPUT, "%s %d: lower bound %g", what, k, lower[k]);
        if (upper && bad_upper(upper[k])) return error_set(error, VOUCH_ERROR_INPUT, "%s %d: upper bound %g", what, k, upper[k]);
    }
    return VOUCH_OK;
}

/* Lists of entries with indices below `limit`; last [limit] is scratch: who met an index last. */
static vouch_status check_lists(const char *what, int count, const int64_t *start, const int *index, const double *value, int limit,
                                int *last, vouch_error *error)
{
    for (int i = 0; i < limit; i++) last[i] = -1;
    if (start[0] != 0) return error_set(error, VOUCH_ERROR_INPUT, "start[0] is not 0");
    for (int k = 0; k < count; k++) {
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

vouch_status vouch_lp_load(vouch_lp *lp, const vouch_lp_data *data, vouch_error *error)
{
    int m = data->rows, n = data->cols;
    if (m < 0 || n < 0 || m > INT_MAX / 4 - n) return error_set(error, VOUCH_ERROR_ARGUMENT, "%d rows, %d columns", m, n);
    int64_t none[1] = {0};
    const int64_t *start = n ? data->start : none;
    for (int j = 0; data->cost && j < n; j++) {
        if (!isfinite(data->cost[j])) return error_set(error, VOUCH_ERROR_INPUT, "column %d: cost %g", j, data->cost[j]);
    }
    if (!isfinite(data->offset)) return error_set(error, VOUCH_ERROR_INPUT, "objective offset %g", data->offset);
    vouch_status status = check_bounds("column", n, data->col_lower, data->col_upper, error);
    if (!status) status = check_bounds("row", m, data->row_lower, data->row_upper, error);
    if (status) return status;
    int *last = MEM_NEW(int, m);
    if (!last) return error_memory(error);
    status = check_lists("column", n, start, data->index, data->value, m, last, error);
    mem_free(last);
    if (status) return status;

    vouch_lp *fresh;
    if (vouch_lp_new(&fresh)) return error_memory(error);
    fresh->a.rows = m;
    size_t entries = (size_t)start[n];
    if (sparse_reserve(&fresh->a, (size_t)n, entries) || reserve_cols(fresh, (size_t)n) || reserve_rows(fresh, (size_t)m) ||
        reserve_status(fresh, (size_t)m + (size_t)n)) {
        vouch_lp_free(fresh);
        return error_memory(error);
    }
    fresh->a.cols = n;
    MEM_COPY(fresh->a.start, start, n + 1);
    if (entries) {
        MEM_COPY(fresh->a.index, data->index, entries);
        MEM_COPY(fresh->a.value, data->value, entries);
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

/* ---- changes ------------------------------------------------------------------------------------------------------ */

void lp_forget_result(vouch_lp *lp) { lp->result = (vouch_lp_result){0}; }

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

static int *index_scratch(int n) { return MEM_NEW(int, n); }

vouch_status vouch_lp_add_rows(vouch_lp *lp, int count, const int64_t *start, const int *index, const double *value,
                               const double *lower, const double *upper)
{
    int m = lp->a.rows, n = lp->a.cols;
    if (count < 0 || m > INT_MAX / 4 - n - count) return VOUCH_ERROR_ARGUMENT;
    if (count == 0) return VOUCH_OK;
    if (check_bounds("row", count, lower, upper, NULL)) return VOUCH_ERROR_INPUT;
    int *last = index_scratch(n);
    if (!last) return VOUCH_ERROR_MEMORY;
    vouch_status status = check_lists("row", count, start, index, value, n, last, NULL);
    mem_free(last);
    if (status) return status;

    sparse wider;
    size_t entries = (size_t)(lp->a.start[n] + start[count]);
    if (sparse_init(&wider, m + count)) return VOUCH_ERROR_MEMORY;
    if (sparse_reserve(&wider, (size_t)n, entries) || reserve_rows(lp, (size_t)(m + count)) ||
        reserve_status(lp, (size_t)(m + n + count))) {
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
        if (lp->row_names) lp->row_names[m + i] = NULL;
    }
    return VOUCH_OK;
}

vouch_status vouch_lp_add_cols(vouch_lp *lp, int count, const int64_t *start, const int *index, const double *value,
                               const double *cost, const double *lower, const double *upper)
{
    int m = lp->a.rows, n = lp->a.cols;
    if (count < 0 || m > INT_MAX / 4 - n - count) return VOUCH_ERROR_ARGUMENT;
    if (count == 0) return VOUCH_OK;
    if (check_bounds("column", count, lower, upper, NULL)) return VOUCH_ERROR_INPUT;
    for (int j = 0; cost && j < count; j++) {
        if (!isfinite(cost[j])) return VOUCH_ERROR_INPUT;
    }
    int *last = index_scratch(m);
    if (!last) return VOUCH_ERROR_MEMORY;
    vouch_status status = check_lists("column", count, start, index, value, m, last, NULL);
    mem_free(last);
    if (status) return status;
    size_t entries = (size_t)(lp->a.start[n] + start[count]);
    if (entries > lp->a.entry_room || (size_t)(n + count) + 1 > lp->a.start_room) {
        size_t cols = (size_t)(n + count);
        if (sparse_reserve(&lp->a, cols + cols / 2, entries + entries / 2)) return VOUCH_ERROR_MEMORY;
    }
    if (reserve_cols(lp, (size_t)(n + count)) || reserve_status(lp, (size_t)(m + n + count))) return VOUCH_ERROR_MEMORY;

    lp_forget_result(lp);
    for (int j = 0; j < count; j++) {
        int64_t length = start[j + 1] - start[j];
        double c = cost ? cost[j] : 0, l = lower ? lower[j] : 0, u = upper ? upper[j] : INFINITY;
        const int *rows = index ? index + start[j] : NULL;
        const double *entry = value ? value + start[j] : NULL;
        if (lp->engine && simplex_append(lp->engine, length, rows, entry, lp->maximize ? -c : c, l, u)) lp_drop_engine(lp);
        sparse_append(&lp->a, length, rows, entry); /* room was made: cannot fail */
        lp->cost[n + j] = c;
        lp->col_lower[n + j] = l;
        lp->col_upper[n + j] = u;
        lp->integer[n + j] = 0;
        lp->status[m + n + j] = isinf(l) && !isinf(u) ? VOUCH_AT_UPPER : VOUCH_AT_LOWER;
        if (lp->col_names) lp->col_names[n + j] = NULL;
    }
    return VOUCH_OK;
}

static bool ascending(int count, const int *list, int limit)
{
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

vouch_status vouch_lp_delete_rows(vouch_lp *lp, int count, const int *rows)
{
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
        if (p < 0) {
            if (lp->row_names) mem_free(lp->row_names[i]);
            continue;
        }
        lp->row_lower[p] = lp->row_lower[i];
        lp->row_upper[p] = lp->row_upper[i];
        lp->status[p] = lp->status[i];
        if (lp->row_names) lp->row_names[p] = lp->row_names[i];
    }
    if (lp->row_names) {
        for (int i = m - count; i < m; i++) lp->row_names[i] = NULL;
    }
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
        if (p < 0) {
            if (lp->col_names) mem_free(lp->col_names[j]);
            continue;
        }
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
        if (lp->col_names) lp->col_names[p] = lp->col_names[j];
    }
    if (lp->col_names) {
        for (int j = n - count; j < n; j++) lp->col_names[j] = NULL;
    }
    lp->a.cols = n - count;
    lp->a.start[lp->a.cols] = to;
    renumber_sos1(lp, place);
    mem_free(place);
    return VOUCH_OK;
}

vouch_status vouch_lp_set_col_bounds(vouch_lp *lp, int col, double lower, double upper)
{
    if (col < 0 || col >= lp->a.cols || bad_lower(lower) || bad_upper(upper)) return VOUCH_ERROR_ARGUMENT;
    if (lp->col_lower[col] == lower && lp->col_upper[col] == upper) return VOUCH_OK;
    lp->col_lower[col] = lower;
    lp->col_upper[col] = upper;
    if (lp->engine) simplex_set_bounds(lp->engine, lp->a.rows + col, lower, upper);
    lp_forget_result(lp);
    return VOUCH_OK;
}

vouch_status vouch_lp_set_row_bounds(vouch_lp *lp, int row, double lower, double upper)
{
    if (row < 0 || row >= lp->a.rows || bad_lower(lower) || bad_upper(upper)) return VOUCH_ERROR_ARGUMENT;
    if (lp->row_lower[row] == lower && lp->row_upper[row] == upper) return VOUCH_OK;
    lp->row_lower[row] = lower;
    lp->row_upper[row] = upper;
    if (lp->engine) simplex_set_bounds(lp->engine, row, lower, upper);
    lp_forget_result(lp);
    return VOUCH_OK;
}

vouch_status vouch_lp_set_cost(vouch_lp *lp, int col, double cost)
{
    if (col < 0 || col >= lp->a.cols || !isfinite(cost)) return VOUCH_ERROR_ARGUMENT;
    if (lp->cost[col] == cost) return VOUCH_OK;
    lp->cost[col] = cost;
    if (lp->engine) simplex_set_cost(lp->engine, lp->a.rows + col, lp->maximize ? -cost : cost);
    lp_forget_result(lp);
    return VOUCH_OK;
}

vouch_status vouch_lp_set_offset(vouch_lp *lp, double offset)
{
    if (!isfinite(offset)) return VOUCH_ERROR_ARGUMENT;
    lp->offset = offset;
    lp_forget_result(lp);
    return VOUCH_OK;
}

vouch_status vouch_lp_set_maximize(vouch_lp *lp, int maximize)
{
    if (lp->maximize == (maximize != 0)) return VOUCH_OK;
    lp->maximize = maximize != 0;
    for (int j = 0; lp->engine && j < lp->a.cols; j++) {
        simplex_set_cost(lp->engine, lp->a.rows + j, lp->maximize ? -lp->cost[j] : lp->cost[j]);
    }
    lp_forget_result(lp);
    return VOUCH_OK;
}

/* ---- view and basis ------------------------------------------------------------------------------------------------- */

int vouch_lp_rows(const vouch_lp *lp) { return lp->a.rows; }
int vouch_lp_cols(const vouch_lp *lp) { return lp->a.cols; }

void vouch_lp_view(const vouch_lp *lp, vouch_lp_data *view)
{
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
    simplex_free(lp->engine);
    lp->engine = NULL;
    lp->has_basis = false;
    lp_forget_result(lp);
}

int vouch_lp_has_basis(const vouch_lp *lp) { return lp->has_basis; }
