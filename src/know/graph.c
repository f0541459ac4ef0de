/* know/graph.c - builds the policy nodes layer by layer, breadth first.
 *
 * One layer: for each node, pair and successor s' the environments of the node's set with P(s'|s,a;k) > 0 are grouped, before L by
 * the observed reward, after L not at all; each group is an edge to the child keyed (s', group) before or at L, (s', boundary)
 * after. After L several parents may bring different environments to one child: its set is their union. */
#include "know/graph.h"

#include <limits.h>
#include <math.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"

typedef struct builder {
    know_graph *g;
    const know_limits *limits;
    int words;          /* of an environment set */
    int *row_start;     /* [pairs + 1] rows of successor_prob */
    int *row_next;      /* [rows] successor state */
    int *row_seen;      /* [rows * K] observation of the reward where the probability is positive */
    uint64_t *row_bits; /* [rows * words] the environments where it is */
    size_t node_capacity, boundary_capacity, set_capacity, start_capacity;
    size_t pair_capacity, edge_start_capacity, child_capacity, row_capacity;
    intern layer;   /* (state, set) or (state, boundary) of the layer being made */
    int *offer;     /* [A] pairs of the node being expanded */
    int *known;     /* [S] L = 0, where the boundary is always the root: node of the state in that layer, from 1; 0: none yet */
    uint64_t *bits; /* [layer nodes * words] after L: union of the arriving sets */
    size_t bits_capacity;
    uint64_t *group;  /* [words] */
    work_clock clock; /* counts sums */
} builder;

/* For each pair the union of its successors over the environments, with their probabilities and rewards. */
static vouch_status unite_successors(builder *b)
{
    know_graph *g = b->g;
    const vouch_model *m = g->m;
    int K = m->K;
    long long upper = 0;
    for (int k = 0; k < K; k++) upper += m->env[k].start[m->pairs];
    int *column = MEM_NEW(int, m->S); /* row of successor s for the current pair, or -1 */
    b->row_start = MEM_NEW(int, m->pairs + 1);
    b->row_next = MEM_NEW(int, upper);
    if (!column || !b->row_start || !b->row_next) {
        mem_free(column);
        return VOUCH_ERROR_MEMORY;
    }
    for (int s = 0; s < m->S; s++) column[s] = -1;
    int rows = 0;
    bool over = false;
    for (int q = 0; q < m->pairs && !over; q++) { /* successors ascending: mark, then gather by a merge of sorted lists */
        int first = rows;
        long long work = K;
        b->row_start[q] = first;
        for (int k = 0; k < K; k++)
            for (int o = m->env[k].start[q]; o < m->env[k].start[q + 1]; o++) {
                int s = m->env[k].next[o];
                if (column[s] >= 0) continue;
                column[s] = 1;
                int at = rows++;
                for (; at > first && b->row_next[at - 1] > s; at--) b->row_next[at] = b->row_next[at - 1];
                b->row_next[at] = s;
                work += rows - at;
            }
        for (int r = first; r < rows; r++) column[b->row_next[r]] = -1;
        over = clock_late(&b->clock, work);
    }
    b->row_start[m->pairs] = rows;
    if (over) {
        mem_free(column);
        return VOUCH_ERROR_SIZE;
    }
    g->successor_prob = MEM_ZERO(double, (size_t)rows *(size_t)K);
    b->row_seen = MEM_ZERO(int, (size_t)rows *(size_t)K);
    b->row_bits = MEM_ZERO(uint64_t, (size_t)rows * (size_t)b->words);
    g->reward = MEM_NEW(double, (size_t)m->pairs *(size_t)K);
    if (!g->successor_prob || !b->row_seen || !b->row_bits || !g->reward) {
        mem_free(column);
        return VOUCH_ERROR_MEMORY;
    }
    for (int q = 0; q < m->pairs && !over; q++) {
        for (int r = b->row_start[q]; r < b->row_start[q + 1]; r++) column[b->row_next[r]] = r;
        for (int k = 0; k < K; k++) {
            const mdp *e = &m->env[k];
            g->reward[(size_t)q * (size_t)K + (size_t)k] = e->expected[q];
            for (int o = e->start[q]; o < e->start[q + 1]; o++) {
                size_t row = (size_t)column[e->next[o]], at = row * (size_t)K + (size_t)k;
                if (e->prob[o] > 0) bits_add(b->row_bits + row * (size_t)b->words, k);
                g->successor_prob[at] = e->prob[o];
                b->row_seen[at] = e->seen[o];
            }
        }
        for (int r = b->row_start[q]; r < b->row_start[q + 1]; r++) column[b->row_next[r]] = -1;
        over = clock_late(&b->clock, (long long)(b->row_start[q + 1] - b->row_start[q] + 1) * K);
    }
    mem_free(column);
    return over ? VOUCH_ERROR_SIZE : VOUCH_OK;
}

