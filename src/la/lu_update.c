/* la/lu_update.c - Forrest-Tomlin update of the factors when one column of the basis is replaced, and copies of factors.
 *
 * With s = (R L^-1 of the entering column), column p of U becomes s. Moving p to the end of the order leaves row p as the only one
 * with entries in the wrong place; with z' = e_p' U^-1 (the intermediate result of the btran of e_p) the row is cleared by
 *     row p  +=  sum over j != p of (z_j u_pp) row j,      new diagonal = s_p + sum z_j u_pp s_j = u_pp alpha_p,
 * where alpha_p is entry p of the ftran of the entering column: two values of one number, whose difference measures the error of
 * the factors. Source: J. J. H. Forrest and J. A. Tomlin, Mathematical Programming 2 (1972). Deviation: the multipliers come from
 * the btran that the simplex method computes anyway, not from a separate solve. */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "la/lu_private.h"

static void drop_from(lu_lists *t, int list, int index)
{
    int e = t->begin[list], last = t->begin[list] + --t->length[list];
    while (t->index[e] != index) e++;
    CHECK_COMPARE(e, <=, last); /* the other copy has it */
    t->index[e] = t->index[last];
    t->value[e] = t->value[last];
}

/* Appends to a row of U; a full row moves to the end of the store. False: no room there. */
static bool append_to_row(lu *f, int row, int index, double value)
{
    lu_lists *t = &f->ut;
    if (t->length[row] == f->ut_capacity[row]) {
        int length = t->length[row], capacity = 2 * length + 4;
        if (t->used + capacity > t->capacity) return false;
        int from = t->begin[row], to = t->used;
        for (int e = 0; e < length; e++) {
            t->index[to + e] = t->index[from + e];
            t->value[to + e] = t->value[from + e];
        }
        t->begin[row] = to;
        f->ut_capacity[row] = capacity;
        t->used += capacity;
    }
    int at = t->begin[row] + t->length[row]++;
    t->index[at] = index;
    t->value[at] = value;
    return true;
}

/* Room for this many updates suffices in a large basis. */
enum { UPDATES_FIT = 100 };

static bool refuse_for_room(lu *f)
{
    if (f->m < LU_LARGE_ROWS || f->updates < UPDATES_FIT) f->growth *= 2;
    return false;
}

bool lu_update(lu *f, int p, double pivot)
{
    const vector *spike = &f->spike, *z = &f->row;
    CHECK(p >= 0 && p < f->m);
    CHECK(f->u_order[f->u_place[p]] == p);
    if (!f->spike_kept || !f->row_kept || f->updates >= (f->tail.rows ? LU_UPDATES : f->updates_most)) return false;
    f->spike_kept = f->row_kept = false;
    int r = f->r_begin[f->r_count];
    if (r + z->count > f->r_capacity || f->u.used + spike->count > f->u.capacity) return refuse_for_room(f);

    lu_tail_begin_update(f);
    double old = f->pivot[p], diagonal = spike->value[p];
    for (int k = 0; k < z->count; k++) {
        int j = z->index[k];
        if (j == p) continue;
        if (!lu_tail_takes_r(f, j, z->value[j] * old)) {
            f->r_index[r] = j;
            f->r_value[r++] = z->value[j] * old;
        }
        diagonal += z->value[j] * old * spike->value[j];
    }
    double expected = old * pivot;
    if (!(fabs(diagonal - expected) <= TOL_PIVOT_DRIFT * (1 + fabs(expected))) || !(fabs(expected) > TOL_DROP)) return false;

    for (int e = f->u.begin[p]; e < f->u.begin[p] + f->u.length[p]; e++) {
        f->work += f->ut.length[f->u.index[e]];
        drop_from(&f->ut, f->u.index[e], p);
    }
    for (int e = f->ut.begin[p]; e < f->ut.begin[p] + f->ut.length[p]; e++) {
        f->work += f->u.length[f->ut.index[e]];
        drop_from(&f->u, f->ut.index[e], p);
    }
    f->ut.length[p] = 0;
    f->u.begin[p] = f->u.used;
    f->u.length[p] = 0;
    for (int k = 0; k < spike->count; k++) {
        int i = spike->index[k];
        if (i == p || fabs(spike->value[i]) <= TOL_DROP || lu_tail_takes_s(f, i, spike->value[i])) continue;
        int at = f->u.begin[p] + f->u.length[p]++;
        f->u.index[at] = i;
        f->u.value[at] = spike->value[i];
        if (!append_to_row(f, i, p, spike->value[i])) return refuse_for_room(f);
    }
    f->u.used += f->u.length[p];
    lu_tail_replace(f, p);
    f->pivot[p] = diagonal;
    f->u_order[f->u_place[p]] = -1;
    f->u_place[p] = f->u_count;
    f->u_order[f->u_count++] = p;

    f->updates++;
    if (r > f->r_begin[f->r_count] || f->tail.rows) lu_transform_add(f, p, r); /* the tail's columns are numbered by these */
    f->work += z->count + 2 * spike->count;
    CHECK_COMPARE(f->u.used, <=, f->u.capacity);
    CHECK_COMPARE(r, <=, f->r_capacity);
    CHECK_COMPARE(f->u_count, <=, f->m + f->updates_most);
    return true;
}

