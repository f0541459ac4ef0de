/* lp/simplex.c - the shared state of the simplex methods: basis, derived vectors, the pivot row, measures. See simplex.h. */
#include "lp/simplex.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "lp/tolerance.h"

/* ---- the pivot row: result = x' [A, -I] over the nonbasic variables that may enter ---------------------------------------------
 *
 * By rows of A if x is sparse, otherwise by columns, and also in small problems. In the row-wise copy the entries of variables that
 * may enter (nonbasic, not fixed) are in front, so that the others cost nothing; every entry stores its twin in the column-wise
 * matrix, so moving a column between the parts takes time proportional to its length. Source for the partition: J. A. J. Hall and
 * K. I. M. McKinnon, Comput. Optim. Appl. 32 (2005). Reduced costs of fixed variables are not updated: they are right only when
 * FRESH. */

/* Least entries of A for a row-wise copy. */
enum { COPY_LEAST = 3000 };
/* Largest density of x for rows. From 0.1 or 0.2 on columns are 25 % faster for qap-800 and transport-800, but some percent slower
 * for most of Netlib. */
static const double ROWS_DENSITY = 0.5;
/* Expected density of the result from which a scan replaces the list. */
static const double LIST_DENSITY = 0.15;

static inline bool may_enter(const simplex *s, int v)
{
    CHECK(!s->move[v] || (s->where[v] < 0 && s->work.lower[v] != s->work.upper[v]));
    return s->move[v] || (s->where[v] < 0 && s->work.lower[v] != s->work.upper[v]);
}

/* Moves the entry at `from` to the boundary `to` of the parts of its row. */
static void swap_entries(simplex *s, int from, int to)
{
    if (from == to) return;
    int index = s->pricing.rows.index[from], source = s->pricing.row_source[from];
    double value = s->pricing.rows.value[from];
    s->pricing.rows.index[from] = s->pricing.rows.index[to];
    s->pricing.rows.value[from] = s->pricing.rows.value[to];
    s->pricing.row_source[from] = s->pricing.row_source[to];
    s->pricing.row_place[s->pricing.row_source[from]] = from;
    s->pricing.rows.index[to] = index;
    s->pricing.rows.value[to] = value;
    s->pricing.row_source[to] = source;
    s->pricing.row_place[source] = to;
}

static void price_hide(simplex *s, int v)
{
    if (!s->pricing.rows_valid || v < s->m) return;
    int j = v - s->m;
    for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) {
        int at = s->pricing.row_place[e];
        int *end = &s->pricing.row_end[s->a.index[e]];
        if (at < *end) swap_entries(s, at, --*end);
    }
}

static void price_show(simplex *s, int v)
{
    if (!s->pricing.rows_valid || v < s->m || !may_enter(s, v)) return;
    int j = v - s->m;
    for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) {
        int at = s->pricing.row_place[e];
        int *end = &s->pricing.row_end[s->a.index[e]];
        if (at >= *end) swap_entries(s, at, (*end)++);
    }
}

static void price_partition(simplex *s)
{
    if (!s->pricing.rows_valid) return;
    for (int j = 0; j < s->n; j++) {
        if (may_enter(s, s->m + j))
            price_show(s, s->m + j);
        else
            price_hide(s, s->m + j);
    }
}

#ifdef VOUCH_DEBUG
/* Both copies hold the same entries with their twins, and the variables that may enter are in front. */
static void copies_check(const simplex *s)
{
    for (int j = 0; j < s->n; j++) {
        for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) {
            int at = s->pricing.row_place[e], i = s->a.index[e];
            CHECK(s->pricing.row_source[at] == e && s->pricing.rows.index[at] == s->m + j &&
                  s->pricing.rows.value[at] == s->a.value[e]);
            CHECK(at >= s->pricing.rows.start[i] && at < s->pricing.rows.start[i + 1]);
            CHECK((at < s->pricing.row_end[i]) == may_enter(s, s->m + j));
        }
    }
}
#endif

int price_prepare(simplex *s)
{
    int64_t entries = s->a.start[s->n];
    if (entries < COPY_LEAST || entries > INT_MAX) return 0;
    if (!s->pricing.rows_valid) {
        if (sparse_transpose(&s->a, &s->pricing.rows)) return -1;
        if (s->pricing.rows.entry_capacity > s->pricing.pair_capacity) {
            if (MEM_RESIZE(&s->pricing.row_place, s->pricing.rows.entry_capacity)) return -1;
            if (MEM_RESIZE(&s->pricing.row_source, s->pricing.rows.entry_capacity)) return -1;
            s->pricing.pair_capacity = s->pricing.rows.entry_capacity;
        }
        for (int i = 0; i < s->m; i++) s->pricing.row_end[i] = (int)s->pricing.rows.start[i];
        for (int64_t e = 0, j = 0; e < entries; e++) {
            while (e >= s->a.start[j + 1]) j++;
            int at = s->pricing.row_end[s->a.index[e]]++; /* the order in which the transpose filled rows */
            s->pricing.row_place[e] = at;
            s->pricing.row_source[at] = (int)e;
            s->pricing.rows.index[at] = s->m + (int)j;
        }
        s->pricing.rows_valid = true;
    }
    price_partition(s);
#ifdef VOUCH_DEBUG
    copies_check(s);
#endif
    return 0;
}

