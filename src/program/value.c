/* program/value.c - converts programs of regrets (with all U*_c(k) = 0) to programs of values, for other solvers.
 *
 *   weighted    min - sum over k of w_k U(k)                      regret rows and z are removed, U(k) = sum R y is in the costs
 *   max-min     min - z,   z <= U(k)  every k
 *
 * Source: Steimle, Kaufman, Denton 2021 (the multi-model MDP as an integer program). Cost: linear in the entries.
 */
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "program/program.h"

/* Renumbers after the removal of column 0 and of `rows` rows from `first` on. */
static void close_ranks(program *p, int first, int rows)
{
    int cols = vouch_lp_cols(p->lp), left = vouch_lp_rows(p->lp);
    for (int j = 0; j < cols; j++) p->column[j] = p->column[j + 1];
    for (int i = first; i < left; i++) p->row[i] = p->row[i + rows];
    for (int i = 0; i < p->products; i++) {
        vouch_lp_product *x = &p->product[i];
        CHECK(x->row < first || x->row >= first + rows);
        if (x->row >= first) x->row -= rows;
        x->first--;
        x->second--;
    }
    for (int s = 0; p->slot_column && s < p->c->slots; s++) p->slot_column[s]--;
    for (int c = 0; p->indicator_column && c < p->g->choices; c++)
        if (p->indicator_column[c] >= 0) p->indicator_column[c]--;
}

/* -sum over k of weight U(k) as costs. */
static vouch_status weigh(program *p, const double weight[])
{
    vouch_status status = VOUCH_OK;
    vouch_lp_data d;
    for (int j = 0; j < vouch_lp_cols(p->lp) && !status; j++) {
        double cost = 0;
        vouch_lp_view(p->lp, &d);
        for (int64_t e = d.start[j]; e < d.start[j + 1]; e++)
            if (p->row[d.index[e]].kind == ROW_REGRET) cost -= weight[p->row[d.index[e]].env] * d.value[e];
        if (cost != 0) status = vouch_lp_set_cost(p->lp, j, cost);
    }
    return status;
}

vouch_status program_value(program *p, const double weight[])
{
    int K = p->g->K, first = 0, z = 0;
    int64_t start[2] = {0, K};
    int *row = MEM_NEW(int, K);
    double *entry = MEM_NEW(double, K), cost = -1, lower = -INFINITY, upper = INFINITY;
    vouch_status status = row && entry ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    CHECK(p->column[0].kind == COLUMN_REGRET);
    while (p->row[first].kind != ROW_REGRET) first++;
    for (int k = 0; k < K && !status; k++) {
        CHECK(p->row[first + k].kind == ROW_REGRET && p->row[first + k].env == k);
        row[k] = first + k;
        entry[k] = -1;
    }
    column_meaning meaning = p->column[0];
    if (!status && weight) status = weigh(p, weight);
    if (!status) status = vouch_lp_delete_cols(p->lp, 1, &z);
    if (!status && weight) status = vouch_lp_delete_rows(p->lp, K, row);
    if (!status) close_ranks(p, first, weight ? K : 0);
    if (!status && !weight) {
        status = vouch_lp_add_cols(p->lp, 1, start, row, entry, &cost, &lower, &upper);
        meaning.kind = COLUMN_VALUE;
        p->column[vouch_lp_cols(p->lp) - 1] = meaning;
        for (int k = 0; k < K; k++) p->row[first + k].kind = ROW_VALUE;
    }
    mem_free(row);
    mem_free(entry);
    return status;
}