/* ---- copies ------------------------------------------------------------------------------------------------------------
 *
 * Capacities are copied, too: whether an update is refused for room must not depend on earlier contents of the copy. Cost: O(m +
 * entries), for a tail O(rows^2), a small part of a factorisation. */

static int copy_lists(lu_lists *to, const lu_lists *from, int m)
{
    if (lu_lists_reserve(to, from->capacity)) return -1;
    MEM_COPY(to->begin, from->begin, m);
    MEM_COPY(to->length, from->length, m);
    MEM_COPY(to->index, from->index, from->used);
    MEM_COPY(to->value, from->value, from->used);
    to->used = from->used;
    to->capacity = from->capacity;
    return 0;
}

/* The tail of `to` is empty. */
static int copy_tail(lu *to, const lu *from)
{
    lu_tail *t = &to->tail;
    const lu_tail *f = &from->tail;
    int rows = f->rows;
    if (rows == 0) return 0;
    if (lu_tail_reserve(t, rows)) return -1;
    size_t part = (size_t)rows * (size_t)from->r_count;
    MEM_COPY(t->row, f->row, rows);
    MEM_COPY(t->u_row, f->u_row, rows);
    MEM_COPY(t->a, f->a, (size_t)rows * (size_t)rows);
    MEM_COPY(t->s, f->s, part);
    MEM_COPY(t->r, f->r, part);
    MEM_COPY(t->s_of, f->s_of, from->r_count);
    t->rows = rows;
    for (int k = 0; k < rows; k++) t->place[t->row[k]] = k;
    return 0;
}

static int copy_transforms(lu *to, const lu *from)
{
    if (lu_transform_reserve(to, from->r_capacity)) return -1;
    to->r_capacity = from->r_capacity;
    MEM_COPY(to->r_index, from->r_index, from->r_begin[from->r_count]);
    MEM_COPY(to->r_value, from->r_value, from->r_begin[from->r_count]);
    for (int r = 0; r < from->r_count; r++) {
        to->r_begin[r] = from->r_begin[r];
        lu_transform_add(to, from->r_row[r], from->r_begin[r + 1]);
    }
    return 0;
}

int lu_copy(lu *to, const lu *from)
{
    int m = from->m;
    CHECK(to->m == m && to != from);
    lu_tail_clear(to);
    lu_transform_clear(to);
    lu_lists *lists[] = {&to->l, &to->lt, &to->u, &to->ut};
    const lu_lists *others[] = {&from->l, &from->lt, &from->u, &from->ut};
    for (int k = 0; k < 4; k++)
        if (copy_lists(lists[k], others[k], m)) return -1;
    if (copy_tail(to, from) || copy_transforms(to, from)) return -1;
    int *ints[] = {to->l_place, to->lt_place, to->ut_capacity, to->u_place};
    const int *whole[] = {from->l_place, from->lt_place, from->ut_capacity, from->u_place};
    for (int k = 0; k < 4; k++) MEM_COPY(ints[k], whole[k], m);
    MEM_COPY(to->l_order, from->l_order, from->l_count);
    MEM_COPY(to->lt_order, from->lt_order, from->lt_count);
    MEM_COPY(to->u_order, from->u_order, from->u_count);
    MEM_COPY(to->pivot, from->pivot, m);
    to->l_count = from->l_count;
    to->lt_count = from->lt_count;
    to->u_count = from->u_count;
    to->logicals = from->logicals;
    to->updates = from->updates;
    to->spike_kept = to->row_kept = false;
    memcpy(to->density, from->density, sizeof to->density);
    to->work = from->work;
    to->factor_work = from->factor_work;
    to->growth = from->growth;
    return 0;
}
