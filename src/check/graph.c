/* check/graph.c - the policy nodes of L-updates policies, and classes of the histories that come to them.
 *
 * For t <= L a node is <t, s, kappa>, kappa the environments that are consistent with what was seen; after L it is (t, s | b), b the node at L that was
 * passed. Under an action, environments part before L by successor and observed reward, after L by successor alone. Actions of a node that pay and lead the
 * same in every environment of its set are one option (twins).
 *
 * A history h has the likelihood w_h(k) = product of P(s'|s,a;k). Histories of one node with proportional w have the same future for any sum over
 * environments, so they are one class, kept with its largest weight 1; an arc says how the weights of the class that follows must be scaled. From time `reveal`
 * on a class is parted into one for each environment: what a policy is worth that is told the environment is no less. Under --interval weights are known between
 * two doubles; classes that lie in one cell of a fine grid are one, between the least and the largest of their weights.
 */
#include "check/check.h"

/* Cells of that grid to 1, and where they begin, so that no simple number is at an end of one. */
static const double CELLS = 0x1p40, SHIFT = 0.3789;

/* ---- nodes ---- */

static size_t place_of(node_graph *g, int t, int s, int boundary, const uint64_t *set, bool add)
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
    size_t n = place_of(g, t, s, boundary, set, false);
    return n < g->nodes ? (int)n : -1;
}

/* The node that `group` comes to, made if new; after L the group joins its set. */
static int come_to(node_graph *g, int t, int s, int boundary, const uint64_t *group)
{
    size_t n = place_of(g, t, s, boundary, group, true);
    if (n >= INT_MAX) unreadable("too many policy nodes");
    if (n == g->nodes) {
        g->node = grown(g->node, g->nodes++, sizeof *g->node);
        g->node[n] = (node){t, s, t < g->L ? -1 : t == g->L ? (int)n : boundary, zeroed(g->words, sizeof(uint64_t)), 0, 0};
    }
    for (size_t w = 0; w < g->words; w++) g->node[n].set[w] |= group[w];
    return (int)n;
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
                group[j / 64] |= UINT64_C(1) << (j % 64);
            }
            if (least < k) continue;
            int child = come_to(g, from.t + 1, m->next[o], from.boundary, group);
            g->edge = grown(g->edge, g->edges, sizeof *g->edge);
            size_t at = g->edges++;
            for (; at > first && g->node[g->edge[at - 1]].s > m->next[o]; at--) g->edge[at] = g->edge[at - 1];
            g->edge[at] = child;
        }
    }
    free(group);
}

