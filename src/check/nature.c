/* check/nature.c - probabilities known within limits (FORMAT.md, "nature"): the worst reply to the policy of a proof, and models in
 * which some replies are environments. */
#include "check/check.h"

typedef struct nature_reply {
    int row;   /* the promise that it is about */
    numbers v; /* [nodes] successors of least v are preferred */
} nature_reply;

/* The outcome of action a at node n in environment k that edge e is; -1: it is none. */
static ptrdiff_t along(judge *ctx, const node_graph *g, const node *n, int a, int k, size_t e)
{
    const node *to = &g->node[g->edge[e]];
    return in(to->set, k) ? outcome(ctx, g->m, k, n->s, a, to->s) : -1;
}

/* The row that gives least v behind action a at node n in environment k, to prob [edges]: upper limits for successors of less v
 * than a pivot (of as much, before it), lower ones for the others, and the rest of 1, which is within its limits, for the pivot.
 * Returns the option. */
static size_t reply(judge *ctx, const node_graph *g, const node *n, int a, int k, numbers v, mpq_t prob[])
{
    size_t o = graph_option(ctx, g, n, a), first = g->edge_start[o], last = g->edge_start[o + 1];
    mpq_ptr low = temp(ctx), high = temp(ctx);
    bool found = false;
    for (size_t pivot = first; pivot < last && !found; pivot++) {
        ptrdiff_t own = along(ctx, g, n, a, k, pivot);
        if (own < 0) continue;
        mpq_set(prob[pivot], g->m->one.q[0]);
        for (size_t e = first; e < last; e++) {
            ptrdiff_t at = along(ctx, g, n, a, k, e);
            if (e == pivot) continue;
            mpq_set_ui(prob[e], 0, 1);
            if (at < 0) continue;
            int order = compare(v, (size_t)g->edge[e], v, (size_t)g->edge[pivot]);
            limit(g->m, (size_t)at, order < 0 || (order == 0 && e < pivot) ? UP : DOWN, prob[e]);
            mpq_sub(prob[pivot], prob[pivot], prob[e]);
        }
        limit(g->m, (size_t)own, DOWN, low);
        limit(g->m, (size_t)own, UP, high);
        found = mpq_cmp(prob[pivot], low) >= 0 && mpq_cmp(prob[pivot], high) <= 0;
    }
    if (!found) refuted(ctx, "no row lies within its limits");
    ctx->temps -= 2;
    return o;
}

void worst_kept(judge *ctx, const proof *x, int row, mpq_ptr least)
{
    const node_graph *g = &x->g;
    const model *m = g->m;
    size_t sum = g->nodes, part = sum + 1;
    int k = row / m->J;
    mpq_t *prob = rationals_new(ctx, g->edges);
    numbers V = {0};
    arithmetic(ctx, VALUES, DOWN);
    numbers_room(ctx, &V, part + 1);
    for (size_t i = g->nodes; i-- > 0;) { /* backwards in time */
        const node *n = &g->node[i];
        mpq_t *rule = n->t < m->T ? x->rule_of[i] : NULL;
        if (n->t == m->T && keeps(m, row, n->s)) set(V, i, m->one, 0);
        for (int a = 0; a < m->A && rule && in(n->set, k); a++) {
            if (mpq_sgn(rule[a]) == 0) continue;
            size_t o = reply(ctx, g, n, a, k, V, prob);
            zero(V, sum);
            for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) {
                put(V, part, prob[e]);
                add(V, sum, V, part, V, (size_t)g->edge[e]);
            }
            put(V, part, rule[a]);
            add(V, i, V, part, V, sum);
        }
    }
    get(V, 0, least);
    release(ctx, prob);
    arithmetic(ctx, 0, UP);
}

void read_nature(judge *ctx, proof *x)
{
    const node_graph *g = &x->g;
    nature_reply of = {0};
    mpq_ptr v = temp(ctx);
    if (x->cases != x) refuted(ctx, "a nature behind lines of cases");
    if (integer(ctx, word(ctx), 0, INT_MAX) != x->natures) refuted(ctx, "expected nature %d", x->natures);
    of.row = integer(ctx, word(ctx), 0, x->m.P - 1);
    of.v = numbers_of(ctx, NULL, g->nodes);
    for (size_t n = g->layer[x->m.T]; n < g->nodes; n++)
        if (keeps(&x->m, of.row, g->node[n].s)) put(of.v, n, x->m.one.q[0]);
    for (char *at = word_or_none(ctx); at; at = word_or_none(ctx)) {
        rational(ctx, parted(ctx, at, "number of a node"), v);
        from_double(ctx, v, mpq_get_d(v)); /* without rounding each to its side, which may make two of them equal */
        put(of.v, (size_t)named_node(ctx, x, at), v);
    }
    append(ctx, x->nature, x->natures, of);
}

