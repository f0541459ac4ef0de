/* mip/symmetry.c - of points that permutations of the columns turn into each other the search keeps one.
 *
 * Let i_1, i_2, .. be the columns branched on from the root to a node. For every permutation g of the group the node keeps only
 * points (x_i1, x_i2, ..)  lexicographically at least  (x_g(i1), x_g(i2), ..). The order of a child goes on where that of its
 * parent ends; so of all images of a point those that are greatest in x_i1 are in one child of the root, of them those that are
 * greatest in x_i2 in one child of that, and so on: one image is never lost. All images have the same objective, and whatever else
 * the search closes, for its bound or for rows, holds for each of them. With more permutations more is lost that need not be looked
 * at; any set of them is right. Bounds follow from the first place where the two sides are not known to be equal: there x_a >= x_b,
 * and x_a > x_b where equality would break a place behind. Source: F. Margot, Exploiting orbits in symmetric ILP, Mathematical
 * Programming 98 (2003); J. van Doornmalen, C. Hojny, A unified framework for symmetry handling, Mathematical Programming (2024),
 * for the order of branching. Cost: O(permutations * columns branched on), mostly far less.
 */
#include "mip/symmetry.h"

#include "base/check.h"
#include "base/memory.h"

/* Generators sought; permutations kept, and their images in all. */
enum { MOST_GENERATORS = 64, MOST_PERMUTATIONS = 1000, MOST_IMAGES = 1 << 20 };

/* ---- the permutations ------------------------------------------------------------------------------------------------ */

/* Places of the integer columns that a generator moves. */
static void list_moved(symmetry *g, const mip_model *p, const int *full, int generators)
{
    for (int j = 0; j < p->n; j++) {
        bool moved = false;
        for (int k = 0; k < generators; k++) moved = moved || full[(size_t)k * (size_t)p->n + (size_t)j] != j;
        g->index[j] = -1;
        if (!moved || !p->integer[j]) continue;
        g->index[j] = g->columns;
        g->column[g->columns++] = j;
    }
}

static uint64_t hash_of(const int *image, int columns)
{
    uint64_t h = 14695981039346656037u; /* FNV-1a, by whole numbers */
    for (int k = 0; k < columns; k++) h = (h ^ (uint64_t)image[k]) * 1099511628211u;
    return h ^ h >> 29;
}

/* The permutations kept, by what they are. */
typedef struct known_images {
    int *slot; /* [size], place + 1; 0: empty */
    size_t size;
} known_images;

/* Takes in the candidate behind the last one unless it is there already. */
static void take_in(symmetry *g, known_images *known)
{
    size_t columns = (size_t)g->columns;
    const int *now = g->image + (size_t)g->count * columns;
    size_t at = hash_of(now, g->columns) & (known->size - 1);
    for (; known->slot[at] > 0; at = (at + 1) & (known->size - 1))
        if (memcmp(g->image + (size_t)(known->slot[at] - 1) * columns, now, columns * sizeof *now) == 0) return;
    known->slot[at] = ++g->count;
}

/* Products of generators, short ones first, the identity not among them; g->image has room for one more than `most`. */
static void list_products(symmetry *g, const int *generator, int generators, int most, known_images *known)
{
    int columns = g->columns;
    for (int k = 0; k < columns; k++) g->image[k] = k;
    take_in(g, known);
    for (int from = 0; from < g->count && g->count < most; from++)
        for (int q = 0; q < generators && g->count < most; q++) {
            const int *first = g->image + (size_t)from * (size_t)columns, *then = generator + (size_t)q * (size_t)columns;
            int *to = g->image + (size_t)g->count * (size_t)columns;
            for (int k = 0; k < columns; k++) to[k] = then[first[k]];
            take_in(g, known);
        }
    g->count--; /* without the identity */
    memmove(g->image, g->image + columns, (size_t)g->count * (size_t)columns * sizeof *g->image);
}

