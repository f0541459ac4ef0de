/* program/bilinear.c - exact CCL as the problem of nlp/minimax.h: variables, values and derivatives of action probabilities.
 *
 *     f_k = U*_c(k) - U(k; pi),   g_k = Pr(k; pi),   df_k/dpi(a|n) = -Pr(n|k) Q(n,a;k),   dg_k/dpi(a|n) = Pr(n|k) Pr(kept | n,a;k)
 *
 * by one forward and one backward pass (the policy gradient of R. S. Sutton and others, NIPS 12 (1999), here exact). The gradient
 * belongs to the last evaluated point. Cost: edges times environments.
 */
#include "program/bilinear.h"

#include <string.h>

#include "know/propagate.h"

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
