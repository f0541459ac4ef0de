/* program/master.c - see master.h. Conditions 0..K-1 regret, K..2K-1 commitment, 2K convexity; 2K+1 .. 3K room, if given; promises
 * on average. Columns 0 z or e, 1 a, then the policies. With few environments each condition is a row; with many, few bind and a
 * dense basis of all costs K^3, so a condition becomes a row once an optimum violates it (row generation). */

#include "base/arena.h"
#include "base/check.h"
#include "base/memory.h"
#include "lp/follow.h"
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
    /* The initial rows: all or, with many environments, convexity and one regret, which bounds z. */
    m->rows = 0;
    for (int c = 0; c < m->conditions; c++) {
        m->present[c] = !many(m) || c == 0 || c == 2 * m->K;
        if (m->present[c]) m->condition[m->rows++] = c;
    }
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
    MEM_FREE_ALL(index, entry);
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

/* ---- box_master ----------------------------------------------------------------------------------------------------------------
 *
 * See box_master.h. Columns: z, s_1 .. s_K, then policies and pi in order of arrival. Columns pi(a|n), and
 * the row sum over a of pi = 1, are created with the first row at n. */

static const long long CONFIRMED_WORK = 0; /* no exact arithmetic: any multipliers give a valid bound */

typedef struct envelope { /* a row (0) .. (3) of y(a;k), a choice of node n */
    int choice, k, type, row;
} envelope;

typedef struct broken_envelope {
    double violation;
    envelope row;
} broken_envelope;

struct box_master {
    const know_graph *g;
    const promise_averages *averages;
    vouch_lp *lp; /* NULL until the first start */
    vouch_lp_options options;
    box_ranges in;
    double *y; /* [policies][choices * K] */
    size_t y_capacity;
    int policies;
    int *policy_column; /* [policies] */
    size_t policy_capacity;
    double *alpha; /* [weighed] of the last optimum */
    size_t alpha_capacity;
    int weighed;
    int *pi_column; /* [choices], -1 none */
    int *node_of;   /* [choices] */
    envelope *rows;
    int row_count;
    size_t row_capacity;
    unsigned char *have; /* [choices * K] bits of the types in the program */
    broken_envelope *found;
    size_t found_capacity;
    int *index; /* scratch of a row or column */
    double *value;
    size_t index_capacity, value_capacity;
};

vouch_status box_master_new(const know_graph *g, const promise_averages *averages, box_master **out)
{
    *out = NULL;
    box_master *m = MEM_ZERO(box_master, 1);
    if (!m) return VOUCH_ERROR_MEMORY;
    m->g = g;
    m->averages = averages;
    m->pi_column = MEM_NEW(int, g->choices);
    m->node_of = MEM_NEW(int, g->choices);
    m->have = MEM_NEW(unsigned char, (size_t)g->choices *(size_t)g->K);
    if (!m->pi_column || !m->node_of || !m->have) {
        box_master_free(m);
        return VOUCH_ERROR_MEMORY;
    }
    for (int n = 0; n < g->nodes; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) m->node_of[c] = n;
    vouch_lp_options_init(&m->options);
    m->options.presolve = 0;
    m->options.scale = 0;
    m->options.method = VOUCH_LP_PRIMAL;
    m->options.feasibility_tol = MASTER_TOLERANCE;
    m->options.optimality_tol = MASTER_TOLERANCE;
    *out = m;
    return VOUCH_OK;
}

void box_master_free(box_master *m)
{
    if (!m) return;
    vouch_lp_free(m->lp);
    MEM_FREE_ALL(m->y, m->policy_column, m->alpha, m->pi_column, m->node_of, m->rows, m->have, m->found, m->index, m->value, m);
}

/* Room for `count` entries in index and value. */
static int reserve(box_master *m, size_t count)
{
    while (m->index_capacity < count)
        if (MEM_RESERVE(&m->index, &m->index_capacity, m->index_capacity)) return -1;
    while (m->value_capacity < count)
        if (MEM_RESERVE(&m->value, &m->value_capacity, m->value_capacity)) return -1;
    return 0;
}

