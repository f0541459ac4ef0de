/* lp/simplex.c - the shared state of the simplex methods: its basis, its derived vectors, its measures. See simplex.h. */
#include "lp/simplex.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "lp/tolerance.h"

/* A solve of at most so many iterations ends on updated factors: its certificate tells if they were good enough. */
enum { REFACTOR_AFTER = 20 };

/* ---- the basis ------------------------------------------------------------------------------------------------------ */

void simplex_slack_basis(simplex *s)
{
    for (int p = 0; p < s->m; p++) s->where[s->head[p]] = -1;
    for (int p = 0; p < s->m; p++) {
        s->head[p] = p;
        s->where[p] = p;
        s->move[p] = 0;
        s->pricing.edge[p] = 1;
    }
    for (int v = 0; v < s->vars; v++) {
        s->reduced[v] = s->work.cost[v];
        if (s->where[v] < 0) simplex_place(s, v);
    }
    simplex_load_basic(s);
    s->pricing.rows_valid = false;
    s->factored = false;
    s->primal_trust = s->dual_trust = INVALID;
}

bool simplex_is_slack(const simplex *s)
{
    for (int i = 0; i < s->m; i++) {
        if (s->where[i] < 0) return false;
    }
    return true;
}

unsigned char simplex_status(const simplex *s, int v)
{
    if (s->where[v] >= 0) return VOUCH_BASIC;
    if (s->lower[v] == s->upper[v]) return VOUCH_NONBASIC_FIXED;
    if (isinf(s->lower[v]) && isinf(s->upper[v])) return VOUCH_NONBASIC_FREE;
    return s->move[v] < 0 ? VOUCH_AT_UPPER : VOUCH_AT_LOWER;
}

void simplex_set_basis(simplex *s, const unsigned char status[])
{
    int m = s->m, basic = 0;
    bool same = true;
    for (int v = 0; v < s->vars; v++) {
        bool now = status[v] == VOUCH_BASIC;
        basic += now;
        same = same && now == (s->where[v] >= 0);
    }
    if (!same || basic != m) {
        int *wanted = s->candidate, *entering = s->order, wants = 0, enter = 0;
        for (int v = 0; v < s->vars; v++) {
            wanted[v] = status[v] == VOUCH_BASIC && wants < m;
            wants += wanted[v];
            if (wanted[v] && s->where[v] < 0) entering[enter++] = v;
        }
        for (int i = 0; i < m && wants < m; i++) { /* too few: logicals */
            if (wanted[i]) continue;
            wanted[i] = 1;
            wants++;
            if (s->where[i] < 0) entering[enter++] = i;
        }
        /* Old positions are kept where possible, so that steepest edge weights stay with their variables. */
        for (int p = 0, next = 0; p < m; p++) {
            if (wanted[s->head[p]]) continue;
            s->where[s->head[p]] = -1;
            s->head[p] = entering[next++];
            s->where[s->head[p]] = p;
            s->pricing.edge[p] = 1;
        }
        s->factored = false;
        s->primal_trust = s->dual_trust = INVALID;
    }
    for (int v = 0; v < s->vars; v++) {
        if (s->where[v] >= 0) {
            s->move[v] = 0;
            continue;
        }
        double old = s->value[v];
        s->move[v] = status[v] == VOUCH_AT_UPPER ? -1 : status[v] == VOUCH_AT_LOWER ? 1 : 0;
        simplex_place(s, v);
        if (s->value[v] != old) s->primal_trust = INVALID;
    }
}

/* ---- work data ----------------------------------------------------------------------------------------------------- */

void simplex_place(simplex *s, int v)
{
    double l = s->work.lower[v], u = s->work.upper[v];
    CHECK(s->where[v] < 0);
    if (l == u) {
        s->move[v] = 0;
        s->value[v] = l;
    } else if (isinf(l) && isinf(u)) {
        s->move[v] = 0;
        s->value[v] = 0;
    } else if (isinf(l) || ((s->move[v] < 0 || (s->move[v] == 0 && s->reduced[v] < 0)) && !isinf(u))) {
        s->move[v] = -1;
        s->value[v] = u;
    } else {
        s->move[v] = 1;
        s->value[v] = l;
    }
}

