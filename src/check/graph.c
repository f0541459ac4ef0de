/* check/graph.c - the policy nodes of L-updates policies, and classes of the histories that reach them.
 *
 * For t <= L a node is <t, s, kappa>, kappa the environments that are consistent with the observations; after L it is (t, s | b), b
 * the node at L on the way. Under an action, environments part before L by successor and observed reward, after L by successor
 * alone.
 *
 * An arc between classes (FORMAT.md, "leaf") has the factor of the weights of the next class. Under --interval weights are known
 * between two doubles; classes in one cell of a fine grid are one, between the least and the largest of their weights. */
#include "check/check.h"

/* Cells of that grid to a power of 2, and where they begin, so that no simple number is at an end of one. */
static const double CELLS = 0x1p46, SHIFT = 0.3789;

int graph_place(judge *ctx, node_graph *g, const node *of, bool add)
{
    size_t words = of->t <= g->L ? g->words : 0;
    g->key[0] = (uint64_t)of->t << 32 | (uint32_t)of->s;
    g->key[1] = words ? UINT64_MAX : (uint64_t)of->boundary;
    if (words) memcpy(g->key + 2, of->set, words * sizeof *g->key);
    return key_number(ctx, &g->place, g->key, (words + 2) * sizeof *g->key, add);
}

/* The node at s that g->group reaches from another one, made if new. Its `sure` set is narrowed to those who come along; after L
 * the group joins its set. */
static int come_to(judge *ctx, node_graph *g, const node *from, int s)
{
    node new = {.t = from->t + 1, .s = s, .boundary = from->boundary, .set = g->group};
    int n = graph_place(ctx, g, &new, true);
    if (n == (int)g->nodes) {
        new.boundary = new.t < g->L ? -1 : new.t == g->L ? n : from->boundary;
        new.set = zeroed(ctx, 2 * g->words, sizeof *new.set);
        new.sure = memset(new.set + g->words, UCHAR_MAX, g->words * sizeof *new.sure);
        new.rarest = zeroed(ctx, (size_t)g->m->K, sizeof *new.rarest);
        for (int k = 0; k < g->m->K; k++) new.rarest[k] = 1;
        append(ctx, g->node, g->nodes, new);
    }
    for (size_t w = 0; w < g->words; w++) {
        g->node[n].set[w] |= g->group[w];
        g->node[n].sure[w] &= g->group[w] & from->sure[w];
    }
    return n;
}

/* Does environment j come along where action a leads another one to outcome o? */
static bool come_along(judge *ctx, const node_graph *g, const node *n, int a, int j, size_t o)
{
    ptrdiff_t other = in(n->set, j) ? outcome(ctx, g->m, j, n->s, a, g->m->next[o]) : -1;
    return other >= 0 && (n->t >= g->L || g->m->seen[other] == g->m->seen[o]);
}

/* Do actions a and b do the same in every environment of the node's set? */
static bool twins(judge *ctx, const node_graph *g, const node *n, int a, int b)
{
    const model *m = g->m;
    for (int k = 0; k < m->K; k++) {
        if (!in(n->set, k)) continue;
        size_t c = cell(m, k, n->s, a), d = cell(m, k, n->s, b), x = m->start[c], y = m->start[d], count = m->start[c + 1] - x;
        if (m->start[d + 1] - y != count || !mpq_equal(m->paid.q[c], m->paid.q[d])) return false;
        for (size_t i = 0; i < count; i++) {
            if (m->next[x + i] != m->next[y + i] || !mpq_equal(m->prob.q[x + i], m->prob.q[y + i])) return false;
            for (int j = 0; j < k && n->t < g->L; j++) /* after L only successors count */
                if (come_along(ctx, g, n, a, j, x + i) != come_along(ctx, g, n, b, j, y + i)) return false;
        }
    }
    return true;
}

static bool available(const model *m, int s, int a) { return m->start[cell(m, 0, s, a) + 1] > m->start[cell(m, 0, s, a)]; }

size_t graph_option(judge *ctx, const node_graph *g, const node *n, int a)
{
    size_t o = n->option, end = o + (size_t)n->options;
    if (!available(g->m, n->s, a)) return g->options;
    while (o < end && a != g->action[o] && !twins(ctx, g, n, a, g->action[o])) o++;
    return o < end ? o : g->options;
}

