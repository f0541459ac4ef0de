/* know/class_builder.c - see class_builder.h. O(1) a class, slot or arc; arrays grow by doubling. */
#include "know/class_builder.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"

int builder_class(class_builder *b, int node, size_t w_start, int only)
{
    know_classes *c = b->c;
    size_t n = (size_t)c->classes;
    if (MEM_RESERVE(&c->node, &b->node_capacity, n) || MEM_RESERVE(&c->w_start, &b->w_start_capacity, n) ||
        MEM_RESERVE(&c->only, &b->only_capacity, n))
        return -1;
    c->node[n] = node;
    c->w_start[n] = w_start;
    c->only[n] = only;
    c->classes++;
    return 0;
}

size_t builder_weights(class_builder *b, const double w[])
{
    know_classes *c = b->c;
    size_t K = (size_t)c->K, start = b->w_used;
    if (MEM_RESERVE(&c->w, &b->w_capacity, start + K - 1)) return 0;
    MEM_COPY(c->w + start, w, K);
    b->w_used += K;
    return start;
}

int builder_clear_units(class_builder *b, int t)
{
    const know_graph *g = b->c->g;
    size_t units = (size_t)(g->time_start[t + 1] - g->time_start[t]) * (size_t)g->K;
    if (MEM_RESERVE(&b->unit, &b->unit_capacity, units)) return -1;
    memset(b->unit, 0, units * sizeof *b->unit);
    return 0;
}

int builder_unit(class_builder *b, int t, int node, int k)
{
    know_classes *c = b->c;
    int *known = &b->unit[(size_t)(node - c->g->time_start[t]) * (size_t)c->K + (size_t)k];
    if (*known) return *known - 1;
    *known = c->classes + 1;
    return builder_class(b, node, (size_t)(c->K - 1 - k), k) ? -1 : *known - 1;
}

int builder_begin_slots(class_builder *b, int i)
{
    if (MEM_RESERVE(&b->c->slot_start, &b->slot_start_capacity, i + 1)) return -1;
    b->c->slot_start[i] = b->c->slots;
    return 0;
}

void builder_end_slots(class_builder *b, int i) { b->c->slot_start[i + 1] = b->c->slots; }

int builder_slot(class_builder *b, int option)
{
    know_classes *c = b->c;
    size_t n = (size_t)c->slots;
    if (MEM_RESERVE(&c->slot_option, &b->option_capacity, n) || MEM_RESERVE(&c->arc_start, &b->arc_start_capacity, n + 1))
        return -1;
    c->slot_option[n] = option;
    c->arc_start[n] = c->arc_start[n + 1] = c->arcs;
    c->slots++;
    return 0;
}

int builder_arc(class_builder *b, int child, double factor)
{
    know_classes *c = b->c;
    size_t n = (size_t)c->arcs;
    if (child < 0 || MEM_RESERVE(&c->arc_child, &b->child_capacity, n) || MEM_RESERVE(&c->arc_factor, &b->factor_capacity, n))
        return -1;
    c->arc_child[n] = child;
    c->arc_factor[n] = factor;
    c->arcs++;
    if (c->slots > 0) c->arc_start[c->slots] = c->arcs;
    return 0;
}

int builder_reveal(class_builder *b, int i, int e, int t)
{
    know_classes *c = b->c;
    const know_graph *g = c->g;
    int child = g->edge_child[e], K = c->K;
    const double *prob = g->successor_prob + (size_t)g->edge_row[e] * (size_t)K, *w = know_class_weights(c, i);
    for (int k = know_class_first(c, i); k < know_class_last(c, i); k++) {
        double factor = w[k] > 0 && prob[k] > 0 && know_in_set(g, g->set[child], k) ? w[k] * prob[k] : 0;
        if (factor <= 0) continue;
        if (builder_arc(b, builder_unit(b, t + 1, child, k), factor)) return -1;
    }
    return 0;
}

/* ---- begin and end ------------------------------------------------------------------------------------------------------ */

/* The numbers in which all unit vectors lie. */
static int begin_weights(class_builder *b)
{
    size_t K = (size_t)b->c->K;
    b->w_used = 2 * K - 1;
    if (MEM_RESERVE(&b->c->w, &b->w_capacity, b->w_used - 1)) return -1;
    memset(b->c->w, 0, b->w_used * sizeof *b->c->w);
    b->c->w[K - 1] = 1;
    return 0;
}