vouch_status box_master_start(box_master *m, const double p[], double lowest, double penalty, box_ranges in)
{
    int K = m->g->K;
    m->in = in;
    CHECK(penalty > 0 && !isnan(lowest));
    m->policies = m->weighed = m->row_count = 0;
    memset(m->have, 0, (size_t)m->g->choices * (size_t)K);
    for (int c = 0; c < m->g->choices; c++) m->pi_column[c] = -1;
    assembly a;
    int A = m->averages->count;
    assembly_init(&a, 2 * K + 1 + A);
    for (int k = 0; k < K; k++) {
        assembly_row(&a, k, 0, INFINITY);
        assembly_row(&a, K + k, p[k], INFINITY);
    }
    assembly_row(&a, 2 * K, 1, 1);
    for (int i = 0; i < A; i++) assembly_row(&a, 2 * K + 1 + i, p[K + i], INFINITY);
    assembly_column(&a, 1, lowest, INFINITY, false); /* z */
    for (int k = 0; k < K; k++) assembly_entry(&a, k, 1);
    for (int k = 0; k < K; k++) { /* s_k */
        assembly_column(&a, penalty, 0, INFINITY, false);
        assembly_entry(&a, K + k, 1);
    }
    for (int i = 0; i < A; i++) { /* likewise */
        assembly_column(&a, penalty, 0, INFINITY, false);
        assembly_entry(&a, 2 * K + 1 + i, 1);
    }
    vouch_lp_free(m->lp);
    vouch_status status = assembly_finish(&a, 0, &m->lp);
    if (!status) lp_limit_confirmation(m->lp, CONFIRMED_WORK);
    return status;
}

static double node_mass(const box_master *m, const double y[], int node, int k)
{
    double sum = 0;
    for (int c = m->g->choice_start[node]; c < m->g->choice_start[node + 1]; c++) sum += y[(size_t)c * (size_t)m->g->K + (size_t)k];
    return sum;
}

static double side(const box_master *m, const envelope *t)
{
    return t->type == 0 || t->type == 2 ? m->in.low[t->choice] : m->in.high[t->choice];
}

static double level(const box_master *m, const envelope *t)
{
    size_t at = (size_t)m->node_of[t->choice] * (size_t)m->g->K + (size_t)t->k;
    return t->type == 0 || t->type == 3 ? m->in.least[at] : m->in.most[at];
}

/* Value of a row at y: y(a;k) - side * y(n;k). */
static double envelope_entry(const box_master *m, const envelope *t, const double y[])
{
    return y[(size_t)t->choice * (size_t)m->g->K + (size_t)t->k] - side(m, t) * node_mass(m, y, m->node_of[t->choice], t->k);
}

vouch_status box_master_add(box_master *m, const double regret[], const double pr[], const double y[])
{
    size_t K = (size_t)m->g->K, size = (size_t)m->g->choices * K;
    while (m->y_capacity < ((size_t)m->policies + 1) * size)
        if (MEM_RESERVE(&m->y, &m->y_capacity, m->y_capacity)) return VOUCH_ERROR_MEMORY;
    size_t A = (size_t)m->averages->count;
    if (MEM_RESERVE(&m->policy_column, &m->policy_capacity, m->policies) ||
        MEM_RESERVE(&m->alpha, &m->alpha_capacity, m->policies) || reserve(m, 2 * K + 1 + A + (size_t)m->row_count))
        return VOUCH_ERROR_MEMORY;
    int count = 0;
    for (size_t k = 0; k < K; k++) {
        m->index[count] = (int)k;
        m->value[count++] = -regret[k];
    }
    for (size_t k = 0; k < K; k++) {
        m->index[count] = (int)(K + k);
        m->value[count++] = pr[k];
    }
    m->index[count] = (int)(2 * K);
    m->value[count++] = 1;
    for (size_t i = 0; i < A; i++) {
        m->index[count] = (int)(2 * K + 1 + i);
        m->value[count++] = average_mean(m->averages, (int)i, (int)K, pr);
    }
    for (int i = 0; i < m->row_count; i++) {
        double entry = envelope_entry(m, &m->rows[i], y);
        if (entry == 0) continue;
        m->index[count] = m->rows[i].row;
        m->value[count++] = entry;
    }
    int64_t start[2] = {0, count};
    double zero = 0, infinity = INFINITY;
    int column = vouch_lp_cols(m->lp);
    vouch_status status = vouch_lp_add_cols(m->lp, 1, start, m->index, m->value, &zero, &zero, &infinity);
    if (status) return status;
    memcpy(m->y + (size_t)m->policies * size, y, size * sizeof *y);
    m->policy_column[m->policies++] = column;
    return VOUCH_OK;
}

