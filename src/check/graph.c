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

/* ---- nodes ---- */

static int place_of(node_graph *g, int t, int s, int boundary, const uint64_t *set, bool add)
{
    size_t words = t <= g->L ? g->words : 0;
    g->key[0] = (uint64_t)t << 32 | (uint32_t)s;
    g->key[1] = t <= g->L ? UINT64_MAX : (uint64_t)boundary;
    if (words) memcpy(g->key + 2, set, words * sizeof *g->key);
    return key_number(g->ctx, &g->place, g->key, (words + 2) * sizeof *g->key, add);
}

int graph_find(node_graph *g, int t, int s, int boundary, const uint64_t *set)
{
    int n = place_of(g, t, s, boundary, set, false);
    return n < (int)g->nodes ? n : -1;
}

/* The node that `group` reaches, made if new. Its `sure` set is narrowed to those who come along from the node before; after L the
 * group joins its set. */
static int come_to(node_graph *g, int t, int s, int boundary, const uint64_t *group, const uint64_t *sure)
{
    int n = place_of(g, t, s, boundary, group, true);
    if (n == (int)g->nodes) {
        g->node = grown(g->ctx, g->node, g->nodes++, sizeof *g->node);
        g->node[n] = (node){.t = t, .s = s, .boundary = t < g->L ? -1 : t == g->L ? n : boundary};
        g->node[n].set = zeroed(g->ctx, 2 * g->words, sizeof *g->node->set);
        g->node[n].sure = g->node[n].set + g->words;
        memset(g->node[n].sure, UCHAR_MAX, g->words * sizeof *g->node->sure);
        g->node[n].rarest = zeroed(g->ctx, (size_t)g->m->K, sizeof *g->node->rarest);
        for (int k = 0; k < g->m->K; k++) g->node[n].rarest[k] = 1;
    }
    for (size_t w = 0; w < g->words; w++) g->node[n].set[w] |= group[w];
    for (size_t w = 0; w < g->words; w++) g->node[n].sure[w] &= group[w] & sure[w];
    return n;
}

/* Does environment j come along where action a leads another one to outcome o? */
static bool come_along(const node_graph *g, const node *n, int a, int j, size_t o)
{
    ptrdiff_t other = in(n->set, j) ? outcome(g->m, j, n->s, a, g->m->next[o]) : -1;
    return other >= 0 && (n->t >= g->L || g->m->seen[other] == g->m->seen[o]);
}

/* The edge of outcome o of environment k, with all environments that come along; none if an earlier environment has made it. */
static void add_edge(node_graph *g, const node *from, int a, int k, size_t o, size_t first)
{
    const model *m = g->m;
    uint64_t *group = g->group;
    memset(group, 0, g->words * sizeof *group);
    for (int j = 0; j < m->K; j++) {
        if (!come_along(g, from, a, j, o)) continue;
        if (j < k) return;
        include(group, j);
    }
    int child = come_to(g, from->t + 1, m->next[o], from->boundary, group, from->sure);
    for (int j = k; j < m->K; j++) { /* no more than the product, however it is rounded */
        if (!in(group, j)) continue;
        double path = from->rarest[j] * m->prob.end[DOWN][outcome(m, j, from->s, a, m->next[o])];
        g->node[child].rarest[j] = fmin(g->node[child].rarest[j], nextafter(path, 0));
    }
    g->edge = grown(g->ctx, g->edge, g->edges, sizeof *g->edge);
    size_t at = g->edges++;
    for (; at > first && g->node[g->edge[at - 1]].s > m->next[o]; at--) g->edge[at] = g->edge[at - 1];
    g->edge[at] = child;
}

/* Do actions a and b have the same rewards, successors, probabilities and observations in every environment of the node's set? */
static bool twins(const node_graph *g, const node *n, int a, int b)
{
    const model *m = g->m;
    for (int k = 0; k < m->K; k++) {
        if (!in(n->set, k)) continue;
        size_t c = cell(m, k, n->s, a), d = cell(m, k, n->s, b), x = m->start[c], y = m->start[d], count = m->start[c + 1] - x;
        if (m->start[d + 1] - y != count || !mpq_equal(m->paid.q[c], m->paid.q[d])) return false;
        for (size_t i = 0; i < count; i++) {
            if (m->next[x + i] != m->next[y + i] || !mpq_equal(m->prob.q[x + i], m->prob.q[y + i])) return false;
            for (int j = 0; j < k && n->t < g->L; j++) /* after L only successors count */
                if (come_along(g, n, a, j, x + i) != come_along(g, n, b, j, y + i)) return false;
        }
    }
    return true;
}

static bool available(const model *m, int s, int a) { return m->start[cell(m, 0, s, a) + 1] > m->start[cell(m, 0, s, a)]; }

