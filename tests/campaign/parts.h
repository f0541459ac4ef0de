/* tests/campaign/parts.h - proofs about several policies (src/check/FORMAT.md, "Several policies"): honest ones, and forged ones
 * that claim more than the best partition attains. */
#ifndef CAMPAIGN_PARTS_H
#define CAMPAIGN_PARTS_H

#include "campaign/forge.h"

typedef enum parts_forgery {
    PARTS_HONEST,
    PARTS_BOUND,  /* all parts are honest, the bound is not */
    PARTS_FORGED, /* the part that would have to be shown is forged */
    PARTS_SET,    /* a part is said to be about fewer environments, or about more */
    PARTS_COUNT,  /* it holds of fewer or more policies */
    PARTS_USE,    /* some environment has no policy, or two, or one that is worse than is said */
    PARTS_WHOSE,  /* of promises of each group's own environments, or of all */
    PARTS_CLASS,  /* some parts are about policies that know less */
    PARTS_FORGERIES
} parts_forgery;
extern const char *const parts_forgery_names[PARTS_FORGERIES];

/* The lines between `model` and `complete`. NULL: this world has no such false claim. To be freed. */
char *parts_write(const truth *x, parts_forgery how, rng *r);

#endif
