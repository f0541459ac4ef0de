/* plan/groups/colour.c - see colour.h.
 *
 * Depth first: the environment with the fewest groups open to it comes next (D. Brelaz, New methods to color the vertices of a
 * graph, Communications of the ACM 22, 1979), into the group first whose pairs with it are least regretted; of empty groups only
 * the first is tried. A forbidden set closes a group to its last environment when the others are in. Cost: O(K sets) a node.
 */
#include "base/bits.h"
#include "plan/groups/colour.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static const long long MOST_NODES = 200000;

typedef struct painter {
    const subsets *s;
    int K, policies, words;
    int *forbidden, count; /* owned: numbers of the minimal forbidden sets */
    double *pair;          /* owned, [K * K] least rho known of two together */
    uint64_t *in;          /* owned, [policies * words] who is in each group */
    int *colour;
    int used;
    long long nodes;
    bool *needed; /* [sets] NULL: nobody asks */
} painter;

/* The forbidden set that environment k would complete in group g, which is used then; -1: none. */
static int closing(const painter *p, int k, int g)
{
    const uint64_t *in = p->in + (size_t)g * (size_t)p->words;
    for (int i = 0; i < p->count; i++) {
        const uint64_t *set = intern_key(&p->s->sets, p->forbidden[i]);
        if (!bits_has(set, k)) continue;
        bool others = true;
        for (int w = 0; w < p->words && others; w++) {
            uint64_t rest = set[w];
            if (w == k / 64) rest &= ~(UINT64_C(1) << (k % 64));
            others = !(rest & ~in[w]);
        }
        if (others) return p->forbidden[i];
    }
    return -1;
}

static bool closed(const painter *p, int k, int g) { return closing(p, k, g) >= 0; }

/* Notes why group g is closed to environment k, if it is. */
static bool note_closed(const painter *p, int k, int g)
{
    int set = closing(p, k, g);
    if (set >= 0 && p->needed) p->needed[set] = true;
    return set >= 0;
}

/* Groups that are worth trying: those in use, and one empty one. */
static int groups_open(const painter *p) { return p->used < p->policies ? p->used + 1 : p->policies; }

/* The uncoloured environment with the fewest open groups; -1: all are coloured. *open: how many it has. */
static int choose(const painter *p, int *open)
{
    int best = -1;
    *open = p->policies + 1;
    for (int k = 0; k<p->K && * open> 0; k++) {
        if (p->colour[k] >= 0) continue;
        int n = 0;
        for (int g = 0; g < groups_open(p); g++) n += !closed(p, k, g);
        if (n < *open) {
            *open = n;
            best = k;
        }
    }
    return best;
}

static double regret_beside(const painter *p, int k, int g)
{
    double most = 0;
    const uint64_t *in = p->in + (size_t)g * (size_t)p->words;
    for (int j = 0; j < p->K; j++)
        if (bits_has(in, j)) most = fmax(most, p->pair[(size_t)k * (size_t)p->K + (size_t)j]);
    return most;
}

static colouring paint(painter *p)
{
    int open, k = choose(p, &open);
    if (k < 0) return COLOURED;
    for (int g = 0; g < groups_open(p) && open == 0; g++) note_closed(p, k, g);
    if (open == 0) return NOT_COLOURABLE;
    if (++p->nodes > MOST_NODES) return COLOUR_UNKNOWN;
    int groups = groups_open(p);
    double after = -1; /* groups are tried in the order of (regret beside, number), each after the one before */
    int last = -1;
    for (int tried = 0; tried < groups; tried++) {
        int g = -1;
        double least = INFINITY;
        for (int i = 0; i < groups; i++) {
            double r = regret_beside(p, k, i);
            bool later = r > after || (r == after && i > last);
            if (later && (g < 0 || r < least)) {
                g = i;
                least = r;
            }
        }
        if (g < 0) break;
        after = least;
        last = g;
        if (note_closed(p, k, g)) continue;
        bool fresh = g == p->used;
        uint64_t *in = p->in + (size_t)g * (size_t)p->words;
        bits_add(in, k);
        p->colour[k] = g;
        p->used += fresh;
        colouring c = paint(p);
        if (c != NOT_COLOURABLE) return c;
        bits_remove(in, k);
        p->colour[k] = -1;
        p->used -= fresh;
    }
    return NOT_COLOURABLE;
}

/* Collects the minimal forbidden sets. */
static int collect(painter *p, double least)
{
    const subsets *s = p->s;
    p->forbidden = MEM_NEW(int, s->sets.count + 1);
    p->pair = MEM_ZERO(double, (size_t)p->K *(size_t)p->K);
    p->in = MEM_ZERO(uint64_t, (size_t)p->policies * (size_t)p->words);
    if (!p->forbidden || !p->pair || !p->in) return -1;
    for (int i = 0; i < s->sets.count; i++) {
        const uint64_t *set = intern_key(&s->sets, i);
        int size = bits_count(set, s->words);
        if (size == 2) {
            int first = 0;
            while (!bits_has(set, first)) first++;
            int second = first + 1;
            while (!bits_has(set, second)) second++;
            p->pair[(size_t)first * (size_t)p->K + (size_t)second] = p->pair[(size_t)second * (size_t)p->K + (size_t)first] =
                s->item[i].low;
        }
        if (!(s->item[i].low >= least)) continue;
        bool minimal = true;
        for (int j = 0; j < s->sets.count && minimal && size > 2; j++) {
            if (j == i || !(s->item[j].low >= least)) continue;
            minimal = !bits_within(intern_key(&s->sets, j), set, s->words);
        }
        if (minimal) p->forbidden[p->count++] = i;
    }
    return 0;
}

/* Numbers groups by their first environment. */
static void order(painter *p, int number[])
{
    int next = 0;
    for (int g = 0; g < p->policies; g++) number[g] = -1;
    for (int k = 0; k < p->K; k++) {
        if (number[p->colour[k]] < 0) number[p->colour[k]] = next++;
        p->colour[k] = number[p->colour[k]];
    }
}

colouring colour_groups(const subsets *s, int policies, double least, int colour[], int *failed, bool used[])
{
    painter p = {
        .s = s, .K = s->K, .policies = policies < s->K ? policies : s->K, .words = s->words, .colour = colour, .needed = used};
    colouring c = COLOUR_UNKNOWN;
    int *number = MEM_NEW(int, p.policies);
    *failed = !number || collect(&p, least) ? -1 : 0;
    for (int k = 0; k < s->K; k++) colour[k] = -1;
    if (!*failed) c = paint(&p);
    if (c == COLOURED) order(&p, number);
    mem_free(number);
    mem_free(p.forbidden);
    mem_free(p.pair);
    mem_free(p.in);
    return c;
}