static int add_node(builder *b, int state, int boundary, int set)
{
    know_graph *g = b->g;
    size_t n = (size_t)g->nodes;
    if (MEM_RESERVE(&g->state, &b->node_capacity, n) || MEM_RESERVE(&g->boundary, &b->boundary_capacity, n) ||
        MEM_RESERVE(&g->set, &b->set_capacity, n))
        return -1;
    g->state[n] = state;
    g->boundary[n] = boundary;
    g->set[n] = set;
    return g->nodes++;
}

/* The child of an edge, made if new. key: (state, set) up to L, (state, boundary) after. */
static int child_node(builder *b, int time, int state, int boundary, const uint64_t *group)
{
    know_graph *g = b->g;
    int set = -1;
    if (time <= g->L) {
        set = intern_add(&g->sets, group, NULL);
        if (set < 0) return -1;
    }
    uint64_t key[2] = {(uint64_t)state, (uint64_t)(time <= g->L ? set : boundary)};
    bool fresh = g->L == 0 && b->known[state] == 0;
    int local = g->L > 0 ? intern_add(&b->layer, key, &fresh) : fresh ? g->nodes - g->time_start[time] : b->known[state] - 1;
    if (local < 0) return -1;
    if (g->L == 0) b->known[state] = local + 1;
    int node = g->time_start[time] + local;
    if (fresh && add_node(b, state, time < g->L ? -1 : (time == g->L ? node : boundary), set) < 0) return -1;
    if (time > g->L) {
        size_t words = (size_t)b->words;
        if (fresh) {
            if (mem_reserve((void **)&b->bits, &b->bits_capacity, (size_t)local, words * 8)) return -1;
            memset(b->bits + (size_t)local * words, 0, words * 8);
        }
        for (size_t w = 0; w < words; w++) b->bits[(size_t)local * words + w] |= group[w];
    }
    return node;
}

static int add_edge(builder *b, int child, int row)
{
    know_graph *g = b->g;
    size_t e = (size_t)g->edges;
    if (MEM_RESERVE(&g->edge_child, &b->child_capacity, e) || MEM_RESERVE(&g->edge_row, &b->row_capacity, e)) return -1;
    g->edge_child[e] = child;
    g->edge_row[e] = row;
    g->edges++;
    return 0;
}

/* Edges of one successor row: a child for each group of environments of `set`. */
static int link_successor(builder *b, int time, int boundary, int set, int row)
{
    know_graph *g = b->g;
    const uint64_t *in = intern_key(&g->sets, set);
    size_t words = (size_t)b->words;
    const double *prob = g->successor_prob + (size_t)row * (size_t)g->K;
    const int *seen = b->row_seen + (size_t)row * (size_t)g->K;
    int state = b->row_next[row];
    if (time >= g->L) { /* one group */
        const uint64_t *positive = b->row_bits + (size_t)row * words;
        bool any = bits_common(in, positive, b->words, b->group);
        int child = any ? child_node(b, time + 1, state, boundary, b->group) : 0;
        return child < 0 || (any && add_edge(b, child, row)) ? -1 : 0;
    }
    uint64_t *taken = b->group + words; /* environments already in some group */
    memset(taken, 0, words * 8);
    for (int k = 0; k < g->K; k++) {
        in = intern_key(&g->sets, set); /* child_node may move the keys */
        if (!bits_has(in, k) || prob[k] <= 0 || bits_has(taken, k)) continue;
        memset(b->group, 0, words * 8);
        for (int i = k; i < g->K; i++) {
            if (!bits_has(in, i) || prob[i] <= 0 || bits_has(taken, i)) continue;
            if (seen[k] != seen[i]) continue;
            bits_add(b->group, i);
            bits_add(taken, i);
        }
        int child = child_node(b, time + 1, state, boundary, b->group);
        if (child < 0 || add_edge(b, child, row)) return -1;
    }
    return 0;
}