size_t graph_option(const node_graph *g, const node *n, int a)
{
    size_t o = n->option, end = o + (size_t)n->options;
    if (!available(g->m, n->s, a)) return g->options;
    while (o < end && a != g->action[o] && !twins(g, n, a, g->action[o])) o++;
    return o < end ? o : g->options;
}

/* Gives a node its options and their edges. */
static void expand(node_graph *g, int n)
{
    const model *m = g->m;
    g->node[n].option = g->options;
    for (int a = 0; a < m->A; a++) {
        if (!available(m, g->node[n].s, a) || graph_option(g, &g->node[n], a) < g->options) continue;
        const node from = g->node[n];
        size_t first = g->edges;
        for (int k = 0; k < m->K; k++)
            for (size_t c = cell(m, k, from.s, a), o = m->start[c]; in(from.set, k) && o < m->start[c + 1]; o++)
                add_edge(g, &from, a, k, o, first);
        g->node[n].options++;
        g->action = grown(g->ctx, g->action, g->options, sizeof *g->action);
        g->action[g->options] = a;
        g->edge_start = grown(g->ctx, g->edge_start, ++g->options, sizeof *g->edge_start);
        g->edge_start[g->options] = g->edges;
    }
    if (!g->node[n].options) unreadable(g->ctx, "state %d has no action but is reached at time %d", g->node[n].s, g->node[n].t);
}

void graph_make(node_graph *g, const model *m, int L)
{
    *g = (node_graph){.ctx = m->ctx, .m = m, .L = L, .words = ((size_t)m->K + 63) / 64};
    g->key = zeroed(g->ctx, g->words + 2, sizeof *g->key);
    g->group = zeroed(g->ctx, g->words, sizeof *g->group);
    g->layer = zeroed(g->ctx, (size_t)m->T + 2, sizeof *g->layer);
    g->edge_start = zeroed(g->ctx, 16, sizeof *g->edge_start); /* as `grown` begins */
    uint64_t *all = zeroed(g->ctx, g->words, sizeof *all);
    for (int k = 0; k < m->K; k++) include(all, k);
    (void)come_to(g, 0, m->s0, -1, all, all);
    for (int t = 0; t < m->T; t++) {
        g->layer[t + 1] = g->nodes;
        for (size_t n = g->layer[t]; n < g->layer[t + 1]; n++) expand(g, (int)n);
    }
    g->layer[m->T + 1] = g->nodes;
}

/* ---- classes ---- */

static void add_key(rung *r, const void *bytes, size_t count)
{
    if (r->key_used + count > r->key_room) r->key = resized(r->g->ctx, r->key, r->key_room = 2 * (r->key_used + count));
    memcpy(r->key + r->key_used, bytes, count);
    r->key_used += count;
}

/* Divides weight i, of environment k, by the largest, factor [at], and adds it, or its cell of the grid, to the key of the class.
 * Cells are as fine relative to w for any w: multipliers of promises that hardly ever hold weigh the least of likelihoods. */
static void scale(rung *r, size_t i, int k, size_t at)
{
    numbers w = r->weight, by = r->factor;
    if (w.q) {
        mpq_div(w.q[i], w.q[i], by.q[at]);
        put(w, i, w.q[i]);
        mpz_srcptr part[] = {mpq_numref(w.q[i]), mpq_denref(w.q[i])}; /* positive */
        add_key(r, &k, sizeof k);
        for (int p = 0; p < 2; p++) {
            size_t limbs = mpz_size(part[p]);
            add_key(r, &limbs, sizeof limbs);
            add_key(r, mpz_limbs_read(part[p]), limbs * sizeof(mp_limb_t));
        }
    } else {
        w.end[DOWN][i] = -(-w.end[DOWN][i] / by.end[UP][at]); /* doubles are rounded upwards here */
        w.end[UP][i] = w.end[UP][i] / by.end[UP][at];
        int power;
        double part = floor(frexp(w.end[UP][i], &power) * CELLS + SHIFT);
        const double cell_of[] = {k, ldexp(part, power)};
        add_key(r, cell_of, sizeof cell_of);
    }
}

