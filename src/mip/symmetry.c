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
 * for the order of branching. Cost: O(permutations * columns branched on), mostly far less. */
#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"
#include "mip/search.h"

/* ---- permutations of columns that leave a program as it is: automorphisms of its graph ------------------------------------------
 *
 * Vertices are columns and rows, an entry of the matrix is an edge of the colour of its value, a column has the colour of its cost,
 * bounds and kind, a row that of its sides. A partition into cells is refined until the vertices of a cell have as many edges of
 * each colour to every cell; then a vertex of a cell is set apart from it and so on, until all cells are single (the first path).
 * Another path, with another vertex set apart once, whose refinements look the same, maps the vertices to those at the same places;
 * that this is an automorphism is tested entry by entry, so nothing rests on how it was found. From the end of the first path to
 * its beginning each vertex of the cell that is not yet known to be an image of the one set apart is tried, by one path: what one
 * does not show is missed. Source: B. D. McKay, Practical graph isomorphism, Congressus Numerantium 30 (1981); P. T. Darga, H.
 * Katebi, M. Liffiton, I. L. Markov, K. Sakallah, Exploiting structure in symmetry detection for CNF, DAC (2004). Work is limited:
 * beyond it there is what was found. */

/* Entries looked at: a constant and times the nonzeros. Of the first path, vertices times cells kept for the other paths. */
enum { WORK_LEAST = 2000000, WORK_PART = 100, MOST_KEPT = 1 << 21 };

/* Vertices in the order of their cells. */
typedef struct partition {
    int *at, *place; /* [vertices], inverse to each other */
    int *cell;       /* [vertices] where the cell of each begins */
    int *length;     /* [vertices] of the cell that begins there */
} partition;

typedef struct vertex_key {
    uint64_t key;
    int vertex;
} vertex_key;

/* A vertex was set apart. */
typedef struct path_step {
    int cell, vertex;
    uint64_t look;  /* of the refinement that followed */
    partition kept; /* before; NULL arrays: not kept */
} path_step;

typedef struct finder {
    arena memory;
    const mip_model *p;
    int vertices;
    partition now;
    int *first;      /* [vertices] the order at the end of the first path */
    path_step *step; /* [vertices] */
    int steps;
    int *queue;   /* [vertices] cells to refine by; a ring */
    bool *queued; /* [vertices] by where they begin */
    int head, waiting;
    uint64_t *key;      /* [vertices] zero between uses */
    bool *seen;         /* likewise */
    int *hits;          /* [vertices] of the cell that begins there, likewise */
    int *touched;       /* [vertices] */
    vertex_key *sorted; /* [vertices] */
    int *orbit;         /* [n] columns that are images of each other: up to the root, which points to itself */
    double *entry;      /* [n] zero between uses */
    long long work, limit;
} finder;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u; /* the finaliser of splitmix64 */
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t colour(double value, uint64_t salt)
{
    uint64_t bits;
    value += 0.0; /* one zero */
    memcpy(&bits, &value, sizeof bits);
    return mix(bits + 0x9e3779b97f4a7c15u * (salt + 1));
}

/* ---- refinement ------------------------------------------------------------------------------------------------------ */

static void enqueue(finder *f, int cell)
{
    if (f->queued[cell]) return;
    f->queued[cell] = true;
    f->queue[(f->head + f->waiting++) % f->vertices] = cell;
}

static void put(partition *a, int vertex, int place)
{
    a->at[place] = vertex;
    a->place[vertex] = place;
}

static int by_key(const void *a, const void *b)
{
    const vertex_key *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : x->vertex - y->vertex;
}

/* The vertices at [from, to) become a cell of their own. */
static void make_cell(partition *a, int from, int to)
{
    for (int k = from; k < to; k++) a->cell[a->at[k]] = from;
    a->length[from] = to - from;
}

/* The last `hits` vertices of a cell have keys, the others none: parts of equal keys become cells. What is returned says how it
 * looks. */