/* The policy nodes as states; environment K + i is the one of nature i, with its rows, one promise, and no regret: it is paid the
 * same for everything. At nodes that environment k does not reach it has the row of another one. */
static void unrolled_model(judge *ctx, const proof *x, model *m)
{
    const node_graph *g = &x->g;
    const model *all = &x->m;
    int K = all->K, J = all->J;
    size_t outcomes = 0;
    mpq_ptr most = temp(ctx);
    mpq_sub(most, all->most, all->least);
    *m = *all;
    m->S = (int)g->nodes, m->K += x->natures;
    m->next = NULL, m->prob.q = NULL, m->limit[DOWN] = m->limit[UP] = NULL;
    m->within = *rationals_new(ctx, 1);
    spend(ctx, RATIONAL_WORK * cell(m, m->K, 0, 0));
    model_room(ctx, m);
    m->prior = rationals_new(ctx, (size_t)m->K);
    mpq_t *prob = rationals_new(ctx, g->edges);
    for (int k = 0; k < m->K; k++) {
        const nature_reply *of = k < K ? NULL : &x->nature[k - K];
        int env = of ? of->row / J : k;
        if (!of) mpq_set(m->prior[k], all->prior[k]);
        for (int j = 0; j < J; j++) {
            if (of && j != of->row % J) continue;
            mpq_set(m->p[k * J + j], all->p[env * J + j]);
            for (size_t i = 0; i < g->nodes; i++)
                m->phi[(size_t)(k * J + j) * g->nodes + i] = keeps(all, env * J + j, g->node[i].s);
        }
        for (int i = 0; i < m->S; i++)
            for (int a = 0; a < m->A; a++) {
                const node *n = &g->node[i];
                size_t c = cell(m, k, i, a), o = n->t < m->T ? graph_option(ctx, g, n, a) : g->options;
                int from = env;
                while (!in(n->set, from)) from = (from + 1) % K;
                put(m->paid, c, of || from != env ? most : all->paid.q[cell(all, k, n->s, a)]);
                m->start[c] = m->start[c + 1] = outcomes;
                if (o == g->options) continue;
                if (of && from == env) (void)reply(ctx, g, n, a, env, of->v, prob);
                for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) {
                    ptrdiff_t at = along(ctx, g, n, a, from, e);
                    mpq_srcptr q = of && from == env ? prob[e] : at >= 0 ? all->prob.q[at] : NULL;
                    if (at < 0 || mpq_sgn(q) == 0) continue;
                    put_at(ctx, m->next, outcomes, g->edge[e]);
                    m->prob.q = rationals_grown(ctx, m->prob.q, outcomes);
                    mpq_set(m->prob.q[outcomes++], q);
                }
                m->start[c + 1] = outcomes;
            }
    }
    m->prob = numbers_of(ctx, m->prob.q, outcomes);
    m->seen = zeroed(ctx, outcomes, sizeof *m->seen);
}

void unroll(judge *ctx, proof *x)
{
    proof *y = zeroed(ctx, 1, sizeof *y);
    mpq_ptr best = temp(ctx);
    unrolled_model(ctx, x, &y->m);
    proof_open(ctx, y);
    x->cases = y;
    y->own = x;
    y->method = x->method, y->class = x->class, y->objective = x->objective;
    mpq_set(y->keep, x->keep);
    mpq_set_si(best, y->m.T, 1);
    if (x->objective == REGRET) mpq_sub(*ctx->temp, y->m.most, y->m.least);
    if (x->objective != REGRET) mpq_neg(*ctx->temp, y->m.least);
    mpq_mul(best, best, *ctx->temp); /* of a nature */
    for (int k = 0; k < y->m.K; k++) {
        if (k < x->m.K) mpq_set(y->worth[k], x->worth[k]);
        for (int side = DOWN; side <= UP; side++) mpq_set(y->optimum[side][k], k < x->m.K ? x->optimum[side][k] : best);
    }
    owe(ctx, y);
    graph_make(ctx, &y->g, &y->m, 0);
    graph_pay(ctx, &y->g, &y->m, NULL);
    owe_means(ctx, y, &y->g);
    y->unrolled = zeroed(ctx, x->g.nodes, sizeof *y->unrolled);
    for (int i = 1; i < (int)x->g.nodes; i++) y->unrolled[i] = graph_place(ctx, &y->g, &(node){.t = x->g.node[i].t, .s = i}, false);
}