/* Writes the pairs of node n's choices into b->offer, ascending: all of its state or, before L, as restricted by the limits. */
static int offer_pairs(builder *b, int time, int n)
{
    const know_graph *g = b->g;
    const know_offer *offer = b->limits->offer;
    int first = g->m->pair_start[g->state[n]], count = g->m->pair_start[g->state[n] + 1] - first;
    if (offer && time < g->L && clock_late(&b->clock, (long long)count * g->K)) return -1;
    if (offer && time < g->L) return offer->pairs(offer->context, time, g->state[n], intern_key(&g->sets, g->set[n]), b->offer);
    for (int i = 0; i < count; i++) b->offer[i] = first + i;
    return count;
}

static vouch_status expand_layer(builder *b, int time)
{
    know_graph *g = b->g;
    const vouch_model *m = g->m;
    intern_clear(&b->layer);
    memset(b->known, 0, (size_t)m->S * sizeof *b->known);
    g->time_start[time + 1] = g->nodes;
    for (int n = g->time_start[time]; n < g->time_start[time + 1]; n++) {
        if (MEM_RESERVE(&g->choice_start, &b->start_capacity, n + 1)) return VOUCH_ERROR_MEMORY;
        g->choice_start[n] = g->choices;
        int offered = offer_pairs(b, time, n);
        if (offered < 0) return VOUCH_ERROR_SIZE;
        for (int i = 0; i < offered; i++) {
            int q = b->offer[i];
            size_t c = (size_t)g->choices;
            if (MEM_RESERVE(&g->choice_pair, &b->pair_capacity, c) || MEM_RESERVE(&g->edge_start, &b->edge_start_capacity, c + 1))
                return VOUCH_ERROR_MEMORY;
            g->choice_pair[c] = q;
            g->edge_start[c] = g->edges;
            g->choices++;
            for (int r = b->row_start[q]; r < b->row_start[q + 1]; r++)
                if (link_successor(b, time, g->boundary[n], g->set[n], r)) return VOUCH_ERROR_MEMORY;
            long long looked = (long long)(b->row_start[q + 1] - b->row_start[q]) * (time < g->L ? g->K : b->words);
            if (clock_late(&b->clock, looked + 1)) return VOUCH_ERROR_SIZE;
            g->edge_start[c + 1] = g->edges;
            if (g->nodes > b->limits->nodes || g->edges > b->limits->edges) return VOUCH_ERROR_SIZE;
        }
        g->choice_start[n + 1] = g->choices;
    }
    if (time + 1 > g->L)
        for (int n = g->time_start[time + 1]; n < g->nodes; n++) {
            int local = n - g->time_start[time + 1];
            g->set[n] = intern_add(&g->sets, b->bits + (size_t)local * (size_t)b->words, NULL);
            if (g->set[n] < 0) return VOUCH_ERROR_MEMORY;
        }
    return VOUCH_OK;
}

/* ---- twins: equivalent choices of a node ------------------------------------------------------------------------------
 *
 * Choices of equal hash are compared. The hash covers children, and rewards and successors of some members of the set, more for
 * more choices. Cost: linear in edges times members, plus a comparison for each pair of equal hashes; quadratic in a node's choices
 * only if they differ outside the hash. */

enum {
    HASHED_MEMBERS = 4, /* of a node's set, at least; */
    CHOICES_HASHED = 4, /* one more for this number of choices of the node */
    FEW_CHOICES = 8     /* are compared without a hash */
};

