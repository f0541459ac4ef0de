/* program/bilinear_form.c - exact CCL as a program with products, for other solvers.
 *
 *   min z
 *   sum_a y(n,a;k) - sum over edges into n of P(s'|s,a';k) y(m,a';k) = [n is the root]      every node n before T, k in its set
 *   z + sum R(s,a;k) y(n,a;k) >= U*_c(k),   sum into Phi at T of P y(n,a;k) >= p(k)          every k
 *   y(n,a;k) = pi(n,a) * sum_a' y(n,a';k),  sum_a pi(n,a) = 1           nodes with several environments and several choices
 *
 * Source: Zhang, Singh, Durfee 2017, the consistency constraint of exact CCL, with pi as a variable.
 */
#include <math.h>

#include "base/memory.h"
#include "program/program.h"

typedef struct bilinear_layout {
    const know_graph *g;
    int *flow;   /* [nodes] row of its first environment, members ascending; -1 at T */
    int *one;    /* [nodes] row of sum pi = 1, -1: not tied */
    int *tie;    /* [choices] row of the first environment of a tied choice, -1 */
    int *column; /* [choices] column y of the first environment, -1: a twin */
    int regret, keep, rows;
    int products;
    const promise_averages *averages;
} bilinear_layout;

static vouch_status lay_out(bilinear_layout *l)
{
    const know_graph *g = l->g;
    l->flow = MEM_NEW(int, g->nodes);
    l->one = MEM_NEW(int, g->nodes);
    l->tie = MEM_NEW(int, g->choices);
    l->column = MEM_NEW(int, g->choices);
    if (!l->flow || !l->one || !l->tie || !l->column) return VOUCH_ERROR_MEMORY;
    int column = 1; /* z comes first */
    for (int n = 0; n < g->nodes; n++) {
        bool before = n < g->time_start[g->T];
        l->flow[n] = before ? l->rows : -1;
        if (before) l->rows += know_set_size(g, g->set[n]);
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            l->column[c] = g->choice_twin[c] == c ? column : -1;
            if (l->column[c] >= 0) column += know_set_size(g, g->set[n]);
        }
    }
    l->regret = l->rows;
    l->keep = l->regret + g->K;
    l->rows = l->keep + g->K + l->averages->count;
    for (int n = 0; n < g->nodes; n++) {
        int size = know_set_size(g, g->set[n]), real = know_real_choices(g, n);
        bool tied = size > 1 && real > 1;
        l->one[n] = tied ? l->rows++ : -1;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            bool here = tied && g->choice_twin[c] == c;
            l->tie[c] = here ? l->rows : -1;
            if (here) {
                l->rows += size;
                l->products += size * real;
            }
        }
    }
    return VOUCH_OK;
}

static void occupancy(const bilinear_layout *l, program *p, assembly *a, int n, int c, int i)
{
    const know_graph *g = l->g;
    size_t K = (size_t)g->K;
    int k = g->member[g->member_start[g->set[n]] + i], q = g->choice_pair[c];
    double keep = 0;
    p->column[assembly_column(a, 0, 0, INFINITY, false)] =
        (column_meaning){COLUMN_OCCUPANCY, n, -1, -1, -1, g->m->pair_action[q], k};
    assembly_entry(a, l->flow[n] + i, 1);
    for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++) {
        int child = g->edge_child[e];
        double prob = g->successor_prob[(size_t)g->edge_row[e] * K + (size_t)k];
        if (prob <= 0 || !know_in_set(g, g->set[child], k)) continue;
        if (l->flow[child] >= 0)
            assembly_entry(a, l->flow[child] + know_rank(g, g->set[child], k), -prob);
        else
            keep += prob * know_terminal(g, child, k);
    }
    assembly_entry(a, l->regret + k, g->reward[(size_t)q * K + (size_t)k]);
    program_promise_entries(a, l->keep, g->K, l->averages, k, keep);
    if (l->tie[c] >= 0) assembly_entry(a, l->tie[c] + i, 1);
}

