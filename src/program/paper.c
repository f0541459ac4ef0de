/* program/paper.c - MILP-CCL exactly as the paper prints it.
 *
 * Before L: y(b,a;k) for reachable knowledge states b and k consistent with b. From L on: x(b_L,t,s,a;k) for every state s,
 * every t = L..T-1 and k consistent with b_L, whether reachable or not (unreachable flow is zero by conservation).
 *
 *   min z,   z >= U*_c(k) - U(k),   sum over b_L of the flow into Phi at T >= p   every k, or their mean
 *   out-flow = in-flow at each b, and at each (b_L,t,s), in each k; x(b_L,L,s_L) is fed by y_{b_L}(k)
 *   sum_a Delta <= 1,  y <= Delta,  x <= Delta                                                   one row a column
 * Source: Zhang, Singh, Durfee, ICAPS 2017 (MILP-CCL).
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "program/program.h"

typedef struct paper_layout {
    const know_graph *g;
    const vouch_model *m;
    int K, L, T;
    int before;            /* nodes before L */
    int boundaries, first; /* nodes at time L: first .. first + boundaries - 1 */
    int *rank_start;       /* [nodes up to L, + 1] environments of all nodes before this one */
    int flow_after;        /* first flow row of (b_L,t,s) */
    int regret, keep;
    int one_before, one_after;
    int link; /* first link row; link rows follow the occupancy columns in order */
    int rows, occupancies;
    const promise_averages *averages;
} paper_layout;

static int set_size(const paper_layout *l, int node) { return know_set_size(l->g, l->g->set[node]); }

/* Flow row of knowledge state `node` (before L) in environment k. */
static int row_before(const paper_layout *l, int node, int k) { return l->rank_start[node] + know_rank(l->g, l->g->set[node], k); }

/* Flow row of (b_L, t, s) in environment k, t = L .. T-1. */
static int row_after(const paper_layout *l, int boundary, int t, int s, int k)
{
    int per_time = l->m->S * set_size(l, boundary);
    int before = l->rank_start[boundary] - l->rank_start[l->first]; /* environments of earlier boundaries */
    return l->flow_after + before * l->m->S * (l->T - l->L) + (t - l->L) * per_time + s * set_size(l, boundary) +
           know_rank(l->g, l->g->set[boundary], k);
}

static vouch_status lay_out(paper_layout *l)
{
    const know_graph *g = l->g;
    l->first = l->before = g->time_start[l->L];
    l->boundaries = g->time_start[l->L + 1] - l->first;
    l->rank_start = MEM_NEW(int, l->first + l->boundaries + 1);
    if (!l->rank_start) return VOUCH_ERROR_MEMORY;
    long long rows = 0, pairs_before = 0, after = 0, one = 0;
    for (int n = 0; n <= l->first + l->boundaries; n++) {
        l->rank_start[n] = (int)rows;
        if (n == l->first + l->boundaries) break;
        rows += set_size(l, n);
        if (n < l->before) {
            pairs_before += (long long)set_size(l, n) * (g->choice_start[n + 1] - g->choice_start[n]);
            one++;
        } else
            after += set_size(l, n);
    }
    int span = l->T - l->L;
    l->flow_after = l->rank_start[l->first];
    long long total = l->flow_after + after * l->m->S * span;
    l->regret = (int)total;
    l->keep = l->regret + l->K;
    l->one_before = l->keep + l->K + l->averages->count;
    l->one_after = l->one_before + (int)one;
    long long link = l->one_after + (long long)l->boundaries * span * l->m->S;
    long long occupancies = pairs_before + after * span * l->m->pairs;
    if (link + occupancies > 500000000) return VOUCH_ERROR_SIZE;
    l->link = (int)link;
    l->occupancies = (int)occupancies;
    l->rows = l->link + l->occupancies;
    return VOUCH_OK;
}

typedef struct writer {
    program *p;
    const paper_layout *l;
    assembly a;
    int link; /* of the next occupancy column */
} writer;