typedef struct twins {
    know_graph *g;
    work_clock clock;
    int *head;      /* [buckets] newest choice without a twin, from 1 within its node; 0: none */
    int *next;      /* [most choices of a node] older ones of the bucket */
    uint64_t *hash; /* [most choices of a node] */
} twins;

static uint64_t mixed(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

/* Equal numbers give equal words, 0 and -0, too. */
static uint64_t word_of(double x)
{
    uint64_t word;
    x += 0.0;
    memcpy(&word, &x, sizeof word);
    return word;
}

static uint64_t hash_choice(const know_graph *g, int set, int members, int c)
{
    const int *env = g->member + g->member_start[set];
    int count = know_set_size(g, set), step = (count + members - 1) / members;
    size_t K = (size_t)g->K;
    uint64_t h = 0;
    for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++) h = mixed(h, (uint64_t)g->edge_child[e]);
    for (int i = 0; i < count; i += step) {
        size_t k = (size_t)env[i];
        h = mixed(h, word_of(g->reward[(size_t)g->choice_pair[c] * K + k]));
        for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++)
            h = mixed(h, word_of(g->successor_prob[(size_t)g->edge_row[e] * K + k]));
    }
    return h;
}

/* Is the expected reward of pairs p and q the same as given, too, not merely after rescaling? A proof distinguishes them. */
static bool same_pay(const mdp *e, int p, int q)
{
    double paid[2];
    int n = e->start[p + 1] - e->start[p], m = e->start[q + 1] - e->start[q], same = 0;
    const double *one = e->reward + e->start[p], *other = e->reward + e->start[q];
    for (; same < n && same < m && one[same] == other[same]; same++) {
        if (!e->decimal) continue;
        const char *digits = e->decimal[e->start[p] + same], *others = e->decimal[e->start[q] + same];
        if (digits != others && (!digits || !others || strcmp(digits, others) != 0)) return false;
    }
    if (same == n && same == m) return true; /* of equal probabilities */
    for (int i = 0; i < 2; i++) {
        int first = e->start[i ? q : p], last = e->start[(i ? q : p) + 1];
        paid[i] = e->reward[first];
        for (int o = first + 1; o < last; o++) paid[i] += e->prob[o] * (e->reward[o] - e->reward[first]);
    }
    return paid[0] == paid[1];
}

/* Of outcomes of equal nominal probabilities. */
static bool same_limits(const mdp *e, int p, int q)
{
    int n = e->start[p + 1] - e->start[p];
    bool same = n == e->start[q + 1] - e->start[q];
    for (int i = 0; i < n && same; i++)
        same = e->low[e->start[p] + i] == e->low[e->start[q] + i] && e->high[e->start[p] + i] == e->high[e->start[q] + i];
    return same;
}

/* True if choices c and d lead every environment of the set to the same children with the same probability and reward. */
static bool same_effect(const know_graph *g, int set, int c, int d)
{
    int n = g->edge_start[c + 1] - g->edge_start[c];
    if (n != g->edge_start[d + 1] - g->edge_start[d]) return false;
    const int *env = g->member + g->member_start[set];
    int count = know_set_size(g, set), K = g->K;
    for (int i = 0; i < count; i++) {
        size_t k = (size_t)env[i];
        int p = g->choice_pair[c], q = g->choice_pair[d];
        if (g->reward[(size_t)p * (size_t)K + k] != g->reward[(size_t)q * (size_t)K + k]) return false;
    }
    for (int e = 0; e < n; e++) {
        int x = g->edge_start[c] + e, y = g->edge_start[d] + e;
        if (g->edge_child[x] != g->edge_child[y]) return false;
        for (int i = 0; i < count; i++) {
            size_t k = (size_t)env[i];
            if (g->successor_prob[(size_t)g->edge_row[x] * (size_t)K + k] !=
                g->successor_prob[(size_t)g->edge_row[y] * (size_t)K + k])
                return false;
        }
    }
    for (int i = 0; i < count; i++) {
        const mdp *of = &g->m->env[env[i]];
        if (of->given && !same_pay(of, g->choice_pair[c], g->choice_pair[d])) return false;
        if (of->low && !same_limits(of, g->choice_pair[c], g->choice_pair[d])) return false;
    }
    return true;
}