int builder_init(class_builder *b, const know_graph *g, const pareto_sets *f)
{
    *b = (class_builder){.c = MEM_ZERO(know_classes, 1)};
    if (!b->c) return -1;
    *b->c = (know_classes){.g = g, .f = f, .K = g->K, .cut = g->T + 1, .options = g->choices + (f ? f->vectors : 0)};
    b->c->time_start = MEM_ZERO(int, g->T + 2);
    if (b->c->time_start && !begin_weights(b) && !MEM_RESERVE(&b->c->arc_start, &b->arc_start_capacity, 1)) {
        b->c->arc_start[0] = 0;
        return 0;
    }
    builder_clear(b);
    return -1;
}

void builder_clear(class_builder *b)
{
    know_classes_free(b->c);
    mem_free(b->unit);
    *b = (class_builder){0};
}

/* Pairs of choices that pay nothing in any environment need not be asked. */
static int note_pairs(know_classes *c)
{
    const know_graph *g = c->g;
    bool *pays = MEM_ZERO(bool, g->m->pairs);
    c->slot_pair = MEM_NEW(int, c->slots);
    if (pays && c->slot_pair) {
        for (int q = 0; q < g->m->pairs; q++)
            for (int k = 0; k < c->K; k++) pays[q] |= g->reward[(size_t)q * (size_t)c->K + (size_t)k] != 0;
        for (int i = 0; i < c->classes; i++)
            for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) {
                int option = c->slot_option[slot];
                if (know_option_is_vector(c, option))
                    c->slot_pair[slot] = -2 - (option - g->choices);
                else
                    c->slot_pair[slot] =
                        pays[g->choice_pair[option]] && !know_slot_reveals(c, i, slot) ? g->choice_pair[option] : -1;
            }
    }
    mem_free(pays);
    return c->slot_pair && pays ? 0 : -1;
}

#ifdef VOUCH_DEBUG
static void check_slot(const know_classes *c, int i, int slot, int t)
{
    int n = c->node[i], option = c->slot_option[slot];
    CHECK(know_option_is_vector(c, option) || (option >= c->g->choice_start[n] && option < c->g->choice_start[n + 1]));
    for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) {
        int child = c->arc_child[a];
        if (know_slot_reveals(c, i, slot))
            CHECK(c->node[child] == n && child > i && c->only[child] >= 0);
        else
            CHECK(child >= c->time_start[t + 1] && child < c->time_start[t + 2]);
        CHECK(c->arc_factor[a] > 0 && c->arc_factor[a] <= 1 + MODEL_SUM_TOLERANCE);
    }
}

/* Weights have largest entry 1 and are 0 outside the node's set; slots belong to the class's node; arcs lead to the next layer or
 * reveal the environment. */
static void check(const know_classes *c)
{
    for (int t = 0; t <= c->g->T; t++)
        for (int i = c->time_start[t]; i < c->time_start[t + 1]; i++) {
            const double *w = know_class_weights(c, i);
            double largest = 0;
            for (int k = 0; k < c->K; k++) {
                CHECK(w[k] >= 0 && (w[k] <= 0 || know_in_set(c->g, c->g->set[c->node[i]], k)));
                largest = fmax(largest, w[k]);
            }
            CHECK_COMPARE(largest, ==, 1);
            CHECK(c->node[i] >= c->g->time_start[t] && c->node[i] < c->g->time_start[t + 1]);
            for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) check_slot(c, i, slot, t);
        }
}
#else
static void check(const know_classes *c) { (void)c; }
#endif

know_classes *builder_finish(class_builder *b)
{
    know_classes *c = b->c;
    int T = c->g->T;
    c->time_start[T + 1] = c->classes;
    for (int i = c->time_start[T]; i < c->classes; i++) {
        if (builder_begin_slots(b, i)) return NULL;
        builder_end_slots(b, i);
    }
    if (note_pairs(c)) return NULL;
    check(c);
    b->c = NULL;
    return c;
}

void know_classes_free(know_classes *c)
{
    if (!c) return;
    mem_free(c->time_start);
    mem_free(c->node);
    mem_free(c->w);
    mem_free(c->w_start);
    mem_free(c->only);
    mem_free(c->slot_start);
    mem_free(c->slot_option);
    mem_free(c->slot_pair);
    mem_free(c->arc_start);
    mem_free(c->arc_child);
    mem_free(c->arc_factor);
    mem_free(c);
}

double know_induction_work(const know_classes *c)
{
    return c->arcs + (double)c->K * (c->slots + c->classes - c->time_start[c->g->T]);
}
