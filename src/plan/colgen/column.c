/* plan/colgen/column.c - see column.h. */
#include "plan/colgen/column.h"

#include "base/memory.h"

void column_release(column *c)
{
    if (c && atomic_fetch_sub(&c->refs, 1) == 1) mem_free(c);
}

/* regret, pr and mass, then option, behind the head: one block. */
column *column_new(int K, int used)
{
    column *c = mem_alloc(1, sizeof *c + (2 * (size_t)K + (size_t)used) * sizeof(double) + (size_t)used * sizeof(int));
    if (!c) return NULL;
    double *numbers = (double *)(c + 1);
    *c = (column){.refs = 1, .used = used, .regret = numbers, .pr = numbers + K, .mass = numbers + 2 * K};
    c->option = (int *)(c->mass + used);
    return c;
}
