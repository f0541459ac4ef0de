/* tests/campaign/corners.h - proofs about stochastic policies by fixed multipliers and corners (src/check/FORMAT.md, "weigh,
 * corners"): honest ones, whose bound is calculated here, and others in which no leaf is left that would refute the claim. */
#ifndef CAMPAIGN_CORNERS_H
#define CAMPAIGN_CORNERS_H

#include "campaign/forge.h"

typedef enum corner_forgery { CORNERS_HONEST, CORNERS_WEIGH, CORNERS_CORNERS, CORNER_FORGERIES } corner_forgery;
extern const char *const corner_forgery_names[CORNER_FORGERIES];

/* The lines between `model` and `complete`. Forged, they claim that no policy is as good as one with coins that was found. NULL:
 * the world is too large, or no policy of it keeps the promises. To be freed. */
char *corners_write(const truth *x, corner_forgery how, rng *r);

#endif
