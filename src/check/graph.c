/* check/graph.c - the policy nodes of L-updates policies, and classes of the histories that come to them.
 *
 * For t <= L a node is <t, s, kappa>, kappa the environments that are consistent with what was seen; after L it is (t, s | b), b
 * the node at L that was passed. Under an action, environments part before L by successor and observed reward, after L by successor
 * alone.
 *
 * An arc between classes (FORMAT.md, "leaf") says how the weights of the class that follows must be scaled. Under --interval
 * weights are known between two doubles; classes that lie in one cell of a fine grid are one, between the least and the largest of
 * their weights.
 */
#include "check/check.h"

/* Cells of that grid to a power of 2, and where they begin, so that no simple number is at an end of one. */
static const double CELLS = 0x1p46, SHIFT = 0.3789;

/* ---- nodes ---- */

static int place_of(node_graph *g, int t, int s, int boundary, const uint64_t *set, bool add)
{
    static uint64_t *key;
    size_t words = t <= g->L ? g->words : 0;
    if (!key) key = zeroed(g->words + 2, sizeof *key);
    key[0] = (uint64_t)t << 32 | (uint32_t)s;
    key[1] = t <= g->L ? UINT64_MAX : (uint64_t)boundary;
    if (words) memcpy(key + 2, set, words * sizeof *key);
    return key_number(&g->place, key, (words + 2) * sizeof *key, add);
}

int graph_find(node_graph *g, int t, int s, int boundary, const uint64_t *set)
{
    int n = place_of(g, t, s, boundary, set, false);
    return n < (int)g->nodes ? n : -1;
}

/* The node that `group` comes to, made if new, and with it `sure`, in which whoever is at the node before comes along; after L the
 * group joins its set. */
