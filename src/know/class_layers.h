/* know/class_layers.h - sets of likelihood classes (know/classes.h) made layer by layer: all, or what histories lead to. */
#ifndef KNOW_CLASS_LAYERS_H
#define KNOW_CLASS_LAYERS_H

#include "base/clock.h"
#include "base/error.h"
#include "know/classes.h"

typedef struct class_limits {
    long long classes;    /* most of them before the environment is revealed */
    const deadline *time; /* when it passes the environment is revealed, too; NULL: none */
    const deadline *end;  /* when it passes there are none: even those that reveal the environment may be many; NULL: none */
} class_limits;

/* f may be NULL. On failure *classes is NULL. ERROR_SIZE: the end has passed. */
vouch_status know_classes_new(const know_graph *g, const pareto_sets *f, const class_limits *limits, know_classes **classes,
                              vouch_error *error);
/* What histories do: the classes that they come to are often few where all that could be are not. */
typedef struct class_guide {
    void *context;
    /* Called for every class i before the horizon, in their order; made: what there is so far, with the arcs of the classes before
     * i. want [choices of the node]: 0 at entry, set for choices that are no later twin. */
    void (*want)(void *context, const know_classes *made, int i, unsigned char want[]);
} class_guide;

/* Only what the guide wants is a slot, and only classes that those lead to are made: no bound holds for other policies. ERROR_SIZE:
 * more than limit, or the time is over. */
vouch_status know_classes_guided(const know_graph *g, const class_guide *guide, long long limit, const deadline *time,
                                 know_classes **classes, vouch_error *error);

#endif
