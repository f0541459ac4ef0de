/* program/master.c - see master.h. Rows 0..K-1 regret, K..2K-1 commitment, 2K convexity; 2K+1 .. 3K room, if there
 * are any; columns 0 z or e, 1 a, then the policies. */
#include "program/master.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "program/assembly.h"

/* Feasibility and optimality: well below the tolerance with which a policy is held to its commitment, since the mixture of
 * history-optimal policies is played as it comes out here. What is played is judged by propagation, not by this. */
static const double MASTER_TOLERANCE = 1e-10;
static const double EXCESS_PRICE = 1e4; /* per unit of regret above the cap, in units of total regret */

struct master {
    int K, columns;
    const double *share; /* [K] of the mean that is the only regret, or NULL */
    double missing;      /* a, after the last solve of phase one */
    int rows;            /* 2K + 1, or 3K + 1 */
    master_goal goal;
    bool feasible; /* the objective now in the program is that of phase two */
    vouch_lp *lp;  /* NULL until the first reset */
    vouch_lp_options options;
    double *value; /* [3K + 1] entries of a column */
    int *index;    /* [3K + 1] 0 .. 3K */
    double *total; /* [columns] cost of a column in phase two */
    size_t total_capacity;
};

vouch_status master_new(int K, const double share[], master **out)
{
    *out = NULL;
    master *m = MEM_ZERO(master, 1);
    if (!m) return VOUCH_ERROR_MEMORY;
    m->K = K;
    m->share = share;
    m->value = MEM_NEW(double, 3 * K + 1);
    m->index = MEM_NEW(int, 3 * K + 1);
    if (!m->value || !m->index) {
        master_free(m);
        return VOUCH_ERROR_MEMORY;
    }
    for (int i = 0; i <= 3 * K; i++) m->index[i] = i;
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
    mem_free(m->value);
    mem_free(m->index);
    mem_free(m->total);
    mem_free(m);
}

vouch_status master_reset(master *m, master_goal goal, const double p[], double lowest, double cap, const double room[])
{
    m->missing = 0;
    CHECK(goal == MASTER_MAX_REGRET || (!isnan(cap) && !m->share));
    int K = m->K, rows = room ? 3 * K + 1 : 2 * K + 1;
    m->goal = goal;
    m->columns = 0;
    m->rows = rows;
    m->feasible = false;
    assembly a;
    assembly_init(&a, rows);
    for (int k = 0; k < K; k++) {
        assembly_row(&a, k, -INFINITY, m->share && k > 0 ? INFINITY : goal == MASTER_TOTAL_REGRET ? cap : 0);
        assembly_row(&a, K + k, p[k], INFINITY);
        if (room) assembly_row(&a, 2 * K + 1 + k, -INFINITY, room[k]);
    }
    assembly_row(&a, 2 * K, 1, 1);
    assembly_column(&a, 0, goal == MASTER_MAX_REGRET ? lowest : 0, INFINITY, false); /* z or e, in the regret rows */
    for (int k = 0; k < K; k++) assembly_entry(&a, k, -1);
    assembly_column(&a, 1, 0, INFINITY, false); /* a, in the commitment rows and those of room */
    for (int k = 0; k < K; k++) assembly_entry(&a, K + k, 1);
    for (int k = 0; k < K && room; k++) assembly_entry(&a, 2 * K + 1 + k, -1);
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
        m->value[2 * K + 1 + k] = regret[k]; /* used when there are rows of room */
        if (m->goal == MASTER_TOTAL_REGRET) total += regret[k];
    }
    m->value[2 * K] = 1;
    if (MEM_RESERVE(&m->total, &m->total_capacity, m->columns)) return VOUCH_ERROR_MEMORY;
    m->total[m->columns] = total;
    int64_t start[2] = {0, m->rows};
    vouch_status status = vouch_lp_add_cols(m->lp, 1, start, m->index, m->value, m->feasible ? &total : &zero, &zero, &infinity);
    if (!status) m->columns++;
    return status;
}

vouch_status master_aim(master *m, const double p[])
{
    vouch_status status = m->goal == MASTER_MAX_REGRET ? vouch_lp_set_col_bounds(m->lp, 0, -INFINITY, INFINITY) : VOUCH_OK;
    for (int k = 0; k < m->K && !status; k++) status = vouch_lp_set_row_bounds(m->lp, m->K + k, p[k], INFINITY);
    return status;
}

int master_columns(const master *m) { return m->columns; }

bool master_feasible(const master *m) { return m->feasible; }

double master_excess_price(const master *m) { return m->goal == MASTER_TOTAL_REGRET ? EXCESS_PRICE : 1; }

static vouch_status enter_phase_two(master *m)
{
    vouch_status status = vouch_lp_set_cost(m->lp, 0, master_excess_price(m));
    if (!status) status = vouch_lp_set_cost(m->lp, 1, MASTER_SLACK_PRICE);
    if (!status) status = vouch_lp_set_col_bounds(m->lp, 1, 0, 2 * m->missing);
    for (int i = 0; i < m->columns && !status; i++) status = vouch_lp_set_cost(m->lp, 2 + i, m->total[i]);
    m->feasible = true;
    return status;
}

vouch_status master_solve(master *m, bool feasible, const deadline *limit, bool *ok, master_optimum *out)
{
    int K = m->K;
    CHECK(m->columns > 0 && (feasible || !m->feasible)); /* phase one does not come back */
    vouch_status status = VOUCH_OK;
    if (feasible && !m->feasible) status = enter_phase_two(m);
    m->options.limits = deadline_time_left(limit);
    if (!status) status = vouch_lp_solve(m->lp, &m->options);
    if (status) return status;
    vouch_lp_result result;
    vouch_lp_get_result(m->lp, &result);
    *ok = result.outcome == VOUCH_LP_OPTIMAL;
    if (!*ok) return VOUCH_OK;
    out->value = result.objective;
    if (!m->feasible) m->missing = fmax(0, result.x[1]);
    for (int k = 0; k < K; k++) {
        out->lambda[k] = fmax(0, -result.row_dual[k]);
        out->mu[k] = fmax(0, result.row_dual[K + k]);
        out->nu[k] = m->rows > 2 * K + 1 ? fmax(0, -result.row_dual[2 * K + 1 + k]) : 0;
    }
    for (int i = 0; i < m->columns; i++) out->alpha[i] = fmax(0, result.x[2 + i]);
    return VOUCH_OK;
}
