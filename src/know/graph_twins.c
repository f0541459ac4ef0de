/* know/graph_twins.c - equivalent choices of one policy node. Choices with the same hash are compared: it covers their children,
 * and rewards and successors of some members of the set, more members for more choices. Cost: linear in edges times members, and
 * one comparison for each pair of equal hashes; quadratic in a node's choices only if they differ outside the hash.
 */
#include "know/graph.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"

enum {
    HASHED_MEMBERS = 4, /* of a node's set, at least, and .. */
    CHOICES_HASHED = 4, /* .. one more for this number of choices of the node */
    FEW_CHOICES = 8     /* of a node, which are compared one by one */
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

/* Equal numbers give equal words: 0 and -0 do. */
static uint64_t word_of(double x)
{
    uint64_t word;
    x += 0.0;
    memcpy(&word, &x, sizeof word);
    return word;
}

/* Of this many members, evenly. */
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

/* Do choices c and d lead every environment of the set to the same children with the same probability and reward? */
static bool same_effect(const know_graph *g, int set, int c, int d)
{
    int n = g->edge_start[c + 1] - g->edge_start[c];
    if (n != g->edge_start[d + 1] - g->edge_start[d]) return false;
    const int *env = g->member + g->member_start[set];
    int count = know_set_size(g, set), K = g->K;
    for (int i = 0; i < count; i++) {
        size_t k = (size_t)env[i];
        const double *given = g->m->scale.clamped ? g->m->env[k].given : NULL; /* numbers that a proof distinguishes */
        int p = g->choice_pair[c], q = g->choice_pair[d];
        if (g->reward[(size_t)p * (size_t)K + k] != g->reward[(size_t)q * (size_t)K + k] || (given && given[p] != given[q]))
            return false;
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
    return true;
}

/* The choice of node n that c is the same as, among those before it that have none: of these bucket holds the newest. c: there is
 * none. *work: numbers that were compared. */
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

/* Of node n, whose choices are few enough for the arrays; false: the time is over. */
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

vouch_status know_find_twins(know_graph *g, const deadline *time)
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
    mem_free(x.head);
    mem_free(x.next);
    mem_free(x.hash);
    return !made ? VOUCH_ERROR_MEMORY : over ? VOUCH_ERROR_SIZE : VOUCH_OK;
}