void simplex_load_basic(simplex *s)
{
    for (int p = 0; p < s->m; p++) {
        CHECK(s->where[s->head[p]] == p);
        s->lb[p] = s->work.lower[s->head[p]];
        s->ub[p] = s->work.upper[s->head[p]];
    }
}

void simplex_reset_work(simplex *s)
{
    size_t bytes = (size_t)s->vars * sizeof(double);
    memcpy(s->work.cost, s->cost, bytes);
    memcpy(s->work.lower, s->lower, bytes);
    memcpy(s->work.upper, s->upper, bytes);
    if (s->work.costs_shifted) s->dual_trust = INVALID;
    if (s->work.bounds_shifted) {
        for (int v = 0; v < s->vars; v++) {
            if (s->where[v] < 0) simplex_place(s, v);
        }
        s->primal_trust = INVALID;
    }
    s->work.costs_shifted = s->work.bounds_shifted = false;
    simplex_load_basic(s);
}

#ifdef VOUCH_DEBUG
/* head and where are inverse to each other, and nonbasic variables stand at their working bounds. */
static void state_check(const simplex *s)
{
    int basic = 0;
    for (int v = 0; v < s->vars; v++) {
        int p = s->where[v];
        if (p >= 0) {
            CHECK(p < s->m && s->head[p] == v);
            CHECK(s->move[v] == 0);
            basic++;
        } else if (s->move[v]) {
            CHECK(s->value[v] == (s->move[v] > 0 ? s->work.lower[v] : s->work.upper[v]));
        }
    }
    CHECK_COMPARE(basic, ==, s->m);
}
#endif

/* ---- derived vectors ------------------------------------------------------------------------------------------------- */

run_end simplex_factor(simplex *s)
{
    int replaced;
    /* Weights follow their variables through the permutation of head. */
    for (int p = 0; p < s->m; p++) {
        s->ratio[s->head[p]] = s->pricing.edge[p];
        s->where[s->head[p]] = -1;
    }
    /* -2 marks old basic variables, to find those a repair throws out. */
    for (int p = 0; p < s->m; p++) s->where[s->head[p]] = -2;
    double since = trace_start(s->trace);
    int failed = basis_factor(s->factors, &s->a, s->head, s->factor_wanted, &replaced);
    trace_stop(s->trace, KERNEL_factor, since);
    s->factored = !failed;
    s->factorizations += !failed;
    for (int p = 0; p < s->m; p++) {
        int v = s->head[p];
        s->pricing.edge[p] = s->where[v] == -2 ? s->ratio[v] : 1;
        s->where[v] = p;
        s->move[v] = 0;
    }
    if (replaced) {
        s->trouble++;
        for (int v = 0; v < s->vars; v++) {
            if (s->where[v] != -2) continue;
            s->where[v] = -1;
            s->move[v] = 1;
            simplex_place(s, v);
        }
        price_partition(s);
    }
    simplex_load_basic(s);
    s->primal_trust = s->dual_trust = INVALID;
    s->allocations = mem_calls_here();
#ifdef VOUCH_DEBUG
    state_check(s);
#endif
    return !failed ? RUN_ON : failed < 0 ? RUN_MEMORY : deadline_interrupted(&s->limit) ? RUN_INTERRUPTED : RUN_LIMIT;
}

void simplex_add_column(const simplex *s, int v, double factor, vector *x)
{
    if (v < s->m) {
        vector_add(x, v, -factor);
        return;
    }
    int j = v - s->m;
    for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) vector_add(x, s->a.index[e], factor * s->a.value[e]);
}

void simplex_ftran(simplex *s, vector *x, lu_kind kind, bool keep)
{
    double since = trace_start(s->trace);
    basis_ftran(s->factors, x, kind, keep);
    trace_stop(s->trace, KERNEL_ftran, since);
}

