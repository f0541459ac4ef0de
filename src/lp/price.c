/* lp/price.c - the pivot row: result = x' [A, -I] over the nonbasic variables that can enter.
 *
 * By rows of A when x is sparse, by columns otherwise or when the problem is so small that a row-wise copy is not worth its
 * making. In the copy each row keeps the entries of variables that may enter (nonbasic, not fixed) in front, so
 * that the others cost nothing; every entry knows its twin in the column-wise matrix, which makes moving a
 * column between the parts take time proportional to its length.
 * Source for the partition: J. A. J. Hall and K. I. M. McKinnon, Comput. Optim. Appl. 32 (2005).
 * Reduced costs of fixed variables are therefore not followed: they are right only when FRESH.
 */
#include <limits.h>
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "lp/simplex.h"
#include "lp/tolerance.h"

/* Below this many entries of A columns are always used. */
enum { COPY_LEAST = 3000 };
/* Density of x up to which rows are used. From 0.1 or 0.2 on columns are faster for qap-800 and transport-800 by a quarter, but
 * slower for most of Netlib by some percent. */
static const double ROWS_DENSITY = 0.5;
/* Expected entries, as part of all variables, from which on the result is gathered by a scan instead of a list. */
static const double LIST_DENSITY = 0.15;

static inline bool may_enter(const simplex *s, int v)
{
    CHECK(!s->move[v] || (s->where[v] < 0 && s->work.lower[v] != s->work.upper[v]));
    return s->move[v] || (s->where[v] < 0 && s->work.lower[v] != s->work.upper[v]);
}

/* Moves the entry at `from` to the part boundary `to` of its row: both stay paired with their twins. */
static void swap_entries(simplex *s, int from, int to)
{
    if (from == to) return;
    int index = s->pricing.rows.index[from], source = s->pricing.row_source[from];
    double value = s->pricing.rows.value[from];
    s->pricing.rows.index[from] = s->pricing.rows.index[to];
    s->pricing.rows.value[from] = s->pricing.rows.value[to];
    s->pricing.row_source[from] = s->pricing.row_source[to];
    s->pricing.row_place[s->pricing.row_source[from]] = from;
    s->pricing.rows.index[to] = index;
    s->pricing.rows.value[to] = value;
    s->pricing.row_source[to] = source;
    s->pricing.row_place[source] = to;
}

void price_hide(simplex *s, int v)
{
    if (!s->pricing.rows_valid || v < s->m) return;
    int j = v - s->m;
    for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) {
        int at = s->pricing.row_place[e];
        int *end = &s->pricing.row_end[s->a.index[e]];
        if (at < *end) swap_entries(s, at, --*end);
    }
}

void price_show(simplex *s, int v)
{
    if (!s->pricing.rows_valid || v < s->m || !may_enter(s, v)) return;
    int j = v - s->m;
    for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) {
        int at = s->pricing.row_place[e];
        int *end = &s->pricing.row_end[s->a.index[e]];
        if (at >= *end) swap_entries(s, at, (*end)++);
    }
}

void price_partition(simplex *s)
{
    if (!s->pricing.rows_valid) return;
    for (int j = 0; j < s->n; j++) {
        if (may_enter(s, s->m + j))
            price_show(s, s->m + j);
        else
            price_hide(s, s->m + j);
    }
}

#ifdef VOUCH_DEBUG
/* Both copies of the matrix hold the same entries, each knows its twin, and those that may enter stand in front. */
static void copies_check(const simplex *s)
{
    for (int j = 0; j < s->n; j++) {
        for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) {
            int at = s->pricing.row_place[e], i = s->a.index[e];
            CHECK(s->pricing.row_source[at] == e && s->pricing.rows.index[at] == s->m + j &&
                  s->pricing.rows.value[at] == s->a.value[e]);
            CHECK(at >= s->pricing.rows.start[i] && at < s->pricing.rows.start[i + 1]);
            CHECK((at < s->pricing.row_end[i]) == may_enter(s, s->m + j));
        }
    }
}
#endif

