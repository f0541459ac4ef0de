/* lp/problem.c - the caller's problem: storage, changes, names, basis. See vouch/lp.h for the contracts.
 *
 * Changes of bounds and costs and new columns are passed on to the engine of the last solve, so that its factors survive; changes
 * of rows and deletions keep only the basis.
 *
 * Names, integrality and SOS1 sets are stored for other users; the simplex method does not use them. */
#include "lp/problem.h"

#include <limits.h>
#include <math.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "lp/tolerance.h"

static vouch_status replace_string(char **slot, const char *text)
{
    char *copy = NULL;
    if (text && *text && !(copy = mem_string(text))) return VOUCH_ERROR_MEMORY;
    mem_free(*slot);
    *slot = copy;
    return VOUCH_OK;
}

static bool in_block(const name_list *list, const char *name)
{
    return list->block && name >= list->block && name < list->block + list->length;
}

static void lp_free_name(const name_list *list, char *name)
{
    if (!in_block(list, name)) mem_free(name);
}

static void lp_free_names(name_list *list, size_t capacity)
{
    for (size_t i = 0; i < capacity && list->name; i++) lp_free_name(list, list->name[i]);
    MEM_FREE_ALL(list->name, list->block);
    *list = (name_list){0};
}

/* Names from an array, or from text and offsets if name is NULL. */
typedef struct name_source {
    char *const *name;
    const char *text;
    const size_t *offset;
} name_source;

static const char *name_at(const name_source *from, size_t i)
{
    const char *name = from->name ? from->name[i] : from->text + from->offset[i];
    return name && *name ? name : NULL;
}

static int copy_names(name_list *to, const name_source *from, size_t count, size_t capacity)
{
    size_t length = 1, at = 0;
    CHECK(!to->name && !to->block);
    for (size_t i = 0; i < count; i++) length += name_at(from, i) ? strlen(name_at(from, i)) + 1 : 0;
    to->name = MEM_ZERO(char *, capacity);
    to->block = MEM_NEW(char, length);
    if (!to->name || !to->block) {
        lp_free_names(to, 0);
        return -1;
    }
    to->length = length;
    for (size_t i = 0; i < count; i++) {
        const char *name = name_at(from, i);
        if (!name) continue;
        size_t size = strlen(name) + 1;
        to->name[i] = memcpy(to->block + at, name, size);
        at += size;
    }
    CHECK_COMPARE(at + 1, ==, length);
    return 0;
}

/* -1: memory */
static int lp_copy_names(name_list *to, const name_list *from, size_t count, size_t capacity)
{
    return from->name ? copy_names(to, &(name_source){.name = from->name}, count, capacity) : 0;
}

