/* io/pomdp_table.c - what a POMDP file says of a state and action, once it is read; see pomdp_read.h. */
#include <stdlib.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/pomdp_read.h"

size_t pomdp_row_number(const pomdp *p, int action, int state) { return (size_t)action * (size_t)p->states.count + (size_t)state; }

static int by_row(const void *a, const void *b)
{
    const pomdp_entry *x = a, *y = b;
    if (x->action != y->action) return x->action < y->action ? -1 : 1;
    if (x->state != y->state) return x->state < y->state ? -1 : 1;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

vouch_status pomdp_settle(const pomdp *p, pomdp_table *t)
{
    size_t rows = pomdp_row_number(p, p->actions.count, 0), kept = 0, at = 0;
    t->start = MEM_ZERO(size_t, rows + 1);
    if (!t->start) return error_memory(p->error);
    if (t->count > 1) qsort(t->entry, t->count, sizeof *t->entry, by_row);
    for (size_t i = 0; i < t->count; i++) {
        const pomdp_entry *e = &t->entry[i], *later = i + 1 < t->count ? e + 1 : NULL;
        size_t row = pomdp_row_number(p, e->action, e->state);
        for (; at <= row; at++) t->start[at] = kept;
        bool last = !later || later->action != e->action || later->state != e->state || later->column != e->column;
        if (last && e->p > 0 && e->order >= t->cleared[row]) t->entry[kept++] = *e;
    }
    for (; at <= rows; at++) t->start[at] = kept;
    t->count = kept;
    return VOUCH_OK;
}

void pomdp_free(pomdp *p)
{
    names *const table[] = {&p->states, &p->actions, &p->observations};
    void *const block[] = {p->first,          p->moves.entry,  p->moves.cleared, p->moves.start,  p->sights.entry,
                           p->sights.cleared, p->sights.start, p->pay,           p->last_of_next, p->last_of_state};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) names_free(table[i]);
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) mem_free(block[i]);
    *p = (pomdp){0};
}

const pomdp_entry *pomdp_row(const pomdp_table *table, const pomdp *p, int action, int state, int *count)
{
    size_t row = pomdp_row_number(p, action, state);
    CHECK(table->start);
    *count = (int)(table->start[row + 1] - table->start[row]);
    return *count ? table->entry + table->start[row] : NULL; /* a table may be empty */
}

double pomdp_reward(const pomdp *p, int action, int state, int next, int observation)
{
    const int chain[] = {p->last_of_next[next], p->last_of_state[state], p->last_of_state[p->states.count]};
    int found = -1;
    for (size_t c = 0; c < sizeof chain / sizeof *chain; c++)
        for (int i = chain[c]; i > found; i = p->pay[i].before) {
            const pomdp_pay *pay = &p->pay[i];
            if ((pay->action < 0 || pay->action == action) && (pay->state < 0 || pay->state == state) &&
                (pay->observation < 0 || pay->observation == observation)) {
                found = i;
                break;
            }
        }
    return found < 0 ? 0 : p->pay[found].value;
}