/* Gives a node its options, and each its edges by successors: of an outcome, for all environments that come along. */
static void expand(judge *ctx, node_graph *g, int n)
{
    const model *m = g->m;
    uint64_t *group = g->group;
    g->node[n].option = g->options;
    for (int a = 0; a < m->A; a++) {
        if (!available(m, g->node[n].s, a) || graph_option(ctx, g, &g->node[n], a) < g->options) continue;
        const node from = g->node[n];
        size_t first = g->edges, c = cell(m, 0, from.s, a), cells = cell(m, 1, 0, 0);
        for (int k = 0; k < m->K; k++, c += cells)
            for (size_t o = m->start[c]; in(from.set, k) && o < m->start[c + 1]; o++) {
                bool made = false; /* by an earlier environment */
                memset(group, 0, g->words * sizeof *group);
                for (int j = 0; j < m->K && !made; j++) {
                    if (!come_along(ctx, g, &from, a, j, o)) continue;
                    made = j < k;
                    include(group, j);
                }
                if (made) continue;
                int child = come_to(ctx, g, &from, m->next[o]);
                for (int j = k; j < m->K; j++) { /* no more than the product, however it is rounded */
                    if (!in(group, j)) continue;
                    double path = from.rarest[j] * m->prob.end[DOWN][outcome(ctx, m, j, from.s, a, m->next[o])];
                    g->node[child].rarest[j] = fmin(g->node[child].rarest[j], nextafter(path, 0));
                }
                size_t at = g->edges;
                append(ctx, g->edge, g->edges, child);
                for (; at > first && g->node[g->edge[at - 1]].s > m->next[o]; at--) g->edge[at] = g->edge[at - 1];
                g->edge[at] = child;
            }
        g->node[n].options++;
        append(ctx, g->action, g->options, a);
        put_at(ctx, g->edge_start, g->options, g->edges);
    }
    if (!g->node[n].options) unreadable(ctx, "state %d has no action but is reached at time %d", g->node[n].s, g->node[n].t);
}

void graph_make(judge *ctx, node_graph *g, const model *m, int L)
{
    *g = (node_graph){.m = m, .L = L, .words = ((size_t)m->K + 63) / 64};
    g->key = zeroed(ctx, g->words + 2, sizeof *g->key);
    g->group = zeroed(ctx, g->words, sizeof *g->group);
    g->layer = zeroed(ctx, (size_t)m->T + 2, sizeof *g->layer);
    g->edge_start = zeroed(ctx, 16, sizeof *g->edge_start); /* as `grown` begins */
    for (int k = 0; k < m->K; k++) include(g->group, k);
    (void)come_to(ctx, g, &(node){.t = -1, .boundary = -1, .sure = g->group}, m->s0);
    for (int t = 0; t < m->T; t++) {
        g->layer[t + 1] = g->nodes;
        for (size_t n = g->layer[t]; n < g->layer[t + 1]; n++) expand(ctx, g, (int)n);
    }
    g->layer[m->T + 1] = g->nodes;
}

void graph_pay(judge *ctx, const node_graph *g, model *m, mpq_srcptr floor)
{
    size_t cells = cell(m, m->K, 0, 0);
    bool *reached = zeroed(ctx, cells, sizeof *reached), any = false; /* can k collect this before the horizon? */
    mpq_ptr base = temp(ctx), more = temp(ctx);
    for (const node *n = g->node; n < g->node + g->layer[m->T]; n++)
        for (int k = 0; k < m->K; k++)
            for (size_t c = cell(m, k, n->s, 0); in(n->set, k) && c < cell(m, k, n->s, m->A); c++)
                reached[c] = m->start[c + 1] > m->start[c];
    for (size_t c = 0; c < cells; c++) {
        if (reached[c] && (!any || mpq_cmp(m->paid.q[c], base) < 0)) mpq_set(base, m->paid.q[c]);
        any |= reached[c];
    }
    if (floor) mpq_sub(base, floor, m->least);
    for (size_t c = 0; c < cells; c++) {
        mpq_set_ui(more, 0, 1);
        if (reached[c] && mpq_cmp(m->paid.q[c], base) > 0) mpq_sub(more, m->paid.q[c], base);
        put(m->pay, c, more);
    }
    mpq_set_si(m->apart, -m->T, 1);
    mpq_mul(m->apart, m->apart, base);
    drop(ctx, reached);
}

/* ---- classes ---- */

static void add_key(judge *ctx, rung *r, const void *bytes, size_t count)
{
    if (r->key_used + count > r->key_room) r->key = resized(ctx, r->key, r->key_room = 2 * (r->key_used + count));
    memcpy(r->key + r->key_used, bytes, count);
    r->key_used += count;
}

/* The class of node n with the weights of the candidates, divided by the largest, made if new; and an arc to it. Its key is of the
 * weights, or of their cells of the grid, as fine relative to a weight for any weight: multipliers of promises that hardly ever
 * hold weigh the least of likelihoods. */
