/* io/problem.c - see problem.h. The entries are brought into columns by one counting sort, which keeps their order. */
#include "io/problem.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "lp/problem.h"

void problem_start(problem *p, escape *e)
{
    *p = (problem){.e = e};
    escape_names(e, &p->row_names);
    escape_names(e, &p->col_names);
}

int problem_add_row(problem *p, const char *name, size_t length)
{
    CHECK(names_find_bytes(&p->row_names, name, length) < 0);
    ESCAPE_GROW(p->e, &p->row, &p->row_capacity, p->row_names.count);
    int i = must_count(p->e, names_add_bytes(&p->row_names, name, length));
    p->row[i] = (problem_row){.lower = -INFINITY, .upper = INFINITY};
    return i;
}

int problem_add_col(problem *p, const char *name, size_t length)
{
    CHECK(names_find_bytes(&p->col_names, name, length) < 0);
    ESCAPE_GROW(p->e, &p->col, &p->col_capacity, p->col_names.count);
    int j = must_count(p->e, names_add_bytes(&p->col_names, name, length));
    p->col[j] = (problem_col){.lower = 0, .upper = INFINITY};
    return j;
}

void problem_add_entry(problem *p, int row, int col, double value)
{
    CHECK(row >= 0 && row < p->row_names.count);
    CHECK(col >= 0 && col < p->col_names.count);
    ESCAPE_GROW(p->e, &p->entry, &p->entry_capacity, p->entries);
    p->entry[p->entries++] = (problem_entry){row, col, value};
}

void problem_open_set(problem *p, int type)
{
    CHECK(type == 1 || type == 2);
    ESCAPE_GROW(p->e, &p->set_type, &p->set_capacity, p->sets);
    p->set_type[p->sets++] = (unsigned char)type;
}

void problem_add_indicator(problem *p, int row, int col, bool value)
{
    ESCAPE_GROW(p->e, &p->indicator, &p->indicator_capacity, p->indicators);
    p->indicator[p->indicators++] = (problem_indicator){row, col, value};
}

void problem_add_member(problem *p, int set, int col, double weight)
{
    CHECK(col >= 0 && col < p->col_names.count);
    CHECK(set <= p->sets && (p->members == 0 || set >= p->member[p->members - 1].set));
    ESCAPE_GROW(p->e, &p->member, &p->member_capacity, p->members);
    p->member[p->members++] = (problem_member){set, col, weight};
}

static vouch_status set_names(const problem *p, vouch_lp *lp)
{
    vouch_status s = VOUCH_OK;
    if (p->name) s = vouch_lp_set_name(lp, p->name);
    if (s == VOUCH_OK && p->objective_name) s = vouch_lp_set_objective_name(lp, p->objective_name);
    if (s == VOUCH_OK) s = lp_name_rows(lp, p->row_names.text, p->row_names.offset);
    if (s == VOUCH_OK) s = lp_name_cols(lp, p->col_names.text, p->col_names.offset);
    for (int j = 0; s == VOUCH_OK && j < p->col_names.count; j++)
        if (p->col[j].integer) s = vouch_lp_set_integer(lp, j, 1);
    return s;
}

static vouch_status set_sos(const problem *p, vouch_lp *lp)
{
    int *cols = MEM_NEW(int, p->members);
    double *weight = MEM_NEW(double, p->members);
    vouch_status s = cols && weight ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (size_t at = 0; s == VOUCH_OK && at < p->members;) {
        int count = 0;
        size_t from = at;
        for (; at < p->members && p->member[at].set == p->member[from].set; at++, count++) {
            cols[count] = p->member[at].col;
            weight[count] = p->member[at].weight;
        }
        s = vouch_lp_add_sos1(lp, count, cols, weight);
    }
    mem_free(cols);
    mem_free(weight);
    return s;
}

/* The entries that are not zero by columns: a counting sort, which keeps their order. start [cols + 2], zeroed. */
static void collect_entries(const problem *p, int64_t start[], int index[], double value[])
{
    int n = p->col_names.count;
    for (size_t k = 0; k < p->entries; k++) start[p->entry[k].col + 2] += p->entry[k].value != 0;
    for (int j = 2; j <= n + 1; j++) start[j] += start[j - 1];
    for (size_t k = 0; k < p->entries; k++) {
        if (p->entry[k].value == 0) continue;
        int64_t at = start[p->entry[k].col + 1]++;
        CHECK_COMPARE(at, <, start[p->entry[k].col + 2]);
        index[at] = p->entry[k].row;
        value[at] = p->entry[k].value;
    }
}

vouch_status problem_finish(const problem *p, vouch_lp **out, vouch_error *error)
{
    int m = p->row_names.count, n = p->col_names.count;
    *out = NULL;
    vouch_status status = VOUCH_ERROR_MEMORY;
    vouch_lp *lp = NULL;
    arena memory = {0};
    int64_t *start = ARENA_ZERO(&memory, int64_t, (size_t)n + 2);
    int *index = ARENA_NEW(&memory, int, p->entries);
    double *value = ARENA_NEW(&memory, double, p->entries), *cost = ARENA_NEW(&memory, double, n);
    double *lower = ARENA_NEW(&memory, double, n), *upper = ARENA_NEW(&memory, double, n);
    double *row_lower = ARENA_NEW(&memory, double, m), *row_upper = ARENA_NEW(&memory, double, m);
    if (memory.failed) goto done;

    collect_entries(p, start, index, value);
    for (int j = 0; j < n; j++) cost[j] = p->col[j].cost, lower[j] = p->col[j].lower, upper[j] = p->col[j].upper;
    for (int i = 0; i < m; i++) row_lower[i] = p->row[i].lower, row_upper[i] = p->row[i].upper;
    vouch_lp_data data = {.rows = m,
                          .cols = n,
                          .start = start,
                          .index = index,
                          .value = value,
                          .cost = cost,
                          .offset = p->offset,
                          .maximize = p->maximize,
                          .col_lower = lower,
                          .col_upper = upper,
                          .row_lower = row_lower,
                          .row_upper = row_upper};
    status = vouch_lp_new(&lp);
    if (status != VOUCH_OK) goto done;
    status = vouch_lp_load(lp, &data, error);
    if (status == VOUCH_ERROR_INPUT) goto done;
    if (status == VOUCH_OK) status = set_names(p, lp);
    if (status == VOUCH_OK && p->members > 0) status = set_sos(p, lp);
    if (status == VOUCH_OK) status = vouch_lp_set_rewritten(lp, p->rewritten);
done:
    if (status == VOUCH_ERROR_MEMORY) error_memory(error);
    if (status == VOUCH_OK)
        *out = lp;
    else
        vouch_lp_free(lp);
    arena_free(&memory);
    return status;
}
