/* plan/node/tree.c - see tree.h. O(1) to make a node, O(columns) to free one. */
#include "plan/node/tree.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"

vouch_status tree_node_new(tree_node *parent, const decision *made, double bound, tree_node **out)
{
    tree_node *n = *out = MEM_ZERO(tree_node, 1);
    if (!n) return VOUCH_ERROR_MEMORY;
    n->made = *made;
    n->bound = bound;
    n->pure = -1;
    n->parent = parent;
    if (!parent) return VOUCH_OK;
    CHECK_COMPARE(bound, >=, parent->bound);
    CHECK(made->node >= 0 && (made->option >= 0 || !isnan(made->threshold)));
    n->depth = parent->depth + 1;
    MEM_COPY(n->source, parent->source, SOURCES);
    n->pairs = parent->pairs;
    n->hardest = parent->hardest;
    n->tries = parent->tries;
    if (n->tries.rest > 0) n->tries.rest--;
    parent->children++;
    return VOUCH_OK;
}

vouch_status tree_node_fix(tree_node *n, const int option[], int count)
{
    if (count == 0) return VOUCH_OK;
    if (MEM_RESIZE(&n->fixed, (size_t)(n->fixed_count + count))) return VOUCH_ERROR_MEMORY;
    MEM_COPY(n->fixed + n->fixed_count, option, count);
    n->fixed_count += count;
    return VOUCH_OK;
}

const tree_node *tree_node_heir(const tree_node *n)
{
    const tree_node *from = n->parent;
    while (from && !from->multipliers) from = from->parent;
    return from;
}

void tree_node_forget(tree_node *n)
{
    for (int i = 0; i < n->count; i++) column_release(n->columns[i]);
    mem_free(n->columns);
    mem_free(n->multipliers);
    n->columns = NULL;
    n->multipliers = NULL;
    n->count = 0;
}

void tree_node_release(tree_node *n)
{
    while (n && n->children == 0) {
        tree_node *parent = n->parent;
        CHECK(!parent || parent->children > 0);
        tree_node_forget(n);
        mem_free(n->fixed);
        mem_free(n);
        if (!parent) return;
        parent->children--;
        n = parent;
    }
}

bool tree_node_before(const void *unused, const void *first, const void *second)
{
    const tree_node *a = first, *b = second;
    (void)unused;
    if (a->bound != b->bound) return a->bound < b->bound;
    if (a->depth != b->depth) return a->depth > b->depth;
    return a->id < b->id;
}