static uint64_t split(finder *f, int cell, int hits)
{
    partition *a = &f->now;
    int end = cell + a->length[cell], from = end - hits, largest = cell, parts = 0;
    uint64_t look = 0;
    for (int k = from; k < end; k++) f->sorted[k - from] = (vertex_key){f->key[a->at[k]], a->at[k]};
    qsort(f->sorted, (size_t)hits, sizeof *f->sorted, by_key);
    if (from > cell) make_cell(a, cell, from), f->touched[parts++] = cell;
    for (int k = 0, begin = 0; k < hits; k++) {
        put(a, f->sorted[k].vertex, from + k);
        if (k + 1 < hits && f->sorted[k + 1].key == f->sorted[k].key) continue;
        make_cell(a, from + begin, from + k + 1);
        look += mix(f->sorted[k].key + mix((uint64_t)(from + begin) << 32 | (uint64_t)(from + k)));
        if (a->length[from + begin] > a->length[largest]) largest = from + begin;
        f->touched[parts++] = from + begin;
        begin = k + 1;
    }
    bool all = f->queued[cell];
    for (int k = 0; k < parts && parts > 1; k++)
        if (all || f->touched[k] != largest) enqueue(f, f->touched[k]);
    return look;
}

static void touch(finder *f, int vertex, uint64_t edge, int *cells, int *count)
{
    partition *a = &f->now;
    int cell = a->cell[vertex];
    f->key[vertex] += edge;
    if (f->seen[vertex]) return;
    f->seen[vertex] = true;
    if (f->hits[cell] == 0) cells[(*count)++] = cell;
    int other = a->at[cell + a->length[cell] - ++f->hits[cell]], here = a->place[vertex];
    int there = a->place[other];
    put(a, other, here);
    put(a, vertex, there);
}

/* By the edges from one cell. */
static uint64_t refine_by(finder *f, int cell, int *cells)
{
    const mip_model *p = f->p;
    int count = 0, n = p->n;
    uint64_t look = 0;
    /* the cell may change its own order: it has no edges to itself, since edges lead from columns to rows */
    for (int k = cell; k < cell + f->now.length[cell]; k++) {
        int v = f->now.at[k];
        const int64_t *start = v < n ? p->col_start + v : p->row_start + (v - n);
        for (int64_t e = start[0]; e < start[1]; e++)
            if (v < n)
                touch(f, n + p->col_row[e], colour(p->col_value[e], 0), cells, &count);
            else
                touch(f, p->row_col[e], colour(p->row_value[e], 0), cells, &count);
        f->work += start[1] - start[0] + 1;
    }
    qsort(cells, (size_t)count, sizeof *cells, ascending_ints);
    for (int c = 0; c < count; c++) {
        int hits = f->hits[cells[c]], end = cells[c] + f->now.length[cells[c]];
        f->hits[cells[c]] = 0;
        look += split(f, cells[c], hits);
        for (int k = end - hits; k < end; k++) f->key[f->now.at[k]] = 0, f->seen[f->now.at[k]] = false;
    }
    return look;
}

/* Until nothing is queued; how it looks. */
static uint64_t refine(finder *f)
{
    uint64_t look = 0;
    int *cells = f->touched + f->vertices;
    while (f->waiting > 0) {
        int cell = f->queue[f->head];
        f->head = (f->head + 1) % f->vertices;
        f->waiting--;
        f->queued[cell] = false;
        look = mix(look + (uint64_t)cell) + refine_by(f, cell, cells);
    }
    return look;
}

/* Sets v apart from its cell: it comes first. */
static uint64_t set_apart(finder *f, int v)
{
    partition *a = &f->now;
    int cell = a->cell[v], end = cell + a->length[cell], first = a->at[cell], from = a->place[v];
    CHECK_COMPARE(end - cell, >, 1);
    put(a, first, from);
    put(a, v, cell);
    make_cell(a, cell + 1, end);
    make_cell(a, cell, cell + 1);
    f->work += end - cell;
    enqueue(f, cell);
    return refine(f);
}

/* ---- the first path ---------------------------------------------------------------------------------------------------- */

