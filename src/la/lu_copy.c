/* la/lu_copy.c - the factors of one basis once more, for who solves many programs from it.
 *
 * Entries are copied, room is made as large as the original's: whether an update is refused for room does not depend on what a copy
 * held before. Scratch stays each one's own. Cost: O(m + entries), of a tail O(rows^2), a small part of a factorisation.
 */
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "la/lu_private.h"

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

/* Of both the tail is cleared, or to's is. */
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
