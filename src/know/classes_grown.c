/* know/classes_grown.c - grown likelihood classes as a set to search on (know/classes.h): grown classes keep their arcs, and a leaf
 * reveals the environment after its choice.
 *
 *     V(leaf) = max over choices of  sum_k w_k V(k, choice),     V(k, choice): value of a class of environment k with that choice
 * only
 *
 * So a leaf has one arc for each choice and environment, whatever the number of edges. Layer by layer, O(classes, slots and arcs
 * made). Invariant: the classes of a choice's environments are adjacent, in the order of the environments.
 */
#include "know/grown.h"

#include "base/memory.h"
#include "know/class_builder.h"

typedef struct grown_maker {
    class_builder b;
    const grown_classes *x;
    int *made; /* [x->count] its class, -1: none yet */
    int *of;   /* [classes] the class of x; -1: of one environment */
    int *told; /* [choices] the first of the classes of its environments, -1: none; each time's are made when the time comes */
    int *only; /* [told classes of the time at hand] their choice */
    size_t of_capacity, only_capacity;
} grown_maker;

/* Class j of x, made if new; -1: memory. */
static int make_class(grown_maker *mk, int j)
{
    know_classes *c = mk->b.c;
    if (mk->made[j] >= 0) return mk->made[j];
    size_t start = builder_weights(&mk->b, grown_weights(mk->x, j));
    if (start == 0 || builder_class(&mk->b, mk->x->node[j], start, -1)) return -1;
    mk->made[j] = c->classes - 1;
    return mk->made[j];
}

/* What leaf i of time t may do, of each environment that may be at its node. Their choices are mk->only from class `first` on. */
static int tell_choices(grown_maker *mk, int i, int first)
{
    know_classes *c = mk->b.c;
    const know_graph *g = c->g;
    int n = c->node[i], set = g->set[n];
    for (int choice = g->choice_start[n]; choice < g->choice_start[n + 1]; choice++) {
        if (g->choice_twin[choice] != choice || mk->told[choice] >= 0) continue;
        mk->told[choice] = c->classes;
        for (int m = g->member_start[set]; m < g->member_start[set + 1]; m++) {
            if (MEM_RESERVE(&mk->only, &mk->only_capacity, c->classes - first)) return -1;
            mk->only[c->classes - first] = choice;
            if (builder_class(&mk->b, n, (size_t)(c->K - 1 - g->member[m]), g->member[m])) return -1;
        }
    }
    return 0;
}

/* Arcs of class j of x for a choice with first arc `arc`, or, of a leaf, to the classes `told` of its environments. */
static int lead_on(grown_maker *mk, int j, int choice, int *arc)
{
    const grown_classes *x = mk->x;
    const know_graph *g = x->g;
    if (x->arc_start[j] >= 0) {
        for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++, ++*arc)
            if (x->arc_child[*arc] >= 0 && builder_arc(&mk->b, make_class(mk, x->arc_child[*arc]), x->arc_factor[*arc])) return -1;
        return 0;
    }
    int set = g->set[x->node[j]], first = g->member_start[set];
    for (int m = first; m < g->member_start[set + 1]; m++) {
        double w = grown_weights(x, j)[g->member[m]];
        if (w > 0 && builder_arc(&mk->b, mk->told[choice] + m - first, w)) return -1;
    }
    return 0;
}

/* The slots of class i of time t: of each choice, or of `only` if that is none of -1. */
static int make_slots(grown_maker *mk, int i, int j, int only, int t)
{
    know_classes *c = mk->b.c;
    const know_graph *g = c->g;
    int n = c->node[i], arc = j >= 0 ? mk->x->arc_start[j] : 0;
    if (builder_begin_slots(&mk->b, i)) return -1;
    for (int choice = g->choice_start[n]; choice < g->choice_start[n + 1]; choice++) {
        if (g->choice_twin[choice] != choice || (only >= 0 && choice != only)) continue;
        if (builder_slot(&mk->b, choice)) return -1;
        if (j >= 0 && lead_on(mk, j, choice, &arc)) return -1;
        for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1] && j < 0; e++)
            if (builder_reveal(&mk->b, i, e, t)) return -1;
    }
    builder_end_slots(&mk->b, i);
    return 0;
}

/* Records the class of x of each of the classes first .. last - 1. */
static int note_origin(grown_maker *mk, int t, int first, int last)
{
    const grown_classes *x = mk->x;
    if (last > first && MEM_RESERVE(&mk->of, &mk->of_capacity, last - 1)) return -1;
    for (int i = first; i < last; i++) mk->of[i] = -1;
    for (int j = x->first[t]; j >= 0; j = x->next[j])
        if (mk->made[j] >= 0) mk->of[mk->made[j]] = j;
    return 0;
}

/* Slots and arcs of the classes of time t, and the classes of time t + 1. */
static int make_layer(grown_maker *mk, int t)
{
    know_classes *c = mk->b.c;
    int first = c->time_start[t], told = c->classes;
    if (note_origin(mk, t, first, told)) return -1;
    for (int i = first; i < told; i++) {
        if (mk->of[i] < 0 || mk->x->arc_start[mk->of[i]] >= 0) continue;
        if (tell_choices(mk, i, told)) return -1;
        if (t < c->cut) c->cut = t + 1;
    }
    int last = c->time_start[t + 1] = c->classes;
    if (builder_clear_units(&mk->b, t + 1)) return -1;
    for (int i = first; i < told; i++)
        if (make_slots(mk, i, mk->of[i], -1, t)) return -1;
    for (int i = told; i < last; i++)
        if (make_slots(mk, i, -1, mk->only[i - told], t)) return -1;
    return 0;
}

vouch_status know_classes_expanded(const grown_classes *x, know_classes **classes)
{
    const know_graph *g = x->g;
    grown_maker mk = {.x = x};
    *classes = NULL;
    if (builder_init(&mk.b, g, NULL)) return VOUCH_ERROR_MEMORY;
    mk.made = MEM_NEW(int, x->count);
    mk.told = MEM_NEW(int, g->choices);
    bool failed = !mk.made || !mk.told;
    for (int j = 0; j < x->count && !failed; j++) mk.made[j] = -1;
    for (int choice = 0; choice < g->choices && !failed; choice++) mk.told[choice] = -1;
    failed = failed || make_class(&mk, 0) < 0;
    for (int t = 0; t < g->T && !failed; t++) failed = make_layer(&mk, t) != 0;
    if (!failed) *classes = builder_finish(&mk.b);
    mem_free(mk.made);
    mem_free(mk.of);
    mem_free(mk.told);
    mem_free(mk.only);
    builder_clear(&mk.b);
    return *classes ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}
