/* check/nature.c - probabilities known within limits (FORMAT.md, "nature"): the worst reply to the policy of a proof, and models in
 * which some replies are environments. */
#include "check/check.h"

typedef struct nature_reply {
    int row;   /* the promise that it is about */
    double *v; /* [nodes] successors of least v are preferred */
} nature_reply;

/* The outcome of action a at node n in environment k that edge e is; -1: it is none. */
static ptrdiff_t along(judge *ctx, const node_graph *g, const node *n, int a, int k, size_t e)
{
    const node *to = &g->node[g->edge[e]];
    return in(to->set, k) ? outcome(ctx, g->m, k, n->s, a, to->s) : -1;
}

/* The most of sum q W for action a at node n, to W behind the nodes; later entries are scratch. For any number l it is at most
 * l (1 - sum c) + sum c W, where c is the upper limit if W > l, else the lower one: l is W of each successor in turn. */
static void most_missed(judge *ctx, const node_graph *g, const node *n, int a, int k, numbers W)
{
    const size_t most = g->nodes, sum = most + 1, c = most + 2;
    size_t o = graph_option(ctx, g, n, a), first = g->edge_start[o], last = g->edge_start[o + 1];
    bool found = false;
    mpq_ptr rest = temp(ctx), part = temp(ctx);
    for (size_t pivot = first; pivot < last; pivot++) {
        size_t l = (size_t)g->edge[pivot];
        if (along(ctx, g, n, a, k, pivot) < 0) continue;
        mpq_set(rest, g->m->one.q[0]);
        zero(W, sum);
        for (size_t e = first; e < last; e++) {
            ptrdiff_t at = along(ctx, g, n, a, k, e);
            if (at < 0 || e == pivot) continue;
            limit(g->m, (size_t)at, compare(W, (size_t)g->edge[e], W, l) > 0 ? UP : DOWN, part);
            mpq_sub(rest, rest, part);
            put(W, c, part);
            add(W, sum, W, c, W, (size_t)g->edge[e]);
        }
        if (mpq_sgn(rest) < 0) continue; /* this l shows less than another one */
        put(W, c, rest);
        add(W, sum, W, c, W, l);
        if (!found || compare(W, sum, W, most) < 0) set(W, most, W, sum);
        found = true;
    }
    ctx->temps -= 2;
}

void worst_miss(judge *ctx, const proof *x, int row, mpq_ptr miss)
{
    const node_graph *g = &x->g;
    const model *m = g->m;
    size_t most = g->nodes, share = most + 3;
    int k = row / m->J;
    void *mark = zeroed(ctx, 1, 1);
    numbers W = {0};
    arithmetic(ctx, VALUES, UP);
    numbers_room(ctx, &W, share + 1);
    for (size_t i = g->nodes; i-- > 0;) { /* backwards in time */
        const node *n = &g->node[i];
        mpq_t *rule = n->t < m->T ? x->rule_of[i] : NULL;
        if (n->t < m->T ? !rule : !keeps(m, row, n->s)) set(W, i, m->one, 0);
        for (int a = 0; a < m->A && rule && in(n->set, k); a++) {
            if (mpq_sgn(rule[a]) == 0) continue;
            most_missed(ctx, g, n, a, k, W);
            put(W, share, rule[a]);
            add(W, i, W, share, W, most);
        }
    }
    get(W, 0, miss);
    if (mpq_cmp(miss, m->one.q[0]) > 0) mpq_set(miss, m->one.q[0]);
    release(ctx, mark);
    arithmetic(ctx, 0, UP);
}

void read_nature(judge *ctx, proof *x)
{
    const node_graph *g = &x->g;
    nature_reply of = {.v = zeroed(ctx, g->nodes, sizeof *of.v)};
    mpq_ptr v = temp(ctx);
    if (x->cases != x) refuted(ctx, "a nature behind lines of cases");
    if (integer(ctx, word(ctx), 0, INT_MAX) != x->natures) refuted(ctx, "expected nature %d", x->natures);
    of.row = integer(ctx, word(ctx), 0, x->m.P - 1);
    for (size_t n = g->layer[x->m.T]; n < g->nodes; n++) of.v[n] = keeps(&x->m, of.row, g->node[n].s);
    for (char *at = word_or_none(ctx); at; at = word_or_none(ctx)) {
        rational(ctx, parted(ctx, at, "number of a node"), v);
        of.v[named_node(ctx, x, at)] = mpq_get_d(v);
    }
    append(ctx, x->nature, x->natures, of);
}

