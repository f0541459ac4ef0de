/* check/walk.c - a bound that forgets as policies do (FORMAT.md, "walk"): what comes together at a node is added up as long as all
 * that leads there is known, and from then on each history is followed by itself. Doubles rounded upwards; nothing is negative.
 */
#include "check/check.h"

/* A node that is reached with less than this, in all environments together, counts as earning all that can be earned. */
static const double HARDLY = 0x1p-30;
/* Each step is a call deeper. */
enum { MOST_STEPS = 2000 };

typedef struct walker {
    const bound *b;
    numbers price;  /* [P] */
    double *follow; /* [edges * K] probability of each */
    double *earn;   /* [options * K] what one pays, at the last time with the promises that are kept after it */
    double *x;      /* [(T + 1) * K] scratch, a row for each time: the probabilities of reaching a node */
    double all;     /* the most that any policy can earn */
} walker;

/* The price of the promises that state s keeps in environment k. */
static double kept(const walker *w, int s, int k)
{
    const model *m = w->b->g->m;
    double sum = 0;
    for (int row = k * m->J; row < (k + 1) * m->J; row++)
        if (keeps(m, row, s)) sum += w->price.end[UP][row];
    return sum;
}

/* The most to be earned from node n on, before T, if each history decides for itself; x [K]: the probabilities of reaching n. */
static double most_of(const walker *w, const node *n, const double x[])
{
    const node_graph *g = w->b->g;
    size_t K = (size_t)g->m->K;
    double worth[ACTIONS] = {0}, sum = 0, *next = w->x + (size_t)n->t * K;
    bool last = n->t + 1 == g->m->T;
    for (size_t k = 0; k < K; k++) sum += x[k];
    if (sum < HARDLY) return sum * w->all;
    for (int i = 0; i < n->options; i++) {
        size_t o = n->option + (size_t)i;
        const double *earn = w->earn + o * K;
        spend(K);
        for (size_t k = 0; k < K; k++) worth[i] += x[k] * earn[k];
        for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1] && !last; e++) {
            const double *follow = w->follow + e * K;
            spend(K);
            for (size_t k = 0; k < K; k++) next[k] = x[k] * follow[k];
            worth[i] += most_of(w, &g->node[g->edge[e]], next);
        }
    }
    return boxes_most(w->b, n, worth);
}

/* The probability that each edge is followed, from above. */
static void find_edges(walker *w)
{
    const node_graph *g = w->b->g;
    size_t K = (size_t)g->m->K;
    for (const node *n = g->node; n < g->node + g->nodes; n++)
        for (size_t o = n->option; o < n->option + (size_t)n->options; o++)
            for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++)
                for (size_t k = 0; k < K; k++) {
                    const node *to = &g->node[g->edge[e]];
                    ptrdiff_t at =
                        in(n->set, (int)k) && in(to->set, (int)k) ? outcome(g->m, (int)k, n->s, g->action[o], to->s) : -1;
                    if (at >= 0) w->follow[e * K + k] = g->m->prob.end[UP][at];
                }
}

/* What each option pays, and the most that can be earned at all. */
static void find_earned(walker *w)
{
    const bound *b = w->b;
    const node_graph *g = b->g;
    size_t K = (size_t)g->m->K;
    double most = 0;
    for (const node *n = g->node; n < g->node + g->layer[g->m->T]; n++)
        for (size_t o = n->option; o < n->option + (size_t)n->options; o++)
            for (size_t k = 0; k < K; k++) {
                double *earn = &w->earn[o * K + k];
                if (b->heavy[k]) *earn = b->scaled.end[UP][cell(g->m, (int)k, n->s, g->action[o])];
                *earn += b->shift - b->price[o * K + k]; /* not negative */
                most = fmax(most, *earn);
                for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1] && n->t + 1 == g->m->T; e++)
                    *earn += w->follow[e * K + k] * kept(w, g->node[g->edge[e]].s, (int)k);
            }
    w->all = most * g->m->T;
    for (int row = 0; row < g->m->P; row++) w->all += w->price.end[UP][row];
}

/* What is earned at node n, whose policy is known; x: the probabilities of reaching n, which those of the nodes that follow, in
 * here [nodes * K], grow by. */
static double lead(const walker *w, const node *n, const double x[], double here[])
{
    const node_graph *g = w->b->g;
    size_t K = (size_t)g->m->K;
    double sum = 0;
    for (size_t o = n->option; o < n->option + (size_t)n->options; o++) {
        double share = w->b->high[o];
        for (size_t k = 0; k < K; k++) sum += share * (x[k] * w->earn[o * K + k]);
        for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++)
            for (size_t k = 0; k < K; k++) here[(size_t)g->edge[e] * K + k] += share * (x[k] * w->follow[e * K + k]);
    }
    return sum;
}

double walk_most(const bound *b, numbers price)
{
    const node_graph *g = b->g;
    size_t K = (size_t)g->m->K;
    walker w = {b,
                price,
                zeroed(g->edges * K, sizeof(double)),
                zeroed(g->options * K, sizeof(double)),
                zeroed(((size_t)g->m->T + 1) * K, sizeof(double)),
                0};
    double *here = zeroed(g->nodes * K, sizeof *here), most = 0; /* probabilities of reaching a node */
    if (g->m->T > MOST_STEPS) refuted("walks of more than %d steps", MOST_STEPS);
    spend((g->edges + g->options) * K);
    find_edges(&w);
    find_earned(&w);
    for (size_t k = 0; k < K; k++) here[k] = in(g->node->set, (int)k);
    for (size_t at = 0; at < g->layer[g->m->T]; at++) {
        const double *x = here + at * K;
        double sum = 0;
        for (size_t k = 0; k < K; k++) sum += x[k];
        most += b->pinned[at] && sum >= HARDLY ? lead(&w, &g->node[at], x, here) : most_of(&w, &g->node[at], x);
    }
    free(w.follow);
    free(w.earn);
    free(w.x);
    free(here);
    return most;
}
