/* lp/crash.c - when a start near the optimum is looked for, and what is done with it. See crash.h.
 *
 * The basis read from a point with multipliers y is not dual feasible, nor are its own multipliers y. But costs c_B := B'y change
 * those of basic variables by their reduced costs, which are small, and make y the multipliers of the basis: then the reduced costs of
 * the others are those of the point, right but for little. The dual method repairs the rows for these costs, and simplex_solve goes
 * on with the true ones from where it ends.
 */
#include "lp/crash.h"

#include <math.h>

#include "base/log.h"

/* Programs with fewer rows are soon solved from the slack basis; with fewer entries a column it is nearly triangular (networks). */
enum { ROWS_LEAST = 500, ENTRIES_LEAST = 4 };
/* With fewer columns a row nearly all are basic, and there is little to be told (degen3: 1.2). */
static const double COLUMNS_LEAST = 1.5;

/* Whether it leads anywhere the first steps tell (crash_point.c), which are cheap beside the pivots of such programs. */
bool crash_wanted(const simplex *s)
{
    int64_t entries = s->a.start[s->n];
    if (s->m < ROWS_LEAST || s->n < COLUMNS_LEAST * s->m || entries < (int64_t)ENTRIES_LEAST * s->n || !simplex_is_slack(s) ||
        s->iterations > 0)
        return false;
    for (int v = s->m; v < s->vars; v++) {
        if (isinf(s->lower[v]) && isinf(s->upper[v])) return false;
    }
    return true;
}

/* Costs by which the point's multipliers are those of the basis. Logicals of equations are basic only where rows depend on others: other
 * multipliers do as well there. */
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

run_end crash_start(simplex *s)
{
    arena a = {0};
    crash_point c;
    run_end end = crash_find(s, &a, &c);
    if (end == RUN_OPTIMAL) end = go_on_from(s, &a, &c);
    arena_free(&a);
    if (end == RUN_MEMORY || end == RUN_LIMIT || end == RUN_INTERRUPTED) return end;
    if ((end == RUN_STALLED || end == RUN_TROUBLE) && !simplex_is_slack(s)) simplex_slack_basis(s);
    return RUN_ON;
}