static void occupancy_column(writer *w, column_meaning m)
{
    int j = assembly_column(&w->a, 0, 0, INFINITY, false);
    m.kind = COLUMN_OCCUPANCY;
    w->p->column[j] = m;
    row_meaning link = {ROW_LINK, m.node, -1, m.time, m.state, m.action, m.env};
    program_row(w->p, &w->a, w->link, link, -INFINITY, 0);
}

/* y(b,a;k) for all b before L. */
static void columns_before(writer *w)
{
    const paper_layout *l = w->l;
    const know_graph *g = l->g;
    for (int n = 0; n < l->before; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
                int k = g->member[i], q = g->choice_pair[c];
                double keep = 0;
                occupancy_column(w, (column_meaning){COLUMN_OCCUPANCY, n, -1, -1, -1, l->m->pair_action[q], k});
                assembly_entry(&w->a, row_before(l, n, k), 1);
                for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++) {
                    int child = g->edge_child[e];
                    double prob = g->successor_prob[(size_t)g->edge_row[e] * (size_t)l->K + (size_t)k];
                    if (prob <= 0 || !know_in_set(g, g->set[child], k)) continue;
                    if (child < l->before)
                        assembly_entry(&w->a, row_before(l, child, k), -prob);
                    else if (l->L < l->T)
                        assembly_entry(&w->a, row_after(l, child, l->L, g->state[child], k), -prob);
                    else
                        keep += prob * know_terminal(g, child, k);
                }
                assembly_entry(&w->a, l->regret + k, g->reward[(size_t)q * (size_t)l->K + (size_t)k]);
                program_promise_entries(&w->a, l->keep, l->K, l->averages, k, keep);
                assembly_entry(&w->a, w->link++, 1);
            }
}

/* x(b_L,t,s,a;k) for all t >= L. */
static void columns_after(writer *w)
{
    const paper_layout *l = w->l;
    const know_graph *g = l->g;
    const vouch_model *m = l->m;
    for (int b = l->first; b < l->first + l->boundaries; b++)
        for (int t = l->L; t < l->T; t++)
            for (int s = 0; s < m->S; s++)
                for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++)
                    for (int i = g->member_start[g->set[b]]; i < g->member_start[g->set[b] + 1]; i++) {
                        int k = g->member[i];
                        const mdp *e = &m->env[k];
                        double keep = 0;
                        occupancy_column(w, (column_meaning){COLUMN_OCCUPANCY, b - l->first, -1, t, s, m->pair_action[q], k});
                        assembly_entry(&w->a, row_after(l, b, t, s, k), 1);
                        for (int o = e->start[q]; o < e->start[q + 1]; o++) {
                            if (t + 1 < l->T)
                                assembly_entry(&w->a, row_after(l, b, t + 1, e->next[o], k), -e->prob[o]);
                            else
                                keep += e->prob[o] * e->terminal[e->next[o]];
                        }
                        assembly_entry(&w->a, l->regret + k, e->expected[q]);
                        program_promise_entries(&w->a, l->keep, l->K, l->averages, k, keep);
                        assembly_entry(&w->a, w->link++, 1);
                    }
}

/* Delta: the link rows of one indicator are `size` consecutive ones, because environments vary fastest. */
static void indicator_column(writer *w, int one, int size, column_meaning m)
{
    int j = assembly_column(&w->a, 0, 0, 1, true);
    m.kind = COLUMN_INDICATOR;
    m.env = -1;
    w->p->column[j] = m;
    assembly_entry(&w->a, one, 1);
    for (int i = 0; i < size; i++) assembly_entry(&w->a, w->link++, -1);
}

