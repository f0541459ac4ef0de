/* mip/cut_clique.c - clique cuts: of pairwise exclusive literals at most one holds.
 *
 * A literal is a binary y = x or its complement y = 1 - x. Two exclude each other when a row says so: in sum a_k y_k <= b (a > 0)
 * those with a_i + a_j > b; and a column excludes its complement. The graph is kept for the literals that are fractional at the
 * point only, and cliques in it of weight above 1 are grown greedily. Source: A. Atamturk, G. Nemhauser, M. Savelsbergh, Conflict
 * graphs in solving integer programming problems (2000).
 */
#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/arena.h"
#include "mip/scene.h"

enum { MOST_LITERALS = 600 };

typedef struct literal {
    int j;
    bool complemented;
    double y;
} literal;

typedef struct graph {
    literal *node;  /* [count] by falling y */
    int *of_col[2]; /* [n] node of x and of 1 - x; -1: none */
    bool *edge;     /* [count * count] */
    int count;
} graph;

typedef struct term {
    double a;
    int node; /* -1: not fractional */
} term;

static int by_weight(const void *p, const void *q)
{
    const term *x = p, *y = q;
    if (x->a != y->a) return x->a > y->a ? -1 : 1;
    return x->node - y->node;
}

static int by_y(const void *p, const void *q)
{
    const literal *x = p, *y = q;
    if (x->y != y->y) return x->y > y->y ? -1 : 1;
    if (x->j != y->j) return x->j - y->j;
    return x->complemented - y->complemented;
}

static void connect(graph *g, int u, int v)
{
    CHECK(u >= 0 && u < g->count && v >= 0 && v < g->count);
    g->edge[(size_t)u * (size_t)g->count + (size_t)v] = true;
    g->edge[(size_t)v * (size_t)g->count + (size_t)u] = true;
}

/* Edges of sign * row <= limit. terms: [n] scratch. */
static void add_row(const cut_scene *c, graph *g, int i, double sign, double limit, term *terms)
{
    double b = limit, size = fabs(limit);
    int count = 0;
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++) {
        int j = c->index[k];
        double a = sign * c->value[k], lower = c->lower[j], upper = c->upper[j];
        if (c->model->integer[j] && lower == 0 && upper == 1) {
            if (a < 0) b -= a, size = fmax(size, fabs(a));
            terms[count++] = (term){fabs(a), g->of_col[a < 0][j]};
        } else {
            double bound = a > 0 ? lower : upper;
            if (isinf(bound)) return;
            b -= a * bound;
            size = fmax(size, fabs(a * bound));
        }
    }
    if (count < 2) return;
    qsort(terms, (size_t)count, sizeof *terms, by_weight);
    double need = b + KNAPSACK_SLACK * (1 + fabs(b)) + MIP_ROUNDING * size;
    for (int p = 0; p + 1 < count && terms[p].a + terms[p + 1].a > need; p++) {
        if (terms[p].node < 0) continue;
        for (int q = p + 1; q < count && terms[p].a + terms[q].a > need; q++)
            if (terms[q].node >= 0) connect(g, terms[p].node, terms[q].node);
    }
}

static void grow(cut_scene *c, const graph *g, int from, int *clique)
{
    int size = 0;
    double weight = 0;
    for (int turn = 0; turn < g->count; turn++) {
        int v = turn == 0 ? from : turn <= from ? turn - 1 : turn;
        bool fits = true;
        for (int k = 0; k < size && fits; k++) fits = g->edge[(size_t)v * (size_t)g->count + (size_t)clique[k]];
        if (!fits) continue;
        clique[size++] = v;
        weight += g->node[v].y;
    }
    if (size < 3 || weight <= 1 + CLIQUE_VIOLATION) return;
    CHECK_COMPARE(size, <=, g->count);
    double upper = 1;
    int listed = 0;
    for (int k = 0; k < size; k++) {
        const literal *l = &g->node[clique[k]];
        cut_scene_add(c, &listed, l->j, l->complemented ? -1 : 1);
        if (l->complemented) upper -= 1;
    }
    cut_scene_offer(c, listed, upper);
}

void separate_clique(cut_scene *c)
{
    arena a = {0};
    graph g = {.node = ARENA_NEW(&a, literal, 2 * (size_t)c->n), .of_col = {ARENA_NEW(&a, int, c->n), ARENA_NEW(&a, int, c->n)}};
    term *terms = ARENA_NEW(&a, term, c->n);
    if (a.failed) goto done;
    for (int j = 0; j < c->n; j++) {
        double x = c->x[j];
        g.of_col[0][j] = g.of_col[1][j] = -1;
        if (!c->model->integer[j] || c->lower[j] != 0 || c->upper[j] != 1 || x < CUT_FRACTION || x > 1 - CUT_FRACTION) continue;
        g.node[g.count++] = (literal){j, false, x};
        g.node[g.count++] = (literal){j, true, 1 - x};
    }
    qsort(g.node, (size_t)g.count, sizeof *g.node, by_y);
    if (g.count > MOST_LITERALS) g.count = MOST_LITERALS;
    for (int k = 0; k < g.count; k++) g.of_col[g.node[k].complemented][g.node[k].j] = k;
    g.edge = ARENA_ZERO(&a, bool, (size_t)g.count *(size_t)g.count);
    int *clique = ARENA_NEW(&a, int, g.count);
    if (a.failed || g.count < 3) goto done;
    for (int i = 0; i < c->model->m; i++) {
        if (c->start[i + 1] - c->start[i] < 2) continue;
        if (c->row_upper[i] < INFINITY) add_row(c, &g, i, 1, c->row_upper[i], terms);
        if (c->row_lower[i] > -INFINITY) add_row(c, &g, i, -1, -c->row_lower[i], terms);
    }
    for (int k = 0; k < g.count; k++) {
        int other = g.of_col[!g.node[k].complemented][g.node[k].j];
        if (other >= 0) connect(&g, k, other);
    }
    for (int k = 0; k < g.count; k++) grow(c, &g, k, clique);
done:
    arena_free(&a);
}
