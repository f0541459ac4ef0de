/* program/master.c - see master.h. Conditions 0..K-1 regret, K..2K-1 commitment, 2K convexity; 2K+1 .. 3K room, if given; promises
 * on average. Columns 0 z or e, 1 a, then the policies. With few environments each condition is a row; with many, few bind and a
 * dense basis of all costs K^3, so a condition becomes a row once an optimum violates it (row generation). */
#include "program/master.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/memory.h"
#include "program/program.h"

static const double MASTER_TOLERANCE = 1e-10; /* small, since the mixture may be the policy (of history) */
static const double EXCESS_PRICE = 1e4;       /* per unit of regret above the cap, in units of total regret */
enum { MANY = 128, AT_ONCE = 16 };            /* environments for row generation; rows per round */

struct master {
    arena memory; /* of the arrays [most] */
    int K, columns;
    const double *share;              /* [K] or NULL */
    const promise_averages *averages; /* or NULL */
    double missing;                   /* a after the last solve of phase one */
    int conditions;                   /* 2K + 1, or 3K + 1, and one per average; at most `most` */
    int rows;                         /* at most conditions */
    master_goal goal;
    bool feasible; /* phase two */
    vouch_lp *lp;  /* NULL until the first reset */
    vouch_lp_options options;
    double *lower, *upper; /* [most] of the conditions */
    int *condition;        /* [most] condition of each row */
    bool *present;         /* [most] the condition is a row */
    double *value;         /* [most] scratch: entries of a column, violations */
    int *index;            /* [most] 0, 1, .. */
    double *total;         /* [columns] cost of a column in phase two */
    double *entries;       /* [columns * conditions] for row generation */
    size_t total_capacity, entry_capacity;
};

static int means(const master *m) { return m->averages ? m->averages->count : 0; }

vouch_status master_new(int K, const double share[], const promise_averages *averages, master **out)
{
    *out = NULL;
    master *m = MEM_ZERO(master, 1);
    if (!m) return VOUCH_ERROR_MEMORY;
    m->K = K;
    m->share = share;
    m->averages = averages;
    int most = 3 * K + 1 + means(m);
    m->value = ARENA_NEW(&m->memory, double, most);
    m->lower = ARENA_NEW(&m->memory, double, most);
    m->upper = ARENA_NEW(&m->memory, double, most);
    m->index = ARENA_NEW(&m->memory, int, most);
    m->condition = ARENA_NEW(&m->memory, int, most);
    m->present = ARENA_NEW(&m->memory, bool, most);
    if (m->memory.failed) {
        master_free(m);
        return VOUCH_ERROR_MEMORY;
    }
    for (int i = 0; i < most; i++) m->index[i] = i;
    vouch_lp_options_init(&m->options);
    m->options.method = VOUCH_LP_PRIMAL;
    m->options.factor = VOUCH_FACTOR_DENSE;
    m->options.presolve = 0;
    m->options.scale = 0;
    m->options.feasibility_tol = MASTER_TOLERANCE;
    m->options.optimality_tol = MASTER_TOLERANCE;
    *out = m;
    return VOUCH_OK;
}

void master_free(master *m)
{
    if (!m) return;
    vouch_lp_free(m->lp);
    arena_free(&m->memory);
    MEM_FREE_ALL(m->total, m->entries, m);
}

static bool many(const master *m) { return m->K >= MANY; }

/* The condition of the first promise on average. */
static int first_mean(const master *m) { return m->conditions - means(m); }

/* Entry of column 0 or 1 in a condition. */
static double slack_entry(const master *m, int column, int condition)
{
    if (column == 0) return condition < m->K ? -1 : 0;
    if (condition >= first_mean(m)) return 1;
    return condition > 2 * m->K ? -1 : condition >= m->K && condition < 2 * m->K ? 1 : 0;
}

/* The initial rows: all or, with many environments, convexity and one regret, which bounds z. */
static void begin_rows(master *m)
{
    m->rows = 0;
    for (int c = 0; c < m->conditions; c++) {
        m->present[c] = !many(m) || c == 0 || c == 2 * m->K;
        if (m->present[c]) m->condition[m->rows++] = c;
    }
}

