/* plan/bnb/tree.c - see tree.h. */
#include "plan/bnb/tree.h"

#include "base/memory.h"

option_range options_of(const policy_space *space, int node)
{
    const know_graph *g = space->g;
    const pareto_sets *f = space->f;
    if (!f || node >= g->time_start[g->L + 1] || f->count[node] < 0)
        return (option_range){g->choice_start[node], g->choice_start[node + 1], false};
    int first = g->choices + f->start[node];
    return (option_range){first, first + f->count[node], true};
}

void tree_node_release(tree_node *n)
{
    while (n && n->children == 0) {
        tree_node *parent = n->parent;
        for (int i = 0; i < n->count; i++) column_release(n->columns[i]);
        mem_free(n->columns);
        mem_free(n->multipliers);
        mem_free(n->fixed);
        mem_free(n);
        if (!parent) return;
        parent->children--;
        n = parent;
    }
}

static bool before(const tree_node *a, const tree_node *b)
{
    if (a->bound != b->bound) return a->bound < b->bound;
    if (a->depth != b->depth) return a->depth > b->depth;
    return a->id < b->id;
}

vouch_status open_push(open_nodes *open, tree_node *n)
{
    if (mem_reserve((void **)&open->item, &open->capacity, open->count, sizeof *open->item)) return VOUCH_ERROR_MEMORY;
    size_t i = open->count++;
    while (i > 0 && before(n, open->item[(i - 1) / 2])) {
        open->item[i] = open->item[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    open->item[i] = n;
    return VOUCH_OK;
}

tree_node *open_pop(open_nodes *open)
{
    tree_node *top = open->item[0], *last = open->item[--open->count];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= open->count) break;
        if (child + 1 < open->count && before(open->item[child + 1], open->item[child])) child++;
        if (!before(open->item[child], last)) break;
        open->item[i] = open->item[child];
        i = child;
    }
    if (open->count) open->item[i] = last;
    return top;
}

void open_free(open_nodes *open)
{
    while (open->count) tree_node_release(open_pop(open));
    mem_free(open->item);
    open->item = NULL;
    open->capacity = 0;
}
