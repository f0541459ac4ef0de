/* check/dominance.c - options that another one of their node is never worse than (FORMAT.md, "Dominated options"). */
#include "check/check.h"

/* Differences that rounding makes, relatively, for each step, and at most: a failure may have probability 1e-13. */
static const double NEAR_A_STEP = 0x1p-48, NEAR_MOST = 0x1p-40;

/* x [2 * (K + P)] of option o of node n: -U(k) and -Pr(row) at worst, U(k) and Pr(row) at best; rounded upwards. Where policies of
 * the case may not arrive in an environment, or do not, its worst or both are infinitely bad. */
static void look_after(const bound *b, const node *n, size_t o, const uint64_t *about, double x[])
{
    const node_graph *g = b->g;
    const model *m = g->m;
    size_t width = (size_t)(m->K + m->P);
    memset(x, 0, 2 * width * sizeof *x);
    for (int k = 0; k < m->K; k++) {
        if (!in(n->set, k) || !in(about, k)) continue;
        x[k] = -m->pay.end[DOWN][cell(m, k, n->s, g->action[o])];
        x[width + (size_t)k] = m->pay.end[UP][cell(m, k, n->s, g->action[o])];
        for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) {
            const node *to = &g->node[g->edge[e]];
            const double *y = b->of_node + 2 * width * (size_t)g->edge[e];
            ptrdiff_t at = in(to->set, k) ? outcome(m, k, n->s, g->action[o], to->s) : -1;
            for (int j = -1; j < m->J && at >= 0; j++) {
                size_t i = (size_t)(j < 0 ? k : m->K + k * m->J + j);
                x[i] += isinf(y[i]) ? y[i] : m->prob.end[DOWN][at] * y[i];
                x[width + i] += isinf(y[width + i]) ? y[width + i] : m->prob.end[UP][at] * y[width + i];
            }
        }
    }
}

/* Is x, of an option, nowhere less than y, of another one, but for rounding? The difference is added to loss [2], of U and of Pr,
 * unless promises may not be lowered by it. */
static bool never_worse(const model *m, const node *n, const uint64_t *about, const bool counts[], const double x[],
                        const double y[], double loss[])
{
    int K = m->K, width = K + m->P;
    double most[2] = {0, 0}, near = fmin(NEAR_MOST, NEAR_A_STEP * (m->T + 2));
    for (int i = 0; i < width; i++) {
        int k = i < K ? i : (i - K) / m->J;
        double less = x[i] + y[width + i];
        if (!in(n->set, k) || !in(about, k) || (i >= K && !counts[i - K]) || y[width + k] == -INFINITY) continue;
        if (!(less <= near * y[width + i]) || !isfinite(less)) return false;
        most[i >= K] = fmax(most[i >= K], less);
    }
    if (loss[1] + most[1] > MOST_LOWERED) return false;
    for (int i = 0; i < 2; i++) loss[i] += most[i];
    return true;
}

void bound_drop(bound *b, const uint64_t *about, const bool counts[], double loss[])
{
    const node_graph *g = b->g;
    const model *m = g->m;
    size_t width = 2 * (size_t)(m->K + m->P);
    double later[2] = {loss[0], loss[1]}; /* and of the nodes of one time the most that any of them loses */
    if (!b->of_node) {
        b->of_node = zeroed(g->ctx, g->nodes * width, sizeof *b->of_node);
        b->of_option = zeroed(g->ctx, ACTIONS * width, sizeof *b->of_option);
    }
    arithmetic(g->ctx, 0, UP);
    for (size_t n = g->nodes; n-- > 0;) {
        const node *at = &g->node[n];
        double *x = b->of_node + n * width, *y = b->of_option, here[2] = {later[0], later[1]};
        bool *left = b->allowed + at->option, some = at->options == 0;
        for (size_t i = 0; i < width; i++) x[i] = some ? 0 : -INFINITY;
        for (int row = 0; row < m->P && some; row++) {
            x[m->K + row] = -(double)keeps(m, row, at->s);
            x[width / 2 + (size_t)(m->K + row)] = keeps(m, row, at->s);
        }
        for (size_t o = 0; o < (size_t)at->options; o++)
            if (left[o]) look_after(b, at, at->option + o, about, y + o * width);
        for (size_t o = 0; o < (size_t)at->options; o++) {
            for (size_t other = 0; other < (size_t)at->options && left[o]; other++)
                if (other != o && left[other]) left[o] = !never_worse(m, at, about, counts, y + other * width, y + o * width, here);
            some = some || left[o];
        }
        for (size_t o = 0; o < (size_t)at->options; o++)
            for (size_t i = 0; i < width && left[o]; i++) x[i] = fmax(x[i], y[o * width + i]);
        for (size_t i = 0; i < width / 2 && !some; i++) x[i] = INFINITY;
        for (int i = 0; i < 2; i++) loss[i] = fmax(loss[i], here[i]);
        for (int i = 0; i < 2 && n == g->layer[at->t]; i++) later[i] = loss[i];
    }
    arithmetic_end();
}
