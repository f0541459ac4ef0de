/* la/lu_update.c - keeps U triangular when one column of the basis is replaced.
 *
 * With s = (R L^-1 of the entering column), column p of U becomes s. Moving p to the end of the order leaves row p
 * as the only one with entries in the wrong place; with z' = e_p' U^-1 (the half-way result of the btran of e_p)
 * the row is cleared by
 *     row p  +=  sum over j != p of (z_j u_pp) row j,      new diagonal = s_p + sum z_j u_pp s_j = u_pp alpha_p,
 * where alpha_p is entry p of the ftran of the entering column: two values for one number, whose difference measures
 * how much the factors have drifted.
 * Source: J. J. H. Forrest and J. A. Tomlin, Mathematical Programming 2 (1972). Deviation: the multipliers are read
 * off the btran that the simplex method makes anyway, instead of from a solve of their own.
 */
#include <math.h>

#include "base/check.h"
#include "la/lu_private.h"
#include "la/tolerance.h"

static void drop_from(lu_lists *t, int list, int index)
{
    int e = t->begin[list], last = t->begin[list] + --t->length[list];
    while (t->index[e] != index) e++;
    CHECK_COMPARE(e, <=, last); /* the other copy has it */
    t->index[e] = t->index[last];
    t->value[e] = t->value[last];
}

/* Appends to a row of U, moving the row to the end of the store when it is full. False: no room there. */
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

/* Of a large basis there is no more room than so many updates need. */
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
    if (r > f->r_begin[f->r_count] || f->tail.rows) lu_transform_add(f, p, r); /* a tail numbers its columns by these */
    f->work += z->count + 2 * spike->count;
    CHECK_COMPARE(f->u.used, <=, f->u.capacity);
    CHECK_COMPARE(r, <=, f->r_capacity);
    CHECK_COMPARE(f->u_count, <=, f->m + f->updates_most);
    return true;
}
