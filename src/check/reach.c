/* check/reach.c - bounds of cases by potentials over intervals of reach (FORMAT.md, "reach"). Doubles rounded outwards: the terms
 * of nodes upwards, with the least probability of reaching a node downwards. */
#include "check/check.h"

enum { BLOCK = 32 }; /* nodes of one time whose intervals are made at once */

/* What is kept between lines: intervals, for the options that were allowed then. */
struct reach {
    double *prob[2];       /* [edges * K] */
    double *ends[2];       /* [nodes * K] least and largest probability of reaching a node */
    double *block[2];      /* [nodes * K * BLOCK] of reaching a node of the block from here */
    double *V[2];          /* [nodes * K] potentials */
    double *top;           /* [nodes] */
    unsigned char *was;    /* [options] allowed then */
    bool *behind, *before; /* [nodes] behind a node that has changed; before the block */
};

static struct reach *reach_new(judge *ctx, const node_graph *g)
{
    const model *m = g->m;
    size_t K = (size_t)m->K;
    struct reach *r = zeroed(ctx, 1, sizeof *r);
    for (int side = DOWN; side <= UP; side++) {
        r->prob[side] = zeroed(ctx, g->edges * K, sizeof(double));
        r->ends[side] = zeroed(ctx, g->nodes * K, sizeof(double));
        r->block[side] = zeroed(ctx, g->nodes * K * BLOCK, sizeof(double));
        r->V[side] = zeroed(ctx, g->nodes * K, sizeof(double));
    }
    r->top = zeroed(ctx, g->nodes, sizeof *r->top);
    r->was = memset(zeroed(ctx, g->options, 1), UCHAR_MAX, g->options);
    r->behind = zeroed(ctx, g->nodes, sizeof *r->behind);
    r->before = zeroed(ctx, g->nodes, sizeof *r->before);
    for (const node *n = g->node; n < g->node + g->nodes; n++)
        for (size_t o = n->option; o < n->option + (size_t)n->options; o++)
            for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++)
                for (int k = 0; k < m->K; k++) {
                    const node *to = &g->node[g->edge[e]];
                    ptrdiff_t at = in(n->set, k) && in(to->set, k) ? outcome(ctx, m, k, n->s, g->action[o], to->s) : -1;
                    for (int side = DOWN; side <= UP && at >= 0; side++) r->prob[side][e * K + (size_t)k] = m->prob.end[side][at];
                }
    for (size_t k = 0; k < K; k++) r->ends[DOWN][k] = r->ends[UP][k] = 1; /* of the root */
    return r;
}

/* block of node n in environment k: the most and the least of its options. */
static void block_of_node(const bound *b, struct reach *r, size_t n, size_t k, size_t width)
{
    const node_graph *g = b->g;
    size_t K = (size_t)g->m->K, at = (n * K + k) * BLOCK;
    const node *from = &g->node[n];
    for (size_t j = 0; j < width; j++) r->block[UP][at + j] = 0, r->block[DOWN][at + j] = 1;
    for (size_t o = from->option; o < from->option + (size_t)from->options; o++) {
        double most[BLOCK] = {0}, less[BLOCK] = {0}; /* less: the least, with its sign changed */
        if (!b->allowed[o]) continue;
        for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) {
            size_t to = ((size_t)g->edge[e] * K + k) * BLOCK;
            if (!r->before[g->edge[e]]) continue;
            for (size_t j = 0; j < width; j++) {
                most[j] += r->prob[UP][e * K + k] * r->block[UP][to + j];
                less[j] += -r->prob[DOWN][e * K + k] * r->block[DOWN][to + j];
            }
        }
        for (size_t j = 0; j < width; j++) {
            r->block[UP][at + j] = fmax(r->block[UP][at + j], most[j]);
            r->block[DOWN][at + j] = fmin(r->block[DOWN][at + j], -less[j]);
        }
    }
}