/* The class of node n with the weights of the candidates, made if new; and an arc to it. */
static void arc_to(rung *r, int n)
{
    judge *ctx = r->g->ctx;
    const size_t from = r->weights, to = from + r->candidates;
    size_t largest = from;
    numbers w = r->weight;
    numbers_room(&r->factor, r->arcs + 1);
    for (size_t i = from + 1; i < to; i++)
        if (compare(w, i, w, largest) > 0) largest = i;
    if (w.q)
        put(r->factor, r->arcs, w.q[largest]);
    else
        r->factor.end[DOWN][r->arcs] = r->factor.end[UP][r->arcs] = w.end[UP][largest];
    r->key_used = 0;
    add_key(r, &n, sizeof n); /* and with it the time */
    for (size_t i = from; i < to; i++) scale(r, i, r->env[i], r->arcs);
    size_t c = (size_t)key_number(ctx, &r->known, r->key, r->key_used, true);
    r->candidates = 0;
    if (c == r->classes) {
        r->node = grown(ctx, r->node, r->classes, sizeof *r->node);
        r->weight_start = grown(ctx, r->weight_start, ++r->classes, sizeof *r->weight_start);
        r->node[c] = n;
        r->weight_start[r->classes] = r->weights = to;
    }
    for (size_t i = from, at = r->weight_start[c]; i < to && !w.q; i++, at++) {
        w.end[DOWN][at] = fmin(w.end[DOWN][at], w.end[DOWN][i]);
        w.end[UP][at] = fmax(w.end[UP][at], w.end[UP][i]);
    }
    if (r->g->node[n].t == 0) return;
    r->arc = grown(ctx, r->arc, r->arcs, sizeof *r->arc);
    r->arc[r->arcs++] = (int)c;
}

/* Environment k is a candidate of weight x_i y_j. */
static void add_candidate(rung *r, int k, const numbers *x, size_t i, const numbers *y, size_t j)
{
    size_t at = r->weights + r->candidates++;
    spend(r->g->ctx, RATIONAL_WORK);
    r->env = grown(r->g->ctx, r->env, at, sizeof *r->env);
    numbers_room(&r->weight, at + 1);
    r->env[at] = k;
    if (r->weight.q) mpq_mul(r->weight.q[at], x->q[i], y->q[j]);
    r->weight.end[DOWN][at] = -(-x->end[DOWN][i] * y->end[DOWN][j]);
    r->weight.end[UP][at] = x->end[UP][i] * y->end[UP][j];
}

/* The arcs of class c under action a along one edge. */
static void follow(rung *r, size_t c, int a, int child)
{
    const model *m = r->g->m;
    const node *from = &r->g->node[r->node[c]], *to = &r->g->node[child];
    for (size_t i = r->weight_start[c]; i < r->weight_start[c + 1]; i++) {
        ptrdiff_t o = in(to->set, r->env[i]) ? outcome(m, r->env[i], from->s, a, to->s) : -1;
        if (o >= 0) add_candidate(r, r->env[i], &r->weight, i, &m->prob, (size_t)o);
        if (o >= 0 && to->t >= r->reveal) arc_to(r, child);
    }
    if (r->candidates) arc_to(r, child);
}

void rung_make(rung *r, const node_graph *g, const uint64_t *of, int reveal)
{
    judge *ctx = g->ctx;
    const model *m = g->m;
    *r = (rung){
        .g = g, .reveal = reveal, .layer = zeroed(ctx, (size_t)m->T + 2, sizeof *r->layer), .weight.ctx = ctx, .factor.ctx = ctx};
    arithmetic(ctx, VALUES, UP);
    size_t **const start[] = {&r->weight_start, &r->slot, &r->arc_start};
    for (int i = 0; i < 3; i++) *start[i] = zeroed(ctx, 16, sizeof **start[i]); /* as `grown` begins */
    for (int k = 0; k < m->K; k++)
        if (in(of, k)) add_candidate(r, k, &m->one, 0, &m->one, 0);
    arc_to(r, 0);
    for (int t = 0; t <= m->T; t++) {
        r->layer[t + 1] = r->classes;
        for (size_t c = r->layer[t]; c < r->layer[t + 1]; c++) {
            const node *n = &g->node[r->node[c]];
            for (size_t o = n->option; o < n->option + (size_t)n->options; o++) {
                for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) follow(r, c, g->action[o], g->edge[e]);
                r->arc_start = grown(ctx, r->arc_start, ++r->slots, sizeof *r->arc_start);
                r->arc_start[r->slots] = r->arcs;
            }
            r->slot = grown(ctx, r->slot, c + 1, sizeof *r->slot);
            r->slot[c + 1] = r->slots;
        }
    }
    arithmetic_end();
    table_drop(ctx, &r->known);
    drop(ctx, r->key);
}

const rung *rung_known(node_graph *g, int k)
{
    rung **known = &g->known[(g->ctx->rationals & VALUES) != 0];
    if (!*known) *known = zeroed(g->ctx, (size_t)g->m->K, sizeof **known);
    if ((*known)[k].g) return &(*known)[k];
    uint64_t *alone = zeroed(g->ctx, g->words, sizeof *alone);
    include(alone, k);
    rung_make(&(*known)[k], g, alone, g->m->T + 1);
    drop(g->ctx, alone);
    return &(*known)[k];
}
