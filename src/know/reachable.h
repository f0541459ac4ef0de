/* know/reachable.h - the likelihood classes that are come to, and their slots, while some options are forbidden.
 *
 * Deep in a search a policy that uses allowed options comes to a tenth of the classes, and many inductions are made over the same
 * ones: these lists are what they go through.
 */
#ifndef KNOW_REACHABLE_H
#define KNOW_REACHABLE_H

#include "base/arena.h"
#include "know/classes.h"

typedef struct reachable_classes {
    const know_classes *c;
    int end;             /* those of times below it are listed; 0: none are yet */
    int *before;         /* [T + 2] how many of times below t; up to that of end */
    int *item;           /* [classes] which, ascending */
    int *slot_start;     /* [classes + 1] where the allowed slots of each begin in slot */
    int *slot;           /* [slots] */
    unsigned char *was;  /* [options] what was allowed then */
    unsigned char *come; /* [classes] scratch */
} reachable_classes;

/* Arrays from the arena, which fails where memory is out. */
void reachable_init(reachable_classes *l, const know_classes *c, arena *memory);

/* Lists the classes of times below `end` (T + 1 for all) that are come to by allowed options [options]; it may list more. Costs
 * next to nothing where they are those of the call before. */
void reachable_find(reachable_classes *l, const unsigned char allowed[], int end);

#endif
