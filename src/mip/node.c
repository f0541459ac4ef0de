/* mip/node.c - nodes counted by reference (atomically: searches on several threads share ancestors), bases of two bits a variable,
 * and the queue: a heap by (bound, depth, age).
 *
 * Invariant: a node lives as long as the queue, the search or a descendant refers to it. Cost: O(log open nodes) to push and pop.
 */
#include "mip/node.h"

#include <math.h>
#include <vouch/lp.h>

#include "base/check.h"
#include "base/memory.h"

struct packed_basis {
    atomic_int references;
    int m, n;
    unsigned char bits[];
};

packed_basis *packed_basis_new(int m, int n, const unsigned char *row_status, const unsigned char *col_status)
{
    size_t count = (size_t)m + (size_t)n;
    packed_basis *b = mem_zero(1, sizeof *b + count / 4 + 1);
    if (!b) return NULL;
    atomic_init(&b->references, 1);
    b->m = m;
    b->n = n;
    for (size_t k = 0; k < count; k++) {
        unsigned status = k < (size_t)m ? row_status[k] : col_status[k - (size_t)m];
        unsigned two = status == VOUCH_BASIC ? 0 : status == VOUCH_AT_UPPER ? 2 : status == VOUCH_NONBASIC_FREE ? 3 : 1;
        b->bits[k / 4] = (unsigned char)(b->bits[k / 4] | two << (2 * (k % 4)));
    }
    return b;
}

packed_basis *packed_basis_share(packed_basis *b)
{
    CHECK(!b || b->references > 0);
    if (b) atomic_fetch_add(&b->references, 1);
    return b;
}

void packed_basis_free(packed_basis *b)
{
    CHECK(!b || b->references > 0);
    if (b && atomic_fetch_sub(&b->references, 1) == 1) mem_free(b);
}

void packed_basis_unpack(const packed_basis *b, unsigned char *row_status, unsigned char *col_status)
{
    static const unsigned char meaning[] = {VOUCH_BASIC, VOUCH_AT_LOWER, VOUCH_AT_UPPER, VOUCH_NONBASIC_FREE};
    size_t count = (size_t)b->m + (size_t)b->n;
    for (size_t k = 0; k < count; k++) {
        unsigned char status = meaning[b->bits[k / 4] >> (2 * (k % 4)) & 3];
        if (k < (size_t)b->m)
            row_status[k] = status;
        else
            col_status[k - (size_t)b->m] = status;
    }
}

mip_node *node_new(mip_node *parent, long long id, bound_change *change, int changes)
{
    mip_node *n = MEM_ZERO(mip_node, 1);
    if (!n) {
        mem_free(change);
        return NULL;
    }
    atomic_init(&n->references, 1);
    n->id = id;
    n->parent = parent;
    n->depth = parent ? parent->depth + 1 : 0;
    n->bound = parent ? parent->bound : -INFINITY;
    n->branch_col = -1;
    n->change = change;
    n->changes = changes;
    if (parent) atomic_fetch_add(&parent->references, 1);
    CHECK(changes == 0 || change);
    return n;
}

void node_release(mip_node *n)
{
    CHECK(!n || n->references > 0);
    while (n && atomic_fetch_sub(&n->references, 1) == 1) {
        mip_node *parent = n->parent;
        packed_basis_free(n->basis);
        mem_free(n->change);
        mem_free(n->deduced);
        mem_free(n);
        n = parent;
    }
}

static int preference(const node_queue *q, const mip_node *n) { return q->deep > 0 && n->depth > q->deep ? -n->depth : n->depth; }

static bool comes_before(const void *context, const void *a, const void *b)
{
    const node_queue *q = context;
    const mip_node *x = a, *y = b;
    if (x->bound != y->bound) return x->bound < y->bound;
    int left = preference(q, x), right = preference(q, y);
    return left != right ? left > right : x->id > y->id;
}

void node_queue_init(node_queue *q, int deep)
{
    q->deep = deep;
    heap_init(&q->nodes, comes_before, q);
}

int node_queue_push(node_queue *q, mip_node *n)
{
    CHECK(n && n->references > 0 && !isnan(n->bound));
    return heap_push(&q->nodes, n);
}

mip_node *node_queue_pop(node_queue *q) { return heap_pop(&q->nodes); }

double node_queue_bound(const node_queue *q)
{
    const mip_node *first = heap_top(&q->nodes);
    return first ? first->bound : INFINITY;
}

double node_queue_prune(node_queue *q, double cutoff)
{
    double least = INFINITY;
    size_t kept = 0;
    for (size_t k = 0; k < q->nodes.count; k++) {
        mip_node *n = q->nodes.item[k];
        if (n->bound < cutoff) {
            q->nodes.item[kept++] = n;
        } else {
            least = fmin(least, n->bound);
            node_release(n);
        }
    }
    q->nodes.count = kept;
    heap_restore(&q->nodes);
    return least;
}

void node_queue_free(node_queue *q)
{
    for (size_t k = 0; k < q->nodes.count; k++) node_release(q->nodes.item[k]);
    heap_free(&q->nodes);
}
