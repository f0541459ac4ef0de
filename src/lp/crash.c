/* lp/crash.c - when a start near the optimum is looked for, and what is done with it. See crash.h.
 *
 * The basis read from a point with multipliers y is not dual feasible, nor are its own multipliers y. But costs c_B := B'y change
 * those of basic variables by their reduced costs, which are small, and make y the multipliers of the basis: then the reduced costs
 * of the others are those of the point, right but for little. The dual method repairs the rows for these costs, and simplex_solve
 * goes on with the true ones from where it ends.
 */
#include "lp/crash.h"

#include <math.h>

#include "base/error.h"

/* Programs with fewer rows are soon solved from the slack basis; with fewer entries a column it is nearly triangular (networks). */
enum { ROWS_LEAST = 500, ENTRIES_LEAST = 4 };
/* With fewer columns a row nearly all are basic, and there is little to be told (degen3: 1.2). */
static const double COLUMNS_LEAST = 1.5;

/* With so many columns a row and so many entries a column, the dual method may be long where quick steps find no point: it has so
 * many pivots a row to show that it is not. Then the point is looked for patiently, and the rest has so many pivots a row, before
 * all goes on from where the dual method was. truss has 17.5 pivots a row from the slack basis, 1.4 from near the optimum; trusses
 * on grids with one load 4 to 8, of which near the optimum is no better a start. */
enum { LONG_COLUMNS = 5, LONG_ENTRIES = 3, PIVOTS_FIRST = 6, PIVOTS_NEAR = 2 };

static bool is_bounded(const simplex *s)
{
    for (int v = s->m; v < s->vars; v++) {
        if (isinf(s->lower[v]) && isinf(s->upper[v])) return false;
    }
    return true;
}

/* At a cold start, with so many columns a row and entries a column. */
static bool is_large(const simplex *s, double columns, int entries)
{
    return s->m >= ROWS_LEAST && s->n >= columns * s->m && s->a.start[s->n] >= (int64_t)entries * s->n && simplex_is_slack(s) &&
           s->iterations == 0 && is_bounded(s);
}

/* Costs by which the point's multipliers are those of the basis. Logicals of equations are basic only where rows depend on others:
 * other multipliers do as well there. */
static void shift_costs(simplex *s, const crash_point *c)
{
    for (int p = 0; p < s->m; p++) {
        int v = s->head[p];
        if (v >= s->m || s->lower[v] != s->upper[v]) s->work.cost[v] -= c->reduced[v];
    }
    s->work.costs_shifted = true;
    s->dual_trust = INVALID;
    s->pricing.edge_valid = false;
}

static int basic_columns(const simplex *s)
{
    int count = 0;
    for (int p = 0; p < s->m; p++) count += s->head[p] >= s->m;
    return count;
}

/* The point is there. */
static run_end go_on_from(simplex *s, arena *a, const crash_point *c)
{
    run_end end = crash_basis(s, a, c);
    if (end) return end;
    log_line(s->log, VOUCH_LOG_INFO, "start: a basis with %d columns, %lld exchanges", basic_columns(s), s->iterations);
    s->iterations_before = s->iterations;
    shift_costs(s, c);
    end = dual_run(s);
    simplex_reset_work(s);
    return end;
}

/* Finds a point, its basis, and goes on by the dual simplex method for costs that are optimal there or nearly: what is left is
 * little, and is simplex_solve's. Whatever comes back, basis and bounds are fit for it. RUN_ON, or why to stop. */
static run_end start_near(simplex *s, bool patient)
{
    arena a = {0};
    crash_point c;
    run_end end = crash_find(s, patient, &a, &c);
    if (end == RUN_OPTIMAL) end = go_on_from(s, &a, &c);
    arena_free(&a);
    if (end == RUN_MEMORY || end == RUN_LIMIT || end == RUN_INTERRUPTED) return end;
    if ((end == RUN_STALLED || end == RUN_TROUBLE) && !simplex_is_slack(s)) simplex_slack_basis(s);
    return RUN_ON;
}

/* Solves within so many pivots a row, from where it stands or from near the optimum. Into *over: they did not do. RUN_ON: there is
 * no point near the optimum. */
static run_end solve_within(simplex *s, bool near, int pivots, bool *over)
{
    long long given = s->iteration_limit, end_at = s->iterations + (long long)pivots * s->m;
    bool shorter = given == 0 || end_at < given;
    if (shorter) s->iteration_limit = end_at;
    run_end end = near ? start_near(s, true) : RUN_ON;
    if (!end && !(near && simplex_is_slack(s))) end = simplex_solve(s, VOUCH_LP_AUTO);
    s->iteration_limit = given;
    *over = end == RUN_LIMIT && shorter && s->iterations >= end_at;
    return end;
}

/* A basis to come back to. */
typedef struct kept_basis {
    unsigned char *status; /* [vars] */
    double *weight;        /* [vars] of basic variables, for the dual */
    bool weighed;          /* they are right */
} kept_basis;

static bool keep_basis(const simplex *s, arena *a, kept_basis *k)
{
    *k = (kept_basis){ARENA_NEW(a, unsigned char, s->vars), ARENA_ZERO(a, double, s->vars), s->pricing.edge_valid};
    if (a->failed) return false;
    for (int v = 0; v < s->vars; v++) k->status[v] = simplex_status(s, v);
    for (int p = 0; p < s->m; p++) k->weight[s->head[p]] = s->pricing.edge[p];
    return true;
}

static void return_to(simplex *s, const kept_basis *k)
{
    simplex_set_basis(s, k->status);
    simplex_reset_work(s);
    for (int p = 0; p < s->m; p++) s->pricing.edge[p] = k->weight[s->head[p]];
    s->pricing.edge_valid = k->weighed;
}

/* It was many pivots so far, and may be many more. */
static run_end try_near(simplex *s)
{
    arena a = {0};
    kept_basis before;
    bool over = false;
    if (!keep_basis(s, &a, &before)) {
        arena_free(&a);
        return RUN_MEMORY;
    }
    simplex_slack_basis(s);
    run_end end = solve_within(s, true, PIVOTS_NEAR, &over);
    bool back = over || !end;
    if (back) return_to(s, &before);
    arena_free(&a);
    return back ? simplex_solve(s, VOUCH_LP_AUTO) : end;
}

run_end crash_solve(simplex *s)
{
    bool over, later = is_large(s, LONG_COLUMNS, LONG_ENTRIES);
    /* whether it leads anywhere the first steps tell (crash_point.c), which are cheap beside the pivots of such programs */
    run_end end = is_large(s, COLUMNS_LEAST, ENTRIES_LEAST) ? start_near(s, false) : RUN_ON;
    if (end) return end;
    if (!later || !simplex_is_slack(s)) return simplex_solve(s, VOUCH_LP_AUTO);
    end = solve_within(s, false, PIVOTS_FIRST, &over);
    return over ? try_near(s) : end;
}