vouch_status lp_name_rows(vouch_lp *lp, const char text[], const size_t offset[])
{
    const name_source from = {NULL, text, offset};
    return copy_names(&lp->row_names, &from, (size_t)lp->a.rows, lp->row_capacity) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

vouch_status lp_name_cols(vouch_lp *lp, const char text[], const size_t offset[])
{
    const name_source from = {NULL, text, offset};
    return copy_names(&lp->col_names, &from, (size_t)lp->a.cols, lp->col_capacity) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

static vouch_status name_item(name_list *list, int item, int count, size_t capacity, const char *text)
{
    if (item < 0 || item >= count) return VOUCH_ERROR_ARGUMENT;
    if (!list->name && !(list->name = MEM_ZERO(char *, capacity))) return VOUCH_ERROR_MEMORY;
    if (!in_block(list, list->name[item])) return replace_string(&list->name[item], text);
    char *copy = NULL;
    vouch_status status = replace_string(&copy, text);
    if (!status) list->name[item] = copy;
    return status;
}

vouch_status vouch_lp_set_name(vouch_lp *lp, const char *name)
{
    return lp ? replace_string(&lp->name, name) : VOUCH_ERROR_ARGUMENT;
}

vouch_status vouch_lp_set_objective_name(vouch_lp *lp, const char *name)
{
    return lp ? replace_string(&lp->objective_name, name) : VOUCH_ERROR_ARGUMENT;
}

vouch_status vouch_lp_set_row_name(vouch_lp *lp, int row, const char *name)
{
    return lp ? name_item(&lp->row_names, row, lp->a.rows, lp->row_capacity, name) : VOUCH_ERROR_ARGUMENT;
}

vouch_status vouch_lp_set_col_name(vouch_lp *lp, int col, const char *name)
{
    return lp ? name_item(&lp->col_names, col, lp->a.cols, lp->col_capacity, name) : VOUCH_ERROR_ARGUMENT;
}

static const char *text_of(const char *name) { return name ? name : ""; }

const char *vouch_lp_name(const vouch_lp *lp) { return lp ? text_of(lp->name) : ""; }
const char *vouch_lp_objective_name(const vouch_lp *lp) { return lp ? text_of(lp->objective_name) : ""; }

const char *vouch_lp_row_name(const vouch_lp *lp, int row)
{
    return lp && lp->row_names.name && row >= 0 && row < lp->a.rows ? text_of(lp->row_names.name[row]) : "";
}

const char *vouch_lp_col_name(const vouch_lp *lp, int col)
{
    return lp && lp->col_names.name && col >= 0 && col < lp->a.cols ? text_of(lp->col_names.name[col]) : "";
}

vouch_status vouch_lp_set_integer(vouch_lp *lp, int col, int integer)
{
    if (!lp || col < 0 || col >= lp->a.cols) return VOUCH_ERROR_ARGUMENT;
    lp->integer[col] = integer != 0;
    return VOUCH_OK;
}

int vouch_lp_is_integer(const vouch_lp *lp, int col) { return lp && col >= 0 && col < lp->a.cols && lp->integer[col]; }

vouch_status vouch_lp_add_sos1(vouch_lp *lp, int count, const int *cols, const double *weight)
{
    if (!lp || count < 0 || (count && !cols)) return VOUCH_ERROR_ARGUMENT;
    for (int k = 0; k < count; k++)
        if (cols[k] < 0 || cols[k] >= lp->a.cols || (weight && !isfinite(weight[k]))) return VOUCH_ERROR_ARGUMENT;
    if (MEM_RESERVE(&lp->sos1, &lp->sos1_room, lp->sos1_count)) return VOUCH_ERROR_MEMORY;
    sos1_set set = {.count = count, .cols = MEM_NEW(int, count), .weight = weight ? MEM_NEW(double, count) : NULL};
    if (!set.cols || (weight && !set.weight)) {
        MEM_FREE_ALL(set.cols, set.weight);
        return VOUCH_ERROR_MEMORY;
    }
    if (count) {
        MEM_COPY(set.cols, cols, count);
        if (weight) MEM_COPY(set.weight, weight, count);
    }
    lp->sos1[lp->sos1_count++] = set;
    return VOUCH_OK;
}

vouch_status vouch_lp_set_rewritten(vouch_lp *lp, int rewritten)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    lp->rewritten = rewritten != 0;
    return VOUCH_OK;
}

int vouch_lp_is_rewritten(const vouch_lp *lp) { return lp && lp->rewritten; }

int vouch_lp_sos1_count(const vouch_lp *lp) { return lp ? (int)lp->sos1_count : 0; }

void vouch_lp_sos1(const vouch_lp *lp, int set, int *count, const int **cols, const double **weight)
{
    if (!lp || !count || !cols || !weight) return;
    const sos1_set *s = &lp->sos1[set];
    *count = s->count;
    *cols = s->cols;
    *weight = s->weight;
}

/* ---- life -------------------------------------------------------------------------------------------------------------------- */

/* Room for `need` lines: their `count` arrays of doubles, and names. -1: memory */
static int reserve_lines(double **blocks[], int count, name_list *names, size_t *capacity, size_t need)
{
    size_t now = need + need / 2 + 8;
    if (need <= *capacity) return 0;
    for (int i = 0; i < count; i++)
        if (MEM_RESIZE(blocks[i], now)) return -1;
    if (names->name && MEM_RESIZE(&names->name, now)) return -1;
    for (size_t i = *capacity; names->name && i < now; i++) names->name[i] = NULL;
    *capacity = now;
    return 0;
}

static int lp_reserve_cols(vouch_lp *lp, size_t need)
{
    double **blocks[] = {&lp->cost, &lp->col_lower, &lp->col_upper};
    if (need > lp->col_capacity && MEM_RESIZE(&lp->integer, need + need / 2 + 8)) return -1;
    return reserve_lines(blocks, 3, &lp->col_names, &lp->col_capacity, need);
}

static int lp_reserve_rows(vouch_lp *lp, size_t need)
{
    double **blocks[] = {&lp->row_lower, &lp->row_upper};
    return reserve_lines(blocks, 2, &lp->row_names, &lp->row_capacity, need);
}

static int lp_reserve_status(vouch_lp *lp, size_t need)
{
    if (need <= lp->status_capacity) return 0;
    size_t capacity = need + need / 2 + 16;
    if (MEM_RESIZE(&lp->status, capacity)) return -1;
    lp->status_capacity = capacity;
    return 0;
}

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

void vouch_lp_free(vouch_lp *lp)
{
    if (!lp) return;
    sparse_free(&lp->a);
    void *blocks[] = {lp->cost, lp->col_lower,      lp->col_upper, lp->row_lower, lp->row_upper, lp->integer,
                      lp->name, lp->objective_name, lp->status,    lp->numbers,   lp->fraction};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(blocks[i]);
    lp_free_names(&lp->row_names, lp->row_capacity);
    lp_free_names(&lp->col_names, lp->col_capacity);
    for (size_t k = 0; k < lp->sos1_count; k++) MEM_FREE_ALL(lp->sos1[k].cols, lp->sos1[k].weight);
    mem_free(lp->sos1);
    lp->sos1 = NULL;
    lp->sos1_count = lp->sos1_room = 0;
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
    for (size_t k = 0; k < lp->sos1_count; k++)
        if (vouch_lp_add_sos1(c, lp->sos1[k].count, lp->sos1[k].cols, lp->sos1[k].weight)) goto failed;
    vouch_lp_get_basis(lp, c->status, c->status + lp->a.rows);
    c->has_basis = lp->has_basis;
    *copy = c;
    return VOUCH_OK;
failed:
    vouch_lp_free(c);
    return status;
}

/* ---- loading ----------------------------------------------------------------------------------------------------------------- */

static bool lp_bad_lower(double x) { return isnan(x) || x == INFINITY; }
static bool lp_bad_upper(double x) { return isnan(x) || x == -INFINITY; }

static vouch_status lp_check_bounds(const char *what, int count, const double *lower, const double *upper, vouch_error *error)
{
    for (int k = 0; k < count; k++) {
        if (lower && lp_bad_lower(lower[k])) return error_set(error, VOUCH_ERROR_INPUT, "%s %d: lower bound %g", what, k, lower[k]);
        if (upper && lp_bad_upper(upper[k])) return error_set(error, VOUCH_ERROR_INPUT, "%s %d: upper bound %g", what, k, upper[k]);
    }
    return VOUCH_OK;
}

/* last [limit]: the last list with this index, -1: none. */
static vouch_status check_lists(const char *what, const line_matrix *lists, int limit, int last[], vouch_error *error)
{
    const int64_t *start = lists->start;
    const int *index = lists->index;
    const double *value = lists->value;
    if (start[0] != 0) return error_set(error, VOUCH_ERROR_INPUT, "start[0] is not 0");
    for (int k = 0; k < lists->lines; k++) {
        if (start[k + 1] < start[k]) return error_set(error, VOUCH_ERROR_INPUT, "%s %d: start decreases", what, k);
        for (int64_t e = start[k]; e < start[k + 1]; e++) {
            if (index[e] < 0 || index[e] >= limit)
                return error_set(error, VOUCH_ERROR_INPUT, "%s %d: index %d outside 0..%d", what, k, index[e], limit - 1);
            if (last[index[e]] == k) return error_set(error, VOUCH_ERROR_INPUT, "%s %d: index %d appears twice", what, k, index[e]);
            last[index[e]] = k;
            if (!isfinite(value[e])) return error_set(error, VOUCH_ERROR_INPUT, "%s %d: coefficient %g", what, k, value[e]);
        }
    }
    return VOUCH_OK;
}

/* Checks entries: finite, indices below `limit` and distinct within a list. */
static vouch_status lp_check_lists(const char *what, const line_matrix *lists, int limit, vouch_error *error)
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
    for (int j = 0; data->cost && j < n; j++)
        if (!isfinite(data->cost[j])) return error_set(error, VOUCH_ERROR_INPUT, "column %d: cost %g", j, data->cost[j]);
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

static void free_engine(vouch_lp *lp)
{
    simplex_free(lp->engine);
    lp->engine = NULL;
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
    free_engine(lp);
}

/* ---- view and basis ---------------------------------------------------------------------------------------------------------- */

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
    for (int v = 0; v < m + n; v++)
        if ((v < m ? row_status[v] : col_status[v - m]) > VOUCH_NONBASIC_FIXED) return VOUCH_ERROR_ARGUMENT;
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
    free_engine(lp);
    lp->has_basis = false;
    lp_forget_result(lp);
}