int box_master_columns(const box_master *m) { return m->policies; }

vouch_status box_master_solve(box_master *m, const deadline *limit, bool *ok, box_master_optimum *out)
{
    const know_graph *g = m->g;
    size_t K = (size_t)g->K, size = (size_t)g->choices * K;
    m->options.limits = deadline_time_left(limit);
    vouch_status status = vouch_lp_solve(m->lp, &m->options);
    if (status) return status;
    vouch_lp_result result;
    vouch_lp_get_result(m->lp, &result);
    *ok = result.outcome == VOUCH_LP_OPTIMAL;
    if (!*ok) return VOUCH_OK;
    out->value = result.objective;
    for (size_t k = 0; k < K; k++) {
        out->lambda[k] = fmax(0, result.row_dual[k]);
        out->mu[k] = fmax(0, result.row_dual[K + k]);
    }
    for (int i = 0; i < m->averages->count; i++)
        average_spread(m->averages, i, (int)K, fmax(0, result.row_dual[2 * K + 1 + (size_t)i]), out->mu);
    double *beta = out->beta, *y = out->y;
    memset(beta, 0, size * sizeof *beta);
    for (int i = 0; i < m->row_count; i++) {
        const envelope *t = &m->rows[i];
        double d = result.row_dual[t->row], s = side(m, t);
        int n = m->node_of[t->choice];
        if (d == 0) continue;
        beta[(size_t)t->choice * K + (size_t)t->k] -= d;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) beta[(size_t)c * K + (size_t)t->k] += d * s;
    }
    memset(y, 0, size * sizeof *y);
    m->weighed = m->policies;
    for (int i = 0; i < m->policies; i++) {
        double alpha = result.x[m->policy_column[i]];
        CHECK_COMPARE(m->policy_column[i], <, vouch_lp_cols(m->lp));
        m->alpha[i] = alpha;
        if (alpha <= 0) continue;
        for (size_t j = 0; j < size; j++) y[j] += alpha * m->y[(size_t)i * size + j];
    }
    return VOUCH_OK;
}

void box_master_spread(const box_master *m, const double prob[], double spread[])
{
    const know_graph *g = m->g;
    size_t K = (size_t)g->K, size = (size_t)g->choices * K;
    memset(spread, 0, size * sizeof *spread);
    for (int i = 0; i < m->weighed; i++) {
        double alpha = m->alpha[i];
        const double *y = m->y + (size_t)i * size;
        if (alpha <= 0) continue;
        for (int n = 0; n < g->time_start[g->T]; n++)
            for (size_t k = 0; k < K; k++) {
                double mass = node_mass(m, y, n, (int)k);
                if (mass <= 0) continue;
                for (size_t c = (size_t)g->choice_start[n]; c < (size_t)g->choice_start[n + 1]; c++)
                    spread[c * K + k] += alpha * fabs(y[c * K + k] - prob[c] * mass);
            }
    }
}

/* Adds columns pi(.|n) within the box and their row sum pi = 1. */
static vouch_status open_node(box_master *m, int node)
{
    const know_graph *g = m->g;
    int64_t start[2] = {0, 0};
    double one = 1, zero = 0;
    int row = vouch_lp_rows(m->lp);
    vouch_status status = vouch_lp_add_rows(m->lp, 1, start, NULL, NULL, &one, &one);
    start[1] = 1;
    for (int c = g->choice_start[node]; c < g->choice_start[node + 1] && !status; c++) {
        if (g->choice_twin[c] != c) continue;
        m->pi_column[c] = vouch_lp_cols(m->lp);
        status = vouch_lp_add_cols(m->lp, 1, start, &row, &one, &zero, &m->in.low[c], &m->in.high[c]);
    }
    return status;
}