void simplex_btran(simplex *s, vector *y, lu_kind kind, bool keep)
{
    double since = trace_start(s->trace);
    basis_btran(s->factors, y, kind, keep);
    trace_stop(s->trace, KERNEL_btran, since);
}

void simplex_column(simplex *s, int v, bool keep)
{
    CHECK(s->factored);
    CHECK(v >= 0 && v < s->vars && s->where[v] < 0);
    vector_clear(&s->col);
    simplex_add_column(s, v, 1.0, &s->col);
    simplex_ftran(s, &s->col, LU_COLUMN, keep);
}

void simplex_row(simplex *s, int p)
{
    double since = trace_start(s->trace);
    basis_row(s->factors, p, &s->row);
    trace_stop(s->trace, KERNEL_btran, since);
}

void simplex_compute_primal(simplex *s)
{
    vector *x = &s->tau;
    CHECK(s->factored);
    vector_clear(x);
    x->count = VECTOR_UNLISTED;
    for (int v = 0; v < s->vars; v++) {
        if (s->where[v] < 0 && s->value[v] != 0) simplex_add_column(s, v, -s->value[v], x);
    }
    simplex_ftran(s, x, LU_COST, false);
    memcpy(s->xb, x->value, (size_t)s->m * sizeof(double));
    vector_clear(x);
    s->primal_trust = FRESH;
}

void simplex_compute_dual(simplex *s, const double basic_cost[])
{
    int m = s->m;
    vector *y = &s->tau;
    CHECK(s->factored);
    vector_clear(y);
    y->count = VECTOR_UNLISTED;
    for (int p = 0; p < m; p++) y->value[p] = basic_cost ? basic_cost[p] : s->work.cost[s->head[p]];
    simplex_btran(s, y, LU_COST, false);
    if (basic_cost) MEM_COPY(s->ray_dual, y->value, m);
    const double *cost = basic_cost ? NULL : s->work.cost;
    for (int i = 0; i < m; i++) s->reduced[i] = s->where[i] >= 0 ? 0 : (cost ? cost[i] : 0) + y->value[i];
    for (int j = 0; j < s->n; j++) {
        int v = m + j;
        if (s->where[v] >= 0) {
            s->reduced[v] = 0;
            continue;
        }
        double sum = cost ? cost[v] : 0;
        for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) sum -= s->a.value[e] * y->value[s->a.index[e]];
        s->reduced[v] = sum;
    }
    vector_clear(y);
    s->dual_trust = basic_cost ? INVALID : FRESH;
}

bool simplex_wants_factors(const simplex *s, rebuild_reason reason)
{
    if (reason == REBUILD_START || reason == REBUILD_WIDENED) return false;
    if (reason != REBUILD_END && reason != REBUILD_CUTOFF) return true;
    return basis_updates(s->factors) > 0 && s->iterations - s->iterations_before > REFACTOR_AFTER;
}

bool simplex_accepts_pivot(const simplex *s, int p, int q)
{
    bool fresh = basis_updates(s->factors) == 0;
    double pivot = s->col.value[p], other = s->pivot_row.value[q];
    double apart = fabs(pivot - other) / larger(smaller(fabs(pivot), fabs(other)), TOL_DROP);
    return apart <= (fresh ? TOL_PIVOT_DISAGREE : TOL_PIVOT_DRIFT) && (fresh || fabs(pivot) >= TOL_PIVOT_SMALL);
}

run_end simplex_refresh(simplex *s, bool refactor)
{
    if (!s->factored || (refactor && basis_updates(s->factors) > 0)) {
        run_end end = simplex_factor(s);
        if (end) return end;
    }
    if (s->primal_trust != FRESH) simplex_compute_primal(s);
    if (s->dual_trust != FRESH) simplex_compute_dual(s, NULL);
    return RUN_ON;
}