static void by_rows_listed(const simplex *s, const vector *x, vector *result)
{
    double *value = result->value;
    int *index = result->index, count = 0;
    for (int k = 0; k < x->count; k++) {
        int i = x->index[k];
        double v = x->value[i];
        if (may_enter(s, i)) {
            value[i] = -v;
            index[count++] = i;
        }
        for (int e = (int)s->pricing.rows.start[i]; e < s->pricing.row_end[i]; e++) {
            int at = s->pricing.rows.index[e];
            double old = value[at], now = old + v * s->pricing.rows.value[e];
            if (old == 0) index[count++] = at;
            value[at] = now == 0 ? VECTOR_CANCELLED : now;
        }
    }
    result->count = count;
    vector_pack(result, TOL_DROP);
}

static void by_rows_scanned(const simplex *s, const vector *x, vector *result)
{
    double *value = result->value;
    for (int k = 0; k < x->count; k++) {
        int i = x->index[k];
        double v = x->value[i];
        if (may_enter(s, i)) value[i] = -v;
        for (int e = (int)s->pricing.rows.start[i]; e < s->pricing.row_end[i]; e++)
            value[s->pricing.rows.index[e]] += v * s->pricing.rows.value[e];
    }
    int *index = result->index, count = 0;
    for (int v = 0; v < s->vars; v++) {
        double now = value[v];
        bool keep = fabs(now) > TOL_DROP;
        index[count] = v;
        count += keep;
        value[v] = keep ? now : 0;
    }
    result->count = count;
}

static void by_columns(const simplex *s, const vector *x, vector *result)
{
    int m = s->m, kept = 0, *index = result->index;
    const double *factor = x->value, *value = s->a.value;
    const int *row = s->a.index;
    for (int i = 0; i < m; i++) {
        if (fabs(factor[i]) <= TOL_DROP || !may_enter(s, i)) continue;
        result->value[i] = -factor[i];
        index[kept++] = i;
    }
    double *sums = result->value + m;
    for (int j = 0; j < s->n; j++) {
        if (!may_enter(s, m + j)) continue;
        double sum = 0;
        for (int64_t e = s->a.start[j], end = s->a.start[j + 1]; e < end; e++) sum += factor[row[e]] * value[e];
        bool keep = fabs(sum) > TOL_DROP;
        index[kept] = m + j;
        kept += keep;
        sums[j] = keep ? sum : 0;
    }
    result->count = kept;
}

void price_row(simplex *s, const vector *x, vector *result)
{
    double since = trace_start(s->trace);
    bool listed = s->pricing.rows_valid && x->count >= 0 && x->count <= ROWS_DENSITY * s->m;
    vector_clear(result);
    CHECK_COMPARE(result->n, >=, s->vars);
    long long entries = x->count;
    for (int k = 0; listed && k < x->count; k++) entries += s->pricing.row_end[x->index[k]] - s->pricing.rows.start[x->index[k]];
    if (!listed)
        by_columns(s, x, result);
    else if ((double)entries > LIST_DENSITY * s->vars)
        by_rows_scanned(s, x, result);
    else
        by_rows_listed(s, x, result);
    trace_stop(s->trace, KERNEL_price, since);
}

/* Most iterations of a solve that ends on updated factors; its certificate tests them. */
enum { REFACTOR_AFTER = 20 };

/* ---- the basis ----------------------------------------------------------------------------------------------------------------
 */

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
        for (int i = 0; i < m && wants < m; i++) { /* too few: add logicals */
            if (wanted[i]) continue;
            wanted[i] = 1;
            wants++;
            if (s->where[i] < 0) entering[enter++] = i;
        }
        /* Variables keep their positions if possible, and so their steepest edge weights. */
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

/* ---- working data ---------------------------------------------------------------------------------------------------------------
 */

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
/* head and where are inverse to each other, and nonbasic variables are at working bounds. */
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

/* ---- derived vectors -----------------------------------------------------------------------------------------------------------
 */

run_end simplex_factor(simplex *s)
{
    int replaced;
    /* weights follow their variables through the permutation of head */
    for (int p = 0; p < s->m; p++) {
        s->ratio[s->head[p]] = s->pricing.edge[p];
        s->where[s->head[p]] = -1;
    }
    /* -2 marks old basic variables, to find those that a repair removes */
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

void simplex_update_reduced(simplex *s, int p, int q, double theta)
{
    const vector *row = &s->pivot_row;
    if (theta != 0) {
        for (int k = 0; k < row->count; k++) s->reduced[row->index[k]] -= theta * row->value[row->index[k]];
    }
    s->reduced[q] = 0;
    s->reduced[s->head[p]] = -theta;
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

/* ---- measures ------------------------------------------------------------------------------------------------------------------
 */

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

/* Iterations between progress checks. */
enum { REPORT_ITERATIONS = 32 };
static const double REPORT_EVERY = 1.0; /* seconds */

void simplex_report(simplex *s, const char *method, int phase)
{
    bool due = log_due(s->iterations) && s->iterations != s->reported; /* rejected rows make no exchange */
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