static vouch_status add_envelope(box_master *m, envelope from)
{
    size_t size = (size_t)m->g->choices * (size_t)m->g->K;
    if (MEM_RESERVE(&m->rows, &m->row_capacity, m->row_count) || reserve(m, (size_t)m->policies + 1)) return VOUCH_ERROR_MEMORY;
    if (m->pi_column[from.choice] < 0) {
        vouch_status status = open_node(m, m->node_of[from.choice]);
        if (status) return status;
    }
    envelope *t = &m->rows[m->row_count];
    *t = from;
    t->row = vouch_lp_rows(m->lp);
    int count = 0;
    for (int i = 0; i < m->policies; i++) {
        double entry = envelope_entry(m, t, m->y + (size_t)i * size);
        if (entry == 0) continue;
        m->index[count] = m->policy_column[i];
        m->value[count++] = entry;
    }
    double slope = -level(m, t), right = -side(m, t) * level(m, t);
    if (slope != 0) {
        m->index[count] = m->pi_column[t->choice];
        m->value[count++] = slope;
    }
    CHECK(m->pi_column[t->choice] > 0 && t->row == vouch_lp_rows(m->lp));
    CHECK_COMPARE(level(m, t), >=, 0);
    int64_t start[2] = {0, count};
    double lower = t->type < 2 ? right : -INFINITY, upper = t->type < 2 ? INFINITY : right;
    vouch_status status = vouch_lp_add_rows(m->lp, 1, start, m->index, m->value, &lower, &upper);
    if (status) return status;
    m->have[(size_t)t->choice * (size_t)m->g->K + (size_t)t->k] |= (unsigned char)(1 << t->type);
    m->row_count++;
    return VOUCH_OK;
}

/* pi(a|n): the column if present, else the mean of the mixture over environments. */
static double guess_pi(const box_master *m, const double x[], const double y[], int choice)
{
    size_t K = (size_t)m->g->K;
    if (m->pi_column[choice] >= 0 && x) return x[m->pi_column[choice]];
    double here = 0, sum = 0;
    for (size_t k = 0; k < K; k++) {
        here += y[(size_t)choice * K + k];
        sum += node_mass(m, y, m->node_of[choice], (int)k);
    }
    return sum > 0 ? here / sum : m->in.low[choice];
}

vouch_status box_master_tighten(box_master *m, const double y[], double tolerance, int limit, int *added)
{
    const know_graph *g = m->g;
    vouch_lp_result result;
    vouch_lp_get_result(m->lp, &result);
    int count = 0;
    *added = 0;
    for (int c = 0; c < g->choices; c++) {
        int n = m->node_of[c];
        if (g->choice_twin[c] != c || m->in.low[c] >= m->in.high[c]) continue;
        double pi = guess_pi(m, result.x, y, c);
        for (int k = 0; k < g->K; k++)
            for (int type = 0; type < 4; type++) {
                envelope t = {c, k, type, -1};
                if (m->have[(size_t)c * (size_t)g->K + (size_t)k] >> type & 1) continue;
                if (m->in.most[(size_t)n * (size_t)g->K + (size_t)k] <= 0) continue;
                double broken = envelope_entry(m, &t, y) - level(m, &t) * pi + side(m, &t) * level(m, &t);
                if (type < 2) broken = -broken;
                if (!(broken > tolerance)) continue;
                if (MEM_RESERVE(&m->found, &m->found_capacity, count)) return VOUCH_ERROR_MEMORY;
                int at = count++; /* insertion, the worst first; ties keep their order */
                for (; at > 0 && m->found[at - 1].violation < broken; at--) m->found[at] = m->found[at - 1];
                m->found[at] = (broken_envelope){broken, t};
            }
    }
    for (int i = 0; i < count && i < limit; i++) {
        vouch_status status = add_envelope(m, m->found[i].row);
        if (status) return status;
        ++*added;
    }
    return VOUCH_OK;
}