bool simplex_exchange(simplex *s, int p, int q, double entering, double leaving, signed char move)
{
    int out = s->head[p];
    double pivot = s->col.value[p];
    CHECK(s->where[q] < 0 && s->where[out] == p);
    CHECK(pivot != 0);
    s->head[p] = q;
    s->where[q] = p;
    s->move[q] = 0;
    s->xb[p] = entering;
    s->lb[p] = s->work.lower[q];
    s->ub[p] = s->work.upper[q];
    s->where[out] = -1;
    s->move[out] = move;
    s->value[out] = leaving;
    price_hide(s, q);
    price_show(s, out);
    s->iterations++;
    if (s->primal_trust == FRESH) s->primal_trust = UPDATED;
    if (s->dual_trust == FRESH) s->dual_trust = UPDATED;
    double since = trace_start(s->trace);
    bool updated = basis_update(s->factors, p, pivot);
    trace_stop(s->trace, KERNEL_update, since);
    if (!updated) s->factored = false;
    return updated;
}

/* ---- measures -------------------------------------------------------------------------------------------------------- */

double simplex_primal_infeasibility(const simplex *s, int *count)
{
    double sum = 0;
    *count = 0;
    for (int p = 0; p < s->m; p++) {
        double off = larger(s->lb[p] - s->xb[p], s->xb[p] - s->ub[p]);
        if (off <= s->feasibility_tol) continue;
        sum += off;
        ++*count;
    }
    return sum;
}

double simplex_dual_infeasibility(const simplex *s, int *count)
{
    double sum = 0;
    *count = 0;
    for (int v = 0; v < s->vars; v++) {
        if (s->where[v] >= 0) continue;
        double off = -s->move[v] * s->reduced[v];
        if (s->move[v] == 0) off = s->work.lower[v] == s->work.upper[v] ? 0 : fabs(s->reduced[v]);
        if (off <= s->optimality_tol) continue;
        sum += off;
        ++*count;
    }
    return sum;
}

double simplex_objective(const simplex *s)
{
    double sum = 0;
    for (int v = 0; v < s->vars; v++) {
        if (s->where[v] < 0 && s->work.cost[v] != 0) sum += s->work.cost[v] * s->value[v];
    }
    for (int p = 0; p < s->m; p++) sum += s->work.cost[s->head[p]] * s->xb[p];
    return sum;
}

/* A line of progress is thought of every so many iterations. */
enum { REPORT_ITERATIONS = 32 };
static const double REPORT_EVERY = 1.0; /* seconds */

void simplex_report(simplex *s, const char *method, int phase)
{
    bool due = log_due(s->iterations) && s->iterations != s->reported; /* rows that are chosen again make no exchange */
    if ((s->iterations % REPORT_ITERATIONS != 0 && !due) || !log_wants(s->log, VOUCH_LOG_INFO)) return;
    double now = clock_seconds();
    if (s->next_report <= 0) s->next_report = s->limit.start + REPORT_EVERY;
    if (now < s->next_report && !due) return;
    s->next_report = now + REPORT_EVERY;
    s->reported = s->iterations;
    int primal_off, dual_off;
    double primal = simplex_primal_infeasibility(s, &primal_off), dual = simplex_dual_infeasibility(s, &dual_off);
    log_line(s->log, VOUCH_LOG_INFO, "%10lld  %-6s %d  %16.9g  %10.3g %7d  %10.3g %7d  %7.1f", s->iterations, method, phase,
             simplex_objective(s), primal, primal_off, dual, dual_off, now - s->limit.start);
}

long long simplex_polish_limit(const simplex *s) { return 100 + s->m / 10; }

run_end simplex_stop(const simplex *s)
{
    if (deadline_interrupted(&s->limit)) return RUN_INTERRUPTED;
    if (s->iteration_limit > 0 && s->iterations >= s->iteration_limit) return RUN_LIMIT;
    if (deadline_out_of_time(&s->limit)) return RUN_LIMIT;
    return RUN_ON;
}