int vouch_lp_has_basis(const vouch_lp *lp) { return lp && lp->has_basis; }

/* ---- changes ----------------------------------------------------------------------------------------------------------------- */

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
    memmove(to + 1, to, (size_t)n * sizeof *to); /* each start was advanced to its end */
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
    for (int j = 0; cost && j < count; j++)
        if (!isfinite(cost[j])) return VOUCH_ERROR_INPUT;
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
        sparse_append(&lp->a, length, rows, entry); /* reserved: cannot fail */
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
    for (int k = 0; k < count; k++)
        if (list[k] < 0 || list[k] >= limit || (k && list[k] <= list[k - 1])) return false;
    return count >= 0;
}

/* Begins to delete `list` of n rows or columns. *place [n], for mem_free: index of each item afterwards, -1: deleted; NULL: there
 * is nothing to delete, or an error. */
static vouch_status begin_deletion(vouch_lp *lp, int count, const int *list, int n, int **place)
{
    *place = NULL;
    if (!ascending(count, list, n)) return VOUCH_ERROR_ARGUMENT;
    if (count == 0) return VOUCH_OK;
    if (!(*place = MEM_NEW(int, n))) return VOUCH_ERROR_MEMORY;
    for (int i = 0, k = 0; i < n; i++) {
        bool deleted = k < count && list[k] == i;
        (*place)[i] = deleted ? -1 : i - k;
        k += deleted;
    }
    lp_drop_engine(lp);
    lp_forget_result(lp);
    return VOUCH_OK;
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
    int m = lp->a.rows, n = lp->a.cols, *place;
    vouch_status status = begin_deletion(lp, count, rows, m, &place);
    if (!place) return status;
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

vouch_status vouch_lp_delete_cols(vouch_lp *lp, int count, const int *cols)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    int m = lp->a.rows, n = lp->a.cols, *place;
    vouch_status status = begin_deletion(lp, count, cols, n, &place);
    if (!place) return status;
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
    mem_free(place);
    return VOUCH_OK;
}