vouch_status master_reset(master *m, master_goal goal, const double p[], double lowest, double cap, const double room[])
{
    m->missing = 0;
    CHECK(goal == MASTER_MAX_REGRET || (!isnan(cap) && !m->share));
    int K = m->K;
    m->goal = goal;
    m->columns = 0;
    m->conditions = (room ? 3 * K + 1 : 2 * K + 1) + means(m);
    m->feasible = false;
    for (int k = 0; k < K; k++) {
        m->lower[k] = -INFINITY;
        m->upper[k] = m->share && k > 0 ? INFINITY : goal == MASTER_TOTAL_REGRET ? cap : 0;
        m->lower[K + k] = p[k];
        m->upper[K + k] = INFINITY;
        m->lower[2 * K + 1 + k] = -INFINITY;
        m->upper[2 * K + 1 + k] = room ? room[k] : INFINITY;
    }
    m->lower[2 * K] = m->upper[2 * K] = 1;
    for (int a = 0; a < means(m); a++) {
        m->lower[first_mean(m) + a] = p[K + a];
        m->upper[first_mean(m) + a] = INFINITY;
    }
    begin_rows(m);
    assembly a;
    assembly_init(&a, m->rows);
    for (int r = 0; r < m->rows; r++) assembly_row(&a, r, m->lower[m->condition[r]], m->upper[m->condition[r]]);
    for (int j = 0; j < 2; j++) { /* z or e; a */
        assembly_column(&a, j, j == 0 && goal == MASTER_MAX_REGRET ? lowest : 0, INFINITY, false);
        for (int r = 0; r < m->rows; r++) assembly_entry(&a, r, slack_entry(m, j, m->condition[r]));
    }
    vouch_lp_free(m->lp);
    return assembly_finish(&a, 0, &m->lp);
}

vouch_status master_add(master *m, const double regret[], const double pr[])
{
    int K = m->K;
    CHECK_COMPARE(vouch_lp_cols(m->lp), ==, 2 + m->columns);
    double total = 0, mean = 0, zero = 0, infinity = INFINITY;
    for (int k = 0; k < K && m->share; k++) mean += m->share[k] * regret[k];
    for (int k = 0; k < K; k++) {
        m->value[k] = m->share ? mean : regret[k];
        m->value[K + k] = pr[k];
        CHECK(isfinite(regret[k]) && pr[k] >= 0);
        m->value[2 * K + 1 + k] = regret[k]; /* for rows of room */
        if (m->goal == MASTER_TOTAL_REGRET) total += regret[k];
    }
    m->value[2 * K] = 1;
    for (int a = 0; a < means(m); a++) m->value[first_mean(m) + a] = average_mean(m->averages, a, K, pr);
    size_t used = (size_t)m->columns * (size_t)m->conditions, more = (size_t)m->conditions;
    if (MEM_RESERVE(&m->total, &m->total_capacity, m->columns)) return VOUCH_ERROR_MEMORY;
    if (many(m)) {
        if (MEM_RESERVE(&m->entries, &m->entry_capacity, used + more - 1)) return VOUCH_ERROR_MEMORY;
        MEM_COPY(m->entries + used, m->value, more);
        for (int r = 0; r < m->rows; r++) m->value[r] = m->entries[used + (size_t)m->condition[r]];
    }
    m->total[m->columns] = total;
    int64_t start[2] = {0, m->rows};
    vouch_status status = vouch_lp_add_cols(m->lp, 1, start, m->index, m->value, m->feasible ? &total : &zero, &zero, &infinity);
    if (!status) m->columns++;
    return status;
}

vouch_status master_aim(master *m, const double p[])
{
    vouch_status status = m->goal == MASTER_MAX_REGRET ? vouch_lp_set_col_bounds(m->lp, 0, -INFINITY, INFINITY) : VOUCH_OK;
    MEM_COPY(m->lower + m->K, p, m->K);
    MEM_COPY(m->lower + first_mean(m), p + m->K, means(m));
    for (int r = 0; r < m->rows && !status; r++) {
        int c = m->condition[r];
        if ((c >= m->K && c < 2 * m->K) || c >= first_mean(m)) status = vouch_lp_set_row_bounds(m->lp, r, m->lower[c], INFINITY);
    }
    return status;
}

int master_columns(const master *m) { return m->columns; }

bool master_feasible(const master *m) { return m->feasible; }

double master_excess_price(master_goal goal) { return goal == MASTER_TOTAL_REGRET ? EXCESS_PRICE : 1; }

static vouch_status enter_phase_two(master *m)
{
    vouch_status status = vouch_lp_set_cost(m->lp, 0, master_excess_price(m->goal));
    if (!status) status = vouch_lp_set_cost(m->lp, 1, MASTER_SLACK_PRICE);
    if (!status) status = vouch_lp_set_col_bounds(m->lp, 1, 0, 2 * m->missing);
    for (int i = 0; i < m->columns && !status; i++) status = vouch_lp_set_cost(m->lp, 2 + i, m->total[i]);
    m->feasible = true;
    return status;
}

