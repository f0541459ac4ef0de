/* program/bilinear.c - exact CCL as the problem of nlp/minimax.h: variables, values and derivatives of action probabilities.
 *
 *     f_k = U*_c(k) - U(k; pi),   g_k = Pr(k; pi),   df_k/dpi(a|n) = -Pr(n|k) Q(n,a;k),   dg_k/dpi(a|n) = Pr(n|k) Pr(kept | n,a;k)
 *
 * by one forward and one backward pass (the policy gradient of R. S. Sutton and others, NIPS 12 (1999), here exact). The gradient
 * belongs to the last evaluated point. Cost: edges times environments. */
#include "program/bilinear.h"

#include "base/memory.h"
#include "program/program.h"

/* ---- exact CCL as a program with products, for other solvers --------------------------------------------------------------------
 *
 *   min z
 *   sum_a y(n,a;k) - sum over edges into n of P(s'|s,a';k) y(m,a';k) = [n is the root]      every node n before T, k in its set
 *   z + sum R(s,a;k) y(n,a;k) >= U*_c(k),   sum into Phi at T of P y(n,a;k) >= p(k)          every k
 *   y(n,a;k) = pi(n,a) * sum_a' y(n,a';k),  sum_a pi(n,a) = 1           nodes with several environments and several choices
 *
 * Source: Zhang, Singh, Durfee 2017, the consistency constraint of exact CCL, with pi as a variable. */

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
    p->column[assembly_column(a, 0, 0, INFINITY, false)] = (meaning){COLUMN_OCCUPANCY, n, -1, -1, -1, g->m->pair_action[q], k};
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
            if (l->flow[n] >= 0) program_row(p, a, l->flow[n] + i, (meaning){ROW_FLOW, n, -1, -1, -1, -1, k}, n == 0, n == 0);
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
                if (l->tie[c] < 0) continue;
                program_row(p, a, l->tie[c] + i, (meaning){ROW_TIE, n, -1, -1, -1, g->m->pair_action[g->choice_pair[c]], k}, 0, 0);
            }
        }
        if (l->one[n] >= 0) program_row(p, a, l->one[n], (meaning){ROW_ONE_CHOICE, n, -1, -1, -1, -1, -1}, 1, 1);
    }
    for (int k = 0; k < g->K; k++)
        program_row(p, a, l->regret + k, (meaning){ROW_REGRET, -1, -1, -1, -1, -1, k}, aim->optimal[k], INFINITY);
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
            p->column[pi] = (meaning){COLUMN_CHANCE, n, -1, -1, -1, g->m->pair_action[g->choice_pair[c]], -1};
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
        p->row = MEM_NEW(meaning, l.rows);
        p->column = MEM_NEW(meaning, most);
        p->product = MEM_NEW(vouch_lp_product, l.products);
        if (!p->row || !p->column || !p->product) status = VOUCH_ERROR_MEMORY;
    }
    if (!status) {
        assembly a;
        assembly_init(&a, l.rows);
        name_rows(&l, p, &a, aim);
        p->column[assembly_column(&a, 1, 0, INFINITY, false)] = (meaning){COLUMN_REGRET, -1, -1, -1, -1, -1, -1};
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

/* ---- exact CCL as the problem of nlp/minimax.h ------------------------------------------------------------------------------ */

static void evaluate(void *context, const double x[], double f[], double g[])
{
    bilinear *b = context;
    bilinear_unpack(b, x, b->prob);
    propagate_forward(b->g, b->prob, b->reach, f, g);
    double mean = 0;
    for (int k = 0; k < b->g->K; k++) {
        f[k] = b->optimal[k] - f[k];
        if (b->share) mean += b->share[k] * f[k];
    }
    for (int k = 0; k < b->g->K && b->share; k++) f[k] = mean;
    for (int a = 0; a < b->averages->count; a++) {
        f[b->g->K + a] = f[0];
        g[b->g->K + a] = average_mean(b->averages, a, b->g->K, g);
    }
}

static void gradient(void *context, double df[], double dg[])
{
    bilinear *b = context;
    const know_graph *g = b->g;
    size_t K = (size_t)g->K, F = (size_t)b->problem.K;
    propagate_backward(g, b->prob, b->gain, b->keep);
    for (int i = 0; i < b->problem.blocks; i++) {
        int n = b->node[i];
        for (int j = b->block_start[i]; j < b->block_start[i + 1]; j++) {
            double mean = 0;
            for (size_t k = 0; k < K; k++) {
                double here = b->reach[(size_t)n * K + k];
                choice_worth w = {0, 0};
                if (here > 0) w = propagate_choice(g, b->choice[j], (int)k, b->gain, b->keep);
                df[(size_t)j * F + k] = -here * w.u;
                dg[(size_t)j * F + k] = here * w.pr;
                if (b->share) mean -= b->share[k] * here * w.u;
            }
            for (size_t k = 0; k < K && b->share; k++) df[(size_t)j * F + k] = mean;
            for (size_t a = 0; a < F - K; a++) {
                df[(size_t)j * F + K + a] = df[(size_t)j * F];
                dg[(size_t)j * F + K + a] = average_mean(b->averages, (int)a, g->K, dg + (size_t)j * F);
            }
        }
    }
}

vouch_status bilinear_new(const know_graph *g, const bilinear_aim *aim, bilinear **out)
{
    *out = NULL;
    arena a = {0};
    bilinear *b = ARENA_ZERO(&a, bilinear, 1);
    size_t table = (size_t)g->nodes * (size_t)g->K;
    if (!b) return VOUCH_ERROR_MEMORY;
    b->g = g;
    b->optimal = aim->optimal;
    b->share = aim->share;
    b->averages = aim->averages;
    b->choice = ARENA_NEW(&a, int, g->choices);
    b->node = ARENA_NEW(&a, int, g->nodes);
    b->block_start = ARENA_NEW(&a, int, g->nodes + 1);
    b->group_start = ARENA_NEW(&a, int, g->T + 1);
    b->prob = ARENA_NEW(&a, double, g->choices);
    b->reach = ARENA_NEW(&a, double, table);
    b->gain = ARENA_NEW(&a, double, table);
    b->keep = ARENA_NEW(&a, double, table);
    b->memory = a;
    if (a.failed) {
        bilinear_free(b);
        return VOUCH_ERROR_MEMORY;
    }
    int n = 0, blocks = 0;
    for (int t = 0; t < g->T; t++) {
        b->group_start[t] = blocks;
        for (int node = g->time_start[t]; node < g->time_start[t + 1]; node++) {
            if (know_real_choices(g, node) < 2) continue;
            b->node[blocks] = node;
            b->block_start[blocks++] = n;
            for (int c = g->choice_start[node]; c < g->choice_start[node + 1]; c++)
                if (g->choice_twin[c] == c) b->choice[n++] = c;
        }
    }
    b->group_start[g->T] = blocks;
    b->block_start[blocks] = n;
    b->problem = (minimax){.K = g->K + aim->averages->count,
                           .n = n,
                           .blocks = blocks,
                           .groups = g->T,
                           .block_start = b->block_start,
                           .group_start = b->group_start,
                           .target = aim->target,
                           .context = b,
                           .evaluate = evaluate,
                           .gradient = gradient};
    *out = b;
    return VOUCH_OK;
}

void bilinear_free(bilinear *b)
{
    if (b) arena_free(&b->memory);
}

void bilinear_pack(const bilinear *b, const double prob[], double x[])
{
    const know_graph *g = b->g;
    for (int i = 0; i < b->problem.blocks; i++) {
        int j = b->block_start[i], n = b->node[i];
        for (int v = j; v < b->block_start[i + 1]; v++) x[v] = 0;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            int v = j;
            while (b->choice[v] != g->choice_twin[c]) v++;
            x[v] += prob[c];
        }
    }
}

void bilinear_unpack(const bilinear *b, const double x[], double prob[])
{
    const know_graph *g = b->g;
    memset(prob, 0, (size_t)g->choices * sizeof *prob);
    for (int n = 0; n < g->time_start[g->T]; n++)
        if (know_real_choices(g, n) == 1) prob[g->choice_start[n]] = 1;
    for (int j = 0; j < b->problem.n; j++) prob[b->choice[j]] = x[j];
}
