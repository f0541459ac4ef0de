/* check/rung.c - likelihood classes of policy nodes.
 *
 * A history h has the likelihood w_h(k) = product of P(s'|s,a;k). Histories of one node with proportional w have the same future for any sum over
 * environments, so they are one class, kept with its largest weight 1. An arc says how the weights of the class that follows must be scaled. From time `reveal` on
 * a class is parted into one for each environment, with its weight as factor: what a policy is worth that is told the environment is no less.
 */
#include "check/check.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double above(const mpq_t x)
{
    mpq_t back;
    double d = mpq_get_d(x); /* towards zero */
    mpq_init(back);
    mpq_set_d(back, d);
    if (mpq_cmp(back, x) < 0) d = nextafter(d, INFINITY);
    mpq_clear(back);
    return d;
}

static double below(const mpq_t x) { return mpq_get_d(x); }

/* Classes of one layer by what they are: open addressing. */
typedef struct check_likes {
    size_t *item; /* [size] class + 1; 0: free */
    size_t size, used;
} check_likes;

/* A class that is looked for. */
typedef struct check_like {
    int node, count;
    int *env;
    mpq_t *weight;
} check_like;

static size_t like_hash(const check_rung *r, size_t c)
{
    uint64_t h = (uint64_t)r->node[c] * 0x9e3779b97f4a7c15u;
    for (size_t i = r->weight_start[c]; i < r->weight_start[c + 1]; i++) {
        h = (h ^ (uint64_t)r->env[i]) * 1099511628211u;
        h = (h ^ mpz_getlimbn(mpq_numref(r->weight[i]), 0)) * 1099511628211u;
        h = (h ^ mpz_getlimbn(mpq_denref(r->weight[i]), 0)) * 1099511628211u;
        h ^= h >> 29;
    }
    return (size_t)h;
}

static bool like_same(const check_rung *r, size_t c, size_t d)
{
    size_t x = r->weight_start[c], y = r->weight_start[d], count = r->weight_start[c + 1] - x;
    if (r->node[c] != r->node[d] || r->weight_start[d + 1] - y != count) return false;
    for (size_t i = 0; i < count; i++)
        if (r->env[x + i] != r->env[y + i] || !mpq_equal(r->weight[x + i], r->weight[y + i])) return false;
    return true;
}

static size_t like_place(const check_rung *r, const check_likes *l, size_t c)
{
    size_t at = like_hash(r, c) & (l->size - 1);
    while (l->item[at] && !like_same(r, l->item[at] - 1, c)) at = (at + 1) & (l->size - 1);
    return at;
}

static void likes_grow(const check_rung *r, check_likes *l)
{
    check_likes larger = {.size = l->size ? 2 * l->size : 64, .used = l->used};
    larger.item = zeroed(larger.size, sizeof *larger.item);
    for (size_t i = 0; i < l->size; i++)
        if (l->item[i]) larger.item[like_place(r, &larger, l->item[i] - 1)] = l->item[i];
    free(l->item);
    *l = larger;
}

/* The class (node, weights) with positive weights, its largest made 1 and returned in `factor`; appended if new. */
static size_t intern(check_rung *r, check_likes *l, const check_like *x, mpq_t factor)
{
    int largest = 0;
    for (int i = 1; i < x->count; i++)
        if (mpq_cmp(x->weight[i], x->weight[largest]) > 0) largest = i;
    mpq_set(factor, x->weight[largest]);
    r->node = grown(r->node, &r->class_room[0], r->classes, sizeof *r->node);
    r->weight_start = grown(r->weight_start, &r->class_room[1], r->classes + 1, sizeof *r->weight_start);
    r->node[r->classes] = x->node;
    r->weight_start[r->classes] = r->weights;
    for (int i = 0; i < x->count; i++) {
        size_t n = r->weights++;
        r->env = grown(r->env, &r->weight_room[0], n, sizeof *r->env);
        r->weight = grown(r->weight, &r->weight_room[1], n, sizeof *r->weight);
        r->weight_above = grown(r->weight_above, &r->weight_room[2], n, sizeof *r->weight_above);
        r->env[n] = x->env[i];
        mpq_init(r->weight[n]);
        mpq_div(r->weight[n], x->weight[i], factor);
        r->weight_above[n] = above(r->weight[n]);
    }
    r->weight_start[r->classes + 1] = r->weights;
    if (2 * l->used >= l->size) likes_grow(r, l);
    size_t at = like_place(r, l, r->classes);
    if (l->item[at]) { /* known: what was appended is taken back */
        while (r->weights > r->weight_start[r->classes]) mpq_clear(r->weight[--r->weights]);
        return l->item[at] - 1;
    }
    l->item[at] = ++r->classes;
    l->used++;
    return r->classes - 1;
}