/* Bounds *l and *u of variable v, rows first. */
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
    if (!lp || col < 0 || col >= lp->a.cols) return VOUCH_ERROR_ARGUMENT;
    return set_bounds(lp, lp->a.rows + col, &lp->col_lower[col], &lp->col_upper[col], lower, upper);
}

vouch_status vouch_lp_set_row_bounds(vouch_lp *lp, int row, double lower, double upper)
{
    if (!lp || row < 0 || row >= lp->a.rows) return VOUCH_ERROR_ARGUMENT;
    return set_bounds(lp, row, &lp->row_lower[row], &lp->row_upper[row], lower, upper);
}

vouch_status vouch_lp_set_cost(vouch_lp *lp, int col, double cost)
{
    if (!lp || col < 0 || col >= lp->a.cols || !isfinite(cost)) return VOUCH_ERROR_ARGUMENT;
    if (lp->cost[col] == cost) return VOUCH_OK;
    lp->cost[col] = cost;
    if (lp->engine) simplex_set_cost(lp->engine, lp->a.rows + col, lp->maximize ? -cost : cost);
    lp_forget_result(lp);
    return VOUCH_OK;
}

vouch_status vouch_lp_set_offset(vouch_lp *lp, double offset)
{
    if (!lp || !isfinite(offset)) return VOUCH_ERROR_ARGUMENT;
    lp->offset = offset;
    lp_forget_result(lp);
    return VOUCH_OK;
}

