/* know/class_builder.h - appends classes, slots and arcs to a set of classes.
 *
 * Classes are added in order of time; the slots of a class between builder_begin_slots and builder_end_slots, in order of classes,
 * each followed by its arcs. Functions return -1 out of memory, else 0 or the result named.
 */
#ifndef KNOW_CLASS_BUILDER_H
#define KNOW_CLASS_BUILDER_H

#include "know/classes.h"

typedef struct class_builder {
    know_classes *c;
    int *unit;     /* [nodes * K] of the layer being made, if an environment is revealed there: the class, from 1; 0: none yet */
    size_t w_used; /* of c->w */
    size_t unit_capacity, only_capacity, w_start_capacity, node_capacity, w_capacity, slot_start_capacity, option_capacity,
        arc_start_capacity, child_capacity, factor_capacity;
} class_builder;

/* Starts without classes. On failure nothing has to be freed. */
int builder_init(class_builder *b, const know_graph *g, const pareto_sets *f);
void builder_clear(class_builder *b); /* with the classes, unless builder_finish has given them away */
/* Closes the classes at the horizon, which have no slots, fills slot_pair and returns the set. */
know_classes *builder_finish(class_builder *b);

/* A class more, whose weights are at w_start; only: its environment or -1. */
int builder_class(class_builder *b, int node, size_t w_start, int only);
/* Stores w [K] and returns its offset; 0: out of memory. */
size_t builder_weights(class_builder *b, const double w[]);
/* Prepares the layer of time t for classes of one environment. */
int builder_clear_units(class_builder *b, int t);
/* The class of the layer of time t in which environment k is known to be at `node`, made if new. */
int builder_unit(class_builder *b, int t, int node, int k);

int builder_begin_slots(class_builder *b, int i);
void builder_end_slots(class_builder *b, int i);
int builder_slot(class_builder *b, int option);
/* child < 0: memory was out. */
int builder_arc(class_builder *b, int child, double factor);
/* Arcs of class i at time t along edge e of its node, to one class for each environment. */
int builder_reveal(class_builder *b, int i, int e, int t);

#endif