/* The earlier original choice of node n with the effect of c, in this bucket; c: none. *work += numbers compared. */
static int twin_of(const twins *x, int n, int c, int bucket, uint64_t h, long long *work)
{
    const know_graph *g = x->g;
    int first = g->choice_start[n], set = g->set[n];
    for (int i = x->head[bucket]; i > 0; i = x->next[i - 1]) {
        bool alike = x->hash[i - 1] == h;
        *work += alike ? know_set_size(g, set) : 1;
        if (alike && same_effect(g, set, first + i - 1, c)) return first + i - 1;
    }
    return c;
}

/* False: out of time. */
static bool find_at(twins *x, int n)
{
    know_graph *g = x->g;
    int first = g->choice_start[n], count = g->choice_start[n + 1] - first, set = g->set[n], buckets = 1;
    int members = HASHED_MEMBERS + count / CHOICES_HASHED;
    bool few = count <= FEW_CHOICES;
    if (members > know_set_size(g, set)) members = know_set_size(g, set);
    while (!few && buckets < 2 * count) buckets *= 2;
    for (int i = 0; i < buckets; i++) x->head[i] = 0;
    for (int c = first; c < g->choice_start[n + 1]; c++) {
        uint64_t h = few ? 0 : hash_choice(g, set, members, c);
        int bucket = (int)(h & (uint64_t)(buckets - 1));
        long long work = 1 + (few ? 1 : members + 1) * (long long)(g->edge_start[c + 1] - g->edge_start[c]);
        g->choice_twin[c] = twin_of(x, n, c, bucket, h, &work);
        if (clock_late(&x->clock, work)) return false;
        if (g->choice_twin[c] != c) continue;
        x->hash[c - first] = h;
        x->next[c - first] = x->head[bucket];
        x->head[bucket] = c - first + 1;
    }
    return true;
}

static vouch_status find_twins(know_graph *g, const deadline *time)
{
    size_t most = FEW_CHOICES;
    bool over = false;
    g->choice_twin = MEM_NEW(int, g->choices);
    for (int n = 0; n < g->nodes; n++) {
        size_t count = (size_t)(g->choice_start[n + 1] - g->choice_start[n]);
        if (count > most) most = count;
    }
    twins x = {g, {.limit = time}, MEM_NEW(int, 4 * most), MEM_NEW(int, most), MEM_NEW(uint64_t, most)};
    bool made = g->choice_twin && x.head && x.next && x.hash;
    for (int n = 0; n < g->nodes && made && !over; n++) over = !find_at(&x, n);
    MEM_FREE_ALL(x.head, x.next, x.hash);
    return !made ? VOUCH_ERROR_MEMORY : over ? VOUCH_ERROR_SIZE : VOUCH_OK;
}

/* ---- the graph ----------------------------------------------------------------------------------------------- */

static vouch_status list_members(know_graph *g)
{
    size_t total = 0;
    for (int set = 0; set < g->sets.count; set++)
        for (int k = 0; k < g->K; k++) total += know_in_set(g, set, k);
    g->member_start = MEM_NEW(int, g->sets.count + 1);
    g->member = MEM_NEW(int, total);
    if (!g->member_start || !g->member) return VOUCH_ERROR_MEMORY;
    int used = 0;
    for (int set = 0; set < g->sets.count; set++) {
        g->member_start[set] = used;
        for (int k = 0; k < g->K; k++)
            if (know_in_set(g, set, k)) g->member[used++] = k;
    }
    g->member_start[g->sets.count] = used;
    return VOUCH_OK;
}