vouch_status vouch_lp_set_maximize(vouch_lp *lp, int maximize)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    if (lp->maximize == (maximize != 0)) return VOUCH_OK;
    lp->maximize = maximize != 0;
    for (int j = 0; lp->engine && j < lp->a.cols; j++)
        simplex_set_cost(lp->engine, lp->a.rows + j, lp->maximize ? -lp->cost[j] : lp->cost[j]);
    lp_forget_result(lp);
    return VOUCH_OK;
}

/* ---- copies: see follow.h ---------------------------------------------------------------------------------------------------- */

vouch_status lp_make_ready(vouch_lp *lp)
{
    simplex *s = lp->engine;
    if (!s) return VOUCH_OK; /* copies start from the basis */
    basis_be_strict(s->factors, false);
    simplex_reset_work(s);
    if (simplex_refresh(s, false) != RUN_MEMORY) return VOUCH_OK;
    lp_drop_engine(lp);
    return VOUCH_ERROR_MEMORY;
}

/* 0; -1: memory. If a limit prevented the same scaling, only the basis is copied. */
static int take_engine(vouch_lp *copy, const vouch_lp *lp)
{
    int other = copy->engine ? simplex_take(copy->engine, lp->engine) : 1;
    if (other == 1) {
        simplex_free(copy->engine);
        vouch_lp_data data;
        vouch_lp_view(copy, &data);
        copy->engine = simplex_new(&data, lp->engine->scaled, &lp->engine->limit);
        other = copy->engine ? simplex_take(copy->engine, lp->engine) : -1;
    }
    if (other == 0) return 0;
    free_engine(copy);
    vouch_lp_get_basis(lp, copy->status, copy->status + copy->a.rows);
    return other < 0 ? -1 : 0;
}

vouch_status lp_follow(vouch_lp *copy, const vouch_lp *lp)
{
    CHECK(copy->a.rows == lp->a.rows && copy->a.cols == lp->a.cols);
    MEM_COPY(copy->col_lower, lp->col_lower, lp->a.cols);
    MEM_COPY(copy->col_upper, lp->col_upper, lp->a.cols);
    copy->exact_work = lp->exact_work;
    copy->confirm_most = lp->confirm_most;
    copy->computed = lp->computed;
    copy->has_basis = lp->has_basis;
    lp_forget_result(copy);
    if (lp->engine) return take_engine(copy, lp) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    free_engine(copy);
    vouch_lp_get_basis(lp, copy->status, copy->status + copy->a.rows);
    return VOUCH_OK;
}

long long lp_exact_work(const vouch_lp *lp) { return lp->exact_work; }
void lp_count_exact_work(vouch_lp *lp, long long work) { lp->exact_work += work; }

void lp_limit_confirmation(vouch_lp *lp, long long work)
{
    lp->confirm_most = work;
    lp->computed = true;
}
