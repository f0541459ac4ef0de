/* plan/search/open_nodes.c - see open_nodes.h. O(log n) to put and to take, O(1) on the stack. */
#include "plan/search/open_nodes.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"

/* Memory for open nodes and their least number; beyond these the search goes depth first. */
static const size_t STORE_BYTES = (size_t)512 << 20, LEAST_OPEN = 64;

vouch_status open_nodes_init(open_nodes *o, int most_plunging, size_t most)
{
    *o = (open_nodes){.most = most, .most_plunging = most_plunging, .plunge = MEM_NEW(tree_node *, most_plunging)};
    heap_init(&o->by_bound, tree_node_before, NULL);
    return o->plunge ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

void open_nodes_free(open_nodes *o)
{
    CHECK(open_nodes_count(o) == 0);
    heap_free(&o->by_bound);
    mem_free(o->stack);
    mem_free(o->plunge);
}

vouch_status open_nodes_put(open_nodes *o, tree_node *n, bool promising)
{
    if (promising) {
        CHECK_COMPARE(o->plunging, <, o->most_plunging);
        o->plunge[o->plunging++] = n;
        return VOUCH_OK;
    }
    if (o->by_bound.count < o->most) return heap_push(&o->by_bound, n) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    if (MEM_RESERVE(&o->stack, &o->stack_capacity, o->stacked)) return VOUCH_ERROR_MEMORY;
    o->stack[o->stacked++] = n;
    return VOUCH_OK;
}

tree_node *open_nodes_take(open_nodes *o)
{
    if (!o->plunging) return o->stacked ? o->stack[--o->stacked] : (tree_node *)heap_pop(&o->by_bound);
    tree_node *n = o->plunge[0];
    memmove(o->plunge, o->plunge + 1, (size_t)--o->plunging * sizeof *o->plunge);
    return n;
}

double open_nodes_bound(const open_nodes *o)
{
    const tree_node *least = heap_top(&o->by_bound);
    double bound = least ? least->bound : INFINITY;
    for (int i = 0; i < o->plunging; i++) bound = fmin(bound, o->plunge[i]->bound);
    for (size_t i = 0; i < o->stacked; i++) bound = fmin(bound, o->stack[i]->bound);
    return bound;
}

#ifdef VOUCH_DEBUG
static void check(const tree_node *n, long long ids, double floor)
{
    CHECK(n->children == 0 && (!n->parent || n->parent->children > 0) && n->id <= ids);
    CHECK_COMPARE(n->bound, >=, floor);
}

void open_nodes_check(const open_nodes *o, long long ids, double floor)
{
    for (int i = 0; i < o->plunging; i++) check(o->plunge[i], ids, floor);
    for (size_t i = 0; i < o->stacked; i++) check(o->stack[i], ids, floor);
    for (size_t i = 0; i < o->by_bound.count; i++) check(o->by_bound.item[i], ids, floor);
    for (size_t i = 1; i < o->by_bound.count; i++)
        CHECK(tree_node_before(NULL, o->by_bound.item[(i - 1) / 2], o->by_bound.item[i]));
}
#else
void open_nodes_check(const open_nodes *o, long long ids, double floor)
{
    (void)o;
    (void)ids;
    (void)floor;
}
#endif

size_t open_nodes_capacity(const policy_space *space)
{
    size_t K = (size_t)space->K,
           policy = sizeof(column) + 2 * K * sizeof(double) + (size_t)space->g->nodes * (sizeof(double) + sizeof(int));
    size_t fit = STORE_BYTES / ((2 * K + 1) * policy);
    return fit > LEAST_OPEN ? fit : LEAST_OPEN;
}
