/* mip/cut_cover.c - lifted cover cuts from rows that are knapsacks.
 *
 * In  sum_j a_j y_j <= b  with binaries and a > 0 (columns complemented where a < 0) a cover C has sum_C a_j
 * > b, so that at most |C| - 1 of it can be 1. The others are lifted in one after the other: coefficient of j
 * = |C| - 1 - max{ value of the cut's left side so far | weight <= b - a_j }, by a table of the least weight
 * that reaches each value. Source: E. Balas, Facets of the knapsack polytope (1975); E. Zemel, Easily
 * computable facets of the knapsack polytope (1989), for the table. Covers are found greedily by the point.
 */
#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"
#include "mip/scene.h"

typedef struct item {
    int j;
    bool complemented;
    double a, y;
    bool in_cover;
} item;

static int by_gain(const void *p, const void *q) /* cheap to put into a violated cover first */
{
    const item *x = p, *y = q;
    double u = (1 - x->y) / x->a, v = (1 - y->y) / y->a;
    if (u != v) return u < v ? -1 : 1;
    return x->j - y->j;
}

static int by_value(const void *p, const void *q) /* to be lifted: large value, then large weight first */
{
    const item *x = p, *y = q;
    if (x->y != y->y) return x->y > y->y ? -1 : 1;
    if (x->a != y->a) return x->a > y->a ? -1 : 1;
    return x->j - y->j;
}

/* A minimal cover by the point, marked in items; its size. 0: there is none. */
static int find_cover(item *items, int count, double b)
{
    double weight = 0, need = b + KNAPSACK_SLACK * (1 + fabs(b));
    int size = 0, cover = 0;
    qsort(items, (size_t)count, sizeof *items, by_gain);
    for (; size < count && weight <= need; size++) weight += items[size].a;
    if (weight <= need) return 0;
    for (int k = 0; k < count; k++) items[k].in_cover = k < size;
    for (int k = size - 1; k >= 0; k--) /* leave out what is small at the point */
        if (weight - items[k].a > need) {
            weight -= items[k].a;
            items[k].in_cover = false;
        }
    for (int k = 0; k < count; k++) cover += items[k].in_cover;
    CHECK_COMPARE(weight, >, need);
    return cover;
}

/* The cover itself in the table, lightest items first. */
static void fill_table(const item *items, int count, int cover, double *least)
{
    double last = -1;
    int last_j = -1;
    least[0] = 0;
    for (int v = 1; v <= cover; v++) least[v] = INFINITY;
    for (int filled = 0; filled < cover; filled++) {
        int next = -1;
        for (int k = 0; k < count; k++) {
            if (!items[k].in_cover) continue;
            bool after = items[k].a > last || (items[k].a == last && items[k].j > last_j);
            if (after && (next < 0 || items[k].a < items[next].a || (items[k].a == items[next].a && items[k].j < items[next].j)))
                next = k;
        }
        if (next < 0) return;
        least[filled + 1] = least[filled] + items[next].a;
        last = items[next].a;
        last_j = items[next].j;
    }
}

/* Coefficient of an item outside the cover; it joins the table. 0: none. */
static int lift(const item *t, int cover, double b, double *least)
{
    double room = b - t->a;
    int most = cover - 1;
    while (most >= 0 && least[most] > room + KNAPSACK_FIT * (1 + fabs(room))) most--;
    int coefficient = most < 0 ? cover - 1 : cover - 1 - most;
    for (int v = cover; v >= 1 && coefficient > 0; v--) {
        double with = (v > coefficient ? least[v - coefficient] : 0) + t->a;
        if (with < least[v]) least[v] = with;
    }
    return coefficient;
}

/* Rounding the row i, divided by the largest weight of the cover, with the cover complemented, makes the cover's cut, otherwise
 * lifted. sign: as in try_side. NULL: memory. */
static cut_recipe *recipe_of(const cut_scene *c, int i, double sign, const item *items, int count)
{
    cut_recipe *made = cut_recipe_new(1, c->n);
    double most = 0;
    if (!made) return NULL;
    for (int k = 0; k < count; k++) {
        if (items[k].in_cover) most = fmax(most, items[k].a);
        if (items[k].in_cover != items[k].complemented) made->upper[made->uppers++] = items[k].j;
    }
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++) {
        int j = c->index[k];
        bool binary = c->model->integer[j] && c->lower[j] == 0 && c->upper[j] == 1;
        if (!binary && sign * c->value[k] < 0) made->upper[made->uppers++] = j;
    }
    made->rows = 1;
    made->row[0] = i, made->factor[0] = sign / most;
    made->side[0] = c->row_lower[i] == c->row_upper[i] ? 0 : (signed char)sign;
    return made;
}

/* items: a > 0, count of them, of row i, knapsack of size b. */
static void separate(cut_scene *c, int i, double sign, item *items, int count, double b)
{
    int cover = find_cover(items, count, b), listed = 0;
    if (cover < 2) return;
    double *least = MEM_NEW(double, cover + 1); /* least[v]: least weight of items in the cut with left side >= v */
    if (!least) return;
    qsort(items, (size_t)count, sizeof *items, by_value);
    fill_table(items, count, cover, least);
    double upper = cover - 1;
    for (int k = 0; k < count; k++) {
        int j = items[k].j, coefficient = items[k].in_cover ? 1 : lift(&items[k], cover, b, least);
        CHECK(coefficient >= 0 && !c->in_list[j]);
        if (coefficient == 0) continue;
        cut_scene_add(c, &listed, j, items[k].complemented ? -coefficient : coefficient);
        if (items[k].complemented) upper -= coefficient;
    }
    mem_free(least);
    size_t before = c->found.count;
    cut_scene_offer(c, listed, upper);
    if (c->recipes && c->found.count > before) c->found.item[before].recipe = recipe_of(c, i, sign, items, count);
}

/* sign * row <= limit as a knapsack, other columns at their best bounds (for binaries with a variable bound: see mir.c). */
static void try_side(cut_scene *c, int i, double sign, double limit, item *items)
{
    const mip_model *p = c->model;
    double b = limit, size = fabs(limit);
    int count = 0, fractional = 0;
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++) {
        int j = c->index[k];
        double a = sign * c->value[k], lower = c->lower[j], upper = c->upper[j];
        if (p->integer[j] && lower == 0 && upper == 1) {
            bool complemented = a < 0;
            double y = complemented ? 1 - c->x[j] : c->x[j];
            if (complemented) b -= a, size = fmax(size, fabs(a));
            items[count++] = (item){.j = j, .complemented = complemented, .a = fabs(a), .y = fmin(fmax(y, 0), 1)};
            fractional += y > CUT_FRACTION && y < 1 - CUT_FRACTION;
        } else {
            double bound = a > 0 ? lower : upper;
            if (isinf(bound)) return;
            b -= a * bound;
            size = fmax(size, fabs(a * bound));
        }
    }
    if (count < 2 || fractional == 0 || b <= 0 || MIP_ROUNDING * size > KNAPSACK_ERROR * (1 + b)) return;
    separate(c, i, sign, items, count, b);
}

void separate_cover(cut_scene *c)
{
    item *items = MEM_NEW(item, c->n);
    if (!items) return;
    for (int i = 0; i < c->model->m; i++) {
        if (c->start[i + 1] - c->start[i] < 2) continue;
        if (c->row_upper[i] < INFINITY) try_side(c, i, 1, c->row_upper[i], items);
        if (c->row_lower[i] > -INFINITY) try_side(c, i, -1, -c->row_lower[i], items);
    }
    mem_free(items);
}