static vouch_status build(builder *b)
{
    know_graph *g = b->g;
    const vouch_model *m = g->m;
    vouch_status status = unite_successors(b);
    if (status) return status;
    memset(b->group, 0, (size_t)b->words * 8);
    for (int k = 0; k < g->K; k++) bits_add(b->group, k);
    int all = intern_add(&g->sets, b->group, NULL);
    if (all < 0 || add_node(b, m->s0, g->L == 0 ? 0 : -1, all) < 0) return VOUCH_ERROR_MEMORY;
    for (int t = 0; t < g->T; t++) {
        status = expand_layer(b, t);
        if (status) return status;
    }
    g->time_start[g->T + 1] = g->nodes;
    if (MEM_RESIZE(&g->choice_start, (size_t)g->nodes + 1)) return VOUCH_ERROR_MEMORY;
    for (int n = g->time_start[g->T]; n <= g->nodes; n++) g->choice_start[n] = g->choices;
    status = list_members(g);
    return status ? status : find_twins(g, b->limits->time);
}

static void graph_check(const know_graph *g)
{
    if (!CHECKING) return;
    CHECK(g->time_start[0] == 0 && g->time_start[1] == 1);
    for (int t = 0; t < g->T; t++)
        for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++) {
            CHECK(know_set_size(g, g->set[n]) > 0 && (g->boundary[n] >= 0) == (t >= g->L));
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
                CHECK(g->choice_twin[c] >= g->choice_start[n] && g->choice_twin[c] <= c);
                for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
                    double sum = 0;
                    for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++) {
                        int child = g->edge_child[e], k = g->member[i];
                        CHECK(child >= g->time_start[t + 1] && child < g->time_start[t + 2]);
                        if (know_in_set(g, g->set[child], k))
                            sum += g->successor_prob[(size_t)g->edge_row[e] * (size_t)g->K + (size_t)k];
                    }
                    CHECK_COMPARE(sum, >=, 1 - MODEL_SUM_TOLERANCE);
                }
            }
        }
}

vouch_status know_graph_new(const vouch_model *m, int L, const know_limits *limits, know_graph **graph, vouch_error *error)
{
    *graph = NULL;
    if (L < 0 || L > m->T) return error_set(error, VOUCH_ERROR_ARGUMENT, "L is %d; expected 0 .. %d (the horizon)", L, m->T);
    know_limits no_more_than_int = {.nodes = INT_MAX / 4, .edges = INT_MAX / 4};
    builder b = {
        .limits = limits ? limits : &no_more_than_int, .words = (m->K + 63) / 64, .clock = {.limit = limits ? limits->time : NULL}};
    vouch_status status = VOUCH_ERROR_MEMORY;
    b.g = MEM_ZERO(know_graph, 1);
    if (!b.g) return error_memory(error);
    b.g->m = m;
    b.g->L = L;
    b.g->T = m->T;
    b.g->K = m->K;
    b.g->time_start = MEM_ZERO(int, m->T + 2);
    b.group = MEM_ZERO(uint64_t, 2 * b.words);
    b.known = MEM_NEW(int, m->S);
    b.offer = MEM_NEW(int, m->A);
    if (b.g->time_start && b.group && b.known && b.offer && !intern_init(&b.g->sets, b.words) && !intern_init(&b.layer, 2))
        status = build(&b);
    MEM_FREE_ALL(b.known, b.offer, b.row_start, b.row_next, b.row_seen, b.row_bits, b.bits, b.group);
    intern_free(&b.layer);
    if (status) {
        know_graph_free(b.g);
        if (status == VOUCH_ERROR_SIZE)
            return error_set(
                error, status,
                "the knowledge states of L = %d are too many (more than %lld nodes or %lld edges, or more than there is time for)",
                L, b.limits->nodes, b.limits->edges);
        return error_memory(error);
    }
    graph_check(b.g);
    *graph = b.g;
    return VOUCH_OK;
}

void know_graph_free(know_graph *g)
{
    if (!g) return;
    MEM_FREE_ALL(g->time_start, g->state, g->boundary, g->set, g->choice_start, g->choice_pair, g->choice_twin, g->edge_start,
                 g->edge_child, g->edge_row);
    intern_free(&g->sets);
    MEM_FREE_ALL(g->member_start, g->member, g->successor_prob, g->reward, g);
}

int know_state(const know_graph *g, int node) { return g->m->of_state ? g->m->of_state[g->state[node]] : g->state[node]; }

