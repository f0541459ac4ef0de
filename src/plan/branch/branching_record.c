/* plan/branch/branching_record.c - see branching_record.h. O(1) a node, O(choices) a mean. */
#include "plan/branch/branching_record.h"

#include <math.h>

#include "policy/parameters.h"

vouch_status branching_record_new(const know_graph *g, branching_record *r)
{
    *r = (branching_record){.g = g};
    r->share = ARENA_ZERO(&r->memory, double, g->choices);
    r->count = ARENA_ZERO(&r->memory, double, g->choices);
    r->closed = ARENA_ZERO(&r->memory, unsigned char, g->choices);
    r->gained = ARENA_ZERO(&r->memory, double, g->choices);
    r->tried = ARENA_ZERO(&r->memory, double, g->choices);
    r->foreseen = ARENA_ZERO(&r->memory, unsigned char, g->choices);
    return r->memory.failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

void branching_record_clear(branching_record *r) { arena_free(&r->memory); }

void branching_record_note(branching_record *r, const tree_node *n, const node_result *result, double cutoff)
{
    for (int i = 0; i < result->shares; i++) {
        r->gained[result->share[i].option] += result->share[i].share;
        r->tried[result->share[i].option]++;
    }
    if (!n->parent || n->made.option < 0 || result->limit || !isfinite(cutoff)) return;
    double missing = cutoff - n->parent->bound, share = 1;
    if (!(missing > 0)) return;
    if (result->end != VOUCH_NODE_INFEASIBLE) share = fmax(0, fmin(1, (n->bound - n->parent->bound) / missing));
    r->share[n->made.option] += share;
    r->count[n->made.option]++;
    r->all += share;
    r->number++;
}

const unsigned char *branching_record_mean(branching_record *r)
{
    double mean = r->number > 0 ? r->all / r->number : SEARCH.expected;
    for (int c = 0; c < r->g->choices; c++) r->closed[c] = (unsigned char)(255 * (r->share[c] + mean) / (r->count[c] + 1));
    return r->closed;
}

const unsigned char *branching_record_foreseen(branching_record *r)
{
    for (int c = 0; c < r->g->choices; c++)
        r->foreseen[c] = r->tried[c] < SEARCH.reliable ? SHARE_UNKNOWN : (unsigned char)(r->gained[c] / r->tried[c]);
    return r->foreseen;
}
