/* program/box_master.c - see box_master.h. Columns: z, s_1 .. s_K, then policies and pi in order of arrival. Columns pi(a|n), and
 * the row sum over a of pi = 1, are created with the first row at n.
 */
#include "program/box_master.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "lp/follow.h"
#include "program/program.h"

static const double MASTER_TOLERANCE = 1e-10; /* well below the gap */
static const long long CONFIRMED_WORK = 0;    /* no exact arithmetic: any multipliers give a valid bound */

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