/* The intervals of nodes first .. last of one time, where one of them is behind a node that has changed. */
static void find_block(judge *ctx, const bound *b, struct reach *r, size_t first, size_t last)
{
    const node_graph *g = b->g;
    size_t K = (size_t)g->m->K, width = last - first, edges = 0;
    bool any = false;
    for (size_t n = first; n < last; n++) any |= r->behind[n];
    if (!any) return;
    memset(r->before, false, g->nodes * sizeof *r->before);
    for (size_t i = 0; i < width; i++) {
        r->before[first + i] = true;
        for (size_t k = 0; k < K; k++)
            for (size_t j = 0; j < width; j++)
                for (int side = DOWN; side <= UP; side++)
                    r->block[side][((first + i) * K + k) * BLOCK + j] = i == j && in(g->node[first + i].set, (int)k);
    }
    for (size_t n = g->layer[g->node[first].t]; n-- > 0;) {
        const node *from = &g->node[n];
        size_t e = g->edge_start[from->option], end = g->edge_start[from->option + (size_t)from->options];
        edges += end - e;
        for (; e < end && !r->before[n]; e++) r->before[n] = r->before[g->edge[e]];
        for (size_t k = 0; k < K && r->before[n]; k++) block_of_node(b, r, n, k, width);
    }
    spend(ctx, edges * K * width);
    for (size_t i = 0; i < width * K; i++)
        for (int side = DOWN; side <= UP; side++)
            r->ends[side][(first + i / K) * K + i % K] = r->block[side][i % K * BLOCK + i / K];
}

static void find_intervals(judge *ctx, const bound *b, struct reach *r)
{
    const node_graph *g = b->g;
    memset(r->behind, false, g->nodes * sizeof *r->behind);
    for (size_t n = 0; n < g->nodes; n++) {
        const node *at = &g->node[n];
        size_t first = at->option, count = (size_t)at->options;
        bool changed = count > 0 && (r->behind[n] || memcmp(r->was + first, b->allowed + first, count) != 0);
        for (size_t e = g->edge_start[first]; changed && e < g->edge_start[first + count]; e++) r->behind[g->edge[e]] = true;
    }
    for (size_t o = 0; o < g->options; o++) r->was[o] = b->allowed[o];
    for (int t = 1; t < g->m->T; t++)
        for (size_t first = g->layer[t]; first < g->layer[t + 1]; first += BLOCK)
            find_block(ctx, b, r, first, first + BLOCK < g->layer[t + 1] ? first + BLOCK : g->layer[t + 1]);
}

/* The potentials of the rest of a line, [from F] node k=v .. ; for rewards that count from F or 0, not as bounds count them. */
static void read_potentials(judge *ctx, proof *x, struct reach *r)
{
    const node_graph *g = &x->g;
    const model *m = g->m;
    size_t K = (size_t)m->K;
    mpq_ptr less = temp(ctx), shift = temp(ctx), V = temp(ctx);
    char *at = word_or_none(ctx);
    size_t temps = ctx->temps;
    for (int side = DOWN; side <= UP; side++) memset(r->V[side], 0, g->nodes * K * sizeof(double));
    if (at && strcmp(at, "from") == 0) {
        rational(ctx, word(ctx), less);
        at = word_or_none(ctx);
    }
    mpq_set_si(shift, -1, (unsigned long)m->T);
    mpq_sub(less, m->least, less);
    plus(ctx, less, m->apart, shift); /* in every step to come */
    for (; at; at = word_or_none(ctx), ctx->temps = temps) {
        size_t n = (size_t)named_node(ctx, x, at);
        multipliers(ctx, m->K, x->of_option, true);
        if (g->node[n].t == m->T) refuted(ctx, "a potential at the horizon, where promises give it");
        for (size_t k = 0; k < K; k++) {
            mpq_set_si(shift, g->node[n].t - m->T, 1);
            mpq_mul(shift, shift, less);
            mpq_set(V, x->of_option[k]);
            plus(ctx, V, shift, x->weight.q[k]);
            for (int side = DOWN; side <= UP; side++) r->V[side][n * K + k] = outward(ctx, V, side);
        }
    }
}

static void potentials_at_end(const proof *x, struct reach *r)
{
    const node_graph *g = &x->g;
    const model *m = g->m;
    size_t K = (size_t)m->K;
    for (size_t n = g->layer[m->T]; n < g->nodes; n++)
        for (int row = 0; row < m->P; row++)
            if (keeps(m, row, g->node[n].s)) {
                size_t i = n * K + (size_t)(row / m->J);
                r->V[UP][i] += x->price.end[UP][row];
                r->V[DOWN][i] = -(-r->V[DOWN][i] - x->price.end[DOWN][row]);
            }
}

