/* plan/heuristic/lift.c - walks both graphs at once, in the order of time, along the choices of the policy.
 *
 * origin[n] is the node of `from` whose choice node n of `to` takes over. An edge of `to` (successor row, child) belongs to the
 * edge of `from` with the same row and, while both nodes hold all that is known, the same set of environments. Where a node has
 * an origin already and another one comes to it, the first stays and the policy is not whole, unless both do the same from there
 * on, which is not looked at. O(edges of the policy).
 */
#include "plan/heuristic/lift.h"

#include "base/check.h"
#include "base/memory.h"
#include "plan/heuristic/local_search.h"

static const int PASSES = 20; /* slice passes per offered policy */

typedef struct walk {
    const know_graph *from, *to;
    const int *policy; /* [nodes of from] */
    int *pick, *origin;
    bool whole;
} walk;

static bool same_set(const know_graph *a, int n, const know_graph *b, int m)
{
    return memcmp(intern_key(&a->sets, a->set[n]), intern_key(&b->sets, b->set[m]), (size_t)a->sets.words * sizeof(uint64_t)) == 0;
}

/* The choice of node n with this pair, or -1. */
static int choice_of(const know_graph *g, int n, int pair)
{
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
        if (g->choice_pair[c] == pair) return c;
    return -1;
}

/* Where choice c of `from` leads when edge e of `to`, to a node of time t, is taken. -1: nowhere. */
static int child_of(const walk *w, int c, int e, int t)
{
    const know_graph *h = w->from, *g = w->to;
    for (int i = h->edge_start[c]; i < h->edge_start[c + 1]; i++)
        if (h->edge_row[i] == g->edge_row[e] && (t > h->L || same_set(h, h->edge_child[i], g, g->edge_child[e])))
            return h->edge_child[i];
    return -1;
}

static void follow(walk *w, int n, int t)
{
    const know_graph *h = w->from, *g = w->to;
    int c = w->policy[w->origin[n]];
    int mine = c < 0 ? -1 : choice_of(g, n, h->choice_pair[c]);
    w->whole &= mine >= 0;
    if (mine < 0) return;
    w->pick[n] = g->choice_twin[mine];
    for (int e = g->edge_start[mine]; e < g->edge_start[mine + 1]; e++) {
        int child = g->edge_child[e], origin = child_of(w, c, e, t + 1);
        if (origin < 0) continue; /* no history leads there: after L sets are unions over histories */
        if (w->origin[child] < 0) w->origin[child] = origin;
        w->whole &= w->origin[child] == origin;
    }
}

vouch_status lift_policy(const know_graph *from, const int policy[], const know_graph *to, int pick[], bool *whole)
{
    CHECK(from->L <= to->L && from->m == to->m);
    walk w = {.from = from, .to = to, .policy = policy, .pick = pick, .whole = true, .origin = MEM_NEW(int, to->nodes)};
    if (!w.origin) return VOUCH_ERROR_MEMORY;
    for (int n = 0; n < to->nodes; n++) w.pick[n] = w.origin[n] = -1;
    w.origin[0] = 0;
    for (int t = 0; t < to->T; t++)
        for (int n = to->time_start[t]; n < to->time_start[t + 1]; n++)
            if (w.origin[n] >= 0) follow(&w, n, t);
    mem_free(w.origin);
    *whole = w.whole;
    return VOUCH_OK;
}

vouch_status lift_offer(incumbent *inc, const incumbent *from, bool *whole)
{
    bool same = false;
    CHECK(from->found);
    vouch_status status = lift_policy(from->space->g, from->best, inc->space->g, inc->pick, &same);
    if (!status) local_search_offer(inc, inc->pick, PASSES);
    if (whole) *whole = same;
    return status;
}
