/* check/vectors.c - all that deterministic policies attain, where that is little: a set of vectors (U(k), Pr(k)) for each node (FORMAT.md, "vectors").
 *
 * Doubles rounded upwards, so that what is true of the vectors is true of all policies. Where paths meet again they need not agree, which only adds vectors.
 */
#include "check/check.h"

/* Most vectors of a set, and sums of them that are tried at once; coordinates closer than this, relatively, differ by rounding. */
enum { MOST = 20000, SUMS = 1000000 };
static const double SAME = 0x1p-46;

typedef struct vector_set {
    size_t count;
    double *x; /* [count * (K + P)] U then Pr; 0 outside the set of the node */
} vector_set;

static size_t width; /* K + P */

static int by_sum(const void *x, const void *y)
{
    double a = 0, b = 0;
    for (size_t i = 0; i < width; i++) {
        a += ((const double *)x)[i];
        b += ((const double *)y)[i];
    }
    return (a < b) - (a > b);
}

/* Leaves out what another one dominates; of two that differ by rounding the larger coordinates stay. */
static void prune(vector_set *f)
{
    size_t kept = 0;
    if (f->count > 1) qsort(f->x, f->count, width * sizeof *f->x, by_sum);
    for (size_t v = 0; v < f->count; v++) {
        const double *x = f->x + v * width;
        size_t y = 0, i = 0;
        for (; y < kept; y++) {
            const double *other = f->x + y * width;
            for (i = 0; i < width && x[i] <= other[i] + SAME * fabs(other[i]); i++) continue;
            if (i == width) break;
        }
        for (i = 0; i < width; i++) f->x[(y < kept ? y : kept) * width + i] = y < kept ? fmax(x[i], f->x[y * width + i]) : x[i];
        kept += y == kept;
    }
    f->count = kept;
    if (kept > MOST) refuted("too many vectors");
}

/* The outcome that leads environment k from one node to another; -1: none does. */
static ptrdiff_t outcome_to(const node_graph *g, const node *from, int a, int k, const node *to)
{
    return in(from->set, k) && in(to->set, k) ? outcome(g->m, k, from->s, a, to->s) : -1;
}

/* The sums of a vector of f and P times one of `more`, which are those of the node `to` after action a at node n. */
static void add_vectors(const node_graph *g, vector_set *f, const vector_set *more, const node *n, int a, const node *to)
{
    size_t K = (size_t)g->m->K, J = (size_t)g->m->J, at = 0;
    double *p = zeroed(K, sizeof *p), *x = zeroed(f->count * more->count * width, sizeof *x);
    for (size_t k = 0; k < K; k++) {
        ptrdiff_t o = outcome_to(g, n, a, (int)k, to);
        if (o >= 0) p[k] = g->m->prob.end[UP][o];
    }
    for (size_t v = 0; v < f->count; v++)
        for (size_t w = 0; w < more->count; w++, at++)
            for (size_t i = 0; i < width; i++)
                x[at * width + i] = f->x[v * width + i] + p[i < K ? i : (i - K) / J] * more->x[w * width + i];
    free(p);
    free(f->x);
    *f = (vector_set){at, x};
    prune(f);
}

/* The least probability of a path to each node in each environment, [nodes * K]; INFINITY: there is none. Doubles are rounded upwards here. */
static double *rarest_paths(const node_graph *g)
{
    size_t K = (size_t)g->m->K;
    double *least = zeroed(g->nodes * K, sizeof *least);
    for (size_t i = 0; i < g->nodes * K; i++) least[i] = i < K ? 1 : INFINITY;
    for (size_t n = 0; n < g->layer[g->m->T]; n++) {
        const node *from = &g->node[n];
        for (size_t o = from->option; o < from->option + (size_t)from->options; o++)
            for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) {
                const node *to = &g->node[g->edge[e]];
                for (size_t k = 0; k < K; k++) {
                    ptrdiff_t p = outcome_to(g, from, g->action[o], (int)k, to);
                    double *there = &least[(size_t)g->edge[e] * K + k];
                    if (p >= 0) *there = fmin(*there, -(-least[n * K + k] * g->m->prob.end[DOWN][p]));
                }
            }
    }
    return least;
}

/* F(n), from those of the nodes that follow. */
static vector_set make_vectors(const bound *b, size_t n, const vector_set of[], const double least[], const double enough[])
{
    const node_graph *g = b->g;
    const node *at = &g->node[n];
    size_t K = (size_t)g->m->K, J = (size_t)g->m->J, kept = 0;
    bool last = at->t == g->m->T;
    vector_set all = {0, NULL};
    for (size_t o = at->option; o < at->option + (size_t)(last ? 1 : at->options); o++) {
        if (!last && !b->allowed[o]) continue;
        vector_set one = {1, zeroed(width, sizeof *one.x)};
        for (size_t k = 0; k < K; k++) {
            if (!last && in(at->set, (int)k)) one.x[k] = g->m->pay.end[UP][cell(g->m, (int)k, at->s, g->action[o])];
            for (size_t r = k * J; last && r < (k + 1) * J; r++) one.x[K + r] = in(at->set, (int)k) && keeps(g->m, (int)r, at->s);
        }
        for (size_t e = last ? 0 : g->edge_start[o]; !last && e < g->edge_start[o + 1]; e++) {
            if (one.count * of[g->edge[e]].count > SUMS) refuted("too many vectors");
            add_vectors(g, &one, &of[g->edge[e]], at, g->action[o], &g->node[g->edge[e]]);
        }
        all.x = realloc(all.x, (all.count + one.count + 1) * width * sizeof *all.x);
        if (!all.x) unreadable("out of memory");
        memcpy(all.x + all.count * width, one.x, one.count * width * sizeof *all.x);
        all.count += one.count;
        free(one.x);
    }
    for (size_t v = 0; v < all.count; v++) {
        const double *x = all.x + v * width, *l = least + n * K;
        bool breaks = false;
        for (size_t r = 0; r < K * J; r++)
            breaks |= in(at->set, (int)(r / J)) && isfinite(l[r / J]) && 1 + l[r / J] * fmin(0, x[K + r] - 1) < enough[r];
        if (!breaks) memmove(all.x + kept++ * width, x, width * sizeof *x);
    }
    all.count = kept;
    prune(&all);
    return all;
}

size_t bound_vectors(const bound *b, const double enough[], double **x)
{
    const node_graph *g = b->g;
    width = (size_t)(g->m->K + g->m->P);
    vector_set *of = zeroed(g->nodes, sizeof *of);
    arithmetic(0, UP);
    double *least = rarest_paths(g);
    for (size_t n = g->nodes; n-- > 0;) of[n] = make_vectors(b, n, of, least, enough);
    arithmetic_end();
    for (size_t n = 1; n < g->nodes; n++) free(of[n].x);
    free(least);
    *x = of[0].x;
    size_t count = of[0].count;
    free(of);
    return count;
}
