/* plan/bnb/bound.c - see bound.h. */
#include "plan/bnb/bound.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"

void bound_ends(node_result *result, const tree_node *n, vouch_node_end end)
{
    result->cut = fmin(result->cut, n->bound);
    result->end = end;
}

void bound_start(node_solver *s, const tree_node *n, node_result *result)
{
    const tree_node *parent = n->parent;
    node_restrict(s, n);
    if (parent) {
        CHECK(parent->multipliers);
        MEM_COPY(s->colgen->lambda, parent->multipliers, 3 * s->colgen->space->K); /* with nu and mu */
    }
    result->status = colgen_start(s->colgen, parent ? parent->columns : NULL, parent ? parent->count : 0);
}

/* Mixtures of class policies, by column generation. */
static bound_state by_mixture(node_solver *s, tree_node *n, double patience, node_result *result)
{
    colgen_end end;
    result->status = colgen_solve(s->colgen, node_cutoff(s), patience, &s->options->limit, &end);
    if (result->status) return BOUND_ENDED;
    n->bound = fmax(n->bound, s->colgen->bound);
    node_check(s, end == COLGEN_INFEASIBLE ? INFINITY : n->bound);
    switch (end) {
    case COLGEN_SOLVED:
        return BOUND_MET;
    case COLGEN_STALLED:
        return BOUND_OPEN;
    case COLGEN_CUT:
        bound_ends(result, n, VOUCH_NODE_BOUND);
        break;
    case COLGEN_INFEASIBLE:
        result->end = VOUCH_NODE_INFEASIBLE;
        break;
    case COLGEN_LIMIT:
        result->limit = true;
        result->end = VOUCH_NODE_LIMIT;
        break;
    }
    return BOUND_ENDED;
}

bound_state bound_node(node_solver *s, tree_node *n, double patience, node_result *result)
{
    return by_mixture(s, n, patience, result);
}