static void indicators(writer *w)
{
    const paper_layout *l = w->l;
    const know_graph *g = l->g;
    const vouch_model *m = l->m;
    w->link = l->link;
    for (int n = 0; n < l->before; n++) {
        program_row(w->p, &w->a, l->one_before + n, (row_meaning){ROW_ONE_CHOICE, n, -1, -1, -1, -1, -1}, -INFINITY, 1);
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            w->p->indicator_column[c] = w->a.cols;
            indicator_column(w, l->one_before + n, set_size(l, n),
                             (column_meaning){COLUMN_INDICATOR, n, -1, -1, -1, m->pair_action[g->choice_pair[c]], -1});
        }
    }
    for (int b = 0; b < l->boundaries; b++)
        for (int t = l->L; t < l->T; t++)
            for (int s = 0; s < m->S; s++) {
                int one = l->one_after + (b * (l->T - l->L) + (t - l->L)) * m->S + s;
                program_row(w->p, &w->a, one, (row_meaning){ROW_ONE_CHOICE, b, -1, t, s, -1, -1}, -INFINITY, 1);
                for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++)
                    indicator_column(w, one, set_size(l, l->first + b),
                                     (column_meaning){COLUMN_INDICATOR, b, -1, t, s, m->pair_action[q], -1});
            }
}

static void fixed_rows(writer *w, const program_aim *aim)
{
    const paper_layout *l = w->l;
    const know_graph *g = l->g;
    for (int n = 0; n < l->first + l->boundaries; n++)
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
            int k = g->member[i];
            if (n < l->before) {
                int row = row_before(l, n, k);
                program_row(w->p, &w->a, row, (row_meaning){ROW_FLOW, n, -1, -1, -1, -1, k}, n == 0, n == 0);
                continue;
            }
            for (int t = l->L; t < l->T; t++)
                for (int s = 0; s < l->m->S; s++) {
                    int row = row_after(l, n, t, s, k);
                    double in = l->L == 0 && t == 0 && s == l->m->s0;
                    program_row(w->p, &w->a, row, (row_meaning){ROW_FLOW, n - l->first, -1, t, s, -1, k}, in, in);
                }
        }
    for (int k = 0; k < l->K; k++)
        program_row(w->p, &w->a, l->regret + k, (row_meaning){ROW_REGRET, -1, -1, -1, -1, -1, k}, aim->optimal[k], INFINITY);
    program_promise_rows(w->p, &w->a, l->keep, l->K, aim);
}

vouch_status program_paper(const know_graph *g, const program_aim *aim, program **out)
{
    *out = NULL;
    paper_layout l = {.g = g, .m = g->m, .K = g->K, .L = g->L, .T = g->T, .averages = aim->averages};
    program *p = MEM_ZERO(program, 1);
    vouch_status status = p ? lay_out(&l) : VOUCH_ERROR_MEMORY;
    if (!status) {
        p->kind = PROGRAM_PAPER;
        p->g = g;
        size_t indicator_count = (size_t)(l.boundaries * (l.T - l.L)) * (size_t)g->m->pairs + (size_t)g->choice_start[l.before];
        p->row = MEM_NEW(row_meaning, l.rows);
        p->column = MEM_NEW(column_meaning, 1 + (size_t)l.occupancies + indicator_count);
        p->indicator_column = MEM_NEW(int, g->choices);
        if (!p->row || !p->column || !p->indicator_column) status = VOUCH_ERROR_MEMORY;
    }
    if (!status) {
        writer w = {.p = p, .l = &l, .link = l.link};
        for (int c = 0; c < g->choices; c++) p->indicator_column[c] = -1;
        assembly_init(&w.a, l.rows);
        fixed_rows(&w, aim);
        assembly_column(&w.a, 1, -INFINITY, INFINITY, false);
        p->column[0] = (column_meaning){COLUMN_REGRET, -1, -1, -1, -1, -1, -1};
        for (int k = 0; k < l.K; k++) assembly_entry(&w.a, l.regret + k, 1);
        columns_before(&w);
        columns_after(&w);
        indicators(&w);
        status = assembly_finish(&w.a, 0, &p->lp);
    }
    mem_free(l.rank_start);
    if (status)
        program_free(p);
    else
        *out = p;
    return status;
}