static void name_rows(const bilinear_layout *l, program *p, assembly *a, const program_aim *aim)
{
    const know_graph *g = l->g;
    for (int n = 0; n < g->nodes; n++) {
        int size = know_set_size(g, g->set[n]);
        for (int i = 0; i < size; i++) {
            int k = g->member[g->member_start[g->set[n]] + i];
            if (l->flow[n] >= 0) program_row(p, a, l->flow[n] + i, (row_meaning){ROW_FLOW, n, -1, -1, -1, -1, k}, n == 0, n == 0);
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
                if (l->tie[c] < 0) continue;
                program_row(p, a, l->tie[c] + i, (row_meaning){ROW_TIE, n, -1, -1, -1, g->m->pair_action[g->choice_pair[c]], k}, 0,
                            0);
            }
        }
        if (l->one[n] >= 0) program_row(p, a, l->one[n], (row_meaning){ROW_ONE_CHOICE, n, -1, -1, -1, -1, -1}, 1, 1);
    }
    for (int k = 0; k < g->K; k++)
        program_row(p, a, l->regret + k, (row_meaning){ROW_REGRET, -1, -1, -1, -1, -1, k}, aim->optimal[k], INFINITY);
    program_promise_rows(p, a, l->keep, g->K, aim);
}

/* Columns pi and the products of their rows. */
static void tie(const bilinear_layout *l, program *p, assembly *a)
{
    const know_graph *g = l->g;
    for (int n = 0; n < g->nodes; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            if (l->tie[c] < 0) continue;
            int pi = assembly_column(a, 0, 0, 1, false);
            p->column[pi] = (column_meaning){COLUMN_CHANCE, n, -1, -1, -1, g->m->pair_action[g->choice_pair[c]], -1};
            assembly_entry(a, l->one[n], 1);
            for (int i = 0; i < know_set_size(g, g->set[n]); i++)
                for (int d = g->choice_start[n]; d < g->choice_start[n + 1]; d++)
                    if (g->choice_twin[d] == d)
                        p->product[p->products++] = (vouch_lp_product){l->tie[c] + i, pi, l->column[d] + i, -1};
        }
}

vouch_status program_bilinear(const know_graph *g, const program_aim *aim, program **out)
{
    *out = NULL;
    bilinear_layout l = {.g = g, .averages = aim->averages};
    program *p = MEM_ZERO(program, 1);
    vouch_status status = p ? lay_out(&l) : VOUCH_ERROR_MEMORY;
    if (!status) {
        size_t most = 1 + (size_t)g->choices * ((size_t)g->K + 1);
        p->kind = PROGRAM_BILINEAR;
        p->g = g;
        p->row = MEM_NEW(row_meaning, l.rows);
        p->column = MEM_NEW(column_meaning, most);
        p->product = MEM_NEW(vouch_lp_product, l.products);
        if (!p->row || !p->column || !p->product) status = VOUCH_ERROR_MEMORY;
    }
    if (!status) {
        assembly a;
        assembly_init(&a, l.rows);
        name_rows(&l, p, &a, aim);
        p->column[assembly_column(&a, 1, 0, INFINITY, false)] = (column_meaning){COLUMN_REGRET, -1, -1, -1, -1, -1, -1};
        for (int k = 0; k < g->K; k++) assembly_entry(&a, l.regret + k, 1);
        for (int n = 0; n < g->time_start[g->T]; n++)
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
                for (int i = 0; i < know_set_size(g, g->set[n]) && l.column[c] >= 0; i++) occupancy(&l, p, &a, n, c, i);
        tie(&l, p, &a);
        status = assembly_finish(&a, 0, &p->lp);
    }
    MEM_FREE_ALL(l.flow, l.one, l.tie, l.column);
    if (status)
        program_free(p);
    else
        *out = p;
    return status;
}
