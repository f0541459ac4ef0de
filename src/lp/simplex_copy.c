/* lp/simplex_copy.c - one simplex method takes over where another stands.
 *
 * What a solve will do is a function of this state and of its options, so that solves which begin from the same state give the same
 * result to the last bit in whichever copy, and on whichever thread, they are made. Cost: O(entries + m + n), and the factors'.
 */
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "lp/simplex.h"

/* The row-wise copy: where entries stand in it decides ties. -1: memory */
static int take_rows(simplex *to, const simplex *from)
{
    pricing *t = &to->pricing;
    const pricing *f = &from->pricing;
    size_t entries = (size_t)from->a.start[from->n];
    bool first = !t->row_place; /* never made: rows.start is not known */
    t->rows_valid = false;
    if (!f->rows_valid) return 0;
    if (first) {
        if (sparse_load(&t->rows, from->n, from->m, f->rows.start, f->rows.index, f->rows.value)) return -1;
        if (MEM_RESIZE(&t->row_place, entries) || MEM_RESIZE(&t->row_source, entries)) return -1;
        t->rows.rows = f->rows.rows;
        t->rows.cols = f->rows.cols;
        t->pair_capacity = entries;
    } else {
        MEM_COPY(t->rows.index, f->rows.index, entries);
        MEM_COPY(t->rows.value, f->rows.value, entries);
    }
    MEM_COPY(t->row_place, f->row_place, entries);
    MEM_COPY(t->row_source, f->row_source, entries);
    MEM_COPY(t->row_end, f->row_end, from->m);
    t->rows_valid = true;
    return 0;
}

int simplex_take(simplex *to, const simplex *from)
{
    int m = from->m, vars = from->vars;
    if (to->m != m || to->n != from->n || memcmp(to->scale, from->scale, (size_t)vars * sizeof *to->scale) != 0) return 1;
    CHECK(to->a.start[to->n] == from->a.start[from->n]);
    double *long_ones[] = {to->cost, to->lower, to->upper, to->work.cost, to->work.lower, to->work.upper, to->value, to->reduced};
    const double *others[] = {from->cost,       from->lower,      from->upper, from->work.cost,
                              from->work.lower, from->work.upper, from->value, from->reduced};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) MEM_COPY(long_ones[k], others[k], vars);
    MEM_COPY(to->where, from->where, vars);
    MEM_COPY(to->move, from->move, vars);
    MEM_COPY(to->head, from->head, m);
    double *short_ones[] = {to->xb, to->lb, to->ub, to->pricing.edge};
    const double *of_rows[] = {from->xb, from->lb, from->ub, from->pricing.edge};
    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++) MEM_COPY(short_ones[k], of_rows[k], m);
    to->scaled = from->scaled;
    to->work.costs_shifted = from->work.costs_shifted;
    to->work.bounds_shifted = from->work.bounds_shifted;
    to->work.perturbed = from->work.perturbed;
    to->work.objective = from->work.objective;
    to->pricing.edge_valid = from->pricing.edge_valid;
    to->primal_trust = from->primal_trust;
    to->dual_trust = from->dual_trust;
    to->iterations = from->iterations;
    to->factored = false;
    if (take_rows(to, from)) return -1;
    if (from->factored && basis_copy(to->factors, from->factors)) return -1;
    to->factored = from->factored;
    to->allocations = mem_calls_here();
    return 0;
}
