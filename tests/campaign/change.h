/* tests/campaign/change.h - proofs of the planner's, and false ones made of them. */
#ifndef CAMPAIGN_CHANGE_H
#define CAMPAIGN_CHANGE_H

#include <vouch/plan.h>

#include "campaign/forge.h"

typedef enum change {
    CHANGE_LEAF,
    CHANGE_LEAF_PRICES,
    CHANGE_EMPTY,
    CHANGE_PAIRS,
    CHANGE_VECTORS,
    CHANGE_GIVE,
    CHANGE_BRANCH,
    CHANGE_CHILD,
    CHANGE_REACH,
    CHANGE_REMOVE,
    CHANGE_PART,
    CHANGE_WEIGH,
    CHANGE_CORNERS,
    CHANGE_TREE,
    CHANGE_NODE,
    CHANGE_PLAN,
    CHANGE_DO,
    CHANGE_LIKE,
    CHANGE_CLAIM,
    CHANGES
} change;
extern const char *const change_kind_names[CHANGES];

/* A proof of the planner's: lines between `model` and `complete`. */
typedef struct planned {
    char *lines; /* owned */
    char *worse; /* owned: likewise of a policy of the same class that is planned for another objective; NULL: there is none */
    vouch_method method;
} planned;

/* A plan of the model in this file, by a method and for an objective that make lines to be changed so; false: there is none with
 * such a line. */
bool change_planned(const char *model, const truth *x, change how, rng *r, planned *p);
void change_free(planned *p);
/* The lines with one of them changed, and a claim that is false for any lines: no policy; none as good as the proof's, which a
 * worse one replaces that would not refute the claim; or a policy better than the proved bound. NULL: nothing to change. To be
 * freed. */
char *change_lines(const planned *p, const truth *x, change how, rng *r);

#endif