/* Do actions a and b of a node pay every environment of the set the same, lead to the same successors as likely, and tell as much? */
static bool twins(const node_graph *g, const node *n, int a, int b)
{
    const model *m = g->m;
    for (int k = 0; k < m->K; k++) {
        if (!in(n->set, k)) continue;
        size_t x = m->start[cell(m, k, n->s, a)], y = m->start[cell(m, k, n->s, b)], count = m->start[cell(m, k, n->s, a) + 1] - x;
        if (m->start[cell(m, k, n->s, b) + 1] - y != count ||
            !mpq_equal(m->pay.q[cell(m, k, n->s, a)], m->pay.q[cell(m, k, n->s, b)]))
            return false;
        for (size_t i = 0; i < count; i++) {
            if (m->next[x + i] != m->next[y + i] || !mpq_equal(m->prob.q[x + i], m->prob.q[y + i])) return false;
            for (int j = 0; j < k; j++)
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
    while (o < n->option + (size_t)n->options && !twins(g, n, a, g->action[o])) o++;
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
    for (int k = 0; k < m->K; k++) all[k / 64] |= UINT64_C(1) << (k % 64);
    (void)come_to(g, 0, m->s0, -1, all);
    for (int t = 0; t < m->T; t++) {
        g->layer[t + 1] = g->nodes;
        for (size_t n = g->layer[t]; n < g->layer[t + 1]; n++) expand(g, (int)n);
    }
    g->layer[m->T + 1] = g->nodes;
    free(all);
}

/* ---- classes ---- */

/* What is known of a class before it is: environments and weights; and the table of its layer. */
typedef struct made {
    int count, *env;
    numbers weight, factor; /* factor: [1] the largest weight */
    key_table known;
    unsigned char *key;
    size_t room;
} made;

static void add_key(made *x, size_t *used, const void *bytes, size_t count)
{
    if (*used + count > x->room && !(x->key = realloc(x->key, x->room = 2 * (*used + count)))) unreadable("out of memory");
    memcpy(x->key + *used, bytes, count);
    *used += count;
}

/* Divides weights [from, to) by the largest, x->factor, and names the class of node n. */
static size_t name_class(made *x, int n, int from, int to)
{
    size_t used = 0;
    numbers w = x->weight;
    int largest = from;
    add_key(x, &used, &n, sizeof n);
    for (int i = from + 1; i < to; i++)
        if (compare(w, (size_t)i, w, (size_t)largest) > 0) largest = i;
    if (w.q)
        put(x->factor, 0, w.q[largest]);
    else
        x->factor.end[DOWN][0] = x->factor.end[UP][0] = w.end[UP][largest];
    for (int i = from; i < to; i++) {
        double *low = &w.end[DOWN][i], *high = &w.end[UP][i];
        add_key(x, &used, &x->env[i], sizeof *x->env);
        if (w.q) {
            mpq_div(w.q[i], w.q[i], x->factor.q[0]);
            for (int part = 0; part < 2; part++) {
                mpz_srcptr z = part ? mpq_denref(w.q[i]) : mpq_numref(w.q[i]);
                size_t limbs = mpz_size(z);
                add_key(x, &used, &limbs, sizeof limbs);
                add_key(x, &used, mpz_limbs_read(z), limbs * sizeof(mp_limb_t));
            }
        } else {
            *low = -(-*low / x->factor.end[UP][0]); /* doubles are rounded upwards here */
            *high = *high / x->factor.end[UP][0];
            double at = floor(*high * CELLS + SHIFT);
            add_key(x, &used, &at, sizeof at);
        }
    }
    return key_number(&x->known, x->key, used, true);
}

/* The class of node n with weights [from, to), made if new; and an arc to it. */
static void arc_to(rung *r, made *x, int n, int from, int to)
{
    size_t base = r->layer[r->g->node[n].t], c = base + name_class(x, n, from, to);
    bool new = c == r->classes;
    if (c >= INT_MAX) unreadable("too many likelihood classes");
    if (new) {
        r->node = grown(r->node, r->classes, sizeof *r->node);
        r->weight_start = grown(r->weight_start, ++r->classes, sizeof *r->weight_start);
        r->node[c] = n;
    }
    for (int i = from; i < to; i++) {
        size_t at = new ? r->weights : r->weight_start[c] + (size_t)(i - from);
        if (new) {
            r->env = grown(r->env, at, sizeof *r->env);
            numbers_room(&r->weight, ++r->weights);
            r->env[at] = x->env[i];
            if (x->weight.q) put(r->weight, at, x->weight.q[i]);
            r->weight.end[DOWN][at] = INFINITY;
        }
        if (!x->weight.q) {
            r->weight.end[DOWN][at] = fmin(r->weight.end[DOWN][at], x->weight.end[DOWN][i]);
            r->weight.end[UP][at] = fmax(r->weight.end[UP][at], x->weight.end[UP][i]);
        }
    }
    r->weight_start[r->classes] = r->weights;
    if (r->g->node[n].t == 0) return;
    r->arc = grown(r->arc, r->arcs, sizeof *r->arc);
    numbers_room(&r->factor, r->arcs + 1);
    if (x->weight.q) put(r->factor, r->arcs, x->factor.q[0]);
    for (int i = DOWN; i <= UP && !x->weight.q; i++) r->factor.end[i][r->arcs] = x->factor.end[i][0];
    r->arc[r->arcs++] = (int)c;
}

/* The arcs of class c under action a along one edge. */
static void follow(rung *r, made *x, size_t c, int a, int child)
{
    const model *m = r->g->m;
    const node *from = &r->g->node[r->node[c]], *to = &r->g->node[child];
    x->count = 0;
    for (size_t i = r->weight_start[c]; i < r->weight_start[c + 1]; i++) {
        ptrdiff_t o = in(to->set, r->env[i]) ? outcome(m, r->env[i], from->s, a, to->s) : -1;
        if (o < 0) continue;
        x->env[x->count] = r->env[i];
        if (x->weight.q) mpq_mul(x->weight.q[x->count], r->weight.q[i], m->prob.q[o]);
        x->weight.end[DOWN][x->count] = -(-r->weight.end[DOWN][i] * m->prob.end[DOWN][o]);
        x->weight.end[UP][x->count++] = r->weight.end[UP][i] * m->prob.end[UP][o];
    }
    bool told = to->t >= r->reveal;
    for (int i = 0; i < (told ? x->count : x->count > 0); i++) arc_to(r, x, child, told ? i : 0, told ? i + 1 : x->count);
}

const rung *rung_known(node_graph *g, int k)
{
    rung **known = &g->known[(in_rationals & VALUES) != 0];
    if (!*known) *known = zeroed((size_t)g->m->K, sizeof **known);
    if (!(*known)[k].g) rung_make(&(*known)[k], g, k, g->m->T + 1);
    return &(*known)[k];
}

void rung_make(rung *r, const node_graph *g, int only, int reveal)
{
    const model *m = g->m;
    made x = {.env = zeroed((size_t)m->K, sizeof *x.env), .weight = numbers_new((size_t)m->K), .factor = numbers_new(1)};
    *r = (rung){.g = g, .reveal = reveal, .layer = zeroed((size_t)m->T + 2, sizeof *r->layer)};
    arithmetic(VALUES, UP);
    r->weight_start = grown(NULL, 0, sizeof *r->weight_start);
    r->slot = grown(NULL, 0, sizeof *r->slot);
    r->arc_start = grown(NULL, 0, sizeof *r->arc_start);
    r->weight_start[0] = r->slot[0] = r->arc_start[0] = 0;
    for (int k = only < 0 ? 0 : only; k < (only < 0 ? m->K : only + 1); k++) {
        x.env[x.count] = k;
        put(x.weight, (size_t)x.count++, m->one.q[0]);
    }
    arc_to(r, &x, 0, 0, x.count);
    for (int t = 0; t <= m->T; t++) {
        r->layer[t + 1] = r->classes;
        free(x.known.slot);
        free(x.known.hash);
        free(x.known.start);
        free(x.known.byte);
        x.known = (key_table){0};
        for (size_t c = r->layer[t]; c < r->layer[t + 1]; c++) {
            const node *n = &g->node[r->node[c]];
            for (size_t o = n->option; o < n->option + (size_t)n->options; o++) {
                for (size_t e = g->edge_start[o]; e < g->edge_start[o + 1]; e++) follow(r, &x, c, g->action[o], g->edge[e]);
                r->arc_start = grown(r->arc_start, ++r->slots, sizeof *r->arc_start);
                r->arc_start[r->slots] = r->arcs;
            }
            r->slot = grown(r->slot, c + 1, sizeof *r->slot);
            r->slot[c + 1] = r->slots;
        }
    }
    arithmetic_end();
}