static void add_arc(check_rung *r, size_t to, const mpq_t factor)
{
    size_t n = r->arcs++;
    if (to >= INT32_MAX) unreadable("too many likelihood classes");
    r->arc = grown(r->arc, &r->arc_room[0], n, sizeof *r->arc);
    r->factor_above = grown(r->factor_above, &r->arc_room[1], n, sizeof *r->factor_above);
    r->factor_below = grown(r->factor_below, &r->arc_room[2], n, sizeof *r->factor_below);
    r->factor = grown(r->factor, &r->arc_room[3], n, sizeof *r->factor);
    mpq_init(r->factor[n]);
    mpq_set(r->factor[n], factor);
    r->arc[n] = (int)to;
    r->factor_above[n] = above(factor);
    r->factor_below[n] = below(factor);
}

/* The arcs of class c along one edge; x: scratch. */
static void follow(check_rung *r, check_likes *l, size_t c, int a, int child, check_like *x, mpq_t factor)
{
    const check_model *m = r->g->m;
    const check_node *from = &r->g->node[r->node[c]], *to = &r->g->node[child];
    x->node = child;
    x->count = 0;
    for (size_t i = r->weight_start[c]; i < r->weight_start[c + 1]; i++) {
        int k = r->env[i];
        ptrdiff_t o = check_in(to->set, k) ? check_outcome(m, k, from->s, a, to->s) : -1;
        if (o < 0) continue;
        x->env[x->count] = k;
        mpq_mul(x->weight[x->count++], r->weight[i], m->prob[o]);
    }
    if (x->count == 0) return;
    if (to->t < r->reveal) {
        size_t next = intern(r, l, x, factor);
        add_arc(r, next, factor);
        return;
    }
    for (int i = 0; i < x->count; i++) {
        check_like one = {child, 1, x->env + i, x->weight + i};
        size_t next = intern(r, l, &one, factor);
        add_arc(r, next, factor);
    }
}

static void open_slot(check_rung *r)
{
    r->arc_start = grown(r->arc_start, &r->slot_room, r->slots, sizeof *r->arc_start);
    r->arc_start[r->slots] = r->arcs;
}

static void expand(check_rung *r, check_likes *l, size_t c, check_like *x, mpq_t factor)
{
    const check_graph *g = r->g;
    r->slot = grown(r->slot, &r->class_room[2], c + 1, sizeof *r->slot);
    r->slot[c] = r->slots;
    const check_node *n = &g->node[r->node[c]];
    for (int a = 0, choice = n->first_choice; a < g->m->A; a++) {
        if (!(n->options >> a & 1)) continue;
        open_slot(r);
        for (int e = g->choice_edge[choice]; e < g->choice_edge[choice + 1]; e++) follow(r, l, c, a, g->edge[e], x, factor);
        r->slots++;
        choice++;
    }
    open_slot(r);
    r->slot[c + 1] = r->slots;
}

void check_rung_make(check_rung *r, const check_graph *g, int reveal)
{
    const check_model *m = g->m;
    *r = (check_rung){.g = g, .reveal = reveal};
    check_likes likes = {0};
    check_like x = {.node = 0};
    mpq_t factor;
    mpq_init(factor);
    x.env = zeroed((size_t)m->K, sizeof *x.env);
    x.weight = zeroed((size_t)m->K, sizeof *x.weight);
    r->layer = zeroed((size_t)m->T + 2, sizeof *r->layer);
    for (int k = 0; k < m->K; k++) {
        mpq_init(x.weight[k]);
        mpq_set_ui(x.weight[k], 1, 1);
        x.env[k] = k;
    }
    x.count = reveal > 0 ? m->K : 1;
    for (int k = 0; k < (reveal > 0 ? 1 : m->K); k++) {
        x.env[0] = k;
        (void)intern(r, &likes, &x, factor);
    }
    r->roots = (int)r->classes;
    for (int t = 0; t < m->T; t++) {
        memset(likes.item, 0, likes.size * sizeof *likes.item);
        likes.used = 0;
        r->layer[t + 1] = (int)r->classes;
        for (int c = r->layer[t]; c < r->layer[t + 1]; c++) expand(r, &likes, (size_t)c, &x, factor);
    }
    r->layer[m->T + 1] = (int)r->classes;
    for (int k = 0; k < m->K; k++) mpq_clear(x.weight[k]);
    free(x.weight);
    free(x.env);
    free(likes.item);
    mpq_clear(factor);
}