/* value [conditions]: violation by x of each condition without row; returns the maximum. */
static double violations(master *m, const double x[])
{
    double most = 0;
    for (int c = 0; c < m->conditions; c++) m->value[c] = slack_entry(m, 0, c) * x[0] + slack_entry(m, 1, c) * x[1];
    for (int i = 0; i < m->columns; i++)
        for (int c = 0; c < m->conditions && x[2 + i] > 0; c++)
            m->value[c] += x[2 + i] * m->entries[(size_t)i * (size_t)m->conditions + (size_t)c];
    for (int c = 0; c < m->conditions; c++) {
        m->value[c] = m->present[c] ? 0 : fmax(m->lower[c] - m->value[c], m->value[c] - m->upper[c]);
        most = fmax(most, m->value[c]);
    }
    return most;
}

static vouch_status add_row(master *m, int c)
{
    int cols = 2 + m->columns;
    int64_t start[2] = {0, cols};
    int *index = MEM_NEW(int, cols);
    double *entry = MEM_NEW(double, cols);
    vouch_status status = index && entry ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (int j = 0; j < cols && !status; j++) {
        index[j] = j;
        entry[j] = j < 2 ? slack_entry(m, j, c) : m->entries[(size_t)(j - 2) * (size_t)m->conditions + (size_t)c];
    }
    if (!status) status = vouch_lp_add_rows(m->lp, 1, start, index, entry, &m->lower[c], &m->upper[c]);
    mem_free(index);
    mem_free(entry);
    if (status) return status;
    m->present[c] = true;
    m->condition[m->rows++] = c;
    return VOUCH_OK;
}

/* Adds rows for the conditions that x violates most. */
static vouch_status add_violated(master *m, const double x[], bool *added)
{
    vouch_status status = VOUCH_OK;
    *added = violations(m, x) > MASTER_TOLERANCE;
    for (int i = 0; i < AT_ONCE && *added && !status; i++) {
        int worst = 0;
        for (int c = 1; c < m->conditions; c++)
            if (m->value[c] > m->value[worst]) worst = c;
        if (!(m->value[worst] > MASTER_TOLERANCE)) break;
        m->value[worst] = 0;
        status = add_row(m, worst);
    }
    return status;
}

static vouch_status solve_rows(master *m, const deadline *limit, vouch_lp_result *result)
{
    m->options.method = VOUCH_LP_PRIMAL; /* columns are new */
    for (bool added = true; added;) {
        added = false;
        m->options.limits = deadline_time_left(limit);
        vouch_status status = vouch_lp_solve(m->lp, &m->options);
        if (status) return status;
        vouch_lp_get_result(m->lp, result);
        if (many(m) && result->outcome == VOUCH_LP_OPTIMAL) status = add_violated(m, result->x, &added);
        if (status) return status;
        m->options.method = VOUCH_LP_DUAL;
    }
    return VOUCH_OK;
}

vouch_status master_solve(master *m, bool feasible, const deadline *limit, bool *ok, master_optimum *out)
{
    int K = m->K;
    CHECK(m->columns > 0 && (feasible || !m->feasible)); /* phase one does not return */
    vouch_status status = VOUCH_OK;
    vouch_lp_result result;
    if (feasible && !m->feasible) status = enter_phase_two(m);
    if (!status) status = solve_rows(m, limit, &result);
    if (status) return status;
    *ok = result.outcome == VOUCH_LP_OPTIMAL;
    if (!*ok) return VOUCH_OK;
    out->value = result.objective;
    if (!m->feasible) m->missing = fmax(0, result.x[1]);
    for (int k = 0; k < K; k++) out->lambda[k] = out->mu[k] = out->nu[k] = 0;
    for (int r = 0; r < m->rows; r++) {
        int c = m->condition[r];
        if (c < K)
            out->lambda[c] = fmax(0, -result.row_dual[r]);
        else if (c < 2 * K)
            out->mu[c - K] += fmax(0, result.row_dual[r]);
        else if (c >= first_mean(m))
            average_spread(m->averages, c - first_mean(m), K, fmax(0, result.row_dual[r]), out->mu);
        else if (c > 2 * K)
            out->nu[c - 2 * K - 1] = fmax(0, -result.row_dual[r]);
    }
    for (int i = 0; i < m->columns; i++) out->alpha[i] = fmax(0, result.x[2 + i]);
    return VOUCH_OK;
}
