/* check/dominance.c - options that another one of their node is never worse than, whatever is done elsewhere (FORMAT.md, "Dominated
 * options"). A sweep backwards in time, in doubles: least and most of what policies attain are kept on either side, and what equal
 * sums seem to differ by is lost.
 */
#include "check/check.h"

/* Differences that rounding makes, relatively, for each step that is added up, and at most: what differs by more is another thing,
 * such as a failure of probability 1e-13. */
static const double NEAR_A_STEP = 0x1p-48, NEAR_MOST = 0x1p-40;

/* [2 * (K + P)] of each node, and of the options of one: -U(k) and -Pr(row) at worst, U(k) and Pr(row) at best; rounded upwards. */
static double *of_node, *of_option;

/* x: of option o of node n. Where policies of the case may not come with an environment, or do not, its worst or both are
 * infinitely bad. */
static void look_after(const node_graph *g, const node *n, size_t o, const uint64_t *about, double x[])
{
    const model *m = g->m;
    size_t width = (size_t)(m->K + m->P);
    memset(x, 0, 2 * width * sizeof *x);
    for (int k = 0; k < m->K; k++) {
        if (!in(n->set, k) || !in(about, k)) continue;
        x[k] = -m->pay.end[DOWN][cell(m, k, n->s, g->action[o])];
        x[width + (size_t)k] = m->pay.end[UP][cell(m, k, n->s, g->action[o])];
        for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) {
            const node *to = &g->node[g->edge[e]];
            const double *y = of_node + 2 * width * (size_t)g->edge[e];
            ptrdiff_t at = in(to->set, k) ? outcome(m, k, n->s, g->action[o], to->s) : -1;
            for (int j = -1; j < m->J && at >= 0; j++) {
                size_t i = (size_t)(j < 0 ? k : m->K + k * m->J + j);
                x[i] += isinf(y[i]) ? y[i] : m->prob.end[DOWN][at] * y[i];
                x[width + i] += isinf(y[width + i]) ? y[width + i] : m->prob.end[UP][at] * y[width + i];
            }
        }
    }
}

/* Is x, of an option, nowhere less than y, of another one, but for rounding? It is added to loss [2], of U and of Pr, unless that
 * would be more of Pr than promises may be lowered by. */
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
    if (!of_node) {
        of_node = zeroed(g->nodes * width, sizeof *of_node);
        of_option = zeroed(ACTIONS * width, sizeof *of_option);
    }
    arithmetic(0, UP);
    double later[2] = {loss[0], loss[1]}; /* and the most that is lost at a node of the time at hand comes on */
    for (size_t n = g->nodes; n-- > 0;) {
        const node *at = &g->node[n];
        double *x = of_node + n * width, here[2] = {later[0], later[1]};
        bool *left = b->allowed + at->option;
        for (size_t i = 0; i < width; i++) x[i] = at->options ? -INFINITY : 0;
        for (int row = 0; row < m->P && !at->options; row++) {
            x[m->K + row] = -(double)keeps(m, row, at->s);
            x[width / 2 + (size_t)(m->K + row)] = keeps(m, row, at->s);
        }
        for (int o = 0; o < at->options; o++)
            if (left[o]) look_after(g, at, at->option + (size_t)o, about, of_option + (size_t)o * width);
        for (int o = 0; o < at->options; o++)
            for (int other = 0; other < at->options && left[o]; other++)
                if (other != o && left[other])
                    left[o] =
                        !never_worse(m, at, about, counts, of_option + (size_t)other * width, of_option + (size_t)o * width, here);
        bool some = at->options == 0;
        for (int o = 0; o < at->options; o++) {
            some = some || left[o];
            for (size_t i = 0; i < width && left[o]; i++) x[i] = fmax(x[i], of_option[(size_t)o * width + i]);
        }
        for (size_t i = 0; i < width / 2 && !some; i++) x[i] = INFINITY;
        for (int i = 0; i < 2; i++) loss[i] = fmax(loss[i], here[i]);
        for (int i = 0; i < 2 && n == g->layer[at->t]; i++) later[i] = loss[i];
    }
    arithmetic_end();
}