static int come_to(node_graph *g, int t, int s, int boundary, const uint64_t *group, const uint64_t *sure)
{
    int n = place_of(g, t, s, boundary, group, true);
    if (n == (int)g->nodes) {
        g->node = grown(g->node, g->nodes++, sizeof *g->node);
        g->node[n] = (node){.t = t, .s = s, .boundary = t < g->L ? -1 : t == g->L ? n : boundary};
        g->node[n].set = zeroed(g->words, sizeof *g->node->set);
        g->node[n].sure = zeroed(g->words, sizeof *g->node->sure);
        memset(g->node[n].sure, UCHAR_MAX, g->words * sizeof *g->node->sure);
        g->node[n].rarest = zeroed((size_t)g->m->K, sizeof *g->node->rarest);
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

static void add_edges(node_graph *g, int n, int a)
{
    const model *m = g->m;
    const node from = g->node[n];
    size_t first = g->edges;
    uint64_t *group = zeroed(g->words, sizeof *group);
    for (int k = 0; k < m->K; k++) {
        if (!in(from.set, k)) continue;
        for (size_t o = m->start[cell(m, k, from.s, a)]; o < m->start[cell(m, k, from.s, a) + 1]; o++) {
            int least = k;
            memset(group, 0, g->words * sizeof *group);
            for (int j = 0; j < m->K && least == k; j++) {
                if (!come_along(g, &from, a, j, o)) continue;
                if (j < k) least = j; /* the group was met at j */
                include(group, j);
            }
            if (least < k) continue;
            int child = come_to(g, from.t + 1, m->next[o], from.boundary, group, from.sure);
            for (int j = k; j < m->K; j++) { /* no more than the product, however it is rounded */
                if (!in(group, j)) continue;
                double path = from.rarest[j] * m->prob.end[DOWN][outcome(m, j, from.s, a, m->next[o])];
                g->node[child].rarest[j] = fmin(g->node[child].rarest[j], nextafter(path, 0));
            }
            g->edge = grown(g->edge, g->edges, sizeof *g->edge);
            size_t at = g->edges++;
            for (; at > first && g->node[g->edge[at - 1]].s > m->next[o]; at--) g->edge[at] = g->edge[at - 1];
            g->edge[at] = child;
        }
    }
    free(group);
}

/* Do actions a and b of a node have the same rewards, the same successors with the same probabilities, and the same observations in
 * every environment of the set?
 */
static bool twins(const node_graph *g, const node *n, int a, int b)
{
    const model *m = g->m;
    for (int k = 0; k < m->K; k++) {
        if (!in(n->set, k)) continue;
        size_t x = m->start[cell(m, k, n->s, a)], y = m->start[cell(m, k, n->s, b)], count = m->start[cell(m, k, n->s, a) + 1] - x;
        if (m->start[cell(m, k, n->s, b) + 1] - y != count ||
            !mpq_equal(m->paid.q[cell(m, k, n->s, a)], m->paid.q[cell(m, k, n->s, b)]))
            return false;
        for (size_t i = 0; i < count; i++) {
            if (m->next[x + i] != m->next[y + i] || !mpq_equal(m->prob.q[x + i], m->prob.q[y + i])) return false;
            for (int j = 0; j < k && n->t < g->L; j++) /* after L successors tell it all */
                if (come_along(g, n, a, j, x + i) != come_along(g, n, b, j, y + i)) return false;
        }
    }
    return true;
}

static bool available(const model *m, int s, int a) { return m->start[cell(m, 0, s, a) + 1] > m->start[cell(m, 0, s, a)]; }

size_t graph_option(const node_graph *g, const node *n, int a)
{
    size_t o = n->option;
    if (!available(g->m, n->s, a)) return g->options;
    while (o < n->option + (size_t)n->options && a != g->action[o] && !twins(g, n, a, g->action[o])) o++;
    return o < n->option + (size_t)n->options ? o : g->options;
}

static void expand(node_graph *g, int n)
{
    g->node[n].option = g->options;
    for (int a = 0; a < g->m->A; a++) {
        if (!available(g->m, g->node[n].s, a) || graph_option(g, &g->node[n], a) < g->options) continue;
        add_edges(g, n, a);
        g->node[n].options++;
        g->action = grown(g->action, g->options, sizeof *g->action);
        g->action[g->options] = a;
        g->edge_start = grown(g->edge_start, ++g->options, sizeof *g->edge_start);
        g->edge_start[g->options] = g->edges;
    }
    if (!g->node[n].options) unreadable("state %d has no action but is reached at time %d", g->node[n].s, g->node[n].t);
}

void graph_make(node_graph *g, const model *m, int L)
{
    *g = (node_graph){.m = m, .L = L, .words = ((size_t)m->K + 63) / 64};
    uint64_t *all = zeroed(g->words, sizeof *all);
    g->layer = zeroed((size_t)m->T + 2, sizeof *g->layer);
    g->edge_start = grown(NULL, 0, sizeof *g->edge_start);
    g->edge_start[0] = 0;
    for (int k = 0; k < m->K; k++) include(all, k);
    (void)come_to(g, 0, m->s0, -1, all, all);
    for (int t = 0; t < m->T; t++) {
        g->layer[t + 1] = g->nodes;
        for (size_t n = g->layer[t]; n < g->layer[t + 1]; n++) expand(g, (int)n);
    }
    g->layer[m->T + 1] = g->nodes;
    free(all);
}

/* ---- classes ---- */

static unsigned char *class_key;
static size_t key_used, key_room;

static void add_key(const void *bytes, size_t count)
{
    if (key_used + count > key_room) class_key = resized(class_key, key_room = 2 * (key_used + count));
    memcpy(class_key + key_used, bytes, count);
    key_used += count;
}

/* The cell of that grid that w is in. Cells are as fine relative to w wherever it is: multipliers of promises that hardly ever hold
 * weigh the least of likelihoods. */
static double cell_of(double w)
{
    int power;
    double part = floor(frexp(w, &power) * CELLS + SHIFT);
    return ldexp(part, power);
}

/* Weight i, of environment k, divided by the largest, `by` [at]; what tells it from others is added to the key. */
static void scale(numbers w, size_t i, int k, numbers by, size_t at)
{
    if (w.q) {
        mpq_div(w.q[i], w.q[i], by.q[at]);
        put(w, i, w.q[i]);
        mpz_srcptr part[] = {mpq_numref(w.q[i]), mpq_denref(w.q[i])}; /* positive */
        add_key(&k, sizeof k);
        for (int p = 0; p < 2; p++) {
            size_t limbs = mpz_size(part[p]);
            add_key(&limbs, sizeof limbs);
            add_key(mpz_limbs_read(part[p]), limbs * sizeof(mp_limb_t));
        }
    } else {
        w.end[DOWN][i] = -(-w.end[DOWN][i] / by.end[UP][at]); /* doubles are rounded upwards here */
        w.end[UP][i] = w.end[UP][i] / by.end[UP][at];
        const double told[] = {k, cell_of(w.end[UP][i])};
        add_key(told, sizeof told);
    }
}

/* The class of node n with the weights of the candidates, made if new; and an arc to it. */
static void arc_to(rung *r, int n)
{
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
    key_used = 0;
    add_key(&n, sizeof n);
    for (size_t i = from; i < to; i++) scale(w, i, r->env[i], r->factor, r->arcs);
    size_t c = r->layer[r->g->node[n].t] + (size_t)key_number(&r->known, class_key, key_used, true);
    r->candidates = 0;
    if (c == r->classes) {
        r->node = grown(r->node, r->classes, sizeof *r->node);
        r->weight_start = grown(r->weight_start, ++r->classes, sizeof *r->weight_start);
        r->node[c] = n;
        r->weight_start[r->classes] = r->weights = to;
    }
    for (size_t i = from, at = r->weight_start[c]; i < to && !w.q; i++, at++) {
        w.end[DOWN][at] = fmin(w.end[DOWN][at], w.end[DOWN][i]);
        w.end[UP][at] = fmax(w.end[UP][at], w.end[UP][i]);
    }
    if (r->g->node[n].t == 0) return;
    r->arc = grown(r->arc, r->arcs, sizeof *r->arc);
    r->arc[r->arcs++] = (int)c;
}

/* Environment k is a candidate of weight x_i y_j. */
static void add_candidate(rung *r, int k, const numbers *x, size_t i, const numbers *y, size_t j)
{
    size_t at = r->weights + r->candidates++;
    spend(RATIONAL_WORK);
    r->env = grown(r->env, at, sizeof *r->env);
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
    const model *m = g->m;
    *r = (rung){.g = g, .reveal = reveal, .layer = zeroed((size_t)m->T + 2, sizeof *r->layer)};
    arithmetic(VALUES, UP);
    size_t **const start[] = {&r->weight_start, &r->slot, &r->arc_start};
    for (int i = 0; i < 3; i++) (*start[i] = grown(NULL, 0, sizeof **start[i]))[0] = 0;
    for (int k = 0; k < m->K; k++)
        if (in(of, k)) add_candidate(r, k, &m->one, 0, &m->one, 0);
    arc_to(r, 0);
    for (int t = 0; t <= m->T; t++) {
        r->layer[t + 1] = r->classes;
        if (r->known) lh_table_free(r->known);
        r->known = NULL;
        for (size_t c = r->layer[t]; c < r->layer[t + 1]; c++) {
            const node *n = &g->node[r->node[c]];
            for (size_t o = n->option; o < n->option + (size_t)n->options; o++) {
                for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) follow(r, c, g->action[o], g->edge[e]);
                r->arc_start = grown(r->arc_start, ++r->slots, sizeof *r->arc_start);
                r->arc_start[r->slots] = r->arcs;
            }
            r->slot = grown(r->slot, c + 1, sizeof *r->slot);
            r->slot[c + 1] = r->slots;
        }
    }
    arithmetic_end();
}

void rung_free(rung *r)
{
    if (r->known) lh_table_free(r->known);
    numbers_free(&r->weight);
    numbers_free(&r->factor);
    void *const block[] = {r->layer, r->node, r->weight_start, r->env, r->slot, r->arc_start, r->arc};
    for (size_t i = 0; i < sizeof block / sizeof *block; i++) free(block[i]);
}

const rung *rung_known(node_graph *g, int k)
{
    rung **known = &g->known[(in_rationals & VALUES) != 0];
    if (!*known) *known = zeroed((size_t)g->m->K, sizeof **known);
    uint64_t *alone = zeroed(g->words, sizeof *alone);
    include(alone, k);
    if (!(*known)[k].g) rung_make(&(*known)[k], g, alone, g->m->T + 1);
    free(alone);
    return &(*known)[k];
}