int price_prepare(simplex *s)
{
    int64_t entries = s->a.start[s->n];
    if (entries < COPY_LEAST || entries > INT_MAX) return 0;
    if (!s->pricing.rows_valid) {
        if (sparse_transpose(&s->a, &s->pricing.rows)) return -1;
        if (s->pricing.rows.entry_capacity > s->pricing.pair_capacity) {
            if (MEM_RESIZE(&s->pricing.row_place, s->pricing.rows.entry_capacity)) return -1;
            if (MEM_RESIZE(&s->pricing.row_source, s->pricing.rows.entry_capacity)) return -1;
            s->pricing.pair_capacity = s->pricing.rows.entry_capacity;
        }
        for (int i = 0; i < s->m; i++) s->pricing.row_end[i] = (int)s->pricing.rows.start[i];
        for (int64_t e = 0, j = 0; e < entries; e++) {
            while (e >= s->a.start[j + 1]) j++;
            int at = s->pricing.row_end[s->a.index[e]]++; /* the transpose filled rows in this order */
            s->pricing.row_place[e] = at;
            s->pricing.row_source[at] = (int)e;
            s->pricing.rows.index[at] = s->m + (int)j;
        }
        s->pricing.rows_valid = true;
    }
    price_partition(s);
#ifdef VOUCH_DEBUG
    copies_check(s);
#endif
    return 0;
}

static void by_rows_listed(const simplex *s, const vector *x, vector *result)
{
    double *value = result->value;
    int *index = result->index, count = 0;
    for (int k = 0; k < x->count; k++) {
        int i = x->index[k];
        double v = x->value[i];
        if (may_enter(s, i)) {
            value[i] = -v;
            index[count++] = i;
        }
        for (int e = (int)s->pricing.rows.start[i]; e < s->pricing.row_end[i]; e++) {
            int at = s->pricing.rows.index[e];
            double old = value[at], now = old + v * s->pricing.rows.value[e];
            if (old == 0) index[count++] = at;
            value[at] = now == 0 ? VECTOR_CANCELLED : now;
        }
    }
    result->count = count;
    vector_pack(result, TOL_DROP);
}

static void by_rows_scanned(const simplex *s, const vector *x, vector *result)
{
    double *value = result->value;
    for (int k = 0; k < x->count; k++) {
        int i = x->index[k];
        double v = x->value[i];
        if (may_enter(s, i)) value[i] = -v;
        for (int e = (int)s->pricing.rows.start[i]; e < s->pricing.row_end[i]; e++)
            value[s->pricing.rows.index[e]] += v * s->pricing.rows.value[e];
    }
    int *index = result->index, count = 0;
    for (int v = 0; v < s->vars; v++) {
        double now = value[v];
        bool keep = fabs(now) > TOL_DROP;
        index[count] = v;
        count += keep;
        value[v] = keep ? now : 0;
    }
    result->count = count;
}

static void by_columns(const simplex *s, const vector *x, vector *result)
{
    int m = s->m, kept = 0, *index = result->index;
    const double *factor = x->value, *value = s->a.value;
    const int *row = s->a.index;
    for (int i = 0; i < m; i++) {
        if (fabs(factor[i]) <= TOL_DROP || !may_enter(s, i)) continue;
        result->value[i] = -factor[i];
        index[kept++] = i;
    }
    double *sums = result->value + m;
    for (int j = 0; j < s->n; j++) {
        if (!may_enter(s, m + j)) continue;
        double sum = 0;
        for (int64_t e = s->a.start[j], end = s->a.start[j + 1]; e < end; e++) sum += factor[row[e]] * value[e];
        bool keep = fabs(sum) > TOL_DROP;
        index[kept] = m + j;
        kept += keep;
        sums[j] = keep ? sum : 0;
    }
    result->count = kept;
}

void price_row(simplex *s, const vector *x, vector *result)
{
    double since = trace_start(s->trace);
    bool listed = s->pricing.rows_valid && x->count >= 0 && x->count <= ROWS_DENSITY * s->m;
    vector_clear(result);
    CHECK_COMPARE(result->n, >=, s->vars);
    long long entries = x->count;
    for (int k = 0; listed && k < x->count; k++) entries += s->pricing.row_end[x->index[k]] - s->pricing.rows.start[x->index[k]];
    if (!listed)
        by_columns(s, x, result);
    else if ((double)entries > LIST_DENSITY * s->vars)
        by_rows_scanned(s, x, result);
    else
        by_rows_listed(s, x, result);
    trace_stop(s->trace, KERNEL_price, since);
}
