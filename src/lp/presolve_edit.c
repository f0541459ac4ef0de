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
    CHECK(!p->row_gone[row] && !p->col_gone[col]);
    if (k >= 0) {
        p->node_free = p->nodes[k].row_next;
    } else {
        if (mem_reserve((void **)&p->nodes, &p->node_capacity, p->node_count, sizeof(matrix_entry))) {
            p->out_of_memory = true;
            return -1;
        }
        k = (int)p->node_count++;
    }
    p->nodes[k] = (matrix_entry){row, col, p->row[row].first, -1, p->col[col].first, -1, value};
    if (p->row[row].first >= 0) p->nodes[p->row[row].first].row_back = k;
    if (p->col[col].first >= 0) p->nodes[p->col[col].first].col_back = k;
    p->row[row].first = p->col[col].first = k;
    p->row[row].count++;
    p->col[col].count++;
    return k;
}

void presolve_delete(presolve *p, int k)
{
    matrix_entry *e = &p->nodes[k];
    if (e->row_back >= 0)
        p->nodes[e->row_back].row_next = e->row_next;
    else
        p->row[e->row].first = e->row_next;
    if (e->row_next >= 0) p->nodes[e->row_next].row_back = e->row_back;
    if (e->col_back >= 0)
        p->nodes[e->col_back].col_next = e->col_next;
    else
        p->col[e->col].first = e->col_next;
    if (e->col_next >= 0) p->nodes[e->col_next].col_back = e->col_back;
    CHECK(p->row[e->row].count > 0 && p->col[e->col].count > 0);
    p->row[e->row].count--;
    p->col[e->col].count--;
    e->row_next = p->node_free;
    p->node_free = k;
}

matrix_entry *presolve_entry(const presolve *p, int i, int j)
{
    for (int k = p->row[i].first; k >= 0; k = p->nodes[k].row_next) {
        if (p->nodes[k].col == j) return &p->nodes[k];
    }
    return NULL;
}

void presolve_wake_row(presolve *p, int i)
{
    if (p->row_queued[i] || p->row_gone[i]) return;
    p->row_queued[i] = true;
    CHECK_COMPARE(p->row_waiting, <, p->m);
    p->row_queue[p->row_waiting++] = i;
}

void presolve_wake_col(presolve *p, int j)
{
    if (p->col_queued[j] || p->col_gone[j]) return;
    p->col_queued[j] = true;
    CHECK_COMPARE(p->col_waiting, <, p->n);
    p->col_queue[p->col_waiting++] = j;
}

void presolve_wake_rows_of(presolve *p, int j)
{
    for (int k = p->col[j].first; k >= 0; k = p->nodes[k].col_next) presolve_wake_row(p, p->nodes[k].row);
}

void presolve_wake_cols_of(presolve *p, int i)
{
    for (int k = p->row[i].first; k >= 0; k = p->nodes[k].row_next) presolve_wake_col(p, p->nodes[k].col);
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
    if (mem_reserve((void **)&p->steps, &p->step_capacity, p->step_count, sizeof(presolve_record))) {
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
        int *i = mem_resize(p->kept_index, capacity, sizeof *i);
        if (i) p->kept_index = i;
        double *v = mem_resize(p->kept_value, capacity, sizeof *v);
        if (v) p->kept_value = v;
        if (!i || !v) {
            p->out_of_memory = true;
            return;
        }
        p->kept_capacity = capacity;
    }
    p->kept_index[p->kept_count] = index;
    p->kept_value[p->kept_count++] = value;
}

/* Column j without row i. */
void presolve_keep_col(presolve *p, int j, int i)
{
    for (int k = p->col[j].first; k >= 0; k = p->nodes[k].col_next) {
        if (p->nodes[k].row != i) keep_entry(p, p->nodes[k].row, p->nodes[k].value);
    }
}

void presolve_keep_row(presolve *p, int i, int j)
{
    for (int k = p->row[i].first; k >= 0; k = p->nodes[k].row_next) {
        if (p->nodes[k].col != j) keep_entry(p, p->nodes[k].col, p->nodes[k].value);
    }
}

void presolve_remove_row(presolve *p, int i)
{
    CHECK(!p->row_gone[i]);
    presolve_wake_cols_of(p, i);
    while (p->row[i].first >= 0) presolve_delete(p, p->row[i].first);
    p->row_gone[i] = true;
}

void presolve_remove_col(presolve *p, int j, double value)
{
    CHECK(!p->col_gone[j]);
    for (int k = p->col[j].first; k >= 0; k = p->nodes[k].col_next) {
        int i = p->nodes[k].row;
        p->rl[i] -= p->nodes[k].value * value;
        p->ru[i] -= p->nodes[k].value * value;
        presolve_wake_row(p, i);
    }
    while (p->col[j].first >= 0) presolve_delete(p, p->col[j].first);
    p->col_gone[j] = true;
}

void presolve_fix_col(presolve *p, int j, double value, unsigned char side)
{
    presolve_record *s = presolve_step(p, STEP_FIX_COL, -1, j);
    s->value = value;
    s->side = side;
    presolve_remove_col(p, j, value);
}
