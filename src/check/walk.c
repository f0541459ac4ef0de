/* check/walk.c - a bound that forgets as policies do (FORMAT.md, "walk"). Doubles rounded upwards; nothing is negative. */
#include "check/check.h"

/* Where a node is reached with less than this, in all environments together, nothing is followed. */
static const double HARDLY = 0x1p-30;

typedef struct walker {
    const bound *b;
    numbers price;                 /* [P] */
    size_t *corner, *branch;       /* [nodes + 1], [corners + 1] where corners of a node, branches of a corner begin */
    size_t *to, corners, branches; /* [branches] nodes that a corner leads to, each once */
    double *follow;                /* [branches * K] probabilities */
    double *earn, *after;          /* [corners * K] pay of a corner, at the last time with the price of promises kept after it; and
                                    * the most with all that is earned afterwards in k alone */
    double *known;                 /* [nodes * K] the most to be earned from a node on in environment k, if it is known */
    size_t *at;                    /* [nodes] scratch: 1 + the branch that leads there */
    double *x;                     /* [(T + 1) * K] scratch, a row for each time: the probabilities of reaching a node */
} walker;

static double product(const walker *w, const double x[], const double y[])
{
    size_t K = (size_t)w->b->g->m->K;
    double sum = 0;
    spend(w->b->g->ctx, K);
    for (size_t k = 0; k < K; k++) sum += x[k] * y[k];
    return sum;
}

static double most_of(const walker *w, size_t n, const double x[], int ahead);

/* The value of corner c of node n at x, the probabilities of reaching n [K]. Each history decides for itself in `ahead` steps, the
 * first at n, and then learns the environment. */
static double made_of(const walker *w, size_t n, size_t c, const double x[], int ahead)
{
    size_t K = (size_t)w->b->g->m->K;
    double sum = product(w, x, w->earn + c * K), *next = w->x + (size_t)w->b->g->node[n].t * K;
    for (size_t i = w->branch[c]; i < w->branch[c + 1]; i++) {
        for (size_t k = 0; k < K; k++) next[k] = x[k] * w->follow[i * K + k];
        sum += most_of(w, w->to[i], next, ahead - 1);
    }
    return sum;
}

/* The most of all corners. They are not followed where they make no more even when told at once. */
static double most_of(const walker *w, size_t n, const double x[], int ahead)
{
    size_t K = (size_t)w->b->g->m->K, best = w->corner[n];
    double told = product(w, x, w->known + n * K), worth = 0, sum = 0;
    for (size_t k = 0; k < K; k++) sum += x[k];
    if (ahead == 0 || sum < HARDLY || best == w->corner[n + 1]) return told;
    for (size_t c = w->corner[n]; c < w->corner[n + 1]; c++) {
        double all = product(w, x, w->after + c * K);
        if (all > worth) best = c;
        worth = fmax(worth, all);
    }
    worth = made_of(w, n, best, x, ahead);
    for (size_t c = w->corner[n]; c < w->corner[n + 1]; c++)
        if (c != best && product(w, x, w->after + c * K) > worth) worth = fmax(worth, made_of(w, n, c, x, ahead));
    return worth;
}

/* ---- corners ---- */

/* Adds pay and successors of option o of node n, used with a probability of `share`, to the corner at hand. */
static void add_option(walker *w, const node *n, size_t o, double share)
{
    const bound *b = w->b;
    const node_graph *g = b->g;
    const model *m = g->m;
    size_t K = (size_t)m->K, J = (size_t)m->J;
    double *earn = w->earn + w->corners * K;
    bool last = n->t + 1 == m->T;
    spend(g->ctx, K * (1 + g->edge_start[o + 1] - g->edge_start[o]));
    for (size_t k = 0; k < K; k++) {
        double paid = b->heavy[k] ? b->scaled.end[UP][cell(m, (int)k, n->s, g->action[o])] : 0;
        earn[k] += share * (paid + (b->shift - b->price[o * K + k])); /* not negative */
    }
    for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) {
        size_t to = (size_t)g->edge[e];
        const node *next = &g->node[to];
        if (!last && w->at[to] <= w->branch[w->corners]) { /* a new branch of this corner */
            w->to = grown(g->ctx, w->to, w->branches, sizeof *w->to);
            w->follow = grown(g->ctx, w->follow, w->branches, K * sizeof *w->follow);
            memset(w->follow + w->branches * K, 0, K * sizeof *w->follow);
            w->to[w->branches++] = to;
            w->at[to] = w->branches;
        }
        for (size_t k = 0; k < K; k++) {
            ptrdiff_t at = in(n->set, (int)k) && in(next->set, (int)k) ? outcome(m, (int)k, n->s, g->action[o], next->s) : -1;
            double part = at < 0 ? 0 : share * m->prob.end[UP][at];
            if (!last) w->follow[(w->at[to] - 1) * K + k] += part;
            for (size_t row = k * J; last && row < (k + 1) * J; row++)
                if (keeps(m, (int)row, next->s)) earn[k] += part * w->price.end[UP][row];
        }
    }
}

