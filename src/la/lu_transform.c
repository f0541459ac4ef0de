/* la/lu_transform.c - the row transformations of updates, R of lu.h, in solves.
 *
 * One after the other, each looks at its entries of x. A large basis is updated thousands of times between factorisations, while a
 * solve meets few of the transformations: those with an entry where x has one are found by chains, of the entries of R by their
 * index and of the transformations by their row, and are marked as bits, which are taken in order. The result is that of passing
 * all of them. Cost: the entries of those met, and a 64th of the number of transformations.
 */
#include <stdint.h>

#include "base/check.h"
#include "base/memory.h"
#include "la/lu_private.h"

/* Transformations from which it pays, and how many an entry of x. */
enum { MARKED_LEAST = 128, PASSED_AN_ENTRY = 16 };

int lu_transform_reserve(lu *f, long long entries)
{
    if (f->r_capacity >= entries) return 0;
    if (MEM_RESIZE(&f->r_index, entries) || MEM_RESIZE(&f->r_value, entries)) return -1;
    if (f->met.marked && (MEM_RESIZE(&f->met.older_entry, entries) || MEM_RESIZE(&f->met.owner, entries))) return -1;
    f->r_capacity = (int)entries;
    return 0;
}

void lu_transform_init(lu *f, arena *a)
{
    int m = f->m, updates = f->updates_most;
    f->r_row = ARENA_NEW(a, int, updates);
    f->r_begin = ARENA_ZERO(a, int, updates + 1);
    if (m <= LU_LARGE_ROWS) return;
    f->met.newest_entry = ARENA_NEW(a, int, m);
    f->met.newest_row = ARENA_NEW(a, int, m);
    f->met.older_row = ARENA_NEW(a, int, updates);
    f->met.marked = ARENA_ZERO(a, uint64_t, updates / 64 + 1);
    for (int p = 0; !a->failed && p < m; p++) f->met.newest_entry[p] = f->met.newest_row[p] = -1;
}

void lu_transform_free(lu *f)
{
    mem_free(f->r_index);
    mem_free(f->r_value);
    mem_free(f->met.older_entry);
    mem_free(f->met.owner);
}

void lu_transform_clear(lu *f)
{
    for (int r = 0; f->met.marked && r < f->r_count; r++) {
        f->met.newest_row[f->r_row[r]] = -1;
        for (int e = f->r_begin[r]; e < f->r_begin[r + 1]; e++) f->met.newest_entry[f->r_index[e]] = -1;
    }
    f->r_count = f->r_begin[0] = 0;
}

void lu_transform_add(lu *f, int row, int end)
{
    int r = f->r_count++;
    f->r_row[r] = row;
    f->r_begin[r + 1] = end;
    if (!f->met.marked) return;
    f->met.older_row[r] = f->met.newest_row[row];
    f->met.newest_row[row] = r;
    for (int e = f->r_begin[r]; e < end; e++) {
        f->met.older_entry[e] = f->met.newest_entry[f->r_index[e]];
        f->met.newest_entry[f->r_index[e]] = e;
        f->met.owner[e] = r;
    }
}

static void mark(lu *f, int r) { f->met.marked[r / 64] |= (uint64_t)1 << (r % 64); }

/* The transformations behind `after` with an entry at index i; chains go from the newest to older ones. */
static void mark_entries(lu *f, int i, int after)
{
    for (int e = f->met.newest_entry[i]; e >= 0 && f->met.owner[e] > after; e = f->met.older_entry[e]) mark(f, f->met.owner[e]);
}

/* The transformations of row i before `before`. */
static void mark_rows(lu *f, int i, int before)
{
    for (int r = f->met.newest_row[i]; r >= 0; r = f->met.older_row[r])
        if (r < before) mark(f, r);
}

static bool few_are_met(const lu *f, const vector *x)
{
    return f->met.marked && !f->tail.rows && f->r_count >= MARKED_LEAST && x->count >= 0 &&
           x->count <= f->r_count / PASSED_AN_ENTRY;
}

static double product(const lu *f, int r, const double value[])
{
    double sum = f->tail.rows ? f->tail.sum[r] : 0;
    for (int e = f->r_begin[r]; e < f->r_begin[r + 1]; e++) sum += f->r_value[e] * value[f->r_index[e]];
    return sum;
}

void lu_transform(lu *f, vector *x)
{
    if (!few_are_met(f, x)) {
        for (int r = 0; r < f->r_count; r++) {
            double sum = product(f, r, x->value);
            if (sum != 0) vector_add(x, f->r_row[r], sum);
        }
        f->work += f->r_begin[f->r_count];
        return;
    }
    for (int k = 0; k < x->count; k++) mark_entries(f, x->index[k], -1);
    f->work += f->r_count / 64;
    for (int w = 0; w <= (f->r_count - 1) / 64; w++) {
        while (f->met.marked[w]) {
            int r = 64 * w + __builtin_ctzll(f->met.marked[w]), row = f->r_row[r];
            f->met.marked[w] &= f->met.marked[w] - 1;
            f->work += f->r_begin[r + 1] - f->r_begin[r];
            double sum = product(f, r, x->value);
            if (sum == 0) continue;
            if (x->value[row] == 0) mark_entries(f, row, r);
            vector_add(x, row, sum);
        }
    }
}

static void add_transposed(lu *f, int r, vector *x, bool marks)
{
    double v = x->value[f->r_row[r]];
    for (int e = f->r_begin[r]; e < f->r_begin[r + 1]; e++) {
        if (marks && x->value[f->r_index[e]] == 0) mark_rows(f, f->r_index[e], r);
        vector_add(x, f->r_index[e], v * f->r_value[e]);
    }
    f->work += f->r_begin[r + 1] - f->r_begin[r];
}

void lu_transform_t(lu *f, vector *x)
{
    if (!few_are_met(f, x)) {
        for (int r = f->r_count - 1; r >= 0; r--) {
            double v = x->value[f->r_row[r]];
            if (f->tail.rows) f->tail.sum[r] = v;
            if (v != 0) add_transposed(f, r, x, false);
        }
        return;
    }
    for (int k = 0; k < x->count; k++) mark_rows(f, x->index[k], f->r_count);
    f->work += f->r_count / 64;
    for (int w = (f->r_count - 1) / 64; w >= 0; w--) {
        while (f->met.marked[w]) {
            int bit = 63 - __builtin_clzll(f->met.marked[w]), r = 64 * w + bit;
            f->met.marked[w] ^= (uint64_t)1 << bit;
            if (x->value[f->r_row[r]] != 0) add_transposed(f, r, x, true);
        }
    }
}
