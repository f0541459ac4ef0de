/* mip/restart.c - see restart.h.
 *
 * With a good point and reduced costs of the root with all its cuts, many integer columns are fixed wherever something better is.
 * What presolve, cuts, heuristics and each relaxation cost grows with the columns, and presolve finds more where some are fixed:
 * the root is started again. Source: T. Achterberg, Constraint Integer Programming (2007), section 10.9.
 */
#include "mip/restart.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "mip/fix.h"
#include "mip/presolve.h"

/* Part of the columns that must have been fixed since the program was presolved: of integer ones alone, few in a program of many
 * others made the root dear again and no smaller (khb05250). */
static const double RESTART_PART = 0.2;

bool restart_pays(mip_search *s)
{
    const mip_model *p = s->model;
    int fixed = 0;
    s->dom.trail = 0; /* what was found at the root holds everywhere */
    if (!fix_by_root_costs(s)) return false;
    for (int j = 0; j < p->n; j++) fixed += s->dom.lower[j] == s->dom.upper[j];
    return fixed > 0 && fixed >= RESTART_PART * p->n;
}

/* What outer solved for, then what inner did, by the numbers of outer's original. False: memory. */
static bool compose_solved(solved_columns *inner, const mip_presolved *outer)
{
    const solved_columns *before = &outer->solved;
    solved_columns all = {.count = before->count + inner->count, .entries = before->entries + inner->entries};
    all.column = MEM_NEW(solved_column, all.capacity = (size_t)all.count);
    all.entry = MEM_NEW(solved_entry, all.entry_capacity = all.entries);
    if (!all.column || !all.entry) {
        mem_free(all.column);
        mem_free(all.entry);
        return false;
    }
    if (before->count) MEM_COPY(all.column, before->column, before->count);
    if (before->entries) MEM_COPY(all.entry, before->entry, before->entries);
    for (int k = 0; k < inner->count; k++) {
        solved_column c = inner->column[k];
        c.column = outer->col_of[c.column];
        c.first += before->entries;
        c.end += before->entries;
        all.column[before->count + k] = c;
    }
    for (size_t k = 0; k < inner->entries; k++)
        all.entry[before->entries + k] = (solved_entry){outer->col_of[inner->entry[k].column], inner->entry[k].value};
    mem_free(inner->column);
    mem_free(inner->entry);
    *inner = all;
    return true;
}

/* inner maps to columns of outer: afterwards to those that outer maps to. */
static vouch_status compose(mip_presolved *inner, const mip_presolved *outer)
{
    if (!compose_solved(&inner->solved, outer)) return VOUCH_ERROR_MEMORY;
    double *fixed = MEM_NEW(double, outer->original_cols);
    if (!fixed) return VOUCH_ERROR_MEMORY;
    mip_presolved_expand(outer, inner->fixed, fixed);
    for (int j = 0; j < inner->model.n; j++) inner->col_of[j] = outer->col_of[inner->col_of[j]];
    mem_free(inner->fixed);
    inner->fixed = fixed;
    inner->original_cols = outer->original_cols;
    inner->rows_before = outer->rows_before;
    inner->cols_before = outer->cols_before;
    return VOUCH_OK;
}

vouch_status restart_presolve(mip_presolved *again, const mip_presolved *p, const mip_search *s)
{
    mip_model within = p->model; /* with bounds of its own: those of the search are whole for integers */
    CHECK(s->model == &p->model && s->tree.open.nodes.count == 0);
    within.lower = s->dom.lower;
    within.upper = s->dom.upper;
    vouch_status status = mip_presolve(again, &within, true, s->clock);
    if (status == VOUCH_OK) status = compose(again, p);
    if (status != VOUCH_OK) mip_presolved_free(again);
    return status;
}

void restart_continue(mip_search *t, const mip_search *s)
{
    t->lp.relax.iterations = s->lp.relax.iterations;
    t->lp.relax.solves = s->lp.relax.solves;
    t->strong_iterations = s->strong_iterations;
    t->heuristic_iterations = s->heuristic_iterations;
    t->best.granularity = fmax(t->best.granularity, s->best.granularity); /* points of t are points of s */
    mip_search_require(t, t->best.value, fmin(t->best.cutoff, s->best.cutoff));
    t->tree.closed = s->best.cutoff; /* what is worse is not in the program */
    t->root.value = s->root.value;
    for (int f = 0; f < VOUCH_MIP_FAMILIES; f++) t->root.cut_rows[f] = s->root.cut_rows[f];
}

void restart_conclude(mip_search *s)
{
    CHECK(s->end.restart && s->best.found);
    s->tree.closed = fmin(s->tree.closed, s->best.cutoff);
    s->end.restart = s->end.stopped = false;
    s->end.complete = true;
}