double know_reward_spread(const know_graph *g)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < (size_t)g->m->pairs * (size_t)g->K; i++) {
        least = fmin(least, g->reward[i]);
        most = fmax(most, g->reward[i]);
    }
    return most > least ? most - least : 0;
}

/* The last index of start [count], ascending, with value at most x. */
static int last_at_most(const int start[], int count, int x)
{
    int low = 0, high = count - 1;
    while (low < high) {
        int mid = low + (high - low + 1) / 2;
        if (start[mid] <= x)
            low = mid;
        else
            high = mid - 1;
    }
    return low;
}

int know_time(const know_graph *g, int node) { return last_at_most(g->time_start, g->T + 1, node); }

int know_owner(const know_graph *g, int choice) { return last_at_most(g->choice_start, g->nodes, choice); }

int know_real_choices(const know_graph *g, int node)
{
    int count = 0;
    for (int c = g->choice_start[node]; c < g->choice_start[node + 1]; c++) count += g->choice_twin[c] == c;
    return count;
}

int know_rank(const know_graph *g, int set, int k)
{
    int i = g->member_start[set];
    while (g->member[i] != k) i++;
    return i - g->member_start[set];
}

int know_find_state(const know_graph *g, int time, int state, const int *env, int count)
{
    if (time < 0 || time > g->T) return -1;
    for (int n = g->time_start[time]; n < g->time_start[time + 1]; n++)
        if (g->state[n] == state && know_set_size(g, g->set[n]) == count &&
            memcmp(g->member + g->member_start[g->set[n]], env, (size_t)count * sizeof(int)) == 0)
            return n;
    return -1;
}

int know_find_boundary(const know_graph *g, int time, int state, int boundary)
{
    if (time < g->L || time > g->T) return -1;
    for (int n = g->time_start[time]; n < g->time_start[time + 1]; n++)
        if (g->state[n] == state && g->boundary[n] == boundary) return n;
    return -1;
}

/* ---- the reported figures of a policy, computed without programs or multipliers -------------------------------------------------
 *
 *     reach(child;k) += reach(n;k) prob(c) P(s'|s,a;k),     U(k) = sum reach prob R,     Pr(k) = sum at T of reach terminal
 *
 * Cost: edges times environments. Nodes are numbered by time, so one pass in order is enough. */

static const double RULE_SUM_TOLERANCE = 1e-9; /* of the probabilities of one rule, read from a file with 17 digits */

static void clear_layer(const know_graph *g, int t, double reach[])
{
    size_t K = (size_t)g->K, first = (size_t)g->time_start[t] * K, last = (size_t)g->time_start[t + 1] * K;
    memset(reach + first, 0, (last - first) * sizeof *reach);
}

int propagate_forward(const know_graph *g, const double prob[], double reach[], double U[], double Pr[])
{
    size_t K = (size_t)g->K;
    int cleared = 0; /* the last layer cleared: just before it is added to, which is cache-friendly */
    for (size_t k = 0; k < K; k++) {
        U[k] = Pr[k] = 0;
        reach[k] = 1;
    }
    for (int n = 0; n < g->time_start[g->T]; n++) {
        if (n == g->time_start[cleared]) clear_layer(g, ++cleared, reach);
        const double *here = reach + (size_t)n * K;
        const int *env = g->member + g->member_start[g->set[n]];
        int count = know_set_size(g, g->set[n]);
        double most = 0, sum = 0;
        for (int i = 0; i < count; i++) most = here[env[i]] > most ? here[env[i]] : most;
        CHECK_COMPARE(most, <=, 1 + MODEL_SUM_TOLERANCE);
        if (most <= 0) continue;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            if (prob[c] <= 0) continue;
            sum += prob[c];
            const double *r = g->reward + (size_t)g->choice_pair[c] * K;
            for (int i = 0; i < count; i++) U[env[i]] += here[env[i]] * prob[c] * r[env[i]];
            for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++) {
                const double *p = g->successor_prob + (size_t)g->edge_row[e] * K;
                int child = g->edge_child[e];
                const int *to = g->member + g->member_start[g->set[child]];
                int to_count = know_set_size(g, g->set[child]);
                double *there = reach + (size_t)child * K;
                if (to_count == g->K) /* always in a Markov policy */
                    for (size_t k = 0; k < K; k++) there[k] += here[k] * prob[c] * p[k];
                else
                    for (int i = 0; i < to_count; i++) there[to[i]] += here[to[i]] * prob[c] * p[to[i]];
            }
        }
        if (!(fabs(sum - 1) <= RULE_SUM_TOLERANCE)) return n;
    }
    for (int n = g->time_start[g->T]; n < g->nodes; n++)
        for (size_t k = 0; k < K; k++) Pr[k] += know_terminal(g, n, (int)k) * reach[(size_t)n * K + k];
    return -1;
}