static void begin(finder *f)
{
    const mip_model *p = f->p;
    int n = p->n, m = p->m;
    partition *a = &f->now;
    for (int v = 0; v < n + m; v++) put(a, v, v);
    for (int j = 0; j < n; j++)
        f->key[j] = mix(colour(p->cost[j], 1) + colour(p->lower[j], 2) + colour(p->upper[j], 3)) + p->integer[j];
    for (int i = 0; i < m; i++) f->key[n + i] = colour(p->row_lower[i], 4) + colour(p->row_upper[i], 5);
    make_cell(a, 0, n);
    if (m > 0) make_cell(a, n, n + m);
    enqueue(f, 0);
    if (m > 0) enqueue(f, n);
    split(f, 0, n);
    if (m > 0) split(f, n, m);
    memset(f->key, 0, (size_t)(n + m) * sizeof *f->key);
    refine(f);
}

/* Where the next cell to take a vertex from begins: integer columns first, then the longest. -1: all are single. */
static int next_cell(const finder *f)
{
    const partition *a = &f->now;
    int best = -1;
    bool best_integer = false;
    for (int c = 0; c < f->vertices; c += a->length[c]) {
        if (a->length[c] < 2) continue;
        bool integer = a->at[c] < f->p->n && f->p->integer[a->at[c]];
        if (best >= 0 && (best_integer > integer || (best_integer == integer && a->length[best] >= a->length[c]))) continue;
        best = c, best_integer = integer;
    }
    return best;
}

static void copy_partition(const finder *f, partition *to, const partition *from)
{
    int v = f->vertices;
    MEM_COPY(to->at, from->at, v);
    MEM_COPY(to->place, from->place, v);
    MEM_COPY(to->cell, from->cell, v);
    MEM_COPY(to->length, from->length, v);
}

static bool new_partition(finder *f, partition *a)
{
    a->at = ARENA_NEW(&f->memory, int, f->vertices);
    a->place = ARENA_NEW(&f->memory, int, f->vertices);
    a->cell = ARENA_NEW(&f->memory, int, f->vertices);
    a->length = ARENA_ZERO(&f->memory, int, f->vertices);
    return !f->memory.failed;
}

/* False: too much work, or memory. */
static bool walk_first(finder *f)
{
    for (int cell = next_cell(f); cell >= 0; cell = next_cell(f)) {
        path_step *s = &f->step[f->steps++];
        bool integer = f->now.at[cell] < f->p->n && f->p->integer[f->now.at[cell]];
        *s = (path_step){.cell = cell, .vertex = f->now.at[cell]};
        if (integer && (long long)f->steps * f->vertices <= MOST_KEPT) {
            if (!new_partition(f, &s->kept)) return false;
            copy_partition(f, &s->kept, &f->now);
        }
        s->look = set_apart(f, s->vertex);
        f->work += f->vertices;
        if (f->work > f->limit) return false;
    }
    MEM_COPY(f->first, f->now.at, f->vertices);
    return true;
}

/* ---- other paths ------------------------------------------------------------------------------------------------------- */

static int root_of(finder *f, int j)
{
    while (f->orbit[j] != j) j = f->orbit[j] = f->orbit[f->orbit[j]];
    return j;
}

/* image [vertices] of every vertex: is it the same program? */
static bool is_automorphism(finder *f, const int *image)
{
    const mip_model *p = f->p;
    int n = p->n;
    bool same = true;
    for (int j = 0; j < n && same; j++) {
        int k = image[j];
        same = k < n && p->cost[j] == p->cost[k] && p->lower[j] == p->lower[k] && p->upper[j] == p->upper[k] &&
               p->integer[j] == p->integer[k];
    }
    for (int i = 0; i < p->m && same; i++) {
        int r = image[n + i] - n;
        if (r < 0) return false;
        int64_t from = p->row_start[r], to = p->row_start[r + 1];
        same = p->row_lower[i] == p->row_lower[r] && p->row_upper[i] == p->row_upper[r] &&
               p->row_start[i + 1] - p->row_start[i] == to - from;
        for (int64_t e = from; e < to; e++) f->entry[p->row_col[e]] = p->row_value[e];
        for (int64_t e = p->row_start[i]; e < p->row_start[i + 1] && same; e++)
            same = f->entry[image[p->row_col[e]]] == p->row_value[e];
        for (int64_t e = from; e < to; e++) f->entry[p->row_col[e]] = 0;
    }
    f->work += p->row_start[p->m];
    return same;
}

