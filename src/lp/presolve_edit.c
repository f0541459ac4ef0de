/* lp/presolve_edit.c - the problem while it shrinks: its entries in chains by row and by column, the queues of what to look at
 * again, and the record of the steps taken.
 */
#include "base/check.h"
#include "base/memory.h"
#include "lp/presolve_private.h"

/* ---- entries -------------------------------------------------------------------------------------------------- */

int presolve_add(presolve *p, int row, int col, double value)
{
    int k = p->node_free;
    CHECK(!p->gone[ROW][row] && !p->gone[COL][col]);
    if (k >= 0) {
        p->node_free = p->nodes[k].next[ROW];
    } else {
        if (MEM_RESERVE(&p->nodes, &p->node_capacity, p->node_count)) {
            p->out_of_memory = true;
            return -1;
        }
        k = (int)p->node_count++;
    }
    p->nodes[k] = (matrix_entry){.at = {row, col}, .value = value};
    for (int side = 0; side < SIDES; side++) {
        chain *c = &p->chain[side][p->nodes[k].at[side]];
        p->nodes[k].next[side] = c->first;
        p->nodes[k].back[side] = -1;
        if (c->first >= 0) p->nodes[c->first].back[side] = k;
        c->first = k;
        c->count++;
    }
    return k;
}

void presolve_delete(presolve *p, int k)
{
    matrix_entry *e = &p->nodes[k];
    for (int side = 0; side < SIDES; side++) {
        chain *c = &p->chain[side][e->at[side]];
        if (e->back[side] >= 0)
            p->nodes[e->back[side]].next[side] = e->next[side];
        else
            c->first = e->next[side];
        if (e->next[side] >= 0) p->nodes[e->next[side]].back[side] = e->back[side];
        CHECK_COMPARE(c->count, >, 0);
        c->count--;
    }
    e->next[ROW] = p->node_free;
    p->node_free = k;
}

void presolve_clear(presolve *p, int side, int i)
{
    while (p->chain[side][i].first >= 0) presolve_delete(p, p->chain[side][i].first);
    p->gone[side][i] = true;
}

/* Along row and column at once: what was changed last stands in front. */
matrix_entry *presolve_entry(const presolve *p, int i, int j)
{
    int k = p->chain[ROW][i].first, t = p->chain[COL][j].first;
    while (k >= 0 && t >= 0) {
        if (p->nodes[k].at[COL] == j) return &p->nodes[k];
        if (p->nodes[t].at[ROW] == i) return &p->nodes[t];
        k = p->nodes[k].next[ROW], t = p->nodes[t].next[COL];
    }
    return NULL;
}

bool presolve_may_scan(presolve *p, int i)
{
    int count = p->chain[ROW][i].count;
    if (count <= PRESOLVE_LONG) return true;
    p->scan_left[i] -= count;
    return p->scan_left[i] >= 0;
}

void presolve_wake(presolve *p, int side, int i)
{
    if (p->queued[side][i] || p->gone[side][i]) return;
    p->queued[side][i] = true;
    CHECK_COMPARE(p->waiting[side], <, side == ROW ? p->m - p->waiting_long : p->n);
    if (side == ROW && p->chain[ROW][i].count > PRESOLVE_LONG)
        p->queue[ROW][p->m - ++p->waiting_long] = i;
    else
        p->queue[side][p->waiting[side]++] = i;
}

void presolve_wake_met(presolve *p, int side, int i)
{
    for (int k = p->chain[side][i].first; k >= 0; k = p->nodes[k].next[side]) presolve_wake(p, !side, p->nodes[k].at[!side]);
}

/* Looks between two readings of the clock: each takes microseconds at most in programs of sparse rows. */
enum { LOOKS_PER_READING = 16 };

bool presolve_over(presolve *p)
{
    if (++p->unclocked >= LOOKS_PER_READING) {
        p->unclocked = 0;
        p->out_of_time = p->out_of_time || deadline_expired(p->limit);
    }
    return p->hopeless || p->out_of_memory || p->out_of_time;
}

/* ---- steps ----------------------------------------------------------------------------------------------------- */

presolve_record *presolve_step(presolve *p, step_kind kind, int row, int col)
{
    if (MEM_RESERVE(&p->steps, &p->step_capacity, p->step_count)) {
        p->out_of_memory = true;
        return &p->spare;
    }
    presolve_record *s = &p->steps[p->step_count++];
    *s = (presolve_record){.kind = kind, .row = row, .col = col, .other = -1};
    s->begin = s->middle = s->end = (int)p->kept_count;
    return s;
}

void presolve_contradiction(presolve *p, int i, double multiplier)
{
    CHECK_COMPARE(p->witnesses, <, 2);
    p->witness_row[p->witnesses] = i;
    p->witness[p->witnesses++] = multiplier;
    p->hopeless = true;
}

static void keep_entry(presolve *p, int index, double value)
{
    if (p->kept_count == p->kept_capacity) {
        size_t capacity = 2 * p->kept_capacity + 256;
        if (MEM_RESIZE(&p->kept_index, capacity) || MEM_RESIZE(&p->kept_value, capacity)) {
            p->out_of_memory = true;
            return;
        }
        p->kept_capacity = capacity;
    }
    p->kept_index[p->kept_count] = index;
    p->kept_value[p->kept_count++] = value;
}

int presolve_keep(presolve *p, int side, int i, int but)
{
    for (int k = p->chain[side][i].first; k >= 0; k = p->nodes[k].next[side]) {
        if (p->nodes[k].at[!side] != but) keep_entry(p, p->nodes[k].at[!side], p->nodes[k].value);
    }
    return (int)p->kept_count;
}

activity_range presolve_activity(const presolve *p, int i, int but)
{
    activity_range t = {0, 0, 0, 0, 0};
    for (int k = p->chain[ROW][i].first; k >= 0; k = p->nodes[k].next[ROW]) {
        int j = p->nodes[k].at[COL];
        if (j != but) activity_add(&t, p->nodes[k].value, p->cl[j], p->cu[j]);
        if (t.low_free && t.high_free) break; /* nothing follows from such a row */
    }
    return t;
}

void presolve_remove_row(presolve *p, int i)
{
    CHECK(!p->gone[ROW][i]);
    presolve_wake_met(p, ROW, i);
    presolve_clear(p, ROW, i);
}

void presolve_remove_col(presolve *p, int j, double value)
{
    CHECK(!p->gone[COL][j]);
    for (int k = p->chain[COL][j].first; k >= 0; k = p->nodes[k].next[COL]) {
        int i = p->nodes[k].at[ROW];
        p->rl[i] -= p->nodes[k].value * value;
        p->ru[i] -= p->nodes[k].value * value;
        presolve_wake(p, ROW, i);
    }
    presolve_clear(p, COL, j);
}

void presolve_fix_col(presolve *p, int j, double value, unsigned char side)
{
    presolve_record *s = presolve_step(p, STEP_FIX_COL, -1, j);
    s->value = value;
    s->side = side;
    presolve_remove_col(p, j, value);
}
