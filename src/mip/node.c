/* mip/node.c - see node.h. A binary heap over pointers. */
#include "mip/node.h"

#include <math.h>
#include <vouch/lp.h>

#include "base/check.h"
#include "base/memory.h"

struct packed_basis {
    int references, m, n;
    unsigned char bits[];
};

packed_basis *packed_basis_new(int m, int n, const unsigned char *row_status, const unsigned char *col_status)
{
    size_t count = (size_t)m + (size_t)n;
    packed_basis *b = mem_zero(1, sizeof *b + count / 4 + 1);
    if (!b) return NULL;
    *b = (packed_basis){.references = 1, .m = m, .n = n};
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
    if (b) b->references++;
    return b;
}

void packed_basis_free(packed_basis *b)
{
    CHECK(!b || b->references > 0);
    if (b && --b->references == 0) mem_free(b);
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
    *n = (mip_node){.id = id,
                    .parent = parent,
                    .references = 1,
                    .depth = parent ? parent->depth + 1 : 0,
                    .bound = parent ? parent->bound : -INFINITY,
                    .branch_col = -1,
                    .change = change,
                    .changes = changes};
    if (parent) parent->references++;
    CHECK(changes == 0 || change);
    return n;
}

void node_release(mip_node *n)
{
    CHECK(!n || n->references > 0);
    while (n && --n->references == 0) {
        mip_node *parent = n->parent;
        packed_basis_free(n->basis);
        mem_free(n->change);
        mem_free(n->deduced);
        mem_free(n);
        n = parent;
    }
}

static int preference(const node_queue *q, const mip_node *n) { return q->deep > 0 && n->depth > q->deep ? -n->depth : n->depth; }

static bool before(const node_queue *q, const mip_node *a, const mip_node *b)
{
    if (a->bound != b->bound) return a->bound < b->bound;
    int x = preference(q, a), y = preference(q, b);
    if (x != y) return x > y;
    return a->id > b->id;
}

static void sift_down(node_queue *q, size_t at)
{
    for (;;) {
        size_t child = 2 * at + 1, best = at;
        for (size_t c = child; c < child + 2 && c < q->count; c++)
            if (before(q, q->heap[c], q->heap[best])) best = c;
        if (best == at) return;
        mip_node *held = q->heap[at];
        q->heap[at] = q->heap[best];
        q->heap[best] = held;
        at = best;
    }
}

/* Looked at when the count is a power of two: O(count). */
static void heap_check(const node_queue *q)
{
#ifdef VOUCH_DEBUG
    if ((q->count & (q->count - 1)) != 0) return;
    for (size_t k = 1; k < q->count; k++) CHECK(!before(q, q->heap[k], q->heap[(k - 1) / 2]));
#else
    (void)q;
#endif
}

int node_queue_push(node_queue *q, mip_node *n)
{
    CHECK(n && n->references > 0 && !isnan(n->bound));
    if (mem_reserve((void **)&q->heap, &q->capacity, q->count, sizeof *q->heap) != 0) return -1;
    size_t at = q->count++;
    for (; at > 0 && before(q, n, q->heap[(at - 1) / 2]); at = (at - 1) / 2) q->heap[at] = q->heap[(at - 1) / 2];
    q->heap[at] = n;
    return 0;
}

mip_node *node_queue_pop(node_queue *q)
{
    if (q->count == 0) return NULL;
    heap_check(q);
    mip_node *top = q->heap[0];
    q->heap[0] = q->heap[--q->count];
    sift_down(q, 0);
    return top;
}

double node_queue_bound(const node_queue *q) { return q->count > 0 ? q->heap[0]->bound : INFINITY; }

double node_queue_prune(node_queue *q, double cutoff)
{
    double least = INFINITY;
    size_t kept = 0;
    for (size_t k = 0; k < q->count; k++) {
        mip_node *n = q->heap[k];
        if (n->bound < cutoff) {
            q->heap[kept++] = n;
        } else {
            least = fmin(least, n->bound);
            node_release(n);
        }
    }
    q->count = kept;
    for (size_t k = kept / 2; k-- > 0;) sift_down(q, k);
    heap_check(q);
    return least;
}

void node_queue_free(node_queue *q)
{
    for (size_t k = 0; k < q->count; k++) node_release(q->heap[k]);
    mem_free(q->heap);
    *q = (node_queue){0};
}