/* prob [edges of the option]: the lower limits for action a at node n, and the rest of 1 to the successors of least v first, up
 * to the upper limit of each. */
static void reply(judge *ctx, const node_graph *g, const node *n, int a, const nature_reply *of, mpq_t prob[])
{
    size_t o = graph_option(ctx, g, n, a), first = g->edge_start[o], last = g->edge_start[o + 1], next = first;
    int k = of->row / g->m->J;
    mpq_ptr rest = temp(ctx), more = temp(ctx);
    mpq_set(rest, g->m->one.q[0]);
    for (size_t e = first; e < last; e++) {
        ptrdiff_t at = along(ctx, g, n, a, k, e);
        mpq_set_ui(prob[e - first], 0, 1);
        if (at >= 0) limit(g->m, (size_t)at, DOWN, prob[e - first]);
        mpq_sub(rest, rest, prob[e - first]);
    }
    for (size_t done = last; next < last; done = next) {
        next = last;
        for (size_t e = first; e < last; e++) {
            double v = of->v[g->edge[e]], before = done < last ? of->v[g->edge[done]] : -INFINITY;
            bool left = v > before || (v == before && e > done);
            if (left && (next == last || v < of->v[g->edge[next]]) && along(ctx, g, n, a, k, e) >= 0) next = e;
        }
        if (next == last) continue;
        limit(g->m, (size_t)along(ctx, g, n, a, k, next), UP, more);
        mpq_sub(more, more, prob[next - first]);
        if (mpq_cmp(more, rest) > 0) mpq_set(more, rest);
        mpq_add(prob[next - first], prob[next - first], more);
        mpq_sub(rest, rest, more);
    }
    ctx->temps -= 2;
}

/* The policy nodes as states; environment K + i is the one of nature i, with its rows, one promise, and no regret: it is paid the
 * same for everything. At nodes that environment k does not reach it has the row of another one. */
static void unrolled_model(judge *ctx, const proof *x, model *m)
{
    const node_graph *g = &x->g;
    const model *all = &x->m;
    int K = all->K, J = all->J;
    size_t outcomes = 0, widest = 0;
    mpq_ptr most = temp(ctx);
    mpq_sub(most, all->most, all->least);
    *m = *all;
    m->S = (int)g->nodes, m->K += x->natures;
    m->next = NULL, m->prob.q = NULL, m->off[DOWN] = m->off[UP] = NULL;
    m->within = *rationals_new(ctx, 1);
    spend(ctx, RATIONAL_WORK * cell(m, m->K, 0, 0));
    model_room(ctx, m);
    m->prior = rationals_new(ctx, (size_t)m->K);
    for (size_t o = 0, width; o < g->options; o++)
        if ((width = g->edge_start[o + 1] - g->edge_start[o]) > widest) widest = width;
    mpq_t *prob = rationals_new(ctx, widest);
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
                bool comes = in(n->set, env);
                m->start[c] = outcomes;
                put(m->paid, c, of || !comes ? most : all->paid.q[cell(all, k, n->s, a)]);
                if (of && comes && o < g->options) reply(ctx, g, n, a, of, prob);
                for (int from = comes ? env : 0; o < g->options && outcomes == m->start[c]; from++)
                    for (size_t e = g->edge_start[o]; in(n->set, from) && e < g->edge_start[o + 1]; e++) {
                        ptrdiff_t at = along(ctx, g, n, a, from, e);
                        mpq_srcptr q = of && comes ? prob[e - g->edge_start[o]] : at >= 0 ? all->prob.q[at] : NULL;
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