static symmetry *group_of(const mip_model *p, const int *full, int generators)
{
    arena a = {0};
    symmetry *g = ARENA_ZERO(&a, symmetry, 1);
    if (!g) return NULL;
    g->column = ARENA_NEW(&a, int, p->n);
    g->index = ARENA_NEW(&a, int, p->n);
    if (!a.failed) list_moved(g, p, full, generators);
    int most = MOST_PERMUTATIONS, *generator = ARENA_NEW(&a, int, (size_t)generators *(size_t)g->columns);
    if (g->columns > 0 && most > MOST_IMAGES / g->columns) most = MOST_IMAGES / g->columns;
    if (most < generators + 1) most = generators + 1;
    known_images known = {.size = 1};
    while (known.size < 2 * (size_t)most) known.size *= 2;
    known.slot = ARENA_ZERO(&a, int, known.size);
    g->image = ARENA_NEW(&a, int, ((size_t)most + 1) * (size_t)g->columns);
    g->memory = a;
    if (a.failed || g->columns == 0) {
        arena_free(&a);
        return NULL;
    }
    for (int q = 0; q < generators; q++)
        for (int k = 0; k < g->columns; k++)
            generator[q * g->columns + k] = g->index[full[(size_t)q * (size_t)p->n + (size_t)g->column[k]]];
    g->generators = generators;
    list_products(g, generator, generators, most, &known);
    return g;
}

symmetry *symmetry_find(const mip_model *model)
{
    if (model->sets > 0 || model->n == 0) return NULL;
    int *full = MEM_NEW(int, (size_t)MOST_GENERATORS *(size_t)model->n);
    int generators = full ? symmetry_generators(model, MOST_GENERATORS, full) : -1;
    symmetry *g = generators > 0 ? group_of(model, full, generators) : NULL;
    mem_free(full);
    return g;
}

void symmetry_free(symmetry *g)
{
    if (g) arena_free(&g->memory);
}

/* ---- what they say at a node ------------------------------------------------------------------------------------------- */

static bool is_fixed(const domain *d, int j) { return d->lower[j] == d->upper[j]; }

/* Two sides to be compared: x at the columns order[k], and at their images. */
typedef struct comparison {
    const symmetry *g;
    const int *image; /* [g->columns] */
    const int *order;
    int count;
} comparison;

static int image_of(const comparison *c, int j)
{
    int at = c->g->index[j];
    return at < 0 ? j : c->g->column[c->image[at]];
}

/* Do the places from k on, with equal ones before, break the order whatever is chosen? */
static bool breaks_behind(const comparison *c, const domain *d, int k)
{
    for (; k < c->count; k++) {
        int a = c->order[k], b = image_of(c, a);
        if (a == b) continue;
        if (d->upper[a] < d->lower[b]) return true;
        if (!is_fixed(d, a) || !is_fixed(d, b) || d->lower[a] > d->lower[b]) return false;
    }
    return false;
}

/* False: no point is left. */
static bool compare(const comparison *c, domain *d)
{
    for (int k = 0; k < c->count; k++) {
        int a = c->order[k], b = image_of(c, a);
        if (a == b) continue;
        if (!domain_set_lower(d, a, d->lower[b]) || !domain_set_upper(d, b, d->upper[a])) return false;
        if (d->lower[a] > d->upper[b]) return true;
        if (is_fixed(d, a) && is_fixed(d, b)) continue;
        if (!breaks_behind(c, d, k + 1)) return true;
        return domain_set_lower(d, a, d->lower[b] + 1) && domain_set_upper(d, b, d->upper[a] - 1);
    }
    return true;
}

bool symmetry_reduce(const symmetry *g, domain *d, const int *order, int count)
{
    for (size_t before = d->trail + 1; before != d->trail;) {
        before = d->trail;
        for (int k = 0; k < g->count; k++) {
            comparison c = {g, g->image + (size_t)k * (size_t)g->columns, order, count};
            if (!compare(&c, d)) return false;
        }
        if (!domain_propagate(d)) return false;
    }
    return true;
}