static void find_corners(walker *w)
{
    const node_graph *g = w->b->g;
    size_t K = (size_t)g->m->K;
    double *share = zeroed(g->ctx, ACTIONS * ACTIONS, sizeof *share);
    w->branch = zeroed(g->ctx, 16, sizeof *w->branch); /* as `grown` begins */
    for (size_t at = 0; at < g->layer[g->m->T]; at++) {
        const node *n = &g->node[at];
        size_t count = boxes_corners(w->b, n, share), options = (size_t)n->options;
        for (size_t j = 0; j < count; j++) {
            w->earn = grown(g->ctx, w->earn, w->corners, K * sizeof *w->earn);
            memset(w->earn + w->corners * K, 0, K * sizeof *w->earn);
            for (size_t i = 0; i < options; i++)
                if (share[j * options + i] > 0) add_option(w, n, n->option + i, share[j * options + i]);
            w->branch = grown(g->ctx, w->branch, ++w->corners, sizeof *w->branch);
            w->branch[w->corners] = w->branches;
        }
        w->corner[at + 1] = w->corners;
    }
}

/* Backward induction in each environment alone. */
static void find_known(walker *w)
{
    const node_graph *g = w->b->g;
    size_t K = (size_t)g->m->K;
    w->known = zeroed(g->ctx, g->nodes * K, sizeof *w->known);
    w->after = zeroed(g->ctx, w->corners * K, sizeof *w->after);
    spend(g->ctx, (w->corners + w->branches) * K);
    for (size_t n = g->layer[g->m->T]; n-- > 0;)
        for (size_t c = w->corner[n]; c < w->corner[n + 1]; c++)
            for (size_t k = 0; k < K; k++) {
                double worth = w->earn[c * K + k];
                for (size_t i = w->branch[c]; i < w->branch[c + 1]; i++) worth += w->follow[i * K + k] * w->known[w->to[i] * K + k];
                w->after[c * K + k] = worth;
                w->known[n * K + k] = fmax(w->known[n * K + k], worth);
            }
}

double walk_most(const bound *b, numbers price)
{
    const node_graph *g = b->g;
    size_t K = (size_t)g->m->K;
    void *mark = zeroed(g->ctx, 1, 1);
    double *here = zeroed(g->ctx, g->nodes * K, sizeof *here), most = 0; /* probabilities of reaching a node */
    walker w = {.b = b, .price = price};
    w.corner = zeroed(g->ctx, g->nodes + 1, sizeof *w.corner);
    w.at = zeroed(g->ctx, g->nodes, sizeof *w.at);
    w.x = zeroed(g->ctx, ((size_t)g->m->T + 1) * K, sizeof *w.x);
    find_corners(&w);
    find_known(&w);
    for (size_t k = 0; k < K; k++) here[k] = in(g->node->set, (int)k);
    for (size_t n = 0; n < g->layer[g->m->T]; n++) {
        const double *x = here + n * K;
        double sum = 0;
        for (size_t k = 0; k < K; k++) sum += x[k];
        bool leads = b->pinned[n] && sum >= HARDLY; /* the policy is known: its successors are reached */
        most += leads ? product(&w, x, w.earn + w.corner[n] * K) : most_of(&w, n, x, b->ahead);
        for (size_t i = w.branch[w.corner[n]]; leads && i < w.branch[w.corner[n] + 1]; i++)
            for (size_t k = 0; k < K; k++) here[w.to[i] * K + k] += x[k] * w.follow[i * K + k];
    }
    release(g->ctx, mark);
    return most;
}