choice_worth propagate_choice(const know_graph *g, int choice, int k, const double gain[], const double keep[])
{
    size_t K = (size_t)g->K;
    choice_worth w = {g->reward[(size_t)g->choice_pair[choice] * K + (size_t)k], 0};
    for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++) {
        int child = g->edge_child[e];
        double p = g->successor_prob[(size_t)g->edge_row[e] * K + (size_t)k];
        if (p <= 0 || !know_in_set(g, g->set[child], k)) continue;
        w.u += p * gain[(size_t)child * K + (size_t)k];
        w.pr += p * keep[(size_t)child * K + (size_t)k];
    }
    CHECK_COMPARE(w.pr, >=, 0);
    return w;
}

void propagate_worths(const know_graph *g, int choice, int set, const double gain[], const double keep[], double worth[])
{
    size_t K = (size_t)g->K;
    double *u = worth, *pr = worth + K;
    const double *reward = g->reward + (size_t)g->choice_pair[choice] * K;
    const int *env = g->member + g->member_start[set];
    int count = know_set_size(g, set);
    for (int i = 0; i < count; i++) {
        u[env[i]] = reward[env[i]];
        pr[env[i]] = 0;
    }
    for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++) {
        int child = g->edge_child[e];
        bool whole = know_set_size(g, g->set[child]) == g->K;
        const double *prob = g->successor_prob + (size_t)g->edge_row[e] * K, *below = gain + (size_t)child * K,
                     *kept = keep + (size_t)child * K;
        if (whole && count == g->K) { /* always in a Markov policy; without branches */
            for (size_t k = 0; k < K; k++) {
                u[k] += prob[k] * below[k];
                pr[k] += prob[k] * kept[k];
            }
            continue;
        }
        for (int i = 0; i < count; i++) {
            int k = env[i];
            if (prob[k] <= 0 || !(whole || know_in_set(g, g->set[child], k))) continue;
            u[k] += prob[k] * below[k];
            pr[k] += prob[k] * kept[k];
        }
    }
}

void propagate_backward(const know_graph *g, const double prob[], double gain[], double keep[])
{
    size_t K = (size_t)g->K;
    for (int n = g->nodes - 1; n >= 0; n--) {
        double *u = gain + (size_t)n * K, *pr = keep + (size_t)n * K;
        memset(u, 0, K * sizeof *u);
        memset(pr, 0, K * sizeof *pr);
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
            int k = g->member[i];
            if (n >= g->time_start[g->T]) {
                pr[k] = know_terminal(g, n, k);
                continue;
            }
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
                if (prob[c] <= 0) continue;
                choice_worth w = propagate_choice(g, c, k, gain, keep);
                u[k] += prob[c] * w.u;
                pr[k] += prob[c] * w.pr;
            }
        }
    }
}

void propagate_pick(const know_graph *g, const int pick[], double prob[])
{
    memset(prob, 0, (size_t)g->choices * sizeof *prob);
    for (int n = 0; n < g->time_start[g->T]; n++) {
        CHECK(pick[n] < 0 || (pick[n] >= g->choice_start[n] && pick[n] < g->choice_start[n + 1]));
        prob[pick[n] >= 0 ? pick[n] : g->choice_start[n]] = 1;
    }
}