/* No less than the sum over environments of the most that option o of node n makes of reaching it. */
static double term(judge *ctx, const proof *x, const struct reach *r, size_t n, size_t o)
{
    const node_graph *g = &x->g;
    const model *m = g->m;
    size_t K = (size_t)m->K;
    double sum = 0;
    spend(ctx, K * (g->edge_start[o + 1] - g->edge_start[o]));
    for (size_t k = 0; k < K; k++) {
        double A = x->weight.end[UP][k] * m->pay.end[UP][cell(m, (int)k, g->node[n].s, g->action[o])] - r->V[DOWN][n * K + k];
        if (!in(g->node[n].set, (int)k)) continue;
        for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) {
            double V = r->V[UP][(size_t)g->edge[e] * K + k];
            A += V * r->prob[V > 0 ? UP : DOWN][e * K + k];
        }
        sum += A * r->ends[A > 0 ? UP : DOWN][n * K + k];
    }
    return sum;
}

/* The bound of the potentials of the rest of the line, to value, which holds that of the multipliers. */
static void bound_by_reach(judge *ctx, proof *x, mpq_ptr value)
{
    bound *b = &x->at->bound;
    const node_graph *g = &x->g;
    double sum = 0;
    if (!b->reach) b->reach = reach_new(ctx, g);
    read_potentials(ctx, x, b->reach);
    potentials_at_end(x, b->reach);
    find_intervals(ctx, b, b->reach);
    for (int k = 0; k < g->m->K; k++) sum += b->reach->V[UP][k];
    for (size_t n = 0; n < g->layer[g->m->T]; n++) {
        const node *at = &g->node[n];
        double *top = &b->reach->top[n];
        *top = -INFINITY;
        for (size_t o = at->option; o < at->option + (size_t)at->options; o++)
            if (b->allowed[o]) *top = fmax(*top, term(ctx, x, b->reach, n, o));
        sum += *top;
    }
    from_double(ctx, *ctx->temp, sum); /* refuted where a node has no option left */
    mpq_sub(value, value, *ctx->temp);
}

void read_reach(judge *ctx, proof *x)
{
    mpq_ptr value = temp(ctx);
    read_multipliers(ctx, x, true, value);
    bound_by_reach(ctx, x, value);
    bounded(x->at, value);
}

void read_unkept(judge *ctx, proof *x)
{
    mpq_ptr value = temp(ctx);
    read_multipliers(ctx, x, false, value);
    bound_by_reach(ctx, x, value);
    if (mpq_sgn(value) <= 0) refuted(ctx, "the potentials do not show that the promise cannot be kept");
}

/* Policies that use option o at node n have its term there, not the largest. */
void read_remove(judge *ctx, proof *x)
{
    tree *t = x->at;
    tree_case *c = x->now;
    mpq_ptr of_line = temp(ctx), value = temp(ctx), more = temp(ctx);
    const char *text = word(ctx);
    bool kept = strcmp(text, "-") != 0; /* else their policies keep no promise */
    if (kept) rational(ctx, text, of_line);
    if (c->givens && c->given + c->givens != t->givens) refuted(ctx, "options of this case are given up already");
    if (!c->givens) c->given = t->givens;
    int first = t->givens;
    for (char *at = word(ctx); strcmp(at, ";") != 0; at = word(ctx), c->givens++) {
        char *action = parted(ctx, at, "option");
        append(ctx, t->given, t->givens, named_option(ctx, x, named_node(ctx, x, at), action));
        if (t->givens == INT_MAX) refuted(ctx, "too many options are given up");
    }
    read_multipliers(ctx, x, kept, value);
    bound_by_reach(ctx, x, value);
    for (int i = first; i < t->givens; i++) {
        size_t n = 0, o = t->given[i];
        while (n + 1 < x->g.layer[x->m.T] && x->g.node[n + 1].option <= o) n++;
        from_double(ctx, more, term(ctx, x, t->bound.reach, n, o) - t->bound.reach->top[n]);
        mpq_sub(more, value, more);
        if (kept ? mpq_cmp(more, of_line) < 0 : mpq_sgn(more) <= 0)
            refuted(ctx, "a policy below the bound may use an option of the line");
    }
    if (kept) bounded(t, of_line);
}