/* Path from step k on with w set apart instead. True: image is an automorphism. */
static bool walk_other(finder *f, int k, int w, int *image)
{
    copy_partition(f, &f->now, &f->step[k].kept);
    f->work += f->vertices;
    for (int q = k; q < f->steps; q++) {
        const path_step *s = &f->step[q];
        if (f->now.length[s->cell] < 2 || f->now.cell[f->now.at[s->cell]] != s->cell) return false;
        int v = q == k ? w : f->now.cell[s->vertex] == s->cell ? s->vertex : f->now.at[s->cell];
        if (set_apart(f, v) != s->look || f->work > f->limit) return false;
    }
    for (int at = 0; at < f->vertices; at++) image[f->first[at]] = f->now.at[at];
    return is_automorphism(f, image);
}

/* Of the cell at step k, all that may be images of its vertex. found: so far. */
static int walk_others(finder *f, int k, int found, int most, int *image, int *full)
{
    const path_step *s = &f->step[k];
    const partition *kept = &s->kept;
    int n = f->p->n;
    for (int at = s->cell; at < s->cell + kept->length[s->cell] && found < most; at++) {
        int w = kept->at[at];
        if (root_of(f, w) == root_of(f, s->vertex) || f->work > f->limit) continue;
        if (!walk_other(f, k, w, full)) continue;
        MEM_COPY(image + (size_t)found * (size_t)n, full, n);
        found++;
        for (int j = 0; j < n; j++) {
            int a = root_of(f, j), b = root_of(f, full[j]);
            f->orbit[a > b ? a : b] = a > b ? b : a;
        }
    }
    return found;
}

static bool prepare(finder *f)
{
    arena *a = &f->memory;
    int v = f->vertices, n = f->p->n;
    f->first = ARENA_NEW(a, int, v);
    f->step = ARENA_NEW(a, path_step, v);
    f->queue = ARENA_NEW(a, int, v);
    f->queued = ARENA_ZERO(a, bool, v);
    f->key = ARENA_ZERO(a, uint64_t, v);
    f->seen = ARENA_ZERO(a, bool, v);
    f->hits = ARENA_ZERO(a, int, v);
    f->touched = ARENA_NEW(a, int, 2 * (size_t)v); /* parts of a cell; cells */
    f->sorted = ARENA_NEW(a, vertex_key, v);
    f->orbit = ARENA_NEW(a, int, n);
    f->entry = ARENA_ZERO(a, double, n);
    if (!new_partition(f, &f->now)) return false;
    for (int j = 0; j < n; j++) f->orbit[j] = j;
    return true;
}

/* Permutations of all columns that leave the model as it is, at most `most`, each fixing what those before it do not need:
 * generators of a group. image [most][n]. How many; -1: memory. */
static int symmetry_generators(const mip_model *model, int most, int *image)
{
    int64_t entries = model->row_start[model->m];
    finder f = {.p = model, .vertices = model->m + model->n, .limit = WORK_LEAST + WORK_PART * (long long)entries};
    int found = prepare(&f) ? 0 : -1;
    int *full = ARENA_NEW(&f.memory, int, f.vertices);
    if (f.memory.failed) found = -1;
    if (found == 0) begin(&f);
    if (found == 0 && walk_first(&f))
        for (int k = f.steps - 1; k >= 0 && found < most && f.work <= f.limit; k--)
            if (f.step[k].kept.at) found = walk_others(&f, k, found, most, image, full);
    arena_free(&f.memory);
    return found;
}

/* ---- of points that permutations of the columns turn into each other the search keeps one ----------------------------------- */

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