static void arc_to(judge *ctx, rung *r, int n)
{
    const size_t from = r->weights, to = from + r->candidates, at = r->arcs;
    size_t largest = from;
    numbers w = r->weight;
    numbers_room(ctx, &r->factor, at + 1);
    for (size_t i = from + 1; i < to; i++)
        if (compare(w, i, w, largest) > 0) largest = i;
    if (w.q)
        put(r->factor, at, w.q[largest]);
    else
        r->factor.end[DOWN][at] = r->factor.end[UP][at] = w.end[UP][largest];
    r->key_used = 0;
    add_key(ctx, r, &n, sizeof n); /* and with it the time */
    for (size_t i = from; i < to; i++) {
        add_key(ctx, r, &r->env[i], sizeof *r->env);
        if (!w.q) {
            int power;
            w.end[DOWN][i] = -(-w.end[DOWN][i] / r->factor.end[UP][at]); /* doubles are rounded upwards here */
            w.end[UP][i] = w.end[UP][i] / r->factor.end[UP][at];
            double part = floor(frexp(w.end[UP][i], &power) * CELLS + SHIFT), cell_of = ldexp(part, power);
            add_key(ctx, r, &cell_of, sizeof cell_of);
            continue;
        }
        mpq_div(w.q[i], w.q[i], r->factor.q[at]);
        put(w, i, w.q[i]);
        mpz_srcptr part[] = {mpq_numref(w.q[i]), mpq_denref(w.q[i])}; /* positive */
        for (int p = 0; p < 2; p++) {
            size_t limbs = mpz_size(part[p]);
            add_key(ctx, r, &limbs, sizeof limbs);
            add_key(ctx, r, mpz_limbs_read(part[p]), limbs * sizeof(mp_limb_t));
        }
    }
    size_t c = (size_t)key_number(ctx, &r->known, r->key, r->key_used, true);
    r->candidates = 0;
    if (c == r->classes) {
        append(ctx, r->node, r->classes, n);
        r->weights = to;
        put_at(ctx, r->weight_start, r->classes, to);
    }
    for (size_t i = from, of = r->weight_start[c]; i < to && !w.q; i++, of++) {
        w.end[DOWN][of] = fmin(w.end[DOWN][of], w.end[DOWN][i]);
        w.end[UP][of] = fmax(w.end[UP][of], w.end[UP][i]);
    }
    if (r->g->node[n].t > 0) append(ctx, r->arc, r->arcs, (int)c);
}

/* Environment k is a candidate of weight x_i y_j. */
static void add_candidate(rung *r, int k, const numbers *x, size_t i, const numbers *y, size_t j)
{
    judge *ctx = x->ctx;
    size_t at = r->weights + r->candidates++;
    spend(ctx, RATIONAL_WORK);
    put_at(ctx, r->env, at, k);
    numbers_room(ctx, &r->weight, at + 1);
    if (r->weight.q) mpq_mul(r->weight.q[at], x->q[i], y->q[j]);
    r->weight.end[DOWN][at] = -(-x->end[DOWN][i] * y->end[DOWN][j]);
    r->weight.end[UP][at] = x->end[UP][i] * y->end[UP][j];
}

void rung_make(judge *ctx, rung *r, const node_graph *g, const uint64_t *of, int reveal)
{
    const model *m = g->m;
    *r = (rung){.g = g, .layer = zeroed(ctx, (size_t)m->T + 2, sizeof *r->layer)};
    arithmetic(ctx, VALUES, UP);
    size_t **const start[] = {&r->weight_start, &r->slot, &r->arc_start};
    for (int i = 0; i < 3; i++) *start[i] = zeroed(ctx, 16, sizeof **start[i]); /* as `grown` begins */
    for (int k = 0; k < m->K; k++)
        if (in(of, k)) add_candidate(r, k, &m->one, 0, &m->one, 0);
    arc_to(ctx, r, 0);
    for (int t = 0; t <= m->T; t++) {
        r->layer[t + 1] = r->classes;
        for (size_t c = r->layer[t]; c < r->layer[t + 1]; c++) {
            const node *n = &g->node[r->node[c]];
            for (size_t o = n->option; o < n->option + (size_t)n->options; o++) {
                for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) {
                    const node *child = &g->node[g->edge[e]];
                    for (size_t i = r->weight_start[c]; i < r->weight_start[c + 1]; i++) {
                        int k = r->env[i];
                        ptrdiff_t to = in(child->set, k) ? outcome(ctx, m, k, n->s, g->action[o], child->s) : -1;
                        if (to >= 0) add_candidate(r, k, &r->weight, i, &m->prob, (size_t)to);
                        if (to >= 0 && child->t >= reveal) arc_to(ctx, r, g->edge[e]);
                    }
                    if (r->candidates) arc_to(ctx, r, g->edge[e]);
                }
                r->slots++;
                put_at(ctx, r->arc_start, r->slots, r->arcs);
            }
            put_at(ctx, r->slot, c + 1, r->slots);
        }
    }
    arithmetic(ctx, 0, UP);
    table_drop(ctx, &r->known);
    drop(ctx, r->key);
}

const rung *rung_known(judge *ctx, node_graph *g, int k)
{
    rung **known = &g->known[(ctx->rationals & VALUES) != 0];
    if (!*known) *known = zeroed(ctx, (size_t)g->m->K, sizeof **known);
    if ((*known)[k].g) return &(*known)[k];
    uint64_t *alone = zeroed(ctx, g->words, sizeof *alone);
    include(alone, k);
    rung_make(ctx, &(*known)[k], g, alone, g->m->T + 1);
    drop(ctx, alone);
    return &(*known)[k];
}
